"""Contests as they are played: seatings, mirrored dice, files that go on, and many processes that change nothing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import astragal as library
from astragal.arena import contest, job, ledger, report, rounds
from astragal.arena.job import Job, Round
from astragal.arena.stats import Estimate, Sprt
from astragal.bots import Bot, Choice
from astragal.bots.packed_view import NotSearchable
from astragal.bots.simple import RandomBot
from astragal.core.rules import Game
from astragal.core.types import CHANCE, BadFile, BadOptions
from tests.core import toy
from tests.terminal.command import ASTRAGAL, astragal


def job_of(game: Game, *bots: str, players: int = 2, seed: str = "1", most_plies: int = 5000) -> Job:
    options = next(iter(game.rules.presets.values()))
    return job.make_job(game, bots, players=players, options=options, seed=seed, most_plies=most_plies)


def held(wanted: Job, rounds: int, game: Game | None = None, **how: Any) -> tuple[report.Report, list[Round]]:
    with contest.arranged(wanted, rounds, game=game, **how) as arranged:
        arranged.first()
        arranged.rest(lambda: None)
        return report.report(arranged), list(arranged.rounds)


# Seatings and dice ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_both_bots_sit_everywhere_equally_often_alone_and_in_company(players: int) -> None:
    seatings = job.seatings(players)
    assert len(set(seatings)) == len(seatings) == (2 if players == 2 else 2 * players)
    for seat in range(players):
        assert sum(seating[seat] for seating in seatings) * 2 == len(seatings)
    assert {tuple(1 - who for who in seating) for seating in seatings} == set(seatings)


@pytest.mark.parametrize(("id", "players"), [("ur", 2), ("nile", 3)])
def test_a_bot_with_no_luck_of_its_own_draws_even_with_itself_in_every_round(id: str, players: int) -> None:
    """The same dice: so the mirrored game is the same game, and what one seat wins the other bot wins in it."""

    class First(RandomBot):
        def choose(self, view: Any, rng: Random) -> Choice:
            return Choice(view.legal[0])

    game = library.game(id)
    options = game.rules.seated(next(iter(game.rules.presets.values())), [True] * players)
    pair: tuple[Bot, Bot] = (First(game), First(game))
    shares = set()
    for seed in "abc":
        played = rounds.play_round(game.rules, options, pair, players=players, seed=seed, most_plies=4000)
        assert played.score == pytest.approx(0.5)
        assert len(set(played.plies)) == 1
        shares.add(played.shares)
    assert len(shares) > 1  # different dice, different winners


def test_dice_fall_as_the_rules_say_and_do_not_ask_who_plays() -> None:
    rules = library.game("ur").rules
    start = rules.initial(rules.options_type(begins=0), 2)
    assert rules.turn(start) == CHANCE
    dice = rounds.MirroredDice("some seed")
    fallen = Counter(dice.draw(rules, start)[1] for _ in range(8000))
    total = sum(weight for _, weight in rules.chance(start))
    for outcome, weight in rules.chance(start):
        assert fallen[rules.apply(start, outcome)] / 8000 == pytest.approx(weight / total, abs=0.02)


def test_a_game_that_takes_too_long_is_shared() -> None:
    game = library.game("ur")
    results, rounds = held(job_of(game, "random", "random", most_plies=5), 2)
    assert [round.shares for round in rounds] == [(0.5, 0.5), (0.5, 0.5)]
    assert results.duels[0].cut == 4
    assert "4 games were broken off after 5 plies" in "\n".join(map(str, report.notes(results)))


def test_views_are_all_that_a_bot_gets(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    real = RandomBot.choose

    def watch(self: RandomBot, view: Any, rng: Random) -> Choice:
        seen.append(view)
        return real(self, view, rng)

    monkeypatch.setattr(RandomBot, "choose", watch)
    held(job_of(toy.GAME, "random", "random"), 5, toy.GAME)
    assert seen
    assert all(isinstance(view, toy.View) and view.seat == view.turn and None in view.cards for view in seen)


@pytest.mark.parametrize("bot", ["ismcts:nodes=50", "quick", "perfect"])
def test_bots_that_need_compiled_rules_are_refused_before_the_first_game(bot: str, tmp_path: Path) -> None:
    uncompiled, file = toy.toy(), tmp_path / "rounds.jsonl"
    with pytest.raises(NotSearchable, match="no compiled rules"):
        held(job_of(uncompiled, bot, "random"), 5, uncompiled, file=file)
    assert not file.exists()


def test_an_interval_without_bounds_says_which_way_it_is_open() -> None:
    assert report.interval(Estimate(-300.0, None, -100.0)) == "-∞ .. -100"
    assert report.interval(Estimate(300.0, 100.0, None)) == "+100 .. +∞"


def test_faults_are_counted_and_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(self: RandomBot, view: Any, rng: Random) -> Choice:
        raise RuntimeError("no idea")

    monkeypatch.setattr(RandomBot, "choose", crash)
    results, _ = held(job_of(library.game("ur"), "greedy", "random"), 2)
    assert [wrong.bot for wrong in results.faults] == ["random"]
    assert results.faults[0].times > 4
    assert "no idea" in results.faults[0].first
    assert any("random failed" in str(note) for note in report.notes(results))


# A contest ------------------------------------------------------------------------------------------------------


def test_a_round_robin_ranks_its_bots() -> None:
    results, rounds = held(job_of(library.game("ur"), "random", "greedy", "greedy:mistakes=0.5"), 10)
    assert len(rounds) == 30
    assert [standing.bot for standing in results.standings] == ["greedy", "greedy:mistakes=0.5", "random"]
    assert [(duel.one, duel.other) for duel in results.duels] == [
        ("random", "greedy"),
        ("random", "greedy:mistakes=0.5"),
        ("greedy", "greedy:mistakes=0.5"),
    ]
    assert (results.duels[0].share.high or 1) < 0.5
    assert results.duels[0].games == 20
    text = "\n".join(report.table(results, "en"))
    assert "random - greedy" in text
    assert all(len(line) < 80 for line in text.splitlines())


def test_more_seats_than_bots() -> None:
    """Both sit alone as often as in company; what the first wins alone is said beside its share of all."""
    results, rounds = held(job_of(library.game("egar"), "greedy", "random", players=3), 2)
    assert all(len(round.shares) == 6 for round in rounds)
    (duel,) = results.duels
    assert duel.games == 12
    assert duel.alone is not None
    assert duel.alone.value == pytest.approx(np.mean([round.shares[:3] for round in rounds]))
    assert all(seating.count(0) == 1 for seating in job.seatings(3)[:3]), "games of the first bot alone come first"
    said = f"Alone against copies of random, greedy has {100 * duel.alone.value:.1f} % of the wins"
    assert any(said in str(note) and "33.3 % would be even" in str(note) for note in report.notes(results))


def test_at_a_table_of_two_nothing_is_said_of_being_alone() -> None:
    results, _ = held(job_of(library.game("ur"), "random", "random"), 2)
    assert results.duels[0].alone is None
    assert not any("Alone" in str(note) for note in report.notes(results))


def test_a_sequential_test_stops_early_and_says_what_it_believes() -> None:
    results, rounds = held(job_of(library.game("ur"), "greedy", "random"), 1000, sprt=Sprt(0, 200))
    assert len(rounds) < 100
    assert results.over
    assert results.sprt is not None
    assert results.sprt.accepted == 200
    assert any("+200 Elo points better" in str(note) for note in report.notes(results))


def test_what_cannot_be_held() -> None:
    game = library.game("ur")
    with pytest.raises(job.BadContest, match="at least two bots"):
        job_of(game, "greedy")
    with pytest.raises(BadOptions, match="players"):
        job_of(game, "greedy", "random", players=3)
    with pytest.raises(job.BadContest, match="too few"):
        job.rounds_for(3, 2)
    assert job.rounds_for(1000, 2) == 500
    assert job.rounds_for(1000, 3) == 167
    for test in (Sprt(20, 0), Sprt(0, float("nan")), Sprt(0, float("inf"))):
        with pytest.raises(job.BadContest, match="lower one first"):
            held(job_of(game, "greedy", "random"), 2, sprt=test)
    with pytest.raises(job.BadContest, match="two bots, not 3"):
        held(job_of(game, "greedy", "random", "random"), 2, sprt=Sprt(0, 20))


# Files ----------------------------------------------------------------------------------------------------------


def test_a_file_goes_on_where_it_was_and_gives_the_same_rounds(tmp_path: Path) -> None:
    wanted = job_of(library.game("ur"), "greedy:mistakes=0.5", "random")
    whole, part = tmp_path / "whole.jsonl", tmp_path / "part.jsonl"
    held(wanted, 6, file=whole)
    held(wanted, 3, file=part)
    part.write_bytes(part.read_bytes() + b'{"pairing":0,"round":3,"sha')  # a line that was being written
    held(wanted, 6, file=part)
    assert part.read_bytes() == whole.read_bytes()
    assert len(whole.read_bytes().splitlines()) == 7
    before = whole.stat().st_mtime_ns
    results, _ = held(wanted, 6, file=whole)  # nothing left to play
    assert results.over
    assert whole.stat().st_mtime_ns == before


def test_a_file_of_something_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    game = library.game("ur")
    wanted = job_of(game, "greedy", "random")
    file = tmp_path / "contest.jsonl"
    held(wanted, 2, file=file)
    with pytest.raises(BadFile, match="different bots, seed"):
        held(job_of(game, "random", "greedy", seed="2"), 2, file=file)
    lines = file.read_bytes().splitlines(keepends=True)
    for broken, what in [
        (b"", None),
        (b"Dear diary", "not the file of a contest"),
        (b"Dear diary\n", "not the file of a contest"),
        (lines[0] + b"nonsense\n", "line 2: this is not a round"),
        (lines[0] + lines[2], "line 2: this round is not the next"),
        (lines[0][:20], None),
    ]:
        file.write_bytes(broken)
        if what is None:
            held(wanted, 2, file=file)
            assert file.read_bytes() == b"".join(lines)
            continue
        with pytest.raises(BadFile, match=what):
            held(wanted, 2, file=file)
        assert file.read_bytes() == broken
    with pytest.raises(BadFile, match="cannot be written"):
        held(wanted, 2, file=tmp_path)


def test_two_arenas_do_not_share_a_file(tmp_path: Path) -> None:
    wanted = job_of(library.game("ur"), "greedy", "random")
    file = tmp_path / "contest.jsonl"
    with ledger.opened(wanted, file), pytest.raises(BadFile, match="another arena"), ledger.opened(wanted, file):
        pass


# Real processes -------------------------------------------------------------------------------------------------

CONTEST = ("arena", "ur", "--bots", "greedy:mistakes=0.3,random", "--seed", "kill", "--pieces", "2")


def test_more_cores_change_nothing(tmp_path: Path) -> None:
    files = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
    outputs = [
        astragal(*CONTEST, "--games", "20", "--cores", cores, "--out", str(file), "--json")
        for cores, file in zip("12", files, strict=True)
    ]
    assert [done.returncode for done in outputs] == [0, 0], outputs[1].stderr
    assert files[0].read_bytes() == files[1].read_bytes()
    assert outputs[0].stdout == outputs[1].stdout
    assert json.loads(outputs[0].stdout)["duels"][0]["games"] == 20


def test_a_killed_arena_goes_on_where_it_was(tmp_path: Path) -> None:
    file, whole = tmp_path / "killed.jsonl", tmp_path / "whole.jsonl"
    words = [*ASTRAGAL, *CONTEST, "--games", "60", "--cores", "2", "--out", str(file)]
    children: list[int] = []
    kept = 31
    while kept == 31:  # on a busy machine it may be over before it is killed
        file.unlink(missing_ok=True)
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            _wait(lambda: file.exists() and file.read_bytes().count(b"\n") > 4)
            children = _children(process.pid)
        finally:
            process.kill()
            process.wait()
        kept = file.read_bytes().count(b"\n")
    assert 4 < kept < 31
    _wait(lambda: not any(_alive(child) for child in children))  # nobody plays on for nobody
    assert astragal(*CONTEST, "--games", "60", "--out", str(file)).returncode == 0
    assert astragal(*CONTEST, "--games", "60", "--out", str(whole)).returncode == 0
    assert file.read_bytes() == whole.read_bytes()


def test_ctrl_c_gives_what_there_is(tmp_path: Path) -> None:
    file = tmp_path / "stopped.jsonl"
    words = [*ASTRAGAL, *CONTEST, "--games", "100000", "--cores", "2", "--out", str(file)]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        _wait(lambda: file.exists() and file.read_bytes().count(b"\n") > 3)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the workers too
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 130
    assert "The contest is not over." in out
    assert "Traceback" not in err


@pytest.mark.parametrize("later", [0.1, 0.2, 0.4])
def test_ctrl_c_while_processes_are_being_started(tmp_path: Path, later: float) -> None:
    words = [*ASTRAGAL, *CONTEST, "--games", "100000", "--cores", "4", "--out", str(tmp_path / "stopped.jsonl")]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        _wait(lambda: len(_children(process.pid)) >= 4)  # one of them only watches over the others
        time.sleep(later)
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 130
    assert "Traceback" not in err


def _wait(ready: Any, seconds: float = 120) -> None:
    until = time.monotonic() + seconds
    while not ready():
        assert time.monotonic() < until
        time.sleep(0.02)


def _children(pid: int) -> list[int]:
    file = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in file.read_text().split()] if file.exists() else []


def _alive(pid: int) -> bool:
    state = Path(f"/proc/{pid}/stat")
    try:
        return state.read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_ray_plays_the_same_contest(tmp_path: Path) -> None:
    """A real Ray, of this machine alone."""
    here, there = tmp_path / "here.jsonl", tmp_path / "there.jsonl"
    done = astragal(*CONTEST, "--games", "8", "--ray", "--out", str(there), seconds=500)
    assert done.returncode == 0, done.stderr
    assert astragal(*CONTEST, "--games", "8", "--out", str(here)).returncode == 0
    assert here.read_bytes() == there.read_bytes()


# The command ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ((), "at least two bots"),
        (("--bots", "greedy"), "at least two bots"),
        (("--bots", "greedy,grandmother"), "no bot 'grandmother'"),
        (("--bots", "greedy,ismcts:nodes=0"), "nodes"),
        (("--bots", "greedy,random", "--games", "2"), "too few"),
        (("--bots", "greedy,random", "--games", "many"), "--games"),
        (("--bots", "greedy,random", "--players", "5"), "for 2 players, not 5"),
        (("--bots", "greedy,random", "--sprt", "20", "0"), "lower one first"),
        (("--bots", "greedy,random", "--cores", "-1"), "--cores"),
        (("--bots", "greedy,random", "--ray", "127.0.0.1:1"), "127.0.0.1:1 cannot be reached"),
        (("--bots", "greedy,random", "--ray", "nowhere"), "no address of a Ray cluster"),
        (("--bots", "greedy,random", "--out", "/nowhere/at/all.jsonl"), "cannot be written"),
        (("--bots", "greedy,random", "--path", "spiral"), "path"),
    ],
)
def test_bad_input_is_one_line(words: tuple[str, ...], what: str) -> None:
    done = astragal("arena", "ur", *words)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert what in done.stderr


def test_the_options_of_the_game_are_played() -> None:
    done = astragal("arena", "ur", "--bots", "greedy,random", "--games", "4", "--pieces", "1", "--plain")
    assert done.returncode == 0
    assert "greedy against random: " in done.stdout
    assert " in 4 games." in done.stdout
    short = json.loads(astragal(*CONTEST, "--games", "4", "--json").stdout)
    assert short["job"]["options"]["pieces"] == 2
    assert short["duels"][0]["plies"] < 150


@pytest.mark.parametrize(("lang", "word"), [("en", "Example"), ("de", "Beispiel"), ("es", "Ejemplo")])
def test_help_speaks_three_languages_and_gives_an_example_that_works(lang: str, word: str) -> None:
    done = astragal("arena", "ur", "--help", "--lang", lang)
    assert done.returncode == 0
    assert word in done.stdout
    assert "--bots greedy,random" in done.stdout
