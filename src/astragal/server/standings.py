"""What the store knows of players' ratings, for people to look at: profiles, leaderboards, what a match changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from astragal.ratings import skill
from astragal.ratings.rules import Facts
from astragal.ratings.skill import Losses, Skill
from astragal.ratings.standing import PROVISIONAL, Standing
from astragal.server.store import Store
from astragal.server.tables import players, rated_matches, rating_changes, ratings, skills

MOST_POINTS = 200  # of a history

GONE = "gone:"  # and something random: a player who was forgotten


class Point(Struct, frozen=True, kw_only=True):
    """A rating after one match."""

    at: int  # when it ended, in milliseconds since 1970
    match: str
    rating: float
    deviation: float


class Rated(Struct, frozen=True, kw_only=True):
    """A rating, and how far it may be off: in 95 of 100 cases by no more than twice its deviation."""

    game: str
    players: int
    rating: float
    deviation: float
    games: int
    provisional: bool  # too few games for the leaderboard
    skill: Skill | None = None  # the average loss of a decision, from reviews
    history: tuple[Point, ...] = ()  # the last matches, the oldest first


class Ranked(Struct, frozen=True, kw_only=True):
    """A line of a leaderboard."""

    rank: int
    key: str
    name: str
    face: str
    rating: float
    deviation: float
    games: int
    skill: Skill | None = None


class Changed(Struct, frozen=True):
    """What a match changed for one seat."""

    before: float
    before_deviation: float
    rating: float
    deviation: float
    games: int


async def of_player(store: Store, key: str) -> tuple[Rated, ...]:
    """All ratings of a player."""
    async with store.reading() as connection:
        query = sa.select(ratings).where(ratings.c.key == key).order_by(ratings.c.game, ratings.c.players)
        rows = (await connection.execute(query)).mappings().all()
        return tuple(
            [
                Rated(
                    **{name: row[name] for name in ("game", "players", "rating", "deviation", "games")},
                    provisional=row["games"] < PROVISIONAL,
                    skill=(await _skills(connection, row["game"], row["players"], [key])).get(key),
                    history=await _history(connection, key, row["game"], row["players"]),
                )
                for row in rows
            ]
        )


async def _history(connection: AsyncConnection, key: str, game: str, number: int) -> tuple[Point, ...]:
    c = rating_changes.c
    query = (
        sa.select(c.ended_ms, c.match, c.rating, c.deviation)
        .where(c.key == key, c.game == game, c.players == number)
        .order_by(c.ended_ms.desc(), c.match.desc())
        .limit(MOST_POINTS)
    )
    rows = list(await connection.execute(query))
    return tuple(Point(at=row[0], match=row[1], rating=row[2], deviation=row[3]) for row in reversed(rows))


async def _skills(connection: AsyncConnection, game: str, number: int, keys: Sequence[str]) -> dict[str, Skill | None]:
    """What reviews say of these players' decisions."""
    c, add = skills.c, sa.func.sum
    query = (
        sa.select(c.key, sa.func.count(), add(c.decisions), add(c.total), add(c.squares))
        .where(c.key.in_(keys), c.game == game, c.players == number, c.decisions > 0)
        .group_by(c.key)
    )
    rows = await connection.execute(query)
    return {key: skill.skill(Losses(int(n), total, squares), matches) for key, matches, n, total, squares in rows}


async def leaderboard(store: Store, game: str, number: int, most: int) -> tuple[Ranked, ...]:
    """The best of a pool: players who are known here, are not banned, and whose rating is not provisional."""
    columns = (ratings.c.key, players.c.name, players.c.face, ratings.c.rating, ratings.c.deviation, ratings.c.games)
    query = (
        sa.select(*columns)
        .join(players, players.c.key == ratings.c.key)
        .where(
            ratings.c.game == game, ratings.c.players == number, ratings.c.games >= PROVISIONAL, ~players.c.banned
        )
        .order_by(ratings.c.rating.desc(), ratings.c.key)
        .limit(most)
    )  # fmt: skip
    async with store.reading() as connection:
        rows = (await connection.execute(query)).mappings().all()
        known = await _skills(connection, game, number, [row["key"] for row in rows])
    return tuple(Ranked(rank=n, **row, skill=known.get(row["key"])) for n, row in enumerate(rows, 1))


