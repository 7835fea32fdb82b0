"""Skill by review: after a rated match its decisions are judged, when no person waits for a bot.

One match at a time in each process, and only so many an hour; what is not judged yet waits in the store. A match whose
judgement fails, takes too long or is not possible is left out for good.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from random import SystemRandom

import msgspec
import sqlalchemy as sa

from astragal.analysis.report import Step
from astragal.core import recordjson
from astragal.core.types import AstragalError
from astragal.ratings import skill
from astragal.ratings.rules import Facts, is_bot
from astragal.server import metrics, rounds
from astragal.server.reviews import Asked, Reviews
from astragal.server.rooms import Rooms
from astragal.server.tables import rated_matches, skills

LONGEST = 600.0  # seconds for the decisions of one match
MOST_AN_HOUR = 120  # matches that a process judges
HOUR_MS = 3_600_000
_CHOICE = 8  # of so many that wait one is taken, so that two processes seldom take the same


class Skills:
    """Judges the decisions of rated matches."""

    def __init__(self, rooms: Rooms, reviews: Reviews) -> None:
        self._rooms, self._reviews = rooms, reviews
        self._task: asyncio.Task[None] | None = None
        self._begun: deque[int] = deque(maxlen=MOST_AN_HOUR)  # when the last ones were taken up

    async def go_on(self) -> None:
        """Takes up the next match, if none is being judged and not too many were. Call it every now and then."""
        now, begun = self._rooms.now(), self._begun
        busy = self._task is not None and not self._task.done()
        if busy or self._rooms.closing or (len(begun) == MOST_AN_HOUR and begun[0] > now - HOUR_MS):
            return
        query = sa.select(rated_matches.c.facts).where(rated_matches.c.review == "open")
        async with self._rooms.store.reading() as connection:
            waiting = list(await connection.scalars(query.order_by(rated_matches.c.ended_ms).limit(_CHOICE)))
        if waiting:
            begun.append(now)
            facts = msgspec.json.decode(SystemRandom().choice(waiting), type=Facts)
            self._task = asyncio.create_task(self._judge(facts))

    async def close(self) -> None:
        """Gives up what is being judged; it is taken up again later."""
        if self._task is not None:
            await rounds.stop([self._task])

    async def _judge(self, facts: Facts) -> None:
        """Judges one match and keeps the result; without one, that there is none."""
        steps: Sequence[Step] | None = None
        try:
            room = await self._rooms.read(facts.match)
            if room.game.fast is not None and room.match is not None:
                asked = Asked(facts.match, recordjson.to_json(room.match.record()), ())
                steps = await asyncio.wait_for(self._reviews.steps(asked), LONGEST)
        except AstragalError as error:
            metrics.logger.warning("the decisions of a match cannot be judged: %s", error, extra={"match": facts.match})
        except Exception:
            metrics.logger.exception("the decisions of a match could not be judged", extra={"match": facts.match})
        with self._rooms.logged("the skill of players", facts.match):
            await self._keep(facts, steps)

    async def _keep(self, facts: Facts, steps: Sequence[Step] | None) -> None:
        """Exactly once, whoever has judged it besides."""
        claim = sa.update(rated_matches).where(rated_matches.c.match == facts.match, rated_matches.c.review == "open")
        async with self._rooms.store.changing() as connection:
            claimed = await connection.execute(claim.values(review="none" if steps is None else "done"))
            if not claimed.rowcount or steps is None:
                return
            kept = await connection.scalar(
                sa.select(rated_matches.c.facts).where(rated_matches.c.match == facts.match)
            )  # a player may have been forgotten meanwhile
            players = msgspec.json.decode(str(kept), type=Facts).players
            await connection.execute(sa.delete(skills).where(skills.c.match == facts.match))
            rows = [
                {"match": facts.match, "seat": seat, "key": player, "game": facts.game, "players": len(players)}
                | _losses(steps, seat)
                for seat, player in enumerate(players)
                if player is not None and not is_bot(player)
            ]
            await connection.execute(sa.insert(skills), rows)


def _losses(steps: Sequence[Step], seat: int) -> dict[str, int | float]:
    """The losses of all decisions of a seat at which there was a choice."""
    losses: dict[str, int | float] = msgspec.structs.asdict(
        skill.losses(step.loss for step in steps if step.seat == seat and step.choices > 1)
    )
    return losses
