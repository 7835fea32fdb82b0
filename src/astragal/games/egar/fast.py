"""EGAR over arrays, for bots and simulations. The layout and the numbers of actions are described in `kernels`."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import get_args

import numpy as np
from msgspec.structs import replace

from astragal.core.fast import Array, Fast, Kernels
from astragal.games.egar import kernels_layout as k
from astragal.games.egar.actions import (
    BLANK_ORDERS,
    CHOICES,
    DONE,
    GIVE_UP,
    ORDERS,
    Action,
    Ask,
    Attack,
    Begins,
    Choose,
    Done,
    Draw,
    GiveUp,
    Know,
    Order,
    Roll,
    Step,
    Take,
)
from astragal.games.egar.board import ground
from astragal.games.egar.cards import LEVELS, Face, alphabetical, ascending, face
from astragal.games.egar.combat import wins
from astragal.games.egar.deck import card_at, cards_of, sealed
from astragal.games.egar.heuristic import PLACE, wrong
from astragal.games.egar.kernels import chance, legal, returns, turn
from astragal.games.egar.kernels_features import features
from astragal.games.egar.kernels_steps import step
from astragal.games.egar.options import Options
from astragal.games.egar.quiz import deck_size, levels_of
from astragal.games.egar.state import Fight, Phase, Question, State

PHASES: tuple[Phase, ...] = get_args(Phase)
WAYS: list[int] = k.WAYS.tolist()
SIDES: list[int] = k.SIDES.tolist()
NAMES = {place: name for name, place in PLACE.items()}


class EgarFast(Fast[State, Action]):
    """Made for a deck, and good for the same deck sealed, as `resample` has it: then the faces of cards are blank."""

    owner = "egar"
    kernels = Kernels(turn, legal, chance, step, returns, features)

    def __init__(self, options: Options, players: int) -> None:
        self.players = players
        self.deck = options.deck
        self.options = replace(options, deck=sealed(options.deck))
        here = ground(options.board)
        self._place = [PLACE[name] for name in here.names]
        self._square = {place: square for square, place in enumerate(self._place)}
        self._sizes = [deck_size(self.options, level) for level in LEVELS]
        self._words = np.cumsum([0, *((size + 7) // 8 for size in self._sizes)]).tolist()
        self._empty = np.zeros(k.USED + self._words[-1], dtype=np.int16)
        self._empty[: k.SQUARES] = -1
        self._empty[self._place] = 0
        self.tables = self._tables()
        self.most = max(4 * k.MOST_SOLDIERS + 1, len(ORDERS), *self._sizes)

    def _tables(self) -> Array:
        """What the kernels know of options and board: see the places in `kernels_layout`."""
        options, players = self.options, self.players
        levels = [LEVELS.index(level) for level in levels_of(options)]
        skills = [options.skill_of(seat) for seat in range(k.SEATS)]
        orders = [ascending(card) for level in LEVELS for card in cards_of(self.deck, level)]
        kinds = [0 if order is None else order.index(0) + 1 for order in orders]
        tables = np.zeros(k.CARDS_FROM + len(kinds), dtype=np.int64)
        tables[k.PLAYERS] = players
        tables[k.OWN_FLAG_OPEN] = options.own_flag_open
        tables[k.FLAGS_REMOVED] = options.dead_flags == "removed"
        tables[k.OPEN_ANSWERS] = options.answering == "open"
        tables[k.TURN_LIMIT] = options.turn_limit
        tables[k.LEVELS] = len(levels)
        tables[k.FLAG : k.FLAG + players] = [self._place[flag] for flag in ground(options.board).flags[players]]
        tables[k.ALLOWED : k.ALLOWED + len(levels)] = levels
        tables[k.SIZE : k.SIZE + 3] = self._sizes
        tables[k.WORDS : k.WORDS + 3] = self._words[:3]
        tables[k.KINDS : k.KINDS + 3] = k.CARDS_FROM + np.cumsum([0, *self._sizes])[:3]
        tables[k.SKILL : k.WRONG] = np.ravel([(-1, -1, -1) if skill == "own" else skill for skill in skills])
        tables[k.WRONG : k.WINS] = np.ravel([wrong(options, seat) for seat in range(k.SEATS)]) / k.PART
        tables[k.WINS : k.BOARD] = np.ravel(_wins()) / k.PART
        bits = sum(1 << place for place in self._place)
        tables[k.BOARD : k.CARDS_FROM] = np.frombuffer(bits.to_bytes(32, "little"), dtype=np.int64)
        tables[k.CARDS_FROM :] = kinds
        return tables

    # States ----------------------------------------------------------------------------------------------------

    def pack(self, s: State) -> Array:
        blank = s.deck == self.options.deck
        if not blank and s.deck != self.deck:
            raise ValueError("this state is played with another deck")
        packed = self._empty.copy()
        packed[k.PHASE : k.TURNS_HIGH + 1] = (
            PHASES.index(s.phase),
            s.mover,
            s.points,
            s.turns & 0x7FFF,
            s.turns >> 15,
        )
        if s.fight is not None:
            fight = s.fight
            squares = self._place[fight.target], self._place[fight.risk]
            packed[k.TARGET : k.BEST + 1] = (*squares, fight.dice, fight.thrown, fight.best)
        if s.question is not None:
            packed[k.ASKED : k.RIGHT + 1] = self._question(s.question, blank=blank)
        packed[k.WON] = sum(1 << seat for seat in s.won)
        packed[k.SEALED] = blank
        for seat, army in enumerate(s.armies):
            places = [self._place[square] for square in army]
            packed[places] = seat + 1
            packed[k.COUNT + seat] = len(places)
            begin = k.ARMY + k.MOST_SOLDIERS * seat
            packed[begin : begin + len(places)] = places
        for level, used in enumerate(s.used):
            packed[k.LAID + level] = len(used)
            for card in used:
                packed[k.USED + self._words[level] + (card >> 3)] |= 1 << (card & 7)
        return packed

    def _question(self, question: Question, *, blank: bool) -> tuple[int, ...]:
        """A question as it is packed, from ASKED to RIGHT."""
        level = LEVELS.index(question.level) + 1 if question.level else 0
        if question.card is None:
            return question.seat, level, 0, 0, 0
        if question.right is None:
            return question.seat, level, question.card + 1, 0, 0
        order = self._order(question, question.card, question.right, blank=blank)
        return question.seat, level, question.card + 1, order, question.right + 1

    def _order(self, question: Question, number: int, right: int, *, blank: bool) -> int:
        """Which order of the options was drawn: its place in ORDERS + 1, 0 if they were in order without it."""
        if blank:
            return ORDERS.index(BLANK_ORDERS[right]) + 1
        assert question.level is not None
        card = card_at(self.deck, question.level, number)
        assert card is not None
        if ascending(card):
            return 0
        return next(place for place, order in enumerate(ORDERS, 1) if face(card, order.shown) == question.face)

    def unpack(self, packed: Array) -> State:
        p: list[int] = packed.tolist()
        phase = PHASES[p[k.PHASE]]
        fight = None
        if phase == "fight":
            fight = Fight(self._square[p[k.TARGET]], self._square[p[k.RISK]], *p[k.DICE : k.BEST + 1])
        begins = [k.ARMY + k.MOST_SOLDIERS * seat for seat in range(self.players)]
        asked = phase in ("level", "card", "order", "answer", "pick")
        return State(
            options=self.options,
            deck=self.options.deck if p[k.SEALED] else self.deck,
            armies=tuple(
                tuple([self._square[place] for place in p[begin : begin + p[k.COUNT + seat]]])
                for seat, begin in enumerate(begins)
            ),
            phase=phase,
            mover=p[k.MOVER],
            points=p[k.POINTS],
            turns=(p[k.TURNS_HIGH] << 15) + p[k.TURNS],
            fight=fight,
            question=self._asked(p) if asked else None,
            used=tuple(self._used(p, level) for level in range(3)),
            won=tuple(seat for seat in range(self.players) if p[k.WON] >> seat & 1),
        )

    def _used(self, p: list[int], level: int) -> tuple[int, ...]:
        words = p[k.USED + self._words[level] : k.USED + self._words[level + 1]]
        return tuple([8 * word + bit for word, bits in enumerate(words) if bits for bit in range(8) if bits >> bit & 1])

    def _asked(self, p: list[int]) -> Question:
        level = LEVELS[p[k.LEVEL] - 1] if p[k.LEVEL] else None
        card = p[k.CARD] - 1 if p[k.CARD] else None
        shown = None if PHASES[p[k.PHASE]] == "order" else self._face(p)
        return Question(p[k.ASKED], level, card, shown, p[k.RIGHT] - 1 if p[k.RIGHT] else None)

    def _face(self, p: list[int]) -> Face | None:
        """What is seen of the open card: it follows from the card and, where one was drawn, the order."""
        if not p[k.CARD]:
            return None
        card = card_at(self.options.deck if p[k.SEALED] else self.deck, LEVELS[p[k.LEVEL] - 1], p[k.CARD] - 1)
        if self.options.skill_of(p[k.ASKED]) != "own":
            return face(card, alphabetical(card))
        if self.options.answering == "open":
            return face(card, ())
        drawn = ORDERS[p[k.SHOWN] - 1].shown if p[k.SHOWN] else None
        return face(card, drawn or (ascending(card) if card else None) or ())

    # Actions ---------------------------------------------------------------------------------------------------

    def number(self, s: State, a: Action) -> int:
        match a:
            case Step():
                start = PLACE[a.start]
                return k.STEP + 4 * start + WAYS.index(PLACE[a.end] - start)
            case Attack():
                target = PLACE[a.target]
                return k.ATTACK + 4 * target + SIDES.index(PLACE[a.risk] - target)
            case Take():
                return k.TAKE + PLACE[a.square]
            case Done():
                return k.DONE
            case Begins():
                return k.BEGINS + a.seat
            case Roll():
                return k.ROLL + k.PIPS * (a.low - 1) + a.high - 1
            case Ask():
                return k.ASK + LEVELS.index(a.level)
            case Order():
                return k.ORDER + ORDERS.index(a)
            case Choose():
                return k.CHOOSE + a.option
            case GiveUp():
                return k.GIVE_UP
            case Know():
                return k.KNOW + (not a.right)
            case Draw():
                return k.DRAW + a.card
        raise ValueError(f"{a} has no number: it is neither listed as legal nor an outcome")

    def action(self, number: int) -> Action:
        """The action or outcome of this number."""
        if number < k.ATTACK:
            start, way = divmod(number - k.STEP, 4)
            return Step(NAMES[start], NAMES[start + WAYS[way]])
        if number < k.TAKE:
            target, side = divmod(number - k.ATTACK, 4)
            return Attack(NAMES[target], NAMES[target + SIDES[side]])
        if number < k.DONE:
            return Take(NAMES[number - k.TAKE])
        if number < k.DRAW:
            return FEW[number - k.DONE]
        return Draw(number - k.DRAW)


# The actions that have no squares or cards in them, by their numbers from DONE on.
FEW: tuple[Action, ...] = (
    DONE,
    *(Begins(seat) for seat in range(k.SEATS)),
    *(Roll(low, high) for low in range(1, k.PIPS + 1) for high in range(1, k.PIPS + 1)),
    *(Ask(level) for level in LEVELS),
    *ORDERS,
    *CHOICES,
    GIVE_UP,
    Know(True),
    Know(False),
)


@cache
def _wins() -> Array:
    """The attackers' chance in every fight there can be, by dice, how many of them have fallen, and the best."""
    chances = np.zeros((5, 5, k.PIPS + 1))
    for dice in range(1, 5):
        chances[dice, 0, 0] = wins(dice, 0, 0)
        for thrown in range(1, dice + 1):
            chances[dice, thrown, 1:] = [wins(dice, thrown, best) for best in range(1, k.PIPS + 1)]
    return chances


@lru_cache(maxsize=64)
def fast(options: Options, players: int) -> EgarFast:
    """EGAR under these options at a table for so many."""
    return EgarFast(options, players)
