"""The golden reviews still come out as they are written."""

from __future__ import annotations

import msgspec
import pytest

from astragal.analysis.report import Review
from astragal.analysis.review import review
from astragal.core.record import Record
from tests.analysis.golden import FOLDER, records

RECORDS = dict(records())
OF_ESTIMATES = 0.02  # how far a search may come out elsewhere on another processor, in shares of the win


def test_no_golden_review_is_left_over() -> None:
    assert {file.stem for file in FOLDER.glob("*.json")} == set(RECORDS), "run `make golden`"


@pytest.mark.parametrize(("name", "record"), RECORDS.items())
def test_every_golden_review_is_as_written(name: str, record: Record) -> None:
    wanted = msgspec.json.decode((FOLDER / f"{name}.json").read_bytes(), type=Review)
    made = review(record, quick=True)
    near = 1e-4 if made.exact else OF_ESTIMATES
    assert (made.evaluator, made.exact, made.match) == (wanted.evaluator, wanted.exact, wanted.match)
    assert [(step.ply, step.seat, step.action, step.choices) for step in made.steps] == [
        (step.ply, step.seat, step.action, step.choices) for step in wanted.steps
    ]
    for one, other in zip(made.steps, wanted.steps, strict=True):
        assert one.before == pytest.approx(other.before, abs=near), one.ply
        assert one.after == pytest.approx(other.after, abs=near), one.ply
        if made.exact:
            assert one.best == other.best
    for seat, wished in zip(made.seats, wanted.seats, strict=True):
        assert seat.decisions == wished.decisions
        assert (seat.result, seat.start) == pytest.approx((wished.result, wished.start), abs=near)
        if made.exact:
            assert (seat.slips, seat.mistakes, seat.blunders) == (wished.slips, wished.mistakes, wished.blunders)
            assert seat.accuracy == pytest.approx(wished.accuracy, abs=0.01)
            assert (seat.luck, seat.loss) == pytest.approx((wished.luck, wished.loss), abs=1e-3)
    if made.exact:
        assert made.moments == wanted.moments
    assert [(one.seat, one.what, one.count) for one in made.dice] == [(d.seat, d.what, d.count) for d in wanted.dice]
    assert [one.ply for one in made.taken_back] == [one.ply for one in wanted.taken_back]
