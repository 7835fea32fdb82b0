"""Matches of Ur for the tests of records: some made by hand, some at random."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
from hypothesis import strategies as st

import astragal
from astragal.core import options as option_tools
from astragal.core.fair import Abandoned
from astragal.core.record import Entry, Header, Record, Seat, Signature, What
from astragal.games.ur.board import Board
from astragal.games.ur.options import Options
from astragal.play.match import Match, NotPossible

UR = astragal.game("ur")
LANE = Board("lane", ("b2",), "a1 b1 b2 b3", "c1 b1 b2 b3")
ALL_OPTIONS: tuple[Any, ...] = (*option_tools.pairwise(UR.rules, Random(0)), Options(path=LANE, pieces=2))
PEOPLE = (Seat("human", "Ann"), Seat("human", 'Zoë | 2. "B"'))


def played(plies: int = 24, seed: int = 7, **chosen: Any) -> Match:
    """A match of two people that has gone on for a while, with two moves taken back and a seat handed over."""
    match = Match.start(UR, Options(**({"pieces": 3, "begins": 0} | chosen)), PEOPLE, seed=seed)
    for k in range(plies):
        advance(match, Random(k))
        if k in (9, 15):
            undo(match)
        if k == 12:
            match.hand_over(1, Seat("bot:greedy", "Deep"))
    assert not match.over
    return match


def advance(match: Match, rng: Random) -> None:
    """One more ply."""
    if match.step() is None:
        match.act(match.turn, rng.choice(match.view(match.turn).legal))


def undo(match: Match) -> None:
    try:
        match.undo()
    except NotPossible as error:
        assert str(error) == "there is nothing to take back"


def talk(match: Match, rng: Random) -> None:
    """An offer, and perhaps an answer; a pause ends sooner or later."""
    what: What = "resume" if match.paused else rng.choice(["draw", "pause", "takeback", "takeback-seen"])
    try:
        match.offer(rng.randrange(2), what)
        match.answer(match.waiting[0], rng.random() < 0.5)
    except (NotPossible, IndexError):  # a bot, nothing to take back, or nobody to ask
        pass
    if match.paused:
        match.go_on()


def begun() -> Record:
    """A match that goes on."""
    return played().record()


def resigned() -> Record:
    match = played()
    match.resign(0)
    return match.record()


def finished() -> Record:
    """A match played to its natural end."""
    match = Match.start(UR, Options(pieces=1, begins=0), PEOPLE, seed=3)
    while not match.over:
        advance(match, Random(match.ply))
    return match.record()


def ended(match: Match, how: str) -> None:
    """Lets the table end a match, or play on to its end."""
    if match.over or how == "open":
        return
    if how == "resign":
        match.resign(match.ply % 2)
    elif how == "time out":
        match.time_out(match.ply % 2)
    elif how == "draw":
        match.agree_draw()
    else:
        rng = Random(match.ply)
        while not match.over:
            advance(match, rng)


NAMES = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=80) | st.sampled_from(
    ["", "Ann", '"', "-", "a | b", "seat 1: x"]
)
SEATS = st.builds(Seat, st.sampled_from(["human", "bot:random", "bot:greedy"]), NAMES)
HEX = st.binary(min_size=32, max_size=32).map(bytes.hex)
ABANDONED = st.builds(
    Abandoned,
    seat=st.integers(0, 1),
    name=NAMES,
    why=st.sampled_from(["left", "late", "kicked"]),
    commitment=st.none() | HEX,
    server_commitment=HEX,
)
SIGNATURES = st.builds(Signature, key=HEX, value=st.binary(min_size=64, max_size=64).map(bytes.hex))


@st.composite
def records(draw: st.DrawFn) -> Record:
    """A record of a random match: moves, undo, seats handed over, and any way to end or not to end it."""
    match = Match.start(
        UR, draw(st.sampled_from(ALL_OPTIONS)), draw(st.tuples(SEATS, SEATS)), seed=draw(st.integers(0, 999))
    )
    rng = Random(draw(st.integers(0, 999)))
    for _ in range(draw(st.integers(0, 60))):
        if match.over:
            break
        what = rng.random()
        if what < 0.9:
            advance(match, rng)
        elif what < 0.96:
            undo(match)
        elif what < 0.98:
            match.hand_over(rng.randrange(2), draw(SEATS))
        else:
            talk(match, rng)
    ended(match, draw(st.sampled_from(["open", "resign", "time out", "draw", "play on"])))
    if match.over and draw(st.booleans()):
        undo(match)  # also an end can be taken back
    record = match.record(keep_seed=draw(st.booleans()))
    gone = draw(st.just(()) | st.lists(ABANDONED, max_size=3).map(tuple))
    record = with_header(record, fair=msgspec.structs.replace(record.header.fair, abandoned=gone))
    return msgspec.structs.replace(record, signature=draw(st.just(msgspec.UNSET) | SIGNATURES))


def with_entry(record: Record, *more: Entry, at: int | None = None, result: Any = "as it was") -> Record:
    """The record with entries put in (at the end, if not said otherwise)."""
    where = len(record.entries) if at is None else at
    entries = (*record.entries[:where], *more, *record.entries[where:])
    return msgspec.structs.replace(record, entries=entries, result=record.result if result == "as it was" else result)


def without_entries(record: Record, *entries: Entry) -> Record:
    """A record with the same header and only these entries."""
    return Record(header=record.header, entries=entries)


def with_header(record: Record, **changes: Any) -> Record:
    header: Header = msgspec.structs.replace(record.header, **changes)
    return msgspec.structs.replace(record, header=header)
