"""EGAR keeps the contract, with 2, 3 and 4 players and every option."""

from __future__ import annotations

from random import Random

import msgspec
from msgspec.structs import replace

from astragal.core import conform, options
from astragal.games.egar import GAME
from astragal.games.egar.deck import Deck
from astragal.games.egar.options import BOT_SKILL, Options
from tests.games.egar.table import BLANK, TOY, card, years


def sets() -> list[Options]:
    """Options pairwise; a seat that begins must sit at a table of two as well."""
    return [
        replace(o, begins=o.begins if o.begins in ("lots", 0) else 1) for o in options.pairwise(GAME.rules, Random(3))
    ]


def test_every_option_meets_every_other() -> None:
    chosen = sets()
    for field in ("board", "level", "own_flag_open", "dead_flags", "answering", "turn_limit", "answer_seconds"):
        assert len({getattr(o, field) for o in chosen}) > 1, field
    report = conform.check(GAME, games=3 * len(chosen), plies=1500, share=0.03, option_sets=chosen)
    assert report.ok, str(report)
    assert report.finished == report.games


def test_skills_colours_and_own_decks() -> None:
    own = Deck("own", (card(), replace(card("two", **years()), en=YEAR, de=YEAR_DE, es=YEAR_ES)))
    chosen = [
        Options(skill=(BOT_SKILL, BOT_SKILL, BOT_SKILL, BOT_SKILL)[:2]),
        Options(skill=("own", (100, 100, 0)), level="free", turn_limit=40),
        Options(skill=(BOT_SKILL,), answering="open", turn_limit=40),
        Options(deck=own, turn_limit=40),
        Options(deck=own, answering="open", answer_seconds=10, turn_limit=40),
        Options(deck=BLANK, level="free", turn_limit=40),
    ]
    report = conform.check(GAME, games=3 * len(chosen), plies=1500, share=0.03, option_sets=chosen)
    assert report.ok, str(report)


YEAR = replace(card(**years()).en, question="In which year was the printing press built?")
YEAR_DE = replace(card(**years()).de, question="Wann entstand die Druckerpresse?")
YEAR_ES = replace(card(**years()).es, question="¿Cuándo nació la imprenta?")


def test_law_3_in_full_on_a_toy() -> None:
    """A blank card: which option is right is drawn with their order, so every guess is a state of the game.

    With a printed card the law cannot be tested so. The seat must hold all four options for possible, but only one of
    these worlds is reached by the card that there is. The secrecy of printed cards is tested in test_secrecy.
    """
    small = replace(BLANK, blank=(0, 1, 0))
    for toy in (
        Options(begins=0, board=TOY, turn_limit=1, deck=small),
        Options(begins=0, board=TOY, turn_limit=1, deck=small, skill=(BOT_SKILL, BOT_SKILL)),
        Options(begins=1, board=TOY, turn_limit=1, deck=small, answering="open"),
    ):
        hides = toy.answering == "choice" and not toy.skill  # else no option is right or wrong yet
        report = conform.check(GAME, games=1, option_sets=[replace(toy, board="quick")], toy=toy, toy_hides=hides)
        assert report.ok, str(report)


def test_options_travel() -> None:
    own = Options(skill=("own", BOT_SKILL), colours=("native", "samurai"), deck=Deck("own", (card(),)), board=TOY)
    assert msgspec.json.decode(msgspec.json.encode(own), type=Options) == own
    assert options.convert(GAME.rules, msgspec.json.decode(msgspec.json.encode(own))) == own
