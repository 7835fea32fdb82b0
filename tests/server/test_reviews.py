"""Reviews over HTTP: of finished matches only, begun by the first to ask, and the same as the command makes."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import msgspec
import pytest

from astragal.analysis.report import Review
from astragal.analysis.review import review
from astragal.core import recordfile
from astragal.server import reviews
from astragal.server.bot_pool import BotPool
from astragal.server.problems import Problem
from tests.core.matches import begun, finished
from tests.server.running import Player, Server, closing
from tests.server.test_manners import running

PATIENCE = 120.0


def over(server: Server, game: str, seats: list[str], **options: Any) -> str:
    made = server.create(game, seats, listed=True, options=options)
    with Player(server, made["match"], None) as watcher:
        watcher.until_table(lambda table: table["status"] == "over")
    match: str = made["match"]
    return match


def reviewed(server: Server, match: str) -> tuple[Review, list[float]]:
    """The review, and how far it was whenever it was asked for."""
    shares = []
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        told = server.get(f"/api/matches/{match}/review").json()
        shares.append(told["share"])
        if told["review"] is not None:
            return msgspec.convert(told["review"], Review), shares
        time.sleep(0.05)
    raise AssertionError(f"no review, only {shares[-1]} of it")


def test_a_finished_match_is_reviewed_and_how_far_that_is_can_be_asked(server: Server) -> None:
    match = over(server, "ur", ["bot:greedy", "bot:random"], pieces=3)
    made, shares = reviewed(server, match)
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert shares[-1] == 1
    record = recordfile.parse(server.get(f"/api/matches/{match}/record").text)
    assert made == review(record)
    assert reviewed(server, match) == (made, [1])  # it is kept


def test_a_game_with_secrets_and_three_seats_is_reviewed_too(server: Server) -> None:
    made, _ = reviewed(server, over(server, "nile", ["bot:greedy"] * 3, board="small"))
    assert len(made.seats) == 3
    assert made.evaluator == "heuristic"


def test_nobody_gets_a_review_of_a_running_match(server: Server) -> None:
    """Neither a seat nor a spectator nor a stranger: values would tell what is hidden."""
    with closing(server.table("nile", 2, options={"board": "small"})) as players:
        for player in players:
            player.until_table(running)
        path = f"/api/matches/{players[0].match}/review"
        for secret in (players[0].secret, players[1].secret, None, "nobody's"):
            answer = server.get(path, secret)
            assert answer.status_code >= 400
            assert "share" not in answer.text
        assert server.get(path).json()["code"] == "not_possible"
    assert server.get("/api/matches/nowhere/review").status_code == 404


def test_a_review_is_part_of_the_description_of_the_api(server: Server) -> None:
    paths = server.get("/api/openapi.json").json()["paths"]
    assert paths["/api/matches/{id}/review"]["get"]["operationId"] == "review"


def test_only_so_many_reviews_are_made_at_once_and_a_failed_one_can_be_asked_for_again() -> None:
    asyncio.run(_only_so_many())


async def _only_so_many() -> None:
    pool = BotPool(1, 5.0)
    kept = reviews.Reviews(pool)
    try:
        for number in range(reviews.MOST_RUNNING):
            assert kept.ask(str(number), finished).share == 0
        with pytest.raises(Problem, match="too many reviews"):
            kept.ask("one more", finished)
        await kept.close()
        assert kept.ask("unfinished", begun).review is None  # the API asks only for finished ones; this one fails
        (task,) = kept._tasks.values()
        await task
        with pytest.raises(Problem, match="not over"):
            kept.ask("unfinished", finished)
        assert kept.ask("unfinished", finished).share == 0
        (task,) = kept._tasks.values()
        await task
        assert kept.ask("unfinished", finished).review is not None
    finally:
        await kept.close()
        pool.close()
