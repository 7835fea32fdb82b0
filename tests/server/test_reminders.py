"""Players who are away are told that it is their turn: once, in time, not in quiet hours, and nothing else."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import socket
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
import sqlalchemy as sa

from astragal.server import addresses, app, confirmation_rows, reminder_rows, reminders, tables, web_push
from astragal.server.mail import Letter, Post
from astragal.server.problems import Problem
from astragal.server.reminder_rows import LEASE_MS, MailRow, Turn, Wishes
from astragal.server.reminders import Reminders, quiet_until
from astragal.server.rooms import Rooms
from astragal.server.settings import Settings
from astragal.server.store import Store
from astragal.server.web_push import Push, Target
from tests.server.halls import Hall
from tests.server.receivers import Browser, MailServer, PushService, link
from tests.server.running import PATIENCE, Player, Server, threaded
from tests.server.test_players import Key, ask, create, eventually, join
from tests.server.test_store import place as place
from tests.server.test_store import with_store

AWAY = 1  # seconds after which somebody is told


def put(server: Server, path: str, body: Any, session: dict[str, str]) -> httpx.Response:
    return httpx.put(f"{server.address}{path}", json=body, headers=session, timeout=PATIENCE)


def wish(server: Server, session: dict[str, str], **more: Any) -> None:
    answer = put(server, "/api/reminders", {"push": True, "mail": True, **more}, session)
    assert answer.status_code == 200, answer.text


@pytest.fixture
def service() -> Iterator[PushService]:
    with PushService() as running:
        yield running


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.needs("initdb"))])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path / "s.db") if request.param == "sqlite" else str(request.getfixturevalue("database"))


def words(mail: MailServer | None = None) -> tuple[str, ...]:
    posted = () if mail is None else ("--smtp", mail.url, "--mail-from", "hall@example.org")
    return "--push-inside", "--reminder-seconds", str(AWAY), *posted


def table(server: Server, *sessions: dict[str, str]) -> tuple[Player, Player]:
    """A match in which the first player begins, by the seats' own secrets."""
    made = create(server, sessions[0], game="nile", options={"begins": 0}, clock="3d/move")
    first = Player(server, made["match"], made["secret"])  # who is there before its turn begins
    joined = join(server, made, sessions[1])
    second = Player(server, made["match"], joined["secret"])
    one_turn(second, other=0)  # only where none of the first one's tiles fits, whose turn is over at once then
    first.until_table(lambda table: table["n"] >= second.last)  # or it would take that turn of the other's for the next
    return first, second


def one_turn(mover: Player, other: int) -> None:
    """Does the first thing it may until it is the other's turn."""
    while (now := mover.until_table(lambda table: table["turn"] in (0, 1)))["turn"] != other:
        assert mover.act(now["actions"][0]["text"])["type"] == "done"
        mover.until_table(lambda table: table["n"] > now["n"])


def none_left(sent: queue.Queue[Any], seconds: float = AWAY + 3.0) -> None:
    with pytest.raises(queue.Empty):
        sent.get(timeout=seconds)


def test_a_turn_is_pushed_once_to_whoever_is_away(where: str, service: PushService) -> None:
    """Two servers on PostgreSQL: still only one of them sends."""
    servers = [Server(where, *words()).start()]
    if not where.endswith(".db"):
        servers.append(Server(where, *words()).start())
    server = servers[0]
    try:
        ida, ben = Key().sign_in(server, name="Ida", lang="de"), Key().sign_in(server, name="Ben")
        browser = Browser(service)
        assert server.post("/api/reminders/devices", browser.subscription, **ben).json()["devices"] == 1
        wish(server, ben)
        one, two = table(server, ida, ben)
        with one, two:
            one_turn(one, other=1)
            two.until_table(lambda table: table["turn"] == 1)
            none_left(service.sent)  # who is at the table knows
            one_turn(two, other=0)
        # Ben has gone, and another turn of his begins. That he was there is forgotten after a while.
        with Player(server, one.match, one.secret) as one:
            one.until_table(lambda table: table["turn"] == 0)
            one_turn(one, other=1)
        path, headers, body = service.next()
        assert path == browser.path
        assert browser.read(body) == {
            "title": "Nile",
            "body": "It is your turn in Nile against Ida.",
            "url": f"/table/{one.match}",
            "tag": f"/table/{one.match}",
        }
        key, claims = service.signed_by(headers)
        assert claims["aud"] == service.address
        assert 0 < int(headers["ttl"]) <= 86400
        assert key == welcome_key(server)
        none_left(service.sent)  # once
    finally:
        for running in servers:
            running.stop()


