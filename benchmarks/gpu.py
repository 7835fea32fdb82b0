"""Random games on a graphics card, beside one core of the same computer: games and plies a second, and law 7.

    python -m benchmarks.gpu --out gpu.json
    python -m benchmarks.gpu --direct --only ur --seconds 1        # where the package is not installed, only unpacked
    NUMBA_ENABLE_CUDASIM=1 python -m benchmarks.gpu --small        # tries everything in Numba's simulator

For every game: random games by the template that every game has, and by the game's own short cut where it has one
(`games`); whether the card reaches the same positions as a core, by whole random games and by `research.vector` step by
step (`law`); and steps of `research.vector` (`vector`). Launches are timed until the card has worked for --seconds;
compiling and the first launch are not counted. The file is written anew after every part.
"""

from __future__ import annotations

import argparse
import importlib
import json
import math
import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numba.cuda
import numpy as np

from astragal import research
from astragal.core.compiled import cpu, kernel
from astragal.core.compiled import cuda as on_device
from astragal.core.compiled_cuda import SIMULATED
from astragal.core.fast import Array, Fast, Work, copy, random_game, random_games
from astragal.core.rules import Game

cuda: Any = numba.cuda

MODULES = ("ur", "ur_modern", "nile", "egar")
BLOCKS = (32, 64, 128, 256)  # threads of a block that are tried
WAVES = 4  # blocks for each multiprocessor at 256 threads; more with smaller blocks
PLAYED_AT_ONCE = 1 << 21  # games of a vector at most, less where they take much memory


class Size(NamedTuple):
    """How much is played."""

    games: int  # whose positions are compared
    plies: int  # after which these are broken off
    most_plies: int  # after which a timed game is broken off
    vector: int  # games of a vector whose steps are compared
    steps: int
    seconds: float


class Table(NamedTuple):
    """A game with what its kernels need."""

    game: Game
    options: Any
    players: int
    fast: Fast[Any, Any]
    start: Array


@kernel
def finals(packed: Array, tables: Array, seeds: Array, most_plies: int, work: Work, shares: Array, ends: Array) -> None:
    """A random game for each seed, as `core.fast` plays it, and the position in which it ended."""
    for game in range(len(seeds)):
        copy(packed, work.state)
        work.rng[0] = seeds[game]
        random_game(work.state, tables, most_plies, work, shares[game])
        copy(work.state, ends[game])


def launcher(play: Callable[..., None], table: Table) -> Any:
    """A kernel of the card in which every thread plays some of the games, in memory of its own."""
    device = on_device(play, table.fast.source)
    words, room, outcomes = len(table.start), table.fast.room, min(table.fast.most, table.fast.outcomes)
    dtype = numba.from_dtype(table.start.dtype)
    if SIMULATED:  # where the kernel is plain Python

        @cuda.jit  # type: ignore[untyped-decorator]
        def simulated(start: Any, tables: Any, seeds: Any, each: Any, most: Any, shares: Any, told: Any) -> None:
            first = cuda.grid(1) * each
            work = Work(np.empty(words, table.start.dtype), np.empty(1, np.uint64), np.zeros(room, np.int64),
                        np.zeros(outcomes, np.int64))  # fmt: skip
            if first < len(seeds):
                last = first + each
                device(start, tables, seeds[first:last], most, work, shares[first:last], told[first:last])

        return simulated

    @cuda.jit  # type: ignore[untyped-decorator]
    def launch(start: Any, tables: Any, seeds: Any, each: Any, most: Any, shares: Any, told: Any) -> None:
        first = cuda.grid(1) * each
        state = cuda.local.array(words, dtype)
        rng = cuda.local.array(1, numba.uint64)
        numbers = cuda.local.array(room, numba.int64)
        weights = cuda.local.array(outcomes, numba.int64)
        if first < len(seeds):
            last = first + each if first + each < len(seeds) else len(seeds)
            work = Work(state, rng, numbers, weights)
            device(start, tables, seeds[first:last], most, work, shares[first:last], told[first:last])

    return launch


