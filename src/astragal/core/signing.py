"""A server's signature under a finished record: who says that these players played this match.

Signed is everything a record holds: header, entries and result, as the canonical JSON of RFC 8785, after a first line
that says what is signed. The fingerprint and the count are not part of it, since they follow from the rest.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from typing import Literal

import msgspec

from astragal.core.record import Record, Signature

PURPOSE = b"astragal-signed-record-1\n"

State = Literal["unsigned", "wrong", "other key", "unknown key", "good"]
"""Whether a record's signature fits: `unknown key` does, but nobody has said whose key that is."""


def new_private_key() -> str:
    """A new Ed25519 key, in hex."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.generate().private_bytes_raw().hex()


def public_key(private: str) -> str:
    """The public half of a key, in hex."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(private)).public_key().public_bytes_raw().hex()


def key_id(public: str) -> str:
    """A short name for a public key: the first 8 bytes of its SHA-256."""
    return hashlib.sha256(bytes.fromhex(public)).hexdigest()[:16]


def signed_bytes(record: Record) -> bytes:
    """What is signed of a record."""
    import rfc8785

    content = {
        "header": msgspec.to_builtins(record.header),
        "entries": [msgspec.to_builtins(entry) for entry in record.entries],
        "result": None if record.result is None else list(record.result),
    }
    return PURPOSE + rfc8785.dumps(content)


def sign(record: Record, private: str) -> Record:
    """The record with a signature of this key."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    value = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(private)).sign(signed_bytes(record))
    return msgspec.structs.replace(record, signature=Signature(key=public_key(private), value=value.hex()))


def check(record: Record, keys: Collection[str] = ()) -> State:
    """How a record's signature stands, if these are the public keys of the server."""
    signature = record.signature
    if not signature:
        return "unsigned"
    if not _fits(record, signature):
        return "wrong"
    if not keys:
        return "unknown key"
    return "good" if signature.key in keys else "other key"


def _fits(record: Record, signature: Signature) -> bool:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(signature.key))
        key.verify(bytes.fromhex(signature.value), signed_bytes(record))
    except (InvalidSignature, ValueError):  # ValueError: no key has these bytes, or no RFC 8785 form these numbers
        return False
    return True
