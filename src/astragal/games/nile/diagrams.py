"""The diagrams of Nile's rules pages."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import wrap

from msgspec import Struct
from msgspec.structs import replace

from astragal.core.language import Text, say
from astragal.core.picture import beside, element, picture
from astragal.core.rules import Diagram
from astragal.games.nile import art
from astragal.games.nile.actions import Lay
from astragal.games.nile.board import Board, BoardName, grid
from astragal.games.nile.options import Options
from astragal.games.nile.picture import SHAPES, board_svg, line_shape, text_board
from astragal.games.nile.rules import NileRules
from astragal.games.nile.score_sheet import Laid, ScoreLine, turn_line
from astragal.games.nile.speech import sheet_line
from astragal.games.nile.state import State
from astragal.games.nile.tiles import KINDS, NAMES, NE, NW, POINTS, SW, UNIVERSAL, E, Kind, N, S, W, stock

RULES = NileRules()
CORNER_OF_A_BOARD = Board(
    "diagram", ("6 30 20 10 10 10 20 30", *(f"{row} . . . . . . ." for row in (5, 4, 3, 2)), "1 . . . * . . .")
)
"""A few plain fields, for positions in which nothing but the river matters."""


def diagrams(lang: str) -> Mapping[str, Diagram]:
    """All of them, by the names the pages use."""
    return {
        "board": _board(lang),
        "kinds": _kinds(lang),
        "joins": _joins(lang),
        "turn": _turn(lang),
        "crossing": _crossing(lang),
        "encirclement": _encirclement(lang),
    }


def _river(board: BoardName | Board, acts: str) -> tuple[Laid, ...]:
    """The tiles that these acts lay, one after the other, with a rack that holds whatever they need."""
    options = Options(board=board, begins=0)
    everything: tuple[Kind, ...] = tuple(kind for kind in KINDS for _ in range(4))
    state = State(options, "turn", 0, 0, (everything, ()), stock("nile").counts)
    for act in acts.split():
        action = RULES.decode(state, act)
        assert isinstance(action, Lay)
        state = RULES.apply(replace(state, racks=(everything, ())), action)
    return state.river


def _head(board: BoardName | Board, river: tuple[Laid, ...]) -> tuple[str, int]:
    """Where the river goes on after these tiles."""
    ground, last = grid(board), river[-1]
    return ground.names[ground.beyond[ground.number[last.field]][last.exit]], (last.exit + 4) % 8


def _framed(width: float, height: float, caption: str, *parts: str) -> str:
    paper = element("rect", width=width, height=height, rx=14, fill=art.PAPER)
    return picture(width, height, caption, caption, paper, *parts)


def _board(lang: str) -> Diagram:
    caption = say("The board with the start K1 below and the blue goal above.").to(lang)
    ground = grid("nile")
    head = (ground.names[ground.start], S)
    drawn = element("g", board_svg(ground, (), head), transform="translate(58 24)")
    svg = _framed(58 + ground.columns * art.SIDE + 30, 24 + ground.rows * art.SIDE + 50, caption, drawn)
    return Diagram(text_board(ground, (), head), svg, caption)


def _kinds(lang: str) -> Diagram:
    caption = say("The nine kinds, with the number of tiles and the value of each.").to(lang)
    tiles = stock("nile")
    lines, parts = [], []
    width = max(len(say(name).to(lang)) for name in NAMES.values())
    for place, kind in enumerate(KINDS):
        name, count, value = say(NAMES[kind]).to(lang), tiles.counts[place], tiles.value[kind]
        ends = art.SHOWN.get(kind, (S, N))
        joined = "-".join(POINTS[end] for end in ends) if kind in art.SHOWN else "*"
        lines.append(f"{line_shape(*ends, kind, crossing=False)}   {name:<{width}} {joined:<6} {count:>2} × {value:>2}")
        x, y = 30 + 118 * (place % 5), 24 + 112 * (place // 5)
        parts.append(art.rack_tile(x, y, kind, value, name, side=64))
        parts.append(art.words(x + 32, y + 95, f"× {count}", 12, art.FAINT, "middle"))
    return Diagram("\n".join(lines), _framed(600, 250, caption, *parts), caption)


class Scene(Struct, frozen=True):
    """A few fields with lines on them (column, row from below, entry, exit), and whether that is allowed."""

    lines: tuple[tuple[int, int, int, int], ...]
    good: bool
    caption: Text


def _scenes() -> tuple[Scene, ...]:
    return (
        Scene(((0, 0, S, E), (1, 0, W, N)), True, say("side to side")),
        Scene(((0, 0, S, NE), (1, 1, SW, N)), True, say("corner to corner")),
        Scene(((0, 0, S, NE), (1, 0, NW, S)), False, say("a sharp angle")),
        Scene(((0, 0, S, NE), (1, 1, SW, E), (1, 0, E, NW)), False, say("a corner used twice")),
        Scene(((0, 0, S, N), (0, 1, S, E), (1, 1, W, S), (1, 0, N, W)), False, say("a dead end")),
        Scene(((0, 0, S, W),), False, say("the border")),
    )


def _joins(lang: str) -> Diagram:
    caption = say("Two joins that are allowed, and four that are not.").to(lang)
    blocks, parts = [], []
    for place, scene in enumerate(_scenes()):
        sign, name = "✓" if scene.good else "✗", scene.caption.to(lang)
        shapes = {(column, row): SHAPES[frozenset((entry, exit))] for column, row, entry, exit in scene.lines}
        rows = ["│" + "".join(shapes.get((column, row), " · ") for column in (0, 1)) for row in (1, 0)]
        blocks.append("\n".join([*rows, f"{sign} {name}"]))
        parts.append(_scene(40 + 190 * (place % 3), 30 + 140 * (place // 3), scene, f"{sign} {name}"))
    text = "\n\n".join((beside(*blocks[:3]), beside(*blocks[3:])))
    return Diagram(text, _framed(590, 290, caption, *parts), caption)


def _scene(x: float, y: float, scene: Scene, caption: str) -> str:
    """Four fields at the left border of a board."""
    side = art.SIDE
    parts = [element("rect", x=-6, y=0, width=6, height=2 * side, fill=art.WOOD)]
    parts += [
        element("rect", x=column * side, y=row * side, width=side, height=side, fill=art.SAND, stroke=art.SAND_EDGE)
        for column in (0, 1)
        for row in (0, 1)
    ]
    spots = [(column * side, (1 - row) * side) for column, row, _, _ in scene.lines]
    parts += [element("g", art.plate(side, "straight"), transform=f"translate({left} {top})") for left, top in spots]
    ways = [art.way(entry, exit, side, *spot) for (_, _, entry, exit), spot in zip(scene.lines, spots, strict=True)]
    parts.append(art.water(ways, side))
    colour = art.NUMBERS["green"] if scene.good else art.NUMBERS["red"]
    parts.append(art.words(side, 2 * side + 22, caption, 14, colour, "middle", "bold"))
    return element("g", parts, transform=f"translate({x + 20} {y})")


def example_turn() -> tuple[tuple[Laid, ...], ScoreLine]:
    """The river after the example turn of the rules pages, and that turn's line on the score sheet."""
    river = _river("small", "F1:straight-N F2:far-right-NE G3:far-left-E H3:straight-E I3:curve-N I4:straight-N")
    return river, turn_line(0, river[1:], grid("small"), stock("nile"))


