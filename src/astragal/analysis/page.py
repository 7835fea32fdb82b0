"""A review as one page of HTML that needs nothing else: no network, no script, light and dark, and good to print."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from html import escape
from typing import Any

from astragal.analysis import charts
from astragal.analysis.report import SLIP, Review, Step
from astragal.analysis.telling import Told, ToldRow
from astragal.core.language import decimal, say
from astragal.core.line import Line, Ply
from astragal.core.types import CHANCE

STYLE = """
:root { color-scheme: light dark; --wall: #f6efe2; --card: #fffaf0; --ink: #2b2018; --soft: #6d5b49; --line: #d9cbb2; }
@media (prefers-color-scheme: dark) {
  :root { --wall: #16110d; --card: #211913; --ink: #f1e7d6; --soft: #bba98f; --line: #47382b; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--wall); color: var(--ink);
  font: 1.05rem/1.5 'Alegreya Sans', 'Segoe UI', sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 1.5rem clamp(0.8rem, 3vw, 2rem) 3rem; }
h1, h2, h3 { font-family: Alegreya, Georgia, serif; line-height: 1.2; margin: 0 0 0.4rem; font-weight: 600; }
h2 { margin-top: 2rem; }
p { margin: 0 0 0.5rem; }
.verdict { font: 1.25rem/1.4 Alegreya, Georgia, serif; }
.soft { color: var(--soft); }
figure { margin: 1rem 0; }
figure > svg { display: block; width: 100%; height: auto; color: var(--ink); }
figcaption { color: var(--soft); font-size: 0.95rem; }
.seats { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 1rem; }
.seats section, .moment { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1rem; }
.seats ul { margin: 0; padding-left: 1.1rem; }
.moment { margin: 1rem 0; break-inside: avoid; }
.boards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr)); gap: 1rem; }
.boards figure { margin: 0.5rem 0 0; }
.boards img { display: block; width: 100%; height: auto; max-height: 24rem; object-fit: contain; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: 0.95rem; }
.scroll { overflow-x: auto; }
th, td { text-align: left; padding: 0.2rem 0.6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
td.figure, th.figure { text-align: right; white-space: nowrap; }
.sum tr:last-child > * { border-top: 2px solid var(--ink); font-weight: 600; }
.scroll + .seats { margin-top: 1rem; }
details summary { cursor: pointer; min-height: 44px; padding: 0.6rem 0; }
@media print {
  :root { --wall: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; color-scheme: light; }
  body { font-size: 10pt; }
  main { max-width: none; padding: 0; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""


def page(line: Line, made: Review, told: Told, lang: str) -> str:
    """The whole page."""
    return _Page(line, made, told, lang).written()


class _Page:
    def __init__(self, line: Line, made: Review, told: Told, lang: str) -> None:
        self.line, self.made, self.told, self.lang = line, made, told, lang

    def written(self) -> str:
        question = say("What decided it?").to(self.lang)
        title = escape(f"{question} {self.told.title}")
        body = "\n".join(self._body())
        return (
            f'<!doctype html>\n<html lang="{self.lang}">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
        )

    def _body(self) -> Iterator[str]:
        told = self.told
        players = " · ".join(f"{one.name}: {one.player}" if one.player else one.name for one in told.seats)
        yield f"<h1>{escape(told.title)}</h1>\n<p class=soft>{escape(players)}</p>"
        yield f"<p class=verdict>{escape(told.verdict)}</p>\n<p class=soft>{escape(told.evaluator)}</p>"
        yield from self._graph()
        yield from self._balance()
        yield from self._seats()
        moments = escape(say("The moments that mattered").to(self.lang))
        yield f"<h2>{moments}</h2>"
        for ply in self.made.moments:
            yield self._moment(self.made.steps[ply - 1], self.line.steps[ply - 1])
        if told.taken_back:
            lines = "".join(f"<li>{escape(one)}</li>" for one in told.taken_back)
            heading = escape(say("Taken back").to(self.lang))
            yield f"<h2>{heading}</h2>\n<ul>{lines}</ul>"
        yield from self._plies()

    def _graph(self) -> Iterator[str]:
        heading = escape(say("Chances over the match").to(self.lang))
        yield f"<h2>{heading}</h2>"
        inside = charts.graph(self.made, self.told, 720, 230) + charts.legend(self.lang, 256)
        described = escape(" ".join(self._course()))
        yield (
            f'<figure><svg viewBox="0 0 720 264" role="img" aria-label="{described}">{inside}</svg>'
            f"<figcaption>{described}</figcaption></figure>"
        )

    def _course(self) -> Iterator[str]:
        """The graph in words: each seat's chance at the start, at its highest and at its lowest."""
        for seat, one in enumerate(self.told.seats):
            chances = [self.made.seats[seat].start, *(step.after[seat] for step in self.made.steps)]
            yield say(
                "{name}: {start} % at the start, at most {most} %, at least {least} %.",
                name=one.name,
                start=f"{100 * chances[0]:.0f}",
                most=f"{100 * max(chances):.0f}",
                least=f"{100 * min(chances):.0f}",
            ).to(self.lang)

    def _balance(self) -> Iterator[str]:
        height = 64 * len(self.made.seats) + 10
        heading = escape(say("Luck against skill, in points").to(self.lang))
        inside = charts.balance(self.made, self.told, self.lang)
        yield (
            f'<h2>{heading}</h2>\n<figure><svg viewBox="0 0 560 {height}" role="img" aria-label="{heading}">'
            f"{inside}</svg></figure>"
        )

    def _seats(self) -> Iterator[str]:
        heading = escape(say("The figures").to(self.lang))
        yield f"<h2>{heading}</h2>\n{self._table()}\n<div class=seats>"
        for one in self.told.seats:
            lines = "".join(f"<li>{escape(text)}</li>" for text in (*one.figures, *one.dice))
            name = escape(f"{one.name}: {one.player}" if one.player else one.name)
            yield f"<section><h3>{name}</h3><ul>{lines}</ul></section>"
        yield "</div>"

    def _table(self) -> str:
        """All figures at a glance: how they add up to the result, and the others below it."""
        names = "".join(f"<th scope=col class=figure>{escape(one.name)}</th>" for one in self.told.seats)
        summed, others = ("".join(map(_row, rows)) for rows in (self.told.sums, self.told.table))
        return (
            f"<div class=scroll><table><thead><tr><td></td>{names}</tr></thead>"
            f"<tbody class=sum>{summed}</tbody><tbody>{others}</tbody></table></div>"
        )

    def _moment(self, step: Step, ply: Ply) -> str:
        told = self.told.steps[step.ply - 1]
        boards = [self._board(ply.after, ply, ply.action, say("As it was played").to(self.lang))]
        if step.seat != CHANCE and step.best and step.loss >= SLIP:
            rules = self.line.rules
            best = rules.decode(ply.before, step.best)
            caption = say("Better: {best}", best=told.best).to(self.lang)
            boards.append(self._board(rules.apply(ply.before, best), ply, best, caption))
        heading = escape(say("Ply {ply}", ply=step.ply).to(self.lang))
        words = f"<p>{escape(told.happened)} <strong>{escape(told.judged)}</strong></p>"
        return f"<section class=moment><h3>{heading}</h3>{words}<div class=boards>{''.join(boards)}</div></section>"

    def _board(self, after: Any, ply: Ply, action: Any, caption: str) -> str:
        """The table after an action as the seat saw it that acted, or as everybody did."""
        rules, viewer = self.line.rules, ply.seat if ply.seat != CHANCE else None
        last = rules.event(ply.before, action, viewer)
        svg = self.line.game.presentation.svg(rules.observe(after, viewer), self.lang, last=last)
        data = base64.b64encode(svg.encode()).decode()
        image = f'<img alt="{escape(caption)}" src="data:image/svg+xml;base64,{data}">'
        return f"<figure>{image}<figcaption>{escape(caption)}</figcaption></figure>"

    def _plies(self) -> Iterator[str]:
        heading = escape(say("Every ply").to(self.lang))
        names = "".join(f"<th>{escape(one.name)}</th>" for one in self.told.seats)
        yield f"<h2>{heading}</h2>\n<details><summary>{heading}</summary><div class=scroll><table>"
        happened = escape(say("What happened").to(self.lang))
        yield f"<thead><tr><th>#</th><th>{happened}</th>{names}</tr></thead><tbody>"
        for step, told in zip(self.made.steps, self.told.steps, strict=True):
            chances = "".join(f"<td class=figure>{decimal(100 * one, 1, self.lang)} %</td>" for one in step.after)
            words = escape(f"{told.happened} {told.judged}".strip())
            yield f"<tr><td class=figure>{step.ply}</td><td>{words}</td>{chances}</tr>"
        yield "</tbody></table></div></details>"


def _row(row: ToldRow) -> str:
    cells = "".join(f"<td class=figure>{escape(cell)}</td>" for cell in row.cells)
    return f"<tr><th scope=row>{escape(row.label)}</th>{cells}</tr>"
