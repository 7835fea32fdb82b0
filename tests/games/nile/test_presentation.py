"""How Nile looks and speaks: never wider than a terminal, never more than a seat may know."""

from __future__ import annotations

import re
from random import Random
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

import astragal
from astragal.core.language import LANGUAGES
from astragal.games.nile import art
from astragal.games.nile.actions import Resign
from astragal.games.nile.options import Options
from astragal.games.nile.picture import SHAPES, TOP
from astragal.games.nile.speech import NilePresentation, sheet_line
from astragal.games.nile.state import State
from astragal.games.nile.tiles import Tile, TileSet
from astragal.games.nile.view import Event, View
from tests.games.nile.positions import OPTIONS, RULES, at, do, filled, random_game, seen

LOOK = NilePresentation()
ANSI = re.compile(r"\x1b\[[0-9;]*m")
BOARDS = ("nile", "small", "first")


def followed(seed: int, options: Options, players: int = 3) -> list[tuple[State, Event | None]]:
    """Some positions of a random game, each with the event that led to it as a spectator saw it."""
    rng = Random(seed)
    seen: list[tuple[State, Event | None]] = []
    last: Event | None = None
    for state, action in random_game(seed, options, players):
        if rng.random() < 0.1 or action is None:
            seen.append((state, last))
        last = None if action is None else RULES.event(state, action, None)
    return seen


@pytest.mark.parametrize("board", BOARDS)
def test_text_fits_80_columns_in_every_language(board: str) -> None:
    for state, last in followed(1, Options(board=board)):  # type: ignore[arg-type]
        for seat in (None, state.seat):
            for lang in LANGUAGES:
                lines = LOOK.text(seen(state, seat), lang, last=last).split("\n")
                assert max(map(len, lines)) <= 80, lang
                assert all(line == line.rstrip() for line in lines)


@pytest.mark.parametrize("board", BOARDS)
def test_colour_adds_nothing_but_colour(board: str) -> None:
    for state, last in followed(2, Options(board=board)):  # type: ignore[arg-type]
        plain, coloured = (LOOK.text(seen(state, 0), colour=colour, last=last) for colour in (False, True))
        assert "\x1b[" in coloured
        assert "\x1b" not in plain
        assert ANSI.sub("", coloured) == plain


def test_text_of_a_known_position() -> None:
    state = at("N N N E S S", "curve universal bow", "straight")
    state = do(state, "E2:curve-W+universal")
    assert LOOK.text(seen(state, 0)) == (
        "   │    60    40    60   │\n"
        " 7 │ 70    50    50    70│\n"
        " 6 │ ·  ·  ·  ·  ·  ·  · │\n"
        " 5 │ ·  ·  ·  ·  ·  ·  · │\n"
        " 4 │ ·  ·  ·  ╭──╮  ·  · │\n"
        " 3 │ ·  ·  ·  │  │  ·  · │\n"
        " 2▸│ ·  ·  ◎ ─╬──╯‹ ·  · │\n"
        " 1 │ ·  ·  ·  │  ·  ·  · │\n"
        "     A  B ▴C  D  E  F  G\n"
        "▸ Papyrus  0 points, 1 on the rack (+12)\n"
        "  Lotus    0 points, 1 on the rack; 95 in the bag\n"
        "  Your rack: bow 6.\n"
        "  Papyrus may go on or stop. The river goes on at C2, entered from the east."
    )


@pytest.mark.rule("NI-15")
def test_a_crossed_line_still_shows_both_ways_out() -> None:
    state = do(at("N N E E N W", "curve universal bow", "straight"), "E4:curve-S+universal")
    lines = LOOK.text(seen(state, 0)).splitlines()
    assert " 3 │ ·  ·  ·  ╭──╬──╯  · │" in lines


