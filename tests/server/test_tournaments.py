"""Tournaments on a real server: from the first entry to the last result, with everything that people do meanwhile."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from astragal.server import tournament_runner
from tests.server.cup import Cup, Guest, first_to_play, play_round, play_until
from tests.server.running import Server, sqlite, threaded
from tests.server.test_players import Key, admin, ask

SHORT: dict[str, Any] = {"options": {"pieces": 1}}


def first(there: list[Guest]) -> Guest:
    return min(there, key=lambda guest: int(guest.entrant))


def test_bots_play_a_swiss_tournament_to_its_end(server: Server) -> None:
    cup = Cup(server, rounds=3, **SHORT)
    cup.bots(5)
    cup.do("begin")
    sheet = cup.until(lambda sheet: sheet["status"] == "over")
    assert sheet["round"] == sheet["rounds"] == 3
    assert sum(row["points"] for row in sheet["standings"]) == 3 * 3  # two tables and a bye in each round
    assert sorted(row["byes"] for row in sheet["standings"]) == [0, 0, 1, 1, 1]
    games = [game for each in cup.rounds() for table in each["tables"] for game in table["games"]]
    assert len({game["match"] for game in games}) == 6
    for each in cup.rounds():
        for table in each["tables"]:
            [game] = table["games"]
            result = server.get(f"/api/matches/{game['match']}").json()["result"]
            by_entrant = dict(zip(game["seats"], result, strict=True))
            assert [by_entrant[entrant] for entrant in table["entrants"]] == game["shares"]


def test_people_enter_by_a_secret_sit_down_and_go_from_round_to_round(server: Server) -> None:
    cup = Cup(server, rounds=2)
    guests = cup.guests("Ada", "Ben", "Cleo", "Dan")
    assert guests[0].me()["state"] == "waiting"
    cup.do("begin")
    for _ in range(2):
        own = guests[0].until("play")
        assert len(own["opponents"]) == 1
        assert not own["seated"]
        n = own["round"]
        play_until(cup, guests, first, lambda sheet, n=n: sheet["round"] > n or sheet["status"] == "over")  # type: ignore[misc]
    assert cup.sheet()["status"] == "over"
    assert cup.points()["Ada"] == 2.0
    assert guests[0].until("over")["place"] == 1


def test_who_enters_or_sits_down_twice_does_it_once(server: Server) -> None:
    cup = Cup(server)
    secret = "s" * 32
    answers = [server.post(f"{cup.path}/entrants", {"name": "Ada", "secret": secret}) for _ in range(2)]
    assert answers[0].json() == answers[1].json()
    ben = Guest(cup, "Ben")
    assert server.post(f"{cup.path}/entrants", {"name": "ben"}).json()["code"] == "not_possible"  # a name of one's own
    assert server.post(f"{cup.path}/entrants", {"name": " \u0007"}).json()["code"] == "malformed"
    cup.do("begin", id="once")
    cup.do("begin", id="once")
    assert cup.order("begin").json()["code"] == "not_possible"
    ben.until("play")
    match = ben.sit()
    kept = ben.seats[match]
    assert ben.sit() == match
    assert ben.seats[match] == kept
    assert server.get(f"/api/matches/{match}/table", kept).json()["table"]["you"] is not None


def test_nobody_else_can_take_the_seat(server: Server) -> None:
    cup = Cup(server)
    ada, _ = cup.guests("Ada", "Ben")
    cup.do("begin")
    match = ada.until("play")["match"]
    for invite in ("", "-"):
        answer = server.post(f"/api/matches/{match}/seats", {"name": "Eve", "invite": invite})
        assert answer.json()["code"] == "forbidden"
    assert server.post(f"{cup.path}/me/sit", {}, "no secret").json()["code"] == "wrong_secret"
    assert server.post(f"{cup.path}/me/sit", {}).json()["code"] == "wrong_secret"


def test_a_player_with_a_key_is_known_on_another_device(server: Server) -> None:
    cup, key = Cup(server), Key()
    one, other = key.sign_in(server, name="Ida"), key.sign_in(server)
    entered = server.post(f"{cup.path}/entrants", {}, **one)
    assert entered.json() == {"tournament": cup.id, "entrant": 0, "secret": None}
    assert server.post(f"{cup.path}/entrants", {"name": "Other"}, **other).json()["entrant"] == 0
    ben = Guest(cup, "Ben")
    cup.do("begin")
    ben.until("play")
    assert server.post(f"{cup.path}/me/sit", {}, **one).status_code == 200
    match = ben.sit()
    assert ask(server, f"/api/matches/{match}/table", other).json()["table"]["you"] is not None


def test_a_player_whom_the_host_forgets_leaves_no_name(server: Server) -> None:
    cup, key = Cup(server), Key()
    session = key.sign_in(server, name="Ida")
    server.post(f"{cup.path}/entrants", {"name": "Ida"}, **session)
    assert list(cup.points()) == ["Ida"]
    exported = ask(server, "/api/players/me/export", session).json()["personal"]
    assert exported["tournaments"] == [{"tournament": cup.id, "entrant": 0}]
    admin(server, "player-forget", key.public)
    cup.until(lambda sheet: [row["name"] for row in sheet["standings"]] == [""])


def test_late_entry_absence_byes_and_withdrawal(server: Server) -> None:
    cup = Cup(server, rounds=4)
    ada, ben, cleo = guests = cup.guests("Ada", "Ben", "Cleo")
    cup.do("begin")
    cup.until(lambda sheet: sheet["round"] == 1)
    rested = next(guest for guest in guests if guest.me()["state"] == "bye")
    dan = Guest(cup, "Dan")  # too late for this round
    assert dan.me()["state"] == "waiting"
    ada.until("play" if ada is not rested else "bye")
    assert cleo.post("presence", {"absent": True}).status_code == 200
    play_until(cup, guests, first, lambda sheet: sheet["round"] == 2)
    assert cleo.me()["state"] == "absent"
    assert cup.points()[rested.name] == 1.0
    paired = [entrant for table in cup.sheet()["playing"] for entrant in table["entrants"]] + cup.sheet()["byes"]
    assert sorted(paired) == [ada.entrant, ben.entrant, dan.entrant]
    leaving = first_to_play((ada, ben, dan))
    opponent = leaving.until("play")["opponents"][0]
    before = cup.points()[opponent]
    leaving.sit()
    assert leaving.post("withdraw").json()["state"] == "withdrawn"
    assert cup.points()[opponent] == before + 1.0  # the other has the game
    assert cleo.post("presence", {"absent": False}).status_code == 200
    cup.until(lambda sheet: sheet["round"] == 3)
    assert cleo.me()["state"] in ("play", "bye", "waiting")
    assert leaving.me()["state"] == "withdrawn"


@pytest.fixture(scope="module")
def threads(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server in this process, so that a test can shorten its seconds. Few bots may play alone there."""
    with threaded(tmp_path_factory.mktemp("threads") / "cups.db", bots_only=1) as server:
        yield server


