"""A second, deliberately naive implementation of the move rules of modern Ur (UM).

It exists only to cross-check the real engine in tests, so it shares no code with it and was
written from the rules page alone.  It is naive on purpose: every action is played out one
elementary step at a time on lists of squares, every order and every stopping point is tried,
nothing is cached or numbered, and equal results fall together only because they land in a set.
It can therefore be read against the rules line by line, and it is slow.

Scope: what one action with a given throw can lead to (UM-2, UM-5 to UM-19, UM-21).  Dice,
draws (UM-20) and the choice of who begins are not its business.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

THROWS = ("blank", "one", "mixed", "silver", "gold")


class Position(NamedTuple):
    """A position seen from the side of the player who is about to act."""

    mine: frozenset[str]
    theirs: frozenset[str]
    my_pool: int
    their_pool: int


class Outcome(NamedTuple):
    """What an action leads to; ``after`` is still seen from the mover's side."""

    after: Position
    again: bool
    won: bool


class _Board(NamedTuple):
    """A position in the middle of an action.

    ``pieces`` lists the squares of the mover's pieces by identity: piece 0, piece 1, ...  While
    a piece is on its way two entries may be equal (it is passing an own piece, UM-11).
    """

    pieces: tuple[str, ...]
    theirs: frozenset[str]
    my_pool: int
    their_pool: int


def _fortresses(layout: Mapping[str, Any]) -> set[str]:
    return {*layout["earth_fortresses"], *layout["heaven_fortresses"]}


def _has_won(layout: Mapping[str, Any], board: _Board) -> bool:
    """UM-2: own pieces on all four fortresses, however they got there."""
    return all(fortress in board.pieces for fortress in _fortresses(layout))


def _is_protected(layout: Mapping[str, Any], theirs: frozenset[str], seat: int, square: str) -> bool:
    """Whether the enemy piece on ``square`` cannot be captured at this very moment (UM-7)."""
    # UM-14: the enemy's only piece, on the entrance of its owner (not of the mover).
    if len(theirs) == 1 and square == layout["entrance"][1 - seat]:
        return True
    # UM-15: an enemy on Ishtar protects the enemy's fortress pieces, but not itself.
    return layout["ishtar"] in theirs and square in _fortresses(layout)


def _capture(board: _Board, square: str) -> _Board:
    """UM-12: the enemy on ``square`` (if there is one) goes back to its owner's pool."""
    if square not in board.theirs:
        return board
    return board._replace(theirs=board.theirs - {square}, their_pool=board.their_pool + 1)


def _placing_squares(
    layout: Mapping[str, Any], board: _Board, seat: int, throw: str, placing_captures: bool
) -> Iterator[str]:
    """Every square on which a new piece may be placed with this throw."""
    # UM-21: an empty pool places nothing.
    if board.my_pool == 0:
        return

    def free_or_capturable(square: str) -> bool:
        # UM-5, UM-8: never on an own piece; UM-14, UM-15: never on a protected enemy.
        if square in board.pieces:
            return False
        return square not in board.theirs or not _is_protected(layout, board.theirs, seat, square)

    # UM-5: the mover's entrance, with any throw; UM-13 does not affect it.
    entrance: str = layout["entrance"][seat]
    if free_or_capturable(entrance):
        yield entrance

    # UM-8: the special squares of the throw.
    special: list[str] = []
    if throw == "mixed":
        special = list(layout["kingdom"])
    elif throw == "silver":
        special = [layout["ishtar"]]
    elif throw == "gold":
        special = [layout["marduk"]]
    for square in special:
        # UM-13: with the option off an enemy there makes the placing illegal.
        if square in board.theirs and not placing_captures:
            continue
        if free_or_capturable(square):
            yield square

    # UM-9: two blanks, an empty neighbour of an own piece.
    if throw == "blank":
        for own in board.pieces:
            for square in layout["route"][own]:
                if square not in board.pieces and square not in board.theirs:
                    yield square


