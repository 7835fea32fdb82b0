"""Small requests that would have large answers, and work that others would pay for."""

from __future__ import annotations

import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from astragal import cli
from astragal.core import checked
from astragal.games.egar import rules as egar_rules
from astragal.server import api_matches, housekeeping, schema
from astragal.server import room as match_room
from astragal.server.limits import LIMITS
from astragal.server.settings import Settings
from tests.games.egar.decks import large_deck
from tests.server.running import PATIENCE, Player, Server, play_on, sqlite, threaded

LARGE = 1200  # cards: two and a half megabytes
LONG = 3_900_000
YARD = {"name": "yard", "columns": 5, "rows": 5, "camp": ["sFs"], "two": ["C1", "C5"]}
BROOK = {
    "name": "brook",
    "rows": ["4 90 60 30", "3 . . .", "2 . . .", "1 . * ."],
    "groups": [],
}
WIDE = {"name": "n" * 80, "rows": [f"40{' 999' * 25}", *(f"{n}{' +20' * 25}" for n in range(39, 1, -1))]}
WIDE["rows"] = [*WIDE["rows"], f"1 *{' +20' * 24}"]


def wish(game: str, options: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"game": game, "seats": ["open", "open"], "options": options, **more}


def rows(database: Path, table: str) -> int:
    with sqlite(database) as store:
        count: int = store.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        return count


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = {"name": value}
    return value


TOO_MUCH: dict[str, dict[str, Any]] = {
    "deck name": wish("egar", {"deck": {**large_deck(1), "name": "x" * LONG}}),
    "board name": wish("egar", {"board": {**YARD, "name": "x" * LONG}}),
    "camp": wish("egar", {"board": {**YARD, "camp": ["sFs" + "." * LONG]}}),
    "river name": wish("nile", {"board": {**BROOK, "name": "x" * LONG}}),
    "river row": wish("nile", {"board": {**BROOK, "rows": [*BROOK["rows"][:3], "1 . *" + " " * LONG + "."]}}),
    "way": wish("ur", {"path": {"name": "x", "rosettes": [], "light": "a1 " * 10**6, "dark": "c1 " * 10**6}}),
    "rosettes": wish("ur", {"path": {"name": "x", "rosettes": ["a1"] * 10**5, "light": "a1", "dark": "c1"}}),
    "skill": wish("egar", {"skill": ["own"] * 10**5}),
    "colours": wish("egar", {"colours": ["samurai"] * 10**5}),
    "cards": wish("egar", {"deck": {"name": "x", "cards": [{}] * 10**5}}),
    "unknown option": wish("egar", {"x" * LONG: 1}),
    "unknown field": wish("egar", {"board": {**YARD, "x" * LONG: 1}}),
    "word": wish("egar", {"board": "x" * LONG}),
    "nested": wish("egar", {"board": nested(500)}),
    "many options": wish("egar", {f"o{n}": n for n in range(10**5)}),
    "game": {"game": "x" * LONG, "seats": ["open", "open"]},
    "preset": wish("egar", {}, preset="x" * LONG),
    "seats": {"game": "egar", "seats": ["open"] * 10**5},
}


