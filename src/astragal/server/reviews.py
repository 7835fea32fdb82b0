"""Reviews of finished matches: made in the thinking processes, a part at a time, and kept for a while.

No person at a table waits for a review: its parts are short, and in the queue they stand behind every match with
people.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from astragal.analysis import charts
from astragal.analysis.report import Review, Step
from astragal.analysis.telling import Told, tell
from astragal.core import record as records
from astragal.core import recordfile, recordjson
from astragal.core.language import LANGUAGES, Text, say
from astragal.core.record import Record, Seat, is_bot
from astragal.core.types import AstragalError
from astragal.play import sentences
from astragal.server import metrics, rounds
from astragal.server.bot_pool import BotPool
from astragal.server.journal import Began, Interrupted, Kept
from astragal.server.problems import Problem

if TYPE_CHECKING:  # it brings NumPy and Numba, which only the thinking processes need
    from astragal.analysis.review import Reviewer

PART = 0.5  # seconds that a part takes, about
PATIENCE = 120.0  # seconds after which a part is given up; the first may have to compile
MOST_RUNNING = 8  # reviews that are being made
MOST_KEPT = 100  # reviews in memory

Seconds = tuple[float | None, ...]

_reviewer: tuple[str, Reviewer] | None = None  # of a thinking process


class Asked(Struct, frozen=True):
    """What a review is made of."""

    match: str
    record: str
    seconds: Seconds


class Finished(Struct, frozen=True):
    """A review, and what it says in every language."""

    review: Review
    told: dict[str, Told]


def _steps(asked: Asked, done: int) -> tuple[int, list[Step]]:
    """How many plies a match has, and some more steps of its review. Runs in a thinking process."""
    reviewer = _reviewer_of(asked)
    steps: list[Step] = []
    until = time.monotonic() + PART
    while done + len(steps) < reviewer.plies and (not steps or time.monotonic() < until):
        steps.append(reviewer.step(done + len(steps)))
    return reviewer.plies, steps


def _finished(asked: Asked, steps: list[Step]) -> Finished:
    """The whole review. Runs in a thinking process."""
    reviewer = _reviewer_of(asked)
    made, line = reviewer.result(steps), reviewer.line
    players = [sentences.player(seat, line.game) for seat in line.seats]
    return Finished(
        made,
        {
            lang: tell(reviewer, made, [one.to(lang) if isinstance(one, Text) else one for one in players], lang)
            for lang in LANGUAGES
        },
    )


def _reviewer_of(asked: Asked) -> Reviewer:
    global _reviewer
    from astragal.analysis.review import Reviewer

    if _reviewer is None or _reviewer[0] != asked.match:
        _reviewer = asked.match, Reviewer(recordfile.parse(asked.record), seconds=asked.seconds)
    return _reviewer[1]


def seconds_used(log: Sequence[Kept], seats: Sequence[Seat]) -> Seconds:
    """How long each human took for the actions of a match, by the times in its log; None for bots.

    The time before an action runs from whatever happened in the game before it, without pauses and without the time
    in which the server was away.
    """
    used = [0] * len(seats)
    since, paused = 0, 0
    for kept in log:
        match kept.body:
            case Interrupted(away, back):
                since += max(0, back - max(away, since))
            case records.Paused():
                paused = kept.at
            case records.Resumed():
                since += kept.at - paused
            case records.Acted(seat, _):
                used[seat] += max(0, kept.at - since)
                since = kept.at
            case Began() | records.Drew() | records.Claimed() | records.TookBack() | records.Counted():
                since = kept.at
    return tuple(None if is_bot(who) else ms / 1000 for ms, who in zip(used, seats, strict=True))


class ReviewState(Struct, frozen=True, kw_only=True):
    """How far a review is, and the review once it is there."""

    share: float  # of the work, from 0 to 1
    review: Review | None = None
    told: Told | None = None  # the same in words, in the caller's language
    reason: str = ""  # why there can be none, as a sentence in the caller's language


class Reviews:
    """All reviews of a server."""

    def __init__(self, pool: BotPool) -> None:
        self._pool = pool
        self._kept: OrderedDict[str, Finished] = OrderedDict()
        self._shares: dict[str, float] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._failed: dict[str, Text] = {}  # why, where nobody was told about it yet

    def ask(
        self, match: str, record: Callable[[], Record], seconds: Callable[[], Seconds] = tuple, lang: str = "en"
    ) -> ReviewState:
        """The review of a finished match, or how far it is; the first to ask has it begun, and only then are its
        record and its times asked for. Raises Problem."""
        if match in self._kept:
            self._kept.move_to_end(match)
            kept = self._kept[match]
            return ReviewState(share=1.0, review=kept.review, told=kept.told[lang])
        if match in self._failed:
            raise Problem("not_possible", self._failed.pop(match))
        if match not in self._tasks:
            if len(self._tasks) >= MOST_RUNNING:
                raise Problem("busy", say("too many reviews are being made; ask again in a moment"), retry_after=10)
            self._shares[match] = 0.0
            asked = Asked(match, recordjson.to_json(record()), seconds())
            self._tasks[match] = asyncio.create_task(self._make(asked))
        return ReviewState(share=self._shares[match])

    def picture(self, match: str, board: str, lang: str) -> str:
        """Luck against skill as an SVG with this board. Raises Problem while there is no review."""
        kept = self._kept.get(match)
        if kept is None:
            raise Problem("not_possible", say("the review of this match is not there yet; ask for it first"))
        return charts.card(kept.review, kept.told[lang], board, lang)

    async def steps(self, asked: Asked) -> list[Step]:
        """Every ply of a match, judged. Raises what the work raises."""
        match, steps, plies = asked.match, list[Step](), 1
        if match in self._kept:
            return list(self._kept[match].review.steps)
        while len(steps) < plies:
            plies, more = await self._pool.work(_steps, asked, len(steps), match=match, seconds=PATIENCE)
            steps += more
            if match in self._shares:
                self._shares[match] = len(steps) / max(1, plies)
        return steps

    async def _make(self, asked: Asked) -> None:
        match = asked.match
        try:
            steps = await self.steps(asked)
            self._kept[match] = await self._pool.work(_finished, asked, steps, match=match, seconds=PATIENCE)
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        except AstragalError as error:  # whoever asks next is told, and who asks after that has it begun anew
            self._failed[match] = error.text
        except Exception:
            self._failed[match] = say("the review of this match did not work out; ask again to try once more")
            metrics.logger.exception("a review failed", extra={"match": match})
        finally:
            self._tasks.pop(match, None)
            self._shares.pop(match, None)

    async def close(self) -> None:
        """Gives up what is being made."""
        await rounds.stop(self._tasks.values())
        self._tasks.clear()  # those that had not begun to run have not done it themselves
        self._shares.clear()
