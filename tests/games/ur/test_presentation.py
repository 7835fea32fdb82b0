"""How Ur looks and speaks: never wider than a terminal, never wrong about the table."""

from __future__ import annotations

import re
from collections import Counter
from xml.etree import ElementTree

import msgspec
import pytest
from hypothesis import given, settings

from astragal.core.types import IllegalAction
from astragal.games.ur import art
from astragal.games.ur.actions import Action, Move, Pass, Throw
from astragal.games.ur.board import Board
from astragal.games.ur.options import Options
from astragal.games.ur.rules import State
from astragal.games.ur.speech import UrPresentation
from astragal.games.ur.view import Event, Moved, Passed, Threw, View
from tests.games.ur.positions import (
    ALL_OPTIONS,
    DARK,
    LIGHT,
    PATHS,
    ROSETTES,
    RULES,
    WAYS,
    at,
    positions,
    random_game,
    successors,
)

LOOK = UrPresentation()
ANSI = re.compile(r"\x1b\[[0-9;]*m")
SIGNS = "○●"


def view(s: State, seat: int | None = None) -> View:
    return RULES.observe(s, seat)


def followed(seed: int, chosen: Options, plies: int = 400) -> list[tuple[View, Event | None]]:
    """The views of a random game, each with the event that led to it."""
    seen: list[tuple[View, Event | None]] = []
    last: Event | None = None
    for state, action in random_game(seed, chosen, plies):
        seen.append((view(state), last))
        last = None if action is None else RULES.event(state, action, None)
    return seen


# Text ---------------------------------------------------------------------------------------------------------


@given(state=positions())
@settings(deadline=None, max_examples=150)
def test_text_fits_80_columns_and_shows_every_piece_where_it_is(state: State) -> None:
    shown = view(state)
    for lang in ("en", "de", "es"):
        text = LOOK.text(shown, lang)
        assert max(map(len, text.split("\n"))) <= 80
        assert "\x1b" not in text
        assert all(line == line.rstrip() for line in text.split("\n"))
        assert [text.count(sign) for sign in SIGNS] == [state.options.pieces + 1] * 2  # and one before each name
    rows = {line[0]: line for line in LOOK.text(shown).split("\n") if line[:1] in tuple("abc")}
    assert isinstance(state.options.path, str)
    for way in WAYS[state.options.path]:
        for square in way:
            inside = rows[square[0]][4 * int(square[1:]) - 1 :][:3]
            seats = [seat for seat in (LIGHT, DARK) if square in shown.squares[seat]]
            assert [sign in inside for sign in SIGNS] == [seat in seats for seat in (LIGHT, DARK)]
            assert ("✻" in inside) == (square in ROSETTES[state.options.path])


@pytest.mark.parametrize("path", PATHS)
def test_colour_adds_nothing_but_colour(path: str) -> None:
    for shown, last in followed(3, Options(path=path, safe_rosettes=False)):  # type: ignore[arg-type]
        plain = LOOK.text(shown, last=last)
        coloured = LOOK.text(shown, colour=True, last=last)
        assert "\x1b[" in coloured
        assert ANSI.sub("", coloured) == plain
        assert coloured.count("\x1b[0m") * 2 == coloured.count("\x1b[")  # every colour is switched off again


def test_text_of_a_known_position() -> None:
    shown = view(at("a1 b2", "b4 c7", throw=3, pieces=5))
    assert LOOK.text(shown) == (
        "  ○ Light    pool ○○○           home -\n"
        "    1   2   3   4   5   6   7   8\n"
        "  ┌───┬───┬───┬───┐       ┌───┬───┐\n"
        "a │✻○✻│   │   │   │       │ ✻ │   │\n"
        "  ├───┼───┼───┼───┼───┬───┼───┼───┤\n"
        "b │   │ ○ │   │✻●✻│   │   │   │   │\n"
        "  ├───┼───┼───┼───┼───┴───┼───┼───┤\n"
        "c │ ✻ │   │   │   │       │✻●✻│   │\n"
        "  └───┴───┴───┴───┘       └───┴───┘\n"
        "  ● Dark     pool ●●●           home -\n"
        "  Light has thrown 3."
    )


def test_the_last_move_is_marked() -> None:
    shown = view(at("b3"))
    assert "│›○‹│" not in LOOK.text(shown)
    text = LOOK.text(shown, last=Moved(LIGHT, "b1", "b3"))
    assert "│› ‹│   │›○‹│" in text
    assert LOOK.text(shown, last=Threw(LIGHT, 2)) == LOOK.text(shown)


