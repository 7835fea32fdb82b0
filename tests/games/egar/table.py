"""Positions for the tests of EGAR, written as players would say them."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from astragal.games.egar import GAME
from astragal.games.egar.actions import Action
from astragal.games.egar.board import Board
from astragal.games.egar.cards import Card, Source, Words
from astragal.games.egar.deck import Deck
from astragal.games.egar.options import Options, Skill
from astragal.games.egar.rules import EgarRules
from astragal.games.egar.speech import EgarPresentation
from astragal.games.egar.state import State

RULES = EgarRules()
LOOK = EgarPresentation()
HEURISTIC = GAME.heuristic

KNOWS: Skill = (100, 100, 100)
FAILS: Skill = (0, 0, 0)
BLANK = Deck("blank", (), (2, 2, 2))

# Small enough to look at every state of it: one soldier a side, flags in opposite corners.
TOY = Board("toy", 3, 3, ("Fs",), two=("A1", "B3"))


def position(*armies: str, phase: Any = "move", mover: int = 0, points: int = 3, **options: Any) -> State:
    """A turn in progress, the soldiers of each seat named by their squares."""
    options = {"begins": 0, "deck": BLANK, **options}
    s = RULES.initial(Options(**options), len(armies))
    number = s.ground.number
    squares = tuple(tuple(sorted(number[square] for square in army.split())) for army in armies)
    return replace(s, armies=squares, phase=phase, mover=mover, points=points if phase == "move" else 0)


def play(s: State, *texts: str) -> State:
    """The position after these actions, each decoded where it is played."""
    for text in texts:
        s = RULES.apply(s, RULES.decode(s, text))
    return s


def soldiers(s: State, seat: int) -> set[str]:
    """The squares of a seat's soldiers."""
    return {s.ground.names[square] for square in s.armies[seat]}


def legal(s: State) -> set[str]:
    """The legal actions as players write them."""
    return {RULES.encode(a) for a in RULES.legal(s)}


def outcomes(s: State) -> dict[str, int]:
    """What chance can do, with weights."""
    return {RULES.encode(a): weight for a, weight in RULES.chance(s)}


def attack(target: str, risk: str, *dice: str) -> tuple[str, ...]:
    """The texts of an attack and its dice."""
    return (f"attack {target} with {risk}", *(f"roll-{die}" for die in dice))


def card(id: str = "one", **changes: Any) -> Card:
    """A faultless card, but for what is changed. `en`, `de` and `es` take changes of their words."""
    words = {
        "en": Words(
            question="Which little river did Caesar cross?", answer="Rubicon", wrong=("Tiber", "Arno", "Po"),
            accept=("Rubico",), reject=("Rhine",), note="The die was cast.",
        ),
        "de": Words(
            question="Welchen Bach überschritt Cäsar?", answer="Rubikon", wrong=("Tiber", "Arno", "Po"),
            note="Der Würfel war gefallen.",
        ),
        "es": Words(
            question="¿Qué riachuelo cruzó César?", answer="Rubicón", wrong=("Tíber", "Arno", "Po"),
            note="La suerte estaba echada.",
        ),
    }  # fmt: skip
    for lang in words:
        words[lang] = replace(words[lang], **changes.pop(lang, {}))
    first = Card(
        id=id,
        level="medium",
        era="ancient",
        region="europe",
        kind="place",
        fact_key=f"fact-{id}",
        review="draft",
        sources=(Source("Suetonius", "Julius"), Source("Plutarch", "Caesar")),
        en=words["en"],
        de=words["de"],
        es=words["es"],
    )
    return replace(first, **changes)


def years(*, right: str = "1500", wrong: tuple[str, str, str] = ("1400", "1600", "1700")) -> dict[str, Any]:
    """Changes that make a card ask for a year, the same in all languages."""
    same = {"answer": right, "wrong": wrong, "accept": (), "reject": ()}
    return {"kind": "year", "en": same, "de": same, "es": same}


def asked(**options: Any) -> State:
    """The second seat is asked a question about rivers; the right answer is A."""
    deck = options.pop("deck", Deck("own", (card(),)))
    s = play(position("B4", "L10 L11", deck=deck, **options), "done", "card-1")
    return play(s, "order-1234") if s.phase == "order" else s


def action(s: State, text: str) -> Action:
    """The action a text means here."""
    return RULES.decode(s, text)
