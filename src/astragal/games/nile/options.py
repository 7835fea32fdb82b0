"""House rules of Nile and the named sets of them."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from astragal.core.language import noted
from astragal.core.rules import BaseOptions
from astragal.games.nile.board import Board, BoardName
from astragal.games.nile.tiles import TileSet, TilesName


class Options(BaseOptions, frozen=True, kw_only=True):
    """House rules. The defaults are the rules as we read them."""

    board: Annotated[BoardName | Board, Meta(description=noted("The board, or a board file of your own"))] = "nile"
    tiles: Annotated[TilesName | TileSet, Meta(description=noted("The tiles, or a tile file of your own"))] = "nile"
    encircle: Annotated[
        Literal["universal", "free"],
        Meta(description=noted("Who may shut the river in: holders of a universal, or anyone")),
    ] = "universal"
    blue_finish: Annotated[
        Literal["same_turn", "anyone"],
        Meta(description=noted("Who may end a river that has reached blue: only the same turn, or anyone")),
    ] = "same_turn"


PRESETS = {
    "nile": Options(),
    "quick": Options(board="small"),
    "first": Options(board="first", tiles="first"),
}
