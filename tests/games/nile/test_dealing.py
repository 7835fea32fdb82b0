"""Deals for searches are those of `hidden_tiles`, with the same luck, and look like the view."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from astragal.core.compiled import cpu
from astragal.core.types import CHANCE, OVER
from astragal.core.walk import Walk
from astragal.games.nile import GAME, kernels_deal
from astragal.games.nile import layout as at
from astragal.games.nile.dealing import Dealer, deals, deals_of, work_for
from astragal.games.nile.hidden_tiles import Luck, past_of
from astragal.games.nile.kernels_deal import deal_once
from astragal.games.nile.options import Options
from astragal.games.nile.state import State
from astragal.games.nile.tiles import KINDS
from tests.games.nile.positions import OPTIONS, RULES, dealt, do, filled, seen

BITS = (1 << 64) - 1


class Splitmix(Random):
    """The random numbers of kernels (`core.fast.draw`), for Python."""

    def __init__(self, seed: int) -> None:
        self.state = seed
        super().__init__()

    def random(self) -> float:
        self.state = (self.state + 0x9E3779B97F4A7C15) & BITS
        bits = self.state
        bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9 & BITS
        bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB & BITS
        return ((bits ^ (bits >> 31)) >> 11) * 2.0**-53


def positions(options: Options, players: int, games: int) -> Iterator[State]:
    """Positions of random games in which somebody has tiles, resignations among them."""
    for seed in range(games):
        walk = Walk(RULES, RULES.initial(options, players), Random(seed), claims=0.02 if players > 2 else 0)
        while walk.turn != OVER:
            if walk.turn != CHANCE and walk.ply % 5 == seed % 5:
                yield walk.state
            walk.step()


@pytest.mark.rule("NI-2", "NI-6", "NI-8", "NI-10", "NI-11")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("encircle", ["universal", "free"])
def test_the_same_luck_deals_the_same_tiles(players: int, encircle: str) -> None:
    """And where one says that an attempt has failed, which is rare, the other says so too."""
    kernel = cpu(deal_once)
    came, steps = [], set()
    for number, state in enumerate(positions(Options(board="small", encircle=encircle), players, 5)):  # type: ignore[arg-type]
        for seat in (*range(players), None):
            view = RULES.observe(state, seat)
            if not deals(view):
                continue
            past, luck = past_of(view), Splitmix(number)
            known = deals_of(past)
            work = work_for(known, number)
            for _ in range(3):
                attempt = Luck(past, luck)
                came.append(attempt.succeeds())
                assert kernel(known, work) == came[-1]
                assert work.racks.tolist() == attempt.racks
            steps |= {step.what for step in past.steps}
    assert came.count(True) > 300
    assert steps >= {"draw", "laid", "shown"} | ({"gave up"} if players > 2 else set())


def test_deals_look_like_the_view_and_are_no_two_alike() -> None:
    """All but bag and racks stays as it is, and the seat's own rack too."""
    hidden = [*range(at.BAG, at.BAG + at.KINDS), *range(at.RACKS, at.RACKS + at.SEATS * at.KINDS)]
    for players in (2, 3, 4):
        fast = GAME.fast(OPTIONS, players)  # type: ignore[misc]
        for state in positions(OPTIONS, players, 2):
            seat = RULES.turn(state)
            view, packed = RULES.observe(state, seat), fast.pack(state)
            dealer = fast.dealer(view, Random(1))
            if dealer is None:
                assert not deals(view)
                continue
            rows = np.tile(packed, (8, 1))
            dealer(rows)
            assert (np.delete(rows, hidden, axis=1) == np.delete(packed, hidden)).all()
            own = at.RACKS + seat * at.KINDS
            assert (rows[:, own : own + at.KINDS] == packed[own : own + at.KINDS]).all()
            racks = rows[:, at.RACKS : at.RACKS + at.SEATS * at.KINDS].reshape(8, at.SEATS, at.KINDS)
            assert (racks >= 0).all()
            assert (racks.sum(axis=2)[:, :players] == packed[at.SIZES : at.SIZES + players]).all()
            bags = rows[:, at.BAG : at.BAG + at.KINDS]
            assert (bags >= 0).all()
            assert (bags.sum(axis=1) == packed[at.IN_BAG]).all()
            if packed[at.IN_BAG] > 20:
                assert len({row.tobytes() for row in rows}) > 4


