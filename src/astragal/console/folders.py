"""Where the files of a user are kept."""

from __future__ import annotations

import os
from pathlib import Path


def own_folder() -> Path:
    """The folder of everything that is kept for this user."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "astragal"


def saves() -> Path:
    """The folder for matches that were left unfinished."""
    return own_folder() / "matches"
