"""Our own drawings of the board and the tiles of Nile, as parts of an SVG picture.

The colours are sand, lapis lazuli and carnelian, in harmony with the board of Ur. Green, red and blue fields also
differ in the sign before their number, so that nobody needs to see colours to tell them apart.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from astragal.core.picture import element
from astragal.games.nile.board import COLUMNS, Field, Grid
from astragal.games.nile.tiles import NE, UNIVERSAL, E, Kind, N, S, W

SIDE = 40  # of a field, in units of the picture

PAPER, INK, FAINT = "#faf5ea", "#33271d", "#7a6a58"
WOOD, WOOD_EDGE = "#3b2a20", "#241811"
SAND, SAND_EDGE = "#f1e6cf", "#d8c7a3"
PLATE, PLATE_EDGE, STAR_PLATE, STAR = "#e9d3a1", "#b08d4f", "#f0d988", "#b98a2b"
WATER, BANK, GLINT = "#2f6fae", "#1b3f70", "#7fb2dd"
MARK = "#e8a33d"
TINTS = {"plain": SAND, "start": SAND, "green": "#bcd3a0", "red": "#e6ab97", "group": "#d98a75", "blue": "#a9c8e6"}
NUMBERS = {"green": "#2f5a1e", "red": "#84230f", "group": "#6b1608", "blue": "#153a6b"}
SEATS = ("#1f4e8c", "#a63d2b", "#4f7a3a", "#b07a1e")

# The eight points of a square of side 1, its upper left corner being the origin.
SPOTS = ((0.5, 0), (1, 0), (1, 0.5), (1, 1), (0.5, 1), (0, 1), (0, 0.5), (0, 0))
BEND = 0.66  # how far the river keeps the direction in which it enters: straight in at sides, 45 degrees at corners


def words(
    x: float, y: float, text: str, size: float = 15, colour: str = INK, anchor: str = "start", weight: str | None = None
) -> str:
    """A line of writing."""
    return element("text", escape(text), x=x, y=y, font_size=size, fill=colour, text_anchor=anchor, font_weight=weight)


def place(grid: Grid, field: Field) -> tuple[float, float]:
    """The upper left corner of a field on a board whose own corner is the origin; row 1 is the lowest."""
    return field.column * SIDE, (grid.rows - 1 - field.row) * SIDE


def way(entry: int, exit: int, side: float, left: float = 0, top: float = 0) -> str:
    """The path of a river through a square."""

    def bent(spot: tuple[float, float]) -> tuple[float, float]:
        return spot[0] + BEND * (0.5 - spot[0]), spot[1] + BEND * (0.5 - spot[1])

    first, last = SPOTS[entry], SPOTS[exit]
    points = [f"{left + x * side:.1f} {top + y * side:.1f}" for x, y in (first, bent(first), bent(last), last)]
    return f"M{points[0]} C{points[1]} {points[2]} {points[3]}"


def water(paths: Iterable[str], side: float) -> str:
    """The river along these paths: dark banks first, so that crossings flow into each other."""
    lines = list(paths)
    strokes = ((BANK, 0.34), (WATER, 0.24), (GLINT, 0.05))
    return "".join(
        element("path", d=d, fill="none", stroke=colour, stroke_width=width * side)
        for colour, width in strokes
        for d in lines
    )


def plate(side: float, kind: Kind, edge: float = 2) -> str:
    """A tile without its line; a universal shows the star of all lines it may carry."""
    universal = kind == UNIVERSAL
    body = element(
        "rect", x=edge, y=edge, width=side - 2 * edge, height=side - 2 * edge, rx=side * 0.09,
        fill=STAR_PLATE if universal else PLATE, stroke=PLATE_EDGE, stroke_width=1,
    )  # fmt: skip
    if not universal:
        return body
    inside = element(
        "path", d="".join(way(a, a + 4, side) for a in range(4)), fill="none", stroke=STAR, stroke_width=side * 0.06,
        opacity=0.55,
    )  # fmt: skip
    return body + inside


def tile(x: float, y: float, kind: Kind, lines: Iterable[tuple[int, int]], side: float) -> str:
    """A single tile with its line, cut off at its edges."""
    inside = plate(side, kind) + water([way(a, b, side) for a, b in lines], side)
    return element("svg", inside, x=x, y=y, width=side, height=side)


SHOWN: dict[Kind, tuple[int, int]] = {
    "straight": (4, 0), "curve": (4, 2), "far-left": (4, 7), "far-right": (4, 1), "diagonal": (5, 1),
    "near-left": (4, 5), "near-right": (4, 3), "bow": (5, 3),
}  # fmt: skip
"""One orientation of each kind, for racks and rules pages."""


def rack_tile(x: float, y: float, kind: Kind, value: int, name: str, side: float = 50) -> str:
    """A tile on a rack: its line, its value in a corner that the line leaves free, and its name below."""
    lines = [SHOWN[kind]] if kind in SHOWN else [(a, a + 4) for a in range(4)]
    disc = x + (7 if NE in SHOWN.get(kind, ()) else side - 7)
    return (
        tile(x, y, kind, lines, side)
        + element("circle", cx=disc, cy=y + 7, r=9, fill=PAPER, stroke=PLATE_EDGE, stroke_width=1)
        + words(disc, y + 11, str(value), 11, INK, "middle", "bold")
        + words(x + side / 2, y + side + 14, name, 11, FAINT, "middle")
    )


def field(grid: Grid, one: Field) -> str:
    """A field with nothing on it but its number."""
    x, y = place(grid, one)
    square = element(
        "rect", x=x, y=y, width=SIDE, height=SIDE, fill=TINTS[one.colour], stroke=SAND_EDGE, stroke_width=1
    )
    if not one.number:
        return square
    sign = {"green": "+", "red": "−", "group": "−"}.get(one.colour, "")
    return square + words(
        x + SIDE / 2, y + SIDE / 2 + 5, f"{sign}{one.number}", 14, NUMBERS[one.colour], "middle", "bold"
    )


def covered(grid: Grid, one: Field) -> str:
    """The number of a coloured field that a tile hides, small in the tile's corner."""
    if not one.number:
        return ""
    x, y = place(grid, one)
    return words(x + 4, y + 10, str(one.number), 8, NUMBERS[one.colour], weight="bold")


