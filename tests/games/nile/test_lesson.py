"""The sums that Nile's lesson tells are those of the score sheet."""

from __future__ import annotations

import re

import astragal
from astragal.core.lesson import pages


def test_what_a_page_adds_up_is_what_the_turn_scored() -> None:
    for page in pages(astragal.game("nile"), "en"):
        if page.steps:
            told = sum(int(number) for number in re.findall(r"\d+", page.why.split(". ")[0]))
            line = next(line for line in reversed(page.steps[-1].after[0].view.sheet) if line.how == "laid")
            assert line.seat == 0
            assert line.total == told, page.why
