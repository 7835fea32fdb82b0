"""Pictures of a review as SVG: everybody's chances over the match, and luck against skill on one card."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape

from astragal.analysis.report import BLUNDER, MISTAKE, Review
from astragal.analysis.telling import Told
from astragal.core.language import decimal, say
from astragal.core.picture import element
from astragal.core.types import CHANCE

SEATS = ("#2f5a9c", "#b4513a", "#2f7d5b", "#a37a1c")
INK, SOFT, PAPER, LINE = "#2b2018", "#6d5b49", "#faf5ea", "#d9cbb2"
LUCKY = 0.03  # throws that gave a seat at least this much are marked,
MOST_LUCKY = 12  # but no more than so many
WIDTH, HEIGHT = 1200, 630  # of the card: what messengers show
SANS = "'Alegreya Sans', 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"


def graph(made: Review, told: Told, width: float = 900, height: float = 240) -> str:
    """Everybody's chances as bands on top of each other, with mistakes and luck marked. The inside of an SVG."""
    seats, plies = range(len(made.seats)), len(made.steps)
    shares = [[one.start for one in made.seats], *(list(step.after) for step in made.steps)]

    def place(ply: int, share: float) -> str:
        return f"{width * ply / max(1, plies):.1f} {height * (1 - share):.1f}"

    parts = []
    for seat in seats:
        upper = [place(ply, sum(one[: seat + 1])) for ply, one in enumerate(shares)]
        lower = [place(ply, sum(one[:seat])) for ply, one in enumerate(shares)]
        outline = "M" + "L".join([*upper, *reversed(lower)]) + "Z"
        parts.append(element("path", d=outline, fill=SEATS[seat % 4], klass=f"band seat-{seat}"))
    halfway = element("line", x1=0, x2=width, y1=height / 2, y2=height / 2, stroke="#fff", stroke_opacity=0.35)
    parts.append(halfway)
    for ply, seat, luck, size in marks(made):
        share = shares[ply]
        x, y = width * ply / max(1, plies), height * (1 - sum(share[:seat]) - share[seat] / 2)
        parts.append(_luck_mark(x, y) if luck else _mistake_mark(x, y, size >= BLUNDER))
    for seat in seats:
        share = shares[0]
        y = height * (1 - sum(share[:seat]) - share[seat] / 2)
        name = escape(told.seats[seat].name)
        parts.append(
            element("text", name, x=10, y=y + 5, fill="#fff", font_size=15, font_weight=600, font_family=SANS)
        )  # fmt: skip
    return "".join(parts)


def marks(made: Review) -> Iterator[tuple[int, int, bool, float]]:
    """What a graph marks: ply, the seat whose it is, whether luck, and how much."""
    lucky = []
    for step in made.steps:
        if step.seat == CHANCE:
            seat = max(range(len(made.seats)), key=step.luck)
            lucky.append((step.ply, seat, True, step.luck(seat)))
        elif step.loss >= MISTAKE:
            yield step.ply, step.seat, False, step.loss
    lucky = [one for one in lucky if one[3] >= LUCKY]
    yield from sorted(lucky, key=lambda one: -one[3])[:MOST_LUCKY]


def _luck_mark(x: float, y: float) -> str:
    d = f"M{x:.1f} {y - 7:.1f}l6 7l-6 7l-6 -7z"
    return element("path", d=d, fill="#ffe08a", stroke="#2b2018", stroke_width=1.2, klass="luck")


def _mistake_mark(x: float, y: float, large: bool) -> str:
    size = 9 if large else 6.5
    d = f"M{x - size:.1f} {y - size * 0.8:.1f}h{2 * size:.1f}l{-size:.1f} {1.7 * size:.1f}z"
    return element("path", d=d, fill="#fff", stroke="#2b2018", stroke_width=1.2, klass="mistake")


def legend(told_lang: str, y: float, size: float = 15) -> str:
    """What the marks of a graph mean."""
    lucky, mistake = say("Luck").to(told_lang), say("Mistake").to(told_lang)
    return "".join(
        [
            _luck_mark(8, y - 5),
            element("text", escape(lucky), x=22, y=y, font_size=size, fill="currentColor", font_family=SANS),
            _mistake_mark(22 + 11 * len(lucky) + 22, y - 6, False),
            element(
                "text",
                escape(mistake),
                x=22 + 11 * len(lucky) + 36,
                y=y,
                font_size=size,
                fill="currentColor",
                font_family=SANS,
            ),
        ]
    )


