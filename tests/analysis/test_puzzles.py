"""Puzzles: those that come with the package, and how they are found, graded and handed out."""

from __future__ import annotations

import dataclasses
from collections import Counter
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

import astragal
from astragal.analysis import puzzles
from astragal.analysis.puzzle_maker import MARGIN, is_puzzle, puzzle_of, selected
from astragal.analysis.puzzle_sheet import answer, task
from astragal.analysis.puzzles import NoPuzzles
from astragal.bots.choice import Limit
from astragal.bots.ismcts import IsmctsBot
from astragal.bots.simple import GreedyBot
from astragal.core import puzzle as files
from astragal.core.levels import LEVELS
from astragal.core.puzzle import MASTER, BadPuzzles, Puzzle, PuzzleRules, PuzzleSet
from astragal.core.rules import Game
from astragal.games.ur.options import Options
from astragal.solve.job import Job
from astragal.solve.positions import Positions
from astragal.solve.table import Table
from tools import puzzles as tool
from tools.puzzle_search import SearchGames
from tools.puzzle_tables import TableGames

GAMES = [game for game in astragal.games().values() if game.puzzles is not None]
UR = astragal.game("ur")
GIVEN_AWAY = 2e-4  # values are stored with four digits


def ours() -> list[Any]:
    return [pytest.param(game, id=game.id) for game in GAMES]


@pytest.mark.parametrize("game", ours())
def test_there_are_enough_puzzles_of_every_difficulty_and_kind(game: Game) -> None:
    shipped = puzzles.set_of(game)
    assert len(shipped.puzzles) >= (200 if game.index is not None else 100)
    assert len({puzzle.id for puzzle in shipped.puzzles}) == len(shipped.puzzles)
    assert min(puzzles.difficulties(shipped.puzzles).values()) >= 10
    kinds = Counter(puzzle.kind for puzzle in shipped.puzzles)
    assert kinds.keys() <= puzzles.kinds_of(game).names.keys()
    assert len(kinds) >= 6
    assert max(kinds.values()) <= 0.4 * len(shipped.puzzles)


def test_egar_asks_for_everything_that_its_turns_decide() -> None:
    kinds = Counter(puzzle.kind for puzzle in puzzles.set_of(astragal.game("egar")).puzzles)
    assert min(kinds[kind] for kind in ("march", "strike", "level", "take")) >= 10


@pytest.mark.parametrize("game", ours())
def test_every_puzzle_has_one_best_action_that_greed_does_not_find(game: Game) -> None:
    rules, shipped = game.rules, puzzles.set_of(game)
    for puzzle in shipped.puzzles:
        state = puzzles.state_of(game, puzzle)
        assert rules.position(state) == puzzle.position
        assert files.id_of(puzzle.position, shipped.rules[puzzle.rules].options) == puzzle.id
        assert {rules.encode(action) for action in rules.legal(state)} == {action for action, _ in puzzle.values}
        values = [value for _, value in puzzle.values]
        assert values == sorted(values, reverse=True)
        assert values[0] - values[1] >= MARGIN - GIVEN_AWAY, puzzle
        assert puzzle.tempting != puzzle.best
        assert puzzle.value(puzzle.tempting) is not None
        best, tempting = (rules.decode(state, text) for text in (puzzle.best, puzzle.tempting))
        assert puzzles.kinds_of(game).kind(state, best, tempting) == puzzle.kind
        assert len(puzzle.fails) == len(LEVELS)
        assert all(0 <= share <= 1 for share in puzzle.fails)


@pytest.mark.parametrize("game", [game for game in ours() if game.values[0].rules.spec.hidden])
def test_a_search_with_other_luck_agrees_with_easy_puzzles(game: Game) -> None:
    bot = IsmctsBot(game, Limit(nodes=6000))
    easy = [puzzle for puzzle in puzzles.set_of(game).puzzles if puzzle.difficulty == "easy"]
    chosen = Random(4).sample(easy, min(4, len(easy)))
    found = []
    for puzzle in chosen:
        state = puzzles.state_of(game, puzzle)
        view = game.rules.observe(state, game.rules.turn(state))
        found.append(game.rules.encode(bot.choose(view, Random(99)).action) == puzzle.best)
    assert sum(found) >= len(found) - 1, [puzzle.id for puzzle in chosen]


# How they are made ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Job(UR, Options(pieces=3), tmp_path_factory.mktemp("tables")).run().file


def made(table: Path, games: int) -> list[Puzzle]:
    source = TableGames(UR, table)
    kinds = puzzles.kinds_of(UR)
    return [
        puzzle_of(UR, kinds, candidate, 0, source.plain, Random(seed))
        for seed in range(games)
        for candidate in source.candidates(seed, MARGIN)
    ]


