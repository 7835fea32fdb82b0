"""Players by their keys: signing in, games that follow to another device, and what the host may do with them."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from websockets.sync.client import connect

from astragal.core.player_key import message
from astragal.server import gate, players, sessions
from astragal.server.players import Profile
from astragal.server.problems import Problem
from astragal.server.sessions import Sessions
from astragal.server.store import Store
from tests.cradle import run
from tests.server.running import PATIENCE, Player, Server, threaded
from tests.server.test_store import match as stored_match
from tests.server.test_store import place as place
from tests.server.test_store import with_store


class Key:
    """A player's key, and the sessions that its devices have."""

    def __init__(self) -> None:
        self._private = Ed25519PrivateKey.generate()
        self.public = self._private.public_key().public_bytes_raw().hex()

    def sign(self, audience: str, nonce: str) -> str:
        return self._private.sign(message(audience, nonce)).hex()

    def sign_in(self, server: Server, **more: Any) -> dict[str, str]:
        """The headers of a device that has signed in."""
        nonce = challenge(server)
        answer = submit(server, self, nonce, **more)
        assert answer.status_code == 200, answer.text
        return {"astragal-player": answer.json()["session"]}


def challenge(server: Server) -> str:
    answer = server.post("/api/players/challenge", {})
    assert answer.status_code == 200, answer.text
    assert answer.json()["audience"] == server.address
    return str(answer.json()["nonce"])


def submit(server: Server, key: Key, nonce: str, *, audience: str = "", **more: Any) -> httpx.Response:
    signature = key.sign(audience or server.address, nonce)
    return server.post("/api/players/session", {"key": key.public, "nonce": nonce, "signature": signature, **more})


def ask(server: Server, path: str, session: dict[str, str]) -> httpx.Response:
    return httpx.get(f"{server.address}{path}", headers=session, timeout=PATIENCE)


def own_seats(server: Server, session: dict[str, str]) -> list[tuple[str, int]]:
    answer = ask(server, "/api/players/me/seats", session)
    assert answer.status_code == 200, answer.text
    return [(each["match"], each["seat"]) for each in answer.json()]


def create(server: Server, session: dict[str, str], **more: Any) -> dict[str, Any]:
    wanted = {"game": "ur", "seats": ["open", "open"], "sit": 0, **more}
    answer = server.post("/api/matches", wanted, **session)
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


def join(server: Server, made: dict[str, Any], session: dict[str, str]) -> dict[str, Any]:
    answer = server.post(f"/api/matches/{made['match']}/seats", {"invite": server.invite(made)}, **session)
    assert answer.status_code == 201, answer.text
    joined: dict[str, Any] = answer.json()
    return joined


def table_of(server: Server, match: str, session: dict[str, str]) -> dict[str, Any]:
    answer = ask(server, f"/api/matches/{match}/table", session)
    assert answer.status_code == 200, answer.text
    table: dict[str, Any] = answer.json()["table"]
    return table


@contextlib.contextmanager
def device(server: Server, match: str, session: dict[str, str]) -> Iterator[Callable[[], dict[str, Any]]]:
    """A connection with a session instead of a seat's secret; gives what it hears next."""
    address = f"{server.address.replace('http', 'ws', 1)}/api/matches/{match}/socket"
    with connect(address, additional_headers=session, open_timeout=PATIENCE) as socket:
        yield lambda: json.loads(socket.recv(PATIENCE))


def admin(server: Server, *words: str) -> str:
    done = run(["admin", *words, "--database", server.database])
    assert done.returncode == 0, done.stderr
    return done.stdout


# Signing in ------------------------------------------------------------------------------------------------------


def test_a_player_signs_in_and_is_known_again(server: Server) -> None:
    key = Key()
    first = key.sign_in(server, name="  Ida \t", face="00ff", lang="de")
    assert ask(server, "/api/players/me", first).json() == {
        "key": key.public, "name": "Ida", "face": "00ff", "lang": "de",
    }  # fmt: skip
    second = key.sign_in(server, face="01")
    assert [submit(server, each, challenge(server)).json()["new"] for each in (key, Key())] == [False, True]
    assert ask(server, "/api/players/me", second).json()["name"] == "Ida"  # who says nothing keeps its name
    assert ask(server, "/api/players/me", first).json()["face"] == "01"
    assert ask(server, "/api/players/me", {}).json()["code"] == "not_signed_in"


