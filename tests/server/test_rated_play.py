"""Rated matches on real servers: over sockets, killed, on two servers at once, and told to nobody too early."""

from __future__ import annotations

import signal
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from astragal.server.ratings import Ratings
from tests.server.running import PATIENCE, Player, Server, play_on, sqlite, threaded
from tests.server.test_players import Key, admin, eventually

FAR = {"x-forwarded-for": "192.0.2.7"}  # as somebody behind a proxy; without it, from this computer


class Seated:
    """A rated match of two players who have signed in, from two addresses."""

    def __init__(
        self, server: Server, *keys: Key, there: Server | None = None, apart: bool = True, **more: Any
    ) -> None:
        self.server, self.keys = server, keys
        wanted = {"game": "ur", "seats": ["open"] * len(keys), "sit": 0, "rated": True, **more}
        self.sessions = [key.sign_in(server, name=f"P{number}") for number, key in enumerate(keys)]
        made = server.post("/api/matches", wanted, **self.sessions[0])
        assert made.status_code == 201, made.text
        self.match, secrets = made.json()["match"], [made.json()["secret"]]
        self.invite = server.invite(made.json())
        for number, session in enumerate(self.sessions[1:], 1):
            far = {"x-forwarded-for": f"192.0.2.{number}"} if apart else {}
            joined = server.post(f"/api/matches/{self.match}/seats", {"invite": self.invite}, **session, **far)
            assert joined.status_code == 201, joined.text
            secrets.append(joined.json()["secret"])
        hosts = [there if there is not None and number % 2 else server for number in range(len(keys))]
        self.players = [Player(host, self.match, secret) for host, secret in zip(hosts, secrets, strict=True)]

    def rating(self, server: Server | None = None) -> dict[str, Any]:
        answer = (server or self.server).get(f"/api/matches/{self.match}/rating")
        assert answer.status_code == 200, answer.text
        rating: dict[str, Any] = answer.json()
        return rating

    def finish(self, loser: int = 1) -> None:
        """Everybody moves, and one gives up."""
        for _ in range(30):
            play_on(self.players, Random(1), moves=2)
            acts = [event for event in self.players[0].events if event["kind"] == "acted"]
            moved = {event["seat"] for event in acts if event.get("event", {}).get("type") != "passed"}
            if moved >= set(range(len(self.players))):
                break
        assert self.players[loser].do(type="resign")["type"] == "done"
        for player in self.players:
            player.until_table(lambda table: table["status"] == "over")

    def close(self) -> None:
        for player in self.players:
            player.close()


def profile(server: Server, key: Key) -> dict[str, Any]:
    answer = server.get(f"/api/players/{key.public}")
    assert answer.status_code == 200, answer.text
    known: dict[str, Any] = answer.json()
    return known


