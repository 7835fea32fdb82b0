"""EGAR, historical combat with questions. The ids (EG-1 ...) are those of docs/rules/*/egar.md.

A turn runs through the phases of `state.Phase`. Moving and fighting are in `combat`, the question in `quiz`, who is
left and whose turn it is in `state`; this module ties them to the contract.

What is hidden (EG-21): a state knows the cards and which option is right. A view has only what is printed on the
open card. `resample` therefore puts a sealed deck in the place of the real one, whose cards are blank, and draws
anew which of the options is right. Nobody at the table knows the texts of cards to come and no rule but the judging
of typed answers reads them, so a search in such a state misses nothing it may know and finds nothing it may not.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import cast

from msgspec.structs import replace

from astragal.core import checked
from astragal.core.language import noted, say
from astragal.core.rules import Rules, Thrown, keeps_last
from astragal.core.types import CHANCE, OVER, BadOptions, IllegalAction, Spec
from astragal.games.egar import combat, notation, observation, position, quiz
from astragal.games.egar.actions import (
    COUNT,
    DIE,
    DONE,
    SILENCE,
    Action,
    Ask,
    Attack,
    Begins,
    Choose,
    Count,
    Done,
    Draw,
    GiveUp,
    Know,
    Order,
    Resign,
    Roll,
    Silence,
    Step,
    Take,
    Type,
)
from astragal.games.egar.board import ground
from astragal.games.egar.check import faults
from astragal.games.egar.deck import Deck, sealed
from astragal.games.egar.options import BOT_SKILL, PRESETS, Options, Skill
from astragal.games.egar.state import Fight, Question, State, living, next_living, next_turn, without
from astragal.games.egar.view import Event, View

SHORTEST_CLOCK = 10
CHANCES = frozenset({"lots", "roll", "fight", "card", "order"})
MOVERS = frozenset({"move", "attack", "level", "pick"})


class EgarRules(Rules[State, Action, Options, View, Event]):
    """Pure functions of a State; see `core.rules.Rules` for what each one means."""

    spec = Spec(
        id="egar",
        title=noted("EGAR"),
        summary=noted("Historical combat: march on the enemy's flag, and know your history or lose your soldiers."),
        version=1,
        players=(2, 3, 4),
        hidden=True,
        open_actions=True,
        bound=noted("the turn limit; without one, a game goes on as long as the players neither fight nor err"),
    )
    state_type = State
    action_type = Action
    options_type = Options
    view_type = View
    event_type = Event
    presets = PRESETS

    def check_options(self, options: Options, players: int) -> None:
        super().check_options(options, players)
        if players not in ground(options.board).flags:
            raise BadOptions("board", say("this board has no camps for {players} players", players=players))
        if 0 < options.answer_seconds < SHORTEST_CLOCK:
            raise BadOptions("answer_seconds", say("{least} to 120, or 0 for no limit", least=SHORTEST_CLOCK))
        if options.colours and (len(options.colours) != players or len(set(options.colours)) != players):
            raise BadOptions("colours", say("{players} players need as many different armies", players=players))
        if len(options.skill) > players:
            raise BadOptions("skill", say("there are only {players} seats", players=players))
        known = sealed(options.deck)
        if not any(known.size(level) for level in quiz.levels_of(replace(options, deck=known))):
            raise BadOptions("deck", say("it has no cards of the level {level}", level=options.level))
        if isinstance(options.deck, Deck):
            _check_deck(options.deck)

    def initial(self, options: Options, players: int) -> State:
        self.check_options(options, players)
        known = replace(options, deck=sealed(options.deck))
        deck = options.deck if isinstance(options.deck, str) else checked.shared(options.deck)
        camps = ground(options.board).camps[players]
        if options.begins == "lots":
            return State(known, deck, camps, "lots", 0)
        return State(known, deck, camps, "roll", options.begins)

    def seated(self, options: Options, bots: Sequence[bool]) -> Options:
        """Bots answer by chance (EG-21), unless the options say otherwise for that seat."""
        chosen = options.skill
        skill: list[Skill] = [
            chosen[n] if n < len(chosen) else BOT_SKILL if bot else "own" for n, bot in enumerate(bots)
        ]
        too_many = chosen[len(bots) :]  # kept, so that `initial` refuses them
        return replace(options, skill=(*skill, *too_many)) if any(bots) else options

    def players(self, s: State) -> int:
        return len(s.armies)

    def turn(self, s: State) -> int:
        if s.phase in CHANCES:
            return CHANCE
        if s.phase in MOVERS:
            return s.mover
        if s.phase == "answer":
            return CHANCE if quiz.by_chance(s) else s.asked.seat
        return OVER

    def legal(self, s: State) -> tuple[Action, ...]:
        match s.phase:
            case "move":
                return (*combat.steps(s), *combat.attacks(s), DONE)
            case "attack":
                return (*combat.attacks(s), DONE)
            case "level":
                return tuple(Ask(level) for level in quiz.levels_of(s.options))
            case "answer":
                return quiz.answers(s)
            case "pick":
                return quiz.picks(s)
        return ()

    def accepts(self, s: State, a: Action) -> bool:
        """Besides the legal actions, any text answers a question that is to be answered in own words (EG-20)."""
        return quiz.fits(s, a) if s.phase == "answer" else a in self.legal(s)

    def settled(self, s: State, a: Action) -> Action:
        """A typed answer is kept with its judgement (EG-20)."""
        return quiz.settled(s, a) if isinstance(a, Type) else a

    def claims(self, s: State) -> tuple[tuple[int, Action], ...]:
        """With three or four players anybody left may resign (EG-16); the clock may end the wait for an answer (EG-20).

        Silence is a claim, not a legal action, because only the clock gives it: whoever runs the table claims it for
        the asked seat when `answer_seconds` are over. So is counting a typed answer: only all players do it.
        """
        claims: list[tuple[int, Action]] = []
        if s.phase == "over":
            return ()
        if s.phase == "answer" and s.options.answer_seconds and not quiz.by_chance(s):
            claims.append((s.asked.seat, SILENCE))
        if s.phase == "answer" and s.options.answering == "open" and not quiz.by_chance(s):
            claims.append((s.asked.seat, COUNT))
        if len(s.armies) > 2:  # with two the table ends the match
            claims += [(seat, Resign(seat)) for seat in living(s)]
        return tuple(claims)

    def narrowed(self, s: State, rng: Random) -> tuple[Action, ...] | None:
        return quiz.taken_away(s, rng) if s.phase == "answer" and not quiz.by_chance(s) else None

    def seconds(self, s: State) -> int | None:
        asked = s.phase == "answer" and not quiz.by_chance(s)
        return s.options.answer_seconds or None if asked else None

    def chance(self, s: State) -> tuple[tuple[Action, int], ...]:
        match s.phase:
            case "lots":
                return tuple((Begins(seat), 1) for seat in living(s))
            case "roll":
                return tuple((fall, 1) for fall in DIE)
            case "fight":
                return combat.falls(cast("Fight", s.fight))
            case "card":
                return tuple((Draw(card), 1) for card in quiz.cards_left(s))
            case "order":
                return quiz.orders(s)
            case "answer" if quiz.by_chance(s):
                return quiz.knowledge(s)
        return ()

    def thrown(self, s: State, a: Action) -> Thrown | None:
        if not isinstance(a, Roll):
            return None
        if s.phase == "roll":
            return Thrown(s.mover, noted("Dice for steps"), str(a.low), a.low)
        fight = cast("Fight", s.fight)
        roller = s.mover if fight.thrown < fight.dice else combat.owner(s, fight.target)
        assert roller is not None
        # numbers that play alike are one outcome; their middle keeps the mean of a die
        return Thrown(roller, noted("Combat dice"), "", (a.low + a.high) / 2)

    @keeps_last
    def apply(self, s: State, a: Action) -> State:
        match a:
            case Step():
                return combat.step(s, a)
            case Roll():
                return combat.roll(s, a) if s.phase == "fight" else _roll(s, a)
            case Attack():
                return combat.attack(s, a)
            case Done():
                if s.phase not in ("move", "attack"):
                    raise IllegalAction("EG-4", say("there are no moves or attacks to end now"))
                return quiz.put(s)
            case Ask():
                return quiz.ask(s, a)
            case Draw():
                return quiz.draw(s, a)
            case Order():
                return quiz.order(s, a)
            case Choose() | Type() | GiveUp():
                return quiz.answer(s, a)
            case Know():
                return quiz.know(s, a)
            case Take():
                return quiz.take(s, a)
            case Silence():
                if (s.phase != "answer") or (s.asked.seat, a) not in self.claims(s):
                    raise IllegalAction("EG-20", say("no clock runs for an answer here"))
                return quiz.answered(s, right=False)
            case Count():
                if (s.phase != "answer") or (s.asked.seat, a) not in self.claims(s):
                    raise IllegalAction("EG-20", say("there is no typed answer to count here"))
                return quiz.answered(s, right=True)
            case Resign():
                return _resign(s, a)
            case Begins():
                if s.phase != "lots" or a.seat not in living(s):
                    raise IllegalAction("EG-3", say("lots cannot fall on this seat here"))
                return replace(s, phase="roll", mover=a.seat)

    def returns(self, s: State) -> tuple[float, ...]:
        return tuple([1 / len(s.won) if seat in s.won else 0.0 for seat in range(len(s.armies))])

    def observe(self, s: State, seat: int | None) -> View:
        return observation.view(s, seat, self.turn(s), self.legal(s) if seat == self.turn(s) else ())

    def event(self, s: State, a: Action, seat: int | None) -> Event:
        """The same for everybody: what is secret about a card is secret from all."""
        return observation.event(s, a, self.apply(s, a))

    def resample(self, v: View, rng: Random) -> State:
        number = ground(v.options.board).number
        clash = v.clash
        fight = None
        if clash is not None:
            fight = Fight(number[clash.target], number[clash.risk], clash.dice, clash.thrown, clash.best)
        question = None
        if v.question is not None:
            put = v.question
            chosen_from = len(put.face.options) if put.face and v.options.skill_of(put.seat) == "own" else 0
            right = rng.randrange(chosen_from) if chosen_from else None
            question = Question(put.seat, put.level, put.card, put.face, right)
        return State(
            options=v.options,
            deck=cast("Deck", v.options.deck),
            armies=tuple(tuple([number[square] for square in army]) for army in v.armies),
            phase=v.phase,
            mover=v.mover,
            points=v.points,
            turns=v.turns,
            fight=fight,
            question=question,
            used=v.used,
            won=v.won,
        )

    def encode(self, a: Action) -> str:
        return str(a)

    def decode(self, s: State, text: str) -> Action:
        return notation.decode(self, s, text)

    def position(self, s: State) -> str:
        return position.write(s)

    def from_position(self, text: str, options: Options, players: int) -> State:
        self.check_options(options, players)
        return position.read(text, options, players)


def _check_deck(deck: Deck) -> None:
    """Refuses a faulty deck, also one that did not come from a file (EC-7); the same deck is checked once."""
    digest = checked.digest(deck)
    if not checked.trusted(digest):
        if fault := next(faults(deck), None):
            raise BadOptions("deck", fault.text())
        checked.trust(digest)


def _roll(s: State, a: Roll) -> State:
    """The die that says how many squares the mover's soldiers may go (EG-5)."""
    if s.phase != "roll" or a not in DIE:
        raise IllegalAction("EG-5", say("no die can show this here"))
    return replace(s, phase="move", points=a.low)


def _resign(s: State, a: Resign) -> State:
    """All soldiers of a seat leave the board (EG-16), and what it had a part in lapses."""
    if len(s.armies) == 2 or s.phase == "over" or not (0 <= a.seat < len(s.armies) and s.armies[a.seat]):
        raise IllegalAction("EG-16", say("nobody can resign so here"))
    after = without(s, a.seat, *s.armies[a.seat])
    if after.phase in ("over", "lots"):
        return after
    if a.seat == s.mover:
        return next_turn(after, next_living(after, a.seat))
    if s.question is not None and a.seat == s.question.seat:
        return next_turn(after, a.seat)
    if s.phase in ("attack", "fight") and (s.fight is None or s.fight.target in s.armies[a.seat]):
        return combat.settle(replace(after, phase="attack", fight=None))
    return after
