"""Positions of EGAR as lines of text."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

import astragal
from astragal.games.egar.actions import Draw, Order
from astragal.games.egar.deck import Deck
from astragal.games.egar.options import Options
from tests.games.notations import damage, examples, refusal

EGAR = astragal.rules("egar")


@pytest.mark.parametrize("line", examples("egar"))
def test_the_examples_of_the_rules_page_are_positions(line: str) -> None:
    assert EGAR.position(EGAR.from_position(line, Options(), 2)) == line


def test_a_line_says_what_a_state_holds() -> None:
    state = EGAR.from_position("armies=E5,E6/F5,M13 phase=fight:1 turns=20 fight=F5:E5:1:4", Options(), 2)
    names = state.ground.names
    assert state.fight is not None
    assert (names[state.fight.target], names[state.fight.risk]) == ("F5", "E5")
    assert (state.fight.dice, state.fight.thrown, state.fight.best, state.turns) == (1, 1, 4, 20)


def test_the_open_card_comes_back_with_its_secret() -> None:
    line = "armies=A1,B1,D1,A2/M10,K11,L11 phase=card:2 turns=3"
    state = EGAR.apply(EGAR.from_position(line, Options(), 2), Draw(17))
    shown = EGAR.apply(state, Order((3, 0, 2, 1)))
    text = EGAR.position(shown)
    assert text.endswith(" order=4132")
    again = EGAR.from_position(text, Options(), 2)
    assert again == shown
    assert again.question is not None
    assert again.question.right == 1
    assert again.question.seat == 0


def test_cards_may_be_named_by_number() -> None:
    line = "armies=A1/M10 phase=order:2 card=%s used=medium:#1,#2"
    state = EGAR.from_position(line % "#18", Options(), 2)
    written = EGAR.position(state)
    assert "#" not in written
    assert EGAR.from_position(written, Options(), 2) == state


def test_the_cards_of_a_sealed_deck_have_only_numbers() -> None:
    chosen = Options(deck=Deck("sealed", (), (3, 3, 3)), level="free")
    line = "armies=A1/M10 phase=answer:2 level=hard card=#2 order=2134 used=easy:#1;hard:#1,#3"
    state = EGAR.from_position(line, chosen, 2)
    assert EGAR.position(state) == line
    assert state.used == ((0,), (), (0, 1, 2))


@pytest.mark.parametrize(
    ("line", "column", "part", "reason"),
    [
        ("armies=A1/M10", 14, "phase", "missing"),
        ("armies=A1/M10 phase=move:1", 21, "phase", "points= is missing"),
        ("armies=A1/M10 phase=roll:1 points=3", 35, "points", "does not belong to the phase roll:1"),
        ("armies=A1/M10 phase=walk:1", 21, "phase", "should be one of lots, roll, move"),
        ("armies=A1/M10 phase=roll:3", 26, "phase", "a number from 1 to 2"),
        ("armies=A1 phase=roll:1", 8, "armies", "2 armies with a / between"),
        ("armies=A1,Z9/M10 phase=roll:1", 11, "armies", "'Z9' is not a square of this board"),
        ("armies=A1/A1 phase=roll:1", 11, "armies", "two pieces stand on A1"),
        ("armies=A1/- phase=roll:1", 8, "armies", "needs two armies"),
        ("armies=-/A1 phase=roll:1", 19, "phase", "seat 1 does not play any more"),
        ("armies=B2/M10 phase=roll:1", 8, "armies", "on the flag B2"),
        ("armies=L12/M10 phase=roll:1", 8, "armies", "on the flag L12"),
        ("armies=A1/M10 phase=roll:1 turns=300", 34, "turns", "ends after 300 turns"),
        ("armies=E5/F5 phase=fight:1 fight=F6:E5:0:0", 34, "fight", "no enemy soldier on F6"),
        ("armies=E5,A1/F5 phase=fight:1 fight=F5:A1:0:0", 40, "fight", "A1 is not next to F5"),
        ("armies=E5/F5 phase=fight:1 fight=F5:E5:2:4", 40, "fight", "a number from 0 to 1"),
        ("armies=E5/F5 phase=fight:1 fight=F5:E5:1:0", 42, "fight", "a number from 1 to 6"),
        ("armies=A1/M10 phase=level:1", 21, "phase", "level cannot be picked"),
        ("armies=A1/M10 phase=answer:1", 21, "phase", "card= is missing"),
        ("armies=A1/M10 phase=answer:1 card=nobody", 35, "card", "there is no card 'nobody' of the level medium"),
        ("armies=A1/M10 phase=answer:1 card=ieyasu-1600", 21, "phase", "order= is missing"),
        ("armies=A1/M10 phase=answer:1 card=ieyasu-1600 order=1123", 53, "order", "an order such as 1234"),
        ("armies=A1/M10 phase=roll:1 order=1234", 34, "order", "does not belong"),
        ("armies=A1/M10 phase=roll:1 used=medium:#1,#1", 33, "used", "twice"),
        ("armies=A1/M10 phase=card:1 level=hard", 34, "level", "does not belong"),
        ("armies=A1/M10 phase=over:1", 21, "phase", "won= is missing"),
        ("armies=A1/M10 phase=over:1 won=1,1", 32, "won", "seats, as in 1,3"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(line: str, column: int, part: str, reason: str) -> None:
    error = refusal("egar", line)
    assert reason in str(error)
    assert (error.column, error.part) == (column, part)


def test_an_army_cannot_be_larger_than_its_camp() -> None:
    camp = ",".join(EGAR.initial(Options(), 2).ground.names[n] for n in EGAR.initial(Options(), 2).armies[0])
    assert "at most 8 soldiers" in str(refusal("egar", f"armies={camp},E5/M10 phase=roll:1"))


def test_a_card_with_numbers_has_its_order_already() -> None:
    from astragal.games.egar.cards import ascending
    from astragal.games.egar.deck import default_deck

    card = next(card for card in default_deck().of("medium") if ascending(card))
    line = f"armies=A1/M10 phase=answer:1 card={card.id}"
    state = EGAR.from_position(line, Options(), 2)
    assert EGAR.position(state) == line
    assert "their order already" in str(refusal("egar", line.replace("answer", "order")))
    assert EGAR.position(replace(state, phase="pick")) == line.replace("answer", "pick")


@pytest.mark.parametrize(
    ("players", "chosen"),
    [
        (2, {"begins": 0}),
        (3, {"board": "quick", "level": "free", "dead_flags": "removed"}),
        (4, {"answering": "open", "answer_seconds": 10, "own_flag_open": True, "turn_limit": 20}),
    ],
)
def test_damaged_lines_are_refused_or_played(players: int, chosen: dict[str, object]) -> None:
    refused, read = damage("egar", players, games=12, seed=1, **chosen)
    assert refused > 150
    assert read > 5