def _stops(
    layout: Mapping[str, Any],
    board: _Board,
    seat: int,
    piece: int,
    steps: int,
    left_squares: frozenset[str],
    rules_earth: bool,
) -> Iterator[_Board]:
    """Every board on which ``piece`` may end its movement after 1 to ``steps`` more squares."""
    # UM-19: no steps, no move; a stop is only ever offered after a step has been made.
    if steps == 0:
        return
    here = board.pieces[piece]
    # UM-10: one neighbour at a time, forwards or backwards.
    for square in layout["route"][here]:
        # UM-10: never back to a square this piece has left in this action.
        if square in left_squares:
            continue
        # UM-11: a protected enemy can be neither entered nor passed.
        is_capture = square in board.theirs
        if is_capture and _is_protected(layout, board.theirs, seat, square):
            continue

        # The elementary step itself, with its capture (UM-12).
        others = board.pieces[:piece] + board.pieces[piece + 1 :]
        walked = (*board.pieces[:piece], square, *board.pieces[piece + 1 :])
        stepped = _capture(board, square)._replace(pieces=walked)

        # UM-2: the moment all four fortresses are held nothing further happens.
        if _has_won(layout, stepped):
            yield stepped
            continue
        # UM-11: own pieces may be passed, but the end must be free of them.
        if square not in others:
            yield stepped
        # UM-12: a capture ends the movement of the piece, UM-17: unless it rules the Earth.
        if is_capture and not rules_earth:
            continue
        yield from _stops(layout, stepped, seat, piece, steps - 1, left_squares | {here}, rules_earth)


def _moves(layout: Mapping[str, Any], start: _Board, seat: int, throw: str) -> Iterator[tuple[_Board, tuple[int, ...]]]:
    """Every end of a moving action, with the pieces that moved in it."""
    # UM-7: both kinds of rule are judged once, from the position when the action begins.
    rules_earth = all(square in start.pieces for square in layout["earth_fortresses"])
    rules_heaven = all(square in start.pieces for square in layout["heaven_fortresses"])
    nothing_left: frozenset[str] = frozenset()
    everyone = range(len(start.pieces))

    # UM-9: two blanks move nothing.
    if throw == "blank":
        return

    # UM-6: one piece 1 square; UM-7: or 2; UM-18: or 3, with two of a kind when ruling Heaven.
    reach = 1 if throw == "one" else 2
    if throw in ("silver", "gold") and rules_heaven:
        reach = 3
    for piece in everyone:
        for end in _stops(layout, start, seat, piece, reach, nothing_left, rules_earth):
            yield end, (piece,)

    # UM-7: or two different pieces 1 square each, the second on the board the first one left.
    if throw == "one":
        return
    for first in everyone:
        for middle in _stops(layout, start, seat, first, 1, nothing_left, rules_earth):
            # UM-2: the first of the two moves may win, and then the second lapses.
            if _has_won(layout, middle):
                yield middle, (first,)
                continue
            for second in everyone:
                if second == first:
                    continue
                for end in _stops(layout, middle, seat, second, 1, nothing_left, rules_earth):
                    yield end, (first, second)


def _outcome(layout: Mapping[str, Any], board: _Board, moved: tuple[int, ...]) -> Outcome:
    """The finished action: ``moved`` names the pieces that moved (none when one was placed)."""
    mine = frozenset(board.pieces)
    assert len(mine) == len(board.pieces), "UM-11: two own pieces on one square"
    after = Position(mine, board.theirs, board.my_pool, board.their_pool)
    won = _has_won(layout, board)
    # UM-16: a piece that moved and ends on a fortress; UM-2: a win leaves no extra turn.
    on_fortress = any(board.pieces[piece] in _fortresses(layout) for piece in moved)
    return Outcome(after, on_fortress and not won, won)


def outcomes(
    layout: Mapping[str, Any], position: Position, seat: int, throw: str, placing_captures: bool
) -> frozenset[Outcome]:
    """Everything the player of ``seat`` may turn ``position`` into with ``throw``.

    Raises ValueError for what is no position to act in: an unknown throw, both players on one
    square, or a game that is already won (UM-2).
    """
    if throw not in THROWS:
        raise ValueError(f"unknown throw {throw!r}")
    if position.mine & position.theirs:
        raise ValueError("both players on one square")
    fortresses = _fortresses(layout)
    if fortresses <= position.mine or fortresses <= position.theirs:
        raise ValueError("the game is over (UM-2)")

    start = _Board(tuple(sorted(position.mine)), position.theirs, position.my_pool, position.their_pool)
    reached: set[Outcome] = set()
    for square in _placing_squares(layout, start, seat, throw, placing_captures):
        placed = _capture(start, square)
        placed = placed._replace(pieces=(*placed.pieces, square), my_pool=placed.my_pool - 1)
        reached.add(_outcome(layout, placed, ()))  # UM-16: a placed piece gives no extra turn
    for end, moved in _moves(layout, start, seat, throw):
        reached.add(_outcome(layout, end, moved))

    # UM-19: passing, only when there is nothing else.
    if not reached:
        reached.add(Outcome(position, False, False))
    return frozenset(reached)
