"""The store: races, group commits, and tables that are what the migrations make."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import asyncpg
import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from msgspec.structs import replace
from sqlalchemy.ext.asyncio import create_async_engine

from astragal.server import migrations, notifications, schema
from astragal.server.journal import Kept, Said
from astragal.server.settings import Settings
from astragal.server.store import MatchRow, Store
from astragal.server.tables import metadata
from astragal.server.writer import Batch, Conflict

T = TypeVar("T")


def with_store(database: Path | str, work: Callable[[Store], Awaitable[T]]) -> T:
    """Does something with the store in a file, or at an address."""

    async def run() -> T:
        store = await Store.open(Settings(database=str(database)).url)
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(run())


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.needs("initdb"))])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty store of each kind."""
    return str(tmp_path / "s.db") if request.param == "sqlite" else str(request.getfixturevalue("database"))


def match(id: str) -> MatchRow:
    return MatchRow(
        id=id, game="ur", setup="{}", server_seed="00", status="lobby", listed=True, invite=None, created_ms=1,
        changed_ms=1,
    )  # fmt: skip


def batch(id: str, *numbers: int, text: str = "") -> Batch:
    return Batch(match=id, rows=[Kept(n, 5, Said(0, text)) for n in numbers], status="running", due=None)


def test_of_two_who_append_the_same_entry_one_is_refused_whole(place: str) -> None:
    async def race(store: Store) -> None:
        for id in ("a", "b"):
            await store.create(match(id), [], [None, None])
        await store.append(batch("a", 1, text="first"))
        results = await asyncio.gather(
            store.append(batch("a", 1, 2, text="second")),
            store.append(batch("b", 1)),
            store.append(batch("a", 2, text="third")),
            return_exceptions=True,
        )
        assert isinstance(results[0], Conflict)
        assert results[1] is None  # nobody else pays for it
        assert results[2] is None
        assert [kept.body for kept in await store.rows("a")] == [Said(0, "first"), Said(0, "third")]
        assert [kept.n for kept in await store.rows("b")] == [1]

    with_store(place, race)


def test_appends_that_come_together_share_a_commit(place: str) -> None:
    sizes: list[int] = []

    async def crowd(store: Store) -> None:
        store.logs.group_size = sizes.append
        for n in range(20):
            await store.create(match(f"m{n}"), [], [None])
        await asyncio.gather(*(store.append(batch(f"m{n}", 1, 2)) for n in range(20)))
        assert all([len(await store.rows(f"m{n}")) == 2 for n in range(20)])

    with_store(place, crowd)
    assert sum(sizes) == 20
    assert max(sizes) > 1


def test_commits_are_durable(tmp_path: Path) -> None:
    async def ask(store: Store) -> tuple[str, int]:
        async with store._engine.connect() as connection:
            mode = await connection.scalar(sa.text("PRAGMA journal_mode"))
            return str(mode), int(await connection.scalar(sa.text("PRAGMA synchronous")))

    assert with_store(tmp_path / "s.db", ask) == ("wal", 2)  # 2 is FULL


def test_migrations_make_the_tables_that_queries_use(place: str) -> None:
    async def differences() -> list[object]:
        engine = create_async_engine(Settings(database=place).url)
        async with engine.begin() as connection:
            await connection.run_sync(schema.upgrade)
            differing = await connection.run_sync(
                lambda bound: compare_metadata(MigrationContext.configure(bound), metadata)
            )
        await engine.dispose()
        return list(differing)

    assert asyncio.run(differences()) == []


def test_the_latest_version_is_the_newest_migration() -> None:
    scripts = ScriptDirectory(str(Path(migrations.__file__).parent))
    assert scripts.get_current_head() == schema.LATEST


def test_what_is_due_and_who_is_absent(place: str) -> None:
    async def ask(store: Store) -> None:
        await store.create(replace(match("a"), due_ms=50, absent_ms=10, status="running"), [], ["x", None])
        await store.create(match("b"), [], ["x"])
        assert await store.due(49) == []
        assert await store.due(50) == ["a"]
        assert await store.absent(11) == []
        assert await store.absent(12) == [("a", 0)]
        assert await store.absent(12, since=2) == []  # the server has only just begun to look
        assert await store.absent(13, since=2) == [("a", 0)]
        await store.unsee("a", 0)
        assert await store.absent(10**15) == []
        assert await store.forget(10**15) == 1  # the lobby; running matches stay
        assert await store.match("b") is None
        assert await store.match("a") is not None

    with_store(place, ask)


def test_facts_are_kept(place: str) -> None:
    async def ask(store: Store) -> None:
        first = await store.fact("salt", "one")
        assert await store.fact("salt", "two") == first == "one"
        await store.ban("192.0.2.4")
        assert await store.banned() == {"192.0.2.4"}

    with_store(place, ask)


@pytest.mark.needs("initdb")
def test_other_processes_are_sent_what_was_stored_if_it_is_short(database: str) -> None:
    async def listen(store: Store) -> list[notifications.Notification]:
        heard: asyncio.Queue[str] = asyncio.Queue()
        listener = await asyncpg.connect(database)
        await listener.add_listener(notifications.CHANNEL, lambda *said: heard.put_nowait(said[3]))
        await store.create(match("a"), [], [None])
        await store.append(batch("a", 1, 2, text="short"))
        await store.append(batch("a", 3, text="ä" * 5000))
        notes = [notifications.read(await heard.get()) for _ in range(3)]
        await listener.close()
        return notes

    created, short, long = with_store(database, listen)
    assert (created.match, created.last, created.lobby) == ("a", 0, True)  # a table that anybody may join
    assert (short.match, short.last, [kept.body for kept in short.rows]) == ("a", 2, [Said(0, "short")] * 2)
    assert (long.match, long.last, long.rows) == ("a", 3, ())


def test_a_match_is_noted_as_changed_at_most_once_a_second_and_when_its_state_changes(place: str) -> None:
    async def note(store: Store) -> None:
        await store.create(match("a"), [], [None])
        await store.append(batch("a", 1))
        first = await store.match("a")
        assert first is not None
        assert first.changed_ms > 1
        later = first.changed_ms + 400
        store.clock.set(later)
        await store.append(replace(batch("a", 2), rows=[Kept(2, later, Said(0, "late"))]))
        again = await store.match("a")
        assert again is not None
        assert again.changed_ms == first.changed_ms
        assert await store.latest_ms() == later  # a server that starts now does not begin before the last entry
        await store.append(replace(batch("a", 3), status="over"))
        over = await store.match("a")
        assert over is not None
        assert (over.status, over.changed_ms >= later) == ("over", True)
        store.clock.set(later + 5_000)
        await store.append(replace(batch("a", 4), status="over"))
        last = await store.match("a")
        assert last is not None
        assert last.changed_ms >= later + 5_000

    with_store(place, note)
