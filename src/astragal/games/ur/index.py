"""Ur made solvable: how its positions are numbered (see `kernels_index`), and in which order they are worked out.

A block holds the positions in which the two sides have given numbers of pieces left, in either order; a piece that goes
home leads to a block before it. Within a block every move brings a piece forward, except that a capture sends one back.
So positions are worked out from the most advanced to the least: only captures, and passing, need what is not yet known.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from itertools import combinations
from math import comb

import numpy as np

from astragal.core.fast import Array
from astragal.core.language import say
from astragal.core.solvable import Block, Index, IndexKernels, Waves
from astragal.core.types import AstragalError
from astragal.games.ur import kernels_index as k
from astragal.games.ur import layout as at
from astragal.games.ur.board import track
from astragal.games.ur.fast import tables
from astragal.games.ur.kernels_thumbs import THUMBS
from astragal.games.ur.options import Options

MOST_SQUARES = 16  # of the lane, and private ones of a side: fields of a word
NOWHERE = np.iinfo(np.int64).max


class UrIndex(Index):
    """All positions under some options, for up to as many pieces as these say."""

    owner = "ur"
    kernels = IndexKernels(k.rank, k.unrank, k.visit, k.backup)
    ends = True
    effort = 18.0
    thumbs = THUMBS

    def __init__(self, options: Options) -> None:
        ways = track(options.path)
        steps = range(1, ways.home)
        meets = ways.meets[0]
        self.lane = [step for step in steps if meets[step] > 0]
        self.private = [step for step in steps if meets[step] <= 0]
        if max(len(self.lane), len(self.private)) > MOST_SQUARES:
            raise AstragalError(
                say(
                    "a board can be solved if at most {n} squares are common and at most {n} a side's own",
                    n=MOST_SQUARES,
                )
            )
        self.pieces = options.pieces
        self.meets = meets
        self.rules = tables(options)
        self.total = int(self.rules[at.DICE : at.MET].sum())
        self._number_private()
        self._number_lane()
        self._number_groups()
        self._home = ways.home

    @cached_property
    def arrays(self) -> tuple[Array, ...]:
        """What the kernels work with; made when they are first asked, since a long lane takes seconds."""
        half = (len(self.lane) + 1) // 2
        low = 1 << half
        squeeze = np.array([_squeezed(x, y) for x in range(low) for y in range(low)])
        walk, classes = self._patterns
        return (
            self.rules, self._words(self._home), self.base, self.fits, self.private_order, self.lanes, self.choices,
            self.order, squeeze, np.array([half]), walk, classes, self.private_squares,
        )  # fmt: skip

    def _words(self, home: int) -> Array:
        """What each step of a side sets in its word; nothing for the pool and for home."""
        words = np.zeros(home + 1, dtype=np.int64)
        theirs = {met: place for place, met in enumerate(sorted(self.meets[step] for step in self.lane))}
        mine = {step: place for place, step in enumerate(self.lane)}
        for place, step in enumerate(self.private):
            words[step] = 1 << place
        for step in self.lane:
            # a square's place on the lane as its own side counts, and as the other side counts
            words[step] = (1 << mine[step] << k.OWN_LANE) | (1 << theirs[self.meets[step]] << k.SEEN_LANE)
        return words

    def _number_private(self) -> None:
        """Sets of private squares, the small ones first."""
        places = range(len(self.private))
        sets = [chosen for size in range(self.pieces + 1) for chosen in combinations(places, size)]
        self.private_order = np.zeros(1 << len(self.private), dtype=np.int64)
        self.private_order[[_mask(chosen) for chosen in sets]] = np.arange(len(sets))
        self.private_squares = np.array([_mask(self.private[place] for place in chosen) for chosen in sets])
        self.private_walked = np.array([sum(self.private[place] for place in chosen) for chosen in sets])
        sizes = [len(chosen) for chosen in sets]
        self.fits = np.array([sum(size <= free for size in sizes) for free in range(self.pieces + 1)])

    def _number_lane(self) -> None:
        """How many patterns of both sides' pieces the lane has."""
        squares, most = len(self.lane), self.pieces
        self.order = np.zeros(1 << squares, dtype=np.int64)  # of sets of the same size
        for size in range(squares + 1):
            chosen = sorted(_mask(places) for places in combinations(range(squares), size))
            self.order[chosen] = np.arange(len(chosen))
        sizes = range(most + 1)
        self.choices = np.array([[comb(max(squares - i, 0), j) for j in sizes] for i in sizes])
        self.lanes = np.array([[comb(squares, i) * comb(max(squares - i, 0), j) for j in sizes] for i in sizes])

    @cached_property
    def _patterns(self) -> tuple[Array, Array]:
        """Each group's patterns on the lane from the most advanced on, and the classes that walked equally far."""
        squares, most = len(self.lane), self.pieces
        walk: list[tuple[int, int, int]] = []
        classes: list[tuple[int, int, int, int, int]] = []  # first in `walk`, how many, i, j, steps walked
        for i in range(min(most, squares) + 1):
            for j in range(min(most, squares - i) + 1):
                patterns = []
                for x in combinations(range(squares), i):
                    free = [place for place in range(squares) if place not in x]
                    for y in combinations(free, j):
                        mine = [self.lane[place] for place in x]
                        theirs = [self.meets[self.lane[place]] for place in y]
                        bits = _mask(x)
                        pattern = self.order[bits] * self.choices[i, j] + self.order[_squeezed(bits, _mask(y))]
                        patterns.append((sum(mine) + sum(theirs), int(pattern), _mask(mine), _mask(theirs)))
                patterns.sort()
                for walked in sorted({pattern[0] for pattern in patterns}):
                    same = [pattern[1:] for pattern in patterns if pattern[0] == walked]
                    classes.append((len(walk), len(same), i, j, walked))
                    walk += same
        return np.array(walk), np.array(classes)

    def _number_groups(self) -> None:
        """The first rank of each group, block by block."""
        size = self.pieces + 1
        self.base = np.full((size, size, size, size), NOWHERE)
        blocks, place = [], 0
        pairs = [(one, two) for one in range(1, size) for two in range(1, one + 1)]
        for one, two in sorted(pairs, key=lambda pair: (sum(pair), pair)):
            spans = []
            for left, other in dict.fromkeys([(one, two), (two, one)]):
                begin = place
                for i in range(left + 1):
                    for j in range(other + 1):
                        if self.lanes[i, j]:
                            self.base[left, other, i, j] = place
                            place += int(self.lanes[i, j] * self.fits[left - i] * self.fits[other - j])
                spans.append((begin, place))
            blocks.append(Block(f"{one}-{two}", tuple(spans)))
        self.blocks, self.size = tuple(blocks), place

    def mover(self, packed: Array) -> int:
        return int(packed[at.SEAT]) if packed[at.OPENING] == 0 else -1

    def waves(self, block: Block) -> Waves:
        one, two = map(int, block.name.split("-"))
        codes, lengths, walked = [], [], []
        for left, other in dict.fromkeys([(one, two), (two, one)]):
            for which, (_, length, i, j, steps) in enumerate(self._patterns[1].tolist()):
                if i > left or j > other:
                    continue
                a = np.arange(self.fits[left - i])[:, None]
                b = np.arange(self.fits[other - j])[None, :]
                fixed = which << k.RUN_CLASS | left << k.RUN_LEFT | other << k.RUN_OTHER
                codes.append((a | b << k.RUN_B | fixed).ravel())
                walked.append((self.private_walked[a] + self.private_walked[b] + steps).ravel())
                lengths.append(np.full(codes[-1].shape, length))
        levels = np.concatenate(walked).astype(np.int16)  # of small numbers, which are sorted quickly
        order = np.argsort(-levels, kind="stable")
        levels = levels[order]
        ends = np.append(np.flatnonzero(np.diff(levels)) + 1, len(levels))
        return Waves(np.concatenate(codes)[order], np.concatenate(lengths)[order], ends)


def _mask(places: Iterable[int]) -> int:
    return sum(1 << place for place in places)


def _squeezed(x: int, y: int) -> int:
    """The bits of y without those places that x has."""
    made = place = 0
    for bit in range(max(x.bit_length(), y.bit_length())):
        if not x >> bit & 1:
            made |= (y >> bit & 1) << place
            place += 1
    return made
