"""Records as files: both forms hold the same, and whatever is wrong with a file is said with its line and rule."""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import astragal
from astragal.core.fair import Abandoned
from astragal.core.record import Acted, Claimed, DrawAgreed, Drew, Entry, HandedOver, Record, Resigned, Seat, TookBack
from astragal.core.recordfile import BadRecordFile, parse, read, to_json, to_text, write
from astragal.core.recordjson import from_json
from astragal.core.recordtext import from_text
from astragal.core.types import BadFile
from astragal.play.match import Match
from tests.core.matches import begun, finished, played, records, resigned, with_entry, with_header

FORMS: dict[str, Callable[[Record], str]] = {"json": to_json, "text": to_text}
both = pytest.mark.parametrize("form", FORMS)
WEIGHTS = (1, 4, 6, 4, 1)


def refused(content: str) -> BadRecordFile:
    """The error a text gives: the one documented kind, in one line, and readable in every language."""
    with pytest.raises(BadRecordFile) as caught:
        parse(content, "some.file")
    error = caught.value
    for lang in ("en", "de", "es"):
        assert error.to(lang).startswith("some.file")
        assert error.rule in error.to(lang)
    assert "\n" not in str(error)
    return error


def line_with(content: str, beginning: str) -> int:
    """The number of the only line that begins like this."""
    (number,) = (n for n, line in enumerate(content.split("\n"), 1) if line.strip().startswith(beginning))
    return number


def line_of_entry(content: str, form: str, number: int, record: Record) -> int:
    """The line of an entry: text numbers them, JSON has them one after the other."""
    if form == "text":
        return line_with(content, f"{number + 1}. ")
    return line_with(content, '"entries": [') + 1 + number


# Both forms hold the same -------------------------------------------------------------------------------------


@given(record=records())
@settings(deadline=None, max_examples=150)
def test_any_match_survives_both_forms(record: Record) -> None:
    for form in FORMS.values():
        assert parse(form(record)) == record
    assert to_text(parse(to_json(record))) == to_text(record)
    assert to_json(parse(to_text(record))) == to_json(record)


@given(record=records())
@settings(deadline=None, max_examples=40)
def test_an_entry_has_a_line_of_its_own(record: Record) -> None:
    for form, write_it in FORMS.items():
        lines = write_it(record).split("\n")
        for number, entry in enumerate(record.entries):
            line = lines[line_of_entry(write_it(record), form, number, record) - 1]
            assert getattr(entry, "action", "") in line


@both
@pytest.mark.parametrize("make", [begun, resigned, finished])
def test_files_are_written_and_read(tmp_path: Path, form: str, make: Callable[[], Record]) -> None:
    file = tmp_path / ("match.json" if form == "json" else "match.txt")
    write(make(), file)
    assert file.read_text(encoding="utf-8") == FORMS[form](make())
    assert read(file) == make()


def test_the_text_form_reads_like_a_page() -> None:
    text = to_text(resigned())
    assert text.startswith(
        'astragal record 1\ngame: ur 1\nmatch: seed-7\nseat 1: human "Ann"\nseat 2: human "Zoë | 2. '
    )
    assert "\noption pieces: 3\n" in text
    assert "\n1. draw 0: throw-" in text
    assert " | 1 4 6 4 1\n" in text
    assert '. handed over 2: bot:greedy "Deep"\n' in text
    assert ". took back to: " in text
    assert ". resigned: 1\n\nresult: 0 1\nend: " in text


@both
def test_the_server_seed_is_in_a_file_only_once_it_is_opened(form: str) -> None:
    match = played()
    seed = match.record(keep_seed=True).header.fair.server_seed
    assert seed is not None
    assert seed in FORMS[form](match.record(keep_seed=True))
    assert seed not in FORMS[form](match.record())
    match.resign(0)
    assert seed in FORMS[form](match.record())


@both
def test_windows_line_ends_and_blank_lines_are_harmless(tmp_path: Path, form: str) -> None:
    file = tmp_path / "match"
    file.write_bytes(FORMS[form](begun()).replace("\n", "\r\n").encode())
    assert read(file) == begun()
    assert parse("\n\n" + FORMS[form](begun()).replace("\n", "\n\n") + "\n") == begun()


def test_json_laid_out_by_another_program_is_read_and_keeps_its_line_numbers() -> None:
    good = begun()
    assert parse(json.dumps(json.loads(to_json(good)), indent=4, sort_keys=True)) == good
    assert parse(json.dumps(json.loads(to_json(good)))) == good
    bad = with_entry(good, TookBack(999), at=3)
    content = json.dumps(json.loads(to_json(bad)), indent=2)
    error = refused(content)
    assert error.rule == "RC-8"
    assert error.line is not None
    assert '"ply": 999' in "\n".join(content.split("\n")[error.line - 1 : error.line + 3])


