"""A PostgreSQL of the tests' own: its own folder, its own user, on loopback, stopped by its own process id."""

from __future__ import annotations

import contextlib
import os
import pwd
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.not_run import where
from tests.server.running import PATIENCE, free_port


class Postgres:
    """One cluster that runs while it is entered."""

    def __init__(self) -> None:
        self.port = free_port()
        self._folder = Path(tempfile.mkdtemp(prefix="astragal-postgres-"))
        self._as: dict[str, Any] = {"cwd": self._folder}
        if os.geteuid() == 0:  # PostgreSQL does not run as root; its package brings a user for it
            user = pwd.getpwnam("postgres")
            os.chown(self._folder, user.pw_uid, user.pw_gid)
            self._as |= {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        self._process: subprocess.Popen[bytes] | None = None

    def _run(self, program: str, *words: str) -> str:
        done: subprocess.CompletedProcess[str] = subprocess.run(
            [where(program) or program, *words],
            **self._as,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout
        return done.stdout

    def __enter__(self) -> Postgres:
        data = str(self._folder / "data")
        self._run("initdb", "-D", data, "-U", "astragal", "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C")
        return self.start()

    def start(self) -> Postgres:
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [
                    *(where("postgres") or "postgres", "-D", str(self._folder / "data"), "-p", str(self.port)),
                    *("-c", "listen_addresses=127.0.0.1", "-k", str(self._folder)),
                ],
                **self._as,
                stdout=log,
                stderr=log,
            )
        until = time.monotonic() + PATIENCE
        ready = [where("pg_isready") or "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        while subprocess.run(ready, check=False).returncode != 0:
            if self._process.poll() is not None or time.monotonic() > until:
                raise RuntimeError((self._folder / "log").read_text(errors="replace"))
            time.sleep(0.05)
        return self

    def stop(self, how: int = signal.SIGINT) -> None:
        """Stops at once, with clients connected or not."""
        assert self._process is not None
        self._process.send_signal(how)
        self._process.wait(PATIENCE)

    def __exit__(self, *_: object) -> None:
        self.stop()
        shutil.rmtree(self._folder)

    def new(self) -> str:
        """The address of a new, empty database."""
        name = f"t{secrets.token_hex(6)}"
        self.sql("postgres", f"CREATE DATABASE {name}")
        return f"postgresql://astragal@127.0.0.1:{self.port}/{name}"

    def by_socket(self, address: str) -> str:
        """The same database as a server on the same machine may name it, by the folder of its socket."""
        return f"postgresql://astragal@/{address.rpartition('/')[2]}?host={self._folder}&port={self.port}"

    def sql(self, database: str, text: str) -> str:
        """What the database says to a statement; `database` is its name or address."""
        url = database if "://" in database else f"postgresql://astragal@127.0.0.1:{self.port}/{database}"
        return self._run("psql", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", text, url).strip()

    @contextlib.contextmanager
    def held_up(self, database: str, hold: str, waiting: str) -> Iterator[None]:
        """Holds up what two servers are about to do, until both are at it; then lets both go on at once.

        `hold` is the statement that does it, `waiting` counts those who wait.
        """
        words = [where("psql") or "psql", "-q", "-A", "-t", database]
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
            assert holder.stdin is not None
            assert holder.stdout is not None
            holder.stdin.write(f"BEGIN; {hold}; SELECT 'held';\n")
            holder.stdin.flush()
            while "held" not in holder.stdout.readline():
                assert holder.poll() is None
            try:
                yield
                until = time.monotonic() + PATIENCE
                while int(self.sql(database, waiting)) < 2 and time.monotonic() < until:
                    time.sleep(0.02)
            finally:
                holder.stdin.write("COMMIT;\n")
                holder.stdin.close()

    def entries_held_up(self, database: str) -> contextlib.AbstractContextManager[None]:
        """Two servers store their entries at the same moment."""
        return self.held_up(
            database,
            "LOCK TABLE entries IN SHARE MODE",
            "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'entries'::regclass",
        )
