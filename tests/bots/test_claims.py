"""Bots claim what is worth as much as playing on, know that repeating leads to a draw, and so their games end."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

import astragal
from astragal.arena.rounds import MirroredDice, play
from astragal.bots import LEVELS, make
from astragal.core.record import Claimed, DrawAgreed, Seat
from astragal.core.types import CHANCE
from astragal.games.ur_modern.view import Habit
from astragal.play import match as match_module
from astragal.play.match import Match

GAME = astragal.game("ur-modern")
RULES = GAME.rules
PLACED = Habit("+b1", 5)
SPECS = ("greedy", "quick", "expectimax:depth=1", "expectimax:nodes=300", "ismcts:nodes=100")


def claimable(position: str, *, habit: Habit = PLACED) -> Any:
    """Such a position after the first side has placed on the Entrance again and again."""
    state = RULES.from_position(position, RULES.options_type(begins=0, layout="royal"), 2)
    return replace(state, habits=(habit, PLACED), claimable=True)


@pytest.mark.rule("UM-20")
@pytest.mark.parametrize("spec", SPECS)
def test_a_side_that_stands_worse_claims_the_draw(spec: str) -> None:
    state = claimable("6:b2 2:a1,c1,a7,b7,b1 light one")
    choice = make(spec, GAME).choose(RULES.observe(state, 0), Random(1))
    assert choice.claim
    assert RULES.encode(choice.action) == "claim-draw"
    assert choice.value == 0.5
    assert RULES.returns(RULES.apply(state, choice.action)) == (0.5, 0.5)


@pytest.mark.rule("UM-20")
@pytest.mark.parametrize("spec", SPECS)
def test_a_side_that_stands_better_plays_on_without_repeating(spec: str) -> None:
    state = claimable("3:a1,c1,a7,b7 6:b1 light one")
    choice = make(spec, GAME).choose(RULES.observe(state, 0), Random(1))
    assert not choice.claim
    assert RULES.claims(RULES.apply(state, choice.action)) == ()


@pytest.mark.rule("UM-20")
def test_what_only_repeats_is_worth_no_more_than_a_draw() -> None:
    """With two blanks and nothing on the board the Entrance is all there is, and the others may claim after it."""
    state = claimable("7:- 6:b4 light blank")
    assert len(RULES.legal(state)) == 1
    for spec in ("random", *SPECS):
        choice = make(spec, GAME).choose(RULES.observe(state, 0), Random(1))
        assert choice.claim, spec
        numbered = make(spec, GAME, claims=False).choose(RULES.observe(state, 0), Random(1))
        assert numbered.action in RULES.legal(state), spec  # for programs that know actions by their numbers
    fresh = claimable("7:- 6:b4 light blank", habit=Habit())
    assert not make("quick", GAME).choose(RULES.observe(fresh, 0), Random(1)).claim


def test_a_bot_that_plays_at_random_claims_at_random() -> None:
    state, bot = claimable("6:b2 2:a1,c1,a7,b7,b1 light mixed"), make("random", GAME)
    claims = [bot.choose(RULES.observe(state, 0), Random(luck)).claim for luck in range(200)]
    assert 0 < sum(claims) < 200 / 2


def test_nobody_else_claims_anything() -> None:
    """Giving up, and what a clock or the whole table claims, is no choice of a bot."""
    for game, players in (("nile", 3), ("egar", 3), ("ur", 2)):
        rules = astragal.rules(game)
        state = rules.initial(rules.seated(rules.options_type(begins=0), [True] * players), players)
        while rules.turn(state) == CHANCE:
            state = rules.apply(state, rules.chance(state)[-1][0])
        seat = rules.turn(state)
        assert not make("quick", astragal.game(game)).choose(rules.observe(state, seat), Random(0)).claim


@pytest.mark.parametrize("layout", ["royal", "lesser-earth", "lanes"])
@pytest.mark.parametrize("level", LEVELS)
def test_games_of_every_level_end_on_every_layout(layout: str, level: str) -> None:
    """At the speed of the ladder; `benchmarks.quality` plays many more."""
    options = RULES.options_type(layout=layout)
    bot = make(f"{level}:ladder", GAME)
    for seed in range(2 if level == "master" else 6):
        luck = [Random(f"{seed}|{seat}") for seat in range(2)]
        ended = play(RULES, options, [bot, bot], MirroredDice(str(seed)), luck, match_module.MOST_BOT_PLIES)
        assert not ended.cut, f"seed {seed}"
        assert not ended.faults


def test_the_game_that_did_not_come_back_does() -> None:
    seats = (Seat("bot:expectimax:depth=1"), Seat("bot:expectimax:depth=1"))
    match = Match.start(GAME, RULES.options_type(layout="royal"), seats, seed="r3")
    while match.step() is not None:
        assert match.ply < 1500
    assert match.result is not None
    last = match.record().entries[-1]
    assert isinstance(last, Claimed) == (match.result == (0.5, 0.5))


def test_bots_alone_agree_on_a_draw_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_module, "MOST_BOT_PLIES", 30)
    alone = Match.start(astragal.game("ur"), seats=(Seat("bot:random"), Seat("bot:random")), seed=1)
    while alone.step() is not None:
        assert alone.ply <= 31
    assert isinstance(alone.record().entries[-1], DrawAgreed)
    with_human = Match.start(astragal.game("ur"), seats=(Seat("bot:random"), Seat()), seed=1)
    for _ in range(60):
        if with_human.step() is None:
            with_human.act(1, with_human.view(1).legal[0])
    assert with_human.ply > 31