# Each rule, by its own broken file, with the line that is wrong ------------------------------------------------


@both
@pytest.mark.rule("RC-1")
@pytest.mark.parametrize(
    "content",
    [
        "",
        "\n\n",
        "hello",
        "\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        "[1, 2]",
        "{}",
        '{"header": 1}',
        '{"game": "ur", "moves": []}',
        "astragal record 2\ngame: ur 1\n",
        "astragal",
        "null",
        "{" * 5,
        '{"a": ' + "9" * 5000 + "}",
        '{"a": NaN}',
        '{"a": Infinity}',
        '{"a": 1e999}',
        '{"a": "\\ud800"}',
        '{"a":' * 5000,
        '{"a":' * 900 + "1" + "}" * 900,
        '{"a":' * 5000 + "1" + "}" * 5000,
        '{"header": ' + "[" * 500 + "]" * 500 + "}",
        '{"header": {}, "entries": {}, "result": null, "count": 0, "digest": ""}',
        "astragal record 1\n" + "game: ur " + "9" * 5000,
        "astragal record 1\n" * 3,
        "\ufeff{}",
        '{"\ufffe": "\0"}',
    ],
    ids=lambda content: repr(content[:24]),
)
def test_foreign_files_are_refused(form: str, content: str, tmp_path: Path) -> None:
    error = refused(content)
    assert error.rule in ("RC-1", "RC-4")
    file = tmp_path / f"foreign.{form}"
    file.write_text(content, encoding="utf-8", newline="")
    with pytest.raises(BadRecordFile):
        read(file)


@pytest.mark.rule("RC-1")
@pytest.mark.parametrize("kind", ["missing", "folder", "bytes"])
def test_what_cannot_be_read_is_refused(tmp_path: Path, kind: str) -> None:
    file = tmp_path / "match.json"
    if kind == "folder":
        file.mkdir()
    elif kind == "bytes":
        file.write_bytes(b"\x89PNG\r\n\x1a\n\xff\xfe\xfa")
    with pytest.raises(BadRecordFile) as caught:
        read(file)
    assert caught.value.rule == "RC-1"
    assert str(file) in str(caught.value)


@pytest.mark.rule("RC-1")
def test_another_format_is_refused() -> None:
    json_error = refused(to_json(with_header(begun(), format="astragal-record-2")))
    assert (json_error.rule, json_error.line) == ("RC-1", 1)
    text_error = refused(to_text(begun()).replace("astragal record 1", "astragal record 2"))
    assert (text_error.rule, text_error.line) == ("RC-1", 1)


@both
@pytest.mark.rule("RC-1")
@pytest.mark.parametrize(
    "changes",
    [
        {"match": "a b"},
        {"match": "a/b"},
        {"match": "x" * 61},
        {"seats": (Seat("robot"), Seat())},
        {"seats": (Seat("human", "x" * 81), Seat())},
    ],
    ids=str,
)
def test_a_header_must_be_well_formed_in_either_form(form: str, changes: dict[str, Any]) -> None:
    """What one form refuses the other may not let in: each can be turned into the other."""
    assert refused(FORMS[form](with_header(begun(), **changes))).rule == "RC-1"


@pytest.mark.rule("RC-1")
@pytest.mark.parametrize("lengths", [(1, 2), (2, 1), (3, 3), (0, 0)])
def test_seeds_and_commitments_are_as_many_as_seats(lengths: tuple[int, int]) -> None:
    """Else the record could neither be written as text nor verified."""
    good = begun()
    fair = msgspec.structs.replace(
        good.header.fair, seat_commitments=(None,) * lengths[0], seat_seeds=(None,) * lengths[1]
    )
    refused(to_json(with_header(good, fair=fair)))


@pytest.mark.rule("RC-1")
@pytest.mark.parametrize("where", ["header", "seat", "fair", "entry"])
def test_unknown_keys_are_refused(where: str) -> None:
    """A misspelt key must not silently become a default."""
    raw = json.loads(to_json(begun()))
    part = {
        "header": raw["header"],
        "seat": raw["header"]["seats"][0],
        "fair": raw["header"]["fair"],
        "entry": raw["entries"][0],
    }[where]
    part["colour"] = "red"
    refused(json.dumps(raw))


