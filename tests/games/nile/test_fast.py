"""Nile over arrays is the same game: whole games side by side, states, claims, features, and random play."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

import astragal
from astragal.core import options as core_options
from astragal.core.agreement import agree, seats
from astragal.core.fast import Array
from astragal.core.types import CHANCE, OVER
from astragal.games.nile import layout as place
from astragal.games.nile.actions import PASSES, Action, Lay, Pass, Resign
from astragal.games.nile.board import Board, BoardName, Grid, Group, grid
from astragal.games.nile.course import Course, plays
from astragal.games.nile.fast import NileFast
from astragal.games.nile.options import Options
from astragal.games.nile.state import State
from astragal.games.nile.tiles import KINDS, NE, NW, PLACE, SE, SW, UNIVERSAL, Kind, Tile, TileSet, in_order, stock
from tests.games.nile.positions import OPTIONS, RULES, at, do, seen
from tests.numbers import number_of, same

GAME = astragal.game("nile")

MAZE = Board(
    "maze",
    ("6 9 40 8 40 9", "5 -9 . . . -9", "4 . A# . A# .", "3 . A# A# A# .", "2 +5 B# . B# +5", "1 . B# B# B# *"),
    (Group("A", 7), Group("B", 30)),
)
WIDE = Board("wide", (f"3 {' '.join(['70'] * 25)}", f"2 {' '.join(['.'] * 25)}", f"1 {'. ' * 12}* {'. ' * 12}"))
HIGH = Board("high", ("40 5 90 5", *(f"{row} . {'+4' if row % 3 else '-6'} ." for row in range(39, 1, -1)), "1 . * ."))


def tiles(rack: int, bonus: int, **counts: int) -> TileSet:
    kinds = tuple(Tile(kind, counts[kind.replace("-", "_")], 2 * place) for place, kind in enumerate(KINDS)
                  if kind.replace("-", "_") in counts)  # fmt: skip
    return TileSet("own", rack, bonus, kinds)


STARS = tiles(9, 50, straight=20, curve=9, diagonal=6, bow=6, universal=40)
FEW = tiles(3, 7, straight=6, curve=9, far_left=3, near_left=3, near_right=3, universal=3)
BLOCKED = tiles(2, 4, straight=4, curve=3, diagonal=9, bow=9)  # few of them can begin a river
HOSTS = [
    Options(board="small", tiles=BLOCKED),
    Options(board=MAZE, tiles=FEW),
    Options(board=MAZE, tiles=STARS, blue_finish="same_turn"),
    Options(board=WIDE, tiles=STARS, encircle="free", blue_finish="same_turn"),
    Options(board=WIDE, blue_finish="same_turn", begins=1),
    Options(board=HIGH, tiles=STARS),
    Options(board=HIGH, tiles=tiles(1, 3, straight=99, curve=2, universal=9), encircle="free"),
]
TABLES = [
    (chosen, players)
    for chosen in [*core_options.pairwise(GAME.rules, Random(1)), *HOSTS]
    for players in (2, 3, 4)
    if seats(chosen, players)
]


def random_line(options: Options, players: int, rng: Random, claims: float = 0.02) -> Iterator[tuple[State, Action]]:
    """A random game, now and then with somebody who gives up, and what was done in each state."""
    state = RULES.initial(options, players)
    while (turn := RULES.turn(state)) != OVER:
        if turn == CHANCE:
            outcomes, weights = zip(*RULES.chance(state), strict=True)
            action = rng.choices(outcomes, weights)[0]
        else:
            open_claims = [claim for _, claim in RULES.claims(state)]
            action = rng.choice(open_claims if open_claims and rng.random() < claims else RULES.legal(state))
        yield state, action
        state = RULES.apply(state, action)


def agree_on(fast: NileFast, packed: Array, state: State) -> None:
    """Whose turn it is, and what may be done."""
    assert fast.turn(packed) == RULES.turn(state)
    assert fast.returns(packed) == RULES.returns(state)
    assert [fast.action(packed, number) for number in fast.legal(packed)] == [*RULES.legal(state)]
    outcomes = [(fast.action(packed, number), weight) for number, weight in fast.chance(packed)]
    assert outcomes == [*RULES.chance(state)]


def side_by_side(options: Options, players: int, seed: int) -> set[str]:
    """Plays one random game on both, and compares what may be done in each state and the position in the end.

    Says what was seen, so that a test can tell whether it has seen enough.
    """
    fast = NileFast(options, players)
    state = RULES.initial(options, players)
    packed = fast.pack(state)
    met = set[str]()
    for state, action in random_line(options, players, Random(seed)):
        agree_on(fast, packed, state)
        if isinstance(action, Resign):  # a claim: it is done by the rules, and play goes on from there
            packed = fast.pack(RULES.apply(state, action))
        else:
            packed = fast.step(packed, number_of(fast, packed, action))
        met |= {"crossing"} if isinstance(action, Lay) and action.crossing else set()
        met |= (
            {"dealt again"} if isinstance(action, Pass) and not state.river and fast.turn(packed) == CHANCE else set()
        )
    state = RULES.apply(state, action)
    assert same(packed, fast.pack(state))
    assert fast.returns(packed) == RULES.returns(state)
    met |= {str(seen(state, None).ending), *(line.how for line in state.sheet)}
    return met | ({"shut in"} if any(one.shut for one in state.river) else set())


def many(games: int, seed: int) -> set[str]:
    met = set[str]()
    for number in range(games):
        options, players = TABLES[number % len(TABLES)]
        met |= side_by_side(options, players, seed + number)
    return met


EVERYTHING = {
    "goal", "tiles", "idle", "alone", "laid", "passed", "waited", "resigned", "left", "crossing", "shut in",
    "dealt again",
}  # fmt: skip


@pytest.mark.rule("NI-6", "NI-10", "NI-11", "NI-12", "NI-15", "NI-17")
def test_whole_games_side_by_side() -> None:
    assert many(1000, 0) == EVERYTHING


@pytest.mark.long
def test_thousands_of_games_side_by_side() -> None:
    assert many(6000, 1000) == EVERYTHING


def test_every_state_and_action_agrees() -> None:
    sets = [*core_options.pairwise(GAME.rules, Random(1)), *HOSTS]
    report = agree(GAME, games=3 * len(sets), plies=70, option_sets=sets)
    assert report.ok, str(report)


@pytest.mark.long
def test_every_state_and_action_agrees_in_long_games() -> None:
    sets = [*core_options.pairwise(GAME.rules, Random(2)), *HOSTS]
    report = agree(GAME, games=1000, seed=1, option_sets=sets)
    assert report.ok, str(report)


def scattered(rng: Random, ground: Grid) -> Course:
    """Tiles and used corners anywhere, as no river would leave them, and a head on some empty field.

    Often the head is at a corner between two empty fields, beyond which a tile can be crossed.
    """
    share = rng.choice((0.2, 0.4, 0.6, 0.7))
    covered = {number for number in ground.fields if rng.random() < share}
    corners = {ground.corner(number, SW) for number in ground.fields if rng.random() < 0.3}
    head = rng.choice(sorted(ground.blue if rng.random() < 0.3 else ground.fields))
    exit = rng.choice((NE, SE, SW, NW))
    crossed = ground.beyond[head][exit]
    beside = {ground.beyond[head][exit - 1], ground.beyond[head][(exit + 1) % 8]}
    if crossed >= 0 and ground.beyond[crossed][exit] >= 0 and rng.random() < 0.7:
        covered = (covered | {crossed}) - beside - {ground.beyond[crossed][exit]}
        corners -= {ground.corner(head, exit), ground.corner(crossed, exit)}
    lying = {number: (rng.choice(KINDS), 1 << rng.randrange(8) | 1 << rng.randrange(8)) for number in covered - {head}}
    occupied = sum(1 << number for number in lying)
    return Course(ground, head, rng.randrange(8), occupied, sum(1 << corner for corner in corners), lying)


def scattered_state(fast: NileFast, river: Course, rack: tuple[Kind, ...]) -> Array:
    """Somebody's turn to play on there with this rack."""
    empty = State(fast.options, "turn", 0, 0, (rack, ()), stock(fast.options.tiles).counts)
    packed = fast.pack(empty)
    packed[[place.HEAD, place.ENTRY]] = river.head, river.entry
    for number, (kind, points) in river.tiles.items():
        field = river.grid.fields[number]
        packed[place.FIELDS + number] = points << 4 | PLACE[kind] + 1
        packed[place.OCCUPIED + field.row] |= 1 << field.column
        packed[place.TOP] = max(packed[place.TOP], field.row)
    for row in range(river.grid.rows + 1):
        packed[place.CORNERS + row] = river.corners >> row * river.grid.stride & (1 << river.grid.stride) - 1
    return packed


