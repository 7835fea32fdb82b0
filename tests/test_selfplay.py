"""Networks that learn by playing against themselves (`tools/selfplay.py`), small."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

import astragal
from astragal.bots import network
from astragal.bots.evaluate import evaluator
from astragal.bots.kernels_evaluate import by_heuristic
from astragal.bots.kernels_network import by_network, liked_by_network, liking
from astragal.bots.network import Layer, usual_inputs
from astragal.core.compiled import cpu
from astragal.core.types import CHANCE, OVER
from tools import selfplay, train
from tools.selfplay import Games
from tools.selfplay_games import AFTER, AT_LAST, BESIDE, CAME, COUNT, EXPECTED, FIRST, LIKELY, OTHER, TAKEN
from tools.selfplay_learner import Batch, Learning, PolicyLearner
from tools.selfplay_tables import compiled, inputs_of, tables_of
from tools.selfplay_trial import Trial

ROOT = Path(__file__).parent.parent
SMALL = Learning(rounds=3, lanes=12, steps=8, batch=48, rate=2e-3)
Layers = tuple[Layer, ...]


def games_of(id: str, players: int, given: Learning, cores: int = 1) -> tuple[Games, PolicyLearner]:
    """Games at one table, and a learner that begins as the heuristic but likes some things by chance."""
    game = astragal.game(id)
    (table,) = tables_of(game, (players,))
    layers = begun(id, players)
    layers[-1].weights[:, 1] = np.random.default_rng(4).normal(0, 0.3, len(layers[-1].weights))
    learner = PolicyLearner((len(layers[0].weights), 8, 4, 2), 1, np)
    learner.begin_with(layers)
    return Games(game, table, given, 7, "cpu", cores), learner


def begun(id: str, players: int) -> Layers:
    game = astragal.game(id)
    (table,) = tables_of(game, (players,))
    return selfplay.as_heuristic(game, (inputs_of(game, table), 8, 4, 2), 2)


def spread(rows: Any, row: int, inputs: int) -> Any:
    """All inputs of a row that was kept."""
    seen = np.zeros(inputs, dtype=np.float32)
    seen[rows.at[row]] = rows.of[row]
    return seen


@pytest.mark.parametrize(("id", "players"), [("egar", (2, 3)), ("nile", (2,))])
def test_a_network_learns_from_its_own_games(id: str, players: tuple[int, ...], tmp_path: Path) -> None:
    """The same seed gives the same network, on any number of cores; one that begins with it changes little at once."""
    game = astragal.game(id)
    tables = tables_of(game, players)
    made = [selfplay.learned(game, tables, ("board",), SMALL, sizes=(16, 8), seed=3, cores=cores) for cores in (1, 2)]
    part, layers = made[0]
    before = selfplay.as_heuristic(game, part.sizes, 3)
    for one, two, old in zip(made[0][1], made[1][1], before, strict=True):
        assert (one.weights == two.weights).all()
        assert np.isfinite(one.weights).all()
        assert (one.weights != old.weights).any()
    assert part.options == {"board": tables[0].options.board}
    assert (part.players, part.mover_at, part.features) == (players, -1, len(game.heuristic.names))
    assert f"{3 * 12 * 8 * len(tables)} decisions" in part.card["data"]
    once = replace(SMALL, rounds=1, batch=1000)
    again, still = selfplay.learned(game, tables, ("board",), once, sizes=(16, 8), seed=3, before=(part, layers))
    assert [one["data"] for one in again.card["before"]] == [part.card["data"]]
    third, _ = selfplay.learned(game, tables, ("board",), once, sizes=(16, 8), seed=3, before=(again, still))
    assert [one["data"] for one in third.card["before"]] == [again.card["data"], part.card["data"]]
    for one, two in zip(layers, still, strict=True):
        assert np.abs(one.weights - two.weights).max() < 1.01 * SMALL.rate
    with pytest.raises(SystemExit, match=r"has the sizes .* 16, 8, 2\); here they are .* 16, 4, 2\)"):
        selfplay.learned(game, tables, ("board",), once, sizes=(16, 4), seed=3, before=(part, layers))
    file = tmp_path / f"{id}.net"
    network.write(file, game, "test", [(part, layers)])
    (read,) = network.read(file)
    assert read.part == part


def test_a_network_with_one_output_goes_on_learning_with_two() -> None:
    """At first it likes nothing beside what positions are worth, so that it plays as it did."""
    layers = begun("egar", 2)
    one = (*layers[:2], Layer(layers[2].weights[:, :1], layers[2].bias[:1]))
    weights, bias = selfplay.with_likes(one)[-1]
    assert (weights[:, :1] == one[2].weights).all()
    assert weights.shape == (4, 2)
    assert (weights[:, 1:] == 0).all()
    assert (bias == [one[2].bias[0], 0]).all()
    game = astragal.game("egar")
    part, _ = selfplay.learned(game, tables_of(game, (2,)), ("board",), SMALL, sizes=(8, 4), seed=3)
    before = replace(part, sizes=(*part.sizes[:3], 1)), one
    once = replace(SMALL, rounds=1, batch=1000)
    _, still = selfplay.learned(game, tables_of(game, (2,)), ("board",), once, sizes=(8, 4), seed=3, before=before)
    assert np.abs(still[-1].weights - weights).max() < 1.01 * SMALL.rate


@pytest.mark.parametrize(("id", "players"), [("egar", 3), ("nile", 2)])
def test_a_network_begins_as_the_heuristic(id: str, players: int) -> None:
    """And likes nothing beside what it thinks positions are worth."""
    game = astragal.game(id)
    (table,) = tables_of(game, (players,))
    trial = Trial(game, table, begun(id, players), 1)
    fast, net = compiled(game, *table), trial.net
    ask, guess = cpu(by_network, fast.source), cpu(by_heuristic, fast.source)
    rng, state, compared = np.random.default_rng(1), trial.first.copy(), 0
    while fast.turn(state) != OVER and compared < 200:
        for one in range(players):
            room = np.zeros(64)
            wanted = guess(state, fast.tables, trial.job.heuristic, one, room)
            assert ask(state, fast.tables, net, one, room) == pytest.approx(wanted, abs=1e-5)
            assert liking(net) == 0
            compared += 1
        outcomes = [number for number, _ in fast.chance(state)] if fast.turn(state) == CHANCE else fast.legal(state)
        state = fast.step(state, int(rng.choice(outcomes)))


def test_what_is_liked_counts_beside_what_a_position_is_worth() -> None:
    """A search compares positions by both outputs of a network, on the scale of shares of the win."""
    game = astragal.game("egar")
    (table,) = tables_of(game, (2,))
    layers = begun("egar", 2)
    layers[-1].weights[:, 1] = np.random.default_rng(4).normal(0, 0.3, len(layers[-1].weights))
    layers[-1].bias[1] = 5.0  # what is liked has none, since only differences count
    trial = Trial(game, table, layers, 1)
    ask = cpu(by_network, compiled(game, *table).source)
    share = ask(trial.first, trial.job.tables, trial.net, 0, np.zeros(64))
    hidden = np.maximum(trial.net.seen @ layers[0].weights + layers[0].bias, 0)
    deeper = np.maximum(hidden @ layers[1].weights + layers[1].bias, 0)
    odds, likes = deeper @ layers[2].weights + [layers[2].bias[0], 0]
    assert share == pytest.approx(1 / (1 + np.exp(-odds)), abs=1e-5)
    assert abs(likes) > 1e-3
    assert liked_by_network(share, trial.net) == pytest.approx(1 / (1 + np.exp(-odds - likes)), abs=1e-5)


def check_what_came(games: Games, learner: PolicyLearner, batch: Batch, memory: float) -> list[int]:
    """Works out again what the decisions of the last round came to. After how many of them games ended is returned."""
    lanes, rows, used = games.runner.lanes, games.runner.rows, len(batch.sure)
    many, steps = len(lanes.states), len(batch.kept) // len(lanes.states)
    known = min(steps + 1, len(lanes.ended))  # a round that is broken off has advanced to the decision it does not take
    odds, _ = learner.outputs(*(array[used : used + games.players * many] for array in rows))
    shares, ends = (1 / (1 + np.exp(-odds))).reshape(many, games.players), []
    for lane in range(many):
        ahead = shares[lane].astype(float)
        for now in range(steps - 1, -1, -1):
            if now + 1 < known and lanes.ended[now + 1, lane]:
                ahead = lanes.results[now + 1, lane].copy()
                assert ahead.sum() == pytest.approx(1)
                ends.append(now + 1)
            seat, kept, told = lanes.movers[now, lane], lanes.kept[now, lane], lanes.told[now, lane]
            assert told[CAME] == pytest.approx(ahead[seat], abs=1e-6)
            over = not np.isnan(rows.sure[kept[FIRST] + kept[COUNT]])
            assert told[OTHER] == pytest.approx(-1 if over else ahead[lanes.others[now, lane]], abs=1e-6)
            ahead[seat] = (1 - memory) * told[EXPECTED] + memory * told[CAME]
    return ends


@pytest.mark.parametrize("memory", [0.0, 0.5, 1.0])
def test_what_a_decision_came_to_is_told_by_the_seats_next_ones(memory: float) -> None:
    """Worked out again, from what the seats think where the round was broken off back to its beginning."""
    games, learner = games_of("egar", 3, replace(SMALL, steps=60, memory=memory))
    games.play(learner)
    batch = games.play(learner)
    assert len(check_what_came(games, learner, batch, memory)) > 3, "hardly a game has ended"


@pytest.mark.parametrize(("id", "players"), [("egar", 2), ("nile", 3)])
def test_what_is_kept_is_what_seats_see(id: str, players: int) -> None:
    """The mover after each of its actions, another seat after the one that was taken, and all seats at the end."""
    games, learner = games_of(id, players, SMALL)
    games.play(learner)
    runner, fast = games.runner, compiled(astragal.game(id), *tables_of(astragal.game(id), (players,))[0])
    lanes, rows, inputs = runner.lanes, runner.rows, learner._sizes[0]

    def seen(state: Any, seat: int) -> Any:
        features = fast.features(state, seat, games.features)
        return np.concatenate([fast.inputs(state, seat), np.array(features, dtype=np.float32)])

    runner.advance(0)
    starts = np.concatenate([[0], np.cumsum(lanes.counts + 1)])
    runner.look_around(AFTER, 0, starts[:-1], games.features)
    before = lanes.states.copy()
    odds, likes = learner.outputs(*(array[: starts[-1]] for array in rows))
    runner.decide(0, starts[:-1], 0, odds, likes, SMALL.temperature)
    runner.look_around(BESIDE, 0, starts[:-1], games.features)
    for lane in range(SMALL.lanes):
        kept, seat, ends = lanes.kept[0, lane], lanes.movers[0, lane], []
        assert kept[FIRST] == starts[lane]
        assert kept[COUNT] == len(fast.legal(before[lane])) > 1
        for place, number in enumerate(fast.legal(before[lane])):
            ends.append(fast.step(before[lane], number))
            if fast.turn(ends[-1]) != OVER:
                assert np.allclose(spread(rows, starts[lane] + place, inputs), seen(ends[-1], seat), atol=1e-6)
        assert (lanes.states[lane] == ends[kept[TAKEN]]).all()
        if fast.turn(lanes.states[lane]) != OVER:
            assert lanes.others[0, lane] != seat
            wanted = seen(lanes.states[lane], lanes.others[0, lane])
            assert np.allclose(spread(rows, starts[lane] + kept[COUNT], inputs), wanted, atol=1e-6)
    runner.look_around(AT_LAST, 0, players * np.arange(SMALL.lanes), games.features)
    for lane in range(SMALL.lanes):
        for seat in range(players):
            if fast.turn(lanes.states[lane]) != OVER:
                wanted = seen(lanes.states[lane], seat)
                assert np.allclose(spread(rows, lane * players + seat, inputs), wanted, atol=1e-6)


def test_actions_are_taken_by_what_is_liked_and_expected_by_what_they_are_worth() -> None:
    games, learner = games_of("egar", 2, SMALL)
    batch = games.play(learner)
    odds, likes = learner.outputs(batch.rows_at, batch.rows_of, batch.sure)
    assert np.abs(likes).max() > 0.01
    for number, told in zip(batch.kept, batch.told, strict=True):
        mine = slice(number[FIRST], number[FIRST] + number[COUNT])
        liked = (odds[mine] + likes[mine]).astype(float)
        likely = np.exp((liked - liked.max()) / SMALL.temperature)
        likely /= likely.sum()
        assert np.log(likely[number[TAKEN]]) == pytest.approx(told[LIKELY], abs=2e-3)
        assert (likely / (1 + np.exp(-odds[mine].astype(float)))).sum() == pytest.approx(told[EXPECTED], abs=1e-4)


def test_a_round_is_shorter_where_there_are_too_many_actions_to_keep() -> None:
    """Then less is learned from, but all that is said of it stays right, also where a game ends just then."""
    given = replace(SMALL, steps=12, actions=6)
    games, learner = games_of("egar", 2, given)
    at_the_end = 0
    for _ in range(40):
        batch = games.play(learner)
        steps = len(batch.kept) // SMALL.lanes
        assert 0 < steps < given.steps
        assert len(batch.kept) == steps * SMALL.lanes
        assert (batch.kept[:, FIRST] + batch.kept[:, COUNT] < len(batch.sure)).all()
        at_the_end += check_what_came(games, learner, batch, given.memory).count(steps)
    assert at_the_end > 0


def test_no_room_for_a_single_decision_is_said_plainly() -> None:
    games, learner = games_of("egar", 2, replace(SMALL, steps=1, actions=0))
    with pytest.raises(SystemExit, match="give --actions or --steps more"):
        games.play(learner)


def near_the_end(id: str, players: int) -> Any:
    """A position with two decisions to come at most, of a game at random."""
    game, rng = astragal.game(id), Random(1)
    (table,) = tables_of(game, (players,))
    fast = compiled(game, *table)
    state, passed = fast.pack(game.rules.initial(table.options, players)), []
    while fast.turn(state) != OVER:
        if fast.turn(state) == CHANCE:
            numbers, weights = zip(*fast.chance(state), strict=True)
            state = fast.step(state, rng.choices(numbers, weights)[0])
        else:
            passed.append(state)
            state = fast.step(state, rng.choice(fast.legal(state)))
    return passed[-2]


def test_a_graphics_card_plays_the_same_games() -> None:
    """In the simulator of Numba, with NumPy in the place of CuPy: the same decisions, results and rows as on a core."""
    script = """
