"""A tiny card game with secrets, written against the contract and nothing else.

Each of two players is dealt one card that only they see. The first bids or folds; after a bid the second calls or
folds. Whoever folds loses, after a call both cards are shown and the higher one wins. While the second player
thinks, the bidder may claim peace, which shares the win.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Annotated, Any

import numpy as np
from msgspec import Meta, Struct

from astragal.core.compiled import kernel
from astragal.core.fast import Array, Fast, Kernels
from astragal.core.language import say
from astragal.core.position import NONE, parts
from astragal.core.rules import BaseOptions, BaseView, Game, Heuristic, Presentation, Rules
from astragal.core.types import CHANCE, OVER, BadNotation, IllegalAction, Schema, Spec


class Options(BaseOptions, frozen=True, kw_only=True):
    cards: Annotated[int, Meta(ge=3, le=5, description="Cards in the deck")] = 3


class First(Struct, frozen=True, tag="first"):
    seat: int


class Deal(Struct, frozen=True, tag="deal"):
    card: int


class Say(Struct, frozen=True, tag="say"):
    word: str


Action = First | Deal | Say
BID, FOLD, CALL, PEACE = Say("bid"), Say("fold"), Say("call"), Say("peace")
ENDS = (("fold",), ("bid", "fold"), ("bid", "call"), ("bid", "peace"))


class State(Struct, frozen=True):
    options: Options
    first: int | None = None
    cards: tuple[int, ...] = ()
    said: tuple[str, ...] = ()


class View(BaseView[Action, Options], frozen=True, kw_only=True):
    first: int | None
    cards: tuple[int | None, ...]  # None: dealt, but not for these eyes
    said: tuple[str, ...]


class Lot(Struct, frozen=True, tag="lot"):
    seat: int


class Dealt(Struct, frozen=True, tag="dealt"):
    seat: int
    card: int | None


class Said(Struct, frozen=True, tag="said"):
    seat: int
    word: str


Event = Lot | Dealt | Said


class ToyRules(Rules[State, Action, Options, View, Event]):
    spec = Spec(
        id="toy", title="Toy", summary="The higher card wins.", version=1, players=(2,), hidden=True, private=True
    )
    state_type: Schema = State
    action_type: Schema = Action
    options_type: Schema = Options
    view_type: Schema = View
    event_type: Schema = Event
    presets: Mapping[str, Options] = {"small": Options(), "large": Options(cards=5)}

    def initial(self, options: Options, players: int) -> State:
        self.check_options(options, players)
        return State(options, None if options.begins == "lots" else options.begins)

    def turn(self, s: State) -> int:
        if s.first is None or len(s.cards) < 2:
            return CHANCE
        if s.said in ENDS:
            return OVER
        return s.first if not s.said else 1 - s.first

    def legal(self, s: State) -> tuple[Action, ...]:
        if self.turn(s) < 0:
            return ()
        return (CALL, FOLD) if s.said else (BID, FOLD)

    def claims(self, s: State) -> tuple[tuple[int, Action], ...]:
        return ((s.first, PEACE),) if s.said == ("bid",) and s.first is not None else ()

    def chance(self, s: State) -> tuple[tuple[Action, int], ...]:
        if s.first is None:
            return ((First(0), 1), (First(1), 1))
        if len(s.cards) < 2:
            return tuple((Deal(card), 1) for card in range(1, s.options.cards + 1) if card not in s.cards)
        return ()

    def apply(self, s: State, a: Action) -> State:
        if a not in _possible(s):
            raise IllegalAction("TOY-1", say("{action} is not possible now", action=self.encode(a)))
        if isinstance(a, First):
            return State(s.options, a.seat)
        if isinstance(a, Deal):
            return State(s.options, s.first, (*s.cards, a.card))
        return State(s.options, s.first, s.cards, (*s.said, a.word))

    def returns(self, s: State) -> tuple[float, ...]:
        if self.turn(s) != OVER or s.first is None:
            return (0.0, 0.0)
        if s.said[-1] == "peace":
            return (0.5, 0.5)
        winner = {("fold",): 1 - s.first, ("bid", "fold"): s.first}.get(s.said, s.cards.index(max(s.cards)))
        return (float(winner == 0), float(winner == 1))

    def observe(self, s: State, seat: int | None) -> View:
        turn = self.turn(s)
        shown = s.said == ("bid", "call")
        return View(
            seat=seat,
            turn=turn,
            options=s.options,
            first=s.first,
            cards=tuple(card if shown or owner == seat else None for owner, card in enumerate(s.cards)),
            said=s.said,
            legal=self.legal(s) if seat == turn else (),
        )

    def event(self, s: State, a: Action, seat: int | None) -> Event:
        self.apply(s, a)
        if isinstance(a, First):
            return Lot(a.seat)
        if isinstance(a, Deal):
            owner = len(s.cards)
            return Dealt(owner, a.card if owner == seat else None)
        claimed = a == PEACE
        return Said(s.first if claimed and s.first is not None else self.turn(s), a.word)

    def resample(self, v: View, rng: Random) -> State:
        free = [card for card in range(1, v.options.cards + 1) if card not in v.cards]
        rng.shuffle(free)
        cards = tuple(free.pop() if card is None else card for card in v.cards)
        return State(v.options, v.first, cards, v.said)

    def encode(self, a: Action) -> str:
        if isinstance(a, First):
            return f"first-{a.seat + 1}"
        return f"deal-{a.card}" if isinstance(a, Deal) else a.word

    def decode(self, s: State, text: str) -> Action:
        word, _, number = text.strip().lower().partition("-")
        action: Action
        if word in ("bid", "fold", "call", "peace") and not number:
            action = Say(word)
        elif word in ("first", "deal") and number.isdecimal() and len(number) < 5:
            action = First(int(number) - 1) if word == "first" else Deal(int(number))
        else:
            raise BadNotation(say("{text!r} is not a word of this game", text=text[:40]))
        self.apply(s, action)
        return action

    def position(self, s: State) -> str:
        first = NONE if s.first is None else str(s.first + 1)
        return f"{first} {','.join(map(str, s.cards)) or NONE} {','.join(s.said) or NONE}"

    def from_position(self, text: str, options: Options, players: int) -> State:
        self.check_options(options, players)
        first, cards, said = parts(text, "who begins", "the cards", "what was said")
        begun = first.word({NONE: None, "1": 0, "2": 1})
        dealt = tuple(card.number(1, options.cards) for card in cards.split(","))
        if len(set(dealt)) < len(dealt) or len(dealt) > (0 if begun is None else 2):
            raise cards.unlike("two different cards")
        words = tuple(word.word({word: word for word in WORDS}) for word in said.split(","))
        if words not in ((), ("bid",), *ENDS) or (words and len(dealt) < 2):
            raise said.unlike("bid,fold")
        return State(options, begun, dealt, words)


RULES = ToyRules()


def _possible(s: State) -> tuple[Action, ...]:
    """All that may happen, whatever a subclass offers: so that the tests can break one method at a time."""
    claims = (claim for _, claim in RULES.claims(s))
    return (*RULES.legal(s), *(outcome for outcome, _ in RULES.chance(s)), *claims)


class ToyPresentation(Presentation[View, Action, Event]):
    def seat_name(self, seat: int, lang: str, v: View | None = None) -> str:
        return ("North", "South")[seat]

    def text(self, v: View, lang: str = "en", *, colour: bool = False, last: Event | None = None) -> str:
        return " ".join("?" if card is None else str(card) for card in v.cards) or "-"

    def plain(self, v: View, lang: str) -> str:
        return f"Cards: {self.text(v, lang)}."

    def svg(self, v: View, lang: str = "en", *, last: Event | None = None) -> str:
        return f'<svg xmlns="http://www.w3.org/2000/svg"><title>{self.text(v)}</title></svg>'

    def label(self, v: View, a: Action, lang: str) -> str:
        return a.word if isinstance(a, Say) else "chance"

    def say(self, event: Event, lang: str) -> str:
        return f"{event}."

    def questions(self, lang: str) -> tuple[tuple[str, str], ...]:
        return ()

    def ask(self, v: View, question: str, lang: str) -> str | None:
        return None


class ToyHeuristic(Heuristic[View]):
    names: Mapping[str, str] = {"card": "a high card"}
    weights: Mapping[str, float] = {"card": 1.0}

    def features(self, v: View, seat: int) -> Mapping[str, float]:
        mine = v.cards[seat] if seat < len(v.cards) else None
        return {"card": float(mine or 0)}


# A packed state: cards in the deck, first + 1, card, card, how many words were said, word, word.
# Decisions are the words; outcomes are 0 and 1 who is first, and from 1 + DEAL the cards.
WORDS = ("bid", "fold", "call", "peace")
DEAL = 1


@kernel
def turn(state: Array, tables: Array) -> int:
    if state[1] == 0 or state[3] == 0:
        return CHANCE
    said = state[4]
    if said == 0:
        return int(state[1] - 1)
    return OVER if said == 2 or state[5] == 1 else int(2 - state[1])


@kernel
def legal(state: Array, tables: Array, numbers: Array) -> int:
    if turn(state, tables) < 0:
        return 0
    numbers[0] = 2 if state[4] else 0
    numbers[1] = 1
    return 2


@kernel
def chance(state: Array, tables: Array, numbers: Array, weights: Array) -> int:
    weights[:] = 1
    if state[1] == 0:
        numbers[0], numbers[1] = 0, 1
        return 2
    count = 0
    if state[3] == 0:
        for card in range(1, state[0] + 1):
            if card != state[2]:
                numbers[count] = DEAL + card
                count += 1
    return count


@kernel
def step(state: Array, tables: Array, number: int) -> None:
    if state[1] == 0:
        state[1] = number + 1
    elif state[3] == 0:
        state[3 if state[2] else 2] = number - DEAL
    else:
        state[5 + state[4]] = number
        state[4] += 1


@kernel
def returns(state: Array, tables: Array, shares: Array) -> None:
    shares[:] = 0
    if turn(state, tables) != OVER:
        return
    last, first = state[4 + state[4]], state[1] - 1
    if last == 3:
        shares[:] = 0.5
    elif last == 1:
        shares[first if state[4] == 2 else 1 - first] = 1
    else:
        shares[0 if state[2] > state[3] else 1] = 1


@kernel
def features(state: Array, tables: Array, seat: int, values: Array) -> None:
    values[0] = state[2 + seat]


class ToyFast(Fast[State, Action]):
    source = Kernels(turn, legal, chance, step, returns, features)
    tables = np.zeros(1, dtype=np.int64)
    players = 2
    actions = len(WORDS)
    outcomes = DEAL + 6
    most = 10

    def __init__(self, options: Options, players: int) -> None:
        self.options = options

    def words(self, s: State) -> list[int]:
        cards = [*s.cards, 0, 0][:2]
        said = [*(WORDS.index(word) for word in s.said), 0, 0][:2]
        first = 0 if s.first is None else s.first + 1
        return [s.options.cards, first, *cards, len(s.said), *said]

    def action(self, packed: Array, number: int) -> Action:
        if packed[1] == 0:
            return First(number)
        return Deal(number - DEAL) if packed[3] == 0 else Say(WORDS[number])


def toy(rules: ToyRules = RULES, fast: type[ToyFast] | None = None, heuristic: Heuristic[Any] | None = None) -> Game:
    """The game with these rules, and a fast version if there is one."""
    return Game(
        rules=rules,
        presentation=ToyPresentation(),
        heuristic=heuristic or ToyHeuristic(),
        fast=fast,
    )


GAME = toy(fast=ToyFast)
