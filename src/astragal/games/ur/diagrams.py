"""The diagrams of Ur's rules pages."""

from __future__ import annotations

from collections.abc import Mapping

from astragal.core.language import Text, say
from astragal.core.picture import Cell, grid
from astragal.core.rules import Diagram
from astragal.games.ur import picture
from astragal.games.ur.board import BoardName, track
from astragal.games.ur.options import Options
from astragal.games.ur.rules import State, UrRules
from astragal.games.ur.speech import UrPresentation
from astragal.games.ur.view import Event, Moved

RULES, LOOK = UrRules(), UrPresentation()


def diagrams(lang: str) -> Mapping[str, Diagram]:
    """All of them, by the names the pages use."""
    return {
        "start": _position(
            lang, say("The board before the first throw."), State(Options(begins=0), 0, None, (7, 7), ((), ()))
        ),
        "bell": _way(lang, "bell", say("The light side's way in fourteen steps; dark walks its mirror image.")),
        "masters": _way(lang, "masters", say("The longer way of sixteen steps.")),
        "aseb": _way(lang, "aseb", say("The long board and its way of sixteen steps.")),
        "capture": _position(
            lang,
            say("Light moved from a1 to b3 and took a dark piece. The dark piece on the rosette b4 cannot be taken."),
            State(Options(begins=0), 1, None, (5, 5), ((3, 7), (8,))),
            Moved(0, "a1", "b3", taken=True),
        ),
        "off": _position(
            lang,
            say("Light threw 2: the piece on a8 goes home, the one on a7 cannot, for it needs a 1."),
            State(Options(begins=0), 0, 2, (0, 3), ((13, 14), (1, 9))),
        ),
    }


def _position(lang: str, caption: Text, state: State, last: Event | None = None) -> Diagram:
    view = RULES.observe(state, None)
    return Diagram(LOOK.text(view, lang, last=last), LOOK.svg(view, lang, last=last), caption.to(lang))


def _way(lang: str, name: BoardName, caption: Text) -> Diagram:
    """The light side's steps, numbered on their squares; in the picture one light piece shows where it begins."""
    ways = track(name)
    columns = [str(c) for c in sorted({int(square[1:]) for square in ways.squares})]
    steps = {square: str(step) for step, square in enumerate(ways.ways[0], 1)}
    cells = {
        (square[0], square[1:]): Cell(steps.get(square, "") + (picture.ROSETTE if square in ways.rosettes else ""))
        for square in ways.squares
    }
    view = RULES.observe(State(Options(path=name, begins=0), 0, None, (7, 7), ((), ())), None)
    return Diagram(grid(list("abc"), columns, cells), picture.svg_way(view, lang, caption.to(lang)), caption.to(lang))
