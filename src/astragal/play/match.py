"""A match in progress: the one mutable object, and the only way clients play.

A client loops: `step` lets everything happen that needs no human (draws, bots), `act` does what a human decided.
Both return a `Happening`, which tells each seat what it may know. Whatever happens goes into the record first; the
state is only ever what the record says.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from astragal import bots
from astragal.core import fair, recordfile
from astragal.core import options as option_tools
from astragal.core.language import Text, say
from astragal.core.line import Line, Ply
from astragal.core.record import (
    Acted,
    BadRecord,
    Claimed,
    Counted,
    DrawAgreed,
    Drew,
    Entry,
    HandedOver,
    Header,
    Offer,
    Paused,
    Record,
    Resigned,
    Resumed,
    Seat,
    TimedOut,
    TookBack,
    What,
    is_bot,
)
from astragal.core.rules import AnyRules, BaseOptions, Game, Rematch
from astragal.core.types import CHANCE, COUNT, OVER, SILENCE, BadOptions, BadPosition, check_players, resignation
from astragal.play import offers, rematch
from astragal.play.offers import NotPossible as NotPossible
from astragal.play.offers import NotYourTurn as NotYourTurn

MOST_BOT_PLIES = 5_000  # after which bots that play alone agree on a draw: no game of theirs is longer
SEATS = "human, human:NAME, bot:NAME"  # who may sit at a table, as players write it


class Happening:
    """One thing that happened, as anybody may ask to see it."""

    def __init__(self, rules: AnyRules, entry: Entry, step: Ply | None) -> None:
        self.entry = entry
        self.fault: Text | None = None  # what was wrong with the bot that should have decided this
        self._rules = rules
        self._step = step

    @property
    def seat(self) -> int | None:
        """Who did it: a seat, CHANCE, or None for an event of the table."""
        return None if self._step is None else self._step.seat

    def event(self, viewer: int | None) -> Any:
        """What this seat saw of it; None for an event of the table, where the entry says all."""
        return None if self._step is None else self._step.event(self._rules, viewer)

    def view(self, viewer: int | None) -> Any:
        """What this seat saw after it; None for an event of the table."""
        return None if self._step is None else self._rules.observe(self._step.after, viewer)

    @property
    def notation(self) -> str:
        """How the players write what a seat did; empty where that might tell what not everybody knows."""
        if self._step is None or self._step.seat < 0 or self._rules.spec.hidden:
            return ""
        return self._rules.encode(self._step.action)


class Match:
    """Seats, options, state and record of one match."""

    def __init__(self, header: Header, server_seed: bytes | None, game: Game | None = None) -> None:
        self._header = header
        self._line = Line(header, game)
        self._entries: list[Entry] = []
        promise = header.fair
        self._dice = None if server_seed is None else fair.Dice(server_seed, promise.seat_seeds, header.match)
        self._bots: dict[str, bots.Bot] = {}
        for seat in header.seats:
            self._prepare(seat)

    @classmethod
    def start(
        cls,
        game: Game,
        options: BaseOptions | None = None,
        seats: Sequence[Seat] = (Seat(), Seat()),
        *,
        seed: int | str | None = None,
        match: str | None = None,
        position: str | None = None,
    ) -> Match:
        """A new match. The same `seed` gives the same dice and the same bots' moves; without one nobody knows them.

        `position` is where it begins, in the notation of the game (`Rules.position`). Raises BadPosition.
        """
        check_players(game.rules.spec, len(seats))
        match = match or (f"seed-{_slug(seed)}" if seed is not None else secrets.token_urlsafe(9))
        server_seed = fair.new_seed() if seed is None else _derive(seed, "server")
        seat_seeds = tuple(
            None if is_bot(seat) else (fair.new_seed() if seed is None else _derive(seed, str(n))).hex()
            for n, seat in enumerate(seats)
        )
        chosen = options if options is not None else next(iter(game.rules.presets.values()))
        chosen = game.rules.seated(chosen, [is_bot(seat) for seat in seats])
        header = Header(
            game=game.id,
            version=game.rules.spec.version,
            match=match,
            seats=tuple(seats),
            options=option_tools.to_plain(chosen),
            fair=fair.Dice(server_seed, seat_seeds, match).fairness(opened=False),
            position=msgspec.UNSET if position is None else position.strip(),
        )
        try:
            return cls(header, server_seed, game)
        except BadRecord as error:
            if isinstance(error.__cause__, BadOptions | BadPosition):
                raise error.__cause__ from None
            raise

    @classmethod
    def resume(cls, record: Record, game: Game | None = None) -> Match:
        """The match a record describes, ready to go on if its dice are known. Raises BadRecord.

        `game` is for a game that is not installed.
        """
        promise = record.header.fair
        seed = bytes.fromhex(promise.server_seed) if promise.server_seed else None
        if seed is not None and fair.commit(seed) != promise.server_commitment:
            raise NotPossible(say("the server's seed in this record is not the one promised, so it cannot go on"))
        closed = msgspec.structs.replace(promise, server_seed=None)
        match = cls(msgspec.structs.replace(record.header, fair=closed), seed, game)
        for entry in record.entries:
            match.add(entry)
        for seat in match.seats:
            match._prepare(seat)
        return match

    # What there is to see ---------------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        return self._line.game

    @property
    def id(self) -> str:
        return self._header.match

    @property
    def options(self) -> Any:
        """The options in force, of the game's own type."""
        return option_tools.convert(self.game.rules, self._header.options, self._header.version)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who plays now, handed-over seats included."""
        return tuple(self._line.seats)

    @property
    def turn(self) -> int:
        """The seat to act, or CHANCE, or OVER."""
        return self._line.turn

    @property
    def ply(self) -> int:
        """How many actions and draws stand."""
        return self._line.ply

    @property
    def plies(self) -> tuple[Ply, ...]:
        """Every action and draw that stands, with the states around it: all secrets are in there."""
        return tuple(self._line.steps)

    @property
    def count(self) -> int:
        """How many entries the record has: the number that the next one gets."""
        return len(self._entries)

    @property
    def over(self) -> bool:
        return self.turn == OVER

    @property
    def result(self) -> tuple[float, ...] | None:
        """Each seat's share of the win, once there is one."""
        return self._line.result

    @property
    def paused(self) -> bool:
        """Whether the match is paused."""
        return self._line.paused

    @property
    def offered(self) -> Offer | None:
        """The offer that is open."""
        return self._line.offer

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats whose answer to the open offer is still missing."""
        return offers.waiting(self._line)

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats still in the game."""
        return self._line.playing

    @property
    def needs_human(self) -> bool:
        """Whether the match waits for somebody."""
        return self.paused or (self.turn >= 0 and not is_bot(self.seats[self.turn]))

    @property
    def seconds(self) -> int | None:
        """How long the rules of the game let the seat to act think."""
        return None if self.over else self.game.rules.seconds(self._line.state)

    def narrowed(self, rng: Random) -> tuple[Any, ...] | None:
        """What fair help takes away where the seat to act has to know something; None where a bot can advise."""
        return None if self.over else self.game.rules.narrowed(self._line.state, rng)

    def check_turn(self, seat: int) -> None:
        """Refuses what only the seat to act may do. Raises NotYourTurn."""
        if self.turn != seat:
            raise NotYourTurn(seat)

    def view(self, seat: int | None) -> Any:
        """What this seat may know now, of the game's own type; None is a spectator."""
        if seat is not None and not 0 <= seat < len(self.seats):
            raise NotPossible(say("there is no seat {seat}", seat=seat + 1))
        return self.game.rules.observe(self._line.state, seat)

    def opening(self, seat: int | None) -> Any:
        """What this seat knew when the match began."""
        first = self._line.steps[0].before if self._line.steps else self._line.state
        return self.game.rules.observe(first, seat)

    def claims(self, seat: int) -> tuple[Any, ...]:
        """What this seat may do out of turn."""
        return () if self.over else tuple(a for who, a in self.game.rules.claims(self._line.state) if who == seat)

    def fairness(self, *, keep_seed: bool = False) -> fair.Fairness:
        """The promises about the dice as they were made, and at the end, or with `keep_seed`, the server's seed."""
        promise = self._header.fair
        if self._dice is not None and (self.over or keep_seed):
            return msgspec.structs.replace(promise, server_seed=self._dice.server_seed.hex())
        return promise

    def record(self, *, keep_seed: bool = False) -> Record:
        """The match so far. Its dice are opened at the end, or where `keep_seed` says it must go on from a file."""
        header = msgspec.structs.replace(self._header, fair=self.fairness(keep_seed=keep_seed))
        return Record(header=header, entries=tuple(self._entries), result=self.result)

    # What can be done -------------------------------------------------------------------------------------

    def step(self) -> Happening | None:
        """One thing that needs no human, or None when a human is asked or the match is over."""
        turn = self.turn
        if turn == OVER or self.needs_human:
            return None
        if turn == CHANCE:
            return self.draw_chance()
        choice = self.think(turn)
        happening = self.follow(turn, choice)
        happening.fault = choice.fault
        return happening

    def follow(self, seat: int, choice: bots.Choice) -> Happening:
        """A seat does what its bot chose: it acts, or makes a claim. Bots alone share the win in the end."""
        if self.ply >= MOST_BOT_PLIES and all(map(is_bot, self.seats)):
            return self.agree_draw()
        return self.claim(seat, choice.action) if choice.claim else self.act(seat, choice.action)

    def draw_chance(self) -> Happening:
        """Draws the next outcome of chance."""
        if self._dice is None:
            raise NotPossible(say("this record does not hold the seed of its dice, so it cannot go on"))
        outcomes = self.game.rules.chance(self._line.state)
        if self.turn != CHANCE:
            raise NotPossible(say("there is nothing to draw now"))
        weights = tuple(weight for _, weight in outcomes)
        self._dice.drawn = self._line.drawn
        n, index = self._dice.draw(weights)
        return self._table(Drew(n, self.game.rules.encode(outcomes[index][0]), weights))

    def act(self, seat: int, action: Any) -> Happening:
        """A seat acts in its turn. Raises IllegalAction; the match is then as it was."""
        rules = self.game.rules
        if self.over:
            raise NotPossible(say("the match is over"))
        self.check_turn(seat)
        if not rules.accepts(self._line.state, action):
            rules.apply(self._line.state, action)  # raises under the rule that forbids it
            raise NotPossible(say("that is not an action but a claim"))
        return self._table(Acted(seat, rules.encode(rules.settled(self._line.state, action))))

    def read(self, text: str) -> Any:
        """The action this text means for the seat to act. Raises BadNotation or IllegalAction."""
        return self._line.read(text)

    def claim(self, seat: int, action: Any) -> Happening:
        """A seat makes use of a claim the rules give it."""
        if action not in self.claims(seat) or self.game.rules.encode(action) == COUNT:
            raise NotPossible(say("seat {seat} has nothing to claim now", seat=seat + 1))
        return self._table(Claimed(seat, self.game.rules.encode(action)))

    def resign(self, seat: int) -> Happening:
        """A seat gives up. With more than two players the rules of the game say how the others play on."""
        action = self._claim_written(seat, resignation(seat))
        return self._table(Resigned(seat)) if action is None else self.claim(seat, action)

    def run_out(self, seat: int) -> Happening:
        """The time is over that the rules of the game gave this seat; the match goes on."""
        action = self._claim_written(seat, SILENCE)
        if action is None:
            raise NotPossible(say("seat {seat} has all the time it wants", seat=seat + 1))
        return self.claim(seat, action)

    def time_out(self, seat: int) -> Happening:
        """A seat's clock has run out: it loses, or with more than two players it is out and the others play on."""
        return self._table(TimedOut(seat))

    def agree_draw(self) -> Happening:
        """All players have agreed on a draw."""
        return self._table(DrawAgreed())

    def hand_over(self, seat: int, to: Seat) -> Happening:
        """Somebody else plays on."""
        self._prepare(to)
        return self._table(HandedOver(seat, to))

    def undo(self) -> Happening:
        """Takes back to the last decision of a human. What was drawn after it will be drawn anew."""
        return self.add(TookBack(offers.decision(self._line)))

    @property
    def can_count(self) -> bool:
        """Whether the players may agree to count an answer that was refused."""
        return self._line.refused is not None and not self.paused

    def count_answer(self) -> Happening:
        """All players have agreed to count the answer that was refused."""
        return self._table(Counted(offers.to_count(self._line)))

    def pause(self) -> Happening:
        """All players have agreed on a pause: nobody acts, nothing is drawn, no clock runs."""
        return self._table(Paused())

    def go_on(self) -> Happening:
        """The end of a pause."""
        return self._table(Resumed())

    def offer(self, seat: int, what: What) -> Happening:
        """A seat offers the others something (see `offers`). It happens at once where nobody need be asked."""
        return self._table(offers.make(self._line, seat, what))

    def answer(self, seat: int, yes: bool) -> Happening:
        """A seat answers the open offer. What was offered happens with the last yes."""
        return self._table(offers.reply(self._line, seat, yes))

    def withdraw(self, seat: int) -> Happening:
        """A seat takes its own offer back."""
        return self._table(offers.withdraw(self._line, seat))

    def think(self, seat: int, bot: str | None = None) -> bots.Choice:
        """What the seat's bot would do, or the named one: for bots' own moves and for hints."""
        name = bot or self.seats[seat].player.removeprefix("bot:")
        view = self.view(seat)
        self.check_turn(seat)
        return self._bot(name).choose(view, self.luck())

    def luck(self) -> Random:
        """The random numbers of bots: from the server's seed and the ply, so that a resumed match goes on alike."""
        secret = self._dice.server_seed if self._dice else b""
        return Random(hashlib.sha256(secret + f"|bot|{len(self._entries)}".encode()).digest())

    def rematch(self) -> Rematch:
        """Who begins the next game of the same players."""
        if self.result is None:
            raise NotPossible(say("the match is not over yet"))
        begins = self.options.begins
        acted = (step.seat for step in self._line.steps if step.seat >= 0)
        return self.game.rules.rematch(next(acted, 0 if begins == "lots" else begins), self.result)

    def rematch_options(self, chosen: int | None = None) -> Any:
        """The options for the next match of those who sit here now, to `start` it with.

        `chosen` is who begins if `rematch` leaves that to a human; a bot that may choose begins itself.
        """
        begins = rematch.begins(self.seats, self.rematch(), chosen)
        plain = rematch.unseated(self.game, self.options, self._header.seats)
        return msgspec.structs.replace(plain, begins=begins)

    def add(self, entry: Entry) -> Happening:
        """Adds an entry that was made elsewhere, as by another server of the same match. Raises BadRecord."""
        plies = self._line.ply
        self._line.add(entry)
        self._entries.append(entry)
        played = self._line.ply > plies or isinstance(entry, Counted)
        return Happening(self.game.rules, entry, self._line.steps[-1] if played else None)

    def save(self, file: Path) -> None:
        """Writes the match so that it can go on, or if it is over be verified."""
        recordfile.write(self.record(keep_seed=True), file)

    # Inside -----------------------------------------------------------------------------------------------

    def _claim_written(self, seat: int, text: str) -> Any:
        """The claim this seat has under that notation, or None."""
        return next((action for action in self.claims(seat) if self.game.rules.encode(action) == text), None)

    def _table(self, entry: Entry) -> Happening:
        if self.over:
            raise NotPossible(say("the match is over"))
        try:
            return self.add(entry)
        except BadRecord as error:
            raise NotPossible(error.text) from error

    def _prepare(self, seat: Seat) -> None:
        """Finds out now, not in mid-match, whether a record can hold such a seat and there is such a bot."""
        try:
            msgspec.json.decode(msgspec.json.encode(seat), type=Seat)
        except (msgspec.MsgspecError, UnicodeEncodeError) as error:
            text = say("{value!r} is not one of {shape}", value=f"{seat.player} {seat.name}".strip(" "), shape=SEATS)
            raise BadOptions("seat", text) from error
        name = seat.player.removeprefix("bot:")
        if is_bot(seat) and name not in bots.LEVELS:  # there is always one of a level; making it may take Numba
            self._bot(name)

    def _bot(self, name: str) -> bots.Bot:
        if name not in self._bots:
            people = not all(map(is_bot, self.seats))
            self._bots[name] = bots.make(name, self.game, at_once=people)
        return self._bots[name]


def _derive(seed: int | str, part: str) -> bytes:
    return hashlib.sha256(f"astragal|{seed}|{part}".encode("utf-8", "surrogateescape")).digest()


def _slug(seed: int | str) -> str:
    return "".join(c if c.isalnum() and c.isascii() else "-" for c in str(seed))[:40]
