"""Why a bot chose: the terms of the heuristic that speak for its choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp
from typing import Any

from astragal.core.rules import Heuristic


def reasons(heuristic: Heuristic[Any], judged: Sequence[Mapping[str, float]], best: int) -> tuple[str, ...]:
    """The terms in which the choice is better than the average action, the strongest first."""
    gains = {
        term: value - sum(terms.get(term, 0.0) for terms in judged) / len(judged)
        for term, value in judged[best].items()
    }
    strongest = sorted((term for term in gains if gains[term] > 1e-6), key=lambda term: -gains[term])
    return tuple(heuristic.names[term] for term in strongest[:2])


def share(log_odds: float) -> float:
    """The share of the win that log-odds stand for."""
    return 1 / (1 + exp(-max(-500.0, min(500.0, log_odds))))
