"""A search for tiles and coloured fields with which Nile is a good game (docs/rules/en/nile.md says what was found).

Known are the grid, the goal scale, 104 tiles of nine kinds, four universals of 10, and 20 for five tiles in one turn.
How many tiles there are of the other kinds and which fields are green and red is open. A `Sketch` is a choice of both
in a few numbers. `search` makes many of them and sieves them, coarse to fine: each sieve plays more games than the one
before and keeps the sketches that are nearest to the aims. The last ones are printed with their figures.

    python -m benchmarks.nile_sets levers
    python -m benchmarks.nile_sets search --seed 1 > sketches.jsonl   # takes long: four sieves
    python -m benchmarks.nile_sets draw sketches.jsonl --number 1 --into .   # board-sketch.toml and tiles-sketch.toml
    python -m benchmarks.nile_sets table --nodes 100 --games 400 first nile board-sketch.toml+tiles-sketch.toml
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from astragal.core.data import load_toml
from astragal.core.fast import Array
from astragal.games.nile.board import Board, Group
from astragal.games.nile.options import Options
from astragal.games.nile.tiles import DATA, KINDS, UNIVERSAL, Tile, TileSet
from benchmarks import nile_games as played
from benchmarks.nile_games import play

FREE_TILES = 100  # besides the universals
PAIRS = (0, 1, 2, 2, 3, 4, 4, 5)  # the place of each kind in a sketch: left and right forms share one
FIRST_COLOURED, LAST_COLOURED = 2, 21  # rows
MIDDLE = 10  # the column in which the river starts


class Sketch(Struct, frozen=True):
    """Tiles and coloured fields in a few numbers."""

    counts: tuple[int, ...]  # straight, curve, far (each), diagonal, near (each), bow
    dense: tuple[float, ...]  # the share of coloured fields, from row 2 to row 21
    green: tuple[float, ...]  # the share of green ones among these
    size: tuple[float, ...]  # the number on a field; single fields have up to half as much more or less
    groups: str  # the letters of the U-groups of the first board that are kept
    seed: int  # which fields these are
    values: tuple[int, ...] = (1, 2, 3, 4, 5, 6)  # of a tile, in the order of the counts


def tiles_of(sketch: Sketch) -> TileSet:
    """The tiles, and the four universals of 10."""
    tiles = (Tile(kind, sketch.counts[at], sketch.values[at]) for kind, at in zip(KINDS, PAIRS, strict=False))
    return TileSet("sketch", 5, 20, (*tiles, Tile(UNIVERSAL, 4, 10)))


def board_of(sketch: Sketch) -> Board:
    """The coloured fields, alike on the left and the right."""
    signs = {int(line.split()[0]): line.split()[1:] for line in load_toml(DATA / "board-first.toml", Board).rows}
    groups, luck = dict[str, int](), Random(sketch.seed)
    for row in range(FIRST_COLOURED, LAST_COLOURED + 1):
        for column in range(MIDDLE + 1):
            sign, drawn = signs[row][column], _field(sketch, row, luck)
            if sign.endswith("#") and sign[0] in sketch.groups:
                groups.setdefault(sign[0], _tens(_at(sketch.size, row)))
            elif sign[0] == "+" and signs[row][column - 1][0] in groups:  # what a U-group guards
                signs[row][column] = signs[row][2 * MIDDLE - column] = f"+{_tens(1.5 * _at(sketch.size, row))}"
            else:
                signs[row][column] = signs[row][2 * MIDDLE - column] = drawn
    signs[FIRST_COLOURED][MIDDLE] = "."  # in front of the start
    rows = tuple(f"{row:2} " + " ".join(f"{sign:>3}" for sign in signs[row]) for row in sorted(signs, reverse=True))
    return Board("sketch", rows, tuple(Group(letter, penalty) for letter, penalty in sorted(groups.items())))


def _field(sketch: Sketch, row: int, luck: Random) -> str:
    coloured, sign, size = luck.random(), luck.random(), luck.uniform(0.5, 1.5)
    if coloured >= _at(sketch.dense, row):
        return "."
    return f"{'+' if sign < _at(sketch.green, row) else '-'}{_tens(size * _at(sketch.size, row))}"


def _at(values: Sequence[float], row: int) -> float:
    """The value of a row, between those that a sketch gives."""
    return float(np.interp(row, np.linspace(FIRST_COLOURED, LAST_COLOURED, len(values)), values))


def _tens(number: float) -> int:
    return min(90, max(10, 10 * round(number / 10)))


# Figures ------------------------------------------------------------------------------------------------------------


class Figures(Struct, frozen=True):
    """What games of one number of players were like. Shares come with half the width of their 95 % interval."""

    players: int
    games: int
    goal: tuple[float, float]
    tiles: float
    idle: float
    empty: float  # of the idle games, how many ended with an empty bag
    shut: float  # ... and how many with a river that was shut in, and a bag that was not empty
    fives: tuple[float, float]  # of turns with a tile, how many earned the bonus
    first: tuple[float, float]  # what whoever opened won
    rich: tuple[float, float]  # of the goals, how many were 350 or more
    turns: float
    passes: float
    leads: float
    points: float  # of a seat, at the end


def figures(options: Options, players: int, games: int, nodes: int, seed: int = 1) -> Figures:
    """The figures of so many games, by so many simulations at every decision (0: greedy)."""
    found = play(options, players, games, nodes, seed)
    lines = found.lines
    endings = np.bincount(lines[:, played.ENDING], minlength=3) / games
    goals = lines[lines[:, played.ENDING] == played.GOAL_REACHED][:, played.GOAL]
    idle = lines[lines[:, played.ENDING] == played.IDLE]
    fives, turns = lines[:, played.FIVES], lines[:, played.TURNS]
    share = float(fives.sum() / turns.sum())
    spread = float(np.std(fives - share * turns) / turns.mean() / games**0.5)  # of a ratio of two sums
    opened = found.shares[np.arange(games), lines[:, played.OPENED]]
    return Figures(
        players,
        games,
        goal=_share(lines[:, played.ENDING] == played.GOAL_REACHED),
        tiles=float(endings[played.ALL_LAID]),
        idle=float(endings[played.IDLE]),
        empty=_share(idle[:, played.LEFT] == 0)[0],
        shut=_share((idle[:, played.LEFT] > 0) & (idle[:, played.SHUT] > 0))[0],
        fives=(share, 1.96 * spread),
        first=_share(opened),
        rich=_share(goals >= 350),
        turns=float(turns.mean()),
        passes=float(lines[:, played.PASSES].mean()),
        leads=float(lines[:, played.LEADS].mean()),
        points=float(found.scores.mean()),
    )


def _share(values: Array) -> tuple[float, float]:
    if len(values) == 0:
        return 0.0, 1.0
    return float(np.mean(values)), float(1.96 * np.std(values) / len(values) ** 0.5)


def miss(two: Figures, four: Figures, searched: bool) -> float:
    """How far a sketch is from the aims. Bots that do not search reach the goal and lay five more often."""
    easier = 0.0 if searched else 0.08
    aims = (
        _outside(two.goal[0], 0.60 + easier, 0.80),
        _outside(four.goal[0], 0.60, 0.80),
        1.5 * _outside(two.fives[0], 0.22 + easier, 0.28 + easier),
        0.5 * _outside(four.fives[0], 0.22 + easier, 0.28 + easier),
        0.5 * _outside(two.first[0], 0.48, 0.53),
        0.3 * _outside(two.rich[0], 0.35, 0.65),
        0.002 * _outside(two.points, 0, 500),  # a game of losing as little as possible is a sad one
    )
    return sum(aims)


def _outside(value: float, low: float, high: float) -> float:
    return max(0.0, low - value, value - high)


# The search ---------------------------------------------------------------------------------------------------------


class Found(Struct, frozen=True):
    """A line that the search prints."""

    miss: float
    sketch: Sketch
    two: Figures
    four: Figures


class Sieve(Struct, frozen=True):
    """How many sketches are kept, after so many games of two and of four players, by so many simulations a decision."""

    keep: int
    two: int
    four: int
    nodes: int


SKETCHES = 250
SIEVES = (Sieve(40, 300, 300, 0), Sieve(14, 80, 20, 50), Sieve(5, 200, 80, 50), Sieve(3, 400, 200, 100))


def some_sketch(luck: Random) -> Sketch:
    """A sketch from the part of all of them in which a first, wide search had found the better ones."""
    weights = [luck.uniform(*bounds) for bounds in ((5, 16), (6, 14), (14, 24), (6, 18), (6, 15), (5, 14))]
    scale = FREE_TILES / sum(weights[at] for at in PAIRS)
    counts = [round(weight * scale) for weight in weights]
    counts[0] += FREE_TILES - sum(counts[at] for at in PAIRS)  # what rounding left over
    return Sketch(
        counts=tuple(counts),
        dense=(luck.uniform(0.5, 0.9), luck.uniform(0.5, 0.9)),
        green=(luck.uniform(0, 0.25), luck.uniform(0.15, 0.5), luck.uniform(0.5, 1)),
        size=(luck.uniform(15, 40), luck.uniform(45, 75), luck.uniform(70, 90)),
        groups="".join(letter for letter in "ABCDE" if luck.random() < 0.6) or "A",
        seed=luck.randrange(10**6),
    )


def any_sketch(luck: Random) -> Sketch:
    """A sketch from anywhere: to see which of its numbers matter."""
    narrow = some_sketch(luck)
    weights = [luck.expovariate(1) + 0.2 for _ in range(6)]
    scale = (FREE_TILES - 12) / sum(weights[at] for at in PAIRS)
    counts = [round(weight * scale) + 1 for weight in weights]
    counts[0] += FREE_TILES - sum(counts[at] for at in PAIRS)
    if counts[0] < 1:
        return any_sketch(luck)
    flat, high = (3, 3, 3, 3, 3, 3), (5, 6, 7, 7, 8, 9)
    return replace(
        narrow,
        counts=tuple(counts),
        dense=(luck.uniform(0.2, 0.9),) * 2,
        green=(luck.random(), luck.random()),
        size=(luck.uniform(10, 60), luck.uniform(10, 90)),
        values=luck.choice((narrow.values, flat, high)),
    )


LEVERS: tuple[tuple[str, Callable[[Sketch], float]], ...] = (
    ("10 more curves, for straights", lambda one: one.counts[1] / 10),
    ("10 more far tiles, for straights", lambda one: one.counts[2] / 5),
    ("10 more diagonals, for straights", lambda one: one.counts[3] / 10),
    ("10 more near tiles, for straights", lambda one: one.counts[4] / 5),
    ("10 more bows, for straights", lambda one: one.counts[5] / 10),
    ("10 % more fields coloured", lambda one: one.dense[0] * 10),
    ("10 % more green among them, at the start", lambda one: one.green[0] * 10),
    ("10 % more green among them, at the goal", lambda one: one.green[1] * 10),
    ("numbers larger by 10, at the start", lambda one: one.size[0] / 10),
    ("numbers larger by 10, at the goal", lambda one: one.size[1] / 10),
    ("values of tiles higher by 1", lambda one: sum(one.values) / 6),
)  # fmt: skip


def levers(seed: int, sketches: int, games: int) -> list[tuple[str, list[tuple[float, float]]]]:
    """What each number of a sketch does to goals, bonuses and the first player's share in games of two without search.

    Linear regression over sketches from anywhere; each effect comes with half the width of its 95 % interval.
    """
    luck = Random(seed)
    tried = [any_sketch(luck) for _ in range(sketches)]
    seen = [figures(options_of(sketch), 2, games, 0, seed) for sketch in tried]
    inputs = np.array([[*(value(sketch) for _, value in LEVERS), 1.0] for sketch in tried])
    outputs = np.array([(one.goal[0], one.fives[0], one.first[0]) for one in seen])
    effects = np.linalg.lstsq(inputs, outputs, rcond=None)[0]
    noise = ((outputs - inputs @ effects) ** 2).sum(axis=0) / (sketches - inputs.shape[1])
    spread = np.sqrt(np.outer(np.diag(np.linalg.inv(inputs.T @ inputs)), noise))
    return [
        (name, list(zip(effects[at].tolist(), (1.96 * spread[at]).tolist(), strict=True)))
        for at, (name, _) in enumerate(LEVERS)
    ]


def options_of(sketch: Sketch) -> Options:
    """The options under which a sketch is played."""
    return Options(board=board_of(sketch), tiles=tiles_of(sketch))


def search(seed: int, sketches: int = SKETCHES) -> list[Found]:
    """The best sketches. What each sieve keeps is told on the way."""
    luck = Random(seed)
    left = [some_sketch(luck) for _ in range(sketches)]
    best: list[Found] = []
    for number, sieve in enumerate(SIEVES):
        measured = []
        for sketch in left:
            two = figures(options_of(sketch), 2, sieve.two, sieve.nodes, seed + number)
            four = figures(options_of(sketch), 4, sieve.four, sieve.nodes, seed + number)
            measured.append(Found(miss(two, four, sieve.nodes > 0), sketch, two, four))
        best = sorted(measured, key=lambda one: one.miss)[: sieve.keep]
        left = [one.sketch for one in best]
        sys.stderr.write(f"sieve {number + 1} of {len(SIEVES)} keeps {len(best)}:\n")
        for one in best:
            sys.stderr.write(f"  {one.miss:.3f} {row('', one.two)} {msgspec.json.encode(one.sketch).decode()}\n")
    return best


# Files and tables ---------------------------------------------------------------------------------------------------


def board_file(board: Board) -> str:
    """A board as a file that `--board` reads."""
    rows = "\n".join(f'  "{row}",' for row in board.rows)
    groups = "".join(f'\n[[groups]]\nletter = "{one.letter}"\npenalty = {one.penalty}\n' for one in board.groups)
    return f'name = "{board.name}"\nrows = [\n{rows}\n]\n{groups}'


def tiles_file(tiles: TileSet) -> str:
    """Tiles as a file that `--tiles` reads."""
    kinds = "".join(
        f'\n[[tiles]]\nkind = "{one.kind}"\ncount = {one.count}\nvalue = {one.value}\n' for one in tiles.tiles
    )
    return f'name = "{tiles.name}"\nrack = {tiles.rack}\nbonus = {tiles.bonus}\n{kinds}'


def options_named(name: str) -> Options:
    """`first` or `nile`, or two files with a plus between them: a board and its tiles."""
    if "+" in name:
        board, tiles = name.split("+", 1)
        return Options(board=Board.load(Path(board)), tiles=TileSet.load(Path(tiles)))
    return msgspec.convert({"board": name, "tiles": "nile" if name == "small" else name}, Options)


HEAD = (
    "| set | players | games | goal | all tiles laid | idle (bag empty, shut in) | bonus | first player |"
    " goals of 350 or more | turns |\n"
    "|---|---|---|---|---|---|---|---|---|---|"
)


def row(name: str, found: Figures) -> str:
    """A line of the table in the rules pages."""
    idle = f"{100 * found.idle:.0f} % ({100 * found.empty:.0f}, {100 * found.shut:.0f})"
    shares = " | ".join(map(_percent, (found.fives, found.first, found.rich)))
    return (
        f"| {name} | {found.players} | {found.games} | {_percent(found.goal)} | {100 * found.tiles:.0f} % | {idle} | "
        f"{shares} | {found.turns:.0f} |"
    )


def _percent(share: tuple[float, float]) -> str:
    value, margin = share
    return f"{100 * value:.0f} ± {100 * margin:.0f} %"


def main(argv: Sequence[str] | None = None) -> None:
    """Searches, writes a sketch down as data files, or prints the table."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.nile_sets", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    does = parser.add_subparsers(dest="does", required=True)
    seek = does.add_parser("search", help="sieve sketches, and print the best as lines of JSON")
    seek.add_argument("--seed", type=int, default=1)
    seek.add_argument("--sketches", type=int, default=SKETCHES, help="how many there are to begin with")
    ask = does.add_parser("levers", help="what each number of a sketch does, by linear regression")
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--sketches", type=int, default=400)
    ask.add_argument("--games", type=int, default=300)
    write = does.add_parser("draw", help="write a sketch that was found as a board file and a tile file")
    write.add_argument("file", type=Path, help="what the search has printed")
    write.add_argument("--number", type=int, default=1, help="which of its lines")
    write.add_argument("--into", type=Path, default=Path())
    show = does.add_parser("table", help="the figures of sets")
    show.add_argument("sets", nargs="+", help="first, nile, small, or BOARD.toml+TILES.toml")
    show.add_argument("--games", type=int, default=400)
    show.add_argument("--nodes", type=int, default=100, help="simulations at every decision; 0 for the greedy bot")
    show.add_argument("--players", type=int, nargs="*", default=[2, 3, 4])
    show.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(argv)
    if given.does == "search":
        for one in search(given.seed, given.sketches):
            print(msgspec.json.encode(one).decode(), flush=True)
    elif given.does == "levers":
        print("| lever | goal | bonus | first player |\n|---|---|---|---|")
        for name, effects in levers(given.seed, given.sketches, given.games):
            print(f"| {name} | {' | '.join(f'{100 * by:+.1f} ± {100 * margin:.1f}' for by, margin in effects)} |")
    elif given.does == "draw":
        line = given.file.read_text("utf-8").splitlines()[given.number - 1]
        sketch = msgspec.json.decode(line, type=Found).sketch
        (given.into / "board-sketch.toml").write_text(board_file(board_of(sketch)), "utf-8")
        (given.into / "tiles-sketch.toml").write_text(tiles_file(tiles_of(sketch)), "utf-8")
    else:
        print(HEAD)
        for name in given.sets:
            for players in given.players:
                found = figures(options_named(name), players, given.games, given.nodes, given.seed)
                print(row(name, found), flush=True)


if __name__ == "__main__":
    main()
