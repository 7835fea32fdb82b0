"""Takes the picture of the terminal that the README shows: `make screenshot`.

The command really runs; what it writes is drawn as SVG, without fonts or addresses from outside.
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from rich.console import Console
from rich.text import Text

OUT = Path(__file__).parent.parent / "docs" / "img" / "terminal.svg"
SHOWN = tomllib.loads(OUT.with_suffix(".toml").read_text("utf-8"))  # the command, and what is typed


def session() -> str:
    """What a player sees after a few moves, with its colours."""
    typed, prompt = SHOWN["typed"], SHOWN["prompt"]
    with tempfile.TemporaryDirectory() as home:
        done = subprocess.run(
            [sys.executable, "-m", "astragal", *SHOWN["command"], "--colour"],
            input="".join(f"{line}\n" for line in typed),
            env={**os.environ, "XDG_DATA_HOME": home, "PYTHONUTF8": "1", "LC_ALL": "C.UTF-8"},
            capture_output=True,
            encoding="utf-8",
            check=True,
        )
    parts = done.stdout.split(prompt)  # a pipe does not echo what was typed
    return "".join(f"{part}{prompt} {line}" for part, line in zip(parts, typed, strict=False)) + parts[len(typed)]


def main() -> None:
    """Writes the picture."""
    console = Console(record=True, width=80, file=io.StringIO(), force_terminal=True)
    lines = session().rstrip("\n").split("\n")
    console.print(Text.from_ansi("\n".join(lines[-23:])))
    svg = console.export_svg(title=" ".join(["astragal", *SHOWN["command"][:2]]))
    svg = re.sub(r"<!-- .*? -->\s*", "", svg)
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text(svg.replace("Fira Code", "DejaVu Sans Mono"), "utf-8")
    print(OUT)


if __name__ == "__main__":
    main()
