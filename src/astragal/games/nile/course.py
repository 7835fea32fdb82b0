"""The river on its board: where it stands, and where it may go next (NI-3 to NI-7, NI-12, NI-15, NI-16)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from astragal.core.language import noted
from astragal.games.nile.actions import Lay
from astragal.games.nile.board import Board, BoardName, Grid, grid
from astragal.games.nile.options import Options
from astragal.games.nile.score_sheet import Laid
from astragal.games.nile.tiles import KINDS, NE, NW, UNIVERSAL, E, Kind, N, S, W, exits, kind_between, opposite


class Obstacle(NamedTuple):
    """Why the river may not go that way: the rule, and a sentence (English, a key of the catalogue)."""

    rule: str
    why: str


USED_CORNER = Obstacle("NI-5", noted("the river has used that corner before"))
DEAD_END = Obstacle("NI-6", noted("the river could not go on: that field is taken"))
SHUT_IN = Obstacle("NI-6", noted("the river would be shut in, and you would hold no universal to break out"))
BORDER = Obstacle("NI-7", noted("the river may touch the border only at its start and its goal"))
BOARD_CORNER = Obstacle("NI-7", noted("the river never touches a corner of the board"))
LEAVES_BLUE = Obstacle("NI-12", noted("the river cannot leave the blue fields again"))
UNFINISHED = Obstacle("NI-12", noted("blue may be entered only in a turn that ends the river"))
NO_CROSSING = Obstacle("NI-15", noted("there is no tile to cross in that direction"))
NO_UNIVERSAL = Obstacle("NI-15", noted("a crossing takes a universal besides the tile that leads to it"))
MEETS_LINE = Obstacle("NI-15", noted("the river would run along its own line instead of crossing it"))
NO_FAR_SIDE = Obstacle("NI-15", noted("the field beyond the crossing is not free"))
FIXED = Obstacle("NI-16", noted("a universal on the board cannot be replaced"))

ALONG_BLUE = (E, W)
ENDINGS = (NW, N, NE)


class Course:
    """A river as far as it has come. It never changes; `after` gives the next one.

    The head is the empty field that the river enters next, and its entry the point at which it does (NI-3); a river
    that has ended has the head -1. Sets of fields and of corners are integers, as `board.Grid` explains.
    """

    __slots__ = ("corners", "entry", "grid", "head", "occupied", "tiles")

    def __init__(
        self, grid: Grid, head: int, entry: int, occupied: int, corners: int, tiles: dict[int, tuple[Kind, int]]
    ) -> None:
        self.grid = grid
        self.head = head
        self.entry = entry
        self.occupied = occupied
        self.corners = corners
        self.tiles = tiles  # on each covered field: the kind that lies there, and the set of points its lines use

    @property
    def on_blue(self) -> bool:
        """Whether the next tile lies on a blue field."""
        return self.head in self.grid.blue

    @property
    def committed(self) -> bool:
        """Whether a tile lies on blue already, and the river has not ended."""
        return self.on_blue and self.occupied & self.grid.goal != 0

    def after(self, field: int, tile: Kind, entry: int, exit: int) -> Course:
        """The river after one more tile, which may take the place of another (a crossing)."""
        corners = self.corners
        if exit % 2:
            corners |= 1 << self.grid.corner(field, exit)
        points = 1 << entry | 1 << exit
        if field in self.tiles:
            points |= self.tiles[field][1]
        tiles = self.tiles | {field: (tile, points)}
        head = self.grid.beyond[field][exit]
        return Course(self.grid, head, opposite(exit), self.occupied | 1 << field, corners, tiles)

    def led(self, tile: Kind, exit: int, crossing: bool) -> Course:
        """The river after a tile on its head, and after the universal of a crossing too."""
        led = self.after(self.head, tile, self.entry, exit)
        return led.after(led.head, UNIVERSAL, led.entry, opposite(led.entry)) if crossing else led

    def fault(self, exit: int, crossing: bool = False) -> Obstacle | None:
        """What forbids the river to leave the head field at this point, whoever lays the tile."""
        grid, head = self.grid, self.head
        if head in grid.blue and exit not in ALONG_BLUE:  # NI-12
            if exit not in ENDINGS:
                return LEAVES_BLUE
            if (head, exit) in grid.top_corners:
                return BOARD_CORNER
            return NO_CROSSING if crossing else None
        onto = grid.beyond[head][exit]
        if onto < 0:
            return BORDER
        if exit % 2 and self.corners >> grid.corner(head, exit) & 1:
            return USED_CORNER
        if crossing:
            return self._crossing_fault(onto, opposite(exit))
        return DEAD_END if self.occupied >> onto & 1 else None

    def _crossing_fault(self, field: int, entry: int) -> Obstacle | None:
        """NI-15, NI-16: what forbids a universal on this field to let the river run straight through."""
        if field not in self.tiles:
            return NO_CROSSING
        tile, points = self.tiles[field]
        exit = opposite(entry)
        if tile == UNIVERSAL:
            return FIXED
        if points & (1 << entry | 1 << exit):
            return MEETS_LINE
        if exit % 2 and self.corners >> self.grid.corner(field, exit) & 1:
            return USED_CORNER
        far = self.grid.beyond[field][exit]
        return None if far >= 0 and not self.occupied >> far & 1 else NO_FAR_SIDE

    def shut_in(self) -> bool:
        """Whether no way over empty fields leads from the head to an empty blue field (NI-6)."""
        grid = self.grid
        free = grid.everywhere & ~self.occupied
        reached = 1 << self.head
        while not reached & grid.goal:
            grown = grid.spread(reached, free, self.corners)
            if grown == reached:
                return True
            reached = grown
        return False

    def can_end(self, rack: tuple[Kind, ...]) -> bool:
        """Whether these tiles can end a river whose head is blue, one after the other."""
        for kind in set(rack):
            rest = without(rack, kind)
            for exit in exits(self.entry, kind):
                if self.fault(exit) is None and (exit in ENDINGS or self.led(kind, exit, False).can_end(rest)):
                    return True
        return False

    def play_fault(self, lay: Lay, rack: tuple[Kind, ...], options: Options) -> Obstacle | None:
        """What forbids this player, with this rack before the play, to lead the river this way."""
        fault = self.fault(lay.exit, lay.crossing)
        if fault is not None:
            return fault
        rest = without(rack, lay.tile)
        if lay.crossing:
            if UNIVERSAL not in rest:
                return NO_UNIVERSAL
            rest = without(rest, UNIVERSAL)
        if self.on_blue and lay.exit in ENDINGS:
            return None
        led = self.led(lay.tile, lay.exit, lay.crossing)
        if options.encircle == "universal" and UNIVERSAL not in rest and led.shut_in():
            return SHUT_IN
        if self.on_blue and options.blue_finish == "same_turn" and not led.can_end(rest):
            return UNFINISHED
        return None


def without(rack: tuple[Kind, ...], kind: Kind) -> tuple[Kind, ...]:
    """A rack after one tile of this kind has left it."""
    place = rack.index(kind)
    return rack[:place] + rack[place + 1 :]


STRIDE = 200  # tiles that are followed at a time, so that the longest river of a host's own set is no deep recursion


def course(board: BoardName | Board, river: tuple[Laid, ...]) -> Course:
    """The river that these tiles make, laid in this order."""
    for tiles in range(STRIDE, len(river), STRIDE):
        _course(board, river[:tiles])
    return _course(board, river)


@lru_cache(maxsize=4096)
def _course(board: BoardName | Board, river: tuple[Laid, ...]) -> Course:
    ground = grid(board)
    if not river:
        return Course(ground, ground.start, S, 0, 0, {})
    last = river[-1]
    return _course(board, river[:-1]).after(ground.number[last.field], last.tile, last.entry, last.exit)


@lru_cache(maxsize=1024)
def plays(river: Course, rack: tuple[Kind, ...], options: Options) -> tuple[Lay, ...]:
    """Every way in which this rack can lead the river on by one act."""
    return tuple(lay for lay in _candidates(river, rack) if river.play_fault(lay, rack, options) is None)


def _candidates(river: Course, rack: tuple[Kind, ...]) -> Iterator[Lay]:
    """Every line the rack could draw from the head, alone and as the lead of a crossing."""
    if river.head < 0:
        return
    name, entry = river.grid.names[river.head], river.entry
    for kind in KINDS:
        if kind not in rack:
            continue
        cross = rack.count(UNIVERSAL) > (kind == UNIVERSAL)
        for exit in exits(entry, kind):
            stands = kind_between(entry, exit) if kind == UNIVERSAL else None
            yield Lay(name, kind, exit, stands)
            if cross:
                yield Lay(name, kind, exit, stands, crossing=True)
