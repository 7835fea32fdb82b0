"""Tables of exact values, made for the perfect bot by a hall on one's own computer: one at a time, in a process of its
own with low priority. What is done so far is kept when the hall closes, and thrown away when the table is given up."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from astragal.bots.levels import has_table
from astragal.core import registry
from astragal.core.language import Text, say
from astragal.core.rules import Game
from astragal.core.types import AstragalError
from astragal.server import metrics
from astragal.server.problems import Problem

LONGEST = 3600  # seconds that a table may take; what takes longer is better made by the command, on a faster machine
MB = 1_000_000
SPACE = "\u202f"  # between thousands, in every language
BITS: Literal[16] = 16


class TableOffer(Struct, frozen=True, kw_only=True):
    """A table that can be made here, or is being made."""

    can_make: bool
    text: str  # what it takes, or why it cannot be made
    minutes: int
    megabytes: int
    making: bool = False
    share: float = 0.0  # of the work that is done
    seconds_left: float | None = None
    trouble: str = ""  # why the last attempt came to nothing


class TableMaker:
    """Makes one table at a time."""

    def __init__(self) -> None:
        self._name = ""  # the file name of the table that is or was last being made
        self._process: asyncio.subprocess.Process | None = None
        self._task: asyncio.Task[None] | None = None  # reads what the process reports
        self._share, self._trouble = 0.0, ""
        self._left: float | None = None  # seconds

    @property
    def busy(self) -> bool:
        return self._process is not None

    async def offer(self, game: Game, options: Any, lang: str) -> TableOffer | None:
        """What can be said of the table for these options; None if it is there, or the game cannot be solved."""
        if game.index is None or has_table(game, options):
            return None
        name, wanted, why = await asyncio.to_thread(_looked_up, game, options)
        mine = name == self._name
        if mine and self.busy:
            text = say("The table for the perfect bot is being made.")
        elif self.busy:
            text = say("Another table is being made; this one can follow.")
        elif why is not None:
            text = say("The perfect bot cannot play by these rules here: {reason}.", reason=why)
        else:
            text = say(
                "The perfect bot needs a table of all {positions} positions. To make it takes about {minutes} min and"
                " {megabytes} MB on disk.",
                positions=f"{wanted.positions:,}".replace(",", SPACE),
                minutes=_minutes(wanted.seconds),
                megabytes=_megabytes(wanted.table),
            )
        return TableOffer(
            can_make=why is None and not self.busy,
            text=text.to(lang),
            minutes=_minutes(wanted.seconds),
            megabytes=_megabytes(wanted.table),
            making=mine and self.busy,
            share=self._share if mine and self.busy else 0.0,
            seconds_left=self._left if mine and self.busy else None,
            trouble=self._trouble if mine else "",
        )

    async def start(self, game: Game, options: Any) -> None:
        """Begins to make a table, or goes on with it. Raises Problem."""
        from astragal.solve import shelf, table, worker

        if has_table(game, options):
            raise Problem("not_possible", say("this table is there already"))
        if self.busy:
            raise Problem("not_possible", say("a table is being made already"))
        name, _, why = await asyncio.to_thread(_looked_up, game, options)
        if why is not None:
            raise Problem("not_possible", why)
        folder = shelf.folder()
        folder.mkdir(parents=True, exist_ok=True)
        order = worker.Order(
            game=game.id,
            options=table.solved_options(options),
            folder=str(folder),
            bits=BITS,
        )
        self._name, self._share, self._left, self._trouble = name, 0.0, None, ""
        self._process = process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", worker.__name__, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
        )
        assert process.stdin is not None  # noqa: S101  it was asked for
        process.stdin.write(msgspec.json.encode(order) + b"\n")
        self._task = asyncio.create_task(self._follow(process))

    async def _follow(self, process: asyncio.subprocess.Process) -> None:
        """Notes what the process reports until it ends."""
        from astragal.solve.worker import Report

        assert process.stdout is not None  # noqa: S101  it was asked for
        done = False
        async for line in process.stdout:
            report = msgspec.json.decode(line, type=Report)
            self._share, self._left, done = report.share, report.seconds_left, report.done
            self._trouble = report.trouble
        code = await process.wait()
        if not done and not self._trouble and self._process is process:
            self._trouble = f"exit code {code}"
        if self._trouble:
            metrics.logger.warning("a table was not made: %s", self._trouble)
        if self._process is process:
            self._process = None

    async def cancel(self) -> None:
        """Gives up what is being made, and removes what there is of it. Raises Problem if there is nothing."""
        from astragal.solve import shelf

        process, task = self._process, self._task
        if process is None:
            raise Problem("not_possible", say("no table is being made"))
        self._process = None
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        if task is not None:
            await task
        unfinished = shelf.folder() / Path(self._name).with_suffix(".solving")
        await asyncio.to_thread(shutil.rmtree, unfinished, True)

    def close(self) -> None:
        """Stops at once; the next attempt goes on from what is done."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()


def _looked_up(game: Game, options: Any) -> tuple[str, Any, Text | None]:
    """The name of a table, what it takes, and why it cannot be made here."""
    from astragal.solve import shelf, table
    from astragal.solve.estimate import refusal

    wanted, why = _estimate(game.id, options)
    if why is None:
        why = refusal(wanted, shelf.folder())
    if why is None and wanted.seconds > LONGEST:
        why = say("to make its table would take about {hours} hours on this computer", hours=_hours(wanted.seconds))
    return table.name_of(game, options), wanted, why


@lru_cache(maxsize=64)
def _estimate(id: str, options: Any) -> tuple[Any, Text | None]:
    from astragal.solve.estimate import Estimate, estimate
    from astragal.solve.positions import index_of

    try:
        return estimate(index_of(registry.game(id), options), BITS), None
    except AstragalError as error:  # a board of one's own with too many squares
        return Estimate(0, 0, 0, 0, 0.0), error.text


def _minutes(seconds: float) -> int:
    return max(1, round(seconds / 60))


def _hours(seconds: float) -> int:
    return max(1, round(seconds / 3600))


def _megabytes(size: int) -> int:
    return max(1, round(size / MB))
