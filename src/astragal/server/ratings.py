"""Ratings in the store: every rated match that is over is counted once, in the order of the matches' ends.

`matches.rating` is `open` until a match is counted, and becomes `done` in the transaction that writes what it changed.
So a match is counted once, whoever counts it and whenever a process is killed. A match that comes late, after one that
ended after it, has those counted anew: ratings depend on the matches alone, and `recount` comes to the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import msgspec
import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from astragal.core.types import AstragalError
from astragal.ratings.fold import Counted, Fold, Pool, Scale, fold
from astragal.ratings.rules import DAY_MS, Facts, Pair, is_bot
from astragal.ratings.standing import Standing
from astragal.server import metrics, rated_facts, rated_tables
from astragal.server.database import lock
from astragal.server.rooms import Rooms
from astragal.server.standings import standing
from astragal.server.store import Store
from astragal.server.tables import matches, rated_matches, rating_changes, ratings

_ONE_AT_A_TIME = 7_305_824_114  # PostgreSQL's advisory lock while something is counted
ENDED = ("over", "closed")
MOST_AT_ONCE = 200  # matches that a round of housekeeping counts


class Recounted(Struct, frozen=True, kw_only=True):
    """What a recount came to."""

    matches: int  # that were to be rated
    counted: int
    players: int
    changed: int  # ratings that are different now


class Ratings:
    """The ratings of one store."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms, self._store = rooms, rooms.store
        self._broken: set[str] = set()  # matches that cannot be read here

    async def settle(self, match: str) -> None:
        """Counts a match that is over, if nobody has yet. Raises AstragalError."""
        room = await self._rooms.room(match)
        if room.setup.rated and room.status in ENDED:
            await _settle(self._store, match, rated_facts.facts(room))

    async def settle_open(self) -> None:
        """Counts all that are over and were not counted: whoever was to do it may have been killed."""
        for match in await _open(self._store, self._broken):
            try:
                await self.settle(match)
            except AstragalError as error:
                self._broken.add(match)
                metrics.logger.warning("a match could not be rated: %s", error, extra={"match": match})

    async def recount(self, *, reviews: bool = False) -> Recounted:
        """Counts everything anew from the stored matches; of those that were removed, what was kept of them.

        `reviews` has the decisions of all stored matches judged anew too, when a server runs.
        """
        await self.settle_open()
        gathered = [await self._facts(match) for match in await _ended(self._store)]
        read = [facts for facts in gathered if facts is not None]
        async with self._store.changing() as connection:
            await _lock(connection)
            before = await _all_standings(connection)
            known = {facts.match: facts for facts in [*await _kept(connection), *read]}
            counted, standings = fold(known.values(), rated_tables.scales())
            for table in (ratings, rating_changes):
                await connection.execute(sa.delete(table))
            await _write_ledger(connection, counted)
            await _write_changes(connection, counted)
            for pool, of_pool in standings.items():
                await _write_standings(connection, pool, of_pool)
            if reviews:
                judged = rated_matches.c.verdict == "counted"
                stored = rated_matches.c.match.in_(sa.select(matches.c.id))
                await connection.execute(sa.update(rated_matches).where(judged, stored).values(review="open"))
        now = {(*pool, key): standing for pool, all in standings.items() for key, standing in all.items()}
        return Recounted(
            matches=len(known),
            counted=sum(one.verdict == "counted" for one in counted),
            players=len({key for _, _, key in now}),
            changed=sum(before.get(key) != now.get(key) for key in before.keys() | now.keys()),
        )

    async def _facts(self, match: str) -> Facts | None:
        """The facts of a stored match; None if it was removed or cannot be read here."""
        try:
            return rated_facts.facts(await self._rooms.read(match))
        except AstragalError:
            return None


async def _settle(store: Store, match: str, facts: Facts | None) -> None:
    async with store.changing() as connection:
        claim = sa.update(matches).where(matches.c.id == match, matches.c.rating == "open").values(rating="done")
        await _lock(connection)
        if (await connection.execute(claim)).rowcount and facts is not None:
            await _count(connection, facts)


async def _lock(connection: AsyncConnection) -> None:
    """One at a time; the embedded store has one writer anyway, from its first statement that writes."""
    await lock(connection, _ONE_AT_A_TIME)
    if connection.dialect.name == "sqlite":
        await connection.execute(sa.update(ratings).where(ratings.c.key == "").values(games=0))


async def _count(connection: AsyncConnection, facts: Facts) -> None:
    """Counts one more match, and again those of its pool that ended after it, if it comes late."""
    scale = rated_tables.scales().get(facts.game, Scale())
    since = sorted([facts, *await _kept(connection, facts)], key=lambda one: one.order)
    players = {player for one in since for player in one.players if player is not None and not is_bot(player)}
    standings = {player: one for player in players if (one := await _standing_before(connection, facts, player))}
    known = Fold(scale, standings, await _met_before(connection, facts, since))
    counted = [known.add(one) for one in since]
    after = sa.and_(_of_pool(rating_changes, facts.pool), ~_before(rating_changes, facts))
    await connection.execute(sa.delete(rating_changes).where(after))
    await connection.execute(sa.delete(ratings).where(_of_pool(ratings, facts.pool), ratings.c.key.in_(players)))
    await _write_ledger(connection, counted, _of_pool(rated_matches, facts.pool), ~_before(rated_matches, facts))
    await _write_changes(connection, counted)
    await _write_standings(connection, facts.pool, known.standings)


