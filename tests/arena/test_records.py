"""`arena --records`: the record of every game, whoever plays it, and none that is lost or overwritten."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import astragal as library
from astragal.arena import contest, job, ledger
from astragal.arena.contest import Where
from astragal.arena.job import BadContest, Job, Round
from astragal.core import recordfile
from astragal.core.record import Claimed, Record
from astragal.core.types import BadFile
from tests.terminal.command import astragal


def job_of(id: str, *bots: str, players: int = 2, most_plies: int = 5000, preset: str | None = None) -> Job:
    presets = library.game(id).rules.presets
    options = presets[preset or next(iter(presets))]
    return job.make_job(library.game(id), bots, players=players, options=options, seed="records", most_plies=most_plies)


def hold(wanted: Job, rounds: int, folder: Path, file: Path | None = None, where: Where = contest.HERE) -> list[Round]:
    with contest.arranged(wanted, rounds, file=file, where=where, records=folder) as held:
        held.first()
        held.rest(lambda: None)
        return list(held.rounds)


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def read(folder: Path) -> list[Record]:
    """The records in the order of their games; reading replays and checks each."""
    files = sorted(folder.iterdir(), key=lambda file: [int(n) for n in file.stem.split("-")[2:]])
    return [recordfile.read(file) for file in files]


@pytest.mark.parametrize(("id", "players"), [("ur", 2), ("ur-modern", 2), ("nile", 3), ("egar", 3)])
def test_every_game_is_recorded_as_it_was_played(id: str, players: int, tmp_path: Path) -> None:
    wanted = job_of(id, "greedy", "random", players=players)
    played = hold(wanted, 2, tmp_path / "games")
    records = read(tmp_path / "games")
    seatings = job.seatings(players)
    assert len(records) == 2 * len(seatings)
    for number, record in enumerate(records):
        round, seating = played[number // len(seatings)], seatings[number % len(seatings)]
        assert [seat.player for seat in record.header.seats] == [f"bot:{wanted.bots[who]}" for who in seating]
        assert record.result is not None
        first = sum(share for share, who in zip(record.result, seating, strict=True) if who == 0)
        assert first == pytest.approx(round.shares[number % len(seatings)])
        assert len(record.entries) == round.plies[number % len(seatings)]


def test_a_claim_is_recorded_as_a_claim(tmp_path: Path) -> None:
    """In Heaven and Earth bots that repeat themselves claim a draw."""
    game = library.game("ur-modern")
    options = game.rules.options_type(layout="royal")
    wanted = job.make_job(game, ("greedy", "greedy"), players=2, options=options, seed="1")
    hold(wanted, 2, tmp_path)
    claims = [entry for record in read(tmp_path) for entry in record.entries if isinstance(entry, Claimed)]
    assert claims


def test_a_game_that_was_broken_off_has_no_result(tmp_path: Path) -> None:
    hold(job_of("ur", "greedy", "random", most_plies=9), 2, tmp_path)
    for record in read(tmp_path):
        assert record.result is None
        assert len(record.entries) == 9


def test_the_records_go_on_with_the_file(tmp_path: Path) -> None:
    """Whatever was on the disk when it stopped: all of a round's records, some of them, or the round as well."""
    wanted = job_of("ur", "greedy:mistakes=0.5", "random")
    hold(wanted, 4, tmp_path / "whole", tmp_path / "whole.jsonl")
    whole = contents(tmp_path / "whole")
    lines = (tmp_path / "whole.jsonl").read_bytes().splitlines(keepends=True)
    for begun in (0, 1, 2):  # records of the third round that were written before its line was
        file, folder = tmp_path / f"{begun}.jsonl", tmp_path / str(begun)
        file.write_bytes(b"".join(lines[:3]))
        folder.mkdir()
        for name in sorted(whole)[: 4 + begun]:
            (folder / name).write_bytes(whole[name])
        hold(wanted, 4, folder, file)
        assert contents(folder) == whole
        assert file.read_bytes() == b"".join(lines)


def test_more_cores_write_the_same_records(tmp_path: Path) -> None:
    wanted = job_of("ur", "greedy:mistakes=0.5", "random")
    hold(wanted, 5, tmp_path / "one")
    hold(wanted, 5, tmp_path / "two", where=Where(2))
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_no_record_is_overwritten(tmp_path: Path) -> None:
    wanted, folder = job_of("ur", "greedy", "random"), tmp_path / "games"
    hold(wanted, 2, folder)
    before = contents(folder)
    for file in (None, tmp_path / "new.jsonl"):
        with pytest.raises(BadContest, match=r"arena-\w+-0-\d-0.json exists: .* another folder"):
            hold(wanted, 3, folder, file)
    assert contents(folder) == before
    hold(job_of("ur", "random", "greedy"), 2, folder)  # another contest has other names
    assert before.items() < contents(folder).items()


def test_rounds_without_records_are_not_gone_on_with(tmp_path: Path) -> None:
    wanted, file = job_of("ur", "greedy", "random"), tmp_path / "contest.jsonl"
    with ledger.opened(wanted, file) as kept, contest.arranged(wanted, 2) as held:
        held.rest(lambda: None)
        for round in held.rounds:
            kept.add(round)
    before = file.read_bytes()
    with pytest.raises(BadContest, match="begun without --records"):
        hold(wanted, 4, tmp_path / "games", file)
    assert file.read_bytes() == before


def test_a_folder_that_cannot_be_is_refused_before_the_first_game(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(BadFile, match="cannot be written"):
        hold(job_of("ur", "greedy", "random"), 2, tmp_path / "taken", tmp_path / "contest.jsonl")
    assert not (tmp_path / "contest.jsonl").exists()


def test_the_command_writes_records_that_replay_reads(tmp_path: Path) -> None:
    words = (
        "arena",
        "ur",
        "--bots",
        "greedy,random",
        "--games",
        "4",
        "--pieces",
        "1",
        "--records",
        str(tmp_path / "games"),
    )
    done = astragal(*words)
    assert done.returncode == 0, done.stderr
    assert f"The records are in {tmp_path / 'games'}." in done.stdout
    files = sorted((tmp_path / "games").iterdir())
    assert len(files) == 4
    replayed = astragal("replay", str(files[0]), "--list")
    assert replayed.returncode == 0
    assert replayed.stdout.endswith(("Light wins.\n", "Dark wins.\n"))
    again = astragal(*words)
    assert again.returncode == 2
    assert len(again.stderr.splitlines()) == 1
    assert "another folder" in again.stderr
    as_json = astragal(*words[:-1], str(tmp_path / "others"), "--json")
    assert json.loads(as_json.stdout)["duels"][0]["games"] == 4
