"""What is said over the socket of a hall. Every message holds all of its subject, so that none before it is needed.

A client that was away connects again and is told everything anew; it never has to ask what it has missed.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from astragal.core.types import whole
from astragal.server import wire

MOST_FOLLOWED = 40  # matches that a client may name

MatchName = Annotated[str, Meta(max_length=60, pattern=whole(r"[A-Za-z0-9_-]+"))]
TicketName = Annotated[str, Meta(pattern=whole(r"[a-z0-9]{10,24}"))]


class Follow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="follow"):
    """Wants to hear of these matches, and no more of those that it named before."""

    matches: Annotated[tuple[MatchName, ...], Meta(max_length=MOST_FOLLOWED)]


class Wait(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="wait"):
    """Waits for a match with this ticket: as long as it is connected, somebody may be seated with it."""

    ticket: TicketName
    secret: Annotated[str, Meta(max_length=100)]


Command = Follow | Wait

_commands: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Command)


def read(data: str) -> Command:
    """A command as a client sent it. Raises msgspec.MsgspecError."""
    command: Command = _commands.decode(data)
    return command


class Welcome(Struct, frozen=True, kw_only=True, tag="welcome"):
    """Who the caller is here, and how this server can tell players something who are elsewhere."""

    player: str | None  # the key; null for a guest
    push_key: str  # for `PushManager.subscribe`
    mail: bool  # whether the host has set up e-mail


class Waiting(Struct, frozen=True, kw_only=True):
    """How many people wait for a match by these rules now."""

    game: str
    preset: str
    clock: str
    people: int


class Tables(Struct, frozen=True, kw_only=True, tag="tables"):
    """Listed tables with a free seat, the latest first; and who waits for a quick match."""

    tables: tuple[wire.Summary, ...]
    waiting: tuple[Waiting, ...] = ()


class MatchNews(Struct, frozen=True, kw_only=True, tag="match"):
    """How a match stands that the client follows or the player has a seat in."""

    match: wire.Summary
    seats: tuple[int, ...] = ()  # those that belong to the player


class Gone(Struct, frozen=True, kw_only=True, tag="gone"):
    """There is no such match any more."""

    match: str


class Ticket(Struct, frozen=True, kw_only=True, tag="ticket"):
    """What has become of a ticket. Who is seated enters the match with the ticket's secret."""

    ticket: str
    state: Literal["waiting", "seated", "gone"]
    match: str | None = None
    seat: int | None = None


class Person(Struct, frozen=True, kw_only=True):
    """A player whom the reader has played with."""

    key: str
    name: str
    face: str
    state: Literal["known", "asked", "asks", "friend"]  # asked: by the reader; asks: the reader
    online: bool = False  # told of friends only


class Invitation(Struct, frozen=True, kw_only=True):
    """Somebody wants to play with the reader."""

    host: Person
    match: wire.Summary


class People(Struct, frozen=True, kw_only=True, tag="people"):
    """Whom the player knows, and who invites it to a table."""

    people: tuple[Person, ...]
    invitations: tuple[Invitation, ...]


Message = Welcome | Tables | MatchNews | Gone | Ticket | People | wire.Refused | wire.Beat | wire.Closing
