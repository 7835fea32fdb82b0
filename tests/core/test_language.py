"""Sentences in every language: holes, plurals, what happens where a translation is missing, and which is chosen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from astragal.core import language
from astragal.core.language import LANGUAGES, Decimal, Text, add_folder, choose_language, noted, say, say_count
from astragal.core.types import BadFile, BadOptions, IllegalAction

GERMAN = """\
msgid ""
msgstr ""
"Language: de\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

msgid "the test says {word} to {whom}"
msgstr "zu {whom} sagt der Test {word}"

msgid "the test sees {n} piece"
msgid_plural "the test sees {n} pieces"
msgstr[0] "der Test sieht {n} Stein"
msgstr[1] "der Test sieht {n} Steine"

#, fuzzy
msgid "the test is unsure"
msgstr "der Test ist sich sicher"

msgid "the test is not translated"
msgstr ""

msgid "the test counts half {n}"
msgid_plural "the test counts half {n}s"
msgstr[0] "der Test zählt {n}"
msgstr[1] ""
"""

THREE_FORMS = """\
msgid ""
msgstr ""
"Language: pl\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);\\n"

msgid "the test sees {n} piece"
msgid_plural "the test sees {n} pieces"
msgstr[0] "{n} pionek"
msgstr[1] "{n} pionki"
msgstr[2] "{n} pionków"
"""


@pytest.fixture
def catalogues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A foreign game's own catalogues, forgotten again after the test."""
    monkeypatch.setattr(language, "_folders", list(language._folders))
    (tmp_path / "de.po").write_text(GERMAN, encoding="utf-8")
    (tmp_path / "pl.po").write_text(THREE_FORMS, encoding="utf-8")
    add_folder(tmp_path)
    yield tmp_path
    language._catalogue.cache_clear()


def test_holes_are_filled() -> None:
    assert say("seat {seat} has {n}", seat=2, n=3).to("en") == "seat 2 has 3"
    assert str(say("{value!r} is odd", value="x")) == "'x' is odd"


def test_a_sentence_without_holes_is_left_as_it_is() -> None:
    assert say("a { brace").to("en") == "a { brace"


def test_a_text_may_be_inside_a_text() -> None:
    inner = say("seat {n}", n=1)
    assert say("it is {whose}", whose=inner).to("en") == "it is seat 1"


def test_what_fills_a_hole_is_not_a_sentence_itself() -> None:
    """A player's name with braces in it is only a name."""
    assert say("hello {name}", name="{secret}").to("en") == "hello {secret}"


@pytest.mark.parametrize(("count", "sentence"), [(0, "0 pieces"), (1, "1 piece"), (2, "2 pieces"), (21, "21 pieces")])
def test_english_plurals(count: int, sentence: str) -> None:
    assert say_count(count, "{n} piece", "{n} pieces").to("en") == sentence


def test_a_translation_may_order_its_words_itself(catalogues: Path) -> None:
    text = say("the test says {word} to {whom}", word="a", whom="b")
    assert text.to("de") == "zu b sagt der Test a"
    assert text.to("en") == "the test says a to b"


def test_a_text_inside_a_text_is_translated_too(catalogues: Path) -> None:
    inner = say("the test says {word} to {whom}", word="a", whom="b")
    assert say("it is so: {what}", what=inner).to("de") == "it is so: zu b sagt der Test a"


@pytest.mark.parametrize(
    ("lang", "count", "sentence"),
    [
        ("de", 1, "der Test sieht 1 Stein"),
        ("de", 2, "der Test sieht 2 Steine"),
        ("pl", 1, "1 pionek"),
        ("pl", 3, "3 pionki"),
        ("pl", 5, "5 pionków"),
        ("pl", 22, "22 pionki"),
        ("es", 2, "the test sees 2 pieces"),
        ("es", 1, "the test sees 1 piece"),
    ],
)
def test_plurals_follow_the_language(catalogues: Path, lang: str, count: int, sentence: str) -> None:
    assert say_count(count, "the test sees {n} piece", "the test sees {n} pieces").to(lang) == sentence


@pytest.mark.parametrize("english", ["the test is unsure", "the test is not translated", "the test is unknown"])
def test_what_is_not_translated_is_said_in_english(catalogues: Path, english: str) -> None:
    assert say(english).to("de") == english
    assert say("{what}!", what=say(english)).to("de") == f"{english}!"


