"""Fair dice: the draws anybody can repeat, exact odds, and what verification notices."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from fractions import Fraction
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.core import fair
from astragal.core.fair import SPAN, Dice, Fairness, commit, draw, new_seed, pick
from astragal.core.record import BadRecord, Drew, Record
from astragal.core.types import CHANCE
from astragal.core.verify import Verdict, verify
from tests.core.matches import UR, begun, finished, played, with_header

SERVER = bytes(range(32))
SEATS = ("11" * 32, None)
WEIGHTS = (1, 4, 6, 4, 1)


def by_hand(server: bytes, seats: tuple[str | None, ...], match: str, n: int, weights: tuple[int, ...]) -> int:
    """The published recipe, written a second time."""
    public = "|".join("-" if seed is None else seed for seed in seats)
    total, attempt = sum(weights), 0
    while True:
        text = "|".join(["astragal-fair-1", public, match, str(n), str(attempt)])
        number = int(hmac.new(server, text.encode(), hashlib.sha256).hexdigest()[:12], 16)
        if number < 2**48 - 2**48 % total:
            break
        attempt += 1
    number %= total
    sums = [sum(weights[: k + 1]) for k in range(len(weights))]
    return next(k for k, upper in enumerate(sums) if number < upper)


def test_draws_are_those_of_the_published_recipe() -> None:
    for n in range(300):
        assert draw(SERVER, SEATS, "m-1", n, WEIGHTS) == by_hand(SERVER, SEATS, "m-1", n, WEIGHTS)


def test_known_draws_never_change() -> None:
    """Records of years ago must still verify: these numbers are part of the format."""
    known = [3, 1, 3, 2, 1, 1, 2, 1, 1, 3, 3, 2, 2, 3, 3, 2]
    assert [draw(SERVER, SEATS, "m-1", n, WEIGHTS) for n in range(16)] == known


@given(
    st.binary(min_size=32, max_size=32),
    st.lists(st.none() | st.binary(min_size=32, max_size=32).map(bytes.hex), min_size=1, max_size=4).map(tuple),
    st.integers(0, 10**6),
    st.lists(st.integers(0, 50), min_size=1, max_size=9).filter(any).map(tuple),
)
def test_any_draw_is_that_of_the_recipe(
    server: bytes, seats: tuple[str | None, ...], n: int, weights: tuple[int, ...]
) -> None:
    index = draw(server, seats, "x", n, weights)
    assert index == by_hand(server, seats, "x", n, weights)
    assert weights[index] > 0


def test_every_part_changes_the_draws() -> None:
    def hundred(server: bytes = SERVER, seats: Any = SEATS, match: str = "m") -> list[int]:
        return [draw(server, seats, match, n, WEIGHTS) for n in range(100)]

    lists = [
        hundred(),
        hundred(server=bytes(32)),
        hundred(seats=("22" * 32, None)),
        hundred(seats=(None, "11" * 32)),
        hundred(seats=("11" * 32,)),
        hundred(match="n"),
    ]
    assert len({tuple(draws) for draws in lists}) == len(lists)


# Exact odds ---------------------------------------------------------------------------------------------------


def odds(monkeypatch: pytest.MonkeyPatch, span: int, weights: tuple[int, ...]) -> list[Fraction]:
    """How often each index comes, counted over every first attempt there can be."""
    monkeypatch.setattr(fair, "SPAN", span)
    counts: Counter[int] = Counter()
    rejected = 0
    for first in range(span):
        asked: list[int] = []

        def attempt(k: int, first: int = first, asked: list[int] = asked) -> int:
            asked.append(k)
            return first if k == 0 else 0

        index = pick(attempt, weights)
        if len(asked) == 1:
            counts[index] += 1
        else:
            rejected += 1
            assert asked == [0, 1]
    assert rejected == span % sum(weights)
    return [Fraction(counts[k], span - rejected) for k in range(len(weights))]


@pytest.mark.parametrize("span", [16, 64, 100, 255])
@pytest.mark.parametrize("weights", [(1, 4, 6, 4, 1), (3, 3, 1, 1), (1,), (0, 1, 0), (2, 3), (7,), (1, 1, 1)])
def test_odds_are_exactly_the_weights(monkeypatch: pytest.MonkeyPatch, span: int, weights: tuple[int, ...]) -> None:
    assert odds(monkeypatch, span, weights) == [Fraction(weight, sum(weights)) for weight in weights]


def test_numbers_from_the_limit_on_are_rejected() -> None:
    limit = SPAN - SPAN % 7
    assert SPAN % 7
    numbers = [limit, SPAN - 1, limit - 1]
    asked: list[int] = []

    def attempt(k: int) -> int:
        asked.append(k)
        return numbers[k]

    assert pick(attempt, (1,) * 7) == 6
    assert asked == [0, 1, 2]


def test_attempts_are_48_bits_which_a_browser_holds_exactly() -> None:
    assert SPAN == 2**48 < 2**53


@pytest.mark.parametrize("weights", [(), (0,), (0, 0), (1, -1), (2, -1), (-1,), (SPAN, 1)])
def test_weights_without_odds_are_refused(weights: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="weights"):
        pick(lambda _k: 0, weights)


def test_the_whole_span_can_be_one_weight() -> None:
    assert pick(lambda _k: SPAN - 1, (SPAN - 1, 1)) == 1
    assert pick(lambda _k: 0, (SPAN - 1, 1)) == 0


def test_many_draws_are_spread_as_the_weights_say() -> None:
    """Chi-square with 4 degrees of freedom: above 23.5 comes once in ten thousand seeds, and this seed is fixed."""
    times = 4000
    counts = Counter(draw(SERVER, SEATS, "spread", n, WEIGHTS) for n in range(times))
    expected = [times * weight / 16 for weight in WEIGHTS]
    chi_square = sum((counts[k] - expected[k]) ** 2 / expected[k] for k in range(5))
    assert chi_square < 23.5


def test_neighbouring_draws_do_not_depend_on_each_other() -> None:
    times = 4000
    drawn = [draw(SERVER, SEATS, "pairs", n, (1, 1)) for n in range(times + 1)]
    counts = Counter(pairwise(drawn))
    assert sum((counts[a, b] - times / 4) ** 2 / (times / 4) for a in (0, 1) for b in (0, 1)) < 25


# Promises -----------------------------------------------------------------------------------------------------


def test_a_commitment_is_the_sha256_of_the_seed() -> None:
    assert commit(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert commit(SERVER) == hashlib.sha256(SERVER).hexdigest()


def test_seeds_are_32_fresh_bytes() -> None:
    seeds = {new_seed() for _ in range(50)}
    assert len(seeds) == 50
    assert {len(seed) for seed in seeds} == {32}


def test_dice_number_their_draws() -> None:
    dice = Dice(SERVER, SEATS, "m-1")
    assert [dice.draw(WEIGHTS) for _ in range(5)] == [(n, draw(SERVER, SEATS, "m-1", n, WEIGHTS)) for n in range(5)]
    assert Dice(SERVER, SEATS, "m-1", drawn=3).draw(WEIGHTS) == (3, draw(SERVER, SEATS, "m-1", 3, WEIGHTS))


def test_a_draw_that_fails_is_not_counted() -> None:
    dice = Dice(SERVER, SEATS, "m-1")
    with pytest.raises(ValueError, match="weights"):
        dice.draw(())
    assert dice.drawn == 0


def test_the_server_seed_stays_closed_until_the_end() -> None:
    dice = Dice(SERVER, SEATS, "m-1")
    closed, opened = dice.fairness(opened=False), dice.fairness(opened=True)
    assert closed == Fairness(
        server_commitment=commit(SERVER),
        seat_commitments=(commit(b"\x11" * 32), None),
        seat_seeds=SEATS,
        server_seed=None,
    )
    assert SERVER.hex() not in msgspec.json.encode(closed).decode()
    assert opened == msgspec.structs.replace(closed, server_seed=SERVER.hex())


# Verification -------------------------------------------------------------------------------------------------


def verdicts(record: Record) -> list[tuple[str, bool | None]]:
    return [(str(verdict.what), verdict.good) for verdict in verify(record)]


def failed(record: Record) -> list[str]:
    return [what for what, good in verdicts(record) if good is False]


def test_a_good_record_passes() -> None:
    record = finished()
    draws = sum(isinstance(entry, Drew) for entry in record.entries)
    assert verdicts(record) == [
        ("the moves, the weights and the numbers of the draws follow the rules", True),
        ("the seed of seat 1 is the one promised", True),
        ("the seed of seat 2 is the one promised", True),
        ("the server's seed is the one promised", True),
        (f"all {draws} draws are those of the seeds", True),
    ]
    assert all(isinstance(verdict, Verdict) for verdict in verify(record))


def test_a_record_with_moves_taken_back_passes() -> None:
    record = played().record(keep_seed=True)
    assert failed(record) == []
    assert verdicts(record)[-1][0].startswith("all ")


def test_while_the_seed_is_closed_the_draws_are_neither_good_nor_bad() -> None:
    assert verdicts(begun())[-1] == ("the server's seed is not opened yet, so the draws cannot be repeated", None)


def test_of_many_wrong_draws_a_few_are_named_and_the_rest_counted() -> None:
    record = finished()
    other = msgspec.structs.replace(record.header.fair, server_seed="ab" * 32, server_commitment=commit(b"\xab" * 32))
    complaints = failed(msgspec.structs.replace(record, header=msgspec.structs.replace(record.header, fair=other)))
    assert len(complaints) == 5
    assert complaints[1].startswith("draw number ")
    rest = int(complaints[-1].removesuffix(" more draws are those the seeds give"))
    assert 3 < rest < sum(isinstance(entry, Drew) for entry in record.entries)


def changed_draw(record: Record) -> Record:
    """Another throw in the place of the last one, and no moves after it."""
    place = max(n for n, entry in enumerate(record.entries) if isinstance(entry, Drew))
    entry = record.entries[place]
    assert isinstance(entry, Drew)
    other = "throw-1" if entry.action != "throw-1" else "throw-2"
    forged = msgspec.structs.replace(entry, action=other)
    return msgspec.structs.replace(record, entries=(*record.entries[:place], forged), result=None)


def test_a_changed_draw_is_noticed_by_its_number() -> None:
    record = changed_draw(played().record(keep_seed=True))
    number = max(entry.n for entry in record.entries if isinstance(entry, Drew))
    overall, one = failed(record)
    assert overall.startswith(f"all {number + 1} draws")
    assert one.startswith(f"draw number {number} ")


def with_fair(record: Record, **changes: Any) -> Record:
    return with_header(record, fair=msgspec.structs.replace(record.header.fair, **changes))


def test_another_server_seed_is_noticed() -> None:
    faults = failed(with_fair(finished(), server_seed="00" * 32))
    assert "the server's seed is the one promised" in faults
    assert len(faults) > 1  # and the draws are others


def test_another_server_commitment_is_noticed() -> None:
    assert failed(with_fair(finished(), server_commitment="00" * 32)) == ["the server's seed is the one promised"]


def test_another_seed_of_a_seat_is_noticed() -> None:
    record = finished()
    faults = failed(with_fair(record, seat_seeds=(record.header.fair.seat_seeds[0], "00" * 32)))
    assert faults[0] == "the seed of seat 2 is the one promised"
    assert len(faults) > 1


def test_another_commitment_of_a_seat_is_noticed() -> None:
    record = finished()
    faults = failed(with_fair(record, seat_commitments=("00" * 32, record.header.fair.seat_commitments[1])))
    assert faults == ["the seed of seat 1 is the one promised"]


@pytest.mark.parametrize("gone", ["seat_seeds", "seat_commitments"])
def test_a_seed_without_a_promise_or_a_promise_without_a_seed_is_noticed(gone: str) -> None:
    record = finished()
    left = getattr(record.header.fair, gone)
    assert "the seed of seat 1 is the one promised" in failed(with_fair(record, **{gone: (None, left[1])}))


def test_another_match_is_noticed() -> None:
    """The same throws, copied into a match of another name."""
    assert failed(with_header(finished(), match="another"))


def test_the_weights_are_those_of_the_rules() -> None:
    record = finished()
    first = record.entries[0]
    assert isinstance(first, Drew)
    loaded = msgspec.structs.replace(first, weights=(0, 0, 0, 0, 16))
    with pytest.raises(BadRecord) as caught:
        verify(msgspec.structs.replace(record, entries=(loaded, *record.entries[1:])))
    assert caught.value.rule == "RC-7"


def test_a_match_draws_from_its_promised_seeds() -> None:
    """What `play` drew is what anybody finds from the opened seeds."""
    record = finished()
    promise = record.header.fair
    assert promise.server_seed is not None
    state = UR.rules.initial(UR.rules.options_type(pieces=1, begins=0), 2)
    for entry in record.entries:
        assert UR.rules.turn(state) == CHANCE or not isinstance(entry, Drew)
        if isinstance(entry, Drew):
            outcomes = UR.rules.chance(state)
            weights = tuple(weight for _, weight in outcomes)
            index = by_hand(
                bytes.fromhex(promise.server_seed), promise.seat_seeds, record.header.match, entry.n, weights
            )
            assert UR.rules.encode(outcomes[index][0]) == entry.action
        state = UR.rules.apply(state, UR.rules.decode(state, entry.action))  # type: ignore[union-attr]
