"""A class: a teacher's own deck, pupils by their names only, and a report of what was hard that tells nothing early."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from astragal.games.egar.cards import Words
from astragal.games.egar.deck import Deck
from tests.games.egar.table import card
from tests.server.cup import Cup, Guest
from tests.server.running import Player, Server, closing, sqlite, threaded
from tests.server.test_players import Key

QUESTION = "=1+1: which little river did Caesar cross?"
DECK = msgspec.to_builtins(Deck("class", (card(en={"question": QUESTION}),)))
OPTIONS = {"begins": 0, "board": "quick", "deck": DECK, "answering": "choice"}


def lesson(server: Server, **more: Any) -> Cup:
    return Cup(server, "round-robin", "egar", kind="class", options={**OPTIONS, **more})


def seated(server: Server, guests: list[Guest]) -> list[Player]:
    """Those at one table, connected, in the order of their seats."""
    guests[0].until("play")
    matches = [guest.sit() for guest in guests]
    players = [Player(server, match, guest.seats[match]) for guest, match in zip(guests, matches, strict=True)]
    for player in players:
        player.until_table(lambda table: table["status"] == "running")
    return sorted(players, key=lambda player: int(player.table["you"]))


def ask_one(players: list[Player]) -> Player:
    """Plays until a question is open; who is asked."""
    for _ in range(60):
        newest = max(player.table["n"] for player in players)
        for player in players:
            player.until_table(lambda table, n=newest: table["n"] >= n)  # type: ignore[misc]
        mover = next(player for player in players if player.table["actions"])
        if mover.table["view"]["phase"] == "answer":
            return mover
        texts = [action["text"] for action in mover.table["actions"]]
        answer = mover.act("done" if "done" in texts else texts[0])
        assert answer["type"] == "done"
        mover.until_table(lambda table, n=answer["n"]: table["n"] >= n)  # type: ignore[misc]
    raise AssertionError("nobody was asked")


def report(cup: Cup) -> dict[str, Any]:
    answer = cup.server.get(f"{cup.path}/report", cup.secret)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_a_class_plays_with_the_teachers_deck_and_the_report_waits_for_the_end(server: Server) -> None:
    cup = lesson(server)
    guests = cup.guests("Mia", "Tom")
    cup.do("begin")
    with closing(seated(server, guests)) as players:
        asked = ask_one(players)
        assert asked.table["view"]["question"]["face"]["question"]["en"] == QUESTION
        assert asked.act(asked.table["actions"][0]["text"])["type"] == "done"
        early = report(cup)
        assert (early["matches"], early["running"], early["questions"], early["levels"]) == (0, 1, [], [])
        other = next(player for player in players if player is not asked)
        assert asked.do(type="resign")["type"] == "done"
        told = [e["event"] for e in other.events if (e.get("event") or {}).get("type") == "answered"]
        if not told:
            other.until(lambda m: m["type"] == "news" and m["table"]["status"] == "over")
            told = [e["event"] for e in other.events if (e.get("event") or {}).get("type") == "answered"]
    cup.until(lambda sheet: sheet["status"] == "over")
    late = report(cup)
    assert (late["matches"], late["running"]) == (1, 0)
    [row] = late["questions"]
    assert (row["text"], row["level"], row["asked"], row["right"]) == (QUESTION, "medium", 1, int(told[0]["right"]))
    assert late["levels"] == [{"level": "medium", "asked": 1, "right": row["right"]}]
    text = server.get(f"{cup.path}/report.csv", cup.secret).text
    assert "\n=" not in text
    assert ",=" not in text
    assert f"'{QUESTION}" in text
    for secret in (None, guests[0].secret):
        assert server.get(f"{cup.path}/report", secret).json()["code"] == "wrong_secret"


def test_of_pupils_nothing_but_names_is_kept(tmp_path: Path) -> None:
    with threaded(tmp_path / "class.db") as server:
        cup, key = lesson(server), Key()
        session = key.sign_in(server, name="Mia")
        entered = server.post(f"{cup.path}/entrants", {"name": "Mia"}, **session)
        assert entered.json()["secret"]  # by a secret, as a guest
        assert cup.sheet()["standings"][0]["name"] == "Mia"
    with sqlite(tmp_path / "class.db") as file:
        assert file.execute("SELECT player FROM entrants").fetchall() == [(None,)]


def test_what_everybody_sees_does_not_depend_on_the_secrets_of_running_matches(server: Server) -> None:
    """Two classes whose decks differ in what is right play the same; all that is told meanwhile is the same."""

    def swapped(words: Words) -> Words:
        return replace(words, answer=words.wrong[0], wrong=(words.answer, *words.wrong[1:]), accept=(), reject=())

    honest = card()
    other = replace(honest, en=swapped(honest.en), de=swapped(honest.de), es=swapped(honest.es))
    told = []
    for each in (honest, other):
        cup = lesson(server, deck=msgspec.to_builtins(Deck("class", (each,))))
        guests = cup.guests("Mia", "Tom")
        cup.do("begin")
        with closing(seated(server, guests)) as players:
            asked = ask_one(players)
            assert asked.act(asked.table["actions"][0]["text"])["type"] == "done"
            match = players[0].match
            paths = ("", "/rounds", "/export?form=json", "/export?form=csv&what=games")
            said = [server.get(f"{cup.path}{path}").text for path in paths]
            said += [server.get(f"{cup.path}/report", cup.secret).text]
            said += [server.get(f"{cup.path}/me", guest.secret).text for guest in guests]
        told.append([_bare(text, cup.id, match) for text in said])
    assert told[0] == told[1]
    assert not any("Rubi" in text or "Tiber" in text for text in told[0])


def _bare(text: str, cup: str, match: str) -> str:
    """Without names and times that differ by themselves, and with entrants in the order of their names."""
    bare = text.replace(cup, "-").replace(match, "-")
    bare = re.sub(r'"(began_at|ends_at|by|n)":\d+', r'"\1":0', bare)
    bare = re.sub(r'"(entrants|seats)":\[[\d,]*\]', r'"\1":[]', bare)
    return re.sub(r'"seat":\d', '"seat":0', re.sub(r"(Mia|Tom),", "name,", bare))
