"""Bots make use of claims: whoever may end the game by one, such as a draw after repetitions, weighs it too.

What a bot thinks of its actions takes no account of claims. `ClaimingBot` puts both together: playing on is worth no
more than what the others may claim after it, so that an action which only repeats is never better than the draw it
allows, and a claim that is worth as much as the best action is made.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from msgspec.structs import replace

from astragal.bots.choice import Bot, Choice
from astragal.bots.ranking import ranked
from astragal.core.rules import AnyRules, AnyView, Game, Rules
from astragal.core.types import COUNT, OVER, SILENCE, resignation


def final_claims(
    rules: AnyRules, state: Any, *, mine: int | None = None
) -> Iterator[tuple[int, Any, tuple[float, ...]]]:
    """The claims that end the game, each with its seat and everybody's share; of all seats or only of `mine`.

    Giving up, the clock's claim and what the whole table agrees on are none that a bot makes.
    """
    if type(rules).claims is Rules.claims:
        return
    for seat, action in rules.claims(state):
        if mine in (None, seat) and rules.encode(action) not in (SILENCE, COUNT, resignation(seat)):
            after = rules.apply(state, action)
            if rules.turn(after) == OVER:
                yield seat, action, rules.returns(after)


class ClaimingBot(Bot):
    """A bot that claims where that is worth as much as playing on."""

    def __init__(self, bot: Bot, name: str, game: Game) -> None:
        self.name, self.limit = name, bot.limit
        self._bot, self._rules = bot, game.rules

    def prepare(self, view: AnyView) -> None:
        self._bot.prepare(view)

    def choose(self, view: AnyView, rng: Random) -> Choice:
        choice = self._bot.choose(view, rng)
        if type(self._rules).claims is Rules.claims:
            return choice
        state = self._rules.resample(view, Random(0))
        claims = [(action, shares) for _, action, shares in final_claims(self._rules, state, mine=view.seat)]
        return self._weighed(choice, view, state, claims, rng) if claims else choice

    def _weighed(
        self, choice: Choice, view: AnyView, state: Any, claims: list[tuple[Any, tuple[float, ...]]], rng: Random
    ) -> Choice:
        """The choice, or another one that looks better now that something can be claimed."""
        seat = view.seat
        assert seat is not None  # only players are asked
        claim, shares = max(claims, key=lambda one: one[1][seat])
        if choice.value is None and len(view.legal) > 1:  # it plays at random, and so it claims
            action = rng.choice((*view.legal, claim))
            return Choice(claim, shares[seat], claim=True) if action is claim else choice
        worth = dict(choice.alternatives) or {choice.action: 1.0 if choice.value is None else choice.value}
        worth = {action: min(value, self._at_most(state, action, seat)) for action, value in worth.items()}
        if shares[seat] >= max(worth.values()):
            others = tuple((action, worth[action]) for action in worth)
            return replace(
                choice, action=claim, value=shares[seat], alternatives=((claim, shares[seat]), *others), claim=True,
                reasons=(),
            )  # fmt: skip
        if worth[choice.action] == choice.value or choice.value is None:
            return choice
        actions = list(worth)
        order = tuple(actions[place] for place in ranked(list(worth.values()), rng))
        return replace(
            choice,
            action=order[0],
            value=worth[order[0]],
            alternatives=tuple((action, worth[action]) for action in order),
            reasons=(),
        )

    def _at_most(self, state: Any, action: Any, seat: int) -> float:
        """What an action can be worth, since the others may claim after it."""
        after = self._rules.apply(state, action)
        if self._rules.turn(after) == OVER:
            return 1.0
        claimed = [shares[seat] for who, _, shares in final_claims(self._rules, after) if who != seat]
        return min(claimed, default=1.0)
