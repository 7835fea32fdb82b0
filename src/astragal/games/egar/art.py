"""Our own drawings of EGAR's board, soldiers, flags, die and cards, as parts of an SVG picture.

Each army has an outline of its own (a gabled shield, a diamond, a disc, a square) with its headgear inside, so that
nobody needs to see colours to tell them apart. Paper and ink are those of all our pictures.
"""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import wrap

from msgspec import Struct

from astragal.core.picture import element
from astragal.games.egar.options import Army

SIDE = 44  # of a square, in units of the picture

PAPER, INK, FAINT = "#faf5ea", "#33271d", "#7a6a58"
WOOD, WOOD_EDGE = "#3b2a20", "#241811"
SAND, SAND_DARK, SAND_EDGE = "#f1e6cf", "#eadcbf", "#d3bf98"
MARK, DANGER, CREAM, GOLD = "#e8a33d", "#a63d2b", "#fbf6ea", "#d9a441"


class Design(Struct, frozen=True):
    """How an army looks: its colours, its outline and what is drawn inside."""

    fill: str
    rim: str
    outline: str
    emblem: str


def _path(d: str, fill: str, **more: object) -> str:
    return element("path", "", d=d, fill=fill, **more)


def _helmet() -> str:
    """A steel helmet with its rim and chin strap."""
    return (
        _path("M-9 3 C-9 -9 9 -9 9 3Z", CREAM)
        + element("rect", x=-11.5, y=3, width=23, height=3.2, rx=1.6, fill=CREAM)
        + _path("M-7 7.5 C-6 13 6 13 7 7.5", "none", stroke=CREAM, stroke_width=1.6)
    )


def _kabuto() -> str:
    """A samurai's helmet with its crest of horns and its neck guard."""
    horns = "M0 -3 C-7 -4 -10 -8 -9 -13 C-6 -8 -3 -7 0 -6.5 C3 -7 6 -8 9 -13 C10 -8 7 -4 0 -3Z"
    return (
        _path("M-6.5 4 C-6.5 -6 6.5 -6 6.5 4Z", CREAM)
        + _path("M-7 4 H7 L10 9.5 H-10Z", CREAM, stroke="#1c3f69", stroke_width=1)
        + _path(horns, GOLD)
    )


def _feathers() -> str:
    """Three feathers in a band."""
    feather = _path("M0 7 C-4.4 1 -3.6 -8 0 -13 C3.6 -8 4.4 1 0 7Z", CREAM)
    quill = element("line", x1=0, y1=7, x2=0, y2=-9, stroke="#6d2114", stroke_width=1)
    fan = [element("g", feather + quill, transform=f"translate(0 2) rotate({turn} 0 7)") for turn in (-34, 34, 0)]
    return "".join(fan) + element("rect", x=-6, y=8, width=12, height=3.4, rx=1.7, fill=GOLD)


def _nemes() -> str:
    """The striped headcloth of the pharaohs round a face."""
    cloth = "M0 -12 C7 -12 9.5 -8 9.5 -3 L12 11 H5 L4.6 3 C4.6 -3.5 -4.6 -3.5 -4.6 3 "
    cloth += "L-5 11 H-12 L-9.5 -3 C-9.5 -8 -7 -12 0 -12Z"
    stripes = [
        element("line", x1=x, y1=y, x2=x2, y2=y, stroke=GOLD, stroke_width=1.3)
        for y, near, far in ((-1, 4.8, 9.8), (2.5, 4.8, 10.4), (6, 4.8, 11), (9, 5, 11.5))
        for x, x2 in ((-far, -near), (near, far))
    ]
    face = element("ellipse", cx=0, cy=1.5, rx=4.4, ry=5.4, fill=CREAM)
    return face + _path(cloth, "#3a3150") + "".join(stripes) + element("circle", cx=0, cy=-8, r=1.7, fill=GOLD)


DESIGNS: Mapping[Army, Design] = {
    "military": Design("#55803f", "#2f4d20", "M0 -18 L15 -9 V15 H-15 V-9Z", _helmet()),
    "samurai": Design("#2f62a0", "#173a66", "M0 -20 L19 0 L0 20 L-19 0Z", _kabuto()),
    "native": Design("#b0442f", "#6d2114", "M0 -17 A17 17 0 1 1 -0.01 -17Z", _feathers()),
    "egyptian": Design("#e0b04e", "#8a6215", "M-15.5 -15.5 H15.5 V15.5 H-15.5Z", _nemes()),
}


