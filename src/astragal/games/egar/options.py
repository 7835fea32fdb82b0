"""House rules of EGAR, and the named sets of them."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from astragal.core.language import noted
from astragal.core.rules import BaseOptions
from astragal.games.egar.board import Board, BoardName
from astragal.games.egar.deck import CURRENT, Deck, DeckName

Army = Literal["military", "samurai", "native", "egyptian"]
ARMIES: tuple[Army, ...] = ("military", "samurai", "native", "egyptian")

Percent = Annotated[int, Meta(ge=0, le=100)]
Skill = Literal["own"] | tuple[Percent, Percent, Percent]
"""How a seat answers: itself, or by chance with these percentages for easy, medium and hard cards (EG-21)."""

BOT_SKILL: Skill = (75, 60, 45)


class Options(BaseOptions, frozen=True, kw_only=True):
    """House rules. The defaults are the printed rules where these speak, else our rulings."""

    board: Annotated[BoardName | Board, Meta(description=noted("Board, or a board file of your own"))] = "standard"
    level: Annotated[
        Literal["easy", "medium", "hard", "free"],
        Meta(description=noted("Level of the questions; free: the asker picks each time")),
    ] = "medium"
    own_flag_open: Annotated[bool, Meta(description=noted("Soldiers may enter the square of their own flag"))] = False
    dead_flags: Annotated[
        Literal["stay", "removed"], Meta(description=noted("The flag of a player who left stays to be taken, or goes"))
    ] = "stay"
    answering: Annotated[
        Literal["choice", "open"], Meta(description=noted("Answers are picked from four options, or typed"))
    ] = "choice"
    answer_seconds: Annotated[
        int, Meta(ge=0, le=120, description=noted("Seconds for an answer, 10 to 120; 0: no limit"))
    ] = 0
    skill: Annotated[
        tuple[Skill, ...],
        Meta(
            max_length=len(ARMIES),
            description=noted("How each seat answers: own, or percentages right for easy, medium and hard cards"),
        ),
    ] = ()  # seats beyond its end answer themselves
    turn_limit: Annotated[
        int, Meta(ge=0, le=3000, description=noted("Turns after which the largest army wins; 0: no limit"))
    ] = 300
    colours: Annotated[
        tuple[Army, ...], Meta(max_length=len(ARMIES), description=noted("The army of each seat"))
    ] = ()  # empty: by seat
    deck: Annotated[DeckName | Deck, Meta(description=noted("The cards, or a deck file of your own"))] = CURRENT

    def army(self, seat: int) -> Army:
        """Which army this seat leads (EG-1)."""
        return (self.colours or ARMIES)[seat]

    def skill_of(self, seat: int) -> Skill:
        """How this seat answers (EG-21)."""
        return self.skill[seat] if seat < len(self.skill) else "own"


PRESETS = {
    "standard": Options(),
    "quick": Options(board="quick"),
}
