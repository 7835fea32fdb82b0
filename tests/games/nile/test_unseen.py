"""Hidden information: what a seat may know, and what follows for the tiles it cannot see."""

from __future__ import annotations

from collections import Counter
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from astragal.core.types import CHANCE
from astragal.games.nile.options import Options
from astragal.games.nile.state import State
from astragal.games.nile.tiles import KINDS, PLACE, Kind, Tile, TileSet
from tests.games.nile.positions import OPTIONS, RULES, dealt, do, filled, rack, random_game, seen

RNG = Random(5)


def guesses(state: State, seat: int | None, count: int = 60) -> list[State]:
    """States that seat must hold for possible, each checked to look the same to it."""
    view = seen(state, seat)
    states = [RULES.resample(view, RNG) for _ in range(count)]
    assert all(RULES.observe(guess, seat) == view for guess in states)
    return states


@pytest.mark.rule("NI-2", "NI-10")
def test_views_show_ones_own_rack_and_only_how_many_tiles_others_hold() -> None:
    first = replace(OPTIONS, tiles="first")
    state = dealt("straight curve bow bow universal", "curve curve far-left diagonal bow", options=first)
    view = seen(state, 0)
    assert view.rack == state.racks[0]
    assert (view.sizes, view.bag) == ((5, 5), 94)
    assert seen(state, None).rack == ()
    assert dict(zip(KINDS, view.unseen, strict=True)) == {
        "straight": 14, "curve": 14, "far-left": 15, "far-right": 15, "diagonal": 10, "near-left": 10,
        "near-right": 10, "bow": 8, "universal": 3,
    }  # fmt: skip
    assert sum(seen(state, None).unseen) == 104


def swapped(state: State, seat: int, old: Kind, new: Kind) -> State:
    """The same table with one tile of a rack exchanged for one of the bag."""
    held = list(state.racks[seat])
    held[held.index(old)] = new
    bag = list(state.bag)
    bag[PLACE[old]] += 1
    bag[PLACE[new]] -= 1
    racks = tuple(rack(" ".join(held)) if other == seat else tiles for other, tiles in enumerate(state.racks))
    return replace(state, racks=racks, bag=tuple(bag))


@pytest.mark.rule("NI-2")
def test_states_that_differ_in_secrets_look_alike() -> None:
    state = dealt("straight curve bow bow universal", "curve curve far-left diagonal bow")
    other = swapped(state, 1, "diagonal", "near-right")
    assert state != other
    for seat in (0, None):
        assert seen(state, seat) == seen(other, seat)
        assert msgspec.json.encode(seen(state, seat)) == msgspec.json.encode(seen(other, seat))
    assert seen(state, 1) != seen(other, 1)
    assert RULES.event(state, RULES.decode(state, "N"), 1) == RULES.event(other, RULES.decode(other, "N"), 1)


@pytest.mark.rule("NI-2", "NI-8")
def test_draws_are_secret() -> None:
    state = do(dealt("straight curve bow bow universal", "curve curve far-left diagonal bow"), "N", "stop")
    assert RULES.turn(state) == CHANCE
    for seat in (1, None):
        told = {msgspec.json.encode(RULES.event(state, outcome, seat)) for outcome, _ in RULES.chance(state)}
        assert len(told) == 1
        looks = {seen(RULES.apply(state, outcome), seat) for outcome, _ in RULES.chance(state)}
        assert len(looks) == 1
    assert len({RULES.event(state, outcome, 0) for outcome, _ in RULES.chance(state)}) == 9


@pytest.mark.rule("NI-11")
def test_who_waited_has_no_tile_to_begin_with() -> None:
    state = do(dealt("bow bow diagonal near-left near-right", "straight curve bow bow bow"), "pass")
    openers = {"straight", "curve", "far-left", "far-right", "universal"}
    guessed = guesses(state, 1)
    assert not any(openers & set(guess.racks[0]) for guess in guessed)
    assert len({guess.racks for guess in guessed}) > 20
    played = filled(do(state, "N", "stop"))
    assert not any(openers & set(guess.racks[0]) for guess in guesses(played, 1)), "also after the river is opened"


def shut_in(options: Options) -> State:
    """Seat 0 has shut the river in at E3 and stopped; whether it holds a universal is its secret."""
    state = dealt("straight straight straight curve curve", "straight curve straight curve bow", options=options)
    state = filled(do(state, "N", "N", "N", "E", "stop"), "universal", "bow", "bow", "bow")
    state = filled(do(state, "E4:straight-E", "S", "S", "W", "stop"), "bow", "bow", "curve", "diagonal")
    state = filled(do(state, "E2:curve-N", "stop"), "straight")
    assert any(one.shut for one in state.river)
    return state


