"""Tournaments: their log, their pairings and their standings. Pure: nothing here knows of servers or stores."""
