"""Loads everything once and forks a server for every line it reads, so that one can be killed and started often.

What is forked is the command `astragal` itself. A line holds its words as JSON; the answers are the process's id and,
once it has ended, its exit status.
"""

from __future__ import annotations

import json
import os
import sys

import astragal.server.serving  # noqa: F401  loaded here, and not in every child
from astragal import cli


def main() -> None:
    while line := sys.stdin.readline():
        child = os.fork()
        if not child:
            with open(os.devnull) as nothing:  # noqa: PTH123
                os.dup2(nothing.fileno(), 0)
            os.dup2(2, 1)  # what a server says goes to the log; the answers are this process's own
            cli.main(json.loads(line))
        print(child, flush=True)
        print(os.waitpid(child, 0)[1], flush=True)


if __name__ == "__main__":
    main()
