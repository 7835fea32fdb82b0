"""Loads the program once for a whole run of tests and forks each command from it.

Starting Python and loading the server, the compiled rules and the schema takes a second or two, and the tests start
hundreds of servers and commands. What is forked is the command `astragal` itself, in a process of its own with its own
environment, folder, input and output, so it can be killed, stopped and asked for its exit code as any other.

What a fork cannot show is how a program is loaded: tests of that start Python themselves.
"""

from __future__ import annotations

import asyncio
import atexit
import functools
import gc
import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import IO, Any

ROOT = Path(__file__).parent.parent
PATIENCE = 240.0  # seconds that anything may take on a busy machine


class Child:
    """A process that the cradle has forked, with as much of a Popen as tests need."""

    def __init__(self, cradle: Cradle, pid: int) -> None:
        self._cradle, self.pid = cradle, pid
        self.returncode: int | None = None

    def poll(self) -> int | None:
        if self.returncode is None:
            self.returncode = self._cradle.ask({"poll": self.pid})
        return self.returncode

    def wait(self, timeout: float) -> int:
        until = time.monotonic() + timeout
        while (code := self.poll()) is None:
            if time.monotonic() > until:
                raise subprocess.TimeoutExpired(str(self.pid), timeout)
            time.sleep(0.005)
        return code

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class Cradle:
    """The process that forks, seen from the tests."""

    def __init__(self) -> None:
        self._socket, other = socket.socketpair()
        self._lock = threading.Lock()
        with other:
            words = [sys.executable, "-m", "tests.cradle", str(other.fileno())]
            environment = {**os.environ, "PYTHONUTF8": "1"}
            # In this folder, wherever the test is that wants it first: elsewhere there is no module `tests`.
            self._process = subprocess.Popen(words, pass_fds=[other.fileno()], env=environment, cwd=ROOT)

    def close(self) -> None:
        self._socket.close()
        self._process.wait(PATIENCE)

    def ask(self, request: dict[str, Any], files: tuple[int, ...] = ()) -> Any:
        """What the process answers; the files go to the child that is forked."""
        text = json.dumps(request).encode()
        with self._lock:
            socket.send_fds(self._socket, [len(text).to_bytes(4, "big")], list(files))
            self._socket.sendall(text)
            return json.loads(_received(self._socket, int.from_bytes(_received(self._socket, 4), "big")))

    def fork(
        self,
        words: list[str],
        *,
        stdin: int,
        stdout: int,
        stderr: int,
        env: Mapping[str, str] | None = None,
        offset: Path | None = None,
    ) -> Child:
        """Begins a command. `offset` is a file with the milliseconds by which its system's time is wrong."""
        request = {
            "words": words,
            "env": dict(os.environ if env is None else env),
            "cwd": str(Path.cwd()),
            "offset": None if offset is None else str(offset),
        }
        return Child(self, self.ask(request, (stdin, stdout, stderr)))


@functools.cache
def cradle() -> Cradle:
    """The one of this process, made when it is first needed."""
    made = Cradle()
    atexit.register(made.close)
    return made


def run(
    words: list[str],
    typed: str = "",
    *,
    env: Mapping[str, str] | None = None,
    seconds: float = PATIENCE,
    offset: Path | None = None,
) -> subprocess.CompletedProcess[str]:
    """Runs a command to its end, as `subprocess.run` would."""
    with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
        stdin.write(typed.encode())
        stdin.seek(0)
        streams = {"stdin": stdin.fileno(), "stdout": stdout.fileno(), "stderr": stderr.fileno()}
        child = cradle().fork(words, env=env, offset=offset, **streams)
        try:
            code = child.wait(seconds)
        except BaseException:
            child.kill()
            raise
        return subprocess.CompletedProcess(words, code, _text(stdout), _text(stderr))


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode()


# The process that forks ------------------------------------------------------------------------------------------


def main(connection: socket.socket) -> None:
    _load()
    while True:
        header, files, _flags, _address = socket.recv_fds(connection, 4, 3)
        if not header:
            return
        header += _received(connection, 4 - len(header))
        request = json.loads(_received(connection, int.from_bytes(header, "big")))
        if "poll" in request:
            answer = _ended(request["poll"])
        else:
            answer = os.fork()
            if not answer:
                connection.close()
                _become(request, files)
                return
            for file in files:
                os.close(file)
        text = json.dumps(answer).encode()
        connection.sendall(len(text).to_bytes(4, "big") + text)


def _load() -> None:
    """What every command or server does when it starts, as far as it only fills caches of its process."""
    from astragal import cli
    from astragal.server import app, serving
    from astragal.server.settings import Settings

    cli.commands("en")
    app._warm()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(serving._try_store(Settings(database=f"{folder}/first.db")))
    gc.collect()
    gc.freeze()  # or every child would go through all of it once more before it ends, for half a second


def _ended(pid: int) -> int | None:
    """The exit code of a child, or nothing while it lives."""
    done, status = os.waitpid(pid, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if done else None


def _become(request: dict[str, Any], files: list[int]) -> None:
    """Turns a child into the command."""
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    sys.stdin, sys.stdout, sys.stderr = (
        open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115
        for number, mode in ((0, "r"), (1, "w"), (2, "w"))
    )
    os.environ.clear()
    os.environ.update(request["env"])
    time.tzset()
    os.chdir(request["cwd"])
    main_module = ModuleType("__main__")  # what processes that this one starts take for their beginning
    main_module.__spec__ = importlib.util.find_spec("astragal.__main__")
    sys.modules["__main__"] = main_module
    sys.path[0] = request["cwd"]
    sys.argv = ["astragal", *request["words"]]
    if request["offset"] is not None:
        _set_time(Path(request["offset"]))
    from astragal import cli

    cli.main(request["words"])


def _set_time(offset: Path) -> None:
    """The system's time is wrong from now on, by as many milliseconds as the file says whenever it is asked."""
    true_ns = time.time_ns

    def shifted_ns() -> int:
        return true_ns() + int(offset.read_text()) * 1_000_000

    time.time_ns = shifted_ns
    time.time = lambda: shifted_ns() / 1e9


def _received(connection: socket.socket, size: int) -> bytes:
    """Exactly so many bytes."""
    text = b""
    while len(text) < size:
        part = connection.recv(size - len(text))
        if not part:
            raise EOFError("the other side is gone")
        text += part
    return text


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])))