class Card:
    """Plays games of one table on the card."""

    def __init__(self, play: Callable[..., None], table: Table) -> None:
        self._launch = launcher(play, table)
        self._table = table
        self._start, self._tables = cuda.to_device(table.start), cuda.to_device(table.fast.tables)

    def play(self, seeds: Array, told: Array, most_plies: int, threads: int, blocks: int) -> tuple[float, Array, Array]:
        """Seconds on the card, the shares of the win, and what else the template tells of each game."""
        shares = cuda.device_array((len(seeds), self._table.players), dtype=np.float64)
        given, other = cuda.to_device(seeds), cuda.to_device(told)
        each = -(-len(seeds) // (threads * blocks))
        cuda.synchronize()
        begin = time.perf_counter()
        self._launch[blocks, threads](self._start, self._tables, given, each, most_plies, shares, other)
        cuda.synchronize()
        took = time.perf_counter() - begin
        return took, shares.copy_to_host(), other.copy_to_host()


def on_core(
    play: Callable[..., None], table: Table, seeds: Array, told: Array, most_plies: int, cores: int
) -> tuple[Array, Array]:
    """The same on this computer."""
    compiled, fast = cpu(play, table.fast.source), table.fast
    shares = np.zeros((len(seeds), table.players))
    parts = [part for part in np.array_split(np.arange(len(seeds)), cores) if len(part)]

    def some(part: Array) -> None:
        place = slice(int(part[0]), int(part[-1]) + 1)
        work = fast.work(table.start)
        compiled(table.start, fast.tables, seeds[place], most_plies, work, shares[place], told[place])

    with ThreadPoolExecutor(len(parts)) as pool:
        list(pool.map(some, parts))
    return shares, told


def seeds_of(count: int, first: int = 1) -> Array:
    """So many seeds."""
    return np.arange(first, first + count, dtype=np.uint64)


def same_games(table: Table, size: Size) -> dict[str, Any]:
    """Law 7 on the card: random games end in the same positions, with the same results."""
    seeds, words = seeds_of(size.games), len(table.start)
    room = np.zeros((len(seeds), words), dtype=table.start.dtype)
    _, shares, ends = Card(finals, table).play(seeds, room, size.plies, *_small_grid(len(seeds)))
    mine, wanted = on_core(finals, table, seeds, room.copy(), size.plies, os.cpu_count() or 1)
    return {
        "games": len(seeds),
        "plies_at_most": size.plies,
        "same_positions": bool((ends == wanted).all()),
        "same_results": bool((shares == mine).all()),
    }


def same_steps(table: Table, size: Size) -> dict[str, Any]:
    """Law 7 on the card: `research.vector` takes the same steps there as here."""
    made: dict[str, Any] = {"options": table.options, "players": table.players, "autoreset": "SAME_STEP", "seed": 7}
    here = research.vector(table.game, size.vector, device="cpu", **made)
    there = research.vector(table.game, size.vector, device="cuda", **made)
    same = True
    for _ in range(size.steps):
        actions = np.array(here.sample())
        here.step(actions)
        there.step(actions)
        there.sample()
        same = same and all(np.array_equal(a, b) for a, b in zip(here.get_state(), there.get_state(), strict=True))
        seen = there.numpy(there.observe())
        same = same and np.array_equal(here.observe(), seen)
    return {"games": size.vector, "steps": size.steps, "same": same}


def _small_grid(games: int) -> tuple[int, int]:
    return (1, 2) if SIMULATED else (64, max(1, -(-games // 64)))


def core_rate(play: Callable[..., None], table: Table, size: Size) -> dict[str, float]:
    """Games and plies a second on one core."""
    count, games, plies, spent = 1, 0, 0, 0.0
    on_core(play, table, seeds_of(1), np.zeros(1, dtype=np.int64), size.most_plies, 1)
    while spent < size.seconds:
        told = np.zeros(count, dtype=np.int64)
        begin = time.perf_counter()
        on_core(play, table, seeds_of(count, 1 + games), told, size.most_plies, 1)
        spent += time.perf_counter() - begin
        games, plies = games + count, plies + int(told.sum())
        count = min(2 * count, 1 << 16)
    return {"games_per_s": games / spent, "plies_per_s": plies / spent, "games": games}


def card_rate(play: Callable[..., None], table: Table, size: Size) -> dict[str, Any]:
    """Games and plies a second on the card, by the best of some ways to spread them."""
    card = Card(play, table)
    grids = [(2, 1)] if SIMULATED else [(threads, _processors() * WAVES * 256 // threads) for threads in BLOCKS]
    tried: dict[tuple[int, int], float] = {}
    for threads, blocks in grids:  # two games a thread; the first launch compiles and is not counted
        games = 2 * threads * blocks
        told = np.zeros(games, dtype=np.int64)
        if not tried:
            card.play(seeds_of(games), told, size.most_plies, threads, blocks)
        took, _, _ = card.play(seeds_of(games), told, size.most_plies, threads, blocks)
        tried[threads, blocks] = games / took
    threads, blocks = max(tried, key=lambda grid: tried[grid])
    each = 1 if SIMULATED else int(np.clip(tried[threads, blocks] / (threads * blocks) * size.seconds / 3, 2, 2048))
    games, plies, spent = 0, 0, 0.0
    while spent < size.seconds:
        count = each * threads * blocks
        took, _, told = card.play(
            seeds_of(count, 1 + games), np.zeros(count, dtype=np.int64), size.most_plies, threads, blocks
        )
        games, plies, spent = games + count, plies + int(told.sum()), spent + took
    return {
        "games_per_s": games / spent,
        "plies_per_s": plies / spent,
        "games": games,
        "threads": threads,
        "blocks": blocks,
        "games_a_thread": each,
        "tried": {f"{threads} threads, {blocks} blocks": rate for (threads, blocks), rate in tried.items()},
    }


def _processors() -> int:
    return int(cuda.get_current_device().MULTIPROCESSOR_COUNT)


def vector_rate(table: Table, size: Size, *, device: Any, observations: bool) -> dict[str, Any]:
    """Steps a second of `research.vector` with random actions and masks."""
    space = research.vector(table.game, 1, options=table.options, players=table.players).space
    each = 8 * len(table.start) + 5 * table.fast.most + space.actions + 4 * space.size * observations
    n = 1 << int(math.log2(min(PLAYED_AT_ONCE, (8 << 30) // each)))
    n = 2 if SIMULATED else min(n, 8192) if device == "cpu" else n
    games = research.vector(
        table.game, n, options=table.options, players=table.players, device=device, observations=observations,
        autoreset="SAME_STEP", on_illegal="forfeit", cores=1,
    )  # fmt: skip
    games.step(games.sample())
    steps, begin = 0, time.perf_counter()
    while time.perf_counter() - begin < size.seconds:
        for _ in range(1 if SIMULATED else 8):
            games.step(games.sample())
            steps += 1
        if device == "cuda":
            cuda.synchronize()
    return {"games_at_once": n, "steps_per_s": n * steps / (time.perf_counter() - begin)}


def ways_of(table: Table) -> dict[str, Callable[..., None]]:
    """By what random games are played: the template of every game, and a short cut where the game has one."""
    found: dict[str, Callable[..., None]] = {"template": random_games}
    if table.fast.playing is not random_games:
        found["short_cut"] = table.fast.playing
    return found


def games_part(table: Table, size: Size) -> dict[str, Any]:
    """Random games on both."""
    found: dict[str, Any] = {}
    for name, play in ways_of(table).items():
        core, card = core_rate(play, table, size), card_rate(play, table, size)
        found[name] = {"core": core, "card": card, "times_one_core": card["plies_per_s"] / core["plies_per_s"]}
    return found


def law_part(table: Table, size: Size) -> dict[str, Any]:
    """Law 7 on the card."""
    return {"random_games": same_games(table, size), "vector": same_steps(table, size)}


def vector_part(table: Table, size: Size) -> dict[str, Any]:
    """Steps of a vector on both."""
    found: dict[str, Any] = {}
    for seen in (False, True):
        core = vector_rate(table, size, device="cpu", observations=seen)
        card = vector_rate(table, size, device="cuda", observations=seen)
        times = card["steps_per_s"] / core["steps_per_s"]
        found["with_observations" if seen else "plain"] = {"core": core, "card": card, "times_one_core": times}
    return found


PARTS = {"games": games_part, "law": law_part, "vector": vector_part}


def tables(direct: bool, only: list[str]) -> list[Table]:
    """Every game at its smallest table, all seats bots."""
    if direct:
        games = [importlib.import_module(f"astragal.games.{module}").GAME for module in MODULES]
    else:
        import astragal

        games = list(astragal.games().values())
    found = []
    for game in games:
        if game.fast is None or (only and game.id not in only):
            continue
        players = min(game.rules.spec.players)
        options = game.rules.seated(next(iter(game.rules.presets.values())), [True] * players)
        fast = game.fast(options, players)
        found.append(Table(game, options, players, fast, fast.pack(game.rules.initial(options, players))))
    return found


def main() -> None:
    """Prints a line for every part; all figures go into the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, metavar="FILE.json", help="where to write the figures")
    parser.add_argument("--seconds", type=float, default=3.0, help="for each figure (default 3)")
    parser.add_argument(
        "--only", action="append", default=[], metavar="GAME", help="this game; more than once for more"
    )
    parser.add_argument("--parts", default=",".join(PARTS), help="what to measure (default games,law,vector)")
    parser.add_argument("--direct", action="store_true", help="import the games by name, without entry points")
    parser.add_argument("--small", action="store_true", help="few and short games, to see that everything works")
    wanted = parser.parse_args()
    if not cuda.is_available():
        sys.exit("there is no NVIDIA graphics card that Numba can use; NUMBA_ENABLE_CUDASIM=1 simulates one")
    size = Size(4096, 3000, 20_000, 4096, 300, wanted.seconds)
    if wanted.small:
        size = Size(4, 40, 40, 3, 8, min(wanted.seconds, 0.01))
    name = "simulator" if SIMULATED else cuda.get_current_device().name
    found: dict[str, Any] = {"card": name.decode() if isinstance(name, bytes) else name, "games": {}}
    failed = False
    for table in tables(wanted.direct, wanted.only):
        figures = found["games"].setdefault(table.game.id, {"players": table.players})
        for part in wanted.parts.split(","):
            begin = time.perf_counter()
            try:
                figures[part] = PARTS[part](table, size)
            except Exception as error:  # time on a card is dear: what else can be measured is measured
                figures[part], failed = {"error": f"{type(error).__name__}: {error}"[:2000]}, True
            figures[part]["seconds_in_all"] = time.perf_counter() - begin
            print(f"{table.game.id}, {part}: {json.dumps(figures[part])}", flush=True)
            if wanted.out:
                wanted.out.write_text(json.dumps(found, indent=1), encoding="utf-8")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
