"""A position holds every secret of its game. A server takes and sends one only of games without secrets, or writes one
down for a match that goes on from a finished one; nothing of a match that is being played ever holds one."""

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


SPEAK_OF_POSITIONS = {
    "NewMatch",  # of a game without secrets
    "Exploring",
    "Exploration",
    "WeighedThrow",
    "WeighedAction",
    "Standing",
    "PuzzleAnswer",
}


def test_only_the_explorer_and_new_matches_speak_of_positions(server: Server) -> None:
    assert {"table", "view", "actions"} <= names_in(server.get("/api/schema").json()), "the description has a new form"
    assert "position" not in names_in(server.get("/api/schema").json()), "no message of a socket has one"
    described = server.get("/api/openapi.json").json()["components"]["schemas"]
    named = {name.rpartition(".")[2] for name, one in described.items() if "position" in one.get("properties", {})}
    assert named <= SPEAK_OF_POSITIONS


def test_only_setups_and_the_explorer_read_and_write_positions() -> None:
    assert "position" in Header.__struct_fields__, "the name that this test looks for"
    using = set()
    for file in SOURCES.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            named = (
                node.attr if isinstance(node, ast.Attribute) else node.arg if isinstance(node, ast.keyword) else None
            )
            if named in ("position", "from_position"):
                using.add(file.name)
    assert using == {"api_explore.py", "rated_tables.py", "room.py", "setup.py"}  # rated tables refuse one


@pytest.mark.parametrize("game", [id for id, game in astragal.games().items() if game.rules.spec.hidden])
def test_a_match_with_secrets_cannot_be_set_up_from_a_position(server: Server, game: str) -> None:
    rules = astragal.rules(game)
    position = rules.position(rules.initial(rules.options_type(), 2))
    refused = server.post("/api/matches", {"game": game, "seats": ["open", "bot:greedy"], "position": position})
    assert (refused.status_code, refused.json()["code"]) == (400, "bad_options")
    assert "hidden" in refused.json()["detail"]
    assert server.post(f"/api/games/{game}/explore", {"position": position}).status_code == 409


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
