"""The other commands, and what bad input gets: one line that says what is wrong, exit code 2, nothing overwritten."""

from __future__ import annotations

import json
import os
import re
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import astragal as library
from astragal.core import recordfile
from astragal.core.language import LANGUAGES
from tests.terminal.command import ASTRAGAL, astragal


@pytest.fixture(scope="module")
def game_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("records") / "game.json"
    done = astragal("watch", "ur", "--seed", "1", "--save", str(file), "--json")
    assert done.returncode == 0, done.stderr
    return file


def test_watching_bots_tells_every_event_and_draws_the_table(game_file: Path) -> None:
    done = astragal("watch", "ur", "--seed", "1", "--seat", "bot:greedy", "--seat", "bot:random")
    assert done.returncode == 0
    assert done.stdout.count("┌───") > 100
    assert re.search(r"(Light|Dark) wins\.", done.stdout)
    result = json.loads(astragal("watch", "ur", "--seed", "1", "--json").stdout)
    assert result["result"] == list(recordfile.read(game_file).result or ())


def test_replay_steps_jumps_and_changes_sides(game_file: Path) -> None:
    done = astragal("replay", str(game_file), typed="\nnext\nback\n40\nside 1\nside 2\nend\nstart\nlist\nwhat\nquit\n")
    assert done.returncode == 0, done.stderr
    plies = [int(ply) for ply in re.findall(r"^Ply (\d+) of", done.stdout, re.MULTILINE)]
    last = len(recordfile.read(game_file).entries)
    assert plies == [0, 1, 2, 1, 40, 40, 40, last, 0]
    boards = re.findall(r"^([abc]) │", done.stdout, re.MULTILINE)
    assert boards[15:18] == ["c", "b", "a"]  # seat 1 sees its own row nearest
    assert boards[18:21] == ["a", "b", "c"]
    assert f"{last}. " in done.stdout
    assert "one ply back" in done.stdout  # help for what was not understood


def test_replay_shows_one_ply_lists_all_or_draws_a_picture(game_file: Path, tmp_path: Path) -> None:
    one = astragal("replay", str(game_file), "--ply", "30", "--side", "2")
    assert one.stdout.startswith("Ply 30 of")
    listed = astragal("replay", str(game_file), "--list", "--plain")
    *moves, result = listed.stdout.strip().split("\n")
    assert len(moves) == len(recordfile.read(game_file).entries)
    assert result.endswith(" wins.")
    picture = tmp_path / "ply.svg"
    assert astragal("replay", str(game_file), "--ply", "30", "--svg", str(picture)).returncode == 0
    assert ET.parse(picture).getroot().tag.endswith("svg")
    refused = astragal("replay", str(game_file), "--ply", "31", "--svg", str(picture))
    assert refused.returncode == 2


POSITION = "4:a1,b4:1 5:c2:1 light 3"


def test_a_match_is_played_watched_and_resumed_from_a_position(tmp_path: Path) -> None:
    file = tmp_path / "begun.txt"
    played = astragal("play", "ur", "--position", POSITION, "--seed", "4", typed=f"a1-b3\nsave {file}\n", home=tmp_path)
    assert played.returncode == 0, played.stderr
    assert "Light has thrown 3." in played.stdout
    assert f"\nposition: {POSITION}\n" in file.read_text("utf-8")
    assert astragal("resume", str(file), home=tmp_path).returncode == 0
    assert astragal("verify", str(file)).returncode == 0
    start = astragal("replay", str(file), "--ply", "0", "--position")
    assert (start.returncode, start.stdout) == (0, f"{POSITION}\n")
    after = astragal("replay", str(file), "--ply", "1", "--position").stdout
    assert after == "4:b3,b4:1 5:c2:1 dark throw\n"
    watched = astragal("watch", "ur", "--position", after.strip(), "--seed", "1", "--json")
    assert watched.returncode == 0, watched.stderr
    assert sum(json.loads(watched.stdout)["result"]) == 1


@pytest.mark.parametrize(
    ("lang", "says"),
    [
        ("en", "position, column 18 (whose turn it is): 'lihgt' should be one of light, dark, over"),
        ("de", "Stellung, Spalte 18 (wer dran ist): statt 'lihgt' sollte hier stehen: eines von light, dark, over"),
        (
            "es",
            "posición, columna 18 (a quién le toca): en lugar de 'lihgt' aquí debería poner: uno de light, dark, over",
        ),
    ],
)
def test_a_position_that_cannot_be_read_says_where(lang: str, says: str) -> None:
    done = astragal("play", "ur", "--position", POSITION.replace("light", "lihgt"), "--lang", lang)
    assert done.returncode == 2
    assert done.stderr == f"astragal: {says}\n"


