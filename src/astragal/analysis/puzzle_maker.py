"""What makes a position a puzzle, how hard it is, and which of many puzzles make a good set."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

from msgspec import Struct

from astragal.bots.levels import spec_of
from astragal.bots.roster import make
from astragal.core.levels import LEVELS
from astragal.core.puzzle import DIFFICULTIES, MASTER, Puzzle, PuzzleKinds, id_of
from astragal.core.rules import AnyView, Game

MARGIN = 0.02  # by how much the best action is better than the next, at least
OPEN = (0.08, 0.97)  # what the best action is worth: elsewhere nobody would care
FEWEST = 3  # legal actions
SAMPLES = 16  # choices of a level that plays partly at random
LOOKS: Mapping[str, tuple[str, ...]] = {  # of a master that searches; with less than the first it does what greed does
    "expectimax": ("depth=2", "nodes=4000", "nodes=30000", "nodes=250000"),
    "ismcts": ("nodes=100", "nodes=400", "nodes=1600", "nodes=6400"),
}


class Candidate(Struct, frozen=True, kw_only=True):
    """A position that may become a puzzle."""

    state: Any
    values: tuple[tuple[Any, float], ...]  # every legal action with its value, the best first
    tempting: Any  # what a greedy player does
    error: float = 0.0  # how far several judgements were apart, from their mean


def is_puzzle(values: Sequence[float], best: int, tempting: int, *, margin: float = MARGIN) -> bool:
    """Whether one action is clearly the best, is not the greedy one, and matters. `best` and `tempting` are places."""
    if len(values) < FEWEST or best == tempting:
        return False
    next_best = max(value for place, value in enumerate(values) if place != best)
    return OPEN[0] <= values[best] <= OPEN[1] and values[best] - next_best >= margin


def puzzle_of(
    game: Game, kinds: PuzzleKinds, candidate: Candidate, rules: int, plain: dict[str, Any], rng: Random
) -> Puzzle:
    """The puzzle, with its kind and how often each level fails. `rules` and `plain` are its options in the set."""
    encode, state = game.rules.encode, candidate.state
    best = candidate.values[0][0]
    view = game.rules.observe(state, game.rules.turn(state))
    position = game.rules.position(state)
    return Puzzle(
        id=id_of(position, plain),
        rules=rules,
        position=position,
        kind=kinds.kind(state, best, candidate.tempting),
        values=tuple((encode(action), round(value, 4)) for action, value in candidate.values),
        tempting=encode(candidate.tempting),
        fails=fails_of(game, view, best, rng),
    )


def fails_of(game: Game, view: AnyView, best: Any, rng: Random) -> tuple[float, ...]:
    """How often each level does something else than the best."""
    return tuple(round(_fails(game, level, view, best, rng), 2) for level in LEVELS)


def _fails(game: Game, level: str, view: AnyView, best: Any, rng: Random) -> float:
    """How often a level does something else. A master that searches is asked for a short look and for longer ones.

    Searches go by the heuristic: with a network they would find nearly everything, and no puzzle were harder than
    another.
    """
    spec = spec_of(game, level, ladder=True).replace("greedy", "quick")  # the same, compiled
    kind = spec.partition(":")[0]
    if kind in LOOKS and "by=" not in spec:
        spec += ",by=heuristic"
    if level == LEVELS[MASTER] and kind in LOOKS:
        bots = [make(re.sub(r"nodes=\d+", look, spec), game) for look in LOOKS[kind]]
    else:
        bots = [make(spec, game)] * SAMPLES
    failed = sum(1 for bot in bots if bot.choose(view, rng).action != best)
    return failed / len(bots)


def selected(puzzles: Iterable[Puzzle], count: int, kept: Iterable[Puzzle] = ()) -> list[Puzzle]:
    """So many of these puzzles, beside those that are kept: all difficulties and kinds as evenly as can be.

    Of equals those with the widest margin come first.
    """
    chosen = {puzzle.id: puzzle for puzzle in kept}
    groups: dict[tuple[str, str], list[Puzzle]] = defaultdict(list)
    for puzzle in {puzzle.id: puzzle for puzzle in puzzles if puzzle.id not in chosen}.values():
        groups[puzzle.difficulty, puzzle.kind].append(puzzle)
    for group in groups.values():
        group.sort(key=lambda puzzle: (puzzle.values[1][1] - puzzle.values[0][1], puzzle.id))
    number = Counter(trait for puzzle in chosen.values() for trait in (puzzle.difficulty, puzzle.kind))
    order = sorted(groups, key=lambda traits: (DIFFICULTIES.index(traits[0]), traits[1]))
    while len(chosen) < count and any(groups.values()):
        waiting = [traits for traits in order if groups[traits]]
        rarest = min(waiting, key=lambda traits: number[traits[0]] + number[traits[1]])
        puzzle = groups[rarest].pop(0)
        chosen[puzzle.id] = puzzle
        number.update(rarest)
    return sorted(chosen.values(), key=lambda puzzle: puzzle.id)
