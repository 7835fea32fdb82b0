"""A heuristic whose features are a kernel: compiled for search, uncompiled where a hint explains itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from astragal.core.rules import AnyRules, Heuristic
from astragal.core.weights import load

if TYPE_CHECKING:
    from astragal.core.fast import Fast


class Feature(NamedTuple):
    """One thing that a heuristic looks at."""

    name: str
    reason: str  # why a player may like it: a key of the catalogue
    meaning: str  # what its number says


class KernelHeuristic(Heuristic[Any]):
    """The features of `Fast.source.features`, in the order of `features`, by the weights of a data file.

    A view is packed by way of some state that fits it. Which one does not matter: what a seat cannot know must make no
    difference to its features, and law 7 of `conform` checks that. States must have their options as `options`.
    """

    def __init__(
        self,
        rules: AnyRules,
        fast: Callable[[Any, int], Fast[Any, Any]],
        features: Sequence[Feature],
        weights: Path,
        *,
        prior_temperature: float = Heuristic.prior_temperature,
    ) -> None:
        self.prior_temperature = prior_temperature
        self.names: Mapping[str, str] = {feature.name: feature.reason for feature in features}
        self.weights: Mapping[str, float] = load(weights, self.names)
        self._rules = rules
        self._fast = lru_cache(maxsize=32)(fast)

    def features(self, v: Any, seat: int) -> Mapping[str, float]:
        return self.features_in(self._rules.resample(v, Random(0)), seat)

    def features_in(self, s: Any, seat: int) -> Mapping[str, float]:
        """The features of this seat's view of a state."""
        fast = self._fast(s.options, len(self._rules.returns(s)))
        return dict(zip(self.names, fast.plain_features(s, seat, len(self.names)), strict=True))

    def terms_in(self, rules: AnyRules, s: Any, seat: int) -> Mapping[str, float]:
        return {name: self.weights[name] * value for name, value in self.features_in(s, seat).items()}
