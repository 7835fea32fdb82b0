"""A position holds every secret of its game, so a server neither sends nor takes one."""

from __future__ import annotations

import ast
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

import astragal.server
from astragal.core import recordjson
from astragal.core.line import Line, replay
from astragal.core.record import Header
from tests.server.running import Server, closing, play_on

SOURCES = Path(astragal.server.__file__).parent


def names_in(described: Any) -> set[str]:
    """All keys and all named values of a JSON document."""
    if isinstance(described, dict):
        return {*described, *(name for value in described.values() for name in names_in(value))}
    if isinstance(described, list):
        return {name for value in described for name in names_in(value)}
    return {described} if isinstance(described, str) else set()


def test_no_address_and_no_message_has_a_position(server: Server) -> None:
    described = names_in(server.get("/api/openapi.json").json()) | names_in(server.get("/api/schema").json())
    assert {"table", "view", "actions"} <= described, "the description has changed its form"
    assert not [name for name in described if name == "position" or "/position" in name]


def test_the_server_never_writes_a_position_down() -> None:
    assert "position" in Header.__struct_fields__, "the name that this test looks for"
    for file in SOURCES.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            named = (
                node.attr if isinstance(node, ast.Attribute) else node.arg if isinstance(node, ast.keyword) else None
            )
            assert named not in ("position", "from_position"), (file.name, ast.unparse(node))


def test_a_match_cannot_be_set_up_from_a_position(server: Server) -> None:
    wanted = {"game": "ur", "seats": ["open", "bot:greedy"], "position": "7:-:0 7:-:0 light throw"}
    refused = server.post("/api/matches", wanted)
    assert (refused.status_code, refused.json()["code"]) == (400, "malformed")
    assert "position" in refused.json()["detail"]


@pytest.mark.parametrize("game", list(astragal.games()))
def test_nothing_that_a_running_match_sends_holds_one_of_its_positions(server: Server, game: str) -> None:
    with closing(server.table(game, 2)) as players:
        play_on(players, Random(3), moves=12)
        match, secrets = players[0].match, [players[0].secret, players[1].secret, None]
        paths = [f"/api/matches/{match}", *(f"/api/matches/{match}/{what}" for what in ("table", "svg", "record"))]
        answers = [server.get(path, secret).text for path in paths for secret in secrets]
        sent = [*answers, *(msgspec.json.encode(message).decode() for p in players for message in p.messages)]
        assert "not over" in answers[-1], "no record before the end"
        assert players[0].do(type="resign")["type"] == "done"
        players[0].until_table(lambda table: table["status"] == "over")
        text = server.get(f"/api/matches/{match}/record", players[0].secret).text
    line: Line = replay(recordjson.from_json(text, "record")[0])
    positions = {line.rules.position(ply.before) for ply in line.steps}
    assert len(positions) > 12
    assert sum("view" in message for message in sent) > 12
    for position in positions:
        written = msgspec.json.encode(position).decode()[1:-1]
        assert not [message for message in sent if position in message or written in message]
