"""Telling players who are away that it is their turn: by Web Push, by e-mail, and never in their quiet hours.

A turn is normally told once, and at most twice. A server notes in the store that it is about to send (`claim`), so that
no other does, and afterwards that it has sent. If it is killed or fails in between, the turn is told again after two
minutes, and not a third time. Whether it still is that player's turn is checked right before sending.

Players are told at the same time, so that one whose push services are slow does not delay the others.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import msgspec

from astragal.core.language import say
from astragal.core.record import Acted, Claimed, TookBack, is_bot
from astragal.server import mail_links, players, reminder_rows, render, rounds
from astragal.server.journal import Began
from astragal.server.mail import Letter, Post
from astragal.server.reminder_rows import Turn, Wishes
from astragal.server.room import Room
from astragal.server.rooms import Rooms
from astragal.server.settings import Settings
from astragal.server.web_push import Push

ROUND = 2.0  # seconds between two looks at the store
PRESENT_MS = 60_000  # who is at the table is looked at again after this, or after the host's `--reminder-seconds`
UNREADABLE_MS = 3_600_000  # and a match that cannot be read, after this
AT_ONCE = 20  # players who are told at the same time
PLAYER_SECONDS = 60.0  # for all turns of one player that are told at once
DAY = 86_400  # seconds
SHORTEST_TTL = 60


def turn_number(room: Room, seat: int) -> int | None:
    """The entry with which this seat's turn began; None if it is not its turn, or no other human waits for it."""
    match = room.match
    if match is None or room.status != "running" or match.paused or match.turn != seat or is_bot(match.seats[seat]):
        return None
    if all(is_bot(who) for other, who in enumerate(match.seats) if other != seat):
        return None
    for kept in reversed(room.log):
        body = kept.body
        if isinstance(body, Began | TookBack) or (isinstance(body, Acted | Claimed) and body.seat != seat):
            return kept.n
    return None


def quiet_until(wanted: Wishes, now: datetime) -> datetime | None:
    """When the quiet hours end that it is now where the player lives; None if it is not."""
    if wanted.quiet_from is None or wanted.quiet_to is None or wanted.quiet_from == wanted.quiet_to:
        return None
    here = now.astimezone(ZoneInfo(wanted.zone))
    minute = 60 * here.hour + here.minute
    since = (minute - wanted.quiet_from) % 1440
    length = (wanted.quiet_to - wanted.quiet_from) % 1440
    if since >= length:
        return None
    begun = here.replace(second=0, microsecond=0)
    return (begun + timedelta(minutes=length - since)).astimezone(UTC)


