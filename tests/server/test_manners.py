"""The manners of a table: seeds, leaving, offers, pauses, another match, and players who are gone."""

from __future__ import annotations

import hashlib
import json
import secrets
import time
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from astragal.core import registry
from astragal.core.types import CHANCE
from astragal.server import room
from tests.server.running import NEVER_NOTHING, Player, Server, closing, play_on, threaded


def running(table: dict[str, Any]) -> bool:
    return bool(table["status"] == "running")


def both(players: list[Player], n: int) -> None:
    for player in players:
        player.until_table(lambda table: table["n"] >= n)


def seeds() -> tuple[bytes, str]:
    seed = secrets.token_bytes(32)
    return seed, hashlib.sha256(seed).hexdigest()


def test_seeds_are_promised_by_all_before_any_is_opened(server: Server) -> None:
    (mine, my_promise), (other, other_promise) = seeds(), seeds()
    made = server.create("ur", ["open", "open"], commitment=my_promise)
    with Player(server, made["match"], made["secret"]) as first:
        first.hear()
        assert first.table["fair"]["server_commitment"] == made["server_commitment"]
        early = first.do(type="open", seed=mine.hex())
        assert (early["type"], early["code"]) == ("refused", "not_possible")
        joined = server.join(made, commitment=other_promise)
        with Player(server, made["match"], joined["secret"]) as second:
            assert second.do(type="open", seed=mine.hex())["type"] == "refused"  # not the seed it promised
            assert second.do(type="open", seed=other.hex())["type"] == "done"
            assert second.do(type="open", seed=other.hex())["type"] == "refused"
            assert second.table["status"] == "lobby"
            assert first.do(type="open", seed=mine.hex())["type"] == "done"
            second.until_table(running)
            assert second.table["fair"]["seat_seeds"] == [mine.hex(), other.hex()]
            assert "server_seed" not in second.table["fair"]


def test_whoever_leaves_before_the_match_frees_the_seat(server: Server) -> None:
    made = server.create("ur", ["open", "open"], listed=True)
    path = f"/api/matches/{made['match']}"
    assert server.get(path).json()["free"] == [1]
    assert server.post(f"{path}/commands", {"type": "leave"}, made["secret"]).status_code == 200
    assert server.get(path).json()["free"] == [0, 1]
    assert server.get(f"{path}/table", made["secret"]).json()["code"] == "wrong_secret"
    again = server.post(f"{path}/seats", {"name": "Ben", "seat": 0}).json()
    assert server.post(f"{path}/seats", {"seat": 0}).json()["code"] == "seat_taken"
    server.post(f"{path}/seats", {})
    begun = server.post(f"{path}/commands", {"type": "leave"}, again["secret"])
    assert (begun.status_code, begun.json()["code"]) == (409, "not_possible")


def test_who_left_sees_nothing_of_whoever_sits_there_now(server: Server) -> None:
    made = server.create("nile", ["open"] * 3, options={"board": "small"})
    with Player(server, made["match"], server.join(made, seat=1)["secret"]) as left:
        left.until_table(lambda table: table["you"] == 1)
        assert left.do(type="leave")["type"] == "done"
        server.join(made, seat=1)
        assert left.do(type="say", phrase="hello")["code"] == "wrong_secret"
        server.join(made, seat=2)
        table = left.until_table(running)
        assert table["you"] is None
        assert table["view"] == server.get(f"/api/matches/{made['match']}/table").json()["table"]["view"]
        assert left.do(type="say", phrase="hello")["code"] == "wrong_secret"


@pytest.mark.parametrize("game", ["ur", "nile"])
def test_views_begin_before_the_first_throw_or_draw(server: Server, game: str) -> None:
    with closing(server.table(game, 2)) as players:
        rules, path = registry.game(game).rules, f"/api/matches/{players[0].match}/table"
        for seat, player in enumerate(players):
            events = server.get(path, player.secret, since=0, views=True).json()["events"]
            began, then = [event for event in events if "view" in event][:2]
            assert (began["kind"], "event" in began, "event" in then) == ("began", False, True)
            assert (began["view"]["seat"], began["view"]["turn"]) == (seat, CHANCE)
            options = began["view"]["options"]
            first = rules.initial(msgspec.convert(options, rules.options_type), 2)
            assert began["view"] == json.loads(msgspec.json.encode(rules.observe(first, seat)))


