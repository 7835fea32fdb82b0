"""What puzzles of games with secrets are about: the kind follows from the best action and the tempting one."""

from __future__ import annotations

import pytest

import astragal
from astragal.games.egar.puzzles import KINDS as EGAR_KINDS
from astragal.games.egar.puzzles import kind as egar_kind
from astragal.games.nile.puzzles import KINDS as NILE_KINDS
from astragal.games.nile.puzzles import kind as nile_kind

EGAR, NILE = astragal.game("egar"), astragal.game("nile")
# The flags are on B2 and L12. F7 stands two steps from the enemy on H7, and D2 beside that on D3.
MOVING = "armies=B3,C3,D2,F7/D3,H7,L11 phase=move:1 points=3 turns=20"


@pytest.mark.parametrize(
    ("best", "tempting", "kind"),
    [
        ("F7-G7", "F7-F8", "strike"),  # up to the enemy, instead of on to the flag
        ("F7-F8", "F7-G7", "march"),
        ("F7-F8", "attack D3 with D2", "march"),
        ("attack D3 with D2", "F7-F8", "strike"),
        ("attack D3 with C3", "attack D3 with D2", "risk"),
        ("done", "attack D3 with D2", "hold"),
        ("F7-F6", "F7-F8", "guard"),
        ("F7-F8", "F7-F6", "raid"),
        ("F7-F8", "C3-C4", "way"),
    ],
)
def test_a_turn_of_egar_marches_strikes_or_guards(best: str, tempting: str, kind: str) -> None:
    options = EGAR.rules.seated(EGAR.rules.options_type(begins=0), [True, True])
    state = EGAR.rules.from_position(MOVING, options, 2)
    assert egar_kind(state, EGAR.rules.decode(state, best), EGAR.rules.decode(state, tempting)) == kind
    assert kind in EGAR_KINDS


@pytest.mark.parametrize(
    ("river", "rack", "best", "tempting", "kind"),
    [
        # On the board `first` K3 is red, K4 green, and the river comes from below.
        ("1:SN", "SSLCC", "K2:straight-N", "K2:far-left-NW", "red"),
        ("1:SN", "SSLCC", "K2:far-left-NW", "K2:straight-N", "escape"),
        ("1:SN;2:SN", "SSLCC", "K3:straight-N", "K3:far-left-NW", "green"),
        ("1:SN;2:SN", "SSLCC", "K3:far-left-NW", "K3:straight-N", "spare"),
        ("1:SN;2:SN,SN~", "SLC", "stop", "K4:straight-N", "stop"),
        ("1:SN;2:SN,SN~", "SLC", "K4:straight-N", "stop", "on"),
        ("1:SN;2:SN", "SLCCU", "K3:universal=straight-N", "K3:straight-N", "universal"),
        ("1:SN;2:SN", "SLCCU", "K3:straight-N", "K3:universal=straight-N", "keep"),
        # K2, J2, L1 and L2 are plain. Diagonals and bows fit only where the river comes through a corner, and from L1 a
        # far right would lead over the border.
        ("", "CRDDB", "K1:curve-E", "K1:far-right-NE", "close"),
        ("", "CRDDB", "K1:far-right-NE", "K1:curve-E", "room"),
        ("", "SLDDD", "K1:straight-N", "K1:far-left-NW", "whole"),
        ("", "SLDDD", "K1:far-left-NW", "K1:straight-N", "river"),
    ],
)
def test_a_lay_of_nile_is_told_by_where_the_river_goes_next(
    river: str, rack: str, best: str, tempting: str, kind: str
) -> None:
    options = NILE.rules.options_type(begins=0, board="first", tiles="first")
    mover = 1 + (river.count(";") + 1 - river.count("~") if river else 0) % 2
    racks = f"{rack}/SSSSS" if mover == 1 else f"SSSSS/{rack}"
    lies = f" river={river}" if river else ""
    state = NILE.rules.from_position(f"phase=turn:{mover} first=1 racks={racks}{lies}", options, 2)
    assert nile_kind(state, NILE.rules.decode(state, best), NILE.rules.decode(state, tempting)) == kind
    assert kind in NILE_KINDS
