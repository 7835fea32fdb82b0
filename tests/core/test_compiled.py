"""Kernels: one source that runs plain, on a CPU and on a GPU, and a cache that knows what each depends on."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import astragal
from astragal.core import compiled
from astragal.core.compiled import cpu, digest, kernel, lowest_bit, popcount, scratch
from astragal.core.fast import Array, Kernels, random_games
from astragal.core.fast import turn as turn_of_a_template
from tests.core import toy

SIZE = 5
FACTOR = 3


@kernel
def tripled(number: int) -> int:
    return number * FACTOR


@kernel
def summed(numbers: Array) -> int:
    """Adds up three times what is given, by way of a scratch array."""
    room = scratch(SIZE, np.int64)
    for place in range(SIZE):
        room[place] = tripled(numbers[place])
    total = 0
    for place in range(SIZE):
        total += room[place]
    return total


@kernel
def bits(mask: int) -> int:
    return 100 * popcount(mask) + lowest_bit(mask)


def test_a_kernel_runs_plain_and_compiled() -> None:
    assert summed([1, 2, 3, 4, 5]) == 45  # type: ignore[arg-type]
    assert cpu(summed)(np.arange(1, 6)) == 45
    for mask in (1, 2, 12, 0b1011000, 1 << 62):
        assert cpu(bits)(mask) == bits(mask) == 100 * mask.bit_count() + (mask & -mask).bit_length() - 1


def test_scratch_arrays_of_one_call_are_apart_and_take_a_constant_only() -> None:
    @kernel
    def two() -> int:
        one, other = scratch(SIZE, np.int64), scratch(SIZE, np.int64)
        one[0] = 1
        other[0] = 2
        return int(10 * one[0] + other[0])

    assert cpu(two)() == two() == 12

    @kernel
    def any_size(size: int) -> int:
        return len(scratch(size, np.int64))

    with pytest.raises(Exception, match="must be a constant"):
        cpu(any_size)(3)


def unmarked(number: int) -> int:
    return number


@kernel
def calls_unmarked(number: int) -> int:
    return unmarked(number)


@kernel
def calls_itself(number: int) -> int:
    return calls_itself(number - 1) if number else 0


def test_what_cannot_be_compiled_says_why() -> None:
    with pytest.raises(TypeError, match="calls unmarked, which is not marked as a kernel"):
        cpu(calls_unmarked)
    with pytest.raises(TypeError, match="calls_itself calls itself"):
        cpu(calls_itself)
    with pytest.raises(TypeError, match="random_game is a template with a slot for chance"):
        cpu(random_games)
    with pytest.raises(TypeError, match="a slot of a template"):
        turn_of_a_template(np.zeros(7), np.zeros(1))


def test_what_has_no_slots_is_compiled_once_for_all_games() -> None:
    ur, other = (game.fast(game.rules.presets[preset], 2) for game, preset in GAMES if game.fast)
    assert cpu(summed, ur.source) is cpu(summed, other.source) is cpu(summed)
    assert cpu(random_games, ur.source) is cpu(random_games, ur.source)
    assert cpu(random_games, ur.source) is not cpu(random_games, other.source)


GAMES = ((astragal.game("ur"), "finkel"), (astragal.game("ur-modern"), "royal"))


# The cache -------------------------------------------------------------------------------------------------------

LAYOUT = "PLACE = 1\n"
HELPER = "from astragal.core.compiled import kernel\n\n@kernel\ndef helped(number):\n    return number + 1\n"
KERNELS = """
from astragal.core.compiled import kernel
from own_helper import helped
import own_layout as at

LIST = (1, 2)

@kernel
def whole(state):
    return helped(state[at.PLACE]) + LIST[0]
