"""Drawing boards of squares: as text for a terminal, and the few SVG helpers that every game's picture needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from msgspec import Struct

RESET = "\x1b[0m"


class Picture(Struct, frozen=True):
    """A picture that notebooks draw by themselves."""

    svg: str

    def _repr_svg_(self) -> str:
        return self.svg


class Cell(Struct, frozen=True):
    """One square of a text board: up to three characters, and colours of the 256-colour palette."""

    text: str = ""
    ink: int | None = None
    paper: int | None = None
    bold: bool = False

    def draw(self, width: int, colour: bool) -> str:
        """The square's inside, `width` characters wide."""
        text = self.text.center(width)
        return paint(text, self.ink, self.paper, self.bold) if colour else text


def paint(text: str, ink: int | None = None, paper: int | None = None, bold: bool = False) -> str:
    """Text in colour, as a terminal understands it."""
    codes = [f"38;5;{ink}"] if ink is not None else []
    codes += [f"48;5;{paper}"] if paper is not None else []
    codes += ["1"] if bold else []
    return f"\x1b[{';'.join(codes)}m{text}{RESET}" if codes else text


# Which line runs up, right, down, left from a corner of the grid, as bits 1, 2, 4, 8.
_CORNERS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"


def grid(
    rows: Sequence[str],
    columns: Sequence[str],
    cells: Mapping[tuple[str, str], Cell],
    *,
    colour: bool = False,
    width: int = 3,
) -> str:
    """A ruled board with labels. Squares without a cell do not exist and leave a gap."""
    there = [[(row, column) in cells for column in columns] for row in rows]

    def exists(r: int, c: int) -> bool:
        return 0 <= r < len(rows) and 0 <= c < len(columns) and there[r][c]

    def corner(r: int, c: int) -> str:
        up = exists(r - 1, c - 1) or exists(r - 1, c)
        right = exists(r - 1, c) or exists(r, c)
        down = exists(r, c - 1) or exists(r, c)
        left = exists(r - 1, c - 1) or exists(r, c - 1)
        return _CORNERS[up + 2 * right + 4 * down + 8 * left]

    def rule(r: int) -> str:
        parts = []
        for c in range(len(columns)):
            line = exists(r - 1, c) or exists(r, c)
            parts += [corner(r, c), ("─" if line else " ") * width]
        return "".join(parts) + corner(r, len(columns))

    def inside(r: int) -> str:
        parts = []
        for c, column in enumerate(columns):
            parts.append("│" if exists(r, c) or exists(r, c - 1) else " ")
            parts.append(cells[rows[r], column].draw(width, colour) if exists(r, c) else " " * width)
        return "".join(parts) + ("│" if exists(r, len(columns) - 1) else " ")

    margin = max(len(row) for row in rows)
    head = " " * (margin + 2) + " ".join(column.center(width) for column in columns)
    lines = [head, " " * (margin + 1) + rule(0)]
    for r, row in enumerate(rows):
        lines += [f"{row:>{margin}} {inside(r)}", " " * (margin + 1) + rule(r + 1)]
    return "\n".join(line.rstrip() for line in lines)


def beside(*blocks: str, gap: int = 3) -> str:
    """Blocks of text without colour next to each other."""
    split = [block.split("\n") for block in blocks]
    widths = [max(map(len, lines)) for lines in split]
    height = max(map(len, split))
    padded = [lines + [""] * (height - len(lines)) for lines in split]
    joined = (
        (" " * gap).join(line.ljust(w) for line, w in zip(row, widths, strict=True))
        for row in zip(*padded, strict=True)
    )
    return "\n".join(line.rstrip() for line in joined)


def element(tag: str, inner: str | Iterable[str] = "", **attributes: object) -> str:
    """One SVG element. Underscores in attribute names stand for hyphens; `klass` is `class`."""
    names = {"klass": "class"}
    written = "".join(
        f' {names.get(name, name.replace("_", "-"))}="{escape(_number(value))}"'
        for name, value in attributes.items()
        if value is not None
    )
    body = inner if isinstance(inner, str) else "".join(inner)
    return f"<{tag}{written}>{body}</{tag}>" if body else f"<{tag}{written}/>"


def _number(value: object) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def picture(width: float, height: float, title: str, description: str, *parts: str, style: str = "") -> str:
    """A whole SVG document that also says in words what it shows."""
    head = element("title", escape(title)) + element("desc", escape(description))
    rules = element("style", style) if style else ""
    return element(
        "svg",
        [head, rules, *parts],
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_number(float(width))} {_number(float(height))}",
        role="img",
        aria_label=title,
        font_family="Georgia, 'Times New Roman', serif",
    )
