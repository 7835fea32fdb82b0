"""Work that a server does in the background."""

from __future__ import annotations

import asyncio

import pytest

from astragal.server.rounds import Shared


def test_what_many_ask_for_is_done_once_for_all_who_asked_before_it_began() -> None:
    begun: list[int] = []
    ended: list[int] = []
    may_end = asyncio.Event()

    async def job() -> None:
        begun.append(len(begun))
        await may_end.wait()
        ended.append(begun[-1])

    async def ask(shared: Shared) -> None:
        before = len(begun)
        await shared()
        assert ended[-1] >= before  # it was done after the question, from its beginning to its end

    async def everybody() -> None:
        shared = Shared(job)
        first = asyncio.create_task(ask(shared))
        while not begun:
            await asyncio.sleep(0)
        others = [asyncio.create_task(ask(shared)) for _ in range(200)]
        await asyncio.sleep(0)  # by now all of them have asked
        may_end.set()
        await asyncio.gather(first, *others)
        assert len(begun) == 2
        await ask(shared)
        assert begun == ended == [0, 1, 2]

    asyncio.run(everybody())


def test_a_job_that_fails_is_done_again_for_the_next_who_asked() -> None:
    tries: list[bool] = []

    async def job() -> None:
        tries.append(True)
        await asyncio.sleep(0)
        if len(tries) == 1:
            raise OSError("no luck")

    async def everybody() -> None:
        shared = Shared(job)
        told = await asyncio.gather(*(shared() for _ in range(3)), return_exceptions=True)
        assert [type(one) for one in told] == [OSError, type(None), type(None)]
        assert len(tries) == 2
        with pytest.raises(ZeroDivisionError):
            await Shared(_divide)()

    asyncio.run(everybody())


async def _divide() -> None:
    raise ZeroDivisionError