"""


def own_game(folder: Path, monkeypatch: pytest.MonkeyPatch, **files: str) -> Callable[..., Any]:
    """A kernel in files of its own, as a foreign game would have it, with some of them changed."""
    monkeypatch.syspath_prepend(folder)
    for name, text in {"own_layout": LAYOUT, "own_helper": HELPER, "own_kernels": KERNELS, **files}.items():
        (folder / f"{name}.py").write_text(text)
        sys.modules.pop(name, None)
    import importlib

    importlib.invalidate_caches()
    return importlib.import_module("own_kernels").whole  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("own_layout", LAYOUT.replace("1", "2")),
        ("own_helper", HELPER.replace("number + 1", "number + 2")),
        ("own_kernels", KERNELS.replace("LIST[0]", "LIST[1]")),
        ("own_kernels", KERNELS.replace("(1, 2)", "(3, 2)")),
    ],
)
def test_a_change_in_any_file_is_another_kernel(
    file: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    first = own_game(tmp_path, monkeypatch)
    before, result = digest(first), cpu(first)(np.array([5, 7, 9]))
    assert digest(own_game(tmp_path, monkeypatch)) == before, "the same sources, loaded again"
    changed = own_game(tmp_path, monkeypatch, **{file: text})
    assert digest(changed) != before
    assert cpu(changed)(np.array([5, 7, 9])) != result


def test_a_template_depends_on_the_kernels_in_its_slots() -> None:
    def other_turn(state: Array, tables: Array) -> int:
        return toy.turn(state, tables)

    source = toy.ToyFast.source
    changed: Kernels = source._replace(turn=kernel(other_turn))
    assert digest(random_games, source) != digest(random_games, changed)


def modules_with_kernels() -> list[ModuleType]:
    import importlib
    import pkgutil

    names = [module.name for module in pkgutil.walk_packages(astragal.__path__, "astragal.")]
    modules = [importlib.import_module(name) for name in names if ".kernels" in name or name.endswith(".fast")]
    return [module for module in modules if any(map(compiled._is_kernel, vars(module).values()))]


def test_every_kernel_we_have_can_be_told_from_all_others() -> None:
    """That is: each of them has a digest, with the kernels of some game, and of its index, in its slots."""
    modern = astragal.game("ur-modern")
    assert modern.index is not None
    assert modern.fast is not None
    options = modern.rules.options_type()
    own, index = modern.fast(options, 2).source, modern.index(options)
    fillings = {**toy.ToyFast.source._asdict(), "observe": own.observe, **index.kernels._asdict()}
    fillings["score"] = index.thumbs.score
    source: Any = namedtuple("source", fillings)(**fillings)
    seen = dict[str, Any]()
    for module in modules_with_kernels():
        for function in vars(module).values():
            if compiled._is_kernel(function):
                assert seen.setdefault(digest(function, compiled._needed(function, source)), function) is function
    assert len(seen) > 150


COUNTED = """
from numba.core import event
import astragal
with event.install_recorder("numba:compile") as compiled:
    game = astragal.game("ur")
    options = game.rules.presets["finkel"]
    fast = game.fast(options, 2)
    fast.playouts(fast.pack(game.rules.initial(options, 2)), [1])
print(sum(each.is_start for _, each in compiled.buffer))
"""


def test_processes_that_start_together_compile_every_kernel_once_and_a_later_one_nothing(tmp_path: Path) -> None:
    def begin(folder: str) -> subprocess.Popen[bytes]:
        environment = {**os.environ, "ASTRAGAL_CACHE": str(tmp_path / folder)}
        return subprocess.Popen([sys.executable, "-c", COUNTED], env=environment, stdout=subprocess.PIPE)

    def compiled(process: subprocess.Popen[bytes]) -> int:
        return int(process.communicate()[0])

    alone = compiled(begin("alone"))
    assert alone > 0
    together = [begin("together"), begin("together")]
    assert sum(map(compiled, together)) == alone
    assert compiled(begin("together")) == 0


ENDING = """
import sys
import astragal
from astragal.core.compiled import cpu, kernel

@kernel
def added(number):
    return number + 1

sys.last_of_all = sys.modules["__main__"]  # so that the kernel outlives most modules
compiled = cpu(added)
assert compiled(3) == 4
if sys.argv[1] == "compiling":
    compiled._cache._wait_for_others()
"""


@pytest.mark.parametrize("when", ["ready", "compiling"])
def test_a_process_that_ends_says_nothing_of_its_kernels(when: str, tmp_path: Path) -> None:
    """Also if it ends while a thread of it still compiles, and holds the lock on the cache."""
    script = tmp_path / "ending.py"
    script.write_text(ENDING)
    environment = {**os.environ, "ASTRAGAL_CACHE": str(tmp_path / "cache")}
    for _ in range(2):  # the second time it comes from the cache
        command = [sys.executable, str(script), when]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")


# CUDA ------------------------------------------------------------------------------------------------------------

ON_DEVICE = """
import sys
import numpy as np
from numba import cuda
import astragal
from astragal.core import compiled
from astragal.core.fast import random_games

id, players, games = sys.argv[1], int(sys.argv[2]), 2
game = astragal.game(id)
options = game.rules.seated(list(game.rules.presets.values())[-1], [True] * players)
fast = game.fast(options, players)
start = fast.pack(game.rules.initial(options, players))
play = compiled.cuda(random_games, fast.source)

@cuda.jit
def launch(start, tables, seeds, plies, work, shares, lengths):
    play(start, tables, seeds, plies, work, shares, lengths)

shares, lengths = np.zeros((games, players)), np.zeros(games, dtype=np.int64)
seeds = np.arange(games, dtype=np.uint64)
with np.errstate(over="ignore"):
    launch[1, 1](start, fast.tables, seeds, 60, fast.work(start), shares, lengths)
mine, plies = np.zeros((games, players)), np.zeros(games, dtype=np.int64)
compiled.cpu(random_games, fast.source)(start, fast.tables, seeds, 60, fast.work(start), mine, plies)
assert (shares == mine).all() and (lengths == plies).all(), (shares, mine, lengths, plies)
values = np.zeros(len(game.heuristic.names))
features = compiled.cuda(fast.source.features)

@cuda.jit
def look(state, tables, seat, values):
    features(state, tables, seat, values)

look[1, 1](start, fast.tables, 0, values)
assert tuple(values) == fast.features(start, 0, len(values))
"""


@pytest.mark.parametrize(("id", "players"), [("ur", 2), ("ur-modern", 2), ("nile", 3), ("egar", 3)])
def test_the_same_kernels_run_in_the_simulator_of_cuda(id: str, players: int) -> None:
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    code = [sys.executable, "-c", ON_DEVICE, id, str(players)]
    done = subprocess.run(code, env=environment, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
