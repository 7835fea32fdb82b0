"""What a solution takes, said before; and how far it is, said while it goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

import astragal
from astragal.games.ur.options import Options
from astragal.solve import estimate
from astragal.solve.estimate import Estimate, Meter
from astragal.solve.iterate import Progress
from astragal.solve.job import Job

UR = astragal.game("ur")


def test_the_share_that_is_done_grows_to_the_end(tmp_path: Path) -> None:
    job = Job(UR, Options(pieces=3), tmp_path, precision=1e-4)
    meter = Meter(job.index, job.precision)
    shares: list[float] = []

    def tell(progress: Progress) -> None:
        meter.update(progress)
        shares.append(meter.share)

    assert meter.seconds_left() is None
    job.run(tell)
    assert shares == sorted(shares)
    assert 0 <= shares[0] < 0.01
    assert 0.9 < shares[-1] <= 1
    assert len({round(share, 2) for share in shares}) > 20  # it moves within blocks too
    left = meter.seconds_left()
    assert left is not None
    assert left >= 0


def test_a_solution_that_goes_on_does_not_begin_at_nothing() -> None:
    assert UR.index is not None
    index = UR.index(Options(pieces=3))
    assert Meter(index, 1e-6).share == 0
    assert (
        Meter(index, 1e-6, 5).share
        == sum(stop - start for block in index.blocks[:5] for start, stop in block.spans) / index.size
    )


def test_what_does_not_fit_is_refused_with_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fits = Estimate(1, 1, 1, 1, 1.0)
    assert estimate.refusal(fits, tmp_path / "not" / "yet") is None
    full = estimate.refusal(Estimate(1, 1, 1, 1 << 60, 1.0), tmp_path)
    assert "MB are free" in str(full)
    large = estimate.refusal(Estimate(1, 1, 1 << 60, 1, 1.0), tmp_path)
    assert "MB of memory" in str(large)
    monkeypatch.setattr(estimate, "memory", lambda: None)  # a system that does not say
    assert estimate.refusal(Estimate(1, 1, 1 << 60, 1, 1.0), tmp_path) is None


def test_seven_pieces_take_what_was_promised() -> None:
    assert UR.index is not None
    wanted = estimate.estimate(UR.index(Options()), 8)
    assert wanted.table <= 140_000_000
    assert wanted.memory <= 4_000_000_000
    assert wanted.positions == 137_870_097
