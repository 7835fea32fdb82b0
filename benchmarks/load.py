"""Players made of script, thousands of them in one process, at our own server or at boardgame.io.

Both kinds cost the client about the same: one WebSocket a seat, and of every message only what is needed is read. An
action counts as acknowledged when the player who made it is told so: by us after the commit, by boardgame.io when it
sends the state that holds it.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable
from random import Random
from typing import Any

import httpx
import msgspec
from msgspec import Struct, field
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from astragal.games.ur.actions import IN
from astragal.games.ur.board import track

PATH = "bell"
AT_ONCE = 8  # matches that are set up at the same time
Pace = Callable[[], float]  # seconds until the next action of a match


class Gauge:
    """How long actions took to be acknowledged, while it is open."""

    def __init__(self) -> None:
        self.open = False
        self.seconds: list[float] = []
        self.all = 0  # also those that were acknowledged when it was closed
        self.faults: list[str] = []
        self._begin = self._spent = 0.0

    def start(self) -> None:
        """From now on it counts."""
        self.open, self._begin = True, time.perf_counter()

    def stop(self) -> None:
        """What comes later does not count."""
        if self.open:
            self.open, self._spent = False, time.perf_counter() - self._begin

    def note(self, seconds: float) -> None:
        """An action was acknowledged."""
        self.all += 1
        if self.open:
            self.seconds.append(seconds)

    def figures(self) -> dict[str, float]:
        """Acknowledged actions a second, and how long half of them, 99 % of them and the slowest took."""
        times = sorted(self.seconds)
        return {
            "actions": len(times),
            "all_actions": self.all,
            "faults": len(self.faults),
            "actions_per_s": len(times) / self._spent,
            "p50_ms": 1000 * times[len(times) // 2],
            "p99_ms": 1000 * times[int(0.99 * (len(times) - 1))],
            "worst_ms": 1000 * times[-1],
        }


class RoundPlayer(ABC):
    """A match with both of its players, who act as soon as they may, or at a pace."""

    def __init__(self, gauge: Gauge) -> None:
        self.gauge = gauge
        self.pace: Pace | None = None
        self.over = asyncio.Event()
        self.sockets: list[ClientConnection] = []
        self._listening: list[asyncio.Task[None]] = []
        self._ready: tuple[int, str] | None = None
        self._sent = 0.0

    async def connect(self, address: str, headers: Iterable[dict[str, str]]) -> None:
        """Both players come to the table."""
        for seat, own in enumerate(headers):
            socket = await connect(
                address, additional_headers=own, compression=None, ping_interval=None, max_queue=None, open_timeout=60
            )
            self.sockets.append(socket)
            self._listening.append(asyncio.create_task(self._listen(seat, socket)))

    async def close(self) -> None:
        """Both leave."""
        for task in self._listening:
            task.cancel()
        for socket in self.sockets:
            await socket.close()

    async def _listen(self, seat: int, socket: ClientConnection) -> None:
        try:
            async for data in socket:
                await self.hear(seat, data if isinstance(data, bytes) else data.encode())
        except (RuntimeError, msgspec.MsgspecError, ConnectionClosed) as error:
            self.gauge.faults.append(str(error))
            self.over.set()

    def begin(self, pace: Pace) -> None:
        """From now on they play."""
        self.pace = pace
        self._go()

    def may_act(self, seat: int, command: str) -> None:
        """It is a player's turn, and this is what it is going to do."""
        self._ready = (seat, command)
        if self.pace is not None:
            self._go()

    def _go(self) -> None:
        if self._ready is not None and self.pace is not None:
            ready, self._ready = self._ready, None
            asyncio.get_running_loop().call_later(self.pace(), lambda: asyncio.ensure_future(self._act(*ready)))

    async def _act(self, seat: int, command: str) -> None:
        self._sent = time.perf_counter()
        with contextlib.suppress(ConnectionClosed):  # `_listen` learns it too
            await self.sockets[seat].send(command)

    def acknowledged(self) -> None:
        """The server has told the player that the action counts."""
        self.gauge.note(time.perf_counter() - self._sent)

    @abstractmethod
    async def hear(self, seat: int, data: bytes) -> None:
        """A message to a player."""


