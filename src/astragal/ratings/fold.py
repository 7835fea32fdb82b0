"""Ratings as a fold over matches in the order of their ends: the same matches always come to the same ratings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from astragal.ratings import glicko, plackett
from astragal.ratings.glicko import Result
from astragal.ratings.rules import Facts, Pair, Verdict, is_bot, judge
from astragal.ratings.standing import Standing, anchored, waited

Pool = tuple[str, int]


class Scale(Struct, frozen=True, kw_only=True):
    """What a game says about its ratings: where its bots stand, and what beginning is worth with two players."""

    anchors: Mapping[str, float] = {}  # by `bot:LEVEL`
    advantage: float = 0.0  # points


class Change(Struct, frozen=True):
    """What a match changed for the player of one seat."""

    seat: int
    player: str
    before: Standing
    after: Standing


class Counted(Struct, frozen=True):
    """What became of a match."""

    facts: Facts
    verdict: Verdict
    changes: tuple[Change, ...] = ()


class Fold:
    """The standings of one pool so far."""

    def __init__(
        self, scale: Scale, standings: Mapping[str, Standing] | None = None, met: Mapping[Pair, int] | None = None
    ) -> None:
        self._scale = scale
        self.standings: dict[str, Standing] = dict(standings or {})
        self._met: Counter[Pair] = Counter(dict(met or {}))

    def add(self, facts: Facts) -> Counted:
        """Counts one more match. It must not have ended before the one added last."""
        verdict = judge(facts, frozenset(self._scale.anchors), self._met)
        if verdict != "counted" or facts.result is None:
            return Counted(facts, verdict)
        players = [player for player in facts.players if player is not None]
        before = [self._standing(player, facts.ended_ms) for player in players]
        after = _rated(before, facts.result, facts.first, self._scale.advantage)
        changes = []
        for seat, player in enumerate(players):
            earned = before[seat] if is_bot(player) else _played(after[seat], facts.ended_ms)
            changes.append(Change(seat, player, before[seat], earned))
            if not is_bot(player):
                self.standings[player] = earned
        self._met.update(facts.pairs)
        return Counted(facts, verdict, tuple(changes))

    def _standing(self, player: str, now_ms: int) -> Standing:
        if is_bot(player):
            return anchored(self._scale.anchors[player])
        return waited(self.standings.get(player, Standing()), now_ms)


def fold(
    matches: Iterable[Facts], scales: Mapping[str, Scale]
) -> tuple[list[Counted], dict[Pool, dict[str, Standing]]]:
    """All matches of all pools: what became of each, and where everybody stands. `scales` are those of the games."""
    folds: dict[Pool, Fold] = {}
    counted = []
    for facts in sorted(matches, key=lambda facts: facts.order):
        pool = folds.setdefault(facts.pool, Fold(scales.get(facts.game, Scale())))
        counted.append(pool.add(facts))
    return counted, {pool: made.standings for pool, made in folds.items()}


def _rated(
    before: list[Standing], result: tuple[float, ...], first: int | None, advantage: float
) -> tuple[Standing, ...]:
    if len(before) > 2:
        return plackett.update(before, result)
    one, other = before
    share = result[0] / (result[0] + result[1]) if sum(result) else 0.5
    gain = 0.0 if first is None else advantage if first == 0 else -advantage
    return (
        glicko.update(one, [Result(other, share, gain)]) if one.deviation else one,
        glicko.update(other, [Result(one, 1 - share, -gain)]) if other.deviation else other,
    )


def _played(standing: Standing, ended_ms: int) -> Standing:
    return replace(standing, games=standing.games + 1, ended_ms=ended_ms)
