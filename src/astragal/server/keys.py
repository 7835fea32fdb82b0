"""The key that this server signs finished records with. It lies in the store, so that all its processes share it.

It is made at the first start. A new one can be made at any time; the public halves of the former ones stay published,
for records signed before.
"""

from __future__ import annotations

import asyncio

import msgspec
from msgspec import Struct

from astragal.core import signing
from astragal.core.fair import Hex
from astragal.core.language import say
from astragal.core.record import Record
from astragal.server import metrics
from astragal.server.store import Store

FACT = "signing_key"


class StoredKeys(Struct, frozen=True, kw_only=True):
    """What the store holds: the private key in use, and the public keys of former ones, the latest first."""

    private: Hex
    former: tuple[Hex, ...] = ()


class PublicKey(Struct, frozen=True, kw_only=True):
    """A public key and its short name."""

    algorithm: str = "ed25519"
    key: str
    id: str


class PublicKeys(PublicKey, frozen=True, kw_only=True):
    """The key that records are signed with now, and those they were signed with before."""

    former: tuple[PublicKey, ...] = ()


async def load(store: Store) -> StoredKeys:
    """The keys of this store; the first time, new ones."""
    new = await asyncio.to_thread(lambda: StoredKeys(private=signing.new_private_key()))
    return msgspec.json.decode(await store.fact(FACT, msgspec.json.encode(new).decode()), type=StoredKeys)


async def renew(store: Store) -> None:
    """Signs with a new key from now on."""
    keys = await load(store)
    new = StoredKeys(private=signing.new_private_key(), former=(signing.public_key(keys.private), *keys.former))
    await store.set_fact(FACT, msgspec.json.encode(new).decode())


async def published(store: Store) -> PublicKeys:
    """What everybody may know about the keys."""
    keys = await load(store)
    public = signing.public_key(keys.private)
    return PublicKeys(
        key=public,
        id=signing.key_id(public),
        former=tuple(PublicKey(key=key, id=signing.key_id(key)) for key in keys.former),
    )


async def signed(store: Store, record: Record) -> Record:
    """A finished record with this server's signature; without, where its options hold numbers that RFC 8785 lacks."""
    keys = await load(store)
    try:
        return await asyncio.to_thread(signing.sign, record, keys.private)
    except ValueError as error:
        metrics.logger.warning("a record cannot be signed", extra={"match": record.header.match, "reason": str(error)})
        return record


async def describe(store: Store, lang: str, *, new: bool, as_json: bool) -> str:
    """The public keys as the host reads them on the command line, after making a `new` one if that is wanted."""
    if new:
        await renew(store)
    keys = await published(store)
    if as_json:
        return msgspec.json.encode(keys).decode()
    lines = [say("Records are signed with key {id}: {key}", id=keys.id, key=keys.key)]
    lines += [say("Before that with key {id}: {key}", id=former.id, key=former.key) for former in keys.former]
    return "\n".join(line.to(lang) for line in lines)