def two_again(player: Player) -> Player:
    return Player(player.server, player.match, player.secret)


def welcome_key(server: Server) -> str:
    with Hall(server) as hall:
        return str(hall.until("welcome")["push_key"])


def test_browsers_that_are_gone_are_forgotten_and_turns_that_are_over_are_not_told(
    tmp_path: Path, service: PushService
) -> None:
    with Server(tmp_path / "s.db", *words()) as server:
        ida, ben = Key().sign_in(server, name="Ida"), Key().sign_in(server, name="Ben")
        service.status = 410
        assert server.post("/api/reminders/devices", Browser(service).subscription, **ida).status_code == 200
        wish(server, ida)
        one, two = table(server, ida, ben)
        one.until_table(lambda table: table["turn"] == 0)
        one.close()
        service.next()  # the beginning is a turn too
        eventually(lambda: ask(server, "/api/reminders", ida).json()["devices"] == 0)
        service.status = 201
        assert server.post("/api/reminders/devices", Browser(service).subscription, **ida).status_code == 200
        with two_again(one) as back, two:
            one_turn(back, other=1)
            back.close()
            last = back.last
            while True:
                two.until_table(lambda table, n=last: table["n"] >= n)  # type: ignore[misc]
                one_turn(two, other=0)  # Ida's turn begins, and is over before she would be told
                with two_again(one) as quick:
                    one_turn(quick, other=1)
                    last = quick.last
                if quick.events[-1]["at"] - two.events[-1]["at"] < 1000 * AWAY:
                    break
                with contextlib.suppress(queue.Empty):  # the machine was too busy, and she may have been told
                    service.sent.get(timeout=AWAY + 3.0)
            none_left(service.sent)


def test_an_address_is_confirmed_told_and_removed_by_links(where: str) -> None:
    with MailServer() as mail, Server(where, *words(mail)) as server:
        ida, ben = Key().sign_in(server, name="Ida"), Key().sign_in(server, name="Ben", lang="de")
        given = server.post("/api/reminders/mail", {"address": "ben@example.org"}, **ben)
        assert given.json()["confirmed"] is False
        asked = mail.next()
        assert asked["To"] == "ben@example.org"
        assert asked["From"] == "hall@example.org"
        assert asked["Auto-Submitted"] == "auto-generated"
        again = server.post("/api/reminders/mail", {"address": "ben@example.org"}, **ida)
        assert again.json()["code"] == "too_many"  # nobody's post box is filled
        wish(server, ben)
        one, two = table(server, ida, ben)
        two.close()
        with one:
            one_turn(one, other=1)
        none_left(mail.letters)  # not confirmed yet
        assert server.post("/api/reminders/mail/confirm", {"token": "x.1.y"}).json()["code"] == "not_found"
        assert server.post("/api/reminders/mail/confirm", {"token": link(asked, "confirm")}).status_code == 204
        assert ask(server, "/api/reminders", ben).json()["confirmed"] is True
        told = mail.next()
        assert told["Subject"] == "Du bist dran: Nil, gegen Ida."
        assert f"{server.address}/table/{one.match}" in told.get_content()
        assert told["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert str(one.secret) not in str(told)
        none_left(mail.letters)
        one_click = str(told["List-Unsubscribe"]).strip("<>").replace("\n", "")
        gone = httpx.post(one_click, data={"List-Unsubscribe": "One-Click"}, timeout=PATIENCE)
        assert gone.status_code == 204, gone.text
        assert ask(server, "/api/reminders", ben).json()["address"] == ""
        assert server.post("/api/reminders/mail/confirm", {"token": link(asked, "confirm")}).status_code == 404


def test_there_is_no_mail_where_the_host_has_none(server: Server) -> None:
    session = Key().sign_in(server)
    assert server.post("/api/reminders/mail", {"address": "a@b.org"}, **session).json()["code"] == "not_possible"
    assert ask(server, "/api/reminders", {}).json()["code"] == "not_signed_in"
    for wrong in ({"quiet_from": 60}, {"zone": "Mars/Olympus"}, {"zone": "../../etc/passwd"}, {"quiet_from": 1440}):
        answer = put(server, "/api/reminders", {"push": True, "mail": False, **wrong}, session)
        assert answer.json()["code"] == "malformed", answer.text


# Quiet hours, and once -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("now", "until"),
    [
        ("2026-11-16T21:30", None),  # 22:30 in Berlin
        ("2026-11-16T22:00", "2026-11-17T06:00"),  # 23:00 to 07:00
        ("2026-11-17T05:59", "2026-11-17T06:00"),
        ("2026-11-17T06:00", None),
        ("2026-07-16T21:00", "2026-07-17T05:00"),  # the same hours in summer
    ],
)
def test_quiet_hours_are_those_where_the_player_lives(now: str, until: str | None) -> None:
    wanted = Wishes(push=True, quiet_from=23 * 60, quiet_to=7 * 60, zone="Europe/Berlin")
    ends = quiet_until(wanted, datetime.fromisoformat(now).replace(tzinfo=UTC))
    assert ends == (None if until is None else datetime.fromisoformat(until).replace(tzinfo=UTC))


