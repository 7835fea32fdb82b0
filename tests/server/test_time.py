"""The system's time is set while a server runs, or between two starts: nobody gains, loses or is forgotten by it."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from astragal.server import heartbeat, retention
from astragal.server.heartbeat import Heartbeat
from astragal.server.server_clock import ServerClock
from astragal.server.settings import Settings
from astragal.server.store import Store
from tests.server.running import PATIENCE, Player, Server, closing
from tests.server.shifted import DAY, HOUR, Shifted
from tests.server.test_lasting import complaint
from tests.server.test_store import match, with_store


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "matches.db"


def running(players: list[Player]) -> Player:
    """Whose turn it is, in a match that has begun."""
    for player in players:
        player.until_table(lambda table: table["status"] == "running")
    return next(player for player in players if player.table["actions"])


def left(server: Server, player: Player) -> int:
    """What is left on the clock of whose turn it is."""
    times = server.get(f"/api/matches/{player.match}/table", player.secret).json()["table"]["times"]
    return int(times["left"][times["running"]])


@pytest.mark.parametrize("offset", [-HOUR, 10 * 60_000, 91 * DAY], ids=["hour back", "ten minutes on", "91 days on"])
def test_set_while_the_server_runs(store: Path, offset: int) -> None:
    server = Shifted(store)
    with server:
        long = server.table("ur", 2, clock="5m+0s")
        calm = running(long)
        short = server.table("ur", 2, clock="4s/move")  # the last of all, so that it is not over before the time is set
        with closing([*short, *long]):
            mover = running(short)
            server.set_time(offset)
            asked, before, began = time.monotonic(), left(server, calm), time.monotonic()
            table = mover.until_table(lambda table: table["status"] == "over")  # neither frozen nor lost at once
            assert time.monotonic() - began > 1
            assert table["result"][mover.table["you"]] == 0.0
            used = before - left(server, calm)
            assert 0 < used <= (time.monotonic() - asked) * 1000 + 100
            moments = [event["at"] for event in mover.events]
            assert moments == sorted(moments)
            assert moments[-1] - moments[0] < 100_000


@pytest.mark.parametrize(
    ("offset", "how"),
    [(-HOUR, signal.SIGTERM), (-HOUR, signal.SIGKILL), (HOUR, signal.SIGTERM), (91 * DAY, signal.SIGKILL)],
    ids=["hour back", "hour back and killed", "hour on", "91 days on and killed"],
)
def test_set_between_two_starts(store: Path, offset: int, how: int) -> None:
    """Time that no server lived is nobody's, and what is stored is never later than now."""
    server = Shifted(store)
    with server:
        players = server.table("ur", 2, clock="5m+0s")
        asked = server.table("egar", 2, options={"begins": 0, "board": "quick", "answer_seconds": 60})
        seeds = server.table("ur", 2, fair=True)
        with closing([*players, *asked, *seeds]):
            mover = running(players)
            asked[0].until_table(lambda table: bool(table["actions"]))
            assert asked[0].act("done")["type"] == "done"
            asked[1].until_table(lambda table: table["times"]["answer_by"] is not None)
            latest = max(event["at"] for event in mover.events)
        server.stop(how)
    server.set_time(offset)
    with (
        server,
        Player(server, mover.match, mover.secret) as back,
        Player(server, asked[1].match, asked[1].secret) as late,
    ):
        table = back.until_table(lambda table: True)
        assert table["status"] == "running"
        assert table["times"]["now"] >= latest
        assert 200_000 < table["times"]["left"][table["you"]] <= 300_000
        assert late.until_table(lambda table: True)["times"]["answer_by"] > table["times"]["now"]
        moments = [event["at"] for event in back.events]
        assert moments == sorted(moments)
        if offset > 0:
            gap = next(event for event in back.events if event["kind"] == "interrupted")
            assert "no clock ran" in gap["text"]
        else:
            assert "before what is stored" in server.said()
        waiting = server.get(f"/api/matches/{seeds[0].match}").json()
        assert (waiting["status"], waiting["free"]) == ("lobby", [])  # a seed may still be opened
        began, used = time.monotonic(), left(server, back)
        time.sleep(0.5)
        assert left(server, back) < used  # and it runs again
        assert left(server, back) > used - (time.monotonic() - began) * 1000 - 2000


