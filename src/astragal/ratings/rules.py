"""Which matches count for ratings. Everything that this needs to know of a match stands in its log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Literal

from msgspec import Struct

MOST_A_DAY = 10  # matches of the same two that count on one day
DAY_MS = 86_400_000

Verdict = Literal[
    "counted", "closed", "handed over", "helped", "guest", "no people", "unknown bot", "same player", "one address",
    "aborted", "too often",
]  # fmt: skip
"""What became of a rated match: it was counted, or why it was not."""

Pair = tuple[str, str, int]
"""Two players or bots of one match, in alphabetical order, and the day (UTC) on which it ended."""


class Facts(Struct, frozen=True, kw_only=True):
    """What ratings need to know of a match that was to be rated and is over."""

    match: str
    game: str
    ended_ms: int
    players: tuple[str | None, ...]  # of every seat: a key, `bot:LEVEL`, or None for a guest
    result: tuple[float, ...] | None  # shares of the win; None if the table was closed before the end
    first: int | None  # the seat that acted first
    decisions: tuple[int, ...]  # how often each seat acted, without forced passes
    gave_up: tuple[int, ...] = ()  # seats that resigned, were away for too long, or whose clock fell
    one_address: bool = False  # whether two people sat down from one address
    handed_over: bool = False  # whether somebody else went on in a seat
    helped: bool = False  # whether there was a hint, or something was taken back

    @property
    def pool(self) -> tuple[str, int]:
        """Which ratings it is about: the game, and the number of players."""
        return self.game, len(self.players)

    @property
    def order(self) -> tuple[int, str]:
        """Where it stands in the order in which matches are counted: by their end, then by their id."""
        return self.ended_ms, self.match

    @property
    def pairs(self) -> Iterator[Pair]:
        """All who met in it, two by two."""
        day = self.ended_ms // DAY_MS
        met = sorted({player for player in self.players if player is not None})
        return ((one, other, day) for one, other in combinations(met, 2))


def is_bot(player: str) -> bool:
    """Whether it is a bot of the server's, and no key."""
    return player.startswith("bot:")


def judge(facts: Facts, anchors: frozenset[str], met: Counter[Pair]) -> Verdict:
    """Whether a match counts. `anchors` are the bots of a known rating, `met` how often two have met that day."""
    people = [player for player in facts.players if player is None or not is_bot(player)]
    if facts.result is None:
        return "closed"
    if facts.handed_over:
        return "handed over"
    if facts.helped:
        return "helped"
    if not people:
        return "no people"
    if None in people:
        return "guest"
    if any(is_bot(player) and player not in anchors for player in facts.players if player is not None):
        return "unknown bot"
    if len(set(people)) < len(people):
        return "same player"
    if facts.one_address:
        return "one address"
    if facts.gave_up and not all(facts.decisions):
        return "aborted"
    if any(met[pair] >= MOST_A_DAY for pair in facts.pairs):
        return "too often"
    return "counted"
