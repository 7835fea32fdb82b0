"""Skill by review: what a player's decisions cost on average, and how far that can be trusted.

A decision's loss is the share of a win that the best action would have kept (`analysis.report`). Dice decide far less
of it than of results, so it is known after far fewer matches.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from msgspec import Struct

WITHIN = 1.96  # standard errors either side: 95 of 100 such intervals hold the truth


class Losses(Struct, frozen=True):
    """The losses of some decisions, added up."""

    decisions: int = 0
    total: float = 0.0
    squares: float = 0.0  # the sum of their squares


class Skill(Struct, frozen=True, kw_only=True):
    """The average loss of a decision, and how far it may be off; None for a single decision."""

    matches: int
    decisions: int
    loss: float
    margin: float | None


def losses(each: Iterable[float]) -> Losses:
    """Single losses, added up."""
    known = list(each)
    return Losses(len(known), math.fsum(known), math.fsum(loss**2 for loss in known))


def skill(all: Losses, matches: int) -> Skill | None:
    """The skill that the reviews of so many matches show, with all their decisions; None without a decision."""
    n = all.decisions
    if not n:
        return None
    mean, margin = all.total / n, None
    if n > 1:
        variance = max(0.0, all.squares - n * mean**2) / (n - 1)
        margin = WITHIN * math.sqrt(variance / n)
    return Skill(matches=matches, decisions=n, loss=mean, margin=margin)
