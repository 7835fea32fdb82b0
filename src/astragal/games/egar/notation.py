"""How players write EGAR: `E5-E6`, `attack F5 with E5`, `done`, `ask easy`, `A`, `answer TEXT`, `take E5`.

Capitals do not matter. An attack by a single soldier needs no `with`. Where an answer is to be typed, whatever is no
other word of the game is that answer.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from astragal.core.language import say
from astragal.core.types import BadNotation, IllegalAction
from astragal.games.egar import combat
from astragal.games.egar.actions import (
    COUNT,
    DONE,
    GIVE_UP,
    LETTERS,
    SILENCE,
    VERDICTS,
    Action,
    Ask,
    Attack,
    Begins,
    Choose,
    Draw,
    Know,
    Order,
    Resign,
    Roll,
    Step,
    Take,
    Type,
    clean,
)
from astragal.games.egar.cards import LEVELS

if TYPE_CHECKING:
    from astragal.games.egar.rules import EgarRules
    from astragal.games.egar.state import State

EXAMPLES = "E5-E6, attack F5 with E5, done, ask easy, A, take E5"

_SQUARE = r"([a-m](?:[1-9]|1[0-3]))"
_FIXED: tuple[Action, ...] = (DONE, GIVE_UP, SILENCE, COUNT, Know(True), Know(False), *(Ask(level) for level in LEVELS))
_WORDS = {str(action): action for action in _FIXED}


def decode(rules: EgarRules, s: State, text: str) -> Action:
    """The action this text means here. Raises BadNotation or IllegalAction."""
    if s.phase == "answer" and s.options.answering == "open" and (typed := _typed(rules, s, text)):
        return typed
    action = _read(s, " ".join(text.lower().split()))
    if action is None:
        raise BadNotation(
            say("{text!r} is not a move; write one such as {examples}", text=text[:40], examples=EXAMPLES)
        )
    rules.apply(s, action)
    return action


def _typed(rules: EgarRules, s: State, text: str) -> Action | None:
    """An answer in own words, unless the text is one of the few other things that can happen now."""
    words = text.strip()
    others = {str(claim): claim for _, claim in rules.claims(s)} | {str(a): a for a in rules.legal(s)}
    if words.lower() in others:
        return others[words.lower()]
    if not rules.legal(s):  # chance answers
        return None
    first, _, rest = words.partition(" ")
    verdict = next((right for right, word in VERDICTS.items() if word == first.lower()), ...)
    answer = clean(words if verdict is ... else rest)
    return Type(answer, None if verdict is ... else verdict) if answer else GIVE_UP


def _read(s: State, words: str) -> Action | None:
    if words in _WORDS:
        return _WORDS[words]
    if len(words) == 1 and words.upper() in LETTERS:
        return Choose(LETTERS.index(words.upper()))
    if parts := re.fullmatch(rf"{_SQUARE}\s*[- ]\s*{_SQUARE}", words):
        return Step(parts[1].upper(), parts[2].upper())
    if parts := re.fullmatch(rf"attack {_SQUARE}(?: with {_SQUARE})?", words):
        return _attack(s, parts[1].upper(), (parts[2] or "").upper())
    if parts := re.fullmatch(rf"take {_SQUARE}", words):
        return Take(parts[1].upper())
    if parts := re.fullmatch(r"(begins|card|resign)-([1-9][0-9]{0,3})", words):
        kinds = {"begins": Begins, "card": Draw, "resign": Resign}
        return cast("Action", kinds[parts[1]](int(parts[2]) - 1))
    if parts := re.fullmatch(r"roll-([1-6])(?:-([1-6]))?", words):
        return Roll(int(parts[1]), int(parts[2] or parts[1]))
    if (parts := re.fullmatch(r"order-([1-4]{4})", words)) and len(set(parts[1])) == 4:
        first, second, third, fourth = (int(digit) - 1 for digit in parts[1])
        return Order((first, second, third, fourth))
    return None


def _attack(s: State, target: str, risk: str) -> Attack:
    """An attack, with its soldier at risk filled in where only one attacks."""
    if risk:
        return Attack(target, risk)
    able = [a for a in combat.attacks(s) if a.target == target]
    if len(able) > 1:
        raise IllegalAction(
            "EG-9",
            say(
                "say which soldier is at risk: {examples}",
                examples=", ".join(map(str, able)),
            ),
        )
    if not able:
        raise IllegalAction("EG-9", say("no soldier of yours stands next to an enemy on {square}", square=target))
    return able[0]
