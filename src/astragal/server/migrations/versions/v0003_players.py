"""Players by their keys, which seats are theirs, and the nonces that were signed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """To this version."""
    op.create_table(
        "players",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("face", sa.String(16), nullable=False),
        sa.Column("lang", sa.String(2), nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("seen_ms", sa.BigInteger, nullable=False),
        sa.Column("renamed", sa.Boolean, nullable=False),
        sa.Column("banned", sa.Boolean, nullable=False),
    )
    op.create_table(
        "nonces",
        sa.Column("nonce", sa.String(64), primary_key=True),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
    )
    op.add_column("seats", sa.Column("player", sa.String(64)))
    op.create_index("seats_player", "seats", ["player"])


def downgrade() -> None:
    """Back to the version before; whose seats they are is forgotten."""
    op.drop_index("seats_player", "seats")
    with op.batch_alter_table("seats") as table:
        table.drop_column("player")
    op.drop_table("nonces")
    op.drop_table("players")
