"""What the server tells about itself and the games, and Schemathesis against all of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.core.result import Ok

import astragal
from astragal.server import wire
from astragal.server.problems import CODES
from tests.server.raw import ask
from tests.server.running import PATIENCE, Player, Server, threaded
from tests.server.test_doors import SPELLINGS


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a few matches in every state, for whoever asks anything."""
    with threaded(tmp_path_factory.mktemp("api") / "asked.db") as server:
        yield server


def sound(case: Any) -> None:
    """Whatever is asked, the server answers, and what it refuses it explains."""
    if case.operation.path.endswith("/stream"):
        case.path_parameters["id"] = "none"  # a real one would only end with its match
    answer = case.call(timeout=PATIENCE)
    assert answer.status_code < 500, answer.text
    if answer.status_code >= 400:
        assert answer.headers["content-type"][0].startswith("application/problem+json")
        assert answer.json()["code"] in CODES
        assert "Traceback" not in answer.text


def sound_in_every_spelling(case: Any, name: str) -> None:
    """The same requests, with paths that no library would send."""
    sent = case.as_transport_kwargs()
    path = urlsplit(sent["url"]).path
    answer = ask(urlsplit(sent["url"]).port or 80, SPELLINGS[name](path), method=sent["method"], body=b"{}")
    assert 400 <= answer.status < 500, (name, path, answer)
    assert answer.code in {"malformed", "not_found", "method", ""}
    assert answer.code or answer.headers["content-type"].startswith("text/plain")  # h11 took it for no request


def test_no_spelling_of_a_request_breaks_the_server(asked: Server) -> None:
    schema = schemathesis.openapi.from_url(f"{asked.address}/api/openapi.json")
    spellings = st.sampled_from([name for name in SPELLINGS if "apital" not in name])
    for operation in schema.get_all_operations():
        assert isinstance(operation, Ok), operation.err()
        strategies = (operation.ok().as_strategy(), spellings)
        settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))(
            given(*strategies)(sound_in_every_spelling)
        )()


DIGITS = "9" * 4_301  # more than Python turns into text
BODIES = {
    "brackets": b"[" * 50_000,
    "braces": b'{"a":' * 10_000,
    "brackets in an option": b'{"game":"ur","seats":["open","open"],"options":{"a":%b}}'
    % (b"[" * 9_000 + b"]" * 9_000),
    "not UTF-8": b'{"type":"say","text":"\xff\xfe"}',
    "not UTF-8 at all": b"\xff",
    "half a surrogate": b'{"type":"say","text":"\\ud800"}',
    "a seat": b'{"type":"mute","whom":%b}' % DIGITS.encode(),
    "a seat of fewer digits": b'{"type":"mute","whom":%b}' % (b"9" * 4_000),
    "a ply": b'{"type":"act","ply":%b,"text":"a"}' % DIGITS.encode(),
    "an option": b'{"game":"ur","seats":["open","open"],"options":{"pieces":%b}}' % DIGITS.encode(),
    "an option of fewer digits": b'{"game":"ur","seats":["open","open"],"options":{"pieces":%b}}' % (b"9" * 4_000),
    "a seat that is taken": b'{"game":"ur","seats":["open","open"],"sit":%b}' % DIGITS.encode(),
    "no number": b'{"type":"act","ply":NaN,"text":"a"}',
    "a large number": b'{"type":"act","ply":1e400,"text":"a"}',
    "a line behind": b'{"game":"ur","seats":["open","bot:greedy\\n"]}',
    "a promise with a line behind": b'{"type":"promise","commitment":"%b\\n"}' % (b"a" * 64),
    "nothing": b"",
    "null": b"null",
}


@pytest.mark.parametrize("name", BODIES)
def test_no_body_breaks_the_server(asked: Server, name: str) -> None:
    made = asked.create("ur", ["open", "open"])
    seat = ("Authorization", f"Bearer {made['secret']}")
    paths = ["/api/matches", f"/api/matches/{made['match']}/commands", f"/api/matches/{made['match']}/seats"]
    paths += ["/api/login", "/api/games/ur/lesson/preview", "/api/games/egar/options/board/file", "/api/hall"]
    for path in paths:
        for kind in ("application/json", "text/plain", "application/x-msgpack", "multipart/form-data; boundary=x"):
            answer = ask(asked.port, path, seat, ("Content-Type", kind), method="POST", body=BODIES[name])
            assert 400 <= answer.status < 500, (path, kind, answer)
            assert answer.code in CODES
            assert len(answer.body) < 2_000  # no more of what was sent comes back than anybody reads


