"""House rules of the modern game (UM-22)."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from astragal.core.language import noted
from astragal.core.rules import BaseOptions
from astragal.games.ur_modern.board import Layout, LayoutName


class Options(BaseOptions, frozen=True, kw_only=True):
    """The defaults are the game as printed, on the layout that makes the best game of it (UM-22)."""

    pieces: Annotated[int, Meta(ge=4, le=7, description=noted("Pieces of each player"))] = 7
    layout: Annotated[
        LayoutName | Layout,
        Meta(description=noted("Which square plays which part, or a layout file of your own")),
    ] = "lanes"
    placing_captures: Annotated[
        bool, Meta(description=noted("Placing on the Kingdom, Ishtar or Marduk takes an enemy there"))
    ] = True


PRESETS = {"lanes": Options(), "royal": Options(layout="royal"), "lesser-earth": Options(layout="lesser-earth")}
