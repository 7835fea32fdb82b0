"""A review does not depend on which side is called Light, nor on which side of the board is up."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from astragal.analysis.report import SLIP, Review
from astragal.analysis.review import review
from astragal.core.record import Acted, Drew, Record
from tests.analysis.matches import TWO, UR, match_of

MIRROR = str.maketrans("ac", "ca")


def mirrored(record: Record) -> Record:
    """The same match with the seats exchanged, on the board turned over: row a becomes row c."""
    entries = [
        msgspec.structs.replace(entry, seat=1 - entry.seat, action=_turned(entry.action))
        if isinstance(entry, Acted)
        else entry
        for entry in record.entries
    ]
    begins = record.header.options["begins"]
    header = msgspec.structs.replace(
        record.header,
        seats=record.header.seats[::-1],
        options={**record.header.options, "begins": 1 - begins},
    )
    assert record.result is not None
    assert all(isinstance(entry, Acted | Drew) for entry in entries)
    return Record(header=header, entries=tuple(entries), result=record.result[::-1])


def _turned(action: str) -> str:
    return action if action == "pass" else "-".join(_square(part) for part in action.split("-"))


def _square(part: str) -> str:
    return part if part in ("in", "off") else part.translate(MIRROR)


def same(made: Review, other: Review, near: float) -> None:
    for step, turned in zip(made.steps, other.steps, strict=True):
        assert step.before == pytest.approx(turned.before[::-1], abs=near)
        assert step.after == pytest.approx(turned.after[::-1], abs=near)
        assert step.action == (turned.action if step.seat < 0 else _turned(turned.action))
    for one, opposite in zip(made.seats, other.seats[::-1], strict=True):
        assert (one.luck, one.loss, one.gained) == pytest.approx(
            (opposite.luck, opposite.loss, opposite.gained), abs=near * len(made.steps)
        )
        if near < SLIP:  # else what is near a threshold may fall on either side
            assert one.accuracy == pytest.approx(opposite.accuracy, abs=0.1)
            assert (one.slips, one.mistakes, one.blunders) == (opposite.slips, opposite.mistakes, opposite.blunders)
    if near < SLIP:
        assert made.moments == other.moments
    assert [(d.count, d.mean, d.unusual) for d in made.dice] == [(d.count, d.mean, d.unusual) for d in other.dice[::-1]]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_by_the_table(seed: int) -> None:
    record = match_of("greedy", "random", options=msgspec.structs.replace(TWO, begins=0), seed=seed)
    same(review(record), review(mirrored(record)), 1e-9)


@pytest.mark.parametrize(
    ("preset", "changes", "evaluator", "near"),
    [("finkel", {"pieces": 4}, "network", 1e-6), ("blitz", {"pieces": 7, "safe_rosettes": True}, "heuristic", 0.03)],
)
def test_by_estimates(preset: str, changes: dict[str, Any], evaluator: str, near: float) -> None:
    """With these rules there is no table here. A search that is limited visits the two boards in different orders."""
    options = msgspec.structs.replace(UR.rules.presets[preset], **changes, begins=1)
    record = match_of("greedy", "random", options=options, seed=5)
    made = review(record, quick=True)
    assert (made.evaluator, made.exact) == (evaluator, False)
    same(made, review(mirrored(record), quick=True), near)
