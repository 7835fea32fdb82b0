"""How many matches a server carries, ours and boardgame.io with the same moves of Ur: `make bench-server`.

All of it shares the machine: the server, its store and the players. Ours stores every action before it acknowledges it
(SQLite, `synchronous=FULL`, one commit for all that come together); boardgame.io keeps its matches in memory, as it
does by default. Three questions are asked:

- How many actions a second are acknowledged when some matches go on as quickly as they can? By turns with the peer,
  which repeats the very dice and moves that were played at ours.
- How long does an action take when many matches go on calmly, and with how many does the 99th percentile pass 100 ms?
- How much memory does a match take whose players are there and do nothing?

    python -m benchmarks.server --matches 250 --matches 1000 --every 5 --json

`--postgres` asks the first question of one, two and four workers on a PostgreSQL of its own instead, by turns.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
from rich.console import Console
from rich.progress import Progress

from benchmarks.load import Contestant, Ours, OurTable, RoundPlayer, Script, Theirs, pace, saturate
from tests.server.postgres import Postgres
from tests.server.running import free_port

PEER = Path(__file__).parent / "boardgame"
MATCHES = (250, 500, 1000, 1500, 2000, 3000)
TOO_LONG = 100.0  # milliseconds
told = Console(stderr=True)


@contextlib.contextmanager
def running(command: list[str], address: str, ready: str) -> Iterator[subprocess.Popen[bytes]]:
    """A server in a process of its own, until it is not needed any more."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(1200):
            if process.poll() is not None:
                sys.exit(f"{command[0]} ended with {process.returncode} before it served anything")
            with contextlib.suppress(httpx.TransportError):
                if httpx.get(f"{address}{ready}").status_code == 200:
                    break
            time.sleep(0.05)
        else:
            sys.exit(f"{command[0]} does not serve anything within a minute")
        yield process
    finally:
        process.terminate()
        process.wait(30)


@contextlib.contextmanager
def ours(database: Path | str, workers: int = 1) -> Iterator[tuple[Ours, int]]:
    """Our server with a store of its own, and its process."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    flags = ("rate", "seat-rate", "sockets", "matches-per-hour", "open-matches", "bots-only", "all-bots-only")
    limits = [word for flag in (*flags, "stored-megabytes") for word in (f"--{flag}", "0")]
    command = [sys.executable, "-m", "astragal", "serve", "--port", str(port), "--database", str(database), *limits]
    command += ["--workers", str(workers)] if workers > 1 else []
    with running(command, address, "/ready") as process:
        yield Ours(address), process.pid


@contextlib.contextmanager
def theirs(scripts: list[Script]) -> Iterator[tuple[Theirs, int]]:
    """boardgame.io, and its process."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    node = shutil.which("node")
    if node is None:
        sys.exit("this needs Node.js; `make bench-server` brings it")
    with running([node, str(PEER / "server.cjs"), str(port)], address, "/games") as process:
        yield Theirs(address, scripts), process.pid