def test_nobody_is_told_in_quiet_hours_but_afterwards(tmp_path: Path, service: PushService) -> None:
    with Server(tmp_path / "s.db", *words()) as server:
        ida, ben = Key().sign_in(server, name="Ida"), Key().sign_in(server, name="Ben")
        assert server.post("/api/reminders/devices", Browser(service).subscription, **ben).status_code == 200
        minute = 60 * datetime.now(UTC).hour + datetime.now(UTC).minute
        wish(server, ben, quiet_from=(minute - 60) % 1440, quiet_to=(minute + 60) % 1440)
        one, two = table(server, ida, ben)
        two.close()
        with one:
            one_turn(one, other=1)
        none_left(service.sent)
        wish(server, ben, quiet_from=(minute - 60) % 1440, quiet_to=(minute - 30) % 1440)  # so they are over now
        service.next()
        none_left(service.sent)


def test_of_many_servers_one_tells_a_turn_and_after_a_kill_once_more(place: str) -> None:
    turn = Turn(match="m", seat=0, player="p", changed_ms=5)

    async def race(store: Store) -> None:
        def claims(now: int, number: int = 7) -> Callable[[], Any]:
            return lambda: reminder_rows.claim(store, turn, number, now)

        first = await asyncio.gather(*(claims(LEASE_MS)() for _ in range(5)))
        assert first.count(True) == 1
        assert not await claims(2 * LEASE_MS - 1)()  # whoever has it may still be at it
        again = await asyncio.gather(*(claims(2 * LEASE_MS)() for _ in range(5)))
        assert again.count(True) == 1  # it was killed before it noted that it had sent it
        assert not await claims(9 * LEASE_MS)()  # and never a third time
        assert await claims(9 * LEASE_MS, 8)()  # the next turn
        await reminder_rows.told(store, turn, 8)
        assert not await claims(20 * LEASE_MS, 8)()

    with_store(place, race)


# Push services come from clients -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example.org/x",
        "https://127.0.0.1/x",
        "https://10.0.0.8/x",
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]/x",
        "https://[::ffff:10.0.0.1]/x",
        "https://[64:ff9b::a00:1]/x",
        "https://user@push.example.org/x",
        "https://push.example.org:8443/x",
        "file:///etc/passwd",
        "https:///x",
        "https://[",
    ],
)
def test_a_push_service_is_in_the_internet(server: Server, endpoint: str) -> None:
    with PushService() as service:
        keys = Browser(service).subscription["keys"]
    session = Key().sign_in(server)
    answer = server.post("/api/reminders/devices", {"endpoint": endpoint, "keys": keys}, **session)
    assert answer.json()["code"] == "malformed", answer.text


def test_a_name_that_stands_for_an_inner_address_is_not_called(
    monkeypatch: pytest.MonkeyPatch, service: PushService
) -> None:
    """The name passed the check when it was given; what it stands for is looked at when it is called."""
    port = int(service.address.rpartition(":")[2])

    async def send() -> str:
        subscription: Any = Browser(service).subscription
        target = Target(endpoint="https://push.example.org/x", **subscription["keys"])
        push = Push(web_push._plain(b"\x01" * 32), contact="", inside=False)
        loop = asyncio.get_running_loop()

        async def rebound(*_: Any, **__: Any) -> list[Any]:
            return [(socket.AF_INET, socket.SOCK_STREAM, 0, "", ("127.0.0.1", port))]

        monkeypatch.setattr(loop, "getaddrinfo", rebound)
        return await push.send(target, b"{}", origin="https://hall.example.org", ttl=60, topic="m")

    assert asyncio.run(send()) == "failed"
    assert service.sent.empty()


