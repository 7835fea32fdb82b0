"""The records of a contest's games: a folder with a file for each, for `astragal replay`, reviews and study.

A file's name holds a fingerprint of the contest, so that several contests can share a folder and none overwrites
another's. Dice of the arena are mirrored (`rounds.MirroredDice`) and not those of a match, so that `astragal verify`
finds such a record in order but cannot repeat its draws.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import msgspec

from astragal.arena.job import BadContest, Job, seatings
from astragal.core import fair, recordfile
from astragal.core.language import say
from astragal.core.record import Entry, Header, Record, Seat
from astragal.core.types import BadFile

LONGEST_BOT = 60  # characters of a bot's name that a record can hold


def make_record(
    job: Job, number: int, game: int, entries: Sequence[Entry], result: tuple[float, ...] | None, seed: str
) -> Record:
    """The record of one game of the round with this number; a game that was broken off has no result."""
    pair = job.pairings[job.task(number)[0]]
    seats = tuple(Seat(f"bot:{job.bots[pair[who]][:LONGEST_BOT]}") for who in seatings(job.players)[game])
    nobody = (None,) * job.players
    header = Header(
        game=job.game,
        version=job.version,
        match=match_id(job, number, game),
        seats=seats,
        options=job.options,
        fair=fair.Fairness(server_commitment=fair.commit(seed.encode()), seat_commitments=nobody, seat_seeds=nobody),
    )
    return Record(header=header, entries=tuple(entries), result=result)


def match_id(job: Job, number: int, game: int) -> str:
    """What a game of a contest is called: the contest, the pairing, the round and the game of the round, from 0."""
    pairing, round = job.task(number)
    return f"{_contest(job)}-{pairing}-{round}-{game}"


def _contest(job: Job) -> str:
    return f"arena-{hashlib.sha256(msgspec.json.encode(job, order='deterministic')).hexdigest()[:12]}"


class RecordFolder:
    """Where the records of a contest are written."""

    def __init__(self, folder: Path, job: Job) -> None:
        """Makes the folder if need be. Raises BadFile."""
        self.folder, self._job = folder, job
        try:
            folder.mkdir(parents=True, exist_ok=True)
            next(folder.iterdir(), None)
        except (OSError, ValueError) as error:  # ValueError: a name with a zero byte
            reason = getattr(error, "strerror", None) or str(error)
            raise BadFile(str(folder), None, say("cannot be written: {reason}", reason=reason)) from None

    def check(self, played: int, *, goes_on: bool) -> None:
        """Whether the folder fits the rounds played so far: it has their games, and no later ones. Raises BadContest.

        Of a contest that `goes_on` from a file, the round that was being written may be there too: it is played again.
        """
        there = {file.name for file in self.folder.glob(f"{_contest(self._job)}-*.json")}
        expected = {file.name for number in range(played) for file in self._files(number)}
        if missing := sorted(expected - there):
            text = say(
                "{file} is missing: the contest was begun without --records; begin it anew with another --out",
                file=str(self.folder / missing[0]),
            )
            raise BadContest(text)
        written = {file.name for file in self._files(played)} if goes_on else set()
        if taken := sorted(there - expected - written):
            text = say(
                "{file} exists: this contest was recorded here before; name another folder, or go on with its --out",
                file=str(self.folder / taken[0]),
            )
            raise BadContest(text)

    def write(self, records: Sequence[Record]) -> None:
        """Writes the games of a round, each whole or not at all. Raises BadFile."""
        for record in records:
            recordfile.write(record, self.folder / f"{record.header.match}.json")

    def _files(self, number: int) -> list[Path]:
        games = range(len(seatings(self._job.players)))
        return [self.folder / f"{match_id(self._job, number, game)}.json" for game in games]
