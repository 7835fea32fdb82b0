"""One game by the readable rules, with the actions and observations of a batch: for bots, pictures and adapters."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from astragal.core import registry
from astragal.core.fast import MOST_PLIES, Array
from astragal.core.language import say
from astragal.core.rules import AnyView, Game
from astragal.core.types import CHANCE, OVER, AstragalError
from astragal.research.batch import MOST_NAMED, IllegalBatch, OnIllegal, options_of
from astragal.research.space import Space


class Table:
    """A game that is played action by action; chance happens by itself.

    >>> from random import Random
    >>> table = Table("ur", {"begins": 0})
    >>> table.begin(Random(1))
    >>> table.seat, [table.name(action) for action in table.legal()]
    (0, ['in-a4'])
    """

    def __init__(
        self, game: str | Game, options: Any = None, players: int | None = None, *, max_plies: int = MOST_PLIES,
        on_illegal: OnIllegal = "raise",
    ) -> None:  # fmt: skip
        self.game = registry.game(game) if isinstance(game, str) else game
        self.rules = self.game.rules
        self.players = min(self.rules.spec.players) if players is None else players
        self.options = options_of(self.game, options, self.players)
        if self.game.fast is None:
            raise AstragalError(say("{game} has no compiled rules, so it cannot be played here", game=self.game.id))
        self.fast = self.game.fast(self.options, self.players)
        self.space = Space(self.game, self.fast)
        self.max_plies, self.on_illegal = max_plies, on_illegal
        self._place = {int(number): place for place, number in enumerate(self.space.numbers)}
        self.begin(Random(0))

    def begin(self, rng: Random) -> None:
        """A new game, up to its first decision; `rng` is its dice from now on."""
        self.rng = rng
        self.state = self.rules.initial(self.options, self.players)
        self.plies = 0
        self.forfeited: int | None = None  # the seat that lost by an illegal action
        self._packed: Array | None = None
        self._chance()

    @property
    def packed(self) -> Array:
        """The position as the compiled rules have it."""
        if self._packed is None:
            self._packed = self.fast.pack(self.state)
        return self._packed

    @property
    def terminated(self) -> bool:
        """Whether the game is over by the rules, or was forfeited."""
        return self.forfeited is not None or self.rules.turn(self.state) == OVER

    @property
    def truncated(self) -> bool:
        """Whether the game was broken off because it took too long."""
        return not self.terminated and self.plies >= self.max_plies

    @property
    def seat(self) -> int:
        """The seat to act, or OVER."""
        return OVER if self.terminated or self.truncated else self.rules.turn(self.state)

    def legal(self) -> list[int]:
        """The legal actions, in the order of the rules."""
        if self.seat < 0:
            return []
        return [self._place[number] for number in self.fast.legal(self.packed)]

    def mask(self, seat: int | None = None) -> Array:
        """1 for every action that this seat may take now; without a seat, whoever is to act."""
        mask = np.zeros(self.space.actions, dtype=np.int8)
        if seat is None or seat == self.seat:
            mask[self.legal()] = 1
        return mask

    def observe(self, seat: int) -> Array:
        """What this seat may know, as `space` describes it."""
        return self.fast.observe(self.packed, seat)

    def view(self, seat: int | None) -> AnyView:
        """What this seat may know, as the rules have it."""
        view: AnyView = self.rules.observe(self.state, seat)
        return view

    def _repr_svg_(self) -> str:
        """A picture for notebooks: what a spectator sees."""
        return self.game.presentation.svg(self.view(None))

    def name(self, action: int) -> str:
        """The notation of a legal action."""
        return self.rules.encode(self._meant(action))

    def number(self, action: Any) -> int:
        """The number of a legal action of the rules, such as a bot chose; claims have none."""
        return next(number for number in self.legal() if self._meant(number) == action)

    def act(self, action: int) -> None:
        """The seat to act does this, and chance what follows. Raises IllegalBatch, or the seat loses."""
        legal = self.legal()
        if action not in legal:
            if self.on_illegal == "forfeit":
                self.forfeited = self.seat
                return
            names = [self.name(number) for number in legal[:MOST_NAMED]]
            raise IllegalBatch(0, self.seat, action, tuple(legal), names)
        self._apply(self._meant(action))
        self._chance()

    def rewards(self) -> tuple[float, ...]:
        """Each seat's share of the win; zeros before the end."""
        if self.forfeited is not None:
            return tuple(0.0 if seat == self.forfeited else 1 / (self.players - 1) for seat in range(self.players))
        if self.truncated:
            return (1 / self.players,) * self.players
        return self.rules.returns(self.state)

    def _meant(self, action: int) -> Any:
        return self.fast.action(self.packed, int(self.space.numbers[action]))

    def _apply(self, action: Any) -> None:
        self.state = self.rules.apply(self.state, action)
        self._packed = None
        self.plies += 1

    def _chance(self) -> None:
        while self.plies < self.max_plies and self.rules.turn(self.state) == CHANCE:
            outcomes = self.rules.chance(self.state)
            (outcome,) = self.rng.choices([one for one, _ in outcomes], [weight for _, weight in outcomes])
            self._apply(outcome)
