"""Dice statistics of a match: what each seat threw or drew, what was to be expected, and how unusual that is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from astragal.analysis.report import Dice, Face
from astragal.core.line import Ply
from astragal.core.rules import AnyRules
from astragal.core.types import CHANCE


def statistics(rules: AnyRules, plies: Iterable[Ply]) -> tuple[Dice, ...]:
    """One entry for every seat and everything it threw, in the order of seats."""
    tallies: dict[tuple[int, str], _Tally] = {}
    for ply in plies:
        fell = rules.thrown(ply.before, ply.action) if ply.seat == CHANCE else None
        if fell is None:
            continue
        outcomes = rules.chance(ply.before)
        total = sum(weight for _, weight in outcomes)
        falls = []
        for action, weight in outcomes:
            possible = rules.thrown(ply.before, action)
            assert possible is not None  # noqa: S101  all outcomes of one throw are throws
            falls.append((possible.face, possible.value, weight / total))
        tallies.setdefault((fell.seat, fell.what), _Tally()).add(fell.face, fell.value, falls)
    return tuple(tally.told(seat, what) for (seat, what), tally in sorted(tallies.items(), key=lambda one: one[0]))


class _Tally:
    """What one seat threw so far."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()
        self._expected: dict[str, float] = {}
        self._values: list[float] = []
        self._falls: list[Sequence[tuple[str, float, float]]] = []

    def add(self, face: str, value: float, falls: Sequence[tuple[str, float, float]]) -> None:
        """One throw, and everything it could have been: face, value and probability."""
        self._seen[face] += 1
        self._values.append(value)
        self._falls.append(falls)
        for possible, _, chance in falls:
            self._expected[possible] = self._expected.get(possible, 0.0) + chance

    def told(self, seat: int, what: str) -> Dice:
        count = len(self._values)
        faces = sorted(self._expected, key=_order) if "" not in self._expected else []
        return Dice(
            seat=seat,
            what=what,
            count=count,
            mean=sum(self._values) / count,
            expected=sum(chance * value for falls in self._falls for _, value, chance in falls) / count,
            unusual=_tail(
                sum(self._values), [[(value, chance) for _, value, chance in falls] for falls in self._falls]
            ),
            faces=tuple(Face(face=face, seen=self._seen[face], expected=self._expected[face]) for face in faces),
        )


def _order(face: str) -> float:
    """Numbers by their size; names keep the order in which the rules list them."""
    return float(face) if face.isdigit() else 0.0


def _tail(total: float, throws: Sequence[Sequence[tuple[float, float]]]) -> float:
    """The probability that these throws sum to something at least as far from the expected sum as `total`.

    Exact where the throws do not depend on each other, as those of dice. Tiles drawn from a bag do, a little.
    """
    spread, lowest = np.ones(1), 0
    for throw in throws:
        doubled = [(round(2 * value), chance) for value, chance in throw]
        least = min(value for value, _ in doubled)
        one = np.zeros(max(value for value, _ in doubled) - least + 1)
        for value, chance in doubled:
            one[value - least] += chance
        spread, lowest = np.convolve(spread, one), lowest + least
    sums = (lowest + np.arange(len(spread))) / 2
    mean = float(sums @ spread)
    return min(1.0, float(spread[np.abs(sums - mean) >= abs(total - mean) - 1e-6].sum()))
