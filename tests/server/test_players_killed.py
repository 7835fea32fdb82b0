"""A server that is killed while players sign in, or are being forgotten: nothing is half done afterwards."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import sqlalchemy as sa

from astragal.server import forgetting, players
from astragal.server.store import Store
from astragal.server.tables import nonces
from tests.server.running import Server
from tests.server.test_killed import BROKEN
from tests.server.test_players import Key, challenge, create, eventually, log, submit
from tests.server.test_store import with_store


class Visitors:
    """New players who sign in one after the other, until the server dies."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self.tried: dict[str, Key] = {}  # by the nonce that was signed
        self.acknowledged: set[str] = set()

    def sign_in(self) -> None:
        with contextlib.suppress(*BROKEN):
            while True:
                key, nonce = Key(), challenge(self._server)
                self.tried[nonce] = key
                assert submit(self._server, key, nonce, name="Ida").status_code == 200
                self.acknowledged.add(nonce)


def stored(server: Server) -> tuple[set[str], set[str]]:
    """The nonces that were used up, and the players there are."""

    async def both(store: Store) -> tuple[set[str], set[str]]:
        async with store.reading() as connection:
            used = set(await connection.scalars(sa.select(nonces.c.nonce)))
        return used, {row.key for row in await players.listed(store)}

    return with_store(server.database, both)


def test_killed_while_players_sign_in(tmp_path: Path) -> None:
    server, rng = Server(tmp_path / "s.db"), Random(1)
    visitors = [Visitors(server) for _ in range(3)]
    rounds = 0
    with ThreadPoolExecutor() as pool:
        while rounds < 6 or sum(len(each.acknowledged) for each in visitors) <= 6:  # on a busy machine more often
            rounds += 1
            server.start()
            coming = [pool.submit(each.sign_in) for each in visitors]
            time.sleep(rng.uniform(0.05, 0.4))
            server.stop(signal.SIGKILL)
            for until_killed in coming:
                until_killed.result()
    tried = {nonce: key for each in visitors for nonce, key in each.tried.items()}
    used, known = stored(server)
    assert len(used) > 6
    assert set().union(*(each.acknowledged for each in visitors)) <= used  # what was acknowledged is there
    assert {tried[nonce].public for nonce in used} == known  # and nobody without a nonce, or a nonce for nothing
    with server:
        unused = [nonce for nonce in tried if nonce not in used]
        for nonce in [*unused, *list(used)[:5]]:
            expected = 401 if nonce in used else 200  # the players whose word was lost say it again
            assert submit(server, tried[nonce], nonce).status_code == expected


def forget_and_kill(server: Server, delay: float, *, answered: bool) -> bool:
    """Kills the server so long after a player asked to be forgotten, or was told that it will be, and starts it again.

    Says whether something was left to be done.
    """
    key = Key()
    session = key.sign_in(server, name="Ida-Unique")
    matches = [create(server, session)["match"] for _ in range(12)]
    killer = threading.Timer(delay, server.stop, [signal.SIGKILL])
    if not answered:
        killer.start()
    with contextlib.suppress(*BROKEN):
        assert server.post("/api/players/me/forget", {}, **session).status_code == 202
    if answered:
        killer.start()
    killer.join()
    ordered = bool(with_store(server.database, lambda store: store.facts(forgetting.ORDERED)))
    named = ["Ida-Unique" in log(server, match) for match in matches]
    server.start()
    if ordered:  # the next server goes on with it
        eventually(lambda: key.public not in stored(server)[1])
    if key.public in stored(server)[1]:  # killed before the order was stored: nothing has happened
        assert not answered
        assert all(named)
        assert key.sign_in(server)
    else:
        assert not any("Ida-Unique" in log(server, match) for match in matches)
        assert not with_store(server.database, lambda store: store.facts(forgetting.ORDERED))
    return ordered


def test_killed_while_a_player_is_forgotten(tmp_path: Path) -> None:
    with Server(tmp_path / "s.db") as server:
        for early in (0.0, 0.004):
            forget_and_kill(server, early, answered=False)
        late = [forget_and_kill(server, delay, answered=True) for delay in (0.0, 0.01, 0.03)]
        while not any(late):  # on a busy machine all of it may be done before the server is killed
            late.append(forget_and_kill(server, 0.0, answered=True))
