"""Four levels of opponents for each game, from one that a beginner beats to the best we have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from astragal.core.language import noted
from astragal.core.rules import Game

LEVELS = ("novice", "casual", "strong", "master")
LEVEL_NAMES = {
    "novice": noted("novice"),
    "casual": noted("casual"),
    "strong": noted("strong"),
    "master": noted("master"),
}


class Level(NamedTuple):
    """One opponent: who it is, how it plays, and how it plays on the ladder, where a move has about 5 ms."""

    name: str  # the same in every language
    character: str  # one line about it; a key of the catalogue
    spec: str
    ladder: str


_FOREIGN = {  # for games that others bring: nothing but their heuristic is known
    "novice": Level("Nin", noted("Mostly guesses, and is glad to have company."), "greedy:mistakes=0.6", ""),
    "casual": Level("Ilu", noted("Plays what looks good, and sometimes looks away."), "greedy:mistakes=0.2", ""),
    "strong": Level("Bel", noted("Always takes what looks best."), "greedy", ""),
    "master": Level("Ea", noted("Always takes what looks best."), "greedy", ""),
}


_OURS: Mapping[str, Mapping[str, Level]] = {
    "ur": {
        "novice": Level(
            "Kubaba",
            noted("Keeps a tavern and plays while she pours; her mind is elsewhere."),
            "greedy:mistakes=0.7",
            "quick:mistakes=0.7",
        ),
        "casual": Level(
            "Puabi",
            noted("Plays for pleasure, takes what she sees, and lets the dice do the rest."),
            "greedy:mistakes=0.3",
            "quick:mistakes=0.3",
        ),
        "strong": Level(
            "Ludlul",
            noted("A clerk who weighs the next throw before he moves."),
            "expectimax:depth=1",
            "quick",
        ),
        "master": Level(
            "Itti-Marduk",
            noted("The scribe who wrote the rules down; he looks many throws ahead."),
            "expectimax:time=0.7",
            "expectimax:nodes=15000",
        ),
    },
    "ur-modern": {
        "novice": Level(
            "Dudu",
            noted("An apprentice who is fond of every piece and forgets the one in danger."),
            "greedy:mistakes=0.7",
            "quick:mistakes=0.7",
        ),
        "casual": Level(
            "Baranamtara",
            noted("Runs an estate and plays as she trades: what is good today."),
            "greedy:mistakes=0.3",
            "quick:mistakes=0.3",
        ),
        "strong": Level(
            "Shulgi",
            noted("A king who boasts of his running, and does see a little way ahead."),
            "expectimax:depth=1",
            "quick",
        ),
        "master": Level(
            "Enheduanna",
            noted("Priestess and poet; she has thought of your answer already."),
            "expectimax:time=0.7",
            "expectimax:nodes=6000",
        ),
    },
    "nile": {
        "novice": Level(
            "Ipi", noted("A boat boy who lays whatever fits."), "greedy:mistakes=0.7", "quick:mistakes=0.7"
        ),
        "casual": Level(
            "Meryt",
            noted("Counts her own points well, and seldom yours."),
            "greedy:mistakes=0.3",
            "quick:mistakes=0.3",
        ),
        "strong": Level(
            "Sennedjem", noted("A builder of tombs who knows where a river should turn."), "greedy", "quick"
        ),
        "master": Level(
            "Ankhesen",
            noted("Reads the river to its end, and your rack in your face."),
            "ismcts:time=0.7",
            "ismcts:nodes=100",
        ),
    },
    "egar": {
        "novice": Level(
            "Toma", noted("A recruit who marches first and thinks later."), "greedy:mistakes=0.7", "quick:mistakes=0.7"
        ),
        "casual": Level(
            "Inés",
            noted("A captain of many skirmishes, and of no great plans."),
            "greedy:mistakes=0.3",
            "quick:mistakes=0.3",
        ),
        "strong": Level("Kenji", noted("Keeps his soldiers together and counts the odds."), "greedy", "quick"),
        "master": Level(
            "Zenobia",
            noted("A queen who plans the campaign before the first die falls."),
            "ismcts:time=0.7",
            "ismcts:nodes=100",
        ),
    },
}


def levels(game: Game) -> Mapping[str, Level]:
    """The opponents of this game by their level, the weakest first."""
    return _OURS.get(game.id, _FOREIGN)


def spec_of(game: Game, level: str, *, ladder: bool = False) -> str:
    """How a level of this game is made; `ladder` at the speed of the ladder."""
    found = levels(game)[level]
    return (ladder and found.ladder) or found.spec
