"""The page that `astragal review --html` writes, and what reviews say in words."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

import astragal
from astragal.analysis import charts
from astragal.analysis.review import Reviewer, made_by
from astragal.analysis.telling import tell
from astragal.core import recordfile
from astragal.core.language import LANGUAGES, decimal
from astragal.core.record import Record
from tests.analysis.matches import match_of, with_take_backs
from tests.terminal.command import astragal as command

SVG = "{http://www.w3.org/2000/svg}"


class Reader(HTMLParser):
    """What a page is made of: its texts, and everything it would load."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.loads: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.loads += [value or "" for name, value in attrs if name in ("src", "href", "srcset", "data")]

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@pytest.fixture
def record() -> Record:
    return with_take_backs().record()


def test_the_page_stands_alone_and_says_all_of_the_review(tmp_path: Path, folder: Path, record: Record) -> None:
    file, out = tmp_path / "match.json", tmp_path / "review.html"
    recordfile.write(record, file)
    done = command("review", str(file), "--html", str(out), ASTRAGAL_TABLES=str(folder))
    assert done.returncode == 0, done.stderr
    assert str(out) in done.stdout
    page, reader = out.read_text("utf-8"), Reader()
    reader.feed(page)
    assert "script" not in reader.tags
    assert "link" not in reader.tags
    assert all(load.startswith("data:image/svg+xml;base64,") for load in reader.loads)
    assert "@import" not in page
    assert "url(" not in page
    reviewer = Reviewer(record)
    made = made_by(reviewer)
    told = tell(reviewer, made, ["Ann", "Ben"], "en")
    text = " ".join(reader.texts)
    said = [told.verdict, told.evaluator, *told.taken_back]
    for seat in told.seats:
        said += [*seat.figures, *seat.dice]
    for ply in made.moments:
        said += [told.steps[ply - 1].happened, told.steps[ply - 1].judged]
    for sentence in said:
        assert sentence in text
    better = sum(made.steps[ply - 1].loss >= 0.005 for ply in made.moments)
    assert len(reader.loads) == len(made.moments) + better  # a board each, and one more where a move was better
    assert better


def test_the_page_is_written_in_the_users_language_and_beside_json(
    tmp_path: Path, folder: Path, record: Record
) -> None:
    file, out = tmp_path / "match.json", tmp_path / "review.html"
    recordfile.write(record, file)
    done = command("review", str(file), "--html", str(out), "--json", "--lang", "de", ASTRAGAL_TABLES=str(folder))
    assert done.stdout.startswith('{"game":"ur"')
    page = out.read_text("utf-8")
    assert '<html lang="de">' in page
    assert "Was gab den Ausschlag?" in page


def test_where_the_page_cannot_be_written_that_is_said(tmp_path: Path, folder: Path, record: Record) -> None:
    file = tmp_path / "match.json"
    recordfile.write(record, file)
    done = command("review", str(file), "--html", str(tmp_path / "no" / "x.html"), ASTRAGAL_TABLES=str(folder))
    assert done.returncode == 2
    assert "cannot be written" in done.stderr


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_card_is_whole_svg_and_says_its_figures_in_words(record: Record, lang: str) -> None:
    reviewer = Reviewer(record)
    made = made_by(reviewer)
    told = tell(reviewer, made, ["Ann <b>", "Ben & Co"], lang)
    game = astragal.game("ur")
    board = game.presentation.svg(game.rules.observe(reviewer.line.state, None), lang)
    root = ElementTree.fromstring(charts.card(made, told, board, lang))
    assert root.tag == f"{SVG}svg"
    described = root.findtext(f"{SVG}desc") or ""
    assert told.verdict in described
    assert all(line in described for seat in told.seats for line in seat.figures)
    texts = [one.text for one in root.iter(f"{SVG}text")]
    for seat in made.seats:
        assert decimal(100 * seat.luck, 1, lang, signed=True) in texts
        assert decimal(-100 * seat.loss, 1, lang, signed=True) in texts
    assert len(root.findall(f"{SVG}svg")) == 1  # the board


def test_every_mistake_is_marked_in_the_graph_and_every_seat_has_a_band(record: Record) -> None:
    reviewer = Reviewer(record)
    made = made_by(reviewer)
    inside = charts.graph(made, tell(reviewer, made, ["", ""], "en"))
    assert len(re.findall('class="band', inside)) == 2
    assert len(re.findall('class="mistake"', inside)) == sum(step.loss >= 0.02 for step in made.steps)
    assert 0 < len(re.findall('class="luck"', inside)) <= charts.MOST_LUCKY


def test_a_verdict_names_what_decided() -> None:
    """A perfect player who wins against one who plays at random owes it to decisions; luck alone is called luck."""
    verdicts = set()
    for seed in range(12):
        reviewer = Reviewer(match_of("perfect", "random", seed=seed))
        made = made_by(reviewer)
        verdict = tell(reviewer, made, ["", ""], "en").verdict
        winner = max(made.seats, key=lambda seat: seat.result)
        skill = winner.gained - winner.loss
        if verdict.startswith("Luck decided"):
            assert winner.luck > 2 * skill
        elif verdict.startswith("The better decisions"):
            assert skill > 2 * winner.luck
        verdicts.add(verdict.split()[0])
    assert len(verdicts) > 1


def test_numbers_are_written_as_the_language_writes_them() -> None:
    assert [decimal(-0.04, 1, lang, signed=True) for lang in LANGUAGES] == ["+0.0", "+0,0", "+0,0"]
    assert decimal(12.34, 1, "de") == "12,3"
