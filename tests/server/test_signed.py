"""The server signs its records, and `astragal verify` says what that proves."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from astragal.core import recordfile, signing
from astragal.core.record import Record, Resigned
from tests.core.matches import with_header
from tests.server.postgres import Postgres
from tests.server.running import Server, closing, sqlite, threaded
from tests.server.test_gate import order
from tests.server.test_manners import both, running
from tests.terminal.command import astragal


def resigned_match(server: Server) -> str:
    """A short match of two; its name."""
    with closing(server.table("ur", 2, fair=True, name="Anna")) as players:
        for player in players:
            player.open_seed()
        players[0].until_table(running)
        both(players, players[1].do(type="resign")["n"])
        return players[0].match


def record_of(server: Server, match: str, form: str = "json") -> Record:
    return recordfile.parse(server.get(f"/api/matches/{match}/record", form=form).text)


def test_a_record_is_signed_with_the_published_key(server: Server, tmp_path: Path) -> None:
    match = resigned_match(server)
    published = server.get("/api/key").json()
    assert published["algorithm"] == "ed25519"
    assert published["id"] == signing.key_id(published["key"])
    kept = record_of(server, match)
    assert record_of(server, match, "text") == kept
    assert signing.check(kept, [published["key"]]) == "good"
    assert server.get(f"/api/matches/{match}/record").content == server.get(f"/api/matches/{match}/record").content

    files = {form: tmp_path / f"kept.{form}" for form in ("json", "txt")}
    for file in files.values():
        recordfile.write(kept, file)
    (tmp_path / "key.json").write_text(json.dumps(published))
    (tmp_path / "key.txt").write_text(f"{published['key']}\n")
    ways = [
        ("--server", server.address),
        ("--key", published["key"]),
        ("--key", str(tmp_path / "key.json")),
        ("--key", str(tmp_path / "key.txt")),
    ]
    for file in files.values():
        for way in ways:
            done = astragal("verify", str(file), *way, "--json")
            told = json.loads(done.stdout)
            assert (done.returncode, told["good"], told["signature"]["state"]) == (0, True, "good")
            assert told["signature"]["id"] == published["id"]
            assert {"part": "people", "by": "signature", "proved": True} in told["proofs"]
    alone = astragal("verify", str(files["json"]), "--json")
    assert (alone.returncode, json.loads(alone.stdout)["signature"]["state"]) == (0, "unknown key")
    for lang, word in (("en", "the server's signature"), ("de", "die Unterschrift des Servers"), ("es", "la firma")):
        page = astragal("verify", str(files["txt"]), "--server", server.address, "--lang", lang)
        assert word in page.stdout


def forged(record: Record, how: str) -> Record:
    """A record changed by somebody who then makes a fingerprint that fits."""
    header = record.header
    if how == "name":
        return with_header(record, seats=(msgspec.structs.replace(header.seats[0], name="Zoe"), header.seats[1]))
    if how == "seats":
        return with_header(record, seats=header.seats[::-1])
    if how == "resignation":
        return msgspec.structs.replace(record, entries=(*record.entries[:-1], Resigned(0)), result=(0.0, 1.0))
    return msgspec.structs.replace(record, signature=msgspec.UNSET)


@pytest.mark.parametrize(
    ("how", "state"), [("name", "wrong"), ("seats", "wrong"), ("resignation", "wrong"), ("stripped", "unsigned")]
)
def test_what_was_changed_or_taken_away_is_noticed(server: Server, tmp_path: Path, how: str, state: str) -> None:
    kept = record_of(server, resigned_match(server))
    file = tmp_path / "forged.json"
    recordfile.write(forged(kept, how), file)
    done = astragal("verify", str(file), "--server", server.address, "--json")
    told = json.loads(done.stdout)
    assert (done.returncode, told["good"], told["signature"]["state"]) == (1, False, state)
    alone = json.loads(astragal("verify", str(file), "--json").stdout)
    assert {"part": "people", "by": "signature" if state == "wrong" else "nothing", "proved": None} not in [
        proof for proof in alone["proofs"] if proof["proved"]
    ]
    assert not any(proof["proved"] for proof in alone["proofs"] if proof["part"] == "people")
    assert alone["good"] is (how == "stripped")  # without a key nobody can know that there was a signature
    page = astragal("verify", str(file))
    assert ("the record is not signed" in page.stdout) is (how == "stripped")


def test_the_key_outlives_the_server_and_can_be_changed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = tmp_path / "matches.db"
    with threaded(store) as server:
        match, first = resigned_match(server), server.get("/api/key").json()
        before = record_of(server, match)
    with threaded(store) as server:
        assert server.get("/api/key").json() == first
        assert record_of(server, match) == before
        order(server, "key")
        assert first["key"] in capsys.readouterr().out
        order(server, "key", "--new", "--json")
        second = json.loads(capsys.readouterr().out)
        assert second["key"] != first["key"]
        assert [former["key"] for former in second["former"]] == [first["key"]]
        assert server.get("/api/key").json() == second  # the running server uses it at once
        after = record_of(server, match)
        assert signing.check(after, [second["key"]]) == "good"
        assert msgspec.structs.replace(after, signature=before.signature) == before
        file = tmp_path / "before.json"
        recordfile.write(before, file)
        assert astragal("verify", str(file), "--server", server.address).returncode == 0
        assert astragal("verify", str(file), "--key", second["key"]).returncode == 1
        everything = server.get("/api/key").text + server.get(f"/api/matches/{match}/record").text
        assert signing.public_key(private_key(store)) == second["key"]
        assert private_key(store) not in everything


def private_key(store: Path) -> str:

    with sqlite(store) as database:
        (value,) = database.execute("SELECT value FROM facts WHERE name = 'signing_key'").fetchone()
    return str(msgspec.json.decode(value)["private"])


def test_servers_on_one_database_have_one_key(servers: tuple[Server, Server], postgres: Postgres) -> None:
    here, there = (server.get("/api/key").json() for server in servers)
    assert here == there


def test_the_key_is_told_without_the_password(tmp_path: Path) -> None:
    with threaded(tmp_path / "shut.db", password="sesame") as server:
        assert server.get("/api/matches").status_code == 401
        assert server.get("/api/key").json()["algorithm"] == "ed25519"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--key", "abc"), "neither a key of 64 hex digits nor a file"),
        (("--key", "0" * 64 + "\n"), "neither"),
        (("--key", __file__), "holds no public key"),
        (("--server", "ftp://example.org"), "should begin with https://"),
        (("--server", "http://127.0.0.1:1"), "does not answer"),
    ],
)
def test_keys_that_are_none_are_refused_in_one_line(words: tuple[str, ...], says: str, tmp_path: Path) -> None:
    done = astragal("verify", str(tmp_path / "nothing.json"), *words)
    assert done.returncode == 2
    assert says in done.stderr
    assert done.stderr.count("\n") == 1
