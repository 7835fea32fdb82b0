"""The contract every game keeps, and everything outside a game relies on.

Five types make a game: the whole truth about a position (state, S), what can be done to it (action, A), the
house rules (options, O), what one seat may know of it (view, V) and what one seat may know of an action (event,
E). All are frozen `msgspec.Struct`s; a state has its options in a field `options`, options derive from `BaseOptions`
and views from `BaseView`. `conform.check` tests the laws that go with this contract.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from msgspec import Struct

from astragal.core import position as positions
from astragal.core.language import meant, say
from astragal.core.lesson import Lesson
from astragal.core.levels import Level
from astragal.core.options import check_values
from astragal.core.puzzle import PuzzleKinds
from astragal.core.questions import Answered
from astragal.core.types import Begins, Schema, Spec, check_begins, check_players

if TYPE_CHECKING:  # they take their time to import
    import click

    from astragal.core.fast import Fast
    from astragal.core.solvable import Index, TableFormat


class BaseOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The house rules of any game. A game adds its own, each with a default; `core.options` says of which types."""

    begins: Begins = "lots"


S = TypeVar("S")
A = TypeVar("A")
O = TypeVar("O", bound=BaseOptions)  # noqa: E741


class BaseView(Struct, Generic[A, O], frozen=True, kw_only=True):
    """What every view has. A game adds what a seat may see of its own table."""

    seat: int | None  # whose view it is; None is a spectator's
    turn: int  # the seat to act, or CHANCE, or OVER
    options: O
    legal: tuple[A, ...]  # what `seat` may do now; empty unless it is to act

    def _repr_svg_(self) -> str | None:
        """A picture for notebooks, if the game is installed."""
        from astragal.core import registry  # which imports this module

        games = (game for game in registry.games().values() if game.rules.view_type is type(self))
        return next((game.presentation.svg(self) for game in games), None)


AnyView = BaseView[Any, Any]
V = TypeVar("V", bound=AnyView)
E = TypeVar("E", covariant=True)

# The same letters for what only takes such values in.
A_in = TypeVar("A_in", contravariant=True)
V_in = TypeVar("V_in", contravariant=True)
E_in = TypeVar("E_in", contravariant=True)


_last: tuple[Any, Any, Any, Any] = (None, None, None, None)  # rules, a state, an action, and where it leads


def keeps_last(apply: Callable[[Any, S, A], S]) -> Callable[[Any, S, A], S]:
    """Decorates `Rules.apply`, so that it gives its last result again instead of computing it a second time.

    A text that is read, played and told to several viewers asks for the same transition each time. States are compared
    by identity, which is right because they never change.
    """

    @functools.wraps(apply)
    def kept(rules: Any, s: S, a: A) -> S:
        whose, before, action, known = _last
        if before is s and whose is rules and action == a:
            after: S = known
            return after
        after = apply(rules, s, a)
        recall(rules, s, a, after)
        return after

    return kept


def recall(rules: Any, s: Any, a: Any, after: Any) -> None:
    """Makes a transition that the caller has kept the last one, before events are asked for it."""
    global _last
    _last = (rules, s, a, after)


class Rematch(Struct, frozen=True):
    """Who begins the next game of a pairing: settled by the rules, or left to one seat to say."""

    begins: Begins = "lots"
    chooser: int | None = None


class Thrown(Struct, frozen=True):
    """A throw or a draw as statistics count it."""

    seat: int  # whose it is
    what: str  # what fell, of all throws counted together: English, and a key of the catalogue
    face: str  # how it fell: a number, or English and a key of the catalogue; empty where that is not counted
    value: float  # what it counts, a multiple of one half