async def pools(store: Store) -> list[tuple[str, int, int]]:
    """Every game and number of players in which somebody is rated, and how many are."""
    columns = (ratings.c.game, ratings.c.players)
    query = (
        sa.select(*columns, sa.func.count())
        .join(players, players.c.key == ratings.c.key)
        .where(~players.c.banned)
        .group_by(*columns)
        .order_by(*columns)
    )
    async with store.reading() as connection:
        return [(row[0], row[1], row[2]) for row in await connection.execute(query)]


async def now(store: Store, game: str, number: int, keys: Sequence[str]) -> dict[str, Standing]:
    """Where these players stand now; who has no rating yet is left out."""
    query = sa.select(ratings).where(ratings.c.game == game, ratings.c.players == number, ratings.c.key.in_(keys))
    async with store.reading() as connection:
        rows = (await connection.execute(query)).mappings().all()
        return {row["key"]: standing(row) for row in rows}


def standing(row: sa.RowMapping) -> Standing:
    """A row of the ratings, or of what a match changed."""
    return Standing(**{name: row[name] for name in Standing.__struct_fields__})


async def of_match(store: Store, match: str) -> tuple[str | None, dict[int, Changed]]:
    """What became of a match (None: it was not counted yet), and what it changed, by seat."""
    async with store.reading() as connection:
        verdict = await connection.scalar(sa.select(rated_matches.c.verdict).where(rated_matches.c.match == match))
        names = ("seat", *Changed.__struct_fields__)
        query = sa.select(*(rating_changes.c[name] for name in names)).where(rating_changes.c.match == match)
        rows = (await connection.execute(query)).mappings().all()
        return verdict, {row["seat"]: Changed(*(row[name] for name in names[1:])) for row in rows}


# Leaving ---------------------------------------------------------------------------------------------------------


async def export(store: Store, key: str) -> dict[str, Any]:
    """All that is stored about a player's ratings."""
    tables = {"ratings": ratings, "changes": rating_changes, "skills": skills}
    async with store.reading() as connection:
        return {
            name: [dict(row) for row in (await connection.execute(_of(table, key))).mappings()]
            for name, table in tables.items()
        }


def _of(table: sa.Table, key: str) -> sa.Select[Any]:
    order = [table.c.match, table.c.seat] if "match" in table.c else [table.c.game, table.c.players]
    return sa.select(table).where(table.c.key == key).order_by(*order)


async def forget(store: Store, key: str, called: str) -> None:
    """Calls a player something that says nothing, in all that ratings are made of; others' ratings stay as they are."""
    async with store.changing() as connection:
        played = await connection.execute(
            sa.select(rated_matches.c.match, rated_matches.c.facts).where(rated_matches.c.facts.contains(key))
        )
        for match, text in played.all():
            facts = msgspec.json.decode(text, type=Facts)
            named = tuple(called if player == key else player for player in facts.players)
            await connection.execute(
                sa.update(rated_matches)
                .where(rated_matches.c.match == match)
                .values(facts=msgspec.json.encode(msgspec.structs.replace(facts, players=named)).decode())
            )
        for table in (ratings, rating_changes):
            await connection.execute(sa.update(table).where(table.c.key == key).values(key=called))
        await connection.execute(sa.delete(skills).where(skills.c.key == key))


async def called(store: Store, match: str, seat: int) -> str | None:
    """What the player of a seat is called in what ratings are made of; None if the match was not counted."""
    async with store.reading() as connection:
        text = await connection.scalar(sa.select(rated_matches.c.facts).where(rated_matches.c.match == match))
    return None if text is None else msgspec.json.decode(text, type=Facts).players[seat]
