"""How players write moves of Ur: `in-a3`, `a1-b2`, `b8-off`, `pass`; and what else they may type.

A throw leaves each piece one square to go to, so the square it starts from is enough: `a1` or `in`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from astragal.core.language import say
from astragal.core.types import PASS, BadNotation, IllegalAction
from astragal.games.ur.actions import IN, OFF, PASSES, Action, Move, Throw
from astragal.games.ur.board import track

if TYPE_CHECKING:
    from astragal.games.ur.rules import State, UrRules

_PLACE = rf"({IN}|{OFF}|[abc]\d\d?)"


def decode(rules: UrRules, s: State, text: str) -> Action:
    """The action this text means here. Raises BadNotation or IllegalAction."""
    words = text.strip().lower()
    if words == PASS:
        rules.apply(s, PASSES)
        return PASSES
    if parts := re.fullmatch(r"throw-([0-9])", words):
        throw = Throw(int(parts[1]))
        rules.apply(s, throw)
        return throw
    parts = re.fullmatch(rf"{_PLACE}(?:\s*[-x ]\s*{_PLACE})?", words)
    if parts is None:
        raise BadNotation(
            say(
                "{text!r} is not a move; write one such as {examples}",
                text=text[:40],
                examples="in-a3, a1-b2, b8-off, pass",
            )
        )
    start, end = parts[1], parts[2]
    if s.throw is None:
        raise IllegalAction("UC-5", say("no piece moves before the dice are thrown"))
    if end is None:
        end = _only_end(s, start)
    move = Move(start, end)
    rules.apply(s, move)
    return move


def _only_end(s: State, start: str) -> str:
    """Where this throw leads a piece that starts here."""
    ways = track(s.options.path)
    step = ways.step_of[s.seat].get(start)
    if step is None or step == ways.home:
        raise IllegalAction("UC-5", say("you have no piece on {square}", square=start))
    return ways.names[s.seat][min(step + (s.throw or 0), ways.home)]