def processor_seconds(process: int) -> float:
    """What a process with its threads has used of the processor so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(process: int) -> int:
    """Bytes a process holds in memory."""
    status = Path(f"/proc/{process}/status").read_text()
    return 1024 * int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])


async def opened(contestant: Contestant, number: int) -> list[RoundPlayer]:
    """So many tables, with a bar while they are laid."""
    with Progress(console=told, transient=True) as progress:
        task = progress.add_task(f"{contestant.name}: {number} tables", total=number)
        return await contestant.open(number, lambda: progress.advance(task))


async def leave(tables: list[RoundPlayer]) -> None:
    """All players go."""
    await asyncio.gather(*(table.close() for table in tables))


async def quick(
    contestant: Contestant, process: int, number: int, at_once: int
) -> tuple[dict[str, float], list[Script]]:
    """The first question; from ours also what was played."""
    tables = await opened(contestant, number)
    told.print(f"{contestant.name}: {number} matches, {at_once} at once, as quickly as it goes ...")
    before = processor_seconds(process)
    figures = await saturate(contestant, tables, at_once)
    figures["processor_us"] = 1e6 * (processor_seconds(process) - before) / figures["all_actions"]
    scripts = []
    if isinstance(contestant, Ours):
        scripts = [await contestant.script(table) for table in tables if isinstance(table, OurTable)]
    await leave(tables)
    return figures, scripts


async def calm(contestant: Contestant, process: int, sizes: list[int], every: float, seconds: float) -> dict[str, Any]:
    """The other two questions."""
    figures: dict[str, Any] = {"memory_per_match_kib": 0.0, "at": {}}
    tables: list[RoundPlayer] = []
    await leave(await contestant.open(1))
    before = memory(process)
    for size in sizes:
        fresh = await opened(contestant, size - len(tables))
        tables += fresh
        if len(fresh) == size:
            figures["memory_per_match_kib"] = (memory(process) - before) / size / 1024
        told.print(f"{contestant.name}: {size} matches, an action every {every:g} s in each, for {seconds:g} s ...")
        figures["at"][size] = await pace(contestant, tables, fresh, every, seconds)
        if figures["at"][size]["p99_ms"] > TOO_LONG:
            break
    await leave(tables)
    return figures


def contest(number: int, at_once: int, rounds: int, folder: Path) -> list[dict[str, dict[str, float]]]:
    """Ours and theirs by turns."""
    pairs = []
    for n in range(rounds):
        with ours(folder / f"quick{n}.db") as (contestant, process):
            mine, scripts = asyncio.run(quick(contestant, process, number, at_once))
        with theirs(scripts) as (peer, process):
            other, _ = asyncio.run(quick(peer, process, number, at_once))
        pairs.append({contestant.name: mine, peer.name: other})
    return pairs


def several_workers(number: int, at_once: int, rounds: int) -> dict[int, list[dict[str, float]]]:
    """The first question to one, two and four workers on PostgreSQL."""
    figures: dict[int, list[dict[str, float]]] = {1: [], 2: [], 4: []}
    with Postgres() as postgres:
        for _ in range(rounds):
            for workers, measured in figures.items():
                with ours(postgres.new(), workers) as (contestant, process):
                    row, _ = asyncio.run(quick(contestant, process, number, at_once))
                    del row["processor_us"]  # of the first process only
                    measured.append(row)
    return figures


def show_workers(figures: dict[int, list[dict[str, float]]]) -> None:
    """A table in Markdown."""
    print("| workers | actions/s | p50 ms | p99 ms |\n|---|---|---|---|")
    for workers, rows in figures.items():
        for row in rows:
            print(f"| {workers} | {row['actions_per_s']:,.0f} | {row['p50_ms']:.1f} | {row['p99_ms']:.1f} |")


def show(rounds: list[dict[str, dict[str, float]]], calmly: dict[str, dict[str, Any]]) -> None:
    """Tables in Markdown."""
    print("| as quickly as it goes | actions/s | p50 ms | p99 ms | processor µs an action | of the other |")
    print("|---|---|---|---|---|---|")
    for pair in rounds:
        for name, row in pair.items():
            rival = next(other for key, other in pair.items() if key != name)
            ratio = row["actions_per_s"] / rival["actions_per_s"]
            times = f"{row['p50_ms']:.1f} | {row['p99_ms']:.1f} | {row['processor_us']:.0f}"
            print(f"| {name} | {row['actions_per_s']:,.0f} | {times} | {ratio:.2f} |")
    print("\n| calmly | matches | actions/s | p50 ms | p99 ms | worst ms |\n|---|---|---|---|---|---|")
    for name, measured in calmly.items():
        for size, row in measured["at"].items():
            times = " | ".join(f"{row[key]:.1f}" for key in ("p50_ms", "p99_ms", "worst_ms"))
            print(f"| {name} | {size} | {row['actions_per_s']:.0f} | {times} |")
    print()
    for name, measured in calmly.items():
        print(f"{name}: {measured['memory_per_match_kib']:.0f} KiB for an idle match with both players there")


def main() -> None:
    """Prints tables, or JSON for a script."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=2, help="of the quick contest (default 2)")
    parser.add_argument("--quick", type=int, default=200, help="matches in it (default 200)")
    parser.add_argument("--at-once", type=int, default=50, help="matches in it that go on at once (default 50)")
    parser.add_argument(
        "--matches", type=int, action="append", help=f"calm ones (default {', '.join(map(str, MATCHES))})"
    )
    parser.add_argument("--every", type=float, default=5.0, help="seconds from action to action in those (default 5)")
    parser.add_argument("--seconds", type=float, default=30.0, help="to measure them for (default 30)")
    parser.add_argument("--folder", type=Path, help="for the embedded store (default: a temporary one)")
    parser.add_argument("--postgres", action="store_true", help="one, two and four workers on PostgreSQL")
    parser.add_argument("--json", action="store_true", help="figures for a script")
    wanted = parser.parse_args()
    gc.disable()  # looking through thousands of players would be measured as the server's delay
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    if wanted.postgres:
        workers = several_workers(wanted.quick, wanted.at_once, wanted.rounds)
        print(json.dumps(workers, indent=1)) if wanted.json else show_workers(workers)
        return
    calm_sizes = sorted(wanted.matches or MATCHES)
    with tempfile.TemporaryDirectory(dir=wanted.folder) as name:
        folder = Path(name)
        rounds = contest(wanted.quick, wanted.at_once, wanted.rounds, folder) if wanted.rounds else []
        calmly = {}
        with ours(folder / "calm.db") as (contestant, process):
            calmly[contestant.name] = asyncio.run(calm(contestant, process, calm_sizes, wanted.every, wanted.seconds))
    if wanted.json:
        print(json.dumps({"quick": rounds, "calm": calmly}, indent=1))
    else:
        show(rounds, calmly)


if __name__ == "__main__":
    main()
