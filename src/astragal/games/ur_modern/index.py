"""The modern game made solvable: how its positions are numbered (see `kernels_index`).

Pieces come and go and walk both ways, so that any position may lead to any other: all are one block.
"""

from __future__ import annotations

from math import comb

import numpy as np

from astragal.core.fast import Array
from astragal.core.solvable import Block, Index, IndexKernels, Waves
from astragal.games.ur_modern import kernels_index as k
from astragal.games.ur_modern import layout as at
from astragal.games.ur_modern.fast import tables
from astragal.games.ur_modern.kernels_thumbs import THUMBS
from astragal.games.ur_modern.options import Options

RUN = 1 << 12  # positions of a run
WAVE = 1 << 20  # positions of a wave


class UrModernIndex(Index):
    """All positions under some options."""

    owner = "ur-modern"
    kernels = IndexKernels(k.rank, k.unrank, k.visit, k.backup, k.store, k.consider, k.went_on)
    ends = False
    twice = True
    thumbs = THUMBS
    total = 16

    def __init__(self, options: Options) -> None:
        self.rules = tables(options)
        most = options.pieces
        one_entrance = self.rules[at.ENTRANCE] == self.rules[at.ENTRANCE + 1]
        self.effort = 250.0 if one_entrance else 90.0  # fights for one Entrance take longer to settle
        every = np.arange(1 << at.SQUARES, dtype=np.int64)
        sizes = np.bitwise_count(every)
        mirrored = (every & k.ROW_A) << k.FAR | every & k.ROW_B | every >> k.FAR
        named = every <= mirrored if one_entrance else np.ones(len(every), dtype=bool)
        classes = np.full(len(every), -1, dtype=np.int32)
        masks, first = [], [0]
        for n in range(most + 1):
            chosen = every[(sizes == n) & named]
            classes[chosen] = np.arange(len(chosen))
            masks.append(chosen)
            first.append(first[-1] + len(chosen))
        # Sets among m squares are the first of those among more, if they are sorted as numbers.
        sets = [every[sizes == m] for m in range(most + 1)]
        order = np.zeros(len(every), dtype=np.uint32)
        for chosen in sets:
            order[chosen] = np.arange(len(chosen))
        counts = range(most + 1)
        choices = np.array([[comb(at.SQUARES - n, m) for m in counts] for n in counts])
        classes[~named] = ~classes[mirrored[~named]]
        self.base = np.zeros((most + 1, most + 1), dtype=np.int64)
        place = 0
        for n in range(most + 1):
            for m in range(most + 1):
                self.base[n, m] = place
                place += len(masks[n]) * comb(at.SQUARES - n, m)
        self.size = place
        self.sizes = [len(chosen) for chosen in masks]
        self.most = most
        self.blocks = (Block("all", ((0, place),)),)
        self._arrays = (
            self.rules.astype(np.uint32),
            _by_group(self.base).astype(np.uint32),
            classes,
            np.concatenate(masks).astype(np.uint32),
            np.array(first),
            _by_group(choices).astype(np.int32),
            np.concatenate(sets).astype(np.uint32),
            np.cumsum([0, *(len(chosen) for chosen in sets)]),
            order,
        )

    @property
    def arrays(self) -> tuple[Array, ...]:
        return self._arrays

    def mover(self, packed: Array) -> int:
        return int(packed[at.SEAT])

    def waves(self, block: Block) -> Waves:
        """In the order of ranks, full boards first, since placing leads there."""
        codes, lengths = [], []
        groups = [(n, m) for n in range(self.most + 1) for m in range(self.most + 1)]
        for n, m in sorted(groups, key=lambda group: (-sum(group), group)):
            count = self.sizes[n] * comb(at.SQUARES - n, m)
            starts = np.arange(0, count, RUN)
            codes.append(self.base[n, m] + starts | (n << k.SIDE | m) << k.RUN_GROUP)
            lengths.append(np.minimum(RUN, count - starts))
        length = np.concatenate(lengths)
        waves = np.cumsum(length) // WAVE
        ends = np.append(np.flatnonzero(np.diff(waves)) + 1, len(length))
        return Waves(np.concatenate(codes), length, ends)


def _by_group(numbers: Array) -> Array:
    """A table by the pieces of both sides as one list."""
    made = np.zeros((k.GROUPS >> k.SIDE, 1 << k.SIDE), dtype=np.int64)
    made[: len(numbers), : len(numbers)] = numbers
    return made.ravel()
