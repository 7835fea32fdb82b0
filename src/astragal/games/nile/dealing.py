"""Deals of hidden tiles for searches: many at once, as packed positions."""

from __future__ import annotations

from collections.abc import Sequence, Sized

import numpy as np

from astragal.core.compiled import cpu
from astragal.core.fast import Array
from astragal.games.nile.course import course
from astragal.games.nile.hidden_tiles import ATTEMPTS, WHATS, Past, no_deal, past_of
from astragal.games.nile.kernels_deal import NEVER, Deals, DealWork, deal_all
from astragal.games.nile.layout import KINDS
from astragal.games.nile.view import View


class Dealer:
    """Deals the tiles that a view hides, as `hidden_tiles.deal` does."""

    def __init__(self, v: View, seed: int) -> None:
        self.deals = deals_of(past_of(v))
        self.work = work_for(self.deals, seed)
        self._viewer = -1 if v.seat is None else v.seat
        self._deal_all = cpu(deal_all)

    def __call__(self, states: Array) -> None:
        """Makes another deal of every row, which is a packed position that looks like the view."""
        if not self._deal_all(self.deals, self.work, self._viewer, ATTEMPTS, states):
            raise no_deal()


def deals(v: View) -> bool:
    """Whether a dealer knows all that there is to know of the tiles of this view.

    It does not know that whoever has just led the river onto blue can end it (`blue_finish=same_turn`). And where no
    tiles are hidden there is nothing to deal.
    """
    if v.phase in ("lots", "over"):
        return False
    return v.options.blue_finish == "anyone" or not v.laid or not course(v.options.board, v.river).committed


def _rows(lists: Sequence[Sequence[int]]) -> Array:
    """Lists of numbers as rows of one array, with zeros behind the shorter ones."""
    rows = np.zeros((len(lists), max(1, *map(len, lists))), dtype=np.int64)
    for row, numbers in zip(rows, lists, strict=True):
        row[: len(numbers)] = numbers
    return rows


def _counts(lists: Sequence[Sized]) -> Array:
    return np.array([len(numbers) for numbers in lists], dtype=np.int64)


def deals_of(past: Past) -> Deals:
    """What `hidden_tiles` has found out about a past, as kernels take it."""
    seats = range(len(past.draws))
    wants = [past.wants[seat][kind] for seat in seats for kind in range(KINDS)]
    by_seat_and_kind = (len(seats), KINDS, -1)
    return Deals(
        steps=np.array([(WHATS.index(one.what), one.seat, one.kind) for one in past.steps], dtype=np.int64),
        bag=np.array(past.tiles.counts, dtype=np.int64),
        unseen=np.array(past.view.unseen, dtype=np.int64),
        rack=past.tiles.rack,
        gave_up=np.array([past.gave_up.get(seat, NEVER) for seat in seats], dtype=np.int64),
        barred=np.array(past.barred, dtype=np.bool_),
        deadlines=_rows(past.deadlines),
        deadline_counts=_counts(past.deadlines),
        due=_rows(past.due),
        promised=_rows(past.promised),
        promise_counts=_counts(past.promised),
        slack=_rows(past.slack),
        want_places=_rows([[place for place, _ in some] for some in wants]).reshape(by_seat_and_kind),
        want_deadlines=_rows([[deadline for _, deadline in some] for some in wants]).reshape(by_seat_and_kind),
        want_counts=_counts(wants).reshape(len(seats), KINDS),
    )


def work_for(deals: Deals, seed: int) -> DealWork:
    """Room for deals, and their luck."""
    players = len(deals.due)
    return DealWork(
        bag=np.empty_like(deals.bag),
        unseen=np.empty_like(deals.unseen),
        racks=np.empty((players, KINDS), dtype=np.int64),
        drawn=np.empty(players, dtype=np.int64),
        due=np.empty_like(deals.due),
        slack=np.empty_like(deals.slack),
        begin=np.empty(KINDS, dtype=np.int64),
        want_counts=np.empty_like(deals.want_counts),
        weights=np.empty(KINDS, dtype=np.int64),
        rng=np.array([seed], dtype=np.uint64),
    )
