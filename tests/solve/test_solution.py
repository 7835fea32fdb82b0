"""Values against independent ways to them, and what becomes of a solution on disk."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

import astragal
from astragal.bots.perfect import PerfectBot
from astragal.core.compiled import cpu
from astragal.core.solvable import Waves
from astragal.core.types import OVER
from astragal.games.ur.options import PRESETS, Options
from astragal.games.ur_modern.index import UrModernIndex
from astragal.solve import job as job_module
from astragal.solve import shelf
from astragal.solve.iterate import Progress, Solution
from astragal.solve.job import Job, needs, usual_precision
from astragal.solve.kernels_sweep import ONE
from astragal.solve.machine import Cores
from astragal.solve.positions import NotSolvable, first_rank
from astragal.solve.table import BadTable, Table, TableHeader, name_of, solved_options, write
from tests.games.ur.test_truth import best_play, explore, turned, whole
from tests.solve.test_index import SMALL_BOARD

UR = astragal.game("ur")
ROOT = Path(__file__).parents[2]


def solved(options: Options, precision: float = 1e-6) -> tuple[Solution, Any]:
    assert UR.index is not None
    index = UR.index(options)
    solution = Solution(index, Cores(index, 2), precision)
    for _ in solution.run():
        pass
    return solution, index


def rank_of(state: Any, index: Any, options: Options) -> int:
    assert UR.fast is not None
    fast = UR.fast(options, 2)
    return int(cpu(index.kernels.rank)(fast.pack(state), fast.tables, index.arrays))


@pytest.mark.parametrize("pieces", [1, 2])
def test_every_value_lies_between_its_bounds_and_they_meet(pieces: int) -> None:
    """Against value iteration over the readable rules, to twelve digits."""
    graph, won, start = whole(pieces)
    exact = best_play(graph, won)
    solution, index = solved(start.options)
    assert len(exact) == index.size
    for state, value in exact.items():
        rank = rank_of(state, index, start.options)
        low, middle, high = (array[rank] / ONE for array in (solution.lower, solution.values, solution.upper))
        assert low - 1e-11 <= value <= high + 1e-11
        assert high - low <= 1e-6
        assert abs(middle - value) <= 5e-7


@pytest.mark.parametrize(
    ("pieces", "value"), [(1, 0.53004983952), (2, 0.51857290750), (3, 0.51620110224)]
)  # what others have published
def test_the_first_player_of_the_classic_game(pieces: int, value: float) -> None:
    options = Options(pieces=pieces)
    solution, index = solved(options, 1e-7)
    assert abs(solution.values[first_rank(UR, options, index)] / ONE - value) < 5e-8


@pytest.mark.parametrize("options", [Options(pieces=1), Options(pieces=1, path=SMALL_BOARD), Options(
    pieces=1, path="masters", dice="three", safe_rosettes=False)])  # fmt: skip
def test_a_game_without_choices_is_a_system_of_linear_equations(options: Options) -> None:
    """With one piece each there is nothing to decide."""
    start = UR.rules.initial(replace(options, begins=0), 2)
    graph, won = explore(start)
    number = {state: k for k, state in enumerate(graph)}
    matrix, right = np.eye(len(graph)), np.zeros(len(graph))
    for state, throws in graph.items():
        total = sum(weight for weight, _ in throws)
        for weight, changes in throws:
            (change,) = changes
            share = weight / total
            if change.to in won:
                right[number[state]] += share
            elif change.stays:
                matrix[number[state], number[change.to]] -= share
            else:
                matrix[number[state], number[change.to]] += share
                right[number[state]] += share
    exact = np.linalg.solve(matrix, right)
    solution, index = solved(options)
    for state, k in number.items():
        assert abs(solution.values[rank_of(state, index, options)] / ONE - exact[k]) <= 5e-7


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_can_be_solved(preset: str) -> None:
    options = replace(PRESETS[preset], pieces=2)
    solution, _ = solved(options)
    assert max(proof.gap for proof in solution.proofs) <= 1e-6


def test_one_core_and_two_give_the_same_values_to_the_last_bit() -> None:
    assert UR.index is not None
    index = UR.index(Options(pieces=3))
    values = []
    for cores in (1, 2):
        solution = Solution(index, Cores(index, cores), 1e-3)
        for _ in solution.run():
            pass
        values.append(solution.values.copy())
    assert (values[0] == values[1]).all()


def test_the_modern_game_between_its_bounds() -> None:
    """Bounds close in from both sides with every sweep, and never pass each other."""
    game = astragal.game("ur-modern")
    assert game.index is not None
    index = game.index(game.rules.options_type(pieces=4))
    assert not index.ends
    machine = Cores(index, 2)
    codes, lengths, _ = index.waves(index.blocks[0])
    some = slice(None, None, 40)  # all of them would take minutes
    machine.load(Waves(codes[some], lengths[some], np.array([10, len(codes[some])])))
    lower, upper = machine.array(0), machine.array(ONE)
    for _ in range(2):
        assert machine.sweep(lower, upper, lower, 0).below == 0
        assert machine.sweep(upper, lower, upper, 15).above == 0
        assert (lower <= upper).all()


class Killed(Exception):
    pass


def test_a_solution_that_was_broken_off_ends_as_one_that_was_not(tmp_path: Path) -> None:
    whole_file = Job(UR, Options(pieces=2), tmp_path / "whole", precision=1e-5).run().file.read_bytes()

    for block in (1, 2, 3):

        def stop(progress: Progress, block: int = block) -> None:
            if progress.number == block and progress.sweeps == 3:
                raise Killed

        broken = Job(UR, Options(pieces=2), tmp_path / str(block), precision=1e-5)
        with pytest.raises(Killed):
            broken.run(stop)
        assert not broken.file.exists()
        assert broken.begun() == block - 1
        assert broken.run().file.read_bytes() == whole_file
        assert [file.name for file in (tmp_path / str(block)).iterdir()] == [broken.file.name]


def test_a_solution_that_is_killed_goes_on(tmp_path: Path) -> None:
    """SIGKILL while a real process writes, as soon as its first block is noted."""
    code = (
        "import sys, astragal\nfrom pathlib import Path\nfrom astragal.solve.job import Job\n"
        "game = astragal.game('ur')\n"
        "Job(game, game.rules.options_type(pieces=3), Path(sys.argv[1]), precision=1e-3).run()"
    )
    child = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)])
    notes = tmp_path / Path(name_of(UR, Options(pieces=3))).with_suffix(".solving") / "done.json"
    until = time.monotonic() + 120
    while not notes.exists() and time.monotonic() < until:
        time.sleep(0.01)
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    job = Job(UR, Options(pieces=3), tmp_path, precision=1e-3)
    assert not job.file.exists()
    assert 1 <= job.begun() <= 6
    whole_file = Job(UR, Options(pieces=3), tmp_path / "whole", precision=1e-3).run().file
    assert job.run().file.read_bytes() == whole_file.read_bytes()


def test_another_precision_begins_anew(tmp_path: Path) -> None:
    def stop(progress: Progress) -> None:
        if progress.number == 2:
            raise Killed

    job = Job(UR, Options(pieces=2), tmp_path, precision=1e-3)
    with pytest.raises(Killed):
        job.run(stop)
    assert Job(UR, Options(pieces=2), tmp_path, precision=1e-3).begun() == 1
    assert Job(UR, Options(pieces=2), tmp_path, precision=1e-4).begun() == 0


@pytest.mark.parametrize("bits", [8, 16])
def test_a_table_holds_the_values_and_notices_a_flipped_byte(bits: Any, tmp_path: Path) -> None:
    options = Options(pieces=2)
    made = Job(UR, options, tmp_path, bits=bits).run()
    solution, index = solved(options)
    for rank in range(0, index.size, 97):
        assert abs(made.value(rank) - solution.values[rank] / ONE) <= 0.5 / (2**bits - 1) + 1e-6
    assert made.intact()
    assert made.header.bounds is not None
    assert made.header.bounds[0] <= 0.51857290750 <= made.header.bounds[1]
    content = bytearray(made.file.read_bytes())
    content[5000] ^= 1
    made.file.write_bytes(content)
    assert not Table(made.file).intact()
    made.file.write_bytes(content[:-1])
    with pytest.raises(BadTable, match="damaged"):
        Table(made.file)
    made.file.write_bytes(b"something else")
    with pytest.raises(BadTable, match="not a table"):
        Table(made.file)


def test_a_table_of_something_else_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Job(UR, Options(pieces=1), tmp_path).run()
    made.check_for(UR, Options(pieces=1, begins=1))
    with pytest.raises(BadTable, match="another pieces"):
        made.check_for(UR, Options(pieces=2))
    with pytest.raises(BadTable, match="for ur, version"):
        made.check_for(astragal.game("ur-modern"), astragal.game("ur-modern").rules.options_type())
    monkeypatch.setenv("ASTRAGAL_TABLES", str(tmp_path))
    assert shelf.find(UR, Options(pieces=1)) is not None
    assert shelf.find(UR, Options(pieces=2)) is None
    made.file.rename(tmp_path / name_of(UR, Options(pieces=2)))
    assert shelf.find(UR, Options(pieces=2)) is None  # it says itself that it is another one


def test_what_cannot_be_solved_says_so(tmp_path: Path) -> None:
    nile = astragal.game("nile")
    with pytest.raises(NotSolvable, match="nile"):
        Job(nile, nile.rules.options_type(), tmp_path)


def test_what_a_solution_takes_is_known_before() -> None:
    assert UR.index is not None
    wanted = needs(UR.index(Options()), 8)
    assert 1.6e9 < wanted.memory < 4e9
    assert wanted.disk < 1.3e9


def test_the_perfect_bot_gives_nothing_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In every position it meets, its choice is worth what the best move is worth by the readable rules."""
    monkeypatch.setenv("ASTRAGAL_TABLES", str(tmp_path))
    Job(UR, Options(pieces=2), tmp_path).run()
    graph, won, start = whole(2)
    exact = best_play(graph, won)
    bot, rng, rules = PerfectBot(UR), Random(5), UR.rules
    decisions = 0
    for _ in range(20):
        state = start
        while rules.turn(state) != OVER:
            seat = rules.turn(state)
            if seat < 0:
                outcomes = rules.chance(state)
                state = rules.apply(state, rng.choices([o for o, _ in outcomes], [w for _, w in outcomes])[0])
                continue

            def worth(action: Any, state: Any = state, seat: int = seat) -> float:
                after = rules.apply(state, action)
                if rules.turn(after) == OVER:
                    return float(after.winner == seat)
                value = exact[turned(after)]
                return value if after.seat == seat else 1 - value

            choice = bot.choose(rules.observe(state, seat), rng)
            best = max(worth(action) for action in rules.legal(state))
            assert worth(choice.action) >= best - 4e-5  # sixteen bits
            assert choice.value is not None
            assert abs(choice.value - best) <= 4e-5
            decisions += 1
            state = rules.apply(state, choice.action)
    assert decisions > 200


