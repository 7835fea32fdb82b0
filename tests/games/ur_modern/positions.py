"""Positions of the modern game for tests, written as a player would describe them."""

from __future__ import annotations

from astragal.games.ur_modern.actions import Tips
from astragal.games.ur_modern.board import Layout, LayoutName
from astragal.games.ur_modern.options import Options
from astragal.games.ur_modern.rules import UrModernRules
from astragal.games.ur_modern.state import State

RULES = UrModernRules()


def at(
    light: str = "",
    dark: str = "",
    tips: Tips | None = None,
    *,
    seat: int = 0,
    pieces: int = 7,
    layout: LayoutName | Layout = "royal",
    placing_captures: bool = True,
) -> State:
    """A position: squares separated by spaces; the rest of the pieces wait in the pools."""
    sides = tuple(sorted(light.split())), tuple(sorted(dark.split()))
    options = Options(pieces=pieces, layout=layout, placing_captures=placing_captures, begins=0)
    return State(options, seat, tips, (pieces - len(sides[0]), pieces - len(sides[1])), sides)


def moves(s: State) -> set[str]:
    """What can be done, in notation."""
    return {RULES.encode(action) for action in RULES.legal(s)}


def play(s: State, *texts: str) -> State:
    """The position after these actions and throws."""
    for text in texts:
        s = RULES.apply(s, RULES.decode(s, text))
    return s
