"""The server's signature under a record: what it covers, and what is said where it is missing or wrong."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings

from astragal.core import signing
from astragal.core.fair import Abandoned
from astragal.core.proofs import report
from astragal.core.record import Drew, HandedOver, Record, Resigned, Seat
from astragal.core.recordfile import parse, to_json, to_text
from tests.core.matches import finished, played, records, resigned, with_header

PRIVATE = bytes(range(32)).hex()
PUBLIC = "03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8"
OTHER = "ff" * 32
KNOWN_BYTES = "4b7f54c5c6967330e15f4ff244eb9e4bba8e8d7ba76cb93f317722f02b04d8bf"
KNOWN_SIGNATURE = "e8bb46ca9263ffedee174db10bc170f9"


def drawn() -> Record:
    match = played()
    match.agree_draw()
    return match.record()


def test_the_key_of_known_bytes_is_the_one_of_rfc_8032() -> None:
    secret = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
    assert signing.public_key(secret) == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    assert signing.public_key(PRIVATE) == PUBLIC
    assert signing.key_id(PUBLIC) == hashlib.sha256(bytes.fromhex(PUBLIC)).hexdigest()[:16]
    assert len({signing.new_private_key() for _ in range(5)}) == 5


def test_signed_is_the_canonical_json_of_all_that_the_json_form_holds() -> None:
    """Anybody can make these bytes from the file: sort all keys, leave out count, fingerprint and signature."""
    for record in (finished(), resigned(), drawn()):
        raw = json.loads(to_json(signing.sign(record, PRIVATE)))
        content = {name: raw[name] for name in ("header", "entries", "result")}
        content["result"] = [int(share) if share == int(share) else share for share in content["result"]]
        text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        assert signing.signed_bytes(record) == b"astragal-signed-record-1\n" + text.encode()


def test_known_signatures_never_change() -> None:
    """Records signed years ago must still verify: what is signed is part of the format."""
    signature = signing.sign(finished(), PRIVATE).signature
    assert signature
    assert hashlib.sha256(signing.signed_bytes(finished())).hexdigest() == KNOWN_BYTES
    assert signature.value[:32] == KNOWN_SIGNATURE


@given(record=records())
@settings(deadline=None, max_examples=60)
def test_a_signature_survives_both_forms(record: Record) -> None:
    signed = signing.sign(record, PRIVATE)
    for form in (to_json, to_text):
        parsed = parse(form(signed))
        assert parsed == signed
        assert signing.check(parsed, [PUBLIC]) == "good"


def forgeries(record: Record) -> dict[str, Record]:
    """Changes that break no rule and that no seed speaks against; the fingerprint is made anew with the file."""
    header, fair = record.header, record.header.fair
    gone = Abandoned(seat=0, name="Ann", why="left", commitment=None, server_commitment="0" * 64)
    others = {
        "name": with_header(record, seats=(Seat("human", "Mallory"), header.seats[1])),
        "seat": with_header(record, seats=(Seat("bot:greedy", header.seats[0].name), header.seats[1])),
        "names exchanged": with_header(record, seats=header.seats[::-1]),
        "abandoned": with_header(record, fair=msgspec.structs.replace(fair, abandoned=(gone,))),
    }
    if isinstance(record.entries[-1], Resigned):
        entries = (*record.entries[:-1], Resigned(1))
        others["resignation"] = msgspec.structs.replace(record, entries=entries, result=(1.0, 0.0))
    if not isinstance(record.entries[-1], Drew):
        entries = (*record.entries[:-1], HandedOver(0, Seat("human", "Bo")), record.entries[-1])
        others["hand-over"] = msgspec.structs.replace(record, entries=entries)
    return others


@pytest.mark.parametrize("make", [resigned, drawn])
def test_what_the_dice_do_not_prove_the_signature_does(make: Callable[[], Record]) -> None:
    signed = signing.sign(make(), PRIVATE)
    assert report(signed, [PUBLIC]).good
    for what, forged in forgeries(signed).items():
        read = parse(to_json(forged))  # with a fingerprint that fits
        verified = report(read, [PUBLIC])
        assert (verified.signature, verified.good) == ("wrong", False), what
        assert not report(read).good, what  # also for whoever does not know the server's key
        assert not report(signing.sign(read, OTHER), [PUBLIC]).good, what


def test_an_agreed_draw_made_of_a_resignation_is_noticed() -> None:
    signed = signing.sign(resigned(), PRIVATE)
    forged = msgspec.structs.replace(drawn(), signature=signed.signature)
    assert report(parse(to_text(forged)), [PUBLIC]).signature == "wrong"


def proofs(record: Record, keys: tuple[str, ...] = ()) -> dict[str, tuple[str, bool | None]]:
    return {proof.part: (proof.by, proof.proved) for proof in report(record, keys).proofs}


def test_which_parts_are_proved_by_what() -> None:
    plain, signed = resigned(), signing.sign(resigned(), PRIVATE)
    always: dict[str, Any] = {"dice": ("seeds", True), "moves possible": ("rules", True)}
    unproved = {"entries": ("fingerprint", None), "people": ("nothing", None)}
    assert proofs(plain) == always | unproved
    assert proofs(plain, (PUBLIC,)) == always | unproved
    assert proofs(signed) == always | unproved  # whose key it is nobody has said
    assert proofs(signed, (PUBLIC,)) == always | {"entries": ("signature", True), "people": ("signature", True)}
    assert proofs(signed, (OTHER,)) == always | {"entries": ("signature", False), "people": ("signature", False)}


def test_a_signature_taken_away_is_not_fine() -> None:
    signed = signing.sign(resigned(), PRIVATE)
    stripped = parse(to_json(msgspec.structs.replace(signed, signature=msgspec.UNSET)))
    known, unknown = report(stripped, [PUBLIC]), report(stripped)
    assert (known.signature, known.good) == ("unsigned", False)
    assert unknown.signature == "unsigned"
    assert unknown.verdicts[-1].good is None
    assert "not signed" in str(unknown.verdicts[-1].what)


@pytest.mark.parametrize("value", ["0" * 128, "f" * 128])
@pytest.mark.parametrize("key", [PUBLIC, "0" * 64, "f" * 64])
def test_signatures_of_nothing_do_not_fit(key: str, value: str) -> None:
    signed = signing.sign(resigned(), PRIVATE)
    assert signed.signature
    forged = msgspec.structs.replace(signed.signature, key=key, value=value)
    assert signing.check(msgspec.structs.replace(signed, signature=forged), [key]) == "wrong"


def test_an_abandoned_throw_is_counted_with_the_name_of_its_seat() -> None:
    record = resigned()
    fair = record.header.fair
    gone = tuple(
        Abandoned(seat=1, name="Ben", why="left", commitment="1" * 64, server_commitment=letter * 64) for letter in "23"
    )
    told = report(with_header(record, fair=msgspec.structs.replace(fair, abandoned=gone)))
    said = [(str(verdict.what), verdict.good) for verdict in told.verdicts]
    assert ("seat 2 (Ben) abandoned its promise 2 times after a seed was opened", None) in said
    assert ("after that the server promised a fresh seed", True) in said
    stale = msgspec.structs.replace(gone[0], server_commitment=fair.server_commitment)
    told = report(with_header(record, fair=msgspec.structs.replace(fair, abandoned=(stale,))))
    assert not told.good  # the dice that were seen were thrown all the same
