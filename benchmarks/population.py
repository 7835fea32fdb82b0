"""A part of a day of many players at a real server, with a faster clock: what it carries, and what breaks first.

    python -m benchmarks.population --players 100000 --hours 1 --squeeze 12

simulates the busiest hour of a day on which 100,000 people come, in five minutes. What is real: the server, in a
process of its own with its usual limits, its store on the disk, every HTTP request, every WebSocket (one for the hall
and one for the table of each player), every action with its commit. What is made up: who comes when (`CURVE`), what
they come for (`SHARES`), for how long and how quickly they play (`LENGTH`, `THINK`); each has an address of their own,
as behind a proxy, and is a guest without a key. What the faster clock does: with `--squeeze 12` people arrive twelve
times as often and think twelve times as briefly. So as many are there at once as in that hour, and the server has
twelve times the work of it; limits by the minute are raised as much. Thinking bots cannot be sped up: they weigh that
much more.

Players, server and store share the machine.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import json
import resource
import sys
import tempfile
import time
from collections import Counter, deque
from pathlib import Path
from random import Random
from typing import Any

import httpx
import msgspec
from msgspec import Struct
from rich.console import Console
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from benchmarks.load import Heard
from benchmarks.server import memory, processor_seconds, running
from tests.server.running import free_port

# Of a day's players, how many come in each hour from midnight on, in percent: few at night, most in the evening.
CURVE = (
    1.5,
    0.9,
    0.6,
    0.4,
    0.4,
    0.6,
    1.2,
    2.2,
    3.0,
    3.4,
    3.8,
    4.2,
    5.0,
    4.8,
    4.4,
    4.6,
    5.2,
    6.0,
    7.0,
    8.4,
    9.6,
    9.8,
    8.0,
    5.0,
)
SHARES = {"quick": 0.40, "bot": 0.35, "invitation": 0.20, "correspondence": 0.05}
LENGTH = 18.0  # actions of one's own after which half of all players leave (log-normal, spread 0.7)
THINK = 5.0  # seconds that half of all actions take (log-normal, spread 0.8)
PATIENCE = 180.0  # seconds that somebody waits for an opponent, or for an opponent's move
SITUATIONS = (("ur", "finkel"), ("ur", "blitz"), ("ur-modern", "royal"))
LOOK = 2.0  # seconds between two looks at the server

BOUNDS = {"p99_ms": 100.0, "server_cores": 0.95, "bot_queue": 20.0, "refused": 1.0}
"""What counts as breaking: slower than this, busier than one core, more moves waiting for a bot, anybody refused."""

told = Console(stderr=True)


class Plan(Struct, frozen=True, kw_only=True):
    """What is simulated."""

    players: int  # of the whole day
    hours: float  # the busiest so many of it
    squeeze: float  # by how much the clock runs faster
    patience: float = PATIENCE
    bot: str = "casual"  # whom people play against who came for that
    seed: int = 1

    @property
    def seconds(self) -> float:
        """How long it takes."""
        return 3600 * self.hours / self.squeeze

    @property
    def arrivals(self) -> list[float]:
        """When somebody comes, in seconds from the beginning; the hours around the busiest one, in their order."""
        rng, first = Random(self.seed), CURVE.index(max(CURVE)) - (self.hours - 1) / 2
        total, times = sum(CURVE), list[float]()
        at = first
        while at < first + self.hours:
            part = min(int(at + 1) - at, first + self.hours - at) or 1.0  # to the next full hour
            number = self.players * CURVE[int(at) % 24] / total * part
            count = int(number) + (rng.random() < number % 1)
            times += [(at - first + rng.random() * part) * 3600 / self.squeeze for _ in range(count)]
            at += part
        return sorted(times)


class _Heard(Heard, frozen=True):
    """As much of any message as a guest needs, of the table's and of the hall's."""

    code: str = ""
    ticket: str = ""
    state: str = ""
    match: str = ""


_read = msgspec.json.Decoder(_Heard).decode


class Refused(Exception):
    """The server did not want something; the code says what."""


class World:
    """All who come, and what is counted."""

    def __init__(self, plan: Plan, address: str) -> None:
        self.plan, self.address, self.rng = plan, address, Random(plan.seed)
        self.http = httpx.AsyncClient(base_url=address, timeout=60, limits=httpx.Limits(max_connections=200))
        self.invitations: deque[tuple[str, str]] = deque()  # matches that wait for the friend who was invited
        self.counted: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.acknowledged: list[float] = []  # seconds that actions took
        self.fresh: list[float] = []  # those since the last look
        self.here = 0

    async def post(self, who: str, path: str, body: Any) -> Any:
        """What the server answers. Raises Refused."""
        headers = {"X-Forwarded-For": who, "Origin": self.address}  # many share this client, and with it their cookies
        answer = await self.http.post(path, json=body, headers=headers)
        self.counted["requests"] += 1
        if answer.is_error:
            raise Refused(str(answer.json().get("code", answer.status_code)))
        return answer.json()

    def socket(self, who: str, path: str, secret: str = "") -> connect:
        """A WebSocket of this player."""
        headers = {"X-Forwarded-For": who} | ({"Authorization": f"Bearer {secret}"} if secret else {})
        where = f"{self.address.replace('http', 'ws', 1)}{path}"
        return connect(
            where, additional_headers=headers, compression=None, ping_interval=None, max_queue=None, open_timeout=60
        )


class Guest:
    """Somebody who comes, plays one match or a part of it, and leaves."""

    def __init__(self, world: World, number: int) -> None:
        self.world, self.rng = world, Random(f"{world.plan.seed} {number}")
        self.address = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
        self.left = max(1, round(self.rng.lognormvariate(0.0, 0.7) * LENGTH))  # actions until they leave
        self.patience = world.plan.patience / world.plan.squeeze + 2.0
        self.playing = False
        self.kind = self.rng.choices(list(SHARES), list(SHARES.values()))[0]
        self.situation = self.rng.choice(SITUATIONS)
        self._sent = 0.0

    async def visit(self) -> None:
        """All of it. What the server refuses is counted, and ends the visit."""
        world = self.world
        world.here += 1
        world.counted["players"] += 1
        try:
            async with world.socket(self.address, "/api/hall/socket") as hall:
                match, secret = await asyncio.wait_for(self._sit_down(hall), self.patience)
                if match:
                    await self._play(match, secret)
        except Refused as refusal:
            world.refused[str(refusal)] += 1
        except TimeoutError:
            world.counted["gave up waiting"] += 1
        except (WebSocketException, httpx.TransportError, OSError) as error:
            world.refused[type(error).__name__] += 1
        finally:
            world.here -= 1

    async def _sit_down(self, hall: ClientConnection) -> tuple[str, str]:
        """A seat: the match, and the secret of the seat."""
        world, (game, preset) = self.world, self.situation
        wanted = {"game": game, "preset": preset}
        if self.kind == "quick":
            ticket = await world.post(self.address, "/api/meeting/quick", {**wanted, "clock": "10m+10s"})
            await hall.send(json.dumps({"type": "wait", **ticket}))
            async for message in hall:
                heard = _read(message)
                if heard.type == "ticket" and heard.state == "seated":
                    await world.post(self.address, f"/api/matches/{heard.match}/enter", {"secret": ticket["secret"]})
                    return heard.match, ticket["secret"]
            return "", ""
        if self.kind != "bot" and world.invitations:
            match, invite = world.invitations.popleft()
            made = await world.post(self.address, f"/api/matches/{match}/seats", {"invite": invite})
            return match, made["secret"]
        seats = ["open", f"bot:{world.plan.bot}" if self.kind == "bot" else "open"]
        clock = "3d/move" if self.kind == "correspondence" else "none"
        made = await world.post(self.address, "/api/matches", {**wanted, "seats": seats, "sit": 0, "clock": clock})
        world.counted["matches"] += 1
        if self.kind != "bot":
            world.invitations.append((made["match"], made["links"]["join"].rpartition("#")[2]))
        return made["match"], made["secret"]

    async def _play(self, match: str, secret: str) -> None:
        """Acts when it may, after some thought; leaves after a while, or when the other does."""
        world, squeeze = self.world, self.world.plan.squeeze
        if self.kind == "correspondence":
            self.left = min(self.left, 2)
        async with world.socket(self.address, f"/api/matches/{match}/socket", secret) as table:
            while True:
                heard = _read(await asyncio.wait_for(table.recv(), self.patience))
                if heard.type == "done":
                    taken = time.perf_counter() - self._sent
                    world.acknowledged.append(taken)
                    world.fresh.append(taken)
                    self.left -= 1
                elif heard.type == "refused":
                    raise Refused(heard.code)
                if self.left <= 0:
                    if self.kind != "correspondence":  # whoever leaves gives up, and the other need not wait
                        await table.send('{"type":"resign"}')
                    return
                if heard.table is None:
                    continue
                self.playing = heard.table.status != "lobby"
                if heard.table.status in ("over", "closed"):
                    return
                if heard.table.actions:
                    await asyncio.sleep(self.rng.lognormvariate(0.0, 0.8) * THINK / squeeze)
                    action = self.rng.choice(heard.table.actions).text
                    self._sent = time.perf_counter()
                    await table.send(f'{{"type":"act","ply":{heard.table.ply},"text":{json.dumps(action)}}}')


class Look(Struct, frozen=True, kw_only=True):
    """How the server stood at one moment, and in the seconds before it."""

    at: float
    arrivals_per_s: float
    here: int
    actions_per_s: float
    p99_ms: float
    server_cores: float
    bot_cores: float
    memory_mb: float
    sockets: int
    rooms: int
    bot_queue: float
    refused: float


class Watcher:
    """Looks at the server now and then."""

    def __init__(self, world: World, process: int) -> None:
        self.world, self.process, self.looks = world, process, list[Look]()
        self._before = (time.perf_counter(), 0, 0, *self._processor())
        self._began = self._before[0]

    def _processor(self) -> tuple[float, float]:
        children = Path(f"/proc/{self.process}/task/{self.process}/children").read_text().split()
        bots = 0.0
        for child in children:
            with contextlib.suppress(OSError):
                bots += processor_seconds(int(child))
        return processor_seconds(self.process), bots

    async def watch(self) -> None:
        """Until it is cancelled."""
        while True:
            await asyncio.sleep(LOOK)
            await self.look()

    async def look(self) -> None:
        """Once."""
        world = self.world
        text = (await world.http.get("/metrics")).text
        lines = (line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
        figures = {name: float(value) for name, value in lines}
        now, (own, bots) = time.perf_counter(), self._processor()
        at, came, refused, own_before, bots_before = self._before
        seconds, fresh = now - at, sorted(world.fresh)
        world.fresh = []
        self._before = (now, world.counted["players"], world.refused.total(), own, bots)
        self.looks.append(
            Look(
                at=now - self._began,
                arrivals_per_s=(world.counted["players"] - came) / seconds,
                here=world.here,
                actions_per_s=len(fresh) / seconds,
                p99_ms=1000 * percentile(fresh, 0.99),
                server_cores=(own - own_before) / seconds,
                bot_cores=max(0.0, bots - bots_before) / seconds,
                memory_mb=memory(self.process) / 1e6,
                sockets=int(figures["astragal_sockets"] + figures["astragal_halls"]),
                rooms=int(figures["astragal_rooms"]),
                bot_queue=figures["astragal_bot_queue"],
                refused=world.refused.total() - refused,
            )
        )


def percentile(sorted_values: list[float], share: float) -> float:
    """What this share of them is below; 0 of none."""
    return sorted_values[int(share * (len(sorted_values) - 1))] if sorted_values else 0.0


async def simulate(plan: Plan, address: str, process: int, store: Path | None) -> dict[str, Any]:
    """Lets everybody come, and says what was seen."""
    world, used = World(plan, address), processor_seconds(process)
    watcher, arrivals = Watcher(world, process), plan.arrivals
    watching = asyncio.create_task(watcher.watch())
    visits, began, late = dict[asyncio.Task[None], Guest](), time.perf_counter(), 0.0
    for number, at in enumerate(arrivals):
        wait = began + at - time.perf_counter()
        late = max(late, -wait)
        await asyncio.sleep(max(0.0, wait))
        guest = Guest(world, number)
        visits[asyncio.create_task(guest.visit())] = guest
    came = time.perf_counter() - began
    await _all_leave(world, visits)
    watching.cancel()
    await watcher.look()
    stored = (await world.http.get("/metrics")).text
    await world.http.aclose()
    times = {"seconds": came, "late": late, "processor": processor_seconds(process) - used}
    return report(plan, world, watcher.looks, times, stored, store)


async def _all_leave(world: World, visits: dict[asyncio.Task[None], Guest]) -> None:
    """Nobody comes any more: who still waits for an opponent goes, and who plays ends it, or goes after a while."""
    await asyncio.sleep(2.0)
    for visit, guest in visits.items():
        if not visit.done() and (not guest.playing or guest.kind == "correspondence"):
            world.counted["gave up waiting"] += 1
            visit.cancel()
    await asyncio.wait(visits, timeout=2 * world.plan.patience / world.plan.squeeze + 10)
    for visit in visits:
        visit.cancel()
    await asyncio.gather(*visits, return_exceptions=True)


def report(
    plan: Plan, world: World, looks: list[Look], times: dict[str, float], stored: str, store: Path | None
) -> dict[str, Any]:
    """The figures."""
    times_sorted = sorted(world.acknowledged)
    breaks = {}
    for name, bound in BOUNDS.items():
        crossed = next((look for look in looks if getattr(look, name) > bound), None)
        if crossed is not None:
            breaks[f"{name} > {bound:g}"] = {"at_s": round(crossed.at), "arrivals_per_s": crossed.arrivals_per_s}
    files = [] if store is None else [store, *(store.with_name(store.name + end) for end in ("-wal",))]
    matches = sum(float(line.split()[-1]) for line in stored.splitlines() if line.startswith("astragal_matches{"))
    return {
        "plan": msgspec.to_builtins(plan),
        "seconds": times["seconds"],
        "players": world.counted["players"],
        "arrivals_per_s": world.counted["players"] / max(times["seconds"], 1e-9),
        "players_late_s": times["late"],  # by how much the machine was too busy to let them come in time
        "matches": int(matches),
        "requests": world.counted["requests"],
        "actions": len(times_sorted),
        "actions_per_s": len(times_sorted) / max(looks[-1].at, 1e-9),
        "p50_ms": 1000 * percentile(times_sorted, 0.5),
        "p99_ms": 1000 * percentile(times_sorted, 0.99),
        "worst_ms": 1000 * percentile(times_sorted, 1.0),
        "most_here": max(look.here for look in looks),
        "most_sockets": max(look.sockets for look in looks),
        "most_memory_mb": max(look.memory_mb for look in looks),
        "most_server_cores": max(look.server_cores for look in looks),
        "most_bot_cores": max(look.bot_cores for look in looks),
        "processor_ms_a_player": 1000 * times["processor"] / max(1, world.counted["players"]),  # the server's own
        "refused": dict(world.refused),
        "gave_up_waiting": world.counted["gave up waiting"],
        "store_mb": sum(file.stat().st_size for file in files if file.exists()) / 1e6,
        "breaks": breaks,
        "looks": [msgspec.to_builtins(look) for look in looks],
    }


def show(figures: dict[str, Any]) -> None:
    """A table in Markdown."""
    print("| | |\n|---|---|")
    for name, value in figures.items():
        if name in ("looks", "plan", "breaks"):
            continue
        print(f"| {name} | {f'{value:,.1f}' if isinstance(value, float) else value} |")
    for name, where in figures["breaks"].items():
        print(f"\n{name}: first after {where['at_s']} s, at {where['arrivals_per_s']:.0f} arrivals a second")
    print("\n| s | arrivals/s | here | actions/s | p99 ms | cores | bots' cores | MB | sockets | bot queue | refused |")
    print("|" + "---|" * 11)
    for look in figures["looks"][:: max(1, len(figures["looks"]) // 15)]:
        print(
            f"| {look['at']:.0f} | {look['arrivals_per_s']:.0f} | {look['here']} | {look['actions_per_s']:.0f} "
            f"| {look['p99_ms']:.0f} | {look['server_cores']:.2f} | {look['bot_cores']:.2f} | {look['memory_mb']:.0f} "
            f"| {look['sockets']} | {look['bot_queue']:.0f} | {look['refused']:.0f} |"
        )


def main() -> None:
    """Starts a server, lets everybody come, and prints what was seen, or JSON for a script."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=100_000, help="who come in a day (default 100000)")
    parser.add_argument("--hours", type=float, default=1.0, help="the busiest so many hours of it (default 1)")
    parser.add_argument("--squeeze", type=float, default=12.0, help="how much faster the clock runs (default 12)")
    parser.add_argument("--bot-processes", type=int, default=1, help="processes for thinking bots (default 1)")
    parser.add_argument("--folder", type=Path, help="for the store (default: a temporary one)")
    parser.add_argument("--json", action="store_true", help="figures for a script")
    wanted = parser.parse_args()
    plan = Plan(players=wanted.players, hours=wanted.hours, squeeze=wanted.squeeze)
    gc.disable()  # looking through thousands of players would be measured as the server's delay
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory(dir=wanted.folder) as name:
        store = Path(name) / "population.db"
        words = ["serve", "--port", str(port), "--database", str(store), "--proxies", "127.0.0.1"]
        words += ["--rate", str(int(600 * plan.squeeze)), "--seat-rate", str(int(240 * plan.squeeze))]
        words += ["--bot-processes", str(wanted.bot_processes)]
        told.print(f"{len(plan.arrivals):,} players come within {plan.seconds:.0f} s ...")
        with running([sys.executable, "-m", "astragal", *words], address, "/ready") as process:
            figures = asyncio.run(simulate(plan, address, process.pid, store))
    if wanted.json:
        print(json.dumps(figures, indent=1))
    else:
        show(figures)


if __name__ == "__main__":
    main()
