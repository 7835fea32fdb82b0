"""The setup of a match: game, options, who may sit where, clock; checked when the match is created."""

from __future__ import annotations

import unicodedata
from typing import Any

import msgspec
from msgspec import Struct

from astragal.bots import LEVELS, UnknownBot, own
from astragal.bots.levels import has_table
from astragal.core import options as option_tools
from astragal.core import registry
from astragal.core.language import noted, say
from astragal.core.levels import PERFECT
from astragal.core.rules import Game
from astragal.core.types import OVER, BadOptions, check_players
from astragal.play import clock
from astragal.play.match import NotPossible
from astragal.server import rated_tables
from astragal.server.wire import Absence, NewMatch

OPEN = "open"
NOBODY_INVITED = "-"
"""The invitation of a table of a tournament. No secret has this hash, so that only its entrants can sit down there."""

PHRASES = {
    "hello": noted("Hello!"),
    "luck": noted("Good luck!"),
    "thanks": noted("Thank you!"),
    "well": noted("Well played!"),
    "oops": noted("Oops!"),
    "moment": noted("One moment, please."),
    "game": noted("Good game!"),
    "again": noted("Another one?"),
    "bye": noted("Goodbye!"),
}
"""What can be said without typing, each in the language of whoever reads it."""


class Setup(Struct, frozen=True, kw_only=True):
    """The game, its options, who may sit where, the clock, and whether others may watch."""

    game: str
    version: int
    options: dict[str, Any]
    seats: tuple[str, ...]  # open, or bot:NAME
    clock: str = "none"
    watchers: bool = True
    absence: Absence | None = None
    more_time: bool = False
    hints: bool | None = None  # None: unless a clock runs between humans
    pace: int = 0
    position: str | None = None  # where it begins; it may hold secrets, so nobody is sent it
    rated: bool = False


def settle(wanted: NewMatch) -> tuple[Setup, Any]:
    """A setup that can be played, and its first view. Raises what the game, the bots or the clock object to."""
    game = registry.game(wanted.game)
    rules = game.rules
    check_players(rules.spec, len(wanted.seats))
    taken_by_bots = [plan != OPEN for plan in wanted.seats]
    if wanted.sit is not None and (wanted.sit >= len(wanted.seats) or taken_by_bots[wanted.sit]):
        raise BadOptions("sit", say("seat {seat} is not free", seat=wanted.sit + 1))
    if wanted.position is not None and rules.spec.hidden:
        raise BadOptions("position", say("a position of {game} would tell what is hidden", game=game.id))
    if wanted.rated:
        wanted = rated_tables.checked(wanted, game)
    chosen = rules.seated(option_tools.build(rules, wanted.preset, wanted.options), taken_by_bots)
    for plan in wanted.seats:
        if plan != OPEN:
            check_bot(plan.removeprefix("bot:"), game, chosen)
    setup = Setup(
        game=game.id,
        version=rules.spec.version,
        options=option_tools.to_plain(chosen),
        seats=wanted.seats,
        clock=str(clock.parse(wanted.clock)),
        watchers=wanted.watchers,
        absence=wanted.absence,
        more_time=wanted.more_time,
        hints=wanted.hints,
        pace=wanted.pace,
        position=wanted.position,
        rated=wanted.rated,
    )
    return setup, first_view(game, setup)


BOTS = (*LEVELS, "greedy", "random")
"""Who plays on a server: no bot whose settings could keep a process busy for as long as a guest likes."""


def check_bot(name: str, game: Game, options: Any) -> None:
    """Refuses a bot that does not play here, or not by these rules. Raises UnknownBot."""
    if name == PERFECT:
        if not has_table(game, options):
            raise UnknownBot(say("the bot perfect needs a table for these rules; astragal solve makes it"))
        return
    guests = own.levels(game)  # the host has installed or named them
    if name not in BOTS and name not in guests:
        known = ", ".join((*BOTS, *guests))
        raise UnknownBot(say("there is no bot {name!r}; the bots are: {bots}", name=name, bots=known))


def check_version(setup: Setup, game: Game) -> None:
    """Refuses a match that was set up under a version of its game which is no longer understood."""
    if not game.rules.spec.replays(setup.version):
        raise NotPossible(
            say(
                "it was played under version {theirs} of {game}; this program has version {ours}",
                theirs=setup.version,
                game=setup.game,
                ours=game.rules.spec.version,
            )
        )


def first_view(game: Game, setup: Setup) -> Any:
    """What a spectator sees before anything happened; its options are fit to be shown."""
    chosen, players = option_tools.convert(game.rules, setup.options, setup.version), len(setup.seats)
    if setup.position is not None:
        begun = game.rules.from_position(setup.position, chosen, players)
        if game.rules.turn(begun) == OVER:
            raise BadOptions("position", say("in this position the game is over"))
        return game.rules.observe(begun, None)
    return game.rules.observe(game.rules.initial(chosen, players), None)


def read(text: str) -> Setup:
    """A setup as it was stored."""
    return msgspec.json.decode(text, type=Setup)


def cleaned(text: str) -> str:
    """What a user wrote, without what only confuses: control characters, bare accents, spaces at the ends."""
    normal = unicodedata.normalize("NFC", text)
    return " ".join("".join(c if unicodedata.category(c)[0] != "C" else " " for c in normal).split())
