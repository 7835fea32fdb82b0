"""The host's page over HTTP: who may open it, what it shows, and what its orders do at once on a running server."""

from __future__ import annotations

import asyncio
import io
import json
import re
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, redirect_stdout
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from astragal import cli
from astragal.core.types import AstragalError
from astragal.server import limits
from astragal.server.settings import Settings
from astragal.server.store import Store
from benchmarks import population
from tests.server.cup import Cup
from tests.server.postgres import Postgres
from tests.server.running import NEVER_NOTHING, PATIENCE, Player, Server, sqlite
from tests.server.test_players import Key, create, eventually
from tests.server.test_store import with_store

PATHS = ("", "/storage", "/matches", "/players", "/bans", "/tournaments", "/limits", "/backups", "/log")


def admin(server: Server, *words: str) -> str:
    """What `astragal admin` says."""
    said, order = io.StringIO(), ["admin", *words, "--database", server.database]
    with redirect_stdout(said), ThreadPoolExecutor(1) as thread:  # beside a browser's event loop
        thread.submit(cli.commands("en").main, order, standalone_mode=False).result()
    return said.getvalue().strip()


class Desk:
    """Somebody with the host's secret."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.link = admin(server, "host-link", "--address", server.address)
        self.secret = self.link.partition("#")[2]
        self.headers = {"astragal-host": self.secret}

    def get(self, path: str = "", **query: Any) -> Any:
        answer = httpx.get(
            f"{self.server.address}/api/host{path}", params=query, headers=self.headers, timeout=PATIENCE
        )
        assert answer.status_code == 200, answer.text
        return answer.json()

    def ask(self, type: str, **more: Any) -> httpx.Response:
        return self.server.post("/api/host/orders", {"type": type, **more}, **self.headers)

    def order(self, type: str, **more: Any) -> str:
        answer = self.ask(type, **more)
        assert answer.status_code == 200, answer.text
        return str(answer.json()["text"])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("host")
    words = ("--proxies", "127.0.0.2", "--origin", "https://games.example.org")
    with Server(folder / "matches.db", *words) as running:
        yield running


@pytest.fixture(scope="module")
def desk(server: Server) -> Desk:
    return Desk(server)


def code(answer: httpx.Response) -> str:
    return str(answer.json()["code"])


# Who may open it ----------------------------------------------------------------------------------------------------


def test_without_the_secret_nothing_is_shown_and_nothing_done(server: Server, desk: Desk) -> None:
    key, made = Key(), server.create("ur", ["open", "open"])
    shown: tuple[dict[str, str], ...] = (
        {},
        {"astragal-host": ""},
        {"astragal-host": "x" * len(desk.secret)},
        {"astragal-host": made["secret"]},
        {"Authorization": f"Bearer {desk.secret}"},
        {"Authorization": f"Bearer {made['secret']}"},
        {"astragal-hall": desk.secret},
        {"cookie": f"astragal-host={desk.secret}", "Authorization": "x"},
        key.sign_in(server, name="Mallory"),
    )
    for headers in shown:
        answer = httpx.get(f"{server.address}/api/host", headers=headers)
        assert (answer.status_code, code(answer)) == (401, "host_secret"), headers
    for path in PATHS:
        assert httpx.get(f"{server.address}/api/host{path}", params={"host": desk.secret}).status_code in (401, 429)
    order = server.post("/api/host/orders", {"type": "delete", "match": made["match"]})
    assert code(order) in ("host_secret", "too_many")
    assert server.get(f"/api/matches/{made['match']}").status_code == 200


def test_wrong_secrets_are_counted_and_the_right_one_still_opens(server: Server, desk: Desk) -> None:
    for _ in range(40):
        answer = httpx.get(f"{server.address}/api/host", headers={"astragal-host": "wrong"})
        if answer.status_code == 429:
            break
    assert code(answer) == "too_many"
    assert "retry-after" in answer.headers
    assert desk.get()["servers"] == 1


@pytest.mark.parametrize(
    "header",
    [
        {"X-Forwarded-For": "203.0.113.9"},
        {"X-Forwarded-For": "127.0.0.1"},
        {"X-Real-IP": "127.0.0.1"},
        {"Forwarded": "for=127.0.0.1"},
        {"Via": "1.1 proxy"},
    ],
)
def test_what_comes_through_a_proxy_is_not_this_computer(server: Server, desk: Desk, header: dict[str, str]) -> None:
    answer = httpx.get(f"{server.address}/api/host", headers={**desk.headers, **header})
    assert (answer.status_code, code(answer)) == (403, "forbidden")


def test_a_page_of_another_server_cannot_ask_or_order(server: Server, desk: Desk) -> None:
    elsewhere = {**desk.headers, "origin": "https://evil.example"}
    order = server.post("/api/host/orders", {"type": "ban", "address": "192.0.2.7"}, **elsewhere)
    assert code(order) == "origin"
    reading = {**desk.headers, "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors"}
    assert code(httpx.get(f"{server.address}/api/host", headers=reading)) == "origin"
    twice = [("astragal-host", desk.secret), ("astragal-host", "x")]
    assert code(httpx.get(f"{server.address}/api/host", headers=twice)) == "malformed"
    assert desk.get("/bans") == []


def test_the_page_can_be_opened_to_a_network_and_to_everybody(tmp_path: Path) -> None:
    words = ("--proxies", "127.0.0.1", "--host-page-from", "203.0.113.0/24")

    def opened(server: Server, desk: Desk, **headers: str) -> int:
        return httpx.get(f"{server.address}/api/host", headers={**desk.headers, **headers}).status_code

    with Server(tmp_path / "some.db", *words) as server:
        desk = Desk(server)
        assert opened(server, desk) == 200  # this computer itself
        assert opened(server, desk, **{"X-Forwarded-For": "203.0.113.9"}) == 200
        assert opened(server, desk, **{"X-Forwarded-For": "203.0.113.9, 198.51.100.1"}) == 403
        assert opened(server, desk, **{"X-Forwarded-For": "127.0.0.1"}) == 403
        assert opened(server, desk, Via="1.1 proxy") == 403  # a proxy that names nobody
        assert httpx.get(f"{server.address}/api/host", headers={"X-Forwarded-For": "203.0.113.9"}).status_code == 401
    with Server(tmp_path / "all.db", "--host-page-from", "anywhere") as server:
        desk = Desk(server)
        assert opened(server, desk, **{"X-Forwarded-For": "198.51.100.1"}) == 200
        assert httpx.get(f"{server.address}/api/host").status_code == 401
    with pytest.raises(AstragalError, match="no address"):
        Settings(host_page_from="everywhere").checked()


def test_a_new_link_makes_the_old_one_worthless_and_only_its_hash_is_stored(server: Server, desk: Desk) -> None:
    assert desk.link.startswith(f"{server.address}/host#")
    old = dict(desk.headers)
    fresh = Desk(server)
    assert httpx.get(f"{server.address}/api/host", headers=old).status_code in (401, 429)
    desk.secret, desk.headers = fresh.secret, fresh.headers
    assert desk.get()["version"]
    with sqlite(server.database) as store:
        kept = [value for (value,) in store.execute("SELECT value FROM facts")]
    assert not any(desk.secret in value for value in kept)


def test_no_log_has_a_secret(server: Server, desk: Desk) -> None:
    made = server.create("ur", ["open", "open"])
    moved = desk.order("reissue", match=made["match"], seat=1)
    link = re.search(r"#(\S+)", moved)
    assert link is not None
    lines = desk.get("/log")
    assert any("reissue" in line["text"] for line in lines)
    eventually(lambda: "reissue" in server.said())
    for secret in (desk.secret, made["secret"], link[1]):
        assert secret not in json.dumps(lines)
        assert secret not in server.said()


# What it shows and does ---------------------------------------------------------------------------------------------


def test_load_and_storage_are_what_happens(server: Server, desk: Desk) -> None:
    before = desk.get("/storage")
    made = server.create("ur", ["open", "open"], options={"begins": 0, **NEVER_NOTHING})
    server.join(made)
    with Player(server, made["match"], made["secret"]) as player:
        player.until_table(lambda table: bool(table["actions"]))
        player.act(player.table["actions"][0]["text"])
        eventually(lambda: desk.get()["load"]["actions_per_s"] > 0)
        seen = desk.get()
        assert seen["load"]["sockets"] >= 1
        assert seen["load"]["slow_ms"] > 0
        assert seen["load"]["loop_delay_ms"] >= 0
        assert seen["load"]["memory_bytes"] > 20_000_000
        rows = {row["match"]: row for row in desk.get("/matches")["matches"]}
        assert rows[made["match"]]["followers"] == 1
        assert len(rows[made["match"]]["players"]) == 2
    storage = desk.get("/storage")
    assert storage["matches"]["running"] == before["matches"].get("running", 0) + 1
    assert storage["bytes"] > 10_000
    assert storage["free_bytes"] > 0
    assert "astragal_loop_delay_seconds" in server.get("/metrics").text
    found = desk.get("/matches", find=made["match"])["matches"]
    assert [row["match"] for row in found] == [made["match"]]
    assert desk.get("/matches", find="nothing")["matches"] == []


def test_a_limit_holds_at_once_after_a_restart_and_until_it_is_set_back(tmp_path: Path) -> None:
    server = Server(tmp_path / "matches.db", "--open-matches", "500")
    with server:
        desk = Desk(server)
        rows = {row["name"]: row for row in desk.get("/limits")}
        assert set(rows) == set(limits.LIMITS)
        assert (rows["open_matches"]["value"], rows["open_matches"]["changed"]) == (500, False)
        assert "1" in desk.order("limit", name="open_matches", value=1)

        def refused() -> bool:
            answer = server.post("/api/matches", {"game": "ur", "seats": ["open", "open"], "sit": 0})
            return answer.status_code == 429 and code(answer) == "quota"

        assert server.post("/api/matches", {"game": "ur", "seats": ["open", "open"], "sit": 0}).status_code == 201
        assert refused()
        assert desk.ask("limit", name="check_queue", value=0).status_code == 409
        assert desk.ask("limit", name="nonsense", value=1).status_code == 409
        assert desk.ask("limit", name="rate", value=-1).status_code == 400
    with server:
        assert refused()
        assert json.loads(admin(server, "limits", "--json")) == {"open_matches": 1}
        assert admin(server, "limits") == "--open-matches 1"
        admin(server, "limit-reset", "open-matches")
        eventually(lambda: not refused())
        row = next(row for row in desk.get("/limits") if row["name"] == "open_matches")
        assert (row["value"], row["started"], row["changed"]) == (500, 500, False)
        admin(server, "limit", "rate", "60")
        eventually(lambda: any(server.get("/health").status_code == 429 for _ in range(60)))


def test_players_are_found_renamed_banned_and_forgotten(server: Server, desk: Desk) -> None:
    key = Key()
    session = key.sign_in(server, name="Mo%lly")
    made = create(server, session)
    assert [row["key"] for row in desk.get("/players", find="o%l")] == [key.public]
    assert [row["key"] for row in desk.get("/players", find=key.public[:8].upper())] == [key.public]
    assert desk.get("/players", find="o_l") == []
    assert "Ida" in desk.order("player-rename", key=key.public, called="Ida")
    with Player(server, made["match"], made["secret"]) as player:
        player.hear()
        desk.order("player-ban", key=key.public)
        with pytest.raises(ConnectionClosed):
            player.until(lambda _: False)
    (row,) = desk.get("/players", find=key.public)
    assert (row["name"], row["banned"], row["renamed"], row["seats"]) == ("Ida", True, True, 1)
    desk.order("player-unban", key=key.public)
    desk.order("player-forget", key=key.public)
    assert desk.get("/players", find=key.public) == []


def test_addresses_are_kept_out_and_let_in_again(server: Server, desk: Desk) -> None:
    assert desk.order("ban", address="192.0.2.77/24") == "192.0.2.0/24 is kept out."
    assert desk.get("/bans") == ["192.0.2.0/24"]
    assert desk.ask("ban", address="nonsense").status_code == 409
    desk.order("unban", address="192.0.2.0/24")
    assert desk.get("/bans") == []


def test_matches_are_closed_and_deleted_and_whoever_is_there_is_told(server: Server, desk: Desk) -> None:
    made = server.create("ur", ["open", "open"])
    with Player(server, made["match"], made["secret"]) as player:
        desk.order("close", match=made["match"])
        player.until_table(lambda table: table["status"] == "closed")
        desk.order("delete", match=made["match"])
        with pytest.raises(ConnectionClosed):
            player.until(lambda _: False)
    assert desk.ask("delete", match=made["match"]).status_code == 409
    for wrong in ({"type": "close"}, {"type": "host-link", "address": "x"}, {"type": "close", "match": "a\0"}):
        assert server.post("/api/host/orders", wrong, **desk.headers).status_code == 400


def test_tournaments_are_listed_ended_and_deleted(server: Server, desk: Desk) -> None:
    cup = Cup(server, "round-robin", title="Spring")
    cup.guests("Ida", "Ben")
    cup.do("begin")
    cup.until(lambda sheet: bool(sheet["playing"] and sheet["playing"][0]["games"][0]["match"]))
    match = cup.sheet()["playing"][0]["games"][0]["match"]
    listed = {row["id"]: row for row in json.loads(admin(server, "tournaments", "--json"))}
    assert (listed[cup.id]["title"], listed[cup.id]["status"]) == ("Spring", "running")
    assert cup.id in admin(server, "tournaments")
    assert "secret" not in listed[cup.id]
    admin(server, "tournament-stop", cup.id)
    assert cup.until(lambda sheet: sheet["status"] == "over")["status"] == "over"
    eventually(lambda: server.get(f"/api/matches/{match}").json()["status"] == "closed")
    assert {row["tournament"] for row in desk.get("/tournaments")} >= {cup.id}
    assert desk.ask("tournament-stop", tournament=cup.id).status_code == 409
    assert "deleted" in desk.order("tournament-delete", tournament=cup.id)
    assert server.get(cup.path).status_code == 404
    assert server.get(f"/api/matches/{match}").status_code == 404
    other = Cup(server, "swiss")
    assert "deleted" in admin(server, "tournament-delete", other.id)
    eventually(lambda: server.get(other.path).status_code == 404)


def test_a_backup_is_made_while_the_server_runs_and_is_whole(server: Server, desk: Desk) -> None:
    made = server.create("ur", ["open", "open"])
    desk.order("backup")
    seen = desk.get("/backups")
    (backup,) = seen["backups"]
    file = Path(seen["folder"]) / backup["name"]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with sqlite(f"file:{file}?mode=ro", uri=True) as copy:
        assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert copy.execute("SELECT count(*) FROM matches WHERE id = ?", (made["match"],)).fetchone() == (1,)
    for name in ("../matches.db", "matches.db", ""):
        assert desk.ask("backup-delete", name=name).status_code in (400, 409)
    assert Path(server.database).exists()
    desk.order("backup-delete", name=backup["name"])
    assert desk.get("/backups")["backups"] == []


def test_the_log_is_there_by_number_and_level(server: Server, desk: Desk) -> None:
    lines = desk.get("/log")
    assert [line["n"] for line in lines] == sorted(line["n"] for line in lines)
    assert any(line["text"].startswith("ready") for line in lines)
    desk.order("keep-days", days=0)
    fresh = desk.get("/log", after=lines[-1]["n"])
    assert fresh
    assert all(line["n"] > lines[-1]["n"] for line in fresh)
    assert all(line["level"] == "error" for line in desk.get("/log", level="error"))


def test_more_orders_at_once_than_are_remembered_reach_a_running_server(tmp_path: Path) -> None:
    """As when a large tournament is deleted: the list of announcements is shorter than that."""
    with Server(tmp_path / "matches.db") as server:  # which has heard of no order yet
        _delete_with_many_orders(server)
        _delete_with_many_orders(server)


def _delete_with_many_orders(server: Server) -> None:
    made = server.create("ur", ["open", "open"])

    async def delete(store: Store) -> None:
        await store.delete(made["match"])
        await store.announce(made["match"])
        for n in range(60):
            await store.announce(f"other{n}")

    with Player(server, made["match"], made["secret"]) as player:
        player.hear()
        with_store(f"sqlite+aiosqlite:///{server.database}", delete)
        with pytest.raises(ConnectionClosed):
            player.until(lambda _: False)


def test_of_orders_given_at_once_none_is_forgotten(tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path}/matches.db"

    async def announce(store: Store) -> list[tuple[int, str]]:
        async with AsyncExitStack() as stack:
            stores = [store, await Store.open(url)]
            stack.push_async_callback(stores[1].close)
            await asyncio.gather(*(stores[n % 2].announce(f"match{n}") for n in range(20)))
        return await store.announced()

    announced = with_store(url, announce)
    assert [number for number, _ in announced] == list(range(1, 21))
    assert {match for _, match in announced} == {f"match{n}" for n in range(20)}


# Several servers, and another database ------------------------------------------------------------------------------


@pytest.mark.needs("initdb")
def test_all_servers_on_one_postgresql_hear_the_host(servers: tuple[Server, Server]) -> None:
    one, two = servers
    desk = Desk(one)
    other = Desk(two)
    desk.headers = other.headers  # the second link is the one that counts, at both
    assert desk.get()["servers"] >= 2
    assert desk.get("/backups")["folder"] is None
    assert desk.ask("backup").status_code == 409
    storage = desk.get("/storage")
    assert storage["bytes"] > 0
    assert storage["free_bytes"] is None
    desk.order("limit", name="open_matches", value=7)
    try:
        rows = {row["name"]: row for row in other.get("/limits")}
        assert rows["open_matches"]["value"] == 7
        eventually(lambda: "open_matches" in json.dumps(other.get("/log")))
    finally:
        desk.order("limit", name="open_matches", value=None)


@pytest.mark.needs("initdb")
def test_a_store_moves_to_postgresql_and_back_without_losing_anything(postgres: Postgres, tmp_path: Path) -> None:
    store, target, back = tmp_path / "matches.db", postgres.new(), tmp_path / "back.db"
    key = Key()
    with Server(store) as server:
        session = key.sign_in(server, name="Zoë")
        made = create(server, session, options={"begins": 0, **NEVER_NOTHING})
        server.join(made)
        with Player(server, made["match"], made["secret"]) as player:
            player.until_table(lambda table: bool(table["actions"]))
            player.act(player.table["actions"][0]["text"])
            before = player.table["n"]
        Cup(server, "swiss").guests("Ida", "Ben")
        with pytest.raises(AstragalError, match="another server uses"):
            admin(server, "move", "--to", target)
    first = json.loads(admin(server, "move", "--to", target, "--json"))
    assert first["rows"]["matches"] == 1
    assert first["rows"]["entrants"] == 2
    assert first["rows"]["players"] == 1
    with pytest.raises(AstragalError, match="not empty"):
        admin(server, "move", "--to", target)
    with pytest.raises(AstragalError, match="same database"):
        admin(server, "move", "--to", str(store))
    moved = Server(target)
    again = json.loads(admin(moved, "move", "--to", str(back), "--json"))
    assert again == first
    with Server(target) as running, Player(running, made["match"], made["secret"], since=before) as player:
        player.until_table(lambda table: table["status"] == "running")
        assert [row["name"] for row in Desk(running).get("/players")] == ["Zoë"]
        with pytest.raises(AstragalError, match="a server uses this store"):
            admin(moved, "move", "--to", str(tmp_path / "more.db"))
    assert not (tmp_path / "more.db").exists() or (tmp_path / "more.db").stat().st_size == 0


def test_a_few_seconds_of_many_players(tmp_path: Path) -> None:
    """The short form of `python -m benchmarks.population`."""
    plan = population.Plan(players=4_000, hours=0.1, squeeze=360, patience=900, bot="random")
    words = ("--proxies", "127.0.0.1")
    with Server(tmp_path / "matches.db", *words) as server:
        assert server.process is not None
        figures = asyncio.run(population.simulate(plan, server.address, server.process.pid, tmp_path / "matches.db"))
    assert figures["players"] == len(plan.arrivals) > 20
    assert figures["refused"] == {}
    assert figures["actions"] > 0
    assert figures["matches"] > 5
    assert figures["store_mb"] > 0
    assert figures["p99_ms"] >= figures["p50_ms"] > 0
    whole = population.Plan(players=100_000, hours=24, squeeze=288).arrivals
    assert abs(len(whole) - 100_000) < 100
    assert 0 <= whole[0] < whole[-1] <= 300
