"""How players want to be told that it is their turn, over HTTP."""

from __future__ import annotations

from typing import Annotated, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from litestar import Controller, Request, delete, get, post, put
from litestar.params import JSONBody, QueryParameter
from msgspec import Meta, Struct

from astragal.core.language import say
from astragal.core.types import whole
from astragal.server import confirmation_rows, mail, mail_links, paths, reminder_rows
from astragal.server.access import TheRooms, household_of, origin_of, player_of
from astragal.server.mail import Letter
from astragal.server.problems import Problem
from astragal.server.reminder_rows import MailRow, Wishes
from astragal.server.reminders import Reminders
from astragal.server.rooms import Rooms
from astragal.server.sessions import Sessions
from astragal.server.web_push import Target

AnyRequest = Request[Any, Any, Any]
Minute = Annotated[int, Meta(ge=0, le=1439)]
Base64 = Annotated[str, Meta(max_length=100, pattern=whole(r"[A-Za-z0-9_-]+"))]


class ReminderState(Struct, frozen=True, kw_only=True):
    """What a player wants, and where it can be told."""

    push: bool
    mail: bool
    quiet_from: int | None  # minutes after midnight where the player lives
    quiet_to: int | None
    zone: str
    devices: int  # browsers that take push messages
    address: str  # for e-mail; empty: none
    confirmed: bool


