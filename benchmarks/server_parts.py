"""What an action costs on our server, part by part, in microseconds: `python -m benchmarks.server_parts`.

Matches are played by chance in this process, without a network, first by the rules alone and then with more and more of
the server around them. Processor time is counted, not time on the wall, so that other work on the machine
matters little. `benchmarks.server` counts the whole server the same way; what is missing here is the network.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import msgspec

from astragal.core import fair, registry
from astragal.server import auth, setup, wire
from astragal.server.journal import Kept
from astragal.server.room import Room
from astragal.server.rooms import Rooms
from astragal.server.server_clock import ServerClock
from astragal.server.settings import Settings
from astragal.server.store import MatchRow, Store
from astragal.server.subscribers import LiveRoom, Subscriber, Visitor
from astragal.server.writer import Batch

AT_ONCE = 50
GAMES = ("ur", "ur-modern", "nile", "egar")


def new_room(game: str, now: int) -> Room:
    """A match of two humans that has begun."""
    wanted = wire.NewMatch(game=game, seats=("open", "open"), options={"begins": 0})
    settled, _ = setup.settle(wanted)
    row = MatchRow(
        id=auth.new_id(),
        game=game,
        setup=msgspec.json.encode(settled).decode(),
        server_seed=fair.new_seed().hex(),
        status="lobby",
        listed=False,
        invite=None,
        created_ms=now,
        changed_ms=now,
    )
    room = Room(row)
    for seat in (0, 1):
        room.sit(seat, "", None, now)
    return room


def next_command(room: Room, rng: Random) -> tuple[int, wire.Command] | None:
    """What the seat to act does next, by chance; None at the end."""
    if room.match is None or room.status != "running":
        return None
    seat = room.match.turn
    action = rng.choice(room.match.view(seat).legal)
    return seat, wire.Act(ply=room.match.ply, text=room.game.rules.encode(action))


class Spent:
    """Processor time of the parts that are measured, added up."""

    def __init__(self) -> None:
        self.seconds, self.actions = 0.0, 0

    def measure(self, work: Callable[[], object]) -> None:
        """Runs it, and counts what it takes as one action."""
        before = time.process_time()
        work()
        self.seconds += time.process_time() - before
        self.actions += 1

    @property
    def microseconds(self) -> float:
        """Of one action."""
        return 1e6 * self.seconds / max(self.actions, 1)


def heard(_message: bytes | None) -> None:
    """A connection that takes everything."""


def follower(match: str, seat: int) -> Subscriber:
    """A player's connection that leads nowhere."""
    return Subscriber(match, Visitor(seat=seat), "en", 0, heard)


async def rules_and_telling(game: str, actions: int) -> tuple[float, float, list[list[Kept]]]:
    """An action by the rules alone, telling two players of it, and what each action added to the log."""
    playing, telling, rows = Spent(), Spent(), list[list[Kept]]()
    rng, live = Random(1), LiveRoom(ServerClock())
    room, played = new_room(game, 0), 0
    while playing.actions < actions:
        command = next_command(room, rng)
        if command is None or played == actions // AT_ONCE:  # as far as a match goes when all is measured
            room, live, played = new_room(game, 0), LiveRoom(ServerClock()), 0
            continue
        played += 1
        if not live.subscribers:
            live.subscribers |= {follower(room.id, seat) for seat in (0, 1)}
            live.tell(room)
            room.drain_new()
        playing.measure(lambda: room.do(*command, 0))  # noqa: B023  run at once
        rows.append(room.drain_new())
        telling.measure(lambda: live.tell(room))  # noqa: B023
    return playing.microseconds, telling.microseconds, rows


async def storing(store: Store, rows: list[list[Kept]]) -> float:
    """Storing what the actions of many matches add, those of all matches at once in one transaction."""
    matches = [new_room("ur", 0).row for _ in range(AT_ONCE)]
    for row in matches:
        await store.create(row, [], [None, None])
    numbers = dict.fromkeys((row.id for row in matches), 0)
    spent, waiting = 0.0, list(rows)
    while len(waiting) >= AT_ONCE:
        batches = []
        for row in matches:
            fresh = [msgspec.structs.replace(kept, n=numbers[row.id] + k + 1) for k, kept in enumerate(waiting.pop())]
            numbers[row.id] += len(fresh)
            batches.append(Batch(match=row.id, rows=fresh, status="running", due=None))
        before = time.process_time()
        await asyncio.gather(*(store.append(batch) for batch in batches))
        spent += time.process_time() - before
    return 1e6 * spent / (len(rows) // AT_ONCE * AT_ONCE)


async def without_network(store: Store, game: str, actions: int) -> float:
    """All of it: commands of many matches at once, stored and told to both players."""
    rooms, rng, deciding = Rooms(store), Random(2), Spent()
    ids = [await _opened(rooms, game) for _ in range(AT_ONCE)]

    async def play(id: str) -> int:
        for played in range(actions // AT_ONCE):
            room = rooms.live[id].room
            chosen: list[tuple[int, wire.Command] | None] = []
            deciding.measure(lambda: chosen.append(None if room is None else next_command(room, rng)))  # noqa: B023  run at once
            if chosen[0] is None:
                return played
            await rooms.do(id, *chosen[0])
        return actions // AT_ONCE

    before = time.process_time()
    done = sum(await asyncio.gather(*map(play, ids)))
    return 1e6 * (time.process_time() - before - deciding.seconds) / done


async def _opened(rooms: Rooms, game: str) -> str:
    """A match that is stored, and followed by both its players."""
    room = new_room(game, rooms.now())
    await rooms.create(room.row, room, [None, None])
    rooms.live[room.id].subscribers |= {follower(room.id, seat) for seat in (0, 1)}
    return room.id


async def measured(game: str, actions: int) -> dict[str, float]:
    """All parts of one game."""
    playing, telling, rows = await rules_and_telling(game, actions)
    with tempfile.TemporaryDirectory() as folder:
        store = await Store.open(Settings(database=str(Path(folder) / "s.db")).url)
        try:
            stored = await storing(store, rows)
            whole = await without_network(store, game, actions)
        finally:
            await store.close()
    return {
        "rules": playing,
        "telling two players": telling,
        "storing": stored,
        "coordination": whole - playing - telling - stored,
        "all without a network": whole,
    }


def main() -> None:
    """Prints a table, or JSON for a script."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=GAMES, action="append", help="one game (default: all four)")
    parser.add_argument("--actions", type=int, default=3000, help="to measure each part with (default 3000)")
    parser.add_argument("--json", action="store_true", help="figures for a script")
    wanted = parser.parse_args()
    registry.games()
    gc.collect()
    gc.freeze()
    figures = {game: asyncio.run(measured(game, wanted.actions)) for game in wanted.game or GAMES}
    if wanted.json:
        print(json.dumps(figures, indent=1))
        return
    print("| µs an action | " + " | ".join(figures) + " |\n|---|" + "---|" * len(figures))
    for part in next(iter(figures.values())):
        print(f"| {part} | " + " | ".join(f"{figures[game][part]:.0f}" for game in figures) + " |")


if __name__ == "__main__":
    main()
