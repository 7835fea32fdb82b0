"""What happened at the table, as sentences: for every client alike. What happened in the game its Presentation says."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from astragal.core.language import Text, say
from astragal.core.record import DrawAgreed, Entry, HandedOver, Resigned, Seat, TimedOut, TookBack


def player(who: Seat) -> Text | str:
    """What to call whoever sits there."""
    bot = who.player.removeprefix("bot:") if who.player.startswith("bot:") else ""
    return who.name or bot or say("human")


def table_event(entry: Entry, name: Callable[[int], str]) -> Text:
    """An entry that is no action, draw or claim."""
    match entry:
        case Resigned(seat):
            return say("{seat} resigns.", seat=name(seat))
        case TimedOut(seat):
            return say("{seat} has run out of time.", seat=name(seat))
        case DrawAgreed():
            return say("The players agree on a draw.")
        case TookBack(ply):
            return say("Taken back to ply {ply}.", ply=ply)
        case HandedOver(seat, to):
            return say("{seat} is played by {player} from now on.", seat=name(seat), player=player(to))
    raise AssertionError(entry)


def outcome(result: Sequence[float], name: Callable[[int], str]) -> Text:
    """Who has won, by the seats' shares."""
    winners = [seat for seat, share in enumerate(result) if share == max(result)]
    if len(winners) == 1:
        return say("{seat} wins.", seat=name(winners[0]))
    if len(winners) == len(result):
        return say("The match is drawn.")
    return say("Shared win: {seats}.", seats=", ".join(map(name, winners)))
