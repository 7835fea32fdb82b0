"""What the store cannot take or cannot read: refused to whoever sent it, told to the host, nobody else's trouble."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from astragal.server import tables
from astragal.server.health import BadText, StoreFailed
from astragal.server.journal import Kept, Said
from astragal.server.store import Store
from astragal.server.writer import Batch, Conflict
from tests.server.running import PATIENCE, Player, Server, closing, play_on, sqlite
from tests.server.test_lasting import complaint, errors
from tests.server.test_store import batch, match, with_store

PAGE = 4096
UNCHECKED = "unchecked"


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.needs("initdb"))])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path / "s.db") if request.param == "sqlite" else str(request.getfixturevalue("database"))


# Bad text --------------------------------------------------------------------------------------------------------


def test_texts_that_cannot_be_stored_are_refused_where_they_enter(place: str) -> None:
    with Server(place) as server, closing(server.table("ur", 2)) as players:
        mover, path = players[0], f"/api/matches/{players[0].match}"
        for bad in ("\0", "key\0", "\0" * 40):
            assert mover.do(type="say", phrase="hello", id=bad)["code"] == "malformed"
            posted = server.post(f"{path}/commands", {"type": "say", "phrase": "hello", "id": bad}, mover.secret)
            assert (posted.status_code, posted.json()["code"]) == (400, "malformed")
            assert mover.do(type="say", text=bad)["code"] == "malformed"
        assert mover.socket is not None
        for raw in ('{"type":"say","phrase":"hello","id":"\\ud800"}', '{"type":"say","text":"a\\udc00b"}'):
            mover.socket.send(raw)
            assert mover.until(lambda message: message["type"] in ("done", "refused"))["code"] == "malformed"
        for name in ("%00", "a%00b", "%ed%a0%80", "x" * 500):
            for tail in ("", "/table", "/record", "/plain"):
                answer = server.get(f"/api/matches/{name}{tail}")
                assert 400 <= answer.status_code < 500, (name, tail, answer.text)
        for body in ({"game": "ur\0", "seats": ["open", "open"]}, {"game": "ur", "seats": ["open"] * 2, "name": "\0"}):
            assert 400 <= server.post("/api/matches", body).status_code < 500
        play_on(players, Random(1), moves=3)
        assert errors(server) == []
    assert "cannot be stored" in complaint("admin", "close", "a\0b", "--database", place)
    assert "cannot be stored" in complaint("admin", "close", "a\udc80b", "--database", place)


def culprit(kind: str) -> Batch:
    """Something that no database takes."""
    wrong = batch("m7", 1)
    match kind:
        case "bound":
            return replace(wrong, rows=[Kept(1, 2**80, Said(0, ""))])
        case "text":
            return replace(wrong, rows=[Kept(1, 5, Said(0, ""), cause="\0")])
        case "body":
            return replace(wrong, rows=[Kept(1, 5, Said(0, "\ud800"))])
        case "constraint":
            return replace(wrong, status=None)
    return replace(wrong, rows=[Kept(1, 5, Said(0, ""), cause="\0")])


@pytest.mark.parametrize("kind", ["bound", "text", "body", "constraint", UNCHECKED])
def test_of_a_group_only_the_culprit_is_refused(place: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if our own check is missing and the database itself refuses: PostgreSQL takes no NUL, SQLite does."""
    if kind == UNCHECKED:
        monkeypatch.setattr(tables, "check_text", lambda text: None)
    sizes: list[int] = []

    async def crowd(store: Store) -> list[Any]:
        store.logs.group_size = sizes.append
        for n in range(20):
            await store.create(match(f"m{n}"), [], [None])
        groups = [culprit(kind) if n == 7 else batch(f"m{n}", 1) for n in range(20)]
        results = await asyncio.gather(*(store.append(each) for each in groups), return_exceptions=True)
        assert [len(await store.rows(f"m{n}")) for n in range(20) if n != 7] == [1] * 19
        if results[7] is not None:  # it goes on
            await store.append(batch("m7", 1))
        assert len(await store.rows("m7")) == 1
        return results

    results = with_store(place, crowd)
    refused = results.pop(7)
    assert results == [None] * 19
    assert max(sizes) == 20
    if kind == UNCHECKED and "://" not in place:
        assert refused is None
    else:
        assert isinstance(refused, BadText if kind == "text" else Conflict if kind == "constraint" else StoreFailed)


# Damage ----------------------------------------------------------------------------------------------------------


