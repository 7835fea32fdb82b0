"""Moving and fighting: steps (EG-5 to EG-8) and attacks (EG-9 to EG-12)."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from msgspec.structs import replace

from astragal.core.language import say
from astragal.core.types import IllegalAction
from astragal.games.egar import quiz
from astragal.games.egar.actions import DIE, Attack, Roll, Step
from astragal.games.egar.state import Fight, State, flags, next_living, next_turn, without, won_by

PIPS = 6


# Steps ---------------------------------------------------------------------------------------------------------


def steps(s: State) -> list[Step]:
    """Every step the mover can make: one square, orthogonally, onto a free square (EG-6)."""
    closed = _closed(s)
    ways = s.ground.steps
    return [step for start in s.armies[s.mover] for end, step in ways[start] if end not in closed]


def _closed(s: State) -> set[int]:
    """Squares the mover may not enter: all soldiers (EG-6), and the own flag unless it is open (EG-8)."""
    closed = {square for army in s.armies for square in army}
    if not s.options.own_flag_open:
        closed.add(s.ground.flags[len(s.armies)][s.mover])
    return closed


def step(s: State, a: Step) -> State:
    """One soldier goes one square."""
    if s.phase != "move":
        raise IllegalAction("EG-4", say("this is not the time to move"))
    ground, army = s.ground, s.armies[s.mover]
    start, end = ground.number.get(a.start), ground.number.get(a.end)
    if start not in army:
        raise IllegalAction("EG-5", say("you have no soldier on {square}", square=a.start))
    if end is None:
        raise IllegalAction("EG-2", say("{square} is not a square of this board", square=a.end))
    if end not in ground.near[start]:
        raise IllegalAction(
            "EG-6",
            say("a step goes one square up, down, left or right, not from {start} to {end}", start=a.start, end=a.end),
        )
    if any(end in soldiers for soldiers in s.armies):
        raise IllegalAction("EG-6", say("a soldier is in the way on {square}", square=a.end))
    standing = flags(s)
    if standing.get(end) == s.mover and not s.options.own_flag_open:
        raise IllegalAction("EG-8", say("{square} is the square of your own flag", square=a.end))
    moved = tuple(sorted(end if square == start else square for square in army))
    armies = (*s.armies[: s.mover], moved, *s.armies[s.mover + 1 :])
    if standing.get(end, s.mover) != s.mover:  # EG-7
        return won_by(replace(s, armies=armies), s.mover)
    if s.points > 1:
        # With a point left there is always something to do: a board in one piece has a free or enemy square
        # next to some soldier.
        return replace(s, armies=armies, points=s.points - 1)
    return settle(replace(s, armies=armies, points=0, phase="attack"))


def settle(s: State) -> State:
    """In the attack phase: on to the question when nobody is left to attack."""
    return s if attacks(s) else quiz.put(s)


# Attacks -------------------------------------------------------------------------------------------------------


def attacks(s: State) -> list[Attack]:
    """Every attack the mover can make, once for each soldier that could be at risk (EG-9)."""
    ground, mine = s.ground, s.armies[s.mover]
    enemies = {square for seat, army in enumerate(s.armies) if seat != s.mover for square in army}
    pairs = [(near, own) for own in mine for near in ground.near[own] if near in enemies]
    names = ground.names
    return [Attack(names[target], names[own]) for target, own in sorted(pairs)]


def attack(s: State, a: Attack) -> State:
    """An attack is announced; its dice are still to be rolled. Points not yet used are lost (EG-4)."""
    if s.phase not in ("move", "attack"):
        raise IllegalAction("EG-4", say("this is not the time to attack"))
    ground, mine = s.ground, s.armies[s.mover]
    target, risk = ground.number.get(a.target), ground.number.get(a.risk)
    if target is None or owner(s, target) in (None, s.mover):
        raise IllegalAction("EG-9", say("there is no enemy soldier on {square}", square=a.target))
    attackers = [square for square in ground.near[target] if square in mine]
    if risk is None or risk not in mine:
        raise IllegalAction("EG-9", say("you have no soldier on {square}", square=a.risk))
    if risk not in attackers:
        raise IllegalAction("EG-9", say("{own} is not next to {target}", own=a.risk, target=a.target))
    return replace(s, phase="fight", points=0, fight=Fight(target, risk, len(attackers)))


def owner(s: State, square: int) -> int | None:
    """Whose soldier stands there."""
    return next((seat for seat, army in enumerate(s.armies) if square in army), None)


def falls(fight: Fight) -> tuple[tuple[Roll, int], ...]:
    """How the next die of a fight can fall (EG-10), numbers that play alike in one."""
    best = fight.best
    if fight.thrown < fight.dice:  # an attacking die: only one above the best so far matters
        beaten = ((Roll(1, best), best),) if best else ()
        return (*beaten, *((DIE[pips - 1], 1) for pips in range(best + 1, PIPS + 1)))
    lower = ((Roll(1, best - 1), best - 1),) if best > 1 else ()
    higher = ((Roll(best + 1, PIPS), PIPS - best),) if best < PIPS else ()
    return (*lower, (DIE[best - 1], 1), *higher)


def roll(s: State, a: Roll) -> State:
    """The next die of a fight falls; the defender's decides."""
    fight = s.fight
    if fight is None or all(a != fall for fall, _ in falls(fight)):
        raise IllegalAction("EG-10", say("no die can show this here"))
    if fight.thrown < fight.dice:
        return replace(s, fight=replace(fight, thrown=fight.thrown + 1, best=max(fight.best, a.high)))
    if a.low == a.high == fight.best:  # equal: all dice again
        return replace(s, fight=replace(fight, thrown=0, best=0))
    after = replace(s, phase="attack", fight=None)
    if a.high < fight.best:  # EG-11: the defender leaves; nobody advances
        victim = owner(s, fight.target)
        assert victim is not None
        after = without(after, victim, fight.target)
    else:
        after = without(after, s.mover, fight.risk)
    if after.phase == "over":
        return after
    if not after.armies[s.mover]:  # EG-16: out in the own turn, without a question
        return next_turn(after, next_living(after, s.mover))
    return settle(after)


@cache
def odds(soldiers: int) -> Fraction:
    """The attackers' chance to win with so many soldiers, ties rerolled (EG-10)."""
    won, lost = _chances(soldiers, 0, 0)
    return won / (won + lost)


@cache
def wins(dice: int, thrown: int, best: int) -> Fraction:
    """The attackers' chance in a fight as it stands; a tie begins it anew."""
    won, lost = _chances(dice, thrown, best)
    return won + (1 - won - lost) * odds(dice)


def _chances(dice: int, thrown: int, best: int) -> tuple[Fraction, Fraction]:
    """The chances that this round of dice wins or loses the fight; the rest is a tie."""
    if thrown == dice:
        return Fraction(best - 1, PIPS), Fraction(PIPS - best, PIPS)
    won = lost = Fraction(0)
    for fall, weight in falls(Fight(0, 0, dice, thrown, best)):
        after = _chances(dice, thrown + 1, max(best, fall.high))
        won, lost = won + after[0] * Fraction(weight, PIPS), lost + after[1] * Fraction(weight, PIPS)
    return won, lost
