"""Following a match over a WebSocket: commands in, messages out. An application of its own, below the framework's.

`?since=` is the last event the client has, `?lang=` its language. `?views` asks for the view after every event, for a
client that shows them one after the other; `?beats` for a sign of life at least every 1.5 seconds.
"""

from __future__ import annotations

import asyncio
import re
from collections import deque
from typing import Any

import msgspec
from litestar.connection import ASGIConnection

from astragal.core.language import say
from astragal.core.types import AstragalError
from astragal.server import metrics, wire
from astragal.server.access import lang_of, watching
from astragal.server.problems import Problem, code_of, shortened
from astragal.server.rate_limit import SeatLimit
from astragal.server.rooms import Rooms
from astragal.server.sockets import EXTENSION, Sockets
from astragal.server.subscribers import Subscriber

ADDRESS = re.compile(r"/api/matches/([^/]+)/socket")
HURRIED = 0.25  # seconds that the next command of a client waits that sends too many
MOST_WAITING = 16  # commands that a client may send ahead; nothing more is read meanwhile


class Inbox:
    """What a client has sent and is still to be carried out, one after the other."""

    __slots__ = ("_ended", "_socket", "_texts", "_waiting")

    def __init__(self, socket: Sockets) -> None:
        self._socket = socket
        self._texts: deque[str] = deque()
        self._ended = False
        self._waiting: asyncio.Future[None] | None = None

    def put(self, text: str | None) -> None:
        """A message arrived; None: there will be no more."""
        if text is None:
            self._ended = True
        else:
            self._texts.append(text)
            if len(self._texts) >= MOST_WAITING:
                self._socket.pause(True)
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    async def get(self) -> str | None:
        """The next message; None if there will be no more."""
        while not self._texts and not self._ended:
            self._waiting = asyncio.get_running_loop().create_future()
            await self._waiting
        if self._ended:
            return None
        text = self._texts.popleft()
        if not self._texts:
            self._socket.pause(False)
        return text


async def follow(rooms: Rooms, allow: SeatLimit, match: str, scope: Any, send: Any) -> None:
    """Serves one connection until it ends. `allow` raises Problem for whoever sends too much."""
    connection: ASGIConnection[Any, Any, Any, Any] = ASGIConnection(scope)
    socket: Sockets = scope["extensions"][EXTENSION]
    lang, query = lang_of(connection), connection.query_params
    inbox, early = Inbox(socket), list[bytes | None]()
    try:
        since = query.get("since", "0")
        visitor = await watching(connection, rooms, match)
        if not since.isdecimal() or len(since) > 9:
            raise Problem("malformed", say("{value!r} is no number of an event", value=since))
        subscriber = await rooms.follow(match, visitor, lang, int(since), early.append, views="views" in query)
    except AstragalError as error:  # said in words first: browsers do not show why a handshake failed
        await send({"type": "websocket.accept"})
        socket.attach(inbox.put, None)
        socket.write_text(msgspec.json.encode(refusal(error, lang)))
        await end(socket, send, 4000, code_of(error))
        return
    try:
        await send({"type": "websocket.accept"})  # whoever is let in follows already
        beat = (lambda: msgspec.json.encode(wire.Beat(now=rooms.now()))) if "beats" in query else None
        del connection, query, scope, visitor  # a connection may last for days, and these are large
        socket.attach(inbox.put, beat)
        subscriber.send = Outbox(socket, inbox).send
        for message in early:
            subscriber.send(message)
        await _listen(inbox, rooms, allow, subscriber)
    finally:
        rooms.unfollow(subscriber)
        if subscriber.viewer is None:
            allow.forget(match, _caller(subscriber))
        await end(socket, send, 1012, "come back")


class Outbox:
    """Where the messages of a connection go; None ends it."""

    __slots__ = ("_inbox", "_socket")

    def __init__(self, socket: Sockets, inbox: Inbox) -> None:
        self._socket, self._inbox = socket, inbox

    def send(self, message: bytes | None) -> None:
        """Sends a message, or ends the connection."""
        if message is None:
            self._inbox.put(None)
        else:
            self._socket.write_text(message)


async def end(socket: Sockets, send: Any, code: int, reason: str) -> None:
    """Ends a connection that is not gone yet, and says why."""
    socket.detach()
    if not socket.disconnected and not socket.close_sent:
        await send({"type": "websocket.close", "code": code, "reason": reason})


async def _listen(inbox: Inbox, rooms: Rooms, allow: SeatLimit, subscriber: Subscriber) -> None:
    """Carries out what the client sends, one after the other. What is refused changes nothing."""
    while (text := await inbox.get()) is not None:
        answer: wire.Message
        id = ""
        try:
            allow(subscriber.match, _caller(subscriber))
            if subscriber.viewer is None:
                raise Problem("wrong_secret", say("this needs the secret of a seat"))
            command = _read(text)
            id = command.id
            answer = await rooms.do(subscriber.match, subscriber.viewer, command)
        except AstragalError as error:
            answer = refusal(error, subscriber.lang, id)
            if answer.code == "too_many":  # nothing is read meanwhile, so that the queue that fills is the client's
                await asyncio.sleep(HURRIED)
        except Exception:
            metrics.logger.exception("a command failed", extra={"match": subscriber.match})
            answer = refusal(
                Problem("internal", say("something went wrong here; it is in the log")), subscriber.lang, id
            )
        subscriber.send(msgspec.json.encode(answer))


def _caller(subscriber: Subscriber) -> tuple[str, int] | int:
    """Whom the limit counts: a seat, whatever its connections, or one connection of a spectator."""
    return ("spectator", id(subscriber)) if subscriber.viewer is None else subscriber.viewer


def _read(text: str) -> wire.Command:
    try:
        return wire.read(text)
    except (msgspec.MsgspecError, UnicodeEncodeError, RecursionError) as error:
        raise Problem("malformed", say("this is no command: {reason}", reason=str(error))) from None


def refusal(error: AstragalError, lang: str, id: str = "") -> wire.Refused:
    """Why a command was not carried out."""
    code = code_of(error)
    metrics.refusals.labels(code).inc()
    return wire.Refused(id=id, code=code, detail=shortened(error.to(lang)), rule=getattr(error, "rule", None))
