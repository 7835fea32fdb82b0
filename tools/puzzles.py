"""Makes the puzzles that come with the package.

    .venv/bin/python tools/puzzles.py make ur --table tables/NAME.table --count 250 --out finkel.json
    .venv/bin/python tools/puzzles.py make egar --kinds march,strike --count 40 --out strikes.json
    .venv/bin/python tools/puzzles.py check nile --drop
    .venv/bin/python tools/puzzles.py pack egar --keep --count 130 strikes.json
    .venv/bin/python tools/puzzles.py measure ur

`make` plays games and keeps positions with one best action that a greedy player would not find. It goes by a table of
exact values where one is given, else by a search. `check` searches the puzzles of the package again with other luck,
and with `--drop` leaves out those whose answer it does not find, unless a table says that it is right. `pack` puts
files of one game together into its data folder, with `--keep` beside the puzzles that are there, and names all kinds
anew. `measure` asks the levels anew how often they fail at the puzzles there, after they have changed. The same seed
makes the same puzzles. Only the package's modules, msgspec, NumPy and Numba are needed.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from msgspec.structs import replace

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "src"))
sys.path.insert(0, str(ROOT))

from astragal.analysis.puzzle_maker import MARGIN, fails_of, puzzle_of, selected  # noqa: E402
from astragal.core import options as option_values  # noqa: E402
from astragal.core import puzzle as puzzles  # noqa: E402
from astragal.core.puzzle import Puzzle, PuzzleKinds, PuzzleRules, PuzzleSet  # noqa: E402
from astragal.core.rules import Game  # noqa: E402
from tools.puzzle_search import SearchGames  # noqa: E402
from tools.puzzle_tables import TableGames  # noqa: E402
from tools.solutions import chosen as chosen_options  # noqa: E402
from tools.solutions import game_of  # noqa: E402

PART = 20  # games that a process plays at a time
_source: Any = None  # of this process and those it forks


Found = list[tuple[Puzzle, float]]
T = TypeVar("T")


def _found(seed: int, margin: float, games: int) -> Found:
    """The puzzles of some games, each with the error of its values."""
    return [
        (puzzle_of(_source.game, _kinds(_source.game), candidate, 0, _source.plain, Random(one)), candidate.error)
        for one in range(seed, seed + games)
        for candidate in _source.candidates(one, margin)
    ]


def make(given: argparse.Namespace) -> None:
    """Plays games, and writes the best puzzles that were in them."""
    global _source
    begun = time.perf_counter()
    game = game_of(given.game)
    _source = (
        TableGames(game, given.table)
        if given.table
        else SearchGames(game, chosen_options(game, given), given.players, _asked_kinds(game, given.kinds))
    )
    made = _found(given.seed, given.margin, 3)  # compiles everything once, before there are further processes
    games_a_task = PART if given.table else 1
    tasks = range(given.seed + 3, given.seed + given.games, games_a_task)
    find = partial(_found, margin=given.margin, games=games_a_task)
    for part in _worked(find, tasks, given.cores):
        made += part
        _tell(f"{len(made)} puzzles, {time.perf_counter() - begun:.0f} s")
        if time.perf_counter() - begun > given.seconds:
            break
    chosen = selected([puzzle for puzzle, _ in made], given.count)
    shared = PuzzleRules(
        options=_source.plain, players=_source.players, judge=_source.judge([error for _, error in made])
    )
    _write(given.out, game, [shared], chosen)
    print(f"\n{_summary(chosen)}; of {len(made)} in {given.games} games, {time.perf_counter() - begun:.0f} s")


def _tell(line: str) -> None:
    print(f"\r{line}", end="", file=sys.stderr, flush=True)


def _worked(find: Callable[[int], T], tasks: Iterable[int], cores: int) -> Iterable[T]:
    if cores == 1:
        yield from map(find, tasks)
        return
    with multiprocessing.get_context("fork").Pool(cores) as pool:
        yield from pool.imap(find, tasks)


def _asked_kinds(game: Game, asked: str) -> list[str]:
    wanted = [kind for kind in asked.split(",") if kind]
    unknown = [kind for kind in wanted if kind not in _kinds(game).names]
    if unknown:
        sys.exit(f"{game.id} has no puzzles of the kind {unknown[0]}; there are {', '.join(_kinds(game).names)}")
    return wanted


def pack(given: argparse.Namespace) -> None:
    """Puts files of a game together into the file of the package; kept puzzles stay, whatever the others are like."""
    game = game_of(given.game)
    rules: list[PuzzleRules] = []
    kept = _renumbered(game, puzzles.read(_kinds(game).file), rules) if given.keep else []
    fresh = [one for file in given.files for one in _renumbered(game, _read_for(game, file), rules)]
    chosen = selected(fresh, given.count, kept)
    used = sorted({puzzle.rules for puzzle in chosen})
    chosen = [replace(puzzle, rules=used.index(puzzle.rules)) for puzzle in chosen]
    _write(given.out or _kinds(game).file, game, [rules[place] for place in used], chosen)
    print(_summary(chosen))


def _read_for(game: Game, file: Path) -> PuzzleSet:
    part = puzzles.read(file)
    if (part.game, part.version) != (game.id, game.rules.spec.version):
        sys.exit(f"{file} is for {part.game}, version {part.version}")
    return part


def _renumbered(game: Game, part: PuzzleSet, rules: list[PuzzleRules]) -> list[Puzzle]:
    """The puzzles of one file as they stand in a set with these rules, to which its own are added."""
    places = []
    for one in part.rules:
        if one not in rules:
            rules.append(one)
        places.append(rules.index(one))
    moved = []
    for puzzle in part.puzzles:
        state, shared = _state(game, part, puzzle), places[puzzle.rules]
        best, tempting = (game.rules.decode(state, text) for text in (puzzle.best, puzzle.tempting))
        moved.append(replace(puzzle, rules=shared, kind=_kinds(game).kind(state, best, tempting)))
    return moved


def check(given: argparse.Namespace) -> None:
    """Searches puzzles again with other luck, and says of which the answer was not found."""
    game = game_of(given.game)
    file = given.file or _kinds(game).file
    whole = puzzles.read(file)
    sources = [
        SearchGames(game, option_values.convert(game.rules, shared.options), shared.players) for shared in whole.rules
    ]
    missed = []
    for place, puzzle in enumerate(whole.puzzles):
        state = _state(game, whole, puzzle)
        if not sources[puzzle.rules].still_best(state, game.rules.decode(state, puzzle.best), given.seed + 100 * place):
            missed.append(puzzle)
            print(f"\r{puzzle.id}: {puzzle.best} is not found, or by everybody ({puzzle.kind}, {puzzle.difficulty})")
        _tell(f"{place + 1 - len(missed)} of {place + 1}")
    print(f"\n{len(whole.puzzles) - len(missed)} of {len(whole.puzzles)} answers are found again")
    if given.drop:
        kept = [one for one in whole.puzzles if one not in missed or whole.rules[one.rules].judge.exact]
        puzzles.write(file, replace(whole, puzzles=tuple(kept)))


def measure(given: argparse.Namespace) -> None:
    """Asks every level anew; positions, values and kinds stay as they are."""
    global _source
    game = game_of(given.game)
    file = given.file or _kinds(game).file
    _source = game, puzzles.read(file)
    places = range(len(_source[1].puzzles))
    measured = [_measured(places[0])]  # compiles everything once, before there are further processes
    for fails in _worked(_measured, places[1:], given.cores):
        measured.append(fails)
        _tell(f"{len(measured)} of {len(places)}")
    every = [replace(puzzle, fails=fails) for puzzle, fails in zip(_source[1].puzzles, measured, strict=True)]
    puzzles.write(given.out or file, replace(_source[1], puzzles=tuple(every)))
    print(f"\n{_summary(every)}")


def _measured(place: int) -> tuple[float, ...]:
    """How often the levels fail at one puzzle of the set in hand."""
    game, whole = _source
    puzzle = whole.puzzles[place]
    state = _state(game, whole, puzzle)
    view = game.rules.observe(state, game.rules.turn(state))
    return fails_of(game, view, game.rules.decode(state, puzzle.best), Random(place))


def _state(game: Game, whole: PuzzleSet, puzzle: Puzzle) -> Any:
    """The position of a puzzle of this set."""
    shared = whole.rules[puzzle.rules]
    options = option_values.convert(game.rules, shared.options)
    return game.rules.from_position(puzzle.position, options, shared.players)


def _write(file: Path, game: Game, rules: list[PuzzleRules], chosen: list[Puzzle]) -> None:
    whole = PuzzleSet(game=game.id, version=game.rules.spec.version, rules=tuple(rules), puzzles=tuple(chosen))
    puzzles.write(file, whole)


def _summary(chosen: list[Puzzle]) -> str:
    difficulties = Counter(puzzle.difficulty for puzzle in chosen)
    kinds = Counter(puzzle.kind for puzzle in chosen)
    return f"{len(chosen)} puzzles: {dict(difficulties)}, {dict(kinds)}"


def _kinds(game: Game) -> PuzzleKinds:
    if game.puzzles is None:
        sys.exit(f"{game.id} names no kinds of puzzles")
    return game.puzzles


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    making = commands.add_parser("make", help="play games, and keep their puzzles")
    making.add_argument("game")
    making.add_argument("--table", type=Path, help="of exact values; without it a search judges, under these options:")
    making.add_argument("--preset")
    making.add_argument("--pieces", type=int)
    making.add_argument("--set", action="append", default=[], metavar="OPTION=VALUE")
    making.add_argument("--players", type=int, default=2)
    making.add_argument("--kinds", default="", help="only these, with commas between them; not with a table")
    making.add_argument("--count", type=int, default=250)
    making.add_argument("--games", type=int, default=1500, help="to be played")
    making.add_argument("--margin", type=float, default=MARGIN, help="of the best action over the next, at least")
    making.add_argument("--seconds", type=float, default=1e9, help="after which no further game begins")
    making.add_argument("--seed", type=int, default=1)
    making.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    making.add_argument("--out", type=Path, required=True)
    making.set_defaults(run=make)
    packing = commands.add_parser("pack", help="files of a game into the package")
    packing.add_argument("game")
    packing.add_argument("files", type=Path, nargs="+")
    packing.add_argument("--count", type=int, default=250, help="puzzles in all")
    packing.add_argument("--keep", action="store_true", help="the puzzles of the package stay")
    packing.add_argument("--out", type=Path, help="instead of the game's data folder")
    packing.set_defaults(run=pack)
    checking = commands.add_parser("check", help="search the puzzles of the package again")
    checking.add_argument("game")
    checking.add_argument("--file", type=Path, help="instead of the one in the game's data folder")
    checking.add_argument("--drop", action="store_true", help="leave out those whose answer is not found")
    checking.add_argument("--seed", type=int, default=1_000_000)
    checking.set_defaults(run=check)
    measuring = commands.add_parser("measure", help="how often the levels fail, anew")
    measuring.add_argument("game")
    measuring.add_argument("--file", type=Path, help="instead of the one in the game's data folder")
    measuring.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    measuring.add_argument("--out", type=Path, help="instead of the same file")
    measuring.set_defaults(run=measure)
    given = parser.parse_args()
    given.run(given)


if __name__ == "__main__":
    main()
