"""Reviews: the sum comes out, perfect players lose nothing, luck is fair, and nothing is told of a running match."""

from __future__ import annotations

from math import sqrt
from pathlib import Path
from typing import Any

import msgspec
import pytest

import astragal
from astragal.analysis.judge import Judge
from astragal.analysis.report import Review
from astragal.analysis.review import NotReviewable, Reviewer, accuracy, made_by, review
from astragal.analysis.telling import tell
from astragal.core import recordfile
from astragal.core.record import TookBack
from astragal.core.types import CHANCE
from tests.analysis.matches import UR, match_of, with_take_backs
from tests.core.matches import begun, resigned
from tests.terminal.command import astragal as command

ROUNDING = 1 / 65535  # of a value in a table of 16 bits


def sums_up(made: Review) -> None:
    for one in made.seats:
        summed = one.start + one.luck - one.loss + one.gained + one.conceded + one.remainder
        assert summed == pytest.approx(one.result)


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("begins", ["lots", 0, 1])
def test_on_a_solved_game_luck_and_losses_explain_every_prefix_of_a_match(seed: int, begins: Any) -> None:
    options = UR.rules.options_type(pieces=2, begins=begins)
    made = review(match_of("greedy", "random", options=options, seed=seed))
    assert (made.evaluator, made.exact) == ("table", True)
    sums_up(made)
    for seat, one in enumerate(made.seats):
        told = one.start
        for step in made.steps:
            told += step.after[seat] - step.before[seat]
            assert told == pytest.approx(step.after[seat], abs=2 * ROUNDING * step.ply)
        assert abs(one.remainder) <= 2 * ROUNDING * len(made.steps)
        beginning = 0.5185729  # what beginning is worth with two pieces
        expected = 0.5 if begins == "lots" else beginning if begins == seat else 1 - beginning
        assert one.start == pytest.approx(expected, abs=1e-4)


def test_what_one_side_loses_the_other_gains() -> None:
    light, dark = review(match_of("random", "random", seed=4)).seats
    assert light.luck == pytest.approx(-dark.luck)
    assert light.gained == pytest.approx(dark.loss, abs=1e-9)
    assert dark.gained == pytest.approx(light.loss, abs=1e-9)
    assert light.loss > 0.05


def test_a_perfect_player_loses_nothing() -> None:
    for seed in range(6):
        made = review(match_of("perfect", "random", seed=seed))
        assert made.seats[0].loss <= ROUNDING * made.seats[0].decisions
        assert made.seats[0].accuracy > 99.8
        assert made.seats[0].blunders == made.seats[0].mistakes == made.seats[0].slips == 0
        assert made.seats[1].loss > made.seats[0].loss


def test_luck_is_even_in_the_long_run() -> None:
    """Mean 0 over many matches; by chance alone the test would fail once in 15,000 seeds (four standard errors)."""
    luck = [review(match_of("quick", "random", seed=seed)).seats[0].luck for seed in range(80)]
    mean = sum(luck) / len(luck)
    scatter = sqrt(sum((one - mean) ** 2 for one in luck) / (len(luck) - 1))
    assert scatter > 0.05
    assert abs(mean) < 4 * scatter / sqrt(len(luck))


def test_the_worst_move_of_a_match_is_among_its_moments_with_the_better_one() -> None:
    made = review(match_of("random", "random", seed=5))
    worst = max(made.steps, key=lambda step: step.loss)
    assert worst.loss > 0.02
    assert worst.best != worst.action
    assert worst.best == worst.alternatives[0][0]
    assert worst.alternatives[0][1] - dict(worst.alternatives)[worst.action] == pytest.approx(worst.loss)
    assert 1 <= len(made.moments) <= 5
    assert list(made.moments) == sorted(made.moments)


def test_what_was_taken_back_does_not_count() -> None:
    match = with_take_backs()
    made = review(match.record())
    sums_up(made)
    assert len(made.steps) == match.ply
    assert all(abs(one.remainder) < 0.01 for one in made.seats)
    assert made.taken_back


