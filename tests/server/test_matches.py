"""Whole matches over real sockets."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from astragal.core import recordfile
from astragal.core.verify import verify
from tests.server.running import Server, closing, play_on

TABLES: list[tuple[str, int, int, dict[str, Any]]] = [
    ("ur", 2, 0, {"options": {"pieces": 3}}),
    ("ur", 1, 1, {"options": {"pieces": 3}}),
    ("ur-modern", 2, 0, {}),
    ("nile", 2, 0, {"options": {"board": "small"}}),
    ("nile", 3, 1, {"options": {"board": "small"}}),
    ("egar", 2, 0, {"preset": "quick", "options": {"turn_limit": 12}}),
    ("egar", 2, 2, {"preset": "quick", "options": {"turn_limit": 12, "answering": "open"}}),
]


@pytest.mark.parametrize(("game", "humans", "bots", "more"), TABLES, ids=lambda value: str(value))
def test_a_whole_match(server: Server, tmp_path: Path, game: str, humans: int, bots: int, more: dict[str, Any]) -> None:
    with closing(server.table(game, humans, bots, fair=True, **more)) as players:
        for player in players:
            player.open_seed()
        play_on(players, Random(7))
        match = players[0].match
        results = [player.table["result"] for player in players]
        assert results[0] is not None
        assert all(result == results[0] for result in results)
        assert all(player.table["outcome"] for player in players)
        assert all([e["n"] for e in p.events] == list(range(1, p.last + 1)) for p in players)
    kept = server.get(f"/api/matches/{match}/record", form="text")
    file = tmp_path / "kept.txt"
    file.write_bytes(kept.content)
    record = recordfile.read(file)
    assert list(record.result or ()) == results[0]
    assert all(verdict.good for verdict in verify(record))
    told = server.get(f"/api/matches/{match}/verification", lang="de").json()
    assert told["good"]
    assert "der zugesagte" in told["verdicts"][1]["what"]
