"""Records as files: JSON for programs, text for people. Both hold the same and turn into each other without loss.

Both forms keep one entry a line and end with a count and a fingerprint, so that a truncated or edited file is
noticed and the fault has a line number.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from astragal.core.fair import Fairness
from astragal.core.language import Text, say
from astragal.core.record import (
    FORMAT,
    Acted,
    BadRecord,
    Claimed,
    DrawAgreed,
    Drew,
    Entry,
    HandedOver,
    Header,
    Record,
    Resigned,
    Seat,
    TimedOut,
    TookBack,
    replay,
    result_text,
)
from astragal.core.rules import Game
from astragal.core.types import BadFile

FIRST_LINE = "astragal record 1"


class BadRecordFile(BadFile):
    """A file that is no record, or a record that breaks a rule; `rule` is that rule's id."""

    def __init__(self, name: str, line: int | None, rule: str, text: Text) -> None:
        super().__init__(name, line, text)
        self.rule = rule

    def to(self, lang: str) -> str:
        return f"{super().to(lang)} ({self.rule})"


class _Envelope(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a JSON file holds: a record, and what proves it whole."""

    header: Header
    entries: tuple[Entry, ...]
    result: tuple[float, ...] | None
    count: int
    digest: str


def read(file: Path) -> Record:
    """The record in a file of either form, replayed and checked. Raises BadRecordFile."""
    try:
        content = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise BadRecordFile(str(file), None, "RC-1", say("cannot be read: {reason}", reason=reason)) from None
    return parse(content, str(file))


def parse(content: str, name: str = "record", *, game: Game | None = None) -> Record:
    """The record in this text of either form, replayed and checked. Raises BadRecordFile."""
    form = _from_json if content.lstrip().startswith("{") else _from_text
    record, lines, promised = form(content, name)
    # What an entry did wrong says more than that somebody edited it, so the moves are judged first.
    try:
        replay(record, game)
    except BadRecord as error:
        line = lines.header if error.entry is None else lines.entry(error.entry)
        raise BadRecordFile(name, line, error.rule, error.text) from None
    if record.digest() != promised:
        raise BadRecordFile(
            name, lines.last, "RC-5", say("the fingerprint does not fit: the file was changed after it was written")
        )
    return record


def write(record: Record, file: Path) -> None:
    """Saves a record, as text if the name ends in `.txt`: whole or not at all, also when the power fails."""
    content = to_text(record) if file.suffix == ".txt" else to_json(record)
    handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        Path(temporary).replace(file)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


class _Lines(Struct):
    """Where in its file each part of a record stands."""

    header: int = 1
    entries: list[int] = msgspec.field(default_factory=list)
    last: int = 1

    def entry(self, number: int) -> int:
        return self.entries[number] if number < len(self.entries) else self.last


# JSON ---------------------------------------------------------------------------------------------------------


def to_json(record: Record) -> str:
    """The record as a JSON document with an entry a line."""
    header = json.dumps(msgspec.to_builtins(record.header), indent=1, ensure_ascii=False)
    entries = ",\n".join(msgspec.json.encode(entry).decode() for entry in record.entries)
    return (
        f'{{"header": {header},\n"entries": [\n{entries}\n],\n'
        f'"result": {json.dumps(record.result)},\n"count": {len(record.entries)},\n"digest": "{record.digest()}"}}\n'
    )


def _from_json(content: str, name: str) -> tuple[Record, _Lines, str]:
    try:
        json.loads(content)
    except json.JSONDecodeError as error:
        rule, text = "RC-4", say("the file is cut off or damaged here: {reason}", reason=error.msg)
        raise BadRecordFile(name, error.lineno, rule, text) from None
    except RecursionError:
        raise BadRecordFile(name, 1, "RC-1", say("this is not a record of Astragal")) from None
    lines = _json_lines(content)
    try:
        envelope = msgspec.json.decode(content, type=_Envelope)
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at `")
        found = re.match(r"\$\.entries\[(\d+)\]", path)
        line = lines.entry(int(found[1])) if found else lines.header
        rule = "RC-6" if found else "RC-1"
        raise BadRecordFile(
            name, line, rule, say("this is not as a record is written: {reason}", reason=reason)
        ) from None
    if envelope.count != len(envelope.entries):
        text = say("{count} entries are announced, {found} are here", count=envelope.count, found=len(envelope.entries))
        raise BadRecordFile(name, lines.last, "RC-4", text)
    record = Record(header=envelope.header, entries=envelope.entries, result=envelope.result)
    return record, lines, envelope.digest


def _json_lines(content: str) -> _Lines:
    """The lines on which a valid JSON document has its header and entries, however it is laid out."""
    decoder, lines = json.JSONDecoder(), _Lines(last=content.rstrip().count("\n") + 1)

    def line_at(position: int) -> int:
        return content.count("\n", 0, position) + 1

    for position, key in _members_of(content, decoder):
        if key == "header":
            lines.header = line_at(position)
        if key == "entries" and content[position] == "[":
            at = _skip(content, position + 1)
            while content[at] != "]":
                lines.entries.append(line_at(at))
                _, at = decoder.raw_decode(content, at)
                at = _skip(content, at)
                if content[at] == ",":
                    at = _skip(content, at + 1)
    return lines


def _members_of(content: str, decoder: json.JSONDecoder) -> Iterator[tuple[int, str]]:
    """Where the value of each key of the outermost object begins."""
    at = _skip(content, content.index("{") + 1)
    while content[at] != "}":
        key, at = decoder.raw_decode(content, at)
        at = _skip(content, _skip(content, at) + 1)  # past the colon
        yield at, key
        _, at = decoder.raw_decode(content, at)
        at = _skip(content, at)
        if content[at] == ",":
            at = _skip(content, at + 1)


def _skip(content: str, at: int) -> int:
    while content[at] in " \t\r\n":
        at += 1
    return at


# Text ---------------------------------------------------------------------------------------------------------


def to_text(record: Record) -> str:
    """The record as a page that a person can read, and `parse` too."""
    header, promise = record.header, record.header.fair
    out = [FIRST_LINE, f"game: {header.game} {header.version}", f"match: {header.match}"]
    out += [f"seat {n}: {_seat_text(seat)}" for n, seat in enumerate(header.seats, 1)]
    out += [f"option {key}: {_value(value)}" for key, value in header.options.items()]
    out.append(f"server commitment: {promise.server_commitment}")
    for n, (commitment, seed) in enumerate(zip(promise.seat_commitments, promise.seat_seeds, strict=True), 1):
        out += [f"seat {n} commitment: {commitment or '-'}", f"seat {n} seed: {seed or '-'}"]
    if promise.server_seed is not None:
        out.append(f"server seed: {promise.server_seed}")
    out.append("")
    out += [f"{n}. {_entry_text(entry)}" for n, entry in enumerate(record.entries, 1)]
    out += ["", f"result: {result_text(record.result)}"]
    out.append(f"end: {len(record.entries)} entries, {record.digest()}")
    return "\n".join(out) + "\n"


def _seat_text(seat: Seat) -> str:
    return f"{seat.player} {_value(seat.name)}" if seat.name else seat.player


def _value(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _entry_text(entry: Entry) -> str:
    match entry:
        case Drew(n, action, weights):
            return f"draw {n}: {action} | {' '.join(map(str, weights))}"
        case Acted(seat, action):
            return f"seat {seat + 1}: {action}"
        case Claimed(seat, action):
            return f"claim {seat + 1}: {action}"
        case Resigned(seat):
            return f"resigned: {seat + 1}"
        case TimedOut(seat):
            return f"timed out: {seat + 1}"
        case DrawAgreed():
            return "draw agreed"
        case TookBack(ply):
            return f"took back to: {ply}"
        case HandedOver(seat, to):
            return f"handed over {seat + 1}: {_seat_text(to)}"


_HEX = r"([0-9a-f]{64})"
_SEAT = r'(\S+)(?: (".*"))?'
_ENTRIES: tuple[tuple[str, Any], ...] = (
    (
        r"draw (\d+): (.+) \| ([\d ]+)",
        lambda n, action, weights: Drew(int(n), action, tuple(map(int, weights.split()))),
    ),
    (r"seat (\d+): (.+)", lambda seat, action: Acted(int(seat) - 1, action)),
    (r"claim (\d+): (.+)", lambda seat, action: Claimed(int(seat) - 1, action)),
    (r"resigned: (\d+)", lambda seat: Resigned(int(seat) - 1)),
    (r"timed out: (\d+)", lambda seat: TimedOut(int(seat) - 1)),
    (r"draw agreed", DrawAgreed),
    (r"took back to: (\d+)", lambda ply: TookBack(int(ply))),
    (rf"handed over (\d+): {_SEAT}", lambda seat, player, name: HandedOver(int(seat) - 1, _seat(player, name))),
)


def _seat(player: str, name: str | None) -> Seat:
    return Seat(player, json.loads(name) if name else "")


class _TextReader:
    """The lines of a text record, taken one after the other; every complaint names the line at hand."""

    def __init__(self, content: str, name: str) -> None:
        self.lines = content.split("\n")
        self.name = name
        self.at = 0  # lines taken so far, so also the number of the line at hand

    def fail(self, rule: str, text: Text) -> BadRecordFile:
        return BadRecordFile(self.name, max(self.at, 1), rule, text)

    def take(self) -> str:
        while self.at < len(self.lines):
            self.at += 1
            line = self.lines[self.at - 1].strip()
            if line:
                return line
        raise self.fail("RC-4", say("the file ends before its last line, which begins with {word!r}", word="end:"))

    def back(self) -> None:
        self.at -= 1

    def maybe(self, pattern: str) -> re.Match[str] | None:
        line = self.take()
        found = re.fullmatch(pattern, line)
        if found is None:
            self.back()
        return found

    def need(self, pattern: str, form: str, rule: str = "RC-1") -> re.Match[str]:
        found = self.maybe(pattern)
        if found is None:
            line = self.take()
            raise self.fail(rule, say("{line!r} should read {form!r}", line=line[:60], form=form))
        return found

    def value(self, text: str) -> Any:
        try:
            return json.loads(text)
        except (json.JSONDecodeError, RecursionError):
            raise self.fail("RC-1", say("{line!r} should read {form!r}", line=text[:60], form="JSON")) from None


def _from_text(content: str, name: str) -> tuple[Record, _Lines, str]:
    reader = _TextReader(content, name)
    if not content.strip() or reader.take() != FIRST_LINE:
        raise BadRecordFile(name, 1, "RC-1", say("this is not a record of Astragal"))
    header = _header(reader)
    where = _Lines()
    entries: list[Entry] = []
    while (found := reader.maybe(r"(\d+)\. (.+)")) is not None:
        if int(found[1]) != len(entries) + 1:
            raise reader.fail(
                "RC-4", say("entry {number} should be entry {next}", number=int(found[1]), next=len(entries) + 1)
            )
        entries.append(_entry(reader, found[2]))
        where.entries.append(reader.at)
    shares = reader.need(r"result: (none|[\d. e-]+)", "result: 1 0", "RC-4")[1]
    try:
        result = None if shares == "none" else tuple(map(float, shares.split()))
    except ValueError:
        raise reader.fail("RC-10", say("{line!r} should read {form!r}", line=shares, form="result: 1 0")) from None
    where.last = reader.at
    end = reader.need(rf"end: (\d+) entries, {_HEX}", "end: 12 entries, ...", "RC-4")
    if int(end[1]) != len(entries):
        raise reader.fail(
            "RC-4", say("{count} entries are announced, {found} are here", count=int(end[1]), found=len(entries))
        )
    return Record(header=header, entries=tuple(entries), result=result), where, end[2]


def _header(reader: _TextReader) -> Header:
    game = reader.need(r"game: (\S+) (\d+)", "game: ur 1")
    match = reader.need(r"match: (\S+)", "match: abc")
    seats: list[Seat] = []
    while (found := reader.maybe(rf"seat (\d+): {_SEAT}")) is not None:
        if found[3]:
            reader.value(found[3])
        seats.append(_seat(found[2], found[3]))
    options: dict[str, Any] = {}
    while (found := reader.maybe(r"option (\w+): (.+)")) is not None:
        options[found[1]] = reader.value(found[2])
    server = reader.need(rf"server commitment: {_HEX}", "server commitment: ...")
    commitments, seeds = [], []
    for n in range(1, len(seats) + 1):
        commitment = reader.need(rf"seat {n} commitment: (?:-|{_HEX})", f"seat {n} commitment: ...")
        seed = reader.need(rf"seat {n} seed: (?:-|{_HEX})", f"seat {n} seed: ...")
        commitments.append(commitment[1])
        seeds.append(seed[1])
    opened = reader.maybe(rf"server seed: {_HEX}")
    return Header(
        format=FORMAT,
        game=game[1],
        version=int(game[2]),
        match=match[1],
        seats=tuple(seats),
        options=options,
        fair=Fairness(
            server_commitment=server[1],
            seat_commitments=tuple(commitments),
            seat_seeds=tuple(seeds),
            server_seed=opened[1] if opened else None,
        ),
    )


def _entry(reader: _TextReader, text: str) -> Entry:
    for pattern, make in _ENTRIES:
        if (found := re.fullmatch(pattern, text)) is not None:
            try:
                entry: Entry = make(*found.groups())
            except ValueError:
                break
            return entry
    raise reader.fail("RC-6", say("{line!r} is not an entry of a record", line=text[:60]))
