"""What a game without secrets need not write itself: a whole game of some thirty lines that relies on all of it."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from msgspec import Meta, Struct
from msgspec.structs import replace

from astragal.bots import levels
from astragal.core import pages
from astragal.core.conform import check
from astragal.core.defaults import OpenEvent, OpenRules, OpenState, OpenView, PlainPresentation
from astragal.core.rules import BaseOptions, Game
from astragal.core.types import CHANCE, OVER, BadNotation, IllegalAction, Schema, Spec
from tests.core import toy


class Options(BaseOptions, frozen=True, kw_only=True):
    coins: Annotated[int, Meta(ge=5, le=30, description="Coins in the heap")] = 9


class First(Struct, frozen=True, tag="first"):
    seat: int


class Take(Struct, frozen=True, tag="take"):
    coins: int


class Halve(Struct, frozen=True, tag="halve"):
    """The claim of the seat that waits: the heap is shared out, and the win."""

    seat: int


Action = First | Take | Halve


class State(OpenState[Options], frozen=True):
    seat: int | None
    heap: int
    halved: bool


class View(OpenView[State, Action, Options], frozen=True, kw_only=True): ...


class Event(OpenEvent[State, Action], frozen=True, kw_only=True): ...


class HeapRules(OpenRules[State, Action, Options]):
    """Take one or two coins; who takes the last wins."""

    spec = Spec(id="heap", title="Heap", summary="Take the last coin.", version=1, players=(2,))
    state_type: Schema = State
    action_type: Schema = Action
    options_type: Schema = Options
    view_type: Schema = View
    event_type: Schema = Event
    presets = {"heap": Options()}  # noqa: RUF012

    def initial(self, options: Options, players: int) -> State:
        self.check_options(options, players)
        return State(options, None if options.begins == "lots" else options.begins, options.coins, False)

    def turn(self, s: State) -> int:
        return OVER if s.halved or not s.heap else CHANCE if s.seat is None else s.seat

    def legal(self, s: State) -> tuple[Action, ...]:
        return tuple(Take(coins) for coins in (1, 2) if coins <= s.heap) if self.turn(s) >= 0 else ()

    def claims(self, s: State) -> tuple[tuple[int, Action], ...]:
        return ((1 - s.seat, Halve(1 - s.seat)),) if s.seat is not None and self.turn(s) >= 0 else ()

    def chance(self, s: State) -> tuple[tuple[Action, int], ...]:
        return ((First(0), 1), (First(1), 1)) if self.turn(s) == CHANCE else ()

    def after(self, s: State, a: Action) -> State:
        match a:
            case First(seat):
                return replace(s, seat=seat)
            case Take(coins):
                return replace(s, heap=s.heap - coins, seat=1 - (s.seat or 0))
        return replace(s, halved=True)

    def returns(self, s: State) -> tuple[float, ...]:
        if s.halved:
            return (0.5, 0.5)
        return tuple(float(not s.heap and s.seat == 1 - seat) for seat in (0, 1))


RULES = HeapRules()
GAME = Game(rules=RULES, presentation=PlainPresentation(RULES))
START = RULES.initial(Options(begins=0), 2)


def test_it_keeps_every_law() -> None:
    report = check(GAME, games=30, toy=Options(coins=5))
    assert report.ok, report


def test_a_notation_is_the_tag_and_the_fields_with_seats_from_one() -> None:
    assert [RULES.encode(action) for action in (First(1), Take(2), Halve(0))] == ["first-2", "take-2", "halve-1"]
    assert RULES.decode(START, "  TAKE-2 ") == Take(2)
    assert RULES.decode(START, "halve-2") == Halve(1)


@pytest.mark.parametrize("text", ["take-3", "halve-1", "first-1", "", "steal"])
def test_what_is_not_possible_is_refused_with_what_is(text: str) -> None:
    with pytest.raises(BadNotation, match="possible is: take-1, take-2"):
        RULES.decode(START, text)


def test_an_illegal_action_is_refused_and_named() -> None:
    with pytest.raises(IllegalAction, match="take-3 is not possible now"):
        RULES.apply(START, Take(3))


def test_an_event_says_who_did_it_also_where_it_was_claimed() -> None:
    assert RULES.event(START, Take(1), None) == Event(seat=0, action=Take(1), state=RULES.apply(START, Take(1)))
    assert RULES.event(START, Halve(1), 0).seat == 1
    lots = RULES.initial(Options(), 2)
    assert RULES.event(lots, First(1), 0).seat == CHANCE


def test_it_looks_and_speaks_plainly_in_every_language() -> None:
    look, view = GAME.presentation, RULES.observe(START, 0)
    assert look.text(view) == "heap: 9\nhalved: False"
    assert look.plain(view, "en") == "heap: 9. halved: False."
    assert look.label(view, Take(2), "en") == "take 2"
    assert look.svg(view).count("<text") == 2
    assert "heap: 9" in look.svg(view)
    said = {lang: look.say(RULES.event(START, Take(1), None), lang) for lang in ("en", "de", "es")}
    assert said == {"en": "Player 1: take 1", "de": "Spieler 1: take 1", "es": "Jugador 1: take 1"}
    assert look.say(RULES.event(RULES.initial(Options(), 2), First(1), None), "de") == "Zufall: first 2"


def test_a_game_with_secrets_can_be_told_plainly_too() -> None:
    look = PlainPresentation(toy.RULES)
    state: Any = toy.RULES.initial(toy.Options(begins=0), 2)
    state = toy.RULES.apply(toy.RULES.apply(state, toy.Deal(2)), toy.Deal(3))
    assert "cards: - 3" in look.text(toy.RULES.observe(state, 1))
    assert "Dealt" in look.say(toy.RULES.event(toy.RULES.initial(toy.Options(begins=0), 2), toy.Deal(2), 1), "en")


def test_without_a_heuristic_its_bots_play_at_random() -> None:
    assert {level.spec for level in levels(GAME).values()} == {"random"}


def test_without_a_page_its_rules_are_what_is_known_about_it() -> None:
    page = pages.page(GAME, "de")
    assert page.startswith("# Heap\n\nTake the last coin.\n")
    assert "- `--coins 5-30` Coins in the heap" in page
