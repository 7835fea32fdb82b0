"""The doorkeeper: origins, limits, headers, passwords, bans; and that nothing secret is logged."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from astragal import cli
from astragal.server import serving
from astragal.server.gate import pick_language
from astragal.server.rate_limit import RateLimit
from astragal.server.settings import Settings
from tests.cradle import run
from tests.server.running import PATIENCE, Player, Server, closing, threaded
from tests.server.test_players import eventually

ROOT = Path(__file__).parent.parent.parent


def test_every_answer_has_the_security_headers(server: Server) -> None:
    for path in ("/", "/api/games", "/no/such/page", "/api/matches/none", "/health"):
        headers = server.get(path).headers
        assert headers["content-security-policy"].startswith("default-src 'self'")
        assert "unsafe-inline" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "server" not in headers
    picture = server.get("/api/games/ur/diagrams/start.svg")
    assert picture.headers["content-security-policy"].startswith("default-src 'none'")


def test_pages_of_other_servers_cannot_act_for_a_player(server: Server) -> None:
    made = server.create("ur", ["open", "open"])
    path = f"/api/matches/{made['match']}/commands"
    cookie = {"cookie": f"astragal-seat-0={made['secret']}"}
    say = {"type": "say", "phrase": "hello"}

    def post(**headers: str) -> httpx.Response:
        return httpx.post(f"{server.address}{path}", json=say, headers={**cookie, **headers})

    assert post(origin=server.address).status_code == 200
    for origin in ("https://evil.example", "null", f"{server.address}.evil.example"):
        assert post(origin=origin).json()["code"] == "origin"
    assert post().json()["code"] == "origin"  # browsers always name it
    socket = f"ws://127.0.0.1:{server.port}/api/matches/{made['match']}/socket"
    with pytest.raises(InvalidStatus) as refused, connect(socket, origin=Origin("https://evil.example")):
        pass
    assert refused.value.response.status_code == 403


def test_limits_by_address_and_by_seat(tmp_path: Path) -> None:
    with threaded(tmp_path / "limits.db", rate=20, seat_rate=6, sockets=1) as server:
        players = server.table("ur", 1, 1)
        with closing(players):
            players[0].hear()
            answers = [players[0].do(type="say", phrase="hello") for _ in range(5)]
            assert [answer.get("code") for answer in answers].count("too_many") >= 1
            assert answers[0]["type"] == "done"
            with (
                pytest.raises(InvalidStatus) as refused,
                connect(f"ws://127.0.0.1:{server.port}/api/matches/{players[0].match}/socket"),
            ):
                pass
            assert refused.value.response.status_code == 429
        began = time.monotonic()
        statuses = [server.get("/api/phrases").status_code for _ in range(15)]
        assert statuses[0] == 200
        assert slowed(statuses, 20, time.monotonic() - began)


def test_nobody_asks_for_opponents_again_and_again(tmp_path: Path) -> None:
    """The answer takes reading options, which may be a board of one's own."""
    with threaded(tmp_path / "asked.db", seat_rate=6) as server:
        answers = [server.post("/api/games/nile/opponents", {"players": 2}) for _ in range(8)]
        assert answers[0].status_code == 200
        refused = [answer for answer in answers if answer.status_code != 200]
        assert refused
        assert all(answer.json()["code"] == "too_many" for answer in refused)
        assert server.get("/api/games").status_code == 200


def slowed(statuses: list[int], rate: int, seconds: float) -> bool:
    """Whether no more were answered in this time than so many a minute allow; a slow machine earns some of them."""
    assert set(statuses) <= {200, 429}
    return 429 in statuses and statuses.count(200) <= rate / 2 + seconds * rate / 60


def test_a_flood_is_slowed_down_and_others_play_on(tmp_path: Path) -> None:
    """Five at once and then one in six seconds: so slow a bucket earns nothing, however busy the machine is."""
    with threaded(tmp_path / "flood.db", seat_rate=10) as server, closing(server.table("ur", 2)) as players:
        flooding, other = players
        with Player(server, other.match, None) as spectator:
            for noisy in (flooding, spectator):
                for _ in range(10):
                    noisy.send(type="say", phrase="hello")
            assert other.do(type="say", phrase="hello")["type"] == "done"
            heard = [event for event in other.events if event["kind"] == "said" and event["seat"] == 0]
            assert len(heard) <= 6
            for noisy, most in ((flooding, 7), (spectator, 1)):
                answers = [noisy.until(lambda m: m["type"] in ("done", "refused")) for _ in range(7)]
                assert [answer.get("code") for answer in answers].count("too_many") >= 1
                assert [answer["type"] for answer in answers].count("done") < most


