"""Which questions were hard: counted over the matches of a tournament that are over, and of no other."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping

from astragal.core.language import say
from astragal.core.questions import Answered
from astragal.core.record import is_bot
from astragal.core.types import AstragalError
from astragal.server.problems import Problem
from astragal.server.room import Room
from astragal.server.rooms import Rooms
from astragal.server.tournament_wire import LevelRow, QuestionReport, QuestionRow
from astragal.server.tournaments import Held

MOST_KEPT = 2_000  # matches whose questions are remembered


class Reports:
    """Makes reports, and remembers what it has read of each match: a match that is over does not change any more."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._read: dict[str, tuple[Answered, ...]] = {}

    async def report(self, held: Held, lang: str) -> QuestionReport:
        """The report of a tournament. Raises Problem where its game asks no questions."""
        asked: list[Answered] = []
        counted = running = 0
        for table in held.state.tables:
            for game in table.games:
                for match in game.matches:
                    answers = await self._of(match)
                    if answers is None:
                        running += game.shares is None
                        continue
                    counted += 1
                    asked += answers
        return _counted(asked, counted, running, lang)

    async def _of(self, match: str) -> tuple[Answered, ...] | None:
        """What was asked in a match; None while it is not over, and of one that never began."""
        if match not in self._read:
            await asyncio.sleep(0)  # a long match must not hold up the others
            try:
                room = await self._rooms.room(match)
            except AstragalError:
                return None
            if room.status not in ("over", "closed") or room.match is None:
                return None
            if len(self._read) >= MOST_KEPT:
                self._read.clear()
            self._read[match] = answers_in(room)
        return self._read[match]


def answers_in(room: Room) -> tuple[Answered, ...]:
    """The questions that people answered in a match that is over. Raises Problem."""
    answered = room.game.answered
    if answered is None:
        raise Problem("not_possible", say("this game asks no questions"))
    if room.match is None or room.status not in ("over", "closed"):
        raise Problem("not_possible", say("the match is not over"))
    found = (answered(ply.before, ply.action) for ply in room.match.plies)
    return tuple(each for each in found if each is not None and not is_bot(room.match.seats[each.seat]))


def _counted(asked: list[Answered], matches: int, running: int, lang: str) -> QuestionReport:
    times, right = Counter[str](), Counter[str]()
    levels, levels_right = Counter[str](), Counter[str]()
    known: dict[str, Answered] = {}
    for each in asked:
        known[each.question] = each
        times[each.question] += 1
        right[each.question] += each.right
        levels[each.level] += 1
        levels_right[each.level] += each.right
    order = sorted(known, key=lambda name: (right[name] / times[name], -times[name], name))
    rows = [
        QuestionRow(
            question=name,
            level=known[name].level,
            text=_in(known[name].text, lang),
            answer=_in(known[name].answer, lang),
            asked=times[name],
            right=right[name],
        )
        for name in order
    ]
    by_level = tuple(
        LevelRow(level=level, asked=levels[level], right=levels_right[level])
        for level in sorted(levels, key=lambda level: (-levels_right[level] / levels[level], level))
    )
    return QuestionReport(matches=matches, running=running, levels=by_level, questions=tuple(rows))


def _in(texts: Mapping[str, str], lang: str) -> str:
    return texts.get(lang) or next(iter(texts.values()), "")
