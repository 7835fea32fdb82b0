"""Which matches count, and that ratings depend on nothing but them."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from astragal.ratings.fold import Fold, Scale, fold
from astragal.ratings.rules import DAY_MS, MOST_A_DAY, Facts
from astragal.ratings.standing import PROVISIONAL, Standing

SCALE = Scale(anchors={"bot:casual": 1500.0, "bot:master": 1800.0}, advantage=20.0)


def played(n: int = 1, *players: str | None, **more: Any) -> Facts:
    seated = players or ("ida", "ben")
    usual: dict[str, Any] = {
        "match": f"m{n:03}", "game": "ur", "ended_ms": n * 1000, "players": seated,
        "result": (1.0, *[0.0] * (len(seated) - 1)), "first": 0, "decisions": (9,) * len(seated),
    }  # fmt: skip
    return Facts(**usual | more)


def test_a_win_raises_the_winner_and_lowers_the_loser() -> None:
    counted = Fold(SCALE).add(played())
    assert counted.verdict == "counted"
    ida, ben = counted.changes
    assert ida.after.rating > 1500 > ben.after.rating
    assert (ida.after.games, ida.after.ended_ms, ida.before) == (1, 1000, Standing())


def test_bots_are_anchors_and_stay_where_they_are() -> None:
    ratings = Fold(SCALE)
    against_master = ratings.add(played(1, "ida", "bot:master")).changes
    assert (against_master[1].before.rating, against_master[1].after.rating) == (1800, 1800)
    assert "bot:master" not in ratings.standings
    weaker = Fold(SCALE).add(played(1, "ida", "bot:casual")).changes
    assert against_master[0].after.rating > weaker[0].after.rating  # who beats more gains more
    four = Fold(SCALE).add(played(1, "ida", "bot:casual", "ben", "bot:master")).changes
    assert [change.after.rating for change in four][1::2] == [1500, 1800]
    assert four[0].after.rating > 1500 > four[2].after.rating


def test_who_begins_gains_less_by_winning() -> None:
    first, second = (Fold(SCALE).add(played(first=seat)).changes[0].after.rating for seat in (0, 1))
    assert 1500 < first < second


def test_a_rating_is_provisional_at_first() -> None:
    ratings = Fold(SCALE)
    for n in range(PROVISIONAL):
        assert ratings.standings.get("ida", Standing()).provisional
        ratings.add(played(n, "ida", f"other{n}"))
    assert not ratings.standings["ida"].provisional
    assert ratings.standings["other0"].provisional


@pytest.mark.parametrize(
    ("how", "verdict"),
    [
        ({"result": None}, "closed"),
        ({"handed_over": True}, "handed over"),
        ({"helped": True}, "helped"),
        ({"players": ("ida", None)}, "guest"),
        ({"players": ("bot:casual", "bot:master")}, "no people"),
        ({"players": ("ida", "bot:greedy")}, "unknown bot"),
        ({"players": ("ida", "ida")}, "same player"),
        ({"one_address": True}, "one address"),
        ({"gave_up": (1,), "decisions": (1, 0)}, "aborted"),
        ({"gave_up": (1,), "decisions": (1, 1)}, "counted"),  # who gives up later, or lets the clock fall, has lost
        ({"decisions": (3, 0)}, "counted"),  # the rules ended it
        ({"result": (0.5, 0.5)}, "counted"),
    ],
)
def test_what_counts(how: dict[str, Any], verdict: str) -> None:
    ratings = Fold(SCALE)
    counted = ratings.add(played(**how))
    assert counted.verdict == verdict
    assert bool(counted.changes) == bool(ratings.standings) == (verdict == "counted")


def test_the_same_two_count_only_so_often_a_day() -> None:
    ratings = Fold(SCALE)
    verdicts = [ratings.add(played(n)).verdict for n in range(MOST_A_DAY + 2)]
    assert verdicts == ["counted"] * MOST_A_DAY + ["too often"] * 2
    turned = played(900, "ben", "ida")
    assert ratings.add(turned).verdict == "too often"  # whoever sits where
    assert ratings.add(played(901, "ida", "eve")).verdict == "counted"
    assert ratings.add(replace(turned, match="next", ended_ms=DAY_MS)).verdict == "counted"


def test_what_did_not_count_uses_up_nothing() -> None:
    ratings = Fold(SCALE)
    for n in range(3 * MOST_A_DAY):
        ratings.add(played(n, gave_up=(0,), decisions=(0, 0)))
    assert ratings.add(played(500)).verdict == "counted"


def test_farming_a_new_key_every_time_gains_less_and_less() -> None:
    """Beating strangers who never win is worth almost nothing soon."""
    ratings, gains = Fold(SCALE), []
    for n in range(60):
        (won, _) = ratings.add(played(n, "ida", f"made up {n}")).changes
        gains.append(won.after.rating - won.before.rating)
    assert gains[0] > 100
    assert gains[-1] < 10


@st.composite
def histories(draw: st.DrawFn) -> list[Facts]:
    names = st.sampled_from(["ida", "ben", "eve", "max", "bot:casual"])
    made = []
    for n in range(draw(st.integers(1, 20))):
        players = draw(st.lists(names, min_size=2, max_size=4))
        winner = draw(st.integers(0, len(players) - 1))
        shares = tuple(float(seat == winner) for seat in range(len(players)))
        at = draw(st.integers(0, 3)) * DAY_MS // 2
        made.append(played(n, *players, result=shares, ended_ms=at, first=draw(st.integers(0, 1))))
    return made


@settings(max_examples=60, deadline=None)
@given(histories(), st.randoms(use_true_random=False))
def test_only_the_order_of_the_ends_matters(matches: list[Facts], rng: Random) -> None:
    """The same matches told in any order come to the same; and pool by pool as one after the other."""
    straight = fold(matches, {"ur": SCALE})
    shuffled = list(matches)
    rng.shuffle(shuffled)
    assert fold(shuffled, {"ur": SCALE}) == straight
    one_by_one: dict[tuple[str, int], Fold] = {}
    for facts in sorted(matches, key=lambda facts: facts.order):
        one_by_one.setdefault(facts.pool, Fold(SCALE)).add(facts)
    assert {pool: ratings.standings for pool, ratings in one_by_one.items()} == straight[1]


@settings(max_examples=40, deadline=None)
@given(histories())
def test_pools_do_not_mix(matches: list[Facts]) -> None:
    alone = fold([facts for facts in matches if len(facts.players) == 2], {"ur": SCALE})[1]
    together = fold([*matches, *(replace(facts, game="nile") for facts in matches)], {"ur": SCALE})[1]
    assert together.get(("ur", 2)) == alone.get(("ur", 2))