async def _write_ledger(
    connection: AsyncConnection, counted: Iterable[Counted], *among: sa.ColumnElement[bool]
) -> None:
    """Keeps what became of these matches, which are `among` these rows if they have one already.

    How far their reviews are stays as it was.
    """
    query = sa.select(rated_matches.c.match, rated_matches.c.facts, rated_matches.c.verdict).where(*among)
    known = {match: (facts, verdict) for match, facts, verdict in await connection.execute(query)}
    for one in counted:
        row = _ledger(one)
        if one.verdict == known.get(one.facts.match, ("", ""))[1]:
            del row["review"]
        if one.facts.match not in known:
            await connection.execute(sa.insert(rated_matches), row)
        elif known[one.facts.match] != (row["facts"], row["verdict"]):
            of_match = rated_matches.c.match == one.facts.match
            await connection.execute(sa.update(rated_matches).where(of_match).values(**row))


async def _write_changes(connection: AsyncConnection, counted: Iterable[Counted]) -> None:
    rows = [
        {
            "match": one.facts.match,
            "seat": change.seat,
            "key": change.player,
            "game": one.facts.game,
            "players": len(one.facts.players),
            "ended_ms": one.facts.ended_ms,
            "before": change.before.rating,
            "before_deviation": change.before.deviation,
            "rating": change.after.rating,
            "deviation": change.after.deviation,
            "volatility": change.after.volatility,
            "games": change.after.games,
        }
        for one in counted
        for change in one.changes
    ]
    if rows:
        await connection.execute(sa.insert(rating_changes), rows)


async def _write_standings(connection: AsyncConnection, pool: Pool, standings: Mapping[str, Standing]) -> None:
    if not standings:
        return
    game, players = pool
    await connection.execute(
        sa.insert(ratings),
        [
            {"game": game, "players": players, "key": key, **msgspec.structs.asdict(standing)}
            for key, standing in sorted(standings.items())
        ],
    )


def _ledger(counted: Counted) -> dict[str, Any]:
    facts = counted.facts
    return {
        "match": facts.match,
        "game": facts.game,
        "players": len(facts.players),
        "ended_ms": facts.ended_ms,
        "facts": msgspec.json.encode(facts).decode(),
        "verdict": counted.verdict,
        "review": "open" if counted.verdict == "counted" else "none",
    }


def _of_pool(table: sa.Table, pool: Pool) -> sa.ColumnElement[bool]:
    return sa.and_(table.c.game == pool[0], table.c.players == pool[1])


def _before(table: sa.FromClause, facts: Facts) -> sa.ColumnElement[bool]:
    """The rows of matches that are counted before this one."""
    ended, id = facts.order
    return sa.or_(table.c.ended_ms < ended, sa.and_(table.c.ended_ms == ended, table.c.match < id))


# Reading ---------------------------------------------------------------------------------------------------------


async def _open(store: Store, without: Collection[str]) -> list[str]:
    wanted = matches.c.rating == "open", matches.c.status.in_(ENDED), matches.c.id.not_in(without)
    query = sa.select(matches.c.id).where(*wanted).limit(MOST_AT_ONCE)
    async with store.reading() as connection:
        return list(await connection.scalars(query))


async def _ended(store: Store) -> list[str]:
    """All stored matches that were to be rated and have been counted."""
    async with store.reading() as connection:
        return list(await connection.scalars(sa.select(matches.c.id).where(matches.c.rating == "done")))


async def _kept(connection: AsyncConnection, since: Facts | None = None) -> list[Facts]:
    """What was kept of all matches, or of those in the pool of this one that are counted after it."""
    query = sa.select(rated_matches.c.facts)
    if since is not None:
        query = query.where(_of_pool(rated_matches, since.pool), ~_before(rated_matches, since))
    return [msgspec.json.decode(text, type=Facts) for text in await connection.scalars(query)]


async def _standing_before(connection: AsyncConnection, facts: Facts, player: str) -> Standing | None:
    """Where a player stood in the pool of a match before it; None for who had not played."""
    changes = rating_changes
    query = (
        sa.select(changes)
        .where(changes.c.key == player, _of_pool(changes, facts.pool), _before(changes, facts))
        .order_by(changes.c.ended_ms.desc(), changes.c.match.desc())
        .limit(1)
    )
    row = (await connection.execute(query)).mappings().first()
    return None if row is None else standing(row)


async def _all_standings(connection: AsyncConnection) -> dict[tuple[str, int, str], Standing]:
    rows = await connection.execute(sa.select(ratings))
    return {(row["game"], row["players"], row["key"]): standing(row) for row in rows.mappings()}


async def _met_before(connection: AsyncConnection, facts: Facts, since: Iterable[Facts]) -> Counter[Pair]:
    """How often those who meet in matches since this one had met before it, in counted ones of its day."""
    one, other = rating_changes.alias(), rating_changes.alias()
    met: Counter[Pair] = Counter()
    day = facts.ended_ms // DAY_MS
    for pair in {pair for each in since for pair in each.pairs if pair[2] == day}:
        query = (
            sa.select(sa.func.count(sa.distinct(one.c.match)))
            .join(other, other.c.match == one.c.match)
            .where(
                one.c.key == pair[0],
                other.c.key == pair[1],
                one.c.game == facts.game,
                one.c.players == len(facts.players),
                one.c.ended_ms >= day * DAY_MS,
                _before(one, facts),
            )
        )
        met[pair] = int(await connection.scalar(query) or 0)
    return met
