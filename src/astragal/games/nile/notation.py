"""How players write what they do in Nile, and what else they may type.

`K1:straight-N` is a field, a kind and the exit; `K1:universal=curve-E` names what a universal stands for, and
`K5:straight-E+universal` crosses the tile to the east. The head is the only field where a tile can go and each exit is
reached by one kind, so less will do: `straight N`, `st n`, `N` alone, `u E` for a universal, `E+` for a crossing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from astragal.core.language import say
from astragal.core.types import PASS, BadNotation, IllegalAction
from astragal.games.nile.actions import PASSES, STOPS, Action, Draw, Lay, Resign
from astragal.games.nile.course import course
from astragal.games.nile.tiles import KINDS, POINTS, UNIVERSAL, Kind, kind_between

if TYPE_CHECKING:
    from astragal.games.nile.rules import NileRules
    from astragal.games.nile.state import State

_FIELD = r"(?:(?P<field>[a-y]\d{1,2})\s*(?::|\s)\s*)?"
_KIND = r"[a-z]+(?:[- ](?:left|right|l|r))?"
_TILE = rf"(?:(?P<tile>{_KIND})(?:\s*=\s*(?P<stands>{_KIND}))?\s*[- ]\s*)?"
_EXIT = r"(?P<exit>n|ne|e|se|s|sw|w|nw)"
_CROSSING = r"\s*(?P<crossing>\+\s*(?:[a-z]*))?"
_LAY = re.compile(_FIELD + _TILE + _EXIT + _CROSSING)


def decode(rules: NileRules, s: State, text: str) -> Action:
    """The action this text means here. Raises BadNotation or IllegalAction."""
    action = _read(s, " ".join(text.lower().split()), text)
    rules.apply(s, action)
    return action


def _read(s: State, words: str, text: str) -> Action:
    if words == PASS:
        return PASSES
    if words == "stop":
        return STOPS
    if parts := re.fullmatch(r"draw-([a-z-]+)", words):
        return Draw(_kind(parts[1], text))
    if parts := re.fullmatch(r"resign-([1-9])", words):
        return Resign(int(parts[1]) - 1)
    parts = _LAY.fullmatch(words)
    if parts is None or not UNIVERSAL.startswith((parts["crossing"] or "").lstrip("+ ")):
        raise _bad(text)
    if s.phase != "turn":
        raise IllegalAction("NI-8", say("it is nobody's turn now"))
    return _lay(s, parts, text)


def _lay(s: State, parts: re.Match[str], text: str) -> Lay:
    river = course(s.options.board, s.river)
    exit = POINTS.index(parts["exit"].upper())
    field = parts["field"].upper() if parts["field"] else river.grid.names[river.head]
    if exit == river.entry:
        raise IllegalAction("NI-3", say("the river enters there, so it cannot leave there"))
    line = kind_between(river.entry, exit)  # what is meant where no kind is named
    tile = _kind(parts["tile"], text) if parts["tile"] else line
    stands: Kind | None = None
    if parts["stands"]:
        stands = _kind(parts["stands"], text)
    elif tile == UNIVERSAL:
        stands = line
    return Lay(field, tile, exit, stands, crossing=parts["crossing"] is not None)


def _kind(word: str, text: str) -> Kind:
    """The kind whose name begins so: `st`, `far-l`, `u`."""
    wanted = word.replace(" ", "-").split("-")
    fits = [
        kind
        for kind in KINDS
        if len(wanted) == len(kind.split("-"))
        and all(part.startswith(want) for part, want in zip(kind.split("-"), wanted, strict=True))
    ]
    if len(fits) != 1:
        raise _bad(text)
    return fits[0]


def _bad(text: str) -> BadNotation:
    return BadNotation(
        say(
            "{text!r} is not a move; write one such as {examples}",
            text=text[:40],
            examples="K1:straight-N, curve E, N, universal=bow-SE, E+, stop, pass",
        )
    )