def _turn(lang: str) -> Diagram:
    caption = say("A whole rack in one turn: 10 for the tiles, +10 and +20 for two green fields, -20 once for two "
                  "fields of one red group, 20 for five tiles. Together 40.").to(lang)  # fmt: skip
    river, line = example_turn()
    ground, head = grid("small"), _head("small", river)
    text = "\n".join([text_board(ground, river, head, river[1:]), *wrap(sheet_line(line, lang), 78)])
    drawn = element("g", board_svg(ground, river, head, river[1:]), transform="translate(58 24)")
    width = 58 + ground.columns * art.SIDE + 30
    return Diagram(text, _framed(width, 24 + ground.rows * art.SIDE + 50, caption, drawn), caption)


LOOP = "D1:straight-N D2:straight-N D3:straight-N D4:curve-E E4:curve-S E3:straight-S"
POCKET = (
    "D1:straight-N D2:straight-N D3:straight-N D4:curve-E E4:straight-E F4:curve-S F3:straight-S F2:curve-W E2:curve-N"
)


def _crossing(lang: str) -> Diagram:
    caption = say("The lead on E2 points at D2; a universal takes the place of the straight there and the river "
                  "comes out on C2.").to(lang)  # fmt: skip
    return _pair(caption, LOOP, "E2:curve-W+universal")


def _encirclement(lang: str) -> Diagram:
    caption = say("The river is shut in at E3. Only a universal breaks out, here by crossing D3.").to(lang)
    return _pair(caption, POCKET, "E3:curve-W+universal")


def _pair(caption: str, acts: str, answer: str) -> Diagram:
    """The river before and after a crossing."""
    board = CORNER_OF_A_BOARD
    ground = grid(board)
    before, after = _river(board, acts), _river(board, f"{acts} {answer}")
    assert after[-1].tile == UNIVERSAL
    pairs = ((before, ()), (after, after[-2:]))
    text = beside(*(text_board(ground, river, _head(board, river), marked) for river, marked in pairs), gap=6)
    width = ground.columns * art.SIDE
    drawn = [
        element(
            "g",
            board_svg(ground, river, _head(board, river), marked),
            transform=f"translate({58 + place * (width + 80)} 24)",
        )
        for place, (river, marked) in enumerate(pairs)
    ]
    return Diagram(text, _framed(2 * width + 176, ground.rows * art.SIDE + 80, caption, *drawn), caption)