@pytest.mark.rule("RC-1")
@pytest.mark.parametrize(
    ("beginning", "instead"),
    [
        ("game:", "game: ur"),
        ("game:", "game: ur one"),
        ("game:", "game: ur " + "9" * 5000),
        ("match:", "match:"),
        ("match:", "match: a b"),
        ("seat 1:", "seat 1: human Ann"),
        ("seat 1:", 'seat 1: human "An'),
        ("option pieces:", "option pieces: three"),
        ("option pieces:", "option pieces: " + "[" * 5000),
        ("option pieces:", "option pieces: " + "9" * 5000),
        ("server commitment:", "server commitment: 12"),
        ("seat 1 seed:", "seat 1 seed: 12"),
        ("seat 2 commitment:", "seat 3 commitment: -"),
    ],
    ids=lambda text: repr(text[:24]),
)
def test_a_header_line_of_the_text_form_that_is_not_one(beginning: str, instead: str) -> None:
    content = to_text(begun())
    number = line_with(content, beginning)
    lines = content.split("\n")
    lines[number - 1] = instead
    error = refused("\n".join(lines))
    assert (error.rule, error.line) == ("RC-1", number)


@pytest.mark.rule("RC-1")
@pytest.mark.parametrize(("old", "new"), [("seat 1: ", "seat 2: "), ("seat 2: ", "seat 7: "), ("seat 1: ", "seat 0: ")])
def test_seats_of_the_text_form_are_counted(old: str, new: str) -> None:
    content = to_text(begun())
    number = line_with(content, old)
    lines = content.split("\n")
    lines[number - 1] = lines[number - 1].replace(old, new, 1)
    error = refused("\n".join(lines))
    assert error.line == number


@both
@pytest.mark.rule("RC-2")
@pytest.mark.parametrize(("changes", "says"), [({"game": "chess"}, "chess"), ({"version": 9}, "version 9")])
def test_a_game_this_program_does_not_have(form: str, changes: dict[str, Any], says: str) -> None:
    content = FORMS[form](with_header(begun(), **changes))
    error = refused(content)
    assert error.rule == "RC-2"
    assert says in str(error)
    assert error.line == (1 if form == "json" else line_with(content, "game:"))


@both
@pytest.mark.rule("RC-2")
@pytest.mark.parametrize("players", [1, 3])
def test_a_number_of_players_the_game_is_not_for(form: str, players: int) -> None:
    good = begun()
    fair = msgspec.structs.replace(good.header.fair, seat_commitments=(None,) * players, seat_seeds=(None,) * players)
    assert refused(FORMS[form](with_header(good, seats=(Seat(),) * players, fair=fair))).rule == "RC-2"


@both
@pytest.mark.rule("RC-3")
@pytest.mark.parametrize(("field", "value"), [("pieces", 9), ("dice", "five"), ("begins", 5), ("colour", "red")])
def test_options_nobody_can_play_with(form: str, field: str, value: Any) -> None:
    good = begun()
    content = FORMS[form](with_header(good, options=good.header.options | {field: value}))
    error = refused(content)
    assert error.rule == "RC-3"
    assert field in str(error)
    if form == "text":
        assert error.line == line_with(content, f"option {field}:")


@both
@pytest.mark.rule("RC-3")
def test_a_position_nobody_can_play_from(form: str) -> None:
    content = FORMS[form](with_header(begun(), position="3:-:0 3:-:0 light 7"))
    error = refused(content)
    assert error.rule == "RC-3"
    assert "column 19 (the throw)" in str(error)
    if form == "text":
        assert error.line == line_with(content, "position:")


@both
@pytest.mark.rule("RC-3")
def test_a_board_nobody_can_play_on(form: str) -> None:
    good = begun()
    board = {"name": "x", "rosettes": [], "light": "a1 a1 a1 a1", "dark": "c1 c1 c1 c1"}
    error = refused(FORMS[form](with_header(good, options=good.header.options | {"path": board})))
    assert error.rule == "RC-3"


@both
@pytest.mark.rule("RC-4")
@pytest.mark.parametrize("make", [begun, resigned])
def test_a_file_cut_off_after_any_line_is_noticed(form: str, make: Callable[[], Record]) -> None:
    lines = FORMS[form](make()).rstrip("\n").split("\n")
    for kept in range(len(lines)):
        for end in ("", "\n"):
            error = refused("\n".join(lines[:kept]) + end)
            assert error.rule in ("RC-1", "RC-4")
            assert error.line is not None
            assert max(kept, 1) - 1 <= error.line <= kept + 1


