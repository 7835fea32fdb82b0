"""Tests whether a game keeps the contract: one call that the author of any game can make.

    >>> import astragal
    >>> from astragal.core.conform import check
    >>> print(check(astragal.game("ur"), games=3).ok)
    True

It plays random games under pairwise options and tests the laws on the way. A few states of each game, drawn
at random, get the slow questions; all of them get the quick ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import cycle, islice
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from astragal.core import agreement, fair, options, position_law, recordfile
from astragal.core.agreement import seats
from astragal.core.laws import LAWS, Broken, Finding, Report, under
from astragal.core.line import replay
from astragal.core.record import Acted, Claimed, Drew, Entry, Header, Record, Seat
from astragal.core.rules import AnyRules, BaseView, Game, recall
from astragal.core.types import CHANCE, OVER, PASS, BadNotation, IllegalAction
from astragal.core.walk import Walk

if TYPE_CHECKING:
    from astragal.core.fast import Fast

__all__ = ["LAWS", "Finding", "Report", "check", "reachable"]

MOST_TOY_STATES = 30_000
MOST_OUTCOMES = 1000  # more would be a product of several draws
RUBBISH = ("", " ", "-", "?", "0", "-1", "999999999999999999999", "pass pass", "\x00", "ſ\u0301٣", "x" * 5000)


def check(
    game: Game,
    *,
    games: int = 100,
    plies: int = 2000,
    seed: int = 0,
    share: float = 0.05,
    option_sets: Iterable[Any] | None = None,
    toy: Any = None,
    toy_players: int | None = None,
    toy_hides: bool = True,
) -> Report:
    """Plays `games` random games of at most `plies` plies and reports every law that broke.

    `share` of the states get the slow questions. `option_sets` replaces the pairwise options. With `toy`, options
    under which the game has only a few thousand states, laws 2 and 3 are also tested in full there; `toy_hides` is
    false where so small a game leaves nothing to hide.
    """
    report = Report(game.id)
    rng = Random(seed)
    met: list[Any] = []
    sets = list(option_sets) if option_sets is not None else list(options.pairwise(game.rules, rng))
    tables = cycle(
        (chosen, players) for chosen in sets for players in game.rules.spec.players if seats(chosen, players)
    )
    for number, (chosen, players) in enumerate(islice(tables, games)):
        examiner = _Examiner(game, report, Random(seed * 1_000_003 + number), share, met)
        try:
            examiner.play(chosen, players, plies)
        except Broken as broken:
            report.findings.append(Finding(broken.law, broken.what, examiner.where(number, seed, players, chosen)))
        except Exception as error:  # in a function that may raise nothing
            fault = f"the rules raise {type(error).__name__}: {error}"
            report.findings.append(Finding(6, fault, examiner.where(number, seed, players, chosen)))
        report.games += 1
    if option_sets is None and game.rules.spec.hidden and not report.guesses and not report.findings:
        fault = "the spec says that something is hidden, but every view gave the whole state away"
        report.findings.append(Finding(2, fault, f"{report.games} games of seed {seed}"))
    if toy is not None:
        try:
            _toy(game.rules, report, toy, toy_players or min(game.rules.spec.players), rng, hides=toy_hides)
        except Broken as broken:
            report.findings.append(Finding(broken.law, broken.what, f"the toy game {toy}"))
    return report


class _Examiner:
    """Tests the laws along one random game."""

    def __init__(self, game: Game, report: Report, rng: Random, share: float, met: list[Any]) -> None:
        self.game = game
        self.rules: AnyRules = game.rules
        self.fast: Fast[Any, Any] | None = None
        self.report = report
        self.rng = rng
        self.share = share
        self.ply = 0
        self.met = met  # actions of earlier states and games, to be tried where they are illegal

    def where(self, number: int, seed: int, players: int, chosen: Any) -> str:
        """The seed and the actions that lead to this position again, for a finding."""
        return f"game {number} of seed {seed}, ply {self.ply}, {players} players, {chosen}"

    def play(self, chosen: Any, players: int, plies: int) -> None:
        rules, rng = self.rules, self.rng
        walk = Walk(rules, rules.initial(chosen, players), rng)
        self.must(1, walk.state == rules.initial(chosen, players), "initial gives two different states")
        position_law.refused(rules, chosen, players, self.must)
        entries: list[Entry] = []
        drawn = 0
        while self.ply < plies:
            state, turn = walk.state, walk.turn
            self.must(6, turn in (CHANCE, OVER, *range(players)), f"turn is {turn!r} at a table of {players}")
            if turn == OVER:
                break
            self.node(state, turn)
            if self.ply == 0 or rng.random() < self.share:
                self.examine(state, turn, players, chosen)
            who, action, claimed = walk.choose()
            text = rules.encode(action)
            if who == CHANCE:
                weights = tuple(weight for _, weight in rules.chance(state))
                entries.append(Drew(drawn, text, weights))
                drawn += 1
            else:
                entries.append(Claimed(who, text) if claimed else Acted(who, text))
            with self.offered(action):
                walk.step(action)
            self.ply = walk.ply
        state = walk.state
        over = rules.turn(state) == OVER
        self.examine(state, rules.turn(state), players, chosen)
        if not over:
            self.must(6, bool(rules.spec.bound), f"no end after {plies} plies, and the spec names no bound")
        self.record(chosen, players, entries, state)
        self.report.plies += self.ply
        self.report.finished += over
        self.report.longest = max(self.report.longest, self.ply)

    def node(self, state: Any, turn: int) -> None:
        """The quick questions about one state."""
        rules = self.rules
        legal, outcomes = rules.legal(state), rules.chance(state)
        if turn == CHANCE:
            self.must(5, bool(outcomes) and not legal, "a chance node needs outcomes and no legal actions")
            weights = tuple(weight for _, weight in outcomes)
            exact = all(isinstance(weight, int) and weight > 0 for weight in weights)
            self.must(5, exact, f"the weights {weights} are not whole numbers above 0")
        else:
            self.must(6, bool(legal) and not outcomes, "a seat's turn needs legal actions and no outcomes")

    def apply(self, state: Any, action: Any) -> Any:
        recall(None, None, None, None)  # a law about `apply` must not be answered from memory
        with self.offered(action):
            return self.rules.apply(state, action)

    @contextmanager
    def offered(self, action: Any) -> Iterator[None]:
        """Every action that is offered is accepted and can be applied."""
        try:
            yield
        except IllegalAction as error:
            raise Broken(6, f"{action} is offered but refused: {error}") from error

    def examine(self, state: Any, turn: int, players: int, chosen: Any) -> None:
        """The slow questions about one state."""
        self.shape(state, turn, players)
        if turn == CHANCE:
            self.chances(state)
        elif turn != OVER:
            self.actions(state, turn)
        self.refusals(state)
        for seat in (None, *range(players)):
            self.sight(state, turn, seat)
        for seat, claim in self.rules.claims(state):
            self.must(6, 0 <= seat < players, f"a claim by seat {seat}")
            self.apply(state, claim)
            self.same_text(state, claim)
        position_law.compare(self.rules, state, chosen, players, self.rng, self.must)
        if self.game.fast is not None:
            if self.fast is None:
                with under(7, "fast"):
                    self.fast = self.game.fast(chosen, players)
            agreement.compare(self.game, self.fast, state, self.must)
            agreement.play(self.fast, self.fast.pack(state), players, self.rng, self.must)

    def shape(self, state: Any, turn: int, players: int) -> None:
        rules = self.rules
        self.must(1, hash(state) == hash(msgspec.structs.replace(state)), "equal states have different hashes")
        self.round_trip(state, rules.state_type, "state")
        shares = rules.returns(state)
        self.must(6, len(shares) == players, f"returns of {len(shares)} seats for {players} players")
        self.must(6, rules.players(state) == players, f"{rules.players(state)} players at a table of {players}")
        expected = 1 if turn == OVER else 0
        self.must(6, abs(sum(shares) - expected) < 1e-9, f"returns {shares} should sum to {expected}")
        self.must(6, min(shares) >= 0, f"returns {shares} have a share below 0")
        if turn == OVER:
            self.must(6, not rules.legal(state) and not rules.chance(state), "there is something to do after the end")

    def chances(self, state: Any) -> None:
        outcomes = self.rules.chance(state)
        self.must(5, outcomes == self.rules.chance(state), "outcomes come in another order the second time")
        self.must(5, len(outcomes) <= MOST_OUTCOMES, f"{len(outcomes)} outcomes: more than one draw in one node")
        for outcome, _ in outcomes:
            self.round_trip(outcome, self.rules.action_type, "outcome")
            result = self.apply(state, outcome)
            self.must(1, result == self.apply(state, outcome), f"{outcome} gives two different states")
            self.same_text(state, outcome)
        after = {self.apply(state, outcome) for outcome, _ in outcomes}
        self.must(5, len(after) == len(outcomes), "two outcomes play alike and should be merged")

    def actions(self, state: Any, turn: int) -> None:
        rules = self.rules
        legal = rules.legal(state)
        before = msgspec.msgpack.encode(state)
        self.must(6, legal == rules.legal(state), "legal actions come in another order the second time")
        after = set()
        for action in legal:
            self.must(6, rules.accepts(state, action), f"{action} is legal but not accepted")
            self.round_trip(action, rules.action_type, "action")
            result = self.apply(state, action)
            self.must(1, result == self.apply(state, action), f"{action} gives two different states")
            settled = rules.settled(state, action)
            self.must(6, settled == action or self.apply(state, settled) == result, f"{action} is settled as another")
            self.same_text(state, action)
            after.add(result)
        self.must(6, msgspec.msgpack.encode(state) == before, "apply changed its argument")
        if not rules.spec.open_actions:
            self.must(6, len(after) == len(legal), "two legal actions have the same result")
        if any(rules.encode(action) == PASS for action in legal):
            self.must(6, len(legal) == 1, f"{PASS!r} is for a seat that can do nothing else")

    def refusals(self, state: Any) -> None:
        """What is not possible here is refused, whoever is to act: actions of other states, and rubbish."""
        rules = self.rules
        legal, outcomes = rules.legal(state), [outcome for outcome, _ in rules.chance(state)]
        allowed = {*legal, *outcomes, *(claim for _, claim in rules.claims(state))}
        for action in self.met:
            if action not in allowed:
                self.refused(state, action)
        for outcome in outcomes:
            self.must(6, not rules.accepts(state, outcome), f"{outcome} is chance's, but accepted from a seat")
        self.met[:] = [*self.rng.sample(self.met, min(8, len(self.met))), *legal[:4], *outcomes[:2]]
        if not rules.spec.open_actions:
            self.rubbish(state, allowed)

    def rubbish(self, state: Any, allowed: set[Any]) -> None:
        for text in RUBBISH:
            try:
                action = self.rules.decode(state, text)
            except (BadNotation, IllegalAction):
                continue
            except Exception as error:
                raise Broken(6, f"reading {text!r} raises {type(error).__name__}: {error}") from error
            self.must(6, action in allowed, f"{text!r} is read as {action}, which is not possible here")

    def refused(self, state: Any, action: Any) -> None:
        if self.rules.spec.open_actions and self.rules.accepts(state, action):
            self.apply(state, action)
            return
        self.must(6, not self.rules.accepts(state, action), f"{action} is accepted but not legal")
        try:
            self.rules.apply(state, action)
        except IllegalAction as error:
            self.must(6, bool(error.rule), f"{action} is refused without a rule's id")
        else:
            raise Broken(6, f"{action} is not legal, but apply does it")

    def same_text(self, state: Any, action: Any) -> None:
        text = self.rules.encode(action)
        self.must(6, text == text.strip() and len(text.splitlines()) == 1, f"{text!r} is not one plain line")
        with under(6, f"reading back {text!r}"):
            again = self.rules.decode(state, text)
        self.must(6, again == action, f"{text!r} reads back as another action than {action}")

    def sight(self, state: Any, turn: int, seat: int | None) -> None:
        rules = self.rules
        view = rules.observe(state, seat)
        self.must(2, isinstance(view, rules.view_type) and rules.view_type is not rules.state_type, "a view is a state")
        known = isinstance(view, BaseView) and (view.seat, view.turn) == (seat, turn)
        self.must(2, known and isinstance(view.options, rules.options_type), f"the view of seat {seat} is not its own")
        self.round_trip(view, rules.view_type, "view")
        mine = rules.legal(state) if seat is not None and seat == turn else ()
        self.must(2, tuple(view.legal) == mine, f"the view of seat {seat} does not carry just its own legal actions")
        for action in (rules.legal(state) or [outcome for outcome, _ in rules.chance(state)])[:2]:
            self.round_trip(rules.event(state, action, seat), rules.event_type, "event")
        with under(3, "resample"):
            guess = rules.resample(view, self.rng)
        self.must(3, rules.observe(guess, seat) == view, f"a resampled state looks different to seat {seat}")
        self.report.guesses += guess != state
        if not rules.spec.hidden:
            self.must(3, guess == state, "nothing is hidden, but resample gives another state")

    def record(self, chosen: Any, players: int, entries: list[Entry], final: Any) -> None:
        seeds = tuple(None for _ in range(players))
        header = Header(
            game=self.game.id,
            version=self.rules.spec.version,
            match="conform",
            seats=tuple(Seat("bot:random") for _ in range(players)),
            options=options.to_plain(chosen),
            fair=fair.Dice(b"conform", seeds, "conform").fairness(opened=False),
        )
        result = self.rules.returns(final) if self.rules.turn(final) == OVER else None
        record = Record(header=header, entries=tuple(entries), result=result)
        with under(4, "replaying the record"):
            self.must(4, replay(record, self.game).state == final, "a replayed record ends elsewhere")
            for form in (recordfile.to_json, recordfile.to_text):
                again = recordfile.parse(form(record), game=self.game)
                self.must(4, again == record, f"{form.__name__} reads back differently")

    def round_trip(self, value: Any, kind: Any, label: str) -> None:
        for codec in (msgspec.json, msgspec.msgpack):
            with under(4, f"writing and reading a {label}"):
                again = codec.decode(codec.encode(value), type=kind)
            self.must(4, again == value, f"a {label} does not survive {codec.__name__}")

    def must(self, law: int, holds: bool, fault: str) -> None:
        self.report.asked[law] += 1
        if not holds:
            raise Broken(law, fault)


def reachable(rules: AnyRules, chosen: Any, players: int) -> set[Any]:
    """Every state of a game so small that all can be listed; else law 3 cannot be tested on it."""
    first = rules.initial(chosen, players)
    reached, queue = {first}, [first]
    while queue:
        state = queue.pop()
        outcomes = (outcome for outcome, _ in rules.chance(state))
        claims = (claim for _, claim in rules.claims(state))
        for action in (*rules.legal(state), *outcomes, *claims):
            after = rules.apply(state, action)
            if after not in reached:
                reached.add(after)
                queue.append(after)
        if len(reached) > MOST_TOY_STATES:
            raise Broken(3, f"the toy game has more than {MOST_TOY_STATES} states")
    return reached


def _toy(rules: AnyRules, report: Report, chosen: Any, players: int, rng: Random, *, hides: bool) -> None:
    """Law 3 in full: what resample can give is exactly what the seat must hold for possible."""
    reached = reachable(rules, chosen, players)
    if rules.spec.hidden:
        _secrets(rules, report, reached, players, hides=hides)
    for seat in (None, *range(players)):
        possible: dict[bytes, set[Any]] = {}
        for state in reached:
            possible.setdefault(msgspec.msgpack.encode(rules.observe(state, seat)), set()).add(state)
        for states in possible.values():
            view = rules.observe(next(iter(states)), seat)
            tries = 1 if len(states) == 1 else 40 * len(states)
            guesses = {rules.resample(view, rng) for _ in range(tries)}
            report.asked[3] += 1
            if guesses != states:
                missing, extra = len(states - guesses), len(guesses - states)
                raise Broken(
                    3, f"resample for seat {seat} misses {missing} possible states and invents {extra}: {view}"
                )


def _secrets(rules: AnyRules, report: Report, reached: set[Any], players: int, *, hides: bool) -> None:
    """Law 2 in full: views leave something open where they should, and what chance did is told no further than they."""
    report.asked[2] += 1
    open_to_all = True
    for seat in (None, *range(players)):
        views = {state: msgspec.msgpack.encode(rules.observe(state, seat)) for state in reached}
        open_to_all &= len(set(views.values())) == len(reached)
        revealed: dict[tuple[bytes, bytes], Any] = {}
        for state in reached:
            # What a player does is seen by all, and may reveal something; what chance did may not.
            for outcome, _ in rules.chance(state):
                event = rules.event(state, outcome, seat)
                around = views[state], views[rules.apply(state, outcome)]
                if revealed.setdefault(around, event) != event:
                    raise Broken(2, f"to seat {seat} two events differ where nothing else it may know does: {event}")
    if open_to_all and hides:
        raise Broken(2, "the spec says that something is hidden, but everybody can tell all states apart")
