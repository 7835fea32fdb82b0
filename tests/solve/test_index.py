"""Laws of an index: ranks and positions are each other's inverse, and values follow from the rules."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import numba
import numpy as np
import pytest

import astragal
from astragal.core.compiled import cpu
from astragal.core.rules import Game
from astragal.core.solvable import Index
from astragal.core.types import CHANCE, OVER, AstragalError
from astragal.games.ur.board import Board
from astragal.games.ur_modern import kernels_index, layout
from astragal.solve.kernels_sweep import ONE, Sweep, write

SMALL_BOARD = Board(name="small", rosettes=("a1", "c1"), light="a2 a1 b1 b2 b3 a3", dark="c2 c1 b1 b2 b3 c3")
CASES = [
    ("ur", {"pieces": 7}),
    ("ur", {"pieces": 3, "path": "masters", "dice": "three", "safe_rosettes": False}),
    ("ur", {"pieces": 4, "path": "masters", "safe_rosettes": False, "capture_throws": True}),
    ("ur", {"pieces": 5, "path": "aseb"}),
    ("ur", {"pieces": 3, "path": SMALL_BOARD, "rosette_throws": False}),
    ("ur-modern", {"pieces": 7, "layout": "royal"}),
    ("ur-modern", {"pieces": 5, "layout": "lesser-earth"}),
    ("ur-modern", {"pieces": 4, "layout": "lanes", "placing_captures": False}),
]


def case(id: str, chosen: dict[str, Any]) -> tuple[Game, Any, Index]:
    game = astragal.game(id)
    options = game.rules.options_type(**chosen, begins=0)
    assert game.index is not None
    return game, options, game.index(options)


@pytest.mark.parametrize(("pieces", "positions"), [(1, 217), (2, 12_869), (3, 263_121), (7, 137_870_097)])
def test_the_classic_game_has_as_many_positions_as_can_come_about(pieces: int, positions: int) -> None:
    assert case("ur", {"pieces": pieces})[2].size == positions


@pytest.mark.parametrize(("pieces", "positions"), [(4, 16_734_861), (5, 123_479_901), (7, 1_277_171_301)])
def test_the_modern_game_has_as_many_positions_as_there_are_ways_to_stand(pieces: int, positions: int) -> None:
    assert case("ur-modern", {"pieces": pieces, "layout": "lanes"})[2].size == positions
    mirrored = case("ur-modern", {"pieces": pieces, "layout": "royal"})[2].size
    assert 0.5 * positions < mirrored < 0.54 * positions  # mirror images are one, but for even ones


@pytest.mark.parametrize(("id", "chosen"), CASES)
def test_rank_and_unrank_are_each_others_inverse(id: str, chosen: dict[str, Any]) -> None:
    game, options, index = case(id, chosen)
    assert game.fast is not None
    fast = game.fast(options, 2)
    state = fast.pack(game.rules.initial(options, 2))
    rank, unrank = cpu(index.kernels.rank), cpu(index.kernels.unrank)
    rng = Random(1)
    for wanted in [0, index.size - 1, *(rng.randrange(index.size) for _ in range(300))]:
        unrank(wanted, fast.tables, index.arrays, state)
        assert rank(state, fast.tables, index.arrays) == wanted


@pytest.mark.parametrize(("id", "chosen"), CASES)
def test_every_position_of_random_games_has_a_rank_and_comes_back_from_it(id: str, chosen: dict[str, Any]) -> None:
    game, options, index = case(id, chosen)
    assert game.fast is not None
    fast = game.fast(options, 2)
    rank, unrank = cpu(index.kernels.rank), cpu(index.kernels.unrank)
    rng = Random(2)
    for _ in range(10):
        state = fast.pack(game.rules.initial(options, 2))
        for _ in range(200):
            turn = fast.turn(state)
            if turn == OVER:
                break
            if turn == CHANCE:
                number = int(rank(state, fast.tables, index.arrays))
                assert 0 <= number < index.size
                again = state.copy()
                unrank(number, fast.tables, index.arrays, again)
                assert rank(again, fast.tables, index.arrays) == number
                outcomes = fast.chance(state)
                state = fast.step(state, rng.choices([n for n, _ in outcomes], [w for _, w in outcomes])[0])
            else:
                state = fast.step(state, rng.choice(fast.legal(state)))


@pytest.mark.parametrize(("id", "chosen"), CASES)
def test_runs_list_every_position_of_a_block_once(id: str, chosen: dict[str, Any]) -> None:
    _, _, index = case(id, {**chosen, "pieces": 4 if id == "ur-modern" else 2})
    visit = cpu(index.kernels.visit)
    for block in index.blocks if id == "ur" else ():
        waves = index.waves(block)
        seen = [
            visit(code, k, index.arrays)[0]
            for code, length in zip(waves.codes.tolist(), waves.lengths.tolist(), strict=True)
            for k in range(length)
        ]
        assert sorted(seen) == [rank for span in block.spans for rank in range(*span)]
    if id == "ur-modern":
        (block,) = index.blocks
        waves = index.waves(block)
        assert waves.lengths.sum() == index.size
        firsts = np.sort(waves.codes & ((1 << 40) - 1))
        assert len(np.unique(firsts)) == len(firsts)
        assert firsts[0] == 0


def arbitrary_values(index: Index) -> Any:
    """For every position some value, the same for mirror images of each other; see `Index.twice`."""
    drawn = np.random.default_rng(3).integers(0, ONE, index.size).astype(np.uint32)
    if not index.twice:
        return drawn
    visit, mirrored = cpu(index.kernels.visit), cpu(kernels_index.mirrored)

    @numba.njit(cache=False)
    def scatter(mine: int, theirs: int) -> Any:
        mixed = (np.uint64(mine) << np.uint64(20) | np.uint64(theirs)) * np.uint64(0x9E3779B97F4A7C15)
        return (mixed >> np.uint64(32)) % np.uint64(ONE)

    @numba.njit(cache=False)
    def draw(codes: Any, lengths: Any, arrays: Any, made: Any) -> None:
        at = 0
        for run in range(len(codes)):
            for k in range(lengths[run]):
                _, mine, theirs = visit(codes[run], k, arrays)
                made[at] = min(scatter(mine, theirs), scatter(mirrored(mine), mirrored(theirs)))
                at += 1

    (block,) = index.blocks
    codes, lengths, _ = index.waves(block)
    draw(codes, lengths, index.arrays, drawn)
    values = np.zeros(2 * index.size, dtype=np.uint32)
    how = Sweep(index.arrays, values, values, values, index.total, 0)
    cpu(write, index.kernels)(codes, lengths, 0, len(codes), how, drawn)
    return values


@pytest.mark.parametrize(("id", "chosen"), CASES)
def test_a_backup_is_what_the_rules_make_of_it(id: str, chosen: dict[str, Any]) -> None:
    """The best action after every throw, by the game's own kernels and arbitrary values."""
    game, options, index = case(id, {**chosen, "pieces": min(chosen["pieces"], 4)})
    assert game.fast is not None
    fast = game.fast(options, 2)
    rank = cpu(index.kernels.rank)
    visit, backup = cpu(index.kernels.visit), cpu(index.kernels.backup, index.kernels)
    values = arbitrary_values(index)
    blank = fast.pack(game.rules.initial(options, 2))
    unrank = cpu(index.kernels.unrank)

    def worth(state: Any) -> int:
        if fast.turn(state) == OVER:
            return round(fast.returns(state)[0] * ONE)
        value = int(values[rank(state, fast.tables, index.arrays)])
        return value if index.mover(state) == 0 else ONE - value

    def right(code: int, k: int) -> bool:
        """Compares both, unless the game is over there."""
        place, mine, theirs = visit(code, k, index.arrays)
        state = blank.copy()
        unrank(place, fast.tables, index.arrays, state)
        if fast.turn(state) == OVER:
            return False
        total = 0
        for outcome, weight in fast.chance(state):
            thrown = fast.step(state, outcome)
            total += weight * max(worth(fast.step(thrown, number)) for number in fast.legal(thrown))
        assert backup(code, mine, theirs, index.arrays, values, values, ONE, ONE, -1) == total
        return True

    rng = Random(4)
    compared = 0
    for block in index.blocks:
        waves = index.waves(block)
        for _ in range(100 // len(index.blocks) + 5):
            run = rng.randrange(len(waves.codes))
            compared += right(int(waves.codes[run]), rng.randrange(int(waves.lengths[run])))
        for state in ruling(fast, blank, rng) if id == "ur-modern" else ():
            place = rank(state, fast.tables, index.arrays)
            firsts = waves.codes & kernels_index.RUN_RANK
            (run,) = np.flatnonzero((firsts <= place) & (place < firsts + waves.lengths)).tolist()
            compared += right(int(waves.codes[run]), int(place - firsts[run]))
    assert compared > (200 if id == "ur-modern" else 50)


def ruling(fast: Any, blank: Any, rng: Random) -> Iterator[Any]:
    """Positions of Heaven and Earth in which a side rules Earth or Heaven: there ways are longer, and take more."""
    for _ in range(100):
        for realm in (layout.EARTH, layout.HEAVEN):
            state = blank.copy()
            mine = int(fast.tables[realm])
            free = [square for square in range(layout.SQUARES) if not mine >> square & 1]
            own, *theirs = rng.sample(free, 5)
            state[0], state[1] = mine | 1 << own, sum(1 << square for square in theirs)
            state[layout.SEAT], state[layout.TIPS] = 0, -1
            yield state


def test_a_board_with_too_many_squares_is_refused() -> None:
    long = "a4 a3 a2 a1 " + " ".join(f"b{n}" for n in range(1, 13)) + " a12 a11 a10 a9 a8 a7 a6 a5"
    mirrored = long.replace("a", "c")
    board = Board(name="long", rosettes=(), light=long + "", dark=mirrored)
    assert case("ur", {"pieces": 1, "path": board})[2].size > 0
    wide = Board(name="wide", rosettes=(), light=" ".join(f"a{n}" for n in range(1, 13)) + " b1 b2 b3 b4 b5 b6",
                 dark=" ".join(f"c{n}" for n in range(1, 13)) + " b1 b2 b3 b4 b5 b6")  # fmt: skip
    assert case("ur", {"pieces": 1, "path": wide})[2].size > 0
    lonely = Board(
        name="lonely",
        rosettes=(),
        light=" ".join(f"a{n}" for n in range(1, 13)) + " b1 c12 c11 c10 c9 c8 c7 c6 c5 c4 c3 c2 c1",
        dark=" ".join(f"c{n}" for n in range(1, 13)) + " b1 a12 a11 a10 a9 a8 a7 a6 a5 a4 a3 a2 a1",
    )
    with pytest.raises(AstragalError, match="at most 16"):
        case("ur", {"pieces": 1, "path": lonely})
