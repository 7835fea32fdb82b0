"""Contests between bots: who wins more, by how much, and how sure that is."""
