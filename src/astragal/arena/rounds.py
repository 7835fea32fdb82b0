"""Plays the games of a contest directly on the rules, without records or fair dice."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from itertools import accumulate
from random import Random
from typing import Any

from msgspec import Struct

from astragal import bots
from astragal.arena.job import BotFailure, Job, Round, seatings
from astragal.bots.claiming import final_claims
from astragal.core import options as option_tools
from astragal.core import registry
from astragal.core.rules import AnyRules, Game
from astragal.core.types import CHANCE, OVER


class MirroredDice:
    """Common random numbers: whatever the bots do, the n-th draw of a kind uses the same random number.

    Draws are told apart by what is drawn and by who is to act after it, so that in the mirrored game each seat has the
    throws that the other bot had in it, even after the two games have parted. Where the odds differ, a low number stays
    a low number: it picks from the outcomes in their order.
    """

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._streams: dict[tuple[str, int], Random] = {}

    def draw(self, rules: AnyRules, state: Any) -> Any:
        """The position after this draw."""
        outcomes = rules.chance(state)
        likely = rules.apply(state, outcomes[-1][0])
        key = (type(outcomes[0][0]).__name__, rules.turn(likely))
        stream = self._streams.get(key)
        if stream is None:
            stream = self._streams[key] = Random(f"{self._seed}|{key[0]}|{key[1]}")
        sums = list(accumulate(weight for _, weight in outcomes))
        index = bisect(sums, stream.random() * sums[-1])
        return likely if index == len(outcomes) - 1 else rules.apply(state, outcomes[index][0])


class Played(Struct, frozen=True):
    """How one game ended."""

    shares: tuple[float, ...]  # of each seat
    plies: int
    cut: bool
    faults: tuple[tuple[int, str], ...]  # seat and what was wrong


def play(
    rules: AnyRules,
    options: Any,
    seats: Sequence[bots.Bot],
    dice: MirroredDice,
    luck: Sequence[Random],
    most_plies: int,
) -> Played:
    """One game between these bots, each with its own luck."""
    state = rules.initial(options, len(seats))
    plies = 0
    faults: list[tuple[int, str]] = []
    while (turn := rules.turn(state)) != OVER:
        if plies == most_plies:
            return Played((1 / len(seats),) * len(seats), plies, True, tuple(faults))
        if turn == CHANCE:
            state = dice.draw(rules, state)
        else:
            view = rules.observe(state, turn)
            forced = len(view.legal) == 1 and not rules.spec.open_actions
            if forced and next(final_claims(rules, state, mine=turn), None) is None:
                action = view.legal[0]
            else:
                choice = seats[turn].choose(view, luck[turn])
                action = choice.action
                if choice.fault is not None:
                    faults.append((turn, str(choice.fault)))
            state = rules.apply(state, action)
        plies += 1
    return Played(rules.returns(state), plies, False, tuple(faults))


class RoundPlayer:
    """All that a process needs to play rounds of a contest; its bots are made once."""

    def __init__(self, job: Job, game: Game | None = None) -> None:
        """`game` is for a game that is not installed."""
        self.job = job
        self.game = game or registry.game(job.game)
        self.options = option_tools.convert(self.game.rules, job.options)
        by_spec = {spec: bots.make(spec, self.game) for spec in job.bots}
        self.bots = [by_spec[spec] for spec in job.bots]

    def round(self, number: int) -> Round:
        """The round that comes as this number in the contest."""
        pairing, round = self.job.task(number)
        pair = [self.bots[bot] for bot in self.job.pairings[pairing]]
        return play_round(
            self.game.rules,
            self.options,
            (pair[0], pair[1]),
            players=self.job.players,
            seed=f"{self.job.seed}|{pairing}|{round}",
            most_plies=self.job.most_plies,
            pairing=pairing,
            round=round,
        )


def play_round(
    rules: AnyRules,
    options: Any,
    pair: tuple[bots.Bot, bots.Bot],
    *,
    players: int,
    seed: str,
    most_plies: int,
    pairing: int = 0,
    round: int = 0,
) -> Round:
    """Two bots with one stream of dice in every seating."""
    shares, plies, cut = [], [], 0
    wrong: tuple[list[str], list[str]] = ([], [])
    for game, seating in enumerate(seatings(players)):
        luck = [Random(f"{seed}|{game}|{seat}") for seat in range(players)]
        ended = play(rules, options, [pair[who] for who in seating], MirroredDice(seed), luck, most_plies)
        shares.append(sum(share for share, who in zip(ended.shares, seating, strict=True) if who == 0))
        plies.append(ended.plies)
        cut += ended.cut
        for seat, failure in ended.faults:
            wrong[seating[seat]].append(failure)
    faults = tuple(BotFailure(bot, len(failures), failures[0]) for bot, failures in enumerate(wrong) if failures)
    return Round(pairing=pairing, round=round, shares=tuple(shares), plies=tuple(plies), cut=cut, faults=faults)
