"""Positions of Nile to test with, and random games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

from msgspec.structs import replace

from astragal.core.types import CHANCE, OVER
from astragal.games.nile.actions import Action, Draw, Lay
from astragal.games.nile.board import Board
from astragal.games.nile.options import Options
from astragal.games.nile.rules import NileRules
from astragal.games.nile.state import State
from astragal.games.nile.tiles import KINDS, Kind, in_order, stock
from astragal.games.nile.view import View

RULES = NileRules()
PLAIN = Board(
    "plain", ("7 70 60 50 40 50 60 70", *(f"{row} . . . . . . ." for row in (6, 5, 4, 3, 2)), "1 . . . * . . .")
)
"""Seven by seven fields without colours, the start at D1."""
OPTIONS = Options(board=PLAIN, begins=0)
EVERYTHING: tuple[Kind, ...] = tuple(kind for kind in KINDS for _ in range(4))


def rack(text: str) -> tuple[Kind, ...]:
    """`straight bow bow` as a rack."""
    kinds: list[Kind] = [kind for word in text.split() for kind in KINDS if kind == word]
    assert len(kinds) == len(text.split()), text
    return in_order(tuple(kinds))


def at(acts: str = "", *racks: str, options: Options = OPTIONS, seat: int = 0) -> State:
    """The river after these acts, and a new turn with these racks (two empty ones if none are given).

    The bag holds all other tiles of the set. The sheet stays empty: nobody has scored for the river so far.
    """
    counts = stock(options.tiles).counts
    state = State(options, "turn", seat, 0, (EVERYTHING, ()), counts)
    for act in acts.split():
        action = RULES.decode(state, act)
        assert isinstance(action, Lay)
        state = RULES.apply(replace(state, seat=0, racks=(EVERYTHING, ())), action)
        assert state.phase == "turn"
    held = tuple(rack(text) for text in racks) or ((), ())
    lying = Counter(one.tile for one in state.river) - Counter(one.replaced for one in state.river if one.replaced)
    gone = lying + Counter(kind for one in held for kind in one)
    bag = tuple(count - gone[kind] for kind, count in zip(KINDS, counts, strict=True))
    assert all(count >= 0 for count in bag), "more tiles than there are"
    return State(options, "turn", seat, 0, held, bag, state.river)


def dealt(*racks: str, options: Options = OPTIONS) -> State:
    """A game that began with these racks, dealt as the rules deal them."""
    state = RULES.initial(options, len(racks))
    for text in racks:
        for word in text.split():
            state = RULES.apply(state, Draw(rack(word)[0]))
    assert RULES.turn(state) == 0
    return state


def do(state: State, *texts: str) -> State:
    """The position after these actions."""
    for text in texts:
        state = RULES.apply(state, RULES.decode(state, text))
    return state


def legal(state: State) -> set[str]:
    return {RULES.encode(action) for action in RULES.legal(state)}


def filled(state: State, *kinds: str) -> State:
    """The position after these draws, and after whatever else is to be drawn (the first kind in the bag)."""
    for kind in kinds:
        state = do(state, f"draw-{kind}")
    while RULES.turn(state) == CHANCE:
        state = RULES.apply(state, RULES.chance(state)[0][0])
    return state


def random_game(seed: int, options: Options, players: int) -> Iterator[tuple[State, Action | None]]:
    """A game played at random: each position with what is done in it; None at the end."""
    rng = Random(seed)
    state = RULES.initial(options, players)
    while (turn := RULES.turn(state)) != OVER:
        if turn == CHANCE:
            outcomes = RULES.chance(state)
            action = rng.choices([outcome for outcome, _ in outcomes], [weight for _, weight in outcomes])[0]
        else:
            action = rng.choice(RULES.legal(state))
        yield state, action
        state = RULES.apply(state, action)
    yield state, None


def final(seed: int, options: Options, players: int) -> State:
    """The last position of a random game."""
    *_, (state, _) = random_game(seed, options, players)
    return state


def tiles_in_play(state: State) -> Counter[str]:
    """Every tile there is, wherever it is: in the bag, on racks, on the board, or drawn for the right to begin."""
    tiles: Counter[str] = Counter({kind: count for kind, count in zip(KINDS, state.bag, strict=True) if count})
    for held in state.racks:
        tiles.update(held)
    if state.phase == "lots":
        for rounds in state.lots:
            tiles.update(rounds[-1])
    on_board = {one.field: one.tile for one in state.river}  # a later tile on a field has replaced the earlier
    tiles.update(on_board.values())
    return tiles


def seen(state: State, seat: int | None) -> View:
    return RULES.observe(state, seat)
