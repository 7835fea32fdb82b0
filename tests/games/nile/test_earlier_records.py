"""Matches of version 1, in which `nile` was the name of what is now called `first`, replay as they were played."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import astragal
from astragal.core import options as option_tools
from astragal.core import recordfile
from astragal.core.record import BadRecord, Record
from astragal.games.nile.options import Options
from astragal.play.match import Match, NotPossible
from astragal.server.preview import next_setup
from astragal.server.setup import check_version, first_view, settle
from astragal.server.wire import NewMatch
from tests.games.nile.positions import PLAIN

GAME = astragal.game("nile")
RECORDS = Path(__file__).parent / "records"


def old(players: int) -> Record:
    """A whole match that version 1 wrote."""
    return recordfile.read(RECORDS / f"version-1-{players}.json")


def with_options(record: Record, **chosen: Any) -> Record:
    """Its beginning, under other options."""
    header = replace(record.header, options=chosen)
    return replace(record, header=header, entries=(), result=None)


@pytest.mark.rule("RC-2")
@pytest.mark.parametrize(("players", "scores"), [(2, (320, 111)), (3, (177, 79, 314))])
def test_an_old_match_replays_to_its_old_end(players: int, scores: tuple[int, ...], tmp_path: Path) -> None:
    record = old(players)  # which replays it all
    assert (record.header.version, record.header.options["board"]) == (1, "nile")
    match = Match.resume(record)
    assert (match.options.board, match.options.tiles) == ("first", "first")
    assert match.over
    assert match.result == record.result
    assert match.view(None).scores == scores
    recordfile.write(match.record(), tmp_path / "again.json")
    assert recordfile.read(tmp_path / "again.json").digest() == record.digest(), "nothing of it was rewritten"


@pytest.mark.parametrize(
    ("chosen", "board", "tiles"),
    [
        ({}, "first", "first"),
        ({"board": "nile"}, "first", "first"),
        ({"tiles": "nile"}, "first", "first"),
        ({"board": "small"}, "small", "first"),
        ({"board": option_tools.to_plain(PLAIN)}, PLAIN, "first"),
    ],
)
def test_what_an_old_match_left_out_is_the_old_set(chosen: dict[str, Any], board: Any, tiles: str) -> None:
    match = Match.resume(with_options(old(2), **chosen))
    assert (match.options.board, match.options.tiles) == (board, tiles)


def test_today_the_same_names_are_the_new_set() -> None:
    assert (Options().board, Options().tiles) == ("nile", "nile")
    match = Match.start(GAME, Options(), seed="x")
    assert match.record().header.version == 2
    assert Match.resume(match.record(keep_seed=True)).options == Options()


@pytest.mark.rule("RC-2")
def test_a_version_that_is_not_known_is_refused() -> None:
    record = old(2)
    with pytest.raises(BadRecord, match="version 3"):
        Match.resume(replace(record, header=replace(record.header, version=3)))


def test_an_old_match_goes_on_where_it_was_left() -> None:
    record = old(2)
    half = replace(record, entries=record.entries[: len(record.entries) // 2], result=None)
    match = Match.resume(half)
    for entry in record.entries[len(half.entries) :]:
        match.add(entry)
    assert match.result == record.result
    assert match.record().digest() == record.digest()


def test_the_match_after_an_old_one_names_its_set() -> None:
    match = Match.resume(old(2))
    assert (match.rematch_options().board, match.rematch_options().tiles) == ("first", "first")
    setup, _ = settle(NewMatch(game="nile", seats=("bot:greedy", "bot:greedy")))
    kept = replace(setup, version=1, options=dict(match.record().header.options))
    following = next_setup(match, kept, None)
    assert (following.version, following.options["board"], following.options["tiles"]) == (2, "first", "first")


def test_a_table_that_a_server_kept_from_version_1() -> None:
    setup, _ = settle(NewMatch(game="nile", seats=("open", "open")))
    kept = replace(setup, version=1)
    check_version(kept, GAME)
    assert (first_view(GAME, kept).options.board, first_view(GAME, setup).options.board) == ("first", "nile")
    with pytest.raises(NotPossible, match="version 3"):
        check_version(replace(setup, version=3), GAME)
