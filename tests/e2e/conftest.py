"""A real browser (Debian's Chromium) at a real server with the built client."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.e2e.hall import QUICK, Visit
from tests.server.running import Server

ROOT = Path(__file__).parent.parent.parent
# Without these Chromium looks for hosts that no test needs.
QUIET = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

BLOCKED = "Service Worker registration blocked by Playwright"  # by what `visit` asks for

Visitor = Callable[..., Visit]


class Reachable(Protocol):
    """Something with an address: a server, or a way to one."""

    address: str


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in Path(item.path).parents:
            item.add_marker(pytest.mark.needs("chromium"))


@pytest.fixture(scope="session")
def client() -> Path:
    """The built pages; `make test` builds them before."""
    built = ROOT / "src" / "astragal" / "web"
    assert (built / "index.html").is_file(), "build the browser client first: make web"
    return built


@pytest.fixture(scope="session")
def server(client: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("e2e") / "matches.db", "--one-address") as running:
        yield running


@pytest.fixture(scope="module")
def browser(request: pytest.FixtureRequest) -> Iterator[Browser]:
    """For one file of tests only: while it is open, Playwright's event loop counts as running in this thread, and
    tests of other files could not start one of their own.

    Chromium without its windows takes a fifth less time, but has no notifications: a file that wants them sets
    `WHOLE_BROWSER`.
    """
    whole = getattr(request.module, "WHOLE_BROWSER", False)
    program = (not whole and shutil.which("chromium-headless-shell")) or shutil.which("chromium")
    root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=[*QUIET, *root])
        yield chromium
        chromium.close()


@pytest.fixture
def visit(browser: Browser, server: Server) -> Iterator[Visitor]:
    """Opens a page of the hall as somebody new. Whatever the page complains of, or asks other hosts, fails the test."""
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def watch(page: Page, host: str, allowed: tuple[str, ...]) -> None:
        def heard(message: Any) -> None:
            if message.type in ("error", "warning") and not any(word in message.text for word in (*allowed, BLOCKED)):
                faults.append(f"console: {message.text}")

        page.on("console", heard)
        page.on("pageerror", lambda error: faults.append(f"error: {error}"))
        page.on(
            "request",
            lambda request: (
                None
                if request.url.startswith((host, "data:", "blob:"))
                else faults.append(f"another host: {request.url}")
            ),
        )

    def opened(
        path: str = "/",
        *,
        at: Reachable | None = None,
        allowed: tuple[str, ...] = (),
        settings: Any = None,
        **how: Any,
    ) -> Visit:
        how.setdefault("viewport", {"width": 1280, "height": 800})
        how.setdefault("locale", "en")
        how.setdefault("reduced_motion", "reduce")
        how.setdefault("service_workers", "block")  # they would fetch all files in every test
        context = browser.new_context(base_url=(at or server).address, **how)
        contexts.append(context)
        context.add_init_script(QUICK if settings is None else settings)
        page = context.new_page()
        watch(page, (at or server).address, allowed)
        page.goto(path)
        return Visit(page)

    yield opened
    for context in contexts:
        context.close()
    assert not faults