def test_keys_that_are_none_are_refused() -> None:
    with PushService() as service:
        good: Any = Browser(service).subscription["keys"]
    for keys in ({**good, "auth": "AAAA"}, {**good, "p256dh": "AAAA"}, {**good, "p256dh": "A"}):
        with pytest.raises(Problem):
            web_push.check(Target(endpoint="https://push.example.org/x", **keys), inside=False)
    web_push.check(Target(endpoint="https://push.example.org/x", **good), inside=False)


def test_public_addresses() -> None:
    def public(text: str) -> bool:
        address = addresses.read(text)
        return address is not None and addresses.is_public(address)

    assert all(map(public, ("93.184.216.34", "2606:2800:220:1::1", "::ffff:93.184.216.34")))
    inner = (
        "0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.2 169.254.1.1 172.16.0.1 192.168.1.1 192.0.2.1 224.0.0.1 255.255.255.255"
    )
    inner += " :: ::1 fe80::1 fc00::1 ff02::1 2002:a00:1:: 64:ff9b::a00:1 2001::1 ::ffff:127.0.0.1 fec0::1 3fff::1"
    assert not any(map(public, inner.split()))


# Other people's post boxes ------------------------------------------------------------------------------------------


def test_nobody_fills_a_post_box_by_deleting_and_asking_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "CONFIRMATIONS", 0)  # Eve has many addresses of her own
    posted = {"mail_from": "hall@example.org"}
    with MailServer() as mail, threaded(tmp_path / "s.db", smtp=mail.url, **posted) as server:
        eve = Key().sign_in(server)

        def ask_for(address: str) -> str:
            answer = server.post("/api/reminders/mail", {"address": address}, **eve)
            gone = httpx.delete(f"{server.address}/api/reminders/mail", headers=eve, timeout=PATIENCE)
            assert gone.status_code == 204
            return str(answer.json().get("code", "sent"))

        assert ask_for("ben@example.org") == "sent"
        letter = mail.next()
        assert ask_for("Ben@Example.org") == "too_many"
        stop = str(letter["List-Unsubscribe"]).strip("<>").replace("\n", "")
        assert httpx.post(stop, timeout=PATIENCE).status_code == 204  # although Eve has deleted it
        assert ask_for("BEN@example.org") == "not_possible"
        assert mail.letters.empty()


def test_an_address_is_asked_twice_a_day_and_not_for_long_after_it_stopped(place: str) -> None:
    async def ask_on(store: Store) -> None:
        async def asked(now: int) -> str:
            try:
                async with store.changing() as connection:
                    await confirmation_rows.ask(connection, "digest", now)
            except Problem as problem:
                return problem.code
            return "sent"

        day, start = confirmation_rows.DAY_MS, store.clock.now()
        minute = 60_000
        assert await asked(start) == "sent"
        assert await asked(start + 9 * minute) == "too_many"
        await confirmation_rows.not_sent(store, "digest", start)  # so it does not count
        assert await asked(start + 9 * minute) == "sent"
        assert await asked(start + 20 * minute) == "sent"
        assert await asked(start + 60 * minute) == "too_many"
        assert await asked(start + day + 9 * minute) == "sent"
        await confirmation_rows.stop(store, "digest")
        assert await asked(start + 80 * day) == "not_possible"
        assert await asked(start + 91 * day) == "sent"

    with_store(place, ask_on)


def test_addresses_that_were_not_confirmed_in_time_are_forgotten(tmp_path: Path) -> None:
    async def forget(store: Store) -> None:
        now = store.clock.now()
        for name, asked_ms in (("old", now - confirmation_rows.UNCONFIRMED_MS - 1), ("new", now), ("good", 0)):
            row = MailRow(player=name, address=f"{name}@example.org", confirmed=False, origin="", asked_ms=asked_ms)
            async with store.changing() as connection:
                await connection.execute(sa.insert(tables.mails), msgspec.structs.asdict(row))
        assert await reminder_rows.confirm_mail(store, "good", "good@example.org")
        await confirmation_rows.forget_old(store)
        left = [name for name in ("old", "new", "good") if await reminder_rows.mail(store, name) is not None]
        assert left == ["new", "good"]

    with_store(tmp_path / "s.db", forget)