@pytest.mark.parametrize("what", TOO_MUCH)
def test_what_is_too_long_is_refused_in_a_few_words_and_not_stored(limited: Server, what: str) -> None:
    answer = limited.post("/api/matches", TOO_MUCH[what])
    assert 400 <= answer.status_code < 500, answer.text[:500]
    assert len(answer.content) < 4000
    assert answer.json()["detail"]
    assert rows(Path(limited.database), "matches") == rows(Path(limited.database), "data") == 0


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A server in which no match of these tests is created."""
    with threaded(tmp_path_factory.mktemp("limited") / "matches.db") as running:
        yield running


def test_a_refusal_names_the_field_and_the_bound_in_the_callers_language(limited: Server) -> None:
    wanted = TOO_MUCH["deck name"]
    told = {
        lang: httpx.post(f"{limited.address}/api/matches?lang={lang}", json=wanted, timeout=PATIENCE).json()
        for lang in ("en", "de", "es")
    }
    assert told["en"]["detail"] == "option deck: deck.name: at most 80 characters are allowed"
    assert all("deck.name" in said["detail"] and "80" in said["detail"] for said in told.values())
    assert len({said["detail"] for said in told.values()}) == 3
    assert told["en"]["field"] == "deck"


def test_decks_are_checked_elsewhere_once_and_kept_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In this process, which serves, no deck is ever checked: not when matches are made, nor after a restart."""

    def forbidden(_deck: Any) -> Any:
        raise AssertionError("a deck was checked in the server's own process")

    monkeypatch.setattr(egar_rules, "faults", forbidden)
    database = tmp_path / "matches.db"
    deck = large_deck(LARGE, name="d" * 80)
    options = {"deck": deck, "board": YARD, "begins": 0}
    with threaded(database) as server:
        made = [server.create("egar", ["open", "bot:greedy"], options=options, listed=True) for _ in range(21)]
        assert (rows(database, "data"), rows(database, "uses")) == (2, 42)  # the deck and the board, each once
        size = database.stat().st_size + database.with_name("matches.db-wal").stat().st_size
        assert size < 5 * len(json.dumps(deck))
        listed = server.get("/api/matches")
        assert len(listed.json()["matches"]) == 21
        assert len(listed.content) < 40_000
        with Player(server, made[0]["match"], made[0]["secret"]) as player:
            player.until_table(lambda t: bool(t["actions"]))
            assert all(len(json.dumps(message)) < 20_000 for message in player.messages)
    checked._good.clear()  # as in a new process
    with threaded(database) as server:
        assert len(server.get("/api/matches").json()["matches"]) == 21
        for one in made[:2]:
            with Player(server, one["match"], one["secret"]) as player:
                player.until_table(lambda t: bool(t["actions"]))
                assert player.act("done")["type"] in ("done", "refused")
                assert player.do(type="resign")["type"] == "done"
            record = server.get(f"/api/matches/{one['match']}/record", one["secret"]).json()
            assert record["header"]["options"]["deck"] == deck
    assert "failed" not in capsys.readouterr().err


def test_a_board_of_ones_own_is_sent_once_and_then_by_its_digest(tmp_path: Path) -> None:
    with threaded(tmp_path / "matches.db") as server:
        players = server.table("nile", 2, options={"board": WIDE, "begins": 0})
        try:
            play_on(players, Random(3), moves=4)
            for player in players:
                news = [message for message in player.messages if message["type"] == "news"]
                with_data = [message for message in news if message["data"]]
                assert [list(message["data"].values()) for message in with_data] == [[{**WIDE, "groups": []}]]
                assert with_data == news[:1]
                assert all("+20 +20" not in json.dumps(message["table"]) for message in news)
                named = news[-1]["table"]["view"]["options"]["board"]
                assert named == {"data": next(iter(player.data)), "name": WIDE["name"]}
            again = Player(server, players[0].match, players[0].secret, since=players[0].last)
            assert json.loads(again.socket.recv(PATIENCE))["data"] == {}  # type: ignore[union-attr]
            again.close()
            where = f"/api/matches/{players[0].match}"
            replayed = server.get(f"{where}/table", players[0].secret, views=True)
            assert replayed.text.count("+20 +20") == json.dumps(WIDE).count("+20 +20")  # once, whatever there is to see
            (digest,) = replayed.json()["data"]
            assert server.get(f"{where}/data/{digest}").json() == {**WIDE, "groups": []}
        finally:
            for player in players:
                player.close()