def test_a_server_that_stands_still_charges_nobody(store: Path) -> None:
    """As when a laptop sleeps with the hall open."""
    with Server(store) as server, closing(server.table("ur", 2, clock="6s/move")) as players:
        mover = running(players)
        assert server.process is not None
        server.process.send_signal(signal.SIGSTOP)
        time.sleep(heartbeat.STALL_MS / 1000 + 3)
        server.process.send_signal(signal.SIGCONT)
        gap = mover.until(lambda message: message["type"] == "news")["events"][0]
        assert gap["kind"] == "interrupted"
        assert mover.table["status"] == "running"
        assert mover.act(mover.table["actions"][0]["text"])["type"] == "done"


# Several servers -------------------------------------------------------------------------------------------------


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.needs("initdb"))])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path / "s.db") if request.param == "sqlite" else str(request.getfixturevalue("database"))


def test_who_comes_later_takes_over_the_time_of_who_lives(place: str) -> None:
    """One server runs ten minutes ahead of its system, which was set back; the next one must agree with it."""

    async def ask(store: Store) -> None:
        first = Heartbeat(store)
        await first.start()
        store.clock.set(store.clock.now() + 600_000)
        first._beat_at = 0
        await first.beat()
        other = await Store.open(Settings(database=place).url)
        try:
            assert abs(other.clock.now() - store.clock.now()) < 1_000
            second = Heartbeat(other)
            if not store.embedded:  # an embedded store has one server, so the other one must be gone
                await second.start()
                assert second.gaps == []
                other.clock.set(other.clock.now() - 300_000)  # one that was there before has another time
                second._beat_at = 0
                await second.beat()
                assert abs(other.clock.now() - store.clock.now()) < 1_000
                assert len(second.gaps) == 1
        finally:
            await other.close()

    with_store(place, ask)


def test_uptime_counts_only_while_a_server_lives(place: str) -> None:
    async def live(store: Store) -> int:
        beats = Heartbeat(store)
        await beats.start()
        for _ in range(3):
            store.clock.set(store.clock.now() + heartbeat.BEAT_MS)
            await beats.beat()
        store.clock.set(store.clock.now() + 91 * DAY)  # nobody lives for so long between two beats
        await beats.beat()
        await beats.stop()
        return await heartbeat.uptime_ms(store)

    most = 5 * heartbeat.BEAT_MS
    assert 3 * heartbeat.BEAT_MS <= with_store(place, live) <= most + 1000
    assert with_store(place, live) <= 2 * most + 2000


def test_a_gap_makes_nothing_old(place: str) -> None:
    async def ask(store: Store) -> None:
        for _ in range(2):
            beats = Heartbeat(store)
            await beats.start()
            began = store.clock.now()
            store.clock.set(began + 2 * HOUR)
            assert abs(beats.lived_ago(HOUR) - (began + HOUR)) < 1000
            await beats.stop()
            stopped = store.clock.now()
            store.clock.system = lambda at=stopped: at + 91 * DAY  # type: ignore[misc]
            if not store.embedded:
                return  # its time is that of the database
            after = Heartbeat(store)
            await after.start()
            assert abs(after.lived_ago(HOUR) - (stopped - HOUR)) < 1000
            await after.stop()

    with_store(place, ask)


# Old matches -----------------------------------------------------------------------------------------------------


