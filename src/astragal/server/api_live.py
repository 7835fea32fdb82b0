"""Following a match as it goes on: over a WebSocket, or as a stream of lines for a bot."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
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
from astragal.server.following import Follower
from astragal.server.problems import Problem, code_of
from astragal.server.rooms import Rooms

STILL_HERE = 10.0  # seconds after which a stream that has nothing to tell sends an empty line
HURRIED = 0.25  # seconds that somebody waits who sends too much

AnySocket = WebSocket[Any, Any, Any]


@websocket("/api/matches/{id:str}/socket")
async def socket(socket: AnySocket, rooms: TheRooms, id: MatchId) -> None:
    """Commands in, messages out. `?since=` is the last event the client has, `?lang=` its language.

    `?views` asks for the view after every event, for a client that shows them one after the other.
    """
    lang = lang_of(socket)
    since = socket.query_params.get("since", "0")
    try:
        visitor = await watching(socket, rooms, id)
        if not since.isdecimal() or len(since) > 9:
            raise Problem("malformed", say("{value!r} is no number of an event", value=since))
        follower = await rooms.follow(id, visitor, lang, int(since), views="views" in socket.query_params)
    except AstragalError as error:  # said in words first: browsers do not show why a handshake failed
        await socket.accept()
        await socket.send_data(msgspec.json.encode(refusal(error, lang)), mode="text")
        await socket.close(code=4000, reason=code_of(error))
        return
    await socket.accept()
    try:
        talking = asyncio.create_task(_talk(socket, follower))
        try:
            await _listen(socket, rooms, follower)
        except WebSocketDisconnect:
            pass
        finally:
            talking.cancel()
            await asyncio.wait([talking])
    finally:
        rooms.unfollow(follower)


async def _talk(socket: AnySocket, follower: Follower) -> None:
    """Sends what there is to tell, until there is no more."""
    try:
        while (message := await follower.messages.get()) is not None:
            await socket.send_data(message, mode="text")
        await socket.close(code=1012, reason="come back")
    except (WebSocketDisconnect, RuntimeError, OSError):
        return  # the connection is gone, which `_listen` learns as well


async def _listen(socket: AnySocket, rooms: Rooms, follower: Follower) -> None:
    """Carries out what the client sends, one after the other. What is refused changes nothing."""
    while True:
        data = await socket.receive_data(mode="text")
        answer: wire.Message
        id = ""
        try:
            socket.app.state.allow_seat(follower.match, follower if follower.viewer is None else follower.viewer)
            if follower.viewer is None:
                raise Problem("wrong_secret", say("this needs the secret of a seat"))
            command = _read(data)
            id = command.id
            answer = await rooms.do(follower.match, follower.viewer, command)
        except AstragalError as error:
            answer = refusal(error, follower.lang, id)
            if answer.code == "too_many":  # meanwhile nothing is read, so that a flood drowns nobody
                await asyncio.sleep(HURRIED)
        except Exception:
            metrics.logger.exception("a command failed", extra={"match": follower.match})
            answer = refusal(Problem("internal", say("something went wrong here; it is in the log")), follower.lang, id)
        follower.send(msgspec.json.encode(answer))


def _read(data: str) -> wire.Command:
    try:
        return wire.read(data)
    except (msgspec.MsgspecError, UnicodeEncodeError, RecursionError) as error:
        raise Problem("malformed", say("this is no command: {reason}", reason=str(error))) from None


def refusal(error: AstragalError, lang: str, id: str = "") -> wire.Refused:
    """Why a command was not carried out."""
    code = code_of(error)
    metrics.refusals.labels(code).inc()
    return wire.Refused(id=id, code=code, detail=error.to(lang), rule=getattr(error, "rule", None))


@get(
    "/api/matches/{id:str}/stream",
    summary="The messages of the socket as lines of JSON, for bots",
    operation_id="stream",
    tags=["matches"],
    media_type="application/x-ndjson",
)
async def stream(
    request: Request[Any, Any, Any], rooms: TheRooms, id: MatchId, since: Annotated[int, QueryParameter(ge=0)] = 0
) -> Stream:
    """Ends when the match is over; an empty line every ten seconds shows that the stream is still there."""
    visitor = await watching(request, rooms, id)
    follower = await rooms.follow(id, visitor, lang_of(request), since)
    return Stream(_lines(rooms, follower), media_type="application/x-ndjson")


async def _lines(rooms: Rooms, follower: Follower) -> AsyncIterator[bytes]:
    try:
        while True:
            try:
                message = await asyncio.wait_for(follower.messages.get(), STILL_HERE)
            except TimeoutError:
                yield b"\n"
                continue
            if message is None:
                return
            yield message + b"\n"
            held = rooms.held.get(follower.match)
            ended = held is None or held.room is None or held.room.status in ("over", "closed")
            if ended and follower.messages.empty():
                return
    finally:
        rooms.unfollow(follower)
