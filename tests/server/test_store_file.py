"""The file of the embedded store: private, used by one server, backed up and restored whole."""

from __future__ import annotations

import os
import socket
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from astragal.server import store_file
from astragal.server.settings import Settings
from astragal.server.tables import metadata
from tests.server.running import Player, Server, closing, play_on, sqlite
from tests.server.test_lasting import complaint, stored


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "matches.db"


def modes(file: Path) -> dict[str, int]:
    """Of a store and everything beside it."""
    return {each.name: stat.S_IMODE(each.stat().st_mode) for each in file.parent.glob(f"{file.name}*")}


def test_only_the_owner_reads_a_store_and_its_backups(store: Path, tmp_path: Path) -> None:
    with Server(store) as server:
        server.create("ur", ["open", "open"])
        there = modes(store)
        assert {"matches.db", "matches.db-wal", "matches.db-shm"} <= set(there)
        assert set(there.values()) == {0o600}
        assert complaint("backup", str(tmp_path / "copy.db"), "--database", str(store)) == ""
        assert modes(tmp_path / "copy.db") == {"copy.db": 0o600}
        for name in there:
            (tmp_path / name).chmod(0o644)  # as an older program made them
        server.stop(9)
        server.start()
        assert set(modes(store).values()) == {0o600}
        assert "others could read" in server.said()


def test_one_server_by_whatever_name_it_calls_the_store(store: Path, tmp_path: Path) -> None:
    symbolic, hard, folder = tmp_path / "symbolic.db", tmp_path / "hard.db", tmp_path / "folder"
    with Server(store) as server:
        symbolic.symlink_to(store)
        os.link(store, hard)
        folder.symlink_to(tmp_path)
        for beside in tmp_path.glob("*.lock"):
            beside.unlink()
        for name in (store, symbolic, hard, folder / "matches.db", f"sqlite:///file:{store}?uri=true"):
            assert "another server uses" in complaint("serve", "--port", "0", "--database", str(name)), name
        with closing(server.table("ur", 2)) as players:  # and nothing of that has hurt who has it
            play_on(players, Random(1), moves=3)
    assert complaint("backup", str(tmp_path / "copy.db"), "--database", str(symbolic)) == ""


def test_asking_for_a_lock_does_not_drop_those_of_sqlite(store: Path) -> None:
    """POSIX gives up all locks of a process on a file when the process closes any descriptor of it."""
    url = Settings(database=str(store)).url
    held = store_file.lock(url)
    assert held is not None
    mine = sqlite3.connect(store, isolation_level=None)
    try:
        mine.execute("PRAGMA journal_mode=WAL")
        mine.execute("CREATE TABLE t (x)")
        mine.execute("BEGIN IMMEDIATE")
        with pytest.raises(Exception, match="another server uses"):
            store_file.check_free(url)
        other = "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=0).execute('BEGIN IMMEDIATE')"
        asked = subprocess.run([sys.executable, "-c", other, store], capture_output=True, text=True, check=False)
        assert "locked" in asked.stderr
        mine.execute("COMMIT")
        vacuum = "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=0).execute('PRAGMA journal_mode=DELETE')"
        asked = subprocess.run([sys.executable, "-c", vacuum, store], capture_output=True, text=True, check=False)
        assert "locked" in asked.stderr  # it would need the file for itself
    finally:
        mine.close()
        held.close()
    store_file.check_free(url)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("UPDATE alembic_version SET version_num = '0000'", "tables of version '0000', which this program does not"),
        ("UPDATE alembic_version SET version_num = 'abcdef'", "tables of version 'abcdef', which this program"),
        ("INSERT INTO alembic_version VALUES ('0000')", "which this program does not know"),
        ("DROP TABLE alembic_version", f"tables {', '.join(sorted(metadata.tables))} that Astragal did not make"),
        ("DELETE FROM alembic_version", f"tables {', '.join(sorted(metadata.tables))} that Astragal did not make"),
    ],
)
def test_tables_nobody_knows_are_refused_in_a_sentence(store: Path, change: str, reason: str) -> None:
    stored(store, "none")
    with sqlite(store) as file:
        file.execute(change)
    for words in (["serve", "--port", "0"], ["admin", "list"]):
        said = complaint(*words, "--database", str(store))
        assert reason in said
        assert len(said.splitlines()) == 1


