"""For the tests of position notations: the examples of the rules pages, and lines with something wrong in them."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

import astragal
from astragal.core.language import LANGUAGES
from astragal.core.types import OVER, BadPosition
from astragal.core.walk import Walk

PAGES = Path(__file__).parents[2] / "docs" / "rules"
TITLES = {
    "en": "## Writing down a position",
    "de": "## Eine Stellung aufschreiben",
    "es": "## Cómo se anota una posición",
}


def examples(game: str) -> list[str]:
    """The lines that the rules page shows, the same in all languages."""
    by_rule = {}
    for lang in LANGUAGES:
        section = (PAGES / lang / f"{game}.md").read_text("utf-8").split(TITLES[lang])[1].split("\n## ")[0]
        by_rule[lang] = re.findall(r"```text\n(.*?)```", section, re.DOTALL)
        commands = re.findall(rf'astragal play {game} --position "([^".]+)"', section)
        assert all(line in by_rule[lang][0] for line in commands)
    assert by_rule["en"] == by_rule["de"] == by_rule["es"]
    return [line for block in by_rule["en"] for line in block.splitlines()]


def refusal(game: str, text: str, players: int = 2, **chosen: Any) -> BadPosition:
    """What is said of a line that is no position."""
    rules = astragal.rules(game)
    with pytest.raises(BadPosition) as refused:
        rules.from_position(text, rules.options_type(**chosen), players)
    assert 1 <= refused.value.column <= len(text) + 1
    return refused.value


def damage(game: str, players: int, games: int, seed: int, **chosen: Any) -> tuple[int, int]:
    """Lines of random games with a character changed: each is refused, or a position that can be played.

    Returns how many were refused and how many read.
    """
    rules, rng = astragal.rules(game), Random(seed)
    options = rules.options_type(**chosen)
    refused = read = 0
    for _ in range(games):
        walk = Walk(rules, rules.initial(options, players), rng)
        for _ in range(rng.randrange(120)):
            if walk.turn != OVER:
                walk.step()
        line = rules.position(walk.state)
        for _ in range(25):
            text = _changed(line, rng)
            try:
                state = rules.from_position(text, options, players)
            except BadPosition as error:
                assert 1 <= error.column <= len(text) + 1, text
                refused += 1
                continue
            read += 1
            assert rules.from_position(rules.position(state), options, players) == state, text
            onward = Walk(rules, state, rng)
            assert onward.turn in (-2, -1, *range(players)), text
            while onward.turn != OVER and onward.ply < 12:
                assert rules.legal(onward.state) or rules.chance(onward.state), text
                onward.step()
            for seat in range(players):
                view = rules.observe(state, seat)
                assert rules.observe(rules.resample(view, rng), seat) == view, text
    return refused, read


def _changed(line: str, rng: Random) -> str:
    """A character taken out, doubled, exchanged with its neighbour, or replaced by another one of the line."""
    at = rng.randrange(len(line))
    return rng.choice(
        [
            line[:at] + line[at + 1 :],
            line[: at + 1] + line[at:],
            line[:at] + line[at + 1 : at + 2] + line[at] + line[at + 2 :],
            line[:at] + rng.choice(line) + line[at + 1 :],
            " ".join(word for word in line.split(" ") if rng.random() < 0.8),
        ]
    )
