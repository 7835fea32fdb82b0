"""What is acknowledged is kept: through crashes, restarts, full and read-only disks."""

from __future__ import annotations

import asyncio
import gc
import resource
import signal
import sqlite3
import time
from pathlib import Path
from random import Random

import pytest
from websockets.exceptions import ConnectionClosed

from astragal import cli
from astragal.core.types import AstragalError
from astragal.server import schema
from astragal.server.log import Kept
from astragal.server.store import Store
from tests.server.running import PATIENCE, Player, Server, closing, greedy, play_on


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "matches.db"


def acknowledged(players: list[Player], rng: Random, seconds: float, server: Server) -> list[tuple[int, str]]:
    """Plays until the server is killed in the middle of it; the number and text of every acknowledged action."""
    kept: list[tuple[int, str]] = []
    end = time.monotonic() + seconds
    try:
        while players[0].table.get("status") != "over":
            if time.monotonic() > end:
                server.stop(signal.SIGKILL)
            actor = next((p for p in players if p.table.get("actions")), None)
            if actor is None:
                min(players, key=lambda p: p.last).hear(PATIENCE)
                continue
            text = greedy(actor.table, rng)
            answer = actor.act(text)
            assert answer["type"] == "done", answer
            kept.append((answer["n"], text))
            for player in players:
                player.until_table(lambda table, n=kept[-1][0]: table["n"] >= n)  # type: ignore[misc]
    except (ConnectionClosed, OSError):
        pass
    return kept


def test_killed_in_mid_match_and_every_acknowledged_action_is_there(store: Path) -> None:
    rng, kept = Random(2), []
    players: list[Player] = []
    server = Server(store)
    for kill in range(2):
        server.start()
        try:
            if not players:
                players = server.table("ur", 2)
            else:
                for player in players:
                    player.connect()
            for player in players:
                player.hear()
            kept += acknowledged(players, rng, 0.2 + 0.3 * kill, server)
        finally:
            server.stop(signal.SIGKILL)
            server.log.close()
            for player in players:
                player.close()
    with server:
        whole = server.get(f"/api/matches/{players[0].match}/table").json()["events"]
        acted = {event["n"] for event in whole if event["kind"] == "acted"}
        assert kept
        assert {n for n, _ in kept} <= acted
        assert [event["n"] for event in whole] == list(range(1, len(whole) + 1))
        with closing(players):
            for player in players:
                player.connect()
                player.hear()
            play_on(players, rng)  # and the match goes on to its end
            assert server.get(f"/api/matches/{players[0].match}/record").status_code == 200


def stored(file: Path, match: str) -> list[Kept]:
    """The log of a match as a file holds it."""

    async def read() -> list[Kept]:
        store = await Store.open(f"sqlite+aiosqlite:///{file}")
        try:
            return await store.rows(match)
        finally:
            await store.close()

    return asyncio.run(read())


def complaint(*words: str) -> str:
    """What a command that does not serve complains of; nothing if it did what it was told."""
    try:
        cli.commands("en").main(words, standalone_mode=False)
    except AstragalError as error:
        return str(error)
    return ""


