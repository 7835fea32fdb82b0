"""Friends by mutual consent and invitations: who learns what of whom, and who does not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from astragal.server import friends, tables
from astragal.server.store import Store
from tests.server.cup import Cup, Guest
from tests.server.halls import Hall
from tests.server.running import PATIENCE, Player, Server
from tests.server.test_players import Key, admin, ask, create, join, own_seats
from tests.server.test_store import with_store


class Somebody:
    """A player who has signed in."""

    def __init__(self, server: Server, name: str) -> None:
        self.key, self.server, self.name = Key(), server, name
        self.session = self.key.sign_in(server, name=name)

    def call(self, method: str, path: str, body: Any = None) -> httpx.Response:
        address = f"{self.server.address}/api/meeting{path}"
        return httpx.request(method, address, json=body, headers=self.session, timeout=PATIENCE)

    def befriend(self, other: Somebody) -> int:
        return self.call("PUT", f"/friends/{other.key.public}").status_code

    def part(self, other: Somebody) -> int:
        return self.call("DELETE", f"/friends/{other.key.public}").status_code

    def hall(self) -> Hall:
        return Hall(self.server, self.session)


def played(server: Server, one: Somebody, two: Somebody) -> str:
    made = create(server, one.session)
    join(server, made, two.session)
    return str(made["match"])


def told(hall: Hall, other: Somebody, state: str, *, online: bool | None = None) -> dict[str, Any]:
    """Waits until the hall says so of somebody."""

    def fits(message: dict[str, Any]) -> bool:
        return any(
            person["key"] == other.key.public and person["state"] == state and online in (None, person["online"])
            for person in message["people"]
        )

    return hall.until("people", fits)


def test_friends_see_each_other_come_and_go_after_both_agreed(server: Server) -> None:
    ida, ben = Somebody(server, "Ida"), Somebody(server, "Ben")
    assert ida.befriend(ben) == 404  # nobody she has played with
    played(server, ida, ben)
    with ida.hall() as hers:
        told(hers, ben, "known")
        assert ida.befriend(ben) == 204
        told(hers, ben, "asked", online=False)
        with ben.hall() as his:
            told(his, ida, "asks", online=False)  # she is here, and he is not told
            assert ben.befriend(ida) == 204
            told(his, ida, "friend", online=True)
            told(hers, ben, "friend", online=True)
        told(hers, ben, "friend", online=False)  # he has gone
        assert ben.part(ida) == 204
        told(hers, ben, "asked", online=False)  # as if he had never answered
        assert ida.befriend(ben) == 204  # asking again changes nothing
        with ben.hall() as his:
            told(his, ida, "known")
            assert ben.befriend(ida) == 204  # now he asks, and she has to agree anew
            told(hers, ben, "asks", online=False)
            assert ida.part(ben) == 204
            told(his, ida, "asked", online=False)  # who is declined is not told
            told(hers, ben, "known", online=False)


def test_nobody_else_can_tell_whether_somebody_is_there(tmp_path: Path) -> None:
    """What a stranger, somebody one has played with and somebody who has asked are told is the same either way."""
    with Server(tmp_path / "s.db") as server:
        ida, friend, asker = Somebody(server, "Ida"), Somebody(server, "Ben"), Somebody(server, "Cem")
        met, declined, stranger = Somebody(server, "Dora"), Somebody(server, "Emil"), Somebody(server, "Fay")
        for other in (friend, asker, met, declined):
            played(server, ida, other)
        ida.befriend(friend)
        friend.befriend(ida)
        asker.befriend(ida)
        declined.befriend(ida)
        ida.part(declined)
        others = {"friend": friend, "asker": asker, "met": met, "declined": declined, "stranger": stranger}
        halls = {name: other.hall() for name, other in others.items()}
        guest = Hall(server)
        for name, hall in halls.items():
            if name != "stranger":
                hall.until("people")
        for hall in (*halls.values(), guest):
            while hall.quiet(0.5):  # what they are told at first may come late
                pass
        for hall in (*halls.values(), guest):
            hall.messages.clear()
        with ida.hall() as hers:
            hers.until("people")
            told(halls["friend"], ida, "friend", online=True)
            heard = {name: hall.quiet(0.7) for name, hall in halls.items() if name != "friend"}
        assert heard == {"asker": [], "met": [], "declined": [], "stranger": []}
        assert guest.quiet(0.3) == []
        for hall in (*halls.values(), guest):
            hall.__exit__()


def test_an_invitation_is_accepted_or_declined(server: Server) -> None:
    ida, ben, cem = Somebody(server, "Ida"), Somebody(server, "Ben"), Somebody(server, "Cem")
    played(server, ida, ben)
    made = create(server, ida.session, clock="3d/move")
    path = f"/tables/{made['match']}"
    assert ida.call("POST", f"{path}/invitations", {"player": cem.key.public}).status_code == 404  # she knows only Ben
    assert cem.call("POST", f"{path}/invitations", {"player": ben.key.public}).status_code == 403  # not his table
    assert ben.call("POST", f"{path}/accept", {}).status_code == 404  # not invited yet
    with ben.hall() as his:
        assert ida.call("POST", f"{path}/invitations", {"player": ben.key.public}).status_code == 204
        invited = his.until("people", lambda message: bool(message["invitations"]))["invitations"]
        assert [(one["host"]["name"], one["match"]["match"]) for one in invited] == [("Ida", made["match"])]
        assert ben.call("POST", f"{path}/decline").status_code == 204
        his.until("people", lambda message: not message["invitations"])
        assert ida.call("GET", f"{path}/invitations").json() == [{"player": ben.key.public, "declined": True}]
        ida.call("POST", f"{path}/invitations", {"player": ben.key.public})  # who has declined is not asked again
        assert ben.call("POST", f"{path}/accept", {}).status_code == 404
        other = create(server, ida.session)
        ida.call("POST", f"/tables/{other['match']}/invitations", {"player": ben.key.public})
        his.until("people", lambda message: bool(message["invitations"]))
        seated = ben.call("POST", f"/tables/{other['match']}/accept", {})
        assert seated.json()["seat"] == 1, seated.text
        his.until("people", lambda message: not message["invitations"])
    assert (other["match"], 1) in own_seats(server, ben.session)


def test_what_is_kept_of_a_player_is_exported_and_forgotten(tmp_path: Path) -> None:
    with Server(tmp_path / "s.db") as server:
        ida, ben = Somebody(server, "Ida"), Somebody(server, "Ben")
        played(server, ida, ben)
        ida.befriend(ben)
        ben.befriend(ida)
        kept = ask(server, "/api/players/me/export", ida.session).json()["personal"]
        assert {(row["player"], row["other"]) for row in kept["friends"]} == {
            (ida.key.public, ben.key.public),
            (ben.key.public, ida.key.public),
        }
        admin(server, "player-forget", ida.key.public)
        with ben.hall() as his:
            assert his.until("people")["people"] == []


@pytest.mark.needs("initdb")
def test_friends_at_two_servers_see_each_other(servers: tuple[Server, Server]) -> None:
    here, there = servers
    ida, ben = Somebody(here, "Ida"), Somebody(here, "Ben")
    played(here, ida, ben)
    ida.befriend(ben)
    ben.befriend(ida)
    with ida.hall() as hers:
        told(hers, ben, "friend", online=False)
        with Hall(there, ben.session) as his:
            told(his, ida, "friend", online=True)
            told(hers, ben, "friend", online=True)
        told(hers, ben, "friend", online=False)


def test_who_was_declined_cannot_ask_again_and_again(server: Server) -> None:
    ida, ben = Somebody(server, "Ida"), Somebody(server, "Ben")
    played(server, ida, ben)
    assert ben.befriend(ida) == 204
    assert ida.part(ben) == 204
    with ben.hall() as his, ida.hall() as hers:
        told(his, ida, "asked")
        assert ben.part(ida) == 204  # he takes back what he does not know to be declined
        told(his, ida, "known")
        exported = ask(server, "/api/players/me/export", ben.session).json()["personal"]["friends"]
        assert exported == []
        assert ben.befriend(ida) == 204
        told(his, ida, "asked")
        told(hers, ben, "known")
        assert ida.befriend(ben) == 204  # it is for her to ask now
        told(his, ida, "asks")


def test_friends_stay_in_a_list_that_strangers_fill(tmp_path: Path) -> None:
    async def crowd(store: Store) -> None:
        async with store.changing() as connection:
            for n in range(friends.MOST_KNOWN + 5):
                row = {"key": f"{n:064}", "name": "", "face": "", "lang": "en", "created_ms": 0, "seen_ms": n}
                await connection.execute(sa.insert(tables.players), {**row, "renamed": False, "banned": False})
                both = [{"match": f"m{n}", "seat": seat, "player": key} for seat, key in enumerate(("me", row["key"]))]
                await connection.execute(sa.insert(tables.seats), both)
        friend, asked, asks = (f"{n:064}" for n in range(3))  # whom nobody has seen for long
        for one, other in (("me", friend), (friend, "me"), ("me", asked), (asks, "me")):
            await friends.ask(store, one, other)
        people = await friends.people(store, "me", lambda _: False)
        assert len(people) == friends.MOST_KNOWN
        assert [(person.key, person.state) for person in people[:3]] == [
            (friend, "friend"),
            (asked, "asked"),
            (asks, "asks"),
        ]

    with_store(tmp_path / "s.db", crowd)


def test_the_seats_of_a_tournament_are_not_given_away(server: Server) -> None:
    ida, eve, cup = Somebody(server, "Ida"), Somebody(server, "Eve"), Cup(server)
    played(server, ida, eve)
    assert server.post(f"{cup.path}/entrants", {}, **ida.session).status_code == 201
    ben = Guest(cup, "Ben")
    cup.do("begin")
    match = ben.until("play")["match"]
    assert server.post(f"{cup.path}/me/sit", {}, **ida.session).status_code == 200
    path = f"/tables/{match}"
    assert ida.call("POST", f"{path}/invitations", {"player": eve.key.public}).json()["code"] == "forbidden"
    assert eve.call("POST", f"{path}/accept", {}).json()["code"] == "forbidden"
    assert ben.sit() == match


def test_an_invitation_to_a_rated_table_is_accepted_once(server: Server) -> None:
    ida, ben = Somebody(server, "Ida"), Somebody(server, "Ben")
    played(server, ida, ben)
    made = create(server, ida.session, rated=True)
    path = f"/tables/{made['match']}"
    assert ida.call("POST", f"{path}/invitations", {"player": ben.key.public}).status_code == 204
    seated = ben.call("POST", f"{path}/accept", {})
    assert seated.status_code == 201, seated.text
    assert ben.call("POST", f"{path}/accept", {}).json()["code"] == "not_possible"  # he sits there
    assert ida.call("POST", f"{path}/invitations", {"player": ben.key.public}).json()["code"] == "not_possible"


def test_an_invitation_is_used_up_but_not_by_failing_to_sit_down(server: Server) -> None:
    ida, ben = Somebody(server, "Ida"), Somebody(server, "Ben")
    played(server, ida, ben)
    made = create(server, ida.session, game="egar", seats=["open"] * 4, commitment="ef" * 32)
    path = f"/tables/{made['match']}"
    assert ida.call("POST", f"{path}/invitations", {"player": ben.key.public}).status_code == 204
    assert ben.call("POST", f"{path}/accept", {"commitment": "ef" * 32}).json()["code"] == "not_possible"  # Ida's
    seated = ben.call("POST", f"{path}/accept", {}).json()
    with Player(server, made["match"], seated["secret"]) as player:
        player.hear()
        assert player.do(type="leave")["type"] == "done"
    assert ben.call("POST", f"{path}/accept", {}).json()["code"] == "not_found"
