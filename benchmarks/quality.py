"""How good the games are: do they end, are they fair, is there something to decide?

Bots play each game among themselves, with every number of players. Printed are the plies of a game, how games end,
what each seat wins and what whoever acts first, second and so on wins, how often the lead changes (the seat that the
heuristic likes best), in how many decisions there is more than one action, and the kinds of actions. Shares have 95 %
intervals.

    python -m benchmarks.quality --games 400 --processes 16 --bots quick,master:ladder --json > quality.json
    python -m benchmarks.quality --only ur-modern --set layout=lanes --games 200
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from random import Random
from statistics import mean, median, stdev
from typing import Any

import msgspec
from msgspec import Struct

import astragal
from astragal import bots
from astragal.arena.rounds import MirroredDice
from astragal.arena.stats import share
from astragal.bots.claiming import final_claims
from astragal.core import options as option_tools
from astragal.core.rules import AnyRules, Game
from astragal.core.types import CHANCE, OVER, PASS
from astragal.play.match import MOST_BOT_PLIES


class Table(Struct, frozen=True):
    """What is played: a game under some options, by so many copies of one bot."""

    game: str
    players: int
    bot: str
    chosen: dict[str, str] = {}

    def options(self) -> Any:
        """The options of the game, for a table of bots."""
        rules = astragal.rules(self.game)
        known = {field.name: field for field in option_tools.fields(rules)}
        asked = {name: known[name].read(text) for name, text in self.chosen.items()}
        return rules.seated(option_tools.build(rules, None, asked), [True] * self.players)

    @property
    def title(self) -> str:
        """The table in a few words."""
        chosen = "".join(f", {name} {value}" for name, value in self.chosen.items())
        return f"{self.game}{chosen}, {self.players} players, {self.bot}"


class Course(Struct, frozen=True):
    """How one game went."""

    shares: tuple[float, ...]
    first: int  # the seat that acted first
    plies: int
    ending: str
    leads: int  # how often the lead changed
    decisions: int
    choices: int  # decisions between at least two actions
    kinds: dict[str, int]


def course(table: Table, seed: str, most_plies: int = MOST_BOT_PLIES) -> Course:
    """One game. One that is broken off has the ending `unfinished`."""
    game = astragal.game(table.game)
    rules, options = game.rules, table.options()
    players = [_bot(table.bot, game)] * table.players
    luck = [Random(f"{seed}|{seat}") for seat in range(table.players)]
    dice, state = MirroredDice(seed), rules.initial(options, table.players)
    leads = Leads(game, options, table.players)
    first, plies, decisions, choices = -1, 0, 0, 0
    kinds: Counter[str] = Counter()
    while (turn := rules.turn(state)) != OVER and plies < most_plies:
        plies += 1
        if turn == CHANCE:
            _, state = dice.draw(rules, state)
            continue
        first = turn if first < 0 else first
        leads.look(state, turn)
        view = rules.observe(state, turn)
        decisions += 1
        choices += len(view.legal) > 1
        action = view.legal[0]
        if len(view.legal) > 1 or next(final_claims(rules, state, mine=turn), None) is not None:
            choice = players[turn].choose(view, luck[turn])
            if choice.fault is not None:
                raise SystemExit(f"{table.title}, seed {seed}: {choice.fault}")
            action = choice.action
        kinds[_kind(rules, state, action)] += 1
        state = rules.apply(state, action)
    if turn != OVER:
        even = (1 / table.players,) * table.players
        return Course(even, first, plies, "unfinished", leads.changes, decisions, choices, dict(kinds))
    shares, ending = rules.returns(state), _ending(table.game, state)
    return Course(shares, first, plies, ending, leads.changes, decisions, choices, dict(kinds))


class Leads:
    """Who leads, and how often that changed: looked at where another seat is to act, and only clear leads count."""

    CLEAR = 0.1  # log-odds

    def __init__(self, game: Game, options: Any, players: int) -> None:
        if game.fast is None:
            raise SystemExit(f"{game.id} has no compiled rules to see the lead by")
        self._fast = game.fast(options, players)
        self._weights = [game.heuristic.weights[name] for name in game.heuristic.names]
        self._last = self._leader = -1
        self.changes = 0

    def look(self, state: Any, turn: int) -> None:
        """Sees a position in which this seat is to act."""
        if turn == self._last:
            return
        self._last = turn
        packed, size = self._fast.pack(state), len(self._weights)
        seen = (self._fast.features(packed, seat, size) for seat in range(self._fast.players))
        odds = [sum(weight * value for weight, value in zip(self._weights, one, strict=True)) for one in seen]
        second, top = sorted(odds)[-2:]
        if top - second < self.CLEAR:
            return
        leader = odds.index(top)
        self.changes += leader != self._leader and self._leader >= 0
        self._leader = leader


_bots: dict[tuple[str, str], bots.Bot] = {}


def _bot(spec: str, game: Game) -> bots.Bot:
    """The bot of this name; made once in a process."""
    key = (game.id, spec)
    if key not in _bots:
        _bots[key] = bots.make(spec, game)
    return _bots[key]


def _kind(rules: AnyRules, state: Any, action: Any) -> str:
    """What kind of action this is; placing on the Entrance of ur-modern is one of its own."""
    notation = rules.encode(action)
    name = type(action).__name__.lower()
    if rules.spec.id == "ur-modern" and name == "place":
        from astragal.games.ur_modern.board import ground

        on_entrance = action.square == ground(state.options.layout).entrance[state.seat]
        return "place on the Entrance" if on_entrance else "place elsewhere"
    return notation if notation in (PASS, "done", "stop") else name


def _ending(game: str, state: Any) -> str:
    """How a game that is over ended."""
    if game == "nile":
        from astragal.games.nile.state import ending

        return str(ending(state))
    if game == "egar":
        limit = state.options.turn_limit
        if limit and state.turns >= limit:
            return "turn limit"
        return "last army" if sum(map(bool, state.armies)) == 1 else "flag"
    return "draw claimed" if getattr(state, "drawn", False) else "won"


class Figure(Struct, frozen=True):
    """A mean, and half the width of its 95 % interval."""

    mean: float
    margin: float


class Report(Struct, frozen=True):
    """What many games of a table were like."""

    table: Table
    games: int
    plies: Figure
    median_plies: float
    longest: int
    endings: dict[str, float]
    seats: tuple[tuple[float, float, float], ...]  # share of the win with its interval, of each seat
    order: tuple[tuple[float, float, float], ...]  # of whoever acted first, second, ...
    leads: Figure
    choices: Figure
    kinds: dict[str, float]

    @property
    def favoured(self) -> tuple[int, ...]:
        """The seats whose share is further from even than luck allows (four standard errors)."""
        even, n = 1 / self.table.players, self.games
        error = (even * (1 - even) / n) ** 0.5
        return tuple(seat for seat, (value, _, _) in enumerate(self.seats) if abs(value - even) > 4 * error)


def report(table: Table, played: Sequence[Course]) -> Report:
    """The figures of these games."""
    seats = range(table.players)
    kinds: Counter[str] = Counter()
    for one in played:
        kinds.update(one.kinds)
    endings = Counter(one.ending for one in played)
    return Report(
        table=table,
        games=len(played),
        plies=_figure(one.plies for one in played),
        median_plies=median(one.plies for one in played),
        longest=max(one.plies for one in played),
        endings={name: times / len(played) for name, times in endings.most_common()},
        seats=tuple(_share([one.shares[seat] for one in played]) for seat in seats),
        order=tuple(_share([one.shares[(one.first + later) % table.players] for one in played]) for later in seats),
        leads=_figure(one.leads for one in played),
        choices=_figure(one.choices / one.decisions for one in played),
        kinds={name: times / kinds.total() for name, times in kinds.most_common()},
    )


def _figure(values: Iterable[float]) -> Figure:
    found = list(values)
    return Figure(mean(found), 1.96 * stdev(found) / len(found) ** 0.5 if len(found) > 1 else 0.0)


def _share(values: Sequence[float]) -> tuple[float, float, float]:
    found = share(values)
    return found.value, found.low or 0.0, found.high or 1.0


def measure(table: Table, games: int, processes: int = 1, seed: str = "quality") -> Report:
    """The report of so many games."""
    seeds = [f"{seed}|{number}" for number in range(games)]
    if processes == 1:
        return report(table, [course(table, one) for one in seeds])
    with ProcessPoolExecutor(processes) as pool:
        return report(table, list(pool.map(course, [table] * games, seeds, chunksize=max(1, games // processes // 4))))


def tables(only: str | None, specs: Sequence[str], chosen: Mapping[str, str], players: int | None) -> list[Table]:
    """Every game with every number of players and every bot that was asked for."""
    return [
        Table(game.id, count, spec, dict(chosen))
        for game in astragal.games().values()
        if only in (None, game.id)
        for count in game.rules.spec.players
        if players in (None, count)
        for spec in specs
    ]


def _percent(values: tuple[float, float, float]) -> str:
    value, low, high = values
    return f"{100 * value:.0f} ({100 * low:.0f}-{100 * high:.0f})"


HEAD = (
    "| table | games | plies (longest) | endings | % by seat | % by order | lead changes | real choice |\n"
    "|---|---|---|---|---|---|---|---|"
)


def row(found: Report) -> str:
    """A line of the table in docs/results.md."""
    plies = f"{found.plies.mean:.0f} ± {found.plies.margin:.0f} ({found.longest})"
    return (
        f"| {found.table.title} | {found.games} | {plies} | "
        f"{', '.join(f'{name} {100 * often:.0f} %' for name, often in found.endings.items())} | "
        f"{', '.join(map(_percent, found.seats))} | {', '.join(map(_percent, found.order))} | "
        f"{found.leads.mean:.1f} ± {found.leads.margin:.1f} | {100 * found.choices.mean:.0f} % |"
    )


def main(argv: Sequence[str] | None = None) -> None:
    """Prints the table, or JSON, and fails if a game did not end."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quality", description=__doc__)
    parser.add_argument("--only", help="this game, instead of all")
    parser.add_argument("--players", type=int, help="this many players, instead of every number")
    parser.add_argument("--bots", default="quick,master:ladder", help="bots, with commas between them")
    parser.add_argument("--set", action="append", default=[], metavar="OPTION=VALUE", help="an option of the game")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--kinds", action="store_true", help="also the shares of the kinds of actions")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(argv)
    chosen = dict(one.split("=", 1) for one in given.set)
    reports = []
    if not given.json:
        print(HEAD)
    for table in tables(given.only, given.bots.split(","), chosen, given.players):
        found = measure(table, given.games, given.processes)
        reports.append(found)
        if not given.json:
            print(row(found), flush=True)
            if given.kinds:
                print("    " + ", ".join(f"{name} {100 * often:.1f} %" for name, often in found.kinds.items()))
    if given.json:
        print(json.dumps(msgspec.to_builtins(reports), indent=1))
    unending = [found.table.title for found in reports if "unfinished" in found.endings]
    if unending:
        sys.exit(f"games that did not end: {'; '.join(unending)}")


if __name__ == "__main__":
    main()
