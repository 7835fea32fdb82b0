"""Many games of one kind at once, over arrays: what learning and search programs play on.

>>> from astragal import research
>>> games = research.vector("ur", 4, seed=1)
>>> first = games.reset()
>>> first.mask.shape, first.seat.shape
((4, 16), (4,))
>>> while not games.step(games.sample()).terminated.any():
...     pass
>>> games.rewards.sum(axis=1).max()
np.float32(1.0)
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from astragal.core import options as option_values
from astragal.core import registry
from astragal.core.fast import MOST_PLIES, Array
from astragal.core.language import say
from astragal.core.rules import Game
from astragal.core.types import CHANCE, AstragalError, BadOptions
from astragal.research import kernels_vector as kernels
from astragal.research.device import Device, DeviceName, device
from astragal.research.kernels_vector import Batch, Rooms, Setup
from astragal.research.space import Space

Mode = Literal["NEXT_STEP", "SAME_STEP", "DISABLED"]
Where = Literal["inside", "outside"]
OnIllegal = Literal["raise", "forfeit"]
MOST_NAMED = 12  # legal actions that an error names


class IllegalBatch(AstragalError):
    """An action in a batch that its game does not allow. No game of the batch was played on."""

    def __init__(self, index: int, seat: int, action: int, legal: tuple[int, ...], names: Sequence[str]) -> None:
        shown = ", ".join(f"{number} ({name})" for number, name in zip(legal[:MOST_NAMED], names, strict=False))
        if len(legal) > MOST_NAMED:
            shown += ", ..."
        super().__init__(
            say("game {index}: action {action} is not legal for seat {seat}; legal are {legal}", index=index,
                action=action, seat=seat, legal=shown)
        )  # fmt: skip
        self.index, self.seat, self.action, self.legal = index, seat, action, legal


class Step(NamedTuple):
    """What there is to know after a step. The arrays are the batch's own: the next step changes them."""

    observation: Any  # (n, size) float32: as the seat to act sees the game; None if not wanted
    mask: Any  # (n, actions) int8: 1 for every legal action; None if not wanted
    seat: Any  # (n,) int32: to act, CHANCE or OVER
    rewards: Any  # (n, players) float32: shares of the win if the game ended in this step, else zeros
    terminated: Any  # (n,) bool: ended by the rules, or lost by an illegal action
    truncated: Any  # (n,) bool: ended because it took `max_plies`; the win is shared


class Outcomes(NamedTuple):
    """What chance can do in each game where it is to act; rows of other games have the count 0."""

    numbers: Any  # (n, most) int32: what `step` takes; only the first `counts` of a row mean something
    weights: Any  # (n, most) int64: exact
    counts: Any  # (n,) int32

    def probabilities(self) -> Array:
        """The weights by their sums, as NumPy's float64; zeros beyond `counts`."""
        weights = np.where(np.arange(self.weights.shape[1]) < np.asarray(self.counts)[:, None], self.weights, 0)
        found: Array = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1)
        return found


def vector(
    game: str | Game,
    n: int,
    *,
    options: Any = None,
    players: int | None = None,
    seed: int = 0,
    device: DeviceName = "cpu",
    autoreset: Mode = "NEXT_STEP",
    chance: Where = "inside",
    on_illegal: OnIllegal = "raise",
    observations: bool = True,
    masks: bool = True,
    max_plies: int = MOST_PLIES,
    cores: int = 0,
) -> Vector:
    """So many games at once.

    `options` is a preset's name, a mapping of some options, or options of the game; all seats count as bots, which in a
    game with questions answer by chance. `autoreset` has Gymnasium's names: a game that ended begins anew with the next
    step, whose action is not looked at (NEXT_STEP), in the same step (SAME_STEP), or when `reset` is called (DISABLED).
    With `chance="outside"` throws and draws are steps of their own (see `Vector.outcomes`). `cores` is for the CPU;
    0 means all there are. Raises an AstragalError with one sentence if something of this cannot be had.
    """
    return Vector(
        game, n, options=options, players=players, seed=seed, device=device, autoreset=autoreset, chance=chance,
        on_illegal=on_illegal, observations=observations, masks=masks, max_plies=max_plies, cores=cores,
    )  # fmt: skip


