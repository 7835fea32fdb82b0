"""What is said over the wire on the host's page: how the server stands, lists, and the host's orders."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from astragal.server.backups import Backup
from astragal.server.journal import NO_NUL
from astragal.server.limits import MOST
from astragal.server.load import Load

Short = Annotated[str, Meta(min_length=1, max_length=100, pattern=NO_NUL)]
Seat = Annotated[int, Meta(ge=1, le=8)]


class Storage(Struct, frozen=True, kw_only=True):
    """What the store holds and how much room there is."""

    embedded: bool
    bytes: int
    free_bytes: int | None  # of the disk; None where the database is elsewhere
    matches: dict[str, int]  # by status
    players: int
    tournaments: int
    oldest_ms: int | None  # when the oldest match was created
    keep_days: int  # after which ended matches are removed; 0: never
    doomed: int  # matches that are marked to be removed


class Overview(Struct, frozen=True, kw_only=True):
    """How the server stands. The load is that of the one process that answers."""

    version: str
    process: str
    servers: int  # processes that share the store, this one included
    unreadable: int  # matches that could not be read
    damage: str  # what is broken in the store; empty: nothing that is known
    load: Load


class HostMatch(Struct, frozen=True, kw_only=True):
    """A match as the host sees it."""

    match: str
    game: str
    status: str
    listed: bool
    bots_only: bool
    rated: bool
    created_ms: int
    changed_ms: int
    players: tuple[str, ...] = ()  # their names, where the match is in the memory of this process
    followers: int = 0  # connections to it, at this process


class HostMatches(Struct, frozen=True, kw_only=True):
    """A page of matches; `after` leads to the next."""

    matches: tuple[HostMatch, ...]
    after: str | None


class HostPlayer(Struct, frozen=True, kw_only=True):
    """A player as the host sees it."""

    key: str
    name: str
    face: str
    seen_ms: int
    seats: int
    banned: bool
    renamed: bool


class HostTournament(Struct, frozen=True, kw_only=True):
    """A tournament as the host sees it."""

    tournament: str
    title: str
    kind: str
    game: str
    status: str
    listed: bool
    created_ms: int
    changed_ms: int


class HostLimit(Struct, frozen=True, kw_only=True):
    """A limit: what holds now, what this process was started with, and whether the host has changed it."""

    name: str
    flag: str
    text: str
    value: int
    started: int
    changed: bool
    least: int


class Backups(Struct, frozen=True, kw_only=True):
    """The backups beside the embedded store; `folder` is None for PostgreSQL, which has its own tools for that."""

    folder: str | None
    backups: tuple[Backup, ...] = ()


class Carried(Struct, frozen=True, kw_only=True):
    """What an order has done, in a sentence."""

    text: str


class HostOrder(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An order; `host_orders` knows it by its tag and takes its fields."""


class CloseMatch(HostOrder, frozen=True, kw_only=True, tag="close"):
    """A match will not go on."""

    match: Short


class KickSeat(HostOrder, frozen=True, kw_only=True, tag="kick"):
    """A seat is taken from its player; seats count from 1."""

    match: Short
    seat: Seat


class ReissueSeat(HostOrder, frozen=True, kw_only=True, tag="reissue"):
    """A seat gets a new link, and the old one is worth nothing."""

    match: Short
    seat: Seat


class DeleteMatch(HostOrder, frozen=True, kw_only=True, tag="delete"):
    """A match goes with all that belongs to it."""

    match: Short


class HushMatch(HostOrder, frozen=True, kw_only=True, tag="hush"):
    """All that was said in a match goes."""

    match: Short


class BanAddress(HostOrder, frozen=True, kw_only=True, tag="ban"):
    """An address or a network is kept out."""

    address: Short


class UnbanAddress(HostOrder, frozen=True, kw_only=True, tag="unban"):
    """An address may come in again."""

    address: Short


class RenamePlayer(HostOrder, frozen=True, kw_only=True, tag="player-rename"):
    """A player is called something else, for good."""

    key: Short
    called: Short


class BanPlayer(HostOrder, frozen=True, kw_only=True, tag="player-ban"):
    """A player is kept out."""

    key: Short


class UnbanPlayer(HostOrder, frozen=True, kw_only=True, tag="player-unban"):
    """A player may come in again."""

    key: Short


class ForgetPlayer(HostOrder, frozen=True, kw_only=True, tag="player-forget"):
    """A player goes, with its names and all it said."""

    key: Short


class StopTournament(HostOrder, frozen=True, kw_only=True, tag="tournament-stop"):
    """A tournament is over."""

    tournament: Short


class DeleteTournament(HostOrder, frozen=True, kw_only=True, tag="tournament-delete"):
    """A tournament goes, with its matches and all names."""

    tournament: Short


class ChangeLimit(HostOrder, frozen=True, kw_only=True, tag="limit"):
    """A limit changes, for all servers of the store."""

    name: Short
    value: Annotated[int, Meta(ge=0, le=MOST)] | None  # None: as each server was started


class KeepDays(HostOrder, frozen=True, kw_only=True, tag="keep-days"):
    """Matches are removed so many days after their end."""

    days: Annotated[int, Meta(ge=0, le=36_500)]


class MakeBackup(HostOrder, frozen=True, kw_only=True, tag="backup"):
    """A backup of the embedded store."""


class DeleteBackup(HostOrder, frozen=True, kw_only=True, tag="backup-delete"):
    """A backup that is not needed any more."""

    name: Short


AnyHostOrder = (
    CloseMatch
    | KickSeat
    | ReissueSeat
    | DeleteMatch
    | HushMatch
    | BanAddress
    | UnbanAddress
    | RenamePlayer
    | BanPlayer
    | UnbanPlayer
    | ForgetPlayer
    | StopTournament
    | DeleteTournament
    | ChangeLimit
    | KeepDays
    | MakeBackup
    | DeleteBackup
)