class NewWishes(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """By which ways to be told, and the quiet hours; both or none of them."""

    push: bool
    mail: bool
    quiet_from: Minute | None = None
    quiet_to: Minute | None = None
    zone: Annotated[str, Meta(max_length=64, pattern=whole(r"[A-Za-z0-9_+/-]+"))] = "UTC"


class Keys(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """With which messages for a browser are encrypted."""

    p256dh: Base64
    auth: Base64


class Subscription(Struct, frozen=True, kw_only=True):
    """What `PushManager.subscribe` gave the browser."""

    endpoint: Annotated[str, Meta(max_length=1000, pattern=whole(r"[!-~]+"))]
    keys: Keys


class Endpoint(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A browser, by where it is told."""

    endpoint: Annotated[str, Meta(max_length=1000)]


class Address(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An e-mail address."""

    address: Annotated[str, Meta(max_length=254)]


class Token(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What stands behind the `#` of a link in a mail."""

    token: Annotated[str, Meta(max_length=300)]


class RemindersApi(Controller):
    """Being told."""

    path = "/api/reminders"
    tags = ("players",)

    @get("/", summary="How you want to be told that it is your turn", operation_id="reminders")
    async def reminders(self, request: AnyRequest, rooms: TheRooms) -> ReminderState:
        return await _state(rooms, (await player_of(request, rooms)).key)

    @put("/", summary="Change it", operation_id="setReminders")
    async def change(self, request: AnyRequest, rooms: TheRooms, data: JSONBody[NewWishes]) -> ReminderState:
        player = await player_of(request, rooms)
        if (data.quiet_from is None) != (data.quiet_to is None):
            raise Problem("malformed", say("quiet hours have a beginning and an end"))
        try:
            ZoneInfo(data.zone)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise Problem("malformed", say("{value!r} is no time zone", value=data.zone)) from None
        wanted = Wishes(
            push=data.push, mail=data.mail, quiet_from=data.quiet_from, quiet_to=data.quiet_to, zone=data.zone
        )
        await reminder_rows.set_wishes(rooms.store, player.key, wanted)
        return await _state(rooms, player.key)

    @post("/devices", summary="Tell this browser too, by Web Push", operation_id="subscribe", status_code=200)
    async def subscribe(self, request: AnyRequest, rooms: TheRooms, data: JSONBody[Subscription]) -> ReminderState:
        player = await player_of(request, rooms)
        target = Target(endpoint=data.endpoint, p256dh=data.keys.p256dh, auth=data.keys.auth)
        _reminders(request).push.check(target)
        await reminder_rows.add_device(rooms.store, player.key, target, origin_of(request))
        return await _state(rooms, player.key)

    @post("/devices/remove", summary="Tell this browser no more", operation_id="unsubscribe", status_code=200)
    async def unsubscribe(self, request: AnyRequest, rooms: TheRooms, data: JSONBody[Endpoint]) -> ReminderState:
        player = await player_of(request, rooms)
        id = reminder_rows.device_id(data.endpoint)
        if id in {device.id for device in await reminder_rows.devices(rooms.store, player.key)}:
            await reminder_rows.drop_device(rooms.store, id)
        return await _state(rooms, player.key)

    # E-mail -----------------------------------------------------------------------------------------------------

    @post(
        "/mail",
        summary="Give an e-mail address, which is asked whether it agrees",
        operation_id="setMail",
        status_code=200,
    )
    async def set_mail(self, request: AnyRequest, rooms: TheRooms, data: JSONBody[Address]) -> ReminderState:
        player, post_office = await player_of(request, rooms), _reminders(request).post
        if post_office is None or rooms.sessions is None:
            raise Problem("not_possible", say("the host of this server has set up no e-mail"))
        address = data.address.strip()
        if not mail.ADDRESS.fullmatch(address):
            raise Problem("malformed", say("{value!r} is no e-mail address", value=address))
        if not request.app.state.confirmations.take(household_of(request)):
            raise Problem("too_many", say("too many requests; wait a little"), 60)
        now = rooms.now()
        row = MailRow(player=player.key, address=address, confirmed=False, origin=origin_of(request), asked_ms=now)
        digest = mail_links.digest(rooms.sessions, address)
        await reminder_rows.set_mail(rooms.store, row, digest)
        links = mail_links.links(rooms.sessions, row, now)
        host = row.origin.partition("://")[2]
        sentences = (
            say("Somebody wants to be told at this address when it is their turn in a game at {host}.", host=host),
            say("If that was you, open this link within two days: {link}", link=links.confirm),
            say("If it was not, do nothing, or make sure of it: {link}", link=links.stop),
        )
        text = "\n\n".join(sentence.to(player.lang) for sentence in sentences)
        subject = say("Confirm your e-mail address for Astragal").to(player.lang)
        if not await post_office.send(Letter(to=address, subject=subject, text=text, remove=links.one_click)):
            await reminder_rows.drop_mail(rooms.store, player.key)
            await confirmation_rows.not_sent(rooms.store, digest, now)
            raise Problem("busy", say("the mail could not be sent; try again later"), 60)
        return await _state(rooms, player.key)

    @delete("/mail", summary="Forget the e-mail address", operation_id="dropMail")
    async def drop_mail(self, request: AnyRequest, rooms: TheRooms) -> None:
        await reminder_rows.drop_mail(rooms.store, (await player_of(request, rooms)).key)

    @post(
        paths.MAIL_CONFIRM.removeprefix("/api/reminders"), summary="Confirm an address, by the link of a mail",
        operation_id="confirmMail", status_code=204,
    )  # fmt: skip
    async def confirm(self, request: AnyRequest, rooms: TheRooms, data: JSONBody[Token]) -> None:
        if not await mail_links.confirmed(_sessions(request), rooms.store, data.token):
            raise _worthless()

    @post(
        paths.MAIL_REMOVE.removeprefix("/api/reminders"), summary="Forget an address, by the link of a mail",
        operation_id="removeMail", status_code=204,
    )  # fmt: skip
    async def remove(
        self, request: AnyRequest, rooms: TheRooms, token: Annotated[str, QueryParameter(max_length=300)]
    ) -> None:
        """Mail programs call this themselves (RFC 8058); whatever else they send is not looked at."""
        if not await mail_links.removed(_sessions(request), rooms.store, token):
            raise _worthless()


def _reminders(request: AnyRequest) -> Reminders:
    reminders: Reminders = request.app.state.reminders
    return reminders


def _sessions(request: AnyRequest) -> Sessions:
    sessions: Sessions = request.app.state.sessions
    return sessions


def _worthless() -> Problem:
    return Problem("not_found", say("this link is too old, or the address is not known here any more"))


async def _state(rooms: Rooms, key: str) -> ReminderState:
    wanted, row = await reminder_rows.wishes(rooms.store, key), await reminder_rows.mail(rooms.store, key)
    return ReminderState(
        push=wanted.push,
        mail=wanted.mail,
        quiet_from=wanted.quiet_from,
        quiet_to=wanted.quiet_to,
        zone=wanted.zone,
        devices=len(await reminder_rows.devices(rooms.store, key)),
        address="" if row is None else row.address,
        confirmed=row is not None and row.confirmed,
    )
