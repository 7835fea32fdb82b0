"""One folder a game. Nothing outside a folder imports or names its game.

`astragal.games` is this package and also the function that lists all installed games: `astragal.games()`.
"""

import sys
from types import ModuleType

from astragal.core.registry import games as _games
from astragal.core.rules import Game


class _Callable(ModuleType):
    def __call__(self) -> dict[str, Game]:
        return _games()


sys.modules[__name__].__class__ = _Callable
