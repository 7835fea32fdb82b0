"""What the author of a bot would test: that it plays by the rules, and that it is worth having."""

from __future__ import annotations

import astragal
from astragal.arena import contest, job, report
from astragal.bots import own
from patient import Patient


def test_it_beats_casual() -> None:
    game = astragal.game("ur")
    own.admit("patient:Patient")
    options = game.rules.options_type(pieces=4)
    wanted = job.make_job(game, ("patient:Patient", "casual"), players=2, options=options, seed="patient")
    with contest.arranged(wanted, job.rounds_for(100, 2)) as held:
        held.first()
        held.rest(lambda: None)
        [duel] = report.report(held).duels
    assert duel.share.low is not None
    assert duel.share.low > 0.5


def test_it_plays_both_games_of_ur_and_no_other() -> None:
    assert "patient:Patient" in own.levels(astragal.game("ur-modern"))
    assert "patient:Patient" not in own.levels(astragal.game("nile"))
    assert Patient.title == "Patience"