def test_whoever_does_not_come_loses_and_is_absent(threads: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    cup = Cup(threads, rounds=2)
    ada, ben, _ = cup.guests("Ada", "Ben", "Cleo")
    cup.do("set absent", entrant=2)
    cup.do("begin")
    ada.until("play")
    match = ada.sit()
    monkeypatch.setattr(tournament_runner, "SECOND_MS", 0)
    cup.until(lambda sheet: sheet["status"] == "over")  # one alone cannot go on
    assert cup.points() == {"Ada": 1.0, "Ben": 0.0, "Cleo": 0.0}
    assert {row["name"]: row["absent"] for row in cup.sheet()["standings"]} == {"Ada": False, "Ben": True, "Cleo": True}
    assert threads.get(f"/api/matches/{match}").json()["status"] == "closed"
    [table] = cup.rounds()[0]["tables"]
    assert table["games"][0]["how"] == "no-show"
    assert ben.post("sit").json()["code"] == "not_possible"


def test_at_a_table_of_three_the_others_play_without_whoever_does_not_come(
    threads: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = Cup(threads, "groups", "nile", size=3, rounds=1, no_show=1000)
    ada, ben, _ = cup.guests("Ada", "Ben", "Cleo")
    cup.do("begin")
    began = time.monotonic()
    ada.until("play")
    before = {ada.sit(), ben.sit()}
    assert len(before) == 1
    while time.monotonic() < began + 3:  # so long they will have at the second table too
        time.sleep(0.1)
    monkeypatch.setattr(tournament_runner, "SECOND_MS", time.monotonic() - began)
    cup.until(lambda sheet: sheet["playing"][0]["games"][0]["match"] not in (None, *before))
    again = ada.sit()
    assert again not in before
    assert ben.sit() == again
    ben.resign(again)
    cup.until(lambda sheet: sheet["status"] == "over")
    assert cup.points() == {"Ada": 1.0, "Ben": 0.0, "Cleo": 0.0}


def test_a_match_of_three_games_changes_sides(server: Server) -> None:
    cup = Cup(server, rounds=1, games=3)
    ada, ben = guests = cup.guests("Ada", "Ben")
    cup.do("begin")
    seats = []
    for game in (1, 2, 3):
        cup.until(lambda sheet: len(sheet["playing"]) == 1)
        while (own := ada.until("play"))["game"] != game:
            pass
        seats.append(own["seat"])
        play_round(guests, first if game != 2 else lambda _there: ben)
    cup.until(lambda sheet: sheet["status"] == "over")
    assert seats in ([0, 1, 0], [1, 0, 1])
    assert cup.points() == {"Ada": 1.0, "Ben": 0.0}
    assert {row["name"]: row["share"] for row in cup.sheet()["standings"]} == {"Ada": 2.0, "Ben": 1.0}


def test_the_organiser_pauses_corrects_renames_removes_and_ends(server: Server) -> None:
    cup = Cup(server, rounds=3)
    ada, ben, cleo, dan = guests = cup.guests("Ada", "Ben", "Rude", "Dan")
    for type in ("begin", "pause", "end"):
        assert server.post(f"{cup.path}/orders", {"type": type}, ada.secret).json()["code"] == "wrong_secret"
    cup.do("rename", entrant=cleo.entrant, name="Cleo")
    cup.do("begin")
    ada.until("play")
    cup.do("pause")
    play_until(cup, guests, first, lambda sheet: all(table["points"] for table in sheet["playing"]))
    assert cup.sheet()["status"] == "paused"
    assert cup.sheet()["round"] == 1
    [table] = [table for table in cup.sheet()["playing"] if ada.entrant in table["entrants"]]
    shares = [float(entrant != ada.entrant) for entrant in table["entrants"]]
    cup.do("correct", round=0, table=table["table"], shares=shares)
    assert cup.points()["Ada"] == 0.0
    assert cup.order("correct", round=0, table=table["table"], shares=[1, 1]).json()["code"] == "malformed"
    assert cup.order("correct", round=9, table=0, shares=[1, 0]).json()["code"] == "not_possible"
    cup.do("remove", entrant=dan.entrant)
    cup.do("resume")
    cup.until(lambda sheet: sheet["round"] == 2)
    assert dan.me()["state"] == "withdrawn"
    playing = first_to_play((ada, ben, cleo))
    match = playing.sit()
    done = cup.do("end")
    assert done["status"] == "over"
    assert server.get(f"/api/matches/{match}").json()["status"] == "closed"
    assert cup.order("end").json()["code"] == "not_possible"
    assert "Cleo" in cup.points()


def test_a_result_given_while_the_match_runs_closes_it(server: Server) -> None:
    cup = Cup(server, rounds=1)
    ada, ben = cup.guests("Ada", "Ben")
    cup.do("begin")
    ada.until("play")
    match = ada.sit()
    ben.sit()
    cup.do("correct", round=0, table=0, shares=[0.5, 0.5])
    assert server.get(f"/api/matches/{match}").json()["status"] == "closed"
    cup.until(lambda sheet: sheet["status"] == "over")
    assert cup.points() == {"Ada": 0.5, "Ben": 0.5}


def test_an_arena_of_bots_goes_on_until_its_organiser_ends_it(server: Server) -> None:
    cup = Cup(server, "arena", minutes=60, **SHORT)
    cup.bots(3)
    cup.do("begin")
    sheet = cup.until(lambda sheet: sum(row["played"] for row in sheet["standings"]) >= 4)
    assert sheet["ends_at"] == sheet["began_at"] + 3_600_000
    assert cup.do("end")["status"] == "over"


def test_a_round_robin_of_bots(server: Server) -> None:
    cup = Cup(server, "round-robin", **SHORT)
    cup.bots(4)
    cup.do("begin")
    sheet = cup.until(lambda sheet: sheet["status"] == "over")
    assert [row["played"] for row in sheet["standings"]] == [3] * 4


def test_exports_hold_everything_and_no_formula(server: Server) -> None:
    cup = Cup(server, rounds=1)
    guests = cup.guests("=HYPERLINK(1)", "@Ben")
    cup.do("begin")
    play_until(cup, guests, first, lambda sheet: sheet["status"] == "over")
    answer = server.get(f"{cup.path}/export", form="csv")
    assert answer.headers["content-type"].startswith("text/csv")
    assert "attachment" in answer.headers["content-disposition"]
    rows = list(csv.DictReader(io.StringIO(answer.text.removeprefix("\ufeff"))))
    assert [(row["place"], row["name"], row["points"]) for row in rows] == [
        ("1", "'=HYPERLINK(1)", "1.0"),
        ("2", "'@Ben", "0.0"),
    ]
    games = list(csv.DictReader(io.StringIO(server.get(f"{cup.path}/export", form="csv", what="games").text[1:])))
    assert [row["share"] for row in games] in (["1.0", "0.0"], ["0.0", "1.0"])
    both = server.get(f"{cup.path}/export").json()
    assert both["tournament"]["standings"][0]["name"] == "=HYPERLINK(1)"
    assert len(both["rounds"]) == 1


def test_what_cannot_be_made(server: Server) -> None:
    for wrong, code in (
        ({"format": "arena"}, "bad_options"),
        ({"format": "groups", "size": 3}, "bad_options"),  # of a game for two
        ({"title": "\u0007"}, "malformed"),
        ({"game": "chess"}, "unknown_game"),
        ({"clock": "soon"}, "bad_options"),
        ({"options": {"pieces": 99}}, "bad_options"),
        ({"rounds": 31}, "malformed"),
        ({"no_show": 1}, "malformed"),
    ):
        body: dict[str, Any] = {"title": "Cup", "format": "swiss", "game": "ur", **wrong}
        assert server.post("/api/tournaments", body).json()["code"] == code, wrong
    assert server.get("/api/tournaments/none").json()["code"] == "not_found"
    cup = Cup(server)
    assert cup.order("begin").json()["code"] == "not_possible"  # nobody is there
    assert cup.order("add bot", bot="god").json()["code"] == "unknown_bot"


def test_one_address_may_have_so_many_tournaments_open(tmp_path: Path) -> None:
    with threaded(tmp_path / "cups.db", tournaments=2) as server:
        cups = [Cup(server) for _ in range(2)]
        wanted = {"title": "Third", "format": "swiss", "game": "ur"}
        refused = server.post("/api/tournaments", wanted)
        assert (refused.status_code, refused.json()["code"]) == (429, "quota")
        cups[0].do("end")
        assert server.post("/api/tournaments", wanted).status_code == 201


def test_bots_wait_for_their_turn_where_few_may_play_alone(threads: Server) -> None:
    cup = Cup(threads, rounds=1, **SHORT)
    cup.bots(6)
    cup.do("begin")
    while (sheet := cup.sheet())["status"] != "over":
        games = [table["games"][0] for table in sheet["playing"]]
        opened = sum(game["match"] is not None and game["shares"] is None for game in games)
        assert opened <= 2  # the first may have ended, and that is not noted yet
        time.sleep(0.02)


def test_listed_tournaments_are_found_and_others_are_not(server: Server) -> None:
    shown, hidden = Cup(server, title="Open cup", listed=True), Cup(server, title="Quiet cup")
    listed = {each["tournament"]: each for each in server.get("/api/tournaments").json()}
    assert listed[shown.id]["title"] == "Open cup"
    assert hidden.id not in listed


def test_the_stream_tells_the_standings_as_they_change(server: Server) -> None:
    cup = Cup(server, rounds=1)
    with httpx.stream("GET", f"{server.address}{cup.path}/stream", timeout=60) as stream:
        lines = (line for line in stream.iter_lines() if line.startswith("data: "))
        assert '"standings":[]' in next(lines)
        Guest(cup, "Ada")
        assert '"name":"Ada"' in next(lines)


def test_a_deleted_tournament_leaves_nothing(tmp_path: Path) -> None:
    place = tmp_path / "cups.db"
    with threaded(place) as server:
        cup = Cup(server, rounds=1)
        ada, ben = cup.guests("Adalbert", "Ben")
        cup.do("begin")
        ada.until("play")
        match = ada.sit()
        ben.sit()
        wrong = httpx_delete(server, cup.path, "wrong")
        assert wrong.json()["code"] == "wrong_secret"
        assert httpx_delete(server, cup.path, cup.secret).status_code == 204
        assert server.get(cup.path).status_code == 404
        assert server.get(f"/api/matches/{match}").status_code == 404
    with sqlite(place) as file:
        for table in ("tournaments", "tournament_entries", "entrants", "matches", "entries", "seats", "uses"):
            assert file.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,), table
        assert "Adalbert" not in "".join(file.iterdump())


def httpx_delete(server: Server, path: str, secret: str) -> Any:
    return httpx.delete(f"{server.address}{path}", headers={"Authorization": f"Bearer {secret}"}, timeout=60)