@pytest.mark.rule("NI-5", "NI-6", "NI-12", "NI-15")
@pytest.mark.parametrize("encircle", ["universal", "free"])
@pytest.mark.parametrize("board", ["small", MAZE], ids=["small", "maze"])
def test_where_a_river_may_go_among_scattered_tiles(board: BoardName | Board, encircle: Any) -> None:
    """Positions that random games hardly ever reach, such as a corner whose use alone shuts the river in."""
    rng, shut = Random(8), 0
    options = Options(board=board, tiles=STARS, encircle=encircle, blue_finish="same_turn", begins=0)
    fast = NileFast(options, 2)
    for _ in range(6000):
        river = scattered(rng, grid(board))
        singles = rng.choices(KINDS[:-1], (5, 1, 1, 1, 1, 1, 1, 1), k=rng.randrange(1, 6))
        rack = in_order((*singles, *[UNIVERSAL] * rng.choice((0, 0, 1, 1, 2))))
        packed = scattered_state(fast, river, rack)
        expected = plays(river, rack, options)
        assert tuple(fast.action(packed, number) for number in fast.legal(packed)) == (expected or (PASSES,))
        freely = plays(river, rack, replace(options, encircle="free"))
        shut += len(freely) - len(expected)
    assert (shut > 100) == (encircle == "universal")


