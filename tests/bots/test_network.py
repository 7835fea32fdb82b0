"""Networks: their files, their kernels against plain arithmetic, what they may see, and how they learn."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

import astragal
from astragal.bots import network
from astragal.bots.evaluate import NoEvaluator, evaluator
from astragal.bots.kernels_network import by_network, forward, liking
from astragal.bots.network import BadNetwork, Kind, Layer, Network, Part, as_stored, kinds
from astragal.bots.perfect import PerfectBot
from astragal.bots.roster import make
from astragal.core import options as option_values
from astragal.core.compiled import cpu
from astragal.core.fast import SlotKernels
from astragal.core.rules import Game
from astragal.core.types import CHANCE, OVER
from astragal.solve import shelf
from astragal.solve.job import Job
from astragal.solve.table import Table
from tests.bots.networks import KINDS, ROUNDING, TINY, TWO, UR, a_file, expected, layers_of, part_of
from tools import teaching, train

GAMES = ("ur", "ur-modern", "nile", "egar")


def test_a_written_network_reads_back_within_the_rounding_of_each_number(tmp_path: Path) -> None:
    file, part, layers = a_file(tmp_path)
    (read,) = network.read(file)
    assert read.part == part
    for stored, layer in zip(read.layers, layers, strict=True):
        for kept, number in zip(stored, layer, strict=True):
            assert (np.abs(kept - number) <= ROUNDING * np.abs(number) + TINY).all()
        assert all((kept == number).all() for kept, number in zip(stored, network.as_stored(layer), strict=True))


@pytest.mark.parametrize(("stored", "place", "axis"), [("bytes", 1, 0), ("rows", 0, 1)])
def test_a_layer_in_bytes_reads_back_within_half_a_step_of_its_columns_or_rows(
    tmp_path: Path, stored: Kind, place: int, axis: int
) -> None:
    """The other layers, and all biases, within the rounding of 16-bit floats; columns and rows of 0 and near 0 too."""
    part = replace(part_of(UR, TWO, 2), stored=stored)
    layers = layers_of(part.sizes)
    lines = layers[place].weights if axis else layers[place].weights.T  # those that have a scale each
    lines[0] = 0
    lines[1] *= 1e-5
    lines[2, 0] = -40
    file = tmp_path / "ur.net"
    network.write(file, UR, "test", [(part, layers)])
    (read,) = network.read(file)
    assert read.part == part
    for number, (kept, layer) in enumerate(zip(read.layers, layers, strict=True)):
        bounds = [ROUNDING * np.abs(array) + TINY for array in layer]
        if number == place:
            most = np.abs(layer.weights).max(axis=axis, keepdims=True)
            scales = np.maximum(most / 127 * (1 + ROUNDING), 2**-14)
            bounds[0] = np.broadcast_to(scales / 2 * (1 + 1e-6), layer.weights.shape)
        for here, array, bound in zip(kept, layer, bounds, strict=True):
            assert here.dtype == np.float32
            assert (np.abs(here - array) <= bound).all()
    back = read.layers[place].weights if axis else read.layers[place].weights.T
    assert (back[0] == 0).all()
    assert len(np.unique(back[2])) > 1  # one large weight does not swallow all others


def test_networks_in_bytes_are_half_the_size_and_lie_beside_others(tmp_path: Path) -> None:
    sizes = (90, 64, 64, 1)
    layers = layers_of(sizes)
    parts = [replace(part_of(UR, TWO, 2), sizes=sizes, stored=stored) for stored in KINDS]
    file = tmp_path / "ur.net"
    network.write(file, UR, "test", [(part, layers) for part in (*parts, parts[0])])
    body = len(file.read_bytes().partition(b"\n")[2])
    halves = 2 * (91 * 64 + 65 * 64 + 65)
    # a byte less for each weight of one layer, and a scale for each of its columns, or rows
    assert body == 4 * halves - 64 * 64 + 2 * 64 - 90 * 64 + 2 * 90
    for read in network.read(file):
        for kept, layer, kind in zip(read.layers, layers, kinds(read.part.stored), strict=True):
            assert_same(kept, as_stored(layer, kind))


@pytest.mark.parametrize("kind", ["bytes", "rows"])
def test_rounding_to_bytes_again_changes_nothing(kind: Kind) -> None:
    """For weights of any size: scales that are 16-bit floats make every product exact."""
    rng = np.random.default_rng(8)
    for size in (1e-7, 1e-3, 0.02, 1.0, 300.0):
        layer = Layer((size * rng.standard_cauchy((60, 50))).astype(np.float32), np.zeros(50, dtype=np.float32))
        once = as_stored(layer, kind)
        assert_same(once, as_stored(once, kind))


def assert_same(one: Layer, two: Layer) -> None:
    assert (one.weights == two.weights).all()
    assert (one.bias == two.bias).all()


@pytest.mark.parametrize("stored", KINDS)
@pytest.mark.parametrize("place", [0, 3, -1, -200])
def test_a_damaged_network_is_refused_with_a_sentence(tmp_path: Path, place: int, stored: Kind) -> None:
    file, _, _ = a_file(tmp_path, stored)
    damaged = bytearray(file.read_bytes())
    damaged[place] ^= 0x11
    file.write_bytes(damaged)
    with pytest.raises(BadNetwork, match=r"is damaged|is not a network file"):
        network.read(file)


def test_a_network_stored_in_a_way_that_nobody_knows_is_refused(tmp_path: Path) -> None:
    file, _, _ = a_file(tmp_path, "bytes")
    file.write_bytes(file.read_bytes().replace(b'"stored":"bytes"', b'"stored":"crumb"'))
    with pytest.raises(BadNetwork, match="is not a network file"):
        network.read(file)


@pytest.mark.parametrize(("outputs", "mover_at"), [(0, -1), (3, -1), (2, 1)])
def test_outputs_that_nothing_could_be_made_of_are_refused(outputs: int, mover_at: int, tmp_path: Path) -> None:
    """What is liked beside the odds is said for one seat, so a network that knows only the mover cannot have it."""
    file, part, _ = a_file(tmp_path, "halves")
    sizes = (*part.sizes[:-1], outputs)
    with pytest.raises(ValueError, match="one output, or two"):
        replace(part, sizes=sizes, mover_at=mover_at)
    header, _, body = file.read_bytes().partition(b"\n")
    header = header.replace(str(list(part.sizes)).replace(" ", "").encode(), str(list(sizes)).replace(" ", "").encode())
    header = header.replace(f'"mover_at":{part.mover_at}'.encode(), f'"mover_at":{mover_at}'.encode())
    file.write_bytes(header + b"\n" + body)
    with pytest.raises(BadNetwork, match="is not a network file"):
        network.read(file)


@pytest.mark.parametrize("stored", KINDS)
def test_a_network_cut_short_or_not_there_is_refused(tmp_path: Path, stored: Kind) -> None:
    file, _, _ = a_file(tmp_path, stored)
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(BadNetwork, match="damaged"):
        network.read(file)
    with pytest.raises(BadNetwork, match="cannot be read"):
        network.read(tmp_path / "nothing.net")


@pytest.mark.parametrize("near", [0.0, 0.5])
@pytest.mark.parametrize("stored", KINDS)
def test_compiled_plain_and_matrix_arithmetic_agree(near: float, stored: Kind, tmp_path: Path) -> None:
    """Also where most inputs are those of a usual position."""
    part = replace(part_of(UR, TWO, 2), stored=stored)
    file = tmp_path / "ur.net"
    network.write(file, UR, "test", [(part, layers_of(part.sizes))])
    (read,) = network.read(file)
    layers = read.layers
    rng = np.random.default_rng(2)
    usual = (near * rng.integers(0, 3, part.sizes[0])).astype(np.float32)
    net = read.net(usual)
    for _ in range(20):
        net.seen[:] = np.where(rng.random(len(usual)) < 0.1, rng.random(len(usual)), usual)
        wanted = expected(layers, net.seen.astype(np.float64))
        assert cpu(forward)(net) == pytest.approx(wanted, abs=1e-4)
        assert forward(net) == pytest.approx(wanted, abs=1e-4)


@pytest.mark.parametrize("id", GAMES)
def test_a_network_does_not_know_what_its_seat_may_not(id: str) -> None:
    """States with equal views are worth and liked the same; others are not, or the test would prove nothing.

    Under every preset, at the smallest and at the largest table.
    """
    game = astragal.game(id)
    for preset in game.rules.presets.values():
        for players in {min(game.rules.spec.players), max(game.rules.spec.players)}:
            options = game.rules.seated(preset, [True] * players)
            assert len(told_by_a_network(game, options, players)) > 50


def told_by_a_network(game: Game, options: Any, players: int) -> set[tuple[float, float]]:
    """What a network with two outputs says in a random game, after each was compared with what it says of guesses."""
    assert game.fast is not None
    fast, part = game.fast(options, players), part_of(game, options, players)
    part = replace(part, sizes=(*part.sizes[:-1], 2))
    net = Network(part, "", layers_of(part.sizes)).net()
    ask, like = cpu(by_network, SlotKernels(*fast.source, evaluate=by_network)), cpu(liking)
    rng, room, told = Random(4), np.zeros(256), set()
    state = game.rules.initial(options, players)
    for _ in range(150):
        if game.rules.turn(state) == OVER:
            break
        for seat in range(players):
            view = game.rules.observe(state, seat)
            mine = ask(fast.pack(state), fast.tables, net, seat, room), like(net)
            other = game.rules.resample(view, rng)
            assert (ask(fast.pack(other), fast.tables, net, seat, room), like(net)) == mine
            told.add(mine)
        packed = fast.pack(state)
        mover = fast.turn(packed)
        numbers = [number for number, _ in fast.chance(packed)] if mover == CHANCE else fast.legal(packed)
        state = game.rules.apply(state, fast.action(packed, rng.choice(numbers)))
    return told


def test_the_side_that_is_not_to_throw_has_the_rest_of_the_win() -> None:
    assert UR.index is not None
    assert UR.fast is not None
    fast = UR.fast(TWO, 2)
    part = part_of(UR, TWO, 2, mover_at=UR.index(TWO).thumbs.seat)
    net = Network(part, "", layers_of(part.sizes)).net()
    ask = cpu(by_network, SlotKernels(*fast.source, evaluate=by_network))
    first = fast.pack(UR.rules.initial(UR.rules.options_type(pieces=2, begins=0), 2))
    shares = [ask(first, fast.tables, net, seat, np.zeros(8)) for seat in range(2)]
    assert sum(shares) == pytest.approx(1)


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tables")
    Job(UR, TWO, folder, precision=1e-5).run()
    return folder


def a_teacher(tables: Path) -> teaching.Teacher:
    (file,) = tables.glob("*.table")
    return teaching.Teacher(Table(file), UR, 512, seed=5)


def test_what_is_taught_is_what_the_table_says(tables: Path) -> None:
    teacher = a_teacher(tables)
    seen, targets = teacher.batch()
    assert seen.shape == (512, teacher.inputs)
    assert (seen.sum(axis=1) > 0).all()
    states = teacher._host.states
    for lane in range(0, 512, 37):
        assert targets[lane] == pytest.approx(teacher.table.value(teacher.positions.rank(states[lane])), abs=1e-6)


def test_a_network_learns_the_game_and_the_same_again_from_the_same_seed(tables: Path) -> None:
    results = []
    for _ in range(2):
        teacher = a_teacher(tables)
        part, layers = train.learned([teacher], sizes=(32, 16), steps=1200, batch=512, seed=6)
        results.append((part.card["error"], layers))
    assert results[0][0] == results[1][0] < 0.03
    for one, two in zip(results[0][1], results[1][1], strict=True):
        assert (one.weights == two.weights).all()
    told = teacher.contest(Network(part, "", layers).net(), 400, seed=1)
    untrained = teacher.contest(Network(part, "", layers_of(part.sizes)).net(), 400, seed=1)
    assert told[:, teaching.LOST].mean() < 0.05 < untrained[:, teaching.LOST].mean()
    for games in (told, untrained):
        assert games[:, teaching.GAINED] == pytest.approx(-games[:, teaching.LOST], abs=2e-3), "luck was not taken out"
        luck = games[:, teaching.SHARE] - games[:, teaching.GAINED] - 0.5
        assert abs(luck.mean()) < 4 * luck.std() / len(luck) ** 0.5
    teacher.table.header = replace(teacher.table.header, convention="half", precision=0.05)  # knows values less well
    lost = teacher.contest(Network(part, "", layers).net(), 100, seed=1)[:, teaching.LOST]
    assert (lost >= 0).all(), "what was chosen was not compared with the best action"


def test_a_network_in_bytes_learns_the_same_again_and_is_what_its_file_will_say(tables: Path, tmp_path: Path) -> None:
    """It learns with rounded weights, so that it errs little more than one that is not rounded."""
    errors: dict[str, float] = {}
    results = []
    for stored in ("halves", "bytes", "bytes"):
        part, layers = train.learned([a_teacher(tables)], sizes=(32, 16), steps=600, batch=512, seed=6, stored=stored)
        errors[stored] = part.card["error"]
        results.append(layers)
    assert errors["bytes"] < 1.2 * errors["halves"] < 0.06
    network.write(tmp_path / "ur.net", UR, "test", [(part, layers)])
    (read,) = network.read(tmp_path / "ur.net")
    assert read.part == part
    for one, two, kept in zip(results[1], results[2], read.layers, strict=True):
        assert_same(one, two)
        assert_same(one, kept)
    scales = network.scales_of(layers[1].weights, "bytes")
    assert (layers[1].weights / scales == np.rint(layers[1].weights / scales)).all()


def test_the_slopes_of_a_rounded_network_move_weights_by_less_than_a_step_of_rounding() -> None:
    """A step too small to reach the next byte is not lost: many of them together reach it."""
    rng = np.random.default_rng(9)
    seen = rng.random((64, 5)).astype(np.float32)
    target = (seen[:, 0] > 0.5).astype(np.float32)
    learner = train.Learner((5, 8, 8, 1), 1, np)
    learner.round_off("bytes")
    before = learner.layers()
    learner.learn(seen, target, 1e-7)
    assert (learner.layers()[1].weights == before[1].weights).mean() > 0.9
    for _ in range(300):
        learner.learn(seen, target, 1e-4)
    assert (learner.layers()[1].weights != before[1].weights).mean() > 0.5
    assert float(learner.learn(seen, target, 0.0)) < float(np.abs(target - target.mean()).mean())


@pytest.mark.parametrize("stored", ["halves", "bytes"])
def test_the_command_trains_tests_and_packs(
    tables: Path, tmp_path: Path, capsys: Any, monkeypatch: Any, stored: str
) -> None:
    (table,) = tables.glob("*.table")
    net = tmp_path / "two.npz"
    few = ["--steps", "30", "--batch", "128", "--lanes", "256", "--sizes", "8", "8"]
    for words in (
        ["learn", "--table", table, "--out", net, *few, "--stored", stored],
        ["test", "--table", table, "--net", net, "--games", "20"],
        ["pack", "--game", "ur", "--name", "tried", "--out", tmp_path / "ur.net", net],
    ):
        monkeypatch.setattr("sys.argv", ["train.py", *map(str, words)])
        train.main()
    assert "1 networks" in capsys.readouterr().out
    (read,) = network.read(tmp_path / "ur.net")
    assert read.part.stored == stored
    assert 0 < read.part.card["against_perfect"]["wins"] < 0.51
    assert read.part.options["path"] == TWO.path
    monkeypatch.setattr(network, "file_of", lambda game: tmp_path / f"{game.id}.net")
    monkeypatch.setattr("sys.argv", ["train.py", "unpack", "--game", "ur", "--out", str(tmp_path / "parts")])
    train.main()
    assert str(tmp_path / "parts" / "0.npz") in capsys.readouterr().out
    part, layers = train.load(tmp_path / "parts" / "0.npz")
    network.write(tmp_path / "again.net", UR, "tried", [(part, layers)])
    assert (tmp_path / "again.net").read_bytes() == (tmp_path / "ur.net").read_bytes()


def test_the_best_that_there_is_evaluates(tables: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """First the table, then the network, then the heuristic; and a search may be told which."""
    monkeypatch.setattr(shelf, "folder", lambda: tables)
    assert evaluator(UR, TWO, 2).about.name == "table"
    assert evaluator(UR, UR.rules.options_type(pieces=7, path="masters", dice="three"), 2).about.name == "heuristic"
    with pytest.raises(NoEvaluator, match="there is no table for ur"):
        evaluator(UR, UR.rules.options_type(pieces=3), 2, ("table",))

    monkeypatch.setattr(shelf, "folder", lambda: tmp_path)
    monkeypatch.setattr(network, "file_of", lambda game: tmp_path / f"{game.id}.net")
    part = part_of(UR, TWO, 2, mover_at=UR.index(TWO).thumbs.seat)  # type: ignore[misc]
    options = {"path": option_values.to_plain(TWO)["path"]}
    kept = Part(
        **{name: getattr(part, name) for name in ("players", "sizes", "mover_at", "card")},
        options=options,
        between={"pieces": (1, 2)},
    )
    network.write(tmp_path / "ur.net", UR, "test", [(kept, layers_of(part.sizes))])
    found = evaluator(UR, TWO, 2)
    assert evaluator(UR, UR.rules.options_type(pieces=3), 2).about.name == "heuristic"  # it knows two pieces only
    assert (found.about.name, found.about.version[:5]) == ("network", "test ")
    network.write(tmp_path / "other.net", UR, "test", [(kept, layers_of(part.sizes, seed=2))])
    monkeypatch.setattr(network, "file_of", lambda _: tmp_path / "other.net")
    other = evaluator(UR, TWO, 2).about.version
    assert other.startswith("test ")
    assert other != found.about.version, "other weights have another version"
    assert evaluator(UR, UR.rules.options_type(path="masters"), 2).about.name == "heuristic"


def test_by_table_every_value_is_that_of_the_perfect_bot(tables: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelf, "folder", lambda: tables)
    assert UR.fast is not None
    fast, judge, perfect = UR.fast(TWO, 2), evaluator(UR, TWO, 2), PerfectBot(UR)
    searching = make("expectimax:nodes=1,by=table", UR)
    rng, compared = Random(7), 0
    state = UR.rules.initial(UR.rules.options_type(pieces=2, begins=0), 2)
    while UR.rules.turn(state) != OVER:
        packed = fast.pack(state)
        seat = fast.turn(packed)
        if seat == CHANCE:
            numbers = [number for number, _ in fast.chance(packed)]
        else:
            numbers = fast.legal(packed)
            view = UR.rules.observe(state, seat)
            choice = perfect.choose(view, rng)
            values = judge.actions(packed)
            assert sorted(value for _, value in choice.alternatives) == pytest.approx(sorted(values))
            assert (
                judge.value(packed, seat)
                == pytest.approx(max(values))
                == pytest.approx(1 - judge.value(packed, 1 - seat))
            )
            assert searching.choose(view, rng).value == pytest.approx(max(values))
            compared += len(values) > 1
        state = UR.rules.apply(state, fast.action(packed, rng.choice(numbers)))
    assert compared > 5
