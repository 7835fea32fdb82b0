"""The table of Ur as text and as SVG."""

from __future__ import annotations

from html import escape

from astragal.core.language import say
from astragal.core.picture import Cell, element, grid, picture
from astragal.games.ur import art
from astragal.games.ur.actions import IN, OFF
from astragal.games.ur.board import track
from astragal.games.ur.view import Event, Moved, View

PIECES = ("○", "●")
ROSETTE = "✻"
SHELL_PAPER, ROSETTE_PAPER, MARK_PAPER = 230, 223, 221
PIECE_INK = (130, 16)  # brown and black: both read on shell, and the shapes differ too


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
        if seat is not None and rosette:
            inside = f"{ROSETTE}{inside}{ROSETTE}"
        elif square in marked(last):
            inside = f"›{inside or ' '}‹"
        paper = MARK_PAPER if square in marked(last) else ROSETTE_PAPER if rosette else SHELL_PAPER
        ink = PIECE_INK[seat] if seat is not None else 124
        cells[square[0], square[1:]] = Cell(inside, ink, paper, bold=seat is not None)
    board = grid(list("abc"), columns, cells, colour=colour)
    return "\n".join([_side(v, 0, lang), board, _side(v, 1, lang)])


def seat_text(seat: int) -> str:
    """The English name of a side, a key of the catalogue."""
    return ("Light", "Dark")[seat]


def _side(v: View, seat: int, lang: str) -> str:
    sign = PIECES[seat]
    name = say(seat_text(seat)).to(lang)
    waiting = say("pool {pieces}", pieces=sign * v.pools[seat] or "-").to(lang)
    home = say("home {pieces}", pieces=sign * v.home(seat) or "-").to(lang)
    return f"  {sign} {name:<8} {waiting:<18} {home}"


def svg(v: View, lang: str, *, last: Event | None, description: str) -> str:
    """The board as a picture that stands alone."""
    ways = track(v.options.path)
    left, top = 52, 118
    widest = max(int(square[1:]) for square in ways.squares)
    width, height = max(left + widest * art.PITCH + 34, 730), top + 3 * art.PITCH + 84
    squares = sorted(ways.squares)
    parts = [
        element("rect", width=width, height=height, rx=14, fill=art.PAPER),
        art.wood(squares, left, top),
        *(
            art.square(square, left, top, art.rosette() if square in ways.rosettes else art.plain_ornament(square))
            for square in squares
        ),
        art.labels(squares, left, top),
    ]
    moved = marked(last)
    if isinstance(last, Moved):
        parts += [art.mark(square, left, top, dashed=square == last.start) for square in moved]
    for seat in (0, 1):
        parts += [art.piece(*art.centre(square, left, top), seat) for square in v.squares[seat]]
        y = 44 if seat == 0 else height - 36
        texts = (escape(say("to enter").to(lang)), escape(say("home").to(lang)))
        parts.append(art.pool(24, y, seat, v.pools[seat], v.home(seat), escape(say(seat_text(seat)).to(lang)), texts))
    if v.throw is not None:
        dice = 4 if v.options.dice == "four" else 3
        lit = v.throw if v.options.dice == "four" else v.throw % 4
        at = art.centre("b5", left, top)[0] - 19 if v.options.path != "aseb" else width - 150
        y = top + 18 if v.mover == 0 else top + 2 * art.PITCH + 42
        parts += [art.die(at + 38 * k - 38, y, art.GOLD if k < lit else None) for k in range(dice)]
    return picture(width, height, say("The Royal Game of Ur").to(lang), description, *parts)
