"""The table of Nile as text and as SVG."""

from __future__ import annotations

from textwrap import wrap

from astragal.core.language import Text, noted, say, say_count
from astragal.core.picture import Cell, element, picture
from astragal.core.types import OVER
from astragal.games.nile import art
from astragal.games.nile.board import COLUMNS, Field, Grid, grid
from astragal.games.nile.score_sheet import Laid, ScoreLine, last_turn
from astragal.games.nile.tiles import NAMES, NE, NW, SE, SW, UNIVERSAL, E, Kind, N, S, W, stock
from astragal.games.nile.view import View

SEAT_NAMES = (noted("Papyrus"), noted("Lotus"), noted("Ibis"), noted("Falcon"))
"""What the players are called: English, and keys of the catalogue."""

# Three characters a field: what a line joins is seen in the middle (up and down) and at both ends (sides, corners).
SHAPES = {
    frozenset(ends): shape
    for ends, shape in {
        (N, S): " │ ", (E, W): "───", (S, E): " ╭─", (S, W): "─╮ ", (N, E): " ╰─", (N, W): "─╯ ",
        (SW, NE): " ╱ ", (NW, SE): " ╲ ", (SW, SE): "╱─╲", (NW, NE): "╲─╱", (NW, SW): ")  ", (NE, SE): "  (",
        (S, NW): "╲╷ ", (S, NE): " ╷╱", (S, SW): "╱╷ ", (S, SE): " ╷╲",
        (N, SW): "╱╵ ", (N, SE): " ╵╲", (N, NW): "╲╵ ", (N, NE): " ╵╱",
        (E, NW): "╲╶─", (E, SW): "╱╶─", (E, NE): " ╶╱", (E, SE): " ╶╲",
        (W, NE): "─╴╱", (W, SE): "─╴╲", (W, NW): "╲╴ ", (W, SW): "╱╴ ",
    }.items()
}  # fmt: skip
UNIVERSAL_SIGN, CROSSING_SIGN, HEAD_SIGN = "✶", "╬", "◎"

PAPERS = {"plain": 230, "start": 230, "green": 151, "red": 217, "group": 210, "blue": 153}
INKS = {"plain": 180, "start": 94, "green": 22, "red": 88, "group": 88, "blue": 18}
RIVER_INK, RIVER_PAPER, MARK_PAPER, HEAD_PAPER = 18, 223, 220, 226


def line_shape(entry: int, exit: int, tile: Kind, crossing: bool) -> str:
    """A tile in three characters; the middle tells universals and crossings."""
    shape = SHAPES[frozenset((entry, exit))]
    if tile != UNIVERSAL:
        return shape
    if shape[1] in "╱╲":  # the diagonals have nothing but a middle
        shape = shape[1] * 3
    return shape[0] + (CROSSING_SIGN if crossing else UNIVERSAL_SIGN) + shape[2]


def river_shapes(river: tuple[Laid, ...]) -> dict[str, str]:
    """Each covered field in three characters; at a crossing the old line shows wherever the new one leaves room."""
    shapes: dict[str, str] = {}
    for laid in river:
        shape = line_shape(laid.entry, laid.exit, laid.tile, laid.replaced is not None)
        crossed = shapes.get(laid.field, shape)
        shapes[laid.field] = "".join(old if new == " " else new for old, new in zip(crossed, shape, strict=True))
    return shapes


def empty_sign(field: Field) -> str:
    """A field without a tile: its sign and number."""
    signs = {"plain": " · ", "start": " * ", "green": "+{}", "red": "-{}", "group": "U{}", "blue": "{}"}
    return signs[field.colour].format(field.number)


