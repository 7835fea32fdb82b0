"""Ratings: where players stand, the rated matches, what each of them changed, and what reviews said of decisions."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """To this version."""
    op.add_column("matches", sa.Column("rating", sa.String(8)))
    op.create_index("matches_rating", "matches", ["rating", "status"])
    op.create_table(
        "ratings",
        *_pool(primary_key=True),
        sa.Column("key", sa.String(64), primary_key=True),
        *_numbers("rating", "deviation", "volatility"),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("ended_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("ratings_key", "ratings", ["key"])
    op.create_index("ratings_board", "ratings", ["game", "players", "rating"])
    op.create_table(
        "rated_matches",
        sa.Column("match", sa.String(60), primary_key=True),
        *_pool(),
        sa.Column("ended_ms", sa.BigInteger, nullable=False),
        sa.Column("facts", sa.Text, nullable=False),
        sa.Column("verdict", sa.String(20), nullable=False),
        sa.Column("review", sa.String(8), nullable=False),
    )
    op.create_index("rated_matches_order", "rated_matches", ["game", "players", "ended_ms", "match"])
    op.create_index("rated_matches_review", "rated_matches", ["review", "ended_ms"])
    op.create_table(
        "rating_changes",
        sa.Column("match", sa.String(60), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("key", sa.String(64), nullable=False),
        *_pool(),
        sa.Column("ended_ms", sa.BigInteger, nullable=False),
        *_numbers("before", "before_deviation", "rating", "deviation", "volatility"),
        sa.Column("games", sa.Integer, nullable=False),
    )
    op.create_index("rating_changes_key", "rating_changes", ["key", "game", "players", "ended_ms"])
    op.create_table(
        "skills",
        sa.Column("match", sa.String(60), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("key", sa.String(64), nullable=False),
        *_pool(),
        sa.Column("decisions", sa.Integer, nullable=False),
        *_numbers("total", "squares"),
    )
    op.create_index("skills_key", "skills", ["key", "game", "players"])


def downgrade() -> None:
    """Back to the version before; ratings are lost."""
    for name in ("skills", "rating_changes", "rated_matches", "ratings"):
        op.drop_table(name)
    op.drop_index("matches_rating", "matches")
    with op.batch_alter_table("matches") as table:
        table.drop_column("rating")


def _pool(*, primary_key: bool = False) -> list[sa.Column[object]]:
    """A game and a number of players."""
    return [
        sa.Column("game", sa.String(60), primary_key=primary_key, nullable=False),
        sa.Column("players", sa.Integer, primary_key=primary_key, nullable=False),
    ]


def _numbers(*names: str) -> list[sa.Column[float]]:
    return [sa.Column(name, sa.Double, nullable=False) for name in names]
