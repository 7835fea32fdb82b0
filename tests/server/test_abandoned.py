"""Dice by leaving: who knows the server's seed promises, waits for the others' seeds, computes, and leaves.

The attacker here is the host: it reads the server's seed in the store. What it computed is never thrown, everybody sees
what it did, it cannot see the others' seeds first again, and the third try has to wait.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from astragal.core import fair, recordfile
from astragal.core.proofs import report
from astragal.server import journal, lobby, room
from astragal.server.room import Room
from astragal.server.setup import settle
from astragal.server.store import MatchRow
from astragal.server.wire import Leave, NewMatch, Open, Promise
from tests.server.running import Player, Server, closing, promise, sqlite, threaded
from tests.server.test_gate import order
from tests.server.test_manners import running, seeds

WEIGHTS = (1, 4, 6, 4, 1)
NOW = 1_700_000_000_000


def server_seed(store: Path | str, match: str) -> bytes:
    """What a host can read in its own store at any time."""
    with sqlite(store) as database:
        (seed,) = database.execute("SELECT server_seed FROM matches WHERE id = ?", [match]).fetchone()
        fresh = database.execute(
            "SELECT body FROM entries WHERE match = ? AND body LIKE '%reseeded%' ORDER BY sequence DESC", [match]
        ).fetchone()
    return bytes.fromhex(seed if fresh is None else msgspec.json.decode(fresh[0])["seed"])


def throws(server: bytes, opened: list[str], match: str) -> list[int]:
    return [fair.draw(server, opened, match, n, WEIGHTS) for n in range(12)]


def test_whoever_knows_the_dice_and_leaves_has_seen_them_for_nothing(tmp_path: Path) -> None:
    """The attack as it was made: promise, wait until the other opens, compute, leave, and come again."""
    store = tmp_path / "matches.db"
    with threaded(store) as server:
        mine, my_promise = seeds()
        made = server.create("ur", ["open", "open"], name="Mallory", commitment=my_promise)
        match, path = made["match"], f"/api/matches/{made['match']}"
        secret, foreseen = made["secret"], []
        theirs, their_promise = seeds()
        joined = server.join(made, name="Vic", commitment=their_promise)
        with Player(server, match, joined["secret"], seed=theirs) as victim:
            victim.open_seed()
            foreseen.append(throws(server_seed(store, match), [mine.hex(), theirs.hex()], match))
            before = victim.table["fair"]["server_commitment"]
            assert server.post(f"{path}/commands", {"type": "leave"}, secret).status_code == 200
            victim.until_table(lambda table: "abandoned" in table["fair"])

            # It is seen: by the others at the table, and by everybody who watches.
            (gone,) = victim.table["fair"]["abandoned"]
            assert gone == {
                "seat": 0, "name": "Mallory", "why": "left",
                "commitment": my_promise, "server_commitment": before,
            }  # fmt: skip
            texts = [event["text"] for event in victim.events]
            assert "Light (Mallory) leaves after a seed was opened." in texts
            assert any("fresh seed" in text for text in texts)
            assert victim.table["fair"]["server_commitment"] != before
            fresh = server_seed(store, match)
            assert fair.commit(fresh) == victim.table["fair"]["server_commitment"]
            everything = str(victim.messages) + server.get(f"{path}/table").text
            assert fresh.hex() not in everything  # the seed itself is still a secret

            # A seed that was seen is not promised again, not even by mistake.
            again = victim.do(type="promise", commitment=their_promise)
            assert (again["type"], again["code"]) == ("refused", "not_possible")
            theirs, their_promise = seeds()
            assert victim.do(type="promise", commitment=their_promise)["type"] == "done"

            # It cannot be done again: now that seat opens first, before it knows anything.
            mine, my_promise = seeds()
            secret = server.join(made, seat=0, name="Mallory", commitment=my_promise)["secret"]
            victim.until_table(lambda table: table["seats"][0]["opens"])
            assert not victim.table["seats"][1]["opens"]
            assert victim.do(type="open", seed=theirs.hex())["type"] == "refused"
            opened = server.post(f"{path}/commands", {"type": "open", "seed": mine.hex()}, secret)
            assert opened.status_code == 200
            victim.until_table(lambda table: table["seats"][1]["opens"])
            assert victim.do(type="open", seed=theirs.hex())["type"] == "done"
            victim.until_table(running)
            assert victim.do(type="resign")["type"] == "done"

        # The record tells it, the dice are others than those foreseen, and verification counts it.
        kept = recordfile.parse(server.get(f"{path}/record").text)
        assert [gone.name for gone in kept.header.fair.abandoned] == ["Mallory"]
        assert recordfile.parse(server.get(f"{path}/record", form="text").text) == kept
        thrown = throws(bytes.fromhex(str(kept.header.fair.server_seed)), [mine.hex(), theirs.hex()], match)
        assert thrown not in foreseen
        verified = report(kept)
        assert verified.good
        assert "seat 1 (Mallory) abandoned its promise 1 time after a seed was opened" in map(
            str, [verdict.what for verdict in verified.verdicts]
        )
        told = server.get(f"{path}/verification", lang="de").json()
        assert any("Mallory" in verdict["what"] for verdict in told["verdicts"])


def table_of(players: int) -> Room:
    """A lobby in memory."""
    setup, view = settle(NewMatch(game="nile" if players > 2 else "ur", seats=("open",) * players))
    row = MatchRow(
        id="m", game=setup.game, setup=msgspec.json.encode(setup).decode(), server_seed="0" * 64, status="lobby",
        listed=True, invite=None, created_ms=NOW, changed_ms=NOW,
    )  # fmt: skip
    return Room(row, view)


def seat_all(lobby_room: Room, now: int = NOW) -> list[bytes]:
    brought = []
    for seat in range(len(lobby_room.lobby_seats)):
        seed, commitment = seeds()
        if lobby_room.lobby_seats[seat].free:
            lobby_room.sit(seat, f"P{seat + 1}", commitment, now)
        elif not lobby_room.lobby_seats[seat].promised:
            lobby_room.do(seat, Promise(commitment=commitment), now)
        brought.append(seed)
    return brought


def rebuilt(lobby_room: Room) -> Room:
    """What another process makes of the same log, as it is stored."""
    other = Room(lobby_room.row, lobby_room.first_view)
    for kept in lobby_room.log:
        other.replay(msgspec.structs.replace(kept, body=journal.read(journal.write(kept.body))))
    return other


def test_after_two_the_seat_stays_empty_for_a_while() -> None:
    table = table_of(2)
    for tries in (1, 2):
        mine, theirs = seat_all(table)
        if tries == 1:
            table.do(1, Open(seed=theirs.hex()), NOW)
        else:  # the seat that held back before opens first; that the other one leaves now counts as well
            table.do(0, Open(seed=mine.hex()), NOW)
        table.do(0 if tries == 1 else 1, Leave(), NOW)
        assert len(table.abandoned) == tries
    for room_now in (table, rebuilt(table)):
        with pytest.raises(Exception, match="free in 10 minutes"):
            room_now.sit(1, "P2", None, NOW)
        with pytest.raises(Exception, match="free in 1 minute"):
            room_now.sit(None, "P2", None, NOW + lobby.WAIT_MS - 1)
        assert room_now.seed == table.seed
        assert room_now.fairness == table.fairness
    table.sit(1, "P2", None, NOW + lobby.WAIT_MS)


def test_hundreds_of_tries_in_a_row_come_to_two() -> None:
    """Of 335 tries in five seconds, as they were made, two are left."""
    table, made = table_of(2), 0
    for attempt in range(335):
        now = NOW + 15 * attempt
        try:
            _, theirs = seat_all(table, now)
            table.do(1, Open(seed=theirs.hex()), now)
            table.do(0, Leave(), now)
            made += 1
        except Exception as error:
            assert "opens its seed first" in str(error) or "free in" in str(error)
            if not table.lobby_seats[0].free:  # it does not open, and runs out of time
                table.fire(now + room.SEED_MS)
    assert made == 1
    assert len(table.abandoned) <= lobby.MOST_ABANDONED


def test_leaving_counts_from_the_first_opened_seed_on() -> None:
    table = table_of(2)
    mine, _ = seat_all(table)
    commitment = table.fairness.server_commitment
    table.do(0, Leave(), NOW)
    assert (table.abandoned, table.fairness.server_commitment) == ([], commitment)
    assert table.lobby_seats[1].commitment is not None  # nobody saw that one; it still stands
    mine, _ = seat_all(table)
    table.do(0, Open(seed=mine.hex()), NOW)
    table.do(0, Leave(), NOW)  # or whoever had the host give them that seat's link
    assert [gone.seat for gone in table.abandoned] == [0]
    assert table.fairness.server_commitment != commitment
    seat_all(table)
    assert lobby.openers(table.lobby_seats) == (1,)  # the one who could have seen it opens first now


def test_a_victim_put_out_by_the_host_opens_last() -> None:
    """The host need not leave: it could put out the other one, who has opened."""
    table = table_of(2)
    _, theirs = seat_all(table)
    table.do(1, Open(seed=theirs.hex()), NOW)
    before = table.fairness.server_commitment
    table.unseat([1], "kicked", NOW)
    assert [(gone.seat, gone.why) for gone in table.abandoned] == [(1, "kicked")]
    assert table.fairness.server_commitment != before
    _, theirs = seat_all(table)
    assert lobby.openers(table.lobby_seats) == (0,)
    with pytest.raises(Exception, match="seat 1 opens its seed first"):
        table.do(1, Open(seed=theirs.hex()), NOW)


def test_whoever_held_back_last_opens_first() -> None:
    """A helper who gave up the guest's seat before gains the host one look at most."""
    table = table_of(2)
    mine, _ = seat_all(table)
    table.do(0, Open(seed=mine.hex()), NOW)
    table.do(1, Leave(), NOW)  # the helper
    _, theirs = seat_all(table)
    assert lobby.openers(table.lobby_seats) == (1,)  # a guest sits there now
    table.do(1, Open(seed=theirs.hex()), NOW)
    table.do(0, Leave(), NOW)  # the one look
    seat_all(table, NOW + lobby.WAIT_MS)
    assert lobby.openers(table.lobby_seats) == (0,)