def test_puzzles_of_a_solved_game_are_what_its_table_says(table: Path) -> None:
    found = made(table, 12)
    assert found
    assert found == made(table, 12)
    opened = Table(table)
    positions = Positions(UR, Options(pieces=3))
    for puzzle in found:
        state = UR.rules.from_position(puzzle.position, Options(pieces=3, begins=0), 2)
        seat = UR.rules.turn(state)
        for text, value in puzzle.values:
            after = UR.rules.apply(state, UR.rules.decode(state, text))
            exact = positions.worth(positions.fast.pack(after), seat, opened.value)
            assert value == pytest.approx(exact, abs=GIVEN_AWAY)
        greedy = GreedyBot(UR).choose(UR.rules.observe(state, seat), Random(1))
        assert UR.rules.encode(greedy.action) == puzzle.tempting


def test_a_search_by_the_network_finds_what_the_table_knows(table: Path) -> None:
    """So that `tools/puzzles.py check` can judge games without secrets too."""
    source = SearchGames(UR, Options(pieces=3, begins=0), 2)
    found = []
    for puzzle in made(table, 6)[:5]:
        state = UR.rules.from_position(puzzle.position, Options(pieces=3, begins=0), 2)
        found.append(source.still_best(state, UR.rules.decode(state, puzzle.best), 1))
        assert not source.still_best(state, UR.rules.decode(state, puzzle.tempting), 1)
    assert sum(found) >= len(found) - 1 > 0


def test_what_makes_a_puzzle() -> None:
    assert is_puzzle([0.5, 0.6, 0.3], 1, 0)
    assert not is_puzzle([0.5, 0.6, 0.3], 1, 1), "greed finds it"
    assert not is_puzzle([0.59, 0.6, 0.3], 1, 2), "two are as good"
    assert not is_puzzle([0.5, 0.6], 1, 0), "too few to choose from"
    assert not is_puzzle([0.90, 0.99, 0.3], 1, 0), "won anyway"


def puzzle(id: str, kind: str, gap: float, master: float) -> Puzzle:
    return Puzzle(
        id=id,
        rules=0,
        position="",
        kind=kind,
        values=(("a", 0.5), ("b", 0.5 - gap), ("c", 0.1)),
        tempting="b",
        fails=(1, 1, 1, master),
    )


def test_a_set_has_all_difficulties_and_kinds_in_turn_and_the_clearest_first() -> None:
    many = [puzzle(f"e{n}", "quiet", 0.1 + n / 100, 0) for n in range(9)]
    few = [puzzle("m", "block", 0.1, 0.3), puzzle("h1", "quiet", 0.1, 0.6), puzzle("h2", "block", 0.2, 1)]
    chosen = selected([*many, *few], 5)
    assert [one.difficulty for one in chosen].count("hard") == 2
    assert {one.id for one in chosen} == {"m", "h1", "h2", "e8", "e7"}
    assert len(selected(many, 100)) == 9


def test_what_is_kept_stays_and_what_is_rare_beside_it_is_added_first() -> None:
    kept = [puzzle(f"k{n}", "quiet", 0.1, 0) for n in range(4)]
    fresh = [puzzle("f1", "quiet", 0.3, 0), puzzle("f2", "block", 0.1, 0), puzzle("f3", "quiet", 0.1, 1), kept[0]]
    assert {one.id for one in selected(fresh, 6, kept)} == {"k0", "k1", "k2", "k3", "f2", "f3"}
    assert len(selected(fresh, 100, kept)) == 7
    assert {one.id for one in selected(fresh, 2, kept)} == {one.id for one in kept}


def test_a_file_is_read_as_it_was_written_and_refused_if_it_is_none(tmp_path: Path) -> None:
    shipped = puzzles.set_of(UR)
    file = tmp_path / "puzzles.json"
    files.write(file, shipped)
    assert files.read(file) == shipped
    file.write_text("{}")
    with pytest.raises(BadPuzzles, match="no file of puzzles"):
        files.read(file)
    with pytest.raises(BadPuzzles, match="cannot be read"):
        files.read(tmp_path / "none.json")
    rules = PuzzleRules(options={}, players=2, judge=shipped.rules[0].judge)
    files.write(file, PuzzleSet(format="astragal puzzles 9", game="ur", version=1, rules=(rules,), puzzles=()))
    with pytest.raises(BadPuzzles, match="newer"):
        files.read(file)


