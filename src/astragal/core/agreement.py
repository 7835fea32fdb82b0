"""Law 7: `fast` and `rules` are the same game. Plays random games and compares both, state by state.

>>> import astragal
>>> from astragal.core.agreement import agree
>>> print(agree(astragal.game("ur"), games=2).ok)
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import cycle, islice
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from astragal.core import options
from astragal.core.laws import Broken, Finding, Report, under
from astragal.core.rules import Game
from astragal.core.types import OVER
from astragal.core.walk import Walk

if TYPE_CHECKING:
    from astragal.core.fast import Fast

Must = Callable[[int, bool, str], None]


def agree(
    game: Game,
    *,
    games: int = 100,
    plies: int = 2000,
    seed: int = 0,
    option_sets: Iterable[Any] | None = None,
) -> Report:
    """Plays random games on `rules` and compares every state and every action on the way with `fast`."""
    report = Report(game.id)
    rules = game.rules
    sets = list(option_sets) if option_sets is not None else list(options.pairwise(rules, Random(seed)))
    tables = cycle((chosen, players) for chosen in sets for players in rules.spec.players if seats(chosen, players))
    compiled: dict[tuple[int, int], Fast[Any, Any]] = {}

    def must(law: int, holds: bool, fault: str) -> None:
        report.asked[law] += 1
        if not holds:
            raise Broken(law, fault)

    for number, (chosen, players) in enumerate(islice(tables, games)):
        rng = Random(seed * 1_000_003 + number)
        walk = Walk(rules, rules.initial(chosen, players), rng)
        try:
            with under(7, "fast"):
                assert game.fast is not None, f"{game.id} has no fast version"
                fast = compiled.get((id(chosen), players)) or game.fast(chosen, players)
                compiled[id(chosen), players] = fast
            while walk.turn != OVER and walk.ply < plies:
                compare(game, fast, walk.state, must)
                walk.step()
            compare(game, fast, walk.state, must)
            play(fast, fast.pack(walk.state), players, rng, must)
        except Broken as broken:
            where = f"game {number} of seed {seed}, ply {walk.ply}, {players} players, {chosen}"
            report.findings.append(Finding(broken.law, broken.what, where))
        report.games += 1
        report.plies += walk.ply
        report.finished += walk.turn == OVER
        report.longest = max(report.longest, walk.ply)
    return report


def seats(chosen: Any, players: int) -> bool:
    """Whether the seat that begins sits at a table of this size: option sets know only the largest table."""
    return not isinstance(chosen.begins, int) or chosen.begins < players


def compare(game: Game, fast: Fast[Any, Any], state: Any, must: Must) -> None:
    """One state, everything that can be done in it, and what the heuristic sees in it."""
    rules = game.rules
    with under(7, "fast"):
        packed = fast.pack(state)
        before = packed.copy()
        must(7, fast.turn(packed) == rules.turn(state), f"fast says it is the turn of {fast.turn(packed)}")
        must(7, fast.returns(packed) == rules.returns(state), f"fast gives the returns {fast.returns(packed)}")
        numbers, outcomes = fast.legal(packed), fast.chance(packed)
        legal = tuple(fast.action(packed, number) for number in numbers)
        must(7, legal == rules.legal(state), f"fast has the legal actions {legal}, not {rules.legal(state)}")
        weighted = tuple((fast.action(packed, number), weight) for number, weight in outcomes)
        must(7, weighted == rules.chance(state), f"fast has the outcomes {weighted}, not {rules.chance(state)}")
        counted = range(fast.outcomes if outcomes else fast.actions)
        for number in (*numbers, *(number for number, _ in outcomes)):
            action = fast.action(packed, number)
            must(7, number in counted, f"{action} has the number {number}, which is not one of {len(counted)}")
            after = fast.step(packed, number)
            expected = fast.pack(rules.apply(state, action))
            must(7, fast.key(after) == fast.key(expected), f"fast does {action} differently: {_apart(after, expected)}")
        must(7, bool((packed == before).all()), "fast changed a state it was to leave alone")
        for seat in range(fast.players):
            _compare_features(game, fast, state, seat, must)
        if fast.turn(packed) >= 0:
            _compare_deals(game, fast, state, must)


def _apart(packed: Any, expected: Any) -> str:
    """Where two packed states differ."""
    if packed.shape != expected.shape or packed.dtype != expected.dtype:
        return f"{packed.dtype}{packed.shape} and {expected.dtype}{expected.shape}"
    return ", ".join(f"[{place}] {packed[place]}, not {expected[place]}" for place in (packed != expected).nonzero()[0])


def _compare_features(game: Game, fast: Fast[Any, Any], state: Any, seat: int, must: Must) -> None:
    """The features of a seat in a state are those of its view.

    The heuristic gets nothing but the view (a `KernelHeuristic` asks the same kernel about some state that fits it).
    So a feature that depends on what the seat cannot know is noticed here too.
    """
    names = list(game.heuristic.names)
    compiled = fast.features(fast.pack(state), seat, len(names))
    seen = game.heuristic.features(game.rules.observe(state, seat), seat)
    must(7, list(seen) == names, f"the heuristic names {names} and gives {list(seen)}")
    same = all(abs(mine - theirs) < 1e-6 for mine, theirs in zip(compiled, seen.values(), strict=True))
    must(7, same, f"seat {seat} has the features {compiled} in fast, {tuple(seen.values())} by what it may know")


def _compare_deals(game: Game, fast: Fast[Any, Any], state: Any, must: Must) -> None:
    """What `redeal` and a dealer make of a state looks like it to the seat whose turn it is."""
    packed, seat, count = fast.pack(state), game.rules.turn(state), len(game.heuristic.names)
    told = _told(fast, packed, seat, count)
    if fast.kernels.redeal is not None:
        again, other = packed.copy(), fast.pack(game.rules.resample(game.rules.observe(state, seat), Random(0)))
        for one in (again, other):
            fast.kernels.redeal(one, fast.tables, seat, np.array([1], dtype=np.uint64))
        must(7, fast.turn(again) == seat and _told(fast, again, seat, count) == told, "redeal shows another table")
        must(7, fast.key(again) == fast.key(other), "redeal goes by what the seat cannot know")
    dealer = fast.dealer(game.rules.observe(state, seat), Random(0))
    if dealer is None:
        return
    rows = fast.pack(game.rules.resample(game.rules.observe(state, seat), Random(0)))[None].repeat(3, axis=0)
    dealer(rows)
    for row in rows:
        must(7, fast.turn(row) == seat and _told(fast, row, seat, count) == told, "a dealer shows another table")


def _told(fast: Fast[Any, Any], packed: Any, seat: int, count: int) -> tuple[Any, ...]:
    """All that the compiled rules tell a seat of a position."""
    inputs = fast.inputs(packed, seat).tolist() if fast.told else []
    seen = fast.observe(packed, seat).tolist() if fast.observation else []
    return fast.legal(packed), fast.features(packed, seat, count), inputs, seen


def play(fast: Fast[Any, Any], packed: Any, players: int, rng: Random, must: Must) -> None:
    """A random game from here ends in one win, however it is shared."""
    with under(7, "fast"):
        seed = rng.randrange(1 << 30)
        rows, plies = fast.playouts(packed, [seed, seed])
        shares = rows[0].tolist()
        whole = len(shares) == players and abs(sum(shares) - 1) < 1e-9
        must(7, whole, f"a playout gives {shares}, which is not one win shared by {players}")
        must(7, rows[1].tolist() == shares and plies[0] == plies[1], "the same seed gives two different playouts")
        if fast.turn(packed) == OVER:
            must(7, tuple(shares) == fast.returns(packed), f"a playout after the end gives {shares}")
