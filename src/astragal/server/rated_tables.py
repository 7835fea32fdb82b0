"""What a rated table must be like, and what a game says about its ratings."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from astragal.bots.levels import levels
from astragal.core import registry
from astragal.core.language import Text, noted, say
from astragal.core.rules import Game
from astragal.core.types import BadOptions
from astragal.play import clock
from astragal.ratings.fold import Scale
from astragal.server import own_data
from astragal.server.wire import Absence, NewMatch

OPEN = "open"
AWAY_SECONDS = 600  # after which a player loses who is away, where no clock runs and nothing else was agreed


def checked(wanted: NewMatch, game: Game) -> NewMatch:
    """A rated match as it is played: without help, and with an end. Raises BadOptions for what cannot be rated."""
    for option, refused, why in (
        ("position", wanted.position is not None, noted("a rated match begins at the beginning")),
        ("options", own_data.brings_own(wanted.options), noted("a rated match is played with what the game brings")),
        ("hints", bool(wanted.hints), noted("there are no hints in a rated match")),
        ("more_time", wanted.more_time, noted("nobody takes more time in a rated match")),
        ("seats", OPEN not in wanted.seats, noted("a rated match needs a player")),
        (
            "absence",
            wanted.absence is not None and wanted.absence.then == "bot",
            noted("whoever is away for too long loses a rated match; no bot plays on"),
        ),
    ):
        if refused:
            raise BadOptions(option, say(why))
    known = scale(game).anchors
    for plan in wanted.seats:
        if plan != OPEN and plan not in known:
            raise BadOptions("seats", _unknown(plan, known))
    absence = wanted.absence
    if absence is None and clock.parse(wanted.clock) == clock.Untimed():
        absence = Absence(seconds=AWAY_SECONDS, then="forfeit")
    return replace(wanted, hints=False, absence=absence)


def _unknown(plan: str, known: Mapping[str, float]) -> Text:
    bot = plan.removeprefix("bot:")
    if not known:
        return say("the bots of this game have no rating, so a rated match is one between people")
    names = ", ".join(name.removeprefix("bot:") for name in known)
    return say("the bot {bot} has no rating; rated bots are {bots}", bot=bot, bots=names)


def scale(game: Game) -> Scale:
    """Where the bots of a game stand, and what beginning is worth."""
    anchors = {f"bot:{id}": float(level.rating) for id, level in levels(game).items() if level.rating is not None}
    return Scale(anchors=anchors, advantage=game.first_advantage)


def scales() -> dict[str, Scale]:
    """Those of all games that are installed."""
    return {id: scale(game) for id, game in registry.games().items()}