@pytest.mark.rule("NI-18")
@pytest.mark.parametrize("players", [3, 4])
def test_giving_up_at_any_time(players: int) -> None:
    """Every claim of every state, of the seat to act and of others, with and without tiles laid."""
    rng, tried = Random(players), 0
    for chosen, _ in TABLES:
        options = replace(chosen, begins=0)
        fast = NileFast(options, players)
        for state, _ in random_line(options, players, rng, claims=0.05):
            for seat, claim in RULES.claims(state) if rng.random() < 0.3 else ():
                assert claim == Resign(seat)
                after = RULES.apply(state, claim)
                agree_on(fast, fast.pack(after), after)
                tried += 1
    assert tried > 200, "enough to have met it all"


def test_guesses_are_packed_as_they_are() -> None:
    """Also when one was packed just before that differs in its hidden tiles only."""
    rng = Random(4)
    for options, players in TABLES[:6]:
        fast = NileFast(options, players)
        for state, _ in random_line(options, players, rng):
            if rng.random() < 0.1:
                view = seen(state, rng.randrange(players))
                for guess in [RULES.resample(view, rng) for _ in range(3)]:
                    assert same(fast.pack(guess), NileFast(options, players).pack(guess))


def test_positions_with_another_past_are_the_same_position() -> None:
    """The same tiles on the board, the same racks and scores: who scored them with which turns makes no difference."""
    fast, rng = NileFast(Options(begins=0), 2), Random(3)
    compared = 0
    for state, _ in random_line(Options(begins=0), 2, rng):
        if len(state.sheet) >= 2 and not state.laid:
            first, second, *rest = state.sheet
            told = replace(
                state,
                sheet=(replace(first, total=first.total + 5), second, *rest, replace(first, total=-5)),
                lots=(((KINDS[0],),),) * 2,
            )
            assert fast.key(fast.pack(told)) == fast.key(fast.pack(state))
            poorer = replace(state, sheet=(replace(first, total=first.total - 1), second, *rest))
            assert fast.key(fast.pack(poorer)) != fast.key(fast.pack(state))
            compared += 1
    assert compared > 10


