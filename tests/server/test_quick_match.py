"""Quick match: who wants the same sits down together, once, whatever happens to the servers meanwhile."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import secrets
import signal
import threading
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from astragal.server import quick_match
from astragal.server.problems import Problem
from astragal.server.rooms import Rooms
from astragal.server.settings import Settings
from astragal.server.store import Store
from astragal.server.tables import matches, seats, waiting
from tests.server.halls import Hall
from tests.server.running import Player, Server
from tests.server.test_players import Key, own_seats
from tests.server.test_store import place as place
from tests.server.test_store import with_store

WISH = {"game": "ur", "clock": "5m+3s"}


def ask(server: Server, session: dict[str, str] | None = None, **more: Any) -> dict[str, str]:
    answer = server.post("/api/meeting/quick", {**WISH, **more}, **(session or {}))
    assert answer.status_code == 201, answer.text
    ticket: dict[str, str] = answer.json()
    return ticket


def seated(hall: Hall, ticket: dict[str, str]) -> dict[str, Any]:
    """Waits with the ticket until there is a seat."""
    hall.send(type="wait", **ticket)
    return hall.until("ticket", lambda told: told["ticket"] == ticket["ticket"] and told["state"] == "seated")


def test_two_who_want_the_same_are_seated_together_with_fair_dice(server: Server) -> None:
    seeds = [secrets.token_bytes(32), secrets.token_bytes(32)]
    promises = [hashlib.sha256(seed).hexdigest() for seed in seeds]
    with Hall(server) as one, Hall(server) as two:
        first = ask(server, name="Ada", commitment=promises[0], clock="7m+1s")
        one.send(type="wait", **first)
        assert one.until("ticket")["state"] == "waiting"
        wanted = {"game": "ur", "preset": "finkel", "clock": "7m+1s", "people": 1}
        two.until("tables", lambda told: wanted in told["waiting"])
        other = ask(server, name="Bob", clock="15m+10s")  # wants something else
        two.send(type="wait", **other)
        assert two.until("ticket")["state"] == "waiting"
        second = ask(server, name="Bob", commitment=promises[1], clock="7m+1s")
        told = [seated(one, first), seated(two, second)]
    assert told[0]["match"] == told[1]["match"]
    assert {told[0]["seat"], told[1]["seat"]} == {0, 1}
    tickets = [first, second]
    for where, ticket in zip(told, tickets, strict=True):  # the ticket's secret is the seat's
        entered = server.post(f"/api/matches/{where['match']}/enter", {"secret": ticket["secret"]}).json()
        assert entered["seat"] == where["seat"]
    players = [
        Player(server, where["match"], ticket["secret"], seed=seed)
        for where, ticket, seed in zip(told, tickets, seeds, strict=True)
    ]
    with players[0], players[1]:
        for player in players:
            player.open_seed()
        table = players[0].until_table(lambda table: table["status"] == "running")
        assert sorted(place["name"] for place in table["seats"]) == ["Ada", "Bob"]


def test_a_player_waits_once_and_owns_the_seat(server: Server) -> None:
    ida, clock = Key(), "9m+1s"
    session = ida.sign_in(server, name="Ida")
    old, new = ask(server, session, clock=clock), ask(server, session, clock=clock)  # on another device
    with Hall(server, session) as hall, Hall(server) as guest:
        hall.send(type="wait", **old)
        assert hall.until("ticket")["state"] == "gone"
        theirs = ask(server, clock=clock)
        told = seated(hall, new)
        assert seated(guest, theirs)["match"] == told["match"]
    assert own_seats(server, session) == [(told["match"], told["seat"])]


def test_who_leaves_or_is_gone_is_not_seated(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    ticket = ask(server, clock="11m+1s")
    wrong = server.post(f"/api/meeting/quick/{ticket['ticket']}/leave", {"secret": "no"})
    assert wrong.json()["code"] == "wrong_secret"
    left = server.post(f"/api/meeting/quick/{ticket['ticket']}/leave", {"secret": ticket["secret"]})
    assert left.json()["state"] == "gone"
    with Hall(server) as hall:
        hall.send(type="wait", **ask(server, clock="11m+1s"))
        assert hall.until("ticket")["state"] == "waiting"
    for game, more in (("ur", {"clock": "soon"}), ("ur", {"preset": "none"}), ("no-game", {})):
        refused = server.post("/api/meeting/quick", {"game": game, **more})
        assert refused.status_code in (400, 404), refused.text


# Once --------------------------------------------------------------------------------------------------------------

PLAIN = quick_match.Wish(game="ur", preset="finkel", clock="none")


async def enter(store: Store, number: int, player: str | None = None) -> quick_match.Ticket:
    ticket, _ = await quick_match.enter(
        store, PLAIN, player=player, name=str(number), commitment=None, creator=str(number)
    )
    return ticket


async def check_once(store: Store) -> tuple[int, int]:
    """Every ticket has one seat at most, every match all its people; how many are seated, and how many wait."""
    async with store.reading() as connection:
        tickets = [quick_match.Ticket(**row) for row in (await connection.execute(sa.select(waiting))).mappings()]
        sat = {(row.match, row.seat): row.secret for row in await connection.execute(sa.select(seats))}
        made = set(await connection.scalars(sa.select(matches.c.id)))
    there = [ticket for ticket in tickets if ticket.match is not None]
    assert Counter(ticket.match for ticket in there) == dict.fromkeys(made, 2)
    places = [(str(ticket.match), ticket.seat) for ticket in there]
    assert len(set(places)) == len(places)
    assert all(sat[match, seat] == ticket.secret for (match, seat), ticket in zip(places, there, strict=True))
    return len(there), len(tickets) - len(there)


def test_an_address_waits_so_often(tmp_path: Path) -> None:
    async def crowd(store: Store) -> None:
        for _ in range(quick_match.MOST_TICKETS):
            await enter(store, 7)
        with pytest.raises(Problem) as refused:
            await enter(store, 7)
        assert refused.value.code == "quota"
        await enter(store, 8)

    with_store(tmp_path / "s.db", crowd)


@pytest.mark.parametrize("seed", range(3))
def test_nobody_is_seated_twice_however_many_try_at_once(place: str, seed: int) -> None:
    """Two processes' worth of stores come, leave and pair at the same time, in any order."""
    rng = Random(seed)

    async def race(store: Store) -> None:
        other = store if store.embedded else await Store.open(Settings(database=place).url)
        both = [Rooms(store), Rooms(other)]
        keys = [secrets.token_hex(32) for _ in range(6)]
        tickets = list(await asyncio.gather(*(enter(both[n % 2].store, n) for n in range(20))))

        async def come_again() -> None:  # the same players, on several devices
            with contextlib.suppress(Problem):
                tickets.append(await enter(rng.choice(both).store, 99, rng.choice(keys)))

        work: list[Any] = [quick_match.pair(rng.choice(both), PLAIN) for _ in range(8)]
        work += [quick_match.leave(rng.choice(both).store, rng.choice(tickets).id) for _ in range(8)]
        jobs = [*work, *(come_again() for _ in range(12))]
        rng.shuffle(jobs)
        await asyncio.gather(*jobs)
        await quick_match.pair(both[0], PLAIN)
        _, waits = await check_once(store)
        assert waits <= 1
        async with store.reading() as connection:
            queued = list(await connection.scalars(sa.select(waiting.c.player).where(waiting.c.match.is_(None))))
        assert len([key for key in queued if key]) == len({key for key in queued if key})
        if other is not store:
            await other.close()

    with_store(place, race)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.needs("initdb"))])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path / "s.db") if request.param == "sqlite" else str(request.getfixturevalue("database"))


