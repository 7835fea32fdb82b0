"""Layout files: the shipped ones, a host's own, and what is refused (UM-23)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import astragal
from astragal.core.conform import check
from astragal.core.types import BadFile
from astragal.games.ur_modern.board import DATA, SQUARES, Layout, ground
from astragal.games.ur_modern.options import Options

ROYAL = (DATA / "royal.toml").read_text("utf-8")


def changed(key: str, value: str) -> str:
    """The royal layout with one line written differently."""
    text, count = re.subn(rf"^{key} = .*$", f"{key} = {value}", ROYAL, flags=re.MULTILINE)
    assert count == 1
    return text


def load(tmp_path: Path, content: str) -> Layout:
    file = tmp_path / "own.toml"
    file.write_text(content, "utf-8")
    return Layout.load(file)


@pytest.mark.rule("UM-23")
def test_a_hosts_own_layout_plays_by_the_same_rules(tmp_path: Path) -> None:
    layout = load(tmp_path, changed("kingdom", '"a3 b3 c3"').replace('"royal"', '"mine"'))
    assert ground(layout).kingdom == ("a3", "b3", "c3")
    report = check(astragal.game("ur-modern"), games=4, plies=120, option_sets=[Options(layout=layout)])
    assert report.ok, report


@pytest.mark.rule("UM-23")
@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("earth_fortresses", '"a1"', "names 1 squares, not 2"),
        ("heaven_fortresses", '"a7 c7 b8"', "names 3 squares, not 2"),
        ("kingdom", '"a4 c4"', "names 2 squares, not 3"),
        ("marduk", '""', "names 0 squares, not 1"),
        ("ishtar", '"b7 b8"', "names 2 squares, not 1"),
        ("ishtar", '"a8"', "a8 needs its mirror image c8 too"),
        ("ishtar", '"d4"', "'d4' is not a square"),
        ("marduk", '"a5"', "'a5' is not a square"),
        ("entrance", '"a3 a4"', "should mirror the first: c3"),
        ("kingdom", '"a4 b6 c4"', "already one of"),
        ("ishtar", '"b6"', "b6 is already one of marduk"),
        ("earth_fortresses", '"a8 c8"', "a8 is not in earth"),
        ("bridge", '"b5"', "b6 should be in just one of"),
        ("bridge", '"b4 b5 b6"', "b4 should be in just one of"),
        ("earth_fortresses", '"a1 a1"', "a1 is named twice"),
        ("route", '["a4 a3 a2 a1 b1", "c4 c3 c2 c1 b1"]', "cannot be reached"),
        ("route", '["a1 a2"]', "a1-a2 has no mirror image"),
        ("route", '["a1 z9", "c1 z9"]', "is not a square"),
        ("route", "7", "route: "),
    ],
)
def test_an_impossible_layout_is_refused_with_its_line(tmp_path: Path, key: str, value: str, reason: str) -> None:
    content = changed(key, value)
    with pytest.raises(BadFile) as caught:
        load(tmp_path, content)
    assert reason in str(caught.value)
    named = caught.value.line
    assert named is not None
    assert re.match(r"(earth|bridge|heaven|entrance|kingdom|marduk|ishtar|route)", content.split("\n")[named - 1])


@pytest.mark.rule("UM-23")
def test_the_line_named_is_the_one_at_fault(tmp_path: Path) -> None:
    content = changed("ishtar", '"b6"')
    with pytest.raises(BadFile) as caught:
        load(tmp_path, content)
    assert caught.value.line == next(n for n, line in enumerate(content.split("\n"), 1) if line.startswith("ishtar"))


def test_missing_and_unknown_keys_and_missing_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="marduk"):
        load(tmp_path, ROYAL.replace("marduk = ", "# marduk = "))
    with pytest.raises(BadFile, match="temple"):
        load(tmp_path, ROYAL + 'temple = "b2"\n')
    with pytest.raises(BadFile, match="cannot be read"):
        Layout.load(tmp_path / "nowhere.toml")


lines = st.sampled_from([line for line in ROYAL.split("\n") if "=" in line])
squares = st.lists(st.sampled_from((*SQUARES, "d1", "a5", "")), max_size=4).map(" ".join)


@given(st.lists(st.tuples(lines, squares), min_size=1, max_size=3), st.text(max_size=20))
def test_any_file_is_a_valid_layout_or_refused_as_a_bad_file(changes: list[tuple[str, str]], junk: str) -> None:
    from astragal.core.data import parse_toml

    content = ROYAL
    for line, value in changes:
        content = content.replace(line, f'{line.split("=")[0]}= "{value}"')
    for text in (content, content + junk):
        try:
            layout = parse_toml(text, Layout, "fuzz")
        except BadFile:
            continue
        land = ground(layout)
        assert len(land.fortresses) == 4
        assert all(square in land.neighbours[near] for square in SQUARES for near in land.neighbours[square])
