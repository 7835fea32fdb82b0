"""The tables of the store. `migrations` makes them; this is what queries are written with."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, MetaData, Table, false

from astragal.server.health import check_text as check_text

metadata = MetaData()


class String(sa.types.TypeDecorator[str]):
    """A text that every database takes: nothing with NUL or half a surrogate pair reaches a statement."""

    impl = sa.String
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Any) -> str | None:
        if value is not None:
            check_text(value)
        return value


class Text(String):
    """One of any length."""

    impl = sa.Text
    cache_ok = True


matches = Table(
    "matches",
    metadata,
    Column("id", String(60), primary_key=True),
    Column("game", String(60), nullable=False),
    Column("setup", Text, nullable=False),  # JSON of `setup.Setup`
    Column("server_seed", String(64), nullable=False),
    Column("status", String(10), nullable=False),  # lobby, running, over, closed
    Column("listed", Boolean, nullable=False),
    Column("invite", String(64)),  # the hash of the invitation's secret; none: anybody may join
    Column("created_ms", BigInteger, nullable=False),
    Column("changed_ms", BigInteger, nullable=False),
    Column("due_ms", BigInteger),  # when something must happen that no player does: a bot's move, a fallen clock
    Column("absent_ms", BigInteger),  # how long a player may be gone
    Column("creator", String(32)),  # a keyed hash of the address that created it
    Column("size", BigInteger, nullable=False, server_default="0"),  # bytes that it took when it was created
    Column("bots_only", Boolean, nullable=False, server_default=false()),
    Column("remove_ms", BigInteger),  # when it is to be removed
    Index("matches_due", "due_ms"),
    Index("matches_creator", "creator", "created_ms"),
    Index("matches_status", "status", "changed_ms"),
)

entries = Table(
    "entries",
    metadata,
    Column("match", String(60), primary_key=True),
    Column("sequence", Integer, primary_key=True),
    Column("body", Text, nullable=False),  # JSON of `log.Body`
    Column("at_ms", BigInteger, nullable=False),
    Column("cause", String(60)),
)

seats = Table(
    "seats",
    metadata,
    Column("match", String(60), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("secret", String(64)),  # its hash; none while the seat is free
    Column("seen_ms", BigInteger),  # when its player was last connected
    Column("player", String(64)),  # whose it is, where somebody sat down who had signed in
    Index("seats_player", "player"),
)

players = Table(
    "players",
    metadata,
    Column("key", String(64), primary_key=True),  # the public half, in hex
    Column("name", String(40), nullable=False),
    Column("face", String(16), nullable=False),
    Column("lang", String(2), nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("seen_ms", BigInteger, nullable=False),  # when it last signed in
    Column("renamed", Boolean, nullable=False),
    Column("banned", Boolean, nullable=False),
)

nonces = Table(
    "nonces",
    metadata,
    Column("nonce", String(64), primary_key=True),  # that was signed, and is worth nothing any more
    Column("at_ms", BigInteger, nullable=False),
)

bans = Table(
    "bans",
    metadata,
    Column("address", String(60), primary_key=True),
    Column("at_ms", BigInteger, nullable=False),
)

facts = Table(
    "facts",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)

data = Table(
    "data",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("value", Text, nullable=False),  # JSON of a board, a layout, a deck; only what was checked is here
    Column("used_ms", BigInteger, nullable=False),  # when a match with it was last created
)

uses = Table(
    "uses",
    metadata,
    Column("match", String(60), primary_key=True),
    Column("digest", String(64), primary_key=True),
    Index("uses_digest", "digest"),
)
