"""Network files that cannot be used are refused with a sentence, and those for other rules are left aside."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from astragal.bots import network
from astragal.bots.evaluate import evaluator
from astragal.bots.network import BadNetwork, Part
from tests.bots.networks import TWO, UR, layers_of, part_of


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the games of a test have their networks."""
    place = tmp_path / "network.net"
    monkeypatch.setattr(network, "file_of", lambda game: place)
    return place


def write(file: Path, game: Any, part: Part) -> None:
    network.write(file, game, "test", [(part, layers_of(part.sizes))])


def name_of(game: Any, options: Any, players: int = 2) -> str:
    """Who judges positions of this game: `network`, or `heuristic`."""
    return evaluator(game, options, players, ("network", "heuristic")).about.name


@pytest.mark.parametrize("header", [b"", b"{}", b'{"format":"astragal network 1"}', b"\xff\xfe", b"not JSON"])
def test_an_evaluator_refuses_a_file_whose_header_is_damaged(file: Path, header: bytes) -> None:
    file.write_bytes(header + b"\n" + bytes(100))
    with pytest.raises(BadNetwork, match=r"network\.net is not a network file of Astragal"):
        evaluator(UR, TWO, 2)


def test_an_evaluator_refuses_a_file_whose_numbers_are_damaged(file: Path) -> None:
    write(file, UR, part_of(UR, TWO, 2))
    damaged = bytearray(file.read_bytes())
    damaged[-1] ^= 1
    file.write_bytes(damaged)
    with pytest.raises(BadNetwork, match=r"network\.net is damaged: its checksum is another one"):
        evaluator(UR, TWO, 2)


@pytest.mark.parametrize(("now", "then", "judge"), [
    (b'"version":1', b'"version":1', "network"),
    (b'"version":1', b'"version":2', "heuristic"),
    (b'"game":"ur"', b'"game":"ur-modern"', "heuristic"),
])  # fmt: skip
def test_networks_for_other_rules_are_left_aside(file: Path, now: bytes, then: bytes, judge: str) -> None:
    """They are whole, and good for the rules they learned from. The game is played by its heuristic then."""
    write(file, UR, part_of(UR, TWO, 2))
    whole = file.read_bytes()
    assert now in whole
    file.write_bytes(whole.replace(now, then, 1))
    assert len(network.read(file)) == 1
    assert name_of(UR, TWO) == judge