def test_a_helper_at_the_table_who_leaves_instead_counts_too() -> None:
    """At a table of three a second seat of the attacker could leave for it, with or without a seed of its own."""
    for brings in (True, False):
        table = table_of(3)
        mine, helper, theirs = seeds(), seeds(), seeds()
        for seat, (_, commitment) in enumerate((mine, helper, theirs)):
            table.sit(seat, f"P{seat + 1}", commitment if seat != 1 or brings else None, NOW)
        table.do(2, Open(seed=theirs[0].hex()), NOW)
        if brings:
            table.do(1, Open(seed=helper[0].hex()), NOW)
        table.do(1, Leave(), NOW)
        assert [(gone.seat, gone.commitment) for gone in table.abandoned] == [(1, helper[1] if brings else None)]
        seat_all(table)
        assert lobby.openers(table.lobby_seats) == (0,)  # not the helper, but whom it helped


def test_seats_that_run_out_of_time_together_all_count() -> None:
    table = table_of(3)
    brought = seat_all(table)
    table.do(2, Open(seed=brought[2].hex()), NOW)
    before = table.fairness.server_commitment
    assert table.fire(NOW + room.SEED_MS) == (0, 1)
    assert [(gone.seat, gone.why) for gone in table.abandoned] == [(0, "late"), (1, "late")]
    assert {gone.server_commitment for gone in table.abandoned} == {before}
    assert table.fairness.server_commitment != before


