"""What is acknowledged is kept: through crashes, restarts, full and read-only disks."""

from __future__ import annotations

import asyncio
import gc
import json
import resource
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from astragal import cli
from astragal.core.types import AstragalError
from astragal.server import schema
from astragal.server.housekeeping import Housekeeper
from astragal.server.journal import Kept
from astragal.server.scheduler import Scheduler
from astragal.server.store import Store
from tests.server.running import Player, Server, closing, sqlite, threaded


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "matches.db"


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
        waiting = server.table("ur", 2, absence={"seconds": 120})
        with closing([*timed, *asked, *waiting]):
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
    with sqlite(store) as file:
        change = "UPDATE matches SET setup = replace(setup, '\"version\":1', '\"version\":999') WHERE id = ?"
        assert file.execute(change, (foreign["match"],)).rowcount == 1
        long_ago = "UPDATE seats SET seen_ms = 1 WHERE match = ?"
        assert file.execute(long_ago, (waiting[0].match,)).rowcount == 2
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
        assert [match["match"] for match in server.get("/api/matches").json()["matches"]] == [listed["match"]]
        there = server.get(f"/api/matches/{waiting[0].match}/table").json()["events"]
        assert "away" not in [event["kind"] for event in there]  # nobody could be there while no server ran


def test_a_rematch_agreed_on_before_a_crash_is_made_after_it(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def killed(scheduler: Scheduler, id: str) -> None:
        """The server died before it could."""

    with monkeypatch.context() as crash:
        crash.setattr(Scheduler, "_next_match", killed)
        with threaded(store) as server, closing(server.table("ur", 2)) as players:
            players[1].do(type="resign")
            for player in players:
                player.until_table(lambda table: table["status"] == "over")
                begins = 0 if player.table["chooser"] == player.table["you"] else None
                assert player.do(type="again", begins=begins)["type"] == "done"
            secret, match = players[1].secret, players[1].match
    with threaded(store) as server, Player(server, match, secret) as player:
        following = player.until_table(lambda table: table["next_match"] is not None)["next_match"]
        assert server.get(f"/api/matches/{following}/table", secret).json()["table"]["you"] == 1


def test_who_acts_after_the_clock_has_fallen_is_too_late(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def asleep(housekeeper: Housekeeper) -> None:
        """Nobody is there to see the clock fall."""

    monkeypatch.setattr(Scheduler, "plan", lambda *_: None)
    monkeypatch.setattr(Housekeeper, "_round", asleep)
    with threaded(store) as server, closing(server.table("ur", 2, clock="1s/move")) as players:
        for player in players:
            player.until_table(lambda table: table["status"] == "running")
        mover = next(player for player in players if player.table["actions"])
        while time.time() * 1000 <= mover.table["times"]["falls_at"] + 200:  # the server has a clock of its own
            time.sleep(0.05)
        assert mover.act(mover.table["actions"][0]["text"])["code"] == "not_your_turn"
        assert mover.until_table(lambda table: table["status"] == "over")["result"][mover.table["you"]] == 0.0


def errors(server: Server) -> list[dict[str, Any]]:
    """What stands in the log as an error."""
    lines = [json.loads(line) for line in server.said().splitlines() if line.startswith("{")]
    return [line for line in lines if line["level"] == "error"]


def limit_files() -> None:
    """No file of this process may grow beyond this: a full disk."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, resource.RLIM_INFINITY))


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
        assert server.get("/ready").status_code == 503
        assert server.get("/health").status_code == 200
        assert [line["message"] for line in errors(server)]
        there = server.get(path).json()["events"]
        assert len([event for event in there if event["kind"] == "said"]) == said
        assert server.process is not None
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        assert players[0].do(type="say", text="x" * 450)["type"] == "done"  # there is room again
        said += 1
        server.wait_until_ready()
    assert len([kept for kept in stored(store, players[0].match) if "x" * 450 in str(kept.body)]) == said


def test_what_cannot_be_served_is_refused_in_one_line(store: Path) -> None:
    stored(store, "none")  # makes the file
    before = store.read_bytes()
    for database, words, reason in (
        (str(store), ("--workers", "2"), "2 workers need PostgreSQL"),
        (str(store), ("--proxies", "my-proxy"), "'my-proxy' is no address of a proxy"),
        ("postgresql://nobody@127.0.0.1:9/none", (), "the store cannot be used: "),
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
    with sqlite(store) as file:
        file.execute("UPDATE alembic_version SET version_num = '9999'")
    assert "newer version" in complaint("serve", "--database", str(store))
    assert schema.LATEST < "9999"
    gc.collect()  # a connection that was left open would complain now
