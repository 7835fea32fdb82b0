"""How good a position is for a seat, by the best that there is: an exact table, a network, or the heuristic.

>>> import astragal
>>> from astragal.bots.evaluate import evaluator
>>> game = astragal.game("nile")
>>> evaluator(game, game.rules.options_type(), 2).about.name
'network'
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from msgspec import Struct

from astragal.bots import network as networks
from astragal.bots.kernels_evaluate import by_heuristic
from astragal.bots.kernels_network import by_network, liked_by_network
from astragal.bots.kernels_table import TableKnowledge, by_table
from astragal.bots.packed_view import check_searchable
from astragal.core.compiled import cpu
from astragal.core.fast import Array, Fast, SlotKernels
from astragal.core.language import Decimal, Text, say
from astragal.core.rules import Game
from astragal.core.solvable import Index
from astragal.core.types import CHANCE, OVER, AstragalError
from astragal.solve import shelf
from astragal.solve.positions import index_of
from astragal.solve.table import Table

Source = Literal["table", "network", "heuristic"]
SOURCES: tuple[Source, ...] = ("table", "network", "heuristic")  # the best first
ROOM = 256  # no game has more features or seats


class NoEvaluator(AstragalError):
    """What was asked for is not there for these options."""


class About(Struct, frozen=True):
    """What an evaluator says of itself."""

    name: Source
    version: str  # another one wherever it may say something else
    exact: bool
    trust: Text  # how far its values can be trusted
    tells_apart: bool = False  # whether it errs by less than actions differ; else a search tells them apart better


class Evaluator:
    """Says what positions of one game under given options are worth. Not for several threads at once."""

    def __init__(
        self, about: About, fast: Fast[Any, Any], fills: Callable[..., Any], knowledge: Any, *,
        index: Index | None = None, start: Array | None = None, liked: Callable[..., Any] | None = None,
    ) -> None:  # fmt: skip
        self.about, self.fast = about, fast
        self.knowledge = knowledge  # what searches pass on as `weights`
        rank = None if index is None else index.kernels.rank
        self.before_throws = index is not None  # whether its kernel knows only positions in which a throw is to come
        self.kernels = SlotKernels(*fast.source, evaluate=fills, liked=liked, rank=rank)
        self._index = index  # if it knows only positions that have a rank, in which a throw is to come
        self._start = start  # then, the first position of all
        self._values = np.zeros(ROOM)
        self._ask = cpu(fills, self.kernels)

    def value(self, state: Array, seat: int) -> float:
        """This seat's share of the win in a position."""
        mover = self.fast.turn(state)
        if self._index is not None and mover not in (CHANCE, OVER):
            best = max(self.actions(state))
            return best if mover == seat else 1 - best
        if self._index is not None and mover == CHANCE and self._index.mover(state) < 0:
            return self._before_the_start(state, seat)
        return float(self._ask(state, self.fast.tables, self.knowledge, seat, self._values))

    def _before_the_start(self, state: Array, seat: int) -> float:
        """The mean over all throws for the right to begin; before the first of them nobody is ahead."""
        if (state == self._start).all():
            return 1 / self.fast.players
        outcomes = self.fast.chance(state)
        total = sum(weight for _, weight in outcomes)
        return sum(weight * self.value(self.fast.step(state, number), seat) for number, weight in outcomes) / total

    def actions(self, state: Array) -> list[float]:
        """What each legal action is worth to the seat whose turn it is, in the order of `Fast.legal`."""
        seat = self.fast.turn(state)
        return [self.value(self.fast.step(state, number), seat) for number in self.fast.legal(state)]


def evaluator(game: Game, options: Any, players: int, wanted: Sequence[Source] = SOURCES) -> Evaluator:
    """The first of these that there is for these options. Raises NoEvaluator if there is none."""
    check_searchable(game)
    assert game.fast is not None  # it was checked
    fast = game.fast(options, players)
    for source in wanted:
        made = MAKERS[source](game, options, fast)
        if made is not None:
            return made
    raise NoEvaluator(
        say("there is no {source} for {game} under these options", source=" or ".join(wanted), game=game.id)
    )


class Evaluators:
    """What a search evaluates by: a network, else a table, else the heuristic, unless it is told another source.

    Where there are a table and a network, the level `perfect` plays by the table, and masters leave it that.
    """

    def __init__(self, game: Game, by: Source | None = None) -> None:
        self._game = game
        self._sources: tuple[Source, ...] = (by,) if by else ("network", "table", "heuristic")
        self._last: tuple[Any, Evaluator] | None = None  # for the options and players of the last choice

    def of(self, options: Any, players: int) -> Evaluator:
        """The evaluator for these options; made anew only if they changed."""
        if self._last is None or self._last[0] != (options, players):
            self._last = (options, players), evaluator(self._game, options, players, self._sources)
        return self._last[1]


def _by_table(game: Game, options: Any, fast: Fast[Any, Any]) -> Evaluator | None:
    if game.index is None:
        return None
    table = shelf.find(game, options)
    return None if table is None else by_table_file(game, options, fast, table)


def by_table_file(game: Game, options: Any, fast: Fast[Any, Any], table: Table) -> Evaluator:
    """An evaluator by this table, wherever it lies. The table must be for these options (`Table.check_for`)."""
    index, header = index_of(game, options), table.header
    trust = (
        say("exact; values are rounded to {bits} bits", bits=header.bits)
        if header.convention == "ends"
        else say("exact if an unfinished game counts half; values are rounded to {bits} bits", bits=header.bits)
    )
    about = About("table", header.checksum[:12], True, trust, True)
    knowledge = TableKnowledge(index.arrays, np.asarray(table.values), (1 << header.bits) - 1, index.thumbs.seat)
    start = fast.pack(game.rules.initial(options, fast.players))
    return Evaluator(about, fast, by_table, knowledge, index=index, start=start)


def _by_network(game: Game, options: Any, fast: Fast[Any, Any]) -> Evaluator | None:
    network = networks.find(game, options, fast.players)
    if network is None:
        return None
    networks.check_shape(network.part, game, options, fast)
    card = network.part.card
    about = About("network", network.version, False, _trust(card), tells_apart="error" in card)
    index = index_of(game, options) if network.part.mover_at >= 0 else None
    start = fast.pack(game.rules.initial(options, fast.players))
    usual = networks.usual_inputs(fast, start, network.part.features)
    return Evaluator(about, fast, by_network, network.net(usual), index=index, start=start, liked=liked_by_network)


def _trust(card: Mapping[str, Any]) -> Text:
    """How far a network can be trusted, by what was measured of it."""
    if "error" in card:
        return say("errs by {points} points on average", points=Decimal(100 * card["error"], 1))
    points = Decimal(100 * card["calibration"], 1)
    return say("learned from played games; over many of them it is wrong by {points} points on average", points=points)


def _by_heuristic(game: Game, options: Any, fast: Fast[Any, Any]) -> Evaluator | None:  # noqa: ARG001
    weights = np.array([game.heuristic.weights[name] for name in game.heuristic.names])
    version = hashlib.blake2b(weights.tobytes(), digest_size=4).hexdigest()
    about = About("heuristic", version, False, say("a rule of thumb, for comparing actions only"))
    return Evaluator(about, fast, by_heuristic, weights)


MAKERS: Mapping[Source, Callable[[Game, Any, Fast[Any, Any]], Evaluator | None]] = {
    "table": _by_table,
    "network": _by_network,
    "heuristic": _by_heuristic,
}