@both
@pytest.mark.rule("RC-4")
def test_a_file_cut_off_among_its_entries_breaks_rc_4(form: str) -> None:
    good = begun()
    content = FORMS[form](good)
    lines = content.split("\n")
    for number in range(1, len(good.entries)):
        kept = line_of_entry(content, form, number, good) - 1
        assert refused("\n".join(lines[:kept]) + "\n").rule == "RC-4"


@both
@pytest.mark.rule("RC-4")
def test_a_file_cut_off_at_any_byte_is_noticed(form: str, tmp_path: Path) -> None:
    whole = FORMS[form](begun()).encode()
    file = tmp_path / "cut"
    for kept in [*range(0, len(whole) - 1, 7), len(whole) - 2]:
        file.write_bytes(whole[:kept])
        with pytest.raises(BadRecordFile):
            read(file)


@both
@pytest.mark.rule("RC-4")
def test_a_missing_entry_is_noticed(form: str) -> None:
    """Also at the end, where every move that is left is legal."""
    good = begun()
    content = FORMS[form](good)
    lines = content.split("\n")
    gone = line_of_entry(content, form, len(good.entries) - 1, good)
    del lines[gone - 1]
    if form == "json":
        lines[gone - 2] = lines[gone - 2].rstrip(",")
    assert refused("\n".join(lines)).rule == "RC-4"


@both
@pytest.mark.rule("RC-4")
@pytest.mark.parametrize("by", [-1, 1])
def test_the_count_at_the_end_must_fit(form: str, by: int) -> None:
    good = begun()
    n = len(good.entries)
    old, new = (f'"count": {n}', f'"count": {n + by}') if form == "json" else (f"end: {n} ", f"end: {n + by} ")
    content = FORMS[form](good)
    error = refused(content.replace(old, new))
    assert error.rule == "RC-4"
    assert str(n + by) in str(error)
    assert error.line is not None
    assert error.line >= line_with(content, old)


@pytest.mark.rule("RC-4")
def test_entries_of_the_text_form_are_numbered_in_order() -> None:
    content = to_text(begun())
    error = refused(content.replace("\n5. ", "\n6. "))
    assert (error.rule, error.line) == ("RC-4", line_with(content, "5. "))


@pytest.mark.rule("RC-4")
@pytest.mark.parametrize("more", ["x", "1. draw agreed", "end: 0 entries", "astragal record 1"])
def test_nothing_follows_the_last_line_of_the_text_form(more: str) -> None:
    content = to_text(begun())
    error = refused(content + more + "\n")
    assert error.line == content.count("\n") + 1


@pytest.mark.rule("RC-4")
def test_nothing_follows_the_json_document() -> None:
    assert refused(to_json(begun()) + "{}").rule == "RC-4"


@both
@pytest.mark.rule("RC-5")
@pytest.mark.parametrize(("old", "new"), [("Ann", "Anna"), ("seed-7", "seed-8"), ("Deep", "Blue")])
def test_an_edit_that_breaks_no_other_rule_is_noticed(form: str, old: str, new: str) -> None:
    content = FORMS[form](begun())
    assert old in content
    error = refused(content.replace(old, new))
    assert error.rule == "RC-5"
    assert error.line == line_with(content, '"digest"' if form == "json" else "end:")


@both
@pytest.mark.rule("RC-5")
def test_the_fingerprint_itself_cannot_be_edited(form: str) -> None:
    good = begun()
    content = FORMS[form](good)
    error = refused(content.replace(good.digest(), "0" * 64))
    assert (error.rule, error.line) == ("RC-5", line_with(content, '"digest"' if form == "json" else "end:"))


def first_turn(record: Record) -> int:
    """The number of the first entry that is an action."""
    return next(n for n, entry in enumerate(record.entries) if isinstance(entry, Acted))


@both
@pytest.mark.parametrize(
    ("entry", "rule"),
    [
        pytest.param(Acted(1, "in-c3"), "RC-6", marks=pytest.mark.rule("RC-6")),
        pytest.param(Acted(0, "hello"), "RC-6", marks=pytest.mark.rule("RC-6")),
        pytest.param(Claimed(0, "in"), "RC-6", marks=pytest.mark.rule("RC-6")),
        pytest.param(Drew(1, "throw-1", WEIGHTS), "RC-6", marks=pytest.mark.rule("RC-6")),
        pytest.param(Resigned(4), "RC-6", marks=pytest.mark.rule("RC-6")),
        pytest.param(HandedOver(4, Seat()), "RC-6", marks=pytest.mark.rule("RC-6")),
        pytest.param(TookBack(50), "RC-8", marks=pytest.mark.rule("RC-8")),
        pytest.param(Acted(0, "b4-b5"), "UC-5", marks=pytest.mark.rule("UC-5")),
        pytest.param(Acted(0, "throw-4"), "UC-2", marks=pytest.mark.rule("UC-2")),
    ],
)
def test_an_entry_that_cannot_be_names_its_line(form: str, entry: Entry, rule: str) -> None:
    good = begun()
    place = first_turn(good)
    bad = with_entry(good, entry, at=place)
    content = FORMS[form](bad)
    error = refused(content)
    assert error.rule == rule
    assert error.line == line_of_entry(content, form, place, bad)


