"""A release: checks that everything says the same version, builds wheel and sdist, tries the wheel, and tags it.

    make release                       # after the version and the changelog were committed
    make release ARGS=--dry-run        # everything but the tag
    make release ARGS="--dry-run --unreleased"    # also without a section of the changelog for this version

The notes of the release are the section of CHANGELOG.md for its version; they are written to dist/NOTES.md and into the
tag. Nothing is uploaded: `dist/` and the tag are what a person then publishes.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parent.parent
DIST = ROOT / "dist"


def version() -> str:
    """What the package calls itself."""
    found = re.search(r'^__version__ = "([^"]+)"', (ROOT / "src/astragal/__init__.py").read_text("utf-8"), re.MULTILINE)
    if found is None:
        sys.exit("src/astragal/__init__.py names no version")
    return found[1]


def notes(changelog: str, heading: str) -> str | None:
    """The section of the changelog under this heading; a date may follow it.

    >>> notes("# New\\n\\n## 1.1 (2026-01-02)\\n\\n- better\\n\\n## 1.0\\n\\n- good\\n", "1.1")
    '- better'
    >>> notes("## 1.10\\n\\n- other\\n", "1.1") is None
    True
    """
    found = re.search(rf"^## {re.escape(heading)}(?: [^\n]*)?\n(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL)
    return found[1].strip() if found else None


def said(*words: str) -> str:
    """What git says."""
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def problems(wanted: str, text: str | None) -> list[str]:
    """Everything that speaks against a release now."""
    against = []
    if said("status", "--porcelain"):
        against.append("there are changes that are not committed")
    if said("tag", "--list", f"v{wanted}"):
        against.append(f"the tag v{wanted} is there already; raise __version__ in src/astragal/__init__.py")
    if f"\nversion: {wanted}\n" not in (ROOT / "CITATION.cff").read_text("utf-8"):
        against.append(f"CITATION.cff does not name version {wanted}")
    if text is None:
        against.append(f"CHANGELOG.md has no section '## {wanted}'")
    return against


def build() -> Path:
    """Wheel and sdist, anew; the wheel."""
    shutil.rmtree(DIST, ignore_errors=True)
    subprocess.run([sys.executable, "tools/site.py"], cwd=ROOT, check=True)
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-d", str(DIST)], cwd=ROOT, check=True)
    [wheel] = DIST.glob("*.whl")
    return wheel


def try_out(wheel: Path, wanted: str) -> None:
    """Installs the wheel with the pinned dependencies into an empty environment, and plays a match there."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        programs = Path(folder) / ("Scripts" if sys.platform == "win32" else "bin")
        pip = [str(programs / "python"), "-m", "pip", "install", "--quiet"]
        subprocess.run([*pip, "--require-hashes", "-r", str(ROOT / "requirements.lock")], check=True)
        subprocess.run([*pip, "--no-deps", str(wheel)], check=True)

        def astragal(*words: str) -> str:
            program = [str(programs / "astragal"), *words]
            return subprocess.run(program, cwd=folder, capture_output=True, text=True, check=True).stdout

        if astragal("--version").strip() != f"astragal {wanted}":
            sys.exit(f"the wheel calls itself {astragal('--version').strip()}")
        for game in json.loads(astragal("games", "--json")):
            astragal("watch", game["id"], "--seed", "1", "--json")
            astragal("rules", game["id"], "--lang", "de")


def main() -> None:
    """One release, or a rehearsal."""
    parser = argparse.ArgumentParser(description="Check, build and tag a release.")
    parser.add_argument("--dry-run", action="store_true", help="everything but the tag")
    parser.add_argument("--unreleased", action="store_true", help="with the notes of what is not released yet")
    asked = parser.parse_args()
    wanted = version()
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    text = notes(changelog, "Unreleased" if asked.unreleased else wanted)
    against = problems(wanted, text)
    if against or text is None:
        sys.exit("\n".join(against))
    wheel = build()
    try_out(wheel, wanted)
    (DIST / "NOTES.md").write_text(f"# Astragal {wanted}\n\n{text}\n", "utf-8")
    if not asked.dry_run:
        subprocess.run(["git", "tag", "-a", f"v{wanted}", "-F", str(DIST / "NOTES.md")], cwd=ROOT, check=True)
    print(f"{wheel.name} is built and plays; {'nothing is tagged' if asked.dry_run else f'tagged v{wanted}'}.")


if __name__ == "__main__":
    main()
