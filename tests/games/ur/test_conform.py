"""Ur keeps the laws of the contract, under every pair of options."""

from __future__ import annotations

import pytest

import astragal
from astragal.core.conform import LAWS, check
from astragal.games.ur.options import Options


@pytest.mark.parametrize("games", [300, pytest.param(3000, marks=pytest.mark.long)])
def test_ur_keeps_every_law(games: int) -> None:
    report = check(astragal.game("ur"), games=games, share=0.02, seed=2, toy=Options(pieces=1, begins=0))
    assert report.ok, str(report)
    assert report.games == games
    assert report.finished > 0.99 * games, str(report)
    assert all(report.asked[law] for law in LAWS if law != 7), str(report)