def soldier(x: float, y: float, army: Army, scale: float = 1) -> str:
    """One soldier, its middle here."""
    design = DESIGNS[army]
    parts = [
        _path(design.outline, "#000", opacity=0.25, transform="translate(0 2)"),
        _path(design.outline, design.fill, stroke=design.rim, stroke_width=2, stroke_linejoin="round"),
        element("g", design.emblem, transform="scale(0.92)"),
    ]
    return element("g", parts, transform=f"translate({x:g} {y:g}) scale({scale:g})")


def flag(x: float, y: float, army: Army) -> str:
    """A flag on its pole, with the outline of its army on the cloth."""
    design = DESIGNS[army]
    cloth = "M-11 -18 C-3 -22 6 -14 16 -18 V2 C6 6 -3 -2 -11 2Z"
    sign = _path(design.outline, CREAM, transform="translate(2.5 -8) scale(0.36)")
    parts = [
        element("ellipse", cx=-11, cy=18, rx=8, ry=2.6, fill="#000", opacity=0.2),
        element("line", x1=-11, y1=-20, x2=-11, y2=18, stroke=WOOD, stroke_width=3, stroke_linecap="round"),
        _path(cloth, design.fill, stroke=design.rim, stroke_width=1.6, stroke_linejoin="round"),
        sign,
    ]
    return element("g", parts, transform=f"translate({x:g} {y:g})")


def table(left: float, top: float, columns: int, rows: int) -> str:
    """The board without anything on it: a frame of wood and squares of sand in two tones."""
    width, height = columns * SIDE, rows * SIDE
    frame = [
        element(
            "rect", x=left - grow, y=top - grow, width=width + 2 * grow, height=height + 2 * grow, rx=7, fill=colour
        )
        for grow, colour in ((12, WOOD_EDGE), (10, WOOD))
    ]
    squares = [
        element(
            "rect", x=left + c * SIDE, y=top + r * SIDE, width=SIDE, height=SIDE,
            fill=SAND if (c + r) % 2 else SAND_DARK, stroke=SAND_EDGE, stroke_width=1,
        )
        for r in range(rows)
        for c in range(columns)
    ]  # fmt: skip
    return "".join(frame + squares)


def tint(x: float, y: float, army: Army) -> str:
    """A square coloured for the flag that stands on it; x and y are its middle."""
    design = DESIGNS[army]
    half = SIDE / 2 - 1
    return element("rect", x=x - half, y=y - half, width=2 * half, height=2 * half, fill=design.fill, opacity=0.28)


def mark(x: float, y: float, *, dashed: bool = False, colour: str = MARK) -> str:
    """A frame round a square: dashed where a step began."""
    half = SIDE / 2 - 2
    return element(
        "rect", x=x - half, y=y - half, width=2 * half, height=2 * half, rx=4, fill="none", stroke=colour,
        stroke_width=3.5, stroke_dasharray="7 5" if dashed else None,
    )  # fmt: skip


def dot(x: float, y: float) -> str:
    """A square that a soldier can step on now."""
    return element("circle", cx=x, cy=y, r=5.5, fill=MARK, opacity=0.75)


def label(x: float, y: float, text: str) -> str:
    """A small sign on the edge of a square, such as the odds of an attack."""
    width = 7 * len(text) + 8
    plate = element("rect", x=x - width / 2, y=y - 8, width=width, height=16, rx=4, fill=DANGER, stroke=CREAM)
    return plate + words(x, y + 4.5, text, 12.5, CREAM, "middle", "bold")


def words(
    x: float, y: float, text: str, size: float = 17, colour: str = INK, anchor: str = "start", weight: str | None = None
) -> str:
    """A line of writing."""
    return element("text", text, x=x, y=y, font_size=size, fill=colour, text_anchor=anchor, font_weight=weight)


def lines(text: str, size: float, width: float) -> list[str]:
    """A text broken into lines that fit; a letter is taken to be a little less than half as wide as it is high."""
    return wrap(text, max(8, int(width / (size * 0.47)))) or [""]


_PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
    6: [(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
}


def die(x: float, y: float, pips: int, size: float = 34) -> str:
    """A six-sided die that shows this number; 0 is one that has not fallen."""
    body = element(
        "rect", x=-size / 2, y=-size / 2, width=size, height=size, rx=7, fill=CREAM, stroke=WOOD, stroke_width=2
    )
    spots = [
        element("circle", cx=float(dx * size * 0.27), cy=float(dy * size * 0.27), r=size * 0.095, fill=INK)
        for dx, dy in _PIPS.get(pips, [])
    ]
    return element("g", [body, *spots], transform=f"translate({x:g} {y:g})")