def test_a_hosts_board_is_drawn_too() -> None:
    board = Board("lane", ("b2",), "a1 b1 b2 b3", "c1 b1 b2 b3")
    shown = view(RULES.initial(Options(path=board, pieces=2), 2))
    assert "b │   │ ✻ │   │" in LOOK.text(shown)
    ElementTree.fromstring(LOOK.svg(shown))


# SVG ----------------------------------------------------------------------------------------------------------


def pieces_in(svg: str) -> Counter[tuple[int, str]]:
    """How many pieces of each side a picture shows, on the board (radius 22) and beside it (11)."""
    bodies = {art.LIGHT_PIECE: LIGHT, art.DARK_PIECE: DARK}
    return Counter(
        (bodies[circle.attrib["fill"]], circle.attrib["r"])
        for circle in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}circle")
        if circle.attrib["fill"] in bodies and "stroke" in circle.attrib
    )


def test_every_position_is_a_well_formed_picture_with_all_its_pieces() -> None:
    for seed, chosen in enumerate(ALL_OPTIONS[:6]):
        for shown, last in followed(seed, chosen, plies=120):
            svg = LOOK.svg(shown, last=last)
            drawn = pieces_in(svg)
            for seat in (LIGHT, DARK):
                assert drawn[seat, "22"] == len(shown.squares[seat])
                assert drawn[seat, "11"] == shown.pools[seat] + shown.home(seat)


@given(state=positions())
@settings(deadline=None, max_examples=40)
def test_pictures_say_in_words_what_they_show(state: State) -> None:
    shown = view(state)
    for lang in ("en", "de", "es"):
        root = ElementTree.fromstring(LOOK.svg(shown, lang))
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert root.findtext("{http://www.w3.org/2000/svg}desc") == LOOK.plain(shown, lang)


def test_a_picture_puts_each_piece_on_its_square() -> None:
    root = ElementTree.fromstring(LOOK.svg(view(at("a4", "b8"))))
    places = {group.attrib.get("transform") for group in root.iter("{http://www.w3.org/2000/svg}g")}
    for square in ("a4", "b8"):
        x, y = 52 + (int(square[1]) - 1) * 78 + 36, 118 + "abc".index(square[0]) * 78 + 36
        assert f"translate({x} {y})" in places


@pytest.mark.parametrize(("dice", "throw", "count", "lit"), [("four", 3, 4, 3), ("four", 0, 4, 0), ("three", 4, 3, 0)])
def test_a_picture_shows_the_dice(dice: str, throw: int, count: int, lit: int) -> None:
    before, after = LOOK.svg(view(at(dice=dice))), LOOK.svg(view(at(dice=dice, throw=throw)))
    assert after.count("<line") - before.count("<line") == 3 * count  # three edges a die
    tips = [svg.count(f'fill="{art.GOLD}" stroke="{art.WOOD}"') for svg in (before, after)]
    assert tips[1] - tips[0] == lit


def test_only_a_move_changes_the_picture() -> None:
    shown = view(at("b3"))
    assert LOOK.svg(shown, last=Moved(LIGHT, "b1", "b3")).count(art.MARK) == 2
    assert LOOK.svg(shown, last=Moved(LIGHT, "in", "a3")).count(art.MARK) == 1
    assert art.MARK not in LOOK.svg(shown, last=Passed(LIGHT, 0))


# Words --------------------------------------------------------------------------------------------------------


def test_plain_sentences_of_a_known_position() -> None:
    assert LOOK.plain(view(at("b2 b3", "", throw=3, pieces=5, pools=(1, 4))), "en").split("\n") == [
        "Light is on b2, b3.",
        "Light: 1 in the pool, 2 home.",
        "Dark has no piece on the board.",
        "Dark: 4 in the pool, 1 home.",
        "Light has thrown 3.",
    ]


@pytest.mark.parametrize(
    ("state", "says"),
    [
        (RULES.initial(Options(), 2), "Light throws for the right to begin."),
        (RULES.apply(RULES.initial(Options(), 2), Throw(2)), "Dark throws for the right to begin."),
        (at(mover=DARK), "Dark is to throw."),
        (at(mover=DARK, throw=0), "Dark has thrown 0."),
        (at("b2", "", mover=LIGHT, pieces=1, pools=(0, 0)), "Dark has won."),
    ],
)
def test_the_last_sentence_says_what_comes_next(state: State, says: str) -> None:
    assert LOOK.plain(view(state), "en").split("\n")[-1] == says
    assert LOOK.text(view(state)).split("\n")[-1].strip() == says


