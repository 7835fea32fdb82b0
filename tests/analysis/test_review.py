"""Reviews: the sum comes out, perfect players lose nothing, luck is fair, and nothing is told of a running match."""

from __future__ import annotations

import re
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
from astragal.bots import network
from astragal.core import recordfile
from astragal.core.levels import LEVELS
from astragal.core.record import TookBack
from astragal.core.types import CHANCE
from astragal.games.nile.board import Board
from benchmarks.accuracy import fitted
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
    assert (made.evaluator, made.exact) == ("network", False)
    assert made.trust
    assert len(made.seats) == players
    assert sum(one.result for one in made.seats) == pytest.approx(1)
    for step in made.steps:
        assert sum(step.after) == pytest.approx(1)
        assert (step.loss == 0) or (step.seat != CHANCE and step.choices > 1)
    assert msgspec.json.decode(msgspec.json.encode(made), type=Review) == made


def test_at_a_decision_the_others_keep_the_proportion_of_their_chances() -> None:
    """The one with most soldiers before the flag stays ahead of the other, whoever decides."""
    game = astragal.game("egar")
    options = game.rules.seated(game.rules.options_type(begins=0), [True] * 3)
    record = match_of("quick", "random", "quick", game=game, options=options, seed=8)
    made = review(record, quick=True)
    judge, line = Judge(game, options, 3, quick=True), Reviewer(record).line
    checked = 0
    for step, ply in zip(made.steps, line.steps, strict=True):
        if step.best:
            one, other = (seat for seat in range(3) if seat != step.seat)
            chances = judge.value_after_chance(ply.before)
            for values in (step.before, step.after):
                assert values[one] * chances[other] == pytest.approx(values[other] * chances[one])
                checked += abs(values[one] - values[other]) > 0.02
    assert checked


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
    assert accuracy(0.0, 0.01) == 100
    assert accuracy(0.01, 0.01) == 50
    assert accuracy(0.02, 0.01) == 25


def test_the_documented_fit_of_accuracy_is_what_the_games_have() -> None:
    """docs/review.md: losses of the levels, the accuracy that they have, and the constant that was fitted to them."""
    page = (Path(__file__).parents[2] / "docs" / "review.md").read_text("utf-8")
    rows = [line.strip("| ").split(" | ") for line in page.splitlines() if "→" in line]
    assert {row[0] for row in rows} == {"ur", "ur-modern", "nile", "egar"}
    for id, *cells, half in rows:
        losses = {}
        for level, cell in zip(LEVELS, cells, strict=True):
            loss, place = re.fullmatch(r"([\d.]+) ± [\d.]+ → (\d+)", cell).groups()  # type: ignore[union-attr]
            losses[level] = float(loss) / 100
            assert round(accuracy(losses[level], float(half) / 100)) == int(place)
        assert fitted(losses) == pytest.approx(float(half) / 100)
        assert astragal.game(id).accuracy_half == pytest.approx(float(half) / 100)
        assert sorted(losses.values(), reverse=True) == list(losses.values())


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("resigns", [False, True])
def test_every_column_of_the_sum_adds_up_as_it_is_printed(lang: str, resigns: bool) -> None:
    reviewer = Reviewer(resigned() if resigns else match_of("greedy", "random", seed=9))
    told = tell(reviewer, made_by(reviewer), ["", ""], lang)
    assert len(told.sums) == (7 if resigns else 6)
    for seat in range(2):
        *parts, result = [float(row.cells[seat].replace(",", ".").replace("−", "-").rstrip(" %")) for row in told.sums]
        assert sum(parts) == pytest.approx(result, abs=1e-9)
        assert abs(parts[-1]) < 0.5  # the remainder


def test_how_well_values_fit_each_other_is_said() -> None:
    exact = review(match_of("greedy", "random", seed=9))
    assert exact.error <= 2 * ROUNDING
    game = astragal.game("nile")
    own = Board.load(network.file_of(game).parent / "board-small.toml")  # no network knows a board of one's own
    options = game.rules.options_type(begins=0, board=own)
    reviewer = Reviewer(match_of("quick", "quick", game=game, options=options, seed=8), quick=True)
    made = made_by(reviewer)
    assert made.error > 0.001
    said = tell(reviewer, made, ["", ""], "en").evaluator
    assert f"{100 * made.error:.1f} points apart" in said


def test_the_turning_points_of_a_seat_are_what_changed_its_chance_most() -> None:
    made = review(match_of("random", "random", seed=5))
    for seat, one in enumerate(made.seats):
        changes = {step.ply: abs(step.after[seat] - step.before[seat]) for step in made.steps}
        assert 1 <= len(one.turning_points) <= 3
        assert list(one.turning_points) == sorted(one.turning_points)
        lightest = min(changes[ply] for ply in one.turning_points)
        assert sum(change > lightest for change in changes.values()) < len(one.turning_points)


def test_the_command_tells_it_in_words_and_as_json(tmp_path: Path, folder: Path) -> None:
    file = tmp_path / "match.json"
    recordfile.write(match_of("greedy", "random", seed=9), file)
    tables = str(folder)
    told = command("review", str(file), ASTRAGAL_TABLES=tables)
    assert told.returncode == 0, told.stderr
    assert "Judged by: a table of exact values" in told.stdout
    assert "The moments that mattered" in told.stdout
    made = review(recordfile.read(file))
    (luck,) = [line.split() for line in told.stdout.splitlines() if line.startswith("Luck ")]
    assert luck[1:] == [f"{100 * one.luck:+.1f}" for one in made.seats]
    german = command("review", str(file), "--lang", "de", "--plain", ASTRAGAL_TABLES=tables)
    assert "Tabelle" in german.stdout
    assert "▅" not in german.stdout
    assert made == msgspec.json.decode(
        command("review", str(file), "--json", ASTRAGAL_TABLES=tables).stdout, type=Review
    )


def test_the_command_refuses_a_running_match(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    recordfile.write(begun(), file)
    told = command("review", str(file))
    assert told.returncode == 2
    assert "this match is not over" in told.stderr
