"""Tables at which networks learn and are tested: a game's options and how many play; see `tools.selfplay`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

from astragal.core import tensor
from astragal.core.fast import Fast
from astragal.core.rules import Game


class Table(NamedTuple):
    """What is played at: options and a number of players."""

    options: Any
    players: int


def compiled(game: Game, options: Any, players: int) -> Fast[Any, Any]:
    """The game in its compiled form."""
    if game.fast is None:
        sys.exit(f"{game.id} has no compiled rules to learn from")
    return game.fast(options, players)


def inputs_of(game: Game, table: Table) -> int:
    """How many numbers a network is told at this table."""
    return tensor.size(compiled(game, *table).told) + len(game.heuristic.names)


def tables_of(game: Game, players: Sequence[int], presets: Sequence[str] = ()) -> list[Table]:
    """Presets, or else the game as it is offered first, for each of these numbers of players; bots have all seats."""
    known = game.rules.presets
    for preset in presets:
        if preset not in known:
            sys.exit(f"{game.id} has no preset {preset!r}, only {', '.join(known)}")
    chosen = [known[preset] for preset in presets] or [next(iter(known.values()))]
    return [Table(game.rules.seated(options, [True] * count), count) for options in chosen for count in players]
