"""Bots of your own: what to derive one from, and how they are found.

An installed package names its bots in the entry-point group `astragal.bots`; they are called by the names of their
entry points. Any other bot is named by where it is, `module:Class`, also in a file of the current folder. That runs
code, so that it is done only for a name that the user of this computer has given (`admit`): a record or a request from
the network may repeat such a name, but not bring a new one.
"""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from random import Random
from typing import Any

from astragal.bots.choice import Bot, Choice, Limit
from astragal.core.language import say
from astragal.core.levels import LEVELS, PERFECT, Level
from astragal.core.rules import AnyView, Game
from astragal.core.types import AstragalError

GROUP = "astragal.bots"
VARIABLE = "ASTRAGAL_BOTS"  # what was admitted, with commas: the processes that are started from this one inherit it
PLACE = re.compile(r"([A-Za-z_][\w.]*:[A-Za-z_]\w*)(?::(.*))?")
"""A bot by its place, and the settings behind it."""


class UnknownBot(AstragalError):
    """No bot has this name, or it does not take these settings."""


class BaseBot(Bot):
    """A bot of your own: write `pick`, and `start` if something is to be made ready first.

    `settings` are what follows its name, as words: `mine:depth=2` gives `{"depth": "2"}`.
    """

    title: str = ""  # what players call it; empty: the name of its class
    about: str = ""  # one line about it, for those who choose an opponent
    games: tuple[str, ...] = ()  # the ids of the games it plays; empty: all
    limit = Limit()

    def __init__(self, game: Game, settings: Mapping[str, str]) -> None:
        self.game, self.rules, self.settings = game, game.rules, settings
        self.start()

    def start(self) -> None:
        """Whatever is to be made ready before the first match."""
        return

    def pick(self, view: AnyView, rng: Random) -> Any:
        """One of `view.legal`; or a whole `Choice`, with values for hints."""
        raise NotImplementedError

    def choose(self, view: AnyView, rng: Random) -> Choice:
        picked = self.pick(view, rng)
        return picked if isinstance(picked, Choice) else Choice(picked)


@cache
def installed() -> Mapping[str, type[BaseBot]]:
    """The bots of installed packages by name. A broken one is reported and left out; the others still play."""
    from astragal.bots.roster import KINDS

    there: dict[str, type[BaseBot]] = {}
    for point in sorted(entry_points(group=GROUP)):
        try:
            if point.name in (*LEVELS, PERFECT, *KINDS, *there) or not re.fullmatch(r"[\w-]+", point.name):
                raise ValueError("its name is taken, or is none")
            there[point.name] = _checked(point.load(), point.value)
        except (Exception, SystemExit) as error:  # whatever a stranger's package raises while it loads
            warnings.warn(f"bot {point.name} could not be loaded: {error}", stacklevel=2)
    return there


def admit(spec: str) -> None:
    """Lets a bot play that the user of this computer has named by its place. Raises UnknownBot.

    Anything else, such as `greedy`, needs no admission, and this does nothing.
    """
    place = PLACE.fullmatch(spec)
    if place is None or spec.partition(":")[0] in (*LEVELS, *_kinds()):
        return
    _load(place[1])
    os.environ[VARIABLE] = ",".join(dict.fromkeys([*admitted(), place[1]]))


def admitted() -> list[str]:
    """The places of bots that may play, beside those of installed packages."""
    return [place for place in os.environ.get(VARIABLE, "").split(",") if PLACE.fullmatch(place)]


def find(name: str) -> type[BaseBot] | None:
    """An installed bot, or an admitted one; None if there is none of this name. Raises UnknownBot."""
    if PLACE.fullmatch(name) is None:
        return installed().get(name)
    if name not in admitted():
        raise UnknownBot(
            say("the bot {name} is code that you have not named here; allow it with --bot {name}", name=name)
        )
    return _load(name)


def names() -> list[str]:
    """Every bot of one's own that may be named without settings."""
    return [*installed(), *admitted()]


def levels(game: Game) -> Mapping[str, Level]:
    """The bots of one's own that play this game, as opponents to choose from."""
    playing = {name: kind for name in names() if (kind := find(name)) is not None and plays(kind, game)}
    return {name: Level(kind.title or kind.__name__, kind.about, name) for name, kind in playing.items()}


def plays(kind: type[BaseBot], game: Game) -> bool:
    """Whether a bot plays this game at all."""
    return not kind.games or game.id in kind.games


@cache
def _load(place: str) -> type[BaseBot]:
    module, _, name = place.partition(":")
    if "" not in sys.path and os.getcwd() not in sys.path:  # noqa: PTH109  sys.path holds strings
        sys.path.append(os.getcwd())  # noqa: PTH109
    try:
        return _checked(getattr(import_module(module), name), place)
    except (Exception, SystemExit) as error:  # whatever a stranger's module raises while it loads
        raise UnknownBot(
            say("the bot {name} cannot be loaded: {reason}", name=place, reason=f"{type(error).__name__}: {error}")
        ) from error


def _checked(kind: object, where: str) -> type[BaseBot]:
    if not (isinstance(kind, type) and issubclass(kind, BaseBot)):
        raise TypeError(f"{where} is not derived from astragal.bots.BaseBot")
    return kind


def _kinds() -> tuple[str, ...]:
    from astragal.bots.roster import KINDS

    return tuple(KINDS)
