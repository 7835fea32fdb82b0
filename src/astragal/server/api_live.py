"""Following a match as it goes on: over a WebSocket, or as a stream of lines for a bot."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Annotated, Any

import msgspec
from litestar import Request, WebSocket, get, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import QueryParameter
from litestar.response import Stream

from astragal.core.language import say
from astragal.core.types import AstragalError
from astragal.server import metrics, wire
from astragal.server.access import MatchId, TheRooms, lang_of, watching
from astragal.server.problems import Problem, code_of, shortened
from astragal.server.rooms import Rooms
from astragal.server.subscribers import Subscriber

STILL_HERE = 10.0  # seconds after which a stream that has nothing to tell sends an empty line
BEAT = 1.5  # seconds after which a socket that has nothing to tell says that it lives, where the client asked for it
HURRIED = 0.25  # seconds that the next command of a client waits that sends too many

AnySocket = WebSocket[Any, Any, Any]


@websocket("/api/matches/{id:str}/socket")
async def socket(socket: AnySocket, rooms: TheRooms, id: MatchId) -> None:
    """Commands in, messages out. `?since=` is the last event the client has, `?lang=` its language.

    `?views` asks for the view after every event, for a client that shows them one after the other; `?beats` for a
    sign of life whenever there is nothing else to tell.
    """
    lang = lang_of(socket)
    since = socket.query_params.get("since", "0")
    try:
        visitor = await watching(socket, rooms, id)
        if not since.isdecimal() or len(since) > 9:
            raise Problem("malformed", say("{value!r} is no number of an event", value=since))
        subscriber = await rooms.follow(id, visitor, lang, int(since), views="views" in socket.query_params)
    except AstragalError as error:  # said in words first: browsers do not show why a handshake failed
        await socket.accept()
        await socket.send_data(msgspec.json.encode(refusal(error, lang)), mode="text")
        await socket.close(code=4000, reason=code_of(error))
        return
    await socket.accept()
    try:
        beats = rooms.now if "beats" in socket.query_params else None
        talking = asyncio.create_task(_talk(socket, subscriber, beats))
        try:
            await _listen(socket, rooms, subscriber)
        except WebSocketDisconnect:
            pass
        finally:
            talking.cancel()
            await asyncio.wait([talking])
    finally:
        rooms.unfollow(subscriber)


async def _talk(socket: AnySocket, subscriber: Subscriber, beats: Callable[[], int] | None) -> None:
    """Sends what there is to tell, until there is no more; where there is nothing, the time (`beats`)."""
    try:
        while (message := await _next_message(subscriber, beats)) is not None:
            await socket.send_data(message, mode="text")
        await socket.close(code=1012, reason="come back")
    except (WebSocketDisconnect, RuntimeError, OSError):
        return  # the connection is gone, which `_listen` learns as well


async def _next_message(subscriber: Subscriber, beats: Callable[[], int] | None) -> bytes | None:
    if beats is None:
        return await subscriber.messages.get()
    try:
        return await asyncio.wait_for(subscriber.messages.get(), BEAT)
    except TimeoutError:
        return msgspec.json.encode(wire.Beat(now=beats()))


async def _listen(socket: AnySocket, rooms: Rooms, subscriber: Subscriber) -> None:
    """Carries out what the client sends, one after the other. What is refused changes nothing."""
    while True:
        data = await socket.receive_data(mode="text")
        answer: wire.Message
        id = ""
        try:
            socket.app.state.allow_seat(
                subscriber.match, subscriber if subscriber.viewer is None else subscriber.viewer
            )
            if subscriber.viewer is None:
                raise Problem("wrong_secret", say("this needs the secret of a seat"))
            command = _read(data)
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


def _read(data: str) -> wire.Command:
    try:
        return wire.read(data)
    except (msgspec.MsgspecError, UnicodeEncodeError, RecursionError) as error:
        raise Problem("malformed", say("this is no command: {reason}", reason=str(error))) from None


def refusal(error: AstragalError, lang: str, id: str = "") -> wire.Refused:
    """Why a command was not carried out."""
    code = code_of(error)
    metrics.refusals.labels(code).inc()
    return wire.Refused(id=id, code=code, detail=shortened(error.to(lang)), rule=getattr(error, "rule", None))


@get(
    "/api/matches/{id:str}/stream",
    summary="The messages of the socket as lines of JSON, for bots",
    operation_id="stream",
    tags=["matches"],
    media_type="application/x-ndjson",
)
async def stream(
    request: Request[Any, Any, Any],
    rooms: TheRooms,
    id: MatchId,
    since: Annotated[int, QueryParameter(ge=0, le=wire.MOST)] = 0,
) -> Stream:
    """Ends when the match is over; an empty line every ten seconds shows that the stream is still there."""
    visitor = await watching(request, rooms, id)
    subscriber = await rooms.follow(id, visitor, lang_of(request), since)
    return Stream(_lines(rooms, subscriber), media_type="application/x-ndjson")


async def _lines(rooms: Rooms, subscriber: Subscriber) -> AsyncIterator[bytes]:
    try:
        while True:
            try:
                message = await asyncio.wait_for(subscriber.messages.get(), STILL_HERE)
            except TimeoutError:
                yield b"\n"
                continue
            if message is None:
                return
            yield message + b"\n"
            live = rooms.live.get(subscriber.match)
            ended = live is None or live.room is None or live.room.status in ("over", "closed")
            if ended and subscriber.messages.empty():
                return
    finally:
        rooms.unfollow(subscriber)
