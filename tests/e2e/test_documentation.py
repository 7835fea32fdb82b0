"""The documentation in a real browser: its search works under the policy that it is served with."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn
from litestar import Litestar
from playwright.sync_api import Browser, ConsoleMessage, Response

from astragal.server.api_server import documentation
from tests.e2e.conftest import ROOT
from tests.server.running import free_port


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("site") / "pages"
    subprocess.run([sys.executable, "tools/site.py", "--out", str(folder)], cwd=ROOT, check=True)
    port = free_port()
    app = Litestar(route_handlers=documentation(Path(folder)))
    running = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=port, log_config=None, access_log=False))
    thread = threading.Thread(target=running.run)
    thread.start()
    while not running.started and thread.is_alive():
        time.sleep(0.02)
    yield f"http://127.0.0.1:{port}/docs"
    running.should_exit = True
    thread.join(60)


def test_a_reader_searches_and_follows_a_result(address: str, browser: Browser) -> None:
    page = browser.new_page()
    complaints: list[str] = []

    def answered(response: Response) -> None:
        if response.status >= 400 and not response.url.endswith("/favicon.ico"):  # of the whole server, not of these
            complaints.append(response.url)

    def said(message: ConsoleMessage) -> None:
        if message.type == "error" and "404" not in message.text:
            complaints.append(message.text)

    page.on("response", answered)
    page.on("console", said)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(address)
    page.locator("input[name=q]").first.fill("rosette")
    page.locator("input[name=q]").first.press("Enter")
    results = page.locator("#search-results li a")
    results.first.wait_for(timeout=60_000)
    with page.expect_navigation():  # or the page that is left might be read
        results.first.click()
    assert "rosette" in page.content().lower()
    page.goto(address.replace("/docs", "/docs/rules/es/ur.html"))
    assert "Ur" in page.locator("h1").inner_text()
    assert page.locator("img").first.evaluate("image => image.naturalWidth") > 0
    page.close()
    assert complaints == []
