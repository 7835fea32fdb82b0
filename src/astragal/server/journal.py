"""What a match's log holds: the entries of its record, and what happened at the table around them.

The log is the only thing the server stores about a running match. Entry n is event number n for everybody who sees
the match, whichever process serves it; a viewer who may not see an entry has a gap there.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from astragal.core import record
from astragal.core.fair import Hex, PlayerName, Why
from astragal.core.record import Header
from astragal.core.types import whole

NO_NUL = whole(r"[^\x00]*")  # what may stand in any text that comes over the wire; JSON holds no half surrogate pairs
Name = Annotated[str, Meta(max_length=40, pattern=NO_NUL)]
Closer = Literal["host", "time", "length"]
Line = Annotated[str, Meta(max_length=500, pattern=NO_NUL)]


class Sat(Struct, frozen=True, tag="sat"):
    """A human took a free seat."""

    seat: int
    name: str = ""
    face: str = ""  # of a player with a key: a seed, from which clients draw it


class Identified(Struct, frozen=True, tag="identified"):
    """Who took the seat of a rated match: a player's key. Nobody is told.

    `house` is a keyed hash of the address they came from, another one at every table, so that it only shows which of
    its seats came from one; None where the host counts such matches.
    """

    seat: int
    player: str
    house: str | None = None


class Promised(Struct, frozen=True, tag="promised"):
    """A seat committed itself to a seed of its own, or (None) plays without one."""

    seat: int
    commitment: Hex | None = None


class Opened(Struct, frozen=True, tag="opened"):
    """A seat opened the seed it had promised."""

    seat: int
    seed: Hex


class Left(Struct, frozen=True, tag="left"):
    """A seat was given up before the match began, and is free again."""

    seat: int


class Abandoned(Struct, frozen=True, tag="abandoned"):
    """A seat was given up when a seed was open; the next entries give the server a fresh seed and free the seat."""

    seat: int
    name: PlayerName
    why: Why
    commitment: Hex | None
    server_commitment: Hex


class Reseeded(Struct, frozen=True, tag="reseeded"):
    """The server took a fresh seed. The seed itself is a secret: others are told its commitment."""

    seed: Hex


class Began(Struct, frozen=True, tag="began"):
    """All seats are taken and all seeds opened; the header is that of the record."""

    header: Header


class Said(Struct, frozen=True, tag="said"):
    """A seat said something: its own words, or one of the ready phrases."""

    seat: int
    text: str = ""
    phrase: str = ""


class Muted(Struct, frozen=True, tag="muted"):
    """A seat will not hear another one, or (`on` is false) will again. Only that seat sees this."""

    seat: int
    whom: int
    on: bool = True


class Lengthened(Struct, frozen=True, tag="lengthened"):
    """A seat took more time, at a table that allows it."""

    seat: int


class Hinted(Struct, frozen=True, tag="hinted"):
    """A seat was given a hint. `away`: the actions that were taken away, where it was to know something."""

    seat: int
    ply: int
    away: tuple[str, ...] | None = None


class Shown(Struct, frozen=True, tag="shown"):
    """A seat's client has shown all that happened; the time of a question to it runs from here. Nobody is told."""

    seat: int


class Interrupted(Struct, frozen=True, tag="interrupted"):
    """No server ran between these moments; the clocks stood still."""

    since: int
    until: int


class Away(Struct, frozen=True, tag="away"):
    """A seat was gone for longer than the host allows; what followed from it is the next entry."""

    seat: int


class Again(Struct, frozen=True, tag="again"):
    """After the end a seat wants another match; `begins` is who shall begin it, where that is its choice."""

    seat: int
    begins: int | None = None


class NextMatch(Struct, frozen=True, tag="next match"):
    """The same players go on in another match."""

    match: str


class Closed(Struct, frozen=True, tag="closed"):
    """The table was closed by the host, since nobody came, or since it took too long; the match will not go on."""

    by: Closer = "host"


TableEntry = (
    Sat
    | Identified
    | Promised
    | Opened
    | Abandoned
    | Left
    | Reseeded
    | Began
    | Said
    | Muted
    | Lengthened
    | Shown
    | Hinted
    | Interrupted
    | Away
    | Again
    | NextMatch
    | Closed
)
Body = record.Entry | TableEntry


class Kept(Struct, frozen=True):
    """An entry of the log as it is stored; `cause` is the key of the request that caused it, if it had one."""

    n: int
    at: int  # milliseconds since 1970
    body: Body
    cause: str | None = None


_decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Body)


def read(text: str | bytes) -> Body:
    """A body as it was stored."""
    body: Body = _decoder.decode(text)
    return body


def write(body: Body) -> str:
    """A body as it is stored."""
    return msgspec.json.encode(body).decode()


def kind(body: Body) -> str:
    """The name of this kind of entry, as on the wire."""
    return str(type(body).__struct_config__.tag)