def test_half_a_plural_is_no_translation(catalogues: Path) -> None:
    assert say_count(2, "the test counts half {n}", "the test counts half {n}s").to("de") == "the test counts half 2s"


def test_a_language_nobody_wrote_is_english() -> None:
    assert say("seat {seat}", seat=1).to("tlh") == "seat 1"
    assert say_count(3, "{n} piece", "{n} pieces").to("tlh") == "3 pieces"


def test_a_sentence_that_counts_here_but_not_in_the_catalogue_is_still_said(catalogues: Path) -> None:
    """A foreign catalogue may have the same words without a plural."""
    text = say_count(2, "the test says {word} to {whom}", "the tests say {word} to {whom}", word="a", whom="b")
    assert text.to("de") in ("the tests say a to b", "zu b sagt der Test a")


def test_a_foreign_catalogue_does_not_take_ours_away(catalogues: Path) -> None:
    folders = language._folders
    assert folders[0].name == "locale"
    assert folders[-1] == catalogues
    add_folder(catalogues)
    assert folders.count(catalogues) == 1


def test_a_folder_added_later_is_read(catalogues: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    assert say("the test comes later").to("de") == "the test comes later"
    more = tmp_path_factory.mktemp("more")
    (more / "de.po").write_text('msgid "the test comes later"\nmsgstr "der Test kommt später"\n', encoding="utf-8")
    add_folder(more)
    assert say("the test comes later").to("de") == "der Test kommt später"
    assert say_count(2, "the test sees {n} piece", "the test sees {n} pieces").to("de") == "der Test sieht 2 Steine"


def test_noted_words_are_left_as_they_are() -> None:
    assert noted("Light") == "Light"


def test_texts_are_equal_when_they_say_the_same() -> None:
    assert say("a {x}", x=1) == Text("a {x}", {"x": 1})
    assert say("a {x}", x=1) != say("a {x}", x=2)


# Errors speak every language ----------------------------------------------------------------------------------


def test_errors_carry_their_place_into_every_language(catalogues: Path) -> None:
    text = say("the test says {word} to {whom}", word="a", whom="b")
    german = "zu b sagt der Test a"
    assert IllegalAction("UC-9", text).to("de") == f"{german} (UC-9)"
    for error in (BadOptions("pieces", text), BadFile("x.toml", 3, text), BadFile("x.toml", None, text)):
        assert german in error.to("de")
        assert "the test says a to b" in str(error)
    assert str(BadOptions("pieces", text)).startswith("option pieces: ")
    assert str(BadFile("x.toml", 3, text)).startswith("x.toml, line 3: ")
    assert str(BadFile("x.toml", None, text)).startswith("x.toml: ")


# Which language -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variables", "chosen"),
    [
        ({}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "es"}, "es"),
        ({"LANG": "ES_mx"}, "es"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "de_DE", "LC_ALL": "es_ES"}, "es"),
        ({"LANG": "de_DE", "LC_MESSAGES": "es_ES"}, "es"),
        ({"LC_MESSAGES": "de_DE", "LC_ALL": "es_ES"}, "es"),
        ({"LANG": "de_DE", "LC_ALL": "C"}, "en"),
        ({"LANG": "de_DE", "LC_ALL": "fr_FR"}, "en"),
        ({"LANG": "de_DE", "LC_ALL": ""}, "de"),
        ({"LANG": "de_DE", "LC_CTYPE": "es_ES"}, "de"),
    ],
)
def test_the_locale_chooses(monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], chosen: str) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LC_CTYPE", "LANG", "LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert choose_language() == chosen
    assert choose_language("") == chosen


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_asked_for_outranks_the_locale(monkeypatch: pytest.MonkeyPatch, lang: str) -> None:
    monkeypatch.setenv("LC_ALL", "es_ES.UTF-8")
    assert choose_language(lang) == lang


def test_a_number_in_a_sentence_is_written_as_its_language_does() -> None:
    sentence = say("errs by {points} points on average", points=Decimal(0.44, 1))
    assert sentence.to("en") == "errs by 0.4 points on average"
    assert [sentence.to(lang).count("0,4") for lang in ("de", "es")] == [1, 1]