def damage(store: Path, mark: bytes) -> int:
    """Overwrites the pages that hold this text; how many."""
    with sqlite(store) as file:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = bytearray(store.read_bytes())
    pages = {at // PAGE for at in range(PAGE, len(content)) if content.startswith(mark, at)}
    for page in pages:
        content[page * PAGE : (page + 1) * PAGE] = os.urandom(PAGE)
    store.write_bytes(content)
    return len(pages)


def fill(server: Server) -> tuple[list[str], Player]:
    """Listed matches, in the last of which a lot is said."""
    made = [server.create("ur", ["open", "open"], listed=True, name=f"player{n}") for n in range(60)]
    speaker = Player(server, made[-1]["match"], made[-1]["secret"])
    for n in range(30):
        assert speaker.do(type="say", text=f"THIS-IS-SAID {n} " + "x" * 400)["type"] == "done"
    return [each["match"] for each in made], speaker


def listed(server: Server, limit: int = 100) -> list[str]:
    """All that the list shows, page by page."""
    seen, after = list[str](), ""
    while True:
        answer = server.get("/api/matches", limit=limit, after=after)
        assert answer.status_code == 200, answer.text
        page = answer.json()
        seen += [each["match"] for each in page["matches"]]
        if page["after"] is None:
            return seen
        after = page["after"]


def not_ready(server: Server) -> None:
    """The server notices that its store is damaged."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with contextlib.suppress(httpx.TransportError):  # it is not there yet
            if server.get("/ready").status_code == 503:
                return
        time.sleep(0.1)
    raise TimeoutError(server.said())


@contextlib.contextmanager
def with_damage(server: Server) -> Iterator[list[str]]:
    """Starts a server on a damaged store; gives what its list shows once it has noticed."""
    server.launch()
    try:
        not_ready(server)
        yield listed(server)
    finally:
        server.stop()


def test_damaged_pages_of_one_match_are_its_own_trouble(tmp_path: Path) -> None:
    store = tmp_path / "matches.db"
    server = Server(store)
    with server:
        made, speaker = fill(server)
        speaker.close()
    assert damage(store, b"THIS-IS-SAID") > 2
    with with_damage(server) as whole:
        assert made[-1] not in whole
        assert set(whole) >= set(made[:40])
        answer = server.get(f"/api/matches/{made[-1]}")
        assert (answer.status_code, answer.json()["code"]) == (503, "storage")
        assert server.get(f"/api/matches/{made[0]}").status_code == 200
        told = [line["message"] for line in errors(server)]
        assert any("the store failed" in line for line in told)
        assert [line for line in errors(server) if line.get("match") == made[-1]]
        assert server.get("/health").status_code == 200


def test_a_list_shows_what_can_be_read_of_damaged_tables(tmp_path: Path) -> None:
    store = tmp_path / "matches.db"
    server = Server(store)
    with server:
        made, speaker = fill(server)
        speaker.close()
    assert damage(store, made[30].encode() + b"ur{") == 1  # its row, not its places in the indexes
    with with_damage(server) as whole:
        assert made[30] not in whole
        assert 0 < len(whole) < 60
        assert listed(server, limit=7) == whole  # in pages, too
        assert errors(server)


def test_one_match_that_makes_no_sense_is_left_out_of_the_list(tmp_path: Path) -> None:
    store = tmp_path / "matches.db"
    server = Server(store)
    with server:
        made = [server.create("ur", ["open", "open"], listed=True)["match"] for _ in range(4)]
    with sqlite(store) as file:
        file.execute("UPDATE matches SET setup = '{' WHERE id = ?", (made[0],))
        file.execute('UPDATE entries SET body = \'{"type":"nonsense"}\' WHERE match = ?', (made[1],))
        file.execute("UPDATE matches SET server_seed = 'xyz' WHERE id = ?", (made[2],))
    with server:
        for _ in range(3):
            assert listed(server) == [made[3]]
        told = [line["match"] for line in errors(server) if "cannot be read" in line["message"]]
        assert sorted(told) == sorted(made[:3])  # once each
        assert server.figure("astragal_unreadable") == 3
        assert server.get(f"/api/matches/{made[0]}").json()["code"] == "storage"


def test_asking_whether_it_is_ready_writes_at_most_once_a_second(tmp_path: Path) -> None:
    async def ask(store: Store) -> int:
        writes = 0
        real = store.set_fact

        async def counted(name: str, value: str) -> None:
            nonlocal writes
            writes += 1
            await real(name, value)

        store.set_fact = counted  # type: ignore[method-assign]
        assert all(await asyncio.gather(*(store.ready() for _ in range(200))))
        return writes

    assert with_store(tmp_path / "s.db", ask) == 1
