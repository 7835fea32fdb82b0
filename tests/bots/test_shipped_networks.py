"""The networks that come with the package: there, whole, small, and near the truth where that is known."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest

import astragal
from astragal.bots import network
from astragal.bots.evaluate import Source, evaluator
from astragal.core.types import CHANCE, OVER
from astragal.games.egar import board as egar_board
from astragal.games.nile import board as nile_board
from astragal.solve.job import Job
from astragal.solve.positions import Positions, index_of

SIZES = {"ur": 1_000_000, "ur-modern": 1_500_000, "nile": 1_500_000, "egar": 1_500_000}  # bytes of a file, at most
TAUGHT = {"pieces", "error", "against_perfect"}  # what the card of a network says that tables have taught
ITSELF = {"tables", "settings", "calibration", "against_heuristic"}  # and of one that has played against itself
TABLES = ("ur", "ur-modern")
UR, MODERN = astragal.game("ur"), astragal.game("ur-modern")


@pytest.mark.parametrize("id", SIZES)
def test_the_files_are_whole_small_and_say_how_they_were_made(id: str) -> None:
    game = astragal.game(id)
    file = network.file_of(game)
    header = msgspec.json.decode(file.read_bytes().partition(b"\n")[0], type=network.NetworkHeader)
    # for other rules than these they would be left aside, and nobody would be told
    assert (header.game, header.version) == (id, game.rules.spec.version), "train the networks anew"
    assert file.stat().st_size <= SIZES[id]
    for read in network.read(file):
        assert set(read.part.card) >= {"data", "seed", "seconds", "machine", *(TAUGHT if id in TABLES else ITSELF)}


@pytest.mark.parametrize("preset", UR.rules.presets)
def test_every_preset_of_ur_has_a_network(preset: str) -> None:
    for pieces in range(1, 8):
        options = msgspec.structs.replace(UR.rules.presets[preset], pieces=pieces)
        assert evaluator(UR, options, 2, ("network", "heuristic")).about.name == "network"


@pytest.mark.parametrize("pieces", [4, 5, 6, 7])
@pytest.mark.parametrize("preset", MODERN.rules.presets)
def test_networks_of_heaven_and_earth_foretell_what_they_say_after_the_throw(preset: str, pieces: int) -> None:
    """For every number of pieces that there is. What a position is worth is the mean over all throws of what the best
    action after each leads to. Along a game that is played to its end only what is true agrees with that everywhere:
    the networks of the other layouts are wrong by 1.3 points at least, and mostly by more than 4."""
    options = msgspec.structs.replace(MODERN.rules.presets[preset], pieces=pieces, begins=0)
    judge = evaluator(MODERN, options, 2, ("network", "heuristic"))
    assert judge.about.name == "network"
    fast, rng = judge.fast, Random(1)
    errors: list[float] = []
    values: list[float] = []
    first = state = fast.pack(MODERN.rules.initial(options, 2))
    while len(errors) < 60:
        turn = fast.turn(state)
        if turn == OVER:
            state = first
        elif turn == CHANCE:
            throws, weights = zip(*fast.chance(state), strict=True)
            if rng.random() < 0.25:
                after = [judge.value(fast.step(state, throw), 0) for throw in throws]
                values.append(judge.value(state, 0))
                errors.append(abs(values[-1] - np.average(after, weights=weights)))
            state = fast.step(state, rng.choices(throws, weights)[0])
        else:
            legal, worth = fast.legal(state), judge.actions(state)
            best = legal[worth.index(max(worth))]
            state = fast.step(state, rng.choice(legal) if rng.random() < 0.3 else best)
    assert np.mean(errors) < 0.01
    assert np.std(values) > 0.05  # or a network that always says the same would do


@pytest.mark.parametrize(
    ("id", "preset"), [(id, preset) for id in ("nile", "egar") for preset in astragal.rules(id).presets]
)
def test_networks_of_nile_and_egar_know_what_a_position_is_worth(id: str, preset: str) -> None:
    """Nobody is ahead at first, at any table. They say how far to trust them, and that a search tells actions apart."""
    game = astragal.game(id)
    for count in game.rules.spec.players:
        options = game.rules.seated(game.rules.presets[preset], [True] * count)
        judge = evaluator(game, options, count)
        assert (judge.about.name, judge.about.tells_apart) == ("network", False)
        assert "points on average" in str(judge.about.trust)
        first = judge.fast.pack(game.rules.initial(options, count))
        for seat in range(count):
            assert judge.value(first, seat) == pytest.approx(1 / count, abs=0.1)


@pytest.mark.parametrize(("id", "own", "file"), [
    ("nile", nile_board.Board, "board-small.toml"), ("egar", egar_board.Board, "quick.toml"),
])  # fmt: skip
def test_a_board_of_ones_own_is_left_to_the_heuristic(id: str, own: Any, file: str, tmp_path: Path) -> None:
    """Even one that is like a known board but for its name: no network was ever tried on it."""
    game = astragal.game(id)
    shipped = (network.file_of(game).parent / file).read_text("utf-8")
    (tmp_path / file).write_text(re.sub("^name = .*$", 'name = "mine"', shipped, flags=re.MULTILINE), "utf-8")
    options = game.rules.seated(game.rules.options_type(board=own.load(tmp_path / file)), [True, True])
    assert evaluator(game, options, 2).about.name == "heuristic"


def test_a_network_judges_without_numbering_all_positions() -> None:
    """Which takes seconds where the common lane is long."""
    options = msgspec.structs.replace(UR.rules.presets["blitz"], begins=1)
    judge = evaluator(UR, options, 2, ("network",))
    first = judge.fast.pack(UR.rules.initial(options, 2))
    assert 0.4 < judge.value(first, 1) < 0.6
    assert "arrays" not in vars(index_of(UR, options))


def test_what_no_network_knows_falls_back_to_the_heuristic_and_says_so() -> None:
    sources: tuple[Source, ...] = ("network", "heuristic")
    assert evaluator(MODERN, MODERN.rules.options_type(), 2, sources).about.name == "network"
    own = evaluator(UR, UR.rules.options_type(capture_throws=True), 2, sources).about
    assert (own.name, own.exact) == ("heuristic", False)
    assert "rule of thumb" in str(own.trust)


@pytest.mark.parametrize(("preset", "pieces"), [(preset, 2) for preset in UR.rules.presets] + [("finkel", 3)])
def test_networks_of_ur_are_near_the_truth_for_few_pieces(preset: str, pieces: int, tmp_path: Path) -> None:
    """They learned from games with seven pieces, of which these are the ends. Those of other presets are refused, or
    wrong by 2.8 points at least."""
    options = msgspec.structs.replace(UR.rules.presets[preset], pieces=pieces)
    table = Job(UR, options, tmp_path, precision=1e-4).run()
    judge = evaluator(UR, options, 2, ("network",))
    positions, fast = Positions(UR, options, index_of(UR, options)), judge.fast
    errors: list[float] = []
    rng, state = Random(1), positions.first.copy()
    while len(errors) < 2000:
        mover = fast.turn(state)
        if mover == OVER:
            state = positions.first.copy()
        elif mover == CHANCE:
            errors.append(abs(judge.value(state, positions.index.mover(state)) - table.value(positions.rank(state))))
            state = fast.step(state, rng.choice([number for number, _ in fast.chance(state)]))
        else:
            state = fast.step(state, rng.choice(fast.legal(state)))
    assert np.mean(errors) < 0.01