def test_only_the_seat_that_should_open_runs_out_of_time() -> None:
    table = table_of(2)
    _, theirs = seat_all(table)
    table.do(1, Open(seed=theirs.hex()), NOW)
    table.do(0, Leave(), NOW)
    seat_all(table)
    assert table.fire(NOW + room.SEED_MS) == (0,)  # the other one was not allowed to open yet
    assert len(table.abandoned) == 1  # and nothing was seen


def test_another_seats_promise_cannot_be_copied() -> None:
    table = table_of(2)
    _, commitment = seeds()
    table.sit(0, "P1", commitment, NOW)
    with pytest.raises(Exception, match="promised here before"):
        table.sit(1, "P2", commitment, NOW)


def test_the_host_puts_itself_out_and_it_is_seen(tmp_path: Path) -> None:
    with threaded(tmp_path / "matches.db") as server:
        (_, my_promise), (theirs, their_promise) = seeds(), seeds()
        made = server.create("ur", ["open", "open"], name="Mallory", commitment=my_promise)
        joined = server.join(made, name="Vic", commitment=their_promise)
        with Player(server, made["match"], joined["secret"], seed=theirs, lang="es") as victim:
            victim.open_seed()
            order(server, "kick", made["match"], "1")
            victim.until_table(lambda table: "abandoned" in table["fair"])
            (gone,) = victim.table["fair"]["abandoned"]
            assert (gone["why"], gone["name"]) == ("kicked", "Mallory")
            assert any("Mallory" in event["text"] for event in victim.events if event["kind"] == "abandoned")


def test_a_rematch_has_fresh_seeds_of_all(server: Server) -> None:
    with closing(server.table("ur", 2, fair=True)) as players:
        for player in players:
            player.open_seed()
        players[0].until_table(running)
        players[1].do(type="resign")
        for player in players:
            player.until_table(lambda table: table["status"] == "over")
            begins = 0 if player.table["chooser"] == player.table["you"] else None
            player.do(type="again", begins=begins)
        match = players[0].until_table(lambda table: table["next_match"] is not None)["next_match"]
        with Player(server, match, players[0].secret) as first:
            first.hear()
            promises: dict[str, Any] = first.table["fair"]
            assert promises["seat_commitments"] == [None, None]
            assert promises["server_commitment"] != players[0].table["fair"]["server_commitment"]
            assert first.do(type="open", seed=(players[0].seed or b"").hex())["type"] == "refused"
            assert first.do(type="promise", commitment=promise(b"x" * 32))["type"] == "done"
