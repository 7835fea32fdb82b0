"""The table of the modern game as text and as SVG."""

from __future__ import annotations

from html import escape

from astragal.core.language import Text, noted, say
from astragal.core.picture import Cell, element, grid, picture
from astragal.games.ur import art
from astragal.games.ur.picture import LEFT, MARK_PAPER, PIECE_INK, PIECES, TOP, far, rows, seat_text
from astragal.games.ur_modern.actions import DICE_TEXTS, Tips
from astragal.games.ur_modern.board import SQUARES, Ground, ground
from astragal.games.ur_modern.view import Event, Moved, Placed, View

FORTRESS = "✻"
# The sign of each role on the text board, and its name.
ROLES = {
    "fortress": (FORTRESS, noted("fortress")),
    "entrance": ("E", noted("Entrance")),
    "kingdom": ("K", noted("Kingdom")),
    "marduk": ("M", noted("Marduk")),
    "ishtar": ("I", noted("Ishtar")),
}
PAPERS = {"earth": 223, "bridge": 252, "heaven": 153}  # sand, stone, sky
TINTS = {"earth": "#f1e2c4", "bridge": "#e6e2da", "heaven": "#dbe7f0"}
DICE: dict[Tips, tuple[str | None, str | None]] = {
    "blank": (None, None),
    "one": (art.GOLD, None),
    "mixed": (art.GOLD, art.SILVER),
    "silver": (art.SILVER, art.SILVER),
    "gold": (art.GOLD, art.GOLD),
}


def role(land: Ground, square: str) -> str | None:
    """The part a square plays, if it plays one."""
    if square in land.fortresses:
        return "fortress"
    if square in land.entrance:
        return "entrance"
    if square in land.kingdom:
        return "kingdom"
    return {land.marduk: "marduk", land.ishtar: "ishtar"}.get(square)


def marked(last: Event | None) -> tuple[tuple[str, bool], ...]:
    """The squares of the last action, each with whether something left it."""
    if isinstance(last, Placed):
        return ((last.square, False),)
    if isinstance(last, Moved):
        return tuple(pair for hop in last.hops for pair in ((hop.start, True), (hop.end, False)))
    return ()


def text(v: View, lang: str, *, colour: bool, last: Event | None) -> str:
    """The board with its labels, a legend, and a line for each side."""
    land = ground(v.options.layout)
    where = {square: seat for seat in (0, 1) for square in v.squares[seat]}
    touched = {square for square, _ in marked(last)}
    cells = {}
    for square in SQUARES:
        part, seat = role(land, square), where.get(square)
        sign = ROLES[part][0] if part else ""
        inside = sign if seat is None else f"{sign}{PIECES[seat]}{sign}"
        if square in touched:
            inside = f"›{inside or ' '}‹" if seat is None else f"›{PIECES[seat]}{sign or '‹'}"
        paper = MARK_PAPER if square in touched else PAPERS[land.region(square)]
        ink = PIECE_INK[seat] if seat is not None else 124
        cells[square[0], square[1:]] = Cell(inside, ink, paper, bold=seat is not None)
    board = grid(rows(v.seat), [str(column) for column in range(1, 9)], cells, colour=colour)
    sides = [_side(v, far(v.seat), lang), board, _side(v, 1 - far(v.seat), lang)]
    return "\n".join([*sides, f"  {legend(lang)}"])


def legend(lang: str) -> str:
    """What the signs mean."""
    return "  ".join(f"{sign} {say(name).to(lang)}" for sign, name in ROLES.values())


def _side(v: View, seat: int, lang: str) -> str:
    held = len(ground(v.options.layout).fortresses.intersection(v.squares[seat]))
    waiting = say("pool {pieces}", pieces=PIECES[seat] * v.pools[seat] or "-").to(lang)
    forts = say("fortresses {held} of 4", held=held).to(lang)
    return f"  {PIECES[seat]} {say(seat_text(seat)).to(lang):<8} {waiting:<18} {forts}"


