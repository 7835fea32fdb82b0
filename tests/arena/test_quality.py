"""The games are good: they end, and no seat is favoured. The short form of `python -m benchmarks.quality`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import astragal
from astragal.arena.kernels_selfplay import Collected, games, work_for
from astragal.arena.learn import vector
from astragal.core.compiled import cpu
from astragal.play.match import MOST_BOT_PLIES
from benchmarks.quality import Table, course, main, measure

TABLES = [(id, players) for id, game in astragal.games().items() for players in game.rules.spec.players]


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_games_end_and_their_report_adds_up(game: str, players: int) -> None:
    found = measure(Table(game, players, "quick"), 12)
    assert "unfinished" not in found.endings
    assert found.longest < MOST_BOT_PLIES
    assert sum(found.endings.values()) == pytest.approx(1)
    assert sum(value for value, _, _ in found.seats) == pytest.approx(1)
    assert sum(value for value, _, _ in found.order) == pytest.approx(1)
    assert sum(found.kinds.values()) == pytest.approx(1)
    assert 0.5 < found.choices.mean <= 1
    assert found.leads.mean > 0


def test_a_game_that_does_not_end_is_told() -> None:
    assert course(Table("ur", 2, "quick"), "x", most_plies=20).ending == "unfinished"


SYMMETRIC: list[tuple[str, int, dict[str, Any]]] = [
    ("egar", 2, {}),
    ("egar", 4, {}),
    ("egar", 2, {"board": "quick"}),
    ("egar", 4, {"board": "quick"}),
    ("nile", 2, {}),
    ("nile", 3, {}),
    ("nile", 4, {}),
    ("ur", 2, {}),
    ("ur-modern", 2, {"layout": "lanes"}),
]


@pytest.mark.parametrize(("id", "players", "chosen"), SYMMETRIC)
def test_no_seat_of_a_symmetric_board_is_favoured(id: str, players: int, chosen: dict[str, Any]) -> None:
    """Compiled bots that take what the heuristic likes best; who begins is drawn by lots."""
    game, count = astragal.game(id), 3000
    assert game.fast is not None
    options = game.rules.seated(game.rules.options_type(**chosen), [True] * players)
    fast, weights = game.fast(options, players), vector(game)
    start = fast.pack(game.rules.initial(options, players))
    collected = Collected(
        np.zeros((count, players)),
        np.zeros(count, dtype=np.int64),
        np.zeros((0, len(weights))),
        np.zeros((0, 3), dtype=np.int64),
    )
    seeds = np.random.default_rng(5).integers(0, 2**63, count).astype(np.uint64)
    work = work_for(fast, start, len(weights))
    play = cpu(games, fast.source)
    play(start, fast.tables, seeds, 20_000, np.tile(weights, (players, 1)), 0.0, 0.0, work, collected)
    assert collected.plies.max() < 20_000
    even = 1 / players
    error = (even * (1 - even) / count) ** 0.5
    assert np.abs(collected.shares.mean(axis=0) - even).max() < 4 * error


def test_the_command_prints_a_row_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--only", "ur-modern", "--set", "layout=lanes", "--bots", "quick", "--games", "4", "--kinds"])
    printed = capsys.readouterr().out
    assert "| ur-modern, layout lanes, 2 players, quick | 4 |" in printed
    assert "place on the Entrance" in printed
    main(["--only", "ur", "--bots", "quick", "--games", "2", "--json"])
    assert '"games": 2' in capsys.readouterr().out