def test_sets_are_packed_together_and_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is packed beside kept puzzles leaves them as they are; a wrong answer is noticed and left out."""
    game = astragal.game("egar")
    shipped = puzzles.set_of(game)
    asking = [one for one in shipped.puzzles if one.kind == "level" and one.fails[MASTER] == 0][:2]
    wrong = msgspec.structs.replace(asking[0], values=asking[0].values[::-1])
    package, more = tmp_path / "puzzles.json", tmp_path / "more.json"
    files.write(package, msgspec.structs.replace(shipped, puzzles=tuple(asking[1:])))
    files.write(more, msgspec.structs.replace(shipped, puzzles=(wrong,)))
    kinds = dataclasses.replace(puzzles.kinds_of(game), file=package)
    monkeypatch.setattr(tool, "game_of", lambda _: dataclasses.replace(game, puzzles=kinds))

    def run(*words: str) -> PuzzleSet:
        monkeypatch.setattr("sys.argv", ["puzzles.py", *words])
        tool.main()
        return files.read(package)

    packed = run("pack", "egar", "--keep", "--count", "9", str(more))
    assert {one.id for one in packed.puzzles} == {one.id for one in asking}
    assert {shared.options["level"] for shared in packed.rules} == {"free"}
    assert len(packed.rules) <= len(packed.puzzles)
    for one in packed.puzzles:
        before = next(old for old in (*asking[1:], wrong) if old.id == one.id)
        assert packed.rules[one.rules] == shipped.rules[before.rules]
        assert one == msgspec.structs.replace(before, rules=one.rules)
    assert [one.id for one in run("check", "egar", "--drop").puzzles] == [asking[1].id]


# Handing them out ----------------------------------------------------------------------------------------------------


def test_every_day_has_its_puzzle_and_none_comes_twice_before_all_have_come() -> None:
    count, first = len(puzzles.set_of(UR).puzzles), date(2026, 11, 16)
    days = [puzzles.of_the_day(UR, first + timedelta(days=n)).id for n in range(count + 1)]
    assert len(set(days)) == count
    assert days[0] == days[-1]


def test_the_trainer_gives_what_was_not_seen_yet() -> None:
    easy = [one.id for one in puzzles.set_of(UR).puzzles if one.difficulty == "easy"]
    last = puzzles.next_of(UR, "easy", easy[:-1], start=17)
    assert last.id == easy[-1]
    assert puzzles.next_of(UR, "easy", easy, start=3).id in easy
    with pytest.raises(NoPuzzles):
        puzzles.named(UR, "nothing")


def test_a_try_is_graded_by_the_points_it_loses() -> None:
    one = puzzle("x", "quiet", 0.05, 0)
    assert puzzles.grade(one, "a").grade == "solved"
    graded = puzzles.grade(one, "b")
    assert graded.grade == "mistake"
    assert graded.loss == pytest.approx(0.05)
    assert puzzles.grade(one, "c").grade == "blunder"
    assert puzzles.grade(puzzle("x", "quiet", 0.03, 0), "b").grade == "near"
    with pytest.raises(NoPuzzles):
        puzzles.grade(one, "d")


@pytest.mark.parametrize("game", ours())
@pytest.mark.parametrize("lang", ["en", "de", "es"])
def test_a_task_hides_the_answer_and_the_answer_explains_it(game: Game, lang: str) -> None:
    one = puzzles.set_of(game).puzzles[0]
    put = task(game, one, lang)
    assert put.view == game.rules.observe(puzzles.state_of(game, one), put.seat)
    assert {action.text for action in put.actions} == {text for text, _ in one.values}
    given = answer(game, one, one.tempting, lang)
    assert given.grade != "solved"
    assert given.loss > 0
    assert given.values[0].label in given.sentences[1]
    assert answer(game, one, one.best, lang).grade == "solved"


def test_a_task_names_the_rules_that_are_not_the_usual_ones() -> None:
    assert task(UR, puzzles.set_of(UR).puzzles[0], "en").rules == ()
    game = astragal.game("egar")
    told = task(game, puzzles.set_of(game).puzzles[0], "de").rules
    assert any("/" in rule and "%" not in rule for rule in told), (
        "how well the seats answer is needed to choose a level"
    )


def test_a_plan_can_be_looked_at_without_seeing_what_is_hidden() -> None:
    game = astragal.game("nile")
    one = next(one for one in puzzles.set_of(game).puzzles if one.best != "stop")
    view = puzzles.foresee(game, one, [one.best])
    assert view.laid >= 1
    stopped = next((one for one in puzzles.set_of(game).puzzles if one.best == "stop"), None)
    if stopped is not None:
        with pytest.raises(NoPuzzles, match="foresee"):
            puzzles.foresee(game, stopped, ["stop", "stop"])
