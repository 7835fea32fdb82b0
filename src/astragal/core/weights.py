"""What the features of a game's heuristic weigh: numbers from a data file, written by `tools/tune.py`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

from msgspec import Struct

from astragal.core.data import load_toml
from astragal.core.language import say
from astragal.core.types import BadFile


class Weights(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of weights. `tuned` says in one line from what they come."""

    tuned: str
    weights: dict[str, float]


def load(file: Path, names: Collection[str]) -> Mapping[str, float]:
    """The weights of just these features, in their order. Raises BadFile."""
    weights = load_toml(file, Weights).weights
    for name in [*weights, *names]:
        if name not in weights or name not in names:
            raise BadFile(str(file), None, say("{name!r} needs one feature and one weight", name=name))
    return {name: weights[name] for name in names}