def test_a_rack_of_nine_fits_the_picture_beside_a_small_board() -> None:
    tiles = TileSet("many", 9, 20, (Tile("straight", 40, 1),))
    state = filled(RULES.initial(replace(OPTIONS, tiles=tiles), 2))
    drawn = LOOK.svg(seen(state, 0))
    box = re.search(r'viewBox="0 0 [\d.]+ ([\d.]+)"', drawn)
    assert box is not None
    names = [float(y) for y in re.findall(r'y="([\d.]+)"[^>]*>straight<', drawn)]
    assert len(names) == 9
    assert TOP + max(names) < float(box[1])


def test_every_line_has_a_shape_of_its_own() -> None:
    assert len(SHAPES) == 28
    assert len(set(SHAPES.values())) == 28
    assert {len(shape) for shape in SHAPES.values()} == {3}


def test_coloured_fields_show_sign_and_number() -> None:
    text = LOOK.text(seen(at(options=Options(board="first", tiles="first", begins=0)), None))
    for sign in ("+50", "-50", "U30", "500", "450", "◎"):
        assert sign in text


@pytest.mark.parametrize("board", BOARDS)
def test_svg_is_sound_and_shows_every_tile(board: str) -> None:
    for state, last in followed(3, Options(board=board)):  # type: ignore[arg-type]
        for lang in LANGUAGES:
            root = ElementTree.fromstring(LOOK.svg(seen(state, None), lang, last=last))
            assert root.tag.endswith("svg")
            strokes = [node for node in root.iter() if node.get("stroke") == art.WATER and node.get("d")]
            assert len(strokes) == len(state.river)


def test_rivers_are_perpendicular_at_sides_and_diagonal_at_corners() -> None:
    for entry in range(8):
        for exit in range(8):
            if entry == exit:
                continue
            numbers = list(map(float, re.findall(r"-?[\d.]+", art.way(entry, exit, 100))))
            (x0, y0), (x1, y1), (x2, y2), (x3, y3) = zip(numbers[::2], numbers[1::2], strict=True)
            for point, dx, dy in ((entry, x1 - x0, y1 - y0), (exit, x2 - x3, y2 - y3)):
                if point % 2:
                    assert abs(dx) == pytest.approx(abs(dy))
                else:
                    assert dx == pytest.approx(0) or dy == pytest.approx(0)
            assert (x0, y0) == tuple(100 * n for n in art.SPOTS[entry])
            assert (x3, y3) == tuple(100 * n for n in art.SPOTS[exit])


def shown(view: View, last: Event | None) -> str:
    """Everything a seat is shown of a table."""
    texts = [LOOK.text(view, last=last), LOOK.plain(view, "en"), LOOK.svg(view, last=last)]
    texts += [LOOK.ask(view, form, "en") or "" for form, _ in LOOK.questions("en")]
    return "\n".join(texts)


def test_nothing_shown_depends_on_what_a_seat_cannot_see() -> None:
    rng = Random(1)
    for state, last in followed(4, Options(board="small")):
        for seat in (None, 0, 1):
            view = seen(state, seat)
            assert shown(view, last) == shown(seen(RULES.resample(view, rng), seat), last)


def test_every_action_and_event_has_words_in_every_language() -> None:
    for lang in LANGUAGES:
        for state, action in random_game(6, Options(board="small", encircle="free"), 3):
            if action is None:
                break
            view = seen(state, state.seat)
            label, sentence = LOOK.label(view, action, lang), LOOK.say(RULES.event(state, action, 0), lang)
            assert label
            assert sentence.endswith((".", "!"))
            assert "{" not in label + sentence


