"""What makes a position a puzzle, how hard it is, and which of many puzzles make a good set."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

from msgspec import Struct

from astragal.bots.levels import spec_of
from astragal.bots.roster import make
from astragal.core.levels import LEVELS
from astragal.core.puzzle import DIFFICULTIES, Puzzle, PuzzleKinds, id_of
from astragal.core.rules import AnyView, Game

MARGIN = 0.02  # by how much the best action is better than the next, at least
OPEN = (0.08, 0.97)  # what the best action is worth: elsewhere nobody would care
FEWEST = 3  # legal actions
SAMPLES = 16  # choices of a level that plays partly at random
BUDGETS = (1 / 64, 1 / 16, 1 / 4, 1, 4, 16)  # of a level that searches, as parts of what it has on the ladder


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
    """How often a level does something else. A search is sampled with more and with less time than on the ladder.

    It goes by the heuristic: with a network it would find nearly everything, and no puzzle were harder than another.
    """
    spec = spec_of(game, level).replace("greedy", "quick")  # the same, compiled
    if "time=" in spec:
        spec = spec_of(game, level, ladder=True)
    if spec.startswith(("expectimax:", "ismcts:")) and "by=" not in spec:
        spec += ",by=heuristic"
    nodes = re.search(r"nodes=(\d+)", spec)
    if nodes is None:
        bots = [make(spec, game)] * SAMPLES
    else:
        sizes = [max(8, round(int(nodes[1]) * part)) for part in BUDGETS]
        bots = [make(spec.replace(nodes[0], f"nodes={size}"), game) for size in sizes]
    failed = sum(1 for bot in bots if bot.choose(view, rng).action != best)
    return failed / len(bots)


def selected(puzzles: Iterable[Puzzle], count: int) -> list[Puzzle]:
    """So many of these puzzles: all difficulties and kinds in turn, those with the widest margin first."""
    groups: dict[tuple[str, str], list[Puzzle]] = defaultdict(list)
    for puzzle in {puzzle.id: puzzle for puzzle in puzzles}.values():
        groups[puzzle.difficulty, puzzle.kind].append(puzzle)
    for group in groups.values():
        group.sort(key=lambda puzzle: (puzzle.values[1][1] - puzzle.values[0][1], puzzle.id))
    by_difficulty = {one: [group for key, group in sorted(groups.items()) if key[0] == one] for one in DIFFICULTIES}
    chosen: list[Puzzle] = []
    while len(chosen) < count and any(any(kinds) for kinds in by_difficulty.values()):
        for kinds in by_difficulty.values():
            waiting = [group for group in kinds if group]
            if waiting and len(chosen) < count:
                chosen.append(waiting[0].pop(0))
                kinds.append(kinds.pop(kinds.index(waiting[0])))  # the next kind is next
    return sorted(chosen, key=lambda puzzle: puzzle.id)