import sys
import numba.cuda
import numpy
if not hasattr(numba.cuda, "as_cuda_array"):
    numba.cuda.as_cuda_array = lambda array: array
sys.modules["cupy"] = numpy
numpy.ElementwiseKernel = lambda *words: None
from tests.test_selfplay import SMALL, Games, astragal, games_of, near_the_end, replace, tables_of
given = replace(SMALL, lanes=3, steps=3)
core, learner = games_of("nile", 2, given)
game = astragal.game("nile")
card = Games(game, tables_of(game, (2,))[0], given, 7, "cuda", 1)
core.runner.lanes.states[:] = card.runner.lanes.states[:] = near_the_end("nile", 2)
for _ in range(2):
    for one, other in zip(core.play(learner), card.play(learner), strict=True):
        assert len(one) > 0 and numpy.allclose(one, other, atol=1e-5, equal_nan=True)
print("the same", core.finished == card.finished > 0)
"""
    env = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env=env, capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "the same True", done.stderr


def test_what_beginnings_are_worth_is_learned_along_with_all_else() -> None:
    """It begins with a network that errs about the first position alone: something that is so only there is taken for a
    sign that one wins. What is learned from decisions leaves that alone, since none of them leads there.
    """
    game = astragal.game("egar")
    (table,) = tables_of(game, (2,))
    fast, layers = compiled(game, *table), begun("egar", 2)
    first = fast.pack(game.rules.initial(table.options, 2))
    lots_drawn = fast.step(first, fast.chance(first)[0][0])
    only_there = np.flatnonzero((fast.inputs(first, 0) != 0) & (fast.inputs(lots_drawn, 0) == 0))[0]
    layers[0].weights[:, -1] = layers[1].weights[-1] = layers[1].weights[:, -1] = 0
    layers[0].weights[only_there, -1], layers[1].weights[-1, -1], layers[2].weights[-1, 0] = 0.5, 1, 6
    start = np.stack([usual_inputs(fast, first, len(game.heuristic.names), seat) for seat in range(2)])
    assert by_itself(layers).shares(start).sum() > 1.8
    given = replace(SMALL, rounds=2, lanes=16, steps=100, batch=512, rate=3e-3)
    part, _ = selfplay.learned(game, [table], (), replace(SMALL, rounds=1), sizes=(8, 4), seed=3)
    part, learned = selfplay.learned(game, [table], (), given, sizes=(8, 4), seed=3, before=(part, layers))
    assert int(part.card["data"].split()[0]) > 0, "no game has ended"
    assert by_itself(learned).shares(start).sum() < 1.7


def by_itself(layers: Layers) -> PolicyLearner:
    """A learner that says what these layers say."""
    learner = PolicyLearner((len(layers[0].weights), *(len(layer.bias) for layer in layers)), 1, np)
    learner.begin_with(layers)
    return learner


def test_a_network_learns_what_beginnings_are_worth() -> None:
    """By what all seats won in the games of a round; what is liked there is left alone."""
    given = replace(SMALL, lanes=24, steps=100, worth=5.0)
    games, learner = games_of("egar", 3, given)
    games.play(learner)
    won = games.came
    assert len(won) == games.finished > 3
    assert won.sum(axis=1) == pytest.approx(1)
    start, came = games.start, np.array([0.6, 0.3, 0.1])
    learner = PolicyLearner((len(start[0]), 32, 16, 2), 1, np)
    likes = learner.layers()[-1].weights[:, 1].copy()
    assert np.abs(learner.shares(start) - came).max() > 0.1
    for _ in range(400):
        learner.learn_start(start, came, given, 1.0)
    assert learner.shares(start) == pytest.approx(came, abs=0.01)
    assert (learner.layers()[-1].weights[:, 1] == likes).all()


def test_the_command_trains_tests_and_packs(tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "egar.npz"
    words = ["learn", "--game", "egar", "--players", "2", "--preset", "standard", "quick", "--rounds", "2"]
    words += ["--stored", "rows"]
    few = ["--lanes", "4", "--steps", "8", "--batch", "16", "--sizes", "8", "4", "--cores", "1", "--out", str(out)]
    monkeypatch.setattr("sys.argv", ["selfplay.py", *words, *few])
    selfplay.main()
    assert str(out) in capsys.readouterr().out
    packing = ["pack", "--game", "egar", "--name", "test", "--out", str(tmp_path / "egar.net"), str(out)]
    monkeypatch.setattr("sys.argv", ["train.py", *packing])
    with pytest.raises(SystemExit, match=r"is not known yet: tools/selfplay.py test --net .*egar\.npz"):
        train.main()
    monkeypatch.setattr("sys.argv", ["selfplay.py", "test", "--net", str(out), "--games", "20", "--cores", "1"])
    selfplay.main()
    part, _ = train.load(out)
    figures = part.card["against_heuristic"]["0"]
    assert figures["games"] == 20
    assert 0 <= figures["wins"] <= 1
    assert 0 <= part.card["calibration"] <= 1
    assert part.card["calibrated_by"].removesuffix(" against itself") in capsys.readouterr().out
    assert part.stored == "rows"
    monkeypatch.setattr("sys.argv", ["train.py", *packing])
    train.main()
    monkeypatch.setattr(network, "file_of", lambda game: tmp_path / f"{game.id}.net")
    game = astragal.game("egar")
    for table in tables_of(game, (2,), ("standard", "quick")):  # one network for both boards
        judge = evaluator(game, *table, ("network",))
        assert judge.about.name == "network"
        assert "points on average" in str(judge.about.trust.to("en"))
        first = judge.fast.pack(game.rules.initial(table.options, 2))
        assert 0 < judge.value(first, 0) < 1


def test_an_unknown_preset_is_named() -> None:
    with pytest.raises(SystemExit, match="no preset 'nothing', only"):
        tables_of(astragal.game("egar"), (2,), ("nothing",))
