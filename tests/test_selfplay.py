"""Networks that learn by playing against themselves (`tools/selfplay.py`), small."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

import astragal
from astragal.bots import network
from astragal.bots.evaluate import evaluator
from astragal.bots.kernels_evaluate import by_heuristic
from astragal.bots.kernels_network import by_network
from astragal.core.compiled import cpu
from astragal.core.types import CHANCE, OVER
from tools import selfplay, train
from tools.selfplay_games import CAME, COUNT, ENDED, EXPECTED, FIRST, LIKELY, NOT_KEPT, NUMBERS, OTHER, TAKEN, TOLD
from tools.selfplay_learner import Batch, Learning, PolicyLearner

SMALL = Learning(rounds=3, jobs=2, kept=64, batch=48, rate=2e-3)


def seat_of(id: str, players: int, given: Learning) -> selfplay.Seat:
    game = astragal.game(id)
    (table,) = selfplay.tables_of(game, (players,))
    return selfplay.Seat(game, table, given, 7)


def begun(id: str, players: int) -> tuple[Any, ...]:
    game = astragal.game(id)
    (table,) = selfplay.tables_of(game, (players,))
    return selfplay.as_heuristic(game, (selfplay.inputs_of(game, table), 8, 4, 1), 1)


@pytest.mark.parametrize(("id", "players"), [("egar", (2, 3)), ("nile", (2,))])
def test_a_network_learns_from_its_own_games(id: str, players: tuple[int, ...], tmp_path: Path) -> None:
    """The same seed gives the same network; it is written and read; one that begins with it changes little at once."""
    game = astragal.game(id)
    tables = selfplay.tables_of(game, players)
    made = [selfplay.learned(game, tables, ("board",), SMALL, sizes=(16, 8), seed=3) for _ in range(2)]
    part, layers = made[0]
    before = selfplay.as_heuristic(game, part.sizes, 3)
    for one, two, old in zip(made[0][1], made[1][1], before, strict=True):
        assert (one.weights == two.weights).all()
        assert np.isfinite(one.weights).all()
        assert (one.weights != old.weights).any()
    assert part.options == {"board": tables[0].options.board}
    assert (part.players, part.mover_at, part.features) == (players, -1, len(game.heuristic.names))
    assert 0 <= part.card["calibration"] < 0.5
    once = replace(SMALL, rounds=1, batch=2 * SMALL.kept)
    again, still = selfplay.learned(game, tables, ("board",), once, sizes=(16, 8), seed=3, before=(part, layers))
    assert again.card["before"]["data"] == part.card["data"]
    for one, two in zip(layers, still, strict=True):
        assert np.abs(one.weights - two.weights).max() < 1.01 * SMALL.rate
    file = tmp_path / f"{id}.net"
    network.write(file, game, "test", [(part, layers)])
    (read,) = network.read(file)
    assert read.part == part


@pytest.mark.parametrize(("id", "players"), [("egar", 3), ("nile", 2)])
def test_a_network_begins_as_the_heuristic(id: str, players: int) -> None:
    seat, layers = seat_of(id, players, SMALL), begun(id, players)
    fast, net = seat.fast, seat._net(layers)
    ask, guess = cpu(by_network, fast.source), cpu(by_heuristic, fast.source)
    rng, state, compared = np.random.default_rng(1), seat.first.copy(), 0
    while fast.turn(state) != OVER and compared < 200:
        for one in range(players):
            room = np.zeros(64)
            wanted = guess(state, fast.tables, seat.job.heuristic, one, room)
            assert ask(state, fast.tables, net, one, room) == pytest.approx(wanted, abs=1e-5)
            compared += 1
        outcomes = [number for number, _ in fast.chance(state)] if fast.turn(state) == CHANCE else fast.legal(state)
        state = fast.step(state, int(rng.choice(outcomes)))


@pytest.mark.parametrize("memory", [0.0, 0.5, 1.0])
def test_what_a_decision_came_to_is_told_by_the_seats_next_ones(memory: float) -> None:
    """The last game of a round, of which all decisions are kept, worked out again from its end."""
    given = replace(SMALL, keep=1.0, kept=600, memory=memory)
    seat = seat_of("egar", 3, given)
    seat.play(begun("egar", 3))
    job, checked = seat.job, 0
    decisions = int(np.argmax(job.places))  # of the last game, the last that found room
    after: dict[int, float] = {}
    for decision in range(decisions, -1, -1):
        kept, mover = int(job.places[decision]), int(job.movers[decision])
        if kept == NOT_KEPT:
            continue
        told = job.told[kept]
        assert told[ENDED] == pytest.approx(job.shares[mover])
        assert told[EXPECTED] == pytest.approx(job.baselines[decision])
        if mover in after:
            assert told[CAME] == pytest.approx(after[mover], abs=1e-6)
            checked += 1
        after[mover] = (1 - memory) * told[EXPECTED] + memory * told[CAME]
        if memory == 1:
            assert told[CAME] == told[ENDED]
    assert checked > 10


def test_what_is_kept_is_what_a_seat_saw_after_each_action() -> None:
    """Rows hold the inputs of positions one action further on: the network says of them what it said while playing."""
    seat, layers = seat_of("egar", 2, SMALL), begun("egar", 2)
    seat.play(layers)
    job, (kept, rows) = seat.job, seat.job.used
    assert kept == SMALL.kept
    learner = PolicyLearner((len(seat.usual), 8, 4, 1), 1, np)
    learner.begin_with(layers)
    batch = Batch(job.rows_at[:rows], job.rows_of[:rows], job.sure[:rows], job.kept, job.told)
    logits = learner._logits(learner._seen(batch, np.arange(rows)))[1]
    logits = np.where(np.isnan(batch.sure), logits, batch.sure)
    for number, told in zip(batch.kept, batch.told, strict=True):
        mine = logits[number[FIRST] : number[FIRST] + number[COUNT]].astype(float)
        likely = np.exp((mine - mine.max()) / SMALL.temperature)
        likely /= likely.sum()
        assert np.log(likely[number[TAKEN]]) == pytest.approx(told[LIKELY], abs=2e-3)
        assert (likely / (1 + np.exp(-mine))).sum() == pytest.approx(told[EXPECTED], abs=1e-4)
        assert -1 <= told[OTHER] <= 1


def some_decisions(inputs: int) -> Batch:
    """Three decisions with inputs by chance, which were taken with other odds than the learner would take them."""
    rng = np.random.default_rng(5)
    counts = (3, 2, 4)
    rows = sum(counts) + len(counts)
    kept, told = np.zeros((3, NUMBERS), dtype=np.int64), np.zeros((3, TOLD), dtype=np.float32)
    kept[:, COUNT], kept[:, TAKEN] = counts, (1, 0, 2)
    kept[1:, FIRST] = np.cumsum([count + 1 for count in counts])[:-1]
    told[:, LIKELY], told[:, EXPECTED], told[:, CAME] = (-1.0, -0.7, -1.3), (0.5, 0.6, 0.3), (0.7, 0.4, 0.35)
    told[:, OTHER] = (0.3, -1, 0.6)
    sure = np.full(rows, np.nan, dtype=np.float32)
    sure[4 + 1] = -8.0  # an action that loses at once
    at = np.tile(np.arange(inputs, dtype=np.uint16), (rows, 1))
    return Batch(at, rng.normal(0, 1, (rows, inputs)).astype(np.float32), sure, kept, told)


def loss(learner: PolicyLearner, batch: Batch, given: Learning, scale: float) -> float:
    """What a step makes smaller, written out plainly; nothing is clipped here."""
    logits = np.where(np.isnan(batch.sure), learner._logits(batch.rows_of)[1], batch.sure).astype(float)
    total = 0.0
    for number, told in zip(batch.kept, batch.told.astype(float), strict=True):
        mine = logits[number[FIRST] : number[FIRST] + number[COUNT]]
        likely = np.exp((mine - mine.max()) / given.temperature)
        likely /= likely.sum()
        gain = (told[CAME] - told[EXPECTED]) / scale
        total -= gain * likely[number[TAKEN]] / np.exp(told[LIKELY])
        total += given.entropy * (likely * np.log(np.maximum(likely, 1e-30))).sum()
        for odds, target in ((mine[number[TAKEN]], told[CAME]), (logits[number[FIRST] + number[COUNT]], told[OTHER])):
            if target >= 0:
                total += given.worth * (np.log1p(np.exp(odds)) - target * odds)
    return total / len(batch.kept)


def test_slopes_are_those_of_what_is_to_become_smaller() -> None:
    """Against differences: each weight a little up and down."""
    given = Learning(temperature=0.5, entropy=0.1, clip=100.0)
    learner = PolicyLearner((5, 4, 3, 1), 2, np)
    learner._all = np.random.default_rng(3).normal(0, 0.7, len(learner._all))  # biases too, so that no sum is just 0
    learner._layers = learner._exact = learner._cut(learner._all)
    batch, scale = some_decisions(5), 0.2
    learner._learn_some(batch, np.arange(3), given, scale, 0.0)
    slopes, small = learner._slopes.copy(), 1e-5
    for place in range(len(slopes)):
        before, found = learner._all[place], []
        for change in (small, -small):
            learner._all[place] = before + change
            found.append(loss(learner, batch, given, scale))
        learner._all[place] = before
        assert slopes[place] == pytest.approx((found[0] - found[1]) / (2 * small), abs=2e-5)


def test_an_action_that_did_better_than_expected_becomes_likelier_but_not_by_much() -> None:
    """The clip holds it back: what would become several times as likely changes by less than half."""
    changed = []
    for clip in (0.2, 1e9):
        given = Learning(temperature=0.5, entropy=0.0, worth=0.0, clip=clip, batch=3, uses=400)
        learner = PolicyLearner((5, 16, 8, 1), 2, np)
        batch = some_decisions(5)
        batch.told[:, CAME] = batch.told[:, EXPECTED] + np.array([0.2, -0.2, 0.2], dtype=np.float32)
        batch.sure[:] = np.nan
        before = likely(learner, batch, given)
        batch.told[:, LIKELY] = np.log(before)
        learner.learn_round(batch, given, 1e-3, np.random.default_rng(1))
        changed.append(likely(learner, batch, given) / before)
    gains = batch.told[:, CAME] - batch.told[:, EXPECTED]
    assert (np.sign(changed[0] - 1) == np.sign(gains)).all()
    assert (np.abs(changed[0] - 1) < 0.5).all()  # a step may go a little over the clip
    assert changed[1].max() > 2


def likely(learner: PolicyLearner, batch: Batch, given: Learning) -> Any:
    """How likely the actions that were taken are now."""
    logits, found = learner._logits(batch.rows_of)[1], []
    for number in batch.kept:
        mine = np.exp(logits[number[FIRST] : number[FIRST] + number[COUNT]] / given.temperature)
        found.append(mine[number[TAKEN]] / mine.sum())
    return np.array(found)


def test_the_command_trains_tests_and_packs(tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "egar.npz"
    words = ["learn", "--game", "egar", "--players", "2", "--preset", "standard", "quick", "--rounds", "2"]
    words += ["--stored", "rows"]
    few = ["--jobs", "2", "--kept", "32", "--batch", "16", "--sizes", "8", "4", "--cores", "1", "--out", str(out)]
    monkeypatch.setattr("sys.argv", ["selfplay.py", *words, *few])
    selfplay.main()
    assert str(out) in capsys.readouterr().out
    monkeypatch.setattr("sys.argv", ["selfplay.py", "test", "--net", str(out), "--games", "20", "--cores", "1"])
    selfplay.main()
    part, layers = train.load(out)
    figures = part.card["against_heuristic"]["0"]
    assert figures["games"] == 20
    assert 0 <= figures["wins"] <= 1
    assert 0 <= part.card["calibration"] <= 1
    assert part.card["calibrated_by"].removesuffix(" against itself") in capsys.readouterr().out
    assert part.stored == "rows"
    network.write(tmp_path / "egar.net", astragal.game("egar"), "test", [(part, layers)])
    monkeypatch.setattr(network, "file_of", lambda game: tmp_path / f"{game.id}.net")
    game = astragal.game("egar")
    for table in selfplay.tables_of(game, (2,), ("standard", "quick")):  # one network for both boards
        judge = evaluator(game, *table, ("network",))
        assert judge.about.name == "network"
        assert "points on average" in str(judge.about.trust.to("en"))
        first = judge.fast.pack(game.rules.initial(table.options, 2))
        assert 0 < judge.value(first, 0) < 1


def test_an_unknown_preset_is_named() -> None:
    with pytest.raises(SystemExit, match="no preset 'nothing', only"):
        selfplay.tables_of(astragal.game("egar"), (2,), ("nothing",))
