"""Network files that cannot be used are refused with a sentence, and those for other rules are left aside."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import astragal
from astragal.bots import network
from astragal.bots.evaluate import evaluator
from astragal.bots.network import BadNetwork, Part
from tests.bots.networks import TWO, UR, layers_of, part_of

NILE = astragal.game("nile")


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


@pytest.mark.parametrize("more", [-1, 1])
@pytest.mark.parametrize("knows_all", [True, False])
def test_a_network_that_takes_other_inputs_than_it_is_told_is_refused(file: Path, more: int, knows_all: bool) -> None:
    part = part_of(UR, TWO, 2, -1 if knows_all else seat_of_ur())
    inputs, *rest = part.sizes
    write(file, UR, replace(part, sizes=(inputs + more, *rest)))
    with pytest.raises(BadNetwork, match=f"takes {inputs + more} inputs, and ur tells it {inputs}$"):
        evaluator(UR, TWO, 2)


@pytest.mark.parametrize("more", [-1, 1])
def test_a_network_that_takes_other_features_than_the_heuristic_has_is_refused(file: Path, more: int) -> None:
    """With as many inputs in all: the kernel `features` would write beyond what a network has for them."""
    options = NILE.rules.seated(NILE.rules.presets["nile"], [True, True])
    part = part_of(NILE, options, 2)
    features = len(NILE.heuristic.names)
    write(file, NILE, replace(part, features=features + more))
    with pytest.raises(
        BadNetwork, match=f"takes {features + more} features, and the heuristic of nile has {features}$"
    ):
        evaluator(NILE, options, 2)


@pytest.mark.parametrize("field", [{"options": {"gone": True}}, {"between": {"gone": (1, 2)}}])
def test_a_network_for_options_that_the_game_does_not_have_is_refused(file: Path, field: dict[str, Any]) -> None:
    write(file, UR, replace(part_of(UR, TWO, 2), **field))
    with pytest.raises(BadNetwork, match=r"it names the option 'gone', which ur does not have$"):
        evaluator(UR, TWO, 2)


def test_bounds_of_an_option_that_is_no_number_are_met_by_nothing(file: Path) -> None:
    write(file, UR, replace(part_of(UR, TWO, 2), between={"path": (1, 2)}))
    assert name_of(UR, TWO) == "heuristic"


@pytest.mark.parametrize(("game", "place"), [("ur", 0), ("ur", 1000), ("nile", 4)])
def test_a_network_that_looks_elsewhere_for_the_side_to_throw_is_refused(file: Path, game: str, place: int) -> None:
    """Beyond the position, where kernels would read what is not theirs, or at another number of it."""
    played = astragal.game(game)
    options = played.rules.seated(next(iter(played.rules.presets.values())), [True, True])
    write(file, played, part_of(played, options, 2, mover_at=place))
    with pytest.raises(BadNetwork, match=f"the side to throw at place {place}, and {game} keeps it elsewhere$"):
        evaluator(played, options, 2)


def seat_of_ur() -> int:
    assert UR.index is not None
    return UR.index(TWO).thumbs.seat
