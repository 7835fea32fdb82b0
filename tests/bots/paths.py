"""A game without chance or secrets whose whole tree is a few lines, to test searches with.

Each node says who chooses there and what can be chosen: other nodes, or `win` and `lose` as seat 0 sees them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from msgspec import Struct

from astragal.core.compiled import kernel
from astragal.core.defaults import OpenEvent, OpenRules, OpenState, OpenView, PlainPresentation
from astragal.core.fast import Array, Fast, Kernels
from astragal.core.rules import BaseOptions, Game, Heuristic
from astragal.core.types import OVER, Spec

TREE: Mapping[str, tuple[int, tuple[str, ...]]] = {
    # All is lost; the longest way is c.
    "start": (0, ("a", "b", "c")),
    "a": (1, ("lose", "win")),
    "b": (1, ("lose",)),
    "c": (1, ("c1", "win")),
    "c1": (0, ("c2",)),
    "c2": (1, ("lose", "win")),
    # Two ways win: at once by f, and by e after another decision of one's own.
    "won": (0, ("d", "e", "f")),
    "d": (1, ("lose", "win")),
    "e": (0, ("win", "lose")),
    "f": (0, ("e", "win")),
    "soon": (0, ("e", "win", "d")),
}
NODES = (*TREE, "win", "lose")
MOST = 3


class Go(Struct, frozen=True, tag="go"):
    to: str


class State(OpenState[BaseOptions], frozen=True):
    node: str


class View(OpenView[State, Go, BaseOptions], frozen=True, kw_only=True):
    """What a seat sees."""


class Event(OpenEvent[State, Go], frozen=True, kw_only=True, tag="went"):
    """What a seat sees of a step."""


class PathRules(OpenRules[State, Go, BaseOptions]):
    spec = Spec(id="paths", title="Paths", summary="A tree.", version=1, players=(2,))
    state_type, action_type, options_type, view_type, event_type = State, Go, BaseOptions, View, Event
    presets: Mapping[str, BaseOptions] = {"paths": BaseOptions(begins=0)}

    def initial(self, options: BaseOptions, players: int) -> State:
        return State(options, "start")

    def turn(self, s: State) -> int:
        return OVER if s.node in ("win", "lose") else TREE[s.node][0]

    def legal(self, s: State) -> tuple[Go, ...]:
        return () if self.turn(s) == OVER else tuple(map(Go, TREE[s.node][1]))

    def after(self, s: State, a: Go) -> State:
        return State(s.options, a.to)

    def returns(self, s: State) -> tuple[float, ...]:
        return {"win": (1.0, 0.0), "lose": (0.0, 1.0)}.get(s.node, (0.0, 0.0))


# Tables: for each node who chooses, how many choices there are, and which.
WIN, LOSE = NODES.index("win"), NODES.index("lose")
WIDTH = 2 + MOST


@kernel
def turn(state: Array, tables: Array) -> int:
    return int(tables[WIDTH * state[0]])


@kernel
def legal(state: Array, tables: Array, numbers: Array) -> int:
    count = tables[WIDTH * state[0] + 1]
    for index in range(count):
        numbers[index] = tables[WIDTH * state[0] + 2 + index]
    return int(count)


@kernel
def chance(state: Array, tables: Array, numbers: Array, weights: Array) -> int:
    return 0


@kernel
def step(state: Array, tables: Array, number: int) -> None:
    state[0] = number


@kernel
def returns(state: Array, tables: Array, shares: Array) -> None:
    shares[0] = 1.0 if state[0] == WIN else 0.0
    shares[1] = 1.0 if state[0] == LOSE else 0.0


@kernel
def features(state: Array, tables: Array, seat: int, values: Array) -> None:
    values[0] = 0.0


class PathFast(Fast[State, Go]):
    source = Kernels(turn, legal, chance, step, returns, features)
    players, actions, outcomes, most = 2, len(NODES), 1, MOST

    def __init__(self, options: BaseOptions, players: int) -> None:
        rows = []
        for node in NODES:
            seat, choices = TREE.get(node, (OVER, ()))
            ways = [NODES.index(choice) for choice in choices]
            rows += [seat, len(ways), *ways, *[0] * (MOST - len(ways))]
        self.tables = np.array(rows, dtype=np.int64)

    def words(self, s: State) -> list[int]:
        return [NODES.index(s.node)]

    def action(self, packed: Array, number: int) -> Go:
        return Go(NODES[number])


class Indifferent(Heuristic[Any]):
    """Sees no difference, and is as sure of a win as anybody can be."""

    names: Mapping[str, str] = {"nothing": "nothing"}
    weights: Mapping[str, float] = {"nothing": 1.0}

    def features(self, v: Any, seat: int) -> Mapping[str, float]:
        return {"nothing": 0.0}


RULES = PathRules()
GAME = Game(rules=RULES, presentation=PlainPresentation(RULES), heuristic=Indifferent(), fast=PathFast)
