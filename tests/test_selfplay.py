"""Networks that learn from games against themselves (`tools/selfplay.py`), small."""

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
def test_a_network_learns_from_games_against_itself(id: str, players: tuple[int, ...], tmp_path: Path) -> None:
    """The same seed gives the same network; it is written, found and asked; its seats share what there is to win."""
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
    (_, still), rate = selfplay.learned(game, tables, ("board",), **{**small, "steps": 1}, before=layers), 2e-3
    for one, two in zip(layers, still, strict=True):
        assert np.abs(one.weights - two.weights).max() < rate
    file = tmp_path / f"{id}.net"
    network.write(file, game, "test", [(part, layers)])
    (read,) = network.read(file)
    assert read.part == part


def test_what_is_taught_is_what_a_seat_saw_and_what_came_of_it() -> None:
    """With a network that knows nothing every position is worth the same, but for the last of a game."""
    game = astragal.game("egar")
    (table,) = selfplay.tables_of(game, (2,))
    fast = selfplay.compiled(game, *table)
    features = len(game.heuristic.names)
    inputs = tensor.size(fast.observation) + features
    learner = train.Learner((inputs, 8, 4, 1), 1, np)
    learner._all[:] = 0
    net = network.for_kernels(learner.layers(), -1, features, np.zeros(inputs, np.float32), centred=True)
    teacher = selfplay.SelfTeacher(game, *table, 64, 1, net)
    told: list[float] = []
    for _ in range(150):
        seen, targets = teacher.batch(net)
        assert np.isfinite(seen).all()
        told += targets.tolist()
    assert {round(value, 6) for value in told} == {0.0, 0.5, 1.0}
    won, lost = told.count(1.0), told.count(0.0)
    assert won > 10
    assert abs(won - lost) <= 64 + won // 5  # a lane gives the results of its seats one after the other


def test_the_command_trains_and_packs(tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "egar.npz"
    words = ["learn", "--game", "egar", "--players", "2", "--steps", "4", "--batch", "16", "--lanes", "16"]
    monkeypatch.setattr("sys.argv", ["selfplay.py", *words, "--sizes", "8", "4", "--out", str(out)])
    selfplay.main()
    assert str(out) in capsys.readouterr().out
    part, layers = train.load(out)
    network.write(tmp_path / "egar.net", astragal.game("egar"), "test", [(part, layers)])
    monkeypatch.setattr(network, "file_of", lambda game: tmp_path / f"{game.id}.net")
    game = astragal.game("egar")
    table = selfplay.tables_of(game, (2,))[0]
    judge = evaluator(game, *table, ("network",))
    assert judge.about.name == "network"
    first = judge.fast.pack(game.rules.initial(table.options, 2))
    assert 0 < judge.value(first, 0) < 1
