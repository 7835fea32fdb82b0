"""Ur keeps the laws of the contract, under every pair of options."""

from __future__ import annotations

import astragal
from astragal.core.conform import LAWS, check
from astragal.games.ur.options import Options


def test_ur_keeps_every_law() -> None:
    report = check(astragal.game("ur"), games=1200, share=0.02, seed=2, toy=Options(pieces=1, begins=0))
    assert report.ok, str(report)
    assert report.games == 1200
    assert report.finished > 1190, str(report)
    assert all(report.asked[law] for law in LAWS if law != 7), str(report)