@pytest.mark.parametrize("name", [name for name in BODIES if not name.startswith("not UTF-8")])
def test_no_message_breaks_a_socket(asked: Server, name: str) -> None:
    made = asked.create("ur", ["open", "open"])
    with Player(asked, made["match"], made["secret"]) as player:
        assert player.socket is not None
        player.socket.send(BODIES[name].decode())
        refused = player.until(lambda message: message["type"] == "refused")
        assert refused["code"] == "malformed"
        assert len(refused["detail"]) < 2_000
        assert player.do(type="say", phrase="hello")["type"] == "done"


@pytest.mark.parametrize(
    "query",
    [
        f"table?since={DIGITS}",
        "table?since=-1",
        "table?since=%D9%A3%00",
        "table?seat=%00",
        f"table?seat={DIGITS}",
        f"stream?since={DIGITS}",
        "answer?question=" + "a" * 201,
        "hint?bot=%00",
        "?lang=%ff%00&status=lobby%0A",
    ],
)
def test_no_query_breaks_the_server(asked: Server, query: str) -> None:
    made = asked.create("ur", ["open", "open"])
    path = f"/api/matches/{made['match']}/{query}" if "status" not in query else f"/api/matches{query}"
    answer = ask(asked.port, path)
    assert 400 <= answer.status < 500
    assert answer.code in CODES


def test_no_request_breaks_the_server(asked: Server) -> None:
    schema = schemathesis.openapi.from_url(f"{asked.address}/api/openapi.json")
    checked = 0
    for operation in schema.get_all_operations():
        assert isinstance(operation, Ok), operation.err()
        strategy = operation.ok().as_strategy()
        settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))(given(strategy)(sound))()
        checked += 1
    assert checked > 20


def test_the_openapi_describes_every_address_with_examples(asked: Server) -> None:
    described = asked.get("/api/openapi.json").json()
    assert {"/api/matches", "/api/matches/{id}/commands", "/api/matches/{id}/stream", "/api/games"} <= set(
        described["paths"]
    )
    for methods in described["paths"].values():
        for operation in methods.values():
            assert operation["summary"]
            assert operation["operationId"]
    creating = described["paths"]["/api/matches"]["post"]["requestBody"]["content"]["application/json"]
    made = asked.post("/api/matches", creating["schema"]["examples"][0])
    assert made.status_code == 201, made.text
    acting = described["components"]["schemas"]["Act"]
    assert acting["properties"]["type"]["const"] == "act"


def test_the_schema_names_every_command_and_message(asked: Server) -> None:
    schema = asked.get("/api/schema").json()
    assert schema == msgspec.json.decode(msgspec.json.encode(wire.schemas()))
    tags = {
        option["properties"]["type"]["enum"][0]
        for option in schema["$defs"].values()
        if "properties" in option and "type" in option["properties"]
    }
    assert {"act", "claim", "offer", "answer", "say", "news", "done", "refused", "presence", "closing"} <= tags


@pytest.mark.parametrize("lang", ["en", "de", "es"])
def test_games_can_be_set_up_from_what_the_server_tells(asked: Server, lang: str) -> None:
    games = asked.get("/api/games", lang=lang).json()
    assert [game["id"] for game in games] == list(astragal.games())
    for game in games:
        assert game["title"]
        assert len(game["bots"]) == 4
        for field in game["options"]:
            assert field["label"]
            assert field["name"] in next(iter(game["presets"].values()))
        for preset, values in game["presets"].items():
            wanted = {"game": game["id"], "preset": preset, "seats": ["open"] * min(game["players"])}
            assert asked.post("/api/matches", {**wanted, "sit": 0}).status_code == 201
            assert asked.post("/api/matches", {**wanted, "preset": None, "options": values}).status_code == 201