class Reminders:
    """Tells, as long as the server runs. `post` is None where the host has set up no e-mail."""

    def __init__(self, rooms: Rooms, settings: Settings, push: Push, post: Post | None) -> None:
        self._rooms, self.push, self.post = rooms, push, post
        self._wait_ms = 1000 * settings.reminder_seconds
        self._task: asyncio.Task[None] | None = None
        self._telling: dict[str, asyncio.Task[None]] = {}  # by player
        self._free = asyncio.Semaphore(AT_ONCE)

    @classmethod
    async def load(cls, rooms: Rooms, settings: Settings) -> Reminders:
        """With the keys of the store. Raises AstragalError for a mail server that is none."""
        push = await Push.load(rooms.store, contact=settings.mail_from, inside=settings.push_inside)
        return cls(rooms, settings, push, Post(settings.smtp, settings.mail_from) if settings.smtp else None)

    def start(self) -> None:
        """Begins to tell."""
        self._task = asyncio.create_task(self._walk())

    async def stop(self) -> None:
        """Tells nothing any more."""
        await rounds.stop([*([self._task] if self._task is not None else []), *self._telling.values()])
        if self.post is not None:
            self.post.close()

    async def _walk(self) -> None:
        await asyncio.sleep(ROUND)  # whoever is there has time to say so
        await rounds.repeat(ROUND, self.look)

    async def look(self) -> None:
        """Begins to tell all that is to be told now. Players who are being told already are left for the next look."""
        now, by_player = self._rooms.now(), dict[str, list[Turn]]()
        for turn in await reminder_rows.turns(self._rooms.store, now - self._wait_ms, now, list(self._telling)):
            by_player.setdefault(turn.player, []).append(turn)
        for player, turns in by_player.items():
            self._telling[player] = task = asyncio.create_task(self._tell_player(turns))
            task.add_done_callback(lambda _, player=player: self._telling.pop(player))  # type: ignore[misc]

    async def _tell_player(self, turns: list[Turn]) -> None:
        """Tells the turns of one player, one after the other, as long as there is time."""
        async with self._free:
            with self._rooms.logged("reminders of a player", turns[0].match):
                async with asyncio.timeout(PLAYER_SECONDS):
                    for turn in turns:
                        with self._rooms.logged("a reminder", turn.match):
                            await self._consider_safely(turn)

    async def _consider_safely(self, turn: Turn) -> None:
        """Like `_consider`, but a match that cannot be read is left alone for a while. Raises what went wrong."""
        try:
            await self._consider(turn)
        except Exception:  # if the store itself fails, this is not noted either
            await reminder_rows.looked(self._rooms.store, turn, self._rooms.now() + UNREADABLE_MS)
            raise

    async def _consider(self, turn: Turn) -> None:
        rooms, store = self._rooms, self._rooms.store
        number = turn_number(await self._current(turn.match), turn.seat)
        now = rooms.now()
        if number is None:
            await reminder_rows.looked(store, turn, None)
            return
        wanted = await reminder_rows.wishes(store, turn.player)
        quiet = quiet_until(wanted, datetime.fromtimestamp(await store.system_ms() / 1000, UTC))
        if self._present(turn):
            await reminder_rows.looked(store, turn, now + min(PRESENT_MS, self._wait_ms))
        elif quiet is not None:
            await reminder_rows.looked(store, turn, now + int(quiet.timestamp() * 1000) - await store.system_ms())
        elif await reminder_rows.claim(store, turn, number, now):
            room = await self._current(turn.match)
            if turn_number(room, turn.seat) == number and await self._tell(room, turn, wanted):
                await reminder_rows.told(store, turn, number)

    async def _current(self, match: str) -> Room:
        """The match as it is stored now, also if another process has changed it a moment ago."""
        await self._rooms.room(match)
        if not self._rooms.store.embedded:
            await self._rooms.catch_up(match)
        return await self._rooms.room(match)

    def _present(self, turn: Turn) -> bool:
        live = self._rooms.live.get(turn.match)
        here = live.present if live is not None else frozenset()
        return turn.seat in here | self._rooms.elsewhere.of(turn.match).seats

    async def _tell(self, room: Room, turn: Turn, wanted: Wishes) -> bool:
        """Sends it by every way that the player wants; whether one of them has taken it."""
        player = await players.find(self._rooms.store, turn.player)
        if player is None or player.banned:
            return True
        lang, title = player.lang, say(room.game.rules.spec.title)
        title_of = render.names(room, lang)
        others = [who.name or title_of(seat) for seat, who in enumerate(room.seats) if seat != turn.seat]
        sentence = say("It is your turn in {game} against {names}.", game=title, names=", ".join(others)).to(lang)
        sent = False
        if wanted.push:
            sent = await self._push(room, turn, title.to(lang), sentence)
        if wanted.mail and self.post is not None:
            sent = await self._mail(room, turn, lang, sentence) or sent
        return sent

    async def _push(self, room: Room, turn: Turn, title: str, sentence: str) -> bool:
        store, fall = self._rooms.store, None if room.watch is None else room.watch.falls_at()
        left = DAY if fall is None else (fall.at - self._rooms.now()) // 1000
        path = f"/table/{room.id}"
        text = msgspec.json.encode({"title": title, "body": sentence, "url": path, "tag": path})
        devices, ttl = await reminder_rows.devices(store, turn.player), max(SHORTEST_TTL, min(DAY, left))
        outcomes = await asyncio.gather(
            *(self.push.send(each.target, text, origin=each.origin, ttl=ttl, topic=room.id) for each in devices)
        )
        for device, outcome in zip(devices, outcomes, strict=True):
            await reminder_rows.note_outcome(store, device, outcome)
        return "sent" in outcomes

    async def _mail(self, room: Room, turn: Turn, lang: str, sentence: str) -> bool:
        row = await reminder_rows.mail(self._rooms.store, turn.player)
        if row is None or not row.confirmed or self.post is None or self._rooms.sessions is None:
            return False
        links = mail_links.links(self._rooms.sessions, row, self._rooms.now())
        stop = say("You asked to be told by e-mail. If you want no more of it: {link}", link=links.stop).to(lang)
        text = "\n\n".join((sentence, f"{row.origin}/table/{room.id}", stop))
        return await self.post.send(Letter(to=row.address, subject=sentence, text=text, remove=links.one_click))
