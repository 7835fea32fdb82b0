"""The modern game keeps every law of the contract, under all its options."""

from __future__ import annotations

import pytest

import astragal
from astragal.core.conform import check


@pytest.fixture(autouse=True)
def _short_playouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Law 7 plays on from many states; a whole random game of this one takes thousands of plies."""
    monkeypatch.setattr("astragal.core.fast.MOST_PLIES", 200)


@pytest.mark.parametrize("games", [400, pytest.param(3000, marks=pytest.mark.long)])
def test_the_laws_hold_over_hundreds_of_random_games(games: int) -> None:
    report = check(astragal.game("ur-modern"), games=games, plies=60, share=0.02, seed=11)
    assert report.ok, report
    assert min(report.asked[law] for law in range(1, 7)) > games, report


def test_the_laws_hold_deep_into_long_games() -> None:
    report = check(astragal.game("ur-modern"), games=16, plies=1200, share=0.02, seed=5)
    assert report.ok, report
    assert report.finished > 0, report
