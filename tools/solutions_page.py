"""The tables and pictures of docs/solutions.md, from the figures in docs/solutions.json."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from math import ceil, floor, log10
from pathlib import Path
from typing import Any, NamedTuple

from astragal.core.rules import Game

Record = dict[str, Any]

WIDTH, HEIGHT = 640, 300
LEFT, RIGHT, TOP, BOTTOM = 58, 150, 34, 44
STYLE = """text{font:13px system-ui,sans-serif;fill:#333}.title{font-weight:600}.axis{stroke:#888;fill:none}
.grid{stroke:#ddd}.s0{--c:#1f5fa8}.s1{--c:#b4531a}.s2{--c:#2c7a3f}.s3{--c:#7a3f93}
.line{stroke:var(--c);stroke-width:2;fill:none}.dot,.bar{fill:var(--c)}.name{fill:var(--c)}
@media(prefers-color-scheme:dark){text{fill:#ddd}.grid{stroke:#444}.s0{--c:#7fb4f0}.s1{--c:#f0a070}.s2{--c:#80d090}
.s3{--c:#d0a0e8}}"""


class Scale(NamedTuple):
    """An axis upwards."""

    low: float
    high: float
    step: float


def shown(record: Record) -> str:
    """Figures for people, as lines."""
    plain = {key: value for key, value in record.items() if key not in ("openings", "gaps", "options")}
    return "\n".join(f"{key}: {value}" for key, value in plain.items())


def files(folder: Path, records: list[Record], game_of: Callable[[str], Game]) -> dict[Path, str]:
    """The page and its pictures, each with what it should hold."""
    page = folder / "solutions.md"
    text = page.read_text("utf-8")
    made: dict[Path, str] = {}
    for id in dict.fromkeys(record["game"] for record in records):
        game = game_of(id)
        by_preset = {
            preset: sorted(_some(records, id, preset), key=lambda record: record["pieces"])
            for preset in game.rules.presets
            if _some(records, id, preset)
        }
        pictures = {
            "value": _lines("First player's chance to win", by_preset, lambda one: 100 * one["value"], "%"),
            "length": _lines("Throws of a perfect game", by_preset, lambda one: one["throws"][0], ""),
            "thumbs": _bars("Points a decision that rules of thumb cost", by_preset),
            "gaps": _histogram("How much better the best action is than the second-best", by_preset),
        }
        for name, drawn in pictures.items():
            made[folder / "img" / f"solutions-{id}-{name}.svg"] = drawn
        links = {name: f"![{_title(drawn)}](img/solutions-{id}-{name}.svg)" for name, drawn in pictures.items()}
        shown_first = "\n".join(links[name] for name in ("value", "length", "gaps"))
        text = _filled(text, f"figures {id}", f"{_figures(by_preset)}\n\n{shown_first}")
        text = _filled(text, f"thumbs {id}", f"{_thumbs(by_preset)}\n\n{links['thumbs']}")
        text = _filled(text, f"openings {id}", _openings(by_preset))
    return {page: text, **made}


def _title(drawn: str) -> str:
    return drawn.partition("<title>")[2].partition("</title>")[0]


def _some(records: list[Record], id: str, preset: str) -> list[Record]:
    return [record for record in records if (record["game"], record["preset"]) == (id, preset)]


def _filled(text: str, name: str, content: str) -> str:
    """The page with new content between the marks of this name."""
    begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    if begin not in text:
        raise SystemExit(f"docs/solutions.md has no mark {begin}")
    return re.sub(
        f"{re.escape(begin)}.*?{re.escape(end)}", lambda _: f"{begin}\n{content}\n{end}", text, flags=re.DOTALL
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _figures(by_preset: dict[str, list[Record]]) -> str:
    head = ("rules", "pieces", "positions", "first player", "bounds apart", "sweeps", "time", "of it sweeps",
            "throws a game",
            "decisions", "best is unique", "by points")  # fmt: skip
    rows = [
        (
            f"`{preset}`",
            str(one["pieces"]),
            f"{one['positions']:,}",
            f"{one['value']:.7f}",
            f"{one['bounds'][1] - one['bounds'][0]:.1e}" if one["bounds"] else "",
            f"{one['sweeps']:.0f}" if one["sweeps"] else "",
            f"{one['seconds']:,.1f} s" if one["seconds"] is not None else "",
            f"{one['sweeping']:,.1f} s" if one.get("sweeping") is not None else "",
            _with_error(one["throws"], 2),
            _with_error(one["decisions"], 2),
            f"{100 * one['unique'][0]:.2f} %" if one["decisions"][0] else "",
            f"{one['gap'][0]:.2f}" if one["decisions"][0] else "",
        )
        for preset, records in by_preset.items()
        for one in records
    ]
    machines = sorted({str(one["machine"]) for records in by_preset.values() for one in records if one["machine"]})
    return _table(head, rows) + f"\n\nTimes on: {'; '.join(machines)}."


def _thumbs(by_preset: dict[str, list[Record]]) -> str:
    head = ("rules", "pieces", "always", "has a say", "errs", "points a decision", "wins against perfect play")
    rows = [
        (
            f"`{preset}`",
            str(records[-1]["pieces"]),
            rule,
            f"{100 * found['applies'][0]:.1f} %",
            f"{100 * found['errs'][0]:.1f} %",
            _with_error(found["points"], 4),
            _with_error([100 * part for part in found["wins" if records[-1]["convention"] == "ends" else "won"]], 2)
            + " %",
        )
        for preset, records in by_preset.items()
        for rule, found in records[-1]["thumbs"].items()
    ]
    return _table(head, rows)


def _openings(by_preset: dict[str, list[Record]]) -> str:
    record = next(iter(by_preset.values()))[-1]
    head = ("throws", "best", "worth", "second", "worse by points")
    rows = [
        (
            ", ".join(word.removeprefix("throw-") for word in one["throws"]),
            one["moves"][0][0],
            f"{one['moves'][0][1]:.4f}",
            one["moves"][1][0],
            f"{100 * (one['moves'][0][1] - one['moves'][1][1]):.2f}",
        )
        for one in record["openings"]
    ]
    return f"With {record['pieces']} pieces each:\n\n" + _table(head, rows)


def _with_error(figure: Sequence[float], digits: int) -> str:
    return f"{figure[0]:.{digits}f} ± {figure[1]:.{digits}f}"


# Pictures ---------------------------------------------------------------------------------------------------------


def _svg(title: str, parts: Iterator[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">\n<title>{title}</title>\n'
        f'<style>{STYLE}</style>\n<text class="title" x="{LEFT}" y="20">{title}</text>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def _scale(values: Sequence[float], *, zero: bool) -> Scale:
    """Round numbers below and above some values."""
    least, most = 0.0 if zero else min(values), max(values)
    rough = (most - least) / 4 or 1.0
    power = 10.0 ** floor(log10(rough))
    step = next(power * nice for nice in (1, 2, 5, 10) if power * nice >= rough)
    low, high = floor(least / step + 1e-9) * step, ceil(most / step - 1e-9) * step
    return Scale(low, high if high > low else low + step, step)


def _frame(scale: Scale, unit: str) -> Iterator[str]:
    """Lines across with their numbers."""
    digits = max(0, -floor(log10(scale.step) + 1e-9))
    for number in range(round((scale.high - scale.low) / scale.step) + 1):
        value = scale.low + number * scale.step
        y = _y(value, scale)
        yield f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
        yield f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{value:.{digits}f}{unit}</text>'


def _y(value: float, scale: Scale) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - scale.low) / (scale.high - scale.low)


def _lines(title: str, by_preset: dict[str, list[Record]], figure: Callable[[Record], float], unit: str) -> str:
    """A figure against the number of pieces, a line for each set of rules."""
    values = [figure(one) for records in by_preset.values() for one in records]
    pieces = [one["pieces"] for records in by_preset.values() for one in records]
    scale = _scale(values, zero=False)

    def x(count: int) -> float:
        place: float = (
            LEFT + 14 + (WIDTH - LEFT - RIGHT - 28) * (count - min(pieces)) / (max(pieces) - min(pieces) or 1)
        )
        return place

    def parts() -> Iterator[str]:
        yield from _frame(scale, unit)
        for count in sorted(set(pieces)):
            yield f'<text x="{x(count):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{count}</text>'
        yield f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle">pieces each</text>'
        for number, (preset, records) in enumerate(by_preset.items()):
            points = [(x(one["pieces"]), _y(figure(one), scale)) for one in records]
            path = " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
            dots = "".join(f'<circle class="dot" cx="{a:.1f}" cy="{b:.1f}" r="3.5"/>' for a, b in points)
            end = f'<text class="name" x="{WIDTH - RIGHT + 12}" y="{TOP + 16 + 18 * number}">{preset}</text>'
            yield f'<g class="s{number % 4}"><polyline class="line" points="{path}"/>{dots}{end}</g>'

    return _svg(title, parts())


def _bars(title: str, by_preset: dict[str, list[Record]]) -> str:
    """Rules of thumb, with the most pieces of each set of rules."""
    last = {preset: records[-1] for preset, records in by_preset.items()}
    rules = list(next(iter(last.values()))["thumbs"])
    scale = _scale([one["thumbs"][rule]["points"][0] for one in last.values() for rule in rules], zero=True)
    group = (WIDTH - LEFT - RIGHT) / len(rules)
    wide = group * 0.8 / len(last)

    def parts() -> Iterator[str]:
        yield from _frame(scale, "")
        for place, rule in enumerate(rules):
            middle = LEFT + group * (place + 0.5)
            yield f'<text x="{middle:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{rule}</text>'
            for number, one in enumerate(last.values()):
                y = _y(one["thumbs"][rule]["points"][0], scale)
                left = LEFT + group * (place + 0.1) + wide * number
                tall = HEIGHT - BOTTOM - y
                yield (
                    f'<g class="s{number % 4}"><rect class="bar" x="{left:.1f}" y="{y:.1f}" width="{wide - 1:.1f}"'
                    f' height="{tall:.1f}"/></g>'
                )
        yield from _names({f"{preset}, {one['pieces']}": None for preset, one in last.items()})

    return _svg(title, parts())


def _histogram(title: str, by_preset: dict[str, list[Record]]) -> str:
    """Shares of decisions by the gap between the best and the second-best action, with the most pieces."""
    last = {preset: records[-1] for preset, records in by_preset.items()}
    shares = {preset: [100 * share for share in one["gaps"]] for preset, one in last.items()}
    bins = len(next(iter(shares.values()))) - 1  # the last one has all that is above
    scale = _scale([max(one[:bins]) for one in shares.values()], zero=True)

    def parts() -> Iterator[str]:
        yield from _frame(scale, "%")
        for points in range(0, 11, 2):
            x = LEFT + (WIDTH - LEFT - RIGHT) * points / 10
            yield f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{points}</text>'
        label = "points of win chance (above 10 left out)"
        yield f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle">{label}</text>'
        for number, one in enumerate(shares.values()):
            step = (WIDTH - LEFT - RIGHT) / len(one)
            path = " ".join(
                f"{LEFT + step * (place + 0.5):.1f},{_y(share, scale):.1f}" for place, share in enumerate(one[:bins])
            )
            yield f'<g class="s{number % 4}"><polyline class="line" points="{path}"/></g>'
        yield from _names({f"{preset}, {one['pieces']}": None for preset, one in last.items()})

    return _svg(title, parts())


def _names(names: dict[str, None]) -> Iterator[str]:
    for number, name in enumerate(names):
        y = TOP + 16 + 18 * number
        yield f'<g class="s{number % 4}"><text class="name" x="{WIDTH - RIGHT + 12}" y="{y}">{name}</text></g>'
