"""Bots in processes of their own: one that crashes or hangs costs a good move, never the match."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import astragal
from astragal.bots import Choice
from astragal.play.match import Match
from astragal.server import bot_pool
from astragal.server.bot_pool import BotPool


def view() -> Any:
    match = Match.start(astragal.game("ur"), seed=4)
    while match.turn < 0:
        match.draw_chance()
    return match.view(match.turn)


def ask(bot: str, *, seconds: float = 60.0, before: Any = None) -> tuple[Choice, Choice]:
    """What a bot does, and what a good one does after it in the same place."""

    async def run() -> tuple[Choice, Choice]:
        pool = BotPool(1, seconds)
        try:
            if before is not None:
                await pool.choose("ur", "greedy", view(), Random(1))
                before(pool)
            first = await pool.choose("ur", bot, view(), Random(1))
            pool._seconds = 60.0
            return first, await pool.choose("ur", "greedy", view(), Random(1))
        finally:
            pool.close()

    return asyncio.run(run())


def test_a_bot_chooses_as_it_would_here() -> None:
    first, second = ask("greedy")
    assert first == second
    assert first.reasons == bot_pool._choose("ur", "greedy", view(), Random(1)).reasons


def test_a_bot_that_fails_is_replaced_by_something_legal() -> None:
    first, second = ask("nobody")
    assert first.action in view().legal
    assert second.alternatives


def test_a_bot_that_hangs_is_ended() -> None:
    first, second = ask("expectimax:depth=60,time=500", seconds=3.0)
    assert first.action in view().legal
    assert second.alternatives


PARENT = """
import asyncio, os, signal, sys
from random import Random
from tests.server.test_bot_pool import view
from astragal.server.bot_pool import BotPool

async def main():
    pool = BotPool(1, 60)
    await pool.choose("ur", "greedy", view(), Random(1))
    print(pool._all[0]._pid, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":
    asyncio.run(main())
"""


def test_a_killed_server_leaves_no_thinking_process_behind(tmp_path: Path) -> None:
    file = tmp_path / "parent.py"
    file.write_text(PARENT, "utf-8")
    root = Path(__file__).parent.parent.parent
    env = {**os.environ, "PYTHONPATH": str(root)}
    done = subprocess.run(
        [sys.executable, str(file)], capture_output=True, text=True, env=env, timeout=120, check=False
    )
    pid = int(done.stdout)
    for _ in range(600):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    raise AssertionError("it still runs")


def test_a_bot_whose_process_dies_is_replaced() -> None:
    def kill(pool: BotPool) -> None:
        pid = pool._all[0]._pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)

    first, second = ask("greedy", before=kill)
    assert first.action in view().legal
    assert second.alternatives