@both
@pytest.mark.rule("RC-6", "RC-7")
def test_a_throw_cannot_be_slipped_in_as_an_action_of_nobody(form: str) -> None:
    """In the text form this reads `seat 0: throw-4`; it would be a throw that no seed can be asked about."""
    good = begun()
    draws = [n for n, entry in enumerate(good.entries) if isinstance(entry, Drew)]
    place = draws[-1]
    forged = msgspec.structs.replace(
        good,
        entries=(*good.entries[:place], Acted(-1, good.entries[place].action)),  # type: ignore[union-attr]
    )
    content = FORMS[form](forged)
    error = refused(content)
    assert (error.rule, error.line) == ("RC-6", line_of_entry(content, form, place, forged))


@pytest.mark.rule("RC-6")
@pytest.mark.parametrize(
    "instead",
    [
        "draw agreed?",
        "draw x: throw-1 | 1 4 6 4 1",
        "draw 0: throw-1",
        "seat: in-a3",
        "seat one: in-a3",
        "took back to: -1",
        "handed over 1:",
        'handed over 1: human "',
        "handed over 1: human Ann",
        "draw 0: throw-1 | " + "9" * 5000,
        "seat " + "9" * 5000 + ": in-a3",
        "?",
    ],
    ids=lambda text: repr(text[:24]),
)
def test_a_line_of_the_text_form_that_is_no_entry(instead: str) -> None:
    content = to_text(begun())
    number = line_with(content, "3. ")
    lines = content.split("\n")
    lines[number - 1] = f"3. {instead}"
    error = refused("\n".join(lines))
    assert (error.rule, error.line) == ("RC-6", number)


@pytest.mark.rule("RC-6")
@pytest.mark.parametrize(
    "instead",
    [
        '{"type":"flew","seat":0}',
        '{"type":"acted","seat":0}',
        '{"type":"acted","seat":"0","action":"in"}',
        '{"type":"drew","n":0,"action":"throw-1","weights":[1.5]}',
        '{"type":"took back","ply":1e400}',
        '{"type":"handed over","seat":0,"to":{"player":"robot"}}',
        '{"seat":0}',
        "[]",
        "7",
        "null",
    ],
)
def test_a_line_of_the_json_form_that_is_no_entry(instead: str) -> None:
    good = begun()
    content = to_json(good)
    number = line_of_entry(content, "json", 2, good)
    lines = content.split("\n")
    lines[number - 1] = instead + ","
    error = refused("\n".join(lines))
    assert (error.rule, error.line) == ("RC-6", number)


@both
@pytest.mark.rule("RC-7")
@pytest.mark.parametrize(
    "entry", [Drew(3, "throw-1", WEIGHTS), Drew(0, "throw-1", (1, 1, 1, 1, 1)), Drew(0, "throw-1", (16,))], ids=repr
)
def test_draws_that_the_rules_do_not_have(form: str, entry: Entry) -> None:
    bad = with_entry(begun(), entry, at=0)
    content = FORMS[form](bad)
    error = refused(content)
    assert (error.rule, error.line) == ("RC-7", line_of_entry(content, form, 0, bad))


@both
@pytest.mark.rule("RC-8")
def test_a_takeback_of_more_than_there_was(form: str) -> None:
    bad = with_entry(begun(), TookBack(0), at=0)
    content = FORMS[form](bad)
    error = refused(content)
    assert (error.rule, error.line) == ("RC-8", line_of_entry(content, form, 0, bad))


@pytest.mark.rule("RC-4", "RC-8")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("\n5. ", f"\n{'5' * 5000}. "),
        ("\nend: ", f"\nend: {'5' * 5000}"),
        ("took back to: ", f"took back to: {'5' * 100}"),
        ("\nresult: none", f"\nresult: {'5' * 5000}"),
    ],
    ids=lambda text: repr(text[:24]),
)
def test_numbers_of_any_size_are_refused(old: str, new: str) -> None:
    content = to_text(begun())
    assert old in content
    refused(content.replace(old, new))


