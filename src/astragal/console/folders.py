"""Where the files of a user are kept."""

from __future__ import annotations

from pathlib import Path

from platformdirs import user_data_path


def own_folder() -> Path:
    """The folder of everything that is kept for this user, where the system keeps such things."""
    return user_data_path("astragal", appauthor=False)


def saves() -> Path:
    """The folder for matches that were left unfinished."""
    return own_folder() / "matches"
