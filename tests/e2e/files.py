"""Small boards of our own, so that whole matches are short. They go the way that a host's own files go."""

from __future__ import annotations

# Two soldiers each, a few steps apart: the first turns bring attacks and questions.
FIELD = """
name = "yard"
columns = 5
rows = 5
camp = ["sFs"]
two = ["C1", "C5"]
"""

# So far apart that nobody reaches anybody in a first turn: whoever goes second is asked at the end of it, whatever is
# rolled, and the other at the end of the next turn. In the yard a 5 may win before anybody was asked.
PLAIN = """
name = "plain"
columns = 13
rows = 13
camp = ["sFs"]
two = ["B1", "L13"]
"""

# Connected they face each other from the beginning, each soldier one enemy.
FRONT = """
name = "front"
columns = 5
rows = 2
camp = ["sFs"]
two = ["C1", "C2"]
"""

RIVER = """
name = "brook"
rows = [
  "5  90  60  30  60  90",
  "4   . +20   . -20   .",
  "3   .   .   .   .   .",
  "2   . -10   . +10   .",
  "1   .   .   *   .   .",
]
"""

# Nobody ever has to pass: every tile fits. With the tiles of the game one in 70 has none to begin with.
TILES = """
name = "straights"
rack = 5
bonus = 20
tiles = [{ kind = "straight", count = 60, value = 1 }]
"""