def test_forged_signatures_are_refused(server: Server) -> None:
    key, other = Key(), Key()
    for nonce, signature in (
        (one := challenge(server), other.sign(server.address, one)),  # somebody else's
        (two := challenge(server), key.sign("http://evil.example", two)),  # given to another server
        (three := challenge(server), key.sign(server.address, three + "0")),
        (challenge(server), "00" * 64),
    ):
        answer = server.post("/api/players/session", {"key": key.public, "nonce": nonce, "signature": signature})
        assert (answer.status_code, answer.json()["code"]) == (401, "wrong_signature")
    made_up = f"{'ab' * 8}.{10**15}.{'0' * 32}"
    assert submit(server, key, made_up).json()["code"] == "wrong_signature"
    assert submit(server, key, "nonsense").json()["code"] == "malformed"
    no_key = {"key": "ff" * 32, "nonce": challenge(server), "signature": "00" * 64}
    assert server.post("/api/players/session", no_key).json()["code"] == "wrong_signature"


def test_a_signature_counts_once(server: Server) -> None:
    key = Key()
    nonce = challenge(server)
    assert submit(server, key, nonce).status_code == 200
    again = submit(server, key, nonce)
    assert (again.status_code, again.json()["code"]) == (401, "wrong_signature")


def test_no_process_of_a_store_takes_a_nonce_twice(place: str) -> None:
    async def twice(store: Store) -> None:
        await players.sign_in(store, "n1", "00" * 32, Profile(name="Ida"))
        with pytest.raises(Problem) as refused:
            await players.sign_in(store, "n1", "00" * 32, Profile())
        assert refused.value.code == "wrong_signature"
        assert (await players.sign_in(store, "n2", "00" * 32, Profile(face="0f"))).name == "Ida"

    with_store(place, twice)


def test_nonces_and_sessions_are_dated_and_sealed() -> None:
    ours, theirs = Sessions("one"), Sessions("two")
    nonce, session = ours.nonce(0), ours.session("ab" * 32, 0)
    ours.check_nonce(nonce, sessions.NONCE_MS)
    assert ours.player(session, sessions.SESSION_MS) == "ab" * 32
    assert ours.player(session, sessions.SESSION_MS + 1) is None
    assert theirs.player(session, 0) is None
    assert ours.player(nonce, 0) is None  # one is not the other
    assert ours.player(session.replace("ab", "cd", 1), 0) is None
    for broken in ("", ".", "a.b.c", session + "0"):
        assert ours.player(broken, 0) is None
    with pytest.raises(Problem):
        ours.check_nonce(nonce, sessions.NONCE_MS + 1)
    with pytest.raises(Problem):
        theirs.check_nonce(nonce, 0)


def test_an_address_signs_in_so_often(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "SIGN_INS", 2)  # one at once, and another one after half a minute
    with threaded(tmp_path / "s.db", rate=6000) as server:
        answers = [submit(server, Key(), challenge(server)).status_code for _ in range(5)]
    assert answers[0] == 200
    assert 429 in answers


def test_a_challenge_says_whose_session_a_browser_has(server: Server) -> None:
    key = Key()
    assert server.post("/api/players/challenge", {}).json()["player"] is None
    session = key.sign_in(server)
    told = server.post("/api/players/challenge", {}, **session).json()
    assert told["player"] == key.public
    assert 0 < told["seconds"] <= sessions.SESSION_MS // 1000
    forged = {"astragal-player": session["astragal-player"][:-1] + "g"}
    assert server.post("/api/players/challenge", {}, **forged).json()["player"] is None
    with httpx.Client(base_url=server.address, headers={"origin": server.address}) as browser:
        nonce = browser.post("/api/players/challenge", json={}).json()["nonce"]
        body = {"key": key.public, "nonce": nonce, "signature": key.sign(server.address, nonce)}
        assert browser.post("/api/players/session", json=body).status_code == 200
        assert browser.get("/api/players/me").json()["key"] == key.public  # by the cookie
        assert browser.delete("/api/players/session").status_code == 204
        assert browser.get("/api/players/me").json()["code"] == "not_signed_in"


