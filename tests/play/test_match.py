"""A match: what it lets happen, what it refuses, and that its record says it all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import msgspec
import pytest

import astragal
from astragal.bots import UnknownBot
from astragal.core import recordfile
from astragal.core.line import replay
from astragal.core.record import Acted, BadRecord, Record, Seat
from astragal.core.rules import Rematch
from astragal.core.types import CHANCE, OVER, BadNotation, BadOptions, IllegalAction
from astragal.core.verify import verify
from astragal.games.ur.options import Options
from astragal.play.match import Happening, Match, NotPossible
from tests.core import toy

UR, MODERN = astragal.game("ur"), astragal.game("ur-modern")
GREEDY, RANDOM = Seat("bot:greedy"), Seat("bot:random")


def until_human(match: Match) -> None:
    while match.step() is not None:
        pass


def play_out(match: Match, seed: int = 0) -> None:
    """Humans play at random."""
    rng = Random(seed)
    while not match.over:
        until_human(match)
        if not match.over:
            match.act(match.turn, rng.choice(match.view(match.turn).legal))


def test_a_match_of_bots_ends_with_a_result_and_a_record_that_replays() -> None:
    match = Match.start(UR, seats=[GREEDY, RANDOM], seed=1)
    until_human(match)
    assert match.over
    assert sorted(match.result or ()) == [0.0, 1.0]
    line = replay(match.record())
    assert line.result == match.result
    assert all(verdict.good for verdict in verify(match.record()))


def test_the_same_seed_plays_the_same_match_and_no_seed_never_does() -> None:
    first, second = (Match.start(UR, seats=[GREEDY, RANDOM], seed="x") for _ in range(2))
    until_human(first)
    until_human(second)
    assert first.record() == second.record()
    free = [Match.start(UR, seats=[RANDOM, RANDOM]) for _ in range(2)]
    for match in free:
        until_human(match)
    assert free[0].record().entries != free[1].record().entries
    assert free[0].id != free[1].id


def test_greedy_beats_random_at_both_games() -> None:
    for game, plies in ((UR, 5000), (MODERN, 3000)):
        won = 0.0
        for seed in range(20):
            greedy = seed % 2
            match = Match.start(game, seats=[GREEDY, RANDOM] if greedy == 0 else [RANDOM, GREEDY], seed=seed)
            while match.ply < plies and match.step() is not None:
                pass
            won += match.result[greedy] if match.result else 0.0
        assert won >= 16, game.id


def test_only_the_seat_to_act_may_act_and_only_legally() -> None:
    match = Match.start(UR, Options(begins=0), seed=2)
    until_human(match)
    before = match.record()
    with pytest.raises(NotPossible, match="not the turn of seat 2"):
        match.act(1, match.view(0).legal[0])
    with pytest.raises(IllegalAction):
        match.act(0, match.game.rules.action_type.__args__[1]("a1", "b1"))
    with pytest.raises(BadNotation):
        match.read("castle")
    with pytest.raises(NotPossible, match="nothing to draw"):
        match.draw_chance()
    assert match.record() == before


def test_views_are_those_of_the_rules_and_only_the_seat_to_act_has_legal_actions() -> None:
    match = Match.start(UR, Options(begins=1), seed=2)
    until_human(match)
    assert match.turn == 1
    assert match.view(1).legal
    assert not match.view(0).legal
    assert not match.view(None).legal


def test_undo_goes_back_to_the_last_decision_and_dice_are_drawn_anew() -> None:
    match = Match.start(UR, Options(begins=0), [Seat(), GREEDY], seed=5)
    until_human(match)
    ply, view = match.ply, match.view(0)
    match.act(0, view.legal[0])
    until_human(match)
    drawn = sum("weights" in entry.__struct_fields__ for entry in match.record().entries)
    match.undo()
    assert (match.ply, match.view(0)) == (ply, view)
    match.act(0, view.legal[0])
    until_human(match)
    numbers = [entry.n for entry in match.record().entries if hasattr(entry, "n")]
    assert numbers == list(range(len(numbers)))  # counted on, never drawn twice
    assert len(numbers) > drawn
    play_out(match)
    assert all(verdict.good for verdict in verify(match.record()))


def test_undo_skips_what_was_no_decision() -> None:
    match = Match.start(UR, Options(begins=0), [Seat(), Seat()], seed=11)
    with pytest.raises(NotPossible, match="nothing to take back"):
        match.undo()
    until_human(match)
    decided = None
    for _ in range(30):
        legal = match.view(match.turn).legal
        if str(legal[0]) != "pass":
            decided = match.ply
        elif decided is not None:
            break
        match.act(match.turn, legal[0])
        until_human(match)
    match.act(match.turn, match.view(match.turn).legal[0])  # the forced pass
    match.undo()
    assert match.ply == decided


def test_undo_after_the_end_opens_the_match_again() -> None:
    match = Match.start(UR, Options(pieces=1, begins=0), [Seat(), Seat()], seed=4)
    play_out(match)
    match.undo()
    assert not match.over
    assert match.result is None
    play_out(match, seed=9)
    assert match.over


def test_resigning_timing_out_and_agreeing_end_a_match_of_two() -> None:
    endings: list[tuple[Callable[[Match], Happening], tuple[float, float]]] = [
        (lambda m: m.resign(0), (0.0, 1.0)),
        (lambda m: m.time_out(1), (1.0, 0.0)),
        (lambda m: m.agree_draw(), (0.5, 0.5)),
    ]
    for end, result in endings:
        match = Match.start(UR, seed=3)
        until_human(match)
        assert end(match).event(0) is None
        assert (match.turn, match.result) == (OVER, result)
        assert recordfile.parse(recordfile.to_text(match.record())).result == result
        with pytest.raises(NotPossible, match="over"):
            match.resign(1)
        with pytest.raises(NotPossible, match="over"):
            match.act(0, None)


@pytest.mark.rule("UM-20")
def test_a_draw_is_claimed_through_the_match_and_recorded() -> None:
    match = Match.start(MODERN, MODERN.rules.options_type(begins=0), [Seat(), Seat()], seed=1)
    rng, claimant = Random(2), None
    while claimant is None and match.ply < 4000:
        until_human(match)
        if match.claims(0):
            claimant = 1
            break
        legal = match.view(match.turn).legal
        # shuffling one piece to and fro is the quickest way to a draw
        habit = match.view(match.turn).habits[match.turn].last
        again = [a for a in legal if habit and {str(a)} & {habit, "-".join(reversed(habit.split("-")))}]
        match.act(match.turn, (again or [rng.choice(legal)])[0])
    assert claimant is not None
    with pytest.raises(NotPossible, match="nothing to claim"):
        match.claim(0, "anything")
    match.claim(claimant, match.claims(claimant)[0])
    assert match.result == (0.5, 0.5)
    assert replay(match.record()).result == (0.5, 0.5)
    first = next(entry.seat for entry in match.record().entries if isinstance(entry, Acted))
    assert match.rematch() == Rematch(chooser=1 - first)


def test_a_seat_can_be_handed_over_and_the_bot_plays_on() -> None:
    match = Match.start(UR, seed=6)
    until_human(match)
    with pytest.raises(UnknownBot, match="no bot 'genius'"):
        match.hand_over(0, Seat("bot:genius"))
    match.hand_over(0, GREEDY)
    match.hand_over(1, RANDOM)
    until_human(match)
    assert match.over
    assert Match.resume(match.record()).seats == (GREEDY, RANDOM)


def test_saving_and_resuming_goes_on_with_the_same_dice(tmp_path: Path) -> None:
    for name in ("match.json", "match.txt"):
        straight = Match.start(UR, seats=[GREEDY, RANDOM], seed=8)
        for _ in range(50):
            straight.step()
        straight.save(tmp_path / name)
        resumed = Match.resume(recordfile.read(tmp_path / name))
        until_human(straight)
        until_human(resumed)
        assert resumed.record() == straight.record()


def test_a_published_record_of_an_unfinished_match_hides_the_seed_and_cannot_go_on() -> None:
    match = Match.start(UR, seats=[GREEDY, RANDOM], seed=8)
    for _ in range(20):
        match.step()
    public = match.record()
    assert public.header.fair.server_seed is None
    assert match.record(keep_seed=True).header.fair.server_seed is not None
    watcher = Match.resume(public)
    while watcher.turn != CHANCE:
        watcher.step()
    with pytest.raises(NotPossible, match="cannot go on"):
        watcher.draw_chance()


def test_who_began_is_known_even_if_nobody_acted() -> None:
    match = Match.start(MODERN, MODERN.rules.options_type(begins=1), seed=1)
    match.agree_draw()
    assert match.rematch() == Rematch(chooser=0)


def test_a_seat_that_is_not_there_sees_nothing() -> None:
    match = Match.start(UR, seed=1)
    for seat in (-1, 2, 9):
        with pytest.raises(NotPossible, match="no seat"):
            match.view(seat)
        with pytest.raises(NotPossible, match="no seat"):
            match.think(seat, "greedy")


def test_bad_tables_are_refused_before_the_first_draw() -> None:
    with pytest.raises(BadOptions, match="for 2 players, not 3"):
        Match.start(UR, seats=[Seat()] * 3)
    with pytest.raises(BadOptions, match="no seat 4"):
        Match.start(UR, Options(begins=3))
    with pytest.raises(UnknownBot):
        Match.start(UR, seats=[Seat(), Seat("bot:nobody")])
    with pytest.raises(NotPossible, match="not over yet"):
        Match.start(UR).rematch()


def test_a_record_with_an_impossible_entry_does_not_resume() -> None:
    match = Match.start(UR, seats=[GREEDY, RANDOM], seed=8)
    until_human(match)
    record = match.record()
    broken = type(record)(header=record.header, entries=record.entries[:6] + record.entries[7:], result=record.result)
    with pytest.raises(BadRecord):
        Match.resume(broken)


def test_hints_come_with_reasons_and_change_nothing() -> None:
    match = Match.start(UR, Options(begins=0), seed=12)
    rng = Random(1)
    reasons: set[str] = set()
    for _ in range(60):
        until_human(match)
        if match.over:
            break
        before = match.record()
        choice = match.think(match.turn, "greedy")
        assert choice.action in match.view(match.turn).legal
        assert choice.alternatives[0] == (choice.action, choice.value)
        assert match.record() == before
        reasons |= set(choice.reasons)
        match.act(match.turn, rng.choice(match.view(match.turn).legal))
    assert reasons <= set(UR.heuristic.names.values())
    assert len(reasons) > 1


def test_a_game_that_is_not_installed_is_played_saved_and_resumed() -> None:
    match = Match.start(toy.GAME, seats=[GREEDY, RANDOM], seed=1)
    until_human(match)
    assert match.over
    assert Match.resume(match.record(), toy.GAME).result == match.result


def test_resuming_never_mends_a_broken_promise() -> None:
    record = Match.start(UR, seed=8).record(keep_seed=True)

    def forged(**changes: object) -> Record:
        fair = msgspec.structs.replace(record.header.fair, **changes)
        return msgspec.structs.replace(record, header=msgspec.structs.replace(record.header, fair=fair))

    with pytest.raises(NotPossible, match="not the one promised"):
        Match.resume(forged(server_seed="00" * 32))
    seats = Match.resume(forged(seat_seeds=("00" * 32, "11" * 32))).record(keep_seed=True)
    assert [verdict.good for verdict in verify(seats)][1:3] == [False, False]


def test_verify_misses_the_seed_of_a_human() -> None:
    record = Match.start(UR, seats=[Seat(), GREEDY], seed=8).record(keep_seed=True)
    fair = msgspec.structs.replace(record.header.fair, seat_seeds=(None, None), seat_commitments=(None, None))
    bare = msgspec.structs.replace(record, header=msgspec.structs.replace(record.header, fair=fair))
    assert False in [verdict.good for verdict in verify(bare)]


def test_verify_says_when_the_seed_was_known_before_a_draw() -> None:
    match = Match.start(UR, seats=[Seat(), GREEDY], seed=8)
    assert None in [verdict.good for verdict in verify(match.record(keep_seed=True))]
    play_out(match)
    assert all(verdict.good for verdict in verify(match.record()))
    match.undo()
    play_out(match)
    assert None in [verdict.good for verdict in verify(match.record())]


@pytest.mark.parametrize("seat", [Seat("cat"), Seat("human", "x" * 81), Seat("human", "\udcff")])
def test_a_seat_that_no_record_can_hold_is_refused(seat: Seat) -> None:
    with pytest.raises(BadOptions, match="seat"):
        Match.start(UR, seats=[Seat(), seat])
    match = Match.start(UR)
    with pytest.raises(BadOptions, match="seat"):
        match.hand_over(0, seat)
    assert not match.record().entries
