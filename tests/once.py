"""What is made once for all workers of a test run, although each worker has fixtures of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock


def once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """A folder that the first worker to ask fills in, and for which the others wait; nobody may change it."""
    base = factory.getbasetemp()
    shared = base.parent if base.name.startswith("popen-") else base
    folder, done = shared / name, shared / f"{name}.done"
    with FileLock(shared / f"{name}.lock"):
        if not done.exists():
            folder.mkdir()
            make(folder)
            done.touch()
    return folder