def test_what_was_taken_back_is_judged_and_shown_beside_what_counted() -> None:
    changed = 0
    for seed in range(6, 14):
        record = with_take_backs(seed).record()
        reviewer = Reviewer(record)
        made = made_by(reviewer)
        takes = [entry.ply for entry in record.entries if isinstance(entry, TookBack)]
        assert [one.ply for one in made.taken_back] == takes
        told = tell(reviewer, made, ["Ann", "Ben"], "en")
        for one, sentence in zip(made.taken_back, told.taken_back, strict=True):
            first, counted = one.steps[0], made.steps[one.ply]
            assert first.ply == counted.ply == one.ply + 1
            assert (first.seat, first.best, first.choices) == (counted.seat, counted.best, counted.choices)
            if first.choices > 1:  # the same position, so it was worth the same
                assert first.before == counted.before
            assert told.steps[one.ply].happened in sentence
            changed += first.action != counted.action
    assert changed


def test_what_a_resignation_gives_away_stands_by_itself() -> None:
    made = review(resigned())
    sums_up(made)
    assert made.seats[0].result == 0
    assert made.seats[0].conceded == pytest.approx(-made.steps[-1].after[0])
    assert made.seats[1].conceded == pytest.approx(-made.seats[0].conceded)


def test_a_running_match_is_not_reviewed() -> None:
    with pytest.raises(NotReviewable, match="not over"):
        review(begun())


@pytest.mark.parametrize(("id", "players"), [("ur", 2), ("ur-modern", 2), ("nile", 3), ("egar", 4)])
def test_any_game_with_any_number_of_seats_is_reviewed(id: str, players: int) -> None:
    game = astragal.game(id)
    options = game.rules.seated(next(iter(game.rules.presets.values())), [True] * players)
    if id.startswith("ur"):
        options = msgspec.structs.replace(options, pieces=4)
    heard: list[int] = []
    record = match_of(*["quick"] * players, game=game, options=options, seed=8)
    made = review(record, quick=True, tell=lambda done, _: heard.append(done))
    sums_up(made)
    assert heard == list(range(1, len(made.steps) + 1))
    assert (made.evaluator, made.exact) == ("network" if id.startswith("ur") else "heuristic", False)
    assert made.trust
    assert len(made.seats) == players
    assert sum(one.result for one in made.seats) == pytest.approx(1)
    for step in made.steps:
        assert sum(step.after) == pytest.approx(1)
        assert (step.loss == 0) or (step.seat != CHANCE and step.choices > 1)
    assert msgspec.json.decode(msgspec.json.encode(made), type=Review) == made


def test_a_proven_win_that_is_missed_is_a_loss() -> None:
    """The flag of L12 is three steps off, and there are three points."""
    game = astragal.game("egar")
    options = game.rules.seated(game.rules.options_type(begins=0), [True, True])
    position = "armies=A1,B1,A2,B3,I12/M13 phase=move:1 points=3 turns=20"
    state = game.rules.from_position(position, options, 2)
    judged = Judge(game, options, 2, quick=True).decision(state, 0)
    assert len(judged.actions) == len(game.rules.legal(state))
    assert judged.best == 1
    assert judged.of(game.rules.decode(state, "done")) < 0.99


def test_accuracy_falls_from_100_with_what_is_lost() -> None:
    assert accuracy(0.0) == 100
    assert accuracy(0.001) > accuracy(0.01) > accuracy(0.05) > 0


def test_the_command_tells_it_in_words_and_as_json(tmp_path: Path, folder: Path) -> None:
    file = tmp_path / "match.json"
    recordfile.write(match_of("greedy", "random", seed=9), file)
    tables = str(folder)
    told = command("review", str(file), ASTRAGAL_TABLES=tables)
    assert told.returncode == 0, told.stderr
    assert "Judged by: a table of exact values" in told.stdout
    assert "The moments that mattered" in told.stdout
    german = command("review", str(file), "--lang", "de", "--plain", ASTRAGAL_TABLES=tables)
    assert "Tabelle" in german.stdout
    assert "▅" not in german.stdout
    made = msgspec.json.decode(command("review", str(file), "--json", ASTRAGAL_TABLES=tables).stdout, type=Review)
    assert made == review(recordfile.read(file))


def test_the_command_refuses_a_running_match(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    recordfile.write(begun(), file)
    told = command("review", str(file))
    assert told.returncode == 2
    assert "this match is not over" in told.stderr
