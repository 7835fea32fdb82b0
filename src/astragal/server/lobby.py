"""A match before it begins: seats, promised and opened seeds, and the checks of what a seat sends there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from msgspec import Struct

from astragal.core import fair
from astragal.core.fair import Fairness, Why
from astragal.core.language import say, say_count
from astragal.server.journal import Abandoned, Kept, Promised, Reseeded, TableEntry
from astragal.server.problems import Problem
from astragal.server.setup import OPEN, PHRASES, cleaned

MOST_ABANDONED = 2  # from so many at one table on, a seat given up while seeds are open stays empty for a while
WAIT_MS = 10 * 60_000


class Identity(Struct, frozen=True):
    """Who takes a seat of a rated table: see `journal.Identified`."""

    player: str
    house: str | None = None


class LobbySeat:
    """A seat before the match: who sits there, and the seed it brings."""

    def __init__(self, plan: str, before: LobbySeat | None = None) -> None:
        self.plan = plan
        self.held_back: int = 0 if before is None else before.held_back  # see `hold_back`
        self.shut_until: int = 0 if before is None else before.shut_until
        self.free = plan == OPEN
        self.name = self.face = ""
        self.identity: Identity | None = None  # of its player, at a rated table
        self.promised = False
        self.commitment: str | None = None
        self.seed: str | None = None

    @property
    def ready(self) -> bool:
        """Whether nothing more is needed from here."""
        return not self.free and (
            self.plan != OPEN or (self.promised and (self.commitment is None) == (self.seed is None))
        )


def fairness(server_seed: bytes, lobby_seats: Sequence[LobbySeat], gone: Sequence[Abandoned]) -> Fairness:
    """What is promised and opened so far, and who left in the midst of it."""
    return Fairness(
        server_commitment=fair.commit(server_seed),
        seat_commitments=tuple(lobby_seat.commitment for lobby_seat in lobby_seats),
        seat_seeds=tuple(lobby_seat.seed for lobby_seat in lobby_seats),
        abandoned=tuple(fair.Abandoned(**msgspec.structs.asdict(given_up)) for given_up in gone),
    )


def openers(lobby_seats: Sequence[LobbySeat]) -> tuple[int, ...]:
    """The seats whose turn it is to open the seed they promised, once nothing else is missing.

    All at once; but a seat that held its seed back when one was last given up opens before the others, so that
    nobody sees their seeds from there a second time.
    """
    if any(lobby_seat.free or (lobby_seat.plan == OPEN and not lobby_seat.promised) for lobby_seat in lobby_seats):
        return ()
    closed = [seat for seat, lobby_seat in enumerate(lobby_seats) if not lobby_seat.ready]
    first = max((lobby_seats[seat].held_back for seat in closed), default=0)
    return tuple(seat for seat in closed if lobby_seats[seat].held_back == first)


def abandonments(
    lobby_seats: Sequence[LobbySeat], seats: Sequence[int], why: Why, server_seed: bytes
) -> list[TableEntry]:
    """What is kept about seats that are given up now, if the throws could be known to somebody: a seed is open."""
    if all(lobby_seat.seed is None for lobby_seat in lobby_seats):
        return []
    entries = [
        Abandoned(seat, lobby_seats[seat].name, why, lobby_seats[seat].commitment, fair.commit(server_seed))
        for seat in seats
        if not lobby_seats[seat].free
    ]
    return [*entries, Reseeded(fair.new_seed().hex())] if entries else []


def hold_back(lobby_seats: Sequence[LobbySeat], number: int) -> None:
    """Notes which seats still hold a seed back now that one is given up; `number` is how many were given up so far."""
    for lobby_seat in lobby_seats:
        if lobby_seat.commitment is not None and lobby_seat.seed is None:
            lobby_seat.held_back = number


def check_shut(lobby_seats: Sequence[LobbySeat], seat: int, now: int) -> None:
    """Refuses a seat that stays empty for a while."""
    if (left := lobby_seats[seat].shut_until - now) > 0:
        raise Problem(
            "seat_taken",
            say_count(
                -(-left // 60_000),
                "seat {seat} was given up too often while seeds were being opened; it is free in {n} minute",
                "seat {seat} was given up too often while seeds were being opened; it is free in {n} minutes",
                seat=seat + 1,
            ),
        )


def check_fresh(log: Iterable[Kept], commitment: str | None) -> None:
    """Refuses a promise that was made at this table before: its seed may be known."""
    used = (kept.body.commitment for kept in log if isinstance(kept.body, Promised))
    if commitment is not None and commitment in used:
        raise Problem("not_possible", say("this seed was promised here before; bring a new one"))


def check_identity(lobby_seats: Iterable[LobbySeat], identity: Identity | None) -> None:
    """Refuses guests at a rated table, and whoever sits there already."""
    if identity is None:
        raise Problem("not_signed_in", say("this match is rated; sign in with a key to play in it"))
    if any(other.identity is not None and other.identity.player == identity.player for other in lobby_seats):
        raise Problem("not_possible", say("you sit at this table already, and a rated match wants different players"))


def check_promise(lobby_seats: Sequence[LobbySeat], seat: int) -> None:
    """Refuses a second promise of a seat."""
    if lobby_seats[seat].promised:
        raise Problem("not_possible", say("seat {seat} has made its promise already", seat=seat + 1))


def check_seed(lobby_seats: Sequence[LobbySeat], seat: int, seed: str) -> None:
    """Refuses a seed that is opened too early, or is not the one promised."""
    lobby_seat = lobby_seats[seat]
    if any(other.free or (other.plan == OPEN and not other.promised) for other in lobby_seats):
        raise Problem("not_possible", say("seeds are opened when all seats are taken and have promised theirs"))
    if lobby_seat.seed is not None or lobby_seat.commitment is None:
        raise Problem("not_possible", say("seat {seat} has no seed to open", seat=seat + 1))
    turn = openers(lobby_seats)
    if seat not in turn:
        raise Problem("not_possible", say("seat {seat} opens its seed first", seat=turn[0] + 1))
    if fair.commit(bytes.fromhex(seed)) != lobby_seat.commitment:
        raise Problem("not_possible", say("this is not the seed that seat {seat} promised", seat=seat + 1))


def check_other(lobby_seats: Sequence[LobbySeat], seat: int, whom: int) -> None:
    """Refuses a seat that is one's own, or none."""
    if whom == seat or not 0 <= whom < len(lobby_seats):
        raise Problem("not_possible", say("there is no other seat {seat}", seat=whom + 1))


def words(text: str, phrase: str) -> tuple[str, str]:
    """What somebody says, fit to be heard: own words, or one of the phrases."""
    text = cleaned(text)
    if phrase and phrase not in PHRASES:
        raise Problem("malformed", say("{value!r} is not one of {shape}", value=phrase, shape=", ".join(PHRASES)))
    if bool(text) == bool(phrase):
        raise Problem("malformed", say("say a text or a phrase, one of the two"))
    return text, phrase