def text_board(
    ground: Grid,
    river: tuple[Laid, ...],
    head: tuple[str, int] | None,
    marked: tuple[Laid, ...] = (),
    colour: bool = False,
) -> str:
    """The board with row numbers and column letters; arrows there point at the head."""
    at, _ = head or ("", 0)
    cells = {name: _empty(ground.fields[number], name == at) for name, number in ground.number.items()}
    recent = {laid.field for laid in marked}
    for name, shape in river_shapes(river).items():
        if name in recent:
            shape = shape[0].replace(" ", "›") + shape[1] + shape[2].replace(" ", "‹")
        cells[name] = Cell(shape, RIVER_INK, MARK_PAPER if name in recent else RIVER_PAPER, bold=True)
    letters = COLUMNS[: ground.columns]
    top = [f"{letter}{ground.rows}" for letter in letters]
    # Numbers of three digits would run into each other, so every second blue field shows its own one line higher.
    raised = set(top[1::2]) - {laid.field for laid in river}
    blank = Cell("")
    above = "".join((cells[name] if name in raised else blank).draw(3, colour) for name in top)
    lines = [f"   │{above}│"]
    for row in range(ground.rows, 0, -1):
        arrow = "▸" if at[1:] == str(row) else " "
        names = [f"{letter}{row}" for letter in letters]
        inside = "".join((blank if name in raised else cells[name]).draw(3, colour) for name in names)
        lines.append(f"{row:>2}{arrow}│{inside}│")
    below = "".join(f"{'▴' if at[:1] == letter else ' '}{letter} " for letter in letters)
    return "\n".join([*lines, f"    {below}".rstrip()])


def _empty(field: Field, head: bool) -> Cell:
    sign = empty_sign(field)
    if not head:
        return Cell(sign, INKS[field.colour], PAPERS[field.colour])
    if field.colour != "blue":
        sign = f"{HEAD_SIGN}{field.number}" if field.number else f" {HEAD_SIGN} "
    return Cell(sign, RIVER_INK, HEAD_PAPER, bold=True)


def text(v: View, lang: str, *, colour: bool) -> str:
    """The board, a line for each player, and one's own rack."""
    ground = grid(v.options.board)
    board = text_board(ground, v.river, v.head, last_turn(v.river, v.sheet, v.laid), colour)
    lines = [_player(v, seat, lang) for seat in range(len(v.sizes))]
    if v.seat is not None and v.rack:
        rack = say("Your rack: {tiles}.", tiles=rack_text(v, lang)).to(lang)
        lines += wrap(rack, 78, initial_indent="  ", subsequent_indent="    ")
    return "\n".join([board, *lines])


def rack_text(v: View, lang: str) -> str:
    """The kinds on one's rack with their values."""
    value = stock(v.options.tiles).value
    return ", ".join(f"{say(NAMES[kind]).to(lang)} {value[kind]}" for kind in v.rack)


def standing(v: View, seat: int) -> Text:
    """A player's points and tiles."""
    return say_count(
        v.scores[seat], "{n} point, {tiles} on the rack", "{n} points, {tiles} on the rack", tiles=v.sizes[seat]
    )


def _player(v: View, seat: int, lang: str) -> str:
    arrow = "▸" if v.mover == seat and v.turn != OVER else " "
    name = say(SEAT_NAMES[seat]).to(lang)
    state = say("has given up").to(lang) if seat in v.gone else standing(v, seat).to(lang)
    if v.pending is not None and v.pending.seat == seat:
        state += f" ({_signed(v.pending.total)})"
    if seat == len(v.sizes) - 1:
        state += "; " + say("{n} in the bag", n=v.bag).to(lang)
    return f"{arrow} {name:<8} {state}"


def _signed(points: int) -> str:
    return f"{points:+d}".replace("-", "−")


# SVG ----------------------------------------------------------------------------------------------------------

LEFT, TOP, PANEL = 58, 24, 300


