"""The rules of Goat Path; rules.md tells them to players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from astragal.core.defaults import OpenEvent, OpenRules, OpenState, OpenView
from astragal.core.language import noted
from astragal.core.rules import BaseOptions
from astragal.core.types import CHANCE, OVER, Schema, Spec

SIDES = {1: 1, 3: 4, 4: 4, 6: 1}  # a knucklebone's sides, and how often in ten throws each lies on top
FENCE = 8  # there is one after every so many steps


class Options(BaseOptions, frozen=True, kw_only=True):
    """House rules; `begins` comes with BaseOptions."""

    steps: Annotated[int, Meta(ge=16, le=32, description=noted("Steps to the meadow"))] = 24
    stones: Annotated[int, Meta(ge=0, le=5, description=noted("Stones of each goatherd"))] = 3


class First(Struct, frozen=True, tag="first"):
    """The lot: who begins."""

    seat: int


class Fall(Struct, frozen=True, tag="fall"):
    """The bone falls on a side."""

    side: int


class Throw(Struct, frozen=True, tag="throw"):
    """Throws the bone once more."""


class Walk(Struct, frozen=True, tag="walk"):
    """Walks as many steps as all sides of the run together."""


class Stone(Struct, frozen=True, tag="stone"):
    """Throws a stone: the other goat runs back to its last fence."""


Action = First | Fall | Throw | Walk | Stone


class State(OpenState[Options], frozen=True):
    """A position."""

    seat: int | None  # whose turn it is; None before the lot
    rolling: bool  # the bone is in the air
    run: tuple[int, ...]  # the sides of this turn
    slipped: int | None  # the side that ended the last turn, if one did
    goats: tuple[int, int]  # how many steps each has come
    stones: tuple[int, int]  # how many each goatherd has left


class View(OpenView[State, Action, Options], frozen=True, kw_only=True):
    """What everybody sees."""


class Event(OpenEvent[State, Action], frozen=True, kw_only=True):
    """What everybody sees of an action."""


class GoatRules(OpenRules[State, Action, Options]):
    """A race in which every turn asks: throw once more, walk, or stop the other?"""

    spec = Spec(
        id="goats",
        title=noted("Goat Path"),
        summary=noted("Lead your goat up to the meadow: throw once more, walk, or throw a stone at the other goat."),
        version=1,
        players=(2,),
        bound=noted("goats can slip for ever, but every throw has a chance of a step"),
    )
    state_type: Schema = State
    action_type: Schema = Action
    options_type: Schema = Options
    view_type: Schema = View
    event_type: Schema = Event
    presets: Mapping[str, Options] = {"path": Options(), "short": Options(steps=16, stones=2)}

    def initial(self, options: Options, players: int) -> State:
        self.check_options(options, players)
        first = None if options.begins == "lots" else options.begins
        return State(options, first, True, (), None, (0, 0), (options.stones, options.stones))

    def turn(self, s: State) -> int:
        if max(s.goats) >= s.options.steps:
            return OVER
        return CHANCE if s.seat is None or s.rolling else s.seat

    def legal(self, s: State) -> tuple[Action, ...]:
        if self.turn(s) < 0 or s.seat is None:
            return ()
        throw = (Throw(),) if len(s.run) < len(SIDES) else ()
        stone = (Stone(),) if s.stones[s.seat] and driven_back(s) < s.goats[1 - s.seat] else ()
        return (*throw, Walk(), *stone)

    def chance(self, s: State) -> tuple[tuple[Action, int], ...]:
        if self.turn(s) != CHANCE:
            return ()
        if s.seat is None:
            return ((First(0), 1), (First(1), 1))
        return tuple((Fall(side), weight) for side, weight in SIDES.items())

    def after(self, s: State, a: Action) -> State:
        if isinstance(a, First):
            return replace(s, seat=a.seat)
        seat = s.seat or 0
        match a:
            case Fall(side) if side in s.run:
                return replace(s, seat=1 - seat, run=(), slipped=side)
            case Fall(side):
                return replace(s, rolling=False, run=(*s.run, side), slipped=None)
            case Throw():
                return replace(s, rolling=True)
            case Walk():
                there = min(s.goats[seat] + sum(s.run), s.options.steps)
                return replace(s, seat=1 - seat, rolling=True, run=(), goats=put(s.goats, seat, there))
        stones, goats = put(s.stones, seat, s.stones[seat] - 1), put(s.goats, 1 - seat, driven_back(s))
        return replace(s, seat=1 - seat, rolling=True, run=(), stones=stones, goats=goats)

    def returns(self, s: State) -> tuple[float, ...]:
        return tuple(float(goat >= s.options.steps) for goat in s.goats)


def driven_back(s: State) -> int:
    """Where the other goat would stand after a stone: at the last fence it has come to."""
    return s.goats[1 - (s.seat or 0)] // FENCE * FENCE


def put(pair: tuple[int, int], seat: int, value: int) -> tuple[int, int]:
    """The pair with another value for this seat."""
    return (value, pair[1]) if seat == 0 else (pair[0], value)


RULES = GoatRules()
