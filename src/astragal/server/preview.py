"""Looking ahead: what a seat would see after actions of its own, and the setup of the next match."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from astragal.core import options as option_tools
from astragal.core.language import say
from astragal.core.record import is_bot
from astragal.play.match import Match
from astragal.server.problems import Problem
from astragal.server.setup import OPEN, Setup


def preview(match: Match, seat: int, texts: Sequence[str], rng: Random) -> Any:
    """What the seat would see after these actions of its own, as far as it can know that now."""
    match.check_turn(seat)
    rules, view = match.game.rules, match.view(seat)
    state = rules.resample(view, rng)  # not the truth: a preview must not tell what is hidden
    for text in texts:
        if rules.turn(state) != seat:
            raise Problem("not_possible", say("before {text!r} something happens that nobody can foresee", text=text))
        action = rules.decode(state, text)
        if not rules.accepts(state, action):
            rules.apply(state, action)  # raises under the rule that forbids it
            raise Problem("not_possible", say("that is not an action but a claim"))
        state = rules.apply(state, action)
    return rules.observe(state, seat)


def next_setup(match: Match, setup: Setup, begins: int | None) -> Setup:
    """The setup of the next match of the same players; `begins` where a seat chose who does."""
    bots = [is_bot(who) for who in match.seats]
    chosen = match.rematch_options(begins)
    return msgspec.structs.replace(
        setup,
        version=match.game.rules.spec.version,  # these are options of today, whatever the last match had
        options=option_tools.to_plain(match.game.rules.seated(chosen, bots)),
        seats=tuple(who.player if bot else OPEN for who, bot in zip(match.seats, bots, strict=True)),
    )