def test_the_position_of_a_match_with_secrets_is_told_when_it_is_over(tmp_path: Path) -> None:
    over, begun = tmp_path / "over.json", tmp_path / "begun.json"
    assert astragal("watch", "nile", "--board", "small", "--seed", "1", "--save", str(over), "--json").returncode == 0
    assert "racks=" in astragal("replay", str(over), "--ply", "30", "--position").stdout
    assert astragal("play", "nile", "--seed", "1", typed=f"save {begun}\n", home=tmp_path).returncode == 0
    refused = astragal("replay", str(begun), "--position")
    assert refused.returncode == 2
    assert "would tell its secrets" in refused.stderr


def test_verify_says_yes_or_no_with_an_exit_code(game_file: Path, tmp_path: Path) -> None:
    good = astragal("verify", str(game_file))
    assert good.returncode == 0
    assert good.stdout.count("yes") == 3
    record = recordfile.read(game_file)
    # somebody who chose a die: the record is consistent and freshly fingerprinted, only the draw is another
    from msgspec.structs import replace

    fair = replace(record.header.fair, server_seed="00" * 32)
    cheat = tmp_path / "cheat.json"
    recordfile.write(replace(record, header=replace(record.header, fair=fair)), cheat)
    bad = astragal("verify", str(cheat), "--json")
    assert bad.returncode == 1
    verdicts = json.loads(bad.stdout)
    assert verdicts["good"] is False
    assert any(not verdict["good"] for verdict in verdicts["verdicts"])


@pytest.mark.parametrize(
    ("lang", "says"),
    [
        ("en", "seat 2 (Mia) abandoned its promise 1 time after a seed was opened"),
        ("de", "Platz 2 (Mia) hat seine Zusage 1 Mal aufgegeben"),
        ("es", "el asiento 2 (Mia) abandonó su promesa 1 vez"),
    ],
)
def test_an_abandoned_seed_is_told_by_verify_and_replay(game_file: Path, tmp_path: Path, lang: str, says: str) -> None:
    from msgspec.structs import replace

    from astragal.core.fair import Abandoned

    record = recordfile.read(game_file)
    gone = Abandoned(seat=1, name="Mia", why="left", commitment="1" * 64, server_commitment="2" * 64)
    fair = replace(record.header.fair, abandoned=(gone,))
    file, text = tmp_path / "left.json", tmp_path / "left.txt"
    recordfile.write(replace(record, header=replace(record.header, fair=fair)), file)
    assert astragal("convert", str(file), str(text)).returncode == 0
    assert says in astragal("verify", str(text), "--lang", lang).stdout
    assert says in astragal("replay", str(file), "--list", "--lang", lang).stdout
    told = json.loads(astragal("verify", str(text), "--json").stdout)
    assert told["abandoned"] == [{"seat": 2, "name": "Mia", "why": "left"}]


def test_converting_there_and_back_loses_nothing(game_file: Path, tmp_path: Path) -> None:
    text, again = tmp_path / "game.txt", tmp_path / "again.json"
    assert astragal("convert", str(game_file), str(text)).returncode == 0
    assert astragal("convert", str(text), str(again)).returncode == 0
    assert again.read_bytes() == game_file.read_bytes()


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", list(library.games()))
def test_the_rules_page_is_shown_in_every_language(game: str, lang: str) -> None:
    done = astragal("rules", game, "--lang", lang)
    assert done.returncode == 0, done.stderr
    assert "](../img" not in done.stdout
    assert "<!--" not in done.stdout
    assert "```" in done.stdout  # drawings stay
    page = Path(__file__).parents[2] / "docs" / "rules" / lang / f"{game}.md"
    assert done.stdout.split("\n")[0] == page.read_text("utf-8").split("\n")[0]


def test_games_as_text_and_as_json() -> None:
    specs = json.loads(astragal("games", "--json").stdout)
    assert {spec["id"] for spec in specs} == set(library.games())
    assert all(spec["players"] for spec in specs)
    assert "The Royal Game of Ur" in astragal("games").stdout


