"""The conformance check passes a game that keeps the laws, and names the law that a broken one breaks."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import Struct

from astragal.core.compiled import kernel
from astragal.core.conform import LAWS, Report, check
from astragal.core.fast import Array
from astragal.core.heuristic import Feature, KernelHeuristic
from astragal.core.language import say
from astragal.core.rules import Rules
from astragal.core.types import CHANCE, OVER, PASS, BadNotation, BadPosition, IllegalAction
from tests.core import toy
from tests.core.toy import (
    BID,
    CALL,
    FOLD,
    PEACE,
    Action,
    Deal,
    Event,
    First,
    Options,
    Say,
    State,
    ToyFast,
    ToyRules,
    View,
)

TOY = Options(cards=4)


def examine(rules: ToyRules = toy.RULES, fast: type[ToyFast] | None = None, **more: Any) -> Report:
    return check(toy.toy(rules, fast), **({"games": 60, "share": 1.0} | more))


def test_the_toy_keeps_every_law_and_every_law_is_tested() -> None:
    report = check(toy.GAME, games=60, share=1.0, toy=TOY)
    assert report.ok, str(report)
    assert report.findings == []
    assert report.games == report.finished == 60
    assert all(report.asked[law] > 0 for law in LAWS), str(report)
    assert set(LAWS) == set(range(1, 9))
    assert str(report).count("kept") == 8


def test_what_was_not_tested_is_said_to_be_untested() -> None:
    report = check(toy.toy(), games=5)
    assert report.ok
    assert "law 7 not tested" in str(report)


def test_a_check_without_games_is_not_ok() -> None:
    assert not check(toy.GAME, games=0).ok


def test_the_same_seed_finds_the_same() -> None:
    one, two = (check(toy.toy(Two()), games=20, seed=5) for _ in range(2))
    assert one.findings
    assert one == two


# Games that break one law each ---------------------------------------------------------------------------------


class Shuffled(ToyRules):
    """Luck inside the first state."""

    numbers = count()

    def initial(self, options: Options, players: int) -> State:
        return State(options, next(self.numbers) % 2)


class LuckyWords(ToyRules):
    """Luck inside an action: whose turn it is after a bid changes from one try to the next."""

    tries = count()

    def apply(self, s: State, a: Action) -> State:
        after = super().apply(s, a)
        return msgspec.structs.replace(after, first=next(self.tries) % 2) if after.said == ("bid",) else after


class LuckyDeals(ToyRules):
    """Luck inside the outcome of a draw: the same card changes who is first, or does not."""

    tries = count()

    def apply(self, s: State, a: Action) -> State:
        after = super().apply(s, a)
        return msgspec.structs.replace(after, first=next(self.tries) % 2) if isinstance(a, Deal) else after


class BareState(ToyRules):
    """The view is the state itself."""

    view_type = State

    def observe(self, s: State, seat: int | None) -> View:
        return s  # type: ignore[return-value]


class LegalForAll(ToyRules):
    """Everybody, spectators included, sees what the seat to act may do."""

    def observe(self, s: State, seat: int | None) -> View:
        return msgspec.structs.replace(super().observe(s, seat), legal=self.legal(s))


class LegalForNobody(ToyRules):
    """The view does not carry what its own seat may do."""

    def observe(self, s: State, seat: int | None) -> View:
        return msgspec.structs.replace(super().observe(s, seat), legal=())


class OpenCards(ToyRules):
    """Everybody sees all the cards, although the spec says that something is hidden."""

    def observe(self, s: State, seat: int | None) -> View:
        return msgspec.structs.replace(super().observe(s, seat), cards=s.cards)


class OpenDeals(ToyRules):
    """The event of a deal tells the card to everybody."""

    def event(self, s: State, a: Action, seat: int | None) -> Event:
        seen = super().event(s, a, seat)
        return toy.Dealt(seen.seat, a.card) if isinstance(seen, toy.Dealt) and isinstance(a, Deal) else seen


class OtherCard(ToyRules):
    """Resampling changes the seat's own card."""

    def resample(self, v: View, rng: Random) -> State:
        cards = tuple(1 if card is None else card % v.options.cards + 1 for card in v.cards)
        return State(v.options, v.first, cards, v.said)