@both
@pytest.mark.rule("RC-9")
@pytest.mark.parametrize("entry", [Resigned(1), DrawAgreed(), Acted(0, "in-a3"), HandedOver(0, Seat())], ids=repr)
def test_entries_after_the_end(form: str, entry: Entry) -> None:
    good = resigned()
    bad = with_entry(good, entry)
    content = FORMS[form](bad)
    error = refused(content)
    assert (error.rule, error.line) == ("RC-9", line_of_entry(content, form, len(good.entries), bad))


@both
@pytest.mark.rule("RC-10")
@pytest.mark.parametrize("result", [None, (1.0, 0.0), (0.5, 0.5), (0.0, 1.0, 0.0)])
def test_a_result_that_is_not_that_of_the_match(form: str, result: tuple[float, ...] | None) -> None:
    content = FORMS[form](msgspec.structs.replace(resigned(), result=result))
    error = refused(content)
    assert error.rule == "RC-10"
    assert error.line == line_with(content, '"result"' if form == "json" else "result:")


@pytest.mark.rule("RC-10")
@pytest.mark.parametrize("shares", ["1 e", "- -", "1.1.1 0", "1e999 0"])
def test_a_result_line_that_is_no_result(shares: str) -> None:
    content = to_text(resigned())
    error = refused(content.replace("result: 0 1", f"result: {shares}"))
    assert (error.rule, error.line) == ("RC-10", line_with(content, "result:"))


# Edited anywhere ----------------------------------------------------------------------------------------------

SAMPLES = {form: [write_it(make()) for make in (begun, resigned)] for form, write_it in FORMS.items()}


@both
@given(data=st.data())
@settings(deadline=None, max_examples=300)
def test_any_one_character_changed_is_noticed_or_harmless(form: str, data: st.DataObject) -> None:
    """What is read from an edited file is an equal record or nothing; and the error is always the same kind."""
    original = data.draw(st.sampled_from(SAMPLES[form]))
    position = data.draw(st.integers(0, len(original) - 1))
    other = data.draw(
        st.sampled_from(["", " ", "\n", "0", "1", "9", "-", ".", '"', "a", "e", "}", ",", "\0"])
        | st.characters(exclude_categories=["Cs"])
    )
    kept = data.draw(st.integers(0, 1))  # put in before the character, or instead of it
    changed = original[:position] + other + original[position + 1 - kept :]
    try:
        parsed = parse(changed)
    except BadRecordFile:
        return
    assert parsed == parse(original)


@both
@given(data=st.data())
@settings(deadline=None, max_examples=100)
def test_lines_left_out_doubled_or_exchanged_are_noticed(form: str, data: st.DataObject) -> None:
    original = data.draw(st.sampled_from(SAMPLES[form]))
    lines = original.split("\n")
    here, there = data.draw(st.integers(0, len(lines) - 1)), data.draw(st.integers(0, len(lines) - 1))
    how = data.draw(st.sampled_from(["left out", "doubled", "exchanged"]))
    if how == "left out":
        changed = [*lines[:here], *lines[here + 1 :]]
    elif how == "doubled":
        changed = [*lines[:here], lines[here], *lines[here:]]
    else:
        changed = list(lines)
        changed[here], changed[there] = lines[there], lines[here]
    try:
        parsed = parse("\n".join(changed))
    except BadRecordFile:
        return
    assert parsed == parse(original)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(data=st.data())
@settings(deadline=None, max_examples=200)
def test_any_value_of_a_json_record_replaced_is_noticed(data: st.DataObject) -> None:
    original = SAMPLES["json"][1]
    raw = json.loads(original)
    node: Any = raw
    while True:
        key = (
            data.draw(st.sampled_from(sorted(node)))
            if isinstance(node, dict)
            else data.draw(st.integers(0, len(node) - 1))
        )
        if not isinstance(node[key], dict | list) or not node[key] or data.draw(st.integers(0, 3)) == 0:
            break
        node = node[key]
    node[key] = data.draw(JSON_VALUES)
    try:
        parsed = parse(json.dumps(raw))
    except BadRecordFile:
        return
    assert parsed == parse(original)


# Both forms accept the same -----------------------------------------------------------------------------------


def accepted(record: Record, form: str) -> Record | None:
    """The record as this form gives it back, with the fingerprint it should have; None if it is refused."""
    try:
        return parse(FORMS[form](record))
    except BadRecordFile:
        return None


ODD = [
    "\n",
    "\r",
    "\0",
    "\x1b",
    "\x1f",
    "\x7f",
    "\x85",
    "\xa0",
    "\u2028",
    "\ufeff",
    " ",
    "\t",
    '"',
    "\\",
    "٣",
    "|",
    "-",
]