def balance(made: Review, told: Told, lang: str, width: float = 560, row: float = 64) -> str:
    """Luck against skill: for every seat two bars from a middle line, in points. The inside of an SVG."""
    largest = max(0.1, *(max(abs(one.luck), one.loss) for one in made.seats))
    name_width = 150
    middle = name_width + (width - name_width) / 2
    scale = (width - name_width) / 2 * 0.66 / largest
    parts = [
        element("line", x1=middle, x2=middle, y1=0, y2=row * len(made.seats), stroke="currentColor", opacity=0.4)
    ]  # fmt: skip
    for seat, one in enumerate(made.seats):
        top = row * seat
        name = told.seats[seat].name
        parts.append(_written(_short(name, 16), 0, top + 24, 18, bold=True))
        accuracy = say("accuracy {accuracy}", accuracy=f"{one.accuracy:.0f}").to(lang)
        parts.append(_written(accuracy, 0, top + 45, 14, soft=True))
        parts += _bar(middle, top + 6, one.luck * scale, "#c89a2b", say("luck").to(lang), one.luck, lang)
        parts += _bar(middle, top + 32, -one.loss * scale, "#b4513a", say("own mistakes").to(lang), -one.loss, lang)
    return "".join(parts)


def _bar(middle: float, top: float, length: float, colour: str, name: str, change: float, lang: str) -> list[str]:
    x = middle + min(0.0, length)
    figure = f"{decimal(100 * change, 1, lang, signed=True)}"
    end = middle + length + (6 if length >= 0 else -6)
    beside = middle + (-6 if length >= 0 else 6)
    anchor, other = ("start", "end") if length >= 0 else ("end", "start")
    return [
        element("rect", x=x, y=top, width=max(1.5, abs(length)), height=20.0, rx=3, fill=colour),
        _written(figure, end, top + 15, 15, anchor=anchor, bold=True),
        _written(name, beside, top + 15, 14, anchor=other, soft=True),
    ]


def card(made: Review, told: Told, board: str, lang: str) -> str:
    """The whole match on one card to share, with the board as it stood at the end. A whole SVG."""
    left = 620
    rows = len(made.seats)
    row = 64 if rows <= 3 else 54
    balance_top = 176
    graph_top = balance_top + row * rows + 24
    graph_height = HEIGHT - graph_top - 70
    players = " · ".join(f"{one.name}: {one.player}" if one.player else one.name for one in told.seats)
    parts = [
        element("rect", width=WIDTH, height=HEIGHT, fill=PAPER),
        _written(told.title, 44, 66, 34, bold=True, serif=True),
        _written(_short(players, 78), 44, 96, 17, soft=True),
        *(_written(line, 44, 130 + 24 * n, 20, serif=True) for n, line in enumerate(_wrapped(told.verdict, 66)[:2])),
        element("g", balance(made, told, lang, left - 44, row), transform=f"translate(44 {balance_top})"),
        element("g", graph(made, told, left - 44, graph_height), transform=f"translate(44 {graph_top})"),
        element("g", legend(lang, 0), transform=f"translate(44 {HEIGHT - 38})", color=SOFT),
        _placed(board, left + 40, 44, WIDTH - left - 84, HEIGHT - 112),
        _written("Astragal", WIDTH - 44, HEIGHT - 34, 18, anchor="end", soft=True, serif=True),
    ]
    words = " ".join([told.verdict, *(line for one in told.seats for line in (f"{one.name}:", *one.figures))])
    head = element("title", escape(say("What decided it?").to(lang))) + element("desc", escape(words))
    return element(
        "svg",
        [head, *parts],
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        width=WIDTH,
        height=HEIGHT,
        role="img",
        color=INK,
    )


def _placed(board: str, x: float, y: float, width: float, height: float) -> str:
    """A picture that stands alone, inside another one, as large as its place allows."""
    sized = f'<svg x="{x}" y="{y}" width="{width}" height="{height}" preserveAspectRatio="xMidYMid meet" '
    return re.sub(r"^<svg ", sized, board, count=1)


def _written(
    text: str,
    x: float,
    y: float,
    size: float,
    *,
    anchor: str = "start",
    bold: bool = False,
    soft: bool = False,
    serif: bool = False,
) -> str:
    return element(
        "text",
        escape(text),
        x=float(x),
        y=float(y),
        font_size=size,
        text_anchor=anchor,
        font_weight=600 if bold else 400,
        fill="currentColor",
        opacity=0.72 if soft else None,
        font_family="Alegreya, Georgia, 'Times New Roman', serif" if serif else SANS,
    )


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _wrapped(text: str, most: int) -> Sequence[str]:
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + len(word) >= most:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines
