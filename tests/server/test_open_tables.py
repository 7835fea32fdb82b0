"""The socket of the hall: open tables that come and go, matches one follows, and what a list says of a match."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from astragal.server.hall_feed import HallFeed, Listener
from astragal.server.problems import Problem
from astragal.server.rate_limit import RateLimit
from astragal.server.rooms import Rooms
from astragal.server.store import Store
from tests.server.halls import Hall
from tests.server.running import NEVER_NOTHING, Player, Server
from tests.server.test_players import Key, admin, create, join
from tests.server.test_store import with_store


def listed(message: dict[str, Any], match: str) -> dict[str, Any] | None:
    found: dict[str, Any] | None = next((table for table in message["tables"] if table["match"] == match), None)
    return found


def test_a_table_is_told_when_it_opens_and_when_its_last_seat_is_taken(server: Server) -> None:
    with Hall(server) as hall:
        secret = server.create("ur", ["open", "open"], name="Ada")
        made = server.create("ur", ["open", "open"], listed=True, name="Ada", clock="5m+3s")
        message = hall.until("tables", lambda message: listed(message, made["match"]) is not None)
        shown = listed(message, made["match"])
        assert shown is not None
        assert shown["clock"] == "5m+3s"
        assert shown["free"] == [1]
        assert shown["players"][0]["name"] == "Ada"
        assert shown["turn"] is None
        assert "secret" not in json.dumps(shown)
        assert listed(message, secret["match"]) is None  # joined by its link only
        server.join(made)
        hall.until("tables", lambda message: listed(message, made["match"]) is None)


def test_the_tables_are_told_in_the_language_of_the_hall(server: Server) -> None:
    made = server.create("ur", ["open", "open"], listed=True)
    with Hall(server, lang="de") as hall:
        message = hall.until("tables", lambda message: listed(message, made["match"]) is not None)
        assert str(listed(message, made["match"])).count("Das Königliche Spiel von Ur")


def test_a_followed_match_is_told_at_once_and_whenever_it_changes(server: Server) -> None:
    first, second = server.table("ur", options={"begins": 1, **NEVER_NOTHING})
    with first, second, Hall(server) as hall:
        first.until_table(lambda table: table["turn"] == 1)
        hall.send(type="follow", matches=[first.match, "nothing"])
        assert hall.until("gone")["match"] == "nothing"
        news = hall.until("match", lambda news: news["match"]["match"] == first.match)
        assert news["match"]["turn"] == 1
        assert news["seats"] == []
        assert second.do(type="resign")["type"] == "done"
        over = hall.until("match", lambda news: news["match"]["status"] == "over")
        assert over["match"]["result"] == [1.0, 0.0]
        hall.send(type="follow", matches=["x"] * 41)
        assert hall.until("refused")["code"] == "malformed"


def test_a_player_hears_of_every_seat_that_is_its_own_on_every_device(server: Server) -> None:
    ida, ben = Key(), Key()
    first, second = ida.sign_in(server, name="Ida"), ida.sign_in(server)
    with Hall(server, first) as here:
        assert here.until("welcome")["player"] == ida.public
        made = create(server, second, options={"begins": 0})  # on another device
        news = here.until("match", lambda news: news["match"]["match"] == made["match"])
        assert news["seats"] == [0]
        join(server, made, ben.sign_in(server, name="Ben"))
        here.until("match", lambda news: news["match"]["status"] == "running")
    with Hall(server, first) as again:  # everything is told anew to who comes back
        assert again.until("match", lambda news: news["match"]["match"] == made["match"])["seats"] == [0]


def test_the_same_is_not_told_twice_and_who_is_at_the_table_hears_it_there(server: Server) -> None:
    ida = Key()
    session = ida.sign_in(server)
    # the bot, had it a turn, would be told of late
    made = create(server, session, seats=["open", "bot:greedy"], options={"begins": 0, **NEVER_NOTHING})
    with Hall(server, session) as hall:
        hall.until("match", lambda news: news["match"]["match"] == made["match"])
        with Player(server, made["match"], made["secret"]) as player:
            player.until_table(lambda table: table["turn"] == 0)
            for _ in range(3):
                assert player.do(type="say", phrase="hello")["type"] == "done"
            assert [m for m in hall.quiet(1.0) if m["type"] == "match"] == []
        hall.until("match", lambda news: news["match"]["match"] == made["match"])


def test_a_hall_that_sends_too_much_is_slowed_down_and_nonsense_changes_nothing(tmp_path: Path) -> None:
    with Server(tmp_path / "s.db", "--seat-rate", "20") as server, Hall(server) as hall:
        for text in ("", "{", '{"type":"act"}', '{"type":"follow","matches":["../x"]}'):
            hall.socket.send(text)
            assert hall.until("refused")["code"] == "malformed"
            hall.messages.clear()
        for _ in range(20):
            hall.send(type="follow", matches=[])
        assert hall.until("refused")["code"] == "too_many"


def test_a_banned_player_has_no_hall(tmp_path: Path) -> None:
    with Server(tmp_path / "s.db") as server:
        key = Key()
        session = key.sign_in(server)
        with Hall(server, session) as hall:
            admin(server, "player-ban", key.public)
            with pytest.raises(ConnectionClosed):
                hall.quiet(60)
        with Hall(server, session) as refused:
            assert refused.until("refused")["code"] == "banned"


def test_a_server_that_goes_down_says_so_and_the_next_one_tells_everything(tmp_path: Path) -> None:
    with Server(tmp_path / "s.db") as server:
        made = server.create("ur", ["open", "open"], listed=True)
        with Hall(server) as hall:
            server.stop()
            hall.until("closing")
        server.start()
        with Hall(server) as hall:
            hall.until("tables", lambda message: listed(message, made["match"]) is not None)


@pytest.mark.needs("initdb")
def test_the_halls_of_two_servers_hear_of_the_same(servers: tuple[Server, Server]) -> None:
    one, other = servers
    ida = Key()
    session = ida.sign_in(one)
    with Hall(other, session) as hall:
        made = create(one, session, listed=True, options={"begins": 0})
        hall.until("tables", lambda message: listed(message, made["match"]) is not None)
        assert hall.until("match", lambda news: news["match"]["match"] == made["match"])["seats"] == [0]
        join(one, made, Key().sign_in(one))
        hall.until("tables", lambda message: listed(message, made["match"]) is None)
        news = hall.until("match", lambda news: news["match"]["status"] == "running")
        assert news["match"]["turn"] is not None


def test_a_match_in_a_list_says_whose_turn_it_is_and_how_it_ended(server: Server) -> None:
    first, second = server.table("ur", options={"begins": 1, **NEVER_NOTHING})
    with first, second:
        first.until_table(lambda table: table["turn"] == 1)
        shown = server.get(f"/api/matches/{first.match}").json()
        assert shown["turn"] == 1
        assert shown["result"] is None
        assert second.do(type="resign")["type"] == "done"
        first.until_table(lambda table: table["status"] == "over")
        shown = server.get(f"/api/matches/{first.match}").json()
        assert shown["result"] == [1.0, 0.0]
        assert shown["outcome"] == first.table["outcome"]


def test_a_hall_remembers_only_what_it_follows(tmp_path: Path) -> None:
    async def follow(store: Store) -> None:
        feed, sent = HallFeed(Rooms(store)), list[bytes | None]()
        listener = Listener(None, "en", "", sent.append)
        await feed.join(listener)
        for number in range(5):
            await feed.follow(listener, [f"nothing-{number}"])
        assert set(listener.told) == {"tables", "nothing-4"}
        for number in range(5):
            with contextlib.suppress(Problem):
                await feed.wait(listener, f"ticket-{number}", "")
        assert set(listener.told) == {"tables", "nothing-4", "ticket-4"}
        feed.leave(listener)
        assert set(listener.told) == {"tables"}

    with_store(tmp_path / "s.db", follow)


def test_a_connection_follows_so_many_new_matches_a_minute(server: Server) -> None:
    with Hall(server) as hall:
        for block in range(6):
            hall.send(type="follow", matches=[f"{block}-{n}" for n in range(40)])
        assert hall.until("refused")["code"] == "too_many"


def test_limits_forget_connections_that_have_ended() -> None:
    limit = RateLimit(2)
    assert limit.take("one")
    assert not limit.take("one")
    limit.forget("one")
    assert limit.take("one")
