"""What happened at the table, as sentences: for every client alike. What happened in the game its Presentation says."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from astragal.bots.levels import named
from astragal.core.language import Text, say, say_count
from astragal.core.levels import level_name
from astragal.core.record import (
    Answered,
    DrawAgreed,
    Entry,
    HandedOver,
    Offered,
    Paused,
    Resigned,
    Resumed,
    Seat,
    TimedOut,
    TookBack,
    What,
    is_bot,
)
from astragal.core.rules import Game


def player(who: Seat, game: Game) -> Text | str:
    """What to call whoever sits there."""
    if who.name or not is_bot(who):
        return who.name or say("human")
    bot = who.player.removeprefix("bot:")
    level = named(game, bot)
    return bot if level is None else say("{name} ({level})", name=level.name, level=level_name(bot))


def table_event(entry: Entry, name: Callable[[int], str], game: Game) -> Text:
    """An entry that is no action, draw or claim."""
    n = number(game)
    match entry:
        case Resigned(seat):
            return say_count(n, "{seat} resigns.", "{seat} resign.", seat=name(seat))
        case TimedOut(seat):
            return say_count(n, "{seat} has run out of time.", "{seat} have run out of time.", seat=name(seat))
        case DrawAgreed():
            return say("The players agree on a draw.")
        case TookBack(ply):
            return say("Taken back to ply {ply}.", ply=ply)
        case HandedOver(seat, to):
            return say_count(
                n,
                "{seat} is played by {player} from now on.",
                "{seat} are played by {player} from now on.",
                seat=name(seat),
                player=player(to, game),
            )
        case Offered(seat, what):
            return offer(what, name(seat), game)
        case Answered(seat, True):
            return say_count(n, "{seat} agrees.", "{seat} agree.", seat=name(seat))
        case Answered(seat, False):
            return say_count(n, "{seat} does not agree.", "{seat} do not agree.", seat=name(seat))
        case Paused():
            return say("The match is paused.")
        case Resumed():
            return say("The match goes on.")
    raise AssertionError(entry)


def number(game: Game) -> int:
    """The grammatical number of a seat's name, as `say_count` takes it: 1, or 2 where names are plurals (Samurai)."""
    return 2 if game.presentation.plural else 1


def offer(what: What, seat: str, game: Game) -> Text:
    """What a seat offers the others."""
    n = number(game)
    match what:
        case "draw":
            return say_count(n, "{seat} offers a draw.", "{seat} offer a draw.", seat=seat)
        case "takeback":
            return say_count(
                n, "{seat} would like to take a move back.", "{seat} would like to take a move back.", seat=seat
            )
        case "takeback-seen":
            return say_count(
                n,
                "{seat} would like to take a move back, although something was seen since.",
                "{seat} would like to take a move back, although something was seen since.",
                seat=seat,
            )
        case "pause":
            return say_count(n, "{seat} would like to pause.", "{seat} would like to pause.", seat=seat)
        case "resume":
            return say_count(n, "{seat} would like to go on.", "{seat} would like to go on.", seat=seat)
        case "count":
            return say_count(
                n,
                "{seat} would like the refused answer to count.",
                "{seat} would like the refused answer to count.",
                seat=seat,
            )


def outcome(result: Sequence[float], name: Callable[[int], str], game: Game) -> Text:
    """Who has won, by the seats' shares."""
    winners = [seat for seat, share in enumerate(result) if share == max(result)]
    if len(winners) == 1:
        return say_count(number(game), "{seat} wins.", "{seat} win.", seat=name(winners[0]))
    if len(winners) == len(result):
        return say("The match is drawn.")
    return say("Shared win: {seats}.", seats=", ".join(map(name, winners)))
