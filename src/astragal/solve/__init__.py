"""Exact values: what every position of a solvable game is worth if both sides play their best."""