@pytest.mark.rule("NI-6")
def test_who_shut_the_river_in_holds_a_universal() -> None:
    state = shut_in(OPTIONS)
    for seat in (1, None):
        assert all("universal" in guess.racks[0] for guess in guesses(state, seat))
    assert len({guess.racks[0] for guess in guesses(state, 1)}) > 20, "the rest of the rack is open"
    free = shut_in(replace(OPTIONS, encircle="free"))
    assert not all("universal" in guess.racks[0] for guess in guesses(free, 1)), "there it proves nothing"


@pytest.mark.rule("NI-6", "NI-15")
def test_a_universal_once_laid_is_no_longer_known_to_be_held() -> None:
    state = filled(do(shut_in(OPTIONS), "pass"), "straight")
    assert RULES.turn(state) == 0
    lead = next(text for text in (RULES.encode(action) for action in RULES.legal(state)) if "+" in text)
    after = filled(do(state, lead, "stop"))
    assert not all("universal" in guess.racks[0] for guess in guesses(after, 1))


@pytest.mark.rule("NI-10")
def test_a_shown_rack_is_in_the_bag_or_with_who_drew_it_again() -> None:
    """Nobody who drew no tile since then can hold what was shown, if there are no others of its kind."""
    options = replace(OPTIONS, encircle="free")
    state = dealt(
        "straight straight straight straight straight",
        "universal universal universal universal bow",
        "bow bow bow bow bow",
        options=options,
    )
    state = filled(do(state, "N", "stop"), "straight")
    state = filled(do(state, "D2:universal=straight-N", "stop"), "curve")
    assert RULES.turn(state) == 2
    shown = filled(do(state, "pass"), "near-left", "near-left", "near-left", "near-left", "near-left")
    assert shown.sheet[-1].tiles == ("bow",) * 5
    # Of ten bows five were shown; seat 0 and seat 1 can hold at most the five others, drawn before that.
    for guess in guesses(shown, None, 200):
        assert guess.racks[0].count("bow") + guess.racks[1].count("bow") <= 5
        assert Counter(guess.racks[2])["bow"] <= 5


@pytest.mark.rule("NI-6", "NI-18")
def test_a_universal_proved_on_a_rack_that_gave_up_is_in_the_bag_again() -> None:
    """There is just one universal: who shut the river in held it, gave up, and somebody else drew and laid it."""
    tiles = TileSet("one star", 5, 20, (Tile("straight", 10, 1), Tile("curve", 12, 2), Tile("universal", 1, 10)))
    state = dealt(
        "straight straight straight straight curve",
        "straight curve curve curve universal",
        "curve curve curve curve curve",
        options=replace(OPTIONS, tiles=tiles),
    )
    state = filled(do(state, "N", "N", "N", "E", "E", "stop"))
    state = filled(do(state, "S", "S", "W", "N", "stop"))
    assert state.river[-1].shut
    state = filled(do(state, "resign-2", "pass"), "universal", "curve")
    for seat in (0, 2, None):
        assert guesses(state, seat, 20)
    state = do(filled(do(state, "pass")), "W+")
    for seat in (0, 2, None):
        assert guesses(state, seat, 20)


@pytest.mark.rule("NI-12")
def test_who_entered_blue_under_same_turn_can_end_the_river() -> None:
    options = replace(OPTIONS, blue_finish="same_turn")
    state = dealt("straight straight straight straight straight", "straight curve curve bow bow", options=options)
    state = filled(do(state, "N", "N", "N", "N", "N", "stop"))
    state = do(state, "D6:straight-N", "D7:curve-E")
    assert RULES.turn(state) == 1
    guessed = guesses(state, 0)
    assert all(RULES.legal(guess) for guess in guessed), "nobody may be left without a tile to go on"
    assert len({guess.racks[1] for guess in guessed}) > 20


def test_resampling_spreads_over_what_is_possible() -> None:
    state = dealt("straight curve bow bow universal", "curve curve far-left diagonal bow")
    guessed = guesses(state, 0, 300)
    kinds = Counter(kind for guess in guessed for kind in guess.racks[1])
    assert set(kinds) == set(KINDS)
    assert 0.5 < kinds["far-left"] / kinds["far-right"] < 2
    assert kinds["universal"] < kinds["straight"]


def test_what_others_hold_does_not_change_what_one_may_do() -> None:
    for seed in range(6):
        for state, _ in random_game(seed, Options(board="small"), 3):
            turn = RULES.turn(state)
            if turn >= 0 and RNG.random() < 0.3:
                for guess in guesses(state, turn, 2):
                    assert RULES.legal(guess) == RULES.legal(state)


def test_ones_own_rack_stays_as_it_is() -> None:
    state = dealt("straight curve bow bow universal", "curve curve far-left diagonal bow")
    for seat in (0, 1):
        assert {guess.racks[seat] for guess in guesses(state, seat, 10)} == {state.racks[seat]}
