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
