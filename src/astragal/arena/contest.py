"""A contest from its beginning, or from where it was, to its end or until it is clear enough who is better."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from astragal.arena import stats, workers
from astragal.arena.job import BadContest, Job, Round, seatings
from astragal.arena.ledger import Ledger, opened
from astragal.arena.records import RecordFolder
from astragal.arena.rounds import PlayedRound, RoundPlayer
from astragal.core.language import say
from astragal.core.rules import Game

MOST_ELO = 2000  # points of difference that a test may ask about


class Where(Struct, frozen=True):
    """Who plays the rounds: so many cores of this machine (0 for all), or a Ray cluster."""

    cores: int = 1
    ray: str | None = None  # an address, or "" for a cluster of this machine alone


HERE = Where()


class Contest:
    """The rounds played so far, and the question whether there are enough."""

    def __init__(
        self,
        ledger: Ledger,
        rounds: int,
        sprt: stats.Sprt | None,
        where: Where,
        game: Game | None,
        folder: RecordFolder | None,
    ) -> None:
        self.job = ledger.job
        self.sprt = sprt
        self.verdict: bool | None = None
        self.total = rounds * len(self.job.pairings)
        self._ledger, self._where, self._folder = ledger, where, folder
        self._counts: Counter[float] = Counter()
        for round in ledger.rounds:
            self._weigh(round)
        self._table = RoundPlayer(self.job, game, recording=folder is not None)

    @property
    def rounds(self) -> list[Round]:
        return self._ledger.rounds

    @property
    def over(self) -> bool:
        return self.verdict is not None or len(self.rounds) >= self.total

    @property
    def games(self) -> int:
        """Games played so far."""
        return len(self.rounds) * len(seatings(self.job.players))

    @property
    def ratio(self) -> float:
        """The log-likelihood ratio of the sequential test so far."""
        return 0.0 if self.sprt is None else self.sprt.ratio(self._counts)

    def first(self) -> None:
        """Plays the next round in this process, which compiles what the bots need before many processes want it."""
        if not self.over:
            self._add(self._table.round(len(self.rounds)))

    def rest(self, tell: Callable[[], None]) -> None:
        """Plays all that is left, and tells after every round."""
        if self.over:
            return
        with self._players() as play:
            for played in play(range(len(self.rounds), self.total)):
                self._add(played)
                tell()
                if self.over:
                    return

    @contextmanager
    def _players(self) -> Iterator[workers.Play]:
        recording = self._folder is not None
        if self._where.ray is not None:
            with workers.on_ray(self.job, self._where.ray or None, recording=recording) as play:
                yield play
        elif self._where.cores != 1:
            with workers.on_cores(self.job, self._where.cores, recording=recording) as play:
                yield play
        else:
            yield lambda numbers: map(self._table.round, numbers)

    def _add(self, played: PlayedRound) -> None:
        """A round that counts from here on; its records are on the disk before it does."""
        if self._folder is not None:
            self._folder.write(played.records)
        self._ledger.add(played.round)
        self._weigh(played.round)

    def _weigh(self, round: Round) -> None:
        self._counts[round.score] += 1
        if self.sprt is not None and self.verdict is None:
            self.verdict = self.sprt.verdict(self._counts)


@contextmanager
def arranged(
    job: Job,
    rounds: int,
    *,
    file: Path | None = None,
    sprt: stats.Sprt | None = None,
    where: Where = HERE,
    game: Game | None = None,
    records: Path | None = None,
) -> Iterator[Contest]:
    """A contest of so many rounds a pairing, with what `file` holds of it already.

    Every game is recorded in the folder `records`. `game` is for a game that is not installed, which only this process
    can play. Raises BadContest, BadFile and whatever making a bot raises.
    """
    if sprt is not None and len(job.bots) != 2:
        raise BadContest(say("--sprt compares two bots, not {n}", n=len(job.bots)))
    if sprt is not None and not -MOST_ELO <= sprt.elo0 < sprt.elo1 <= MOST_ELO:
        raise BadContest(say("--sprt takes two numbers of Elo points, the lower one first, such as --sprt 0 20"))
    if where.ray:
        workers.reach(where.ray)
    RoundPlayer(job, game)  # a bot that cannot be made is refused before a file is made
    folder = None if records is None else RecordFolder(records, job)
    with opened(job, file) as ledger:
        if folder is not None:
            folder.check(len(ledger.rounds), goes_on=file is not None)
        yield Contest(ledger, rounds, sprt, where, game, folder)