class Contestant(ABC):
    """A server that tables can be opened at."""

    name: str

    def __init__(self, address: str) -> None:
        self.address = address
        self.gauge = Gauge()
        self.http = httpx.AsyncClient(base_url=address, timeout=60, headers={"Origin": address})

    async def open(self, number: int, each: Callable[[], object] = lambda: None) -> list[RoundPlayer]:
        """So many new tables with their players."""
        turns = asyncio.Semaphore(AT_ONCE)

        async def one(index: int) -> RoundPlayer:
            async with turns:
                table = await self.table(index)
                each()
                return table

        return list(await asyncio.gather(*map(one, range(number))))

    async def post(self, path: str, body: Any) -> Any:
        """What the server answers."""
        answer = await self.http.post(path, json=body)
        answer.raise_for_status()
        return answer.json()

    @abstractmethod
    async def table(self, index: int) -> RoundPlayer:
        """A new table."""


async def saturate(contestant: Contestant, tables: list[RoundPlayer], at_once: int) -> dict[str, float]:
    """Plays all tables to their end, so many at once and as quickly as it goes; the last ones do not count any more."""
    waiting = deque(tables)
    contestant.gauge.start()

    async def slot() -> None:
        while waiting:
            table = waiting.popleft()
            table.begin(lambda: 0.0)
            await table.over.wait()
        contestant.gauge.stop()

    await asyncio.gather(*(slot() for _ in range(at_once)))
    return contestant.gauge.figures()


async def pace(
    contestant: Contestant, tables: list[RoundPlayer], fresh: list[RoundPlayer], every: float, seconds: float
) -> dict[str, float]:
    """Every table goes on with an action each so many seconds; measured after the fresh ones have joined in.

    People do not keep step: each pause is half as long to half as long again. With a fixed one, whatever holds up many
    at once would have them act together ever after.
    """
    rng = Random(1)
    for table in fresh:
        start = rng.random() * every
        asyncio.get_running_loop().call_later(start, table.begin, lambda: every * rng.uniform(0.5, 1.5))
    await asyncio.sleep(every + 1)
    contestant.gauge = Gauge()
    for table in tables:
        table.gauge = contestant.gauge
    contestant.gauge.start()
    await asyncio.sleep(seconds)
    contestant.gauge.stop()
    return contestant.gauge.figures()


# Our own server -------------------------------------------------------------------------------------------------


class Choice(Struct, frozen=True):
    """Something that a player may do now."""

    text: str


class Stand(Struct, frozen=True):
    """As much of a table as a player needs who plays by chance."""

    status: str
    ply: int
    actions: tuple[Choice, ...]


class Heard(Struct, frozen=True):
    """As much of a message as such a player needs."""

    type: str
    table: Stand | None = None
    detail: str = ""


class OurTable(RoundPlayer):
    """A match on our server, played by chance."""

    def __init__(self, gauge: Gauge, match: str, rng: Random) -> None:
        super().__init__(gauge)
        self.match, self._rng = match, rng
        self._decode = msgspec.json.Decoder(Heard).decode

    async def hear(self, seat: int, data: bytes) -> None:
        heard = self._decode(data)
        if heard.type == "done":
            self.acknowledged()
        elif heard.type == "refused":
            raise RuntimeError(f"{self.match}: {heard.detail}")
        elif heard.table is not None:
            if heard.table.actions:
                action = self._rng.choice(heard.table.actions).text
                self.may_act(seat, f'{{"type":"act","ply":{heard.table.ply},"text":"{action}"}}')
            elif heard.table.status == "over":
                self.over.set()


class Ours(Contestant):
    """`astragal serve`."""

    name = "astragal"

    async def table(self, index: int) -> OurTable:
        wanted = {"game": "ur", "preset": "finkel", "options": {"begins": 0}, "seats": ["open", "open"], "sit": 0}
        made = await self.post("/api/matches", wanted)
        match, invite = made["match"], made["links"]["join"].rpartition("#")[2]
        joined = await self.post(f"/api/matches/{match}/seats", {"invite": invite})
        table = OurTable(self.gauge, match, Random(index))
        bearers = ({"Authorization": f"Bearer {seat['secret']}"} for seat in (made, joined))
        await table.connect(f"{self.address.replace('http', 'ws')}/api/matches/{match}/socket", bearers)
        return table

    async def script(self, table: OurTable) -> Script:
        """What was done at a table that is over."""
        answer = await self.http.get(f"/api/matches/{table.match}/record")
        answer.raise_for_status()
        return script(answer.json()["entries"])


# boardgame.io ---------------------------------------------------------------------------------------------------

