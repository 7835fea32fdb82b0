"""A deck from a spreadsheet: a table in CSV, one card a row, in one language or in three.

Columns are named in English, German or Spanish. In one language they are called `question`, `answer`, `wrong 1` and so
on; in three each has its language behind it: `question en`, `question de`, `question es`.
docs/teachers.md has them all.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from astragal.core.language import LANGUAGES, Text, say
from astragal.games.egar.answer_words import folded
from astragal.games.egar.authoring import CHOICE_NAMES, ERAS, KINDS, REGIONS, deck_text, era_of, new_id
from astragal.games.egar.cards import LEVELS, Card, number
from astragal.games.egar.check import CardFault, check
from astragal.games.egar.check_giveaways import Remark, remarks
from astragal.games.egar.deck import Deck

MOST_ROWS = 3000
_TOLD = re.compile(r"sep=([,;\t])\r?\n", re.IGNORECASE)
PARTS = ("question", "answer", "wrong 1", "wrong 2", "wrong 3", "note", "accept", "reject")
NEEDED = ("question", "answer", "wrong 1", "wrong 2", "wrong 3", "note")
FIELDS = ("id", "level", "era", "region", "kind", "source 1", "place 1", "source 2", "place 2")

# What columns and values are called in German and Spanish; accents may be left out.
GERMAN = {
    "frage": "question", "antwort": "answer", "richtig": "answer", "falsch 1": "wrong 1", "falsch 2": "wrong 2",
    "falsch 3": "wrong 3", "notiz": "note", "hinweis": "note", "anmerkung": "note", "auch richtig": "accept",
    "auch falsch": "reject", "stufe": "level", "epoche": "era", "ort": "region", "art": "kind", "quelle 1": "source 1",
    "stelle 1": "place 1", "quelle 2": "source 2", "stelle 2": "place 2",
}  # fmt: skip
SPANISH = {
    "pregunta": "question", "respuesta": "answer", "errónea 1": "wrong 1", "errónea 2": "wrong 2",
    "errónea 3": "wrong 3", "incorrecta 1": "wrong 1", "incorrecta 2": "wrong 2", "incorrecta 3": "wrong 3",
    "nota": "note", "también vale": "accept", "no vale": "reject", "nivel": "level", "época": "era",
    "región": "region", "tipo": "kind", "fuente 1": "source 1", "lugar 1": "place 1", "fuente 2": "source 2",
    "lugar 2": "place 2",
}  # fmt: skip
COLUMNS = {folded(heading): column for heading, column in (GERMAN | SPANISH).items()}
VALUES = {folded(word): value for names in CHOICE_NAMES.values() for value, word in names.items()} | {
    "neuzeit": "early_modern",
    "ort": "place",
}
WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # how files of Excel and LibreOffice begin
CHOICES = {"level": LEVELS, "era": ERAS, "region": REGIONS, "kind": KINDS}


class Problem(Struct, frozen=True):
    """What is wrong, and where in the spreadsheet: its rows count from 1, and row 1 has the columns' names."""

    row: int
    column: str  # empty where it is not one column
    reason: Text

    def text(self) -> Text:
        """The whole sentence."""
        if self.column:
            return say("row {row}, column {column!r}: {reason}", row=self.row, column=self.column, reason=self.reason)
        return say("row {row}: {reason}", row=self.row, reason=self.reason)


class Imported(Struct, frozen=True):
    """What came of a spreadsheet: a deck, or else what is wrong with it."""

    deck: Deck
    problems: tuple[Problem, ...]
    remarks: tuple[Remark, ...]  # what its writer should look at; the deck can be played all the same

    def toml(self) -> str:
        """The deck file."""
        return deck_text(self.deck.name, self.deck.cards)


class Row(Struct, frozen=True):
    """A row by the names of its columns, in our words."""

    number: int
    cells: dict[str, str]
    headings: dict[str, str]  # how its author calls the columns

    def problem(self, column: str, reason: Text) -> Problem:
        """Something wrong in this row."""
        called = self.headings.get(column) or _called(column, list(self.headings.values()))
        return Problem(self.number, called, reason)

    def choices(self, field: str) -> str:
        """What may stand in such a column, in the language in which the author has named the columns."""
        names = CHOICE_NAMES.get(_language(list(self.headings.values())), {})
        return ", ".join(names.get(choice, choice) for choice in CHOICES[field])


