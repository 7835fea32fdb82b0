"""Ratings in the store: counted once whatever happens, the same when counted anew, and nothing of it can be farmed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from astragal import bots
from astragal.core import fair
from astragal.core.types import BadOptions
from astragal.ratings.rules import MOST_A_DAY
from astragal.server import auth, checks, forgetting, players, rated_facts, standings, tables, wire
from astragal.server.limits import LiveLimits
from astragal.server.lobby import Identity
from astragal.server.players import Profile
from astragal.server.problems import Problem
from astragal.server.quotas import Quotas
from astragal.server.ratings import Ratings, Recounted
from astragal.server.room import Room
from astragal.server.rooms import Rooms
from astragal.server.settings import Settings
from astragal.server.store import MatchRow, Store
from tests.server.test_store import place as place
from tests.server.test_store import with_store

TABLES = (tables.ratings, tables.rated_matches, tables.rating_changes)


def table(
    rooms: Rooms, keys: Sequence[str], *, houses: Sequence[str | None] = (), **more: Any
) -> tuple[MatchRow, Room]:
    """A rated match that has just begun, and is not stored."""
    seats = tuple(key if key.startswith("bot:") else "open" for key in keys)
    wanted = wire.NewMatch(**{"game": "ur", "seats": seats, "rated": True, **more})
    settled, now = checks.settle(wanted), rooms.now()
    row = MatchRow(
        id=auth.new_id(), game=wanted.game, setup=msgspec.json.encode(settled.setup).decode(),
        server_seed=fair.new_seed().hex(), status="lobby", listed=True, invite=None, created_ms=now, changed_ms=now,
        rating="open" if wanted.rated else None,
    )  # fmt: skip
    room = Room(row, settled.view)
    for seat, key in enumerate(keys):
        if seats[seat] == "open":
            house = houses[seat] if houses else None
            room.sit(seat, key, None, now, identity=Identity(key, house) if wanted.rated else None)
    return row, room


def act(room: Room, now: int) -> int:
    """The seat to act does the first thing it can; says which seat that was."""
    match = room.playing()
    seat, action = match.turn, match.view(match.turn).legal[0]
    if room.bot_to_move:
        room.move_bot(seat, bots.Choice(action), now)
    else:
        room.do(seat, wire.Act(ply=match.ply, text=room.game.rules.encode(action)), now)
    return seat


async def play(rooms: Rooms, *keys: str, loser: int = 1, **more: Any) -> str:
    """A match in which everybody has moved and one gave up. Nobody counts it: no server runs."""
    row, room = table(rooms, keys, **more)
    acted: set[int] = set()
    while len(acted) < len(keys):
        acted.add(act(room, rooms.now()))
    room.do(loser, wire.Resign(), rooms.now())
    while room.status == "running":  # more than two: the others go on until one is left
        seat = next(
            seat for seat in range(len(keys)) if seat != loser and not room.seats[seat].player.startswith("bot")
        )
        loser = seat
        room.do(seat, wire.Resign(), rooms.now())
    await rooms.create(row, room, [None] * len(keys))
    return row.id


async def rows(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    """All that ratings have stored."""
    async with store.reading() as connection:
        return {
            each.name: [tuple(row) for row in await connection.execute(sa.select(each).order_by(*each.primary_key))]
            for each in TABLES
        }


async def verdict(store: Store, match: str) -> str | None:
    return (await standings.of_match(store, match))[0]


def test_a_match_is_counted_once_however_often_it_is_settled(place: str) -> None:
    async def work(store: Store) -> None:
        rooms = Rooms(store)
        ratings, match = Ratings(rooms), await play(rooms, "ida", "ben")
        await ratings.settle_open()
        once = await rows(store)
        await asyncio.gather(*(ratings.settle(match) for _ in range(5)), ratings.settle_open())
        assert await rows(store) == once
        assert [(row[2], row[6]) for row in once["ratings"]] == [("ben", 1), ("ida", 1)]
        verdict, changes = await standings.of_match(store, match)
        assert verdict == "counted"
        assert changes[0].rating > changes[0].before == 1500 == changes[1].before > changes[1].rating

    with_store(place, work)


@pytest.mark.needs("initdb")
def test_two_processes_count_a_match_once(database: str) -> None:
    """Two stores on one PostgreSQL, as two servers have them, settle the same matches at the same moment."""

    async def work(store: Store) -> None:
        other = await Store.open(Settings(database=database).url)
        try:
            here, there = Ratings(Rooms(store)), Ratings(Rooms(other))
            played = [await play(Rooms(store), "ida", f"other{n % 3}", loser=n % 2) for n in range(8)]
            await asyncio.gather(*(each.settle(match) for match in played for each in (here, there)))
            counted = await rows(store)
            assert {row[2]: row[6] for row in counted["ratings"]} == {"ida": 8, "other0": 3, "other1": 3, "other2": 2}
            assert len(counted["rating_changes"]) == 16
            assert (await here.recount()).changed == 0  # whoever was quicker, the order is that of the ends
            assert await rows(store) == counted
        finally:
            await other.close()

    with_store(database, work)


def test_a_recount_comes_out_the_same(place: str) -> None:
    async def work(store: Store) -> None:
        rooms = Rooms(store)
        ratings = Ratings(rooms)
        for n in range(MOST_A_DAY + 2):  # two of them too many
            await play(rooms, "ida", "ben", loser=n % 2)
            await ratings.settle_open()
        for keys in (("ben", "eve"), ("eve", "bot:casual"), ("ida", "eve")):
            await play(rooms, *keys, loser=0)
        await play(rooms, "ida", "eve", houses=("x", "x"))
        await play(rooms, "ida", "eve", "ben", game="nile", loser=2)
        await ratings.settle_open()
        counted = await rows(store)
        assert await ratings.recount() == Recounted(matches=17, counted=14, players=3, changed=0)
        assert await rows(store) == counted
        async with store.changing() as connection:  # as if there had never been any ratings
            for each in TABLES:
                await connection.execute(sa.delete(each))
        assert (await ratings.recount()).changed == 6
        assert await rows(store) == counted
        async with store.changing() as connection:  # somebody has laid hands on them
            await connection.execute(sa.update(tables.ratings).values(rating=3000.0))
        assert (await ratings.recount()).changed == 6
        assert await rows(store) == counted

    with_store(place, work)


def test_who_comes_late_is_counted_in_the_order_of_the_ends(place: str) -> None:
    async def work(store: Store) -> None:
        rooms = Rooms(store)
        ratings = Ratings(rooms)
        played = []
        for n in range(5):
            played.append(await play(rooms, "ida", "ben" if n % 2 else "eve", loser=n % 2))
            await asyncio.sleep(0.002)
        for n in (1, 4, 0, 3, 2):
            await ratings.settle(played[n])
        counted = await rows(store)
        assert (await ratings.recount()).changed == 0
        assert await rows(store) == counted
        history = (await standings.of_player(store, "ida"))[0].history
        assert [point.match for point in history] == played

    with_store(place, work)


def test_who_comes_late_counts_although_a_later_one_does_not_any_more(place: str) -> None:
    """Of one day only ten matches of the same two count: the first ten, in whatever order they are settled."""

    async def work(store: Store) -> None:
        rooms = Rooms(store)
        ratings = Ratings(rooms)
        played = []
        for n in range(12):
            played.append(await play(rooms, "ida", "ben", loser=n % 3 % 2))
            await asyncio.sleep(0.002)
        for n in (11, 10, 0, 7, 3, 9, 1, 8, 2, 6, 5, 4):
            await ratings.settle(played[n])
        assert [(await standings.of_match(store, match))[0] for match in played] == ["counted"] * 10 + ["too often"] * 2
        counted = await rows(store)
        assert (await ratings.recount()).changed == 0
        assert await rows(store) == counted

    with_store(place, work)


def test_ratings_outlive_removed_matches(place: str) -> None:
    async def work(store: Store) -> None:
        rooms = Rooms(store)
        ratings, match = Ratings(rooms), await play(rooms, "ida", "ben")
        await play(rooms, "ida", "eve")
        await ratings.settle_open()
        counted = await rows(store)
        assert await store.delete(match)
        assert (await ratings.recount()).changed == 0
        assert await rows(store) == counted

    with_store(place, work)


def test_a_forgotten_player_is_nobody_and_the_others_stay(place: str) -> None:
    ida = "ab" * 32

    async def work(store: Store) -> None:
        rooms = Rooms(store)
        await players.sign_in(store, "n", ida, Profile(name="Ida"))
        match = await play(rooms, ida, "ben")
        async with store.changing() as connection:
            seat = sa.and_(tables.seats.c.match == match, tables.seats.c.seat == 0)
            await connection.execute(sa.update(tables.seats).where(seat).values(player=ida))
        ratings = Ratings(rooms)
        await ratings.settle_open()
        (before,) = await standings.of_player(store, "ben")
        await forgetting.order(store, ida)
        await forgetting.carry_out(rooms, ida)
        assert ida not in str(await rows(store)) + str(await store.rows(match))
        assert await standings.of_player(store, ida) == ()
        assert await standings.pools(store) == []  # ben never signed in here
        fresh = Ratings(Rooms(store))
        assert (await fresh.recount()).changed == 0
        assert await standings.of_player(store, "ben") == (before,)

    with_store(place, work)


# What counts -----------------------------------------------------------------------------------------------------


def test_the_log_says_what_the_rules_need(place: str) -> None:
    async def work(store: Store) -> None:
        rooms = Rooms(store)
        ratings = Ratings(rooms)
        alike = await play(rooms, "ida", "ben", houses=("a", "a"))
        apart = await play(rooms, "ida", "ben", houses=("a", "b"))
        row, early = table(rooms, ("ida", "eve"))
        early.do(1 - act(early, rooms.now()), wire.Resign(), rooms.now())
        await rooms.create(row, early, [None, None])
        row_closed, closed = table(rooms, ("ida", "eve"))
        closed.close(rooms.now())
        await rooms.create(row_closed, closed, [None, None])
        row_kicked, kicked = table(rooms, ("ida", "eve"))
        kicked.replace(1, forfeit=False, now=rooms.now())
        kicked.do(0, wire.Resign(), rooms.now())
        await rooms.create(row_kicked, kicked, [None, None])
        await ratings.settle_open()
        assert [await verdict(store, match) for match in (alike, apart, row.id, row_closed.id, row_kicked.id)] == [
            "one address",
            "counted",
            "aborted",
            "closed",
            "handed over",
        ]

    with_store(place, work)


def test_a_bots_rating_stays(place: str) -> None:
    async def work(store: Store) -> None:
        rooms = Rooms(store)
        match = await play(rooms, "ida", "bot:strong", loser=0)
        await Ratings(rooms).settle_open()
        changes = (await standings.of_match(store, match))[1]
        assert changes[1].before == changes[1].rating > 1500 > changes[0].rating
        assert [row[2] for row in (await rows(store))["ratings"]] == ["ida"]

    with_store(place, work)


def test_a_clock_that_falls_loses_a_rated_match(place: str) -> None:
    async def work(store: Store) -> None:
        rooms = Rooms(store)
        row, room = table(rooms, ("ida", "ben"), clock="10s/move")
        acted: set[int] = set()
        while len(acted) < 2:
            acted.add(act(room, rooms.now()))
        loser = room.playing().turn
        room.fire(rooms.now() + 11_000)
        await rooms.create(row, room, [None, None])
        await Ratings(rooms).settle_open()
        changes = (await standings.of_match(store, row.id))[1]
        assert changes[loser].rating < 1500 < changes[1 - loser].rating

    with_store(place, work)


@pytest.mark.parametrize(
    ("wanted", "option"),
    [
        ({"hints": True}, "hints"),
        ({"more_time": True}, "more_time"),
        ({"absence": {"seconds": 60}}, "absence"),
        ({"seats": ("open", "bot:greedy")}, "seats"),
        ({"seats": ("bot:casual", "bot:strong")}, "seats"),
        ({"options": {"path": {"name": "mine"}}}, "options"),
        ({"position": "anything"}, "position"),
    ],
)
def test_what_a_rated_table_cannot_be(wanted: dict[str, Any], option: str) -> None:
    new = msgspec.convert({"game": "ur", "seats": ("open", "open"), "rated": True, **wanted}, wire.NewMatch)
    with pytest.raises(BadOptions) as refused:
        checks.settle(new)
    assert refused.value.field == option


def test_a_rated_table_without_a_clock_ends_all_the_same() -> None:
    new = wire.NewMatch(game="ur", seats=("open", "open"), rated=True)
    assert checks.settle(new).setup.absence == wire.Absence(seconds=600, then="forfeit")
    timed = msgspec.structs.replace(new, clock="5m+3s")
    assert checks.settle(timed).setup.absence is None


def test_nobody_is_helped_at_a_rated_table(tmp_path: Any) -> None:
    async def work(store: Store) -> None:
        rooms = Rooms(store)
        _, room = table(rooms, ("ida", "bot:casual"), clock="5m+0s")
        while room.bot_to_move:
            act(room, rooms.now())
        assert not room.hints
        assert not room.more_time
        for command in (
            wire.Offer(what="takeback"),
            wire.Offer(what="takeback-seen"),
            wire.Offer(what="count"),
            wire.MoreTime(),
        ):
            with pytest.raises(Problem, match=r"rated|more time"):
                room.do(0, command, rooms.now())
        new = wire.NewMatch(game="ur", seats=("open", "open"), rated=True)
        settled = checks.settle(new)
        row = msgspec.structs.replace(room.row, id="x", setup=msgspec.json.encode(settled.setup).decode())
        lobby = Room(row, settled.view)
        with pytest.raises(Problem, match="sign in"):
            lobby.sit(0, "guest", None, 1)
        lobby.sit(0, "Ida", None, 1, identity=Identity("ida", "h"))
        with pytest.raises(Problem, match="already"):
            lobby.sit(1, "Ida again", None, 1, identity=Identity("ida", "other"))
        lobby.unseat([0], "left", 2)
        lobby.sit(1, "Ida", None, 3, identity=Identity("ida", "h"))
        assert lobby.lobby_seats[0].identity is None

    with_store(tmp_path / "s.db", work)


def test_the_next_match_is_rated_too(place: str) -> None:
    """Who plays is known from the match before, also where they came from."""

    async def work(store: Store) -> None:
        rooms = Rooms(store)
        row, room = table(rooms, ("ida", "ben"), houses=("x", "x"))
        room.do(0, wire.Resign(), rooms.now())
        following = room.next_setup()
        assert following.rated
        second = Room(msgspec.structs.replace(row, id="next", setup=msgspec.json.encode(following).decode()))
        for seat in second.free:
            second.keep_seat(seat, room.lobby_seats[seat], rooms.now())
            second.do(seat, wire.Promise(), rooms.now())
        gathered = rated_facts.facts(second)
        assert gathered is not None
        assert gathered.players == ("ida", "ben")
        assert gathered.one_address

    with_store(place, work)


def test_what_is_stored_of_an_address_says_nothing(place: str) -> None:
    """Neither the address nor anything that is the same at two tables."""

    async def work(store: Store) -> None:
        quotas = Quotas(LiveLimits(Settings()), "salt", store.clock)
        one, two = quotas.house("m1", "192.0.2.7"), quotas.house("m2", "192.0.2.7")
        assert one != two
        assert one == quotas.house("m1", "192.0.2.7")
        assert one != quotas.house("m1", "192.0.2.8")

    with_store(place, work)


def test_the_leaderboard_has_no_provisional_and_no_banned_players(place: str) -> None:
    async def work(store: Store) -> None:
        for name, games, banned in (("ida", 12, False), ("ben", 9, False), ("eve", 30, True), ("max", 10, False)):
            await players.sign_in(store, f"nonce {name}", name, Profile(name=name.title()))
            await players.ban(store, name, on=banned)
            standing = {"rating": 1500.0 + games, "deviation": 80.0, "volatility": 0.06, "games": games, "ended_ms": 1}
            async with store.changing() as connection:
                await connection.execute(
                    sa.insert(tables.ratings), {"game": "ur", "players": 2, "key": name, **standing}
                )
        board = await standings.leaderboard(store, "ur", 2, 100)
        assert [(line.rank, line.name) for line in board] == [(1, "Ida"), (2, "Max")]
        assert await standings.leaderboard(store, "ur", 3, 100) == ()
        assert await standings.pools(store) == [("ur", 2, 3)]
        assert await players.forget_unused(store, 2**60) == 0  # who has a rating is not forgotten without an order
        exported = await players.export(store, "ida")
        assert json.loads(msgspec.json.encode(exported))["ratings"]["ratings"][0]["rating"] == 1512

    with_store(place, work)
