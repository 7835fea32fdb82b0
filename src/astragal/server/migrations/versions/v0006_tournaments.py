"""Tournaments, their logs, and who takes part in them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """To this version."""
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(60), primary_key=True),
        sa.Column("title", sa.String(80), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("game", sa.String(60), nullable=False),
        sa.Column("setup", sa.Text, nullable=False),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("seed", sa.String(64), nullable=False),
        sa.Column("creator", sa.String(32)),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("changed_ms", sa.BigInteger, nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
    )
    op.create_index("tournaments_status", "tournaments", ["status", "changed_ms"])
    op.create_index("tournaments_creator", "tournaments", ["creator"])
    op.create_table(
        "tournament_entries",
        sa.Column("tournament", sa.String(60), primary_key=True),
        sa.Column("sequence", sa.Integer, primary_key=True),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("cause", sa.String(60)),
    )
    op.create_table(
        "entrants",
        sa.Column("tournament", sa.String(60), primary_key=True),
        sa.Column("entrant", sa.Integer, primary_key=True),
        sa.Column("secret", sa.String(64)),
        sa.Column("player", sa.String(64)),
        sa.Column("house", sa.String(16)),
    )
    op.create_index("entrants_player", "entrants", ["player"])


def downgrade() -> None:
    """Back to the version before; tournaments are forgotten, their matches stay."""
    op.drop_index("entrants_player", "entrants")
    op.drop_table("entrants")
    op.drop_table("tournament_entries")
    op.drop_index("tournaments_creator", "tournaments")
    op.drop_index("tournaments_status", "tournaments")
    op.drop_table("tournaments")
