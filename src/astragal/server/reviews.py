"""Reviews of finished matches: made in the thinking processes, a part at a time, and kept for a while.

No person at a table waits for a review: its parts are short, and in the queue they stand behind every match with
people.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct

from astragal.analysis.report import Review, Step
from astragal.core import recordfile, recordjson
from astragal.core.language import say
from astragal.core.record import Record
from astragal.server import metrics
from astragal.server.bot_pool import BotPool
from astragal.server.problems import Problem

if TYPE_CHECKING:  # it brings NumPy and Numba, which only the thinking processes need
    from astragal.analysis.review import Reviewer

PART = 0.5  # seconds that a part takes, about
PATIENCE = 120.0  # seconds after which a part is given up; the first may have to compile
MOST_RUNNING = 8  # reviews that are being made
MOST_KEPT = 100  # reviews in memory

_reviewer: tuple[str, Reviewer] | None = None  # of a thinking process


def _steps(match: str, record: str, done: int) -> tuple[int, list[Step]]:
    """How many plies a match has, and some more steps of its review. Runs in a thinking process."""
    reviewer = _reviewer_of(match, record)
    steps: list[Step] = []
    until = time.monotonic() + PART
    while done + len(steps) < reviewer.plies and (not steps or time.monotonic() < until):
        steps.append(reviewer.step(done + len(steps)))
    return reviewer.plies, steps


def _result(match: str, record: str, steps: list[Step]) -> Review:
    """The finished review. Runs in a thinking process."""
    return _reviewer_of(match, record).result(steps)


def _reviewer_of(match: str, record: str) -> Reviewer:
    global _reviewer
    from astragal.analysis.review import Reviewer

    if _reviewer is None or _reviewer[0] != match:
        _reviewer = match, Reviewer(recordfile.parse(record))
    return _reviewer[1]


class ReviewState(Struct, frozen=True, kw_only=True):
    """How far a review is, and the review once it is there."""

    share: float  # of the work, from 0 to 1
    review: Review | None = None


class Reviews:
    """All reviews of a server."""

    def __init__(self, pool: BotPool) -> None:
        self._pool = pool
        self._kept: OrderedDict[str, Review] = OrderedDict()
        self._shares: dict[str, float] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def ask(self, match: str, record: Callable[[], Record]) -> ReviewState:
        """The review of a finished match, or how far it is; the first to ask has it begun, and only then is its
        record asked for. Raises Problem."""
        if match in self._kept:
            self._kept.move_to_end(match)
            return ReviewState(share=1.0, review=self._kept[match])
        if match not in self._tasks:
            if len(self._tasks) >= MOST_RUNNING:
                raise Problem("busy", say("too many reviews are being made; ask again in a moment"), retry_after=10)
            self._shares[match] = 0.0
            self._tasks[match] = asyncio.create_task(self._make(match, recordjson.to_json(record())))
        return ReviewState(share=self._shares[match])

    async def _make(self, match: str, record: str) -> None:
        steps: list[Step] = []
        try:
            plies = 1
            while len(steps) < plies:
                plies, more = await self._pool.work(
                    _steps, match, record, len(steps), match=match, seconds=PATIENCE
                )  # fmt: skip
                steps += more
                self._shares[match] = len(steps) / max(1, plies)
            self._kept[match] = await self._pool.work(_result, match, record, steps, match=match, seconds=PATIENCE)
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        except Exception:  # whoever asks next has it begun anew
            metrics.logger.exception("a review failed", extra={"match": match})
        finally:
            self._tasks.pop(match, None)
            self._shares.pop(match, None)

    async def close(self) -> None:
        """Gives up what is being made."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._tasks.clear()  # those that had not begun to run have not done it themselves
        self._shares.clear()
