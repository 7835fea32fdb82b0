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

import pytest

import astragal
from astragal.bots import Choice
from astragal.play.match import Match
from astragal.server import bot_pool
from astragal.server.bot_pool import BotPool
from astragal.server.problems import Problem


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
    assert (first.by, str(first.fault)) == ("random", "the bot nobody gave no answer")
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
    print(pool._all[0].pid, flush=True)
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
        pid = pool._all[0].pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)

    first, second = ask("greedy", before=kill)
    assert first.action in view().legal
    assert second.alternatives


def test_people_are_served_before_bots_alone_and_each_match_in_its_turn() -> None:
    """Many matches of bots alone wait; whoever plays with people comes next, and nobody twice before the others."""

    async def run() -> list[str]:
        pool, served = BotPool(1, 60.0), list[str]()

        async def job(match: str, *, people: bool) -> None:
            await pool.choose("ur", "greedy", view(), Random(1), match=match, people=people)
            served.append(match)

        try:
            jobs = [asyncio.create_task(job("bots-0", people=False))]
            await asyncio.sleep(0)  # it has the only process now
            jobs += [asyncio.create_task(job(f"bots-{n}", people=False)) for n in range(1, 30)]
            await asyncio.sleep(0)
            jobs += [asyncio.create_task(job("greedy human", people=True)) for _ in range(3)]
            jobs.append(asyncio.create_task(job("human", people=True)))
            await asyncio.gather(*jobs)
        finally:
            pool.close()
        return served

    served = asyncio.run(run())
    assert served[:5] == ["bots-0", "greedy human", "human", "greedy human", "greedy human"]
    assert served[5:] == [f"bots-{n}" for n in range(1, 30)]


def test_one_match_cannot_fill_the_queue() -> None:
    async def run() -> None:
        pool = BotPool(1, 60.0)

        async def job(match: str) -> Choice:
            return await pool.choose("ur", "greedy", view(), Random(1), match=match)

        try:
            first = asyncio.create_task(job("busy"))
            await asyncio.sleep(0)
            waiting = [asyncio.create_task(job("busy")) for _ in range(bot_pool.MOST_WAITING)]
            await asyncio.sleep(0)
            with pytest.raises(Problem) as refused:
                await job("busy")
            assert (refused.value.code, refused.value.retry_after) == ("busy", 5)
            other = asyncio.create_task(job("other"))
            await asyncio.sleep(0)
            waiting.pop().cancel()  # whoever hangs up leaves no gap behind
            assert all(await asyncio.gather(first, other, *waiting))
            assert (await job("busy")).alternatives
        finally:
            pool.close()

    asyncio.run(run())