class Rules(Protocol[S, A, O, V, E]):
    """The rules of one game: pure functions of a state. Nothing here draws, stores, prints or waits."""

    spec: Spec
    state_type: Schema
    action_type: Schema
    options_type: Schema
    view_type: Schema
    event_type: Schema
    presets: Mapping[str, O]  # named sets of options; the first is the default
    position_leaves_out: tuple[
        str, ...
    ] = ()  # fields of a state that `position` drops: history that only allows claims

    def initial(self, options: O, players: int) -> S:
        """The position before anything happened. It begins with `check_options`, so it raises BadOptions."""
        ...

    def check_options(self, options: O, players: int) -> None:
        """Refuses options and numbers of players that nobody can play with. A game adds what only it knows."""
        check_players(self.spec, players)
        check_values(self, options)
        check_begins(options.begins, players)

    def earlier_options(self, version: int, plain: Mapping[str, Any]) -> dict[str, Any]:
        """What the options of a match played under an earlier version (`Spec.earlier`) are called now, as plain data.

        What that match left out had the defaults of its time, so they are written out where they have changed.
        """
        return dict(plain)

    def seated(self, options: O, bots: Sequence[bool]) -> O:
        """The options for this table, where it matters to the rules which seats are played by bots."""
        return options

    def players(self, s: S) -> int:
        """How many sit at the table, those who gave up included."""
        return len(self.returns(s))

    def turn(self, s: S) -> int:
        """The seat to act, or CHANCE, or OVER."""
        ...

    def legal(self, s: S) -> tuple[A, ...]:
        """Every action of the seat to act, never none; empty at CHANCE and OVER."""
        ...

    def accepts(self, s: S, a: A) -> bool:
        """Whether the seat to act may do this. Only games with open actions need their own answer."""
        return a in self.legal(s)

    def settled(self, s: S, a: A) -> A:
        """An action of a seat as records keep it: with what this program decided about it, where a later one might
        decide otherwise. Whatever the seat itself says about that does not count."""
        return a

    def claims(self, s: S) -> tuple[tuple[int, A], ...]:
        """What seats may do although it is not (only) their turn, such as claiming a draw."""
        return ()

    def narrowed(self, s: S, rng: Random) -> tuple[A, ...] | None:
        """Where the seat to act has to know something: what fair help takes away from its choice, drawn by `rng`.

        None where it has to judge, and a bot can advise. Whoever gives the help keeps what was drawn: drawn twice it
        would tell too much.
        """
        return None

    def seconds(self, s: S) -> int | None:
        """How long the rules let the seat to act think; then a clock claims `types.SILENCE` for it."""
        return None

    def chance(self, s: S) -> tuple[tuple[A, int], ...]:
        """The outcomes of one throw, tile or card with exact weights, in a fixed order; empty off CHANCE."""
        ...

    def thrown(self, s: S, a: A) -> Thrown | None:
        """An outcome of chance as statistics count it; None for what is nobody's throw, such as lots."""
        return None

    def apply(self, s: S, a: A) -> S:
        """The position after an action, an outcome or a claim. Raises IllegalAction.

        Decorated with `keeps_last` it is computed once for an action, however many viewers are told about it.
        """
        ...

    def returns(self, s: S) -> tuple[float, ...]:
        """Each seat's share of the one win there is; they sum to 1 once the game is over, to 0 before."""
        ...

    def observe(self, s: S, seat: int | None) -> V:
        """What this seat may know, its own legal actions included; None is a spectator."""
        ...

    def event(self, s: S, a: A, seat: int | None) -> E:
        """What this seat sees when `a` is done in `s`."""
        ...

    def resample(self, v: V, rng: Random) -> S:
        """Some state that would look like `v` to the seat that has it."""
        ...

    def encode(self, a: A) -> str:
        """The action as players write it: one line, with no spaces at its ends."""
        ...

    def decode(self, s: S, text: str) -> A:
        """The action a player means by this text. Raises BadNotation or IllegalAction, nothing else."""
        ...

    def position(self, s: S) -> str:
        """The position as one line of text, without its options; it holds all secrets. Unless a game has a notation
        of its own, that is the state as JSON."""
        return positions.as_json(s)

    def from_position(self, text: str, options: O, players: int) -> S:
        """The position that `position` wrote, or a person. Raises BadPosition, and BadOptions as `initial` does."""
        self.check_options(options, players)
        state: S = positions.from_json(text, self.initial(options, players), self.state_type)
        return state

    def rematch(self, began: int, returns: Sequence[float]) -> Rematch:
        """Who begins after a game that seat `began` began."""
        return Rematch()


