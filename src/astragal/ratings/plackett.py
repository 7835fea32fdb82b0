"""Plackett-Luce for three and four players, by the library openskill.

Its scale is set so that a difference between two ratings means about what it means with two players: the same odds of
coming in before the other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec.structs import replace
from openskill.models import PlackettLuce

from astragal.ratings.standing import LEAST_DEVIATION, SCALE, START, UNKNOWN, Standing

_ANCHOR = 1e-3  # a bot's deviation; the library wants one above 0


def update(own: Sequence[Standing], result: Sequence[float]) -> tuple[Standing, ...]:
    """The ratings after a match of several players; `result` is each seat's share, and equal shares are a tie."""
    model = PlackettLuce(mu=START, sigma=UNKNOWN, beta=SCALE / math.sqrt(len(own)), tau=0.0)
    teams = [[model.create_rating([one.rating, max(_ANCHOR, one.deviation)])] for one in own]
    ranks = [float(1 + sum(other > share for other in result)) for share in result]
    return tuple(
        replace(before, rating=team[0].mu, deviation=min(UNKNOWN, max(LEAST_DEVIATION, team[0].sigma)))
        for before, team in zip(own, model.rate(teams, ranks=ranks), strict=True)
    )
