"""The table of EGAR as text and as SVG."""

from __future__ import annotations

from html import escape
from textwrap import wrap

from astragal.core.language import Text, noted, say
from astragal.core.picture import Cell, element, paint, picture
from astragal.core.types import OVER
from astragal.games.egar import art
from astragal.games.egar.actions import LETTERS, Attack, Step, Take
from astragal.games.egar.board import COLUMNS, Board, ground, place
from astragal.games.egar.cards import Level
from astragal.games.egar.combat import odds
from astragal.games.egar.options import Army
from astragal.games.egar.view import Event, Stepped, View

# A shape and a terminal colour for each army; the shapes alone tell them apart.
SIGNS: dict[Army, str] = {"military": "▲", "samurai": "◆", "native": "●", "egyptian": "■"}
INKS: dict[Army, int] = {"military": 22, "samurai": 19, "native": 124, "egyptian": 94}
FLAG, STEP, EMPTY = "⚑", "+", "·"
SAND_PAPER, MARK_PAPER, FLAG_PAPER = 230, 221, 187

NAMES: dict[Army, str] = {
    "military": noted("Military"),
    "samurai": noted("Samurai"),
    "native": noted("Native Americans"),
    "egyptian": noted("Egyptians"),
}
LEVEL_NAMES: dict[Level, str] = {"easy": noted("easy"), "medium": noted("medium"), "hard": noted("hard")}


def army_name(army: Army) -> Text:
    """What an army is called."""
    return say(NAMES[army])


def level_name(level: Level) -> Text:
    """What a level is called."""
    return say(LEVEL_NAMES[level])


def attackable(v: View) -> dict[str, int]:
    """The enemies the mover could attack now, and with how many soldiers."""
    if v.phase not in ("move", "attack"):
        return {}
    near, number, names = ground(v.options.board).near, ground(v.options.board).number, ground(v.options.board).names
    mine = set(v.armies[v.mover])
    enemies = [square for seat, army in enumerate(v.armies) if seat != v.mover for square in army]
    beside = {square: sum(names[n] in mine for n in near[number[square]]) for square in enemies}
    return {square: soldiers for square, soldiers in beside.items() if soldiers}


def picks(v: View) -> list[str]:
    """The soldiers from which this seat picks one to leave."""
    return [a.square for a in v.legal if isinstance(a, Take)]


def percent(soldiers: int) -> str:
    """The odds of an attack by so many, rounded."""
    return f"{float(odds(soldiers)):.0%}"


def marked(last: Event | None) -> tuple[str, ...]:
    """The squares of the last step, its start first."""
    return (last.start, last.end) if isinstance(last, Stepped) else ()


# Text ----------------------------------------------------------------------------------------------------------


def text(v: View, lang: str, *, colour: bool, last: Event | None) -> str:
    """A line for each army, the board, what can be attacked, and the open question."""
    parts = [*(_roster(v, seat, lang, colour) for seat in range(len(v.armies))), board(v, colour=colour, last=last)]
    targets = attackable(v)
    if targets:
        listed = ", ".join(f"{square} {soldiers}:1 {percent(soldiers)}" for square, soldiers in sorted(targets.items()))
        parts += wrap("  " + say("Attacks: {list}", list=listed).to(lang), 78)
    parts += question_lines(v, lang)
    return "\n".join(parts)


def board(v: View, *, colour: bool = False, last: Event | None = None) -> str:
    """The squares with their labels, row 1 at the bottom."""
    size = _size(v)
    cells = {square: cell(v, square, last) for square in ground(v.options.board).names}
    head = "    " + "".join(column.center(3) for column in COLUMNS[: size.columns])
    rows = [
        f"{row:>3} " + "".join(cells[f"{column}{row}"].draw(3, colour) for column in COLUMNS[: size.columns])
        for row in range(size.rows, 0, -1)
    ]
    return "\n".join([head.rstrip(), *(row.rstrip() for row in rows)])


