"""Dice that nobody can choose, and everybody can check.

Before the game the server commits to a secret seed by its SHA-256, and every human seat to one of its own; then
the seats open theirs. Draw number n takes bytes from HMAC-SHA-256 under the server's seed over everything public,
and turns them into an outcome by rejection sampling over the rules' exact weights. At the end the server opens its
seed, and anyone can repeat every draw.

What this proves: nobody, the host included, could choose an outcome. What it does not: a host who also plays
knows the server's seed and could foresee draws. Who leaves when seeds are open, to have other dice, is in the record.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable, Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct

from astragal.core.types import PRINTABLE, whole

SEED_BYTES = 32
Hex = Annotated[str, Meta(pattern=whole("[0-9a-f]{64}"))]
"""A seed or a commitment, as records and messages carry it."""

PlayerName = Annotated[str, Meta(max_length=80, pattern=whole(f"{PRINTABLE}*"))]
"""What a player is called in a record."""

SPAN = 1 << 48  # bytes taken per attempt, as a number that a browser holds exactly


Why = Literal["left", "late", "kicked"]
"""How a seat was given up: of itself, by not opening its seed in time, or by the host."""


class Abandoned(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A seat that was given up before the match, when a seat's seed was open already.

    Whoever knows the server's seed could have computed the dice by then, so the server's seed of that moment
    (`server_commitment`) is never used, and nobody can leave without it being seen.
    """

    seat: int
    name: PlayerName
    why: Why
    commitment: Hex | None  # what the seat had promised; None: it brought no seed
    server_commitment: Hex


class Fairness(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a record says about its dice; a bot's seat has neither seed nor commitment."""

    server_commitment: Hex
    seat_commitments: tuple[Hex | None, ...]
    seat_seeds: tuple[Hex | None, ...]
    server_seed: Hex | None = None  # opened at the end
    abandoned: tuple[Abandoned, ...] = ()


def new_seed() -> bytes:
    """A new random seed of 32 bytes."""
    return secrets.token_bytes(SEED_BYTES)


def commit(seed: bytes) -> str:
    """The commitment to a seed: its SHA-256 in hex."""
    return hashlib.sha256(seed).hexdigest()


def draw(server_seed: bytes, seat_seeds: Sequence[str | None], match: str, n: int, weights: Sequence[int]) -> int:
    """The index that draw number `n` of a match picks from these weights."""
    return _draw(_keyed(server_seed, seat_seeds, match), n, weights)


def _keyed(server_seed: bytes, seat_seeds: Sequence[str | None], match: str) -> hmac.HMAC:
    """What all draws of a match have in common: the key, and the beginning of the message."""
    public = "|".join(seed or "-" for seed in seat_seeds)
    return hmac.new(server_seed, f"astragal-fair-1|{public}|{match}|".encode(), "sha256")


def _draw(keyed: hmac.HMAC, n: int, weights: Sequence[int]) -> int:
    def attempt(k: int) -> int:
        state = keyed.copy()
        state.update(b"%d|%d" % (n, k))
        return int.from_bytes(state.digest()[:6], "big")

    return pick(attempt, weights)


def pick(attempt: Callable[[int], int], weights: Sequence[int]) -> int:
    """An index with exactly these odds, from `attempt(0)`, `attempt(1)`, ..., each even over 0 .. SPAN - 1."""
    total = sum(weights)
    if not 0 < total <= SPAN or min(weights) < 0:
        raise ValueError(f"weights must be whole numbers from 0 with a sum from 1 to {SPAN}")
    limit = SPAN - SPAN % total  # numbers from here on would favour the first outcomes
    k = 0
    while (number := attempt(k)) >= limit:
        k += 1
    number %= total
    for index, weight in enumerate(weights):
        if number < weight:
            return index
        number -= weight
    raise AssertionError("unreachable: number is below the sum of the weights")


class Dice:
    """The source of one match's outcomes: it knows the server's seed, and how often it was asked."""

    def __init__(self, server_seed: bytes, seat_seeds: Sequence[str | None], match: str, drawn: int = 0) -> None:
        self.server_seed = server_seed
        self.seat_seeds = tuple(seat_seeds)
        self.match = match
        self.drawn = drawn  # draws ever made, those of moves taken back included
        self._keyed = _keyed(server_seed, self.seat_seeds, match)

    def draw(self, weights: Sequence[int]) -> tuple[int, int]:
        """The number of this draw, and the index it picked."""
        n = self.drawn
        index = _draw(self._keyed, n, weights)
        self.drawn += 1
        return n, index

    def fairness(self, *, opened: bool) -> Fairness:
        """What the record says; the server's seed only once it may be `opened`."""
        return Fairness(
            server_commitment=commit(self.server_seed),
            seat_commitments=tuple(None if seed is None else commit(bytes.fromhex(seed)) for seed in self.seat_seeds),
            seat_seeds=self.seat_seeds,
            server_seed=self.server_seed.hex() if opened else None,
        )
