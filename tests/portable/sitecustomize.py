"""Hides from Astragal's own code what Windows does not have, for every process that has this folder on PYTHONPATH and
ASTRAGAL_WITHOUT_POSIX set. (The tests' collector imports this file too, and must not be hidden anything from.)

Modules of POSIX alone cannot be imported by `astragal`, and what it sees of `os`, `signal` and `sys` lacks what Windows
lacks and names that system. The standard library and other packages see the machine as it is: their own authors test
them on Windows.
"""

from __future__ import annotations

import builtins
import os
import signal
import sys
from types import ModuleType
from typing import Any

MISSING = frozenset({"fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty", "uvloop"})
LACKING = {
    "os": ("chown", "fchmod", "fork", "geteuid", "getuid", "killpg", "nice", "setsid", "sysconf", "uname"),
    "signal": ("SIGHUP", "SIGKILL", "SIGQUIT", "SIGUSR1", "SIGUSR2", "pthread_sigmask", "sigwait"),
    "sys": (),
}
INSTEAD = {"os": {"name": "nt"}, "signal": {}, "sys": {"platform": "win32"}}
REAL = {"os": os, "signal": signal, "sys": sys}


class Seen(ModuleType):
    """A module as Astragal sees it."""

    def __getattribute__(self, name: str) -> Any:
        module = ModuleType.__getattribute__(self, "__name__")
        if name in LACKING[module]:
            raise AttributeError(f"module {module!r} has no attribute {name!r} on Windows")
        if name in INSTEAD[module]:
            return INSTEAD[module][name]
        return getattr(REAL[module], name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(REAL[ModuleType.__getattribute__(self, "__name__")], name, value)


SEEN = {name: Seen(name) for name in REAL}
usual = builtins.__import__


def limited(name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:
    importer = (globals or {}).get("__name__", "")
    if level or importer.partition(".")[0] != "astragal":
        return usual(name, globals, locals, fromlist, level)
    if name in MISSING:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    return SEEN[name] if name in SEEN else usual(name, globals, locals, fromlist, level)


if os.environ.get("ASTRAGAL_WITHOUT_POSIX"):
    builtins.__import__ = limited
