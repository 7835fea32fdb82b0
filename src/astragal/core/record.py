"""A match as a list: what it began with, and everything that happened since.

Replay, undo, saving, export, the server's store and the golden tests are all this one list. `line` says what each
entry does to a match; `recordfile` writes records to files and reads them back.

The rules of records have ids (RC-1 ...) as those of games have; docs/records.md explains them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from astragal.core import registry
from astragal.core.fair import Fairness, Hex, PlayerName
from astragal.core.language import Text, say
from astragal.core.rules import Game
from astragal.core.types import AstragalError, whole

FORMAT = "astragal-record-1"


class Seat(Struct, frozen=True, forbid_unknown_fields=True):
    """Who sits there: `human`, or `bot:` and the bot's name."""

    player: Annotated[str, Meta(pattern=whole(r"human|bot:[^\s\x00-\x1f\x7f-\x9f]{1,60}"))] = "human"
    name: PlayerName = ""


def is_bot(seat: Seat) -> bool:
    """Whether a bot sits there."""
    return seat.player.startswith("bot:")


class Header(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that was settled before the first draw. A host's own data files are inside the options."""

    format: str = FORMAT
    game: Annotated[str, Meta(pattern=whole(r"[^\s\x00-\x1f\x7f-\x9f]{1,60}"))]
    version: Annotated[int, Meta(ge=0, lt=10**9)]
    match: Annotated[str, Meta(pattern=whole("[A-Za-z0-9_-]{1,60}"))]
    seats: tuple[Seat, ...]
    options: dict[str, Any]
    fair: Fairness
    position: str | UnsetType = UNSET  # where the match began, if not at the beginning (`Rules.position`)


class Drew(Struct, frozen=True, tag="drew", forbid_unknown_fields=True):
    """Chance decided: draw number n of the match, and the weights it was drawn with."""

    n: int
    action: str
    weights: tuple[int, ...]


class Acted(Struct, frozen=True, tag="acted", forbid_unknown_fields=True):
    """A seat acted in its turn."""

    seat: int
    action: str


class Claimed(Struct, frozen=True, tag="claimed", forbid_unknown_fields=True):
    """A seat claimed something the rules allow out of turn."""

    seat: int
    action: str


class Resigned(Struct, frozen=True, tag="resigned", forbid_unknown_fields=True):
    """A seat gave up."""

    seat: int


class TimedOut(Struct, frozen=True, tag="timed out", forbid_unknown_fields=True):
    """A seat's clock ran out and cost it the match; with more than two players the others play on."""

    seat: int


class DrawAgreed(Struct, frozen=True, tag="draw agreed", forbid_unknown_fields=True):
    """All seats still in the game agreed to share the win."""


class TookBack(Struct, frozen=True, tag="took back", forbid_unknown_fields=True):
    """The match went back to where `ply` actions and draws had been made."""

    ply: int


class HandedOver(Struct, frozen=True, tag="handed over", forbid_unknown_fields=True):
    """Somebody else plays this seat from here on."""

    seat: int
    to: Seat


class Counted(Struct, frozen=True, tag="counted", forbid_unknown_fields=True):
    """All agreed that the answer given at `ply` counts although it was refused. What came of the refusal is undone."""

    ply: int


What = Literal["draw", "takeback", "takeback-seen", "pause", "resume", "count"]
"""What a seat can offer the others. `takeback-seen` takes back although a die or a secret was seen since; `count` is to
count an answer that was refused."""


class Offered(Struct, frozen=True, tag="offered", forbid_unknown_fields=True):
    """A seat offered the others something that needs their consent."""

    seat: int
    what: What


class Answered(Struct, frozen=True, tag="answered", forbid_unknown_fields=True):
    """A seat answered the open offer, or (no) withdrew its own. In place of the last yes stands what was offered."""

    seat: int
    yes: bool


class Paused(Struct, frozen=True, tag="paused", forbid_unknown_fields=True):
    """The match rests: nobody acts, nothing is drawn, no clock runs."""


class Resumed(Struct, frozen=True, tag="resumed", forbid_unknown_fields=True):
    """The match goes on after a pause."""


Entry = (
    Drew
    | Acted
    | Claimed
    | Resigned
    | TimedOut
    | DrawAgreed
    | TookBack
    | Counted
    | HandedOver
    | Offered
    | Answered
    | Paused
    | Resumed
)


class Offer(Struct, frozen=True):
    """An offer that is open: whose, of what, and who agreed already."""

    seat: int
    what: What
    agreed: tuple[int, ...] = ()


class Signature(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A server's signature under a finished record; `signing` says what it is made of."""

    algorithm: Literal["ed25519"] = "ed25519"
    key: Hex  # the public key
    value: Annotated[str, Meta(pattern=whole("[0-9a-f]{128}"))]


class Record(Struct, frozen=True, kw_only=True):
    """A whole match, finished or not."""

    header: Header
    entries: tuple[Entry, ...] = ()
    result: tuple[float, ...] | None = None  # None while it goes on
    signature: Signature | msgspec.UnsetType = msgspec.UNSET

    def digest(self) -> str:
        """A fingerprint of everything in the record."""
        return hashlib.sha256(msgspec.json.encode(self, order="deterministic")).hexdigest()


class BadRecord(AstragalError):
    """A record that breaks a rule. `entry` counts from 0 and is None for the header."""

    def __init__(self, rule: str, text: Text, entry: int | None = None) -> None:
        super().__init__(text)
        self.rule = rule
        self.entry = entry

    def to(self, lang: str) -> str:
        return f"{self.text.to(lang)} ({self.rule})"


def find_game(header: Header, game: Game | None = None) -> Game:
    """The game a record is of, in just the version it was played; `game` if that need not be installed."""
    if header.format != FORMAT:
        raise BadRecord(
            "RC-1", say("format {format!r} is unknown; this program reads {known}", format=header.format, known=FORMAT)
        )
    try:
        game = game or registry.game(header.game)
    except registry.UnknownGame as error:
        raise BadRecord("RC-2", error.text) from None
    if game.id != header.game:
        raise BadRecord("RC-2", say("this is a match of {theirs}, not of {ours}", theirs=header.game, ours=game.id))
    if not game.rules.spec.replays(header.version):
        raise BadRecord(
            "RC-2",
            say(
                "it was played under version {theirs} of {game}; this program has version {ours}",
                theirs=header.version,
                game=header.game,
                ours=game.rules.spec.version,
            ),
        )
    if len(header.seats) not in game.rules.spec.players:
        raise BadRecord("RC-2", say("{game} is not played by {n} players", game=header.game, n=len(header.seats)))
    promise = header.fair
    if not len(promise.seat_seeds) == len(promise.seat_commitments) == len(header.seats):
        raise BadRecord("RC-1", say("every seat needs a seed and a commitment, or a note that it has none"))
    for gone in promise.abandoned:
        if not 0 <= gone.seat < len(header.seats):
            raise BadRecord("RC-1", say("there is no seat {seat}", seat=gone.seat + 1))
    return game


def result_text(result: Sequence[float] | None) -> str:
    """`1 0`, `0.5 0.5`, or `none` while a match goes on."""
    return "none" if result is None else " ".join(repr(share).removesuffix(".0") for share in result)
