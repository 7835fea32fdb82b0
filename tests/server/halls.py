"""Somebody in the hall, over the real socket."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable
from typing import Any

from websockets.sync.client import connect

from tests.server.running import PATIENCE, Server


class Hall:
    """One connection of a hall, and what it has heard, by kind."""

    def __init__(self, server: Server, session: dict[str, str] | None = None, lang: str = "en") -> None:
        self.server = server
        self.messages: list[dict[str, Any]] = []
        self._open = contextlib.ExitStack()
        address = f"{server.address.replace('http', 'ws', 1)}/api/hall/socket?lang={lang}"
        self.socket = self._open.enter_context(
            connect(address, additional_headers=session or {}, open_timeout=PATIENCE, max_size=None, max_queue=None)
        )

    def __enter__(self) -> Hall:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def send(self, **command: Any) -> None:
        self.socket.send(json.dumps(command))

    def hear(self, timeout: float = PATIENCE) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.socket.recv(timeout))
        self.messages.append(message)
        return message

    def until(self, kind: str, wanted: Callable[[dict[str, Any]], bool] = lambda _: True) -> dict[str, Any]:
        """The first message of this kind that is wanted, also if it was heard already."""
        end = time.monotonic() + PATIENCE
        message: dict[str, Any]
        for message in reversed(self.messages):
            if message["type"] == kind:
                if wanted(message):
                    return message
                break  # an older one is not how it is now
        while time.monotonic() < end:
            message = self.hear()
            if message["type"] == kind and wanted(message):
                return message
        raise TimeoutError(str(self.messages[-3:])[:500])

    def quiet(self, seconds: float) -> list[dict[str, Any]]:
        """What is heard in so many seconds."""
        end, heard = time.monotonic() + seconds, []
        while (left := end - time.monotonic()) > 0:
            with contextlib.suppress(TimeoutError):
                heard.append(self.hear(left))
        return heard