def cell(v: View, square: str, last: Event | None = None) -> Cell:
    """One square: a soldier, a flag, a square to step on, or nothing."""
    goals = {a.end for a in v.legal if isinstance(a, Step)}
    paper = MARK_PAPER if square in marked(last) else SAND_PAPER
    for seat, army in enumerate(v.armies):
        sign, ink = SIGNS[v.army(seat)], INKS[v.army(seat)]
        if square in army:
            if square in marked(last):
                sign = f"›{sign}‹"
            elif square in attackable(v) or square in picks(v) or (v.clash and square == v.clash.target):
                sign = f"[{sign}]"
            elif v.clash and square == v.clash.risk:
                sign = f"({sign})"
            return Cell(sign, ink, paper, bold=True)
    for seat, flag in enumerate(v.flags):
        if square == flag:
            return Cell(FLAG + SIGNS[v.army(seat)], INKS[v.army(seat)], FLAG_PAPER, bold=True)
    inside = "›‹" if square in marked(last) else STEP if square in goals else EMPTY
    return Cell(inside, 245, paper)


def _roster(v: View, seat: int, lang: str, colour: bool) -> str:
    army = v.army(seat)
    sign = SIGNS[army]
    soldiers = sign * len(v.armies[seat]) or say("out").to(lang)
    mark = "›" if seat == v.mover and v.turn != OVER else " "
    line = f"{mark} {sign} {army_name(army).to(lang):<20} {soldiers}"
    return paint(line, INKS[army]) if colour else line


def question_lines(v: View, lang: str) -> list[str]:
    """The open question and its options, in lines of at most 78 characters."""
    if v.phase != "answer" or v.question is None or v.question.face is None or v.question.level is None:
        return []
    face = v.question.face
    head = say(
        "Question for {army} ({level}): {question}",
        army=army_name(v.army(v.question.seat)),
        level=level_name(v.question.level),
        question=face.question.to(lang),
    )
    options = [f"{letter}  {option.to(lang)}" for letter, option in zip(LETTERS, face.options, strict=False)]
    return ["  " + line for line in wrap(head.to(lang), 76)] + ["    " + option for option in options]


# SVG -----------------------------------------------------------------------------------------------------------

LEFT, TOP = 46, 42  # of the board in its picture
PANEL, GAP = 306, 34  # the column beside it


def _size(v: View) -> Board:
    return ground(v.options.board).board


def centre(v: View, square: str) -> tuple[float, float]:
    """The middle of a square in the picture."""
    column, row = place(square)
    return LEFT + (column + 0.5) * art.SIDE, TOP + (_size(v).rows - row - 0.5) * art.SIDE


def svg(v: View, lang: str, *, last: Event | None, now: str, description: str, panel: bool = True) -> str:
    """The table as a picture that stands alone: the board, and beside it the armies and the question."""
    size = _size(v)
    across, down = size.columns * art.SIDE, size.rows * art.SIDE
    width = LEFT + across + (GAP + PANEL + 20 if panel else 30)
    height = TOP + down + 46 if not panel else max(TOP + down + 46, 620)
    parts = [
        element("rect", width=width, height=height, rx=14, fill=art.PAPER),
        art.table(LEFT, TOP, size.columns, size.rows),
        _labels(size),
        *_things(v, last),
    ]
    if panel:
        parts += _panel(v, lang, LEFT + across + GAP, now)
    return picture(width, height, say("EGAR").to(lang), description, *parts)


def _labels(size: Board) -> str:
    bottom = TOP + size.rows * art.SIDE + 30
    columns = [
        art.words(LEFT + (c + 0.5) * art.SIDE, bottom, COLUMNS[c], 15, art.FAINT, "middle") for c in range(size.columns)
    ]
    rows = [
        art.words(LEFT - 26, TOP + (size.rows - r - 0.5) * art.SIDE + 5, str(r + 1), 15, art.FAINT, "middle")
        for r in range(size.rows)
    ]
    return "".join(columns + rows)


