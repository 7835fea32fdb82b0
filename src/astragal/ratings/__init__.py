"""Ratings: what finished matches say about their players. Pure: no store, no clock, no game.

`rules` says which matches count, `fold` adds them up one after the other, `glicko` and `plackett` are the two models,
`skill` is the other measure, from reviews. docs/ratings.md tells players about it.
"""