@pytest.mark.parametrize(
    "words", [(), ("play",), ("play", "ur"), ("watch", "ur-modern"), ("replay",), ("verify",), ("rules",)]
)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_help_page_has_an_example_and_speaks_the_language(words: tuple[str, ...], lang: str) -> None:
    done = astragal(*words, "--help", "--lang", lang)
    assert done.returncode == 0, done.stderr
    title = {"en": "Example:", "de": "Beispiel:", "es": "Ejemplo:"}[lang]
    assert title in done.stdout
    assert "astragal " in done.stdout.split(title)[1]


def test_the_version() -> None:
    assert astragal("--version").stdout == f"astragal {library.__version__}\n"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["play", "chess"], "there is no game 'chess'"),
        (["play", "ur-moderm"], "did you mean ur-modern"),
        (["rules", "go"], "there is no game 'go'"),
        (["dance"], "there is no command 'dance'"),
        (["play", "ur", "--pieces", "8"], "option pieces: '8' is not one of 1-7"),
        (["play", "ur", "--pieces", "many"], "option pieces"),
        (["play", "ur", "--safe-rosettes", "maybe"], "'maybe' is not one of on|off"),
        (["play", "ur", "--begins", "3"], "option begins"),
        (["play", "ur", "--preset", "nobody"], "option preset: 'nobody' is not one of finkel"),
        (["play", "ur", "--seat", "cat"], "option seat: 'cat'"),
        (["play", "ur", "--seat", "bot:genius"], "there is no bot 'genius'"),
        (["play", "ur", "--seat", "human", "--seat", "human", "--seat", "human"], "for 2 players, not 3"),
        (["play", "ur", "--players", "4"], "for 2 players, not 4"),
        (["play", "ur", "--peices", "3"], "did you mean --pieces?"),
        (["play", "ur", "--players", "0"], "for 2 players, not 0"),
        (["play", "ur", "--delay", "-1"], "--delay takes a number from 0 to 60"),
        (["arena", "ur", "--games", "many"], "--games takes a whole number, 1 or more"),
        (["arena", "ur", "--cores", "-1"], "--cores takes a whole number from 0 to 1024"),
        (["play", "ur", "--delay", "nan"], "--delay"),
        (["play"], "GAME is missing"),
        (["games", "--lang="], "option lang: ''"),
        (["play", "ur", "--seat", "human:\udcff", "--seat", "human"], "option seat"),
        (["watch", "ur", "--json", "--save", "a" * 300], "cannot be written"),
        (["watch", "ur", "--json", "--save", "/no/such/folder/game.json"], "cannot be written"),
        (["play", "ur", "--lang", "fr"], "option lang: 'fr'"),
        (["play", "ur-modern", "--layout", "nowhere.toml"], "nowhere.toml: cannot be read"),
        (["play", "ur-modern", "--layout", "nowhere"], "option layout: 'nowhere'"),
        (["watch", "ur", "--seat", "human"], "every seat needs a bot"),
        (["replay"], "FILE is missing"),
        (["replay", "nowhere.json"], "nowhere.json: cannot be read"),
        (["resume", "nowhere.json"], "nowhere.json: cannot be read"),
        (["verify", "."], "cannot be read"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(words: list[str], reason: str, tmp_path: Path) -> None:
    done = astragal(*words, home=tmp_path)
    assert done.returncode == 2, (done.stdout, done.stderr)
    assert reason in done.stderr
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.rglob("*.json"))


def test_complaints_speak_the_language_too() -> None:
    english = astragal("play", "ur", "--pieces", "8").stderr
    for lang in ("de", "es"):
        assert astragal("play", "ur", "--pieces", "8", "--lang", lang).stderr != english
        assert astragal("dance", "--lang", lang).stderr != astragal("dance").stderr


def test_bad_files_name_their_line_and_rule(game_file: Path, tmp_path: Path) -> None:
    lines = game_file.read_text("utf-8").split("\n")
    cut = tmp_path / "cut.json"
    cut.write_text("\n".join(lines[:60]), "utf-8")
    done = astragal("replay", str(cut))
    assert done.returncode == 2
    assert re.search(r"cut\.json, line \d+: .*\(RC-4\)", done.stderr)
    edited = tmp_path / "edited.json"
    at = next(n for n, line in enumerate(lines) if '"acted"' in line)
    edited.write_text(
        "\n".join([*lines[:at], re.sub(r'"action":"[^"]*"', '"action":"b1-b2"', lines[at]), *lines[at + 1 :]]), "utf-8"
    )
    done = astragal("verify", str(edited))
    assert done.returncode == 2
    assert f"edited.json, line {at + 1}: " in done.stderr
    assert re.search(r"\(UC-\d+\)", done.stderr)
    layout = tmp_path / "layout.toml"
    layout.write_text('name = "x"\nearth = "a1"\n', "utf-8")
    assert astragal("play", "ur-modern", "--layout", str(layout)).returncode == 2


