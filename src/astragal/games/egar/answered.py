"""Which card a seat answered, and whether rightly: what the report of a class is made of."""

from __future__ import annotations

from typing import Any

from astragal.core.questions import Answered
from astragal.games.egar.actions import Choose, Count, GiveUp, Silence, Type
from astragal.games.egar.quiz import card_of, is_right
from astragal.games.egar.state import State


def answered(before: State, action: Any) -> Answered | None:
    """The question that this action answered; None for other actions, and for answers that chance gave."""
    if not isinstance(action, Choose | Type | GiveUp | Silence | Count):
        return None
    question, card = before.asked, card_of(before)
    if card is None:
        return None
    right = isinstance(action, Count) or (not isinstance(action, Silence) and is_right(before, action))
    return Answered(
        question=card.id,
        level=card.level,
        right=right,
        seat=question.seat,
        text={lang: words.question for lang, words in card.words.items()},
        answer={lang: words.answer for lang, words in card.words.items()},
    )
