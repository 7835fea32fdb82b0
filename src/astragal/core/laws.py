"""The laws of the contract, and the report of a check: which were tested, which broke, and where."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
from msgspec import Struct

LAWS = {
    1: "no randomness inside a state: the same action gives the same state",
    2: "a view is a type of its own, with its own seat's legal actions only; what chance did is told no further",
    3: "resampled states look the same to the seat, and the true state is among them",
    4: "records replay, in both file forms",
    5: "a chance node is one draw with exact weights and distinct outcomes",
    6: "legal, accepts and apply agree; notation reads back; every game ends or says what bounds it",
    7: "fast and rules agree",
    8: "a position survives being written down, and plays on as before",
}


class Finding(Struct, frozen=True):
    """One way in which a game broke a law, and how to get there again."""

    law: int
    what: str
    where: str


class Report(Struct):
    """What a check saw."""

    game: str
    games: int = 0
    finished: int = 0
    plies: int = 0
    longest: int = 0
    asked: dict[int, int] = msgspec.field(
        default_factory=lambda: dict.fromkeys(LAWS, 0)
    )  # how often each law was put to the test
    findings: list[Finding] = []
    guesses: int = 0  # resampled states that were not the true one: so something is hidden

    @property
    def ok(self) -> bool:
        """No law broken, and at least one game seen."""
        return not self.findings and self.games > 0

    def __str__(self) -> str:
        head = f"{self.game}: {self.games} games, {self.finished} finished, {self.plies} plies, longest {self.longest}"
        lines = [head]
        for law, text in LAWS.items():
            broken = [finding for finding in self.findings if finding.law == law]
            state = "BROKEN" if broken else f"kept {self.asked[law]} times" if self.asked[law] else "not tested"
            lines.append(f"  law {law} {state}: {text}")
            lines += [f"    {finding.what}\n      at {finding.where}" for finding in broken[:5]]
        return "\n".join(lines)


class Broken(Exception):
    """A law broken in the game at hand; `check` adds where."""

    def __init__(self, law: int, what: str) -> None:
        super().__init__(what)
        self.law, self.what = law, what


@contextmanager
def under(law: int, doing: str) -> Iterator[None]:
    """A context: an exception that the game raises inside it counts as breaking this law, and the check goes on."""
    try:
        yield
    except Broken:
        raise
    except Exception as error:
        raise Broken(law, f"{doing} raises {type(error).__name__}: {error}") from error