def svg(v: View, lang: str, *, last: Event | None, description: str) -> str:
    """The table as a picture that stands alone."""
    land = ground(v.options.layout)
    width, height = LEFT + 8 * art.PITCH + 34, TOP + 3 * art.PITCH + 84
    parts = [
        element("rect", width=width, height=height, rx=14, fill=art.PAPER),
        art.wood(SQUARES, LEFT, TOP),
        *(art.square(square, LEFT, TOP, _ornament(land, square), TINTS[land.region(square)]) for square in SQUARES),
        art.labels(SQUARES, LEFT, TOP),
        *(art.mark(square, LEFT, TOP, dashed=left) for square, left in marked(last)),
    ]
    for seat in (0, 1):
        parts += [art.piece(*art.centre(square, LEFT, TOP), seat) for square in v.squares[seat]]
        parts.append(_pool(v, lang, seat, height - 36 if seat == 0 else 44))
    if v.tips is not None and v.mover is not None:
        middle = (art.centre("b5", LEFT, TOP)[0] + art.centre("b6", LEFT, TOP)[0]) / 2
        y = TOP + 2 * art.PITCH + 44 if v.mover == 0 else TOP + 34
        parts += [art.die(middle + 44 * (k - 0.5), y, tip, 18) for k, tip in enumerate(DICE[v.tips])]
    return picture(width, height, say("Ur: Heaven and Earth").to(lang), description, *parts)


def _pool(v: View, lang: str, seat: int, y: float) -> str:
    held = len(ground(v.options.layout).fortresses.intersection(v.squares[seat]))
    parts = [
        art.words(24, y + 6, escape(say(seat_text(seat)).to(lang)), 19, weight="bold"),
        art.words(154, y + 6, escape(say("to enter").to(lang)), 15, art.FAINT),
        *(art.piece(224 + 26 * k, y, seat, 11) for k in range(v.pools[seat])),
        art.words(444, y + 6, escape(say("fortresses {held} of 4", held=held).to(lang)), 15, art.FAINT),
    ]
    return "".join(parts)


def _ornament(land: Ground, square: str) -> str:
    part = role(land, square)
    if part is None:
        return element("circle", r=5, fill=art.LAPIS, opacity=0.35)
    return {"fortress": art.rosette, "entrance": _gate, "kingdom": _crown, "marduk": _spade, "ishtar": _star}[part]()


def _gate() -> str:
    """The Entrance: an arch between two towers."""
    towers = "M-24 22 V-14 H-20 V-20 H-14 V-14 H-10 V22Z M10 22 V-14 H14 V-20 H20 V-14 H24 V22Z"
    arch = "M-10 22 V2 A10 10 0 0 1 10 2 V22"
    return element("path", d=towers, fill=art.LAPIS) + element(
        "path", d=arch, fill="none", stroke=art.CARNELIAN, stroke_width=4
    )


def _crown() -> str:
    """The Kingdom: a horned crown."""
    horns = "M-22 14 Q-26 -12 -12 -20 Q-16 -6 -8 2 Q-6 -14 0 -24 Q6 -14 8 2 Q16 -6 12 -20 Q26 -12 22 14Z"
    band = element("rect", x=-22, y=16, width=44, height=7, rx=2, fill=art.CARNELIAN)
    return element("path", d=horns, fill=art.GOLD, stroke=art.WOOD, stroke_width=1.5) + band


def _spade() -> str:
    """Marduk: the spade on its shaft."""
    head = "M0 -26 L13 -6 V6 H-13 V-6Z"
    shaft = element("rect", x=-3, y=6, width=6, height=20, rx=2, fill=art.WOOD)
    return shaft + element("path", d=head, fill=art.LAPIS, stroke=art.GOLD, stroke_width=2)


def _star() -> str:
    """Ishtar: the eight-pointed star in a ring."""
    ray = "M0 -24 L4.5 -6 L0 0 L-4.5 -6Z"
    rays = [
        element("path", d=ray, fill=art.GOLD if k % 2 else art.CARNELIAN, transform=f"rotate({45 * k})")
        for k in range(8)
    ]
    ring = element("circle", r=27, fill="none", stroke=art.LAPIS, stroke_width=2.5)
    return ring + "".join(rays) + element("circle", r=4, fill=art.LAPIS)


def dice_text(tips: Tips) -> Text:
    """How the dice fell, in words."""
    return say(DICE_TEXTS[tips])