@given(state=positions())
@settings(deadline=None, max_examples=60)
def test_plain_is_whole_sentences_without_drawing(state: State) -> None:
    for lang in ("en", "de", "es"):
        for line in LOOK.plain(view(state), lang).split("\n"):
            assert line.endswith((".", "!"))
            assert line.isprintable()
            assert not set(line) & set("│─┌✻○●")


@pytest.mark.parametrize(
    ("action", "label"),
    [
        (Throw(3), "a throw of 3"),
        (Pass(), "no piece can move"),
        (Move("in", "a3"), "a new piece to a3"),
        (Move("in", "a1"), "a new piece to a1, rosette: throw again"),
        (Move("b1", "b2"), "b1 to b2"),
        (Move("b1", "b3"), "b1 to b3, takes a piece"),
        (Move("a7", "off"), "from a7 home"),
    ],
)
def test_labels(action: Action, label: str) -> None:
    assert LOOK.label(view(at("b1 a7", "b3", throw=2)), action, "en") == label


def test_labels_of_rosettes_under_options() -> None:
    quiet = view(at("b2", "b4", throw=2, safe_rosettes=False, rosette_throws=False))
    assert LOOK.label(quiet, Move("b2", "b4"), "en") == "b2 to b4, takes a piece, rosette"
    loud = view(at("b2", "b4", throw=2, safe_rosettes=False))
    assert LOOK.label(loud, Move("b2", "b4"), "en") == "b2 to b4, takes a piece, rosette: throw again"


def test_a_label_promises_another_throw_exactly_when_there_is_one() -> None:
    for seed, chosen in enumerate(ALL_OPTIONS):
        for state, _ in random_game(seed, chosen, 200):
            for action in RULES.legal(state):
                after = RULES.apply(state, action)
                promised = "throw again" in LOOK.label(view(state), action, "en")
                assert promised == (after.seat == state.seat), (chosen, action)


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (Threw(LIGHT, 3), "Light throws 3."),
        (Threw(DARK, 0, opening=True), "Dark throws 0."),
        (Threw(DARK, 4, opening=True, begins=DARK), "Dark throws 4: Dark begins."),
        (Threw(DARK, 1, opening=True, begins=LIGHT), "Dark throws 1: Light begins."),
        (Passed(DARK, 0), "Dark cannot move and passes."),
        (Moved(LIGHT, "b1", "b2"), "Light: b1 to b2."),
        (Moved(LIGHT, "in", "a3"), "Light: a new piece to a3."),
        (Moved(LIGHT, "b1", "b2", taken=True), "Light: b1 to b2 and takes a piece."),
        (Moved(DARK, "b2", "b4", rosette=True, again=True), "Dark: b2 to b4 and throws again."),
        (Moved(DARK, "b2", "b4", taken=True, again=True), "Dark: b2 to b4, takes a piece and throws again."),
        (Moved(DARK, "c7", "off"), "Dark: from c7 home."),
        (Moved(DARK, "c7", "off", won=True), "Dark: from c7 home. Dark wins!"),
    ],
)
def test_sentences(event: Event, sentence: str) -> None:
    assert LOOK.say(event, "en") == sentence


@pytest.mark.rule("UC-8", "UC-9", "UC-12")
def test_events_tell_what_happened() -> None:
    assert RULES.event(at("b2", "b3", throw=1), Move("b2", "b3"), None) == Moved(LIGHT, "b2", "b3", taken=True)
    rosette = Moved(LIGHT, "b2", "b4", rosette=True, again=True)
    assert RULES.event(at("b2", throw=2), Move("b2", "b4"), DARK) == rosette
    won = Moved(LIGHT, "a7", "off", won=True)
    assert RULES.event(at("a7", "b3", pieces=1, throw=1), Move("a7", "off"), LIGHT) == won
    assert RULES.event(at(mover=DARK, throw=0), Pass(), None) == Passed(DARK, 0)
    assert RULES.event(at(mover=DARK), Throw(3), None) == Threw(DARK, 3)


@pytest.mark.rule("UC-3")
def test_events_of_the_opening() -> None:
    start = RULES.initial(Options(), 2)
    second = RULES.apply(start, Throw(2))
    assert RULES.event(start, Throw(2), None) == Threw(LIGHT, 2, opening=True)
    assert RULES.event(second, Throw(2), None) == Threw(DARK, 2, opening=True)
    assert RULES.event(second, Throw(1), None) == Threw(DARK, 1, opening=True, begins=LIGHT)
    assert RULES.event(second, Throw(3), None) == Threw(DARK, 3, opening=True, begins=DARK)


