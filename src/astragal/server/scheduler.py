"""What happens in matches without a player: bots move, clocks fall, next matches are made, rated ones counted."""

from __future__ import annotations

import asyncio
import contextlib

import msgspec

from astragal import bots
from astragal.core import fair
from astragal.core.record import is_bot
from astragal.server import auth, own_data
from astragal.server.bot_pool import BotPool
from astragal.server.ratings import ENDED, Ratings
from astragal.server.room import Room
from astragal.server.rooms import Rooms
from astragal.server.subscribers import LiveRoom
from astragal.server.writer import Conflict


class Scheduler:
    """Plans what each of the rooms waits for, after every change of it."""

    def __init__(self, rooms: Rooms, bot_pool: BotPool, ratings: Ratings) -> None:
        self._rooms = rooms
        self._bot_pool = bot_pool
        self._ratings = ratings
        rooms.plan = self.plan

    def plan(self, id: str, live: LiveRoom) -> None:
        """Called after every change of a room: starts a bot, sets a timer, or makes the next match."""
        if live.timer is not None:
            live.timer.cancel()
            live.timer = None
        rooms, room = self._rooms, live.room
        if room is None or rooms.closing:
            return
        if room.setup.rated and not live.settled and room.status in ENDED:
            live.settled = True
            rooms.spawn(self._settle(id))
        now = rooms.now()
        due = room.due(now)
        if room.agreed_again:
            rooms.spawn(self._next_match(id))
        elif room.bot_to_move:
            if live.thinking is None or live.thinking.done():
                live.thinking = rooms.spawn(self._think(id, live))
        elif due is not None:
            seconds = max(0, due - now) / 1000 + 0.005
            live.timer = asyncio.get_running_loop().call_later(seconds, lambda: rooms.spawn(rooms.fire(id)))

    async def wake(self, id: str) -> None:
        """Something in this match is overdue."""
        rooms = self._rooms
        with rooms.logged("a match", id):
            live = await rooms.hold(id)
            async with live.lock:
                room = await rooms.current(live, id)
                self.plan(id, live)
            if not room.bot_to_move:
                await rooms.fire(id)

    async def _settle(self, id: str) -> None:
        """Counts a rated match at its end. Should this fail, housekeeping does it."""
        with self._rooms.logged("the rating of a match", id):
            await self._ratings.settle(id)

    async def _think(self, id: str, live: LiveRoom) -> None:
        """Bots move as long as it is their turn."""
        rooms = self._rooms
        with rooms.logged("a bot", id):
            while not rooms.closing:
                async with live.lock:
                    room = await rooms.current(live, id)
                    if not room.bot_to_move or room.match is None:
                        return
                    seat, at, luck = room.match.turn, room.last, room.match.luck()
                    bot, view = room.seats[seat].player.removeprefix("bot:"), room.match.view(seat)
                if room.setup.pace:
                    await asyncio.sleep(room.setup.pace / 1000)
                people = not all(is_bot(who) for who in room.seats)
                choice = await self._bot_pool.choose(room.game.id, bot, view, luck, match=id, people=people)

                def move(room: Room, seat: int = seat, at: int = at, choice: bots.Choice = choice) -> None:
                    if room.last == at:  # else somebody was quicker, or the table has changed
                        room.move_bot(seat, choice, rooms.now())

                await rooms.change(id, move)

    async def _next_match(self, id: str) -> None:
        """Makes the next match of the same players, now that all of them want it; they keep their secrets."""
        rooms = self._rooms
        with rooms.logged("the next match", id):
            room = await rooms.room(id)
            if not room.agreed_again:
                return
            following, now = room.next_setup(), rooms.now()
            named, data = own_data.split(following.options)
            row = msgspec.structs.replace(
                room.row,
                id=auth.derived_id(room.seed),  # the same, should two processes make it
                setup=msgspec.json.encode(msgspec.structs.replace(following, options=named)).decode(),
                data=data,
                server_seed=fair.new_seed().hex(),
                created_ms=now,
                changed_ms=now,
                rating="open" if following.rated else None,
            )
            successor = Room(row)
            for seat in successor.free:
                successor.keep_seat(seat, room.lobby_seats[seat], now)
            with contextlib.suppress(Conflict):  # it is made already
                await rooms.create(
                    row,
                    successor,
                    await rooms.store.seat_secrets(id),
                    owners=await rooms.store.seat_owners(id),
                )
            await rooms.change(id, lambda room: room.go_to(row.id, rooms.now()) if room.next_match is None else None)
