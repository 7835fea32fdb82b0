"""Own data kept once by its digest; who created a match, how large it is, and when it is to be removed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """To this version."""
    op.create_table(
        "data",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
        sa.Column("used_ms", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "uses",
        sa.Column("match", sa.String(60), primary_key=True),
        sa.Column("digest", sa.String(64), primary_key=True),
    )
    op.create_index("uses_digest", "uses", ["digest"])
    op.add_column("matches", sa.Column("creator", sa.String(32)))
    op.add_column("matches", sa.Column("size", sa.BigInteger, nullable=False, server_default="0"))
    op.add_column("matches", sa.Column("bots_only", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("matches", sa.Column("remove_ms", sa.BigInteger))
    op.create_index("matches_creator", "matches", ["creator", "created_ms"])


def downgrade() -> None:
    """Back to the version before; matches with own data cannot be read any more."""
    op.drop_index("matches_creator", "matches")
    with op.batch_alter_table("matches") as table:
        for column in ("remove_ms", "bots_only", "size", "creator"):
            table.drop_column(column)
    op.drop_table("uses")
    op.drop_table("data")
