"""Which parts of a record are proved, and by what: dice by seeds, names and resignations only by a signature."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

from msgspec import Struct

from astragal.core import signing, verify
from astragal.core.language import Text, say
from astragal.core.record import Record
from astragal.core.verify import Verdict

By = Literal["seeds", "rules", "signature", "fingerprint", "nothing"]


class Proof(Struct, frozen=True, kw_only=True):
    """One part of a record, and what proves it; `proved` is None where it could not be checked."""

    part: Literal["dice", "moves possible", "entries", "people"]
    what: Text
    by: By
    how: Text
    proved: bool | None


class Report(Struct, frozen=True, kw_only=True):
    """Everything that `astragal verify` tells about a record."""

    verdicts: Sequence[Verdict]
    proofs: Sequence[Proof]
    signature: signing.State

    @property
    def good(self) -> bool:
        """Whether nothing was found to be wrong."""
        return all(verdict.good is not False for verdict in self.verdicts)


def report(record: Record, keys: Collection[str] = ()) -> Report:
    """Checks dice and signature; `keys` are the public keys of the server it should come from, if they are known."""
    dice = verify.verify(record)
    state = signing.check(record, keys)
    return Report(
        verdicts=[*dice, signature_verdict(record, state, wanted=bool(keys))],
        proofs=_proofs(record, dice, state),
        signature=state,
    )


def signature_verdict(record: Record, state: signing.State, *, wanted: bool) -> Verdict:
    """The signature as one thing that was checked; that there is none is a fault if one is `wanted`."""
    if not record.signature:
        if wanted:
            return Verdict(say("the record is signed by the server whose key was given"), False)
        return Verdict(say("the record is not signed; who played and how it ended is only what the file says"), None)
    key = signing.key_id(record.signature.key)
    match state:
        case "good":
            return Verdict(say("the server's signature fits the record (key {key})", key=key), True)
        case "unknown key":
            return Verdict(
                say("the signature fits key {key}; whose key that is, --key or --server tells", key=key), None
            )
        case "other key":
            return Verdict(say("the record is signed with a key that was given, not with key {key}", key=key), False)
        case _:
            return Verdict(say("the signature of key {key} fits the record", key=key), False)


def _proofs(record: Record, dice: Sequence[Verdict], state: signing.State) -> list[Proof]:
    opened = record.header.fair.server_seed is not None
    fair = False if any(verdict.good is False for verdict in dice) else True if opened else None
    signed = {"good": True, "wrong": False, "other key": False}.get(state)
    return [
        Proof(
            part="dice",
            what=say("the dice"),
            by="seeds",
            how=say("the seeds, and the promises made before them") if opened else say("nothing yet: a seed is closed"),
            proved=fair,
        ),
        Proof(
            part="moves possible",
            what=say("that every move was possible, and the result"),
            by="rules",
            how=say("the rules of the game"),
            proved=True,
        ),
        Proof(
            part="entries",
            what=say("which moves were made, and their order"),
            by="fingerprint" if signed is None else "signature",
            how=_by_signature(state) or say("the fingerprint, against damage; whoever edits the file can make it anew"),
            proved=signed,
        ),
        Proof(
            part="people",
            what=say("names, seats, hand-overs, resignations, agreed draws, clocks, abandoned seeds"),
            by="nothing" if signed is None else "signature",
            how=_by_signature(state) or say("nothing: there is no signature of a known key"),
            proved=signed,
        ),
    ]


def _by_signature(state: signing.State) -> Text | None:
    if state == "good":
        return say("the server's signature")
    if state in ("wrong", "other key"):
        return say("nothing: the signature is not the server's")
    return None
