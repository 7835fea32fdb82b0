"""The tables of the store. `migrations` makes them; this is what queries are written with."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy import BigInteger, Boolean, Column, Double, Index, Integer, MetaData, Table, false

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
    Column("rating", String(8)),  # of a rated match: open, or done once it was counted
    Index("matches_due", "due_ms"),
    Index("matches_creator", "creator", "created_ms"),
    Index("matches_status", "status", "changed_ms"),
    Index("matches_rating", "rating", "status"),
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

ratings = Table(
    "ratings",
    metadata,
    Column("game", String(60), primary_key=True),
    Column("players", Integer, primary_key=True),
    Column("key", String(64), primary_key=True),
    Column("rating", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("volatility", Double, nullable=False),
    Column("games", Integer, nullable=False),
    Column("ended_ms", BigInteger, nullable=False),  # when the last of these games ended
    Index("ratings_key", "key"),
    Index("ratings_board", "game", "players", "rating"),
)

rated_matches = Table(
    "rated_matches",
    metadata,
    Column("match", String(60), primary_key=True),
    Column("game", String(60), nullable=False),
    Column("players", Integer, nullable=False),
    Column("ended_ms", BigInteger, nullable=False),
    Column("facts", Text, nullable=False),  # JSON of `ratings.rules.Facts`; it stays when the match is removed
    Column("verdict", String(20), nullable=False),
    Column("review", String(8), nullable=False),  # for the players' skill: open, done, or none if there can be none
    Index("rated_matches_order", "game", "players", "ended_ms", "match"),
    Index("rated_matches_review", "review", "ended_ms"),
)

rating_changes = Table(
    "rating_changes",
    metadata,
    Column("match", String(60), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("key", String(64), nullable=False),  # or bot:LEVEL
    Column("game", String(60), nullable=False),
    Column("players", Integer, nullable=False),
    Column("ended_ms", BigInteger, nullable=False),
    Column("before", Double, nullable=False),
    Column("before_deviation", Double, nullable=False),
    Column("rating", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("volatility", Double, nullable=False),
    Column("games", Integer, nullable=False),
    Index("rating_changes_key", "key", "game", "players", "ended_ms"),
)

skills = Table(
    "skills",
    metadata,
    Column("match", String(60), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("key", String(64), nullable=False),
    Column("game", String(60), nullable=False),
    Column("players", Integer, nullable=False),
    Column("decisions", Integer, nullable=False),
    Column("total", Double, nullable=False),  # of their losses
    Column("squares", Double, nullable=False),
    Index("skills_key", "key", "game", "players"),
)

tournaments = Table(
    "tournaments",
    metadata,
    Column("id", String(60), primary_key=True),
    Column("title", String(80), nullable=False),
    Column("kind", String(20), nullable=False),  # tournament, class
    Column("game", String(60), nullable=False),
    Column("setup", Text, nullable=False),  # JSON of `setup.Setup`: what its matches are made of
    Column("status", String(10), nullable=False),  # open, running, paused, over
    Column("listed", Boolean, nullable=False),
    Column("secret", String(64), nullable=False),  # the hash of the organiser's
    Column("seed", String(64), nullable=False),  # from which its matches have their names
    Column("creator", String(32)),  # as of matches
    Column("created_ms", BigInteger, nullable=False),
    Column("changed_ms", BigInteger, nullable=False),
    Column("size", Integer, nullable=False),  # what it took of the store when it was made, its own data included
    Index("tournaments_status", "status", "changed_ms"),
    Index("tournaments_creator", "creator"),
)

tournament_entries = Table(
    "tournament_entries",
    metadata,
    Column("tournament", String(60), primary_key=True),
    Column("sequence", Integer, primary_key=True),
    Column("body", Text, nullable=False),  # JSON of `tournament.events.Body`
    Column("at_ms", BigInteger, nullable=False),
    Column("cause", String(60)),
)

entrants = Table(
    "entrants",
    metadata,
    Column("tournament", String(60), primary_key=True),
    Column("entrant", Integer, primary_key=True),
    Column("secret", String(64)),  # its hash; none for bots, and for who entered with a key
    Column("player", String(64)),  # whose it is, where somebody entered who had signed in
    Column("house", String(16)),  # a keyed hash of the address, at listed tournaments only, to limit its entries
    Index("entrants_player", "player"),
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

waiting = Table(
    "waiting",
    metadata,
    Column("id", String(24), primary_key=True),
    # Who waits: a player's key, or the id of this row; none once a match was made. Nobody waits twice.
    Column("holder", String(64), unique=True),
    Column("wish", String(64), nullable=False),  # a digest of game, preset and clock: the same is wanted by both
    Column("game", String(60), nullable=False),
    Column("preset", String(60), nullable=False),
    Column("clock", String(40), nullable=False),
    Column("player", String(64)),
    Column("name", String(40), nullable=False),
    Column("commitment", String(64)),
    Column("secret", String(64), nullable=False),  # the hash of the ticket's secret, which becomes that of the seat
    Column("creator", String(32), nullable=False),  # a keyed hash of the address
    Column("created_ms", BigInteger, nullable=False),
    Column("seen_ms", BigInteger, nullable=False),  # when it was last connected; only who is there is given a seat
    Column("match", String(60)),
    Column("seat", Integer),
    Index("waiting_wish", "wish", "created_ms"),
)

friends = Table(
    "friends",
    metadata,
    Column("player", String(64), primary_key=True),  # who wants to be friends
    Column("other", String(64), primary_key=True),  # with whom; they are friends if both want it
    Column("declined", Boolean, nullable=False),  # by the other
    Column("withdrawn", Boolean, nullable=False),  # it was declined, and then taken back
    Column("at_ms", BigInteger, nullable=False),
    Index("friends_other", "other"),
)

invitations = Table(
    "invitations",
    metadata,
    Column("match", String(60), primary_key=True),
    Column("guest", String(64), primary_key=True),
    Column("host", String(64), nullable=False),
    Column("declined", Boolean, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    Index("invitations_guest", "guest"),
)

reminders = Table(
    "reminders",
    metadata,
    Column("player", String(64), primary_key=True),
    Column("push", Boolean, nullable=False),
    Column("mail", Boolean, nullable=False),
    Column("quiet_from", Integer),  # minutes after midnight where the player lives; none: no quiet hours
    Column("quiet_to", Integer),
    Column("zone", String(64), nullable=False),  # as the IANA calls it: Europe/Berlin
)

subscriptions = Table(
    "subscriptions",
    metadata,
    Column("id", String(64), primary_key=True),  # the digest of the endpoint
    Column("player", String(64), nullable=False),
    Column("endpoint", Text, nullable=False),
    Column("p256dh", String(100), nullable=False),
    Column("auth", String(40), nullable=False),
    Column("origin", String(300), nullable=False),  # of this server, as the browser calls it
    Column("created_ms", BigInteger, nullable=False),
    Column("failures", Integer, nullable=False),  # messages in a row that could not be sent
    Index("subscriptions_player", "player"),
)

mails = Table(
    "mails",
    metadata,
    Column("player", String(64), primary_key=True),
    Column("address", String(254), nullable=False),
    Column("confirmed", Boolean, nullable=False),
    Column("origin", String(300), nullable=False),
    Column("asked_ms", BigInteger, nullable=False),  # when the mail that asks for confirmation was sent
)

# How often an address was asked for confirmation, whoever gave it. No player can delete these rows.
confirmations = Table(
    "confirmations",
    metadata,
    Column("address", String(64), primary_key=True),  # a keyed hash of it
    Column("asked_ms", BigInteger, nullable=False),  # when it was last asked; 0: never
    Column("before_ms", BigInteger, nullable=False),  # and the time before that
    Column("stopped_ms", BigInteger, nullable=False),  # when a link in a mail was used to stop mails to it
)

notices = Table(
    "notices",
    metadata,
    Column("match", String(60), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("looked_ms", BigInteger, nullable=False),  # `changed_ms` of the match when it was last looked at
    Column("next_ms", BigInteger),  # when to look again although nothing has changed
    Column("turn", Integer, nullable=False),  # the entry with which the last turn began that was told
    Column("tries", Integer, nullable=False),
    Column("claimed_ms", BigInteger, nullable=False),  # when a server began to tell it
    Column("sent_ms", BigInteger),
)