def test_illegal_actions_have_no_event() -> None:
    with pytest.raises(IllegalAction):
        RULES.event(at("b2", throw=1), Move("b2", "b4"), None)


@given(state=positions())
@settings(deadline=None, max_examples=60)
def test_everything_that_can_happen_has_words_in_every_language(state: State) -> None:
    for action in successors(state):
        for lang in ("en", "de", "es"):
            for words in (LOOK.label(view(state), action, lang), LOOK.say(RULES.event(state, action, None), lang)):
                assert words.isprintable()
                assert words
                assert "{" not in words


# Questions ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("where b4", "b4, a rosette: a piece of Dark."),
        ("where b2", "b2: a piece of Light."),
        ("WHERE  B2", "b2: a piece of Light."),
        ("where a1", "a1 is an empty rosette."),
        ("where b3", "b3 is empty."),
        ("where a5", "a5 is not a square of this board."),
        ("where zz", "zz is not a square of this board."),
        ("mine", "Light is on b2. Light: 6 in the pool, 0 home."),
        ("theirs", "Dark is on b1, b4. Dark: 5 in the pool, 0 home."),
        ("threats", "b2 can be taken with 1."),
    ],
)
def test_questions_of_light(question: str, answer: str) -> None:
    assert LOOK.ask(view(at("b2", "b4 b1", throw=2), LIGHT), question, "en") == answer


def test_questions_of_dark_are_answered_from_the_other_side() -> None:
    dark = view(at("b2", "b4 b5", throw=2), DARK)
    assert LOOK.ask(dark, "mine", "en") == "Dark is on b4, b5. Dark: 5 in the pool, 0 home."
    assert LOOK.ask(dark, "theirs", "en") == "Light is on b2. Light: 6 in the pool, 0 home."
    assert LOOK.ask(dark, "threats", "en") == "b5 can be taken with 3."  # b4 is a rosette and safe


@pytest.mark.parametrize("question", ["", "what", "where", "where a b", "mine theirs", "threat", "\0"])
def test_unknown_questions_are_none(question: str) -> None:
    assert LOOK.ask(view(at("b2")), question, "en") is None


def test_every_offered_question_has_an_answer() -> None:
    shown = view(at("b2", "b4"), LIGHT)
    for lang in ("en", "de", "es"):
        for form, meaning in LOOK.questions(lang):
            assert meaning
            assert LOOK.ask(shown, form, lang)


def dangers(s: State, seat: int) -> dict[str, list[int]]:
    """For each piece of a side, the throws with which the enemy really could take it, by trying them all."""
    throws: dict[str, list[int]] = {}
    for throw in (1, 2, 3, 4):
        enemy = msgspec.structs.replace(s, seat=1 - seat, throw=throw, opening=None)
        for action in RULES.legal(enemy):
            lost = set(view(enemy).squares[seat]) - set(view(RULES.apply(enemy, action)).squares[seat])
            for square in lost:
                throws.setdefault(square, []).append(throw)
    return {square: throws[square] for square in view(s).squares[seat] if square in throws}


def test_threats_are_just_the_captures_that_can_happen() -> None:
    threatened = 0
    for seed, chosen in enumerate(ALL_OPTIONS):
        for state, _ in random_game(seed, chosen, 250):
            for seat in (LIGHT, DARK):
                expected = dangers(state, seat)
                threatened += len(expected)
                sentences = [
                    f"{square} can be taken with {', '.join(map(str, throws))}." for square, throws in expected.items()
                ]
                answer = LOOK.ask(view(state, seat), "threats", "en")
                assert answer == (" ".join(sentences) or "No piece is threatened.")
    assert threatened > 1000


def test_seat_names() -> None:
    assert [LOOK.seat_name(seat, "en") for seat in (LIGHT, DARK)] == ["Light", "Dark"]


def test_rules_page_diagrams_exist_in_text_and_picture() -> None:
    from astragal.games.ur import GAME

    for lang in ("en", "de", "es"):
        for name, diagram in GAME.diagrams(lang).items():
            assert re.fullmatch(r"[a-z]+", name)
            assert max(map(len, diagram.text.split("\n"))) <= 80
            assert diagram.caption
            assert ElementTree.fromstring(diagram.svg).tag.endswith("svg")