def test_a_proxys_word_is_taken_only_if_the_host_trusts_it(tmp_path: Path) -> None:
    def statuses(server: Server, *forwarded: str) -> list[int]:
        where = f"{server.address}/api/phrases"
        return [
            httpx.get(where, headers={"X-Forwarded-For": shown}, verify=server.tls).status_code for shown in forwarded
        ]

    def one_caller(server: Server, *forwarded: str) -> bool:
        began = time.monotonic()
        return slowed(statuses(server, *forwarded), 10, time.monotonic() - began)

    many = [f"203.0.113.{n}" for n in range(12)]
    with threaded(tmp_path / "a.db", rate=10) as server:
        assert one_caller(server, *many)  # whatever they claim to be
    with threaded(tmp_path / "b.db", rate=10, proxies="127.0.0.0/8") as server:
        assert set(statuses(server, *many)) == {200}
        invented = [f"198.51.100.{n}, 203.0.113.99" for n in range(12)]  # the proxy itself adds the last one
        assert one_caller(server, *invented)
        home = [f"2001:db8::{n}" for n in range(12)]  # one customer has a whole network of these
        assert one_caller(server, *home)
        assert httpx.get(f"{server.address}/metrics", headers={"X-Forwarded-For": "127.0.0.1"}).status_code == 403