@pytest.mark.parametrize(("precision", "different"), [(4e-5, True), (1e-9, False)])
def test_where_games_need_not_end_actions_are_equal_that_differ_by_less_than_values_are_known(
    precision: float, different: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever is ahead would else wait for ever, if waiting seems better by what is not known."""
    monkeypatch.setenv("ASTRAGAL_TABLES", str(tmp_path))
    modern = astragal.game("ur-modern")
    options = modern.rules.options_type(pieces=4, layout="royal", begins=0)
    assert modern.index is not None
    size = modern.index(options).size
    steps = np.random.default_rng(1).integers(0, 3, size, dtype=np.uint32)  # of sixteen bits
    values = ONE // 2 + steps * (ONE >> 16)
    header = TableHeader(
        game=modern.id, version=modern.rules.spec.version, options=solved_options(options), positions=size, bits=16,
        precision=precision, convention="half", value=0.5, checksum="",
    )  # fmt: skip
    write(tmp_path / name_of(modern, options), lambda checksum: replace(header, checksum=checksum), iter([values]), 16)
    rules = modern.rules
    state = next(
        after
        for outcome, _ in rules.chance(rules.initial(options, 2))
        if len(rules.legal(after := rules.apply(rules.initial(options, 2), outcome))) > 1
    )
    bot, view = PerfectBot(modern), rules.observe(state, rules.turn(state))
    worth = dict(bot.choose(view, Random(0)).alternatives)
    assert len(set(worth.values())) > 1
    taken = {bot.choose(view, Random(seed)).action for seed in range(50)}
    assert (len({worth[action] for action in taken}) > 1) == different


def test_a_gpu_gives_the_same_values_as_cores() -> None:
    """In Numba's simulator, on a board small enough for it."""
    code = """
import sys
import numpy as np
import astragal
from astragal.solve.gpu import Gpu
from astragal.solve.iterate import Solution
from tests.solve.test_index import SMALL_BOARD
game = astragal.game("ur")
index = game.index(game.rules.options_type(pieces=1, path=SMALL_BOARD))
solution = Solution(index, Gpu(index), 1e-2)
for _ in solution.run():
    pass
print(solution.machine.get(solution.values, 0, index.size).tolist())
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    solution, _ = solved(Options(pieces=1, path=SMALL_BOARD), 1e-2)
    assert done.stdout.strip() == str(solution.values.tolist())


def test_a_precision_that_rounding_forbids_ends_and_says_how_far_the_bounds_are_apart(tmp_path: Path) -> None:
    asked = 1e-9  # two steps of the values' 2**31
    made = Job(UR, Options(pieces=1), tmp_path, precision=asked).run()
    assert asked < made.header.precision < 1e-7
    assert made.header.bounds is not None
    low, high = made.header.bounds
    assert low < 0.53004983952 < high  # the published value
    assert high - low <= made.header.precision


def test_bounds_of_a_game_that_need_not_end_are_worked_out_only_on_request() -> None:
    """With two pieces nobody can win, so that only the bounds know that unfinished games could count otherwise."""
    game = astragal.game("ur-modern")
    assert game.index is not None
    index = game.index(game.rules.options_type(pieces=2, layout="royal"))
    for bounds in (False, True):
        solution = Solution(index, Cores(index, 2), usual_precision(index), bounds=bounds)
        list(solution.run())
        kept = [array[0] / ONE for array in (solution.lower, solution.values, solution.upper) if array is not None]
        assert kept == ([0.0, 0.5, 1.0] if bounds else [0.5])
        assert needs(index, 16, bounds=bounds).memory > (3 if bounds else 1) * 8 * index.size


def test_a_block_broken_off_in_the_middle_goes_on_where_its_values_were_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All positions of the modern game are one block; the values of a whole run come out, bit for bit."""
    game = astragal.game("ur-modern")
    options = game.rules.options_type(pieces=4, layout="royal")
    monkeypatch.setattr(job_module, "EVERY", 0.0)
    monkeypatch.setattr(UrModernIndex, "waves", fewer_waves(UrModernIndex.waves))
    whole = Job(game, options, tmp_path / "whole", precision=3e-2)
    sweeps: list[int] = []
    whole_file = whole.run(lambda progress: sweeps.append(progress.sweeps)).file
    assert sweeps == list(range(1, len(sweeps) + 1))
    assert len(sweeps) > 3

    def kill(progress: Progress) -> None:
        if progress.sweeps == len(sweeps) - 1:
            raise Killed

    broken = Job(game, options, tmp_path / "broken", precision=3e-2)
    with pytest.raises(Killed):
        broken.run(kill)
    rest: list[int] = []
    resumed = broken.run(lambda progress: rest.append(progress.sweeps))
    assert rest == sweeps[-2:]  # the sweep that was broken off is made again
    assert resumed.file.read_bytes() == whole_file.read_bytes()
    assert not list((tmp_path / "broken").glob("*.solving"))


def fewer_waves(waves: Any) -> Any:
    """Only some of the positions are worked out, since all of them would take minutes."""

    def some(index: Any, block: Any) -> Waves:
        codes, lengths, _ = waves(index, block)
        kept = slice(None, None, 25)
        return Waves(codes[kept], lengths[kept], np.array([10, len(codes[kept])]))

    return some
