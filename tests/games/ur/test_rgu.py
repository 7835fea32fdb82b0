"""RoyalUr's table files, held against a reader and a writer of their own, made from the description of the format."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

import astragal
from astragal.games.ur.options import Options
from astragal.games.ur.rgu import Rgu
from astragal.games.ur.rules import State
from astragal.solve import foreign, shelf
from astragal.solve.job import Job
from astragal.solve.positions import Positions
from astragal.solve.table import BadTable, Table
from tests.games.ur.test_truth import best_play, whole

UR = astragal.game("ur")
FINKEL = {
    "board_shape": "standard",
    "paths": "bell",
    "dice": "four_binary",
    "start_pieces": 2,
    "safe_rosettes": True,
    "rosettes_grant_rolls": True,
    "captures_grant_rolls": False,
}
OWN_BIT = {1: 3, 2: 2, 3: 1, 4: 0, 13: 5, 14: 4}  # by the step
LANE = range(5, 13)


def lane_numbers(pieces: int) -> dict[int, int]:
    """Base-4 numbers of the lane with at most so many pieces of a colour, each with its place among them."""
    fits = []
    for number in range(4**8):
        digits = [number >> 2 * place & 3 for place in range(8)]
        if 3 not in digits and digits.count(1) <= pieces and digits.count(2) <= pieces:
            fits.append(number)
    return {number: place for place, number in enumerate(sorted(fits))}


def key_of(light: set[int], dark: set[int], pools: tuple[int, int], pieces: int, lanes: dict[int, int]) -> int:
    """The key of a position with light to throw; pieces are steps of each side's own way."""
    bits = (len(lanes) - 1).bit_length()
    number = 0
    for step in LANE:
        number = number * 4 + (2 if step in light else 1 if step in dark else 0)
    own = [sum(1 << OWN_BIT[step] for step in side if step in OWN_BIT) for side in (light, dark)]
    key = own[1] | lanes[number] << 6 | own[0] << 6 + bits
    return key | pools[1] << 12 + bits | pools[0] << 15 + bits


def stored(text: dict[str, Any], entries: dict[int, float], kind: str = ">H", whole: float = 65535) -> bytes:
    """A file with these keys and chances to win."""
    header = json.dumps(text).encode()
    keys = sorted(entries)
    values = [entries[key] * whole for key in keys]
    return b"".join(
        [
            b"RGU\0",
            struct.pack(">I", len(header)),
            header,
            struct.pack(">II", 1, len(keys)),
            *(struct.pack(">I", key) for key in keys),
            *(struct.pack(kind, round(value) if kind == ">H" else value) for value in values),
        ]
    )


def loaded(content: bytes) -> tuple[dict[str, Any], dict[int, float]]:
    """The JSON text and the entries of a file with 16 bits a value."""
    assert content[:4] == b"RGU\0"
    (length,) = struct.unpack_from(">I", content, 4)
    text = json.loads(content[8 : 8 + length])
    maps, count = struct.unpack_from(">II", content, 8 + length)
    assert maps == 1
    keys = struct.unpack_from(f">{count}I", content, 16 + length)
    values = struct.unpack_from(f">{count}H", content, 16 + length + 4 * count)
    assert len(content) == 16 + length + 6 * count
    assert list(keys) == sorted(set(keys))
    return text, {key: value / 65535 for key, value in zip(keys, values, strict=True)}


def key_of_state(state: State, lanes: dict[int, int]) -> int:
    light, dark = (set(side) for side in state.on)
    return key_of(light, dark, (state.pools[0], state.pools[1]), state.options.pieces, lanes)


def won_keys(pieces: int, lanes: dict[int, int]) -> Iterator[int]:
    """Positions in which light has all its pieces home."""
    for left in range(1, pieces + 1):
        for on in range(left + 1):
            for dark in combinations(range(1, 15), on):
                yield key_of(set(), set(dark), (0, left - on), pieces, lanes)


@pytest.fixture(scope="module")
def truth() -> dict[State, float]:
    """Every position of the game with two pieces each, with light to throw, by the readable rules."""
    graph, won, _ = whole(2)
    return best_play(graph, won)


@pytest.fixture(scope="module")
def entries(truth: dict[State, float]) -> dict[int, float]:
    lanes = lane_numbers(2)
    made = {key_of_state(state, lanes): value for state, value in truth.items()}
    assert len(made) == len(truth)
    return made | dict.fromkeys(won_keys(2, lanes), 1.0)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ASTRAGAL_TABLES", str(tmp_path / "tables"))
    return tmp_path


def values_by_state(table: Table, truth: dict[State, float]) -> list[tuple[float, float]]:
    positions = Positions(UR, Options(pieces=2))
    return [(table.value(positions.rank(positions.fast.pack(state))), value) for state, value in truth.items()]


def test_the_key_and_the_value_of_the_first_position_are_those_of_royalurs_own_file(entries: dict[int, float]) -> None:
    """What the description of the format names as a check."""
    assert len(lane_numbers(7)) == 6559
    assert len(lane_numbers(2)) == 885
    assert round(entries[75_497_472] * 65535) == 33_985