class OneGuess(ToyRules):
    """Resampling always guesses the lowest cards."""

    def resample(self, v: View, rng: Random) -> State:
        free = [card for card in range(v.options.cards, 0, -1) if card not in v.cards]
        return State(v.options, v.first, tuple(free.pop() if card is None else card for card in v.cards), v.said)


class TwoOfAKind(ToyRules):
    """Resampling forgets that every card is there once."""

    def resample(self, v: View, rng: Random) -> State:
        cards = tuple(rng.randint(1, v.options.cards) if card is None else card for card in v.cards)
        return State(v.options, v.first, cards, v.said)


class Forgetful(ToyRules):
    """Says that nothing is hidden, and yet guesses."""

    spec = msgspec.structs.replace(ToyRules.spec, hidden=False)


class LooseState(Struct, frozen=True):
    """A state that JSON cannot give back: a tuple in a field of any type becomes a list."""

    options: Options
    first: int | None = None
    cards: tuple[int, ...] = ()
    said: Any = ()


class LooseEvent(Struct, frozen=True):
    said: Any


class LooseEvents(ToyRules):
    event_type = LooseEvent

    def event(self, s: State, a: Action, seat: int | None) -> Event:
        return LooseEvent((self.encode(a),))  # type: ignore[return-value]


class LooseStates(ToyRules):
    state_type = LooseState

    def initial(self, options: Options, players: int) -> State:
        first = super().initial(options, players).first
        return LooseState(options, first)  # type: ignore[return-value]

    def apply(self, s: State, a: Action) -> State:
        after = super().apply(s, a)
        return LooseState(after.options, after.first, after.cards, after.said)  # type: ignore[return-value]


class WrongSchema(ToyRules):
    """Declares another type for its states than it has, so that they cannot be read back at all."""

    state_type = Options


class FickleEnd(ToyRules):
    """The result of a finished game changes from one look to the next."""

    looks = count()

    def returns(self, s: State) -> tuple[float, ...]:
        if self.turn(s) != OVER:
            return (0.0, 0.0)
        return (1.0, 0.0) if next(self.looks) % 2 else (0.0, 1.0)


class NoWeight(ToyRules):
    """An outcome that never comes."""

    def chance(self, s: State) -> tuple[tuple[Action, int], ...]:
        outcomes = super().chance(s)
        return ((outcomes[0][0], 0), *outcomes[1:]) if outcomes else ()


class Odds(ToyRules):
    """Weights that are not exact."""

    def chance(self, s: State) -> tuple[tuple[Action, int], ...]:
        outcomes = super().chance(s)
        return tuple((outcome, 1 / len(outcomes)) for outcome, _ in outcomes)  # type: ignore[misc]


class Two(ToyRules):
    """The same outcome twice."""

    def chance(self, s: State) -> tuple[tuple[Action, int], ...]:
        outcomes = super().chance(s)
        return (*outcomes, *outcomes[:1])


class Turning(ToyRules):
    """Outcomes in another order every time."""

    calls = count()

    def chance(self, s: State) -> tuple[tuple[Action, int], ...]:
        outcomes = super().chance(s)
        return outcomes[::-1] if next(self.calls) % 2 else outcomes


class BothAtOnce(ToyRules):
    """A chance node at which somebody can act, too."""

    def legal(self, s: State) -> tuple[Action, ...]:
        return super().legal(s) or ((FOLD,) if self.turn(s) != OVER else ())


class NothingToDo(ToyRules):
    """A seat's turn without actions."""

    def legal(self, s: State) -> tuple[Action, ...]:
        return super().legal(s) if s.said else ()


class Offered(ToyRules):
    """An action that is offered and then refused."""

    def apply(self, s: State, a: Action) -> State:
        if a == CALL:
            raise IllegalAction("TOY-2", say("no calling"))
        return super().apply(s, a)


class Lenient(ToyRules):
    """An action that is not legal but done all the same."""

    def apply(self, s: State, a: Action) -> State:
        if a == BID and s.said == ("bid",):
            return State(s.options, s.first, s.cards, ("bid", "call"))
        return super().apply(s, a)


class Accepting(ToyRules):
    """`accepts` says yes to everything."""

    def accepts(self, s: State, a: Action) -> bool:
        return True


class Refusing(ToyRules):
    """`accepts` says no to everything."""

    def accepts(self, s: State, a: Action) -> bool:
        return False


