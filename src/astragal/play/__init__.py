"""Matches in progress: the match itself, offers, clocks, and the next match."""