def test_deals_are_as_likely_as_those_of_the_rules() -> None:
    state = dealt("straight curve bow bow universal", "curve curve far-left diagonal bow")
    view = seen(state, 0)
    fast = GAME.fast(OPTIONS, 2)  # type: ignore[misc]
    rows = np.tile(fast.pack(state), (4000, 1))
    Dealer(view, 3)(rows)
    rng = Random(4)
    others = [RULES.resample(view, rng).racks[1] for _ in range(1000)]
    for kind, name in enumerate(KINDS):
        mine = rows[:, at.RACKS + at.KINDS + kind].mean()
        theirs = sum(rack.count(name) for rack in others) / len(others)
        assert mine == pytest.approx(theirs, abs=0.15)


def test_tiles_are_dealt_anew_where_nothing_but_the_position_is_known() -> None:
    """By the kernel that searches of self-play use: other racks come from all tiles that the seat cannot see."""
    for players in (2, 3, 4):
        fast = GAME.fast(OPTIONS, players)  # type: ignore[misc]
        rng, different, redeal = np.array([5], dtype=np.uint64), 0, cpu(kernels_deal.redeal)
        held, wanted = np.zeros(at.KINDS), np.zeros(at.KINDS)
        for state in positions(OPTIONS, players, 1):
            seat, packed = RULES.turn(state), fast.pack(state)
            unseen = _unseen(packed, seat, players)
            for _ in range(100):
                again = packed.copy()
                redeal(again, fast.tables, seat, rng)
                racks = again[at.RACKS : at.RACKS + at.SEATS * at.KINDS].reshape(at.SEATS, at.KINDS)
                own = slice(at.RACKS + seat * at.KINDS, at.RACKS + (seat + 1) * at.KINDS)
                assert (again[own] == packed[own]).all()
                assert (racks.sum(axis=1)[:players] == packed[at.SIZES : at.SIZES + players]).all()
                assert (_unseen(again, seat, players) == unseen).all()
                assert again.min() >= min(packed.min(), 0)
                different += bool((again != packed).any())
                held += racks.sum(axis=0) - racks[seat]
            others = packed[at.SIZES : at.SIZES + players].sum() - packed[at.SIZES + seat]
            wanted += 100 * others * unseen / unseen.sum()
        assert different > 100
        assert held == pytest.approx(wanted, rel=0.15)  # as often as there are of each kind


def _unseen(packed: Any, seat: int, players: int) -> Any:
    racks = packed[at.RACKS : at.RACKS + players * at.KINDS].reshape(players, at.KINDS)
    return packed[at.BAG : at.BAG + at.KINDS] + racks.sum(axis=0) - racks[seat]


@pytest.mark.rule("NI-12")
def test_where_the_river_has_come_onto_blue_the_rules_deal_themselves() -> None:
    """Whoever led it there can end it, which a dealer does not know; under `anyone` that is no matter."""
    for finish, knows in (("same_turn", False), ("anyone", True)):
        options = replace(OPTIONS, blue_finish=finish)
        state = dealt("straight straight straight straight straight", "straight curve curve bow bow", options=options)
        state = filled(do(state, "N", "N", "N", "N", "N", "stop"))
        state = do(state, "D6:straight-N")
        assert deals(seen(state, 0))
        state = do(state, "D7:curve-E")
        assert deals(seen(state, 0)) == knows


def test_a_view_that_fits_no_past_is_refused() -> None:
    state = dealt("straight curve bow bow universal", "curve curve far-left diagonal bow")
    view = replace(seen(state, 0), unseen=(0,) * at.KINDS)
    with pytest.raises(ValueError, match="no deal"):
        Dealer(view, 1)(np.tile(GAME.fast(OPTIONS, 2).pack(state), (1, 1)))  # type: ignore[misc]
