"""The state of a room: what the entries of its journal make of a match, its players and its clock.

`replay` adds an entry that the store has; `_happen` adds a new one and leaves it in `new`, to be stored. Nothing else
changes the state, so that a room built from the store is like the one that was in memory before. Which entries may
happen when is said in `room`.
"""

from __future__ import annotations

from typing import Any, Literal, TypeVar

from msgspec.structs import replace

from astragal.core import registry
from astragal.core.fair import Fairness
from astragal.core.language import say
from astragal.core.record import Acted, Claimed, Counted, Drew, Header, Seat, TookBack, is_bot
from astragal.core.types import COUNT, SILENCE, resignation
from astragal.play import clock
from astragal.play.clock import Watch
from astragal.play.match import Happening, Match
from astragal.server import journal, lobby, own_data, setup
from astragal.server.journal import (
    Abandoned,
    Again,
    Began,
    Body,
    Hinted,
    Identified,
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
    Shown,
)
from astragal.server.lobby import Identity, LobbySeat
from astragal.server.problems import Problem
from astragal.server.setup import OPEN, Setup
from astragal.server.store import MatchRow

T = TypeVar("T", Setup, Header)


class RoomState:
    """A match, its players and its log, as far as the log goes."""

    def __init__(self, row: MatchRow, first_view: Any = None) -> None:
        self.id = row.id
        self.row = row
        self.setup: Setup = setup.read(row.setup)
        self.game = registry.game(self.setup.game)
        setup.check_version(self.setup, self.game)
        self.seed = bytes.fromhex(row.server_seed)
        self.lobby_seats = [LobbySeat(plan) for plan in self.setup.seats]
        self.first_view = first_view if first_view is not None else setup.first_view(self.game, self.whole(self.setup))
        self.carried = own_data.Carried(self.setup.options, self.first_view.options)
        self.match: Match | None = None
        self.closed = False
        self.next_match: str | None = None
        self.log: list[Kept] = []
        self.new: list[Kept] = []
        self.happenings: list[Happening | None] = []
        self.plies: list[int] = []  # how many plies stood after each entry
        self.seated_at = 0  # the last entry after which others may sit there, or be called something else
        self.unheard_by: list[frozenset[int]] = []  # of each entry: the seats that had muted who said it
        self.watch: Watch | None = None
        self.abandoned: list[Abandoned] = []  # seats given up while seeds were being opened
        self.again: dict[int, int | None] = {}  # who wants another match, and who shall begin it
        self.hinted: dict[tuple[int, int], tuple[str, ...] | None] = {}  # by seat and ply: what a hint took away
        self.rendered: dict[Any, Any] = {}  # parts of messages that stay the same until others sit there
        self._mutes: set[tuple[int, int]] = set()
        self._numbers: list[int] = []  # the entry of each ply that stands
        self._causes: dict[str, int] = {}  # the first entry of each command that had an id
        self._said = 0  # messages in the chat
        self._settled_at = 0  # when somebody last sat down, promised or opened a seed

    def whole(self, named: T) -> T:
        """A setup or a header with the own data that it only names."""
        return replace(named, options=own_data.whole(named.options, self.row.data))

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
        return tuple(
            Seat("human", lobby_seat.name) if lobby_seat.plan == OPEN else Seat(lobby_seat.plan)
            for lobby_seat in self.lobby_seats
        )

    @property
    def free(self) -> tuple[int, ...]:
        """Seats that anybody may take."""
        return (
            tuple(n for n, lobby_seat in enumerate(self.lobby_seats) if lobby_seat.free)
            if self.status == "lobby"
            else ()
        )

    @property
    def fairness(self) -> Fairness:
        """The promises and opened seeds so far; the server's own only at the end."""
        if self.match is not None:
            return self.match.fairness()
        return lobby.fairness(self.seed, self.lobby_seats, self.abandoned)

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
        allowed = self.setup.more_time or (humans == 1 and not self.setup.rated)
        return self.status == "running" and timed and allowed

    @property
    def uncounted(self) -> bool:
        """Whether no answer can be counted that was refused: the match is rated, and nobody is there to agree."""
        return self.setup.rated and sum(not is_bot(seat) for seat in self.seats) == 1

    @property
    def hints(self) -> bool:
        """Whether players may ask for hints. Unless it was agreed otherwise, not where a clock runs between humans."""
        if self.setup.hints is not None or self.status != "running":
            return bool(self.setup.hints) and self.status == "running"
        humans = sum(not is_bot(seat) for seat in self.seats)
        return humans == 1 or self.setup.clock == str(clock.Untimed())

    def away(self, seat: int | None) -> tuple[str, ...]:
        """What a hint took away from this seat's choice now."""
        if seat is None or self.match is None:
            return ()
        return self.hinted.get((seat, self.match.ply)) or ()

    def view(self, viewer: int | None) -> Any:
        """The table as a seat or a spectator sees it."""
        return self.first_view if self.match is None else self.match.view(viewer)

    def claims(self, seat: int) -> tuple[Any, ...]:
        """What the seat may claim; giving up, counting an answer and the clock have ways of their own."""
        if self.match is None or self.closed:
            return ()
        encode, others = self.game.rules.encode, (resignation(seat), SILENCE, COUNT)
        return tuple(action for action in self.match.claims(seat) if encode(action) not in others)

    def playing(self) -> Match:
        """The match. Raises Problem before it begins."""
        if self.match is None:
            raise Problem("not_possible", say("the match has not begun"))
        return self.match

    @property
    def agreed_again(self) -> bool:
        """Whether everybody who sits here wants another match, and it is still to be made."""
        humans = {seat for seat, who in enumerate(self.seats) if not is_bot(who)}
        return self.status == "over" and self.next_match is None and bool(humans) and humans <= set(self.again)

    def replay(self, kept: Kept) -> None:
        """Lets happen again what is stored. Raises BadRecord if it cannot."""
        body, happening = kept.body, None
        if isinstance(body, journal.TableEntry):
            self._apply(body)
        else:
            happening = self.playing().add(body)
        self._keep(kept, happening)

    def _apply(self, body: Body) -> None:
        """What an entry that is not part of the record does."""
        match body:
            case Sat(seat, name, face):
                lobby_seat = self.lobby_seats[seat] = LobbySeat(OPEN, self.lobby_seats[seat])
                lobby_seat.free, lobby_seat.name, lobby_seat.face = False, name, face
            case Identified(seat, player, house):
                self.lobby_seats[seat].identity = Identity(player, house)
            case Promised(seat, commitment):
                self.lobby_seats[seat].promised, self.lobby_seats[seat].commitment = True, commitment
            case Opened(seat, seed):
                self.lobby_seats[seat].seed = seed
            case Abandoned():
                self.abandoned.append(body)
            case Reseeded(seed):
                self.seed = bytes.fromhex(seed)
                lobby.hold_back(self.lobby_seats, len(self.abandoned))
            case Left(seat):
                self.lobby_seats[seat] = LobbySeat(OPEN, self.lobby_seats[seat])
                for lobby_seat in self.lobby_seats:  # who opened a seed for a table of others may bring a new one
                    if lobby_seat.seed is not None:
                        lobby_seat.promised, lobby_seat.commitment, lobby_seat.seed = False, None, None
            case Began(header):
                self.match = Match(self.whole(header), self.seed, self.game)
            case Again(seat, begins):
                self.again[seat] = begins
            case Muted(seat, whom, on):
                (self._mutes.add if on else self._mutes.discard)((seat, whom))
            case Hinted(seat, ply, away):
                self.hinted[seat, ply] = away
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
            self.lobby_seats[kept.body.seat].shut_until = kept.at + lobby.WAIT_MS
        if isinstance(kept.body, Interrupted) and self.watch is not None:
            self.watch = self.watch.excused(kept.body.since, kept.body.until, self.playing())
        if isinstance(kept.body, Began) and self.match is not None:
            self.watch = Watch.start(clock.parse(self.setup.clock), self.match, kept.at)
        if isinstance(kept.body, Shown) and self.watch is not None:
            self.watch = self.watch.shown(kept.body.seat, kept.at)
        if isinstance(kept.body, Lengthened) and self.watch is not None:
            self.watch = self.watch.lengthened(kept.body.seat, self.playing(), kept.at)
        if happening is not None and self.match is not None and self.watch is not None:
            self.watch = self.watch.after(happening.entry, self.match, kept.at)
            if isinstance(kept.body, TookBack):
                del self._numbers[ply:]
                self.hinted = {key: away for key, away in self.hinted.items() if key[1] < ply}
            elif isinstance(kept.body, Counted):
                self._numbers[ply - 1 :] = [kept.n]
            elif ply > len(self._numbers):
                self._numbers.append(kept.n)
        if not isinstance(kept.body, Drew | Acted | Claimed):
            self.seated_at = kept.n
        self.plies.append(ply)
        speaker = kept.body.seat if isinstance(kept.body, Said) else None
        self._said += isinstance(kept.body, Said)
        self.unheard_by.append(frozenset(seat for seat, whom in self._mutes if whom == speaker))
        if kept.cause:
            self._causes.setdefault(kept.cause, kept.n)

    def _happen(self, event: Body | Happening, now: int, cause: str | None = None) -> int:
        """Adds a new entry under the next number, which it returns."""
        happening = event if isinstance(event, Happening) else None
        body = event.entry if isinstance(event, Happening) else event
        if happening is None:
            self._apply(body)
        kept = Kept(self.last + 1, now, body, cause)
        self._keep(kept, happening)
        self.new.append(kept)
        return kept.n

    def drain_new(self) -> list[Kept]:
        """What is new since the last call, to be stored."""
        new, self.new = self.new, []
        return new
