"""What players write, and what else they may type."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.core.types import BadNotation, IllegalAction
from astragal.games.nile.actions import PASSES, STOPS, Action, Draw, Lay, Resign
from astragal.games.nile.options import Options
from astragal.games.nile.tiles import KINDS, POINTS
from tests.games.nile.positions import RULES, at, random_game

STATE = at("N N", "straight curve far-left near-right universal", "bow", "bow")
HEAD = "D3"


@pytest.mark.rule("NI-3", "NI-13", "NI-15")
@pytest.mark.parametrize(
    ("action", "text"),
    [
        (Lay("K1", "straight", 0), "K1:straight-N"),
        (Lay("K1", "far-left", 7), "K1:far-left-NW"),
        (Lay("B12", "universal", 2, "curve"), "B12:universal=curve-E"),
        (Lay("K5", "curve", 6, crossing=True), "K5:curve-W+universal"),
        (Lay("K5", "universal", 3, "near-right", crossing=True), "K5:universal=near-right-SE+universal"),
        (Draw("near-left"), "draw-near-left"),
        (STOPS, "stop"),
        (PASSES, "pass"),
        (Resign(2), "resign-3"),
    ],
)
def test_how_actions_are_written(action: Action, text: str) -> None:
    assert RULES.encode(action) == text


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("D3:straight-N", "D3:straight-N"),
        ("d3:straight-n", "D3:straight-N"),
        ("  d3   straight   N ", "D3:straight-N"),
        ("straight n", "D3:straight-N"),
        ("st n", "D3:straight-N"),
        ("N", "D3:straight-N"),
        ("d3 n", "D3:straight-N"),
        ("far left nw", "D3:far-left-NW"),
        ("far-l nw", "D3:far-left-NW"),
        ("f l nw", "D3:far-left-NW"),
        ("nw", "D3:far-left-NW"),
        ("near-right-se", "D3:near-right-SE"),
        ("u ne", "D3:universal=far-right-NE"),
        ("universal=curve-W", "D3:universal=curve-W"),
        ("d3:u=curve w", "D3:universal=curve-W"),
        ("resign-2", "resign-2"),
    ],
)
def test_what_may_be_typed(typed: str, text: str) -> None:
    assert RULES.encode(RULES.decode(STATE, typed)) == text


def test_crossings_may_be_typed_short() -> None:
    state = at("N N N E S S", "curve universal", "bow")
    for typed in ("E2:curve-W+universal", "W+", "w +", "curve w+u", "e2 c w + universal"):
        assert RULES.encode(RULES.decode(state, typed)) == "E2:curve-W+universal"
    with pytest.raises(BadNotation):
        RULES.decode(state, "W+bow")


@pytest.mark.parametrize(
    "typed", ["", "x", "north", "straight", "D3", "D3:", "D3:squiggle-N", "far n", "near n", "D3:straight-X", "D333:N",
              "draw", "draw-", "draw-far", "resign", "resign-0", "stop now", "K1:straight-N+bow", "ñ", "+", "N++",
              "\x00", "left n", "universal=-N"],
)  # fmt: skip
def test_what_is_no_notation(typed: str) -> None:
    with pytest.raises(BadNotation, match="is not a move"):
        RULES.decode(STATE, typed)


@pytest.mark.parametrize(
    ("typed", "rule"),
    [
        ("S", "NI-3"),
        ("D4:straight-N", "NI-3"),
        ("straight E", "NI-3"),
        ("bow NE", "NI-8"),
        ("universal=bow-N", "NI-3"),
        ("stop", "NI-8"),
        ("pass", "NI-8"),
        ("draw-bow", "NI-2"),
        ("resign-9", "NI-18"),
        ("N+", "NI-15"),
    ],
)
def test_what_is_not_allowed_here_names_its_rule(typed: str, rule: str) -> None:
    with pytest.raises(IllegalAction) as refused:
        RULES.decode(STATE, typed)
    assert refused.value.rule == rule
    for lang in ("en", "de", "es"):
        assert refused.value.to(lang).endswith(f"({rule})")


@given(st.text(max_size=40) | st.from_regex(r"[a-zA-Z0-9:+= -]{0,24}", fullmatch=True))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        action = RULES.decode(STATE, text)
    except (BadNotation, IllegalAction):
        return
    assert action in RULES.legal(STATE) or action in [claim for _, claim in RULES.claims(STATE)]


lays = st.builds(
    Lay, st.from_regex(r"[A-Y][1-9]", fullmatch=True), st.sampled_from(KINDS), st.integers(0, 7),
    st.none() | st.sampled_from(KINDS), st.booleans(),
)  # fmt: skip


@given(lays)
def test_no_lay_is_done_that_is_not_legal(action: Lay) -> None:
    try:
        RULES.apply(STATE, action)
    except IllegalAction as refused:
        assert refused.rule.startswith("NI-")
        assert action not in RULES.legal(STATE)
    else:
        assert action in RULES.legal(STATE)


@given(st.integers(0, 10_000), st.sampled_from([2, 3, 4]))
def test_every_action_of_a_game_reads_back(seed: int, players: int) -> None:
    rng = Random(seed)
    for state, action in random_game(seed, Options(board="small"), players):
        if action is not None and rng.random() < 0.2:
            text = RULES.encode(action)
            assert RULES.decode(state, text) == action
            assert RULES.decode(state, text.lower()) == action
            assert msgspec.json.decode(msgspec.json.encode(action), type=RULES.action_type) == action
            if isinstance(action, Lay):
                short = f"{action.tile} {POINTS[action.exit]}{'+' if action.crossing else ''}"
                assert RULES.decode(state, short) == action
