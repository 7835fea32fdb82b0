"""Decks from spreadsheets, and cards written question by question."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.games.egar.authoring import Step, card_text, deck_text, era_of, new_id, write_card
from astragal.games.egar.cards import Card
from astragal.games.egar.deck import Deck, default_deck, read
from astragal.games.egar.spreadsheet import Imported, import_deck

EXAMPLES = Path(__file__).parents[3] / "examples"
DOCS = Path(__file__).parents[3] / "docs"

ONE = {
    "question": "Which river did Caesar cross in 49 BC?",
    "answer": "Rubicon",
    "wrong 1": "Tiber",
    "wrong 2": "Arno",
    "wrong 3": "Po",
    "note": "The die was cast.",
}


def sheet(*rows: dict[str, str], delimiter: str = ",", encoding: str = "utf-8") -> bytes:
    """A spreadsheet with these rows."""
    out = io.StringIO()
    columns = list(dict.fromkeys(column for row in rows for column in row))
    writer = csv.DictWriter(out, columns, delimiter=delimiter)
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode(encoding)


def imported(*rows: dict[str, str], **how: str) -> Imported:
    return import_deck(sheet(*rows, **how), "class", "class.csv")


def problems(made: Imported) -> list[tuple[int, str, str]]:
    return [(one.row, one.column, one.reason.to("en")) for one in made.problems]


def test_a_row_in_one_language_becomes_a_card_that_can_be_played() -> None:
    made = imported(ONE)
    assert problems(made) == []
    deck, faults = read(made.toml(), "class.toml")
    assert (deck, faults) == (made.deck, [])
    (card,) = deck.cards
    assert (card.id, card.level, card.era, card.region, card.kind) == ("rubicon", "medium", "ancient", "world", "term")
    assert card.en == card.de == card.es
    assert card.review == "draft"
    assert {(source.title, source.place) for source in card.sources} == {("class.csv", "row 2")}


@pytest.mark.parametrize("name", ["class-deck.csv", "class-deck-three-languages.csv"])
def test_the_examples_are_good_and_give_nothing_away(name: str) -> None:
    made = import_deck((EXAMPLES / name).read_bytes(), "class", name)
    assert (problems(made), made.remarks) == ([], ())
    assert made.deck.cards
    assert read(made.toml(), "class.toml")[1] == []


def test_three_languages_and_every_field() -> None:
    row = {f"{part} {lang}": text for part, text in ONE.items() for lang in ("en", "de", "es")}
    row |= {"question de": "Welchen Fluss überschritt Caesar 49 v. Chr.?", "answer de": "Rubikon"}
    row |= {
        "question es": "¿Qué río cruzó César en 49 a. C.?",
        "answer es": "Rubicón",
        "accept es": "Rubico | el arroyo",
    }
    row |= {"id": "caesar", "level": "hard", "era": "ancient", "region": "europe", "kind": "place"}
    row |= {"source 1": "Suetonius", "place 1": "Julius 32", "source 2": "Plutarch", "place 2": "Caesar 32"}
    made = imported(row)
    assert problems(made) == []
    (card,) = made.deck.cards
    assert (card.id, card.level, card.kind, card.de.answer) == ("caesar", "hard", "place", "Rubikon")
    assert (card.es.accept, card.sources[1].place) == (("Rubico", "el arroyo"), "Caesar 32")


def test_columns_and_values_in_german_and_spanish_and_the_files_of_spreadsheet_programs() -> None:
    german = dict(zip(("Frage", "Antwort", "Falsch 1", "Falsch 2", "Falsch 3", "Notiz"), ONE.values(), strict=True))
    german |= {"Stufe": "Schwer", "Epoche": "Antike", "Ort": "Europa", "Art": "Ort", "Frage": "Welcher Fluss, Cäsar?"}
    spanish = dict(
        zip(("Pregunta", "Respuesta", "Errónea 1", "Errónea 2", "Errónea 3", "Nota"), ONE.values(), strict=True)
    )
    spanish |= {"Nivel": "fácil", "Época": "Antigüedad", "Región": "Europa", "Tipo": "lugar"}
    for row, encoding, delimiter in ((german, "cp1252", ";"), (spanish, "utf-8-sig", "\t"), (german, "utf-16", ";")):
        made = imported(row, delimiter=delimiter, encoding=encoding)
        assert problems(made) == []
        (card,) = made.deck.cards
        assert (card.era, card.region, card.kind) == ("ancient", "europe", "place")
        assert card.level == ("easy" if row is spanish else "hard")
    assert made.deck.cards[0].en.question == "Welcher Fluss, Cäsar?"


BAD = {
    "a cell is empty": ({"wrong 2": ""}, (2, "wrong 2", "this must be written")),
    "an unknown level": ({"level": "brutal"}, (2, "level", "type one of these: easy, medium, hard")),
    "no year and no era": ({"question": "Which river did Caesar cross?"}, (2, "era", "no year tells the era")),
    "too long": ({"wrong 3": "P" * 41}, (2, "wrong 3", "has 41 characters; 40 fit")),
    "wrong is right": ({"wrong 1": "rubicon!"}, (2, "wrong 1", "is wrong, but it would be accepted")),
    "a bad id": ({"id": "Ruby Con"}, (2, "id", "Expected `str` matching regex")),
    "a trick": ({"question": "Which river did Caesar always cross in 49 BC?"}, (2, "question", "'always' makes")),
    "an unknown column": ({"colour": "red"}, (1, "colour", "there is no such column")),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_wrong_is_named_by_row_and_column(name: str) -> None:
    change, (row, column, reason) = BAD[name]
    made = imported(ONE | change)
    assert [(one[:2]) for one in problems(made)] == [(row, column)], problems(made)
    assert reason in problems(made)[0][2]
    assert f"row {row}, column '{column}': " in made.problems[0].text().to("en")


def test_what_is_wrong_between_rows_and_with_the_whole_table() -> None:
    other = ONE | {"question": "Where was Hannibal beaten in 202 BC?", "answer": "Zama", "id": "one"}
    twice = problems(imported(ONE | {"id": "one"}, other))
    assert next((row, reason) for row, _, reason in twice) == (2, "there is another card of this id")
    missing = {part: text for part, text in ONE.items() if part != "note"}
    assert problems(imported(missing)) == [(1, "note", "this column is missing")]
    assert problems(import_deck(b"", "class", "x.csv")) == [(1, "", "this file is empty")]
    headings = sheet(ONE).split(b"\n")[0]
    assert problems(import_deck(headings, "class", "x.csv")) == [(2, "", "there is no card in this file")]
    assert problems(import_deck(sheet(ONE) + b'"', "class", "x.csv"))[0][0] == 1
    assert problems(import_deck(sheet(ONE) + b"a,b,c,d,e,f,g\n", "class", "x.csv"))[0][0] == 3
    one_language = {f"{part} en": text for part, text in ONE.items()}
    assert (1, "question de", "this column is missing") in problems(imported(one_language))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"PK\x03\x04 and so on", "this is a workbook and no CSV"),
        (b"\xd0\xcf\x11\xe0 and so on", "this is a workbook and no CSV"),
        (sheet(ONE, delimiter="|"), "no column has a name that is known"),
        (b"\x01\x02\x03\xff", "no column has a name that is known"),
    ],
)
def test_a_file_that_is_no_table_is_told_in_one_sentence(content: bytes, reason: str) -> None:
    ((row, column, said),) = problems(import_deck(content, "class", "class.csv"))
    assert (row, column) == (1, "")
    assert reason in said


def test_excels_line_about_separators_is_understood_and_counted_as_a_row() -> None:
    good = import_deck(b"sep=;\r\n" + sheet(ONE, delimiter=";"), "class", "class.csv")
    assert problems(good) == []
    assert len(good.deck.cards) == 1
    bad = import_deck(b"sep=;\n" + sheet(ONE | {"wrong 2": ""}, delimiter=";"), "class", "class.csv")
    assert [one[:2] for one in problems(bad)] == [(3, "wrong 2")]


@pytest.mark.parametrize(
    ("headings", "missing"),
    [
        ("Frage;Antwort;Falsch 1;Falsch 2;Hinweis", "Falsch 3"),
        ("Pregunta;Respuesta;Erronea 1;Errónea 2;Nota", "Errónea 3"),
        ("question;answer;wrong 1;wrong 2;note", "wrong 3"),
    ],
)
def test_a_missing_column_is_named_as_the_others_are(headings: str, missing: str) -> None:
    assert problems(import_deck(f"{headings}\na;b;c;d;e\n".encode(), "class", "x.csv")) == [
        (1, missing, "this column is missing")
    ]


def test_a_give_away_is_a_remark_and_no_problem() -> None:
    made = imported(ONE | {"answer": "Rubicon (a river)"})
    assert problems(made) == []
    assert "brackets" in {remark.kind for remark in made.remarks}


def test_a_card_in_one_language_is_remarked_on_once() -> None:
    other = {**ONE, "question": "Which general crossed the Rubicon?", "answer": "Caesar"}
    made = imported(ONE, {**other, "wrong 1": "Pompey", "wrong 2": "Sulla", "wrong 3": "Marius", "era": "ancient"})
    assert problems(made) == []
    leaks = [remark.text().to("en") for remark in made.remarks if "tells" in remark.reason.to("en")]
    assert len(set(leaks)) == len(leaks) > 0
    assert all("(en)" not in leak for leak in leaks)


def test_choices_and_columns_that_are_missing_are_named_in_the_tables_language() -> None:
    german = {
        "Frage": "Wie hieß er? " * 20, "Antwort": "Jahn", "Falsch 1": "Arndt", "Falsch 2": "Körner",
        "Falsch 3": "Fichte",
        "Notiz": "Ein Satz.",
    }  # fmt: skip
    found = problems(imported(german, {**german, "Stufe": "ganz leicht"}))
    assert (2, "Epoche") in [(row, column) for row, column, _ in found]
    assert any("Frühe Neuzeit" in reason for _, column, reason in found if column == "Epoche")
    assert (3, "Stufe", "type one of these: leicht, mittel, schwer") in found
    assert (2, "Frage") in [(row, column) for row, column, _ in found]  # not only the first thing that is wrong


def test_an_english_card_may_say_no() -> None:
    """In a card of one language the Spanish word for `not` is looked for only if it is Spanish."""
    made = imported(ONE | {"question": "Which river, no broad one, did Caesar cross in 49 BC?"})
    assert problems(made) == []
    spanish = problems(imported(ONE | {"question": "¿Qué río no cruzó César en 49 a. C.?"}))
    assert [one[:2] for one in spanish] == [(2, "question")]


@given(st.binary(max_size=300))
def test_any_file_is_a_deck_or_has_a_problem(content: bytes) -> None:
    made = import_deck(content, "class", "class.csv")
    assert made.problems or made.deck.cards


@given(st.dictionaries(st.sampled_from([*ONE, "id", "level", "accept"]), st.text(max_size=50)))
def test_any_row_is_a_card_that_can_be_written_down_or_has_a_problem(change: dict[str, str]) -> None:
    made = imported(ONE | change)
    if not made.problems:
        assert read(made.toml(), "class.toml") == (made.deck, [])


@pytest.mark.parametrize("page", ["teachers.md", "teachers.de.md", "teachers.es.md"])
def test_the_teachers_page_shows_a_table_that_can_be_imported(page: str) -> None:
    text = (DOCS / page).read_text("utf-8")
    table = text.split("```csv\n", 1)[1].split("```", 1)[0]
    made = import_deck(table.encode(), "class", "class.csv")
    assert problems(made) == []
    assert [remark.text().to("en") for remark in made.remarks] == []
    assert len(made.deck.cards) == 2
    assert "examples/class-deck.csv" in text


# Decks as text ---------------------------------------------------------------------------------------------------


def test_a_deck_written_down_is_the_same_deck() -> None:
    deck = default_deck()
    assert read(deck_text(deck.name, deck.cards), "deck.toml") == (deck, [])


def test_ids_and_eras() -> None:
    assert new_id("Señora de Cao!", ["senora-de-cao"]) == "senora-de-cao-2"
    assert new_id("?", ["card"]) == "card-2"
    years = ("338 BC", "in 480 v. Chr.", "300", "1066", "1492", "1776", "1815", "1914", "2016")
    assert [era_of(text) for text in years] == [
        "ancient", "ancient", "ancient", "medieval", "medieval", "early_modern", "c19", "c20", "c21",
    ]  # fmt: skip
    assert era_of("no year", "nor here") is None


# Question by question --------------------------------------------------------------------------------------------

ANSWERS = [
    "ea", "place", "Which little river did Caesar cross in 49 BC?", "Rubicon", "Tiber", "Arno", "Po",
    "Rubico | the stream", "The die was cast.", "no", "", "europe", "Suetonius", "Julius 32", "Plutarch", "Caesar 32",
    "",
]  # fmt: skip


def answer(lang: str, typed: list[str], taken: tuple[str, ...] = ()) -> tuple[Card | None, list[Step]]:
    """What comes of these answers, and what was asked."""
    steps = write_card(lang, taken)
    asked = [next(steps)]
    for text in typed:
        try:
            asked.append(steps.send(text))
        except StopIteration as done:
            return done.value, asked
    return None, asked


def test_the_answers_make_a_card_and_what_is_left_empty_is_filled_in() -> None:
    card, asked = answer("en", ANSWERS)
    assert card is not None
    assert all(step.problem is None for step in asked)
    assert (card.id, card.level, card.kind, card.era, card.region) == ("rubicon", "easy", "place", "ancient", "europe")
    assert (card.en.wrong, card.en.accept, card.de) == (("Tiber", "Arno", "Po"), ("Rubico", "the stream"), card.en)
    assert read('name = "own"\n' + card_text(card), "own.toml") == (Deck("own", (card,)), [])


@pytest.mark.parametrize(
    ("place", "bad", "reason"),
    [
        (0, "brutal", "type one of these: easy, medium, hard"),
        (2, "", "this must be written"),
        (2, "x" * 141, "has 141 characters; 140 fit"),
        (2, "Which river did Caesar NOT cross in 49 BC?", "makes"),
        (3, "little river", "the question contains the answer"),
        (3, "1848 rivers of more than forty letters in all", "characters; 40 fit"),
        (4, "rubicon", "is wrong, but it would be accepted"),
        (5, "Tiber", "is there twice"),
        (5, "Battle of Zama", "is of another kind"),
        (8, "?", "says nothing"),
        (16, "Not An Id", "small letters"),
    ],
)
def test_a_bad_answer_is_asked_again_at_once(place: int, bad: str, reason: str) -> None:
    _, asked = answer("en", [*ANSWERS[:place], bad])
    assert asked[-1].problem is not None
    assert reason in asked[-1].problem.to("en")
    card, _ = answer("en", [*ANSWERS[:place], bad, *ANSWERS[place:]])
    assert card == answer("en", ANSWERS)[0]


@pytest.mark.parametrize(
    ("lang", "level", "kind", "era", "region"),
    [
        ("de", "leicht", "Ort", "Antike", "europa"),
        ("es", "facil", "lugar", "antig", "Europa"),
        ("de", "easy", "pla", "anc", "eur"),
    ],
)
def test_choices_are_shown_and_may_be_typed_in_the_authors_language(
    lang: str, level: str, kind: str, era: str, region: str
) -> None:
    typed = [level, kind, *ANSWERS[2:10], era, region, *ANSWERS[12:]]
    card, asked = answer(lang, typed)
    assert card is not None
    assert (card.level, card.kind, card.era, card.region) == ("easy", "place", "ancient", "europe")
    assert asked[0].choices == {"de": ("leicht", "mittel", "schwer"), "es": ("fácil", "medio", "difícil")}[lang]
    assert asked[0].default in asked[0].choices


def test_an_id_that_is_taken_is_not_given_again() -> None:
    card, asked = answer("en", ANSWERS, ("rubicon",))
    assert card is not None
    assert (card.id, asked[-1].default) == ("rubicon-2", "rubicon-2")
    assert answer("en", [*ANSWERS[:-1], "rubicon"], ("rubicon",))[1][-1].problem is not None


def test_three_languages_are_asked_for_if_wanted() -> None:
    german = ["Welchen Bach überschritt Caesar 49 v. Chr.?", "Rubikon", "Tiber", "Arno", "Po", "", "Der Würfel fiel."]
    spanish = ["¿Qué riachuelo cruzó César en 49 a. C.?", "Rubicón", "Tíber", "Arno", "Po", "", "La suerte."]
    card, asked = answer("de", [*ANSWERS[:2], *german, "yes", *ANSWERS[2:9], *spanish, *ANSWERS[10:]])
    assert card is not None
    assert (card.de.answer, card.en.answer, card.es.answer) == ("Rubikon", "Rubicon", "Rubicón")
    assert asked[2].ask.to("de").endswith("(Deutsch)")
