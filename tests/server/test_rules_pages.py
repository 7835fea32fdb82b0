"""Rules pages in the browser: no command lines, and headings that contents can lead to."""

from __future__ import annotations

import re

import pytest

from astragal.core import pages, registry
from astragal.server import rules_pages


@pytest.mark.parametrize("lang", ["en", "de", "es"])
@pytest.mark.parametrize("game", sorted(registry.games()))
def test_no_page_speaks_of_a_command_line(game: str, lang: str) -> None:
    known = registry.game(game)
    page = pages.page(known, lang)
    html = rules_pages.html(known, page, lang)
    assert re.search(r"`(astragal|python\s+-m)\s", page)  # the page itself does, for those who have a terminal
    assert re.findall(r"<code>(?:astragal|python)[^<]*", html) == []
    assert "astragal " not in re.sub(r"<[^>]*>", "", html)


@pytest.mark.parametrize("game", sorted(registry.games()))
def test_every_section_of_a_page_is_still_there_and_can_be_found(game: str) -> None:
    known = registry.game(game)
    page = pages.page(known, "en")
    html = rules_pages.html(known, page, "en")
    titles = re.findall(r"^## (.*)$", page, flags=re.MULTILINE)
    assert re.findall(r'<h2 id="section-\d+">(.*?)</h2>', html) == titles
    assert set(re.findall(r"\*\*([A-Z]{2}-\d+)\*\*", page)) == set(re.findall(r"<strong>([A-Z]{2}-\d+)</strong>", html))


def test_only_the_sentence_about_a_command_is_left_out() -> None:
    game = registry.game("ur")
    text = "One. `astragal play ur` plays\non. Two (`python -m benchmarks.x`). `a1` stays.\n"
    assert rules_pages.html(game, text, "en") == "<p>One. Two. <code>a1</code> stays.</p>\n"
