"""What a player can type besides moves: commands, in English and in the player's own language."""

from __future__ import annotations

from astragal.bots import own
from astragal.core.language import folded, meant, noted, say
from astragal.core.record import Seat
from astragal.core.types import BadOptions
from astragal.play.match import SEATS

# The command, and what it does.
COMMANDS = {
    noted("help"): noted("this list"),
    noted("moves"): noted("all moves you have"),
    noted("board"): noted("the table again"),
    noted("hint"): noted("a move a bot would make, and why"),
    noted("undo"): noted("take back to your last decision"),
    noted("count"): noted("count an answer that was refused, if all agree"),
    noted("draw"): noted("claim or agree on a draw"),
    noted("resign"): noted("give up"),
    noted("pause"): noted("rest; no clock runs"),
    noted("clock"): noted("how long everybody still has"),
    noted("seat"): noted("let another play on for you: human:NAME or bot:NAME follows"),
    noted("save"): noted("save the match; a file name may follow"),
    noted("rules"): noted("the rules of this game"),
    noted("quit"): noted("leave; asks whether to save"),
}


def command(typed: str, lang: str) -> tuple[str, str] | None:
    """The command and the rest of the line, if the line begins with one."""
    head, _, rest = typed.strip().partition(" ")
    name = meant(head, COMMANDS, lang)
    return None if name is None else (name, rest.strip())


def own_words(lang: str) -> list[str]:
    """The commands as this language calls them."""
    return [say(name).to(lang) for name in COMMANDS]


def seat(text: str) -> Seat:
    """Who shall sit there. Raises BadOptions."""
    kind, _, name = text.partition(":")
    if kind == "bot" and name:
        own.admit(name)
        return Seat(text)
    if kind == "human":
        return Seat("human", name[:80])
    raise BadOptions("seat", say("{value!r} is not one of {shape}", value=text, shape=SEATS))


def is_yes(answer: str, lang: str) -> bool:
    """Whether an answer means yes; just Enter does."""
    return folded(answer) in ("", "y", "yes", folded(say("yes").to(lang)), folded(say("yes").to(lang))[:1])
