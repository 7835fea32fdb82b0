"""What the heuristic of EGAR sees in a position, and that it has no favourite seat."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from astragal.core.types import CHANCE, OVER
from astragal.games.egar.actions import Resign
from astragal.games.egar.board import ground
from astragal.games.egar.options import BOT_SKILL, Options
from astragal.games.egar.state import State
from tests.games.egar.table import BLANK, FAILS, HEURISTIC, KNOWS, RULES, play, position


def value(s: State, seat: int) -> float:
    return sum(HEURISTIC.terms(RULES.observe(s, seat), seat).values())


def seen(s: State, seat: int = 0) -> dict[str, float]:
    return dict(HEURISTIC.features(RULES.observe(s, seat), seat))


def test_it_likes_what_is_good() -> None:
    base = value(position("E5 A1", "L9 M13"), 0)
    assert value(position("F5 A1", "L9 M13"), 0) > base  # closer to the flag
    assert value(position("E5 A1 A2", "L9 M13"), 0) > base  # one more soldier
    assert value(position("E5 A1", "B5 M13"), 0) < base  # an enemy near the own flag


def test_a_result_is_all_there_is() -> None:
    won = play(position("L11", "A9"), "L11-L12")
    for seat, result in ((0, 1.0), (1, -1.0)):
        assert seen(won, seat) == {**dict.fromkeys(HEURISTIC.names, 0.0), "result": result}
    shared = play(position("C4", "L10", turn_limit=1, skill=("own", KNOWS)), "done", "card-1", "answers-right")
    assert shared.won == (0, 1)
    assert seen(shared, 0) == seen(shared, 1) == dict.fromkeys(HEURISTIC.names, 0.0)
    resigned = RULES.apply(position("E5", "K7", "B5"), Resign(2))
    assert seen(resigned, 2) == {**dict.fromkeys(HEURISTIC.names, 0.0), "result": -1.0}
    assert seen(resigned, 0)["rivals"] == 0 > seen(position("E5", "K7", "B5"), 0)["rivals"]


def test_a_fight_is_weighed_by_its_odds() -> None:
    one = play(position("E4 A1 A2 A3", "E5 L10", phase="attack"), "attack E5")
    two = play(position("E4 D5 A2 A3", "E5 L10", phase="attack"), "attack E5 with E4")
    assert seen(two)["soldiers"] == pytest.approx(25 / 36 * 3 + 11 / 36 * 1)
    assert value(two, 0) > value(one, 0)


def test_a_flag_within_reach() -> None:
    """Four steps from L12: three numbers of six; with points left it is certain, or not to be had this time."""
    away, near = "G7", "L8"
    assert seen(position(near, away, phase="roll"))["strike"] == 0.5
    assert seen(position(near, away, points=4))["strike"] == 1
    late = seen(position(near, away, points=3))
    assert (late["strike"], late["threat"]) == (0, 1)
    theirs = seen(position(away, "B5", phase="roll"))
    assert theirs["strike"] == 0
    assert theirs["threat"] == pytest.approx(-4 / 6)
    walled = position(near, f"{away} L11 K12 M12 L13", phase="roll")
    around = position(near, f"{away} L9 K9 M9", phase="roll")  # past K9 it is eight steps
    assert seen(walled)["strike"] == seen(around)["strike"] == 0


def test_a_question_is_a_danger_by_the_skill_of_the_asked() -> None:
    knows, fails = (position("C4", "L8", skill=(KNOWS, skill)) for skill in (KNOWS, FAILS))
    assert seen(knows)["question"] == 0
    assert seen(fails)["question"] == 1 == -seen(fails, 1)["question"]
    free = position("C4", "L8", level="free", skill=(KNOWS, BOT_SKILL))
    assert seen(free)["question"] == pytest.approx(0.55)  # the asker picks the hardest
    assert seen(play(free, "done", "ask easy"))["question"] == pytest.approx(0.25)


def test_the_next_roll_counts_after_all_that_can_be_done_against_it() -> None:
    """B6 is four steps from B2. A soldier on B3 closes the flag; on its way there it loses nothing, done it does."""
    before = position("A2 C2 B1 C4", "B6 M13", points=2)
    assert seen(before)["strike"] == 0
    assert seen(play(before, "C4-C3"))["strike"] == 0
    assert seen(play(before, "C4-C5"))["strike"] == pytest.approx(-1 / 6)  # B5 is left, with six steps around it
    assert seen(play(before, "done"))["strike"] == pytest.approx(-1 / 2)
    beside = position("A2 C2 B1 B7", "B6 M13", phase="attack")
    assert seen(beside)["strike"] == pytest.approx(-1 / 4)  # an even attack is left
    leaves = position("A2 B1 B3", "B6 M13", points=1)  # C2 is open; B3 cannot go there and stay
    assert seen(leaves)["strike"] == pytest.approx(-1 / 6)


def test_a_raider_that_can_be_stopped_is_no_breakthrough() -> None:
    alone = seen(position("L8 A1", "M1 A13"))  # four steps, less three points
    assert alone["threat"] == alone["breakthrough"] == 1
    blocked = seen(position("L8 A1", "K12 M12 L13 M11"))
    assert blocked["threat"] == 1
    assert blocked["breakthrough"] == 0  # M11 goes to L11
    attacked = seen(position("L8 A1", "L5 M1"))
    assert attacked["threat"] == 1
    assert attacked["breakthrough"] == pytest.approx(1 / 2)  # one soldier can come beside it


def test_two_rolls_are_seen_ahead() -> None:
    assert seen(position("L5 A1", "K13 M13", phase="roll"))["approach"] == pytest.approx(21 / 36)  # seven or more
    assert seen(position("L1 A1", "K13 M13", phase="roll"))["approach"] == pytest.approx(3 / 36)
    walled = position("L5 A1", "L11 K12 M12 L13", phase="roll")
    assert seen(walled)["approach"] == 0


def test_a_favourable_attack_still_to_be_made_counts_as_made() -> None:
    two = position("E4 E6 A1", "E5 M13", phase="attack")
    assert seen(two)["soldiers"] == pytest.approx(25 / 36 * 2)
    one = position("E4 A2 A1", "E5 M13", phase="attack")
    assert seen(one)["soldiers"] == 1
    brought_up = position("E4 E7 A1", "E5 M13", points=1)
    assert seen(brought_up)["soldiers"] == pytest.approx(25 / 36 * 2)
    assert seen(play(brought_up, "A1-A2"))["soldiers"] == 1
    shared = position("E10 F11 A1", "E11 L1 M1", "A12 A11 A10", "M9 M10 M11", phase="attack")
    assert seen(shared)["soldiers"] == 0  # the others would gain as much


def test_soldiers_caught_between_others() -> None:
    s = position("E4 E6 A1", "E5 M13", phase="roll")
    assert seen(s)["assault"] == pytest.approx(2 * 25 / 36 - 1) == -seen(s, 1)["assault"]
    assert seen(s)["flanks"] == 0
    later = position("E5 M13", "E4 E6 A1", phase="attack")
    assert seen(later)["flanks"] == pytest.approx(-(2 * 25 / 36 - 1))
    assert seen(later)["assault"] == 0


def games(options: Options, players: int, count: int) -> list[State]:
    """All states of a few random games, with resignations where the rules have them."""
    states = []
    for seed in range(count):
        rng, s = Random(seed), RULES.initial(options, players)
        while (turn := RULES.turn(s)) != OVER:
            states.append(s)
            if turn == CHANCE:
                outcomes, weights = zip(*RULES.chance(s), strict=True)
                s = RULES.apply(s, rng.choices(outcomes, weights)[0])
            else:
                claims = [claim for _, claim in RULES.claims(s)]
                s = RULES.apply(s, rng.choice(claims if claims and rng.random() < 0.01 else RULES.legal(s)))
        states.append(s)
    return states


def test_between_two_the_gain_of_one_is_the_loss_of_the_other() -> None:
    for s in games(Options(deck=BLANK, board="quick"), 2, 8):
        mine, theirs = seen(s, 0), seen(s, 1)
        assert mine == pytest.approx({name: -value for name, value in theirs.items()}, abs=1e-12), s


@pytest.mark.parametrize("players", [3, 4])
def test_no_seat_is_looked_at_differently(players: int) -> None:
    """The same table with everybody one seat further, flags included, looks the same to everybody."""
    board = ground("quick").board
    key = "three" if players == 3 else "four"
    flags = board.flags(players)
    moved = replace(board, **{key: (*flags[1:], flags[0])})
    for s in games(Options(deck=BLANK, board="quick", level="free", dead_flags="removed"), players, 3):
        question = s.question and replace(s.question, seat=(s.question.seat - 1) % players)
        turned = replace(
            s,
            options=replace(s.options, board=moved),
            armies=(*s.armies[1:], s.armies[0]),
            mover=(s.mover - 1) % players,
            question=question,
            won=tuple(sorted((seat - 1) % players for seat in s.won)),
        )
        for seat in range(players):
            assert seen(s, seat) == pytest.approx(seen(turned, (seat - 1) % players)), (s, seat)
