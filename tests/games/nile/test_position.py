"""Positions of Nile as lines of text."""

from __future__ import annotations

import pytest

import astragal
from astragal.core.types import OVER
from astragal.games.nile.options import Options
from tests.games.notations import damage, examples, refusal

NILE = astragal.rules("nile")


@pytest.mark.parametrize("line", examples("nile"))
def test_the_examples_of_the_rules_page_are_positions(line: str) -> None:
    assert NILE.position(NILE.from_position(line, Options(), 2)) == line


def test_a_line_says_what_a_state_holds_and_the_rest_follows() -> None:
    line = "phase=turn:2 first=1 racks=SLrrB/SSCLR river=1:SN,rSE;2!LDDDl;1:BNE,BNW"
    state = NILE.from_position(line, Options(), 2)
    assert state.racks[1] == ("straight", "straight", "curve", "far-left", "far-right")
    assert [laid.field for laid in state.river] == ["K1", "K2", "L1", "M2"]
    assert [(turn.seat, turn.how) for turn in state.sheet] == [(0, "laid"), (1, "passed"), (0, "laid")]
    assert state.sheet[1].total == -(3 + 4 + 4 + 4 + 5)
    assert sum(state.bag) == 104 - 10 - 4
    assert NILE.turn(state) == 1


def test_a_seat_may_have_laid_its_last_tile_when_the_bag_is_empty() -> None:
    """Its rack is empty, and it can do nothing but stop."""
    line = (
        "phase=turn:1 first=1 racks=-/S/- river=1:CW;2:CN,lSW;3:BNW,DNW;1:USW,lN;2:RNE,BSE;3:RE;1:LNE,lS,lNE;2:BNW"
        ";3:DNW,rS;1:CW;3x;2:CN,SN,LNW;1:rS,CW;2:CS;1:LSE,BSW,lN;2!SRRDr;1:LNW;2:LN;1:SN;2:SN,CW,LSW;1:DSW;2:lN;1:"
        "RNE;2:RN,SN,lSW;1:RS;2:RSW;1!SSSDr;2:lN;1:SN,RNE;2:DNE,LE,CN,SN;1:CW;2:RNW,BNE,DNE,RN,CE;1:UNE;2:LE,RSE,U"
        "E,CS,SS;1:CE;2:rSW,BNW;1:DNW,LN;2:rSE;1!SSLlr;2!SSLRB;1!CLLlr;2:lW+;1:lSE;2:BSW;1:RS;2:RSW,rE,SE;1:rSW;2:"
        "LW;1:LSW,rE;2:SE,LNE;1:LE,CS;2:SS,SS,SS;1:CE,CS;2!RDrrB;1:LSE;2:RE;1:SE;2:RSE;1:RE,SE;2:rSW,BSE,BNE;1:rW;"
        "2:rNE,DNE,DNE;1:BNW,LN;2:LNW;1:DNW;2!S;1:DNW~ idle=1 lots=CLD/CRR/CRR"
    )
    options = Options(board="first", tiles="first", encircle="free", blue_finish="same_turn")
    state = NILE.from_position(line, options, 3)
    assert (state.laid, state.racks[0], sum(state.bag)) == (1, (), 0)
    assert [NILE.encode(action) for action in NILE.legal(state)] == ["stop"]
    assert NILE.position(state) == line


def test_a_crossing_is_a_plus() -> None:
    line = (
        "phase=over:2 first=1 racks=-/C/- river=1:CW,RNW,LN,LNW;2:USW,BSE;3:LS;1:lNE+,BNW;2:lE,LNE;3:DNE;1:BSE;"
        "2:rN,RNE,RN,rSE,rN;3:RNE;1:rW,CN,RNE,RN;3x;2:SN,CW,rNE;1:DNE,lS;2:lNE,LE,SE;1:CN;2:LNW,BNE,RN,rSE;"
        "1!SSDDB;1x;2:LS,SS,CW+ idle=1 lots=SBB/Slr/LDD"
    )
    state = NILE.from_position(line, Options(), 3)
    assert NILE.position(state) == line
    assert [laid.tile for laid in state.river if laid.replaced] == ["universal", "universal"]
    assert (NILE.turn(state), state.gone, NILE.returns(state)) == (OVER, (2, 0), (0.0, 1.0, 0.0))
    assert state.sheet[-1].how == "left"


