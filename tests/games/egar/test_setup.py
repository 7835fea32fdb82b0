"""Armies, boards and who begins."""

from __future__ import annotations

from pathlib import Path

import pytest

from astragal.core.types import BadFile, BadOptions, IllegalAction
from astragal.games.egar.board import Board, ground
from astragal.games.egar.options import PRESETS, Army, Options
from tests.games.egar.table import RULES, TOY, outcomes, play, position, soldiers


@pytest.mark.rule("EG-1")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_eight_soldiers_and_an_army_each(players: int) -> None:
    s = RULES.initial(Options(), players)
    assert [len(army) for army in s.armies] == [8] * players
    assert [s.options.army(seat) for seat in range(players)] == ["military", "samurai", "native", "egyptian"][:players]


@pytest.mark.rule("EG-1")
def test_armies_can_be_chosen_but_only_once_each() -> None:
    s = RULES.initial(Options(colours=("egyptian", "military")), 2)
    assert RULES.observe(s, 0).army(0) == "egyptian"
    bad: tuple[tuple[Army, ...], ...] = (("egyptian", "egyptian"), ("egyptian",))
    for colours in bad:
        with pytest.raises(BadOptions) as error:
            RULES.initial(Options(colours=colours), 2)
        assert error.value.field == "colours"


@pytest.mark.rule("EG-1")
@pytest.mark.parametrize("players", [1, 5])
def test_not_for_other_numbers(players: int) -> None:
    with pytest.raises(BadOptions):
        RULES.initial(Options(), players)


FLAGS = {
    ("standard", 2): ["B2", "L12"],
    ("standard", 3): ["F2", "L8", "B10"],
    ("standard", 4): ["B2", "L2", "L12", "B12"],
    ("quick", 2): ["B2", "J10"],
    ("quick", 3): ["E2", "J7", "B9"],
    ("quick", 4): ["B2", "J2", "J10", "B10"],
}


@pytest.mark.rule("EG-2")
@pytest.mark.parametrize(("board", "players"), FLAGS)
def test_flags_stand_in_the_middle_of_camps(board: str, players: int) -> None:
    s = RULES.initial(Options(board=board), players)  # type: ignore[arg-type]
    view = RULES.observe(s, None)
    assert list(view.flags) == FLAGS[board, players]
    for flag, army in zip(view.flags, view.armies, strict=True):
        column, row = "ABCDEFGHIJKLM".index(flag[0]), int(flag[1:])
        around = {f"{'ABCDEFGHIJKLM'[c]}{r}" for c in range(column - 1, column + 2) for r in range(row - 1, row + 2)}
        assert set(army) == around - {flag}


@pytest.mark.rule("EG-2")
@pytest.mark.parametrize("board", ["standard", "quick"])
def test_three_flags_are_equally_far(board: str) -> None:
    here = ground(board)
    one, two, three = here.flags[3]
    assert here.far[one][two] == here.far[two][three] == here.far[one][three]


@pytest.mark.rule("EG-2")
@pytest.mark.parametrize(
    ("board", "players", "reach"), [("standard", 2, False), ("standard", 4, False), ("quick", 4, True)]
)
def test_first_turn_attacks(board: str, players: int, reach: bool) -> None:
    """A soldier needs to come beside an enemy: one step less than their distance, and a die has six."""
    here = ground(board)
    first, *others = here.camps[players]
    nearest = min(here.far[own][enemy] for own in first for army in others for enemy in army)
    assert (nearest - 1 <= 6) is reach


@pytest.mark.rule("EG-2")
def test_presets() -> None:
    assert list(PRESETS) == ["standard", "quick"]
    assert PRESETS["standard"] == Options()
    assert PRESETS["quick"].board == "quick"


@pytest.mark.rule("EG-3")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_lots_give_every_seat_the_same_chance(players: int) -> None:
    s = RULES.initial(Options(), players)
    assert outcomes(s) == {f"begins-{seat + 1}": 1 for seat in range(players)}
    assert play(s, "begins-2").mover == 1


@pytest.mark.rule("EG-3")
def test_a_seat_can_be_named() -> None:
    s = RULES.initial(Options(begins=2), 3)
    assert (s.phase, s.mover) == ("roll", 2)
    with pytest.raises(BadOptions):
        RULES.initial(Options(begins=2), 2)
    with pytest.raises(IllegalAction) as error:
        play(s, "begins-1")
    assert error.value.rule == "EG-3"


@pytest.mark.rule("EG-3")
def test_turns_go_to_the_right_past_those_who_left() -> None:
    """Flags in the order of seats run counter-clockwise: their area by the shoelace formula is positive."""
    here = ground("standard")
    for players in (3, 4):
        spots = [("ABCDEFGHIJKLM".index(n[0]), int(n[1:])) for n in (here.names[f] for f in here.flags[players])]
        pairs = zip(spots, spots[1:] + spots[:1], strict=True)
        assert sum(x * v - u * y for (x, y), (u, v) in pairs) > 0
    s = play(position("B4", "", "L10", "B10", phase="attack"), "done", "card-1", "order-1234", "A")
    assert s.mover == 2


def test_a_board_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "toy.toml"
    file.write_text('name = "toy"\ncolumns = 3\nrows = 3\ncamp = ["Fs"]\ntwo = ["A1", "B3"]\n')
    assert Board.load(file) == TOY
    s = RULES.initial(Options(board=TOY, begins=0), 2)
    assert (soldiers(s, 0), soldiers(s, 1)) == ({"B1"}, {"C3"})
    with pytest.raises(BadOptions) as error:
        RULES.initial(Options(board=TOY), 3)
    assert error.value.field == "board"


BAD_BOARDS = {
    'camp = ["FF"]': "one F",
    'camp = ["Fx"]': "one F",
    'camp = ["F"]': "1 to 8 soldiers",
    'two = ["A1"]': "as many flags",
    'two = ["A1", "Z9"]': "'Z9' is not a square",
    'two = ["A1", "A99"]': "'A99' is not a square",
    'two = ["A1", "C3"]': "C3 reaches over the edge",
    'two = ["A1", "B1"]': "share the square B1",
    "two = []": "no number of players",
    "columns = 99": "at most 13 is allowed",
    "rows = 1": "at least 2 is needed",
    "colour = 3": "colour",
}


@pytest.mark.parametrize(("line", "reason"), BAD_BOARDS.items())
def test_a_bad_board_is_refused_with_line_and_reason(tmp_path: Path, line: str, reason: str) -> None:
    good = {"name": '"toy"', "columns": "3", "rows": "3", "camp": '["Fs"]', "two": '["A1", "B3"]'}
    key, _, value = line.partition(" = ")
    lines = [f"{name} = {text}" for name, text in (good | {key: value}).items()]
    file = tmp_path / "bad.toml"
    file.write_text("\n".join(lines))
    with pytest.raises(BadFile) as error:
        Board.load(file)
    assert str(file) in str(error.value)
    assert reason in str(error.value)
    if key in good:
        assert error.value.line == list(good).index(key) + 1


@pytest.mark.parametrize(
    ("options", "field"),
    [
        (Options(answer_seconds=5), "answer_seconds"),
        (Options(skill=("own", "own", "own")), "skill"),
        (Options(begins=3), "begins"),
    ],
)
def test_options_that_cannot_be_played(options: Options, field: str) -> None:
    with pytest.raises(BadOptions) as error:
        RULES.initial(options, 2)
    assert error.value.field == field
