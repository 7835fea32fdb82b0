"""Late, repeated, forged, oversized and malformed messages; and other people's secrets."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from astragal.server import wire
from tests.server.running import Player, Server, closing, play_on


@pytest.fixture
def pair(server: Server) -> Iterator[list[Player]]:
    """Two humans in the middle of a game of Ur."""
    with closing(server.table("ur", 2)) as players:
        play_on(players, Random(3), moves=4)
        catch_up(players)
        yield players


def catch_up(players: list[Player]) -> None:
    newest = max(player.table["n"] for player in players)
    for player in players:
        player.until_table(lambda table: table["n"] >= newest)


def to_act(players: list[Player]) -> tuple[Player, Player]:
    """Whose turn it is, and the other one."""
    first, second = players
    return (first, second) if first.table["actions"] else (second, first)


def refused(answer: dict[str, Any], code: str) -> bool:
    return answer["type"] == "refused" and answer["code"] == code and bool(answer["detail"])


def test_a_repeated_action_gets_the_same_answer_and_happens_once(pair: list[Player]) -> None:
    mover, other = to_act(pair)
    ply, text = mover.table["ply"], mover.table["actions"][0]["text"]
    first = mover.do(type="act", ply=ply, text=text, id="one")
    again = mover.do(type="act", ply=ply, text=text, id="one")
    without = mover.do(type="act", ply=ply, text=text, id="")
    assert first["type"] == "done"
    assert not first["repeated"]
    assert again == {**first, "repeated": True}
    assert without == {**first, "id": "", "repeated": True}
    other.until_table(lambda table: table["n"] >= first["n"])
    acted = [event for event in other.events if event["kind"] == "acted" and event["n"] >= first["n"]]
    assert [event["n"] for event in acted][:1] == [first["n"]]
    assert len({event["n"] for event in other.events}) == len(other.events)


def test_a_late_action_is_refused_and_changes_nothing(pair: list[Player]) -> None:
    mover, _ = to_act(pair)
    n = mover.table["n"]
    text = mover.table["actions"][0]["text"]
    assert refused(mover.do(type="act", ply=mover.table["ply"] - 1, text=text), "late")
    assert refused(mover.do(type="act", ply=mover.table["ply"] + 5, text=text), "late")
    assert mover.server.get(f"/api/matches/{mover.match}/table").json()["table"]["n"] == n


def test_only_the_seat_to_act_acts(pair: list[Player]) -> None:
    mover, other = to_act(pair)
    text = mover.table["actions"][0]["text"]
    assert not other.table["actions"]
    assert refused(other.act(text), "not_your_turn")


def test_illegal_and_unreadable_actions_name_the_reason(pair: list[Player]) -> None:
    mover, _ = to_act(pair)
    assert refused(mover.act("no such move"), "bad_notation")
    illegal = next(text for text in ("in-a1", "in-a2", "in-a3", "in-a4", "in-c1", "in-c2", "in-c3", "in-c4", "b1-b2")
                   if text not in [action["text"] for action in mover.table["actions"]])  # fmt: skip
    answer = mover.act(illegal)
    assert refused(answer, "illegal_action")
    assert answer["rule"].startswith("UC-")


@pytest.mark.parametrize(
    "sent",
    [
        "",
        "{",
        "[]",
        "null",
        '{"type": "act"}',
        '{"type": "act", "ply": "1", "text": "x"}',
        '{"type": "act", "ply": -1, "text": "x"}',
        '{"type": "act", "ply": 1e400, "text": "x"}',
        '{"type": "act", "ply": 1, "text": "x", "seat": 0}',
        '{"type": "fly"}',
        '{"type": "open", "seed": "xyz"}',
        '{"type": "say", "text": "a", "phrase": "hello"}',
        '{"type": "say", "phrase": "no such"}',
        '{"type": "mute", "whom": 9}',
        "[" * 5000,
        '{"type": "say", "text": "\\ud800"}',
    ],
)
def test_malformed_messages_are_refused_in_the_callers_language(pair: list[Player], sent: str) -> None:
    player = pair[0]
    assert player.socket is not None
    n = player.table["n"]
    player.socket.send(sent)
    answer = player.until(lambda message: message["type"] in ("refused", "done"))
    assert answer["type"] == "refused"
    assert answer["code"] in ("malformed", "not_possible")
    assert player.server.get(f"/api/matches/{player.match}/table").json()["table"]["n"] == n


def test_a_message_of_bytes_that_are_no_text_costs_only_its_sender(pair: list[Player]) -> None:
    bad, good = pair
    assert bad.socket is not None
    bad.socket.send(b"\xff\xfe\x00")
    answer = bad.until(lambda message: message["type"] == "refused")
    assert answer["code"] == "malformed"
    assert good.do(type="say", phrase="hello")["type"] == "done"


def test_an_oversized_message_costs_only_its_sender(pair: list[Player]) -> None:
    big, other = pair
    assert big.socket is not None
    big.socket.send(json.dumps({"type": "say", "text": "a" * wire.MOST_BYTES}))
    with pytest.raises(ConnectionClosed) as closed:
        big.until(lambda message: False)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009
    assert other.do(type="say", phrase="hello")["type"] == "done"
    big.connect()
    assert big.do(type="say", text="back again")["type"] == "done"


def test_a_large_request_is_refused(server: Server, pair: list[Player]) -> None:
    body = {"type": "say", "text": "a" * wire.MOST_BYTES}
    answer = server.post(f"/api/matches/{pair[0].match}/commands", body, pair[0].secret)
    assert answer.status_code == 413
    assert answer.json()["code"] == "too_large"


def test_secrets_open_only_their_own_seat(server: Server, pair: list[Player]) -> None:
    mover, other = to_act(pair)
    stranger = server.create("ur", ["open", "open"])
    path = f"/api/matches/{mover.match}/commands"
    act = {"type": "act", "ply": mover.table["ply"], "text": mover.table["actions"][0]["text"]}
    for secret, code in ((None, "wrong_secret"), ("guess", "wrong_secret"), (stranger["secret"], "wrong_secret")):
        answer = server.post(path, act, secret)
        assert (answer.status_code, answer.json()["code"]) == (401, code)
    assert server.post(path, act, other.secret).json()["code"] == "not_your_turn"
    forged = server.post(f"{path}?seat={mover.table['you']}", act, other.secret)
    assert forged.json()["code"] == "wrong_secret"
    assert server.post(path, act, mover.secret).status_code == 200


def test_a_spectator_sees_and_cannot_act(server: Server, pair: list[Player]) -> None:
    with Player(server, pair[0].match, None) as spectator:
        spectator.until_table(lambda table: table["n"] == pair[0].table["n"])
        assert spectator.table["you"] is None
        assert not spectator.table["actions"]
        assert refused(spectator.act("in-a1"), "wrong_secret")


def test_a_wrong_secret_at_the_socket_is_said_in_words(server: Server, pair: list[Player]) -> None:
    with Player(server, pair[0].match, "guess", lang="es") as forger:
        answer = forger.hear()
        assert refused(answer, "wrong_secret")
        assert "asiento" in answer["detail"]
        with pytest.raises(ConnectionClosed):
            forger.hear()


def test_tables_without_spectators(server: Server) -> None:
    made = server.create("ur", ["open", "bot:greedy"], watchers=False)
    assert server.get(f"/api/matches/{made['match']}/table").json()["code"] == "forbidden"
    assert server.get(f"/api/matches/{made['match']}/table", made["secret"]).status_code == 200
    with Player(server, made["match"], None) as spectator:
        assert refused(spectator.hear(), "forbidden")


def test_only_the_link_joins_an_unlisted_match(server: Server) -> None:
    made = server.create("ur", ["open", "open"])
    path = f"/api/matches/{made['match']}/seats"
    assert server.post(path, {"invite": "guess"}).json()["code"] == "forbidden"
    assert server.post(path, {}).json()["code"] == "forbidden"
    assert made["match"] not in server.get("/api/matches").text
    server.join(made)
    assert server.post(path, {"invite": server.invite(made)}).json()["code"] == "seat_taken"


def test_chat_reaches_everybody_but_who_muted_it(server: Server, pair: list[Player]) -> None:
    first, second = pair
    assert first.do(type="say", text=" <b>Hi</b>\n\x07 there ")["type"] == "done"
    heard = second.until(lambda m: m["type"] == "news" and m["events"][0]["kind"] == "said")["events"][0]
    assert heard["entry"]["text"] == "<b>Hi</b> there"
    assert second.do(type="mute", whom=first.table["you"])["type"] == "done"
    n = first.do(type="say", phrase="thanks")["n"]
    assert second.do(type="say", phrase="game")["type"] == "done"
    second.until_table(lambda table: table["n"] > n)
    assert n not in [event["n"] for event in second.events]
    with Player(server, first.match, first.secret, lang="de") as reader:
        reader.hear()
        assert "Danke!" in [event["text"].split(": ")[-1] for event in reader.events if event["n"] == n]
        assert all(event["kind"] != "muted" for event in reader.events)


def test_a_command_by_post_does_the_same(server: Server, pair: list[Player]) -> None:
    mover, other = to_act(pair)
    act = {"type": "act", "ply": mover.table["ply"], "text": mover.table["actions"][0]["text"], "id": "post"}
    answer = server.post(f"/api/matches/{mover.match}/commands", act, mover.secret)
    assert answer.status_code == 200
    done = answer.json()
    assert other.until_table(lambda table: table["n"] >= done["n"])
    again = server.post(f"/api/matches/{mover.match}/commands", act, mover.secret).json()
    assert again == {**done, "repeated": True}
    late = server.post(f"/api/matches/{mover.match}/commands", {**act, "id": "", "text": "in-b9"}, mover.secret)
    assert late.status_code == 409
    assert late.headers["content-type"] == "application/problem+json"
    assert late.json()["code"] == "late"