def odd_text(original: str) -> st.SearchStrategy[str]:
    """The text itself, with something odd at an end or inside, or another one."""
    odd = st.sampled_from(ODD) | st.characters(exclude_categories=["Cs"])
    return st.one_of(
        st.just(original),
        odd.map(lambda c: original + c),
        odd.map(lambda c: c + original),
        odd.map(lambda c: original[:1] + c + original[1:]),
        odd.map(lambda c: original[:-1] + c),
        st.text(max_size=90),
    )


def odd_value(original: Any) -> st.SearchStrategy[Any]:
    """A value of the same kind that may be wrong."""
    if isinstance(original, bool):
        return st.booleans()
    if isinstance(original, str):
        return odd_text(original)
    if isinstance(original, int):
        return st.integers() | st.integers(-2, 3)
    if isinstance(original, float):
        return st.floats(allow_nan=False, allow_infinity=False)
    if original is None:
        return st.none() | odd_text("1" * 64)
    return st.just(original)


def oddly(value: Any, data: st.DataObject) -> Any:
    """The value with one part of it replaced, built without the checks of any reader."""
    if isinstance(value, msgspec.Struct) and value.__struct_fields__:
        field = data.draw(st.sampled_from(value.__struct_fields__))
        return msgspec.structs.replace(value, **{field: oddly(getattr(value, field), data)})
    if isinstance(value, tuple | list) and value:
        at = data.draw(st.integers(0, len(value) - 1))
        return (*value[:at], oddly(value[at], data), *value[at + 1 :])
    if isinstance(value, dict) and value:
        key = data.draw(st.sampled_from(sorted(value)))
        return value | {key: oddly(value[key], data)}
    return data.draw(odd_value(value))


@given(record=records(), data=st.data())
@settings(deadline=None, max_examples=400)
def test_a_record_with_anything_odd_in_it_is_read_in_both_forms_or_in_neither(
    record: Record, data: st.DataObject
) -> None:
    odd = record
    for _ in range(data.draw(st.integers(1, 2))):
        odd = oddly(odd, data)
    as_json = accepted(odd, "json")
    assert as_json == accepted(odd, "text")
    if as_json is not None:
        assert as_json == odd
        assert to_text(as_json) == to_text(odd)


@pytest.mark.rule("RC-1")
@pytest.mark.parametrize("odd", ["\n", "\0", "\x1b[2J", "\x7f", "\x85", "\u2028"])
@pytest.mark.parametrize("where", ["match", "game", "name", "player", "seed", "commitment", "server seed", "abandoned"])
@both
def test_no_text_of_a_header_holds_control_characters_or_ends_in_a_line_break(form: str, where: str, odd: str) -> None:
    good = resigned()
    fair, seats = good.header.fair, good.header.seats
    gone = Abandoned(seat=0, name="Ann", why="left", commitment=None, server_commitment="0" * 64)

    def promise(**changes: Any) -> dict[str, Any]:
        return {"fair": msgspec.structs.replace(fair, **changes)}

    changes: dict[str, dict[str, Any]] = {
        "match": {"match": good.header.match + odd},
        "game": {"game": good.header.game + odd},
        "name": {"seats": (Seat("human", "Ann" + odd), seats[1])},
        "player": {"seats": (seats[0], Seat("bot:greedy" + odd))},
        "seed": promise(seat_seeds=(str(fair.seat_seeds[0]) + odd, fair.seat_seeds[1])),
        "commitment": promise(server_commitment=fair.server_commitment + odd),
        "server seed": promise(server_seed=str(fair.server_seed) + odd),
        "abandoned": promise(abandoned=(msgspec.structs.replace(gone, name="Ann" + odd),)),
    }
    assert accepted(good, form) == good
    assert accepted(with_header(good, **promise(abandoned=(gone,))), form) is not None
    with pytest.raises(BadRecordFile) as caught:
        parse(FORMS[form](with_header(good, **changes[where])))
    assert caught.value.rule in (("RC-1",) if form == "json" else ("RC-1", "RC-4", "RC-5"))


@given(data=st.data())
@settings(deadline=None, max_examples=200)
def test_what_a_reader_makes_of_an_edited_file_the_other_form_can_hold(data: st.DataObject) -> None:
    """As far as a file can be read at all: its fingerprint is made anew, as a forger would."""
    form = data.draw(st.sampled_from(sorted(FORMS)))
    original = data.draw(st.sampled_from(SAMPLES[form]))
    position = data.draw(st.integers(0, len(original) - 1))
    other = data.draw(
        st.sampled_from(["", "0", "1", "9", "-", ".", "e", *ODD]) | st.characters(exclude_categories=["Cs"])
    )
    kept = data.draw(st.integers(0, 1))
    changed = original[:position] + other + original[position + 1 - kept :]
    try:
        record, *_ = (from_json if form == "json" else from_text)(changed, "edited")
    except BadRecordFile:
        return
    assert accepted(record, "json") == accepted(record, "text")