def test_the_server_answers_while_decks_are_checked(tmp_path: Path) -> None:
    """Many large decks at once: the first are checked in another process, the rest is asked to come back."""
    decks = [json.dumps(wish("egar", {"deck": large_deck(LARGE, name=f"deck {n}")})) for n in range(12)]
    with threaded(tmp_path / "matches.db", check_queue=3) as server, ThreadPoolExecutor(12) as posting:
        started = threading.Barrier(13)

        def post(body: str) -> httpx.Response:
            started.wait(PATIENCE)
            headers = {"content-type": "application/json"}
            return httpx.post(f"{server.address}/api/matches", content=body, headers=headers, timeout=PATIENCE)

        sent = [posting.submit(post, body) for body in decks]
        started.wait(PATIENCE)
        answered = 0
        while not all(one.done() for one in sent):
            assert server.get("/health").status_code == 200
            assert server.get("/").status_code == 200
            answered += not all(one.done() for one in sent)
        answers = [one.result() for one in sent]
        assert answered >= 3  # as long as a check still ran
        codes = sorted(answer.status_code for answer in answers)
        assert set(codes) == {201, 503}
        for answer in answers:
            if answer.status_code == 503:
                assert answer.json()["code"] == "busy"
                assert int(answer.headers["retry-after"]) > 0
        assert server.figure("astragal_checks_total") >= codes.count(201)
        after = server.post("/api/matches", wish("egar", {"board": YARD}))
        assert after.status_code == 201


def test_large_requests_are_few(tmp_path: Path) -> None:
    padding = " " * 100_000
    with threaded(tmp_path / "matches.db", uploads=4) as server:

        def post(body: str) -> httpx.Response:
            headers = {"content-type": "application/json"}
            return httpx.post(f"{server.address}/api/matches", content=body, headers=headers, timeout=PATIENCE)

        answers = [post(json.dumps(wish("ur", {})) + padding) for _ in range(6)]
        assert [answer.status_code for answer in answers[:2]] == [201, 201]
        assert [(a.status_code, a.json()["code"]) for a in answers[-2:]] == [(429, "too_many")] * 2
        assert int(answers[-1].headers["retry-after"]) > 0
        assert post(json.dumps(wish("ur", {}))).status_code == 201


def refusals(answers: list[httpx.Response], code: str) -> int:
    """How many were refused so; every other was created, and every refusal says when to come back."""
    refused = [answer for answer in answers if answer.status_code != 201]
    assert all(answer.json()["code"] == code and int(answer.headers["retry-after"]) > 0 for answer in refused)
    return len(refused)


def test_an_address_creates_so_many_matches_an_hour_and_a_network_counts_as_one(tmp_path: Path) -> None:
    """All at once, each from another address of one IPv6 network; a restart does not help either."""
    database = tmp_path / "matches.db"
    with threaded(database, hourly_matches=5, proxies="127.0.0.1") as server, ThreadPoolExecutor(20) as many:

        def post(address: str) -> httpx.Response:
            return server.post("/api/matches", wish("ur", {}), **{"x-forwarded-for": address})

        answers = list(many.map(post, [f"2001:db8:0:7:{n:x}::{n:x}" for n in range(1, 21)]))
        assert refusals(answers, "quota") == 15
        assert post("2001:db8:0:8::1").status_code == 201
        assert post("192.0.2.1").status_code == 201
    assert rows(database, "matches") == 7
    with threaded(database, hourly_matches=5, proxies="127.0.0.1") as server:
        assert refusals([post("2001:db8:0:7::1")], "quota") == 1
    with sqlite(database) as store:
        assert not any("2001" in creator for (creator,) in store.execute("SELECT creator FROM matches"))


def test_an_address_has_so_many_matches_open_and_bots_alone_are_few(tmp_path: Path) -> None:
    # bots that think so long that none of their matches ends meanwhile
    bots = {"game": "egar", "seats": ["bot:master", "bot:master"], "options": {"turn_limit": 0}}
    with threaded(tmp_path / "matches.db", open_matches=4, bots_only=2, all_bots_only=3, proxies="127.0.0.1") as server:

        def post(wanted: dict[str, Any], address: str) -> httpx.Response:
            return server.post("/api/matches", wanted, **{"x-forwarded-for": address})

        assert refusals([post(bots, "192.0.2.1") for _ in range(3)], "quota") == 1
        assert refusals([post(bots, "192.0.2.2") for _ in range(2)], "busy") == 1
        two = [post({**wish("ur", {}), "sit": 0}, "192.0.2.1") for _ in range(3)]
        assert refusals(two, "quota") == 1