Throws = tuple[int, ...]


class Script(Struct, frozen=True):
    """A match of Ur to be repeated: the throws before the first choice, and each choice with the throws after it."""

    first: Throws
    moves: tuple[tuple[int, Throws], ...]  # the step a piece leaves, 0 for the pool


def script(entries: list[dict[str, Any]]) -> Script:
    """What there was to choose in the record of a match of Ur, and what the dice did in between."""
    steps = track(PATH).step_of
    throws: list[list[int]] = [[]]
    left: list[int] = []
    for entry in entries:
        if entry["type"] == "drew":
            throws[-1].append(int(entry["action"].removeprefix("throw-")))
        elif entry["type"] == "acted" and entry["action"] != "pass":
            start = entry["action"].split("-")[0]
            left.append(steps[entry["seat"]][IN if start == "in" else start])
            throws.append([])
    first, *after = (tuple(some) for some in throws)
    return Script(first, tuple(zip(left, after, strict=True)))


class _Position(Struct, frozen=True):
    seat: int
    legal: tuple[int, ...]
    winner: int | None


class _State(Struct, frozen=True):
    position: _Position = field(name="G")
    number: int = field(name="_stateID")


class _Synced(Struct, frozen=True):
    state: _State


class TheirTable(RoundPlayer):
    """A match on boardgame.io, played by a script. (Its messages are those of Socket.IO 4.)"""

    SPACE = "/ur,"

    def __init__(self, gauge: Gauge, match: str, secrets: list[str], script: Script) -> None:
        super().__init__(gauge)
        self.match, self._secrets, self._script = match, secrets, script
        self._done = -1  # the number of the last state
        self._made = 0
        self._acted: int | None = None
        self._update = msgspec.json.Decoder(tuple[str, str, _State, Any]).decode
        self._sync = msgspec.json.Decoder(tuple[str, str, _Synced]).decode

    async def hear(self, seat: int, data: bytes) -> None:
        socket = self.sockets[seat]
        if data.startswith(b"0"):
            await socket.send(f"40{self.SPACE}")
        elif data == b"2":
            await socket.send("3")
        elif data.startswith(b"40"):
            wish = ["sync", self.match, str(seat), self._secrets[seat], 2]
            await socket.send(f"42{self.SPACE}" + msgspec.json.encode(wish).decode())
        elif data.startswith(b'42/ur,["sync"'):
            self._stand(seat, self._sync(data[6:])[2].state)
        elif data.startswith(b'42/ur,["update"'):
            state = self._update(data[6:])[2]
            if seat == self._acted:
                self._acted = None
                self.acknowledged()
            self._stand(seat, state)

    def _stand(self, seat: int, state: _State) -> None:
        """Whoever's turn it is goes on; a winner ends it."""
        position = state.position
        if position.winner is not None:
            self.over.set()
        elif position.seat == seat and state.number > self._done:
            self._done = state.number
            step, throws = self._script.moves[self._made]
            if step not in position.legal:
                raise RuntimeError(f"the port of Ur plays by other rules: {step} is not in {position.legal}")
            self._made += 1
            made = {"type": "play", "args": [step, throws], "playerID": str(seat), "credentials": self._secrets[seat]}
            action = {"type": "MAKE_MOVE", "payload": made}
            wish = ["update", action, state.number, self.match, str(seat)]
            self.may_act(seat, f"42{self.SPACE}" + msgspec.json.encode(wish).decode())

    async def _act(self, seat: int, command: str) -> None:
        self._acted = seat
        await super()._act(seat, command)


class Theirs(Contestant):
    """boardgame.io with the matches that were played on our server."""

    name = "boardgame.io"

    def __init__(self, address: str, scripts: list[Script]) -> None:
        super().__init__(address)
        self.scripts = scripts

    async def table(self, index: int) -> TheirTable:
        script = self.scripts[index % len(self.scripts)]
        wanted = {"numPlayers": 2, "setupData": {"throws": script.first}}
        match = (await self.post("/games/ur/create", wanted))["matchID"]
        seats = [
            await self.post(f"/games/ur/{match}/join", {"playerID": str(seat), "playerName": "x"}) for seat in (0, 1)
        ]
        table = TheirTable(self.gauge, match, [seat["playerCredentials"] for seat in seats], script)
        address = f"{self.address.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket"
        await table.connect(address, ({}, {}))
        return table
