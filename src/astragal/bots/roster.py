"""Bots by name: `greedy`, `master`, `ismcts:nodes=200,rollout=4`; and those of one's own (`own`).

>>> import astragal
>>> make("greedy:mistakes=0.5", astragal.game("ur")).name
'greedy:mistakes=0.5'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any, TypeVar

import msgspec

from astragal.bots import own
from astragal.bots.choice import Bot, Limit
from astragal.bots.claiming import ClaimingBot
from astragal.bots.fallback import WithFallback
from astragal.bots.levels import spec_of
from astragal.bots.own import UnknownBot
from astragal.bots.simple import GreedyBot, GreedySettings, RandomBot
from astragal.core.language import say
from astragal.core.levels import LEVELS
from astragal.core.rules import Game

T = TypeVar("T")


def make(spec: str, game: Game, *, at_once: bool = False, claims: bool = True) -> Bot:
    """The bot of this name, for this game; with a fallback behind it, and claims to make. Raises UnknownBot.

    `at_once` is for people who wait: the fallback, which is the greedy bot, chooses until the bot is compiled. Without
    `claims` it only ever takes actions of its turn.
    """
    kind, settings = parse(spec, game)
    make = KINDS[kind] if kind in KINDS else _own(kind, game)
    bot = WithFallback(spec, lambda: make(game, settings), GreedyBot(game), at_once=at_once)
    return ClaimingBot(bot, spec, game) if claims else bot


def known() -> list[str]:
    """Every name that a bot may have here, without settings."""
    return [*LEVELS, *KINDS, *own.names()]


def parse(spec: str, game: Game) -> tuple[str, Mapping[str, str]]:
    """What kind of bot this is, and how it is set. A level stands for what it means in this game."""
    name, _, rest = spec.partition(":")
    if name not in (*LEVELS, *KINDS) and (place := own.PLACE.fullmatch(spec)):
        name, rest = place[1], place[2] or ""
    if name in LEVELS:
        if rest not in ("", "ladder"):
            raise UnknownBot(say("{name} is a level and takes no settings; write just {name}", name=name))
        return parse(spec_of(game, name, ladder=bool(rest)), game)
    if name not in KINDS and own.find(name) is None:
        near = get_close_matches(name, known(), 1)
        raise UnknownBot(
            say("there is no bot {name!r}; did you mean {near!r}?", name=name, near=near[0])
            if near
            else say("there is no bot {name!r}; the bots are: {bots}", name=name, bots=", ".join(known()))
        )
    settings = {}
    for part in rest.split(",") if rest else ():
        key, equals, value = part.partition("=")
        if not (key and equals and value) or key in settings:
            raise UnknownBot(say("{part!r} is not a setting; write it like {example}", part=part, example="nodes=500"))
        settings[key] = value
    return name, settings


def _own(name: str, game: Game) -> Callable[[Game, Any], Bot]:
    """How a bot of one's own is made. Raises UnknownBot."""
    kind = own.find(name)
    assert kind is not None  # `parse` has found it
    if not own.plays(kind, game):
        raise UnknownBot(
            say(
                "the bot {name} does not play {game}; it plays: {games}",
                name=name,
                game=game.id,
                games=", ".join(kind.games),
            )
        )

    def make(game: Game, settings: Mapping[str, str]) -> Bot:
        try:
            return kind(game, settings)
        except Exception as error:  # a fault of its author, or settings that it does not take
            reason = f"{type(error).__name__}: {error}"
            raise UnknownBot(say("the bot {name} cannot be made: {reason}", name=name, reason=reason)) from error

    return make


def _read(kind: type[T], settings: Mapping[str, str]) -> T:
    """A struct of settings from the words after a bot's name."""
    try:
        return msgspec.convert(settings, kind, strict=False)
    except msgspec.ValidationError as error:
        reason, _, where = str(error).partition(" - at `$.")
        raise UnknownBot(
            say("{setting}: {reason}", setting=where.rstrip("`") or ", ".join(settings), reason=reason)
        ) from None


def _shared(settings: Mapping[str, str]) -> tuple[Limit, dict[str, str]]:
    """The limit among some settings, and the others."""
    limits = {key: value for key, value in settings.items() if key in Limit.__struct_fields__}
    return _read(Limit, limits), {key: value for key, value in settings.items() if key not in limits}


def _random(game: Game, settings: Mapping[str, str]) -> Bot:
    _read(_Nothing, settings)
    return RandomBot(game)


def _greedy(game: Game, settings: Mapping[str, str]) -> Bot:
    return GreedyBot(game, _greedy_settings(game, settings))


def _greedy_settings(game: Game, settings: Mapping[str, str]) -> GreedySettings:
    """How a greedy bot is set. What it overlooks must be something that the game's heuristic looks at."""
    read = _read(GreedySettings, settings)
    for name in sorted(read.overlooked - game.heuristic.names.keys()):
        raise UnknownBot(
            say(
                "overlooks: the heuristic of {game} has no feature {name!r}; it has: {features}",
                game=game.id,
                name=name,
                features=", ".join(game.heuristic.names),
            )
        )
    return read


def _quick(game: Game, settings: Mapping[str, str]) -> Bot:
    from astragal.bots.quick import QuickBot  # brings Numba

    return QuickBot(game, _greedy_settings(game, settings))


def _expectimax(game: Game, settings: Mapping[str, str]) -> Bot:
    from astragal.bots.expectimax import ExpectimaxBot, ExpectimaxSettings  # brings Numba

    limit, rest = _shared(settings)
    return ExpectimaxBot(game, limit, _read(ExpectimaxSettings, rest))


def _ismcts(game: Game, settings: Mapping[str, str]) -> Bot:
    from astragal.bots.ismcts import IsmctsBot, IsmctsSettings  # brings Numba

    limit, rest = _shared(settings)
    return IsmctsBot(game, limit, _read(IsmctsSettings, rest))


def _ismcts_1(game: Game, settings: Mapping[str, str]) -> Bot:
    """The search of masters as it was before there were networks and dealers, to measure newer ones against."""
    return _ismcts(game, {"dealer": "false", **settings, "by": "heuristic"})


def _perfect(game: Game, settings: Mapping[str, str]) -> Bot:
    from astragal.bots.perfect import PerfectBot  # brings Numba

    _read(_Nothing, settings)
    return PerfectBot(game)


class _Nothing(msgspec.Struct, forbid_unknown_fields=True):
    """No settings at all."""


KINDS: Mapping[str, Callable[[Game, Any], Bot]] = {
    "random": _random,
    "greedy": _greedy,
    "quick": _quick,
    "expectimax": _expectimax,
    "ismcts": _ismcts,
    "ismcts-1": _ismcts_1,
    "perfect": _perfect,
}
