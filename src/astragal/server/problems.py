"""What can go wrong for a caller, with a code that stays the same and a sentence in the caller's language."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from astragal.analysis.puzzles import NoPuzzles
from astragal.bots import UnknownBot
from astragal.core import bounds
from astragal.core.language import Text
from astragal.core.registry import UnknownGame
from astragal.core.types import AstragalError, BadFile, BadNotation, BadOptions, BadPosition, IllegalAction
from astragal.play.match import NotPossible, NotYourTurn
from astragal.server.health import BadText, StoreFailed
from astragal.tournament.events import BadPlan

# Every code there is, and the HTTP status that goes with it.
CODES: Mapping[str, int] = MappingProxyType(
    {
        "malformed": 400,
        "bad_options": 400,
        "bad_notation": 400,
        "wrong_secret": 401,
        "password": 401,
        "wrong_signature": 401,
        "not_signed_in": 401,
        "host_secret": 401,
        "origin": 403,
        "forbidden": 403,
        "banned": 403,
        "not_found": 404,
        "unknown_game": 404,
        "unknown_bot": 404,
        "method": 405,
        "illegal_action": 409,
        "not_possible": 409,
        "not_your_turn": 409,
        "late": 409,
        "seat_taken": 409,
        "too_large": 413,
        "host": 421,
        "too_many": 429,
        "quota": 429,
        "internal": 500,
        "busy": 503,
        "storage": 503,
        "closing": 503,
    }
)


MOST_DETAIL = 1000  # characters: no answer repeats more of what somebody sent


class Problem(AstragalError):
    """A refusal of the server itself; `retry_after` says in how many seconds it may be different."""

    def __init__(self, code: str, text: Text, retry_after: int | None = None) -> None:
        super().__init__(text)
        self.code = code
        self.retry_after = retry_after


_OF_GAMES: tuple[tuple[type[AstragalError], str], ...] = (
    (IllegalAction, "illegal_action"),
    (BadNotation, "bad_notation"),
    (BadPosition, "bad_notation"),
    (NoPuzzles, "not_found"),
    (NotYourTurn, "not_your_turn"),
    (NotPossible, "not_possible"),
    (BadOptions, "bad_options"),
    (BadFile, "bad_options"),
    (BadPlan, "bad_options"),
    (UnknownGame, "unknown_game"),
    (UnknownBot, "unknown_bot"),
    (BadText, "malformed"),
    (StoreFailed, "storage"),
)


def code_of(error: AstragalError) -> str:
    """The code of any error that has a sentence."""
    if isinstance(error, Problem):
        return error.code
    return next((code for kind, code in _OF_GAMES if isinstance(error, kind)), "not_possible")


def shortened(detail: str) -> str:
    """A sentence that may repeat what the caller sent, and no more of that than anybody reads."""
    return bounds.shortened(detail, MOST_DETAIL)


def document(error: AstragalError, lang: str) -> dict[str, Any]:
    """The error as problem+json (RFC 9457)."""
    code = code_of(error)
    fields: dict[str, Any] = {
        "type": f"/api/problems#{code}",
        "title": code.replace("_", " "),
        "status": CODES[code],
        "code": code,
        "detail": shortened(error.to(lang)),
    }
    if isinstance(error, IllegalAction):
        fields["rule"] = error.rule
    if isinstance(error, BadOptions):
        fields["field"] = bounds.shortened(error.field)
    return fields
