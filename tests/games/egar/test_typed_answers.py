"""The judge against what people type (EG-20): typed-answers.tsv and six smaller files by other authors.

The first corpus was written before the judge's rules. Half of it, by a hash of each line, was kept apart while they
were written. Author and judge were the same, so somebody else wrote a second one without having seen the judge, and
a third after the rules were improved. The later ones were each committed before the judge was run on them.
How the judge did before anybody looked is in docs/cards-review.md.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path

import pytest
from msgspec import Struct

from astragal.core.language import LANGUAGES
from astragal.games.egar.answers import Judgement, judge
from astragal.games.egar.cards import Card
from astragal.games.egar.deck import default_deck, edition

FILE = Path(__file__).parent / "typed-answers.tsv"
FEWEST_LINES = 1500
MOST_REFUSED = 0.01  # of the right answers


class Line(Struct, frozen=True):
    """Something typed for a card, and whether it is right."""

    card: str
    lang: str
    typed: str
    right: bool
    why: str
    apart: bool  # kept apart while the rules were written


def read(file: Path = FILE) -> list[Line]:
    lines = []
    for text in file.read_text(encoding="utf-8").splitlines()[1:]:
        card, lang, typed, verdict, why = text.split("\t")
        assert verdict in ("right", "wrong"), text
        lines.append(
            Line(card, lang, typed, verdict == "right", why, hashlib.sha256(text.encode()).digest()[0] % 2 == 1)
        )
    return lines


def both_editions() -> dict[str, Card]:
    """The cards of both editions by their ids; a card that is in both is the one of the present edition."""
    return {card.id: card for card in (*edition("default").cards, *default_deck().cards)}


LINES = read()
SECOND = read(FILE.with_stem("typed-answers-second"))
THIRD = read(FILE.with_stem("typed-answers-third"))
FOURTH = read(FILE.with_stem("typed-answers-fourth"))
FIFTH = read(FILE.with_stem("typed-answers-fifth"))
SIXTH = read(FILE.with_stem("typed-answers-sixth"))
SEVENTH = read(FILE.with_stem("typed-answers-seventh"))
OTHERS = (*SECOND, *THIRD, *FOURTH, *FIFTH, *SIXTH, *SEVENTH)


@pytest.fixture(scope="module")
def judged() -> list[tuple[Line, Judgement]]:
    cards = both_editions()
    missing = sorted({line.card for line in LINES} - cards.keys())
    assert not missing, f"typed-answers.tsv has lines about cards that are gone: {', '.join(missing)}"
    return [(line, judge(cards[line.card], line.typed)) for line in LINES]


def test_the_corpus_is_large_and_about_every_card() -> None:
    assert len(LINES) >= FEWEST_LINES
    assert {line.card for line in LINES} == both_editions().keys()
    assert {line.lang for line in LINES} == set(LANGUAGES)
    assert len({(line.card, line.lang, line.typed) for line in LINES}) == len(LINES)
    assert min(Counter((line.lang, line.right, line.apart) for line in LINES).values()) > FEWEST_LINES // 12


@pytest.mark.rule("EG-20")
def test_no_wrong_answer_is_accepted(judged: list[tuple[Line, Judgement]]) -> None:
    accepted = [f"{line.card}: {line.typed} as {found.matched}" for line, found in judged if found.right > line.right]
    assert accepted == []


@pytest.mark.rule("EG-20")
def test_hardly_any_right_answer_is_refused(judged: list[tuple[Line, Judgement]]) -> None:
    print(report(judged))
    for kept_apart in (True, False):
        right = [(line, found) for line, found in judged if line.right and line.apart >= kept_apart]
        refused = [f"{line.card}: {line.typed}" for line, found in right if not found.right]
        assert len(refused) <= MOST_REFUSED * len(right), refused


@pytest.mark.rule("EG-20")
def test_another_authors_answers_are_judged_as_well() -> None:
    cards = both_editions()
    every = [(line, judge(cards[line.card], line.typed)) for line in OTHERS]
    print(report(every))
    assert [f"{line.card}: {line.typed} as {found.matched}" for line, found in every if found.right > line.right] == []
    for lines in (SECOND, FOURTH, FIFTH, OTHERS):
        right = [(line, found) for line, found in every if line.right and line in lines]
        refused = [f"{line.card}: {line.typed}" for line, found in right if not found.right]
        assert len(refused) <= MOST_REFUSED * len(right), refused


def test_another_authors_answers_are_fresh_and_many() -> None:
    every = Counter((line.card, line.lang, line.typed) for line in (*LINES, *OTHERS))
    assert max(every.values()) == 1
    assert min(Counter(line.lang for line in SECOND).values()) >= 200
    assert len({line.card for line in SECOND}) >= 120
    assert len(THIRD) >= 150
    assert len(FOURTH) >= 400
    assert len(FIFTH) >= 200
    assert len(SIXTH) >= 400
    assert len(SEVENTH) >= 150
    for lines in (FOURTH, FIFTH, SIXTH, SEVENTH):
        assert {line.lang for line in lines} == set(LANGUAGES)


def test_hardly_any_right_answer_is_refused_in_all_files_together(judged: list[tuple[Line, Judgement]]) -> None:
    cards = both_editions()
    every = [*judged, *((line, judge(cards[line.card], line.typed)) for line in OTHERS)]
    right = [found for line, found in every if line.right]
    assert sum(not found.right for found in right) <= MOST_REFUSED * len(right)


def report(judged: list[tuple[Line, Judgement]]) -> str:
    """Precision and recall in each language, the half that was kept apart by itself."""
    rows = []
    for apart in (False, True):
        for lang in LANGUAGES:
            part = [(line, found) for line, found in judged if line.lang == lang and line.apart is apart]
            hits = sum(line.right and found.right for line, found in part)
            accepted = sum(found.right for _, found in part)
            right = sum(line.right for line, _ in part)
            rows.append(
                f"{'kept apart' if apart else 'seen':10} {lang}: {len(part)} lines, "
                f"precision {hits / accepted:.4f} ({hits}/{accepted}), recall {hits / right:.4f} ({hits}/{right})"
            )
    return "\n".join(rows)
