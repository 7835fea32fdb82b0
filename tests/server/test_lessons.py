"""Lessons over HTTP: told in the learner's language, with what a plan would lead to."""

from __future__ import annotations

import pytest

import astragal
from tests.server.running import Server


@pytest.mark.parametrize("id", list(astragal.games()))
def test_a_lesson_is_told_in_the_learners_language(server: Server, id: str) -> None:
    told = {lang: server.get(f"/api/games/{id}/lesson", lang=lang).json() for lang in ("en", "de", "es")}
    assert len({pages[0]["text"] for pages in told.values()}) == 3
    assert len({len(pages) for pages in told.values()}) == 1


def test_a_learner_asks_what_a_turn_would_bring(server: Server) -> None:
    pages = server.get("/api/games/nile/lesson").json()
    number = next(n for n, page in enumerate(pages) if len(page["steps"]) == 3)
    wanted = [step["want"] for step in pages[number]["steps"]]
    answer = server.post("/api/games/nile/lesson/preview", {"page": number, "actions": wanted[:2]})
    assert answer.json()["view"]["pending"]["total"] == 16
    answer = server.post("/api/games/nile/lesson/preview", {"page": number, "step": 1, "actions": wanted[1:2]})
    assert answer.json()["view"]["pending"]["total"] == 16


def test_what_a_lesson_does_not_have_is_refused_with_a_reason(server: Server) -> None:
    missing = server.post("/api/games/ur/lesson/preview", {"page": 99, "actions": []})
    assert (missing.status_code, missing.json()["code"]) == (404, "not_found")
    forbidden = server.post("/api/games/ur/lesson/preview", {"page": 1, "actions": ["a1-b4"]})
    assert forbidden.json()["code"] == "illegal_action"
    assert forbidden.json()["detail"]
