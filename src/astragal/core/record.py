"""A match as a list: what it began with, and everything that happened since.

Replay, undo, saving, export, the server's store and the golden tests are all this one list. `Line` is the only
place that says what an entry does to a match; whoever plays appends to it and whoever replays walks it.
`recordfile` writes records to files and reads them back.

The rules of records have ids (RC-1 ...) as those of games have; docs/records.md explains them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from astragal.core import fair, options, registry
from astragal.core.fair import Fairness
from astragal.core.language import Text, say, say_count
from astragal.core.rules import AnyRules, Game
from astragal.core.types import CHANCE, OVER, AstragalError, BadNotation, BadOptions, IllegalAction

FORMAT = "astragal-record-1"


class Seat(Struct, frozen=True, forbid_unknown_fields=True):
    """Who sits there: `human`, or `bot:` and the bot's name."""

    player: Annotated[str, Meta(pattern=r"^(human|bot:\S{1,60})$")] = "human"
    name: Annotated[str, Meta(max_length=80)] = ""


class Header(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that was settled before the first draw. A host's own data files are inside the options."""

    format: str = FORMAT
    game: str
    version: int
    match: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,60}$")]
    seats: tuple[Seat, ...]
    options: dict[str, Any]
    fair: Fairness


class Drew(Struct, frozen=True, tag="drew", forbid_unknown_fields=True):
    """Chance decided: draw number n of the match, and the weights it was drawn with."""

    n: int
    action: str
    weights: tuple[int, ...]


class Acted(Struct, frozen=True, tag="acted", forbid_unknown_fields=True):
    """A seat acted in its turn."""

    seat: int
    action: str


class Claimed(Struct, frozen=True, tag="claimed", forbid_unknown_fields=True):
    """A seat claimed something the rules allow out of turn."""

    seat: int
    action: str


class Resigned(Struct, frozen=True, tag="resigned", forbid_unknown_fields=True):
    """A seat gave up."""

    seat: int


class TimedOut(Struct, frozen=True, tag="timed out", forbid_unknown_fields=True):
    """A seat's clock ran out and cost it the match."""

    seat: int


class DrawAgreed(Struct, frozen=True, tag="draw agreed", forbid_unknown_fields=True):
    """All seats agreed to share the win."""


class TookBack(Struct, frozen=True, tag="took back", forbid_unknown_fields=True):
    """The match went back to where `ply` actions and draws had been made."""

    ply: int


class HandedOver(Struct, frozen=True, tag="handed over", forbid_unknown_fields=True):
    """Somebody else plays this seat from here on."""

    seat: int
    to: Seat


Entry = Drew | Acted | Claimed | Resigned | TimedOut | DrawAgreed | TookBack | HandedOver


class Record(Struct, frozen=True, kw_only=True):
    """A whole match, finished or not."""

    header: Header
    entries: tuple[Entry, ...] = ()
    result: tuple[float, ...] | None = None  # None while it goes on

    def digest(self) -> str:
        """A fingerprint of everything in the record."""
        return hashlib.sha256(msgspec.json.encode(self, order="deterministic")).hexdigest()


class BadRecord(AstragalError):
    """A record that breaks a rule. `entry` counts from 0 and is None for the header."""

    def __init__(self, rule: str, text: Text, entry: int | None = None) -> None:
        super().__init__(text)
        self.rule = rule
        self.entry = entry

    def to(self, lang: str) -> str:
        return f"{self.text.to(lang)} ({self.rule})"


class Step(Struct, frozen=True):
    """One action or draw that stands: the state it was done in, and by whom (CHANCE for a draw)."""

    before: Any
    action: Any
    seat: int


class Line:
    """A match under its rules: the states so far, and how the table ended it if it did."""

    def __init__(self, header: Header, game: Game | None = None) -> None:
        self.game = find_game(header, game)
        self.rules: AnyRules = self.game.rules
        self.seats = list(header.seats)
        self.state = self._initial(header)
        self.steps: list[Step] = []
        self.drawn = 0  # draws ever made, taken-back ones included
        self.result: tuple[float, ...] | None = None

    @property
    def ply(self) -> int:
        """How many actions and draws stand."""
        return len(self.steps)

    @property
    def turn(self) -> int:
        """The seat to act, or CHANCE, or OVER, the table's own endings included."""
        return OVER if self.result is not None else self.rules.turn(self.state)

    def add(self, entry: Entry) -> None:
        """Lets one more thing happen. Raises BadRecord and then has changed nothing."""
        if self.result is not None and not isinstance(entry, TookBack):
            raise BadRecord("RC-9", say("the match was over before this"))
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
            case TookBack(ply):
                if not 0 <= ply < self.ply:
                    raise BadRecord(
                        "RC-8", say("takes back to ply {ply}, but only {now} were played", ply=ply, now=self.ply)
                    )
                self.state = self.steps[ply].before
                del self.steps[ply:]
                self.result = None
            case HandedOver(seat, to):
                self._seat(seat)
                self.seats[seat] = to
            case Resigned(seat) | TimedOut(seat):
                self._give_up(seat)
            case DrawAgreed():
                self.result = tuple(1 / len(self.seats) for _ in self.seats)

    def _initial(self, header: Header) -> Any:
        try:
            return self.rules.initial(options.convert(self.rules, header.options), len(header.seats))
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
        if (seat, action) not in self.rules.claims(self.state):
            raise BadRecord("RC-6", say("seat {seat} has no claim to {action!r} here", seat=seat + 1, action=text))
        self._push(action, seat)

    def _decode(self, text: str) -> Any:
        if text.strip() != text or len(text.splitlines()) != 1:  # the text form could not hold it
            raise BadRecord("RC-6", say("{action!r} is not one line without spaces at its ends", action=text[:40]))
        try:
            return self.rules.decode(self.state, text)
        except IllegalAction as error:
            raise BadRecord(error.rule, error.text) from error
        except BadNotation as error:
            raise BadRecord("RC-6", error.text) from error

    def _push(self, action: Any, seat: int) -> None:
        try:
            after = self.rules.apply(self.state, action)
        except IllegalAction as error:
            raise BadRecord(error.rule, error.text) from error
        self.steps.append(Step(self.state, action, seat))
        self.state = after
        if self.rules.turn(after) == OVER:
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