def test_stopped_and_started_again(store: Path, tmp_path: Path) -> None:
    """Clients are told; a backup is whole; clocks run on meanwhile; an unknown version is refused, not guessed."""
    server, copy = Server(store), tmp_path / "copy.db"
    with server:
        timed = server.table("ur", 2, clock="2s/move", options={"begins": 0})
        asked = server.table("egar", 2, options={"begins": 0, "board": "quick", "answer_seconds": 10})
        foreign = server.create("ur", ["open", "open"], listed=True)
        listed = server.create("ur", ["open", "open"], listed=True)
        with closing([*timed, *asked]):
            slow = next(p for p in timed if p.until_table(lambda t: t["status"] == "running")["turn"] == p.table["you"])
            assert slow.table["times"]["running"] == slow.table["you"]
            asked[0].until_table(lambda table: bool(table["actions"]))
            assert asked[0].act("done")["type"] == "done"
            asked[1].until_table(lambda table: table["times"]["answer_by"] is not None)
            assert complaint("backup", str(copy), "--database", str(store)) == ""
            assert stored(copy, asked[0].match) == stored(store, asked[0].match)
            assert "exists" in complaint("backup", str(copy), "--database", str(store))
            assert "another server uses" in complaint("serve", "--database", str(store))
            assert server.process is not None
            server.process.send_signal(signal.SIGTERM)
            assert asked[1].until(lambda message: message["type"] == "closing")["text"]
            with pytest.raises(ConnectionClosed) as closed:
                asked[1].until(lambda message: False)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012
            assert server.stop() in (0, -signal.SIGTERM)
            assert "Traceback" not in server.said()
    with sqlite3.connect(store) as file:
        change = "UPDATE matches SET setup = replace(setup, '\"version\":1', '\"version\":999') WHERE id = ?"
        assert file.execute(change, (foreign["match"],)).rowcount == 1
    file.close()
    with server:
        with Player(server, timed[0].match, timed[0].secret) as back:
            table = back.until_table(lambda table: table["status"] == "over")
            assert table["result"][slow.table["you"]] == 0.0
            fallen = next(event for event in back.events if event["kind"] == "timed out")
            assert fallen["at"] >= slow.table["times"]["falls_at"]
        with Player(server, asked[1].match, asked[1].secret) as late:
            late.until_table(lambda table: table["times"]["answer_by"] is None)
            answered = [event["event"] for event in late.events if event.get("event", {}).get("type") == "answered"]
            assert answered[-1]["silent"]
        answer = server.get(f"/api/matches/{foreign['match']}")
        assert (answer.status_code, answer.json()["code"]) == (409, "not_possible")
        assert "999" in answer.json()["detail"]
        assert [match["match"] for match in server.get("/api/matches").json()] == [listed["match"]]


def limit_files() -> None:
    """No file of this process may grow beyond this: a full disk."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))


def test_a_full_disk_refuses_cleanly_and_loses_nothing(store: Path) -> None:
    server = Server(store, preexec_fn=limit_files)
    with server, closing(server.table("ur", 2)) as players:
        path, said, refused = f"/api/matches/{players[0].match}/table", 0, None
        for _ in range(2000):
            answer = players[0].do(type="say", text="x" * 450)
            if answer["type"] == "refused":
                refused = answer
                break
            said += 1
        assert refused is not None
        assert refused["code"] == "storage"
        assert said >= 5
        there = server.get(path).json()["events"]
        assert len([event for event in there if event["kind"] == "said"]) == said
    assert len([kept for kept in stored(store, players[0].match) if "x" * 450 in str(kept.body)]) == said


def test_what_cannot_be_served_is_refused_in_one_line(store: Path) -> None:
    stored(store, "none")  # makes the file
    before = store.read_bytes()
    for database, words, reason in (
        (str(store), ("--workers", "2"), "2 workers need PostgreSQL"),
        ("mysql://there", (), "is no database we know"),
        ("/dev/null/no/such.db", (), "cannot be opened"),
        (f"sqlite:///file:{store}?mode=ro&uri=true", (), "the store cannot be used: "),
    ):
        said = complaint("serve", "--port", "0", "--database", database, *words)
        assert reason in said
        assert len(said.splitlines()) == 1
    assert store.read_bytes() == before


def test_a_store_of_a_newer_program_is_left_alone(store: Path) -> None:
    stored(store, "none")
    with sqlite3.connect(store) as file:
        file.execute("UPDATE alembic_version SET version_num = '9999'")
    file.close()
    assert "newer version" in complaint("serve", "--database", str(store))
    assert schema.LATEST < "9999"
    gc.collect()  # a connection that was left open would complain now
