"""Nile keeps the laws of the contract, with two, three and four players and under every pair of options."""

from __future__ import annotations

import pytest

import astragal
from astragal.core.conform import LAWS, check, reachable
from astragal.games.nile.board import Board
from astragal.games.nile.options import Options
from astragal.games.nile.state import State
from astragal.games.nile.tiles import Kind, Tile, TileSet

GAME = astragal.game("nile")
BOARD = Board("toy", ("3 5 9 7", "2 . +1 .", "1 . * ."))


def toy(rack: int, *tiles: tuple[Kind, int], same_turn: bool = False) -> Options:
    """So few tiles on so small a board that every position can be looked at."""
    kinds = tuple(Tile(kind, count, value) for value, (kind, count) in enumerate(tiles, 1))
    return Options(
        board=BOARD,
        tiles=TileSet("toy", rack, 2, kinds),
        begins=0,
        blue_finish="same_turn" if same_turn else "anyone",
    )


def test_nile_keeps_every_law() -> None:
    report = check(GAME, games=120, share=0.005, seed=3)
    assert report.ok, str(report)
    assert (report.games, report.finished) == (120, 120)
    assert all(report.asked[law] for law in LAWS if law != 7), str(report)


QUICK = [Options(board="small", encircle="universal"), Options(board="small", encircle="free", begins=0)]


@pytest.mark.parametrize("games", [200, pytest.param(3000, marks=pytest.mark.long)])
def test_quick_games_keep_every_law(games: int) -> None:
    report = check(GAME, games=games, share=0.005, seed=4, option_sets=QUICK)
    assert report.ok, str(report)
    assert report.finished == games


@pytest.mark.long
def test_thousands_of_games_keep_every_law() -> None:
    report = check(GAME, games=3000, share=0.01, seed=5)
    assert report.ok, str(report)
    assert report.finished == 3000


TOYS = {
    "opening passes and exchanges": (toy(1, ("straight", 1), ("curve", 1), ("bow", 2)), 2),
    "three players": (toy(1, ("curve", 2), ("bow", 1), ("universal", 1)), 3),
    "encirclements and crossings": (toy(3, ("straight", 1), ("curve", 4), ("universal", 1)), 2),
    "two universals": (toy(2, ("straight", 1), ("curve", 1), ("universal", 2), same_turn=True), 2),
}


@pytest.mark.parametrize("name", TOYS)
def test_resample_gives_exactly_the_possible_states(name: str) -> None:
    options, players = TOYS[name]
    report = check(GAME, games=1, option_sets=[options], toy=options, toy_players=players)
    assert report.ok, str(report)


def test_the_toys_show_everything_that_tells_about_hidden_tiles() -> None:
    """Otherwise the test above would prove less than it seems to."""
    states: dict[str, set[State]] = {name: reachable(GAME.rules, *table) for name, table in TOYS.items()}

    def hows(name: str) -> set[str]:
        return {line.how for state in states[name] for line in state.sheet}

    assert {"waited", "passed"} <= hows("opening passes and exchanges") & hows("three players")
    crossings = states["encirclements and crossings"]
    assert any(one.shut for state in crossings for one in state.river)
    assert any(one.replaced for state in crossings for one in state.river)
    assert any(one.shut for state in states["two universals"] for one in state.river)