def find_game(header: Header, game: Game | None = None) -> Game:
    """The game a record is of, in just the version it was played; `game` if that need not be installed."""
    if header.format != FORMAT:
        raise BadRecord(
            "RC-1", say("format {format!r} is unknown; this program reads {known}", format=header.format, known=FORMAT)
        )
    try:
        game = game or registry.game(header.game)
    except registry.UnknownGame as error:
        raise BadRecord("RC-2", error.text) from None
    if game.id != header.game:
        raise BadRecord("RC-2", say("this is a match of {theirs}, not of {ours}", theirs=header.game, ours=game.id))
    if game.rules.spec.version != header.version:
        raise BadRecord(
            "RC-2",
            say(
                "it was played under version {theirs} of {game}; this program has version {ours}",
                theirs=header.version,
                game=header.game,
                ours=game.rules.spec.version,
            ),
        )
    if len(header.seats) not in game.rules.spec.players:
        raise BadRecord("RC-2", say("{game} is not played by {n} players", game=header.game, n=len(header.seats)))
    promise = header.fair
    if not len(promise.seat_seeds) == len(promise.seat_commitments) == len(header.seats):
        raise BadRecord("RC-1", say("every seat needs a seed and a commitment, or a note that it has none"))
    return game


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


def result_text(result: Sequence[float] | None) -> str:
    """`1 0`, `0.5 0.5`, or `none` while a match goes on."""
    return "none" if result is None else " ".join(repr(share).removesuffix(".0") for share in result)


class Verdict(Struct, frozen=True):
    """One thing about a record's dice that was checked."""

    what: Text
    good: bool | None  # None: it could not be checked (yet)


def verify(record: Record) -> list[Verdict]:
    """Checks a record's dice: the promises, every draw, and that the weights are those of the rules."""
    replay(record)  # RC-7 covers weights and numbering; an inconsistent record is no matter of luck
    promise = record.header.fair
    verdicts = [Verdict(say("the moves, the weights and the numbers of the draws follow the rules"), True)]
    for seat, (seed, commitment) in enumerate(zip(promise.seat_seeds, promise.seat_commitments, strict=True)):
        if seed is not None or commitment is not None:
            kept = seed is not None and fair.commit(bytes.fromhex(seed)) == commitment
            verdicts.append(Verdict(say("the seed of seat {seat} is the one promised", seat=seat + 1), kept))
        elif record.header.seats[seat].player == "human":
            verdicts.append(Verdict(say("seat {seat}, a human, brought a seed", seat=seat + 1), False))
    if promise.server_seed is None:
        verdicts.append(Verdict(say("the server's seed is not opened yet, so the draws cannot be repeated"), None))
        return verdicts
    server_seed = bytes.fromhex(promise.server_seed)
    kept = fair.commit(server_seed) == promise.server_commitment
    verdicts.append(Verdict(say("the server's seed is the one promised"), kept))
    if record.result is None:
        verdicts.append(Verdict(say("the match goes on, and whoever has this file can foresee its draws"), None))
    draws, wrong, reopened = 0, [], False
    line = Line(record.header)
    for entry in record.entries:
        if isinstance(entry, Drew):
            draws += 1
            index = fair.draw(server_seed, promise.seat_seeds, record.header.match, entry.n, entry.weights)
            outcomes = line.rules.chance(line.state)
            if outcomes[index][0] != line.rules.decode(line.state, entry.action):
                wrong.append(entry.n)
        reopened |= line.turn == OVER
        line.add(entry)
    if reopened:
        verdicts.append(Verdict(say("the match went on after an end, when its seed may have been known"), None))
    verdicts.append(
        Verdict(
            say_count(draws, "the one draw is that of the seeds", "all {n} draws are those of the seeds"), not wrong
        )
    )
    verdicts.extend(Verdict(say("draw number {n} is the one the seeds give", n=n), False) for n in wrong)
    return verdicts
