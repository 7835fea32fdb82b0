"""House rules of Ur (UC-13) and the named sets of them (UC-15)."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from astragal.core.language import noted
from astragal.core.rules import BaseOptions
from astragal.games.ur.board import Board, BoardName


class Options(BaseOptions, frozen=True, kw_only=True):
    """House rules (UC-13). The defaults are the printed rules."""

    pieces: Annotated[int, Meta(ge=1, le=7, description=noted("Pieces of each player"))] = 7
    path: Annotated[
        BoardName | Board, Meta(description=noted("Board and way round it, or a board file of your own"))
    ] = "bell"
    dice: Annotated[
        Literal["four", "three"], Meta(description=noted("Four dice (0 to 4), or three (1 to 4, none counts 4)"))
    ] = "four"
    safe_rosettes: Annotated[bool, Meta(description=noted("A piece on a rosette cannot be taken"))] = True
    rosette_throws: Annotated[bool, Meta(description=noted("A rosette gives another throw"))] = True
    capture_throws: Annotated[bool, Meta(description=noted("A capture gives another throw"))] = False


LOWEST = {"four": 0, "three": 1}  # the lowest throw of each set of dice

PRESETS = {  # UC-15
    "finkel": Options(),
    "blitz": Options(path="masters", pieces=5, safe_rosettes=False, capture_throws=True),
    "masters": Options(path="masters", dice="three", safe_rosettes=False),
    "aseb": Options(path="aseb", pieces=5),
}