@pytest.mark.parametrize("players", [2, 3])
def test_random_play_is_the_same_in_law(players: int) -> None:
    options = Options(board="small", tiles=FEW)
    fast = NileFast(options, players)
    shares, plies = fast.playouts(fast.pack(RULES.initial(options, players)), range(20_000), cores=2)
    rng, rows = Random(7), []
    for _ in range(250):
        line = list(random_line(options, players, rng, claims=0))
        rows.append((len(line), RULES.returns(RULES.apply(*line[-1]))[0]))
    lengths, wins = np.array(rows, dtype=float).T
    assert abs(plies.mean() - lengths.mean()) < 4 * lengths.std() / len(rows) ** 0.5
    assert abs(shares[:, 0].mean() - wins.mean()) < 4 * wins.std() / len(rows) ** 0.5
    assert shares.sum(axis=1) == pytest.approx(1)


def moved(state: State, by: int) -> State:
    """The same table with everybody so many chairs further on."""
    players = len(state.racks)

    def chair(seat: int) -> int:
        return (seat + by) % players

    def around(items: tuple[object, ...]) -> tuple[object, ...]:
        return items[-by:] + items[:-by]

    return replace(
        state,
        seat=chair(state.seat),
        first=chair(state.first),
        racks=around(state.racks),
        sheet=tuple(replace(line, seat=chair(line.seat)) for line in state.sheet),
        gone=tuple(chair(seat) for seat in state.gone),
        lots=around(state.lots),
        rivals=tuple(sorted(chair(seat) for seat in state.rivals)),
    )


@pytest.mark.parametrize("players", [2, 3, 4])
def test_features_know_no_chair_from_another(players: int) -> None:
    rng = Random(players)
    heuristic = GAME.heuristic
    for state, _ in random_line(Options(board="small"), players, rng):
        if rng.random() < 0.2:
            by = rng.randrange(1, players)
            for seat in range(players):
                there = (seat + by) % players
                mine = heuristic.features(seen(state, seat), seat)
                assert mine == heuristic.features(seen(moved(state, by), there), there)


def test_what_one_has_ahead_the_other_has_behind() -> None:
    for state, _ in random_line(Options(board="small"), 2, Random(9)):
        mine, theirs = (GAME.heuristic.features(seen(state, seat), seat) for seat in (0, 1))
        assert all(mine[name] == -theirs[name] for name in ("result", "points", "late"))


def test_after_the_end_only_the_result_counts() -> None:
    line = list(random_line(Options(board="small"), 3, Random(2), claims=0))
    state = RULES.apply(*line[-1])
    for seat, share in enumerate(RULES.returns(state)):
        features = dict(GAME.heuristic.features(seen(state, seat), seat))
        assert features.pop("result") == (1 if share == 1 else 0 if share else -1)
        assert not any(features.values())
    gone = do(line[-40][0] if RULES.claims(line[-40][0]) else next(s for s, _ in line if RULES.claims(s)), "resign-2")
    assert GAME.heuristic.features(seen(gone, 1), 1)["result"] == -1, "who gave up has lost"


def test_the_goal_counts_if_it_closes_the_gap() -> None:
    state = do(at("N N N", "straight straight straight bow bow", "bow bow bow bow bow", options=OPTIONS), "N", "stop")
    near = GAME.heuristic.features(seen(state, 0), 0)
    assert near["goal"] < 0
    far = replace(state, sheet=(replace(state.sheet[0], total=900),))
    assert GAME.heuristic.features(seen(far, 0), 0)["goal"] == 0


def test_nothing_is_compiled_by_looking_at_the_game() -> None:
    code = "import sys, astragal; astragal.game('nile'); sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
