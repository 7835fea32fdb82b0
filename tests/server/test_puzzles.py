"""Puzzles over HTTP: nothing of an answer is told before the try."""

from __future__ import annotations

from typing import Any

import pytest

import astragal
from astragal.analysis import puzzles
from tests.server.running import Server, threaded

GAMES = [id for id, game in astragal.games().items() if game.puzzles is not None]


def keys(told: Any) -> set[str]:
    if isinstance(told, dict):
        return {*told, *(name for value in told.values() for name in keys(value))}
    return {name for value in told for name in keys(value)} if isinstance(told, list) else set()


@pytest.mark.parametrize("id", GAMES)
def test_a_puzzle_comes_without_its_answer_and_a_try_gets_it(server: Server, id: str) -> None:
    listed = server.get(f"/api/games/{id}/puzzles", day="2026-11-16").json()
    known = {one.id: one for one in puzzles.set_of(astragal.game(id)).puzzles}
    assert [one["id"] for one in listed["puzzles"]] == list(known)
    assert listed["today"] in known
    assert keys(listed) == {"puzzles", "id", "difficulty", "today", "day"}
    puzzle = known[listed["today"]]
    put = server.get(f"/api/games/{id}/puzzles/{puzzle.id}")
    assert not keys(put.json()) & {"values", "value", "best", "kind", "fails", "tempting", "position"}
    legal = astragal.rules(id).legal(puzzles.state_of(astragal.game(id), puzzle))
    assert [action["text"] for action in put.json()["actions"]] == list(map(str, legal)), "in the order of the rules"
    wrong = server.post(f"/api/games/{id}/puzzles/{puzzle.id}/try", {"action": puzzle.tempting}).json()
    assert (wrong["grade"] == "solved", wrong["loss"] > 0) == (False, True)
    right = server.post(f"/api/games/{id}/puzzles/{puzzle.id}/try", {"action": puzzle.best}).json()
    assert (right["grade"], right["loss"]) == ("solved", 0)
    assert [(one["text"], one["value"]) for one in right["values"]] == list(puzzle.values)
    assert (right["position"] is None) == astragal.game(id).rules.spec.hidden
    assert len(right["fails"]) == 4


def test_the_day_may_be_the_callers_own(server: Server) -> None:
    days = {server.get("/api/games/ur/puzzles", day=f"2026-11-{day}").json()["today"] for day in range(10, 20)}
    assert len(days) == 10
    assert server.get("/api/games/ur/puzzles", day="soon").status_code == 400


def test_what_is_not_there_or_not_possible_is_refused_with_a_reason(server: Server) -> None:
    puzzle = puzzles.set_of(astragal.game("ur")).puzzles[0]
    where = f"/api/games/ur/puzzles/{puzzle.id}"
    refused = [
        (server.get("/api/games/ur/puzzles/00"), 404, "not_found"),
        (server.get("/api/games/chess/puzzles"), 404, "unknown_game"),
        (server.post(f"{where}/try", {"action": "xyzzy"}), 400, "bad_notation"),
        (server.post(f"{where}/try", {"action": "b8-off"}), 409, "illegal_action"),
        (server.post(f"{where}/try", {}), 400, "malformed"),
    ]
    for answer, status, code in refused:
        assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
        assert answer.json()["detail"]


def test_a_turn_can_be_planned_in_a_puzzle(server: Server) -> None:
    game = astragal.game("nile")
    puzzle = next(one for one in puzzles.set_of(game).puzzles if one.best != "stop")
    answer = server.post(f"/api/games/nile/puzzles/{puzzle.id}/preview", {"actions": [puzzle.best]})
    assert answer.json()["view"]["laid"] >= 1
    assert "racks" not in answer.text


def test_answers_are_explained_in_the_callers_language(server: Server) -> None:
    puzzle = puzzles.set_of(astragal.game("ur")).puzzles[0]
    told = [
        server.post(f"/api/games/ur/puzzles/{puzzle.id}/try?lang={lang}", {"action": puzzle.best}).json()["sentences"]
        for lang in ("en", "de", "es")
    ]
    assert len({one[0] for one in told}) == 3
    points = f"{100 * (puzzle.values[0][1] - puzzle.values[1][1]):.1f}"
    assert [points in one[1] for one in told] == [True, False, False]
    assert points.replace(".", ",") in told[1][1]


def test_whoever_asks_too_often_has_to_wait(tmp_path: Any) -> None:
    with threaded(tmp_path / "db", rate=20) as server:
        codes = {server.get("/api/games/ur/puzzles").status_code for _ in range(30)}
    assert codes == {200, 429}
