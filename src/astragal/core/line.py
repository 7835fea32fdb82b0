"""What each entry of a record does to a match.

`Line` is the only place that says so; whoever plays appends to it and whoever replays walks it.
"""

from __future__ import annotations

import re
from typing import Any

from msgspec import UNSET, Struct

from astragal.core import options
from astragal.core.language import Text, say
from astragal.core.record import (
    Acted,
    Answered,
    BadRecord,
    Claimed,
    Counted,
    DrawAgreed,
    Drew,
    Entry,
    HandedOver,
    Header,
    Offer,
    Offered,
    Paused,
    Record,
    Resigned,
    Resumed,
    TimedOut,
    TookBack,
    find_game,
    is_bot,
    result_text,
)
from astragal.core.rules import AnyRules, Game, recall
from astragal.core.types import (
    CHANCE,
    COUNT,
    OVER,
    PRINTABLE,
    BadNotation,
    BadOptions,
    BadPosition,
    IllegalAction,
    resignation,
    whole,
)

_ONE_LINE = re.compile(whole(f"{PRINTABLE}+"))


def _check_line(rule: str, text: str) -> None:
    """Refuses what the text form of a record could not hold."""
    if text.strip() != text or not _ONE_LINE.search(text):
        reason = say("{action!r} is not one line, without control characters and spaces at its ends", action=text[:40])
        raise BadRecord(rule, reason)


class Ply(Struct, frozen=True):
    """One action or draw that stands: the states around it, and by whom (CHANCE for a draw)."""

    before: Any
    action: Any
    seat: int
    after: Any

    def event(self, rules: AnyRules, viewer: int | None) -> Any:
        """What this seat saw of it."""
        recall(rules, self.before, self.action, self.after)
        return rules.event(self.before, self.action, viewer)


class Undone(Struct, frozen=True):
    """Plies that do not stand any more, because they were taken back or an answer was counted after all."""

    ply: int  # how many plies stood before them
    steps: tuple[Ply, ...]


