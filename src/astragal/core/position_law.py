"""Law 8: a position survives being written down, and what was read plays as what was written."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec

from astragal.core.agreement import Must
from astragal.core.laws import Broken, under
from astragal.core.rules import AnyRules
from astragal.core.types import OVER, BadPosition, IllegalAction
from astragal.core.walk import Walk

PLIES = 6  # played on from a position that was read
NO_POSITIONS = (
    "",
    " ",
    "-",
    "?",
    "0",
    "999999999999999999999",
    "\x00",
    "ſ\u0301٣",
    "a b\nc d",
    "{",
    "= = =",
    "x" * 5000,
)


def compare(rules: AnyRules, state: Any, chosen: Any, players: int, rng: Random, must: Must) -> None:
    """One state: its line, the state that the line gives back, and how both go on."""
    with under(8, "writing and reading a position"):
        text = rules.position(state)
        must(8, text == text.strip() and text.isprintable() and bool(text), f"{text!r} is not one plain line")
        read = rules.from_position(text, chosen, players)
        must(8, rules.position(read) == text, f"{text!r} is written differently after it was read")
    _same(rules, state, read, text, must)
    walk = Walk(rules, state, Random(rng.random()), claims=0)
    while walk.turn != OVER and walk.ply < PLIES:
        before = walk.state
        try:
            action = walk.step()
        except IllegalAction:  # law 6 will say so when it comes there
            return
        must(1, rules.apply(before, action) == walk.state, f"{action} gives two different states")
        with under(8, f"playing on from {text!r}"):
            read = rules.apply(read, action)
        _same(rules, walk.state, read, text, must)


def _same(rules: AnyRules, written: Any, read: Any, text: str, must: Must) -> None:
    """Two states that differ only in what a position leaves out, and that is nothing but claims."""
    left_out = rules.position_leaves_out
    with under(8, "position_leaves_out"):
        same = msgspec.structs.replace(written, **{name: getattr(read, name) for name in left_out})
    must(8, same == read, f"{text!r} gives another position than the one it was written for")
    for question in (rules.turn, rules.legal, rules.chance, rules.returns) if left_out else ():
        must(8, question(read) == question(written), f"{text!r} plays differently: {question.__name__}")


def refused(rules: AnyRules, chosen: Any, players: int, must: Must) -> None:
    """What is no position is refused, with the column where it goes wrong."""
    for text in NO_POSITIONS:
        try:
            rules.from_position(text, chosen, players)
        except BadPosition as error:
            inside = 1 <= error.column <= len(text) + 1
            must(8, inside and bool(error.part), f"{text[:40]!r} is refused, but at column {error.column}")
        except Exception as error:
            raise Broken(8, f"reading {text[:40]!r} raises {type(error).__name__}: {error}") from error
        else:
            raise Broken(8, f"{text[:40]!r} is read as a position")
