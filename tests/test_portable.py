"""Astragal without POSIX, as on Windows: a stand-in for a machine that is not here.

Every process of these tests has `tests/portable` on its path, which hides from our own code what Windows lacks. What
only a real Windows shows (its console, its file locks, its paths) this does not prove; docs/playing.md says so.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
HIDDEN = ROOT / "tests" / "portable"

EVERYTHING = """
import pkgutil, importlib, astragal
names = [found.name for found in pkgutil.walk_packages(astragal.__path__, "astragal.")]
others = {"astragal.__main__", "astragal.server.migrations.env"}
for name in names:
    if name not in others:
        importlib.import_module(name)
print(len(names))
"""

# Tests of the parts that touch the system: files, locks, processes, signals and the console.
SOME = [
    "tests/terminal/test_session.py",
    "tests/server/test_bot_pool.py",
    "tests/arena/test_arena.py::test_two_arenas_do_not_share_a_file",
]


def limited(*words: str, seconds: float = 300) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(HIDDEN), str(ROOT)])
    return subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path, "PYTHONUTF8": "1", "ASTRAGAL_WITHOUT_POSIX": "1"},
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )


def test_the_stand_in_hides_what_it_says() -> None:
    """Or the tests below would prove nothing."""
    look = "import sys; g = {'__name__': 'astragal.x'}; exec(sys.argv[1], g)"
    for statement in ("import fcntl", "import resource", "import os; os.geteuid()", "import signal; signal.SIGKILL"):
        done = limited("-c", look, statement)
        assert "No module named" in done.stderr or "on Windows" in done.stderr, statement
    assert limited("-c", look, "import os, sys; assert (os.name, sys.platform) == ('nt', 'win32')").returncode == 0
    assert limited("-c", "import fcntl, os; os.geteuid()").returncode == 0  # other people's code sees the machine


def test_every_module_can_be_imported() -> None:
    done = limited("-c", EVERYTHING)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 200


def test_a_match_is_played_kept_and_replayed(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    played = limited("-m", "astragal", "watch", "ur", "--pieces", "2", "--seed", "4", "--save", str(file))
    assert played.returncode == 0, played.stderr
    assert limited("-m", "astragal", "verify", str(file)).returncode == 0


LOCKED = """
import subprocess, sys
from astragal.core.types import AstragalError
from astragal.server import connections, store_file
connections.raise_limit()
assert connections.room() > 1000
url = f"sqlite:///{sys.argv[1]}"
again = [sys.executable, "-c", "import sys; from astragal.server import store_file; store_file.lock(sys.argv[1])", url]
held = store_file.lock(url)
try:
    store_file.lock(url)
except AstragalError as error:
    print(error)
print(subprocess.run(again, capture_output=True, text=True).stderr.strip().splitlines()[-1])
held.close()
assert subprocess.run(again).returncode == 0
"""


def test_a_store_is_locked_for_one_server(tmp_path: Path) -> None:
    done = limited("-c", LOCKED, str(tmp_path / "matches.db"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("another server uses") == 2
    assert (tmp_path / "matches.db.lock").exists()


def test_the_parts_that_touch_the_system_work_without_posix() -> None:
    done = limited("-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *SOME)
    assert done.returncode == 0, done.stdout[-4000:]


@pytest.mark.long
def test_the_suite_works_without_posix() -> None:
    """All but the browser's tests, and those that end processes by signals that Windows has not."""
    left_out = [
        "tests/e2e",
        "tests/test_package.py",
        "tests/test_portable.py",
        "tests/terminal/test_kept.py",
        "tests/server/test_connections.py",  # descriptors, which are a limit of POSIX
        "tests/server/test_store_file.py",  # modes of files, and hard links
    ]
    words = [word for path in left_out for word in ("--ignore", path)]
    done = limited("-m", "pytest", "-q", "-n", "2", "-m", "not long", "tests", *words, seconds=3600)
    assert done.returncode == 0, done.stdout[-6000:]