class Line:
    """A match under its rules: the states so far, and how the table ended it if it did."""

    def __init__(self, header: Header, game: Game | None = None) -> None:
        self.game = find_game(header, game)
        self.rules: AnyRules = self.game.rules
        self.seats = list(header.seats)
        self.state = self._initial(header)
        self._turned = (self.state, self.rules.turn(self.state))  # asked for again and again
        self.steps: list[Ply] = []
        self.undone: list[Undone] = []
        self.drawn = 0  # draws ever made, taken-back ones included
        self.result: tuple[float, ...] | None = self.rules.returns(self.state) if self._turned[1] == OVER else None
        self._asked: list[int] = []  # the plies at which a question was open that a typed answer could end
        self.offer: Offer | None = None
        self.paused = False
        self._read: tuple[Any, str, Any] | None = None  # a state, a text, and what it means there

    @property
    def ply(self) -> int:
        """How many actions and draws stand."""
        return len(self.steps)

    @property
    def turn(self) -> int:
        """The seat to act, or CHANCE, or OVER, the table's own endings included."""
        if self.result is not None:
            return OVER
        if self._turned[0] is not self.state:
            self._turned = (self.state, self.rules.turn(self.state))
        return self._turned[1]

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats still in the game: of more than two, those that could resign when anybody last could."""
        everybody = tuple(range(len(self.seats)))
        if len(everybody) == 2:
            return everybody
        gone = {step.seat for step in self.steps if self.rules.encode(step.action) == resignation(step.seat)}
        for state in (self.state, *(step.before for step in reversed(self.steps))):
            if able := [seat for seat, action in self.rules.claims(state) if self._resigns(seat, action)]:
                return tuple(seat for seat in able if seat not in gone)
        return everybody

    def add(self, entry: Entry) -> None:
        """Lets one more thing happen. Raises BadRecord and then has changed nothing."""
        if self.result is not None and not isinstance(entry, TookBack):
            raise BadRecord("RC-9", say("the match was over before this"))
        played = self.playing if self.offer is not None else ()
        match entry:
            case Drew() | Acted() | Claimed() | TimedOut():
                self._play(entry)
            case TookBack(ply):
                if not 0 <= ply < self.ply:
                    raise BadRecord(
                        "RC-8", say("takes back to ply {ply}, but only {now} were played", ply=ply, now=self.ply)
                    )
                self._go_back(ply)
                self.result = None
            case Counted(ply):
                self._count(ply)
            case HandedOver(seat, to):
                self._seat(seat)
                self.seats[seat] = to
            case Resigned(seat):
                self._give_up(seat)
            case DrawAgreed():
                playing = self.playing
                self.result = tuple(1 / len(playing) if seat in playing else 0.0 for seat in range(len(self.seats)))
            case Offered() | Answered():
                self.offer = self._talk(entry)
                return
            case Paused() | Resumed():
                self._check_pause("pause" if isinstance(entry, Paused) else "resume")
                self.paused = isinstance(entry, Paused)
        if self.offer is not None and (self._lapses(entry) or self.playing != played):
            self.offer = None

    def _play(self, entry: Drew | Acted | Claimed | TimedOut) -> None:
        """An entry that changes the position: a draw, an action, a claim, a resignation, a clock that fell."""
        gives_up = isinstance(entry, Claimed) and entry.action == resignation(entry.seat)
        if self.paused and not gives_up:
            raise BadRecord("RC-12", say("the match is paused"))
        match entry:
            case Drew():
                self._draw(entry)
            case Acted(seat, text):
                if seat < 0 or self.turn != seat:
                    raise BadRecord(
                        "RC-6", say("seat {seat} acts, but it is {turn}", seat=seat + 1, turn=self._whose())
                    )
                action = self._decode(text)
                if self.rules.claims(self.state) and not self.rules.accepts(self.state, action):
                    raise BadRecord("RC-6", say("{action!r} is for another to claim", action=text))
                self._push(action, seat)
            case Claimed(seat, text):
                self._claim(seat, text)
            case TimedOut(seat):
                claims = self.rules.claims(self.state) if len(self.seats) > 2 else ()
                lost = [action for who, action in claims if who == seat and self._resigns(seat, action)]
                if lost:
                    self._push(lost[0], seat)
                else:
                    self._give_up(seat)

    @property
    def refused(self) -> int | None:
        """The ply of the answer that the players may count by agreement: the last one given, if it was refused.

        None once another question is open, or the match is over.
        """
        if self.result is not None or not self._asked or self._counting(self.state) is not None:
            return None
        ply = self._asked[-1]
        step, claim = self.steps[ply], self._counting(self.steps[ply].before)
        typed = self.rules.accepts(step.before, step.action) and step.action not in self.rules.legal(step.before)
        refused = typed and claim is not None and self._after(ply) != self.rules.apply(step.before, claim[1])
        return ply if refused else None

    def _after(self, ply: int) -> Any:
        return self.steps[ply + 1].before if ply + 1 < self.ply else self.state

    def _counting(self, state: Any) -> tuple[int, Any] | None:
        """The claim to count an answer in this state, and whose answer it is."""
        if not self.rules.spec.open_actions:
            return None
        return next((claim for claim in self.rules.claims(state) if self.rules.encode(claim[1]) == COUNT), None)

    def _count(self, ply: int) -> None:
        """The answer given at this ply counts: the match goes on from there as if it had been right."""
        if self.paused:
            raise BadRecord("RC-12", say("the match is paused"))
        claim = self._counting(self.steps[ply].before) if ply == self.refused else None
        if claim is None:
            raise BadRecord("RC-13", say("no refused answer can be counted here"))
        self._go_back(ply)
        self._push(claim[1], claim[0])

    def _go_back(self, ply: int) -> None:
        self.state = self.steps[ply].before
        self.undone.append(Undone(ply, tuple(self.steps[ply:])))
        del self.steps[ply:]
        self._asked = [asked for asked in self._asked if asked < ply]

    def _talk(self, entry: Offered | Answered) -> Offer | None:
        """Checks an offer or an answer, and returns the offer that is open after it."""
        self._seat(entry.seat)
        offer = self.offer
        if isinstance(entry, Offered):
            if offer is not None:
                raise BadRecord("RC-11", say("another offer is open"))
            if entry.what in ("pause", "resume"):
                self._check_pause(entry.what)
            return Offer(entry.seat, entry.what)
        if offer is None:
            raise BadRecord("RC-11", say("there is no offer to answer"))
        if entry.seat in offer.agreed or (entry.yes and entry.seat == offer.seat):
            raise BadRecord("RC-11", say("seat {seat} has agreed already", seat=entry.seat + 1))
        return Offer(offer.seat, offer.what, (*offer.agreed, entry.seat)) if entry.yes else None

    def _check_pause(self, change: str) -> None:
        """Refuses to pause what is paused, and to resume what goes on."""
        if self.paused and change == "pause":
            raise BadRecord("RC-12", say("the match is paused"))
        if not self.paused and change == "resume":
            raise BadRecord("RC-12", say("the match is not paused"))

    def _lapses(self, entry: Entry) -> bool:
        """Whether this closes an open offer. Chance and bots go on meanwhile, unless they show what was not seen."""
        if self.result is not None or (self.offer is not None and self.offer.what == "takeback"):
            return True
        return not isinstance(entry, Drew) and not (isinstance(entry, Acted) and is_bot(self.seats[entry.seat]))

    def _resigns(self, seat: int, action: Any) -> bool:
        return self.rules.encode(action) == resignation(seat)

    def _initial(self, header: Header) -> Any:
        players = len(header.seats)
        try:
            chosen = options.convert(self.rules, header.options, header.version)
            if header.position is UNSET:
                return self.rules.initial(chosen, players)
            _check_line("RC-3", header.position)
            return self.rules.from_position(header.position, chosen, players)
        except BadPosition as error:
            raise BadRecord("RC-3", error.whole) from error
        except BadOptions as error:
            named = say("option {field}: {reason}", field=error.field, reason=error.text)
            raise BadRecord("RC-3", named) from error

    def _draw(self, entry: Drew) -> None:
        if self.turn != CHANCE:
            raise BadRecord("RC-6", say("a draw, but it is {turn}", turn=self._whose()))
        if entry.n != self.drawn:
            raise BadRecord("RC-7", say("draw number {n} should be number {next}", n=entry.n, next=self.drawn))
        outcomes = self.rules.chance(self.state)
        if entry.weights != tuple(weight for _, weight in outcomes):
            raise BadRecord(
                "RC-7",
                say("the rules give the weights {right}", right=" ".join(str(weight) for _, weight in outcomes)),
            )
        action = self._decode(entry.action)
        if action not in (outcome for outcome, weight in outcomes if weight):
            raise BadRecord("RC-7", say("{action!r} cannot be drawn here", action=entry.action))
        self._push(action, CHANCE)
        self.drawn += 1

    def _claim(self, seat: int, text: str) -> None:
        action = self._decode(text)
        if text == COUNT:
            raise BadRecord("RC-13", say("an answer is counted by the players together"))
        if (seat, action) not in self.rules.claims(self.state):
            raise BadRecord("RC-6", say("seat {seat} has no claim to {action!r} here", seat=seat + 1, action=text))
        self._push(action, seat)

    def read(self, text: str) -> Any:
        """The action this text means now. Raises BadNotation or IllegalAction. (Whoever asks mostly plays it next.)"""
        if self._read is None or self._read[0] is not self.state or self._read[1] != text:
            self._read = (self.state, text, self.rules.decode(self.state, text))
        return self._read[2]

    def _decode(self, text: str) -> Any:
        _check_line("RC-6", text)
        try:
            return self.read(text)
        except IllegalAction as error:
            raise BadRecord(error.rule, error.text) from error
        except BadNotation as error:
            raise BadRecord("RC-6", error.text) from error

    def _push(self, action: Any, seat: int) -> None:
        try:
            after = self.rules.apply(self.state, action)
        except IllegalAction as error:
            raise BadRecord(error.rule, error.text) from error
        if self._counting(self.state) is not None:
            self._asked.append(self.ply)
        self.steps.append(Ply(self.state, action, seat, after))
        self.state = after
        if self.turn == OVER:
            self.result = self.rules.returns(after)

    def _seat(self, seat: int) -> None:
        if not 0 <= seat < len(self.seats):
            raise BadRecord("RC-6", say("there is no seat {seat}", seat=seat + 1))

    def _give_up(self, seat: int) -> None:
        """With two players the other wins. With more, only the game's own rules know how play goes on."""
        self._seat(seat)
        if len(self.seats) != 2:
            raise BadRecord("RC-6", say("only a match of two ends when one seat gives up"))
        self.result = tuple(float(other != seat) for other in range(2))

    def _whose(self) -> Text:
        turn = self.turn
        if turn == CHANCE:
            return say("time for a draw")
        return say("the turn of seat {seat}", seat=turn + 1)


def replay(record: Record, game: Game | None = None) -> Line:
    """The line a record describes, every entry and the result checked. Raises BadRecord."""
    line = Line(record.header, game)
    for number, entry in enumerate(record.entries):
        try:
            line.add(entry)
        except BadRecord as error:
            error.entry = number
            raise
    if record.result != line.result:
        raise BadRecord(
            "RC-10",
            say("the result should be {right}", right=result_text(line.result)),
            len(record.entries),
        )
    return line
