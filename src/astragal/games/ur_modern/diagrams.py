"""The diagrams of the modern game's rules pages."""

from __future__ import annotations

from collections.abc import Mapping

from astragal.core.language import Text, say
from astragal.core.rules import Diagram
from astragal.games.ur_modern.actions import Hop, Tips
from astragal.games.ur_modern.board import LayoutName
from astragal.games.ur_modern.options import Options
from astragal.games.ur_modern.rules import UrModernRules
from astragal.games.ur_modern.speech import UrModernPresentation
from astragal.games.ur_modern.state import State
from astragal.games.ur_modern.view import Event, Moved

RULES, LOOK = UrModernRules(), UrModernPresentation()


def diagrams(lang: str) -> Mapping[str, Diagram]:
    """All of them, by the names the pages use."""
    return {
        "royal": _draw(lang, say("The layout royal.")),
        "lesser-earth": _draw(lang, say("The layout lesser-earth."), layout="lesser-earth"),
        "lanes": _draw(lang, say("The layout lanes: each side has an Entrance of its own."), layout="lanes"),
        "protected": _draw(
            lang,
            say("Light's piece on Ishtar (b7) protects its fortresses a7 and a1. The piece on b7 itself can be taken."),
            ("a1", "a7", "b7"),
            ("a2", "b6", "a8"),
            seat=1,
            tips="one",
        ),
        "two-moves": _draw(
            lang,
            say("Dark threw two coloured tips: it took Ishtar (b6 to b7), then the fortress thus exposed (a8 to a7)."),
            ("a1", "b2"),
            ("a7", "b7"),
            seat=1,
            last=Moved(1, (Hop("b6", "b7"), Hop("a8", "a7")), ("b7", "a7"), again=True),
        ),
        "earth": _draw(
            lang,
            say("Light rules the Earth (a1 and c1): with gold and silver the piece on b2 may take b3 and then b4."),
            ("a1", "c1", "b2"),
            ("b3", "b4", "a8"),
            tips="mixed",
        ),
        "heaven": _draw(
            lang,
            say("Light rules Heaven (a7 and c7): with two silver the piece on a4 may move three squares and reach a1."),
            ("a4", "a7", "c7"),
            ("b2", "b3"),
            tips="silver",
        ),
        "blanks": _draw(
            lang,
            say("With two blanks Light may place on the Entrance b1, or on a2, a4 or b3 beside its piece."),
            ("a3",),
            ("c3",),
            tips="blank",
        ),
    }


def _draw(
    lang: str,
    caption: Text,
    light: tuple[str, ...] = (),
    dark: tuple[str, ...] = (),
    *,
    layout: LayoutName = "royal",
    seat: int = 0,
    tips: Tips | None = None,
    last: Event | None = None,
) -> Diagram:
    state = State(Options(layout=layout), seat, tips, (7 - len(light), 7 - len(dark)), (light, dark))
    view = RULES.observe(state, None)
    return Diagram(LOOK.text(view, lang, last=last), LOOK.svg(view, lang, last=last), caption.to(lang))
