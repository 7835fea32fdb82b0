"""Positions of Ur for the tests. The ways are copied from the rulebook, not from the code under test."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from hypothesis import strategies as st

from astragal.core import options as option_tools
from astragal.core.types import CHANCE, OVER
from astragal.games.ur.actions import Action, Move
from astragal.games.ur.options import Options
from astragal.games.ur.rules import State, UrRules

RULES = UrRules()
LIGHT, DARK = 0, 1

_START = ("a4 a3 a2 a1", "c4 c3 c2 c1")
WAYS: dict[str, tuple[list[str], list[str]]] = {
    "bell": (
        f"{_START[0]} b1 b2 b3 b4 b5 b6 b7 b8 a8 a7".split(),
        f"{_START[1]} b1 b2 b3 b4 b5 b6 b7 b8 c8 c7".split(),
    ),
    "masters": (
        f"{_START[0]} b1 b2 b3 b4 b5 b6 b7 c7 c8 b8 a8 a7".split(),
        f"{_START[1]} b1 b2 b3 b4 b5 b6 b7 a7 a8 b8 c8 c7".split(),
    ),
    "aseb": (
        f"{_START[0]} b1 b2 b3 b4 b5 b6 b7 b8 b9 b10 b11 b12".split(),
        f"{_START[1]} b1 b2 b3 b4 b5 b6 b7 b8 b9 b10 b11 b12".split(),
    ),
}
ROSETTES = {
    "bell": {"a1", "c1", "b4", "a7", "c7"},
    "masters": {"a1", "c1", "b4", "a7", "c7"},
    "aseb": {"a1", "c1", "b4", "b8", "b12"},
}
PATHS = tuple(WAYS)


def at(
    light: str = "",
    dark: str = "",
    *,
    mover: int = LIGHT,
    throw: int | None = None,
    pools: tuple[int, int] | None = None,
    **chosen: Any,
) -> State:
    """The position with pieces on these squares; what is on neither board nor home waits in the pools."""
    rules = Options(**({"begins": 0} | chosen))
    assert isinstance(rules.path, str)
    ways = WAYS[rules.path]
    on = [
        tuple(sorted(way.index(square) + 1 for square in squares.split()))
        for way, squares in zip(ways, (light, dark), strict=True)
    ]
    if pools is None:
        pools = (rules.pieces - len(on[0]), rules.pieces - len(on[1]))
    home = [seat for seat in (LIGHT, DARK) if not on[seat] and not pools[seat]]
    return State(rules, mover, throw, pools, (on[0], on[1]), None, home[0] if home else None)


def squares(s: State, seat: int) -> set[str]:
    """Where a side's pieces stand, by the names a player sees."""
    return set(RULES.observe(s, None).squares[seat])


def moves(s: State) -> set[str]:
    """The legal actions as written."""
    return {RULES.encode(action) for action in RULES.legal(s)}


def play(s: State, text: str) -> State:
    """The position after the action that exactly this start and end describe."""
    start, _, end = text.partition("-")
    return RULES.apply(s, Move(start, end))


def successors(s: State) -> tuple[Action, ...]:
    return RULES.legal(s) or tuple(outcome for outcome, _ in RULES.chance(s))


def random_game(seed: int, chosen: Options, plies: int = 400) -> Iterator[tuple[State, Action | None]]:
    """The positions of a random game, each with what is done in it (None in the last one)."""
    rng = Random(seed)
    state = RULES.initial(chosen, 2)
    for _ in range(plies):
        turn = RULES.turn(state)
        if turn == OVER:
            break
        if turn == CHANCE:
            outcomes, weights = zip(*RULES.chance(state), strict=True)
            action = rng.choices(outcomes, weights)[0]
        else:
            action = rng.choice(RULES.legal(state))
        yield state, action
        state = RULES.apply(state, action)
    yield state, None


ALL_OPTIONS: tuple[Options, ...] = tuple(option_tools.pairwise(RULES, Random(0)))
"""A few sets of options in which every two values of two options meet."""


@st.composite
def positions(draw: st.DrawFn) -> State:
    """A position some way into a random game under some options."""
    chosen = draw(st.sampled_from(ALL_OPTIONS))
    steps = draw(st.integers(0, 200))
    state = RULES.initial(chosen, 2)
    for state, _ in random_game(draw(st.integers(0, 10_000)), chosen, steps):  # noqa: B007
        pass
    return state
