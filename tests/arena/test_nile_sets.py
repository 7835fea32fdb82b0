"""The search for tiles and fields of Nile: sketches are sets that can be played, and games are counted rightly."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from astragal.core.compiled import cpu
from astragal.games.nile import GAME
from astragal.games.nile import layout as at
from astragal.games.nile.board import Board
from astragal.games.nile.fast import NileFast
from astragal.games.nile.options import Options
from astragal.games.nile.tiles import TileSet, stock
from benchmarks import nile_games as played
from benchmarks.nile_games import determinize, play
from benchmarks.nile_sets import board_file, board_of, figures, main, options_of, some_sketch, tiles_file, tiles_of
from tests.games.nile.positions import random_game

FIRST = Options(board="first", tiles="first")


@pytest.mark.parametrize("seed", range(20))
def test_a_sketch_is_a_set_that_can_be_played(seed: int, tmp_path: Path) -> None:
    sketch = some_sketch(Random(seed))
    options = options_of(sketch)
    GAME.rules.initial(options, 4)
    assert stock(tiles_of(sketch)).total == 104
    for line in board_of(sketch).rows:
        signs = line.split()[1:]
        assert signs == signs[::-1]
    (tmp_path / "board.toml").write_text(board_file(board_of(sketch)), "utf-8")
    (tmp_path / "tiles.toml").write_text(tiles_file(tiles_of(sketch)), "utf-8")
    assert (Board.load(tmp_path / "board.toml"), TileSet.load(tmp_path / "tiles.toml")) == (
        options.board,
        options.tiles,
    )


@pytest.mark.parametrize("nodes", [0, 8])
def test_games_are_counted_rightly(nodes: int) -> None:
    games = 200 if nodes == 0 else 12
    found = play(FIRST, 3, games, nodes, 4)
    lines = found.lines
    assert np.allclose(found.shares.sum(axis=1), 1)
    assert (found.shares.argmax(axis=1) == found.scores.argmax(axis=1)).all()
    assert ((lines[:, played.ENDING] == played.GOAL_REACHED) == (lines[:, played.GOAL] > 0)).all()
    assert ((lines[:, played.TOP] == 21) == (lines[:, played.GOAL] > 0)).all(), "blue is only entered to end there"
    assert (lines[:, played.FIVES] <= lines[:, played.TURNS]).all()
    idle = lines[lines[:, played.ENDING] == played.IDLE]
    assert (idle[idle[:, played.LEFT] > 0][:, played.PASSES] >= 6).all(), "two rounds of three players"
    again = play(FIRST, 3, games, nodes, 4)
    assert (again.lines == lines).all(), "the same seed gives the same games"


def test_a_guess_at_hidden_tiles_keeps_what_the_seat_sees() -> None:
    rng, table = np.array([7], dtype=np.uint64), NileFast(Options(), 3)
    deal_again = cpu(determinize, table.source)
    differ = 0
    for state, _ in random_game(2, Options(), 3):
        if state.phase != "turn":
            continue
        packed = table.pack(state)
        other = packed.copy()
        deal_again(packed, table.tables, state.seat, other, rng)
        differ += bool((other != packed).any())
        own = at.RACKS + state.seat * at.KINDS
        assert (other[own : own + at.KINDS] == packed[own : own + at.KINDS]).all()
        for kind in range(at.KINDS):
            places = [at.BAG + kind, *(at.RACKS + seat * at.KINDS + kind for seat in range(3))]
            assert other[places].sum() == packed[places].sum()
            assert (other[places] >= 0).all()
        hidden = [at.IN_BAG, *range(at.BAG, at.BAG + at.KINDS), *range(at.RACKS, at.RACKS + 3 * at.KINDS)]
        assert (np.delete(other, hidden) == np.delete(packed, hidden)).all()
        assert other[at.IN_BAG] == packed[at.IN_BAG]
    assert differ > 10


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_set_of_the_game_reaches_its_goal_and_the_first_did_not(players: int) -> None:
    now, before = figures(Options(), players, 1500, 0), figures(FIRST, players, 1500, 0)
    assert 0.55 < now.goal[0] < 0.8
    assert before.goal[0] < 0.45
    assert now.fives[0] < before.fives[0] - 0.15
    assert now.goal[0] + now.tiles + now.idle == pytest.approx(1)


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from benchmarks import nile_sets

    monkeypatch.setattr(nile_sets, "SIEVES", (nile_sets.Sieve(2, 20, 20, 0), nile_sets.Sieve(1, 2, 2, 4)))
    main(["search", "--sketches", "4", "--seed", "3"])
    printed = capsys.readouterr()
    assert "sieve 2 of 2 keeps 1" in printed.err
    (tmp_path / "found.jsonl").write_text(printed.out, "utf-8")
    main(["draw", str(tmp_path / "found.jsonl"), "--into", str(tmp_path)])
    named = f"{tmp_path / 'board-sketch.toml'}+{tmp_path / 'tiles-sketch.toml'}"
    main(["table", "first", named, "--games", "20", "--nodes", "0", "--players", "2"])
    table = capsys.readouterr().out.splitlines()
    assert len(table) == 4
    assert table[2].startswith("| first | 2 | 20 | ")
