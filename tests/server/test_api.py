"""What the server tells about itself and the games, and Schemathesis against all of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.core.result import Ok

import astragal
from astragal.server import wire
from astragal.server.problems import CODES
from tests.server.running import Server, threaded


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a few matches in every state, for whoever asks anything."""
    with threaded(tmp_path_factory.mktemp("api") / "asked.db") as server:
        yield server


def sound(case: Any) -> None:
    """Whatever is asked, the server answers, and what it refuses it explains."""
    if case.operation.path.endswith("/stream"):
        case.path_parameters["id"] = "none"  # a real one would only end with its match
    answer = case.call(timeout=30)
    assert answer.status_code < 500, answer.text
    if answer.status_code >= 400:
        assert answer.headers["content-type"][0].startswith("application/problem+json")
        assert answer.json()["code"] in CODES
        assert "Traceback" not in answer.text


def test_no_request_breaks_the_server(asked: Server) -> None:
    schema = schemathesis.openapi.from_url(f"{asked.address}/api/openapi.json")
    checked = 0
    for found in schema.get_all_operations():
        assert isinstance(found, Ok), found.err()
        strategy = found.ok().as_strategy()
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
    assert creating["schema"]["examples"][0]["game"] == "ur"
    acting = described["components"]["schemas"]["Act"]
    assert acting["properties"]["type"]["const"] == "act"


def test_the_schema_names_every_command_and_message(asked: Server) -> None:
    found = asked.get("/api/schema").json()
    assert found == msgspec.json.decode(msgspec.json.encode(wire.schemas()))
    tags = {
        option["properties"]["type"]["enum"][0]
        for option in found["$defs"].values()
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
    found = asked.post(path, {"name": "field.toml", "content": BOARD}).json()
    assert found["title"] == "field"
    made = asked.create("egar", ["open", "open"], options={"board": found["value"]})
    assert asked.get(f"/api/matches/{made['match']}").json()["options"]["board"]["columns"] == 5
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