def test_offers_need_consent(server: Server) -> None:
    with closing(server.table("ur", 2, options={"begins": 0, **NEVER_NOTHING})) as players:
        first, second = players  # the first one has moved, and has something to take back
        both(players, play_on(players, Random(1), moves=3))
        n = first.do(type="offer", what="draw")["n"]
        both(players, n)
        assert second.table["offer"] == {
            "what": "draw", "seat": 0, "waits_for": [1], "text": "Light offers a draw."
        }  # fmt: skip
        assert first.do(type="answer", yes=True)["type"] == "refused"
        assert second.do(type="answer", yes=False)["type"] == "done"
        assert second.until_table(lambda table: table["offer"] is None)["status"] == "running"
        first.do(type="offer", what="pause")
        both(players, second.do(type="answer", yes=True)["n"])
        assert first.table["status"] == "paused"
        mover = players[first.table["turn"]]
        assert not mover.table["actions"]
        assert mover.act("in-a1")["type"] == "refused"
        second.do(type="offer", what="resume")
        assert second.do(type="withdraw")["type"] == "done"
        second.do(type="offer", what="resume")
        both(players, first.do(type="answer", yes=True)["n"])
        first.until_table(running)
        ply = first.table["ply"]
        assert first.do(type="offer", what="takeback")["code"] == "not_possible"  # a die was seen since
        first.do(type="offer", what="takeback-seen")
        both(players, second.do(type="answer", yes=True)["n"])
        assert first.table["ply"] <= ply
        assert any(event["kind"] == "took back" for event in second.events)
        first.do(type="offer", what="draw")
        both(players, second.do(type="answer", yes=True)["n"])
        assert first.table["result"] == [0.5, 0.5]
        assert first.table["fair"]["server_seed"]


@pytest.mark.rule("EG-20")
def test_a_refused_answer_counts_if_the_players_agree(server: Server) -> None:
    with closing(server.table("egar", 2, options={"begins": 0, "answering": "open"})) as players:
        first, second = players
        for player in players:
            player.until_table(running)
        both(players, first.act("done")["n"])
        second.until_table(lambda table: table["view"]["phase"] == "answer")
        before = second.table["view"]["armies"]
        assert not second.table.get("can_count")
        assert second.do(type="claim", ply=second.table["ply"], text="count-answer")["type"] == "refused"
        assert second.act("count-answer")["type"] == "refused"
        both(players, second.act("something that is surely wrong")["n"])
        first.until_table(lambda table: table.get("can_count", False))
        n = second.do(type="offer", what="count")["n"]
        both(players, n)
        assert first.table["offer"]["text"].endswith("would like the refused answer to count.")
        both(players, first.do(type="answer", yes=True)["n"])
        assert first.table["view"]["armies"] == before
        assert not first.table.get("can_count")
        assert any("agree that the answer" in event["text"] for event in first.events)
        assert second.do(type="offer", what="count")["code"] == "not_possible"


def test_more_time_is_for_tables_that_allow_it_and_for_whoever_plays_against_bots(server: Server) -> None:
    with closing(server.table("ur", 2, clock="1m+0s", more_time=True)) as players:
        for player in players:
            player.until_table(running)
        assert players[0].table["times"]["more"]
        both(players, players[0].do(type="more time")["n"])
        assert players[1].table["times"]["left"][0] > 100_000
        assert players[1].events[-1]["text"].startswith("More time for ")
    with closing(server.table("ur", 2, clock="1m+0s")) as players:
        players[0].until_table(running)
        assert not players[0].table["times"]["more"]
        assert players[0].do(type="more time")["code"] == "not_possible"
    with closing(server.table("ur", 1, 1, clock="1m+0s")) as players:
        players[0].until_table(running)
        assert players[0].do(type="more time")["type"] == "done"
    with closing(server.table("ur", 1, 1)) as players:
        players[0].until_table(running)
        assert players[0].do(type="more time")["code"] == "not_possible"  # there is no clock


