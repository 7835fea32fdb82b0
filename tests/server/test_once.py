"""One action is worked out once, however many follow the match."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

import astragal
from astragal.core.rules import keeps_last, recall
from astragal.server.writer import Batch, Writer
from tests.server.running import Player, closing, threaded

TABLES: list[tuple[str, int, dict[str, Any]]] = [
    ("ur", 2, {}),
    ("ur-modern", 2, {}),
    ("nile", 3, {"board": "small"}),
    ("egar", 2, {"board": "quick"}),
]
WATCHERS = [("de", False), ("es", True), ("en", False), ("de", True)]


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often the rules of each game really worked out where an action leads; while it is stored others move."""
    made: Counter[str] = Counter()
    append = Writer.append

    async def stored(writer: Writer, batch: Batch) -> None:
        await append(writer, batch)
        recall(None, None, None, None)

    monkeypatch.setattr(Writer, "append", stored)
    for id, game in astragal.games().items():
        work: Any = type(game.rules).apply

        def counted(rules: Any, s: Any, a: Any, id: str = id, work: Any = work.__wrapped__) -> Any:
            made[id] += 1
            return work(rules, s, a)

        monkeypatch.setattr(type(game.rules), "apply", keeps_last(counted))
    return made


@pytest.mark.parametrize("watchers", [0, 2, 4])
@pytest.mark.parametrize(("game", "humans", "options"), TABLES, ids=[table[0] for table in TABLES])
def test_an_action_is_applied_once_for_all_viewers(
    tmp_path: Path, counts: Counter[str], game: str, humans: int, options: dict[str, Any], watchers: int
) -> None:
    """Every ply costs one `apply`: an action alone one, with the throw that follows it two."""
    rng, costs = Random(8), []
    with threaded(tmp_path / "matches.db") as server, closing(server.table(game, humans, options=options)) as players:
        others = [Player(server, players[0].match, None, lang=lang, views=views) for lang, views in WATCHERS[:watchers]]
        with closing(others):
            everybody = [*players, *others]
            for each in everybody:
                each.until_table(lambda table: table["status"] == "running")
            for _ in range(12):
                newest = max(each.last for each in everybody)
                for each in everybody:
                    each.until_table(lambda table, n=newest: table["n"] >= n)  # type: ignore[misc]
                mover = next(player for player in players if player.table["actions"])
                before, ply = counts[game], mover.table["ply"]
                done = mover.act(rng.choice(mover.table["actions"])["text"])
                for each in everybody:
                    each.until_table(lambda table, n=done["n"]: table["n"] >= n)  # type: ignore[misc]
                costs.append((mover.table["ply"] - ply, counts[game] - before))
    assert all(applied == plies for plies, applied in costs), costs
    assert any(applied <= 2 for _, applied in costs)