class Nameless(ToyRules):
    """Refuses without naming a rule."""

    def apply(self, s: State, a: Action) -> State:
        try:
            return super().apply(s, a)
        except IllegalAction as error:
            raise IllegalAction("", error.text) from None


class Alike(ToyRules):
    """Two actions that do the same."""

    def apply(self, s: State, a: Action) -> State:
        return super().apply(s, FOLD if a == BID and s.said == () and self.turn(s) >= 0 else a)


class Misread(ToyRules):
    """A text that reads back as another action."""

    def decode(self, s: State, text: str) -> Action:
        return FOLD if text == "bid" else super().decode(s, text)


class Unread(ToyRules):
    """A text that cannot be read back."""

    def decode(self, s: State, text: str) -> Action:
        if text == "bid":
            raise BadNotation(say("what?"))
        return super().decode(s, text)


class Padded(ToyRules):
    """A text with a space at its end."""

    def encode(self, a: Action) -> str:
        return super().encode(a) + " "


class FreePass(ToyRules):
    """Writes a real choice as the pass that clients may play unasked."""

    def encode(self, a: Action) -> str:
        return PASS if a == FOLD else super().encode(a)

    def decode(self, s: State, text: str) -> Action:
        return super().decode(s, "fold" if text == PASS else text)


class HalfAWin(ToyRules):
    """Results that do not sum to one."""

    def returns(self, s: State) -> tuple[float, ...]:
        return (0.5, 0.0) if self.turn(s) == OVER else (0.0, 0.0)


class ThreeResults(ToyRules):
    """Results for more seats than there are."""

    def returns(self, s: State) -> tuple[float, ...]:
        return (*super().returns(s), 0.0)


class EarlyResult(ToyRules):
    """A result before the end."""

    def returns(self, s: State) -> tuple[float, ...]:
        return super().returns(s) if self.turn(s) == OVER else (1.0, 0.0)


class Afterlife(ToyRules):
    """Something to do after the end."""

    def legal(self, s: State) -> tuple[Action, ...]:
        return (FOLD,) if self.turn(s) == OVER else super().legal(s)


class ForeignClaim(ToyRules):
    """A claim by a seat that is not at the table."""

    def claims(self, s: State) -> tuple[tuple[int, Action], ...]:
        return tuple((2, claim) for _, claim in super().claims(s))


class EmptyClaim(ToyRules):
    """A claim that is then refused."""

    def claims(self, s: State) -> tuple[tuple[int, Action], ...]:
        return ((0, First(0)),) if s.said == ("bid",) else ()


class SecondLife(ToyRules):
    """Something can still be done after the end."""

    def apply(self, s: State, a: Action) -> State:
        return s if self.turn(s) == OVER else super().apply(s, a)


class Interrupting(ToyRules):
    """A seat may act where chance is to decide."""

    def apply(self, s: State, a: Action) -> State:
        return s if isinstance(a, Say) and self.turn(s) == CHANCE else super().apply(s, a)


class HelpsChance(ToyRules):
    """A seat may choose the outcome."""

    def accepts(self, s: State, a: Action) -> bool:
        return a in self.legal(s) or self.turn(s) == CHANCE


class SeatSeven(ToyRules):
    def turn(self, s: State) -> int:
        turn = super().turn(s)
        return 7 if turn == 1 else turn


class Debts(ToyRules):
    def returns(self, s: State) -> tuple[float, ...]:
        return (2.0, -1.0) if self.turn(s) == OVER else (0.0, 0.0)


class Crashing(ToyRules):
    def returns(self, s: State) -> tuple[float, ...]:
        raise KeyError("score")


class Choking(ToyRules):
    """Rubbish raises what is not documented."""

    def decode(self, s: State, text: str) -> Action:
        try:
            return super().decode(s, text)
        except BadNotation:
            raise KeyError(text) from None


class AnyText(ToyRules):
    """Rubbish is an action."""

    def decode(self, s: State, text: str) -> Action:
        try:
            return super().decode(s, text)
        except BadNotation:
            return BID


class TwoLines(ToyRules):
    def encode(self, a: Action) -> str:
        return super().encode(a).replace("-", "\r")

    def decode(self, s: State, text: str) -> Action:
        return super().decode(s, text.replace("\r", "-"))


