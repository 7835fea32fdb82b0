"""The socket of a hall: everything that a page outside a match wants to know, told as it changes (`hall_wire`).

`?lang=` is the language of the client, and `?beats` asks for a sign of life at least every 1.5 seconds.
"""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
from litestar.connection import ASGIConnection

from astragal.core.language import say
from astragal.core.types import AstragalError
from astragal.server import hall_wire, metrics, wire
from astragal.server.access import guest_or_player, lang_of
from astragal.server.gate import address
from astragal.server.hall_feed import HallFeed, Listener
from astragal.server.live_socket import HURRIED, Inbox, Outbox, end, refusal
from astragal.server.problems import Problem
from astragal.server.rate_limit import SeatLimit
from astragal.server.rooms import Rooms
from astragal.server.sockets import EXTENSION, Sockets

PATH = "/api/hall/socket"


class Offers(msgspec.Struct, frozen=True, kw_only=True):
    """How this server can tell players something who are elsewhere."""

    push_key: str
    mail: bool


async def serve(rooms: Rooms, feed: HallFeed, offers: Offers, allow: SeatLimit, scope: Any, send: Any) -> None:
    """Serves one connection until it ends. `allow` raises Problem for whoever sends too much."""
    connection: ASGIConnection[Any, Any, Any, Any] = ASGIConnection(scope)
    socket: Sockets = scope["extensions"][EXTENSION]
    lang, beats, who = lang_of(connection), "beats" in connection.query_params, address(connection.scope)
    inbox = Inbox(socket)
    try:
        player = await guest_or_player(connection, rooms)
    except AstragalError as error:  # said in words first: browsers do not show why a handshake failed
        await send({"type": "websocket.accept"})
        socket.attach(inbox.put, None)
        answer = refusal(error, lang)
        socket.write_text(msgspec.json.encode(answer))
        await end(socket, send, 4000, answer.code)
        return
    await send({"type": "websocket.accept"})
    socket.attach(inbox.put, (lambda: msgspec.json.encode(wire.Beat(now=rooms.now()))) if beats else None)
    del connection, scope  # a connection may last for days, and these are large
    listener = Listener(None if player is None else player.key, lang, who, Outbox(socket, inbox).send)
    welcome = hall_wire.Welcome(player=listener.player, push_key=offers.push_key, mail=offers.mail)
    listener.send(msgspec.json.encode(welcome))
    try:
        await feed.join(listener)
        await _listen(inbox, feed, allow, listener)
    except AstragalError as error:  # the store fails; the client comes back
        listener.send(msgspec.json.encode(refusal(error, lang)))
    finally:
        feed.leave(listener)
        allow.forget("", id(listener))
        await end(socket, send, 1012, "come back")


async def _listen(inbox: Inbox, feed: HallFeed, allow: SeatLimit, listener: Listener) -> None:
    """Carries out what the client sends, one after the other."""
    while (text := await inbox.get()) is not None:
        try:
            allow("", id(listener))
            match _read(text):
                case hall_wire.Follow(matches=matches):
                    await feed.follow(listener, matches)
                case hall_wire.Wait(ticket=ticket, secret=secret):
                    await feed.wait(listener, ticket, secret)
        except AstragalError as error:
            answer = refusal(error, listener.lang)
            listener.send(msgspec.json.encode(answer))
            if answer.code == "too_many":
                await asyncio.sleep(HURRIED)
        except Exception:
            metrics.logger.exception("a command of a hall failed")
            broken = Problem("internal", say("something went wrong here; it is in the log"))
            listener.send(msgspec.json.encode(refusal(broken, listener.lang)))


def _read(text: str) -> hall_wire.Command:
    try:
        return hall_wire.read(text)
    except (msgspec.MsgspecError, UnicodeEncodeError, RecursionError) as error:
        raise Problem("malformed", say("this is no command: {reason}", reason=str(error))) from None