def test_an_address_fills_so_much_of_the_store(tmp_path: Path) -> None:
    """The same deck is stored and counted once."""
    with threaded(tmp_path / "matches.db", stored_megabytes=1) as server:
        first, second = (wish("egar", {"deck": large_deck(300, name=name)}) for name in ("one", "two"))
        assert refusals([server.post("/api/matches", first) for _ in range(3)], "quota") == 0
        assert refusals([server.post("/api/matches", second)], "quota") == 1
        assert server.post("/api/matches", wish("ur", {})).status_code == 201
    assert rows(tmp_path / "matches.db", "data") == 1


def test_a_list_comes_in_pages(tmp_path: Path) -> None:
    with threaded(tmp_path / "matches.db") as server:
        made = {server.create("ur", ["open", "open"], listed=True)["match"] for _ in range(7)}
        seen, after, pages = list[str](), "", 0
        while True:
            page = server.get("/api/matches", limit=3, after=after).json()
            assert len(page["matches"]) <= 3
            seen += [match["match"] for match in page["matches"]]
            pages += 1
            if page["after"] is None:
                break
            after = page["after"]
        assert (sorted(seen), pages) == (sorted(made), 3)
        for bad in ({"limit": 101}, {"limit": 0}, {"after": "x"}, {"after": "1-" + "a" * 100}):
            assert server.get("/api/matches", **bad).status_code == 400


def test_lobbies_nobody_joined_and_endless_bots_are_closed_and_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(housekeeping, "CLEANING_MS", 0)
    database, day = tmp_path / "matches.db", 86_400_000
    with threaded(database) as server:
        old, new = (server.create("ur", ["open", "open"]) for _ in range(2))
        # bots that wait so long that their match does not end by itself meanwhile: in the yard three steps may win it
        bots = server.create("egar", ["bot:random"] * 2, options={"turn_limit": 0, "board": YARD}, pace=3000)
        with Player(server, old["match"], old["secret"]) as waiting, Player(server, bots["match"], None) as watching:
            waiting.hear()
            with sqlite(database, timeout=60) as store:
                for match in (old, bots):
                    store.execute(
                        "UPDATE matches SET changed_ms = changed_ms - ?, created_ms = created_ms - ? WHERE id = ?",
                        (2 * day, 2 * day, match["match"]),
                    )
            for player in (waiting, watching):
                player.until_table(lambda t: t["status"] == "closed")
                assert player.events[-1]["text"] == "Nobody came for too long, and this table is closed."
            with sqlite(database, timeout=60) as store:
                store.execute("UPDATE matches SET remove_ms = 1 WHERE remove_ms IS NOT NULL")
            until = time.monotonic() + PATIENCE
            while rows(database, "matches") > 1 and time.monotonic() < until:
                time.sleep(0.05)
            assert server.get(f"/api/matches/{old['match']}").status_code == 404
            assert server.get(f"/api/matches/{new['match']}").json()["status"] == "lobby"
        assert (rows(database, "matches"), rows(database, "uses")) == (1, 0)