def river_parts(ground: Grid, river: tuple[Laid, ...], marked: tuple[Laid, ...]) -> list[str]:
    """The tiles with the river on them: plates first, so that none hides the water of its neighbour."""
    kinds = {laid.field: laid.tile for laid in river}  # a crossing comes later and replaces what was there
    fields = {name: ground.fields[ground.number[name]] for name in kinds}
    parts = []
    for name, kind in kinds.items():
        x, y = art.place(ground, fields[name])
        parts.append(element("g", art.plate(art.SIDE, kind), transform=f"translate({x} {y})"))
        parts.append(art.covered(ground, fields[name]))
    parts += [art.mark(ground, fields[name]) for name in dict.fromkeys(laid.field for laid in marked)]

    def ways(crossing: bool) -> list[str]:
        chosen = [laid for laid in river if (laid.replaced is not None) == crossing]
        return [art.way(laid.entry, laid.exit, art.SIDE, *art.place(ground, fields[laid.field])) for laid in chosen]

    # A crossing is drawn over the river it crosses, banks and all, as a bridge would be.
    return [*parts, art.water(ways(False), art.SIDE), *(art.water([way], art.SIDE) for way in ways(True))]


def board_svg(
    ground: Grid, river: tuple[Laid, ...], head: tuple[str, int] | None, marked: tuple[Laid, ...] = ()
) -> str:
    """The board with its river; its upper left corner is the origin."""
    parts = [art.board(ground), *river_parts(ground, river, marked)]
    if head is not None:
        parts.append(art.head(ground, ground.fields[ground.number[head[0]]], head[1]))
    return "".join(parts)


def svg(v: View, lang: str, description: str) -> str:
    """The table as a picture that stands alone."""
    ground = grid(v.options.board)
    width = LEFT + ground.columns * art.SIDE + 30 + PANEL
    shelves = -(-stock(v.options.tiles).rack // 3)  # three tiles of one's rack beside each other
    height = max(TOP + ground.rows * art.SIDE + 50, 132 + 62 * len(v.sizes) + 84 * shelves)
    board = board_svg(ground, v.river, v.head, last_turn(v.river, v.sheet, v.laid))
    return picture(
        width,
        height,
        say("Nile").to(lang),
        description,
        element("rect", width=width, height=height, rx=14, fill=art.PAPER),
        element("g", board, transform=f"translate({LEFT} {TOP})"),
        element("g", _panel(v, lang), transform=f"translate({width - PANEL} {TOP})"),
    )


def _panel(v: View, lang: str) -> list[str]:
    """Names, points and tiles of the players, one's own rack, and the bag."""
    parts = [art.words(0, 22, say("Nile").to(lang), 26, weight="bold")]
    y = 62.0
    for seat in range(len(v.sizes)):
        name = say(SEAT_NAMES[seat]).to(lang)
        if v.mover == seat and v.turn != OVER:
            parts.append(element("rect", x=-8, y=y - 22, width=PANEL - 14, height=52, rx=8, fill=art.SAND))
        parts.append(art.emblem(14, y, seat, name[0]))
        parts.append(art.words(38, y + 6, name, 18, weight="bold"))
        parts.append(art.words(PANEL - 32, y + 7, str(v.scores[seat]), 21, anchor="end", weight="bold"))
        parts.append(art.backs(38, y + 12, v.sizes[seat]))
        last = _last_line(v, seat)
        if last:
            parts.append(art.words(PANEL - 32, y + 24, last, 12, art.FAINT, "end"))
        y += 62
    parts.append(art.words(0, y + 2, say("{n} in the bag", n=v.bag).to(lang), 15, art.FAINT))
    if v.seat is not None and v.rack:
        value = stock(v.options.tiles).value
        for place, kind in enumerate(v.rack):
            x, below = 92 * (place % 3), y + 26 + 84 * (place // 3)
            parts.append(art.rack_tile(x + 18, below, kind, value[kind], say(NAMES[kind]).to(lang)))
    return parts


def _last_line(v: View, seat: int) -> str:
    """What the seat's turn in progress, or else its last line on the sheet, counts."""
    if v.pending is not None and v.pending.seat == seat:
        return f"({_signed(v.pending.total)})"
    lines: list[ScoreLine] = [line for line in v.sheet if line.seat == seat and line.how in ("laid", "passed")]
    return _signed(lines[-1].total) if lines else ""