def test_two_sessions_in_one_request_are_refused(server: Server) -> None:
    one, other = (("astragal-player", Key().sign_in(server)["astragal-player"]) for _ in range(2))
    answer = httpx.get(f"{server.address}/api/players/me", headers=[one, other], timeout=PATIENCE)
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


def test_an_address_brings_so_many_new_players_a_day(tmp_path: Path) -> None:
    with threaded(tmp_path / "s.db", daily_players=2) as server:
        known, nonce = Key(), challenge(server)
        assert [submit(server, key, challenge(server)).status_code for key in (known, Key())] == [200, 200]
        refused = submit(server, Key(), nonce)
        assert (refused.status_code, refused.json()["code"]) == (429, "quota")
        assert "retry-after" in refused.headers
        assert submit(server, known, nonce).status_code == 200  # as often as it likes; nothing of the refusal was kept


def test_players_without_a_match_are_forgotten_after_a_while(place: str) -> None:
    async def forgotten(store: Store) -> None:
        for n, name in enumerate(("unused", "banned", "renamed", "seated")):
            await players.sign_in(store, name, f"{n:064x}", Profile(name=name))
        await players.ban(store, f"{1:064x}", on=True)
        await players.rename(store, f"{2:064x}", "Polite")
        await store.create(stored_match("m1"), [], [None, None], owners=[None, f"{3:064x}"])
        assert await players.forget_unused(store, store.clock.now() - 60_000) == 0
        assert await players.forget_unused(store, store.clock.now() + 60_000) == 1
        assert sorted(row.name for row in await players.listed(store)) == ["Polite", "banned", "seated"]

    with_store(place, forgotten)


# Seats -----------------------------------------------------------------------------------------------------------


def test_games_follow_a_player_to_another_device(server: Server) -> None:
    ida, ben = Key(), Key()
    first = ida.sign_in(server, name="Ida")
    made = create(server, first)
    joined = join(server, made, ben.sign_in(server, name="Ben"))
    names = [place["name"] for place in table_of(server, made["match"], first)["seats"]]
    assert names == ["Ida", "Ben"]
    second = ida.sign_in(server)  # the same key elsewhere
    assert own_seats(server, second) == [(made["match"], 0)]
    with device(server, made["match"], first) as here, device(server, made["match"], second) as there:  # both at once
        assert [hear()["table"]["you"] for hear in (here, there)] == [0, 0]
    assert table_of(server, made["match"], ben.sign_in(server))["you"] == joined["seat"] == 1
    assert table_of(server, made["match"], Key().sign_in(server))["you"] is None  # a stranger watches


def test_two_devices_with_one_key_cannot_move_twice(server: Server) -> None:
    ida = Key()
    devices = [ida.sign_in(server), ida.sign_in(server)]
    made = create(server, devices[0])
    guest = join(server, made, {})
    path, turns = f"/api/matches/{made['match']}/commands", 0
    while turns < 4:
        one, other = (table_of(server, made["match"], each) for each in devices)
        assert one["n"] == other["n"]
        if not one["actions"]:  # the guest's turn
            table = server.get(f"/api/matches/{made['match']}/table", guest["secret"]).json()["table"]
            act = {"type": "act", "ply": table["ply"], "text": table["actions"][0]["text"]}
            assert server.post(path, act, guest["secret"]).status_code == 200
            continue
        texts = [action["text"] for action in one["actions"]]
        acts = [{"type": "act", "ply": one["ply"], "text": text} for text in (texts[0], texts[-1])]
        with ThreadPoolExecutor(2) as pool:
            asked = [pool.submit(server.post, path, acts[n], **devices[n]) for n in range(2)]
        answers = [each.result() for each in asked]
        if texts[0] != texts[-1]:  # whoever was later is told so
            assert sorted(answer.status_code for answer in answers) == [200, 409]
        else:  # the same again happens once
            assert sorted(answer.json()["repeated"] for answer in answers) == [False, True]
            assert len({answer.json()["n"] for answer in answers}) == 1
        turns += 1


