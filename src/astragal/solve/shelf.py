"""Where this user's tables are kept, and which there are."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import Any

from astragal.console.folders import own_folder
from astragal.core.language import say
from astragal.core.rules import Game
from astragal.core.types import AstragalError
from astragal.solve import table
from astragal.solve.table import BadTable, Table


class NoTable(AstragalError):
    """There is no table for a game under these options."""


def folder() -> Path:
    """ASTRAGAL_TABLES, or a folder among the user's data. It need not exist."""
    chosen = os.environ.get("ASTRAGAL_TABLES")
    if chosen:
        return Path(chosen)
    return own_folder() / "tables"


def files() -> list[Path]:
    """All table files, sorted by name."""
    return sorted(folder().glob(f"*{table.ENDING}"))


def find(game: Game, options: Any) -> Table | None:
    """The table for these options, or None if there is none that can be used."""
    file = folder() / table.name_of(game, options)
    try:
        opened = _opened(file, file.stat().st_mtime_ns)
        opened.check_for(game, options)
    except (OSError, BadTable):
        return None
    return opened


def needed(game: Game, options: Any) -> Table:
    """The table for these options. Raises NoTable."""
    opened = find(game, options)
    if opened is None:
        raise NoTable(say("there is no table for this game with these options; make one with astragal solve"))
    return opened


@lru_cache(maxsize=16)
def _opened(file: Path, _changed: int) -> Table:
    """Opened once; a file that was written anew is opened anew."""
    return Table(file)
