"""Nothing but views and events of a seat ever leaves the server: two matches that differ only in what a seat may not
know send it the same bytes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import httpx
import msgspec
import pytest
from msgspec.structs import replace

from astragal.core.record import Drew
from astragal.games.egar.cards import Words
from astragal.games.egar.deck import Deck
from astragal.play.match import Happening, Match
from tests.games.egar.table import card
from tests.server.running import Player, Server, closing, threaded


class Twins:
    """Two matches whose chance is injected: the second draws what looks the same to seat 0, and is not, if it can."""

    def __init__(self) -> None:
        self.seen: list[tuple[bytes, bytes, str]] = []  # what seat 0 and spectators see after each draw of the first
        self.drawn: dict[str, int] = {}
        self.first: str | None = None
        self.different = 0
        self.rng = Random(11)

    def draw(self, match: Match) -> Happening:
        """In the place of `Match.draw`."""
        rules, state = match.game.rules, match._line.state
        outcomes = [(action, weight) for action, weight in rules.chance(state) if weight]
        self.first = self.first or match.id
        number = self.drawn[match.id] = self.drawn.get(match.id, -1) + 1

        def looks(action: Any) -> tuple[bytes, bytes]:
            after = rules.apply(state, action)
            pair = [(rules.event(state, action, seat), rules.observe(after, seat)) for seat in (0, None)]
            return msgspec.json.encode(pair[0]), msgspec.json.encode(pair[1])

        if match.id == self.first:
            action = self.rng.choice(outcomes)[0]
            self.seen.append((*looks(action), rules.encode(action)))
        else:
            *before, text = self.seen[number]
            alike = [action for action, _ in outcomes if looks(action) == tuple(before)]
            same = next((action for action in alike if rules.encode(action) == text), alike[0])
            other = [action for action in alike if action != same]
            differs = bool(other) and number % 2 == 1  # some stay the same, so that both can play alike
            self.different += differs
            action = self.rng.choice(other) if differs else same
        weights = tuple(weight for _, weight in rules.chance(state))
        return match.add(Drew(match._line.drawn, rules.encode(action), weights))


@pytest.fixture
def twins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Server, Twins]]:
    """A real server with real sockets in a thread of this process, so that its chance can be injected."""
    pair = Twins()
    monkeypatch.setattr(Match, "draw_chance", lambda match: pair.draw(match))
    with threaded(tmp_path / "twins.db") as server:
        yield server, pair


def bare(player: Player) -> list[str]:
    """Everything this connection was sent, without ids, times and commitments."""
    sent = [msgspec.json.encode(message).decode() for message in player.messages if message["type"] == "news"]
    return [
        re.sub(r'"(at|now|falls_at|answer_from|answer_by)":\d+', r'"\1":0', re.sub(r"[0-9a-f]{64}", "-", text)).replace(
            player.match, "-"
        )
        for text in sent
    ]


def in_step(tables: list[list[Player]], until: Callable[[dict[str, Any]], bool], most: int) -> int:
    """Both tables play the same public actions, as long as there is one that both have; says how many."""
    made = 0
    for made in range(most):
        for players in tables:
            newest = httpx.get(f"{players[0].server.address}/api/matches/{players[0].match}/table").json()["table"]["n"]
            for player in players:
                player.until_table(lambda table, newest=newest: table["n"] >= newest)  # type: ignore[misc]
        turn = tables[0][0].table["turn"]
        if turn < 0 or turn != tables[1][0].table["turn"] or until(tables[0][turn].table):
            break
        options = [[action["text"] for action in players[turn].table["actions"]] for players in tables]
        both = [text for text in options[0] if text in options[1]]
        if not both:
            break
        text = both[-1] if made % 3 else both[0]
        for players in tables:
            assert players[turn].act(text)["type"] == "done"
    return made


def compare(tables: list[list[Player]], spectators: list[Player]) -> None:
    for pair in ([tables[0][0], tables[1][0]], spectators):
        for player in pair:
            player.until_table(lambda table, n=tables[0][0].table["n"]: table["n"] >= n)  # type: ignore[misc]
        first, second = (bare(player) for player in pair)
        assert len(first) >= 3
        assert first == second


def test_other_racks_of_nile_look_the_same(twins: tuple[Server, Twins]) -> None:
    server, chance = twins
    tables = [server.table("nile", 2, options={"begins": 0, "board": "small"}) for _ in range(2)]
    watching = [Player(server, table[0].match, None) for table in tables]
    with closing([*tables[0], *tables[1], *watching]):
        made = in_step(tables, lambda _table: False, 12)
        assert made >= 4
        assert chance.different >= 3  # seat 1 really holds other tiles
        racks = [table[1].table["view"]["rack"] for table in tables]
        assert racks[0] != racks[1]
        compare(tables, watching)


def test_another_right_answer_of_egar_looks_the_same(twins: tuple[Server, Twins]) -> None:
    server, _ = twins
    honest = card()

    def swapped(words: Words) -> Words:
        return replace(words, answer=words.wrong[0], wrong=(words.answer, *words.wrong[1:]), accept=(), reject=())

    other = replace(honest, en=swapped(honest.en), de=swapped(honest.de), es=swapped(honest.es))
    tables = [
        server.table(
            "egar", 2, options={"begins": 0, "board": "quick", "deck": msgspec.to_builtins(Deck("own", (one,)))}
        )
        for one in (honest, other)
    ]
    watching = [Player(server, table[0].match, None) for table in tables]
    with closing([*tables[0], *tables[1], *watching]):
        in_step(tables, lambda table: table["view"]["phase"] == "answer", 40)
        assert [table[1].table["view"]["phase"] for table in tables] == ["answer", "answer"]
        compare(tables, watching)
        for table in tables:  # nor does anything else that is sent before the answer hold the deck
            for path in ("", "/table", "/plain", "/picture.svg"):
                sent = server.get(f"/api/matches/{table[0].match}{path}").text
                assert "The die was cast" not in sent
                assert "Suetonius" not in sent
            assert server.get(f"/api/matches/{table[0].match}/record").json()["code"] == "not_possible"
        same = tables[0][1].table["actions"][0]["text"]
        answers = [table[1].act(same) for table in tables]  # and yet another one is right
        assert [answer["type"] for answer in answers] == ["done", "done"]
        for table in tables:
            table[0].until(lambda m: m["type"] == "news" and any(e["kind"] == "acted" for e in m["events"]))
        told = [
            [e["event"] for e in table[0].events if e.get("event", {}).get("type") == "answered"][-1]
            for table in tables
        ]
        assert told[0]["letter"] != told[1]["letter"]


def test_a_preview_does_not_tell_the_right_answer(twins: tuple[Server, Twins]) -> None:
    server, _ = twins
    deck = msgspec.to_builtins(Deck("own", (card(),)))
    table = server.table("egar", 2, options={"begins": 0, "board": "quick", "deck": deck})
    with closing(table):
        asker, asked = table
        asker.until_table(lambda shown: bool(shown["actions"]))
        assert asker.act("done")["type"] == "done"
        asked.until_table(lambda shown: bool(shown["actions"]))
        text = asked.table["actions"][0]["text"]
        seen = set[str]()
        for _ in range(200):  # three guesses of four are wrong, and they may be so for long
            seen.add(server.post(f"/api/matches/{asked.match}/preview", {"actions": [text]}, asked.secret).text)
            if len(seen) > 1:
                break
        assert len(seen) > 1  # a guess each time, not the truth