def test_what_is_no_database_is_refused_in_a_sentence(store: Path) -> None:
    store.write_bytes(b"once upon a time" * 1000)
    assert "file is not a database" in complaint("serve", "--port", "0", "--database", str(store))


# Restoring ------------------------------------------------------------------------------------------------------


def test_a_backup_is_restored_beside_an_old_log(store: Path, tmp_path: Path) -> None:
    """A killed server leaves a log of pages beside its store, which must not be taken for the restored one's."""
    copy, server = tmp_path / "copy.db", Server(store)
    with server, closing(server.table("ur", 2)) as players:
        play_on(players, Random(1), moves=5)
        assert complaint("backup", str(copy), "--database", str(store)) == ""
        then = stored(copy, players[0].match)
        assert "another server uses" in complaint("restore", str(copy), "--database", str(store))
        play_on(players, Random(2), moves=20)
        later = stored(store, players[0].match)
        server.stop(9)
    assert (tmp_path / "matches.db-wal").stat().st_size > 0
    link = tmp_path / "link.db"
    link.symlink_to(store)
    assert complaint("restore", str(copy), "--database", str(link)) == ""
    assert link.is_symlink()
    assert not (tmp_path / "matches.db-wal").exists()
    assert stored(store, players[0].match) == then != later
    assert set(modes(store).values()) == {0o600}
    with sqlite(store) as file:
        assert file.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    kept = next(each for each in tmp_path.glob("matches.db.replaced-*") if not each.name.endswith(("-wal", "-shm")))
    assert stored(kept, players[0].match) == later  # the replaced store is whole too
    with server, Player(server, players[0].match, players[0].secret) as back:
        assert back.until_table(lambda table: True)["n"] == len(then)


def test_what_is_no_whole_backup_is_not_restored(store: Path, tmp_path: Path) -> None:
    copy, before = tmp_path / "copy.db", stored(store, "none")
    with sqlite(store) as file:
        file.executemany("INSERT INTO facts VALUES (?, ?)", [(f"fact {n}", "x" * 500) for n in range(2000)])
    assert complaint("backup", str(copy), "--database", str(store)) == ""
    whole, content = copy.read_bytes(), store.read_bytes()
    damaged, foreign, empty = (tmp_path / name for name in ("damaged.db", "foreign.db", "empty.db"))
    middle = len(whole) // 2 // 4096 * 4096
    damaged.write_bytes(whole[:middle] + os.urandom(8192) + whole[middle + 8192 :])
    with sqlite(foreign) as file:
        file.execute("CREATE TABLE recipes (name)")
    empty.touch()
    for backup, reason in (
        (damaged, "is damaged: "),
        (foreign, "is no backup of a store"),
        (empty, "is no backup of a store"),
        (tmp_path / "none.db", "there is no store at"),
        (store, "is the store itself"),
    ):
        assert reason in complaint("restore", str(backup), "--database", str(store))
        assert store.read_bytes() == content
    assert "pg_dump" in complaint("restore", str(copy), "--database", "postgresql://nobody@127.0.0.1:9/none")
    new = tmp_path / "elsewhere.db"
    assert "is damaged" in complaint("restore", str(damaged), "--database", str(new))
    assert not new.exists()
    assert complaint("restore", str(copy), "--database", str(new)) == ""
    assert stored(new, "none") == before == []
    assert not list(tmp_path.glob("*restoring*")) + list(tmp_path.glob("*replaced*"))


def test_a_port_in_use_is_refused_in_one_sentence_before_anything_is_served(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        words = [sys.executable, "-m", "astragal", "serve", "--port", port, "--database", str(tmp_path / "new.db")]
        done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == f"astragal: port {port} is in use by another program; choose another with --port\n"
