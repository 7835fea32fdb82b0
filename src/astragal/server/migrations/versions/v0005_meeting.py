"""Meeting others: who waits for a match, invitations, friends, and how players are told that it is their turn."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """To this version."""
    op.create_table(
        "waiting",
        sa.Column("id", sa.String(24), primary_key=True),
        sa.Column("holder", sa.String(64), unique=True),
        sa.Column("wish", sa.String(64), nullable=False),
        sa.Column("game", sa.String(60), nullable=False),
        sa.Column("preset", sa.String(60), nullable=False),
        sa.Column("clock", sa.String(40), nullable=False),
        sa.Column("player", sa.String(64)),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("commitment", sa.String(64)),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("creator", sa.String(32), nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("seen_ms", sa.BigInteger, nullable=False),
        sa.Column("match", sa.String(60)),
        sa.Column("seat", sa.Integer),
    )
    op.create_index("waiting_wish", "waiting", ["wish", "created_ms"])
    op.create_table(
        "friends",
        sa.Column("player", sa.String(64), primary_key=True),
        sa.Column("other", sa.String(64), primary_key=True),
        sa.Column("declined", sa.Boolean, nullable=False),
        sa.Column("withdrawn", sa.Boolean, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("friends_other", "friends", ["other"])
    op.create_table(
        "invitations",
        sa.Column("match", sa.String(60), primary_key=True),
        sa.Column("guest", sa.String(64), primary_key=True),
        sa.Column("host", sa.String(64), nullable=False),
        sa.Column("declined", sa.Boolean, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("invitations_guest", "invitations", ["guest"])
    op.create_table(
        "reminders",
        sa.Column("player", sa.String(64), primary_key=True),
        sa.Column("push", sa.Boolean, nullable=False),
        sa.Column("mail", sa.Boolean, nullable=False),
        sa.Column("quiet_from", sa.Integer),
        sa.Column("quiet_to", sa.Integer),
        sa.Column("zone", sa.String(64), nullable=False),
    )
    op.create_table(
        "subscriptions",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("player", sa.String(64), nullable=False),
        sa.Column("endpoint", sa.Text, nullable=False),
        sa.Column("p256dh", sa.String(100), nullable=False),
        sa.Column("auth", sa.String(40), nullable=False),
        sa.Column("origin", sa.String(300), nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("failures", sa.Integer, nullable=False),
    )
    op.create_index("subscriptions_player", "subscriptions", ["player"])
    op.create_table(
        "mails",
        sa.Column("player", sa.String(64), primary_key=True),
        sa.Column("address", sa.String(254), nullable=False),
        sa.Column("confirmed", sa.Boolean, nullable=False),
        sa.Column("origin", sa.String(300), nullable=False),
        sa.Column("asked_ms", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "confirmations",
        sa.Column("address", sa.String(64), primary_key=True),
        sa.Column("asked_ms", sa.BigInteger, nullable=False),
        sa.Column("before_ms", sa.BigInteger, nullable=False),
        sa.Column("stopped_ms", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "notices",
        sa.Column("match", sa.String(60), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("looked_ms", sa.BigInteger, nullable=False),
        sa.Column("next_ms", sa.BigInteger),
        sa.Column("turn", sa.Integer, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("claimed_ms", sa.BigInteger, nullable=False),
        sa.Column("sent_ms", sa.BigInteger),
    )


def downgrade() -> None:
    """Back to the version before; whoever waited asks again, and nobody is told of turns."""
    for table in (
        "notices", "confirmations", "mails", "subscriptions", "reminders", "invitations", "friends", "waiting",
    ):  # fmt: skip
        op.drop_table(table)
