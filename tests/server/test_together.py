"""Two servers on one PostgreSQL are one server."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from websockets.exceptions import WebSocketException

from astragal import cli
from astragal.server import schema
from tests.server.postgres import Postgres
from tests.server.running import Player, Server, closing, play_on

pytestmark = pytest.mark.needs("initdb")

TABLES: list[tuple[str, int, int, dict[str, Any]]] = [
    ("ur", 2, 0, {"options": {"pieces": 3}}),
    ("ur-modern", 2, 0, {}),
    ("nile", 3, 0, {"options": {"board": "small"}}),
    ("egar", 2, 2, {"preset": "quick", "options": {"turn_limit": 12, "answering": "open"}}),
]


def all_told(players: Sequence[Player]) -> None:
    """Everybody has heard everything, once and in order."""
    newest = max(player.last for player in players)
    for player in players:
        player.until_table(lambda table: table["n"] >= newest)
        assert [event["n"] for event in player.events] == list(range(1, newest + 1))
    whole = [[(event["n"], event["kind"], event["at"]) for event in player.events] for player in players]
    assert all(events == whole[0] for events in whole)


@pytest.mark.parametrize(("game", "humans", "bots", "more"), TABLES, ids=lambda value: str(value))
def test_a_whole_match_of_players_at_either(
    servers: tuple[Server, Server], game: str, humans: int, bots: int, more: dict[str, Any]
) -> None:
    here, there = servers
    with closing(here.table(game, humans, bots, fair=True, beside=there, **more)) as players:
        with Player(there, players[0].match, None) as watcher:
            for player in players:
                player.open_seed()
            play_on(players, Random(7))
            all_told([*players, watcher])
        assert len({json.dumps(player.table["result"]) for player in players}) == 1
    records = [server.get(f"/api/matches/{players[0].match}/record") for server in servers]
    assert records[0].status_code == 200
    assert records[0].content == records[1].content
    assert there.get(f"/api/matches/{players[0].match}/verification").json()["good"]


def conflicts(servers: Sequence[Server]) -> float:
    return sum(server.figure("astragal_conflicts_total") for server in servers)


def test_of_two_actions_for_the_same_ply_one_is_stored(servers: tuple[Server, Server], postgres: Postgres) -> None:
    here, there = servers
    with closing(here.table("ur", 2, beside=there)) as players, ThreadPoolExecutor() as pool:
        for player in players:
            player.until_table(lambda table: table["status"] == "running")
        path = f"/api/matches/{players[0].match}/commands"
        different = same = 0
        while not (different and same):
            all_told(players)
            mover = next(player for player in players if player.table["actions"])
            ply, texts = mover.table["ply"], [action["text"] for action in mover.table["actions"]]
            pair = texts[:2] if len(texts) > 1 and not different else texts[:1] * 2
            before = conflicts(servers)
            with postgres.entries_held_up(here.database):
                sent = [
                    pool.submit(server.post, path, {"type": "act", "ply": ply, "text": text}, mover.secret)
                    for server, text in zip(servers, pair, strict=True)
                ]
            answers = [answer.result().json() for answer in sent]
            assert conflicts(servers) == before + 1  # both tried, and one was first
            if pair[0] == pair[1]:
                assert sorted(answer["repeated"] for answer in answers) == [False, True]
                assert answers[0]["n"] == answers[1]["n"]
                same += 1
            else:
                late = next(answer for answer in answers if "code" in answer)
                assert late["code"] == "late"
                assert str(ply) in late["detail"]
                different += 1
            mover.until_table(lambda table, ply=ply: table["ply"] > ply)  # type: ignore[misc]
            assert [event["ply"] for event in mover.events if event["kind"] == "acted"].count(ply + 1) == 1
        play_on(players, Random(3), moves=3)
        all_told(players)


def test_both_fire_a_clock_and_it_falls_once(servers: tuple[Server, Server], postgres: Postgres) -> None:
    here, there = servers
    with closing(here.table("ur", 2, beside=there, clock="4s/move")) as players:  # time enough to hold it up
        before = conflicts(servers)
        for player in players:
            player.until_table(lambda table: table["status"] == "running")
        with postgres.entries_held_up(here.database):
            pass
        for player in players:
            player.until_table(lambda table: table["status"] == "over")
        all_told(players)
        assert [event["kind"] for event in players[1].events].count("timed out") == 1
        assert conflicts(servers) == before + 1


def test_both_move_a_bot_and_it_moves_once(servers: tuple[Server, Server], postgres: Postgres) -> None:
    here, there = servers

    def bots_turn(table: dict[str, Any]) -> bool:
        return bool(table["turn"] == 1)

    player = here.table("ur", 1, 1, pace=3000, options={"begins": 0})[0]  # time enough to hold it up
    with closing([player]), Player(there, player.match, None) as watcher:
        while not bots_turn(player.until_table(lambda table: bool(table["actions"]) or bots_turn(table))):
            stored = player.act(player.table["actions"][0]["text"])["n"]
            player.until_table(lambda table, stored=stored: table["n"] >= stored)  # type: ignore[misc]
        before, ply = conflicts(servers), player.table["ply"]
        with postgres.entries_held_up(here.database):
            pass
        for each in (player, watcher):
            each.until_table(lambda table: table["ply"] > ply)
        all_told([player, watcher])
        assert conflicts(servers) >= before + 1
        plies = [event["ply"] for event in watcher.events if event["kind"] in ("acted", "drew")]
        assert plies == list(range(1, len(plies) + 1))


def test_presence_covers_both(servers: tuple[Server, Server]) -> None:
    here, there = servers

    def sees(player: Player, *seats: bool) -> None:
        player.until(lambda message: message["type"] == "presence" and message["seats"] == [*seats])

    with closing(here.table("ur", 2, beside=there)) as (first, second):
        sees(first, True, True)
        sees(second, True, True)
        second.close()
        sees(first, True, False)
        with Player(there, first.match, None) as watcher:
            sees(watcher, True, False)  # learned by asking
            second.server = here
            second.connect()
            sees(watcher, True, True)
            first.until(lambda message: message["type"] == "presence" and message["watchers"] == 1)
        first.until(lambda message: message["type"] == "presence" and message["watchers"] == 0)
        second.close()
        sees(first, True, False)


def test_the_hosts_orders_reach_both(servers: tuple[Server, Server]) -> None:
    here, there = servers
    with closing(here.table("ur", 2, beside=there)) as players:
        match = players[0].match
        for words in (["kick", match, "2"], ["close", match]):
            cli.commands("en").main(["admin", *words, "--database", here.database], standalone_mode=False)
        for player in players:
            player.until_table(lambda table: table["status"] == "closed")
        assert players[1].do(type="return")["code"] == "wrong_secret"
        assert [place["player"] for place in players[1].table["seats"]] == ["human", "bot:greedy"]


def test_the_database_goes_away_and_comes_back(servers: tuple[Server, Server], postgres: Postgres) -> None:
    here, there = servers
    with closing(here.table("ur", 2, beside=there)) as players:
        play_on(players, Random(2), moves=2)
        postgres.stop()
        try:
            for player in players:
                assert player.do(type="say", phrase="hello")["code"] == "storage"
            assert there.get("/ready").status_code == 503
            assert there.get("/health").status_code == 200
        finally:
            postgres.start()
        for player, server in zip(players, servers, strict=True):
            while server.get("/ready").status_code != 200:
                pass
            while (answer := player.do(type="say", phrase="hello"))["type"] == "refused":
                assert answer["code"] == "storage"
        play_on(players, Random(2), moves=4)
        all_told(players)


def test_one_of_them_is_killed_and_its_players_go_on_at_another(servers: tuple[Server, Server]) -> None:
    here, there = servers
    doomed = Server(here.database).start()
    try:
        players = doomed.table("ur", 2, beside=there, options={"pieces": 3})
        timed = doomed.table("ur", 2, clock="5s/move")
        bots = doomed.create("ur", ["bot:greedy", "bot:random"], listed=True, pace=400, options={"pieces": 2})
        with closing([*players, *timed]):
            first, second = players
            play_on(players, Random(4), moves=5)
            first.send(type="act", ply=first.table["ply"], text="whatever")
            doomed.stop(signal.SIGKILL)
            second.until(lambda message: message["type"] == "presence" and message["seats"] == [False, True])
            first.close()
            first.server = here
            first.connect()
            first.hear()
            second.until(lambda message: message["type"] == "presence" and message["seats"] == [True, True])
            play_on(players, Random(5))
            all_told(players)
        with Player(there, bots["match"], None) as watcher, Player(here, timed[0].match, None) as witness:
            assert sum(watcher.until_table(lambda table: table["status"] == "over")["result"]) == 1
            witness.until_table(lambda table: table["status"] == "over")
            all_told([watcher])
            assert [event["kind"] for event in witness.events].count("timed out") == 1
    finally:
        doomed.stop(signal.SIGKILL)


def test_both_make_the_tables_of_an_empty_database(postgres: Postgres, database: str) -> None:
    both = [Server(database, "--password", "sesame") for _ in range(2)]
    waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype = 'advisory'"
    with contextlib.ExitStack() as stack:
        with postgres.held_up(database, f"SELECT pg_advisory_xact_lock({schema.ONE_AT_A_TIME})", waiting):
            for server in both:
                server.launch()
                stack.callback(server.__exit__)
        for server in both:
            server.wait_until_ready()
        assert postgres.sql(database, "SELECT version_num FROM alembic_version") == schema.LATEST
        shown = both[0].post("/api/login", {"password": "sesame"}).json()["pass"]
        for server in both:  # the salt of passes was made by one of them only
            assert httpx.get(f"{server.address}/api/games", headers={"astragal-pass": shown}).status_code == 200


def children(process: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def test_several_workers_and_one_is_killed(database: str) -> None:
    with Server(database, "--workers", "2") as server:
        assert server.process is not None
        while server.said().count('"message": "ready"') < 2:
            time.sleep(0.05)
        tables = [server.table("ur", 2, options={"pieces": 2}) for _ in range(4)]
        with closing([player for players in tables for player in players]):
            for players in tables:
                play_on(players, Random(1), moves=4)
                all_told(players)
            os.kill(children(server.process.pid)[-1], signal.SIGKILL)
            for players in tables:
                for player in players:
                    player.close()
                    while player.socket is None:
                        with contextlib.suppress(OSError, WebSocketException):
                            player.connect()
                    player.hear()
                play_on(players, Random(1))
                all_told(players)
        while server.said().count('"message": "ready"') < 3:  # a new one takes its place
            time.sleep(0.05)
    assert server.process.returncode == 0