def test_the_name_and_face_of_a_player_are_seen_at_the_table(server: Server) -> None:
    session = Key().sign_in(server, name="Ida", face="00ff")
    made = create(server, session)
    friend = server.post(
        f"/api/matches/{made['match']}/seats", {"invite": server.invite(made)}, **session
    )  # at the same device
    assert friend.status_code == 201
    seats = table_of(server, made["match"], {})["seats"]
    assert [(place["name"], place["face"]) for place in seats] == [("Ida", "00ff"), ("", "")]
    assert own_seats(server, session) == [(made["match"], 0), (made["match"], 1)]


def test_guests_play_as_before_and_own_nothing(server: Server) -> None:
    made = server.create("ur", ["open", "open"])
    joined = server.join(made)
    with Player(server, made["match"], joined["secret"]) as guest:
        assert guest.hear()["table"]["you"] == 1
    assert own_seats(server, Key().sign_in(server)) == []


def test_a_seat_that_was_left_is_nobodys(server: Server) -> None:
    key = Key()
    session = key.sign_in(server)
    made = create(server, session)
    with Player(server, made["match"], made["secret"]) as player:
        player.hear()
        assert player.do(type="leave")["type"] == "done"
    assert own_seats(server, session) == []
    assert table_of(server, made["match"], session)["you"] is None


def test_the_next_match_belongs_to_the_same_players(server: Server) -> None:
    ida = Key()
    session = ida.sign_in(server)
    made = create(server, session)
    joined = server.join(made)
    with (
        Player(server, made["match"], made["secret"]) as one,
        Player(server, made["match"], joined["secret"]) as two,
    ):
        one.hear()
        two.hear()
        assert two.do(type="resign")["type"] == "done"
        for seat, player in enumerate((one, two)):
            begins = 0 if two.table["chooser"] == seat else None
            assert player.do(type="again", begins=begins)["type"] == "done"
        onward = one.until(lambda message: message["type"] == "news" and message["table"]["next_match"])
    assert set(own_seats(server, session)) == {(made["match"], 0), (onward["table"]["next_match"], 0)}
    path, elsewhere = f"/api/matches/{made['match']}/onward", ida.sign_in(server)
    assert server.post(path, {}, **elsewhere).json() == {"match": onward["table"]["next_match"], "seats": [0]}
    assert server.post(path, {}).json()["seats"] == []