@pytest.fixture(scope="module")
def rated(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A server that believes a proxy on this computer."""
    with Server(tmp_path_factory.mktemp("rated") / "s.db", "--proxies", "127.0.0.1") as running:
        yield running


def test_two_keys_play_and_their_ratings_change(rated: Server) -> None:
    ida, ben = Key(), Key()
    with closing(Seated(rated, ida, ben)) as seated:
        assert seated.players[0].until_table(lambda table: table["status"] == "running")["rated"]
        before = seated.rating()
        assert not before["counted"]
        assert [(seat["rating"], seat["deviation"], seat["change"]) for seat in before["seats"]] == [
            (1500, 350, None)
        ] * 2
        seated.finish(loser=1)
        after = seated.rating()
        assert after["counted"]
        assert after["reason"] == ""
        won, lost = after["seats"]
        assert won["key"] == ida.public
        assert won["change"] > 100 > -100 > lost["change"]
        assert won["provisional"]
    own = profile(rated, ida)
    assert (own["name"], own["key"]) == ("P0", ida.public)
    (rating,) = own["ratings"]
    assert (rating["game"], rating["players"], rating["games"], rating["provisional"]) == ("ur", 2, 1, True)
    assert rating["rating"] == won["rating"] == rating["history"][0]["rating"]
    assert rating["history"][0]["match"] == seated.match
    pools = rated.get("/api/ratings").json()["pools"]
    assert next(pool for pool in pools if pool["game"] == "ur")["rated"] >= 2
    board = rated.get("/api/ratings/ur", players=2).json()
    assert ida.public not in str(board["ranked"])  # provisional
    assert [bot["bot"] for bot in board["bots"]] == ["bot:novice", "bot:casual", "bot:strong", "bot:master"]
    assert board["bots"] == sorted(board["bots"], key=lambda bot: bot["rating"])


def test_guests_and_second_seats_are_refused(rated: Server) -> None:
    ida = Key()
    wanted = {"game": "ur", "seats": ["open", "open"], "sit": 0, "rated": True}
    assert rated.post("/api/matches", wanted).json()["code"] == "not_signed_in"
    session = ida.sign_in(rated)
    made = rated.post("/api/matches", wanted, **session).json()
    seats, invite = f"/api/matches/{made['match']}/seats", {"invite": rated.invite(made)}
    assert rated.post(seats, invite).json()["code"] == "not_signed_in"
    assert rated.post(seats, invite, **session).json()["code"] == "not_possible"
    assert rated.post("/api/matches", {**wanted, "hints": True}, **session).json()["code"] == "bad_options"
    assert rated.get(f"/api/matches/{made['match']}").json()[
        "rated"
    ]  # everybody sees what is agreed on by sitting down
    assert rated.get("/api/players/" + "0" * 64).json()["code"] == "not_found"
    assert rated.get("/api/ratings/ur", players=3).json()["code"] == "bad_options"
    assert rated.get("/api/ratings/chess").json()["code"] == "unknown_game"


def test_two_from_one_address_are_told_that_it_does_not_count(rated: Server) -> None:
    ida, ben = Key(), Key()
    with closing(Seated(rated, ida, ben, apart=False)) as seated:
        seated.finish()
        after = seated.rating()
    assert not after["counted"]
    assert "same address" in after["reason"]
    assert profile(rated, ida)["ratings"] == []
    assert "192.0.2" not in str(seated.players[0].messages)


def test_a_host_may_count_people_of_one_address(tmp_path: Path) -> None:
    with Server(tmp_path / "s.db", "--one-address") as server:
        with closing(Seated(server, Key(), Key(), apart=False)) as seated:
            seated.finish()
            assert seated.rating()["counted"]
        assert "Every rating is as it was." in admin(server, "recount")
        assert '"changed":0' in admin(server, "recount", "--json")


def test_a_match_that_ended_before_a_crash_is_counted_after_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def killed(ratings: Ratings, *_: str) -> None:
        """The server died before it could."""

    ida, ben = Key(), Key()
    with monkeypatch.context() as crash:
        crash.setattr(Ratings, "settle", killed)
        crash.setattr(Ratings, "settle_open", killed)
        with threaded(tmp_path / "s.db", proxies="127.0.0.1") as server, closing(Seated(server, ida, ben)) as seated:
            seated.finish()
            assert profile(server, ida)["ratings"] == []
    with threaded(tmp_path / "s.db", proxies="127.0.0.1") as server:
        eventually(lambda: profile(server, ida)["ratings"] != [])
        answer = server.get(f"/api/matches/{seated.match}/rating").json()
        assert answer["counted"]
        assert profile(server, ida)["ratings"][0]["games"] == 1
        assert "Every rating is as it was." in admin(server, "recount")


def test_killed_at_the_end_of_matches_all_of_them_count_once(tmp_path: Path) -> None:
    """Killed when the players have just heard that the match is over, at any moment of its rating."""
    ida, ben, rng = Key(), Key(), Random(5)
    server = Server(tmp_path / "s.db", "--proxies", "127.0.0.1")
    for _ in range(3):
        server.start()
        with closing(Seated(server, ida, ben)) as seated:
            seated.finish()
            time.sleep(rng.uniform(0, 0.02))
            server.stop(signal.SIGKILL)
    with server:
        eventually(lambda: all(rating["games"] == 3 for rating in profile(server, ida)["ratings"] or [{"games": 0}]))
        history = profile(server, ben)["ratings"][0]["history"]
        assert len({point["match"] for point in history}) == 3
        assert "Every rating is as it was." in admin(server, "recount")


@pytest.mark.needs("initdb")
def test_two_servers_on_one_database_count_once(database: str) -> None:
    ida, ben, proxies = Key(), Key(), ("--proxies", "127.0.0.1")
    with Server(database, *proxies) as one, Server(database, *proxies) as two:
        for n in range(2):
            with closing(Seated(one, ida, ben, there=two)) as seated, ThreadPoolExecutor() as pool:
                seated.finish(loser=n % 2)
                answers = [pool.submit(seated.rating, server) for server in (one, two, one, two)]
                assert len({str(answer.result()) for answer in answers}) == 1
        assert profile(one, ida)["ratings"][0]["games"] == 2
        assert profile(two, ben)["ratings"][0]["games"] == 2
        assert "Every rating is as it was." in admin(one, "recount")


def test_skill_is_what_reviews_say(rated: Server) -> None:
    ida, ben = Key(), Key()
    with closing(Seated(rated, ida, ben, options={"pieces": 2})) as seated:
        play_on(seated.players, Random(3))
        assert seated.rating()["counted"]
    eventually(lambda: profile(rated, ida)["ratings"][0]["skill"] is not None)
    until = time.monotonic() + PATIENCE
    while (review := rated.get(f"/api/matches/{seated.match}/review").json())["review"] is None:
        assert time.monotonic() < until
        time.sleep(0.1)
    for key, said in zip((ida, ben), review["review"]["seats"], strict=True):
        skill = profile(rated, key)["ratings"][0]["skill"]
        assert (skill["matches"], skill["decisions"]) == (1, said["decisions"])
        assert skill["loss"] == pytest.approx(said["loss_a_decision"])
        assert skill["margin"] is not None
    before = profile(rated, ida)
    with sqlite(rated.database) as store:  # lost, as with an older backup
        store.execute("DELETE FROM skills")
    assert profile(rated, ida)["ratings"][0]["skill"] is None
    assert "Every rating is as it was." in admin(rated, "recount", "--reviews")
    eventually(lambda: profile(rated, ida) == before)


def test_nothing_of_a_match_shows_in_ratings_before_its_end(rated: Server) -> None:
    """Whatever is hidden and whatever happens: while it goes on, all answers about ratings stay the same."""
    keys = [Key(), Key(), Key()]
    with closing(Seated(rated, *keys, game="nile")) as seated:
        seated.players[0].until_table(lambda table: table["status"] == "running")

        def answers() -> list[Any]:
            return [seated.rating(), rated.get("/api/ratings").json(), *(profile(rated, key) for key in keys)]

        before = answers()
        play_on(seated.players, Random(2), moves=9)
        assert answers() == before
        heard = str([player.messages for player in seated.players])
        assert not any(key.public in heard for key in keys)
        assert "identified" not in heard
        for player in seated.players[:2]:  # the last one wins
            assert player.do(type="resign")["type"] == "done"
        eventually(lambda: answers() != before)
