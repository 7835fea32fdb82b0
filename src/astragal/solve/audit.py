"""Whether a table is right, and what its rounding costs: measured by the game's own rules, position by position."""

from __future__ import annotations

from random import Random

from msgspec import Struct

from astragal.core import options as option_values
from astragal.core.language import say
from astragal.core.rules import Game
from astragal.core.types import CHANCE, OVER
from astragal.solve.positions import Lookup, Positions
from astragal.solve.table import BadTable, Table

SAMPLE = 1000  # positions
DECISIONS = 2000
GAMES = 200  # in which they are looked for
LONGEST = 5000  # plies of a game that need not end


class Bellman(Struct, frozen=True):
    """How well the values of a sample follow from those of the positions they lead to."""

    positions: int
    wrong: int  # further off than precision and rounding explain
    worst: float  # the largest difference


def positions_of(table: Table, game: Game) -> Positions:
    """The positions that a table is about. Raises BadTable if it is of another version of the game."""
    header = table.header
    options = option_values.convert(game.rules, {**header.options, "begins": 0})
    table.check_for(game, options)
    return Positions(game, options)


def bellman(table: Table, game: Game, *, sample: int = SAMPLE, seed: int = 0) -> Bellman:
    """Works out a sample of positions by the rules, from the table's own values of those they lead to."""
    positions = positions_of(table, game)
    size, header = positions.index.size, table.header
    if size != header.positions:
        raise BadTable(
            say(
                "{file} has {n} positions, and the game has {size}", file=str(table.file), n=header.positions, size=size
            )
        )
    allowed = 2 * header.precision + 1.0 / ((1 << header.bits) - 1)
    rng = Random(seed)
    ranks = range(size) if size <= sample else [rng.randrange(size) for _ in range(sample)]
    worst, wrong, looked = 0.0, 0, 0
    for rank in ranks:
        state = positions.at(rank)
        if positions.fast.turn(state) == OVER:
            continue
        off = abs(positions.expected(state, 0, table.value) - table.value(rank))
        worst, wrong, looked = max(worst, off), wrong + (off > allowed), looked + 1
    return Bellman(looked, wrong, worst)


def rounding_loss(positions: Positions, exact: Lookup, bits: int, *, decisions: int = DECISIONS) -> float:
    """Points of win chance that a decision costs on average if values are rounded to so many bits.

    Measured where there is something to decide, in games that both sides play by the rounded values.
    """
    most = (1 << bits) - 1
    fast, rng = positions.fast, Random(bits)

    def rounded(rank: int) -> float:
        return int(exact(rank) * most + 0.5) / most

    lost, made = 0.0, 0
    for _ in range(GAMES):
        state = positions.first
        for _ in range(LONGEST):
            turn = fast.turn(state)
            if turn == OVER or made == decisions:
                break
            if turn == CHANCE:
                outcomes = fast.chance(state)
                number = rng.choices([n for n, _ in outcomes], [weight for _, weight in outcomes])[0]
            else:
                numbers = fast.legal(state)
                number = numbers[0]
                if len(numbers) > 1:
                    after = [fast.step(state, one) for one in numbers]
                    seen = [positions.worth(one, turn, rounded) for one in after]
                    true = [positions.worth(one, turn, exact) for one in after]
                    chosen = seen.index(max(seen))
                    number = numbers[chosen]
                    lost += max(true) - true[chosen]
                    made += 1
            state = fast.step(state, number)
        if made == decisions:
            break
    return 100 * lost / max(made, 1)