# The host --------------------------------------------------------------------------------------------------------


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.needs("initdb"))])
def own(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    """A server of the test's own, on each kind of store."""
    where = str(tmp_path / "s.db") if request.param == "sqlite" else str(request.getfixturevalue("database"))
    with Server(where) as running:
        yield running


def log(server: Server, match: str) -> str:
    """All that the store holds of a match."""

    async def rows(store: Store) -> str:
        return str(await store.rows(match))

    return with_store(server.database, rows)


def eventually(ask: Callable[[], bool]) -> None:
    """Running servers see the host's orders within a second, on a busy machine later."""
    until = time.monotonic() + PATIENCE
    while not ask():
        assert time.monotonic() < until
        time.sleep(0.1)


def test_the_host_renames_bans_and_lets_in_again(own: Server) -> None:
    key = Key()
    session = key.sign_in(own, name="Rude")
    made = create(own, session)
    admin(own, "player-rename", key.public, "Polite")
    assert ask(own, "/api/players/me", key.sign_in(own, name="Rude")).json()["name"] == "Polite"
    assert "Polite" in admin(own, "players")
    assert [(row["name"], row["seats"]) for row in json.loads(admin(own, "players", "--json"))] == [("Polite", 1)]
    renamed = create(own, key.sign_in(own, name="Rude"), name="Rude")
    assert table_of(own, renamed["match"], {})["seats"][0]["name"] == "Polite"
    with Player(own, made["match"], made["secret"]) as connected:
        connected.hear()
        admin(own, "player-ban", key.public[:6])
        with pytest.raises(Exception, match="1012"):  # noqa: PT012
            while True:
                connected.hear()
    assert submit(own, key, challenge(own)).json()["code"] == "banned"
    assert ask(own, "/api/players/me", session).json()["code"] == "banned"
    assert own.get(f"/api/matches/{made['match']}/table", made["secret"]).json()["code"] == "banned"
    assert own.post("/api/matches", {"game": "ur", "seats": ["open", "open"]}, **session).json()["code"] == "banned"
    admin(own, "player-unban", key.public)
    eventually(lambda: ask(own, "/api/players/me", session).status_code == 200)
    assert table_of(own, made["match"], session)["you"] == 0


def test_all_of_ones_data_is_exported_and_nothing_of_others(own: Server) -> None:
    ida, ben = Key(), Key()
    session = ida.sign_in(own, name="Ida")
    made = create(own, session)
    joined = join(own, made, ben.sign_in(own, name="Ben"))
    with Player(own, made["match"], made["secret"]) as one, Player(own, made["match"], joined["secret"]) as two:
        assert one.do(type="say", text="my words")["type"] == "done"
        assert two.do(type="say", text="their words")["type"] == "done"
    exported = admin(own, "player-export", ida.public)
    assert json.loads(exported) == ask(own, "/api/players/me/export", session).json()
    assert json.loads(exported)["player"]["name"] == "Ida"
    assert "my words" in exported
    assert "their words" not in exported
    assert "Ben" not in exported


def test_a_forgotten_player_leaves_only_moves(own: Server) -> None:
    ida, ben = Key(), Key()
    session, other = ida.sign_in(own, name="Ida-Unique"), ben.sign_in(own, name="Ben")
    made = create(own, session)
    joined = join(own, made, other)
    lobby = create(own, session)
    with Player(own, made["match"], made["secret"]) as one, Player(own, made["match"], joined["secret"]) as two:
        assert one.do(type="say", text="my words")["type"] == "done"
        assert two.do(type="say", text="their words")["type"] == "done"
    admin(own, "player-forget", ida.public)
    everything = log(own, made["match"]) + log(own, lobby["match"])
    assert "Ida-Unique" not in everything
    assert "my words" not in everything
    assert "their words" in everything
    assert ida.public not in admin(own, "players")
    eventually(lambda: "Ida-Unique" not in str(table_of(own, made["match"], other)))
    eventually(lambda: ask(own, "/api/players/me", session).json()["code"] == "not_signed_in")
    table = table_of(own, made["match"], other)
    assert [place["player"] for place in table["seats"]] == ["bot:greedy", "human"]  # the match goes on
    assert own_seats(own, other) == [(made["match"], 1)]
    assert own.get(f"/api/matches/{made['match']}/table", made["secret"]).status_code == 401


def test_a_player_can_have_everything_forgotten(own: Server) -> None:
    ida = Key()
    session = ida.sign_in(own, name="Ida-Unique")
    made = create(own, session)
    join(own, made, {})
    assert own.post("/api/players/me/forget", {}).json()["code"] == "not_signed_in"
    assert own.post("/api/players/me/forget", {}, **session).status_code == 202
    eventually(lambda: not with_store(own.database, players.listed))
    assert "Ida-Unique" not in log(own, made["match"])
    eventually(lambda: ask(own, "/api/players/me", session).json()["code"] == "not_signed_in")
    again = ida.sign_in(own)  # whoever comes back with the key begins anew
    assert ask(own, "/api/players/me", again).json()["name"] == ""
    assert own_seats(own, again) == []


def test_the_host_names_a_player_by_the_beginning_of_its_key(place: str) -> None:
    async def named(store: Store) -> None:
        for n, key in enumerate(("abcd0" + "0" * 59, "abcd1" + "0" * 59)):
            await players.sign_in(store, str(n), key, Profile())
        assert await players.named(store, "ABCD1") == "abcd1" + "0" * 59
        for start, code in (("abcd", "malformed"), ("abc", "malformed"), ("abcd2", "not_found"), ("%bcd", "not_found")):
            with pytest.raises(Problem) as refused:
                await players.named(store, start)
            assert refused.value.code == code

    with_store(place, named)
