"""Plays the games of a contest directly on the rules, without a `Match` and without fair dice."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from itertools import accumulate
from random import Random
from typing import Any

from msgspec import Struct

from astragal import bots
from astragal.arena.job import BotFailure, Job, Round, seatings
from astragal.arena.luck import LuckJudge
from astragal.arena.records import make_record
from astragal.bots.claiming import final_claims
from astragal.core import options as option_tools
from astragal.core import registry
from astragal.core.record import Acted, Claimed, Drew, Entry, Record
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

    def draw(self, rules: AnyRules, state: Any) -> tuple[Any, Any]:
        """What is drawn here, and the position after it."""
        outcomes = rules.chance(state)
        likely = rules.apply(state, outcomes[-1][0])
        key = (type(outcomes[0][0]).__name__, rules.turn(likely))
        stream = self._streams.get(key)
        if stream is None:
            stream = self._streams[key] = Random(f"{self._seed}|{key[0]}|{key[1]}")
        sums = list(accumulate(weight for _, weight in outcomes))
        index = bisect(sums, stream.random() * sums[-1])
        drawn = outcomes[index][0]
        return drawn, likely if index == len(outcomes) - 1 else rules.apply(state, drawn)


class Played(Struct, frozen=True):
    """How one game ended."""

    shares: tuple[float, ...]  # of each seat
    plies: int
    cut: bool
    faults: tuple[tuple[int, str], ...]  # seat and what was wrong
    luck: float | None = None  # what chance did for the first bot, if that was asked for
    entries: tuple[Entry, ...] = ()  # what happened, if it was to be recorded


class PlayedRound(Struct, frozen=True):
    """A round, and the records of its games if they were asked for."""

    round: Round
    records: tuple[Record, ...] = ()


def play(
    rules: AnyRules,
    options: Any,
    seats: Sequence[bots.Bot],
    dice: MirroredDice,
    luck: Sequence[Random],
    most_plies: int,
    *,
    recording: bool = False,
    judge: LuckJudge | None = None,
    mine: Sequence[int] = (),
) -> Played:
    """One game between these bots, each with its own luck. A judge says what chance did for the seats `mine`."""
    state = rules.initial(options, len(seats))
    plies = drawn = 0
    faults: list[tuple[int, str]] = []
    entries: list[Entry] = []
    gained = None if judge is None else 0.0
    while (turn := rules.turn(state)) != OVER:
        if plies == most_plies:
            even = (1 / len(seats),) * len(seats)
            return Played(even, plies, True, tuple(faults), gained, tuple(entries))
        if turn == CHANCE:
            action, after = dice.draw(rules, state)
            if judge is not None and gained is not None:
                gained += judge.gain(state, action, mine)
            if recording:
                weights = tuple(weight for _, weight in rules.chance(state))
                entries.append(Drew(drawn, rules.encode(action), weights))
            drawn += 1
        else:
            choice = _choice(rules, state, seats[turn], luck[turn])
            action, after = choice.action, rules.apply(state, choice.action)
            if choice.fault is not None:
                faults.append((turn, str(choice.fault)))
            if recording and choice.claim:
                entries.append(Claimed(turn, rules.encode(action)))
            elif recording:
                entries.append(Acted(turn, rules.encode(rules.settled(state, action))))
        state = after
        plies += 1
    return Played(rules.returns(state), plies, False, tuple(faults), gained, tuple(entries))


def _choice(rules: AnyRules, state: Any, bot: bots.Bot, luck: Random) -> bots.Choice:
    """What the bot of the seat to act chooses; it is not asked where it has no choice."""
    turn = rules.turn(state)
    view = rules.observe(state, turn)
    forced = len(view.legal) == 1 and not rules.spec.open_actions
    if forced and next(final_claims(rules, state, mine=turn), None) is None:
        return bots.Choice(view.legal[0])
    return bot.choose(view, luck)


class RoundPlayer:
    """All that a process needs to play rounds of a contest; its bots are made once."""

    def __init__(self, job: Job, game: Game | None = None, *, recording: bool = False) -> None:
        """`game` is for a game that is not installed."""
        self.job, self.recording = job, recording
        self.game = game or registry.game(job.game)
        self.options = option_tools.convert(self.game.rules, job.options)
        by_spec = {spec: bots.make(spec, self.game) for spec in job.bots}
        self.bots = [by_spec[spec] for spec in job.bots]
        self.judge = LuckJudge(self.game, self.options, job.players) if job.without_luck else None

    def round(self, number: int) -> PlayedRound:
        """The round that comes as this number in the contest."""
        pairing, round = self.job.task(number)
        pair = [self.bots[bot] for bot in self.job.pairings[pairing]]
        seed = f"{self.job.seed}|{pairing}|{round}"
        games = play_games(
            self.game.rules,
            self.options,
            (pair[0], pair[1]),
            players=self.job.players,
            seed=seed,
            most_plies=self.job.most_plies,
            recording=self.recording,
            judge=self.judge,
        )
        records = tuple(
            make_record(self.job, number, n, ended.entries, None if ended.cut else ended.shares, seed)
            for n, ended in enumerate(games if self.recording else ())
        )
        return PlayedRound(summed_up(games, pairing=pairing, round=round), records)


def play_games(
    rules: AnyRules,
    options: Any,
    pair: tuple[bots.Bot, bots.Bot],
    *,
    players: int,
    seed: str,
    most_plies: int,
    recording: bool = False,
    judge: LuckJudge | None = None,
) -> list[Played]:
    """Two bots with one stream of dice in every seating."""
    games = []
    for game, seating in enumerate(seatings(players)):
        luck = [Random(f"{seed}|{game}|{seat}") for seat in range(players)]
        seats = [pair[who] for who in seating]
        mine = [seat for seat, who in enumerate(seating) if who == 0]
        dice = MirroredDice(seed)
        games.append(play(rules, options, seats, dice, luck, most_plies, recording=recording, judge=judge, mine=mine))
    return games


def play_round(
    rules: AnyRules, options: Any, pair: tuple[bots.Bot, bots.Bot], *, players: int, seed: str, most_plies: int
) -> Round:
    """A round outside a contest."""
    return summed_up(play_games(rules, options, pair, players=players, seed=seed, most_plies=most_plies))


def summed_up(games: Sequence[Played], *, pairing: int = 0, round: int = 0) -> Round:
    """The round that these games make, one of every seating."""
    shares = []
    wrong: tuple[list[str], list[str]] = ([], [])
    for ended, seating in zip(games, seatings(len(games[0].shares)), strict=True):
        shares.append(sum(share for share, who in zip(ended.shares, seating, strict=True) if who == 0))
        for seat, failure in ended.faults:
            wrong[seating[seat]].append(failure)
    return Round(
        pairing=pairing,
        round=round,
        shares=tuple(shares),
        plies=tuple(ended.plies for ended in games),
        cut=sum(ended.cut for ended in games),
        luck=tuple(ended.luck for ended in games if ended.luck is not None),
        faults=tuple(BotFailure(bot, len(failures), failures[0]) for bot, failures in enumerate(wrong) if failures),
    )
