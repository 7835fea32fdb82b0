"""EGAR over arrays, for bots and simulations. `layout` says how states and actions are packed."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import get_args

import numpy as np
from msgspec.structs import replace

from astragal.core.fast import Array, Fast, Kernels
from astragal.games.egar import layout as at
from astragal.games.egar.actions import (
    CHOICES,
    DONE,
    GIVE_UP,
    ORDERS,
    Action,
    Ask,
    Attack,
    Begins,
    Draw,
    Know,
    Roll,
    Step,
    Take,
)
from astragal.games.egar.board import COLUMNS, ground, name
from astragal.games.egar.cards import LEVELS, ascending
from astragal.games.egar.combat import wins
from astragal.games.egar.deck import cards_of, sealed
from astragal.games.egar.kernels import chance, legal, returns, turn
from astragal.games.egar.kernels_features import features
from astragal.games.egar.kernels_inputs import PARTS, inputs
from astragal.games.egar.kernels_observe import OBSERVATION, observe
from astragal.games.egar.kernels_steps import step
from astragal.games.egar.options import Options
from astragal.games.egar.quiz import deck_size, levels_of
from astragal.games.egar.state import Phase, Question, State

PHASES: tuple[Phase, ...] = get_args(Phase)
PLACE = {name(column, row): at.ROW * (row + 1) + column + 1 for row in range(13) for column in range(len(COLUMNS))}
NAMES = {place: square for square, place in PLACE.items()}
OWN_WRONG = (0.4, 0.5, 0.6)  # how often a seat that answers itself is thought to be wrong, by level


class EgarFast(Fast[State, Action]):
    """Made for a deck, and good for the same deck sealed, as `resample` has it: then the faces of cards are blank."""

    source = Kernels(turn, legal, chance, step, returns, features, observe, inputs)
    observation = OBSERVATION
    input_parts = PARTS

    dtype = np.int16
    actions = at.ACTIONS

    def __init__(self, options: Options, players: int) -> None:
        self.players = players
        self.deck = options.deck
        self.options = replace(options, deck=sealed(options.deck))
        here = ground(options.board)
        self._place = [PLACE[name] for name in here.names]
        self._sizes = [deck_size(self.options, level) for level in LEVELS]
        self._words = np.cumsum([0, *((size + 7) // 8 for size in self._sizes)]).tolist()
        self._empty = [-1] * at.SQUARES + [0] * (at.USED + self._words[-1] - at.SQUARES)
        for place in self._place:
            self._empty[place] = 0
        self.tables = self._tables()
        self.outcomes = at.DRAW + max(self._sizes)
        self.most = max(4 * at.MOST_SOLDIERS + 1, len(ORDERS), *self._sizes)

    @property
    def decisions(self) -> Array:
        here = set(self._place)
        steps = [at.STEP + 4 * one + way for one in here for way, by in enumerate(at.WAYS) if one + by in here]
        attacks = [at.ATTACK + 4 * one + side for one in here for side, by in enumerate(at.SIDES) if one + by in here]
        takes = [at.TAKE + one for one in here]
        return np.array(sorted([*steps, *attacks, *takes, *range(at.DONE, at.ACTIONS)]))

    def _tables(self) -> Array:
        """What the kernels know of options and board, by the places named in `layout`."""
        options, players = self.options, self.players
        levels = [LEVELS.index(level) for level in levels_of(options)]
        skills = [options.skill_of(seat) for seat in range(at.SEATS)]
        orders = [ascending(card) for level in LEVELS for card in cards_of(self.deck, level)]
        kinds = [0 if order is None else order.index(0) + 1 for order in orders]
        tables = np.zeros(at.CARDS_FROM + len(kinds), dtype=np.int64)
        tables[at.PLAYERS] = players
        tables[at.OWN_FLAG_OPEN] = options.own_flag_open
        tables[at.FLAGS_REMOVED] = options.dead_flags == "removed"
        tables[at.OPEN_ANSWERS] = options.answering == "open"
        tables[at.TURN_LIMIT] = options.turn_limit
        tables[at.LEVELS] = len(levels)
        here = ground(options.board)
        tables[at.FLAG : at.FLAG + players] = [self._place[flag] for flag in here.flags[players]]
        tables[at.ALLOWED : at.ALLOWED + len(levels)] = levels
        tables[at.SIZE : at.SIZE + 3] = self._sizes
        tables[at.WORDS : at.WORDS + 3] = self._words[:3]
        tables[at.KINDS : at.KINDS + 3] = at.CARDS_FROM + np.cumsum([0, *self._sizes])[:3]
        tables[at.SKILL : at.WRONG] = np.ravel([(-1, -1, -1) if skill == "own" else skill for skill in skills])
        tables[at.WRONG : at.WINS] = np.round(np.ravel([wrong(options, seat) for seat in range(at.SEATS)]) / at.PART)
        tables[at.WINS : at.BOARD] = np.round(np.ravel(_wins()) / at.PART)
        bits = sum(1 << place for place in self._place)
        tables[at.BOARD : at.SIDE] = np.frombuffer(bits.to_bytes(32, "little"), dtype=np.int64)
        tables[at.SIDE] = max(here.board.columns, here.board.rows)
        tables[at.TURNED : at.TURNED + players] = here.quarters(players)
        tables[at.CARDS_FROM :] = kinds
        return tables

    def words(self, s: State) -> list[int]:
        blank = s.deck == self.options.deck
        if not blank and s.deck != self.deck:
            raise ValueError("this state is played with another deck")
        words = self._empty.copy()
        words[at.PHASE : at.TURNS] = PHASES.index(s.phase), s.mover, s.points
        if self.options.turn_limit:
            words[at.TURNS], words[at.TURNS_HIGH] = s.turns & 0x7FFF, s.turns >> 15
        if s.fight is not None:
            fight = s.fight
            squares = self._place[fight.target], self._place[fight.risk]
            words[at.TARGET : at.BEST + 1] = (*squares, fight.dice, fight.thrown, fight.best)
        if s.question is not None:
            words[at.ASKED : at.RIGHT + 1] = self._question(s.question)
        words[at.WON] = sum(1 << seat for seat in s.won)
        words[at.SEALED] = int(blank)
        for seat, army in enumerate(s.armies):
            places = [self._place[square] for square in army]
            for place in places:
                words[place] = seat + 1
            words[at.COUNT + seat] = len(places)
            begin = at.ARMY + at.MOST_SOLDIERS * seat
            words[begin : begin + len(places)] = places
        for level, used in enumerate(s.used):
            words[at.LAID + level] = len(used)
            for card in used:
                words[at.USED + self._words[level] + (card >> 3)] |= 1 << (card & 7)
        return words

    def _question(self, question: Question) -> tuple[int, int, int]:
        """A question as it is packed, from ASKED to RIGHT."""
        level = LEVELS.index(question.level) + 1 if question.level else 0
        return question.seat, level, 0 if question.right is None else question.right + 1

    def action(self, packed: Array, number: int) -> Action:
        if packed[at.PHASE] in CHANCES or (packed[at.PHASE] == at.ANSWER and self._answers_by_chance(packed)):
            return OUTCOMES[number] if number < at.DRAW else Draw(number - at.DRAW)
        if number < at.ATTACK:
            start, way = divmod(number - at.STEP, 4)
            return Step(NAMES[start], NAMES[start + at.WAYS[way]])
        if number < at.TAKE:
            target, side = divmod(number - at.ATTACK, 4)
            return Attack(NAMES[target], NAMES[target + at.SIDES[side]])
        return Take(NAMES[number - at.TAKE]) if number < at.DONE else DECISIONS[number - at.DONE]

    def _answers_by_chance(self, packed: Array) -> bool:
        return bool(self.tables[at.SKILL + 3 * packed[at.ASKED]] >= 0)


CHANCES = (at.LOTS, at.ROLLING, at.FIGHT, at.CARDS, at.ORDERING)  # phases in which only chance acts
# Decisions that have no squares in them, by their numbers from DONE on; and outcomes up to DRAW.
DECISIONS: tuple[Action, ...] = (DONE, *(Ask(level) for level in LEVELS), *CHOICES, GIVE_UP)
OUTCOMES: tuple[Action, ...] = (
    *(Begins(seat) for seat in range(at.SEATS)),
    *(Roll(low, high) for low in range(1, at.PIPS + 1) for high in range(1, at.PIPS + 1)),
    *ORDERS,
    Know(True),
    Know(False),
)


def wrong(options: Options, seat: int) -> tuple[float, ...]:
    """How likely a seat answers wrong, for each level."""
    skill = options.skill_of(seat)
    return OWN_WRONG if skill == "own" else tuple(1 - percent / 100 for percent in skill)


@cache
def _wins() -> Array:
    """The attackers' chance in every fight there can be, by dice, how many of them have fallen, and the best."""
    chances = np.zeros((5, 5, at.PIPS + 1))
    for dice in range(1, 5):
        chances[dice, 0, 0] = wins(dice, 0, 0)
        for thrown in range(1, dice + 1):
            chances[dice, thrown, 1:] = [wins(dice, thrown, best) for best in range(1, at.PIPS + 1)]
    return chances


@lru_cache(maxsize=64)
def fast(options: Options, players: int) -> EgarFast:
    """EGAR under these options at a table for so many."""
    return EgarFast(options, players)
