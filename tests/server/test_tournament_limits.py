"""What tournaments refuse, and what they withstand: quotas, repeated and simultaneous requests, and neglect."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from astragal.server import tournament_runner, tournament_store, tournaments
from astragal.server.tournament_runner import TournamentRunner
from astragal.server.tournaments import MOST_ABSENCES
from astragal.tournament.conduct import due
from tests.games.egar.decks import large_deck
from tests.server.cup import Cup, Guest
from tests.server.running import PATIENCE, Server, sqlite, threaded
from tests.server.test_players import Key
from tests.server.test_store import with_store
from tests.server.test_tournaments import httpx_delete

WANTED = {"title": "Another", "format": "swiss", "game": "ur"}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("threads") / "cups.db"


@pytest.fixture(scope="module")
def threads(place: Path) -> Iterator[Server]:
    """A server in this process, so that a test can change its limits and its database."""
    with threaded(place) as server:
        yield server


def change(place: Path, order: str, *values: Any) -> None:
    with sqlite(place, timeout=PATIENCE) as file:
        file.execute(order, values)


def test_a_seat_that_somebody_else_has_is_not_told_to_be_ones_own(threads: Server, place: Path) -> None:
    cup, session = Cup(threads), Key().sign_in(threads, name="Ida")
    assert threads.post(f"{cup.path}/entrants", {}, **session).status_code == 201
    ben = Guest(cup, "Ben")
    cup.do("begin")
    ben.until("play")
    match = ben.sit()
    for _ in range(2):
        assert threads.post(f"{cup.path}/me/sit", {}, **session).status_code == 200
        assert ben.post("sit").status_code == 200
    change(place, "UPDATE seats SET secret = 'of another', player = 'of another' WHERE match = ?", match)
    for answer in (ben.post("sit"), threads.post(f"{cup.path}/me/sit", {}, **session)):
        assert (answer.status_code, answer.json()["code"]) == (409, "seat_taken")


def test_an_address_makes_so_many_tournaments_in_a_day(tmp_path: Path) -> None:
    with threaded(tmp_path / "cups.db", tournaments=1) as server:
        for _ in range(3):
            Cup(server).do("end")
        refused = server.post("/api/tournaments", WANTED)
        assert (refused.status_code, refused.json()["code"]) == (429, "quota")
        assert "within a day" in refused.json()["detail"]


def test_tournaments_and_their_decks_fill_the_store_of_an_address(tmp_path: Path) -> None:
    """The same deck is stored and counted once."""
    with threaded(tmp_path / "cups.db", stored_megabytes=1) as server:
        decks = [large_deck(300, name=name) for name in ("one", "two")]
        for _ in range(2):
            Cup(server, game="egar", options={"deck": decks[0]}).do("end")
        for path, wanted in (
            ("/api/tournaments", {**WANTED, "game": "egar", "options": {"deck": decks[1]}}),
            ("/api/matches", {"game": "egar", "seats": ["open", "open"], "options": {"deck": decks[1]}}),
        ):
            refused = server.post(path, wanted)
            assert (refused.status_code, refused.json()["code"]) == (429, "quota")
        assert server.post("/api/tournaments", WANTED).status_code == 201


def test_absences_of_ones_own_are_limited_and_the_organisers_are_not(threads: Server) -> None:
    cup = Cup(threads)
    ada = Guest(cup, "Ada")
    for _ in range(MOST_ABSENCES):
        for absent in (True, False):
            assert ada.post("presence", {"absent": absent}).status_code == 200
    refused = ada.post("presence", {"absent": True})
    assert refused.json()["code"] == "not_possible"
    assert str(MOST_ABSENCES) in refused.json()["detail"]
    cup.do("set absent", entrant=ada.entrant)
    assert ada.post("presence", {"absent": False}).json()["state"] == "waiting"  # to come back is always possible


def test_a_round_robin_that_is_too_long_does_not_begin(threads: Server) -> None:
    cup = Cup(threads, "round-robin", games=9)
    guests = cup.guests(*(f"No. {n}" for n in range(68)))
    refused = cup.order("begin")
    assert refused.json()["code"] == "not_possible"
    assert "20502" in refused.json()["detail"]
    assert guests[0].post("withdraw").status_code == 200
    assert cup.do("begin")["status"] == "running"
    assert threads.post(f"{cup.path}/entrants", {"name": "Late"}).json()["code"] == "not_possible"
    cup.do("rename", entrant=1, name="Renamed")  # nobody enters by it
    cup.do("end")


def test_a_tournament_in_which_nothing_happens_for_days_is_ended(
    threads: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    paused, running = Cup(threads), Cup(threads)
    for cup in (paused, running):
        guests = cup.guests("Ada", "Ben")
        cup.do("begin")
        match = guests[0].until("play")["match"]
    paused.do("pause")
    time.sleep(1.5 * tournament_runner.ROUND)
    assert (paused.sheet()["status"], running.sheet()["status"]) == ("paused", "running")
    monkeypatch.setattr(tournament_runner, "IDLE_MS", 0)
    for cup in (paused, running):
        cup.until(lambda sheet: sheet["status"] == "over")
    while threads.get(f"/api/matches/{match}").json()["status"] != "closed":
        time.sleep(0.05)


def test_old_tournaments_are_removed_wherever_they_stand(tmp_path: Path) -> None:
    place = tmp_path / "cups.db"
    with threaded(place) as server:
        for orders in ((), ("begin",), ("begin", "pause"), ("end",)):
            cup = Cup(server)
            cup.guests("Ada", "Ben")
            for order in orders:
                cup.do(order)
    assert with_store(str(place), lambda store: tournament_store.forget(store, store.clock.now() - 60_000)) == 0
    assert with_store(str(place), lambda store: tournament_store.forget(store, store.clock.now() + 60_000)) == 4


def test_whoever_enters_in_several_requests_at_once_enters_once(threads: Server) -> None:
    cup, secret, session = Cup(threads), "s" * 32, Key().sign_in(threads, name="Ida")

    def enter(n: int) -> int:
        guest = n % 2
        body = {"name": f"Ada {n}", "secret": secret if guest else ""}
        answer = threads.post(f"{cup.path}/entrants", body, **({} if guest else session))
        return int(answer.json()["entrant"])

    with ThreadPoolExecutor(8) as pool:
        entered = set(pool.map(enter, range(8)))
    assert entered == {0, 1}
    assert len(cup.points()) == 2


def test_one_address_cannot_fill_a_listed_tournament(
    threads: Server, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tournaments, "MOST_OF_ONE_ADDRESS", 2)
    Cup(threads).guests("Ada", "Ben", "Cleo")  # who has its link was invited
    lesson = Cup(threads, kind="class", listed=True)
    lesson.guests("Ada", "Ben", "Cleo")
    cup = Cup(threads, listed=True)
    cup.guests("Ada", "Ben")
    refused = threads.post(f"{cup.path}/entrants", {"name": "Cleo"})
    assert refused.json()["code"] == "not_possible"
    cup.do("add bot", bot="random")
    with sqlite(place) as file:
        kept = file.execute("SELECT count(house) FROM entrants WHERE tournament = ?", (lesson.id,)).fetchone()
    assert kept == (0,)  # nothing but their names is kept of pupils


def test_repeated_orders_are_done_once(threads: Server) -> None:
    cup = Cup(threads)
    ada, ben = cup.guests("Ada", "Ben")
    cup.do("set absent", entrant=ada.entrant, id="one")
    assert ada.post("presence", {"absent": False}).json()["state"] == "waiting"
    cup.do("set absent", entrant=ada.entrant, id="one")  # the answer to the first was lost
    assert ada.me()["state"] == "waiting"
    cup.do("remove", entrant=ben.entrant, id="two")
    cup.do("remove", entrant=ada.entrant, id="two")
    assert (ada.me()["state"], ben.me()["state"]) == ("waiting", "withdrawn")


def test_nothing_changes_while_a_round_is_paired(threads: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    began, seen = threading.Event(), list[tuple[int, int]]()

    def slow(state: Any, now: int) -> Any:
        before = state.last
        began.set()
        time.sleep(0.3)
        seen.append((before, state.last))
        return due(state, now)

    cup = Cup(threads)
    cup.guests("Ada", "Ben")
    monkeypatch.setattr(tournament_runner, "due", slow)
    with ThreadPoolExecutor(1) as pool:
        begin = pool.submit(cup.do, "begin")
        assert began.wait(PATIENCE)
        Guest(cup, "Cleo")
        begin.result()
    monkeypatch.undo()
    assert seen
    assert all(before == after for before, after in seen)
    cup.do("end")


def test_no_match_is_made_while_a_tournament_is_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place, made = tmp_path / "cups.db", threading.Event()
    make = TournamentRunner._make

    async def slowly(self: TournamentRunner, *what: Any) -> None:
        await make(self, *what)
        made.set()
        await asyncio.sleep(0.5)

    monkeypatch.setattr(TournamentRunner, "_make", slowly)
    with threaded(place) as server:
        cup = Cup(server)
        cup.guests("Ada", "Ben")
        with ThreadPoolExecutor(1) as pool:
            begin = pool.submit(cup.order, "begin")
            assert made.wait(PATIENCE)
            assert httpx_delete(server, cup.path, cup.secret).status_code == 204
            begin.result()
    with sqlite(place) as file:
        for table in ("tournaments", "tournament_entries", "entrants", "matches", "seats"):
            assert file.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,), table
