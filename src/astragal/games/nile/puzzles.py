"""What puzzles of Nile are about: what the best lay with a rack does that the obvious one does not.

All lays of a moment cover the same field. They differ in the tile that leaves the rack and in the field that the river
enters next, which whoever goes on has to cover.
"""

from __future__ import annotations

from collections.abc import Mapping

from astragal.core.language import noted
from astragal.games.nile.actions import Action, Lay, Stop
from astragal.games.nile.course import Course, course, plays, without
from astragal.games.nile.state import State
from astragal.games.nile.tiles import UNIVERSAL, Kind

KINDS: Mapping[str, str] = {
    "stop": noted("the turn ended early"),
    "on": noted("one more tile"),
    "goal": noted("the end of the river"),
    "universal": noted("the moment for a universal"),
    "keep": noted("a universal kept in hand"),
    "shut": noted("the river shut in"),
    "green": noted("on to a green field"),
    "spare": noted("a green field passed by"),
    "red": noted("on to a red field"),
    "escape": noted("around a red field"),
    "whole": noted("the whole rack in one turn"),
    "room": noted("room for the next tile"),
    "close": noted("the last tile of the turn"),
    "river": noted("where the river should turn"),
}


def kind(s: State, best: Action, tempting: Action) -> str:
    """The first of KINDS that fits."""
    if isinstance(best, Stop):
        return "stop"
    if isinstance(tempting, Stop):
        return "on"
    assert isinstance(best, Lay)  # where there is a choice, it is between lays
    assert isinstance(tempting, Lay)
    one, other = _After(s, best), _After(s, tempting)
    if one.goal or other.goal:
        return "goal"
    if one.universal != other.universal:
        return "universal" if one.universal else "keep"
    if one.shut and not other.shut:
        return "shut"
    if one.points != other.points:
        return _ahead(one.points, other.points)
    if one.whole and not other.whole:
        return "whole"
    if one.goes_on != other.goes_on:
        return "room" if one.goes_on else "close"
    return "river"


def _ahead(points: int, others: int) -> str:
    """By what the field counts that the river enters next, and that of the other lay."""
    if max(points, others) > 0:
        return "green" if points > others else "spare"
    return "red" if points < others else "escape"


class _After:
    """What a lay leaves behind."""

    def __init__(self, s: State, lay: Lay) -> None:
        river = course(s.options.board, s.river)
        led = river.led(lay.tile, lay.exit, lay.crossing)
        self._s, self._led = s, led
        self._rack = without(s.racks[s.seat], lay.tile)
        self.universal = lay.tile == UNIVERSAL or lay.crossing
        if lay.crossing:
            self._rack = without(self._rack, UNIVERSAL)
        self.goal = led.head < 0 or led.on_blue
        self.shut = not self.goal and led.shut_in()
        self.points = 0 if self.goal else _points(led)
        self.goes_on = bool(plays(led, self._rack, s.options))
        self.whole = self.goes_on and _all_fit(led, self._rack, s)


def _points(river: Course) -> int:
    """What covering the next field counts."""
    field = river.grid.fields[river.head]
    return field.number if field.colour == "green" else -field.number if field.colour in ("red", "group") else 0


def _all_fit(river: Course, rack: tuple[Kind, ...], s: State) -> bool:
    """Whether all of these tiles can be laid, one after the other."""
    if not rack:
        return True
    for lay in plays(river, rack, s.options):
        rest = without(rack, lay.tile)
        led = river.led(lay.tile, lay.exit, lay.crossing)
        if _all_fit(led, without(rest, UNIVERSAL) if lay.crossing else rest, s):
            return True
    return False
