"""The next match of the same players: who begins it, and under which options."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from astragal.core.language import say
from astragal.core.record import Seat, is_bot
from astragal.core.rules import BaseOptions, Game, Rematch
from astragal.core.types import Begins
from astragal.play.offers import NotPossible


def begins(seats: Sequence[Seat], rule: Rematch, chosen: int | None) -> Begins:
    """Who begins: the seat the rules name, or the one that was chosen by the seat that may. A bot picks itself."""
    if rule.chooser is None:
        if chosen is not None:
            raise NotPossible(say("the rules say who begins; nobody chooses"))
        return rule.begins
    if chosen is not None:
        if not 0 <= chosen < len(seats):
            raise NotPossible(say("there is no seat {seat}", seat=chosen + 1))
        return chosen
    if not is_bot(seats[rule.chooser]):
        raise NotPossible(say("seat {seat} must choose who begins", seat=rule.chooser + 1))
    return rule.chooser


def unseated(game: Game, options: BaseOptions, seats: Sequence[Seat]) -> BaseOptions:
    """The options without what `Rules.seated` made of them for these seats, so that others can sit down.

    An option counts as made by it if it would come out the same from the default.
    """
    plain = next(iter(game.rules.presets.values()))
    bots = [is_bot(seat) for seat in seats]
    for name in options.__struct_fields__:
        without = replace(options, **{name: getattr(plain, name)})
        if getattr(game.rules.seated(without, bots), name) == getattr(options, name):
            options = without
    return options