def test_another_match_of_the_same_players(server: Server) -> None:
    with closing(server.table("ur", 2)) as players:
        first, second = players
        assert first.do(type="again")["code"] == "not_possible"
        both(players, second.do(type="resign")["n"])
        assert first.table["result"] == [1.0, 0.0]
        for player in players:
            begins = 0 if player.table["chooser"] == player.table["you"] else None
            assert player.do(type="again", begins=begins)["type"] == "done"
        match = first.until_table(lambda table: table["next_match"] is not None)["next_match"]
        following = [Player(server, match, player.secret) for player in players]
        with closing(following):
            for player in following:
                player.hear()
                assert player.table["status"] == "lobby"
                assert player.do(type="promise", commitment=None)["type"] == "done"
            for player in following:
                player.until_table(running)
            assert following[0].table["fair"]["server_commitment"] != first.table["fair"]["server_commitment"]
            play_on(following, Random(3), moves=2)


def test_resigning_at_a_table_of_three_lets_the_others_play_on(server: Server) -> None:
    for game, options in (("nile", {"board": "small"}), ("egar", {"board": "quick", "turn_limit": 12})):
        with closing(server.table(game, 3, options=options)) as players:
            for player in players:
                player.until_table(running)
            n = players[2].do(type="resign")["n"]
            both(players, n)
            assert players[0].table["status"] == "running"
            play_on(players, Random(2))
            assert players[0].table["result"][2] == 0.0


def test_a_player_who_is_gone_is_replaced_and_may_come_back(server: Server) -> None:
    absence = {"seconds": 10, "then": "bot"}
    with closing(server.table("ur", 2, absence=absence, options={"begins": 1})) as players:
        first, second = players
        second.until_table(running)
        closed = time.time() * 1000  # the server notices it before `close` comes back
        second.close()
        first.until_table(lambda table: table["seats"][1]["player"].startswith("bot:"))
        away = next(event for event in first.events if event["kind"] == "away")
        assert away["at"] >= closed + 9_900  # it had the whole time that it was given
        second.connect()
        assert second.do(type="return")["type"] == "done"
        first.until_table(lambda table: table["seats"][1]["player"] == "human")
        assert second.do(type="return")["code"] == "not_possible"


def test_a_bot_thinks_beside_the_sockets(server: Server) -> None:
    """Commands of others are answered while bots play a match of their own."""
    made = server.create("nile", ["bot:greedy", "bot:greedy", "bot:greedy"], listed=True)
    with closing(server.table("ur", 2)) as players, Player(server, made["match"], None) as watcher:
        play_on(players, Random(1), moves=5)
        table = watcher.until_table(lambda table: table["status"] == "over")
        assert sum(table["result"]) > 0.99


def test_hints_are_a_rule_of_the_table_and_off_where_a_clock_runs_between_humans(server: Server) -> None:
    for humans, how, allowed in (
        (2, {"clock": "5m+0s"}, False),
        (2, {"clock": "5m+0s", "hints": True}, True),
        (2, {}, True),
        (2, {"hints": False}, False),
        (1, {"clock": "5m+0s"}, True),
        (1, {"hints": False}, False),
    ):
        with closing(server.table("ur", humans, 2 - humans, **how)) as players:
            for player in players:
                player.until_table(running)
            to_act = [player for player in players if player.table["actions"]]
            mover = to_act[0] if to_act else players[0]
            mover.until_table(lambda table: bool(table["actions"]))
            assert mover.table["hints"] is allowed
            answer = server.post(f"/api/matches/{mover.match}/hint", {}, mover.secret).json()
            assert ("text" in answer) is allowed, answer
            assert allowed or "no hints at this table" in answer["detail"]


def test_a_hint_to_a_question_never_guesses_and_takes_two_wrong_answers_away(server: Server) -> None:
    with closing(server.table("egar", 2, options={"begins": 0, "board": "quick"})) as (first, second):
        first.until_table(lambda table: bool(table["actions"]))
        assert first.act("done")["type"] == "done"
        second.until_table(lambda table: bool(table["actions"]))
        path = f"/api/matches/{second.match}/hint"
        hint = server.post(path, {}, second.secret).json()
        assert (hint["text"], hint["value"], hint["alternatives"]) == (None, None, [])
        assert hint["sentence"] == "Two wrong answers are taken away. The rest you have to know."
        assert len(set(hint["away"])) == 2
        assert all(server.post(path, {}, second.secret).json()["away"] == hint["away"] for _ in range(8))
        assert second.until_table(lambda table: bool(table["away"]))["away"] == hint["away"]
        assert first.until_table(lambda table: table["n"] >= second.table["n"])["away"] == []
        assert "away" not in next(event for event in first.events if event["kind"] == "hinted")["entry"]
        assert second.act(hint["away"][0])["type"] == "done"
        second.until_table(lambda table: table["ply"] > hint["ply"])
        events = [event["event"] for event in second.events if event.get("event")]
        assert [event["right"] for event in events if event["type"] == "answered"] == [False]


