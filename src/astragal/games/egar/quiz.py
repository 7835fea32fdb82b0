"""The question at the end of a turn: card, options, answer, and what a wrong one costs.

This is EG-13 to EG-15 and EG-19 to EG-21.
"""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from astragal.core.language import say
from astragal.core.types import IllegalAction
from astragal.games.egar.actions import (
    BLANK_ORDERS,
    CHOICES,
    GIVE_UP,
    ORDERS,
    Action,
    Ask,
    Choose,
    Draw,
    GiveUp,
    Know,
    Order,
    Take,
    Type,
    clean,
)
from astragal.games.egar.answers import judge
from astragal.games.egar.cards import LEVELS, Card, Level, alphabetical, ascending, face
from astragal.games.egar.deck import Deck, card_at
from astragal.games.egar.options import Options
from astragal.games.egar.state import Question, State, next_living, next_turn, without

PERMUTATIONS_OF_WRONG = 6  # orders of the options that differ only in the three wrong ones


def put(s: State) -> State:
    """The turn's one question goes to the next living player on the right (EG-13)."""
    levels = levels_of(s.options)
    level = levels[0] if len(levels) == 1 else None
    question = Question(next_living(s, s.mover), level)
    return replace(s, phase="card" if level else "level", points=0, fight=None, question=question)


def levels_of(options: Options) -> tuple[Level, ...]:
    """The levels that may be asked: the agreed one, or if the asker is free those with cards (EG-15)."""
    if options.level != "free":
        return (options.level,)
    return tuple(level for level in LEVELS if deck_size(options, level))


def deck_size(options: Options, level: Level) -> int:
    """How many cards a level has. A state's own options know their deck sealed."""
    assert isinstance(options.deck, Deck)
    return options.deck.size(level)


def ask(s: State, a: Ask) -> State:
    """The asker picks a level."""
    if s.phase != "level" or a.level not in levels_of(s.options):
        raise IllegalAction("EG-15", say("the level cannot be picked here"))
    return replace(s, phase="card", question=replace(s.asked, level=a.level))


# The card ------------------------------------------------------------------------------------------------------


def cards_left(s: State) -> tuple[int, ...]:
    """The cards that can come up: those not laid aside, or all of them once the deck is through (EG-19)."""
    level = s.asked.level
    assert level is not None
    size, used = deck_size(s.options, level), s.used[LEVELS.index(level)]
    left = range(size) if len(used) == size else (card for card in range(size) if card not in used)
    return tuple(left)


def draw(s: State, a: Draw) -> State:
    """A card comes up. Where options are to be shuffled, nobody sees it yet."""
    if s.phase != "card" or a.card not in cards_left(s):
        raise IllegalAction("EG-19", say("this card cannot come up here"))
    return drawn(s, a.card)


def drawn(s: State, number: int) -> State:
    """The position after this card of the question's level came up."""
    level = s.asked.level
    assert level is not None
    place = LEVELS.index(level)
    size, laid = deck_size(s.options, level), s.used[place]
    laid = (number,) if len(laid) == size else tuple(sorted((*laid, number)))
    used = (*s.used[:place], laid, *s.used[place + 1 :])
    question = replace(s.asked, card=number)
    card = card_at(s.deck, level, number)
    if s.options.skill_of(question.seat) != "own":  # chance answers; an order of the options would change nothing
        question = replace(question, face=face(card, alphabetical(card)))
    elif s.options.answering == "open":
        question = replace(question, face=face(card, ()))
    elif card is not None and (shown := ascending(card)):
        question = replace(question, face=face(card, shown), right=shown.index(0))
    else:
        return replace(s, phase="order", question=question, used=used)
    return replace(s, phase="answer", question=question, used=used)


def card_of(s: State) -> Card | None:
    """The card of the open question, or None where it is blank."""
    question = s.asked
    assert question.level is not None
    assert question.card is not None
    return card_at(s.deck, question.level, question.card)


def orders(s: State) -> tuple[tuple[Order, int], ...]:
    """How the options can be shuffled; for a blank card only the place of the right one matters (EG-20)."""
    if card_of(s) is None:
        return tuple((order, PERMUTATIONS_OF_WRONG) for order in BLANK_ORDERS)
    return tuple((order, 1) for order in ORDERS)


def order(s: State, a: Order) -> State:
    """The options are put in order, and the card is shown."""
    if s.phase != "order" or all(a != order for order, _ in orders(s)):
        raise IllegalAction("EG-20", say("the options cannot be put in this order here"))
    question = replace(s.asked, face=face(card_of(s), a.shown), right=a.shown.index(0))
    return replace(s, phase="answer", question=question)


