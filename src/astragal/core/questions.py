"""Questions that a game asks its players, as a report counts them after the match."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class Answered(Struct, frozen=True, kw_only=True):
    """A question that a player answered, and whether rightly. It tells the answer: for matches that are over."""

    question: str  # its name, the same wherever it is asked
    level: str
    right: bool
    seat: int
    text: Mapping[str, str]  # the question and its answer in each language
    answer: Mapping[str, str]
