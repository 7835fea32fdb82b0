"""The diagrams of EGAR's rules pages."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from astragal.core.language import Text, say
from astragal.core.picture import beside, element
from astragal.core.picture import picture as whole_picture
from astragal.core.rules import Diagram
from astragal.games.egar import art, combat, picture
from astragal.games.egar.board import Board, ground
from astragal.games.egar.deck import CURRENT, sealed
from astragal.games.egar.options import Options
from astragal.games.egar.rules import EgarRules
from astragal.games.egar.speech import EgarPresentation
from astragal.games.egar.state import Question, State
from astragal.games.egar.view import View

RULES, LOOK = EgarRules(), EgarPresentation()

# The five ways to split a 4 (EG-5): for each soldier that moves, the squares it walks.
SPLITS = (
    ("B1-B5",),
    ("A1-A2", "B1-B2", "C1-C2", "D1-D2"),
    ("A1-A3", "C1-C3"),
    ("A1-A4", "C1-C2"),
    ("A1-A2", "B1-B2", "D1-D3"),
)


def diagrams(lang: str) -> Mapping[str, Diagram]:
    """All of them, by the names the pages use."""
    return {
        "start": _table(lang, say("The camps of four armies on the usual board."), 4),
        "start-two": _table(lang, say("With two players the camps lie in opposite corners."), 2),
        "start-three": _table(lang, say("With three players every two flags are equally far apart."), 3),
        "splits": _splits(lang),
        "steps": _steps(lang),
        "attacks": _attacks(lang),
        "nearest": _nearest(lang),
    }


def _table(lang: str, caption: Text, players: int) -> Diagram:
    view = RULES.observe(RULES.initial(Options(begins=0), players), None)
    return _drawn(view, lang, caption)


def _drawn(view: View, lang: str, caption: Text, extra: str = "") -> Diagram:
    drawn = picture.svg(view, lang, last=None, now="", description=caption.to(lang), panel=False)
    return Diagram(picture.board(view), drawn.replace("</svg>", f"{extra}</svg>"), caption.to(lang))


def _small(columns: int, rows: int, armies: tuple[str, ...], flags: tuple[str, ...] = ()) -> State:
    """A position on a board of its own. Flags that nobody asks for lie in the upper corners."""
    last = "ABCDEFGHIJKLM"[columns - 1]
    corners = flags or (f"A{rows}", f"{last}{rows}")
    board = Board("diagram", columns, rows, ("F", "s"), two=corners)
    number = ground(board).number
    options = replace(Options(begins=0, board=board), deck=sealed(CURRENT))
    squares = tuple(tuple(sorted(number[square] for square in army.split())) for army in armies)
    return State(options, CURRENT, squares, "move", 0, points=4)


def _splits(lang: str) -> Diagram:
    """Five small boards beside each other, each with one way to spend a 4."""
    caption = say("Five ways to split a roll of 4 between soldiers who began on row 1.")
    texts, groups = [], []
    for n, walks in enumerate(SPLITS):
        state = _small(4, 6, ("A1 B1 C1 D1", ""), ("A6", "D6"))
        view = replace(RULES.observe(state, None), flags=("", ""))
        ends = {walk.split("-")[1] for walk in walks}
        starts = {walk.split("-")[0] for walk in walks}
        arrived = tuple(sorted((set(view.armies[0]) - starts) | ends))
        texts.append(picture.board(replace(view, armies=(arrived, ()))))
        groups.append(_split(view, walks, n))
    width, height = 5 * 4 * art.SIDE + 4 * 60 + 2 * 46, 6 * art.SIDE + 90
    paper = element("rect", width=width, height=height, rx=14, fill=art.PAPER)
    drawn = whole_picture(width, height, say("EGAR").to(lang), caption.to(lang), paper, *groups)
    return Diagram("\n\n".join([beside(*texts[:3]), beside(*texts[3:])]), drawn, caption.to(lang))


def _split(view: View, walks: tuple[str, ...], n: int) -> str:
    parts = [art.table(picture.LEFT, picture.TOP, 4, 6)]
    parts += [art.soldier(*picture.centre(view, square), "military") for square in view.armies[0]]
    parts += [_arrow(view, *walk.split("-")) for walk in walks]
    return element("g", parts, transform=f"translate({n * (4 * art.SIDE + 60)} 0)")


def _arrow(view: View, start: str, end: str) -> str:
    (x, y), (_, to_y) = picture.centre(view, start), picture.centre(view, end)
    y -= 22
    line = element("line", x1=x, y1=y, x2=x, y2=to_y + 4, stroke=art.MARK, stroke_width=6, stroke_linecap="round")
    tip = element("path", d=f"M{x - 10:g} {to_y + 6:g} L{x:g} {to_y - 10:g} L{x + 10:g} {to_y + 6:g}Z", fill=art.MARK)
    return line + tip


def _steps(lang: str) -> Diagram:
    """Where one soldier may step, and what stops it."""
    state = replace(_small(7, 5, ("D3", "D4 F2"), ("C3", "G5")), points=1)
    return _drawn(
        RULES.observe(state, 0),
        lang,
        say(
            "The soldier on D3 may step to E3 or D2: on D4 an enemy is in the way, C3 is the square of its own flag, "
            "and there are no diagonal steps."
        ),
    )


def _attacks(lang: str) -> Diagram:
    """One to four soldiers against one, each with its odds."""
    state = _small(13, 5, ("B2 D3 F3 H3 I2 J3 K3 L2 L4 M3", "B3 E3 I3 L3"))
    view = RULES.observe(replace(state, phase="attack", points=0), 0)
    caption = say(
        "One, two, three and four soldiers attack B3, E3, I3 and L3: they win with {one}, {two}, {three} and {four}.",
        one=_share(1, lang),
        two=_share(2, lang),
        three=_share(3, lang),
        four=_share(4, lang),
    )
    return _drawn(replace(view, flags=("", "")), lang, caption)


def _share(soldiers: int, lang: str) -> str:
    share = f"{float(combat.odds(soldiers)) * 100:.1f} %"
    return share if lang == "en" else share.replace(".", ",")


def _nearest(lang: str) -> Diagram:
    """Which soldier a wrong answer costs, two of them equally near."""
    state = replace(_small(7, 6, ("F5", "B4 C3 D5 E2 G1"), ("F6", "B2")), phase="pick", points=0)
    view = RULES.observe(replace(state, question=Question(1, "medium", 0)), 0)
    caption = say(
        "A wrong answer of the side whose flag is on B2: B4 and C3 are both two steps from it, so the asker picks. "
        "E2 is three steps away and safe."
    )
    return _drawn(view, lang, caption)