@pytest.mark.parametrize(
    ("line", "column", "part", "reason"),
    [
        ("phase=turn:1 first=1", 21, "racks", "missing"),
        ("phase=turn racks=SCRlr/SSRDr", 7, "phase", "phase:seat, as in turn:2"),
        ("phase=turn:3 first=1 racks=SCRlr/SSRDr", 12, "phase", "a number from 1 to 2"),
        ("phase=play:1 first=1 racks=SCRlr/SSRDr", 7, "phase", "should be one of lots, deal, turn, refill, over"),
        ("phase=turn:1 racks=SCRlr/SSRDr", 7, "phase", "first= is missing"),
        ("phase=turn:1 first=1 racks=SCRlr", 28, "racks", "2 racks with a / between"),
        ("phase=turn:1 first=1 racks=SCRlx/SSRDr", 32, "racks", "'x' is no tile; the tiles are SCLRDlrBU"),
        ("phase=turn:1 first=1 racks=UUUUU/SSRDr", 28, "racks", "there are only 4 tiles of the kind universal"),
        ("phase=turn:1 first=1 racks=SCRl/SSRDr", 28, "racks", "the racks hold 5/5 tiles"),
        ("phase=turn:1 first=1 racks=SCRlrS/SSRDr", 28, "racks", "holds at most 5 tiles"),
        ("phase=turn:1 first=1 racks=SCRlr/SSRDr tiles=4", 40, "the line", "should be one of phase=, first="),
        ("phase=turn:1 first=1 racks=SCRlr/SSRDr river=1:SQ", 48, "river", "a tile and its exit, as in SN"),
        ("phase=turn:1 first=1 racks=SCRlr/SSRDr river=1:CN", 48, "river", "should be S, the tile from S to N"),
        ("phase=turn:1 first=1 racks=SCRlr/SSRDr river=1:SN,UN,US", 54, "river", "enters there"),
        ("phase=turn:1 first=1 racks=SCRlr/SSRDr river=1:CE,CS", 51, "river", "border"),
        ("phase=turn:1 first=1 racks=SCRlr/SSRDr river=1:SN;2?", 51, "river", "once the river is opened"),
        ("phase=turn:1 first=1 racks=SCRlr/SSRDr river=2!SSSSS", 48, "river", "before the river is opened"),
        ("phase=turn:1 first=1 racks=SCRlr/SSRDr river=2x", 46, "river", "cannot give up"),
        ("phase=turn:1 first=1 racks=SCRlr/SSRDr river=1:SN~;2:SN", 52, "river", "only the last turn"),
        ("phase=turn:2 first=1 racks=SCRl/SSRDr river=1:SN~", 7, "phase", "another seat's"),
        ("phase=deal:1 first=1 racks=SCRlr/-", 7, "phase", "cannot draw now"),
        ("phase=over:1 first=1 racks=SCRlr/SSRDr", 7, "phase", "nothing has ended the game"),
        ("phase=lots:1 racks=-/-", 7, "phase", "the lots so far are missing"),
        ("phase=lots:1 racks=-/- lots=SSC/-", 7, "phase", "should be lots:2"),
        ("phase=lots:1 racks=-/- lots=-/SSC", 29, "lots", "one seat after the other"),
        ("phase=turn:1 first=1 racks=SCRlr/SSRDr lots=SS/SSC", 45, "lots", "seat 1 has drawn 3 tiles"),
        ("phase=turn:1 first=1 racks=SCRlr/SSRDr idle=9", 45, "idle", "a number from 0 to 4"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(line: str, column: int, part: str, reason: str) -> None:
    error = refusal("nile", line)
    assert reason in str(error)
    assert (error.column, error.part) == (column, part)


@pytest.mark.parametrize(
    ("players", "chosen"),
    [(2, {}), (3, {"begins": 0, "board": "small", "blue_finish": "same_turn"}), (4, {"encircle": "free"})],
)
def test_damaged_lines_are_refused_or_played(players: int, chosen: dict[str, object]) -> None:
    refused, read = damage("nile", players, games=12, seed=1, **chosen)
    assert refused > 150
    assert read > 5