class Presentation(Protocol[V_in, A_in, E_in]):
    """How a game looks and speaks. It sees views and events, never states."""

    topics: Mapping[str, tuple[str, str]] = MappingProxyType({})  # question -> what may follow it, and what it tells
    plural: bool = False  # whether the names of seats are plurals: Samurai win, Light wins

    def seat_name(self, seat: int, lang: str, v: V_in | None = None) -> str:
        """What the players call this seat, at this table if a view of it is given: Light, Samurai, ..."""
        ...

    def text(self, v: V_in, lang: str = "en", *, colour: bool = False, last: E_in | None = None) -> str:
        """The table in at most 80 columns; `last` is the event to mark."""
        ...

    def plain(self, v: V_in, lang: str) -> str:
        """The table in whole sentences, for a screen reader or a pipe."""
        ...

    def svg(self, v: V_in, lang: str = "en", *, last: E_in | None = None) -> str:
        """The table as a picture that stands alone."""
        ...

    def label(self, v: V_in, a: A_in, lang: str) -> str:
        """What an action does, in a few words beside its notation."""
        ...

    def say(self, event: E_in, lang: str) -> str:
        """What just happened, as one sentence."""
        ...

    def questions(self, lang: str) -> tuple[tuple[str, str], ...]:
        """What `ask` understands: a form such as `where b4`, and what it tells."""
        return tuple((f"{say(word).to(lang)}{more}", say(what).to(lang)) for word, (more, what) in self.topics.items())

    def ask(self, v: V_in, question: str, lang: str) -> str | None:
        """The answer to a question about the table, or None if it is no question of this game."""
        head, *rest = question.split() or [""]
        word = meant(head, self.topics, lang)
        return None if word is None else self.answer(v, word, rest, lang)

    def answer(self, v: V_in, topic: str, rest: Sequence[str], lang: str) -> str | None:
        """What the table says about one of the topics; None if `rest` does not fit it."""
        return None


class Heuristic(Protocol[V_in]):
    """A guess at how likely a seat wins: the log-odds, as a sum of reasons that have names.

    What is looked at is written by hand, what it weighs comes from a data file that `tools/tune.py` writes. A game with
    a compiled form uses `heuristic.KernelHeuristic`, so that its features are written once; another one may write
    `features` over views.
    """

    names: Mapping[str, str]  # feature -> a reason in English, a key of the catalogue; their order is that of `fast`
    weights: Mapping[str, float]
    prior_temperature: float = 0.1  # of the softmax over shares of the win by which a search tries actions first

    def features(self, v: V_in, seat: int) -> Mapping[str, float]:
        """What speaks for this seat (above 0) and against it, for each of `names`; differences to the others."""
        ...

    def terms(self, v: V_in, seat: int) -> Mapping[str, float]:
        """The features by their weights; their sum is the log-odds that this seat wins."""
        return {name: self.weights[name] * value for name, value in self.features(v, seat).items()}

    def terms_in(self, rules: AnyRules, s: Any, seat: int) -> Mapping[str, float]:
        """The terms of this seat's view of a state, for those who have the state anyway."""
        return self.terms(rules.observe(s, seat), seat)


class NoHeuristic(Heuristic[Any]):
    """For a game that has none: its bots play at random."""

    names: Mapping[str, str] = MappingProxyType({})
    weights: Mapping[str, float] = MappingProxyType({})

    def features(self, v: Any, seat: int) -> Mapping[str, float]:
        return {}


class Diagram(Struct, frozen=True):
    """A board drawn by the code for a rules page: as text for a terminal, as SVG for a browser."""

    text: str
    svg: str
    caption: str  # one sentence, also the picture's alternative text


@dataclass(frozen=True)
class GameCommand:
    """A command that a game adds to `astragal`; what it does is loaded when somebody calls it."""

    name: str
    help: str  # one sentence in English, and a key of the catalogue
    load: Callable[[str], click.Command]  # in this language; `astragal.console` has what commands are made of


AnyRules = Rules[Any, Any, Any, Any, Any]


@dataclass(frozen=True)
class Game:
    """All there is of one game: what an entry point of the group `astragal.games` names."""

    rules: AnyRules
    presentation: Presentation[Any, Any, Any]
    heuristic: Heuristic[Any] = field(default_factory=NoHeuristic)
    diagrams: Callable[[str], Mapping[str, Diagram]] = lambda _lang: {}  # by name, in this language
    fast: Callable[[Any, int], Fast[Any, Any]] | None = None  # for these options and so many players
    index: Callable[[Any], Index] | None = None  # for these options, if the game can be solved
    table_formats: Callable[[], Mapping[str, TableFormat]] = dict  # of other programs' tables, by their endings
    lesson: Lesson | None = None
    levels: Mapping[str, Level] | None = None  # its own opponents; None: those that `bots.levels` has for any game
    first_advantage: float = 0.0  # what beginning is worth with two players, in points of a rating
    accuracy_half: float = 0.007  # the loss a decision that halves the accuracy of a review (benchmarks/accuracy.py)
    commands: tuple[GameCommand, ...] = ()
    puzzles: PuzzleKinds | None = None
    # Which question an action answered in the state before it, of a game that asks some; for reports after the match.
    answered: Callable[[Any, Any], Answered | None] | None = None
    pages: Path | None = None  # a foreign game's own rules: a folder with en/ID.md, de/ID.md, es/ID.md, or one page

    @property
    def id(self) -> str:
        return self.rules.spec.id
