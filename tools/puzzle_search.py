"""Puzzles judged by a search, where there is no table: found in games that the search plays, and checked deeper.

What a quick search finds is searched again, with many times the nodes and more than once. It is kept if all of these
searches agree on the best action and it stays clearly better than the next one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from random import Random
from statistics import fmean
from typing import Any, Protocol, cast

import msgspec

from astragal.analysis.puzzle_maker import FEWEST, Candidate, is_puzzle
from astragal.bots.choice import Bot, Choice, Limit
from astragal.bots.expectimax import ExpectimaxBot
from astragal.bots.ismcts import IsmctsBot, IsmctsSettings
from astragal.bots.levels import spec_of
from astragal.bots.roster import make, parse
from astragal.core import options as option_values
from astragal.core.puzzle import PuzzleJudge
from astragal.core.rules import AnyRules, AnyView, Game
from astragal.core.types import CHANCE, OVER

QUICK, DEEP = 600, 25_000  # nodes of a search in determinizations
SEEDS = 3  # deep searches of a position, each with its own luck
WORLDS = 8, 120  # deals of what is hidden, for a quick search and for a deep one
DEEPER = (3_000, 60_000)  # nodes of the searches through all throws, which have no luck
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


class _Searches(Protocol):
    """A quick search that plays, and deep ones that check what it finds."""

    version: str
    deep: int  # how many deep searches there are

    def quickly(self, view: AnyView, rng: Random) -> Choice: ...

    def deeply(self, view: AnyView, number: int, rng: Random) -> Choice: ...


class _Determinized(_Searches):
    """ISMCTS; the deep searches differ in their luck. For games with secrets, or for more than two."""

    version, deep = f"ismcts {SEEDS} x {DEEP}", SEEDS

    def __init__(self, game: Game) -> None:
        _, settings = parse(spec_of(game, "master"), game)
        rest = {key: value for key, value in settings.items() if key not in Limit.__struct_fields__}
        chosen = msgspec.structs.replace(msgspec.convert(rest, IsmctsSettings, strict=False), candidates=0)
        quick, deep = (replace(game, rules=cast("AnyRules", _Worlds(game.rules, most))) for most in WORLDS)
        self._quick = IsmctsBot(quick, Limit(nodes=QUICK), chosen)
        self._deep = IsmctsBot(deep, Limit(nodes=DEEP), chosen)

    def quickly(self, view: AnyView, rng: Random) -> Choice:
        return self._quick.choose(view, rng)

    def deeply(self, view: AnyView, number: int, rng: Random) -> Choice:
        return self._deep.choose(view, rng)


class _ThroughThrows(_Searches):
    """Expectimax by the game's network, or its heuristic; the deep searches differ in how far they look."""

    version, deep = f"expectimax {' and '.join(map(str, DEEPER))}", len(DEEPER)

    def __init__(self, game: Game) -> None:
        self._quick = ExpectimaxBot(game, Limit(nodes=1))
        self._deep = [ExpectimaxBot(game, Limit(nodes=nodes)) for nodes in DEEPER]

    def quickly(self, view: AnyView, rng: Random) -> Choice:
        return self._quick.choose(view, rng)

    def deeply(self, view: AnyView, number: int, rng: Random) -> Choice:
        return self._deep[number].choose(view, rng)


class SearchGames:
    """Games of one table size under given options, played and judged by a search.

    With `wanted` only puzzles of these kinds are looked for; without, all.
    """

    def __init__(self, game: Game, options: Any, players: int, wanted: Collection[str] = ()) -> None:
        self.game, self.players, self._wanted = game, players, wanted
        self.options = game.rules.seated(options, [True] * players)
        self.plain = option_values.to_plain(self.options)
        spec = game.rules.spec
        many = spec.hidden or max(spec.players) > 2
        self._searches: _Searches = _Determinized(game) if many else _ThroughThrows(game)
        self._greedy: Bot = make("quick", game)

    def judge(self, errors: Sequence[float]) -> PuzzleJudge:
        """Who judged; `errors` are those of its candidates."""
        error = round(fmean(errors or [0.0]), 4)
        return PuzzleJudge(source="search", version=self._searches.version, exact=False, error=error)

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
                choice = self._searches.quickly(view, rng)
                action = choice.action
                if ply >= FIRST and len(choice.alternatives) >= FEWEST:
                    candidate = self._candidate(state, view, choice, rng, margin)
                    if candidate is not None:
                        left -= 1
                        yield candidate
            state = rules.apply(state, action)

    def _candidate(self, state: Any, view: AnyView, choice: Choice, rng: Random, margin: float) -> Candidate | None:
        """What a quick search takes for a puzzle of a wanted kind, if the deep ones do too."""
        liked = self._greedy.choose(view, rng).action
        actions, values = zip(*choice.alternatives, strict=True)
        if not is_puzzle(values, 0, actions.index(liked), margin=margin):
            return None
        kinds = self.game.puzzles
        if self._wanted and kinds is not None and kinds.kind(state, choice.action, liked) not in self._wanted:
            return None
        return self.checked(state, liked, rng.getrandbits(32), margin)

    def checked(self, state: Any, liked: Any, seed: int, margin: float) -> Candidate | None:
        """The candidate, if deep searches agree. It is read from its notation, as people will see it."""
        rules = self.game.rules
        state = rules.from_position(rules.position(state), self.options, self.players)
        tables: list[dict[Any, float]] = []
        for number in range(self._searches.deep):
            view = rules.observe(state, rules.turn(state))  # a new one, so that everything is dealt anew
            choice = self._searches.deeply(view, number, Random(seed + number))
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

    def still_best(self, state: Any, best: Any, seed: int) -> bool:
        """Whether deep searches with other luck find the answer of a puzzle, and a greedy player does not."""
        rules = self.game.rules
        view = rules.observe(state, rules.turn(state))
        if self._greedy.choose(view, Random(seed)).action == best:
            return False
        found = 0
        for number in range(self._searches.deep):
            view = rules.observe(state, rules.turn(state))
            found += self._searches.deeply(view, number, Random(seed + number)).action == best
        return found == self._searches.deep
