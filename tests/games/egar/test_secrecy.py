"""Nobody learns the right answer, or the cards to come, before the answer is given (EG-21)."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from astragal.core.types import CHANCE, OVER
from astragal.games.egar import rules
from astragal.games.egar.actions import ORDERS, Action, Order
from astragal.games.egar.cards import Card, Words, ascending
from astragal.games.egar.deck import Deck, default_deck
from astragal.games.egar.options import BOT_SKILL, Options
from astragal.games.egar.state import State
from tests.games.egar.table import BLANK, RULES, TOY, asked, card, play, position

SEATS = (None, 0, 1)


def swapped(own: Card, right: int) -> Card:
    """The same card but that another of its four options is the right one."""

    def turned(words: Words) -> Words:
        answer = words.options[right]
        rest = [option for n, option in enumerate(words.options) if n != right]
        if right:  # the true answer takes the place of the one that left
            rest.remove(words.answer)
            rest.insert(right - 1, words.answer)
        first, second, third = rest
        return replace(words, answer=answer, wrong=(first, second, third), accept=(), reject=())

    return replace(own, en=turned(own.en), de=turned(own.de), es=turned(own.es))


def seen(own: Card, right: int, shown: Order, **options: Any) -> list[bytes]:
    """Every byte that goes out from the draw of the card to the moment before the answer.

    `shown` is the order in which the options of the true card stand on the table. If another option is right,
    the same four texts stand there in the same order.
    """
    level = own.level
    s = position("B4", "L10 L11", deck=Deck("own", (swapped(own, right),)), level=level, **options)
    out: list[bytes] = []
    for text in ("done", "card-1", None):
        if text is None and s.phase != "order":
            break
        action = RULES.decode(s, text) if text else same_table(shown, right)
        out += [msgspec.json.encode(RULES.event(s, action, seat)) for seat in SEATS]
        s = RULES.apply(s, action)
        out += [msgspec.json.encode(RULES.observe(s, seat)) for seat in SEATS]
    assert s.phase == "answer"
    if s.asked.right is not None:
        answer = swapped(own, right).en.answer
        assert s.asked.face is not None
        assert s.asked.face.options[s.asked.right].en == answer
    return out


def same_table(shown: Order, right: int) -> Order:
    """The order that lays the same texts on the table: swapping the answer swapped two places of the card."""
    place = {0: right, right: 0}
    first, second, third, fourth = (place.get(option, option) for option in shown.shown)
    return Order((first, second, third, fourth))


@pytest.mark.rule("EG-21")
@pytest.mark.parametrize("own", default_deck().cards, ids=lambda own: own.id)
def test_the_same_bytes_whichever_option_is_right(own: Card, monkeypatch: pytest.MonkeyPatch) -> None:
    # Some cards would be unfair with another answer, and the checker would say so; here they only must not leak.
    monkeypatch.setattr(rules, "faults", lambda deck: iter(()))
    for shown in (ORDERS[0], ORDERS[9], ORDERS[22]):
        for options in ({}, {"skill": ("own", BOT_SKILL)}, {"answering": "open"}):
            truth = seen(own, 0, shown, **options)
            assert len(truth) in (12, 18)
            for right in (1, 2, 3):
                assert seen(own, right, shown, **options) == truth


@pytest.mark.rule("EG-21")
def test_swapping_swaps() -> None:
    """The test above is only as good as this."""
    own = card()
    assert [swapped(own, right).en.answer for right in range(4)] == ["Rubicon", "Tiber", "Arno", "Po"]
    assert all(set(swapped(own, right).de.options) == set(own.de.options) for right in range(4))
    assert seen(own, 0, ORDERS[0]) != seen(own, 0, ORDERS[1])


@pytest.mark.rule("EG-21")
@pytest.mark.parametrize("options", [{}, {"answering": "open"}, {"skill": (BOT_SKILL, BOT_SKILL)}], ids=str)
def test_notes_and_unseen_cards_are_nowhere_in_a_game(options: dict[str, object]) -> None:
    """A random game with the shipped deck: no view ever holds a note, an id or a card that was not asked."""
    rng = Random(4)
    s = RULES.initial(Options(level="free", turn_limit=30, **options), 2)  # type: ignore[arg-type]
    while RULES.turn(s) != OVER:
        sent = msgspec.json.encode([RULES.observe(s, seat) for seat in SEATS]).decode()
        face = s.question.face if s.question else None
        for own in default_deck().cards:
            assert own.en.note not in sent
            assert own.id not in sent
            if face is None or face.question.en != own.en.question:
                assert own.en.question not in sent
        s = RULES.apply(s, choose(s, rng))


def choose(s: State, rng: Random) -> Action:
    if RULES.turn(s) != CHANCE:
        return rng.choice(RULES.legal(s))
    actions, weights = zip(*RULES.chance(s), strict=True)
    drawn: Action = rng.choices(actions, weights)[0]
    return drawn


@pytest.mark.rule("EG-21")
def test_resample_draws_the_right_option_anew() -> None:
    s = asked()
    view = RULES.observe(s, 1)
    rng = Random(1)
    guesses = [RULES.resample(view, rng) for _ in range(400)]
    rights = [guess.asked.right for guess in guesses]
    assert {right: 70 < rights.count(right) < 130 for right in range(4)} == dict.fromkeys(range(4), True)
    assert all(RULES.observe(guess, 1) == view for guess in guesses)
    assert all(not isinstance(guess.deck, str) and guess.deck.cards == () for guess in guesses)


@pytest.mark.rule("EG-21")
def test_a_search_finds_no_cards_to_come_in_the_shipped_deck() -> None:
    s = play(RULES.initial(Options(begins=0), 2), "roll-1", "done")
    guess = RULES.resample(RULES.observe(s, 0), Random(1))
    after = play(guess, "card-1")
    assert after.phase == "order"
    assert [(order.shown.index(0), weight) for order, weight in RULES.chance(after)] == [  # type: ignore[union-attr]
        (3, 6), (2, 6), (1, 6), (0, 6),
    ][::-1]  # fmt: skip
    shown = RULES.apply(after, RULES.chance(after)[0][0]).asked.face
    assert shown is not None
    assert shown.question.en == "…"


@pytest.mark.rule("EG-21")
def test_the_deck_of_a_host_is_sealed_in_every_view() -> None:
    s = position("B4", "L10", deck=Deck("own", (card(),)))
    for seat in SEATS:
        assert RULES.observe(s, seat).options.deck == Deck("own", (), (0, 1, 0))


def reachable(first: State) -> Iterator[State]:
    reached, queue = {first}, [first]
    while queue:
        state = queue.pop()
        yield state
        for action in (*RULES.legal(state), *(outcome for outcome, _ in RULES.chance(state))):
            after = RULES.apply(state, action)
            if after not in reached:
                reached.add(after)
                queue.append(after)


@pytest.mark.rule("EG-21")
def test_every_option_is_right_in_some_state_of_the_toy_game() -> None:
    """So that law 3, in full on this toy (test_conform), really is about the secret."""
    toy = Options(begins=0, board=TOY, turn_limit=1, deck=replace(BLANK, blank=(0, 1, 0)))
    open_questions = [s for s in reachable(RULES.initial(toy, 2)) if s.phase == "answer"]
    assert {s.asked.right for s in open_questions} == {0, 1, 2, 3}
    assert len({msgspec.json.encode(RULES.observe(s, 0)) for s in open_questions}) * 4 == len(open_questions)


def test_numbers_are_not_shuffled() -> None:
    kinds = {own.kind == "year": ascending(own) is not None for own in default_deck().cards}
    assert kinds == {True: True, False: False}
