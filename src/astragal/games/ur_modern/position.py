"""Positions of the modern game as a line of text: `5:a1,b4 6:c2 light gold`.

Each side is written as its pool and its squares; then who is to throw or act, and how the dice fell. Who repeated what
(UM-20) is left out, so a draw can be claimed only after new repetitions. The rules page has the whole notation.
"""

from __future__ import annotations

from astragal.core.language import noted, say
from astragal.core.position import NONE, Part, parts
from astragal.core.types import BadPosition
from astragal.games.ur_modern.actions import THROWS, Tips
from astragal.games.ur_modern.board import SQUARES
from astragal.games.ur_modern.options import Options
from astragal.games.ur_modern.state import State, winner

SEATS = {"light": 0, "dark": 1}
NAMES = tuple(SEATS)
LOTS, OVER, THROW, DRAW = "lots", "over", "throw", "draw"
TIPS: dict[str, Tips | None] = {THROW: None, **{throw.tips: throw.tips for throw, _ in THROWS}}

_PARTS = (
    noted("Light's pieces"),
    noted("Dark's pieces"),
    noted("whose turn it is"),
    noted("the throw"),
    noted("the end"),
)


def write(s: State) -> str:
    """The position as a line."""
    sides = [f"{pool}:{','.join(squares) or NONE}" for pool, squares in zip(s.pools, s.squares, strict=True)]
    if s.seat is None:
        return " ".join([*sides, LOTS])
    if winner(s) is not None:
        return " ".join([*sides, OVER])
    return " ".join([*sides, NAMES[s.seat], s.tips or THROW, *([DRAW] if s.drawn else [])])


def read(text: str, options: Options) -> State:
    """The position that this line means. Raises BadPosition."""
    light, dark, turn, *rest = parts(text, *_PARTS, least=3)
    squares = (_side(light, options), _side(dark, options))
    for piece in dark.split(":")[1].split(","):
        if piece.text in squares[0]:
            raise piece.error(say("two pieces stand on {square}", square=piece.text))
    pools = (options.pieces - len(squares[0]), options.pieces - len(squares[1]))
    state = State(options, None, None, pools, squares)
    won = winner(state)
    if turn.text in (LOTS, OVER):
        return _without_turn(state, turn, won, rest)
    seat = turn.word({**SEATS, LOTS: -1, OVER: -1})
    if won is not None:
        raise turn.unlike(OVER)
    if not rest:
        raise BadPosition(len(text.rstrip()) + 1, _PARTS[3], say("this part is missing"))
    if len(rest) == 2:
        rest[1].word({DRAW: True})
    return State(options, seat, rest[0].word(TIPS), pools, squares, drawn=len(rest) == 2)


def _without_turn(state: State, turn: Part, won: int | None, rest: list[Part]) -> State:
    """Before lots are drawn for who begins, and after somebody has won."""
    if rest:
        raise rest[0].error(say("nothing more should follow"))
    if turn.text == LOTS:
        if any(state.squares):
            raise turn.error(say("lots are drawn before any piece is placed"))
        return state
    if won is None:
        raise turn.error(say("the game is over when one side holds all four fortresses"))
    return State(state.options, 1 - won, None, state.pools, state.squares)


def _side(part: Part, options: Options) -> tuple[str, ...]:
    """The squares of a side."""
    pool, squares = part.pieces(":", 2, say("pool:squares, as in {example}", example="5:a1,b4"))
    held: list[str] = []
    for square in squares.split(","):
        if square.text not in SQUARES:
            raise square.error(say("{square!r} is not a square of the board", square=square.text[:20]))
        if square.text in held:
            raise square.error(say("two pieces stand on {square}", square=square.text))
        held.append(square.text)
    count = pool.number(0, options.pieces) + len(held)
    if count != options.pieces:
        raise part.error(say("these are {n} pieces, but each side has {pieces}", n=count, pieces=options.pieces))
    return tuple(sorted(held))
