"""Records as JSON, for programs: one document with an entry a line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import msgspec
from msgspec import Struct

from astragal.core.language import say
from astragal.core.record import Entry, Header, Record, Signature
from astragal.core.recordfault import BadRecordFile, Lines


class _Envelope(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a JSON file holds: a record, and what proves it whole."""

    header: Header
    entries: tuple[Entry, ...]
    result: tuple[float, ...] | None
    signature: Signature | msgspec.UnsetType = msgspec.UNSET
    count: int
    digest: str


def to_json(record: Record) -> str:
    """The record as a JSON document with an entry a line."""
    header = json.dumps(msgspec.to_builtins(record.header), indent=1, ensure_ascii=False)
    entries = ",\n".join(msgspec.json.encode(entry).decode() for entry in record.entries)
    signature = "" if not record.signature else f'"signature": {msgspec.json.encode(record.signature).decode()},\n'
    return (
        f'{{"header": {header},\n"entries": [\n{entries}\n],\n"result": {json.dumps(record.result)},\n{signature}'
        f'"count": {len(record.entries)},\n"digest": "{record.digest()}"}}\n'
    )


# Only looks whether it is JSON; numbers stay unread, for they may have more digits than Python reads.
_JSON = json.JSONDecoder(parse_int=len, parse_float=len)


def from_json(content: str, name: str) -> tuple[Record, Lines, str]:
    """The record in this text, where its parts stand, and the fingerprint it should have."""
    try:
        _JSON.decode(content)
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
        entry = re.match(r"\$\.entries\[(\d+)\]", path)
        line = lines.entry(int(entry[1])) if entry else lines.header
        rule = "RC-6" if entry else "RC-1"
        raise BadRecordFile(
            name, line, rule, say("this is not as a record is written: {reason}", reason=reason)
        ) from None
    except msgspec.DecodeError as error:  # what Python's reader lets pass: NaN, half a surrogate pair
        byte = re.search(r"byte (\d+)", str(error))
        line = content.encode("utf-8", "replace")[: int(byte[1]) if byte else 0].count(b"\n") + 1
        rule, text = "RC-4", say("the file is cut off or damaged here: {reason}", reason=str(error))
        raise BadRecordFile(name, line, rule, text) from None
    if envelope.count != len(envelope.entries):
        text = say("{count} entries are announced, {found} are here", count=envelope.count, found=len(envelope.entries))
        raise BadRecordFile(name, lines.last, "RC-4", text)
    record = Record(
        header=envelope.header, entries=envelope.entries, result=envelope.result, signature=envelope.signature
    )
    return record, lines, envelope.digest


def _json_lines(content: str) -> Lines:
    """The lines on which a valid JSON document has its header and entries, however it is laid out."""
    decoder, lines = _JSON, Lines(last=content.rstrip().count("\n") + 1)

    def line_at(position: int) -> int:
        return content.count("\n", 0, position) + 1

    for position, key in _members_of(content, decoder):
        if key == "header":
            lines.header = line_at(position)
        if key == "result":
            lines.result = line_at(position)
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
