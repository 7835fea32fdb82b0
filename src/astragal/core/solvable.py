"""What a game brings so that it can be solved: a number for every position, and an order to work through them.

Solvable are games for two without secrets in which every decision follows a throw. Positions are those in which a throw
is to come, seen from the side to throw; ranks number them without gaps. `astragal.solve` does the rest.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from astragal.core.fast import Array
from astragal.core.types import AstragalError


class IndexKernels(NamedTuple):
    """The compiled part of an index. `index` is the tuple of arrays `Index.arrays`."""

    rank: Callable[[Array, Any, Any], int]
    """rank(state, tables, index): the rank of a packed state in which a throw is to come."""
    unrank: Callable[[int, Any, Any, Array], None]
    """unrank(rank, tables, index, state): fills in the packed state of this rank, with seat 0 to throw."""
    visit: Callable[[int, int, Any], tuple[int, int, int]]
    """visit(code, k, index): the k-th position of a run as (rank, mine, theirs), for `backup`."""
    backup: Callable[..., int]
    """backup(code, mine, theirs, index, values, other, won, add, sign): the sum over all throws of their weight by the
    worth of the best action after it. A win is worth `won`; a position in which the same side throws again is worth its
    entry in `values`, one in which the other side throws `add + sign * other[rank]`."""
    store: Callable[[int, int, int, Any, Array, int], None] | None = None
    """store(rank, mine, theirs, index, values, value): writes the value of a position, if that is more than setting
    `values[rank]`; see `Index.twice`."""
    on_move: Callable[..., Any] | None = None
    """What fills the slot of that name, where a game's kernels have one; `backup` may use it to weigh moves."""
    on_first: Callable[..., Any] | None = None
    """The same where an action has two halves: it turns what moves are weighed by into that for the second half."""


class Waves(NamedTuple):
    """The positions of a block in an order that makes solving quick: what an action leads to comes first, if it can.

    A run is some positions that `visit` can list. A wave is some runs, one after the other. All positions of a wave are
    worked out from what was known before it, so that the result is the same on one core, on many, and on a GPU.
    """

    codes: Array  # of the runs
    lengths: Array  # how many positions each run has
    ends: Array  # for each wave, the number of the run after its last


class Block(NamedTuple):
    """Positions that need nothing but each other and the blocks before."""

    name: str
    spans: tuple[tuple[int, int], ...]  # ranges of ranks: first, and the one after the last


class Thumbs(NamedTuple):
    """Rules of thumb of a game, to be measured against perfect play (`solve.study`)."""

    names: tuple[str, ...]
    score: Callable[[int, Array, int, Array, Any], int]
    """score(rule, before, action, after, tables): what the rule thinks of an action, as packed states before and after
    it; it takes one of those with the highest score. 0: it has no opinion."""
    seat: int  # where a packed state has the seat to throw or to act


class Index(ABC):
    """The positions of one game under given options, numbered."""

    owner: ClassVar[str]  # the game's id
    kernels: ClassVar[IndexKernels]
    ends: ClassVar[bool]
    """Whether every game ends, whatever the players do; if not, values depend on what an unfinished game counts."""
    twice: ClassVar[bool] = False
    """Whether arrays of values have a second half, which `backup` reads and `store` fills in: the same values in an
    order that is better for memory."""
    effort: float = 50.0  # about how many microseconds of one core a position takes until it is solved
    thumbs: ClassVar[Thumbs]
    size: int  # ranks go from 0 to size - 1
    total: int  # what the weights of the throws add up to
    blocks: tuple[Block, ...]

    @property
    @abstractmethod
    def arrays(self) -> tuple[Any, ...]:
        """What the kernels work with. Whoever only asks for the mover does not need them."""

    @abstractmethod
    def mover(self, packed: Array) -> int:
        """The seat to throw in a packed state; -1 while the right to begin is still open, when it has no rank."""

    @abstractmethod
    def waves(self, block: Block) -> Waves:
        """In which order the positions of a block are worked through."""


class BadTable(AstragalError):
    """A file that is no table, or not the one that was asked for."""


class TableFormat(ABC):
    """Table files of another program for one game, for `astragal tables import` and `export`.

    Values are chances to win of the side to throw, from 0 to 1.
    """

    @abstractmethod
    def write(self, file: Path, options: Any, index: Index, values: Callable[[Array], Array]) -> None:
        """Writes a file; `values` gives those of some ranks. Raises BadTable where the rules do not fit."""

    @abstractmethod
    def about(self, file: Path) -> tuple[Any, str]:
        """The options that a file is for, and who made it. Raises BadTable."""

    @abstractmethod
    def read(self, file: Path, options: Any, index: Index) -> Iterator[tuple[Array, Array]]:
        """Ranks and their values, part by part until every rank was named. Raises BadTable."""