def test_a_bucket_fills_again(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("astragal.server.rate_limit.time.monotonic", lambda: now)
    bucket = RateLimit(60)
    assert [bucket.take("a") for _ in range(31)] == [True] * 30 + [False]
    assert bucket.take("b")
    now += 2.0
    assert [bucket.take("a") for _ in range(3)] == [True, True, False]
    assert all(RateLimit(0).take("a") for _ in range(1000))


def test_a_password_for_the_whole_server(tmp_path: Path) -> None:
    with threaded(tmp_path / "closed.db", password="sesame") as server:
        refused = server.get("/api/games", lang="de")
        assert (refused.status_code, refused.json()["code"]) == (401, "password")
        assert "Passwort" in refused.json()["detail"]
        assert server.get("/health").status_code == 200
        assert server.post("/api/login", {"password": "guess"}).status_code == 401
        entered = server.post("/api/login", {"password": "sesame"})
        assert "HttpOnly" in entered.headers["set-cookie"]
        shown = entered.json()["pass"]
        assert "sesame" not in shown
        assert httpx.get(f"{server.address}/api/games", headers={"astragal-pass": shown}).status_code == 200
        cookie = {"cookie": f"astragal-pass={shown}"}
        assert httpx.get(f"{server.address}/api/games", headers=cookie).status_code == 200
        assert httpx.get(f"{server.address}/api/games", headers=[(b"astragal-pass", b"\xe9")]).status_code == 401


def test_secrets_are_hashed_in_the_store_and_never_logged(server: Server) -> None:
    players = server.table("ur", 2)
    with closing(players):
        for player in players:
            player.hear()
            assert player.secret is not None
            assert player.secret not in server.said()
            for file in Path(server.database).parent.glob("matches.db*"):
                assert player.secret.encode() not in file.read_bytes()


def test_languages() -> None:
    assert pick_language(["", "fr", "de-AT", "es"]) == "de"
    assert pick_language(["xx"]) == "en"


def test_refusals_are_in_the_callers_language(server: Server) -> None:
    answer = httpx.get(f"{server.address}/api/matches/none", headers={"accept-language": "fr, es;q=0.8, de;q=0.9"})
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["detail"] == "es gibt keine Partie 'none'"
    assert answer.json()["code"] == "not_found"


def host(store: str, *words: str) -> str:
    """One of the host's commands; what it said."""
    done = run(["admin", *words, "--database", store])
    return done.stdout + done.stderr


def order(server: Server, *words: str) -> None:
    cli.commands("en").main(["admin", *words, "--database", server.database], standalone_mode=False)


def test_the_hosts_orders_reach_a_running_server(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with threaded(tmp_path / "hosted.db") as server, closing(server.table("ur", 2)) as players:
        first, second = players
        first.do(type="say", text="something rude")
        order(server, "list", "--json")
        assert first.match in capsys.readouterr().out
        order(server, "hush", first.match)
        order(server, "reissue", first.match, "1")
        link = capsys.readouterr().out.rpartition("#")[2].strip()
        path = f"/api/matches/{first.match}/table"
        assert server.get(path, first.secret).json()["code"] == "wrong_secret"
        assert server.get(path, link).json()["table"]["you"] == 0
        order(server, "kick", first.match, "2")
        first.until_table(lambda table: table["seats"][1]["player"] == "bot:greedy")
        assert server.get(path, second.secret).json()["code"] == "wrong_secret"
        for player in players:  # also over the sockets that are still open
            assert player.do(type="say", phrase="hello")["code"] == "wrong_secret"
            assert player.do(type="return")["code"] == "wrong_secret"
        assert "something rude" not in server.get(path).text
        order(server, "close", first.match)
        first.until_table(lambda table: table["status"] == "closed")
        order(server, "ban", "127.0.0.1")
        until_status(server, 403)
        with pytest.raises(ConnectionClosed):
            first.until(lambda message: False)
        order(server, "unban", "127.0.0.1")
        until_status(server, 404)
        order(server, "delete", first.match)
        until_status(server, 404, f"/api/matches/{first.match}")
    assert "there is no match 'none'" in host(str(tmp_path / "hosted.db"), "close", "none")


def until_status(server: Server, status: int, path: str = "/api/matches/none") -> None:
    eventually(lambda: server.get(path).status_code == status)


def example_bot(*words: str) -> subprocess.Popen[str]:
    command = [sys.executable, str(ROOT / "examples" / "bot.py"), *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_the_example_bot_plays_a_whole_match(server: Server) -> None:
    with example_bot(server.address) as bot:
        said, complaints = bot.communicate(timeout=300)
    assert bot.returncode == 0, complaints
    assert said.strip().endswith("wins.")


def until_it_has_waited(bot: subprocess.Popen[str], server: Server, sentence: str) -> tuple[str, str]:
    """Lets a bot be slowed down three times and then play to the end; what it says of the match, and beside that.

    With seven pieces each no match is so short that its actions are not too many, however the dice fall; so that it
    does not last for minutes, the host has mercy.
    """
    assert bot.stderr is not None
    waited, complaints = 0, ""
    for line in bot.stderr:
        complaints += line
        waited += sentence in line
        if waited == 3:
            break
    assert waited == 3, complaints
    order(server, "limit", "seat-rate", "0")
    said, more = bot.communicate(timeout=PATIENCE)
    assert bot.returncode == 0, complaints + more
    return said, complaints + more


def test_the_example_bot_waits_as_long_as_the_server_asks(tmp_path: Path) -> None:
    """Fifteen actions at once and then one in two seconds."""
    with threaded(tmp_path / "slow.db", seat_rate=30) as server:
        made = server.create("ur", ["bot:novice", "open"])
        with example_bot(server.address, made["match"], server.invite(made)) as bot:
            said, _ = until_it_has_waited(bot, server, "the server asks to wait 2 s")
        assert said.strip().endswith("wins.")


def test_a_server_for_this_computer_alone_has_the_limits_of_the_hall(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[Settings] = []
    monkeypatch.setattr(serving, "run", lambda settings, **_: begun.append(settings))
    for words in ([], ["--host", "0.0.0.0"], ["--proxies", "127.0.0.1"], ["--password", "x"], ["--rate", "7"]):
        cli.commands("en").main(["serve", *words], prog_name="astragal", standalone_mode=False)
    home, *strangers, chosen = begun
    assert (home.rate, home.seat_rate, home.hourly_matches, home.abandoned_hours) == (0, 0, 600, 24)
    assert {(each.rate, each.seat_rate, each.hourly_matches) for each in strangers} == {(600, 240, 60)}
    assert (chosen.rate, chosen.seat_rate) == (7, 0)
