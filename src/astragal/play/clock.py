"""How long players may think: time controls as players write them, and the watch that measures them.

Nothing here reads a clock: whoever runs the table says what time it is, in whole milliseconds. A `Watch` is a value
that follows from the time control, the moment the match began, and the moments of its entries; so `rebuild` makes
it again from what a server stores, to the millisecond.

Two things can run out. The table's clock belongs to the match: whoever has no time left loses (`Match.time_out`).
The time of an answer belongs to the rules of a game (`Rules.seconds`): when it is over the game goes on without one
(`Match.run_out`). Both run at once, and the earlier one falls. A client that shows what happened bit by bit may say
when the question is on its screen (`Watch.shown`); until then, but no longer than `LONGEST_UNSEEN`, the time of the
answer does not run.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from astragal.core.language import say
from astragal.core.record import Claimed, Counted, Entry, Record, TimedOut, TookBack, is_bot
from astragal.core.rules import Game
from astragal.core.types import BadOptions
from astragal.play.match import Happening, Match

SECOND = 1000
LONGEST_UNSEEN = 10 * SECOND  # that a client may take to bring a question to the screen, once a question
UNITS = {"s": 1, "m": 60, "h": 3600}
FORMS = "none, 30s/move, 5m+3s, 3d/move"


class Untimed(Struct, frozen=True, tag="none", forbid_unknown_fields=True):
    """No clock."""

    def __str__(self) -> str:
        return "none"


class PerMove(Struct, frozen=True, tag="per move", forbid_unknown_fields=True):
    """So many seconds for every move; what is left of them is lost."""

    seconds: Annotated[int, Meta(ge=1, le=24 * 3600)]

    def __str__(self) -> str:
        return f"{_written(self.seconds)}/move"


class Fischer(Struct, frozen=True, tag="fischer", forbid_unknown_fields=True):
    """So many seconds for the whole match, and some more after every move."""

    base: Annotated[int, Meta(ge=1, le=24 * 3600)]
    increment: Annotated[int, Meta(ge=0, le=3600)] = 0

    def __str__(self) -> str:
        return f"{_written(self.base)}+{_written(self.increment)}"


class Days(Struct, frozen=True, tag="days", forbid_unknown_fields=True):
    """So many days for every move: play by correspondence."""

    days: Annotated[int, Meta(ge=1, le=60)]

    def __str__(self) -> str:
        return f"{self.days}d/move"


Clock = Untimed | PerMove | Fischer | Days


def parse(text: str) -> Clock:
    """The time control somebody wrote: `none`, `30s/move`, `5m+3s` (or `5+3`), `3d/move`. Raises BadOptions."""
    fields = re.fullmatch(r"none|(\d{1,6})([smhd]?)/move|(\d{1,6})([smh]?)\+(\d{1,6})([smh]?)", text.strip().lower())
    if fields is None:
        raise BadOptions("clock", say("{value!r} is not one of {shape}", value=text, shape=FORMS))
    moves, unit, base, base_unit, more, more_unit = fields.groups()
    try:
        if unit == "d":
            return msgspec.convert({"type": "days", "days": int(moves)}, Days)
        if moves is not None:
            return msgspec.convert({"type": "per move", "seconds": int(moves) * UNITS[unit or "s"]}, PerMove)
        if base is not None:
            times = {"base": int(base) * UNITS[base_unit or "m"], "increment": int(more) * UNITS[more_unit or "s"]}
            return msgspec.convert({"type": "fischer", **times}, Fischer)
    except msgspec.ValidationError:
        raise BadOptions(
            "clock",
            say(
                "{value!r} is out of bounds: a move 1s to 24h or 1d to 60d, a match 1s to 24h plus 0s to 1h", value=text
            ),
        ) from None
    return Untimed()


def _written(seconds: int) -> str:
    unit = next(unit for unit in ("h", "m", "s") if seconds % UNITS[unit] == 0 and (seconds or unit == "s"))
    return f"{seconds // UNITS[unit]}{unit}"


def face(ms: int) -> str:
    """Time left as a clock shows it, never less than there is: `0:09`, `4:59`, `2:00:00`, `2d 3:00:00`."""
    seconds = -(-max(ms, 0) // SECOND)
    minutes, hours, days = seconds // 60 % 60, seconds // 3600 % 24, seconds // 86400
    if seconds < 3600:
        return f"{minutes}:{seconds % 60:02}"
    return f"{f'{days}d ' if days else ''}{hours}:{minutes:02}:{seconds % 60:02}"


class Fall(Struct, frozen=True):
    """Time that will be over, unless its seat acts before."""

    seat: int
    at: int
    cost: Literal["match", "answer"]  # the table's clock, or the time the rules of the game give for an answer

    def strike(self, match: Match) -> Happening:
        """Does to the match what this fall costs."""
        return match.run_out(self.seat) if self.cost == "answer" else match.time_out(self.seat)


class Watch(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The clocks of one match at one moment. Every entry makes a new one (`after`).

    The clock of the seat to act runs if a human sits there and the match is not paused; the time of bots and of
    chance is nobody's. A move lasts until another seat is to act, extra throws and all its parts included. Time
    used for what was taken back stays used, and a seat that is handed over keeps its clock.
    """

    clock: Clock
    left: tuple[int, ...]  # milliseconds of every seat at `since`; empty where there is no clock
    since: int  # when this was
    runs: bool = False
    mover: int | None = None  # whose move it is, also while chance decides
    answer: int | None = None  # milliseconds that the rules of the game left for the answer
    unseen: int = 0  # milliseconds before the time of the answer runs: the question may not be on the screen yet
    shows: tuple[int, ...] = ()  # seats whose clients show one event after the other, and say when they have (`shown`)
    ply: int = 0

    @classmethod
    def start(cls, clock: Clock, match: Match, now: int) -> Watch:
        """Full clocks for everybody, in a match that begins or goes on now."""
        left: tuple[int, ...] = ()
        match clock:
            case Fischer(base):
                left = (base * SECOND,) * len(match.seats)
            case PerMove() | Days():
                left = (_allowance(clock),) * len(match.seats)
        mover = match.turn if match.turn >= 0 else None
        return cls(
            clock=clock,
            left=left,
            since=now,
            runs=_runs(match),
            mover=mover,
            answer=_answer(match),
            ply=match.ply,
        )

    def after(self, entry: Entry, match: Match, now: int) -> Watch:
        """The clocks when this has just happened in the match."""
        now, left, answer, unseen = self._read(now)
        turn, ply = match.turn, match.ply
        mover = turn if turn >= 0 else self.mover
        if mover != self.mover and mover is not None and left:
            if isinstance(self.clock, PerMove | Days):
                left[mover] = _allowance(self.clock)
            elif (
                isinstance(self.clock, Fischer) and self.mover is not None and not isinstance(entry, TookBack | Counted)
            ):
                left[self.mover] += self.clock.increment * SECOND
        if ply != self.ply and not self._same_question(entry, match):
            answer = _answer(match)
            unseen = LONGEST_UNSEEN if answer is not None and mover in self.shows else 0
        return replace(
            self,
            left=tuple(left),
            since=now,
            runs=_runs(match),
            mover=mover,
            answer=answer,
            unseen=unseen,
            ply=ply,
        )

    def shown(self, seat: int, now: int) -> Watch:
        """The clocks when a seat's client has shown all that happened: the time of an open question runs from now."""
        now, left, answer, unseen = self._read(now)
        shows = tuple(sorted({*self.shows, seat}))
        if seat == self.mover:
            unseen = 0
        return replace(self, since=now, left=tuple(left), answer=answer, unseen=unseen, shows=shows)

    def stop(self, now: int) -> Watch:
        """The clocks held, whatever the match does: the screen changes hands, the host is down."""
        return self._held(now, runs=False)

    def run(self, match: Match, now: int) -> Watch:
        """The clocks running again, if there is somebody to act."""
        return self._held(now, runs=_runs(match))

    def excused(self, since: int, until: int, match: Match) -> Watch:
        """The clocks when nobody could act between these moments, and nobody is charged for them."""
        return self if until <= self.since else self.stop(since).run(match, until)

    def lengthened(self, seat: int, match: Match, now: int) -> Watch:
        """The clocks when a seat takes more time: it gets what it began with once more, for an open answer too."""
        now, left, answer, unseen = self._read(now)
        if left:
            left[seat] += self.clock.base * SECOND if isinstance(self.clock, Fischer) else _allowance(self.clock)
        if answer is not None and self.mover == seat:
            answer += _answer(match) or 0
        return replace(self, since=now, left=tuple(left), answer=answer, unseen=unseen)

    def left_to(self, seat: int, now: int) -> int | None:
        """Milliseconds on this seat's clock; None without one."""
        return self._read(now)[1][seat] if self.left else None

    def falls_at(self) -> Fall | None:
        """What will be over next, and when."""
        if not self.runs or self.mover is None:
            return None
        falls = []
        if self.answer is not None:  # first: of two that fall at once, the one that costs less
            falls.append(Fall(self.mover, self.since + self.unseen + self.answer, "answer"))
        if self.left:
            falls.append(Fall(self.mover, self.since + self.left[self.mover], "match"))
        return min(falls, key=lambda fall: fall.at, default=None)

    def fallen(self, now: int) -> Fall | None:
        """What is over by now."""
        fall = self.falls_at()
        return fall if fall is not None and fall.at <= now else None

    def _held(self, now: int, *, runs: bool) -> Watch:
        now, left, answer, unseen = self._read(now)
        return replace(self, since=now, left=tuple(left), answer=answer, unseen=unseen, runs=runs)

    def _read(self, now: int) -> tuple[int, list[int], int | None, int]:
        """What the clocks show now, then the time for an answer and how long that does not run yet.

        Where `now` is before `since`, no time has passed.
        """
        now, left = max(now, self.since), list(self.left)
        if not self.runs or self.mover is None:
            return now, left, self.answer, self.unseen
        used = now - self.since
        if left:
            left[self.mover] = max(left[self.mover] - used, 0)
        counted = max(used - self.unseen, 0)
        answer = None if self.answer is None else max(self.answer - counted, 0)
        return now, left, answer, max(self.unseen - used, 0)

    def _same_question(self, entry: Entry, match: Match) -> bool:
        """Whether somebody else gave up meanwhile, and the mover still owes the same answer."""
        meanwhile = isinstance(entry, Claimed | TimedOut) and entry.seat != self.mover == match.turn
        return meanwhile and self.answer is not None and match.seconds is not None


def rebuild(
    record: Record, times: Sequence[int], clock: Clock, began: int, game: Game | None = None
) -> tuple[Match, Watch]:
    """A match and its clocks from what was stored: the record, and when each entry happened. Raises BadRecord."""
    match = Match.resume(replace(record, entries=(), result=None), game)
    watch = Watch.start(clock, match, began)
    for entry, at in zip(record.entries, times, strict=True):
        match.add(entry)
        watch = watch.after(entry, match, at)
    return match, watch


def _allowance(clock: Clock) -> int:
    """Milliseconds for a move; none where moves are not timed one by one."""
    match clock:
        case PerMove(seconds):
            return seconds * SECOND
        case Days(days):
            return days * 24 * 3600 * SECOND
    return 0


def _runs(match: Match) -> bool:
    return match.turn >= 0 and not match.paused and not is_bot(match.seats[match.turn])


def _answer(match: Match) -> int | None:
    seconds = match.seconds if match.turn >= 0 else None
    return None if seconds is None else seconds * SECOND