def import_deck(content: bytes, name: str, file: str) -> Imported:
    """The deck in a spreadsheet. `file` is the name it is called by where a card has no source of its own."""
    if content.startswith(WORKBOOKS):
        reason = say("this is a workbook and no CSV; open it in your spreadsheet program and save it as CSV")
        return Imported(Deck(name, ()), (Problem(1, "", reason),), ())
    rows, problems = read_rows(decode(content))
    cards: list[tuple[Row, Card]] = []
    for row in rows:
        card, wrong = _card(row, file, [card.id for _, card in cards])
        problems += wrong
        if card is not None:
            cards.append((row, card))
    if not rows and not problems:
        problems.append(Problem(2, "", say("there is no card in this file")))
    deck = Deck(name, tuple(card for _, card in cards))
    by_id = {card.id: row for row, card in reversed(cards)}
    problems += [_fault(by_id[fault.card], fault) for fault in check(deck) if fault.card in by_id]
    # a card in one language has each of its faults in all three
    once = {(one.row, one.column, one.reason.to("en")): one for one in problems}
    ordered = sorted(once.values(), key=lambda one: one.row)
    return Imported(deck, tuple(ordered), () if ordered else tuple(remarks(deck)))


def decode(content: bytes) -> str:
    """The text of a file as spreadsheet programs write it: UTF-8, UTF-16 with its mark, or the old Windows letters."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def read_rows(text: str) -> tuple[list[Row], list[Problem]]:
    """The rows that hold anything, and what is wrong with the columns."""
    text = text.replace("\0", "")
    told = _TOLD.match(text)  # Excel may say in a row of its own what stands between the cells
    text = text[told.end() :] if told else text
    first = text.split("\n", 1)[0]
    delimiter = told[1] if told else max(",;\t", key=first.count)
    try:
        table = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error as error:
        return [], [Problem(1, "", say("this is no table in CSV: {reason}", reason=str(error)))]
    if not table:
        return [], [Problem(1, "", say("this file is empty"))]
    if len(table) > MOST_ROWS:
        return [], [Problem(MOST_ROWS, "", say("a spreadsheet has at most {n} rows", n=MOST_ROWS))]
    columns = [_column(heading) for heading in table[0]]
    if not any(columns):
        reason = say("no column has a name that is known; there must be commas, semicolons or tabs between them")
        return [], [Problem(1, "", reason)]
    headings = {column: heading.strip() for column, heading in zip(columns, table[0], strict=True) if column}
    problems = list(_columns(columns, table[0]))
    if problems:
        return [], problems
    rows = []
    for number_, values in enumerate(table[1:], 3 if told else 2):
        cells = {column: value.strip() for column, value in zip(columns, values, strict=False) if column}
        if any(cells.values()):
            rows.append(Row(number_, cells, headings))
        if any(value.strip() for value in values[len(columns) :]):
            problems.append(Problem(number_, "", say("this row has more cells than there are columns")))
    return rows, problems


def _column(heading: str) -> str:
    """What a column is in our words: `Frage de` is `question de`; empty if we do not know it."""
    text = re.sub(r"[\s_]+", " ", folded(heading.strip()))
    stem, _, lang = text.rpartition(" ")
    if stem and lang in LANGUAGES and COLUMNS.get(stem, stem) in PARTS:
        return f"{COLUMNS.get(stem, stem)} {lang}"
    known = COLUMNS.get(text, text)
    return known if known in PARTS or known in FIELDS else ""


def _columns(columns: list[str], headings: list[str]) -> Iterator[Problem]:
    for at, (column, heading) in enumerate(zip(columns, headings, strict=True)):
        if not column and heading.strip():
            yield Problem(1, heading.strip(), say("there is no such column; docs/teachers.md lists them"))
        if column and column in columns[:at]:
            yield Problem(1, heading.strip(), say("this column is there twice"))
    languages = _languages(columns)
    for part in NEEDED:
        for column in [f"{part} {lang}" for lang in languages] or [part]:
            if column not in columns:
                yield Problem(1, _called(column, headings), say("this column is missing"))


def _called(column: str, headings: list[str]) -> str:
    """A column by its name in the language in which the author has named the others."""
    part, lang = (
        (column[:-3], column[-3:]) if column.endswith(tuple(f" {lang}" for lang in LANGUAGES)) else (column, "")
    )
    names = {"de": GERMAN, "es": SPANISH}.get(_language(headings), {})
    own = next((name for name, meant in names.items() if meant == part), None)
    return column if own is None else own.capitalize() + lang


def _language(headings: list[str]) -> str:
    """The language in which the author has named the columns."""
    given = {re.sub(" (?:en|de|es)$", "", folded(heading.strip())) for heading in headings}
    for lang, names in (("de", GERMAN), ("es", SPANISH)):
        if given & {folded(name) for name in names} - {"region"}:
            return lang
    return "en"


def _languages(columns: list[str]) -> list[str]:
    """The languages of a table: all three as soon as one is named, none where it is written in one."""
    return (
        list(LANGUAGES) if any(column.endswith(tuple(f" {lang}" for lang in LANGUAGES)) for column in columns) else []
    )


def _card(row: Row, file: str, taken: list[str]) -> tuple[Card | None, list[Problem]]:
    """The card of a row as far as there is one, and what is wrong with the row."""
    languages = _languages(list(row.cells))
    needed = [f"{part} {lang}" for part in NEEDED for lang in languages] or NEEDED
    problems = [row.problem(column, say("this must be written")) for column in needed if not row.cells.get(column)]
    fields: dict[str, Any] = {}
    for field, choices in CHOICES.items():
        value = folded(row.cells.get(field, ""))
        fields[field] = VALUES.get(value, value)
        if value and fields[field] not in choices:
            problems.append(row.problem(field, say("type one of these: {choices}", choices=row.choices(field))))
    return (None, problems) if problems else _build(row, fields, languages, file, taken)


def _build(
    row: Row, fields: dict[str, Any], languages: list[str], file: str, taken: list[str]
) -> tuple[Card | None, list[Problem]]:
    words = {lang: _words(row, f" {lang}" if languages else "") for lang in LANGUAGES}
    first = words[LANGUAGES[0]]
    fields["level"] = fields["level"] or "medium"
    fields["kind"] = fields["kind"] or ("year" if number(first["answer"]) is not None else "term")
    fields["region"] = fields["region"] or "world"
    fields["era"] = fields["era"] or era_of(first["question"], first["answer"], first["note"])
    problems = []
    if fields["era"] is None:
        text = say("no year tells the era; type one of these: {choices}", choices=row.choices("era"))
        problems.append(row.problem("era", text))
        fields["era"] = ERAS[0]  # so that the rest of the card is checked too
    named = first["question"] if number(first["answer"]) is not None else first["answer"]
    id = row.cells.get("id") or new_id(named, taken)
    whole = {**fields, **words, "id": id, "fact_key": id, "review": "draft", "sources": list(_sources(row, file))}
    try:
        return msgspec.convert(whole, Card), problems
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at `$.")
        return None, [*problems, row.problem(path.rstrip("`").split("[")[0], say("{reason}", reason=reason))]


def _words(row: Row, behind: str) -> dict[str, Any]:
    cells = {part: row.cells.get(f"{part}{behind}", "") for part in PARTS}
    listed = {part: [text.strip() for text in cells[part].split("|") if text.strip()] for part in ("accept", "reject")}
    wrong = [cells["wrong 1"], cells["wrong 2"], cells["wrong 3"]]
    return {"question": cells["question"], "answer": cells["answer"], "wrong": wrong, "note": cells["note"], **listed}


def _sources(row: Row, file: str) -> Iterator[dict[str, str]]:
    """The two sources; where one is missing it is the spreadsheet itself."""
    for n in (1, 2):
        title = row.cells.get(f"source {n}", "")
        place = row.cells.get(f"place {n}", "")
        yield {"title": title or file, "place": place or f"row {row.number}"}


def _fault(row: Row, fault: CardFault) -> Problem:
    """A fault of a card as a problem of its row, in the column that holds the text it is about."""
    about = {str(value) for value in fault.reason.holes.values()}
    ours = [column for column, value in row.cells.items() if value in about]
    exact = [column for column in ours if column.endswith(f" {fault.lang}")] or ours
    return row.problem(exact[0] if exact else "", fault.reason)