def test_the_log_of_a_refused_mail_names_nobody(caplog: pytest.LogCaptureFixture) -> None:
    class Refusing(MailServer):
        async def handle_RCPT(self, *_: Any) -> str:  # noqa: N802  aiosmtpd calls it so
            return "550 ben@example.org is not here"

    with Refusing() as mail, caplog.at_level("WARNING"):
        post = Post(mail.url, "hall@example.org")
        assert not asyncio.run(post.send(Letter(to="ben@example.org", subject="Hello", text="Hello")))
        post.close()
    assert "SMTPRecipientsRefused 550" in caplog.text
    assert "ben@" not in caplog.text


# Slow and broken ones ------------------------------------------------------------------------------------------------


def test_slow_push_services_of_one_player_do_not_stop_the_others(
    tmp_path: Path, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """None of Ida's browsers is answered before all of them and Ben's have been told; and nobody's patience ends."""
    released = threading.Event()
    monkeypatch.setattr(web_push, "SECONDS", 10 * PATIENCE)
    monkeypatch.setattr(reminders, "PLAYER_SECONDS", 10 * PATIENCE)
    with (
        PushService(answer_after=released) as slow,
        threaded(tmp_path / "s.db", push_inside=True, reminder_seconds=AWAY) as server,
    ):
        ida, ben, cem = (Key().sign_in(server, name=name) for name in ("Ida", "Ben", "Cem"))
        browsers = [Browser(slow) for _ in range(4)]
        for browser in browsers:
            assert server.post("/api/reminders/devices", browser.subscription, **ida).status_code == 200
        assert server.post("/api/reminders/devices", Browser(service).subscription, **ben).status_code == 200
        wish(server, ida)
        wish(server, ben)
        for session in (ida, ben):
            for player in table(server, session, cem):
                player.close()
        heard = {slow.next()[0] for _ in browsers}
        service.next()
        assert heard == {browser.path for browser in browsers}
        assert slow.answered == 0
        released.set()


def test_who_leaves_in_the_middle_of_its_turn_is_told_as_soon_as_anybody(
    tmp_path: Path, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reminders, "ROUND", 0.1)
    with threaded(tmp_path / "s.db", push_inside=True, reminder_seconds=AWAY) as server:
        ida, ben = Key().sign_in(server, name="Ida"), Key().sign_in(server, name="Ben")
        assert server.post("/api/reminders/devices", Browser(service).subscription, **ida).status_code == 200
        wish(server, ida)
        one, two = table(server, ida, ben)
        with two:
            none_left(service.sent, AWAY + 1.0)  # it is there, and that has been seen
            one.close()
            service.sent.get(timeout=PATIENCE / 2)


def test_a_browser_that_fails_again_and_again_is_dropped(tmp_path: Path) -> None:
    async def fail(store: Store) -> None:
        target = Target(endpoint="https://push.example.org/x", p256dh="", auth="")
        await reminder_rows.add_device(store, "p", target, "")
        for outcome in ("failed", "failed", "failed", "failed", "sent", "failed", "failed", "failed", "failed"):
            [device] = await reminder_rows.devices(store, "p")
            await reminder_rows.note_outcome(store, device, outcome)
        [device] = await reminder_rows.devices(store, "p")
        await reminder_rows.note_outcome(store, device, "failed")
        assert await reminder_rows.devices(store, "p") == []

    with_store(tmp_path / "s.db", fail)


def test_a_match_that_cannot_be_read_is_left_alone_for_a_while(tmp_path: Path) -> None:
    async def look(store: Store) -> None:
        rooms = Rooms(store)
        telling = Reminders(rooms, Settings(), Push(web_push._plain(b"\x01" * 32), contact="", inside=False), None)
        broken = {"id": "m", "game": "no-game", "setup": "{}", "server_seed": "", "status": "running", "listed": False}
        async with store.changing() as connection:
            await connection.execute(sa.insert(tables.matches), {**broken, "created_ms": 0, "changed_ms": 0})
            await connection.execute(sa.insert(tables.seats), {"match": "m", "seat": 0, "player": "p"})
        await reminder_rows.set_wishes(store, "p", Wishes(push=True))
        device = Target(endpoint="https://push.example.org/x", p256dh="", auth="")
        await reminder_rows.add_device(store, "p", device, "")
        assert len(await reminder_rows.turns(store, 1, rooms.now())) == 1
        await telling.look()
        await asyncio.gather(*telling._telling.values())
        assert await reminder_rows.turns(store, 1, rooms.now()) == []
        assert len(await reminder_rows.turns(store, 1, rooms.now() + 2 * 3_600_000)) == 1
        await telling.stop()

    with_store(tmp_path / "s.db", look)
