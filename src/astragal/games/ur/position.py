"""Positions of Ur as a line of text: `4:a1,b4:1 5:c2:1 light 3`.

Each side is written as its pool, its squares and its pieces home; then who is to throw or move, and the throw. The
rules page has the whole notation, under "Writing down a position".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from astragal.core.language import noted, say
from astragal.core.position import NONE, Part, parts
from astragal.core.types import BadPosition
from astragal.games.ur.board import LONGEST_THROW, track
from astragal.games.ur.options import LOWEST, Options

if TYPE_CHECKING:
    from astragal.games.ur.rules import State

LIGHT, DARK = 0, 1
SEATS = {"light": LIGHT, "dark": DARK}
NAMES = tuple(SEATS)
OVER, THROW, OPENING = "over", "throw", "opening"

_PARTS = (noted("Light's pieces"), noted("Dark's pieces"), noted("whose turn it is"), noted("the throw"))
_SIDE = "4:a1,b4:1"


def write(s: State) -> str:
    """The position as a line."""
    names = track(s.options.path).names
    sides = []
    for seat in (LIGHT, DARK):
        squares = ",".join(names[seat][step] for step in s.on[seat]) or NONE
        sides.append(f"{s.pools[seat]}:{squares}:{s.options.pieces - s.pools[seat] - len(s.on[seat])}")
    if s.winner is not None:
        return " ".join([*sides, OVER])
    if s.opening is not None:
        throw = ":".join([OPENING, *map(str, s.opening)])
    else:
        throw = THROW if s.throw is None else str(s.throw)
    return " ".join([*sides, NAMES[s.seat], throw])


def read(text: str, options: Options) -> State:
    """The position that this line means. Raises BadPosition."""
    from astragal.games.ur.rules import State

    light, dark, turn, *throws = parts(text, *_PARTS, least=3)
    pools_on = [_side(part, seat, options) for seat, part in enumerate((light, dark))]
    pools, on = (pools_on[0][0], pools_on[1][0]), (pools_on[0][1], pools_on[1][1])
    _check_apart((light, dark), on, options)
    done = [seat for seat in (LIGHT, DARK) if not pools[seat] and not on[seat]]
    seat = turn.word({**SEATS, OVER: -1})
    if seat < 0:
        if len(done) != 1:
            raise turn.error(say("the game is over when one side has brought all its pieces home"))
        if throws:
            raise throws[0].error(say("nothing more should follow"))
        return State(options, 1 - done[0], None, pools, on, winner=done[0])
    if done:
        raise turn.unlike(OVER)
    if not throws:
        raise BadPosition(len(text.rstrip()) + 1, _PARTS[3], say("this part is missing"))
    throw = throws[0]
    if throw.text.partition(":")[0] == OPENING:
        return State(options, seat, None, pools, on, opening=_opening(throw, turn, seat, pools, options))
    if throw.text == THROW:
        return State(options, seat, None, pools, on)
    return State(options, seat, throw.number(LOWEST[options.dice], LONGEST_THROW), pools, on)


def _side(part: Part, seat: int, options: Options) -> tuple[int, tuple[int, ...]]:
    """The pool of a side, and the steps on which its pieces stand."""
    pool, squares, home = part.pieces(":", 3, say("pool:squares:home, as in {example}", example=_SIDE))
    steps = track(options.path).step_of[seat]
    on = []
    for square in squares.split(","):
        step = steps.get(square.text, 0)
        if not 0 < step < track(options.path).home:
            raise square.error(say("{square!r} is not a square of this side's way", square=square.text[:20]))
        if step in on:
            raise square.error(say("two pieces stand on {square}", square=square.text))
        on.append(step)
    waiting = pool.number(0, options.pieces)
    count = waiting + len(on) + home.number(0, options.pieces)
    if count != options.pieces:
        raise part.error(say("these are {n} pieces, but each side has {pieces}", n=count, pieces=options.pieces))
    return waiting, tuple(sorted(on))


def _check_apart(sides: tuple[Part, Part], on: tuple[tuple[int, ...], tuple[int, ...]], options: Options) -> None:
    """No square has pieces of both sides (UC-6)."""
    ways = track(options.path)
    for step in on[DARK]:
        if ways.meets[DARK][step] in on[LIGHT]:
            raise sides[DARK].error(say("two pieces stand on {square}", square=ways.names[DARK][step]))


def _opening(part: Part, turn: Part, seat: int, pools: tuple[int, int], options: Options) -> tuple[int, ...]:
    """The throws for the right to begin (UC-3), which settle whose turn it is."""
    if pools != (options.pieces, options.pieces):
        raise part.error(say("who begins is thrown for before any piece has moved"))
    thrown = tuple(piece.number(LOWEST[options.dice], LONGEST_THROW) for piece in part.split(":")[1:])
    if len(thrown) > 2 or len(set(thrown)) < len(thrown):
        raise part.unlike(say("one of {words}", words="opening, opening:3, opening:3:1"))
    expected = (LIGHT, DARK, LIGHT if thrown[:1] > thrown[1:] else DARK)[len(thrown)]
    if seat != expected:
        raise turn.unlike(NAMES[expected])
    return thrown
