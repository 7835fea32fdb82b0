"""A process that makes a table for a hall: `python -m astragal.solve.worker`.

What to make comes as a line of JSON on standard input, how it goes is written to standard output, a line of JSON at a
time. It works with low priority, and ends when standard input does: its hall is gone then.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from astragal.core import options as option_values
from astragal.core import registry
from astragal.core.types import AstragalError
from astragal.solve.estimate import Meter
from astragal.solve.iterate import Progress
from astragal.solve.job import Job
from astragal.solve.table import Bits

NICE = 15
EVERY = 0.3  # seconds between two reports


class Order(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What to make."""

    game: str
    options: dict[str, Any]
    folder: str
    precision: float | None = None
    bits: Bits = 16


class Report(Struct, frozen=True, kw_only=True):
    """How far it is."""

    share: float = 0.0  # of the work, from 0 to 1
    seconds_left: float | None = None
    done: bool = False
    trouble: str = ""


def main() -> None:
    """Makes what the first line of standard input asks for."""
    order = msgspec.json.decode(sys.stdin.buffer.readline(), type=Order)
    threading.Thread(target=_end_with_the_hall, daemon=True).start()
    with contextlib.suppress(AttributeError, OSError):
        os.nice(NICE)
    try:
        game = registry.game(order.game)
        options = option_values.convert(game.rules, {**order.options, "begins": 0})
        job = Job(game, options, Path(order.folder), precision=order.precision, bits=order.bits)
        meter, last = Meter(job.index, job.precision, job.begun()), [0.0]

        def tell(progress: Progress) -> None:
            meter.update(progress)
            if time.monotonic() >= last[0] + EVERY:
                last[0] = time.monotonic()
                _report(Report(share=meter.share, seconds_left=meter.seconds_left()))

        job.run(tell)
    except (AstragalError, OSError, MemoryError) as error:
        _report(Report(trouble=str(error) or type(error).__name__))
    else:
        _report(Report(share=1.0, seconds_left=0.0, done=True))


def _report(report: Report) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(report) + b"\n")
    sys.stdout.buffer.flush()


def _end_with_the_hall() -> None:
    while os.read(0, 1):  # not through sys.stdin, whose lock would be held when this process ends
        pass
    os._exit(1)


if __name__ == "__main__":
    main()
