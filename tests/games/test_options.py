"""Options are checked where they enter the rules, whoever made them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

import astragal
from astragal.core.language import LANGUAGES
from astragal.core.options import fields
from astragal.core.types import BadOptions
from astragal.games.egar.options import Options as EgarOptions
from astragal.games.nile.options import Options as NileOptions
from astragal.games.ur.options import Options as UrOptions
from astragal.games.ur_modern.options import Options as ModernOptions

NEVER: tuple[Any, ...] = (None, 1.5, "nope", -5, 10**9, b"x", (), ("nope",), ((1, 2),), {}, [], object())


def wrong(game: str) -> Iterator[tuple[str, Any]]:
    """For every option of a game, values that it cannot have."""
    for field in fields(astragal.rules(game)):
        for value in (*NEVER, 0, 1, True):
            if value == field.default or (value == () and field.each is not None):
                continue
            is_bool, is_number = isinstance(field.default, bool), field.low is not None and type(value) is int
            if (is_bool and isinstance(value, bool)) or (is_number and field.low <= value <= field.high):
                continue
            yield field.name, value
        if field.low is not None and field.each is None and field.name != "begins":
            yield field.name, field.low - 1
            yield field.name, (field.high or 0) + 1


@pytest.mark.parametrize("game", list(astragal.games()))
def test_a_wrong_value_of_any_option_is_refused_by_name(game: str) -> None:
    rules = astragal.rules(game)
    tried = set()
    for name, value in wrong(game):
        chosen = rules.options_type(**{name: value})
        for players in rules.spec.players:
            with pytest.raises(BadOptions) as refused:
                rules.initial(chosen, players)
            assert refused.value.field == name, (name, value)
            assert all(name in refused.value.to(lang) for lang in LANGUAGES)
            with pytest.raises(BadOptions):
                rules.from_position("", chosen, players)
        tried.add(name)
    assert tried == {field.name for field in fields(rules)}


@pytest.mark.parametrize("game", list(astragal.games()))
def test_what_is_possible_is_not_refused(game: str) -> None:
    rules = astragal.rules(game)
    for field in fields(rules):
        for value in field.samples():
            if field.name != "begins" or value in ("lots", 0, 1):
                rules.initial(msgspec.structs.replace(rules.options_type(), **{field.name: value}), 2)
    for preset in rules.presets.values():
        rules.initial(preset, 2)


@pytest.mark.parametrize(
    ("game", "options", "message"),
    [
        ("ur", UrOptions(pieces=99), "option pieces: 99 is not one of 1-7"),
        ("ur", UrOptions(pieces=0), "option pieces: 0 is not one of 1-7"),
        ("ur", UrOptions(pieces="x"), "option pieces: 'x' is not one of 1-7"),  # type: ignore[arg-type]
        ("ur", UrOptions(path="nope"), "option path: 'nope' is not one of bell|masters|aseb|FILE"),  # type: ignore[arg-type]
        ("ur", UrOptions(begins=2), "option begins: there is no seat 3 at a table of 2"),
        ("ur", UrOptions(begins="me"), "option begins: 'me' is not one of lots|1-2"),  # type: ignore[arg-type]
        ("ur-modern", ModernOptions(pieces=99), "option pieces: 99 is not one of 4-7"),
        ("ur-modern", ModernOptions(pieces=0), "option pieces: 0 is not one of 4-7"),
        ("ur-modern", ModernOptions(pieces="x"), "option pieces: 'x' is not one of 4-7"),  # type: ignore[arg-type]
        (
            "ur-modern",
            ModernOptions(layout="nope"),  # type: ignore[arg-type]
            "option layout: 'nope' is not one of royal|lesser-earth|lanes|FILE",
        ),
        ("nile", NileOptions(board="nope"), "option board: 'nope' is not one of nile|small|first|FILE"),  # type: ignore[arg-type]
        ("nile", NileOptions(tiles=0), "option tiles: 0 is not one of nile|first|FILE"),  # type: ignore[arg-type]
        ("nile", NileOptions(begins=5), "option begins: there is no seat 6 at a table of 2"),
        ("egar", EgarOptions(board="nope"), "option board: 'nope' is not one of"),  # type: ignore[arg-type]
        ("egar", EgarOptions(turn_limit=-5), "option turn_limit: -5 is not one of 0-3000"),
        ("egar", EgarOptions(level="deadly"), "option level: 'deadly' is not one of easy|medium|hard|free"),  # type: ignore[arg-type]
        (
            "egar",
            EgarOptions(skill=((75, 60, 101),)),
            "option skill: ((75, 60, 101),) is not one of own|0-100/0-100/0-100,...",
        ),
        ("egar", EgarOptions(skill=((75, 60),)), "option skill: ((75, 60),) is not one of"),  # type: ignore[arg-type]
        ("egar", EgarOptions(skill=(5,)), "option skill: (5,) is not one of"),  # type: ignore[arg-type]
        ("ur", {"pieces": 5}, "option options: 'dict' is not one of astragal.games.ur.options.Options"),
        ("ur", EgarOptions(), "option options: 'Options' is not one of astragal.games.ur.options.Options"),
    ],
)
def test_the_sentence_says_option_value_and_what_is_allowed(game: str, options: Any, message: str) -> None:
    with pytest.raises(BadOptions) as refused:
        astragal.rules(game).initial(options, 2)
    assert str(refused.value).startswith(message)


@pytest.mark.parametrize("game", list(astragal.games()))
def test_a_word_that_is_typed_is_refused_with_the_sentence_of_the_rules(game: str) -> None:
    """`Field.read` is what the command line, the menus and the pages read options with."""
    rules = astragal.rules(game)
    for field in fields(rules):
        with pytest.raises(BadOptions) as typed:
            field.read("nope")
        value = ("nope",) if field.each is not None else "nope"
        with pytest.raises(BadOptions) as refused:
            rules.initial(rules.options_type(**{field.name: value}), 2)
        for lang in LANGUAGES:
            assert typed.value.to(lang).replace("'nope'", repr(value)) == refused.value.to(lang), field.name
