"""THIRD_PARTY.md: everything that comes with Astragal, with its version and licence. With --check: whether it is stale.

What Python needs to play is in requirements.lock; its licences are read from the installed packages. Of the browser
client those packages are listed whose code or fonts end up in its pages. A row stays as it is while its version does,
also one of a package that is not installed here because it is only for other systems.
"""

from __future__ import annotations

import json
import re
import sys
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "THIRD_PARTY.md"
BUNDLED = (
    "@fontsource-variable/alegreya",
    "@fontsource/alegreya-sans",
    "@noble/ed25519",
    "@noble/hashes",
    "svelte",
    "uqr",
)
SHORT = {
    "MIT License": "MIT",
    "BSD": "BSD",
    "BSD License": "BSD",
    "Apache Software License": "Apache-2.0",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}
UNKNOWN = "unknown"


def licence(package: str) -> str | None:
    """What an installed package says of its licence; None if it is not installed."""
    try:
        about = metadata.metadata(package)
    except metadata.PackageNotFoundError:
        return None
    said: str
    [said, *_] = [*(about.get_all("License-Expression") or []), *(about.get_all("License") or []), ""]
    first = said.strip().split("\n")[0]
    if first and len(first) < 80:
        return SHORT.get(first, first)
    names = [line.rpartition(" :: ")[2] for line in about.get_all("Classifier") or [] if line.startswith("License ::")]
    return " or ".join(SHORT.get(name, name) for name in names) or UNKNOWN


def kept() -> dict[tuple[str, str], str]:
    """The licences that the file has now, by package and version."""
    if not TARGET.is_file():
        return {}
    rows = re.findall(r"^\| (\S+) \| ([^|]+) \| ([^|]+) \|$", TARGET.read_text("utf-8"), re.MULTILINE)
    return {(name, version): licence for name, version, licence in rows if licence != UNKNOWN}


def python_rows() -> list[tuple[str, str, str]]:
    """Package, version and licence of everything in requirements.lock."""
    before = kept()
    versions: dict[str, list[str]] = {}
    for name, version in re.findall(
        r"^([a-z0-9._-]+)==([^\s;]+)", (ROOT / "requirements.lock").read_text("utf-8"), re.MULTILINE
    ):
        versions.setdefault(name, []).append(version)
    rows = [(name, ", ".join(found)) for name, found in versions.items()]
    return [(*row, before.get(row) or licence(row[0]) or UNKNOWN) for row in rows]


def browser_rows() -> list[tuple[str, str, str]]:
    """The same for what the pages of the browser client hold."""
    packages = json.loads((ROOT / "web" / "package-lock.json").read_text("utf-8"))["packages"]
    found = [(name, packages[f"node_modules/{name}"]) for name in BUNDLED]
    return [(name, about["version"], about.get("license", UNKNOWN)) for name, about in found]


def table(rows: list[tuple[str, str, str]]) -> str:
    """A table in Markdown."""
    return "\n".join(["| package | version | licence |", "|---|---|---|", *(f"| {' | '.join(row)} |" for row in rows)])


def page() -> str:
    """The whole file."""
    return f"""# What Astragal comes with

Astragal itself is under the [MIT licence](LICENSE). This is what it brings or installs besides, in the versions that
are pinned; `tools/third_party.py` writes this file, and `make lint` fails when it is stale or a licence is not known.

## Installed with it

{table(python_rows())}

## In the pages of the browser client

{table(browser_rows())}
"""


def main() -> None:
    """Writes the file or checks it."""
    wanted = page()
    unknown = [row[0] for row in (*python_rows(), *browser_rows()) if row[2] == UNKNOWN]
    if "--check" not in sys.argv[1:]:
        TARGET.write_text(wanted, "utf-8")
    elif not TARGET.is_file() or TARGET.read_text("utf-8") != wanted:
        sys.exit("THIRD_PARTY.md is stale: run python tools/third_party.py")
    if unknown:
        sys.exit(f"licence not known: {', '.join(unknown)}; write it into THIRD_PARTY.md by hand, it is kept")


if __name__ == "__main__":
    main()
