"""Tournaments without a server: their log is made by `conduct`, and results come from lots."""

from __future__ import annotations

from random import Random

from astragal.tournament.conduct import due
from astragal.tournament.events import (
    Absent,
    Began,
    Body,
    Ended,
    Entered,
    Kept,
    Made,
    Paired,
    Plan,
    Result,
    Withdrew,
)
from astragal.tournament.state import Tournament


class Simulated:
    """A tournament and its log."""

    def __init__(self, plan: Plan, entrants: int, seed: str = "lots") -> None:
        self.log: list[Kept] = []
        self.state = Tournament()
        self.now = 0
        self.add(Made("Cup", plan.check(), seed))
        for _ in range(entrants):
            self.enter()

    def add(self, body: Body) -> None:
        kept = Kept(len(self.log) + 1, self.now, body)
        self.state.add(kept)
        self.log.append(kept)

    def enter(self) -> None:
        self.add(Entered(len(self.state.entrants), f"No. {len(self.state.entrants) + 1}"))

    def pair(self) -> Paired | None:
        """The next round; None at the end."""
        if self.state.began_at is None:
            self.add(Began())
        following = due(self.state, self.now)
        while isinstance(following, Result):
            self.add(following)
            following = due(self.state, self.now)
        if following is None:
            return None
        self.add(following)
        return following if isinstance(following, Paired) else None

    def decide(self, rng: Random) -> None:
        """A result for every open game, draws now and then."""
        for table in self.state.open_tables:
            for game in table.games:
                won = rng.randrange(len(table.entrants))
                shares = [float(n == won) for n in range(len(table.entrants))]
                if rng.random() < 0.2:
                    shares = [1 / len(shares)] * len(shares)
                self.add(Result(table.round, table.number, game.number, tuple(shares)))

    def stir(self, rng: Random) -> None:
        """What people do between rounds: come late, stay away, come back, give up, and do not show up."""
        for entrant in self.state.entrants:
            if rng.random() < 0.12 and not entrant.withdrawn:
                self.add(Absent(entrant.number, not entrant.absent))
            if rng.random() < 0.03 and not entrant.withdrawn:
                self.add(Withdrew(entrant.number))
        if rng.random() < 0.3:
            self.enter()

    def run(self, rng: Random, *, stir: bool = False, most: int = 60) -> None:
        for _ in range(most):
            if self.pair() is None:
                break
            self.decide(rng)
            if stir:
                self.stir(rng)
        assert isinstance(self.log[-1].body, Ended) or len(self.state.rounds) == most
