"""What those who sit at a table may say and promise: checks that need nothing of the match."""

from __future__ import annotations

from collections.abc import Sequence

from astragal.core import fair
from astragal.core.fair import Fairness
from astragal.core.language import say
from astragal.server.problems import Problem
from astragal.server.setup import OPEN, PHRASES, cleaned


class LobbySeat:
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


def fairness(server_seed: bytes, chairs: Sequence[LobbySeat]) -> Fairness:
    """What is promised and opened so far."""
    return Fairness(
        server_commitment=fair.commit(server_seed),
        seat_commitments=tuple(chair.commitment for chair in chairs),
        seat_seeds=tuple(chair.seed for chair in chairs),
    )


def owing(chairs: Sequence[LobbySeat]) -> tuple[int, ...]:
    """The seats that still owe the seed they promised, once nothing else is missing."""
    if any(chair.free or (chair.plan == OPEN and not chair.promised) for chair in chairs):
        return ()
    return tuple(seat for seat, chair in enumerate(chairs) if not chair.ready)


def check_promise(chairs: Sequence[LobbySeat], seat: int) -> None:
    """Refuses a second promise of a seat."""
    if chairs[seat].promised:
        raise Problem("not_possible", say("seat {seat} has made its promise already", seat=seat + 1))


def check_seed(chairs: Sequence[LobbySeat], seat: int, seed: str) -> None:
    """Refuses a seed that is opened too early, or is not the one promised."""
    chair = chairs[seat]
    if any(other.free or (other.plan == OPEN and not other.promised) for other in chairs):
        raise Problem("not_possible", say("seeds are opened when all seats are taken and have promised theirs"))
    if chair.seed is not None or chair.commitment is None:
        raise Problem("not_possible", say("seat {seat} has no seed to open", seat=seat + 1))
    if fair.commit(bytes.fromhex(seed)) != chair.commitment:
        raise Problem("not_possible", say("this is not the seed that seat {seat} promised", seat=seat + 1))


def check_other(chairs: Sequence[LobbySeat], seat: int, whom: int) -> None:
    """Refuses a seat that is one's own, or none."""
    if whom == seat or not 0 <= whom < len(chairs):
        raise Problem("not_possible", say("there is no other seat {seat}", seat=whom + 1))


def words(text: str, phrase: str) -> tuple[str, str]:
    """What somebody says, fit to be heard: own words, or one of the phrases."""
    text = cleaned(text)
    if phrase and phrase not in PHRASES:
        raise Problem("malformed", say("{value!r} is not one of {shape}", value=phrase, shape=", ".join(PHRASES)))
    if bool(text) == bool(phrase):
        raise Problem("malformed", say("say a text or a phrase, one of the two"))
    return text, phrase