# The answer ----------------------------------------------------------------------------------------------------


def by_chance(s: State) -> bool:
    """Whether the open question is answered by a skill rather than by its seat (EG-21)."""
    return s.options.skill_of(s.asked.seat) != "own"


def knowledge(s: State) -> tuple[tuple[Know, int], ...]:
    """How a seat with a skill answers: right with its percentage for the card's level (EG-21)."""
    skill, level = s.options.skill_of(s.asked.seat), s.asked.level
    assert skill != "own"
    assert level is not None
    percent = skill[LEVELS.index(level)]
    return tuple((Know(right), weight) for right, weight in ((True, percent), (False, 100 - percent)) if weight)


def answers(s: State) -> tuple[Action, ...]:
    """What can be offered to the asked seat. Typed answers cannot be listed; `accepts` knows them.

    The three wrong options lead to the same position, but they are not one action: the seat cannot tell them from the
    right one, and which it picked is told to all.
    """
    if by_chance(s):
        return ()
    return (GIVE_UP,) if s.options.answering == "open" else CHOICES


def taken_away(s: State, rng: Random) -> tuple[Action, ...]:
    """Two of the three wrong options: all the help there is for somebody who does not know. None for a typed answer."""
    if s.options.answering == "open" or s.asked.right is None:
        return ()
    kept = rng.choice([option for option in range(len(CHOICES)) if option != s.asked.right])
    return tuple(choice for choice in CHOICES if choice.option not in (kept, s.asked.right))


def fits(s: State, a: Action) -> bool:
    """Whether this is an answer to the open question."""
    if isinstance(a, Type):
        return not by_chance(s) and s.options.answering == "open" and a.text != "" and a.text == clean(a.text)
    return a in answers(s)


def is_right(s: State, a: Choose | Type | GiveUp) -> bool:
    """Whether an answer saves the soldier. A typed one on a blank card never does: nobody could judge it."""
    if isinstance(a, Choose):
        return a.option == s.asked.right
    if not isinstance(a, Type) or a.right is not None:
        return isinstance(a, Type) and a.right is True
    card = card_of(s)
    return card is not None and judge(card, a.text).right


def settled(s: State, a: Type) -> Type:
    """A typed answer with the judgement that this program gives, whatever it says about itself."""
    return replace(a, right=is_right(s, replace(a, right=None)))


def answer(s: State, a: Action) -> State:
    """The asked seat answers."""
    if s.phase != "answer" or not fits(s, a):
        raise IllegalAction("EG-20", say("this is not an answer to an open question"))
    assert isinstance(a, Choose | Type | GiveUp)
    return answered(s, is_right(s, a))


def know(s: State, a: Know) -> State:
    """Chance answers for a seat with a skill."""
    if s.phase != "answer" or not by_chance(s) or all(a != known for known, _ in knowledge(s)):
        raise IllegalAction("EG-21", say("no seat is answered for here"))
    return answered(s, a.right)


def answered(s: State, right: bool) -> State:
    """What follows (EG-14): nothing, or the soldier nearest to its own flag leaves; among equals the asker picks."""
    if right:
        return next_turn(s, s.asked.seat)
    candidates = nearest(s, s.asked.seat)
    if len(candidates) > 1:
        return replace(s, phase="pick")
    return _remove(s, candidates[0])


def nearest(s: State, seat: int) -> list[int]:
    """The seat's soldiers with the fewest steps to its own flag, obstacles ignored (EG-14)."""
    ground, army = s.ground, s.armies[seat]
    far = ground.far[ground.flags[len(s.armies)][seat]]
    least = min(far[square] for square in army)
    return [square for square in army if far[square] == least]


def picks(s: State) -> tuple[Take, ...]:
    """What the asker picks from."""
    names = s.ground.names
    return tuple(Take(names[square]) for square in nearest(s, s.asked.seat))


def take(s: State, a: Take) -> State:
    """The asker picks."""
    if s.phase != "pick":
        raise IllegalAction("EG-14", say("there is no soldier to pick now"))
    square = s.ground.number.get(a.square)
    if square not in nearest(s, s.asked.seat):
        raise IllegalAction("EG-14", say("{square} is not one of the soldiers nearest to their flag", square=a.square))
    return _remove(s, square)


def _remove(s: State, square: int) -> State:
    seat = s.asked.seat
    after = without(s, seat, square)
    return after if after.phase == "over" else next_turn(after, seat)
