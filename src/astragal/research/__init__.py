"""Games as researchers want them: batches over arrays, the usual interfaces, data, and exact values to measure with.

>>> from astragal import research
>>> games = research.vector("ur", 1000)
>>> step = games.step(games.sample())
>>> step.observation.shape
(1000, 45)

The adapters (`research.gym`, `research.zoo`, `research.spiel`) want the extra `research` and are imported by name.
"""

from astragal.research.batch import IllegalBatch, Outcomes, Step, Vector, vector
from astragal.research.device import BadDevice
from astragal.research.exact import Regret, regret
from astragal.research.space import Space
from astragal.research.table import Table

__all__ = [
    "BadDevice",
    "IllegalBatch",
    "Outcomes",
    "Regret",
    "Space",
    "Step",
    "Table",
    "Vector",
    "regret",
    "vector",
]