def options_of(game: Game, given: Any, players: int) -> Any:
    """Options for a table of bots from what a caller gave: nothing, a preset's name, some options, or all."""
    rules = game.rules
    if given is None or isinstance(given, str):
        given = option_values.build(rules, given)
    elif isinstance(given, Mapping):
        given = option_values.build(rules, None, given)
    chosen = rules.seated(given, [True] * players)
    rules.check_options(chosen, players)
    return chosen


class Vector:
    """A batch of games; see `vector`."""

    def __init__(
        self,
        game: str | Game,
        n: int,
        *,
        options: Any,
        players: int | None,
        seed: int,
        device: DeviceName,
        autoreset: Mode,
        chance: Where,
        on_illegal: OnIllegal,
        observations: bool,
        masks: bool,
        max_plies: int,
        cores: int,
    ) -> None:
        self.game = registry.game(game) if isinstance(game, str) else game
        self.n = _at_least_one("n", n)
        _one_of("autoreset", autoreset, Mode)
        _one_of("chance", chance, Where)
        _one_of("on_illegal", on_illegal, OnIllegal)
        self.players = min(self.game.rules.spec.players) if players is None else players
        self.options = options_of(self.game, options, self.players)
        if self.game.fast is None:
            raise AstragalError(say("{game} has no compiled rules, so it cannot be played here", game=self.game.id))
        self.fast = self.game.fast(self.options, self.players)
        self.on_illegal = on_illegal
        self.autoreset: Mode = autoreset
        self.chance: Where = chance
        self.space = Space(self.game, self.fast)
        self._wants = observations and bool(self.fast.observation), masks
        self._settings(autoreset, chance, _at_least_one("max_plies", max_plies))
        self._device = _device(device, self.fast.source, self.n, cores)
        self._allocate()
        self._seed(seed)
        self.reset()

    def _settings(self, autoreset: Mode, chance: Where, max_plies: int) -> None:
        settings = np.zeros(kernels.SETTINGS, dtype=np.int64)
        settings[kernels.MODE] = getattr(kernels, autoreset)
        settings[kernels.OUTSIDE] = chance == "outside"
        settings[kernels.MOST_PLIES] = max_plies
        settings[kernels.KEEP_FINAL] = autoreset == "SAME_STEP"
        self._plain_settings = settings

    def _allocate(self) -> None:
        """All arrays of the batch; `arrays` are the users', `_batch` the same memory as kernels take it."""
        fast, n, here = self.fast, self.n, self._device
        start = fast.pack(self.game.rules.initial(self.options, self.players))
        numbers = self.space.numbers
        places = np.full(fast.actions, -1, dtype=np.int32)
        places[numbers] = np.arange(len(numbers))
        outside = self.chance == "outside"
        empty = Batch(
            states=np.tile(start, (n, 1)),
            final=np.tile(start, (n if self.autoreset == "SAME_STEP" else 1, 1)),
            dice=np.zeros((n, 1), dtype=np.uint64),
            choices=np.zeros((n, 1), dtype=np.uint64),
            plies=np.zeros(n, dtype=np.int32),
            over=np.ones(n, dtype=np.int8),
            seat=np.full(n, CHANCE, dtype=np.int32),
            actor=np.zeros(n, dtype=np.int32),
            legal=np.zeros((n, fast.most), dtype=np.int32),
            weights=np.zeros((n, fast.most if outside else 0), dtype=np.int64),
            counts=np.zeros(n, dtype=np.int32),
            mask=np.zeros((n, len(numbers) if self._wants[1] else 0), dtype=np.int8),
            rewards=np.zeros((n, self.players), dtype=np.float32),
            terminated=np.zeros(n, dtype=np.bool_),
            truncated=np.zeros(n, dtype=np.bool_),
        )
        setup = Setup(start, fast.tables, numbers.astype(np.int64), places, self._plain_settings)
        rooms = Rooms(*(np.zeros((here.lanes, fast.room), dtype=np.int64) for _ in range(2)))
        self.arrays = Batch(*map(here.array, empty))
        self._setup = Setup(*(here.kernel_array(here.array(one)) for one in setup))
        self._rooms = Rooms(*(here.kernel_array(here.array(one)) for one in rooms))
        size = self.space.size if self._wants[0] else 0
        self._seen = here.array(np.zeros((n, size), dtype=np.float32))
        self._actions = here.array(np.zeros(n, dtype=np.int64))
        self._wanted = here.array(np.ones(n, dtype=np.bool_))
        self._faults = here.array(np.zeros(here.lanes, dtype=np.int64))
        self._bind()

    def _bind(self) -> None:
        self._batch = Batch(*map(self._device.kernel_array, self.arrays))

    def _run(self, template: Any, *more: Any) -> None:
        self._device.run(template, self._batch, self._setup, self._rooms, more)

    def _seed(self, seed: int) -> None:
        self._run(kernels.seed, np.uint64(seed % (1 << 64)))

    # Playing ------------------------------------------------------------------------------------------------------

    def reset(self, *, seed: int | None = None, mask: Any = None) -> Step:
        """Begins all games anew, or those of a mask of booleans; a seed gives all games new dice first."""
        if seed is not None:
            self._seed(seed)
        here = self._device
        wanted = here.kernel_array(self._wanted) if mask is None else here.given(mask, np.bool_)
        self._run(kernels.begin, _long(wanted, self.n, "mask"))
        return self._told()

    def step(self, actions: Any) -> Step:
        """Plays one action in every game; what is given for games that are over is not looked at.

        Where chance is outside the step and to act, the action is the number of an outcome, or -1 for the dice to
        decide. The action -2 leaves a game as it is. Raises IllegalBatch, unless illegal actions forfeit the game.
        """
        taken = _long(self._device.given(_integers(actions), np.int64), self.n, "actions")
        if self.on_illegal == "raise":
            self._check(taken)
        self._run(kernels.play, taken)
        return self._told()

    def _check(self, actions: Any) -> None:
        self._run(kernels.check, actions, self._device.kernel_array(self._faults))
        index = int(self._device.plain(self._faults).min())
        if index >= self.n:
            return
        legal = tuple(int(action) for action in self.legal(index))
        given = int(np.asarray(self._device.plain(actions))[index])
        seat = int(self._device.plain(self.arrays.seat)[index])
        raise IllegalBatch(index, seat, given, legal, [self.name(index, action) for action in legal[:MOST_NAMED]])

    def _told(self) -> Step:
        batch = self.arrays
        seen = self.observe() if self._wants[0] else None
        mask = batch.mask if self._wants[1] else None
        return Step(seen, mask, batch.seat, batch.rewards, batch.terminated, batch.truncated)

    def sample(self) -> Any:
        """A random legal action for every game, by dice of their own; -1 where nobody is to act."""
        self._run(kernels.choose, self._device.kernel_array(self._actions))
        return self._actions

    # Looking ------------------------------------------------------------------------------------------------------

    def observe(self, seat: int | None = None, *, final: bool = False, out: Any = None) -> Any:
        """(n, size) float32: what a seat may know of every game, as `space.parts` describes it.

        Without a seat it is the one to act; where nobody is, the one that acted last. `final` asks for the last
        positions of games that ended in a step of the mode SAME_STEP. Without `out` the next call overwrites the array.
        """
        if not self.fast.observation:
            raise AstragalError(say("{game} cannot be observed as numbers", game=self.game.id))
        here = self._device
        if out is None:
            if self._seen.shape[1] == 0:
                self._seen = here.array(np.zeros((self.n, self.space.size), dtype=np.float32))
            out = self._seen
        states = self._batch.final if final and self.autoreset == "SAME_STEP" else self._batch.states
        self._run(kernels.look, states, -1 if seat is None else seat, here.kernel_array(out))
        return out

    def numpy(self, array: Any) -> Array:
        """An array of the batch as NumPy's; from a graphics card it is copied."""
        return self._device.plain(array)

    @property
    def mask(self) -> Any:
        """(n, actions) int8: 1 for every legal action."""
        return self.arrays.mask

    @property
    def seat(self) -> Any:
        """(n,) int32: to act, CHANCE or OVER."""
        return self.arrays.seat

    @property
    def rewards(self) -> Any:
        """(n, players) float32: of the last step."""
        return self.arrays.rewards

    @property
    def terminated(self) -> Any:
        """(n,) bool: which games ended in the last step by the rules, or by an illegal action."""
        return self.arrays.terminated

    @property
    def truncated(self) -> Any:
        """(n,) bool: which games ended in the last step because they took too long."""
        return self.arrays.truncated

    @property
    def plies(self) -> Any:
        """(n,) int32: how many actions and outcomes each game has had."""
        return self.arrays.plies

    def legal(self, index: int) -> Array:
        """The legal actions of one game, or at CHANCE its outcomes, in the order of the rules."""
        plain = self._device.plain
        return plain(self.arrays.legal[index : index + 1])[0, : int(plain(self.arrays.counts)[index])]

    def outcomes(self) -> Outcomes:
        """What chance can do in each game, with exact weights; for `chance="outside"`."""
        if self.chance == "inside":
            raise AstragalError(say('outcomes are told only with chance="outside"'))
        plain = self._device.plain
        counts = np.where(plain(self.arrays.seat) == CHANCE, plain(self.arrays.counts), 0).astype(np.int32)
        return Outcomes(plain(self.arrays.legal), plain(self.arrays.weights), counts)

    def name(self, index: int, action: int) -> str:
        """The notation of a legal action, or at CHANCE of an outcome, in one game."""
        plain = self._device.plain
        packed = plain(self.arrays.states[index : index + 1])[0].copy()
        number = action if int(plain(self.arrays.seat)[index]) == CHANCE else int(self.space.numbers[action])
        return self.game.rules.encode(self.fast.action(packed, number))

    # Copying ------------------------------------------------------------------------------------------------------

    def get_state(self) -> Batch:
        """Everything that can change, copied: positions, dice, and what was told last."""
        plain = self._device.plain
        return Batch(*(plain(array).copy() for array in self.arrays))

    def set_state(self, state: Batch | Array) -> None:
        """Goes back to what `get_state` gave; or to packed positions, (n, words) as `fast.pack` makes them.

        Positions that lie on the batch's device already, as `arrays.states` do, go no other way.
        """
        here = self._device
        if isinstance(state, Batch):
            self.arrays = Batch(*(here.array(array.copy()) for array in state))
            self._bind()
            return
        packed = here.given(state, self.fast.dtype)
        if tuple(packed.shape) != tuple(self.arrays.states.shape):
            shape, found = tuple(self.arrays.states.shape), tuple(packed.shape)
            raise AstragalError(
                say("packed positions have the shape {shape}, not {found}", shape=str(shape), found=str(found))
            )
        self._run(kernels.place, packed)

    def clone(self) -> Vector:
        """A second batch in the same state, which from now on goes its own way, with the same dice."""
        twin = copy.copy(self)
        here = self._device
        twin.set_state(self.get_state())
        for name in ("_seen", "_actions", "_faults"):
            setattr(twin, name, here.array(here.plain(getattr(self, name)).copy()))
        twin._rooms = Rooms(*(here.kernel_array(here.array(here.plain(room).copy())) for room in self._rooms))
        return twin


def _device(name: DeviceName, source: Any, n: int, cores: int) -> Device:
    return device(name, source, n, cores)


def _one_of(name: str, value: str, names: Any) -> None:
    if value not in get_args(names):
        raise BadOptions(
            name, say("{value!r} is not one of {shape}", value=str(value), shape=", ".join(get_args(names)))
        )


def _at_least_one(name: str, value: int) -> int:
    if value < 1:
        raise BadOptions(name, say("must be 1 or more, not {value}", value=value))
    return value


def _integers(actions: Any) -> Any:
    """Refuses what has no whole numbers."""
    kind = getattr(np.asarray(actions) if isinstance(actions, list | tuple) else actions, "dtype", None)
    if kind is not None and not any(word in str(kind) for word in ("int", "bool")):
        raise AstragalError(say("actions are whole numbers, not {kind}", kind=str(kind)))
    return actions


def _long(array: Any, n: int, name: str) -> Any:
    if tuple(array.shape) != (n,):
        raise AstragalError(
            say("{name} must have the shape {shape}, not {found}", name=name, shape=str((n,)),
                found=str(tuple(array.shape)))
        )  # fmt: skip
    return array