@pytest.mark.parametrize("lang", ["en", "de", "es"])
def test_rules_pages_and_their_diagrams(asked: Server, lang: str) -> None:
    for game in astragal.games():
        html = asked.get(f"/api/games/{game}/rules", lang=lang).text
        assert html.startswith("<h1>")
        assert "<script" not in html
        pictures = re.findall(r'<img src="([^"]+)" alt="([^"]+)"', html)
        assert pictures
        for address, caption in pictures:
            assert asked.get(address.replace("&amp;", "&")).text.startswith("<svg")
            assert caption
        assert asked.get(f"/api/games/{game}/rules", lang=lang, form="markdown").text.startswith("# ")


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ({"game": "chess", "seats": ["open", "open"]}, "unknown_game"),
        ({"game": "ur", "seats": ["open"]}, "bad_options"),
        ({"game": "ur", "seats": ["open", "bot:nobody"]}, "unknown_bot"),
        ({"game": "ur", "seats": ["open", "bot:ismcts:time=600"]}, "unknown_bot"),
        ({"game": "ur", "seats": ["open", "human"]}, "malformed"),
        ({"game": "ur", "seats": ["open", "open"], "options": {"pieces": 99}}, "bad_options"),
        ({"game": "ur", "seats": ["open", "open"], "options": {"colour": 1}}, "bad_options"),
        ({"game": "ur", "seats": ["open", "open"], "clock": "soon"}, "bad_options"),
        ({"game": "ur", "seats": ["open", "bot:greedy"], "sit": 1}, "bad_options"),
        ({"game": "ur", "seats": ["open", "open"], "commitment": "short"}, "malformed"),
        ({"game": "ur", "seats": ["open", "open"], "more": 1}, "malformed"),
    ],
)
def test_bad_matches_are_refused_with_a_reason(asked: Server, wanted: dict[str, Any], code: str) -> None:
    answer = asked.post("/api/matches", wanted)
    assert answer.json()["code"] == code
    assert answer.status_code == CODES[code]
    assert answer.json()["detail"]


BOARD = 'name = "field"\ncolumns = 5\nrows = 5\ncamp = ["sFs"]\ntwo = ["C1", "C5"]\n'


def test_a_file_of_ones_own_becomes_an_option(asked: Server) -> None:
    path = "/api/games/egar/options/board/file"
    read = asked.post(path, {"name": "field.toml", "content": BOARD}).json()
    assert read["title"] == "field"
    made = asked.create("egar", ["open", "open"], options={"board": read["value"]})
    where = f"/api/matches/{made['match']}"
    named = asked.get(where).json()["options"]["board"]
    assert named["name"] == "field"
    assert asked.get(f"{where}/data/{named['data']}").json() == read["value"]
    assert asked.get(f"{where}/data/{'0' * 64}").status_code == 404
    bad = asked.post(path, {"name": "field.toml", "content": BOARD.replace("C5", "C9")})
    assert (bad.status_code, bad.json()["code"]) == (400, "bad_options")
    assert bad.json()["detail"].startswith("field.toml, line 5: ")
    for option, reason in (("level", "not read from a file"), ("nothing", "no such option")):
        refused = asked.post(path.replace("board", option), {"name": "field.toml", "content": BOARD}).json()
        assert refused["code"] == "bad_options"
        assert reason in refused["detail"]


def test_figures_and_health(asked: Server) -> None:
    asked.create("ur", ["open", "open"])
    figures = asked.get("/metrics").text
    assert 'astragal_matches{status="lobby"}' in figures
    for name in ("astragal_sockets", "astragal_action_seconds_bucket", "astragal_bot_seconds_count", "astragal_queue"):
        assert name in figures
    assert asked.get("/health").json() == {"status": "alive"}
    assert asked.get("/ready").json() == {"status": "ready"}


def test_without_the_browser_client_a_page_says_how_to_build_it(asked: Server) -> None:
    page = asked.get("/", lang="de")
    assert page.headers["content-type"].startswith("text/html")
    assert "make web" in page.text or Path(astragal.__file__).parent.joinpath("web", "index.html").is_file()