@pytest.mark.parametrize(
    ("value_type", "kind", "whole"),
    [("percent16", ">H", 65535), ("float32", ">f", 1), ("float32", ">f", 100), ("float64", ">d", 100)],
)
def test_a_file_of_theirs_gives_every_position_its_value(
    value_type: str, kind: str, whole: float, truth: dict[State, float], entries: dict[int, float], folder: Path
) -> None:
    file = folder / "theirs.rgu"
    text = {"value_type": value_type, "author": "Somebody", "game_settings": FINKEL}
    file.write_bytes(stored(text, entries, kind, whole))
    made = foreign.bring_in(file)
    assert made.header.source == "rgu: Somebody"
    assert made.intact()
    assert max(abs(ours - value) for ours, value in values_by_state(made, truth)) < 1.6e-5
    assert shelf.find(UR, Options(pieces=2)) is not None


def test_a_table_of_ours_has_every_position_of_theirs(entries: dict[int, float], folder: Path) -> None:
    made = Job(UR, Options(pieces=2), folder).run()
    foreign.export(made, folder / "ours.rgu")
    text, ours = loaded((folder / "ours.rgu").read_bytes())
    assert text["game_settings"] == FINKEL
    assert text["value_type"] == "percent16"
    assert ours.keys() == entries.keys()
    assert max(abs(ours[key] - entries[key]) for key in entries) < 1e-5


@pytest.mark.parametrize(
    "options",
    [
        Options(pieces=1),
        Options(pieces=3, dice="three", safe_rosettes=False),
        Options(pieces=2, rosette_throws=False, capture_throws=True),
    ],
)
def test_there_and_back_again(options: Options, folder: Path) -> None:
    made = Job(UR, options, folder, precision=1e-4).run()
    foreign.export(made, folder / "ours.rgu")
    back = foreign.bring_in(folder / "ours.rgu")
    assert (back.values == made.values).all()
    assert back.header.options == made.header.options
    assert (Rgu().about(folder / "ours.rgu")[0]) == options
    eight = Job(UR, options, folder / "eight", precision=1e-4, bits=8).run()
    foreign.export(eight, folder / "eight.rgu")
    _, values = loaded((folder / "eight.rgu").read_bytes())
    assert {round(value * 255, 3) % 1 for value in values.values()} == {0.0}


def test_what_cannot_be_read_is_refused_with_a_sentence(entries: dict[int, float], folder: Path) -> None:
    file = folder / "x.rgu"
    text = {"value_type": "percent16", "game_settings": FINKEL}
    good = stored(text, entries)
    some = dict(sorted(entries.items())[: len(entries) // 2])
    head = good.index(b"}}") + 2

    def refused(content: bytes, why: str) -> None:
        file.write_bytes(content)
        with pytest.raises(BadTable, match=why):
            foreign.bring_in(file)
        assert not list((folder / "tables").iterdir())

    refused(b"something else", "not a table of RoyalUr")
    refused(good[:3] + b"\1" + good[4:], "not a table of RoyalUr")
    refused(good[:20], "its head cannot be read")
    refused(good[:-1], "should have")
    refused(good + b"\0", "should have")
    refused(stored(text, some), r"only \d+ of 12869 positions")
    swapped = bytearray(good)
    swapped[head + 8 : head + 16] = good[head + 12 : head + 16] + good[head + 8 : head + 12]
    refused(bytes(swapped), "not in order")
    refused(good[:head] + struct.pack(">I", 2) + good[head + 4 :], "has 2 maps")
    refused(stored({**text, "value_type": "int8"}, entries), "int8")
    for other in ({"paths": "masters"}, {"board_shape": "aseb"}, {"dice": "two_binary"}, {"start_pieces": 9}):
        refused(stored({**text, "game_settings": {**FINKEL, **other}}, entries), "rules that cannot be read here")
    refused(stored({"value_type": "percent16"}, entries), "its head cannot be read")
    refused(stored({**text, "value_type": "float32"}, entries | {75_497_472: float("nan")}, ">f", 1), "damaged")
    # one file's values under another's rules
    refused(stored({**text, "game_settings": {**FINKEL, "dice": "three_binary_0eq4"}}, entries), "not the values")
    rng = np.random.default_rng(1)
    refused(stored(text, {key: float(rng.random()) for key in entries}), "not the values of this game")
    with pytest.raises(BadTable, match="cannot be read"):
        foreign.bring_in(folder / "nowhere.rgu")


def test_other_ways_and_other_games_have_no_such_file(folder: Path) -> None:
    made = Job(UR, Options(pieces=1, path="masters"), folder).run()
    with pytest.raises(BadTable, match="bell only, not for masters"):
        foreign.export(made, folder / "masters.rgu")
    assert not (folder / "masters.rgu").exists()
    other = Table(made.file)
    other.header = replace(other.header, game="ur-modern")
    with pytest.raises(BadTable, match="for ur only"):
        foreign.export(other, folder / "modern.rgu")
