"""How bots of EGAR fight: do they attack where the odds are good, and do they stop a raider that comes through?

Copies of one bot play against each other. Counted are

- the attacks of a game;
- turns that offered a favourable attack, by two or more soldiers that stood beside an enemy, and in how many of them no
  favourable attack was made;
- the same of turns in which soldiers could be brought up for one by the roll, by the odds of the best attack of these;
- blocks: turns in which the next player could take a flag with its next roll, the mover had no flag in reach itself,
  two steps would at least halve that chance and one step would not; and in how many it was not halved in the end.

Shares have 95 % intervals.

    python -m benchmarks.raids --bots strong,master:ladder --players 2 --games 200
    python -m benchmarks.raids --commit 8ec3136 --json      # the bots of an older state of the project
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from math import sqrt
from random import Random
from statistics import mean, stdev

import msgspec
from msgspec import Struct
from msgspec.structs import replace

import astragal
from astragal import bots
from astragal.arena.rounds import MirroredDice
from astragal.core.types import CHANCE, OVER
from astragal.games.egar.actions import Attack, Step
from astragal.games.egar.combat import attacks, steps
from astragal.games.egar.state import State, flags, next_living
from benchmarks.older import sources

PIPS = 6
FAVOURABLE = 2  # soldiers in an attack that wins more often than it loses
Z = 1.96


def steps_to_flag(s: State, seat: int, most: int = PIPS) -> int:
    """Steps of a seat to the nearest flag of another, around everything in the way; one more than `most` if longer."""
    taken = {square for army in s.armies for square in army}
    goals = {square for square, owner in flags(s).items() if owner != seat}
    if not s.options.own_flag_open:
        taken.add(s.ground.flags[len(s.armies)][seat])
    mine, near = set(s.armies[seat]), s.ground.near
    reached, edge = set(goals - taken), goals - taken
    for far in range(1, most + 1):
        around = {square for one in edge for square in near[one]}
        if around & mine:
            return far
        edge = around - taken - reached
        reached |= edge
    return most + 1


def danger(s: State, mover: int) -> float:
    """The chance that the next player after the mover takes a flag with its next roll."""
    return (PIPS + 1 - steps_to_flag(s, next_living(s, mover))) / PIPS


def after_steps(s: State, many: int) -> float:
    """The least danger that the mover can leave with so many steps."""
    positions = [s]
    for _ in range(many):
        seen: dict[tuple[tuple[int, ...], ...], State] = {}
        for one in positions:
            for step in steps(one):
                moved = stepped(one, step)
                seen[moved.armies] = moved
        positions = list(seen.values())
    return min((danger(one, s.mover) for one in positions), default=1.0)


def stepped(s: State, a: Step) -> State:
    """The position with one soldier a step further; nothing else is looked at."""
    start, end = s.ground.number[a.start], s.ground.number[a.end]
    moved = tuple(sorted(end if square == start else square for square in s.armies[s.mover]))
    return replace(s, armies=(*s.armies[: s.mover], moved, *s.armies[s.mover + 1 :]))


def dice_of(s: State, a: Attack) -> int:
    """How many soldiers take part in an attack."""
    target = s.ground.number[a.target]
    return sum(square in s.armies[s.mover] for square in s.ground.near[target])


def walks(s: State, square: int) -> dict[int, int]:
    """The mover's soldiers that reach a square with the points there are: where they stand, and how many steps."""
    taken = {one for army in s.armies for one in army}
    closed = {*taken, s.ground.flags[len(s.armies)][s.mover]}
    if square in closed:
        return {square: 0} if square in s.armies[s.mover] else {}
    found: dict[int, int] = {}
    seen, edge = {square}, {square}
    for far in range(1, s.points + 1):
        around = {near for one in edge for near in s.ground.near[one]}
        found.update({one: far for one in around if one in s.armies[s.mover] and one not in found})
        edge = around - seen - closed
        seen |= edge
    return found


def most_dice(sides: Sequence[dict[int, int]], points: int, used: frozenset[int] = frozenset()) -> int:
    """With how many soldiers these sides of a target can be taken with so many points, one soldier a side."""
    if not sides:
        return 0
    best = most_dice(sides[1:], points, used)
    for soldier, steps_there in sides[0].items():
        if soldier not in used and steps_there <= points:
            best = max(best, 1 + most_dice(sides[1:], points - steps_there, used | {soldier}))
    return best


def arranged(s: State) -> int:
    """The soldiers of the best attack that the mover can bring about in this turn; who gets past whom is not asked."""
    near = s.ground.near
    targets = (square for seat, army in enumerate(s.armies) if seat != s.mover for square in army)
    return max(most_dice([walks(s, side) for side in near[target]], s.points) for target in targets)


class Turn:
    """What one turn offered, and what was made of it."""

    def __init__(self, s: State) -> None:
        """Begins with the first decision of a turn."""
        self.offered = self.made = 0  # soldiers of the best attack
        self.arranged = arranged(s)
        self.danger = danger(s, s.mover)
        self.block = False  # whether two steps halve the danger, and one does not
        if self.danger and s.points >= 2 and steps_to_flag(s, s.mover) > s.points:
            half = self.danger / 2
            self.block = after_steps(s, 1) > half >= after_steps(s, 2)

    def look(self, s: State, action: object) -> None:
        """Sees a decision of this turn."""
        self.offered = max([self.offered, *(dice_of(s, one) for one in attacks(s))])
        if isinstance(action, Attack):
            self.made = max(self.made, dice_of(s, action))


class Game(Struct, frozen=True):
    """What was seen in one game."""

    attacks: int
    offered: dict[int, int]  # turns, by the number of soldiers of the best attack
    declined: dict[int, int]
    arranged: dict[int, int]  # the same of attacks that could be arranged
    left: dict[int, int]
    blocks: int  # turns in which a block of two steps was there
    missed: int


