"""Which games there are: whatever the installed packages name in the entry-point group `astragal.games`.

There is no list to add a game to. Our own four are found the same way as anybody else's.
"""

from __future__ import annotations

import warnings
from functools import cache
from importlib.metadata import entry_points

from astragal.core.language import say
from astragal.core.rules import Game
from astragal.core.types import AstragalError

GROUP = "astragal.games"


class UnknownGame(AstragalError):
    """No installed package has a game of this name."""


@cache
def games() -> dict[str, Game]:
    """Every installed game by its id. A broken package is reported and left out; the others still play."""
    installed: dict[str, Game] = {}
    ours_first = sorted(entry_points(group=GROUP), key=lambda p: (p.name, not p.value.startswith("astragal.")))
    for point in ours_first:
        try:
            game = point.load()
            if not isinstance(game, Game):
                raise TypeError(f"{point.value} is not an astragal.core.rules.Game")
            if game.id != point.name:
                raise ValueError(f"{point.value} calls itself {game.id}, its entry point {point.name}")
            if point.name in installed:
                raise ValueError(f"{point.value} has the name of another installed game")
        except (Exception, SystemExit) as error:  # whatever a stranger's package raises while it loads
            warnings.warn(f"game {point.name} could not be loaded: {error}", stacklevel=2)
            continue
        installed[point.name] = game
    return installed


def game(id: str) -> Game:
    """The game of this id, or UnknownGame with the nearest name."""
    known = games()
    if id in known:
        return known[id]
    import difflib  # only for this

    near = difflib.get_close_matches(id, known, n=1, cutoff=0.4)
    listed = ", ".join(known)
    if near:
        raise UnknownGame(
            say(
                "there is no game {id!r}; did you mean {near}? The games are: {games}",
                id=id,
                near=near[0],
                games=listed,
            )
        )
    raise UnknownGame(say("there is no game {id!r}; the games are: {games}", id=id, games=listed))
