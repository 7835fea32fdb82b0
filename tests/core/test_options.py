"""Options as clients meet them: read from a game's own type, offered, typed, and combined."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Annotated, Any, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta, Struct

import astragal
from astragal.core.options import Field, build, convert, fields, pairwise
from astragal.core.types import AstragalError, BadFile, BadOptions, Begins, check_begins, check_players
from astragal.games.ur.board import Board
from astragal.games.ur.options import Options
from tests.core import toy

UR = astragal.rules("ur")
BY_NAME = {field.name: field for field in fields(UR)}


def test_fields_follow_the_options_type() -> None:
    assert list(BY_NAME) == [
        "pieces",
        "path",
        "dice",
        "safe_rosettes",
        "rosette_throws",
        "capture_throws",
        "begins",
    ]
    pieces, path, begins = BY_NAME["pieces"], BY_NAME["path"], BY_NAME["begins"]
    assert (pieces.default, pieces.low, pieces.high, pieces.words) == (7, 1, 7, ())
    assert (path.default, path.words, path.file_type, path.low) == ("bell", ("bell", "masters", "aseb"), Board, None)
    assert (begins.default, begins.words, begins.low, begins.high) == ("lots", ("lots",), 0, 1)
    assert BY_NAME["safe_rosettes"].default is True
    assert all(field.help for field in BY_NAME.values())


def test_flags_are_as_typed() -> None:
    assert [field.flag for field in BY_NAME.values()][:4] == ["--pieces", "--path", "--dice", "--safe-rosettes"]


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("pieces", "1-7"),
        ("path", "bell|masters|aseb|FILE"),
        ("dice", "four|three"),
        ("safe_rosettes", "on|off"),
        ("begins", "lots|1-2"),  # people count seats from 1
    ],
)
def test_shapes_say_what_may_be_written(name: str, shape: str) -> None:
    assert BY_NAME[name].shape == shape


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("pieces", "1", 1),
        ("pieces", "7", 7),
        ("path", "masters", "masters"),
        ("dice", "three", "three"),
        ("safe_rosettes", "on", True),
        ("safe_rosettes", "yes", True),
        ("safe_rosettes", "TRUE", True),
        ("safe_rosettes", "off", False),
        ("safe_rosettes", "No", False),
        ("safe_rosettes", "false", False),
        ("begins", "lots", "lots"),
        ("begins", "1", 0),
        ("begins", "2", 1),
    ],
)
def test_what_people_write_is_read(name: str, text: str, value: Any) -> None:
    read = BY_NAME[name].read(text)
    assert read == value
    assert type(read) is type(value)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pieces", "0"),
        ("pieces", "8"),
        ("pieces", "-1"),
        ("pieces", "--3"),
        ("pieces", "-"),
        ("pieces", ""),
        ("pieces", "seven"),
        ("pieces", "1.5"),
        ("pieces", "9" * 5000),
        ("pieces", "²"),
        ("path", "lanes"),
        ("path", ""),
        ("dice", "4"),
        ("safe_rosettes", "1"),
        ("safe_rosettes", ""),
        ("begins", "0"),
        ("begins", "3"),
        ("begins", "-1"),
        ("begins", "light"),
    ],
)
def test_what_is_no_value_is_refused_with_what_would_be_right(name: str, text: str) -> None:
    with pytest.raises(BadOptions) as caught:
        BY_NAME[name].read(text)
    assert caught.value.field == name
    right = "lots|1-2" if name == "begins" else BY_NAME[name].shape
    assert right in str(caught.value)


@given(st.sampled_from(sorted(BY_NAME)), st.text(max_size=12))
def test_any_text_gives_a_value_of_the_game_or_an_error(name: str, text: str) -> None:
    try:
        value = BY_NAME[name].read(text)
    except (BadOptions, BadFile):
        return
    convert(UR, {name: value})


def test_a_file_is_loaded_and_its_faults_are_its_own(tmp_path: Path) -> None:
    file = tmp_path / "board.toml"
    file.write_text('name = "x"\nrosettes = []\nlight = "a1 b1 b2 b3"\ndark = "c1 b1 b2 b3"\n')
    assert BY_NAME["path"].read(str(file)) == Board("x", (), "a1 b1 b2 b3", "c1 b1 b2 b3")
    with pytest.raises(BadFile):
        BY_NAME["path"].read(str(tmp_path / "missing.toml"))


def test_samples_stand_for_all_values() -> None:
    assert set(BY_NAME["pieces"].samples()) == {1, 7}
    assert set(BY_NAME["path"].samples()) == {"bell", "masters", "aseb"}
    assert BY_NAME["safe_rosettes"].samples() == (False, True)
    assert set(BY_NAME["begins"].samples()) == {"lots", 0, 1}
    assert Field(name="x", default=3, low=1, high=5).samples() == (3, 1, 5)


# Building -----------------------------------------------------------------------------------------------------


def test_the_first_preset_is_the_default() -> None:
    assert build(UR) == Options()
    assert build(toy.RULES) == toy.Options(cards=3)
    assert build(toy.RULES, "large") == toy.Options(cards=5)


def test_what_is_given_overrides_the_preset() -> None:
    assert build(UR, "blitz", {"pieces": 2}) == Options(
        path="masters", pieces=2, safe_rosettes=False, capture_throws=True
    )
    assert build(toy.RULES, "large", {"begins": 1}) == toy.Options(cards=5, begins=1)


def test_a_whole_board_can_be_given() -> None:
    board = Board("x", (), "a1 b1 b2 b3", "c1 b1 b2 b3")
    assert build(UR, None, {"path": board}).path == board


def test_an_unknown_preset_is_refused_with_the_known_ones() -> None:
    with pytest.raises(BadOptions, match="finkel, blitz, masters, aseb") as caught:
        build(UR, "fischer")
    assert caught.value.field == "preset"


def test_an_unknown_option_is_refused_with_the_known_ones_in_their_order() -> None:
    with pytest.raises(BadOptions) as caught:
        build(UR, None, {"piece": 5})
    assert caught.value.field == "piece"
    assert "pieces, path, dice, safe_rosettes, rosette_throws, capture_throws, begins" in str(caught.value)


@pytest.mark.parametrize(
    ("raw", "field"),
    [
        ({"pieces": 8}, "pieces"),
        ({"pieces": "7"}, "pieces"),
        ({"path": {"name": "x"}}, "path"),
        ({"path": {"name": "x", "rosettes": [1], "light": "", "dark": ""}}, "path"),
        ({"path": {"name": "x", "rosettes": [], "light": "a1 a1", "dark": ""}}, "path"),
        ({"colour": 1}, "colour"),
        ({"begins": 1.5}, "begins"),
    ],
)
def test_plain_data_is_checked(raw: dict[str, Any], field: str) -> None:
    with pytest.raises(BadOptions) as caught:
        convert(UR, raw)
    assert caught.value.field == field
    for lang in ("en", "de", "es"):
        assert field in caught.value.to(lang)


@given(st.dictionaries(st.sampled_from([*BY_NAME, "x"]), st.none() | st.integers() | st.text() | st.booleans()))
def test_any_plain_data_gives_options_or_an_error(raw: dict[str, Any]) -> None:
    try:
        chosen = convert(UR, raw)
    except BadOptions:
        return
    assert isinstance(chosen, Options)


# Pairs --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [UR, toy.RULES], ids=["ur", "toy"])
@pytest.mark.parametrize("seed", range(5))
def test_every_two_values_of_two_options_meet(rules: Any, seed: int) -> None:
    rows = [msgspec.structs.asdict(chosen) for chosen in pairwise(rules, Random(seed))]
    for one, other in combinations(fields(rules), 2):
        met = {(row[one.name], row[other.name]) for row in rows}
        assert met >= {(a, b) for a in one.samples() for b in other.samples()}
    assert rows[0] == msgspec.structs.asdict(rules.options_type())


def test_pairs_take_far_fewer_games_than_all_combinations() -> None:
    everything = 1
    for field in fields(UR):
        everything *= len(field.samples())
    assert len(list(pairwise(UR, Random(0)))) < 20 < everything == 288


def test_pairs_of_the_same_seed_are_the_same_in_every_process() -> None:
    """Python shuffles its sets anew in every process; a finding of `conform` must not depend on that."""
    script = (
        "import astragal, random\nfrom astragal.core.options import pairwise\n"
        "print(list(pairwise(astragal.rules('ur'), random.Random(3))))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", script],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


class OneOption(Struct, frozen=True):
    size: Literal["small", "large"] = "small"


class NoOption(Struct, frozen=True):
    pass


class Few(toy.ToyRules):
    """Only its options type matters here."""


def with_options(kind: Any) -> Any:
    rules: Any = Few()
    rules.options_type = kind
    return rules


def test_pairs_of_one_option_or_none() -> None:
    assert set(pairwise(with_options(OneOption), Random(0))) == {OneOption("small"), OneOption("large")}
    assert list(pairwise(with_options(NoOption), Random(0))) == [NoOption()]


class Odd(Struct, frozen=True):
    number: Annotated[int, Meta(ge=2, le=4, description="how many")] | Literal["all"] = "all"
    named: Annotated[Literal["x"] | Board, Meta(description="what")] = "x"


def test_a_field_may_be_a_number_or_a_word() -> None:
    number, named = fields(with_options(Odd))
    assert (number.shape, number.help) == ("all|2-4", "how many")
    assert (number.read("all"), number.read("3")) == ("all", 3)
    assert (named.shape, named.file_type) == ("x|FILE", Board)


# Seats and players --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("begins", ["lots", 0, 1])
def test_a_seat_of_the_table_or_lots_may_begin(begins: Begins) -> None:
    check_begins(begins, 2)


@pytest.mark.parametrize(("begins", "seat"), [(2, "3"), (-1, "0"), (9, "10")])
def test_a_seat_that_is_not_there_cannot_begin(begins: int, seat: str) -> None:
    with pytest.raises(BadOptions, match=f"no seat {seat} at a table of 2") as caught:
        check_begins(begins, 2)
    assert caught.value.field == "begins"


def test_a_number_of_players_the_game_is_not_for() -> None:
    check_players(UR.spec, 2)
    with pytest.raises(BadOptions, match="ur is for 2 players, not 5"):
        check_players(UR.spec, 5)


def test_every_game_has_the_option_begins() -> None:
    for game in astragal.games().values():
        (begins,) = (field for field in fields(game.rules) if field.name == "begins")
        assert "lots" in begins.words
        assert begins.high == max(game.rules.spec.players) - 1


def test_errors_are_of_one_family() -> None:
    assert issubclass(BadOptions, AstragalError)
    assert issubclass(BadFile, AstragalError)


def test_a_list_is_written_with_commas() -> None:
    rules = astragal.rules("egar")
    by_name = {field.name: field for field in fields(rules)}
    assert by_name["colours"].read("native,egyptian") == ("native", "egyptian")
    assert by_name["skill"].read("own, 75/60/45") == ("own", (75, 60, 45))
    assert by_name["skill"].shape == "own|0-100/0-100/0-100,..."
    for name, text in (("skill", "75/60"), ("skill", "75/60/145"), ("skill", "x"), ("colours", "native,x")):
        with pytest.raises(BadOptions, match="is not one of"):
            by_name[name].read(text)


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"pieces": None}, "option pieces: nothing is given; possible is 1-7"),
        ({"pieces": [3]}, "option pieces: a whole number is needed, not a list"),
        ({"begins": {}}, "option begins: a whole number or a text is needed, not a table of values"),
    ],
)
def test_a_refusal_has_no_words_of_the_library(wanted: dict[str, Any], said: str) -> None:
    with pytest.raises(BadOptions) as refused:
        build(astragal.rules("ur"), None, wanted)
    assert refused.value.to("en") == said


def test_a_number_missing_inside_a_list_is_told_in_plain_words() -> None:
    with pytest.raises(BadOptions, match="a whole number is missing"):
        build(astragal.rules("egar"), None, {"skill": [[75, None, 45], "own"]})
