"""Defaults for a new game: all of the contract that follows from the rest of it.

`OpenRules` is for games in which everybody sees everything: the author writes `initial`, `turn`, `legal`, `chance`,
`after` and `returns`, and views, events, notation and refusals follow. `PlainPresentation` looks and speaks for any
game; the author overrides what should look or sound better. `examples/` has a whole game made with both.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from random import Random
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct

from astragal.core.language import say
from astragal.core.picture import element, picture
from astragal.core.rules import AnyRules, AnyView, BaseOptions, BaseView, Presentation, Rules
from astragal.core.types import CHANCE, BadNotation, IllegalAction

O = TypeVar("O", bound=BaseOptions)  # noqa: E741
A = TypeVar("A", bound=Struct)


class OpenState(Struct, Generic[O], frozen=True):
    """A position that everybody sees whole. A game adds what lies on its table."""

    options: O


S = TypeVar("S", bound=OpenState[Any])


class OpenView(BaseView[A, O], Generic[S, A, O], frozen=True, kw_only=True):
    """What a seat sees: the whole state."""

    state: S


class OpenEvent(Struct, Generic[S, A], frozen=True, kw_only=True, tag="done"):
    """What a seat sees of an action: all of it."""

    seat: int  # who did it, or CHANCE
    action: A
    state: S  # after it


class OpenRules(Rules[S, A, O, OpenView[S, A, O], OpenEvent[S, A]], Generic[S, A, O]):
    """Rules of a game without secrets. `view_type` and `event_type` are subclasses of OpenView and OpenEvent."""

    def after(self, s: S, a: A) -> S:
        """The position after something that is possible in `s`; `apply` has refused everything else."""
        raise NotImplementedError

    def refusal(self, s: S, a: A) -> IllegalAction:
        """What is said about an action that is not possible here; a game may say which of its rules forbids it."""
        return IllegalAction(self.spec.id, say("{action} is not possible now", action=self.encode(a)))

    def possible(self, s: S) -> tuple[A, ...]:
        """All that can happen now: legal actions, outcomes of chance, and claims."""
        outcomes = (outcome for outcome, _ in self.chance(s))
        return (*self.legal(s), *outcomes, *(claim for _, claim in self.claims(s)))

    def chance(self, s: S) -> tuple[tuple[A, int], ...]:
        return ()

    def apply(self, s: S, a: A) -> S:
        if a not in self.possible(s):
            raise self.refusal(s, a)
        return self.after(s, a)

    def observe(self, s: S, seat: int | None) -> OpenView[S, A, O]:
        turn = self.turn(s)
        legal = self.legal(s) if seat == turn else ()
        view: OpenView[S, A, O] = self.view_type(seat=seat, turn=turn, options=s.options, legal=legal, state=s)
        return view

    def event(self, s: S, a: A, seat: int | None) -> OpenEvent[S, A]:
        state, claimant = self.apply(s, a), {claim: who for who, claim in self.claims(s)}.get(a)
        who = self.turn(s) if claimant is None or a in self.legal(s) else claimant
        event: OpenEvent[S, A] = self.event_type(seat=who, action=a, state=state)
        return event

    def resample(self, v: OpenView[S, A, O], rng: Random) -> S:
        return v.state

    def encode(self, a: A) -> str:
        """The action's tag and its fields with hyphens between them, seats counted from 1: `throw`, `move-3`."""
        fields = ((name, getattr(a, name)) for name in a.__struct_fields__)
        return "-".join([str(a.__struct_config__.tag), *(str(v + 1 if name == "seat" else v) for name, v in fields)])

    def decode(self, s: S, text: str) -> A:
        wanted = text.strip().lower()
        for action in self.possible(s):
            if self.encode(action) == wanted:
                return action
        shown = ", ".join(self.encode(action) for action in self.legal(s)[:8])
        raise BadNotation(say("{text!r} is not possible here; possible is: {actions}", text=text[:40], actions=shown))


class PlainPresentation(Presentation[Any, Any, Any]):
    """Any game in plain words: the state field by field, actions by their notation."""

    def __init__(self, rules: AnyRules) -> None:
        self.rules = rules

    def seat_name(self, seat: int, lang: str, v: AnyView | None = None) -> str:
        return say("Player {n}", n=seat + 1).to(lang)

    def text(self, v: Any, lang: str = "en", *, colour: bool = False, last: Any = None) -> str:
        shown = msgspec.structs.asdict(getattr(v, "state", v))
        hidden = ("seat", "turn", "legal", "options", "players")
        return "\n".join(f"{name}: {_written(value)}" for name, value in shown.items() if name not in hidden)

    def plain(self, v: Any, lang: str) -> str:
        return "".join(f"{line.rstrip('.')}. " for line in self.text(v, lang).split("\n") if line).rstrip()

    def svg(self, v: Any, lang: str = "en", *, last: Any = None) -> str:
        """The text on a card."""
        lines = self.text(v, lang, last=last).split("\n")
        width, height = 9.7 * max(30, *map(len, lines)) + 56, 24.0 * len(lines) + 48
        card = element("rect", x=4, y=4, width=width - 8, height=height - 8, rx=14, fill="#f6efe0", stroke="#b8996a")
        written = [
            element("text", escape(line), x=28, y=44 + 24 * n, font_size=16, fill="#3b2a20", klass="line")
            for n, line in enumerate(lines)
        ]
        style = ".line { font-family: 'DejaVu Sans Mono', monospace; white-space: pre; }"
        title = say(self.rules.spec.title).to(lang)
        return picture(width, height, title, self.plain(v, lang), card, *written, style=style)

    def label(self, v: Any, a: Any, lang: str) -> str:
        notation: str = self.rules.encode(a)
        return notation.replace("-", " ")

    def say(self, event: Any, lang: str) -> str:
        seat = getattr(event, "seat", CHANCE)
        action = getattr(event, "action", None)
        words = str(event) if action is None else self.rules.encode(action).replace("-", " ")
        who = say("Chance") if seat == CHANCE else self.seat_name(seat, lang)
        return say("{seat}: {words}", seat=who, words=words).to(lang)


def _written(value: Any) -> str:
    """A value of a state as text for people."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return " ".join(map(_written, value)) or "-"
    return "-" if value is None else str(value)