class NegativeWeight(ToyRules):
    def chance(self, s: State) -> tuple[tuple[Action, int], ...]:
        return tuple((outcome, -weight) for outcome, weight in super().chance(s))


class NoPosition(ToyRules):
    """A position that is no line."""

    def position(self, s: State) -> str:
        return super().position(s).replace(" ", "\n")


class OtherPosition(ToyRules):
    """The cards change hands while they are written down."""

    def position(self, s: State) -> str:
        return super().position(msgspec.structs.replace(s, cards=s.cards[::-1]))


class LossyPosition(ToyRules):
    """What was said is left out, although it decides what can be said next."""

    position_leaves_out = ("said",)

    def from_position(self, text: str, options: Options, players: int) -> State:
        return msgspec.structs.replace(super().from_position(text, options, players), said=())


class UnknownLoss(ToyRules):
    """What is said to be left out is no field of a state."""

    position_leaves_out = ("history",)


class Illegible(ToyRules):
    """Cannot read what it writes."""

    def position(self, s: State) -> str:
        return super().position(s) + " !"


class AnyPosition(ToyRules):
    """Rubbish is a position."""

    def from_position(self, text: str, options: Options, players: int) -> State:
        try:
            return super().from_position(text, options, players)
        except BadPosition:
            return self.initial(options, players)


class Stumbling(ToyRules):
    """Rubbish raises what is not documented."""

    def from_position(self, text: str, options: Options, players: int) -> State:
        try:
            return super().from_position(text, options, players)
        except BadPosition as error:
            raise KeyError(text) from error


class FarAway(ToyRules):
    """The error names a column that the line does not have."""

    def from_position(self, text: str, options: Options, players: int) -> State:
        try:
            return super().from_position(text, options, players)
        except BadPosition as error:
            raise BadPosition(error.column + 7000, error.part, error.text) from error


class FastOtherCard(ToyFast):
    """Deals another card than the rules."""

    def step(self, packed: Array, number: int) -> Array:
        after = super().step(packed, number)
        if after[2] != packed[2]:
            after[2] = after[2] % 3 + 1
        return after


class FastOtherOrder(ToyFast):
    """Has the legal actions in another order."""

    def legal(self, packed: Array) -> list[int]:
        return sorted(super().legal(packed))


class FastOtherWeights(ToyFast):
    """Its dice are loaded."""

    def chance(self, packed: Array) -> list[tuple[int, int]]:
        return [(number, weight + 1) for number, weight in super().chance(packed)]


class FastForgets(ToyFast):
    """Loses a card while packing."""

    def words(self, s: State) -> list[int]:
        return super().words(msgspec.structs.replace(s, cards=s.cards[:1]))


class FastKeepsThePast(ToyFast):
    """Packs something that `step` does not know of."""

    def words(self, s: State) -> list[int]:
        return [*super().words(s), len(s.said)]


class FastOtherNumbers(ToyFast):
    """Says that there are fewer numbers than it uses."""

    actions = 1


class FastOtherNames(ToyFast):
    """Takes one action for another."""

    def action(self, packed: Array, number: int) -> Action:
        action = super().action(packed, number)
        return CALL if action == BID else action


class FastCrashes(ToyFast):
    """Stumbles over a state the rules know."""

    def legal(self, packed: Array) -> list[int]:
        numbers = super().legal(packed)
        return numbers if numbers else [numbers[0]]


class FastWrongPlayout(ToyFast):
    """Its playouts do not end with a result of the game."""

    def playouts(self, packed: Array, seeds: Any, *, cores: int = 1) -> tuple[Array, Array]:
        rows, plies = super().playouts(packed, seeds, cores=cores)
        return rows + 1, plies


class FastMoody(ToyFast):
    """Plays the same seed differently."""

    def playouts(self, packed: Array, seeds: Any, *, cores: int = 1) -> tuple[Array, Array]:
        rows, plies = super().playouts(packed, seeds, cores=cores)
        return rows, plies + range(len(plies))


class FastWrites(ToyFast):
    """Steps on its own argument."""

    def step(self, packed: Array, number: int) -> Array:
        packed[:] = super().step(packed, number)
        return packed


class FastOtherTurn(ToyFast):
    """Lets nobody act."""

    def turn(self, packed: Array) -> int:
        return OVER


