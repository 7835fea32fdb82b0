"""The hall on one's own computer: `astragal hall`, which `make play` starts.

It is served to this computer only, and a browser opens at it. Its host may open it to the local network; then it
asks everybody for a password, also on this computer.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
import threading
import time
import urllib.request
import webbrowser
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sa
import uvicorn
from msgspec import Struct

from astragal.core.language import say
from astragal.core.types import AstragalError
from astragal.server import app, auth, connections, metrics, serving, store_file
from astragal.server.gate import Gate
from astragal.server.problems import Problem
from astragal.server.settings import Settings
from astragal.server.table_maker import TableMaker


class Hall:
    """A server on this computer that can be opened to the network while it runs."""

    def __init__(self, gate: Gate, server: uvicorn.Server) -> None:
        self._gate, self._server = gate, server
        self.addresses: tuple[str, ...] = ()
        self.keys = auth.HallKey()
        self.tables = TableMaker()

    async def open(self, password: str) -> str:
        """Listens to the local network too; the pass of whoever opened it."""
        if self.addresses:
            raise Problem("not_possible", say("the hall is open already"))
        salt = auth.new_secret().encode()
        door = await asyncio.to_thread(auth.Door, password, salt)
        shown = await auth.slowly(door.enter, password)
        if shown is None:
            raise RuntimeError("a password does not open its own door")
        try:
            listener = _bind("0.0.0.0", 0)  # noqa: S104  that is what its host asked for
        except OSError as error:
            raise Problem("not_possible", say("the network cannot be used: {reason}", reason=str(error))) from None
        self._gate.door = door  # before it listens, so that nobody comes in without the password
        config, server = self._server.config, self._server
        protocol: Any = config.http_protocol_class
        loop = asyncio.get_running_loop()
        more = await loop.create_server(
            lambda: protocol(config=config, server_state=server.server_state, app_state=server.lifespan.state),
            sock=listener,
        )
        server.servers.append(more)  # uvicorn closes it with its own
        port = listener.getsockname()[1]
        self.addresses = tuple(f"http://{name}:{port}/" for name in _own_addresses())
        return shown


def run(settings: Settings, *, browser: bool = True) -> None:
    """Serves the hall until Ctrl-C. Raises AstragalError if it cannot begin."""
    try:
        store_file.check_free(settings.url)
    except AstragalError:
        left = _running(settings)
        if left is None:
            raise
        _show(settings, left.port, browser, auth.HallKey(left.key), already=True)
        return
    try:
        listener = _bind("127.0.0.1", settings.port)  # the same every day, so that the browser finds its matches again
    except OSError:
        listener = _bind("127.0.0.1", 0)
    settings = msgspec.structs.replace(settings.checked(), port=listener.getsockname()[1])
    connections.raise_limit()
    settings.hand_on()
    gate = app.create(settings)
    server = uvicorn.Server(serving.config(settings, gate))
    gate.app.state.hall = hall = Hall(gate, server)
    metrics.start_log(logging.WARNING)  # a player's terminal is no log
    threading.Thread(target=_when_ready, args=(server, settings, hall.keys, browser), daemon=True).start()
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[listener])
    hall.tables.close()
    note = _note_file(settings)
    if server.started and note is not None:
        note.unlink(missing_ok=True)
    print(say("The hall is closed. Every match is kept.").to(settings.lang), flush=True)  # noqa: T201


def _when_ready(server: uvicorn.Server, settings: Settings, keys: auth.HallKey, browser: bool) -> None:
    print(say("The hall is being opened ...").to(settings.lang), flush=True)  # noqa: T201
    while not server.started and not server.should_exit:
        time.sleep(0.05)
    if server.started:
        _leave_note(settings, keys.key)
        _show(settings, settings.port, browser, keys)


class _Note(Struct, frozen=True):
    """What a running hall leaves for the next `astragal hall` of the same user: where it is, and its key."""

    port: int
    key: str


def _note_file(settings: Settings) -> Path | None:
    """Beside the embedded store, which one hall at a time can use."""
    file = sa.make_url(settings.url).database if settings.embedded else None
    return Path(f"{file}.hall") if file else None


def _leave_note(settings: Settings, key: str) -> None:
    """For this user only. Where it cannot be written, a second `astragal hall` says that the store is in use."""
    file = _note_file(settings)
    if file is None:
        return
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            out.write(msgspec.json.encode(_Note(settings.port, key)))


def _running(settings: Settings) -> _Note | None:
    """The hall that uses this store, if it is one and answers."""
    file = _note_file(settings)
    if file is None:
        return None
    try:
        left = msgspec.json.decode(file.read_bytes(), type=_Note)
    except (OSError, msgspec.MsgspecError):
        return None
    return left if _ours(left.port) else None


def _show(settings: Settings, port: int, browser: bool, keys: auth.HallKey, *, already: bool = False) -> None:
    """Says where the hall is, and opens a browser there; where there is none, the address said has the ticket."""
    where = f"http://localhost:{port}/"
    with_ticket = f"{where}#hall={keys.ticket()}"
    if not browser:
        where = with_ticket
    greeting = (
        say("The hall is open already, at {address}", address=where)
        if already
        else say("The hall is open: {address} (Ctrl-C closes it)", address=where)
    )
    print(greeting.to(settings.lang), flush=True)  # noqa: T201
    if browser:
        shown = False
        with contextlib.suppress(webbrowser.Error):
            shown = webbrowser.open(with_ticket)
        if not shown:
            print(say("Open this address in a browser: {address}", address=with_ticket).to(settings.lang), flush=True)  # noqa: T201


def _ours(port: int) -> bool:
    """Whether a server like this one answers at this port."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=2) as answer:
            return b"alive" in answer.read(100)
    except OSError:
        return False


def _bind(host: str, port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if os.name == "posix":  # elsewhere this would share a port that is in use
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError:
        listener.close()
        raise
    return listener


def _own_addresses() -> list[str]:
    """What this computer is called in its networks."""
    own = {str(info[4][0]) for info in _names()}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # nothing is sent: it only asks which way a packet would go
        own.add(probe.getsockname()[0])
    return sorted(name for name in own if not name.startswith("127.")) or ["127.0.0.1"]


def _names() -> list[Any]:
    try:
        return socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
    except OSError:
        return []