def _things(v: View, last: Event | None) -> list[str]:
    """Marks, flags, soldiers, the squares to step on and the odds of attacks."""
    parts = []
    for seat, square in enumerate(v.flags):
        if square:
            parts.append(art.tint(*centre(v, square), v.army(seat)))
    parts += [art.mark(*centre(v, square), dashed=square == marked(last)[0]) for square in marked(last)]
    for seat, square in enumerate(v.flags):
        if square:
            parts.append(art.flag(*centre(v, square), v.army(seat)))
    for seat, army in enumerate(v.armies):
        parts += [art.soldier(*centre(v, square), v.army(seat)) for square in army]
    parts += [art.dot(*centre(v, square)) for square in sorted({a.end for a in v.legal if isinstance(a, Step)})]
    parts += [art.mark(*centre(v, square), colour=art.DANGER) for square in picks(v)]
    if v.clash is not None:
        parts.append(art.mark(*centre(v, v.clash.target), colour=art.DANGER))
        parts.append(art.mark(*centre(v, v.clash.risk), dashed=True, colour=art.DANGER))
    if any(isinstance(a, Attack) for a in v.legal) or v.seat is None:
        for square, soldiers in sorted(attackable(v).items()):
            x, y = centre(v, square)
            parts.append(art.label(x, y + art.SIDE / 2 - 5, percent(soldiers)))
    return parts


def _panel(v: View, lang: str, x: float, now: str) -> list[str]:
    """Who plays and how strong, what is going on, and the card on the table."""
    parts, y = [], TOP + 14.0
    for seat, squares in enumerate(v.armies):
        army = v.army(seat)
        mine = seat == v.mover and v.turn != OVER
        if mine:
            parts.append(element("rect", x=x - 10, y=y - 18, width=PANEL, height=36, rx=8, fill=art.SAND))
        parts.append(art.soldier(x + 12, y, army, 0.72))
        parts.append(art.words(x + 38, y + 6, escape(army_name(army).to(lang)), 18, weight="bold" if mine else None))
        count = str(len(squares)) if squares else escape(say("out").to(lang))
        parts.append(art.words(x + PANEL - 24, y + 6, count, 18, art.INK if squares else art.FAINT, "end", "bold"))
        y += 40
    y += 10
    dice = _dice(v)
    parts += [art.die(x + 17 + 44 * k, y + 8, pips) for k, pips in enumerate(dice)]
    y += 50 if dice else 0
    for line in art.lines(now, 16, PANEL):
        parts.append(art.words(x, y, escape(line), 16, art.FAINT))
        y += 21
    return parts + _card(v, lang, x, y + 6)


def _dice(v: View) -> list[int]:
    """The points left as a die, or the dice of a fight: the best so far, and those still to fall."""
    if v.phase == "move":
        return [v.points]
    if v.clash is None:
        return []
    shown = [v.clash.best] if v.clash.thrown else []
    return shown + [0] * (v.clash.dice - v.clash.thrown)


def _card(v: View, lang: str, x: float, y: float) -> list[str]:
    """The open question as a card; the letters of the options stand in a column of their own."""
    if v.phase != "answer" or v.question is None or v.question.face is None or v.question.level is None:
        return []
    face, top, room = v.question.face, y, PANEL - 30
    y += 30
    written = [art.words(x + 6, y, escape(level_name(v.question.level).to(lang)), 14, art.FAINT)]
    for line in art.lines(face.question.to(lang), 17, room):
        y += 22
        written.append(art.words(x + 6, y, escape(line), 17, weight="bold"))
    for letter, option in zip(LETTERS, face.options, strict=False):
        y += 8
        written.append(art.words(x + 6, y + 20, letter, 16, weight="bold"))
        for line in art.lines(option.to(lang), 16, room - 24):
            y += 20
            written.append(art.words(x + 30, y, escape(line), 16))
    card = element(
        "rect", x=x - 10, y=top, width=PANEL, height=y - top + 18, rx=10, fill="#fffdf6", stroke=art.SAND_EDGE,
        stroke_width=2,
    )  # fmt: skip
    return [card, *written]
