"""The key of a player: what it signs to prove who it is, and the file that carries it from device to device.

The browser client writes and reads the same files (`web/src/lib/keyfile.ts`).
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from astragal.core import signing
from astragal.core.fair import Hex
from astragal.core.language import say
from astragal.core.types import AstragalError

PURPOSE = "astragal-player-1"
MOST_BYTES = 10_000  # of a file


def message(audience: str, nonce: str) -> bytes:
    """What a player signs: the origin of the server that asked, so that the signature is worth nothing at another."""
    return f"{PURPOSE}\n{audience}\n{nonce}".encode()


class PlayerKey(Struct, frozen=True, kw_only=True):
    """A key as its file holds it, both halves in hex."""

    kind: Literal["astragal-player-key-1"] = "astragal-player-key-1"
    key: Annotated[Hex, Meta(description="the public half")]
    secret: Hex

    def sign(self, audience: str, nonce: str) -> str:
        """The signature under a challenge of a server."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        private = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(self.secret))
        return private.sign(message(audience, nonce)).hex()


def new() -> PlayerKey:
    """A key that nobody has yet."""
    secret = signing.new_private_key()
    return PlayerKey(key=signing.public_key(secret), secret=secret)


def load_or_make(file: Path) -> PlayerKey:
    """The key in this file; where there is no file, a new one that is kept there. Raises AstragalError."""
    try:
        return _read(file)
    except FileNotFoundError:
        pass
    made = new()
    try:
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            out.write(msgspec.json.format(msgspec.json.encode(made), indent=1) + b"\n")
    except FileExistsError:  # another process was quicker
        return _read(file)
    except OSError as error:
        raise AstragalError(
            say("{file} cannot be written: {reason}", file=str(file), reason=error.strerror or "")
        ) from None
    return made


def _read(file: Path) -> PlayerKey:
    try:
        with file.open("rb") as content:
            read = msgspec.json.decode(content.read(MOST_BYTES), type=PlayerKey)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise AstragalError(
            say("{file} cannot be read: {reason}", file=str(file), reason=error.strerror or "")
        ) from None
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise AstragalError(say("{file} holds no key of a player", file=str(file))) from None
    return msgspec.structs.replace(read, key=signing.public_key(read.secret))
