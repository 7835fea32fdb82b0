"""Reviews over HTTP: of finished matches only, begun by the first to ask, and the same as the command makes."""

from __future__ import annotations

import asyncio
import html
import time
from random import Random
from typing import Any

import msgspec
import pytest

from astragal.analysis.report import Review
from astragal.analysis.review import review
from astragal.core import recordfile
from astragal.core.record import Acted, Drew, Paused, Resumed, Seat
from astragal.server import reviews
from astragal.server.bot_pool import BotPool
from astragal.server.journal import Interrupted, Kept, Said
from astragal.server.problems import Problem
from tests.core.matches import begun, finished
from tests.server.running import Player, Server, closing, play_on
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
    assert made.evaluator == "network"


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
    pool = BotPool(1, PATIENCE)  # its process has to start, too
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


def test_what_a_review_says_comes_in_the_callers_language(server: Server) -> None:
    match = over(server, "ur", ["bot:greedy", "bot:random"], pieces=2)
    made, _ = reviewed(server, match)
    told = {lang: server.get(f"/api/matches/{match}/review", lang=lang).json()["told"] for lang in ("en", "de", "es")}
    assert told["en"]["title"] == "The Royal Game of Ur"
    assert len({one["verdict"] for one in told.values()}) == 3
    for one in told.values():
        assert len(one["steps"]) == len(made.steps)
        assert len(one["seats"]) == 2


def test_the_picture_is_there_as_soon_as_the_review_is(server: Server) -> None:
    match = over(server, "ur", ["bot:greedy", "bot:random"], pieces=2)
    path = f"/api/matches/{match}/review/picture.svg"
    early = server.get(path)
    assert early.status_code == 409
    assert "ask for it first" in early.json()["detail"]
    reviewed(server, match)
    picture = server.get(path)
    assert picture.headers["content-type"].startswith("image/svg+xml")
    told = server.get(f"/api/matches/{match}/review").json()["told"]
    assert html.escape(told["verdict"]) in picture.text


def test_a_decision_is_shown_as_its_seat_saw_it_with_the_better_action_among_its_choices(server: Server) -> None:
    match = over(server, "nile", ["bot:greedy"] * 2, board="small")
    made, _ = reviewed(server, match)
    asked = [step for step in made.steps if step.choices > 1][:5]
    assert asked
    for step in asked:
        seen = server.get(f"/api/matches/{match}/decisions/{step.ply}").json()
        assert (seen["ply"], seen["seat"], seen["view"]["seat"]) == (step.ply, step.seat, step.seat)
        assert seen["view"]["rack"]
        assert len(seen["choices"]) == len(seen["view"]["legal"]) == step.choices
        assert {step.action, step.best} <= {choice["text"] for choice in seen["choices"]}
    for ply in (next(step.ply for step in made.steps if step.seat < 0), len(made.steps) + 1):
        assert server.get(f"/api/matches/{match}/decisions/{ply}").status_code == 404
    assert server.get(f"/api/matches/{match}/decisions/0").status_code == 400


def test_nothing_of_a_running_match_is_told_by_its_decisions_or_its_picture(server: Server) -> None:
    with closing(server.table("nile", 2, options={"board": "small"})) as players:
        for player in players:
            player.until_table(running)
        for part in ("decisions/1", "decisions/40", "review/picture.svg"):
            for secret in (players[0].secret, players[1].secret, None, "nobody's"):
                answer = server.get(f"/api/matches/{players[0].match}/{part}", secret)
                assert answer.status_code >= 400
                assert "view" not in answer.text
                assert "<svg" not in answer.text


def test_where_a_table_has_no_place_for_spectators_only_its_players_get_the_review(server: Server) -> None:
    made = server.create("ur", ["open", "bot:greedy"], sit=0, watchers=False, options={"pieces": 2})
    with Player(server, made["match"], made["secret"]) as player:
        player.until_table(running)
        player.send(type="resign")
        player.until_table(lambda table: table["status"] == "over")
    path = f"/api/matches/{made['match']}/review"
    for part in ("", "/picture.svg"):
        assert server.get(path + part).json()["code"] == "forbidden"
    assert server.get(f"/api/matches/{made['match']}/decisions/1").json()["code"] == "forbidden"
    assert server.get(path, made["secret"]).status_code == 200


def test_the_time_each_player_took_is_counted_and_bots_have_none() -> None:
    seats = (Seat("human", "Ann"), Seat("bot:greedy"), Seat("human", "Ben"))
    happened: list[tuple[int, Any]] = [
        (1_000, Drew(0, "throw-1", (1,))),
        (5_000, Acted(0, "in-a1")),  # 4 seconds
        (6_000, Acted(1, "in-a1")),
        (7_000, Said(0, "hm")),  # talking is no action
        (9_000, Acted(2, "in-a1")),  # 3 seconds
        (10_000, Drew(1, "throw-1", (1,))),
        (12_000, Paused()),
        (72_000, Resumed()),
        (75_000, Acted(0, "in-a1")),  # 2 before the pause and 3 after it
        (76_000, Acted(1, "in-a1")),
        (176_000, Interrupted(80_000, 175_000)),
        (177_000, Acted(2, "in-a1")),  # 4 before the server was away, 2 after it
    ]
    log = [Kept(n, at, body, None) for n, (at, body) in enumerate(happened, start=1)]
    assert reviews.seconds_used(log, seats) == (9.0, None, 9.0)


def test_the_time_of_a_match_on_a_server_is_part_of_its_review(server: Server) -> None:
    made = server.create("ur", ["open", "bot:greedy"], sit=0, options={"pieces": 1})
    with Player(server, made["match"], made["secret"]) as player:
        play_on([player], Random(1))
    review, _ = reviewed(server, made["match"])
    assert review.seats[0].seconds is not None
    assert review.seats[0].seconds >= 0
    assert review.seats[1].seconds is None
    figures = server.get(f"/api/matches/{made['match']}/review").json()["told"]["seats"][0]["figures"]
    assert any(line.startswith("Time used: ") for line in figures)
