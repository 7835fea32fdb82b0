"""The open tables of a hall, told as they come and go, and what a list says of a match."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx

from tests.server.running import PATIENCE, Player, Server


def told(server: Server, lang: str = "en") -> Iterator[list[dict[str, Any]]]:
    """What the stream tells, one list of tables after the other."""
    with httpx.stream("GET", f"{server.address}/api/lobby/stream", params={"lang": lang}, timeout=PATIENCE) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        for line in answer.iter_lines():
            if line.startswith("data: "):
                yield json.loads(line[6:])["tables"]


def after(tables: Iterator[list[dict[str, Any]]], match: str, *, there: bool) -> dict[str, Any] | None:
    """The table once it is there, or as soon as it is gone."""
    for listed in tables:
        found = next((table for table in listed if table["match"] == match), None)
        if (found is not None) == there:
            return found
    raise AssertionError("the stream ended")


def test_a_table_is_told_when_it_opens_and_when_its_last_seat_is_taken(server: Server) -> None:
    tables = told(server)
    next(tables)
    secret = server.create("ur", ["open", "open"], name="Ada")
    made = server.create("ur", ["open", "open"], listed=True, name="Ada", clock="5m+3s")
    found = after(tables, made["match"], there=True)
    assert found is not None
    assert found["clock"] == "5m+3s"
    assert found["free"] == [1]
    assert found["players"][0]["name"] == "Ada"
    assert found["turn"] is None
    assert "secret" not in json.dumps(found)
    assert after(told(server), secret["match"], there=False) is None  # joined by its link only
    server.join(made)
    assert after(tables, made["match"], there=False) is None


def test_the_tables_are_told_in_the_language_of_the_hall(server: Server) -> None:
    made = server.create("ur", ["open", "open"], listed=True)
    found = after(told(server, "de"), made["match"], there=True)
    assert found is not None
    assert found["title"] == "Das Königliche Spiel von Ur"


def test_a_match_in_a_list_says_whose_turn_it_is_and_how_it_ended(server: Server) -> None:
    first, second = server.table("ur", options={"begins": 1})
    with first, second:
        first.until_table(lambda table: table["turn"] == 1)
        shown = server.get(f"/api/matches/{first.match}").json()
        assert shown["turn"] == 1
        assert shown["result"] is None
        resign(second)
        first.until_table(lambda table: table["status"] == "over")
        shown = server.get(f"/api/matches/{first.match}").json()
        assert shown["result"] == [1.0, 0.0]
        assert shown["outcome"] == first.table["outcome"]


def resign(player: Player) -> None:
    assert player.do(type="resign")["type"] == "done"