def test_a_wrong_date_removes_nothing(store: Path) -> None:
    server = Shifted(store, "--abandoned-hours", "24")
    with server:
        lobby = server.create("ur", ["open", "open"])["match"]
        for _ in range(3):
            made = server.create("ur", ["open", "open"])
            assert complaint("admin", "close", made["match"], "--database", str(store)) == ""
    assert "90 days" in server.order("retention", "90")
    server.set_time(91 * DAY)
    with server:
        until = time.monotonic() + PATIENCE
        while "4 matches that ended before" not in server.order("retention"):
            assert time.monotonic() < until
    with server:  # starting again makes it no older
        plan = json.loads(server.order("retention", "--json"))
        assert len(plan["matches"]) == 4
        assert plan["hours_left"] == retention.WAIT_MS / HOUR
        kept = {each["match"]: each["status"] for each in json.loads(server.order("list", "--json"))}
        assert len(kept) == 4
        assert kept[lobby] == "lobby"  # nobody could come while no server ran
    server.set_time(0)  # the host sees it in the log and sets the date right
    with server:
        assert json.loads(server.order("retention", "--json"))["matches"] == []

    async def days_later(store: Store) -> None:
        await retention.tidy(store, retention.WAIT_MS * 2)

    with_store(store, days_later)
    assert len(json.loads(server.order("list", "--json"))) == 4


def test_old_matches_are_marked_and_after_days_of_running_removed(place: str) -> None:
    async def ask(store: Store) -> None:
        now = store.clock.now()
        for id, days, status in (("old", 91, "over"), ("young", 89, "over"), ("runs", 91, "running")):
            await store.create(replace(match(id), status=status, changed_ms=now - days * DAY), [], [None])
        await retention.tidy(store, 0)
        assert len(await store.ticking()) == 0
        assert (await retention.plan(store)).matches == ()  # nothing is removed unless the host says so
        await store.set_fact(retention.DAYS, "90")
        await retention.tidy(store, 1_000)
        plan = await retention.plan(store)
        assert plan.matches == ("old",)
        assert plan.hours_left == 73
        await retention.tidy(store, retention.WAIT_MS + 999)
        assert await store.match("old") is not None
        await retention.tidy(store, retention.WAIT_MS + 1_000)
        assert [await store.match(id) is None for id in ("old", "young", "runs")] == [True, False, False]
        assert (await retention.plan(store)).matches == ()

    with_store(place, ask)


def test_a_clock_cannot_be_set_by_the_system() -> None:
    readings: dict[str, Any] = {"system": 1_000_000, "counted": 50}
    clock = ServerClock(lambda: int(readings["system"]), lambda: int(readings["counted"]))
    assert clock.now() == 1_000_000
    readings |= {"system": 5, "counted": 60}
    assert clock.now() == 1_000_010
    clock.set(2_000_000)
    readings["counted"] += 7
    assert clock.now() == 2_000_007


def test_the_time_of_an_answer_begins_when_a_client_says_that_the_question_is_shown(store: Path) -> None:
    with Server(store) as server:
        options = {"begins": 0, "board": "quick", "answer_seconds": 20}
        with closing(server.table("egar", 2, options=options)) as (first, second):
            first.until_table(lambda table: bool(table["actions"]))
            ply = second.until_table(lambda table: table["ply"] > 0)["ply"]
            assert second.do(type="shown", ply=ply + 1)["code"] == "late"
            assert second.do(type="shown", ply=ply - 1)["type"] == "done"  # it shows everything all the same
            assert first.act("done")["type"] == "done"
            asked = second.until_table(lambda table: table["times"]["answer_by"] is not None)
            times = asked["times"]
            assert times["answer_by"] - times["answer_from"] == 20_000
            assert 9_000 < times["answer_from"] - times["now"] <= 10_000
            assert second.do(type="shown", ply=asked["ply"] - 1)["code"] == "late"
            assert second.do(type="shown", ply=asked["ply"])["type"] == "done"
            now = second.until_table(lambda table: table["times"]["answer_from"] != times["answer_from"])["times"]
            assert now["answer_by"] <= now["now"] + 20_000
        with Player(server, second.match, second.secret) as back:  # and nobody is told of it
            back.until_table(lambda _: True)
            assert "shown" not in {event["kind"] for event in back.events}
            assert back.table["times"]["answer_by"] == now["answer_by"]
