"""Builds the documentation site into the package, where the hall serves it at /docs: `make site`.

A link that leads nowhere is an error. Beside the pages it leaves `policy.txt`, the content security policy that they
are served with: their few inline scripts are allowed by their hashes, and no others.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "src" / "astragal" / "site"
_INLINE = re.compile(r"<script(?P<given>[^>]*)>(?P<code>.*?)</script>", re.DOTALL)


def policy(folder: Path) -> str:
    """What the pages in this folder may load and run."""
    scripts = {
        found["code"]
        for page in folder.rglob("*.html")
        for found in _INLINE.finditer(page.read_text("utf-8"))
        if "src=" not in found["given"] and found["code"].strip()
    }
    hashes = sorted(base64.b64encode(hashlib.sha256(code.encode()).digest()).decode() for code in scripts)
    allowed = " ".join(["'self'", *(f"'sha256-{each}'" for each in hashes)])
    return (
        f"default-src 'self'; script-src {allowed}; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )


def build(target: Path) -> int:
    """Builds the site; the exit code of Sphinx."""
    with tempfile.TemporaryDirectory() as folder:
        pages = Path(folder) / "pages"
        words = ["-q", "-b", "html", "-W", "--keep-going", "-d", str(Path(folder) / "doctrees"), "docs", str(pages)]
        code = subprocess.call([sys.executable, "-m", "sphinx", *words], cwd=ROOT)
        if code == 0:
            (pages / "policy.txt").write_text(policy(pages) + "\n", "utf-8")
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(pages, target, ignore=shutil.ignore_patterns(".buildinfo", "objects.inv"))
    return code


def main() -> int:
    """Builds it where the package has it, or elsewhere."""
    parser = argparse.ArgumentParser(description="Build the documentation site; dead links are errors.")
    parser.add_argument("--out", type=Path, default=TARGET, help="another folder than the package's own")
    return build(parser.parse_args().out)


if __name__ == "__main__":
    sys.exit(main())
