"""Tournaments outlive their server, whenever it is killed, and several servers drive them together."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from astragal.tournament import events
from astragal.tournament.events import Body, Kept, Opened, Paired, Result
from astragal.tournament.state import Tournament
from tests.server.cup import Cup, Guest, play_round
from tests.server.postgres import Postgres
from tests.server.running import PATIENCE, Server, sqlite

BROKEN = (OSError, httpx.TransportError)
SHORT: dict[str, Any] = {"options": {"pieces": 1}}


def check_log(bodies: list[Body], matches: dict[str, str]) -> None:
    """Nothing was lost and nothing counted twice: every game has one match, and every match is one of a game."""
    state = Tournament(Kept(n, 0, body) for n, body in enumerate(bodies, 1))
    results = Counter((body.round, body.table, body.game) for body in bodies if isinstance(body, Result))
    opened = Counter((body.round, body.table, body.game) for body in bodies if isinstance(body, Opened))
    assert set(results.values()) <= {1}
    assert set(opened.values()) <= {1}
    named = [body.match for body in bodies if isinstance(body, Opened)]
    assert sorted(named) == sorted(matches)
    assert [body.round for body in bodies if isinstance(body, Paired)] == list(range(len(state.rounds)))


def test_killed_at_any_moment_a_tournament_goes_on(tmp_path: Path) -> None:
    store, rng = tmp_path / "cups.db", Random(3)
    server = Server(store)
    server.start()
    cup = Cup(server, rounds=3)
    guests = cup.guests("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn")
    begun, kills, status = False, 0, "open"
    until = time.monotonic() + PATIENCE
    while status != "over":
        assert time.monotonic() < until
        stop = time.monotonic() + (rng.uniform(0.0, 0.35) if kills < 6 else 1.0)
        with contextlib.suppress(*BROKEN, AssertionError):  # what was asked when the server went down has no answer
            if not begun:
                cup.do("begin", id="begin")
                begun = True
            while time.monotonic() < stop and (status := cup.sheet()["status"]) != "over":
                play_round(guests, lambda there: there[0])
        if kills < 6 and status != "over":
            kills += 1
            server.stop(signal.SIGKILL)
            server.start()
    assert kills >= 3
    sheet = cup.sheet()
    assert sheet["round"] == 3
    assert sum(row["points"] for row in sheet["standings"]) == 9  # three tables in three rounds
    server.stop()
    with sqlite(store) as file:
        assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        bodies = [events.read(row[0]) for row in file.execute("SELECT body FROM tournament_entries ORDER BY sequence")]
        matches = dict(file.execute("SELECT id, status FROM matches"))
    check_log(bodies, matches)
    assert set(matches.values()) == {"over"}


@pytest.mark.needs("initdb")
def test_two_servers_drive_one_tournament_together(servers: tuple[Server, Server], postgres: Postgres) -> None:
    here, there = servers
    cup = Cup(here, rounds=3, **SHORT)
    cup.bots(4)
    guests = [Guest(cup, "Ada"), Guest(cup, "Ben", there)]
    cup.do("begin")
    until = time.monotonic() + PATIENCE
    while cup.sheet()["status"] != "over":
        assert time.monotonic() < until
        play_round(guests, lambda there: there[0])
    while there.get(cup.path).json()["status"] != "over":  # it hears of it a moment later
        assert time.monotonic() < until
    sheets: list[Any] = [server.get(cup.path).json() for server in servers]
    assert sheets[0] == sheets[1]
    assert sum(row["points"] for row in sheets[0]["standings"]) == 9
    name = here.database
    said = postgres.sql(name, f"SELECT body FROM tournament_entries WHERE tournament = '{cup.id}' ORDER BY sequence")
    bodies = [events.read(line) for line in said.splitlines()]
    matches = [body.match for body in bodies if isinstance(body, Opened)]
    known = postgres.sql(name, "SELECT id FROM matches").split()
    check_log(bodies, {match: "over" for match in known if match in matches})


@pytest.mark.needs("initdb")
def test_of_two_servers_one_pairs_a_round(servers: tuple[Server, Server], postgres: Postgres) -> None:
    here, there = servers
    cup = Cup(here, rounds=1)
    cup.guests("Ada", "Ben", "Cleo", "Dan")
    with postgres.held_up(
        here.database,
        "LOCK TABLE tournament_entries IN SHARE MODE",
        "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'tournament_entries'::regclass",
    ):
        asked = [
            threading.Thread(target=server.post, args=(f"{cup.path}/orders", {"type": "begin", "id": "b"}, cup.secret))
            for server in (here, there)
        ]
        for thread in asked:
            thread.start()
    for thread in asked:
        thread.join(PATIENCE)
    cup.until(lambda sheet: all(table["games"][0]["match"] for table in sheet["playing"]) and sheet["round"] == 1)
    said = postgres.sql(
        here.database, f"SELECT body FROM tournament_entries WHERE tournament = '{cup.id}' ORDER BY sequence"
    )
    kinds = Counter(type(events.read(line)).__name__ for line in said.splitlines())
    assert (kinds["Began"], kinds["Paired"], kinds["Opened"]) == (1, 1, 2)
