"""A connection that is lost without a word: nothing is closed, and nothing arrives any more."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Visitor
from tests.e2e.hall import Visit
from tests.server.running import Server, free_port

SOON = 12_000  # milliseconds; the aim is five seconds, and a busy machine is slower


class Wire:
    """A plain TCP proxy that can stop passing anything on, as a network does when a cable is pulled."""

    def __init__(self) -> None:
        self.target, self.flows = free_port(), threading.Event()
        self.flows.set()
        self.sockets: list[socket.socket] = []
        self.threads: list[threading.Thread] = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self._start(self._accept)

    def _start(self, work: Callable[..., None], *args: socket.socket) -> None:
        thread = threading.Thread(target=work, args=args, daemon=True)
        self.threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self.listener.accept()
                self.sockets.append(near)
                far = socket.create_connection(("127.0.0.1", self.target))
                self.sockets.append(far)
                self._start(self._pump, near, far)
                self._start(self._pump, far, near)

    def _pump(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                self.flows.wait()
                sink.sendall(data)
            self.flows.wait()
            sink.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        self.flows.set()
        self.listener.shutdown(socket.SHUT_RDWR)
        for one in self.sockets:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        for thread in self.threads:
            thread.join()
        for one in (self.listener, *self.sockets):
            one.close()


@pytest.fixture
def wire() -> Iterator[Wire]:
    made = Wire()
    yield made
    made.close()


@pytest.fixture
def behind(client: Path, tmp_path: Path, wire: Wire) -> Iterator[Server]:
    """A server that is reached directly and over that wire."""
    with Server(tmp_path / "matches.db", "--origin", wire.address, port=wire.target) as running:
        yield running


def clocks(visit: Visit) -> list[int]:
    """Seconds on the clocks that a page shows."""
    shown = visit.page.locator("aside time").all_inner_texts()
    return [60 * int(text.split(":")[0]) + int(text.split(":")[1]) for text in shown]


def agree(one: Visit, other: Visit) -> bool:
    return all(abs(a - b) <= 2 for a, b in zip(clocks(one), clocks(other), strict=True))


def test_a_connection_that_falls_silent_is_seen_on_both_sides_and_clocks_agree_afterwards(
    visit: Visitor, behind: Server, wire: Wire
) -> None:
    options = {"begins": 0, "dice": "three"}  # four may throw nothing, and Ben, who is cut off, would be to act
    made = behind.create("ur", ["open", "open"], clock="5m+0s", name="Ada", options=options)
    ada = visit(f"/seat/{made['match']}#{made['secret']}", at=behind)
    ben = visit(made["links"]["join"], at=wire, allowed=("WebSocket connection",))
    ben.page.get_by_label("Your name").fill("Ben")
    ben.page.get_by_role("button", name="Sit down and play").click()
    expect(ben.status).to_be_visible()
    expect(ada.status).to_be_visible()
    lost, gone = ben.page.get_by_text("The connection is lost."), ada.page.get_by_text("Ben is not connected.")
    expect(gone).to_be_hidden()
    wire.flows.clear()
    expect(lost).to_be_visible(timeout=SOON)
    expect(gone).to_be_visible(timeout=SOON)
    assert ada.my_turn()
    ada.do_one()
    ada.page.wait_for_timeout(3000)
    wire.flows.set()
    expect(lost).to_be_hidden(timeout=SOON)
    expect(gone).to_be_hidden(timeout=SOON)
    until = time.monotonic() + SOON / 1000
    while not agree(ada, ben):  # what happened meanwhile is shown before the clocks go on, and looking takes time too
        assert time.monotonic() < until
        ada.page.wait_for_timeout(100)
    for visitor in (ada, ben):
        visitor.page.context.close()