class FastOtherWinner(ToyFast):
    """Gives the win to the other side."""

    def returns(self, packed: Array) -> tuple[float, ...]:
        return super().returns(packed)[::-1]


class FastOtherEyes(ToyFast):
    """Sees something else than the heuristic does."""

    def features(self, packed: Array, seat: int, count: int) -> tuple[float, ...]:
        return tuple(value + 1 for value in super().features(packed, seat, count))


class FastDealsOpenCards(ToyFast):
    """Deals a seat another card than the one it sees."""

    def dealer(self, view: View, rng: Random) -> Callable[[Array], None]:
        def deal(states: Array) -> None:
            states[:, 2 + (view.seat or 0)] = states[:, 2 + (view.seat or 0)] % 3 + 1

        return deal


@kernel
def redeals_open_cards(state: Array, tables: Array, seat: int, rng: Array) -> None:
    state[2 + seat] = state[2 + seat] % 3 + 1


class FastRedealsOpenCards(ToyFast):
    """Draws a seat another card than the one it sees, where searches by which networks learn draw anew."""

    source = ToyFast.source._replace(redeal=redeals_open_cards)


@kernel
def redeals_nothing(state: Array, tables: Array, seat: int, rng: Array) -> None:
    pass


class FastRedealsNothing(ToyFast):
    """Leaves the other's card as it is, so that searches would see it."""

    source = ToyFast.source._replace(redeal=redeals_nothing)


BROKEN: list[tuple[int, type[ToyRules] | type[ToyFast]]] = [
    (1, Shuffled),
    (1, LuckyWords),
    (1, LuckyDeals),
    (2, BareState),
    (2, LegalForAll),
    (2, LegalForNobody),
    (2, OpenCards),
    (2, OpenDeals),
    (3, OtherCard),
    (3, OneGuess),
    (3, TwoOfAKind),
    (3, Forgetful),
    (4, LooseStates),
    (4, LooseEvents),
    (4, WrongSchema),
    (4, FickleEnd),
    (5, NoWeight),
    (5, Odds),
    (5, Two),
    (5, Turning),
    (5, BothAtOnce),
    (6, NothingToDo),
    (6, Offered),
    (6, Lenient),
    (6, Accepting),
    (6, Refusing),
    (6, Nameless),
    (6, Alike),
    (6, Misread),
    (6, Unread),
    (6, Padded),
    (6, FreePass),
    (6, HalfAWin),
    (6, ThreeResults),
    (6, EarlyResult),
    (6, Afterlife),
    (6, ForeignClaim),
    (6, EmptyClaim),
    (6, SecondLife),
    (6, Interrupting),
    (6, HelpsChance),
    (6, SeatSeven),
    (6, Debts),
    (6, Crashing),
    (6, Choking),
    (6, AnyText),
    (6, TwoLines),
    (5, NegativeWeight),
    (8, NoPosition),
    (8, OtherPosition),
    (8, LossyPosition),
    (8, UnknownLoss),
    (8, Illegible),
    (8, AnyPosition),
    (8, Stumbling),
    (8, FarAway),
    (7, FastOtherCard),
    (7, FastOtherOrder),
    (7, FastOtherWeights),
    (7, FastOtherTurn),
    (7, FastOtherWinner),
    (7, FastOtherEyes),
    (7, FastDealsOpenCards),
    (7, FastRedealsOpenCards),
    (7, FastRedealsNothing),
    (7, FastMoody),
    (7, FastForgets),
    (7, FastKeepsThePast),
    (7, FastOtherNumbers),
    (7, FastOtherNames),
    (7, FastCrashes),
    (7, FastWrites),
    (7, FastWrongPlayout),
]


@pytest.mark.parametrize(("law", "variant"), BROKEN, ids=[variant.__name__ for _, variant in BROKEN])
def test_a_broken_law_is_reported_by_its_number(law: int, variant: type[ToyRules] | type[ToyFast]) -> None:
    small = TOY if law in (2, 3) else None  # the laws about secrets need a game small enough to know all of it
    report = examine(fast=variant) if issubclass(variant, ToyFast) else examine(variant(), toy=small)
    assert not report.ok
    assert {finding.law for finding in report.findings} == {law}, str(report)
    assert all(finding.what and finding.where for finding in report.findings)
    assert f"law {law} BROKEN" in str(report)


