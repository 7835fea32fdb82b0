"""A win that is there is played at once, the shortest first; a loss that is certain is put off."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import astragal
from astragal.bots import make
from astragal.bots.choice import Bot, Limit
from astragal.bots.expectimax import ExpectimaxBot
from astragal.bots.ismcts import IsmctsBot
from astragal.core.conform import check
from astragal.core.types import OVER
from astragal.games.nile.board import Board
from astragal.games.nile.tiles import KINDS, Tile, TileSet, stock
from tests.bots import paths
from tests.bots.positions import decisions

LUCK = range(8)
EGAR = ("greedy", "quick", "ismcts:nodes=100", "ismcts:time=0.05", "strong", "master:ladder")
OPEN = ("greedy", "quick", "expectimax:depth=1", "expectimax:nodes=500", "expectimax:time=0.05", "ismcts:nodes=100")


def played_out(game: str, position: str, spec: str, luck: int, players: int = 2, **chosen: Any) -> tuple[float, int]:
    """What the first seat has after its own decisions in a row, and how many they were."""
    rules = astragal.rules(game)
    options = rules.seated(rules.options_type(begins=0, **chosen), [True] * players)
    state, bot, rng = rules.from_position(position, options, players), make(spec, astragal.game(game)), Random(luck)
    made = 0
    while rules.turn(state) == 0:
        choice = bot.choose(rules.observe(state, 0), rng)
        assert choice.fault is None
        state, made = rules.apply(state, choice.action), made + 1
    return rules.returns(state)[0], made


@pytest.mark.parametrize("spec", EGAR)
@pytest.mark.parametrize(
    ("position", "steps", "players"),
    [
        ("armies=A1,B1,A2,B3,I12/M13 phase=move:1 points=3 turns=20", 3, 2),
        ("armies=A1,B1,C1,A2,C2,A3,B3,K12/K13,K11,L11,M12 phase=move:1 points=6 turns=20", 1, 2),
        ("armies=A1,B1,I12/M13,A13,A12 phase=move:1 points=6 turns=20", 3, 2),
        ("armies=A1,E2,K8/A13,L9/A12 phase=move:1 points=6 turns=30", 1, 3),  # L8 is one step off, B10 many
    ],
)
def test_egar_takes_the_flag_in_reach(spec: str, position: str, steps: int, players: int) -> None:
    for luck in LUCK:
        share, made = played_out("egar", position, spec, luck, players)
        assert share == 1
        assert made == steps, "not the shortest way"


@pytest.mark.parametrize("spec", OPEN)
@pytest.mark.parametrize(
    "position",
    [
        "3:a1,c1,a7,c8 4:b4,b5,b1 light one",
        "2:a1,c1,a7,c8,b7 3:b4,b5,b6,c4 light mixed",
        "3:a1,c1,a7,c8 3:a2,b2 light blank",
    ],
)
def test_ur_modern_takes_the_fourth_fortress(spec: str, position: str) -> None:
    for luck in LUCK:
        assert played_out("ur-modern", position.replace("3:a2,b2", "5:a2,b2"), spec, luck) == (1, 1)


@pytest.mark.parametrize("spec", ["greedy", "quick", "ismcts:nodes=100", "ismcts:time=0.05"])
def test_nile_ends_the_river_where_that_wins(spec: str) -> None:
    """The river stands before K22: a straight ends it, and the other player is far behind."""
    turns = [(1, 5), (2, 1), (1, 5), (2, 1), (1, 5), (2, 1), (1, 2), (2, 1)]
    river = ";".join(f"{seat}:{','.join(['SN'] * tiles)}" for seat, tiles in turns)
    for luck in LUCK:
        share, made = played_out(
            "nile",
            f"phase=turn:1 first=1 racks=SSCCB/DDDBB river={river}",
            spec,
            luck,
            board=narrow(),
            tiles=straights(),
        )
        assert (share, made) == (1, 1)


def narrow() -> Board:
    """A board of 22 rows without colours."""
    return Board("narrow", ("22 10 10 10", *(f"{row} . . ." for row in range(21, 1, -1)), "1 . * ."))


def straights() -> TileSet:
    """The tiles of the game, with many more straights."""
    shipped = stock("nile")
    tiles = tuple(
        Tile(kind, count + 20 * (kind == "straight"), shipped.value[kind])
        for kind, count in zip(KINDS, shipped.counts, strict=True)
    )
    return TileSet("straights", shipped.rack, shipped.bonus, tiles)


@pytest.mark.parametrize("spec", OPEN)
@pytest.mark.parametrize("game", ["ur", "ur-modern"])
def test_whatever_wins_at_once_is_played(game: str, spec: str) -> None:
    rules, bot = astragal.rules(game), make(spec, astragal.game(game))
    wins = 0
    for state in decisions(astragal.game(game), 25, seed=1, late=True):
        seat = rules.turn(state)
        winning = [action for action in rules.legal(state) if rules.returns(rules.apply(state, action))[seat] == 1]
        if winning:
            assert bot.choose(rules.observe(state, seat), Random(0)).action in winning
            wins += 1
    assert wins >= 3 or game == "ur"  # in Ur the last piece home is the only one left to move


def at(node: str) -> paths.View:
    state = paths.State(paths.RULES.options_type(begins=0), node)
    view = paths.RULES.observe(state, paths.RULES.turn(state))
    assert isinstance(view, paths.View)
    return view


SEARCHES = [ExpectimaxBot(paths.GAME, Limit(nodes=500)), IsmctsBot(paths.GAME, Limit(nodes=500))]


@pytest.mark.parametrize("bot", SEARCHES, ids=["expectimax", "ismcts"])
def test_the_shortest_win_comes_first(bot: Bot) -> None:
    for luck in LUCK:
        choice = bot.choose(at("soon"), Random(luck))
        assert (choice.action, choice.value) == (paths.Go("win"), 1)
    firsts = {bot.choose(at("won"), Random(luck)).action.to for luck in range(40)}
    assert firsts <= {"e", "f"}, "d lets the other side win"


@pytest.mark.parametrize("bot", SEARCHES, ids=["expectimax", "ismcts"])
def test_a_certain_loss_is_put_off(bot: Bot) -> None:
    for luck in LUCK:
        choice = bot.choose(at("start"), Random(luck))
        assert choice.action == paths.Go("c")
        assert choice.value == pytest.approx(0, abs=0.02)


def test_the_tree_is_a_game_that_keeps_its_laws() -> None:
    assert check(paths.GAME, games=20).findings == []
    assert paths.RULES.turn(paths.State(paths.RULES.options_type(begins=0), "win")) == OVER
