"""The golden playthroughs still come out as they are written."""

from __future__ import annotations

from tests.golden import FOLDER, playthroughs


def test_every_playthrough_is_as_written() -> None:
    wanted = dict(playthroughs())
    assert {file.name for file in FOLDER.glob("*.txt")} == set(wanted), "run `make golden`"
    for name, content in wanted.items():
        assert (FOLDER / name).read_text("utf-8") == content, f"{name} changed: see `make golden` and `git diff`"
