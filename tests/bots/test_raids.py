"""EGAR's bots see the raider that comes through: they attack it, stand in its way, and use good odds elsewhere too.

Positions are of games between bots of an earlier version, which let the raider pass, or made for one purpose.
"""

from __future__ import annotations

from random import Random

import pytest

import astragal
from astragal.bots import make
from astragal.games.egar.actions import Attack
from astragal.games.egar.combat import odds
from astragal.games.egar.state import State
from benchmarks.raids import danger, dice_of

LUCK = range(6)
BOTS = ("greedy", "quick", "ismcts:nodes=100", "ismcts:time=0.05", "strong", "master:ladder")
RULES = astragal.rules("egar")


def start(position: str) -> State:
    players = position.count("/") + 1
    options = RULES.seated(RULES.options_type(begins=0), [True] * players)
    state = RULES.from_position(position, options, players)
    assert isinstance(state, State)
    return state


def turn(state: State, spec: str, luck: int) -> tuple[State, list[tuple[State, Attack]]]:
    """The position after the mover's decisions, up to its first dice, and the attack it has announced, if any."""
    bot, rng, mover = make(spec, astragal.game("egar")), Random(luck), RULES.turn(state)
    announced: list[tuple[State, Attack]] = []
    while state.phase in ("move", "attack"):
        choice = bot.choose(RULES.observe(state, mover), rng)
        assert choice.fault is None
        if isinstance(choice.action, Attack):
            announced.append((state, choice.action))
        state = RULES.apply(state, choice.action)
    return state, announced


@pytest.mark.parametrize("spec", BOTS)
@pytest.mark.parametrize(
    "position",
    [
        "armies=A4,C4,B5,B1,J12/B4,M13,L11,M11,K12 phase=attack:1 turns=20",  # three beside it
        "armies=A4,C4,C5,B1,J12/B4,M13,L11,M11,K12 phase=move:1 points=1 turns=20",  # the third is a step away
        "armies=A4,B5,C4,F3/B4,L5/K12,M12,L13/A12,B11,C12 phase=attack:1 turns=20",  # four players
    ],
)
def test_a_raider_is_attacked_with_good_odds(spec: str, position: str) -> None:
    before = start(position)
    assert danger(before, 0) == pytest.approx(5 / 6)
    for luck in LUCK:
        _, announced = turn(before, spec, luck)
        assert announced, "the raider was let through"
        state, attack = announced[0]
        assert attack.target == "B4"
        assert float(odds(dice_of(state, attack))) == pytest.approx(19 / 24)


@pytest.mark.parametrize("spec", BOTS)
@pytest.mark.parametrize(
    "position",
    [
        "armies=A1,B1,A2,C2/B6,M10,L11,K12,M13 phase=move:1 points=2 turns=18",
        "armies=B1,C1,A2,C2,F8/B6,L11,M11,K12,M12,K13,L13,M13 phase=move:1 points=2 turns=7",
        "armies=A1,B1,A2,C2,G7/B6,L11,M11,K12,M12,K13,L13,M13 phase=move:1 points=3 turns=7",
        "armies=A1,B1,A2,C2,A3,B3,L9/G11,K12,M12,L13,M13 phase=move:2 points=2 turns=8",
        "armies=A1,B1,A2,A3,B3,F10/F3,L11,M11,L13,M13 phase=move:1 points=2 turns=10",
    ],
)
def test_a_block_of_two_steps_is_found(spec: str, position: str) -> None:
    """No soldier gets beside the raider, and no single step is of any use."""
    before = start(position)
    for luck in LUCK:
        after, announced = turn(before, spec, luck)
        assert not announced
        assert danger(after, before.mover) <= danger(before, before.mover) / 2


@pytest.mark.parametrize("spec", BOTS)
@pytest.mark.parametrize(
    "position",
    [
        "armies=F6,G7,H6,A1,B1,C2/G6,L11,K12,M12 phase=attack:1 turns=20",
        "armies=F6,G7,A1,B1,C2/G6,L11,K12,M12 phase=attack:1 turns=20",
        "armies=A1,B1,A2,C2,B3,I12/D2,L11,M11,K12,M12,L13 phase=move:1 points=6 turns=10",  # to be brought up
        "armies=B1,A2,C2,A3,B3,E4/C4,K12,M12,K13,L13,M13 phase=move:1 points=4 turns=11",
        "armies=A1,B1,C2,F6,G7,H6/G6,K2,L3/K12,M12,L13/A12,B11,C12 phase=attack:1 turns=20",  # four players
    ],
)
def test_a_favourable_attack_is_made(spec: str, position: str) -> None:
    before = start(position)
    assert danger(before, 0) == 0
    for luck in LUCK:
        _, announced = turn(before, spec, luck)
        assert announced, "nothing was attacked"
        assert dice_of(*announced[0]) >= 2
