"""The explorer over HTTP, and matches that begin in the middle."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

import astragal
from astragal.analysis.review import review
from astragal.core import line, recordfile
from astragal.core.record import Record
from tests.server.running import Player, Server, closing, play_on, threaded
from tests.server.test_reviews import over, reviewed

POSITION = "4:a1,b4:1 5:c2:1 light throw"


def record_of(server: Server, match: str) -> Record:
    return recordfile.parse(server.get(f"/api/matches/{match}/record").text)


def explored(server: Server, game: str = "ur", **wanted: Any) -> dict[str, Any]:
    answer = server.post(f"/api/games/{game}/explore", wanted)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def test_a_position_is_told_with_all_throws_and_moves(server: Server) -> None:
    told = explored(server, position=POSITION)
    assert (told["position"], told["seat"], told["seats"]) == (POSITION, 0, ["Light", "Dark"])
    assert [throw["text"] for throw in told["throws"]] == [f"throw-{n}" for n in range(5)]
    assert sum(throw["chance"] for throw in told["throws"]) == pytest.approx(1)
    best = [throw["actions"][0]["value"] for throw in told["throws"]]
    assert told["value"] == pytest.approx(
        sum(throw["chance"] * value for throw, value in zip(told["throws"], best, strict=True))
    )
    throw = told["throws"][2]
    legal = [choice["text"] for choice in throw["choices"]]
    assert sorted(legal) == sorted(action["text"] for action in throw["actions"])
    assert throw["view"]["throw"] == 2
    assert (told["source"], bool(told["version"]), bool(told["trust"])) == ("network", True, True)
    onward = explored(server, position=throw["actions"][0]["position"])
    assert onward["seat"] == 1


def test_the_first_position_and_other_rules(server: Server) -> None:
    assert explored(server)["position"] == "7:-:0 7:-:0 light throw"
    told = explored(server, "ur-modern", preset="royal", options={"pieces": 4})
    assert told["position"] == "4:- 4:- light throw"
    assert told["options"]["layout"] == "royal"


def test_what_cannot_be_explored_is_refused_with_a_reason(server: Server) -> None:
    for body, status, said in (
        ({"position": "9:-:0 7:-:0 light throw"}, 400, "column 1"),
        ({"position": "7:-:0 7:-:0 light opening"}, 409, "who begins"),
        ({"options": {"pieces": 99}}, 400, "99"),
    ):
        refused = server.post("/api/games/ur/explore", body)
        assert (refused.status_code, said in refused.json()["detail"]) == (status, True), refused.text
    refused = server.post("/api/games/nile/explore", {})
    assert (refused.status_code, refused.json()["code"]) == (409, "not_possible")


def test_whoever_explores_too_much_has_to_wait(tmp_path: Any) -> None:
    with threaded(tmp_path / "db", seat_rate=4) as server:
        codes = [server.post("/api/games/ur/explore", {"position": POSITION}).status_code for _ in range(4)]
    assert codes[0] == 200
    assert 429 in codes


def test_a_match_may_begin_at_a_position_and_its_record_says_so(server: Server) -> None:
    position = "0:b7,b8:5 0:c4,c3,c2:4 light throw"
    made = server.create("ur", ["bot:greedy", "bot:greedy"], listed=True, position=position)
    with Player(server, made["match"], None) as watcher:
        watcher.until_table(lambda table: table["status"] == "over")
        sent = [msgspec.json.encode(message).decode() for message in watcher.messages]
    record = record_of(server, made["match"])
    assert record.header.position == position
    first = line.replay(record).steps[0].before
    assert astragal.rules("ur").position(first) == position
    assert server.get(f"/api/matches/{made['match']}/verification").json()["good"]
    assert reviewed(server, made["match"])[0] == review(record)
    assert not [message for message in sent if position in message]


@pytest.mark.parametrize(
    ("game", "position", "said"),
    [
        ("ur", "7:-:0 7:-:0 light", "missing"),
        ("ur", "0:-:7 6:c2:0 over", "over"),
        ("nile", "anything", "hidden"),
        ("egar", "anything", "hidden"),
    ],
)
def test_no_match_begins_where_nobody_can_play_or_secrets_would_be_told(
    server: Server, game: str, position: str, said: str
) -> None:
    refused = server.post("/api/matches", {"game": game, "seats": ["open", "bot:greedy"], "position": position})
    assert (refused.status_code, said in refused.json()["detail"]) == (400, True), refused.text


def test_a_finished_match_tells_where_it_stood_if_nothing_was_hidden(server: Server) -> None:
    match = over(server, "ur", ["bot:greedy", "bot:random"], pieces=2)
    plies = line.replay(record_of(server, match)).ply
    stood = server.get(f"/api/matches/{match}/position", ply=plies // 2).json()
    assert (stood["game"], stood["options"]["pieces"]) == ("ur", 2)
    assert explored(server, options=stood["options"], position=stood["position"])["position"] == stood["position"]
    beyond = server.get(f"/api/matches/{match}/position", ply=plies + 1)
    assert (beyond.status_code, str(plies) in beyond.json()["detail"]) == (409, True)
    hidden = over(server, "nile", ["bot:greedy"] * 2, board="small")
    assert server.get(f"/api/matches/{hidden}/position", ply=3).status_code == 409
    running = server.create("ur", ["open", "bot:greedy"], listed=True)["match"]
    assert server.get(f"/api/matches/{running}/position", ply=0).status_code == 409


@pytest.mark.parametrize(("game", "options"), [("nile", {"board": "small"}), ("egar", {"board": "quick"}), ("ur", {})])
def test_what_if_a_match_goes_on_from_its_middle_against_bots(server: Server, game: str, options: Any) -> None:
    players = 3 if game == "nile" else 2
    match = over(server, game, ["bot:greedy"] * players, **options)
    before = line.replay(record_of(server, match))
    ply = before.ply // 2
    answer = server.post(f"/api/matches/{match}/continue", {"ply": ply, "seat": 1, "bot": "greedy", "name": "Ida"})
    assert answer.status_code == 201, answer.text
    made = answer.json()
    position = before.rules.position(before.steps[ply].before)
    with closing([Player(server, made["match"], made["secret"])]) as seated:
        seated[0].until_table(lambda table: table["status"] == "running")
        play_on(seated, Random(5), moves=2)
        messages = [msgspec.json.encode(message).decode() for message in seated[0].messages]
        if seated[0].table["status"] == "running":
            seated[0].do(type="resign")
        seated[0].until_table(lambda table: players > 2 or table["status"] == "over")
    assert not [message for message in messages if position in message]
    if players == 2:
        record = record_of(server, made["match"])
        assert record.header.position == position
        assert before.rules.position(line.replay(record).steps[0].before) == position
        assert [seat.player for seat in record.header.seats] == ["bot:greedy", "human"]


def test_a_match_goes_on_only_when_it_is_over_and_where_there_is_something_to_play(server: Server) -> None:
    running = server.create("ur", ["open", "bot:greedy"], listed=True)["match"]
    assert server.post(f"/api/matches/{running}/continue", {"ply": 0, "seat": 0}).status_code == 409
    match = over(server, "ur", ["bot:greedy", "bot:random"], pieces=1)
    plies = line.replay(record_of(server, match)).ply
    for body, status in (
        ({"ply": plies, "seat": 0}, 409),
        ({"ply": plies + 1, "seat": 0}, 409),
        ({"ply": 1, "seat": 5}, 404),
        ({"ply": 1, "seat": 0, "bot": "nobody"}, 404),
    ):
        refused = server.post(f"/api/matches/{match}/continue", body)
        assert refused.status_code == status, refused.text
