"""A position of Nile, and the small questions that the rules ask about it."""

from __future__ import annotations

from msgspec import Struct

from astragal.games.nile.board import grid
from astragal.games.nile.course import course
from astragal.games.nile.options import Options
from astragal.games.nile.score_sheet import Laid, ScoreLine, best, scores, turn_line
from astragal.games.nile.tiles import PLACE, Kind, stock
from astragal.games.nile.view import Ended, Ending, Phase

Racks = tuple[tuple[Kind, ...], ...]
Bag = tuple[int, ...]

LOTS = 3  # tiles that each player draws for the right to begin (NI-2)
IDLE_ROUNDS = 2  # rounds without a tile that end the game (NI-17)


class State(Struct, frozen=True):
    """A position: everything, the hidden racks and the bag included."""

    options: Options
    phase: Phase
    seat: int  # whose turn it is, or who draws
    first: int  # who opens, or tries to; while lots are drawn it means nothing
    racks: Racks  # each in the order of KINDS
    bag: Bag  # how many of each of KINDS; a bag has no order
    river: tuple[Laid, ...] = ()
    laid: int = 0  # how many tiles at the river's end this turn has laid
    sheet: tuple[ScoreLine, ...] = ()
    idle: int = 0  # turns in a row without a tile
    gone: tuple[int, ...] = ()  # seats that gave up
    lots: tuple[Racks, ...] = ()  # what each seat drew openly for the right to begin, round by round
    rivals: tuple[int, ...] = ()  # the seats that still draw for it


def active(s: State) -> tuple[int, ...]:
    """The seats that have not given up."""
    return tuple(seat for seat in range(len(s.racks)) if seat not in s.gone)


def line_now(s: State) -> ScoreLine:
    """What the turn in progress would score if it ended now."""
    turn = s.river[len(s.river) - s.laid :]
    return turn_line(s.seat, turn, grid(s.options.board), stock(s.options.tiles))


def left_of(s: State, seat: int) -> int:
    """The next seat to the left that is still playing."""
    players = len(s.racks)
    return next(other % players for other in range(seat + 1, seat + players + 1) if other % players not in s.gone)


def with_rack(racks: Racks, seat: int, rack: tuple[Kind, ...]) -> Racks:
    """The racks after one of them changed."""
    return (*racks[:seat], rack, *racks[seat + 1 :])


def put_back(bag: Bag, tiles: tuple[Kind, ...]) -> Bag:
    """The bag after these tiles went back into it."""
    counts = list(bag)
    for kind in tiles:
        counts[PLACE[kind]] += 1
    return tuple(counts)


def ending(s: State) -> Ending:
    """Why a game that is over is over (NI-17)."""
    if len(active(s)) == 1:
        return "alone"
    if course(s.options.board, s.river).head < 0:
        return "goal"
    return "idle" if any(s.bag) or any(s.racks) else "tiles"


def ended_now(s: State) -> Ended | None:
    """How the game ended, if it has."""
    if s.phase != "over":
        return None
    totals = scores(s.sheet, len(s.racks))
    return Ended(ending(s), totals, best(totals, s.gone))
