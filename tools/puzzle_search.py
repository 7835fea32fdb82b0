"""Puzzles judged by a search, for games that have no table: found in games that the search plays, and checked deeper.

What is found by a quick search is searched again, with many times the nodes and with several seeds. It is kept if all
of them agree on the best action and it stays clearly better than the next one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from statistics import fmean
from typing import Any, cast

from astragal.analysis.puzzle_maker import Candidate, is_puzzle
from astragal.bots.choice import Bot, Limit
from astragal.bots.ismcts import IsmctsBot, IsmctsSettings
from astragal.bots.levels import spec_of
from astragal.bots.roster import make, parse
from astragal.core import options as option_values
from astragal.core.puzzle import PuzzleJudge
from astragal.core.rules import AnyRules, Game
from astragal.core.types import CHANCE, OVER

QUICK, DEEP = 600, 25_000  # nodes of a search
SEEDS = 3  # deep searches of a position
WORLDS = 8, 120  # deals of what is hidden, for a quick search and for a deep one
LONGEST = 500  # plies of a game
FIRST = 6  # plies before a puzzle may be found
A_GAME = 6  # puzzles of one game, at most


class _Worlds:
    """The rules of a game for searches of one view: what is hidden is dealt `most` times, then drawn from these."""

    def __init__(self, rules: AnyRules, most: int) -> None:
        self._rules, self._most = rules, most
        self._view: Any = None
        self._states: list[Any] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rules, name)

    def resample(self, view: Any, rng: Random) -> Any:
        if view is not self._view:
            self._view, self._states = view, []
        if len(self._states) < self._most:
            self._states.append(self._rules.resample(view, rng))
            return self._states[-1]
        return rng.choice(self._states)


class SearchGames:
    """Games of one table size under given options, played and judged by ISMCTS."""

    def __init__(self, game: Game, options: Any, players: int) -> None:
        self.game, self.players = game, players
        self.options = game.rules.seated(options, [True] * players)
        self.plain = option_values.to_plain(self.options)
        kind, settings = parse(spec_of(game, "master"), game)
        if kind != "ismcts":
            raise SystemExit(f"the master of {game.id} is no ismcts: give a table")
        prior = float(settings.get("prior_temperature", IsmctsSettings().prior_temperature))
        chosen = IsmctsSettings(prior_temperature=prior)
        quick, deep = (replace(game, rules=cast("AnyRules", _Worlds(game.rules, most))) for most in WORLDS)
        self._quick = IsmctsBot(quick, Limit(nodes=QUICK), chosen)
        self._deep = IsmctsBot(deep, Limit(nodes=DEEP), chosen)
        self._greedy: Bot = make("quick", game)

    def judge(self, errors: Sequence[float]) -> PuzzleJudge:
        """Who judged; `errors` are those of its candidates."""
        error = round(fmean(errors or [0.0]), 4)
        return PuzzleJudge(source="search", version=f"ismcts {SEEDS} x {DEEP}", exact=False, error=error)

    def candidates(self, seed: int, margin: float) -> Iterator[Candidate]:
        """The puzzles of one game."""
        rules, rng, left = self.game.rules, Random(seed), A_GAME
        state = rules.initial(self.options, self.players)
        for ply in range(LONGEST):
            turn = rules.turn(state)
            if turn == OVER or not left:
                return
            if turn == CHANCE:
                outcomes = rules.chance(state)
                action = rng.choices([one for one, _ in outcomes], [weight for _, weight in outcomes])[0]
            else:
                view = rules.observe(state, turn)
                choice = self._quick.choose(view, rng)
                action = choice.action
                if ply >= FIRST and len(choice.alternatives) > 2:
                    liked = self._greedy.choose(view, rng).action
                    values = [value for _, value in choice.alternatives]
                    places = [one for one, _ in choice.alternatives]
                    if is_puzzle(values, 0, places.index(liked), margin=margin):
                        checked = self._checked(state, liked, seed, margin)
                        if checked is not None:
                            left -= 1
                            yield checked
            state = rules.apply(state, action)

    def _checked(self, state: Any, liked: Any, seed: int, margin: float) -> Candidate | None:
        """The candidate, if deep searches agree. It is read from its notation, as people will see it."""
        rules = self.game.rules
        state = rules.from_position(rules.position(state), self.options, self.players)
        tables: list[dict[Any, float]] = []
        for number in range(SEEDS):
            view = rules.observe(state, rules.turn(state))  # a new one, so that everything is dealt anew
            choice = self._deep.choose(view, Random(seed * SEEDS + number))
            table = dict(choice.alternatives)
            if tables and choice.action != max(tables[0], key=lambda action: tables[0][action]):
                return None
            rest = [value for action, value in choice.alternatives if action != choice.action]
            if not rest or table[choice.action] - max(rest) < margin / 2:
                return None
            tables.append(table)
        means = {action: fmean(table[action] for table in tables) for action in rules.legal(state)}
        pairs = sorted(means.items(), key=lambda pair: -pair[1])
        values, actions = [value for _, value in pairs], [action for action, _ in pairs]
        if not is_puzzle(values, 0, actions.index(liked), margin=margin):
            return None
        error = fmean(abs(table[action] - means[action]) for action in actions[:2] for table in tables)
        return Candidate(state=state, values=tuple(pairs), tempting=liked, error=error)
