"""Games for OpenSpiel, with explicit chance. Wants the extra `research`.

>>> import pyspiel
>>> from astragal.research import spiel
>>> names = spiel.register()
>>> game = pyspiel.load_game("astragal_nile_v2(players=3)")
>>> game.num_players(), game.new_initial_state().is_chance_node()
(3, True)

Parameters: `players`, `preset` (a named set of options), and `max_plies`: actions and outcomes after which a game that
has not ended is over and its win shared. OpenSpiel wants to know how long games can be, and some have no bound.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from astragal.core import registry, tensor
from astragal.core.fast import Array
from astragal.core.rules import Game
from astragal.core.types import CHANCE, OVER
from astragal.research.batch import options_of
from astragal.research.space import Space

MOST_PLIES = 5000


def register() -> list[str]:
    """Makes every installed game known to `pyspiel.load_game`; the names, which end with the game's version."""
    known = set(pyspiel.registered_names())
    names = []
    for game in registry.games().values():
        if game.fast is None:
            continue
        name = f"astragal_{game.id.replace('-', '_')}_v{game.rules.spec.version}"
        names.append(name)
        if name not in known:
            made = _type_of(game, name)
            pyspiel.register_game(made, type(f"Spiel{game.id}", (SpielGame,), {"game": game, "made": made}))
    return names


def _type_of(game: Game, name: str) -> Any:
    spec = game.rules.spec
    kind = pyspiel.GameType
    hidden = kind.Information.IMPERFECT_INFORMATION if spec.hidden else kind.Information.PERFECT_INFORMATION
    return kind(
        short_name=name,
        long_name=f"{spec.title} (Astragal)",
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=hidden,
        utility=kind.Utility.CONSTANT_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=max(spec.players),
        min_num_players=min(spec.players),
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={
            "players": min(spec.players),
            "preset": next(iter(game.rules.presets)),
            "max_plies": MOST_PLIES,
        },
    )


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game under given options; a class derived from this has the game."""

    game: Game
    made: Any

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = params or {}
        spec = self.game.rules.spec
        players = int(given.get("players", min(spec.players)))
        preset = str(given.get("preset", next(iter(self.game.rules.presets))))
        self.most_plies = int(given.get("max_plies", MOST_PLIES))
        options = options_of(self.game, preset, players)
        assert self.game.fast is not None
        self.fast = self.game.fast(options, players)
        self.space = Space(self.game, self.fast)
        self.place = {int(number): place for place, number in enumerate(self.space.numbers)}
        self.start = self.fast.pack(self.game.rules.initial(options, players))
        info = pyspiel.GameInfo(
            num_distinct_actions=self.space.actions,
            max_chance_outcomes=self.space.outcomes,
            num_players=players,
            min_utility=0.0,
            max_utility=1.0,
            utility_sum=1.0,
            max_game_length=self.most_plies,
        )
        super().__init__(self.made, info, given)

    def max_chance_nodes_in_history(self) -> int:
        """No game has more."""
        return self.most_plies

    def new_initial_state(self) -> SpielState:
        """The first position."""
        return SpielState(self)

    def make_py_observer(self, *_wanted: Any) -> SpielObserver:
        """What a seat sees, as numbers; the same for every kind of observation that is asked for."""
        return SpielObserver(self)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A position: OpenSpiel copies it often, so it holds little."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self._packed = game.start.copy()
        self._plies = 0

    @property
    def packed(self) -> Array:
        """The position as the compiled rules have it."""
        return self._packed

    def current_player(self) -> Any:
        """The seat to act, chance, or the end."""
        game = self.get_game()
        turn = game.fast.turn(self._packed)
        if turn == OVER or self._plies >= game.most_plies:
            return pyspiel.PlayerId.TERMINAL
        return pyspiel.PlayerId.CHANCE if turn == CHANCE else turn

    def _legal_actions(self, player: int) -> list[int]:
        game = self.get_game()
        return sorted(game.place[number] for number in game.fast.legal(self._packed))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Every outcome with its probability."""
        outcomes = self.get_game().fast.chance(self._packed)
        total = sum(weight for _, weight in outcomes)
        return [(number, weight / total) for number, weight in outcomes]

    def _apply_action(self, action: int) -> None:
        self._packed = self.get_game().fast.step(self._packed, self._number(action))
        self._plies += 1

    def _number(self, action: int) -> int:
        game = self.get_game()
        if game.fast.turn(self._packed) == CHANCE:
            return action
        return int(game.space.numbers[action])

    def _action_to_string(self, player: int, action: int) -> str:
        game = self.get_game()
        return str(game.game.rules.encode(game.fast.action(self._packed, self._number(action))))

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return bool(self.current_player() == pyspiel.PlayerId.TERMINAL)

    def returns(self) -> list[float]:
        """Each seat's share of the win."""
        game = self.get_game()
        if game.fast.turn(self._packed) != OVER and self._plies >= game.most_plies:
            return [1 / game.fast.players] * game.fast.players
        return list(game.fast.returns(self._packed))

    def __str__(self) -> str:
        return " ".join(map(str, self._packed.tolist()))


class SpielObserver:
    """The numbers of `research.vector`, by their parts."""

    def __init__(self, game: SpielGame) -> None:
        self._fast = game.fast
        self.tensor = np.zeros(game.space.size, dtype=np.float32)
        self.dict = tensor.cut(game.space.parts, self.tensor)

    def set_from(self, state: SpielState, player: int) -> None:
        """Fills in what this seat sees."""
        self.tensor[:] = self._fast.observe(state.packed, player)

    def string_from(self, state: SpielState, player: int) -> str:
        """The same as text: the numbers that are not 0, by their parts."""
        self.set_from(state, player)
        shown = []
        for name, values in self.dict.items():
            spots = [f"{place}={value:g}" for place, value in enumerate(values.ravel()) if value]
            shown.append(f"{name}: {' '.join(spots)}")
        return "\n".join(shown)
