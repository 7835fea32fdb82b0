"""Seats before the match begins."""

from __future__ import annotations

from collections.abc import Sequence

from astragal.core import fair
from astragal.core.language import say
from astragal.server.problems import Problem
from astragal.server.setup import OPEN


class Chair:
    """A seat before the match: who sits there, and the seed it brings."""

    def __init__(self, plan: str) -> None:
        self.plan = plan
        self.free = plan == OPEN
        self.name = ""
        self.promised = False
        self.commitment: str | None = None
        self.seed: str | None = None

    @property
    def ready(self) -> bool:
        """Whether nothing more is needed from here."""
        return not self.free and (
            self.plan != OPEN or (self.promised and (self.commitment is None) == (self.seed is None))
        )


def check_promise(chairs: Sequence[Chair], seat: int) -> None:
    """Refuses a second promise of a seat."""
    if chairs[seat].promised:
        raise Problem("not_possible", say("seat {seat} has made its promise already", seat=seat + 1))


def check_seed(chairs: Sequence[Chair], seat: int, seed: str) -> None:
    """Refuses a seed that is opened too early, or is not the one promised."""
    chair = chairs[seat]
    if any(other.free or (other.plan == OPEN and not other.promised) for other in chairs):
        raise Problem("not_possible", say("seeds are opened when all seats are taken and have promised theirs"))
    if chair.seed is not None or chair.commitment is None:
        raise Problem("not_possible", say("seat {seat} has no seed to open", seat=seat + 1))
    if fair.commit(bytes.fromhex(seed)) != chair.commitment:
        raise Problem("not_possible", say("this is not the seed that seat {seat} promised", seat=seat + 1))
