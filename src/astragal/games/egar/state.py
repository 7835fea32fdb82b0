"""A position of EGAR, and who is left in it (EG-13, EG-16 to EG-18, EG-22)."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from astragal.games.egar.board import Ground, ground
from astragal.games.egar.cards import Face, Level
from astragal.games.egar.deck import Deck, DeckName
from astragal.games.egar.options import Options

Phase = Literal[
    "lots",  # who begins (chance)
    "roll",  # the die for moving (chance)
    "move",  # steps while points are left; the first attack ends them
    "attack",  # attacks only
    "fight",  # the dice of one attack (chance)
    "level",  # the asker picks a level
    "card",  # a card is drawn (chance)
    "order",  # so is the order of its options (chance)
    "answer",  # the asked seat answers, or chance does by its skill
    "pick",  # the asker picks one of several nearest soldiers
    "over",
]


class Fight(Struct, frozen=True):
    """An attack whose dice are being rolled (EG-10)."""

    target: int
    risk: int  # the attacking soldier that is lost if the attack is
    dice: int  # one for each attacking soldier
    thrown: int = 0  # how many of them have fallen
    best: int = 0  # the highest so far


class Question(Struct, frozen=True):
    """A question on its way to a seat. The card is named by its number in the deck, which tells nothing."""

    seat: int
    level: Level | None = None  # None: the asker is to pick it
    card: int | None = None
    face: Face | None = None  # what everybody sees of it, once its options are in order
    right: int | None = None  # the secret (EG-21): which of the options shown is right, where a seat is to choose


class State(Struct, frozen=True):
    """A position. Soldiers stand on numbered squares (see `board.Ground`), each army's in ascending order."""

    options: Options  # as everybody knows them: with a sealed deck
    deck: DeckName | Deck  # the cards themselves, which nobody knows
    armies: tuple[tuple[int, ...], ...]  # by seat; an empty one has left the game
    phase: Phase
    mover: int  # whose turn it is
    points: int = 0  # steps left
    turns: int = 0  # turns that are over
    fight: Fight | None = None
    question: Question | None = None
    used: tuple[tuple[int, ...], ...] = ((), (), ())  # cards laid aside, by level, the open one included
    won: tuple[int, ...] = ()  # who shares the win, once the game is over

    @property
    def ground(self) -> Ground:
        """The board it is played on."""
        return ground(self.options.board)

    @property
    def asked(self) -> Question:
        """The question, in the phases that have one."""
        assert self.question is not None
        return self.question


def living(s: State) -> list[int]:
    """The seats with soldiers, in the order of turns."""
    return [seat for seat, army in enumerate(s.armies) if army]


def next_living(s: State, seat: int) -> int:
    """The first living player to the right of this one (EG-3, EG-13)."""
    players = len(s.armies)
    for offset in range(1, players + 1):
        if s.armies[(seat + offset) % players]:
            return (seat + offset) % players
    raise AssertionError("a game without armies")


def flags(s: State) -> dict[int, int]:
    """Whose flag stands on which square: square to seat (EG-17)."""
    squares = s.ground.flags[len(s.armies)]
    if s.options.dead_flags == "stay":
        return {square: seat for seat, square in enumerate(squares)}
    return {square: seat for seat, square in enumerate(squares) if s.armies[seat]}


def without(s: State, seat: int, *squares: int) -> State:
    """The position after soldiers left the board. The last army left has won (EG-18)."""
    kept = tuple([square for square in s.armies[seat] if square not in squares])
    after = replace(s, armies=(*s.armies[:seat], kept, *s.armies[seat + 1 :]))
    alive = living(after)
    return won_by(after, *alive) if len(alive) == 1 else after


def won_by(s: State, *seats: int) -> State:
    """The end: whatever was going on lapses (EG-7)."""
    return replace(s, phase="over", won=seats, points=0, fight=None, question=None)


def next_turn(s: State, seat: int) -> State:
    """The turn passes to this seat, or if it has left to the next living one; or the limit ends the game (EG-22)."""
    mover = seat if s.armies[seat] else next_living(s, seat)
    after = replace(s, phase="roll", mover=mover, turns=s.turns + 1, points=0, fight=None, question=None)
    if s.options.turn_limit and after.turns >= s.options.turn_limit:
        most = max(map(len, s.armies))
        return won_by(after, *(seat for seat, army in enumerate(s.armies) if len(army) == most))
    return after