def test_nothing_is_overwritten(game_file: Path, tmp_path: Path) -> None:
    precious = tmp_path / "precious.json"
    precious.write_text("precious", "utf-8")
    for words in (
        ("play", "ur", "--save", str(precious)),
        ("watch", "ur", "--save", str(precious)),
        ("convert", str(game_file), str(precious)),
        ("replay", str(game_file), "--svg", str(precious)),
    ):
        assert astragal(*words).returncode == 2, words
    astragal("play", "ur", "--seed", "1", typed=f"save {precious}\nquit\nn\n")
    assert precious.read_text("utf-8") == "precious"


def test_a_finished_match_cannot_be_resumed(game_file: Path) -> None:
    done = astragal("resume", str(game_file))
    assert done.returncode == 2
    assert "is over" in done.stderr


def test_a_hosts_own_layout_and_board_are_played_and_kept_in_the_record(tmp_path: Path) -> None:
    root = Path(__file__).parents[2] / "src" / "astragal" / "games"
    for game, flag, source in (
        ("ur-modern", "--layout", root / "ur_modern" / "data" / "lanes.toml"),
        ("ur", "--path", root / "ur" / "data" / "masters.toml"),
    ):
        own, record = tmp_path / f"{game}.toml", tmp_path / f"{game}.json"
        own.write_text(re.sub(r'name = ".*"', 'name = "house"', source.read_text("utf-8")), "utf-8")
        done = astragal("watch", game, flag, str(own), "--seed", "1", "--json", "--save", str(record))
        assert done.returncode == 0, done.stderr
        own.unlink()  # the record needs the file no more
        assert '"house"' in record.read_text("utf-8")
        assert astragal("verify", str(record)).returncode == 0


def test_a_picture_that_cannot_be_written_is_one_line(game_file: Path, tmp_path: Path) -> None:
    done = astragal("replay", str(game_file), "--svg", str(tmp_path / "none" / "ply.svg"))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "cannot be written" in done.stderr


def test_a_seed_may_be_any_bytes() -> None:
    assert astragal("watch", "ur", "--json", "--seed", "\udcff").returncode == 0


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
def test_closed_streams_are_no_fault(closed: str) -> None:
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {closed}', "sh", *ASTRAGAL, "play", "ur", "--seed", "1"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("words", [(), ("play", "ur")])
def test_input_of_any_bytes_is_answered(words: tuple[str, ...]) -> None:
    done = subprocess.run(
        [*ASTRAGAL, *words],
        input=b"\xff\xfe\n" + b"1" * 5000 + b"\nsave " + b"a" * 300 + b"\nsave a\x00b\n",
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "utf-8:strict"},
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_a_resigned_match_shows_its_result_in_replay(tmp_path: Path) -> None:
    file = tmp_path / "resigned.json"
    astragal("play", "ur", "--seed", "1", "--save", str(file), typed="resign\ny\n")
    assert "Dark wins." in astragal("replay", str(file), typed="end\nquit\n").stdout


@pytest.mark.parametrize("game", list(library.games()))
def test_the_rules_for_a_screen_reader_have_no_drawings(game: str) -> None:
    plain = astragal("rules", game, "--plain").stdout
    assert not re.search("[│┌─]", plain)
    assert re.findall(r"[A-Z]{2}-\d+", plain) == re.findall(r"[A-Z]{2}-\d+", astragal("rules", game).stdout)


def test_how_to_write_to_the_screen_may_be_said_before_the_command() -> None:
    seats = ("--seat", "bot:novice", "--seat", "bot:novice", "--seed", "1", "--delay", "0")
    plain = astragal("--plain", "watch", "ur", *seats).stdout
    assert plain == astragal("watch", "ur", "--plain", *seats).stdout
    assert not re.search("[│┌─]", plain)
    coloured = astragal("--colour", "watch", "ur", *seats).stdout
    assert "\x1b[" in coloured
    assert "\x1b[" not in astragal("--colour", "watch", "ur", "--no-colour", *seats).stdout
