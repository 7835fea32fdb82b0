"""One match in memory: what may happen in it, and what follows from that. Nothing here waits, stores or sends.

`do`, `sit`, `fire` and the like let something new happen and leave it in `new`, for whoever holds the room to store. If
storing fails the room is thrown away and built again from the store with `replay`.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from msgspec import UNSET

from astragal import bots
from astragal.core.fair import Why
from astragal.core.language import say
from astragal.core.record import Acted, Claimed, Header, Seat, is_bot
from astragal.core.types import CHANCE, PASS
from astragal.play.clock import Fall
from astragal.play.match import Happening, NotYourTurn
from astragal.server import journal, lobby, preview, wire
from astragal.server.journal import (
    Again,
    Began,
    Hinted,
    Identified,
    Interrupted,
    Left,
    Lengthened,
    Muted,
    NextMatch,
    Opened,
    Promised,
    Said,
    Sat,
    Shown,
)
from astragal.server.lobby import Identity, LobbySeat
from astragal.server.problems import Problem
from astragal.server.room_state import RoomState
from astragal.server.setup import Setup, cleaned

SEED_MS = 60_000  # how long the others wait for a promised seed
MOST_ENTRIES, MOST_BOT_ENTRIES, MOST_SAID = 40_000, 10_000, 2_000  # of one match; the second of bots alone

STAND_IN = "bot:greedy"  # plays on for a player who is absent or was removed


class Room(RoomState):
    """A match as its players, bots, the clock and the host change it."""

    # Before the match -------------------------------------------------------------------------------------------

    def sit(
        self, seat: int | None, name: str, commitment: str | None, now: int, face: str = "",
        identity: Identity | None = None,
    ) -> int:  # fmt: skip
        """A human takes a seat, or any free one. Returns the number of the seat. A rated table wants to know who."""
        free = self.free
        if self.status != "lobby" or not free:
            raise Problem("seat_taken", say("there is no free seat at this table"))
        if seat is not None and seat not in free:
            raise Problem("seat_taken", say("seat {seat} is not free", seat=seat + 1))
        self._check_length()
        if seat is None:
            seat = next((number for number in free if self.lobby_seats[number].shut_until <= now), free[0])
        lobby.check_shut(self.lobby_seats, seat, now)
        lobby.check_fresh(self.log, commitment)
        if self.setup.rated:
            lobby.check_identity(self.lobby_seats, identity)
        self._happen(Sat(seat, cleaned(name)[:40], face), now)
        self._identify(seat, identity, now)
        self._happen(Promised(seat, commitment), now)
        self.go_on(now)
        return seat

    def keep_seat(self, seat: int, before: LobbySeat, now: int) -> None:
        """A player of the match before sits down again; its promise is still to come."""
        self._happen(Sat(seat, before.name, before.face), now)
        self._identify(seat, before.identity, now)

    def _identify(self, seat: int, identity: Identity | None, now: int) -> None:
        if self.setup.rated and identity is not None:
            self._happen(Identified(seat, identity.player, identity.house), now)

    def unseat(self, seats: Sequence[int], why: Why, now: int, cause: str | None = None) -> int:
        """Frees seats before the match begins; if a throw could be known by then, for a fresh seed of the server."""
        for entry in lobby.abandonments(self._lobby(), seats, why, self.seed):
            self._happen(entry, now)
        return [self._happen(Left(seat), now, cause) for seat in seats][-1]

    def _lobby(self) -> list[LobbySeat]:
        if self.status != "lobby":
            raise Problem("not_possible", say("the match has begun"))
        return self.lobby_seats

    def _begin(self, now: int) -> None:
        header = Header(
            game=self.game.id,
            version=self.setup.version,
            match=self.id,
            seats=self.seats,
            options=self.setup.options,
            fair=self.fairness,
            position=UNSET if self.setup.position is None else self.setup.position,
        )
        self._happen(Began(header), now)

    # Playing ----------------------------------------------------------------------------------------------------

    def do(self, seat: int, command: wire.Command, now: int) -> tuple[int, bool]:
        """Carries out a command of a seat: the number of its event, and whether it was a repeated one."""
        cause = f"{seat}:{command.id}" if command.id else None
        if cause is not None and cause in self._causes:
            return self._causes[cause], True
        if self.closed:
            raise Problem("not_possible", say("the host has closed this table"))
        before = self.repeated(seat, command)
        if before is not None:
            return before, True
        if not isinstance(command, wire.Resign | wire.Leave):
            self._check_length(said=isinstance(command, wire.Say))
        n = self._do(seat, command, now, cause)
        self.go_on(now)
        return n, False

    def _check_length(self, *, said: bool = False) -> None:
        """Refuses what would let a log grow for ever. Raises Problem."""
        if self.last >= MOST_ENTRIES:
            raise Problem("not_possible", say("so much has happened in this match that it can only be given up"))
        if said and self._said >= MOST_SAID:
            text = say("{most} messages were said at this table, and that is enough", most=MOST_SAID)
            raise Problem("not_possible", text)

    def repeated(self, seat: int, command: wire.Command) -> int | None:
        """The event of an action that came before. Raises Problem for one that comes too late."""
        if not isinstance(command, wire.Act | wire.Claim) or self.match is None or command.ply == self.match.ply:
            return None
        if command.ply < len(self._numbers):
            n = self._numbers[command.ply]
            body = self.log[n - 1].body
            if isinstance(body, Acted | Claimed) and (body.seat, body.action) == (seat, command.text.strip()):
                return n
        raise Problem(
            "late", say("this answers to ply {ply}, but the match is at ply {now}", ply=command.ply, now=self.match.ply)
        )

    def _do(self, seat: int, command: wire.Command, now: int, cause: str | None) -> int:
        match command:
            case wire.Act():
                return self._happen(self._act(seat, command.text), now, cause)
            case wire.Claim():
                return self._happen(self._claim(seat, command.text), now, cause)
            case wire.Resign():
                return self._happen(self.playing().resign(seat), now, cause)
            case wire.Offer():
                if self.setup.rated and command.what in ("takeback", "takeback-seen"):
                    raise Problem("not_possible", say("nothing is taken back in a rated match"))
                if command.what == "count" and self.uncounted:
                    raise Problem("not_possible", say("in a rated match somebody else must agree to count an answer"))
                return self._happen(self.playing().offer(seat, command.what), now, cause)
            case wire.Answer():
                return self._happen(self.playing().answer(seat, command.yes), now, cause)
            case wire.Withdraw():
                return self._happen(self.playing().withdraw(seat), now, cause)
            case wire.MoreTime():
                if not self.more_time:
                    raise Problem("not_possible", say("nobody may take more time at this table now"))
                return self._happen(Lengthened(seat), now, cause)
            case wire.HasShown():
                return self._shown(seat, command.ply, now, cause)
            case wire.Again():
                return self._want_again(seat, command.begins, now, cause)
            case wire.Return():
                if not is_bot(self.playing().seats[seat]):
                    raise Problem("not_possible", say("no bot plays seat {seat}", seat=seat + 1))
                human = Seat("human", self.lobby_seats[seat].name)
                return self._happen(self.playing().hand_over(seat, human), now, cause)
            case wire.Say():
                return self._happen(Said(seat, *lobby.words(command.text, command.phrase)), now, cause)
            case wire.Mute():
                lobby.check_other(self.lobby_seats, seat, command.whom)
                return self._happen(Muted(seat, command.whom, command.on), now, cause)
            case wire.Promise():
                lobby.check_promise(self._lobby(), seat)
                lobby.check_fresh(self.log, command.commitment)
                return self._happen(Promised(seat, command.commitment), now, cause)
            case wire.Open():
                lobby.check_seed(self._lobby(), seat, command.seed)
                return self._happen(Opened(seat, command.seed), now, cause)
            case wire.Leave():
                return self.unseat([seat], "left", now, cause)

    def _act(self, seat: int, text: str) -> Happening:
        match = self.playing()
        if match.turn != seat or is_bot(match.seats[seat]):
            raise NotYourTurn(seat)
        return match.act(seat, match.read(text))

    def _shown(self, seat: int, ply: int, now: int, cause: str | None) -> int:
        """A client is up to date. It is noted only where that changes what the clocks do.

        The first time it also says that this client shows one event after the other, which is true however far it is.
        """
        match, watch = self.playing(), self.watch
        if watch is None or ply > match.ply or (ply < match.ply and seat in watch.shows):
            raise Problem(
                "late", say("this answers to ply {ply}, but the match is at ply {now}", ply=ply, now=match.ply)
            )
        awaited = watch.mover == seat and watch.answer is not None and watch.unseen > 0
        return self._happen(Shown(seat), now, cause) if awaited or seat not in watch.shows else self.last

    def _claim(self, seat: int, text: str) -> Happening:
        match = self.playing()
        action = next((a for a in self.claims(seat) if self.game.rules.encode(a) == text.strip()), None)
        if action is None:
            raise Problem("not_possible", say("seat {seat} has nothing to claim now", seat=seat + 1))
        return match.claim(seat, action)

    def hint(self, seat: int, rng: Random, now: int) -> tuple[str, ...] | None:
        """A seat asks for a hint, and everybody is told. What it takes away from the choice; None: a bot advises."""
        match = self.playing()
        if match.turn != seat or self.status != "running" or is_bot(match.seats[seat]):
            raise NotYourTurn(seat)
        if not self.hints:
            raise Problem("not_possible", say("there are no hints at this table"))
        key = seat, match.ply
        if key not in self.hinted:
            self._check_length()
            narrowed = match.narrowed(rng)
            away = None if narrowed is None else tuple(self.game.rules.encode(action) for action in narrowed)
            self._happen(Hinted(seat, match.ply, away), now)
        return self.hinted[key]

    def move_bot(self, seat: int, choice: bots.Choice, now: int) -> None:
        """The action that a bot chose. A match of bots alone is closed when its log gets too long."""
        if self.last >= MOST_BOT_ENTRIES and all(is_bot(who) for who in self.seats):
            self.close(now, "length")
            return
        self._happen(self.playing().follow(seat, choice), now)
        self.go_on(now)

    def go_on(self, now: int) -> None:
        """Lets happen what needs no decision: the beginning, throws, and passing where nothing else is legal."""
        if self.match is None:
            if self.closed or not all(lobby_seat.ready for lobby_seat in self.lobby_seats):
                return
            self._begin(now)
        match, rules = self.playing(), self.game.rules
        while self.status == "running" and not match.paused:
            if match.turn == CHANCE:
                self._happen(match.draw_chance(), now)
                continue
            legal = match.view(match.turn).legal
            if len(legal) != 1 or rules.encode(legal[0]) != PASS:
                return
            self._happen(match.act(match.turn, legal[0]), now)

    def due(self, now: int) -> int | None:
        """When something is to happen that no player does: a bot's move, a fallen clock, a next match; None: never."""
        if self.status == "lobby":
            return self._settled_at + SEED_MS if lobby.openers(self.lobby_seats) else None
        if self.status == "over":
            return now if self.agreed_again else None
        if self.status != "running" or self.watch is None:
            return None
        fall = self.watch.falls_at()
        return now if self.bot_to_move else None if fall is None else fall.at

    def fire(self, now: int) -> tuple[int, ...]:
        """Lets a clock fall that has run out. Returns the seats that were freed for not opening their seed."""
        if self.status == "lobby":
            late = lobby.openers(self.lobby_seats) if self._settled_at + SEED_MS <= now else ()
            if late:
                self.unseat(late, "late", now)
            return late
        fall = self.fallen(now)
        if fall is not None and self.match is not None:
            self._happen(fall.strike(self.match), now)
            self.go_on(now)
        return ()

    def interrupt(self, since: int, until: int, now: int) -> None:
        """Notes that no server ran between these moments, if a clock would have: nobody is charged for that."""
        if self.watch is not None:
            ticking, counted_from = self.watch.falls_at() is not None, self.watch.since
        else:
            ticking, counted_from = bool(lobby.openers(self.lobby_seats)), self._settled_at
        noted = any(isinstance(kept.body, Interrupted) and kept.body.since == since for kept in self.log)
        if self.status in ("lobby", "running") and ticking and counted_from < until and not noted:
            self._happen(Interrupted(since, until), now)

    def fallen(self, now: int) -> Fall | None:
        """The clock that has fallen, if nobody has noticed yet."""
        return self.watch.fallen(now) if self.watch is not None and self.status == "running" else None

    def gone(self, seat: int, now: int) -> None:
        """A player was absent for longer than the table allows: the seat forfeits, or a bot plays on."""
        match = self.playing()
        if self.setup.absence is None or self.status != "running" or match.paused or is_bot(match.seats[seat]):
            return
        self._happen(journal.Away(seat), now)
        self.replace(seat, forfeit=self.setup.absence.then == "forfeit", now=now)

    def replace(self, seat: int, *, forfeit: bool, now: int) -> None:
        """Takes a seat from its player, who gives up by that, or for whom a bot plays on."""
        match = self.playing()
        if forfeit:
            self._happen(match.resign(seat), now)
        else:
            self._happen(match.hand_over(seat, Seat(STAND_IN, self.lobby_seats[seat].name)), now)
        self.go_on(now)

    def close(self, now: int, by: journal.Closer = "host") -> None:
        """The host ends it, or the server because of its age or its length."""
        if not self.closed:
            self._happen(journal.Closed(by), now)

    def go_to(self, match: str, now: int) -> None:
        """The same players go on in another match."""
        self._happen(NextMatch(match), now)

    def _want_again(self, seat: int, begins: int | None, now: int, cause: str | None) -> int:
        match = self.playing()
        chooser = match.rematch().chooser  # raises before the end
        if self.next_match is not None or seat in self.again:
            raise Problem("not_possible", say("seat {seat} has asked for another match already", seat=seat + 1))
        if chooser == seat and begins not in range(len(self.lobby_seats)):
            raise Problem("not_possible", say("seat {seat} must choose who begins", seat=seat + 1))
        return self._happen(Again(seat, begins if chooser == seat else None), now, cause)

    def next_setup(self) -> Setup:
        """The setup of the next match of the same players."""
        match = self.playing()
        chooser = match.rematch().chooser
        return preview.next_setup(match, self.setup, None if chooser is None else self.again.get(chooser))
