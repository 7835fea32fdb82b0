"""How Goat Path looks and speaks."""

from __future__ import annotations

from html import escape
from typing import Any

from astragal.core.defaults import PlainPresentation
from astragal.core.language import Text, noted, say, say_count
from astragal.core.picture import element, picture
from goats.rules import FENCE, Action, Event, Fall, First, State, Stone, Throw, View, Walk, driven_back

GOATS = (noted("White"), noted("Brown"))
SIGNS = ("○", "●")
COATS = ("#fffaf0", "#8a5a34")
STEP, LEFT, ROWS = 20, 90, (56, 124)  # how long a step of the picture is, and where the paths begin
GOAT = (
    "M-15 4c0-9 6-12 14-12 5 0 7-3 9-8-3-5-7-7-11-6 6-3 11 0 13 6l6 3c2 4 1 7-3 8l-2 1c-1 6-2 8-3 10v11h-4v-9h-12v9h-4"
    "v-10c-2-1-3-2-3-3z"
)


class GoatPresentation(PlainPresentation):
    """Text, picture and sentences; what is not here comes from PlainPresentation."""

    def seat_name(self, seat: int, lang: str, v: Any = None) -> str:
        return say(GOATS[seat]).to(lang)

    def text(self, v: View, lang: str = "en", *, colour: bool = False, last: Event | None = None) -> str:
        s = v.state
        lines = [" " * 9 + "".join(f"{step:<{2 * FENCE}}" for step in range(0, s.options.steps + 1, FENCE))]
        for seat in (0, 1):
            path = ["|" if step % FENCE == 0 else "·" for step in range(s.options.steps)] + ["#"]
            path[s.goats[seat]] = SIGNS[seat]
            lines.append(f"{self.seat_name(seat, lang):<8} {' '.join(path)}  {'*' * s.stones[seat]}")
        return "\n".join([*(line.rstrip() for line in lines), run_text(s).to(lang)])

    def plain(self, v: View, lang: str) -> str:
        s, sentences = v.state, []
        for seat, goat in enumerate(GOATS):
            where = say("{goat}: step {at} of {steps}", goat=say(goat), at=s.goats[seat], steps=s.options.steps)
            sentences.append(say_count(s.stones[seat], "{where}, {n} stone.", "{where}, {n} stones.", where=where))
        return " ".join(sentence.to(lang) for sentence in (*sentences, run_text(s)))

    def label(self, v: View, a: Action, lang: str) -> str:
        s = v.state
        match a:
            case Throw():
                return say("throw again; {sides} would slip", sides=", ".join(map(str, sorted(s.run)))).to(lang)
            case Walk():
                to = min(s.goats[s.seat or 0] + sum(s.run), s.options.steps)
                return say_count(sum(s.run), "walk {n} step, to {to}", "walk {n} steps, to {to}", to=to).to(lang)
            case Stone():
                return say("drive the other goat back to {to}", to=driven_back(s)).to(lang)
        return super().label(v, a, lang)

    def say(self, event: Event, lang: str) -> str:
        s, who = event.state, event.seat
        goat, other = (say(GOATS[seat]) if who >= 0 else None for seat in (who, 1 - who))
        match event.action:
            case First(seat):
                text = say("{goat} begins.", goat=say(GOATS[seat]))
            case Fall(side) if s.slipped is not None:
                text = say("{side} again: {goat} slips.", side=side, goat=say(GOATS[1 - (s.seat or 0)]))
            case Fall(side):
                text = say("The bone shows {side}.", side=side)
            case Throw():
                text = say("{goat} throws again.", goat=goat)
            case Walk():
                text = say("{goat} walks to {to}.", goat=goat, to=s.goats[who])
            case Stone():
                text = say(
                    "{goat} throws a stone: {other} is back at {to}.", goat=goat, other=other, to=s.goats[1 - who]
                )
        return text.to(lang)

    def svg(self, v: View, lang: str = "en", *, last: Event | None = None) -> str:
        s, end = v.state, LEFT + v.state.options.steps * STEP
        parts = [
            element("rect", width=end + 60, height=250, fill="#dfe8c8", rx=12),
            element("rect", x=end - 4, y=22, width=60, height=136, rx=10, fill="#8fb26a"),
        ]
        for seat, y in enumerate(ROWS):
            parts.append(element("rect", x=LEFT - 14, y=y - 7, width=end - LEFT + 10, height=14, rx=7, fill="#d2b48c"))
            parts += [element("circle", cx=x, cy=y, r=2.2, fill="#8a6b3f") for x in range(LEFT, end, STEP)]
            fences = "".join(f"M{x} {y - 26}v52m-6-40h12m-12 28h12" for x in range(LEFT, end, FENCE * STEP))
            parts.append(element("path", d=fences, fill="none", stroke="#6b4a2b", stroke_width=3))
            parts.append(_words(14, y + 2, self.seat_name(seat, lang)))
            parts += [element("circle", cx=20 + 14 * n, cy=y + 18, r=5, fill="#7d7a75") for n in range(s.stones[seat])]
            goat = element("path", d=GOAT, fill=COATS[seat], stroke="#3b2a20", stroke_width=1.5)
            parts.append(element("g", goat, transform=f"translate({LEFT + s.goats[seat] * STEP} {y - 6})"))
        for n, side in enumerate(s.run):
            x = LEFT - 14 + 62 * n
            parts.append(element("rect", x=x, y=176, width=44, height=40, rx=15, fill="#fff8e8", stroke="#8a6b3f"))
            parts.append(_words(x + 17, 203, str(side)))
        parts.append(_words(LEFT - 14 + 62 * len(s.run), 203, run_text(s).to(lang)))
        return picture(end + 60, 250, say(self.rules.spec.title).to(lang), self.plain(v, lang), *parts)


def run_text(s: State) -> Text:
    """What lies on the table in this turn."""
    if s.slipped is not None:
        return say("{side} again: slipped.", side=s.slipped)
    if not s.run:
        return say("The bone is in the hand.")
    return say_count(sum(s.run), "{sides}: {n} step.", "{sides}: {n} steps.", sides=" + ".join(map(str, s.run)))


def _words(x: float, y: float, text: str) -> str:
    return element("text", escape(text), x=x, y=y, font_size=18, fill="#3b2a20")