def outline(grid: Grid) -> str:
    """The edges of the U-groups, so that each is seen to be one."""
    parts = []
    for number, group in grid.group.items():
        x, y = place(grid, grid.fields[number])
        edges = {N: "M0 0h", E: f"M{SIDE} 0v", S: f"M0 {SIDE}h", W: "M0 0v"}
        d = "".join(f"{edges[p]}{SIDE}" for p in edges if grid.group.get(grid.beyond[number][p]) != group)
        parts.append(
            element("path", d=d, fill="none", stroke=NUMBERS["group"], stroke_width=2, transform=f"translate({x} {y})")
        )
    return "".join(parts)


def start(grid: Grid) -> str:
    """The mark below the start field from which the river springs."""
    x, _ = place(grid, grid.fields[grid.start])
    y = grid.rows * SIDE
    return element("path", d=f"M{x + SIDE / 2 - 9} {y + 11}l9 -11l9 11Z", fill=WATER, stroke=BANK)


def mark(grid: Grid, one: Field) -> str:
    """A frame round a tile of the last turn."""
    x, y = place(grid, one)
    return element(
        "rect", x=x + 1.5, y=y + 1.5, width=SIDE - 3, height=SIDE - 3, rx=4, fill="none", stroke=MARK, stroke_width=3
    )


def head(grid: Grid, one: Field, entry: int) -> str:
    """The field where the river goes on, with a spring at the point of entry."""
    x, y = place(grid, one)
    across, down = SPOTS[entry]
    frame = element(
        "rect", x=x + 2, y=y + 2, width=SIDE - 4, height=SIDE - 4, rx=4, fill="none", stroke=WATER, stroke_width=2.5,
        stroke_dasharray="6 4",
    )  # fmt: skip
    return frame + element(
        "circle", cx=x + across * SIDE, cy=y + down * SIDE, r=6.5, fill=WATER, stroke=PAPER, stroke_width=2
    )


def board(grid: Grid) -> str:
    """The empty board with its labels; its upper left corner is the origin."""
    width, height = grid.columns * SIDE, grid.rows * SIDE
    parts = [
        element("rect", x=-12, y=-12, width=width + 24, height=height + 24, rx=8, fill=WOOD_EDGE),
        element("rect", x=-10, y=-10, width=width + 20, height=height + 20, rx=7, fill=WOOD),
    ]
    parts += [field(grid, one) for one in grid.fields.values()]
    parts += [outline(grid), start(grid)]
    parts += [
        words((column + 0.5) * SIDE, height + 32, COLUMNS[column], 14, FAINT, "middle")
        for column in range(grid.columns)
    ]
    parts += [
        words(-20, (grid.rows - row - 0.5) * SIDE + 5, str(row + 1), 14, FAINT, "end") for row in range(grid.rows)
    ]
    return "".join(parts)


def emblem(x: float, y: float, seat: int, letter: str) -> str:
    """The sign of a player."""
    disc = element("circle", cx=x, cy=y, r=15, fill=SEATS[seat], stroke=WOOD_EDGE, stroke_width=1.5)
    return disc + words(x, y + 6, letter, 17, PAPER, "middle", "bold")


def backs(x: float, y: float, count: int) -> str:
    """Tiles seen from behind."""
    return "".join(
        element("rect", x=x + 17 * k, y=y, width=14, height=14, rx=2, fill=PLATE, stroke=PLATE_EDGE)
        for k in range(count)
    )