def test_a_server_killed_at_any_moment_leaves_tickets_or_matches(where: str) -> None:
    rng = Random(5)
    with Server(where) as server:
        for _ in range(2):
            stopped = threading.Event()

            def come(stopped: threading.Event = stopped) -> None:
                with contextlib.suppress(httpx.HTTPError, AssertionError):
                    while not stopped.is_set():
                        ask(server)

            crowd = [threading.Thread(target=come) for _ in range(4)]
            for each in crowd:
                each.start()
            time.sleep(0.2 + 0.5 * rng.random())
            server.stop(signal.SIGKILL)
            stopped.set()
            for each in crowd:
                each.join()
            with_store(server.database, check_once)
            server.start()
        last = ask(server, clock="3m+1s")
        server.stop(signal.SIGKILL)
        server.start()
        with Hall(server) as one, Hall(server) as two:  # the ticket has survived
            one.send(type="wait", **last)
            assert seated(two, ask(server, clock="3m+1s"))["match"] == seated(one, last)["match"]


@pytest.mark.needs("initdb")
def test_people_at_two_servers_are_seated_together(servers: tuple[Server, Server]) -> None:
    here, there = servers
    clock = f"{secrets.randbelow(50) + 5}m+2s"
    with Hall(here) as one, Hall(there) as two:
        first = ask(here, clock=clock)
        one.send(type="wait", **first)
        one.until("ticket")
        second = ask(there, clock=clock)
        assert seated(two, second)["match"] == seated(one, first)["match"]


