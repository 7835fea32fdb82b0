"""The first tables: matches, their logs, their seats, bans, and facts about the server itself."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """To this version."""
    op.create_table(
        "matches",
        sa.Column("id", sa.String(60), primary_key=True),
        sa.Column("game", sa.String(60), nullable=False),
        sa.Column("setup", sa.Text, nullable=False),
        sa.Column("server_seed", sa.String(64), nullable=False),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("invite", sa.String(64)),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("changed_ms", sa.BigInteger, nullable=False),
        sa.Column("due_ms", sa.BigInteger),
        sa.Column("absent_ms", sa.BigInteger),
    )
    op.create_index("matches_due", "matches", ["due_ms"])
    op.create_index("matches_status", "matches", ["status", "changed_ms"])
    op.create_table(
        "entries",
        sa.Column("match", sa.String(60), primary_key=True),
        sa.Column("sequence", sa.Integer, primary_key=True),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("cause", sa.String(60)),
    )
    op.create_table(
        "seats",
        sa.Column("match", sa.String(60), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("secret", sa.String(64)),
        sa.Column("seen_ms", sa.BigInteger),
    )
    op.create_table(
        "bans",
        sa.Column("address", sa.String(60), primary_key=True),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "facts",
        sa.Column("name", sa.String(40), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )


def downgrade() -> None:
    """Back to nothing."""
    for table in ("facts", "bans", "seats", "entries", "matches"):
        op.drop_table(table)
