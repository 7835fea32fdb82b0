"""The nine kinds, and the files that say how many there are."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from astragal.core.data import parse_toml
from astragal.core.types import BadFile, IllegalAction
from astragal.games.nile.actions import Lay
from astragal.games.nile.tiles import (
    KINDS,
    POINTS,
    SE,
    UNIVERSAL,
    TileSet,
    TilesName,
    exits,
    kind_between,
    opposite,
    stock,
)
from tests.games.nile.positions import OPTIONS, RULES, at, do, legal
from tests.games.nile.walker import DATA, OFFSETS, VALUES, kind_of

FILE = DATA / "tiles-first.toml"


@pytest.mark.rule("NI-3")
def test_each_exit_is_reached_from_each_entry_by_the_one_kind_of_that_shape() -> None:
    for entry, exit in permutations(range(8), 2):
        assert kind_between(entry, exit) == kind_of(OFFSETS[entry], OFFSETS[exit])
        assert [kind for kind in KINDS[:-1] if exit in exits(entry, kind)] == [kind_between(entry, exit)]
        assert exit in exits(entry, UNIVERSAL)
        assert kind_between(entry, exit) == kind_between(exit, entry), "a line may be walked both ways"


@pytest.mark.rule("NI-3")
def test_tiles_turn_but_never_flip() -> None:
    for entry, exit in permutations(range(8), 2):
        for turned in range(0, 8, 2):
            assert kind_between((entry + turned) % 8, (exit + turned) % 8) == kind_between(entry, exit)
    assert kind_between(4, 7) == "far-left"
    assert kind_between(4, 1) == "far-right"  # its mirror image


# One way to each entry point of a field well inside the plain board, seven by seven.
WAYS = {
    "S": "D1:straight-N D2:straight-N",
    "SW": "D1:curve-W C1:curve-N C2:far-right-NE",
    "SE": "D1:curve-E E1:curve-N E2:far-left-NW",
    "W": "D1:curve-W C1:curve-N C2:straight-N C3:curve-E",
    "E": "D1:curve-E E1:curve-N E2:straight-N E3:curve-W",
    "NW": "D1:curve-W C1:curve-N C2:straight-N C3:straight-N C4:near-right-SE",
    "NE": "D1:curve-E E1:curve-N E2:straight-N E3:straight-N E4:near-left-SW",
    "N": "D1:curve-W C1:curve-N C2:straight-N C3:straight-N C4:curve-E D4:curve-S",
}


@pytest.mark.rule("NI-3", "NI-4")
@pytest.mark.parametrize("entry", WAYS)
def test_every_kind_at_every_entry(entry: str) -> None:
    came = POINTS.index(entry)
    for kind in KINDS[:-1]:
        state = at(WAYS[entry], kind, "")
        name, point = RULES.observe(state, 0).head or ("", -1)
        assert (name, point) == ("D3", came)
        for exit in range(8):
            play = Lay("D3", kind, exit)
            if exit not in exits(came, kind):
                with pytest.raises(IllegalAction) as refused:
                    RULES.apply(state, play)
                assert refused.value.rule == "NI-3"
            elif play in RULES.legal(state):
                led = RULES.observe(RULES.apply(state, play), 0).head
                across, up = OFFSETS[exit]
                assert led == (f"{'CDE'[1 + across]}{3 + up}", opposite(exit))


@pytest.mark.rule("NI-13", "NI-14")
def test_a_universal_stands_for_any_kind_and_names_it() -> None:
    state = at("D1:straight-N D2:straight-N", "universal", "")
    assert legal(state) == {
        "D3:universal=straight-N", "D3:universal=far-right-NE", "D3:universal=curve-E", "D3:universal=near-right-SE",
        "D3:universal=near-left-SW", "D3:universal=curve-W", "D3:universal=far-left-NW",
    }  # fmt: skip
    for action in (Lay("D3", "universal", 0), Lay("D3", "universal", 0, "universal")):
        with pytest.raises(IllegalAction, match="which kind") as refused:
            RULES.apply(state, action)
        assert refused.value.rule == "NI-13"
    with pytest.raises(IllegalAction) as refused:
        RULES.apply(state, Lay("D3", "universal", 0, "curve"))
    assert refused.value.rule == "NI-3"
    with pytest.raises(IllegalAction) as refused:
        RULES.apply(at("D1:straight-N", "bow straight", ""), Lay("D2", "straight", 0, "straight"))
    assert refused.value.rule == "NI-13"
    line = RULES.observe(do(state, "D3:universal=straight-N"), 0).pending
    assert line is not None
    assert line.total == 10  # its own value, not the 1 of a straight


@pytest.mark.rule("NI-13")
def test_a_universal_must_be_used_if_nothing_else_fits() -> None:
    # From E1, entered at W, a bow cannot start at all and there is no passing.
    state = at("D1:curve-E", "bow universal", "")
    assert all(text.startswith("E1:universal=") for text in legal(state))
    with pytest.raises(IllegalAction) as refused:
        do(state, "pass")
    assert refused.value.rule == "NI-8"


@pytest.mark.rule("NI-2")
@pytest.mark.parametrize("name", ["nile", "first"])
def test_what_is_known_of_the_tiles(name: TilesName) -> None:
    """104 of nine kinds, four universals of 10, five to a rack, 20 for laying all of it; left and right are alike."""
    tiles = stock(name)
    counts = dict(zip(KINDS, tiles.counts, strict=True))
    assert (tiles.total, len(counts), tiles.rack, tiles.bonus) == (104, 9, 5, 20)
    assert all(counts.values())
    assert (counts["universal"], tiles.value["universal"]) == (4, 10)
    assert max(tiles.value.values()) == 10
    for side in ("far", "near"):
        left, right = f"{side}-left", f"{side}-right"
        assert (counts[left], tiles.value[left]) == (counts[right], tiles.value[right])  # type: ignore[index]


@pytest.mark.rule("NI-2")
def test_the_first_set_stays_as_it_was() -> None:
    tiles = stock("first")
    assert tiles.total == 104
    assert dict(zip(KINDS, tiles.counts, strict=True)) == {
        "straight": 15, "curve": 15, "far-left": 15, "far-right": 15, "diagonal": 10, "near-left": 10,
        "near-right": 10, "bow": 10, "universal": 4,
    }  # fmt: skip
    assert tiles.value == VALUES
    assert (tiles.rack, tiles.bonus) == (5, 20)


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ('kind = "curve" ', 'kind = "squiggle" ', 8, "Invalid enum value 'squiggle'"),
        ('kind = "curve" ', 'kind = "straight" ', 8, "straight is listed twice"),
        ("count = 10", "count = 0", 8, "at least 1 is needed"),
        ("value = 10", "value = 100", 8, "at most 99 is allowed"),
        ("rack = 5", "rack = 0", 4, "at least 1 is needed"),
        ("bonus = 20", "bonus = true", 5, "a whole number is needed, not yes or no"),
        ("bonus = 20", "bonus = 20\nluck = 1", 6, "unknown field `luck`"),
        ('name = "first"', "", None, "missing required field `name`"),
        ("rack = 5", "rack = ", 4, "this is not TOML"),
    ],
)
def test_a_bad_tile_file_is_refused_with_its_line(
    old: str, new: str, line: int | None, reason: str, tmp_path: Path
) -> None:
    content = FILE.read_text("utf-8")
    assert old in content
    file = tmp_path / "mine.toml"
    file.write_text(content.replace(old, new), "utf-8")
    with pytest.raises(BadFile, match=reason) as refused:
        TileSet.load(file)
    assert refused.value.line == line
    assert "mine.toml" in str(refused.value)


def test_a_set_without_a_tile_to_begin_with_is_refused() -> None:
    content = 'name = "x"\nrack = 1\nbonus = 0\n[[tiles]]\nkind = "bow"\ncount = 9\nvalue = 1\n'
    with pytest.raises(BadFile, match="no tile of this set can begin"):
        parse_toml(content, TileSet, "x.toml")


counts = st.dictionaries(st.sampled_from(KINDS), st.tuples(st.integers(1, 99), st.integers(0, 99)), min_size=1)


@given(counts, st.integers(1, 9), st.integers(0, 999))
def test_any_sound_set_reads_back_and_plays(chosen: dict[str, tuple[int, int]], rack: int, bonus: int) -> None:
    content = f'name = "mine"\nrack = {rack}\nbonus = {bonus}\n' + "".join(
        f'[[tiles]]\nkind = "{kind}"\ncount = {count}\nvalue = {value}\n' for kind, (count, value) in chosen.items()
    )
    openers = {"straight", "curve", "far-left", "far-right", "universal"}
    if not openers & chosen.keys():
        with pytest.raises(BadFile):
            parse_toml(content, TileSet, "mine.toml")
        return
    read = parse_toml(content, TileSet, "mine.toml")
    assert (read.name, read.rack, read.bonus) == ("mine", rack, bonus)
    assert {tile.kind: (tile.count, tile.value) for tile in read.tiles} == chosen
    total = sum(count for count, _ in chosen.values())
    if total >= 2 * rack:
        state = RULES.initial(replace(OPTIONS, tiles=read), 2)
        assert sum(weight for _, weight in RULES.chance(state)) == total


def test_points_are_numbered_clockwise_from_north() -> None:
    assert POINTS[SE] == "SE"
    assert [opposite(point) for point in range(8)] == [4, 5, 6, 7, 0, 1, 2, 3]
