"""What a hint says, the same in every client."""

from __future__ import annotations

from collections.abc import Sequence

from astragal.bots import Choice
from astragal.core.language import Text, say
from astragal.core.record import Seat
from astragal.core.rules import Game
from astragal.play import sentences


def advice(label: str, reasons: Sequence[str], legal: int) -> Text:
    """What a bot would do, and in one sentence why."""
    what = label[:1].upper() + label[1:]
    if legal == 1:
        return say("{what}: there is nothing else to do.", what=what)
    if reasons:
        return say("{what}. Why: {reasons}.", what=what, reasons=", ".join(reasons))
    return say("{what}. The other moves are about as good.", what=what)


def stand_in(choice: Choice, asked: str, game: Game) -> Text | None:
    """Who advises in the place of the bot that was asked, and why; None where that one advises itself."""
    if not choice.by:
        return None
    if choice.fault is not None:
        return say("This hint is from the bot {by}: {fault}.", by=choice.by, fault=choice.fault)
    called = sentences.player(Seat(f"bot:{asked}"), game)
    return say("This hint is from the bot {by}: {bot} is still being prepared.", by=choice.by, bot=called)


def knowledge(away: Sequence[str]) -> Text:
    """The help for somebody who has to know something: nobody guesses for them."""
    if away:
        return say("Two wrong answers are taken away. The rest you have to know.")
    return say("No hint is fair here: this you have to know yourself.")