def test_labels_tell_what_a_play_does() -> None:
    def labels(state: State) -> dict[str, str]:
        view = seen(state, state.seat)
        return {RULES.encode(action): LOOK.label(view, action, "en") for action in view.legal}

    small = Options(board="small", begins=0)
    red = labels(at("N N N", "straight", "", options=small))
    assert red == {"F4:straight-N": "straight to the north, red, costs 10"}
    crossing = labels(at("N N N E S S", "curve universal", ""))
    assert crossing["E2:curve-W+universal"] == "curve to the west, crosses D2"
    shut = labels(at("N N N E E S S W", "curve universal", ""))
    assert shut["E2:curve-N"] == "curve to the north, shuts the river in"
    goal = labels(at("N N N N N N", "straight", ""))
    assert goal["D7:straight-N"] == "straight to the north, ends the river for 40"
    assert labels(at("N", "bow", "")) == {"pass": "no tile fits"}
    assert labels(at("", "bow", "")) == {"pass": "no tile to begin with"}
    stop = labels(do(at("", "straight straight", ""), "N"))
    assert stop["stop"] == "ends the turn with 1 point"


def test_questions() -> None:
    state = filled(do(at("", "straight universal bow bow bow", "curve"), "N", "D2:universal=curve-E", "stop"))
    view = seen(state, 0)
    answers = {
        "where D1": "D1: straight, from the south to the north.",
        "where d2": "D2: a universal as curve, from the south to the east.",
        "where A7": "A7 is empty: blue, 70 for ending there.",
        "where A1": "A1 is empty.",
        "where Z9": "Z9 is not a field of this board.",
        "head": "The river goes on at E2, entered from the west.",
        "sheet": "Papyrus: straight, universal: 11.",
    }
    for question, answer in answers.items():
        assert LOOK.ask(view, question, "en") == answer
    unseen = LOOK.ask(view, "unseen", "en") or ""
    assert "3 universal" in unseen
    assert (LOOK.ask(view, "rack", "en") or "").startswith("Your rack: ")
    assert LOOK.ask(view, "threats", "en") is None
    assert all(LOOK.ask(view, form, "de") for form, _ in LOOK.questions("de"))


def test_the_sheet_in_words() -> None:
    state = replace(at("N", "bow bow", "diagonal", options=OPTIONS), bag=(0,) * 9)
    while RULES.turn(state) >= 0:
        state = filled(do(state, "pass"))
    assert [sheet_line(line, "en") for line in state.sheet][::4] == [
        "Papyrus: nothing fitted (bow, bow): -12.",
        "Papyrus: left on the rack (bow, bow): -12.",
    ]
    end = LOOK.text(seen(state, None))
    assert "For two rounds nobody could lay a tile. Lotus wins with -12 points." in end


def test_giving_up_is_told() -> None:
    state = at("N", "straight", "bow", "curve")
    assert LOOK.say(RULES.event(state, Resign(1), 0), "en") == "Lotus gives up."
    assert LOOK.label(seen(state, 1), Resign(1), "en") == "gives up"
    after = RULES.apply(state, Resign(1))
    assert "Lotus    has given up" in LOOK.text(seen(after, 0))
    assert "Lotus has given up." in LOOK.plain(seen(after, 0), "en")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_diagrams(lang: str) -> None:
    drawn = astragal.game("nile").diagrams(lang)
    assert list(drawn) == ["board", "kinds", "joins", "turn", "crossing", "encirclement"]
    for diagram in drawn.values():
        assert max(map(len, diagram.text.split("\n"))) <= 80
        assert ElementTree.fromstring(diagram.svg).get("aria-label") == diagram.caption


@pytest.mark.parametrize(
    ("lang", "head", "label"),
    [
        ("en", "The river goes on at E2, entered from the west.", "curve to the north"),
        ("de", "Der Fluss geht auf E2 weiter, Eintritt von Westen.", "Kurve nach Norden"),
        ("es", "El río sigue en E2, con entrada por el oeste.", "curva hacia el norte"),
    ],
)
def test_directions_are_words_of_the_language_and_not_english_letters(lang: str, head: str, label: str) -> None:
    view = seen(at("N E", "curve straight", ""), 0)
    assert head in LOOK.plain(view, lang)
    assert label in [LOOK.label(view, action, lang) for action in view.legal]
