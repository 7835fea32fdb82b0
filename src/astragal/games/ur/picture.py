"""The table of Ur as text and as SVG."""

from __future__ import annotations

from html import escape

from astragal.core.language import noted, say
from astragal.core.picture import Cell, element, grid, picture
from astragal.games.ur import art
from astragal.games.ur.actions import IN, OFF
from astragal.games.ur.board import track
from astragal.games.ur.view import Event, Moved, View

PIECES = ("○", "●")
ROSETTE = "✻"
SHELL_PAPER, ROSETTE_PAPER, MARK_PAPER = 230, 223, 221
PIECE_INK = (88, 16)  # brown and black: both read on shell, and the shapes differ too


def marked(last: Event | None) -> tuple[str, ...]:
    """The squares of the last move, its start first."""
    if not isinstance(last, Moved):
        return ()
    return tuple(square for square in (last.start, last.end) if square not in (IN, OFF))


def text(v: View, lang: str, *, colour: bool, last: Event | None) -> str:
    """The board with its labels, and a line for each side."""
    ways = track(v.options.path)
    where = {square: seat for seat in (0, 1) for square in v.squares[seat]}
    columns = [str(c) for c in sorted({int(square[1:]) for square in ways.squares})]
    cells = {}
    for square in ways.squares:
        rosette = square in ways.rosettes
        seat = where.get(square)
        inside = PIECES[seat] if seat is not None else ROSETTE if rosette else ""
        if square in marked(last):
            inside = f"›{inside or ' '}{ROSETTE if rosette and seat is not None else '‹'}"
        elif seat is not None and rosette:
            inside = f"{ROSETTE}{inside}{ROSETTE}"
        paper = MARK_PAPER if square in marked(last) else ROSETTE_PAPER if rosette else SHELL_PAPER
        ink = PIECE_INK[seat] if seat is not None else 124
        cells[square[0], square[1:]] = Cell(inside, ink, paper, bold=seat is not None)
    board = grid(rows(v.seat), columns, cells, colour=colour)
    return "\n".join([_side(v, far(v.seat), lang), board, _side(v, 1 - far(v.seat), lang)])


def far(viewer: int | None) -> int:
    """The side drawn at the top: for a player the other one, so that everybody's own row is nearest."""
    return 1 if viewer == 0 else 0


def rows(viewer: int | None) -> list[str]:
    """The rows from top to bottom as this viewer sees them."""
    return list("cba") if far(viewer) == 1 else list("abc")


def seat_text(seat: int) -> str:
    """The English name of a side, a key of the catalogue."""
    return (noted("Light"), noted("Dark"))[seat]


def _side(v: View, seat: int, lang: str) -> str:
    sign = PIECES[seat]
    name = say(seat_text(seat)).to(lang)
    waiting = say("pool {pieces}", pieces=sign * v.pools[seat] or "-").to(lang)
    home = say("home {pieces}", pieces=sign * v.home(seat) or "-").to(lang)
    return f"  {sign} {name:<8} {waiting:<18} {home}"


LEFT, TOP = 52, 118  # of the board in its picture


def _size(v: View) -> tuple[float, float]:
    widest = max(int(square[1:]) for square in track(v.options.path).squares)
    return max(LEFT + widest * art.PITCH + 34, 730), TOP + 3 * art.PITCH + 84


def _board(v: View) -> list[str]:
    """Paper, wood and squares, with nothing on them yet."""
    ways, (width, height) = track(v.options.path), _size(v)
    squares = sorted(ways.squares)
    return [
        element("rect", width=width, height=height, rx=14, fill=art.PAPER),
        art.wood(squares, LEFT, TOP),
        *(
            art.square(square, LEFT, TOP, art.rosette() if square in ways.rosettes else art.plain_ornament(square))
            for square in squares
        ),
        art.labels(squares, LEFT, TOP),
    ]


def svg(v: View, lang: str, *, last: Event | None, description: str) -> str:
    """The table as a picture that stands alone."""
    width, height = _size(v)
    parts = _board(v)
    if isinstance(last, Moved):
        parts += [art.mark(square, LEFT, TOP, dashed=square == last.start) for square in marked(last)]
    texts = (escape(say("to enter").to(lang)), escape(say("home").to(lang)))
    for seat in (0, 1):
        parts += [art.piece(*art.centre(square, LEFT, TOP), seat) for square in v.squares[seat]]
        y = height - 36 if seat == 0 else 44  # Light sits below, as at the table in the browser
        name = escape(say(seat_text(seat)).to(lang))
        parts.append(art.pool(24, y, seat, v.pools[seat], v.home(seat), name, texts))
    if v.throw is not None:
        parts += _dice(v, v.throw, width)
    return picture(width, height, say("The Royal Game of Ur").to(lang), description, *parts)


def _dice(v: View, throw: int, width: float) -> list[str]:
    """The dice as they fell, on the thrower's side of the bridge."""
    dice = 4 if v.options.dice == "four" else 3
    lit = throw % 4 if dice == 3 else throw  # with three dice none lit counts 4
    bridge = "a7" in track(v.options.path).squares
    middle = (art.centre("b5", LEFT, TOP)[0] + art.centre("b6", LEFT, TOP)[0]) / 2 if bridge else width - 110
    y = TOP + 2 * art.PITCH + 44 if v.mover == 0 else TOP + 34
    return [art.die(middle + 33 * (k - (dice - 1) / 2), y, art.GOLD if k < lit else None, 14) for k in range(dice)]


def svg_way(v: View, lang: str, description: str) -> str:
    """The board with the light side's way drawn over it, for the rules page."""
    width, height = _size(v)
    way = track(v.options.path).ways[0]
    spots = [art.centre(square, LEFT, TOP) for square in way]
    line = element(
        "polyline", points=" ".join(f"{x:g},{y:g}" for x, y in spots), fill="none", stroke=art.MARK,
        stroke_width=7, stroke_linejoin="round", stroke_linecap="round", opacity=0.85,
    )  # fmt: skip
    numbers = [
        element("circle", cx=x, cy=y, r=15, fill=art.PAPER, stroke=art.MARK, stroke_width=3)
        + art.words(x, y + 5.5, str(step), 16, anchor="middle", weight="bold")
        for step, (x, y) in enumerate(spots, 1)
    ]
    return picture(width, height, say("The Royal Game of Ur").to(lang), description, *_board(v), line, *numbers)
