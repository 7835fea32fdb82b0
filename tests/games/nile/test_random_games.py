"""Thousands of random games, watched by a checker that shares no code with the rules."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from msgspec.structs import replace

from astragal.core.types import CHANCE, OVER
from astragal.games.nile.actions import Lay, Pass
from astragal.games.nile.options import Options
from astragal.games.nile.state import State
from astragal.games.nile.tiles import KINDS, stock
from tests.games.nile.positions import RULES, final, random_game, tiles_in_play
from tests.games.nile.walker import Sheet, joined_to_goal, score, spot_of, walk

SHEETS = {name: Sheet.shipped(name) for name in ("nile", "small", "first")}
OPTION_SETS = [
    Options(),
    Options(board="small"),
    Options(board="small", encircle="free"),
    Options(board="small", blue_finish="anyone"),
    Options(encircle="free", blue_finish="anyone", begins=1),
    Options(board="first", tiles="first"),
]


def all_tiles(state: State) -> Counter[str]:
    """The tiles of the set that is played with."""
    return Counter(dict(zip(KINDS, stock(state.options.tiles).counts, strict=True)))


def check_end(state: State, players: int) -> None:
    """The river, the score sheet and the result of a finished game."""
    sheet = SHEETS[str(state.options.board)]
    head = walk(sheet, state.river)
    view = RULES.observe(state, None)
    assert (head is None) == (view.ending == "goal")
    at, totals = 0, [0] * players
    for line in state.sheet:
        if line.how == "laid":
            assert line.total == score(sheet, state.river[at : at + len(line.tiles)])
            at += len(line.tiles)
        totals[line.seat] += line.total
    assert at == len(state.river)
    assert list(view.scores) == totals
    winners = [seat for seat in range(players) if totals[seat] == max(totals)]
    assert [share > 0 for share in RULES.returns(state)] == [seat in winners for seat in range(players)]
    if view.ending == "tiles":
        assert not any(state.bag)
        assert not any(state.racks)


@pytest.mark.rule("NI-3", "NI-9", "NI-17", "NI-18")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("chosen", range(len(OPTION_SETS)))
def test_every_river_can_be_walked_and_every_turn_recounted(chosen: int, players: int) -> None:
    for seed in range(40):
        state = final(1000 * chosen + seed, OPTION_SETS[chosen], players)
        assert tiles_in_play(state) == all_tiles(state)
        check_end(state, players)


@pytest.mark.rule("NI-6", "NI-8", "NI-15", "NI-17")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_single_action(players: int) -> None:
    """The 104 tiles are all there after every action, and no tile shuts the river in unless it may."""
    endings: Counter[str] = Counter()
    crossings = shut = 0
    for seed in range(24):
        options = OPTION_SETS[seed % len(OPTION_SETS)]
        sheet = SHEETS[str(options.board)]
        idle = 0
        for state, action in random_game(seed, options, players):
            assert tiles_in_play(state) == all_tiles(state)
            assert all(len(rack) <= 5 for rack in state.racks)
            if action is None:
                ending = RULES.observe(state, None).ending
                assert ending is not None
                assert (state.idle >= 2 * players) == (ending == "idle")
                assert idle <= state.idle, "skipped players count too"
                endings[ending] += 1
            elif isinstance(action, Lay):
                idle = 0
                after = RULES.apply(state, action)
                head = walk(sheet, after.river)
                crossings += action.crossing
                if head is not None and not joined_to_goal(sheet, after.river, head):
                    shut += 1
                    assert after.river[-1].shut
                    assert options.encircle == "free" or "universal" in after.racks[state.seat]
                else:
                    assert not after.river[-1].shut
            elif isinstance(action, Pass) and state.river:
                idle += 1
    assert crossings > 0
    assert shut > 0
    assert set(endings) >= {"goal", "idle"}


def test_fields_are_covered_once_except_by_crossings() -> None:
    for seed in range(30):
        state = final(seed, Options(board="small", encircle="free"), 2)
        fields = [one.field for one in state.river]
        crossed = [one.field for one in state.river if one.replaced is not None]
        assert len(fields) - len(set(fields)) == len(crossed)
        assert all(spot_of(field) for field in fields)


@pytest.mark.rule("NI-18")
@pytest.mark.parametrize("players", [3, 4])
def test_games_in_which_players_give_up(players: int) -> None:
    alone = 0
    for seed in range(40):
        rng = Random(seed)
        state = RULES.initial(replace(OPTION_SETS[seed % 4], begins="lots"), players)
        while (turn := RULES.turn(state)) != OVER:
            claims = RULES.claims(state)
            if claims and rng.random() < 0.02:
                state = RULES.apply(state, rng.choice(claims)[1])
            elif turn == CHANCE:
                outcomes = RULES.chance(state)
                state = RULES.apply(state, rng.choices([a for a, _ in outcomes], [w for _, w in outcomes])[0])
            else:
                state = RULES.apply(state, rng.choice(RULES.legal(state)))
            assert tiles_in_play(state) == all_tiles(state)
            assert not any(state.racks[seat] for seat in state.gone)
            if rng.random() < 0.05:
                for seat in (None, *range(players)):
                    view = RULES.observe(state, seat)
                    assert RULES.observe(RULES.resample(view, rng), seat) == view
        assert sum(RULES.returns(state)) == pytest.approx(1)
        assert all(RULES.returns(state)[seat] == 0 for seat in state.gone)
        alone += RULES.observe(state, None).ending == "alone"
    assert alone > 0
