"""Our own drawings of the board, the pieces and the dice of Ur, as parts of an SVG picture.

The colours are those of shell, lapis lazuli and carnelian in dark wood. Pieces differ in tone and in pattern, so
that nobody needs to see colours to tell them apart.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import cos, pi, sin

from astragal.core.picture import element

SIDE = 72  # of a square, in units of the picture
GAP = 6
PITCH = SIDE + GAP

WOOD, WOOD_EDGE = "#3b2a20", "#241811"
SHELL, SHELL_EDGE = "#f1e6cf", "#c9b48d"
LAPIS, CARNELIAN, GOLD, SILVER = "#1f4e8c", "#a63d2b", "#d9a441", "#c9ced6"
MARK = "#e8a33d"
LIGHT_PIECE, DARK_PIECE = "#fbf6ea", "#262b33"
PAPER, INK, FAINT = "#faf5ea", "#33271d", "#7a6a58"


def place(square: str, left: float = 0, top: float = 0) -> tuple[float, float]:
    """The top left corner of a square: rows a, b, c from the top, columns from the left."""
    return left + (int(square[1:]) - 1) * PITCH, top + "cba".index(square[0]) * PITCH


def centre(square: str, left: float = 0, top: float = 0) -> tuple[float, float]:
    """The middle of a square."""
    x, y = place(square, left, top)
    return x + SIDE / 2, y + SIDE / 2


def wood(squares: Iterable[str], left: float, top: float) -> str:
    """The board under its squares. Neighbouring plates overlap, so that they look like one body."""
    plates = [place(square, left, top) for square in squares]
    edge = 10

    def body(colour: str, grow: float) -> list[str]:
        return [
            element("rect", x=x - grow, y=y - grow, width=SIDE + 2 * grow, height=SIDE + 2 * grow, rx=9, fill=colour)
            for x, y in plates
        ]

    return "".join([*body(WOOD_EDGE, edge + 2), *body(WOOD, edge)])


def square(name: str, left: float, top: float, ornament: str, tint: str = SHELL) -> str:
    """One square with its ornament inside."""
    x, y = place(name, left, top)
    plate = element("rect", x=x, y=y, width=SIDE, height=SIDE, rx=5, fill=tint, stroke=SHELL_EDGE, stroke_width=1.5)
    frame = element(
        "rect",
        x=x + 4,
        y=y + 4,
        width=SIDE - 8,
        height=SIDE - 8,
        rx=3,
        fill="none",
        stroke=LAPIS,
        stroke_width=1,
        opacity=0.55,
    )
    return plate + frame + element("g", ornament, transform=f"translate({x + SIDE / 2:g} {y + SIDE / 2:g})")


def rosette(radius: float = 27, petals: tuple[str, str] = (CARNELIAN, LAPIS)) -> str:
    """Eight petals round a small eye."""
    leaf = f"M0 0 C {radius * 0.26:g} {-radius * 0.38:g} {radius * 0.24:g} {-radius * 0.82:g} 0 {-radius:g} "
    leaf += f"C {-radius * 0.24:g} {-radius * 0.82:g} {-radius * 0.26:g} {-radius * 0.38:g} 0 0Z"
    ring = [element("path", d=leaf, fill=petals[k % 2], transform=f"rotate({45 * k})") for k in range(8)]
    eye = element("circle", r=radius * 0.19, fill=GOLD, stroke=SHELL, stroke_width=1.5)
    return "".join(ring) + eye


def quincunx() -> str:
    """Five dots, as on a die."""
    spots = [(0, 0), (-16, -16), (16, -16), (-16, 16), (16, 16)]
    return "".join(
        element("circle", cx=x, cy=y, r=5.5, fill=LAPIS) + element("circle", cx=x, cy=y, r=2, fill=SHELL)
        for x, y in spots
    )


def eyes() -> str:
    """Two pairs of eyes."""
    shape = "M-13 0 Q0 -10 13 0 Q0 10 -13 0Z"
    eye = element("path", d=shape, fill="none", stroke=CARNELIAN, stroke_width=2) + element("circle", r=3.6, fill=LAPIS)
    return "".join(element("g", eye, transform=f"translate(0 {y})") for y in (-13, 13))


def steps() -> str:
    """A stepped diamond."""
    outer = "M0 -24 L8 -16 8 -8 16 -8 24 0 16 8 8 8 8 16 0 24 -8 16 -8 8 -16 8 -24 0 -16 -8 -8 -8 -8 -16Z"
    return element("path", d=outer, fill=LAPIS, opacity=0.85) + element("circle", r=6, fill=CARNELIAN)


def plain_ornament(name: str) -> str:
    """The ornament of a square without a role; neighbours differ."""
    kinds = (quincunx, eyes, steps)
    return kinds[("abc".index(name[0]) * 2 + int(name[1:])) % 3]()


def piece(x: float, y: float, seat: int, radius: float = 22) -> str:
    """A piece: light with a ring of five dark dots, dark with a light cross of five."""
    body, spot = (LIGHT_PIECE, DARK_PIECE) if seat == 0 else (DARK_PIECE, LIGHT_PIECE)
    rim = "#8d7b62" if seat == 0 else "#0d1014"
    parts = [
        element("circle", cy=radius * 0.1, r=radius, fill="#000", opacity=0.28),
        element("circle", r=radius, fill=body, stroke=rim, stroke_width=radius * 0.09),
        element("circle", r=radius * 0.8, fill="none", stroke=rim, stroke_width=radius * 0.05),
    ]
    if seat == 0:
        turns = [2 * pi * k / 5 - pi / 2 for k in range(5)]
        dots = [(0.48 * radius * cos(turn), 0.48 * radius * sin(turn)) for turn in turns]
    else:
        dots = [(0, 0), (-0.42 * radius, 0), (0.42 * radius, 0), (0, -0.42 * radius), (0, 0.42 * radius)]
    parts += [element("circle", cx=float(dx), cy=float(dy), r=radius * 0.13, fill=spot) for dx, dy in dots]
    return element("g", parts, transform=f"translate({x:g} {y:g})")


def mark(name: str, left: float, top: float, *, dashed: bool = False) -> str:
    """A frame round a square of the last move: dashed where it began."""
    x, y = place(name, left, top)
    return element(
        "rect", x=x - 1, y=y - 1, width=SIDE + 2, height=SIDE + 2, rx=6, fill="none", stroke=MARK, stroke_width=5,
        stroke_dasharray="10 7" if dashed else None,
    )  # fmt: skip


def die(x: float, y: float, tip: str | None, size: float = 17) -> str:
    """A four-sided die seen from above; `tip` is the colour of its upper point, None for a blank one."""
    corners = [(0, -size), (size * 0.87, size * 0.5), (-size * 0.87, size * 0.5)]
    outline = "M" + " L".join(f"{cx:.1f} {cy:.1f}" for cx, cy in corners) + "Z"
    edges = "".join(
        element("line", x1=0, y1=0, x2=float(cx), y2=float(cy), stroke=WOOD, stroke_width=1.2) for cx, cy in corners
    )
    body = element("path", d=outline, fill=SHELL, stroke=WOOD, stroke_width=2, stroke_linejoin="round")
    dot = element("circle", r=size * 0.3, fill=tip, stroke=WOOD, stroke_width=1.5) if tip else ""
    return element("g", body + edges + dot, transform=f"translate({x:g} {y:g})")


def words(
    x: float, y: float, text: str, size: float = 17, colour: str = INK, anchor: str = "start", weight: str | None = None
) -> str:
    """A line of writing."""
    return element("text", text, x=x, y=y, font_size=size, fill=colour, text_anchor=anchor, font_weight=weight)


def labels(squares: Iterable[str], left: float, top: float) -> str:
    """Column numbers above the board and row letters beside it."""
    names = list(squares)
    columns = sorted({int(name[1:]) for name in names})
    numbers = [words(centre(f"a{c}", left, top)[0], top - 20, str(c), 15, FAINT, "middle") for c in columns]
    letters = [words(left - 26, centre(f"{row}1", left, top)[1] + 5, row, 15, FAINT, "middle") for row in "abc"]
    return "".join(numbers + letters)


def pool(x: float, y: float, seat: int, waiting: int, home: int, name: str, texts: tuple[str, str]) -> str:
    """A side's name, the pieces still to enter, and those already home."""
    parts = [words(x, y + 6, name, 19, weight="bold")]
    parts += [words(x + 130, y + 6, texts[0], 15, FAINT)]
    parts += [piece(x + 200 + 26 * k, y, seat, 11) for k in range(waiting)]
    parts += [words(x + 420, y + 6, texts[1], 15, FAINT)]
    parts += [piece(x + 500 + 26 * k, y, seat, 11) for k in range(home)]
    return "".join(parts)