def test_a_seat_that_is_given_up_before_the_match_begins_is_anybodys(server: Server) -> None:
    with Hall(server) as hall:
        first, second = ask(server, clock="13m+1s"), ask(server, clock="13m+1s", commitment="00" * 32)
        match = seated(hall, first)["match"]
        with Player(server, match, second["secret"]) as player:
            player.hear()
            assert player.do(type="leave")["type"] == "done"
        hall.until("tables", lambda told: match in [table["match"] for table in told["tables"]])


def test_a_promise_that_already_waits_is_refused(server: Server) -> None:
    ask(server, clock="17m+1s", commitment="ab" * 32)
    again = server.post("/api/meeting/quick", {**WISH, "clock": "17m+1s", "commitment": "ab" * 32})
    assert again.json()["code"] == "not_possible", again.text


def test_two_tickets_with_the_same_promise_do_not_stop_the_others(tmp_path: Path) -> None:
    """Two servers may take such tickets at the same moment. The younger one goes, and the queue moves on."""

    async def crowd(store: Store) -> None:
        tickets = []
        for number in range(4):
            promise = ("cd" if number < 2 else f"{number:02}") * 32
            ticket, _ = await quick_match.enter(
                store, PLAIN, player=None, name=str(number), commitment=f"{number:02}" * 32, creator="x"
            )
            tickets.append(ticket.id)
            async with store.changing() as connection:
                change = {"commitment": promise, "created_ms": number}
                await connection.execute(sa.update(waiting).where(waiting.c.id == ticket.id).values(**change))
        settled = await quick_match.pair(Rooms(store), PLAIN)
        assert {ticket.id for ticket in settled} == set(tickets[:3])
        states = [(await quick_match.status(store, id)).state for id in tickets]
        assert states == ["seated", "gone", "seated", "waiting"]

    with_store(tmp_path / "s.db", crowd)


def test_old_tickets_are_forgotten(tmp_path: Path) -> None:
    async def wait(store: Store) -> None:
        old, fresh = await enter(store, 1), await enter(store, 2)
        async with store.changing() as connection:
            seen = store.clock.now() - quick_match.FORGET_MS - 1
            await connection.execute(sa.update(waiting).where(waiting.c.id == old.id).values(seen_ms=seen))
        await quick_match.forget_old(store)
        assert await quick_match.find(store, old.id) is None
        assert await quick_match.find(store, fresh.id) is not None

    with_store(tmp_path / "s.db", wait)
