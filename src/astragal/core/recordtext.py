"""Records as text, for people: a page that can be read, written by hand, and read back."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import UNSET

from astragal.core.fair import Abandoned, Fairness
from astragal.core.language import Text, say
from astragal.core.record import (
    Acted,
    Answered,
    Claimed,
    Counted,
    DrawAgreed,
    Drew,
    Entry,
    HandedOver,
    Header,
    Offered,
    Paused,
    Record,
    Resigned,
    Resumed,
    Seat,
    Signature,
    TimedOut,
    TookBack,
    result_text,
)
from astragal.core.recordfault import BadRecordFile, Lines

FIRST_LINE = "astragal record 1"


def to_text(record: Record) -> str:
    """The record as a page that a person can read, and `parse` too."""
    header, promise = record.header, record.header.fair
    out = [FIRST_LINE, f"game: {header.game} {header.version}", f"match: {header.match}"]
    out += [f"seat {n}: {_seat_text(seat)}" for n, seat in enumerate(header.seats, 1)]
    out += [f"option {key}: {_value(value)}" for key, value in header.options.items()]
    if header.position is not UNSET:
        out.append(f"position: {header.position}")
    out.append(f"server commitment: {promise.server_commitment}")
    for n, (commitment, seed) in enumerate(zip(promise.seat_commitments, promise.seat_seeds, strict=True), 1):
        out += [f"seat {n} commitment: {commitment or '-'}", f"seat {n} seed: {seed or '-'}"]
    if promise.server_seed is not None:
        out.append(f"server seed: {promise.server_seed}")
    out += [
        f"abandoned {gone.seat + 1}: {gone.why} {_value(gone.name)} {gone.commitment or '-'} {gone.server_commitment}"
        for gone in promise.abandoned
    ]
    out.append("")
    out += [f"{n}. {_entry_text(entry)}" for n, entry in enumerate(record.entries, 1)]
    out += ["", f"result: {result_text(record.result)}"]
    if record.signature:
        out.append(f"signed: {record.signature.algorithm} {record.signature.key} {record.signature.value}")
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
        case Counted(ply):
            return f"counted: {ply}"
        case HandedOver(seat, to):
            return f"handed over {seat + 1}: {_seat_text(to)}"
        case Offered(seat, what):
            return f"offered {seat + 1}: {what}"
        case Answered(seat, yes):
            return f"answered {seat + 1}: {'yes' if yes else 'no'}"
        case Paused():
            return "paused"
        case Resumed():
            return "resumed"


_HEX = r"([0-9a-f]{64})"
_NAME = r'(".*")'
_SEAT = rf"(\S+)(?: {_NAME})?"
_NUMBER = r"([0-9]{1,9})"
_ENTRIES: tuple[tuple[str, Callable[..., dict[str, Any]]], ...] = (
    (
        rf"draw {_NUMBER}: (.+) \| ([0-9]+(?: [0-9]+)*)",
        lambda n, action, weights: {
            "type": "drew",
            "n": int(n),
            "action": action,
            "weights": [int(weight) for weight in weights.split()],
        },
    ),
    (rf"seat {_NUMBER}: (.+)", lambda seat, action: {"type": "acted", "seat": int(seat) - 1, "action": action}),
    (rf"claim {_NUMBER}: (.+)", lambda seat, action: {"type": "claimed", "seat": int(seat) - 1, "action": action}),
    (rf"resigned: {_NUMBER}", lambda seat: {"type": "resigned", "seat": int(seat) - 1}),
    (rf"timed out: {_NUMBER}", lambda seat: {"type": "timed out", "seat": int(seat) - 1}),
    (r"draw agreed", lambda: {"type": "draw agreed"}),
    (rf"took back to: {_NUMBER}", lambda ply: {"type": "took back", "ply": int(ply)}),
    (rf"counted: {_NUMBER}", lambda ply: {"type": "counted", "ply": int(ply)}),
    (
        rf"handed over {_NUMBER}: {_SEAT}",
        lambda seat, player, name: {"type": "handed over", "seat": int(seat) - 1, "to": _seat(player, name)},
    ),
    (rf"offered {_NUMBER}: (\S+)", lambda seat, what: {"type": "offered", "seat": int(seat) - 1, "what": what}),
    (
        rf"answered {_NUMBER}: (yes|no)",
        lambda seat, yes: {"type": "answered", "seat": int(seat) - 1, "yes": yes == "yes"},
    ),
    (r"paused", lambda: {"type": "paused"}),
    (r"resumed", lambda: {"type": "resumed"}),
)
_ANY_ENTRY: Any = Entry


def _seat(player: str, name: str | None) -> dict[str, Any]:
    return {"player": player, "name": msgspec.json.decode(name) if name else ""}


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

    def more(self) -> bool:
        """Whether anything but blank lines is left; the next such line is then at hand."""
        while self.at < len(self.lines):
            self.at += 1
            if self.lines[self.at - 1].strip():
                return True
        return False

    def back(self) -> None:
        self.at -= 1

    def maybe(self, pattern: str) -> re.Match[str] | None:
        line = self.take()
        fields = re.fullmatch(pattern, line)
        if fields is None:
            self.back()
        return fields

    def need(self, pattern: str, form: str, rule: str = "RC-1") -> re.Match[str]:
        fields = self.maybe(pattern)
        if fields is None:
            line = self.take()
            raise self.fail(rule, say("{line!r} should read {form!r}", line=line[:60], form=form))
        return fields

    def value(self, text: str, form: str = "JSON") -> Any:
        """The value that this JSON is, read as the JSON form reads it."""
        try:
            return msgspec.json.decode(text)
        except (ValueError, RecursionError):
            raise self.fail("RC-1", say("{line!r} should read {form!r}", line=text[:60], form=form)) from None

    def convert(self, plain: Any, kind: Any, line: str, form: str, rule: str = "RC-1") -> Any:
        """What was read, checked by the types that check the JSON form too."""
        try:
            return msgspec.convert(plain, kind)
        except ValueError:
            raise self.fail(rule, say("{line!r} should read {form!r}", line=line[:60], form=form)) from None


def from_text(content: str, name: str) -> tuple[Record, Lines, str]:
    """The record in this text, where its parts stand, and the fingerprint it should have."""
    reader = _TextReader(content, name)
    if not content.strip() or reader.take() != FIRST_LINE:
        raise BadRecordFile(name, 1, "RC-1", say("this is not a record of Astragal"))
    where = Lines()
    header = _header(reader, where)
    entries: list[Entry] = []
    while (fields := reader.maybe(r"([0-9]{1,9})\. (.+)")) is not None:
        if int(fields[1]) != len(entries) + 1:
            raise reader.fail(
                "RC-4", say("entry {number} should be entry {next}", number=int(fields[1]), next=len(entries) + 1)
            )
        entries.append(_entry(reader, fields[2]))
        where.entries.append(reader.at)
    shares = reader.need(r"result: (none|[\d. e-]+)", "result: 1 0", "RC-4")[1]
    try:
        result = None if shares == "none" else tuple(map(float, shares.split()))
    except ValueError:
        raise reader.fail("RC-10", say("{line!r} should read {form!r}", line=shares, form="result: 1 0")) from None
    where.result = reader.at
    signature = _signature(reader)
    end = reader.need(rf"end: {_NUMBER} entries, {_HEX}", "end: 12 entries, ...", "RC-4")
    if int(end[1]) != len(entries):
        raise reader.fail(
            "RC-4", say("{count} entries are announced, {found} are here", count=int(end[1]), found=len(entries))
        )
    where.last = reader.at
    if reader.more():
        raise reader.fail("RC-4", say("nothing may follow the last line"))
    return Record(header=header, entries=tuple(entries), result=result, signature=signature), where, end[2]


def _signature(reader: _TextReader) -> Signature | msgspec.UnsetType:
    signed = reader.maybe(rf"signed: (\S+) {_HEX} ([0-9a-f]{{128}})")
    if signed is None:
        return msgspec.UNSET
    plain = {"algorithm": signed[1], "key": signed[2], "value": signed[3]}
    signature: Signature = reader.convert(plain, Signature, signed[0], "signed: ed25519 ...")
    return signature


def _header(reader: _TextReader, where: Lines) -> Header:
    game = reader.need(rf"game: (\S+) {_NUMBER}", "game: ID 1")
    where.header = reader.at
    match = reader.need(r"match: ([A-Za-z0-9_-]{1,60})", "match: abc")
    seats: list[Seat] = []
    while (fields := reader.maybe(rf"seat ([0-9]+): {_SEAT}")) is not None:
        form = f'seat {len(seats) + 1}: human "Name"'
        if fields[1] != str(len(seats) + 1):
            raise reader.fail("RC-1", say("{line!r} should read {form!r}", line=fields[0][:60], form=form))
        plain = {"player": fields[2], "name": reader.value(fields[3] or '""', form)}
        seats.append(reader.convert(plain, Seat, fields[0], form))
    options: dict[str, Any] = {}
    while (fields := reader.maybe(r"option (\w+): (.+)")) is not None:
        options[fields[1]] = reader.value(fields[2])
        where.options[fields[1]] = reader.at
    begun = reader.maybe(r"position: (.+)")
    where.position = reader.at if begun else 0
    fair = _fairness(reader, len(seats))
    plain = {"game": game[1], "version": int(game[2]), "match": match[1], "options": options}
    plain |= {"seats": msgspec.to_builtins(seats), "fair": msgspec.to_builtins(fair)}
    plain |= {"position": begun[1]} if begun else {}
    header: Header = reader.convert(plain, Header, game[0], "game: ID 1")
    return header


def _fairness(reader: _TextReader, seats: int) -> Fairness:
    server = reader.need(rf"server commitment: {_HEX}", "server commitment: ...")
    commitments, seeds = [], []
    for n in range(1, seats + 1):
        commitment = reader.need(rf"seat {n} commitment: (?:-|{_HEX})", f"seat {n} commitment: ...")
        seed = reader.need(rf"seat {n} seed: (?:-|{_HEX})", f"seat {n} seed: ...")
        commitments.append(commitment[1])
        seeds.append(seed[1])
    opened = reader.maybe(rf"server seed: {_HEX}")
    abandoned: list[Abandoned] = []
    while (fields := reader.maybe(rf"abandoned {_NUMBER}: (\S+) {_NAME} (?:-|{_HEX}) {_HEX}")) is not None:
        form = 'abandoned 1: left "Name" ... ...'
        gone = {
            "seat": int(fields[1]) - 1,
            "why": fields[2],
            "name": reader.value(fields[3], form),
            "commitment": fields[4],
            "server_commitment": fields[5],
        }
        abandoned.append(reader.convert(gone, Abandoned, fields[0], form))
    return Fairness(
        server_commitment=server[1],
        seat_commitments=tuple(commitments),
        seat_seeds=tuple(seeds),
        server_seed=opened[1] if opened else None,
        abandoned=tuple(abandoned),
    )


def _entry(reader: _TextReader, text: str) -> Entry:
    for pattern, make in _ENTRIES:
        if (fields := re.fullmatch(pattern, text)) is not None:
            try:
                entry: Entry = msgspec.convert(make(*fields.groups()), _ANY_ENTRY)
            except (ValueError, RecursionError):
                break
            return entry
    raise reader.fail("RC-6", say("{line!r} is not an entry of a record", line=text[:60]))
