"""Tournaments on a real server, and people who take part in them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

import httpx

from tests.server.running import PATIENCE, Server


class Cup:
    """A tournament as its organiser sees it."""

    def __init__(self, server: Server, format: str = "swiss", game: str = "ur", **more: Any) -> None:
        self.server = server
        wanted = {"title": "Cup", "format": format, "game": game, **more}
        answer = server.post("/api/tournaments", wanted)
        assert answer.status_code == 201, answer.text
        self.made: dict[str, Any] = answer.json()
        self.id, self.secret = str(self.made["tournament"]), str(self.made["secret"])
        self.path = f"/api/tournaments/{self.id}"

    def order(self, type: str, **more: Any) -> httpx.Response:
        return self.server.post(f"{self.path}/orders", {"type": type, **more}, self.secret)

    def do(self, type: str, **more: Any) -> dict[str, Any]:
        answer = self.order(type, **more)
        assert answer.status_code == 200, answer.text
        done: dict[str, Any] = answer.json()
        return done

    def sheet(self) -> dict[str, Any]:
        answer = self.server.get(self.path)
        assert answer.status_code == 200, answer.text
        sheet: dict[str, Any] = answer.json()
        return sheet

    def rounds(self) -> list[dict[str, Any]]:
        rounds: list[dict[str, Any]] = self.server.get(f"{self.path}/rounds").json()
        return rounds

    def bots(self, count: int, bot: str = "random") -> None:
        for n in range(count):
            self.do("add bot", bot=bot, name=f"Bot {n + 1}")

    def guests(self, *names: str) -> list[Guest]:
        return [Guest(self, name) for name in names]

    def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The sheet as soon as it is so."""
        end = time.monotonic() + PATIENCE
        while not wanted(sheet := self.sheet()):
            assert time.monotonic() < end, sheet
            time.sleep(0.05)
        return sheet

    def points(self) -> dict[str, float]:
        return {row["name"]: row["points"] for row in self.sheet()["standings"]}


class Guest:
    """Somebody who takes part with a secret."""

    def __init__(self, cup: Cup, name: str, server: Server | None = None) -> None:
        self.cup, self.name, self.server = cup, name, server or cup.server
        answer = self.server.post(f"{cup.path}/entrants", {"name": name})
        assert answer.status_code == 201, answer.text
        self.entrant, self.secret = answer.json()["entrant"], answer.json()["secret"]
        self.seats: dict[str, str] = {}  # secrets of seats, by match

    def post(self, path: str, body: Any = None) -> httpx.Response:
        return self.server.post(f"{self.cup.path}/me/{path}", {} if body is None else body, self.secret)

    def me(self) -> dict[str, Any]:
        answer = self.server.get(f"{self.cup.path}/me", self.secret)
        assert answer.status_code == 200, answer.text
        own: dict[str, Any] = answer.json()["own"]
        return own

    def until(self, state: str) -> dict[str, Any]:
        end = time.monotonic() + PATIENCE
        while (own := self.me())["state"] != state:
            assert time.monotonic() < end, own
            time.sleep(0.05)
        return own

    def sit(self) -> str:
        """Sits down at the next match; its name."""
        answer = self.post("sit")
        assert answer.status_code == 200, answer.text
        match = str(answer.json()["match"])
        self.seats[match] = answer.json()["secret"]
        return match

    def resign(self, match: str) -> None:
        answer = self.server.post(f"/api/matches/{match}/commands", {"type": "resign"}, self.seats[match])
        assert answer.status_code == 200, answer.text


def play_round(guests: list[Guest], winner: Callable[[list[Guest]], Guest], round: int | None = None) -> None:
    """All of them who have a match sit down, and everybody but the winner gives up; alone among bots everybody does.

    With the number of a round only matches of that one are played.
    """
    tables: dict[str, list[Guest]] = {}
    for guest in guests:
        own = guest.me()
        if own["state"] != "play" or round not in (None, own["round"]):
            continue
        answer = guest.post("sit")
        if answer.status_code == 200:  # else it has ended in this moment
            match = str(answer.json()["match"])
            guest.seats[match] = answer.json()["secret"]
            tables.setdefault(match, []).append(guest)
    for match, there in tables.items():
        if there[0].server.get(f"/api/matches/{match}").json()["status"] != "running":
            continue  # it is over, and the tournament has not noted it yet
        for guest in there:
            if len(there) == 1 or guest is not winner(there):
                guest.resign(match)


def play_until(
    cup: Cup,
    guests: list[Guest],
    winner: Callable[[list[Guest]], Guest],
    wanted: Callable[[dict[str, Any]], bool],
) -> dict[str, Any]:
    """Plays this round, also where matches are made a moment later than others; the sheet as soon as it is so."""
    end, round = time.monotonic() + PATIENCE, cup.sheet()["round"]
    while not wanted(sheet := cup.sheet()):
        assert time.monotonic() < end, sheet
        play_round(guests, winner, round)
        time.sleep(0.05)
    return sheet


def first_to_play(guests: Iterable[Guest]) -> Guest:
    """One of them whose match is made, as soon as there is one."""
    there, end = list(guests), time.monotonic() + PATIENCE
    while True:
        for guest in there:
            if guest.me()["state"] == "play":
                return guest
        assert time.monotonic() < end
        time.sleep(0.05)