@kernel
def all_cards(state: Array, tables: Array, seat: int, values: Array) -> None:
    """A feature that looks at the other one's card."""
    values[0] = state[2 + seat] - state[3 - seat]


class FastSeesAll(ToyFast):
    source = ToyFast.source._replace(features=all_cards)


def test_a_feature_that_sees_what_its_seat_cannot_know_breaks_law_7(tmp_path: Path) -> None:
    """Also where the heuristic has no second writing of it: the same kernel, asked about another state of the view."""
    weights = tmp_path / "weights.toml"
    weights.write_text('tuned = "not at all"\n[weights]\ncard = 1.0\n')
    features = [Feature("card", "a high card", "the card of the seat")]
    for fast, leaks in ((FastSeesAll, True), (ToyFast, False)):
        heuristic = KernelHeuristic(toy.RULES, fast, features, weights)
        report = check(toy.toy(fast=fast, heuristic=heuristic), games=60, share=1.0)
        assert report.ok != leaks, str(report)
        assert {finding.law for finding in report.findings} <= {7}


class Endless(ToyRules):
    """Nobody can end it: calling only hands the turn to the other side."""

    def legal(self, s: State) -> tuple[Action, ...]:
        return super().legal(s)[:1]

    def apply(self, s: State, a: Action) -> State:
        if a == CALL and s.said == ("bid",) and s.first is not None:
            return State(s.options, 1 - s.first, s.cards, s.said)
        if a in (FOLD, PEACE):
            raise IllegalAction("TOY-3", say("nobody gives up"))
        return super().apply(s, a)

    def claims(self, s: State) -> tuple[tuple[int, Action], ...]:
        return ()


class EndlessButBounded(Endless):
    spec = msgspec.structs.replace(ToyRules.spec, bound="the players tire of it")


def test_a_game_that_does_not_end_must_say_what_bounds_it() -> None:
    report = examine(Endless(), plies=50, games=5)
    assert {finding.law for finding in report.findings} == {6}
    assert all("bound" in finding.what for finding in report.findings)
    bounded = examine(EndlessButBounded(), plies=50, games=5)
    assert bounded.ok, str(bounded)
    assert (bounded.finished, bounded.longest) == (0, 50)


def test_a_game_without_a_notation_of_its_own_writes_positions_as_json() -> None:
    class Plain(ToyRules):
        position = Rules.position
        from_position = Rules.from_position

    report = examine(Plain())
    assert report.ok, str(report)
    assert report.asked[8] > 0
    state = State(Options(), 1, (3, 2), ("bid",))
    assert Plain().position(state) == '{"first":1,"cards":[3,2],"said":["bid"]}'
    for text, column, part in (
        ("[1]", 1, "the line"),
        ('{"first":1,', 12, "the line"),
        ('{"cards":["x"]}', 1, "cards[0]"),
    ):
        with pytest.raises(BadPosition) as refused:
            Plain().from_position(text, Options(), 2)
        assert (refused.value.column, refused.value.part) == (column, part)


def test_a_product_of_many_draws_is_not_one_draw() -> None:
    class Thousands(ToyRules):
        def chance(self, s: State) -> tuple[tuple[Action, int], ...]:
            if s.first is None:
                return super().chance(s)
            return tuple((Deal(card), 1) for card in range(1, 1200)) if len(s.cards) < 2 else ()

    report = examine(Thousands())
    assert {finding.law for finding in report.findings} == {5}


def test_a_toy_game_that_is_none_is_said_to_be_too_large() -> None:
    import astragal

    ur = astragal.game("ur")
    report = check(ur, games=1, toy=ur.rules.options_type(pieces=2, begins=0))
    assert [finding.law for finding in report.findings] == [3]
    assert "more than 30000 states" in report.findings[0].what


def test_a_finding_says_where_to_find_it_again() -> None:
    report = examine(Two(), seed=9)
    finding = report.findings[0]
    assert finding.where.startswith("game 0 of seed 9, ply 0, 2 players, Options(")


def test_a_game_that_hides_nothing_is_found_out_without_a_toy() -> None:
    class AllOpen(ToyRules):
        def observe(self, s: State, seat: int | None) -> View:
            return msgspec.structs.replace(super().observe(s, seat), cards=s.cards)

    report = examine(AllOpen())
    assert {finding.law for finding in report.findings} == {2}, str(report)
