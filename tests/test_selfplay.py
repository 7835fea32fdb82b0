"""Networks that learn from how games end (`tools/selfplay.py`), small."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import astragal
from astragal.bots import network
from astragal.bots.evaluate import evaluator
from astragal.core import tensor
from tools import selfplay, train


@pytest.mark.parametrize(("id", "players"), [("egar", (2, 3)), ("nile", (2,))])
def test_a_network_learns_from_games(id: str, players: tuple[int, ...], tmp_path: Path) -> None:
    """The same seed gives the same network; it is written and read; one that begins with it changes little at once."""
    game = astragal.game(id)
    tables = selfplay.tables_of(game, players)
    small: dict[str, Any] = {"sizes": (16, 8), "steps": 12, "batch": 32, "lanes": 32, "seed": 3}
    made = [selfplay.learned(game, tables, ("board",), **small) for _ in range(2)]
    for one, two in zip(made[0][1], made[1][1], strict=True):
        assert (one.weights == two.weights).all()
        assert np.isfinite(one.weights).all()
    part, layers = made[0]
    assert part.options == {"board": tables[0].options.board}
    assert (part.players, part.mover_at, part.features) == (players, -1, len(game.heuristic.names))
    assert 0 <= part.card["calibration"] < 0.5
    again = {**small, "steps": 1, "guided": 0.0}
    (_, still), rate = selfplay.learned(game, tables, ("board",), **again, before=layers), 2e-3
    for one, two in zip(layers, still, strict=True):
        assert np.abs(one.weights - two.weights).max() < rate
    file = tmp_path / f"{id}.net"
    network.write(file, game, "test", [(part, layers)])
    (read,) = network.read(file)
    assert read.part == part


def test_what_is_taught_is_what_a_seat_saw_and_what_came_of_it() -> None:
    """Each seat wins its part of the games, and who is far ahead at the end of what is kept wins most of them."""
    game = astragal.game("egar")
    (table,) = selfplay.tables_of(game, (3,))
    features = len(game.heuristic.names)
    inputs = tensor.size(selfplay.compiled(game, *table).observation) + features
    teacher = selfplay.SelfTeacher(game, *table, 64, 1, (inputs, 8, 4, 1), 1.0)
    layers = train.Learner((inputs, 8, 4, 1), 1, np).layers()
    weights = np.array([game.heuristic.weights[name] for name in game.heuristic.names])
    guesses, came = [], []
    for _ in range(5 * selfplay.KEPT):
        seen, targets = teacher.batch(layers)
        assert np.isfinite(seen).all()
        guesses.append(seen[:, -features:] @ weights)
        came.append(targets.copy())
    results, odds = np.concatenate(came), np.concatenate(guesses)
    assert {round(float(value), 6) for value in results} == {0.0, 1.0}
    assert 0.28 < results.mean() < 0.39  # a third
    order = np.argsort(odds)
    tenth = len(order) // 10
    assert results[order[-tenth:]].mean() > results[order[:tenth]].mean() + 0.4


def test_games_by_a_network_need_one() -> None:
    game = astragal.game("egar")
    small: dict[str, Any] = {"sizes": (8, 4), "steps": 1, "batch": 8, "lanes": 8, "seed": 1}
    with pytest.raises(SystemExit, match="--begin"):
        selfplay.learned(game, selfplay.tables_of(game, (2,)), ("board",), **small, guided=0.5)


def test_the_command_trains_tests_and_packs(tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "egar.npz"
    words = ["learn", "--game", "egar", "--players", "2", "--steps", "4", "--batch", "16", "--lanes", "16"]
    monkeypatch.setattr("sys.argv", ["selfplay.py", *words, "--sizes", "8", "4", "--out", str(out)])
    selfplay.main()
    assert str(out) in capsys.readouterr().out
    monkeypatch.setattr("sys.argv", ["selfplay.py", "test", "--net", str(out), "--games", "20"])
    selfplay.main()
    part, layers = train.load(out)
    figures = part.card["against_heuristic"]["2"]
    assert figures["games"] == 20
    assert 0 <= figures["wins"] <= 1
    network.write(tmp_path / "egar.net", astragal.game("egar"), "test", [(part, layers)])
    monkeypatch.setattr(network, "file_of", lambda game: tmp_path / f"{game.id}.net")
    game = astragal.game("egar")
    table = selfplay.tables_of(game, (2,))[0]
    judge = evaluator(game, *table, ("network",))
    assert judge.about.name == "network"
    assert "points on average" in str(judge.about.trust.to("en"))
    first = judge.fast.pack(game.rules.initial(table.options, 2))
    assert 0 < judge.value(first, 0) < 1
