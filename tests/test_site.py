"""The documentation site: built with dead links as errors, complete, searchable, and served by the hall at /docs."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from litestar import Litestar
from litestar.testing import TestClient

from astragal.core import registry
from astragal.core.language import LANGUAGES
from astragal.server.api_server import documentation
from tests.once import once
from tests.server.running import threaded

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    def make(folder: Path) -> None:
        words = [sys.executable, "tools/site.py", "--out", str(folder / "pages")]
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    return once(tmp_path_factory, "site", make) / "pages"


def test_it_has_the_rules_in_three_languages_guides_and_a_reference(site: Path) -> None:
    for lang in LANGUAGES:
        for game in registry.games():
            if (ROOT / "docs" / "rules" / lang / f"{game}.md").is_file():
                assert (site / "rules" / lang / f"{game}.html").is_file(), (lang, game)
    for page in ("playing", "hosting", "teachers", "teachers.de", "teachers.es", "bots", "authors", "python"):
        assert f'href="{page}.html"' in (site / "index.html").read_text("utf-8"), page
    reference = (site / "api.html").read_text("utf-8")
    for name in ("astragal.core.rules.Rules.apply", "astragal.bots.own.BaseBot", "astragal.play.match.Match"):
        assert f'id="{name}"' in reference, name
    every = {file.stem for file in (ROOT / "docs").glob("*.md")}
    assert every <= {file.stem for file in site.glob("*.html")}, "a page of docs/ is in no list of index.md"


def test_it_can_be_searched(site: Path) -> None:
    index = (site / "searchindex.js").read_text("utf-8")
    assert "rosett" in index
    assert (site / "search.html").is_file()


def test_a_dead_link_fails_the_build(tmp_path: Path) -> None:
    shutil.copy(ROOT / "docs" / "conf.py", tmp_path)
    for link, code in (("there.md", 0), ("nowhere.md", 1), ("there.md#no-such-heading", 1)):
        (tmp_path / "index.md").write_text(f"# Start\n\n[somewhere]({link})\n\n```{{toctree}}\nthere\n```\n", "utf-8")
        (tmp_path / "there.md").write_text("# There\n", "utf-8")
        words = ["-m", "sphinx", "-q", "-E", "-b", "html", "-W", str(tmp_path), str(tmp_path / "out")]
        done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)
        assert bool(done.returncode) == bool(code), (link, done.stderr)


def test_it_is_served_with_a_policy_that_allows_its_own_scripts_alone(site: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret", "utf-8")
    with TestClient(Litestar(route_handlers=documentation(site))) as client:
        entrance = client.get("/docs", follow_redirects=False)
        assert entrance.headers["location"] == "/docs/index.html"
        page = client.get("/docs/index.html")
        assert page.headers["content-type"].startswith("text/html")
        rules = page.headers["content-security-policy"]
        scripts = re.search(r"script-src ([^;]+)", rules)
        assert scripts is not None
        assert "unsafe" not in scripts[1]
        assert "sha256-" in scripts[1]
        for link in re.findall(r'(?:href|src)="([^"#?:]+)(?:[#?][^"]*)?"', page.text):
            assert client.get(f"/docs/{link}").status_code == 200, link
        assert client.get("/docs/_static/styles/furo.css").headers["content-type"].startswith("text/css")
        for path in ("/docs/nothing.html", "/docs/../secret.txt", "/docs/rules", "/docs//etc/passwd"):
            assert client.get(path).status_code == 404, path


def test_a_server_without_the_site_says_so_plainly(tmp_path: Path) -> None:
    with TestClient(Litestar(route_handlers=documentation(tmp_path))) as client:
        assert "make site" in client.get("/docs").text
        assert "make site" in client.get("/docs", headers={"accept-language": "de"}).text
        assert client.get("/docs/index.html").status_code == 404


def test_the_address_belongs_to_every_server(tmp_path: Path) -> None:
    with threaded(tmp_path / "matches.db") as server:
        answer = httpx.get(f"{server.address}/docs", follow_redirects=False)
        assert answer.status_code == 302 or "make site" in answer.text
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
