"""`astragal cards`: check, stats, show, quiz."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from astragal.core.language import LANGUAGES
from astragal.games.egar.deck import DATA, default_deck
from tests.terminal.command import astragal

EASY = (DATA / "cards-easy.toml").read_text("utf-8")


def first_cards(count: int) -> str:
    """A deck file with the first few easy cards."""
    head, *cards = EASY.split("[[card]]")
    return head + "".join(f"[[card]]{card}" for card in cards[:count])


def test_the_shipped_deck_passes_with_a_table_of_balance() -> None:
    done = astragal("cards", "check")
    assert done.returncode == 0, done.stdout
    for word in ("level:", "era:", "region:", "kind:", "place of the answer:"):
        assert word in done.stdout
    figures = json.loads(astragal("cards", "check", "--json").stdout)
    assert figures["good"] is True
    assert figures["balance"]["cards"] == len(default_deck().cards)


@pytest.mark.rule("EC-7")
def test_a_hosts_deck_is_checked_and_a_fault_names_card_language_and_reason(tmp_path: Path) -> None:
    deck = tmp_path / "deck.toml"
    deck.write_text(first_cards(3), "utf-8")
    few = astragal("cards", "check", str(deck), "--json")
    assert few.returncode == 0
    assert json.loads(few.stdout)["imbalances"] == []  # three cards cannot be balanced, and need not be
    id = re.findall(r'^id = "(.+)"', first_cards(3), re.MULTILINE)[1]
    head, *cards = first_cards(3).split("[[card]]")
    cards[1] = re.sub(r'(\[card\.de\]\nquestion = ")', r"\1Immer " + "sehr " * 40, cards[1])
    deck.write_text(head + "".join(f"[[card]]{card}" for card in cards), "utf-8")
    done = astragal("cards", "check", str(deck))
    assert done.returncode == 1
    assert f"card {id} (de): " in done.stdout
    faults = json.loads(astragal("cards", "check", str(deck), "--json").stdout)["faults"]
    assert {fault["card"] for fault in faults} == {id}
    refused = astragal("play", "egar", "--deck", str(deck))
    assert refused.returncode == 2
    assert id in refused.stderr


def test_stats_and_show_in_every_language(tmp_path: Path) -> None:
    assert json.loads(astragal("cards", "stats", "--json").stdout)["cards"] == len(default_deck().cards)
    card = default_deck().cards[0]
    for lang in LANGUAGES:
        shown = " ".join(astragal("cards", "show", card.id, "--lang", lang).stdout.split())
        for text in (card.words[lang].question, card.words[lang].note, *card.words[lang].options):
            assert " ".join(text.split()) in shown
    assert json.loads(astragal("cards", "show", card.id, "--json").stdout)["id"] == card.id
    missing = astragal("cards", "show", "nobody")
    assert (missing.returncode, missing.stderr.count("\n")) == (2, 1)


def test_the_quiz_keeps_the_score_and_repeats_no_card_until_all_were_asked(tmp_path: Path) -> None:
    deck = tmp_path / "deck.toml"
    deck.write_text(first_cards(3), "utf-8")
    asked: list[str] = []
    for _ in range(3):
        done = astragal("cards", "quiz", "--deck", str(deck), "--count", "1", typed="A\n", home=tmp_path)
        assert done.returncode == 0, done.stderr
        asked += [line for line in done.stdout.split("\n") if line][:1]
        assert re.search(r"[01] of 1 question right\.", done.stdout)
    assert len(set(asked)) == 3
    again = astragal("cards", "quiz", "--deck", str(deck), "--count", "1", typed="A\n", home=tmp_path)
    assert "shuffled anew" in again.stdout


def test_every_right_letter_scores_and_typed_answers_are_judged(tmp_path: Path) -> None:
    deck = tmp_path / "deck.toml"
    deck.write_text(first_cards(1), "utf-8")
    card = default_deck().cards[0]
    verdicts = []
    for n, letter in enumerate("ABCD"):
        home = tmp_path / str(n)
        done = astragal(
            "cards", "quiz", "--deck", str(deck), "--count", "1", "--seed", "1", typed=f"{letter}\n", home=home
        )
        verdicts.append("Right!" in done.stdout)
    assert sorted(verdicts) == [False, False, False, True]
    for answer, good in ((card.de.answer.upper(), True), (card.en.wrong[0], False)):
        home = tmp_path / answer.replace(" ", "")
        done = astragal("cards", "quiz", "--deck", str(deck), "--typed", typed=f"{answer}\nquit\n", home=home)
        assert ("Right!" in done.stdout) is good


def test_a_wrong_key_is_explained_and_quit_ends_it(tmp_path: Path) -> None:
    done = astragal("cards", "quiz", "--lang", "es", typed="z\nsalir\n", home=tmp_path)
    assert done.returncode == 0
    assert "A, B, C o D" in done.stdout
    damaged = tmp_path / "astragal" / "quiz-seen.json"
    damaged.parent.mkdir(exist_ok=True)
    damaged.write_text("{", "utf-8")
    assert astragal("cards", "quiz", "--count", "1", typed="A\n", home=tmp_path).returncode == 0
    for words in (["--level", "silly"], ["--count", "0"], ["--deck", "nowhere.toml"]):
        refused = astragal("cards", "quiz", *words, home=tmp_path)
        assert (refused.returncode, refused.stderr.count("\n")) == (2, 1), refused.stderr


def test_a_missing_sub_command_is_called_a_command() -> None:
    assert "COMMAND is missing" in astragal("cards").stderr


def test_the_quiz_says_what_a_typed_answer_was_read_as(tmp_path: Path) -> None:
    deck = tmp_path / "deck.toml"
    deck.write_text(first_cards(1), "utf-8")
    done = astragal(
        "cards", "quiz", "--typed", "--count", "1", "--deck", str(deck), typed="Trojan hors\n", home=tmp_path
    )
    assert "Right!" in done.stdout
    assert "It was read as 'Trojan horse'." in done.stdout


# Cards of one's own ----------------------------------------------------------------------------------------------

EXAMPLE = Path(__file__).parents[2] / "examples" / "class-deck.csv"


def test_a_spreadsheet_becomes_a_deck_that_is_checked_and_quizzed(tmp_path: Path) -> None:
    table = tmp_path / "class.csv"
    table.write_bytes(EXAMPLE.read_bytes())
    done = astragal("cards", "import", str(table))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"3 cards in {tmp_path / 'class.toml'}\n"
    assert astragal("cards", "check", str(tmp_path / "class.toml")).returncode == 0
    three = ("--deck", str(tmp_path / "class.toml"), "--count", "3")
    asked = astragal("cards", "quiz", *three, typed="A\nA\nA\n", home=tmp_path)
    assert "of 3 questions right." in asked.stdout
    again = astragal("cards", "import", str(table))
    assert (again.returncode, again.stderr.count("\n")) == (2, 1)
    assert "exists" in again.stderr
    named = astragal("cards", "import", str(table), "--out", str(tmp_path / "two.toml"), "--name", "8b", "--json")
    assert json.loads(named.stdout) == {
        "good": True, "file": str(tmp_path / "two.toml"), "cards": 3, "problems": [], "remarks": [],
    }  # fmt: skip
    assert (tmp_path / "two.toml").read_text("utf-8").startswith('name = "8b"')


def test_a_bad_spreadsheet_is_told_by_row_and_column_and_nothing_is_written(tmp_path: Path) -> None:
    table = tmp_path / "class.csv"
    table.write_text(EXAMPLE.read_text("utf-8").replace("Talleyrand", "").replace("1830", "1815"), "utf-8")
    done = astragal("cards", "import", str(table))
    assert done.returncode == 1
    assert "row 3, column 'wrong 1': this must be written" in done.stdout
    assert "row 2, column " in done.stdout
    report = json.loads(astragal("cards", "import", str(table), "--json").stdout)
    assert (report["good"], report["file"], report["problems"][-1]["row"]) == (False, None, 3)
    assert "Zeile 3, Spalte 'wrong 1'" in astragal("cards", "import", str(table), "--lang", "de").stdout
    assert "fila 3, columna 'wrong 1'" in astragal("cards", "import", str(table), "--lang", "es").stdout
    assert not (tmp_path / "class.toml").exists()
    missing = astragal("cards", "import", str(tmp_path / "nowhere.csv"))
    assert (missing.returncode, missing.stderr.count("\n")) == (2, 1)


TYPED = [
    "easy", "place", "Which little river did Caesar cross in 49 BC?", "Rubicon", "Tiber", "Tiber", "Arno", "Po", "",
    "The die was cast.", "no", "", "europe", "Suetonius", "Julius 32", "Plutarch", "Caesar 32", "",
]  # fmt: skip


def test_the_wizard_asks_checks_and_adds_a_card(tmp_path: Path) -> None:
    deck = tmp_path / "mine.toml"
    done = astragal("cards", "new", str(deck), typed="\n".join([*TYPED, "no", ""]))
    assert (done.returncode, done.stderr) == (0, "")
    assert "the option 'tiber' is there twice" in done.stdout  # and it was asked again at once
    assert "Card rubicon is in" in done.stdout
    assert json.loads(astragal("cards", "show", "rubicon", "--deck", str(deck), "--json").stdout)["level"] == "easy"
    # a second one that asks the same is not added, one that is cut off is lost
    same = astragal("cards", "new", str(deck), typed="\n".join([*TYPED, "no", ""]))
    assert "asks nearly the same as the card rubicon" in same.stdout
    assert astragal("cards", "new", str(deck), typed="\n".join(TYPED[:5])).returncode == 1
    assert astragal("cards", "new", str(deck), typed="easy\nquit\n").returncode == 1
    assert json.loads(astragal("cards", "stats", "--deck", str(deck), "--json").stdout)["cards"] == 1
    damaged = tmp_path / "damaged.toml"
    damaged.write_text("name = 3", "utf-8")
    assert astragal("cards", "new", str(damaged)).returncode == 2


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("command", ["new", "import", "check"])
def test_the_help_shows_an_example(command: str, lang: str) -> None:
    shown = astragal("cards", command, "--help", "--lang", lang)
    assert shown.returncode == 0
    assert f"astragal cards {command} my-" in shown.stdout


def test_remarks_do_not_refuse_a_hosts_deck(tmp_path: Path) -> None:
    deck = tmp_path / "deck.toml"
    deck.write_text(first_cards(3).replace('answer = "Waterloo"', 'answer = "Waterloo (Belgium)"'), "utf-8")
    done = astragal("cards", "check", str(deck))
    assert done.returncode == 0
    assert (
        "look at card napoleon-last (en): only the answer 'Waterloo (Belgium)' differs in its brackets" in done.stdout
    )
    report = json.loads(astragal("cards", "check", str(deck), "--json").stdout)
    assert report["good"] is True
    assert {remark["kind"] for remark in report["remarks"]} == {"brackets"}
