"""Runs the server: one process, or several on PostgreSQL."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import sys
import threading
import webbrowser
from typing import Any

import uvicorn

from astragal.core.language import say
from astragal.core.types import AstragalError
from astragal.server import app, connections, metrics, store_file, wire
from astragal.server.connections import Http
from astragal.server.settings import Settings
from astragal.server.sockets import Sockets
from astragal.server.store import Store

STARTING = 60  # seconds after which a worker that does not answer is replaced; on a busy machine it starts slowly
GRACE = 8  # seconds that connections get to end when the server is told to stop


def run(settings: Settings, *, open_browser: bool = False) -> None:
    """Serves until it is told to stop. Raises AstragalError if it cannot begin."""
    if settings.workers > 1 and settings.embedded:
        raise AstragalError(
            say("{n} workers need PostgreSQL; the embedded store is for one process", n=settings.workers)
        )
    settings = settings.checked()
    metrics.start_log()
    connections.raise_limit()
    store_file.check_free(settings.url)
    check_port(settings.host, settings.port)
    asyncio.run(_try_store(settings))
    settings.hand_on()
    chosen = config(settings, f"{app.__name__}:{app.create.__name__}")
    host = "localhost" if settings.host in ("0.0.0.0", "::", "127.0.0.1") else settings.host  # noqa: S104  compared
    address = f"http://{host}:{settings.port}/"
    print(say("Astragal is served at {address}; stop it with Ctrl-C.", address=address).to(settings.lang), flush=True)  # noqa: T201
    if open_browser:
        threading.Timer(1.5, webbrowser.open, [address]).start()
    if settings.workers > 1:
        uvicorn.supervisors.Multiprocess(chosen, [chosen.bind_socket()]).run()
        return
    server = uvicorn.Server(chosen)
    server.run()
    if not server.started:
        sys.exit(1)


def check_port(host: str, port: int) -> None:
    """Refuses a port that is taken or not allowed, before anything is said or opened. Raises AstragalError."""
    try:
        places = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except OSError as error:
        raise AstragalError(
            say("{host} is no address of this computer: {reason}", host=host, reason=str(error))
        ) from None
    for family, _, _, _, place in places:
        try:
            _try_bind(family, place)
        except OSError as error:  # any other is uvicorn's to judge, such as an address of a network that is off
            if error.errno == errno.EADDRINUSE:
                text = say("port {port} is in use by another program; choose another with --port", port=port)
                raise AstragalError(text) from None
            if error.errno == errno.EACCES:
                text = say("port {port} is not allowed to this user; choose another with --port", port=port)
                raise AstragalError(text) from None


def _try_bind(family: int, place: Any) -> None:
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        if os.name == "posix":  # as the server itself will; elsewhere this would share a port that is in use
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            probe.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        probe.bind(place)


def config(settings: Settings, application: Any) -> uvicorn.Config:
    """How uvicorn runs the application, or the factory named by a string."""
    return uvicorn.Config(
        application,
        factory=isinstance(application, str),
        host=settings.host,
        port=settings.port,
        workers=settings.workers,
        proxy_headers=False,  # the gate reads them
        http=Http,
        ws=Sockets,
        ws_max_size=wire.MOST_BYTES,
        ws_per_message_deflate=False,  # messages are small, and a compressor for every socket is not
        timeout_graceful_shutdown=GRACE,
        timeout_worker_healthcheck=STARTING,
        log_config=None,
        access_log=False,
        server_header=False,
    )


async def _try_store(settings: Settings) -> None:
    """Says at once, in one line, if the store cannot be used."""
    store = await Store.open(settings.url)
    await store.close()
