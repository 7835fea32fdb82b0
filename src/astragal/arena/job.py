"""What is played in a contest: pairings, seatings, rounds.

A contest is a round robin: every two bots make a pairing (two bots make one, a match). A round of a pairing is one
stream of dice, played once in every seating. At a table of two that is a game and its mirror. At a larger table each
of the two bots sits alone against copies of the other, in every seat: so both have sat in every seat equally often,
alone and in company, and equally strong bots share the wins evenly at a table of any size.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from astragal.core import options as option_tools
from astragal.core.language import say
from astragal.core.rules import Game
from astragal.core.types import AstragalError, check_players

MOST_PLIES = 10_000  # a game that takes longer is broken off, and its win shared
LEAST_ROUNDS = 2  # fewer say nothing about how far luck goes


class BadContest(AstragalError):
    """A contest that cannot be held."""


class Job(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All that decides how each game of a contest goes. How many there are does not: more may follow later."""

    form: int = 1  # of the file that begins with this
    game: str
    version: int  # of the game's rules
    options: dict[str, Any]
    players: int
    bots: tuple[str, ...]
    seed: str
    most_plies: int = MOST_PLIES
    without_luck: bool | UnsetType = UNSET  # whether it is noted how lucky bots were; else it is not in the file

    @property
    def pairings(self) -> tuple[tuple[int, int], ...]:
        """Every two bots, by their places in `bots`."""
        return tuple(combinations(range(len(self.bots)), 2))

    def task(self, number: int) -> tuple[int, int]:
        """The pairing and the round that come as number so-and-so: all pairings play a round, then the next."""
        round, pairing = divmod(number, len(self.pairings))
        return pairing, round


class BotFailure(Struct, frozen=True):
    """How often a bot crashed or took too long in a round, and what was wrong the first time."""

    bot: int  # 0 or 1, within the pairing
    times: int
    first: str


class Round(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One stream of dice in all seatings: what the first bot of the pairing won in each, and the plies it took."""

    pairing: int
    round: int
    shares: tuple[float, ...]
    plies: tuple[int, ...]
    cut: int = 0  # games broken off after too many plies
    luck: tuple[float, ...] = ()  # what chance did for the first bot in each, if that was asked for (see `luck`)
    faults: tuple[BotFailure, ...] = ()

    @property
    def score(self) -> float:
        """The first bot's share of the wins of this round: what statistics count, since its games are alike."""
        return sum(self.shares) / len(self.shares)

    @property
    def without_luck(self) -> tuple[float, ...]:
        """What the first bot won in each game, less what chance did for it; below 0 and above 1 too."""
        return tuple(share - luck for share, luck in zip(self.shares, self.luck, strict=True))


def make_job(
    game: Game, bots: tuple[str, ...], *, players: int, options: Any, seed: str, most_plies: int = MOST_PLIES,
    without_luck: bool = False,
) -> Job:  # fmt: skip
    """The job of a contest. Raises BadContest and BadOptions."""
    check_players(game.rules.spec, players)
    if len(bots) < 2:
        raise BadContest(say("a contest needs at least two bots, such as --bots greedy,random"))
    chosen = game.rules.seated(options, [True] * players)
    game.rules.initial(chosen, players)  # refuses options that do not go together
    return Job(
        game=game.id,
        version=game.rules.spec.version,
        options=option_tools.to_plain(chosen),
        players=players,
        bots=bots,
        seed=seed,
        most_plies=most_plies,
        without_luck=True if without_luck else UNSET,
    )


def seatings(players: int) -> tuple[tuple[int, ...], ...]:
    """Who sits where in the games of a round: 0 is the first bot of the pairing, 1 the second.

    >>> seatings(2)
    ((0, 1), (1, 0))
    >>> seatings(3)
    ((0, 1, 1), (1, 0, 1), (1, 1, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))
    """
    alone = [tuple(int(seat != lone) for seat in range(players)) for lone in range(players)]
    company = [tuple(1 - who for who in seating) for seating in alone]
    return tuple(dict.fromkeys(alone + company))


def rounds_for(games: int, players: int) -> int:
    """How many rounds hold at least so many games of a pairing."""
    each = len(seatings(players))
    if games < LEAST_ROUNDS * each:
        raise BadContest(
            say(
                "{games} games are too few: a pairing at a table of {players} needs at least {least}",
                games=games,
                players=players,
                least=LEAST_ROUNDS * each,
            )
        )
    return -(-games // each)