def with_a_choice(server: Server) -> list[Player]:
    """A match of Nile in which whoever begins can do more than one thing; else a master judges nothing."""
    while True:
        players = server.table("nile", 2, options={"board": "small"})
        for player in players:
            player.until_table(running)
        if any(len(player.table["actions"]) > 1 for player in players):
            return players
        for player in players:
            player.close()


def test_previews_and_questions_store_nothing_and_a_hint_is_told_to_everybody(server: Server) -> None:
    with closing(with_a_choice(server)) as players:
        mover = next(player for player in players if player.table["actions"])
        other = next(player for player in players if not player.table["actions"])
        path, n = f"/api/matches/{mover.match}", mover.table["n"]
        hint = server.post(f"{path}/hint?lang=de", {}, mover.secret).json()
        assert hint["text"] in [action["text"] for action in mover.table["actions"]]
        assert hint["alternatives"][0]["text"] == hint["text"]
        assert {one["text"] for one in hint["alternatives"]} == {action["text"] for action in mover.table["actions"]}
        assert hint["value"] == hint["alternatives"][0]["value"]
        blind = server.post(f"{path}/hint?bot=random", {}, mover.secret).json()
        assert (blind["value"], blind["alternatives"]) == (None, [])
        assert server.post(f"{path}/hint", {}, other.secret).json()["code"] == "not_your_turn"
        assert server.post(f"{path}/hint?bot=expectimax:time=600", {}, mover.secret).json()["code"] == "unknown_bot"
        assert hint["label"].casefold() in hint["sentence"].casefold()
        other.until_table(lambda table: table["n"] > n)
        told = [event["text"] for event in other.events if event["kind"] == "hinted"]
        assert told == [f"A hint for {mover.table['seats'][mover.table['you']]['title']}."]  # once a decision
        text = mover.table["actions"][0]["text"]
        foreseen = server.post(f"{path}/preview", {"actions": [text]}, mover.secret).json()
        assert foreseen["view"]["laid"] >= 1
        assert foreseen["view"]["pending"] is not None  # what the turn would score
        assert server.post(f"{path}/preview", {"actions": ["nonsense"]}, mover.secret).json()["code"] == "bad_notation"
        assert server.get(f"{path}/plain", mover.secret, lang="es").text
        assert server.get(f"{path}/picture.svg", mover.secret).text.startswith("<svg")
        assert server.get(f"{path}/table").json()["table"]["n"] == n + 1


def test_a_bots_stream_ends_with_the_match(server: Server) -> None:
    made = server.create("ur", ["bot:greedy", "bot:random"], listed=True, options={"pieces": 2})
    lines = server.get(f"/api/matches/{made['match']}/stream").text.splitlines()
    assert '"status":"over"' in [line for line in lines if line][-1]


def test_a_seat_that_never_opens_its_seed_is_freed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (mine, my_promise), (_, other_promise) = seeds(), seeds()
    with threaded(tmp_path / "seeds.db") as server:
        made = server.create("ur", ["open", "open"], commitment=my_promise)
        joined = server.join(made, commitment=other_promise)
        with Player(server, made["match"], made["secret"], seed=mine) as first:
            first.hear()
            monkeypatch.setattr(room, "SEED_MS", 300)  # looked at after the next change: so the first is not late
            first.open_seed()
            first.until_table(lambda table: table["seats"][1]["player"] == "open")
            gone = server.get(f"/api/matches/{made['match']}/table", joined["secret"])
            assert gone.json()["code"] == "wrong_secret"
            server.join(made)  # somebody else, without a seed; the first one's was seen and is promised anew
            assert first.do(type="promise", commitment=None)["type"] == "done"
            first.until_table(running)