@given(text=st.text(max_size=300))
@settings(deadline=None, max_examples=200)
def test_any_text_at_all_gives_the_documented_error(text: str) -> None:
    for content in (text, "{" + text, "astragal record 1\n" + text):
        with pytest.raises(BadRecordFile):
            parse(content)


@pytest.mark.parametrize("depth", [10, 100, 300, 600, 900, 950, 980, 1000, 2000, 20_000])
@both
def test_options_nested_to_any_depth_are_refused(form: str, depth: int) -> None:
    nested = "[" * depth + "]" * depth
    if form == "text":
        content = to_text(begun()).replace("option pieces: 3", f"option pieces: {nested}")
    else:
        content = to_json(begun()).replace('"pieces": 3', f'"pieces": {nested}')
    refused(content)


@pytest.mark.rule("RC-1", "RC-4")
@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
@pytest.mark.parametrize("key", ['"result": ', '"version": '])
def test_numbers_that_json_does_not_have_are_refused(key: str, number: str) -> None:
    """Python reads and writes them all the same."""
    content = to_json(resigned())
    number_of_line = line_with(content, key)
    lines = content.split("\n")
    lines[number_of_line - 1] = f"{key}{number},"
    refused("\n".join(lines))


@pytest.mark.parametrize("name", ['"\\ud800"', '"\\udfff x"'])
@both
def test_half_a_character_is_refused(form: str, name: str) -> None:
    """JSON can write half of a surrogate pair; no file and no fingerprint can hold it."""
    refused(FORMS[form](begun()).replace('"Ann"', name))


# Writing ------------------------------------------------------------------------------------------------------


def test_writing_replaces_a_whole_file_and_leaves_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    write(begun(), file)
    write(resigned(), file)
    assert read(file) == resigned()
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.skipif(sys.platform == "win32", reason="wants a limit on the size of files")
@both
def test_a_write_that_fails_keeps_the_old_file(tmp_path: Path, form: str) -> None:
    """The disk is full, or rather: the system lets nobody write more than a few bytes."""
    file = tmp_path / ("match.json" if form == "json" else "match.txt")
    write(begun(), file)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200, hard))
    try:
        with pytest.raises((OSError, BadFile)):
            write(resigned(), file)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert read(file) == begun()
    assert list(tmp_path.iterdir()) == [file]


def test_a_write_onto_a_folder_fails_and_leaves_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "match.json"
    folder.mkdir()
    (folder / "kept").write_text("x")
    with pytest.raises((OSError, BadFile)):
        write(begun(), folder)
    assert list(tmp_path.iterdir()) == [folder]
    assert (folder / "kept").read_text() == "x"


def test_a_write_into_no_folder_fails_and_makes_none(tmp_path: Path) -> None:
    with pytest.raises((OSError, BadFile)):
        write(begun(), tmp_path / "nowhere" / "match.json")
    assert list(tmp_path.iterdir()) == []


def test_the_two_forms_are_told_apart_by_their_content(tmp_path: Path) -> None:
    file = tmp_path / "misnamed.json"
    file.write_text(to_text(begun()), encoding="utf-8")
    assert read(file) == begun()
    assert "astragal record 1" in file.read_text(encoding="utf-8")


@pytest.mark.rule("RC-6")
@pytest.mark.parametrize("odd", [" in-a3", "in-a3\n", "\nin-a3", "in-a3\r"])
def test_an_action_that_is_not_one_plain_line_is_refused(odd: str) -> None:
    ur = astragal.game("ur")
    match = Match.start(ur, ur.rules.options_type(begins=0), seed=3)
    match.step()
    record = match.record()
    spoiled = msgspec.structs.replace(record, entries=(*record.entries, Acted(0, odd)))
    with pytest.raises(BadRecordFile, match="not one line"):
        parse(to_json(spoiled))


@pytest.mark.rule("RC-2")
def test_a_record_of_another_game_is_refused_also_when_the_game_is_given() -> None:
    record = Match.start(astragal.game("ur"), seed=3).record()
    with pytest.raises(BadRecordFile, match=r"match of ur, not of ur-modern .*RC-2"):
        parse(to_json(record), game=astragal.game("ur-modern"))