def test_a_log_does_not_grow_for_ever(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(match_room, "MOST_SAID", 3)
    monkeypatch.setattr(match_room, "MOST_ENTRIES", 20)
    with threaded(tmp_path / "matches.db") as server:
        made = server.create("ur", ["open", "open"])
        with Player(server, made["match"], made["secret"]) as player:
            said = [player.do(type="say", text="hello")["type"] for _ in range(4)]
            assert said == ["done"] * 3 + ["refused"]
            moods = [player.do(type="mute", whom=1, on=bool(n % 2))["type"] for n in range(20)]
            assert (moods[0], moods[-1]) == ("done", "refused")
            assert player.do(type="leave")["type"] == "done"


def test_bots_alone_do_not_play_for_ever_and_a_long_match_is_told_in_parts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(match_room, "MOST_BOT_ENTRIES", 60)
    monkeypatch.setattr(api_matches, "MOST_TOLD", 25)
    with threaded(tmp_path / "matches.db") as server:
        made = server.create("egar", ["bot:random", "bot:random"], options={"turn_limit": 0})
        with Player(server, made["match"], None) as watching:
            watching.until_table(lambda t: t["status"] == "closed")
            assert watching.events[-1]["text"] == "This match has become too long, and its table is closed."
        parts, n = list[Any](), watching.table["n"]
        for since in range(0, n, 25):
            parts += server.get(f"/api/matches/{made['match']}/table", since=since, views=True).json()["events"]
        assert [event["n"] for event in parts] == list(range(1, n + 1))
        assert 60 < n < 200


def test_limits_and_their_defaults_are_the_settings() -> None:
    """What `--help` shows for a server is what a server does that is not told otherwise."""
    usual, serve = Settings(), cli.commands("en").get_command(None, "serve")  # type: ignore[arg-type]
    assert serve is not None
    shown = {option.name: option.default for option in serve.params if option.name in LIMITS}
    assert shown == {name: getattr(usual, name) for name in LIMITS}
    assert all(limit.home >= getattr(usual, name) or not limit.home for name, limit in LIMITS.items())


def to_the_first_schema(database: Path) -> None:
    """Undoes all migrations but the first."""
    config = Config()
    config.set_main_option("script_location", str(Path(schema.__file__).parent / "migrations"))
    engine = sa.create_engine(f"sqlite:///{database}")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, "0001")
    engine.dispose()


def test_a_store_of_before_is_brought_up_to_date_and_its_own_boards_are_read(tmp_path: Path) -> None:
    """A match that was stored with its board inside its setup and its log goes on."""
    database = tmp_path / "matches.db"
    with threaded(database) as server:
        made = server.create("egar", ["open", "bot:greedy"], options={"board": YARD, "begins": 0})
    with sqlite(database) as store:
        whole = json.dumps({**YARD, "three": [], "four": []})
        for table, column in (("matches", "setup"), ("entries", "body")):
            store.execute(
                f"UPDATE {table} SET {column} = replace({column}, "
                "'{\"$data\":\"' || (SELECT digest FROM uses) || '\"}', ?)",
                (whole,),
            )
    to_the_first_schema(database)
    with threaded(database) as server, Player(server, made["match"], made["secret"]) as player:
        player.until_table(lambda t: bool(t["actions"]))
        assert player.table["view"]["options"]["board"]["name"] == "yard"
        assert player.act(player.table["actions"][0]["text"])["type"] == "done"
        assert server.create("ur", ["open", "open"])["match"]


@pytest.mark.needs("initdb")
def test_quotas_hold_for_all_servers_on_one_database(database: str) -> None:
    words = ("--matches-per-hour", "6", "--proxies", "127.0.0.1")
    with Server(database, *words) as here, Server(database, *words) as there:
        with ThreadPoolExecutor(12) as many:
            wanted = wish("egar", {"board": YARD})

            def post(n: int) -> httpx.Response:
                headers = {"x-forwarded-for": f"2001:db8::{n:x}"}
                return (here, there)[n % 2].post("/api/matches", wish("ur", {}), **headers)

            assert refusals(list(many.map(post, range(1, 25))), "quota") == 18
        made = [server.post("/api/matches", wanted, **{"x-forwarded-for": "192.0.2.9"}) for server in (here, there)]
        assert refusals(made, "quota") == 0
        match = made[0].json()["match"]
        named = there.get(f"/api/matches/{match}").json()["options"]["board"]
        assert there.get(f"/api/matches/{match}/data/{named['data']}").json()["camp"] == YARD["camp"]
