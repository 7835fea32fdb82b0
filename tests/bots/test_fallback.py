"""A bot that crashes, dawdles or cheats never takes the match down."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from threading import Event
from typing import Any

import pytest
from msgspec.structs import replace

from astragal.bots import fallback
from astragal.bots.choice import Bot, Choice, Limit
from astragal.bots.fallback import WithFallback
from astragal.bots.simple import RandomBot
from tests.core import toy
from tests.core.toy import BID, CALL, FOLD, Deal, Options

RULES = toy.RULES


def view() -> toy.View:
    state = RULES.initial(Options(begins=0), 2)
    for card in (3, 1):
        state = RULES.apply(state, Deal(card))
    return RULES.observe(state, 0)


class Scripted(Bot):
    """Does what it is told to."""

    limit = Limit(time=0.01)

    def __init__(self, script: Callable[[], Any], prepare: Callable[[], Any] = lambda: None) -> None:
        self.script, self.ready = script, prepare

    def prepare(self, view: Any) -> None:
        self.ready()

    def choose(self, view: Any, rng: Random) -> Choice:
        return Choice(self.script())


class Always(Bot):
    """Has one answer to everything."""

    name = "always"
    limit = Limit()

    def __init__(self, action: Any) -> None:
        self.action = action

    def choose(self, view: Any, rng: Random) -> Choice:
        return Choice(self.action)


def identity(value: Any) -> Any:
    return value


def crash() -> None:
    raise RuntimeError("no idea")


def guarded(script: Callable[[], Any], patience: float = 60.0, **more: Any) -> WithFallback:
    return WithFallback("odd", lambda: Scripted(script, **more), RandomBot(toy.GAME), patience=patience)


def test_a_good_bot_has_its_way() -> None:
    for action in (BID, FOLD):
        choice = guarded(partial(identity, action)).choose(view(), Random(1))
        assert (choice.action, choice.by, choice.fault) == (action, "", None)


@pytest.mark.parametrize(
    ("script", "fault"),
    [
        (crash, "the bot odd crashed: RuntimeError: no idea"),
        (lambda: CALL, "the bot odd chose something that is not possible"),
        (lambda: None, "the bot odd chose something that is not possible"),
    ],
)
def test_the_fallback_chooses_and_the_fault_is_told(script: Callable[[], Any], fault: str) -> None:
    choice = guarded(script).choose(view(), Random(1))
    assert choice.action in view().legal
    assert (choice.by, str(choice.fault)) == ("random", fault)


def test_a_bot_that_cannot_even_prepare_is_replaced() -> None:
    choice = guarded(lambda: BID, prepare=crash).choose(view(), Random(1))
    assert choice.action in view().legal
    assert str(choice.fault) == "the bot odd crashed: RuntimeError: no idea"


def test_a_bot_that_takes_too_long_loses_its_turn_and_comes_back_when_it_is_done() -> None:
    free = Event()
    slow = guarded(lambda: (free.wait(60), BID)[1], patience=0.2)
    assert str(slow.choose(view(), Random(1)).fault) == "the bot odd took too long"
    assert str(slow.choose(view(), Random(1)).fault) == "the bot odd is still busy with an earlier turn"
    free.set()
    assert slow._busy is not None
    slow._busy.join(60)
    slow._patience = 60.0
    assert slow.choose(view(), Random(1)).fault is None


def test_whatever_the_bot_does_the_callers_luck_goes_on_alike() -> None:
    after = set()
    for script in (lambda: BID, crash, lambda: CALL):
        rng = Random(5)
        guarded(script).choose(view(), rng)
        after.add(rng.random())
    assert len(after) == 1


def test_nobody_waits_for_a_bot_that_is_being_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fallback, "SOON", 0.05)
    compiled = Event()
    bot = WithFallback("slow", lambda: Scripted(lambda: BID, compiled.wait), Always(FOLD), at_once=True)
    for _ in range(2):
        choice = bot.choose(view(), Random(1))
        assert (choice.action, choice.by, choice.fault) == (FOLD, "always", None)
    compiled.set()
    monkeypatch.setattr(fallback, "SOON", 20)
    choice = bot.choose(view(), Random(1))
    assert (choice.action, choice.by) == (BID, "")


def test_nobody_waits_where_other_rules_want_other_code_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server keeps a bot for all matches, and rules that no network knows make it search with another evaluator."""
    monkeypatch.setattr(fallback, "SOON", 0.05)
    gates, prepared = {2: Event(), 3: Event()}, []

    class Compiled(Scripted):
        def prepare(self, view: Any) -> None:
            gates[view.options.cards].wait(60)
            prepared.append(view.options.cards)

    bot = WithFallback("slow", lambda: Compiled(lambda: BID), Always(FOLD), at_once=True)
    few, many = (replace(view(), options=Options(begins=0, cards=cards)) for cards in gates)
    gates[2].set()
    monkeypatch.setattr(fallback, "SOON", 20)
    assert bot.choose(few, Random(1)).action == BID
    monkeypatch.setattr(fallback, "SOON", 0.05)
    assert bot.choose(many, Random(1)).by == "always"
    assert bot.choose(few, Random(1)).action == BID, "who is prepared for a match need not wait for another one"
    gates[3].set()
    monkeypatch.setattr(fallback, "SOON", 20)
    assert bot.choose(many, Random(1)).action == BID
    assert prepared == [2, 3]


def test_rules_that_a_bot_cannot_be_prepared_for_keep_it_from_no_others() -> None:
    class Picky(Scripted):
        def prepare(self, view: Any) -> None:
            if view.options.cards == 3:
                crash()

    bot = WithFallback("picky", lambda: Picky(lambda: BID), Always(FOLD), at_once=True)
    for cards, fault in ((3, True), (2, False), (3, True)):
        choice = bot.choose(replace(view(), options=Options(begins=0, cards=cards)), Random(1))
        assert (choice.fault is not None) == fault


def test_a_bot_that_cannot_be_compiled_says_so_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fallback, "SOON", 60)
    bot = WithFallback("odd", lambda: Scripted(lambda: BID, crash), Always(FOLD), at_once=True)
    for _ in range(2):
        choice = bot.choose(view(), Random(1))
        assert choice.action == FOLD
        assert str(choice.fault) == "the bot odd crashed: RuntimeError: no idea"