def watch(spec: str, players: int, seed: str) -> Game:
    """One game between copies of a bot."""
    game = astragal.game("egar")
    rules = game.rules
    bot = bots.make(spec, game)
    luck = [Random(f"{seed}|{seat}") for seat in range(players)]
    state = rules.initial(rules.seated(rules.options_type(), [True] * players), players)
    dice, made, blocks, missed = MirroredDice(seed), 0, 0, 0
    offered, declined, possible, left = (Counter[int]() for _ in range(4))
    turn: Turn | None = None
    while (seat := rules.turn(state)) != OVER:
        fighting = state.phase in ("move", "attack", "fight")
        if turn is not None and not fighting:
            offered[turn.offered] += 1
            declined[turn.offered] += turn.made < FAVOURABLE
            possible[turn.arranged] += 1
            left[turn.arranged] += turn.made < FAVOURABLE
            blocks += turn.block
            missed += turn.block and danger(state, state.mover) > turn.danger / 2
            turn = None
        if seat == CHANCE:
            _, state = dice.draw(rules, state)
            continue
        view = rules.observe(state, seat)
        choice = bot.choose(view, luck[seat])
        if choice.fault is not None:
            raise SystemExit(f"{spec}, seed {seed}: {choice.fault}")
        if fighting:
            turn = turn or Turn(state)
            turn.look(state, choice.action)
            made += isinstance(choice.action, Attack)
        state = rules.apply(state, choice.action)
    return Game(made, dict(offered), dict(declined), dict(possible), dict(left), blocks, missed)


class Share(Struct, frozen=True):
    """So many of so many, with the 95 % interval of the share (Wilson's)."""

    part: int
    whole: int
    low: float
    high: float


def share(part: int, whole: int) -> Share:
    """A share with its interval; of nothing it can be anything."""
    if whole == 0:
        return Share(0, 0, 0.0, 1.0)
    centre = (part + Z * Z / 2) / (whole + Z * Z)
    error = Z * sqrt(part * (whole - part) / whole + Z * Z / 4) / (whole + Z * Z)
    return Share(part, whole, max(0.0, centre - error), min(1.0, centre + error))


class Report(Struct, frozen=True):
    """What many games of one bot show."""

    bot: str
    players: int
    games: int
    attacks: tuple[float, float]  # a game, and half the width of the 95 % interval
    declined: Share  # of the turns that offered a favourable attack
    left: dict[int, Share]  # of the turns in which one with so many soldiers could be arranged
    missed: Share  # of the blocks of two steps


def report(spec: str, players: int, seen: Sequence[Game]) -> Report:
    """The figures of these games."""
    made = [one.attacks for one in seen]
    return Report(
        bot=spec,
        players=players,
        games=len(seen),
        attacks=(mean(made), Z * stdev(made) / len(made) ** 0.5 if len(made) > 1 else 0.0),
        declined=share(*(_sum(seen, part, (2, 3, 4)) for part in ("declined", "offered"))),
        left={dice: share(*(_sum(seen, part, (dice,)) for part in ("left", "arranged"))) for dice in (2, 3, 4)},
        missed=share(sum(one.missed for one in seen), sum(one.blocks for one in seen)),
    )


def _sum(seen: Sequence[Game], part: str, dice: Sequence[int]) -> int:
    """The turns in all games that are counted under `part` for attacks with so many soldiers."""
    return sum(getattr(one, part).get(many, 0) for one in seen for many in dice)


def measure(spec: str, players: int, games: int, seed: str = "raids") -> Report:
    """The report of so many games."""
    return report(spec, players, [watch(spec, players, f"{seed}|{number}") for number in range(games)])


HEAD = (
    "| bot | players | games | attacks a game | good attacks at hand declined | within the roll at 69 %, declined | "
    "at 79 % | at 85 % | two-step blocks missed |\n|---|---|---|---|---|---|---|---|---|"
)


def _told(found: Share) -> str:
    if not found.whole:
        return "none offered"
    part = f"{100 * found.part / found.whole:.0f} % ({100 * found.low:.0f}-{100 * found.high:.0f})"
    return f"{part} of {found.whole}"


def row(found: Report) -> str:
    """A line of the table in docs/results.md."""
    attacks = f"{found.attacks[0]:.1f} ± {found.attacks[1]:.1f}"
    shares = [found.declined, *found.left.values(), found.missed]
    return f"| {found.bot} | {found.players} | {found.games} | {attacks} | {' | '.join(map(_told, shares))} |"


def main(argv: Sequence[str] | None = None) -> None:
    """Prints the table, or JSON."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.raids", description=__doc__)
    parser.add_argument("--bots", default="strong,master:ladder", help="bots, with commas between them")
    parser.add_argument("--players", type=int, help="this many players, instead of 2 and 4")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--commit", help="with the sources of this commit")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(argv)
    if given.commit:
        with sources(given.commit) as folder:
            again = [argument for argument in sys.argv[1:] if argument not in ("--commit", given.commit)]
            environment = {**os.environ, "PYTHONPATH": str(folder)}
            sys.exit(subprocess.run([sys.executable, "-m", "benchmarks.raids", *again], env=environment).returncode)
    if not given.json:
        print(HEAD)
    reports = []
    for players in (given.players,) if given.players else (2, 4):
        for spec in given.bots.split(","):
            reports.append(measure(spec, players, given.games))
            if not given.json:
                print(row(reports[-1]), flush=True)
    if given.json:
        print(json.dumps(msgspec.to_builtins(reports, str_keys=True), indent=1))


if __name__ == "__main__":
    main()
