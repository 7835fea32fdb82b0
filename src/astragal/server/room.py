"""One match in memory: its log, and what the log means. Nothing here waits, stores or sends.

`take` adds what the store remembers. `do`, `sit`, `fire` and the like let something new happen and leave it in `new`,
for whoever holds the room to store. If that fails the room is thrown away and built again from the store.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeVar

from msgspec.structs import replace

from astragal.core import registry
from astragal.core.fair import Fairness, Why
from astragal.core.language import say
from astragal.core.record import Acted, Claimed, Counted, Header, Seat, TookBack, is_bot
from astragal.core.types import CHANCE, COUNT, PASS, SILENCE, resignation
from astragal.play import clock
from astragal.play.clock import Fall, Watch
from astragal.play.match import Happening, Match, NotYourTurn
from astragal.server import journal, lobby, own_data, preview, setup, wire
from astragal.server.journal import (
    Abandoned,
    Again,
    Began,
    Body,
    Interrupted,
    Kept,
    Left,
    Lengthened,
    Muted,
    NextMatch,
    Opened,
    Promised,
    Reseeded,
    Said,
    Sat,
)
from astragal.server.lobby import LobbySeat
from astragal.server.problems import Problem
from astragal.server.setup import OPEN, Setup, cleaned
from astragal.server.store import MatchRow

SEED_MS = 60_000  # how long the others wait for a promised seed
MOST_ENTRIES, MOST_BOT_ENTRIES, MOST_SAID = 40_000, 10_000, 2_000  # of one match; the second of bots alone

T = TypeVar("T", Setup, Header)

STAND_IN = "bot:greedy"  # plays for whoever is gone


class Room:
    """A match, its players and its log."""

    def __init__(self, row: MatchRow, first_view: Any = None) -> None:
        self.id = row.id
        self.row = row
        self.setup: Setup = setup.read(row.setup)
        self.game = registry.game(self.setup.game)
        setup.check_version(self.setup, self.game)
        self.seed = bytes.fromhex(row.server_seed)
        self.chairs = [LobbySeat(plan) for plan in self.setup.seats]
        self.first_view = first_view if first_view is not None else setup.first_view(self.game, self.whole(self.setup))
        self.carried = own_data.Carried(self.setup.options, self.first_view.options)
        self.match: Match | None = None
        self.closed = False
        self.next_match: str | None = None
        self.log: list[Kept] = []
        self.new: list[Kept] = []
        self.happenings: list[Happening | None] = []
        self.plies: list[int] = []  # how many plies stood after each entry
        self.deaf: list[frozenset[int]] = []  # who did not hear each entry
        self.watch: Watch | None = None
        self.abandoned: list[Abandoned] = []  # seats given up while seeds were being opened
        self.again: dict[int, int | None] = {}  # who wants another match, and who shall begin it
        self._mutes: set[tuple[int, int]] = set()
        self._numbers: list[int] = []  # the entry of each ply that stands
        self._causes: dict[str, int] = {}
        self._said = 0
        self._settled_at = 0  # when somebody last sat down, promised or opened a seed

    def whole(self, named: T) -> T:
        """A setup or a header with the own data that it only names."""
        return replace(named, options=own_data.whole(named.options, self.row.data))

    # What there is to see ---------------------------------------------------------------------------------------

    @property
    def last(self) -> int:
        """The number of the last entry."""
        return len(self.log)

    @property
    def status(self) -> Literal["lobby", "running", "over", "closed"]:
        """lobby, running, over or closed."""
        if self.closed:
            return "closed"
        if self.match is None:
            return "lobby"
        return "over" if self.match.over else "running"

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who plays; before the match, who is going to."""
        if self.match is not None:
            return self.match.seats
        return tuple(Seat("human", chair.name) if chair.plan == OPEN else Seat(chair.plan) for chair in self.chairs)

    @property
    def free(self) -> tuple[int, ...]:
        """Seats that anybody may take."""
        return tuple(n for n, chair in enumerate(self.chairs) if chair.free) if self.status == "lobby" else ()

    @property
    def fairness(self) -> Fairness:
        """The promises and opened seeds so far; the server's own only at the end."""
        if self.match is not None:
            return self.match.fairness()
        return lobby.fairness(self.seed, self.chairs, self.abandoned)

    @property
    def bot_to_move(self) -> bool:
        """Whether the match waits for a bot."""
        match = self.match
        return self.status == "running" and match is not None and match.turn >= 0 and not match.needs_human

    @property
    def more_time(self) -> bool:
        """Whether a player may take more time: the table allows it, or nobody but bots waits."""
        timed = self.watch is not None and (bool(self.watch.left) or self.watch.answer is not None)
        humans = sum(not is_bot(seat) for seat in self.seats)
        return self.status == "running" and timed and (self.setup.more_time or humans == 1)

    def view(self, viewer: int | None) -> Any:
        """The table as a seat or a spectator sees it."""
        return self.first_view if self.match is None else self.match.view(viewer)

    def claims(self, seat: int) -> tuple[Any, ...]:
        """What the seat may claim; giving up, counting an answer and the clock have ways of their own."""
        if self.match is None or self.closed:
            return ()
        encode, others = self.game.rules.encode, (resignation(seat), SILENCE, COUNT)
        return tuple(action for action in self.match.claims(seat) if encode(action) not in others)

    def due(self, now: int) -> int | None:
        """When something must happen that no player does."""
        if self.status == "lobby":
            return self._settled_at + SEED_MS if lobby.openers(self.chairs) else None
        if self.status == "over":
            return now if self.agreed_again else None
        if self.status != "running" or self.watch is None:
            return None
        fall = self.watch.falls_at()
        return now if self.bot_to_move else None if fall is None else fall.at

    # What the store remembers -----------------------------------------------------------------------------------

    def replay(self, kept: Kept) -> None:
        """Lets happen again what is stored. Raises BadRecord if it cannot."""
        body, happening = kept.body, None
        if isinstance(body, journal.TableEntry):
            self._table(body)
        else:
            happening = self.playing().add(body)
        self._keep(kept, happening)

    def _table(self, body: Body) -> None:
        """What an entry of the table does."""
        match body:
            case Sat(seat, name):
                chair = self.chairs[seat] = LobbySeat(OPEN, self.chairs[seat])
                chair.free, chair.name = False, name
            case Promised(seat, commitment):
                self.chairs[seat].promised, self.chairs[seat].commitment = True, commitment
            case Opened(seat, seed):
                self.chairs[seat].seed = seed
            case Abandoned():
                self.abandoned.append(body)
            case Reseeded(seed):
                self.seed = bytes.fromhex(seed)
                lobby.hold_back(self.chairs, len(self.abandoned))
            case Left(seat):
                self.chairs[seat] = LobbySeat(OPEN, self.chairs[seat])
                for chair in self.chairs:  # who opened a seed for a table of others may bring a new one
                    if chair.seed is not None:
                        chair.promised, chair.commitment, chair.seed = False, None, None
            case Began(header):
                self.match = Match(self.whole(header), self.seed, self.game)
            case Again(seat, begins):
                self.again[seat] = begins
            case Muted(seat, whom, on):
                (self._mutes.add if on else self._mutes.discard)((seat, whom))
            case NextMatch(match):
                self.next_match = match
            case journal.Closed():
                self.closed = True

    def _keep(self, kept: Kept, happening: Happening | None) -> None:
        self.log.append(kept)
        self.happenings.append(happening)
        ply = 0 if self.match is None else self.match.ply
        if isinstance(kept.body, Sat | Promised | Opened | Interrupted):
            self._settled_at = kept.at
        if isinstance(kept.body, Abandoned) and len(self.abandoned) >= lobby.MOST_ABANDONED:
            self.chairs[kept.body.seat].shut_until = kept.at + lobby.WAIT_MS
        if isinstance(kept.body, Interrupted) and self.watch is not None:
            self.watch = self.watch.excused(kept.body.since, kept.body.until, self.playing())
        if isinstance(kept.body, Began) and self.match is not None:
            self.watch = Watch.start(clock.parse(self.setup.clock), self.match, kept.at)
        if isinstance(kept.body, Lengthened) and self.watch is not None:
            self.watch = self.watch.lengthened(kept.body.seat, self.playing(), kept.at)
        if happening is not None and self.match is not None and self.watch is not None:
            self.watch = self.watch.after(happening.entry, self.match, kept.at)
            if isinstance(kept.body, TookBack):
                del self._numbers[ply:]
            elif isinstance(kept.body, Counted):
                self._numbers[ply - 1 :] = [kept.n]
            elif ply > len(self._numbers):
                self._numbers.append(kept.n)
        self.plies.append(ply)
        speaker = kept.body.seat if isinstance(kept.body, Said) else None
        self._said += isinstance(kept.body, Said)
        self.deaf.append(frozenset(seat for seat, whom in self._mutes if whom == speaker))
        if kept.cause:
            self._causes.setdefault(kept.cause, kept.n)

    def _happen(self, what: Body | Happening, now: int, cause: str | None = None) -> int:
        """Something new: gives it the next number."""
        happening = what if isinstance(what, Happening) else None
        body = what.entry if isinstance(what, Happening) else what
        if happening is None:
            self._table(body)
        kept = Kept(self.last + 1, now, body, cause)
        self._keep(kept, happening)
        self.new.append(kept)
        return kept.n

    def drain_new(self) -> list[Kept]:
        """What is new since the last call, to be stored."""
        new, self.new = self.new, []
        return new

    # Before the match -------------------------------------------------------------------------------------------

    def sit(self, seat: int | None, name: str, commitment: str | None, now: int) -> int:
        """A human takes a seat; the number of the seat."""
        free = self.free
        if self.status != "lobby" or not free:
            raise Problem("seat_taken", say("there is no free seat at this table"))
        if seat is not None and seat not in free:
            raise Problem("seat_taken", say("seat {seat} is not free", seat=seat + 1))
        self._check_length()
        if seat is None:
            seat = next((one for one in free if self.chairs[one].shut_until <= now), free[0])
        lobby.check_shut(self.chairs, seat, now)
        lobby.check_fresh(self.log, commitment)
        self._happen(Sat(seat, cleaned(name)[:40]), now)
        self._happen(Promised(seat, commitment), now)
        self.go_on(now)
        return seat

    def keep_seat(self, seat: int, name: str, now: int) -> None:
        """A player of the match before sits down again; its promise is still to come."""
        self._happen(Sat(seat, name), now)

    def unseat(self, seats: Sequence[int], why: Why, now: int, cause: str | None = None) -> int:
        """Frees seats before the match begins; if a throw could be known by then, for a fresh seed of the server."""
        for entry in lobby.abandonments(self._lobby(), seats, why, self.seed):
            self._happen(entry, now)
        return [self._happen(Left(seat), now, cause) for seat in seats][-1]

    def _lobby(self) -> list[LobbySeat]:
        if self.status != "lobby":
            raise Problem("not_possible", say("the match has begun"))
        return self.chairs

    def _begin(self, now: int) -> None:
        header = Header(
            game=self.game.id,
            version=self.setup.version,
            match=self.id,
            seats=self.seats,
            options=self.setup.options,
            fair=self.fairness,
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
                return self._happen(self.playing().offer(seat, command.what), now, cause)
            case wire.Answer():
                return self._happen(self.playing().answer(seat, command.yes), now, cause)
            case wire.Withdraw():
                return self._happen(self.playing().withdraw(seat), now, cause)
            case wire.MoreTime():
                if not self.more_time:
                    raise Problem("not_possible", say("nobody may take more time at this table now"))
                return self._happen(Lengthened(seat), now, cause)
            case wire.Again():
                return self._want_again(seat, command.begins, now, cause)
            case wire.Return():
                if not is_bot(self.playing().seats[seat]):
                    raise Problem("not_possible", say("no bot plays seat {seat}", seat=seat + 1))
                human = Seat("human", self.chairs[seat].name)
                return self._happen(self.playing().hand_over(seat, human), now, cause)
            case wire.Say():
                return self._happen(Said(seat, *lobby.words(command.text, command.phrase)), now, cause)
            case wire.Mute():
                lobby.check_other(self.chairs, seat, command.whom)
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

    def _claim(self, seat: int, text: str) -> Happening:
        match = self.playing()
        action = next((a for a in self.claims(seat) if self.game.rules.encode(a) == text.strip()), None)
        if action is None:
            raise Problem("not_possible", say("seat {seat} has nothing to claim now", seat=seat + 1))
        return match.claim(seat, action)

    def playing(self) -> Match:
        """The match. Raises Problem before it begins."""
        if self.match is None:
            raise Problem("not_possible", say("the match has not begun"))
        return self.match

    def move_bot(self, seat: int, action: Any, now: int) -> None:
        """A bot made up its mind. Bots alone do not play for ever."""
        if self.last >= MOST_BOT_ENTRIES and all(is_bot(who) for who in self.seats):
            self.close(now, "length")
            return
        self._happen(self.playing().act(seat, action), now)
        self.go_on(now)

    def go_on(self, now: int) -> None:
        """Everything that follows of itself: the beginning, draws, and passing where nothing else can be done."""
        if self.match is None:
            if self.closed or not all(chair.ready for chair in self.chairs):
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

    def fire(self, now: int) -> tuple[int, ...]:
        """What time alone brings about; the seats that were freed by it, since they never opened their seed."""
        if self.status == "lobby":
            late = lobby.openers(self.chairs) if self._settled_at + SEED_MS <= now else ()
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
            ticking, counted_from = bool(lobby.openers(self.chairs)), self._settled_at
        noted = any(isinstance(kept.body, Interrupted) and kept.body.since == since for kept in self.log)
        if self.status in ("lobby", "running") and ticking and counted_from < until and not noted:
            self._happen(Interrupted(since, until), now)

    def fallen(self, now: int) -> Fall | None:
        """The clock that has fallen, if nobody has noticed yet."""
        return self.watch.fallen(now) if self.watch is not None and self.status == "running" else None

    def gone(self, seat: int, now: int) -> None:
        """A player is away for too long."""
        match = self.playing()
        if self.setup.absence is None or self.status != "running" or match.paused or is_bot(match.seats[seat]):
            return
        self._happen(journal.Away(seat), now)
        self.replace(seat, forfeit=self.setup.absence.then == "forfeit", now=now)

    def replace(self, seat: int, *, forfeit: bool, now: int) -> None:
        """A player plays no longer: gives up, or a bot plays on."""
        match = self.playing()
        if forfeit:
            self._happen(match.resign(seat), now)
        else:
            self._happen(match.hand_over(seat, Seat(STAND_IN, self.chairs[seat].name)), now)
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
        if chooser == seat and begins not in range(len(self.chairs)):
            raise Problem("not_possible", say("seat {seat} must choose who begins", seat=seat + 1))
        return self._happen(Again(seat, begins if chooser == seat else None), now, cause)

    def next_setup(self) -> Setup:
        """The setup of the next match of the same players."""
        match = self.playing()
        chooser = match.rematch().chooser
        return preview.next_setup(match, self.setup, None if chooser is None else self.again.get(chooser))

    @property
    def agreed_again(self) -> bool:
        """Whether everybody who sits here wants another match, and it is still to be made."""
        humans = {seat for seat, who in enumerate(self.seats) if not is_bot(who)}
        return self.status == "over" and self.next_match is None and bool(humans) and humans <= set(self.again)
