"""Constants, errors and the `Spec` that every game, bot, server and client share."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from astragal.core.language import Text, noted, say

CHANCE = -1
"""To act: nobody at the table. Dice, a bag or a deck decides."""

OVER = -2
"""To act: nobody any more. The game is decided."""

PASS = "pass"  # noqa: S105  no password
"""The notation, in every game, of an action that only says "I can do nothing". Clients may play it unasked."""

SILENCE = "silence"
"""The notation, in every game, of the claim that a clock makes for a seat whose time by the rules is over."""

COUNT = "count-answer"
"""The notation, in every game where a program judges answers, of the claim that a refused answer counts.
The players make it together: it stands behind the entry `Counted` and is never claimed by a seat."""


def resignation(seat: int) -> str:
    """The notation, in every game for more than two, of the claim by which a seat gives up and the others play on."""
    return f"resign-{seat + 1}"


def whole(pattern: str) -> str:
    """A pattern that a whole text fits. (In Python a `$` alone lets a line break follow; JSON Schema has no `\\Z`.)"""
    return rf"^(?:{pattern})$(?!\n)"


PRINTABLE = r"[^\x00-\x1f\x7f-\x9f\u2028\u2029]"
"""A character that leaves text on its line: no control character and no line break of any script."""

Begins = Annotated[
    int | Literal["lots"],
    Meta(description=noted("Who begins: a seat, or lots")),
]
"""The option every game has: a seat (from 0), or `lots`, which the game draws by its own rule."""

Schema = Any
"""What msgspec reads and writes: a struct, or a union of tagged structs (which Python does not call a type)."""


class Spec(Struct, frozen=True, kw_only=True):
    """What a game is, for everybody who does not know its rules."""

    id: str
    title: str  # English, and a key of the catalogue
    summary: str  # one sentence, likewise
    version: int  # raised whenever the same record would replay to another state
    earlier: tuple[int, ...] = ()  # versions whose matches still replay alike, by `Rules.earlier_options`
    players: tuple[int, ...]  # the numbers of players it can be played with
    hidden: bool = False  # is there something that not everybody knows?
    private: bool = False  # ... and does a seat see what the others must not, so that sharing a screen takes care?
    open_actions: bool = False  # may an action be free text, so that `legal` cannot list them all?
    bound: str = ""  # what ends a game that its rules alone might not end; empty: they always do

    def replays(self, version: int) -> bool:
        """Whether a match that was played under this version can be replayed."""
        return version == self.version or version in self.earlier


class AstragalError(Exception):
    """An error that a user can put right, with a sentence in every language. All our errors derive from it."""

    def __init__(self, text: Text) -> None:
        super().__init__(text)
        self.text = text

    def to(self, lang: str) -> str:
        """The whole message in this language."""
        return self.text.to(lang)

    def __str__(self) -> str:
        return self.to("en")

    def __reduce__(self) -> tuple[Any, ...]:
        """Errors come from other processes too, with whatever their kind adds to the sentence."""
        return _revive, (type(self), self.args, self.__dict__)


def _revive(kind: type[AstragalError], args: tuple[Any, ...], attributes: dict[str, Any]) -> AstragalError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(attributes)
    return error


class IllegalAction(AstragalError):
    """An action that a rule of the game forbids here; `rule` is that rule's id."""

    def __init__(self, rule: str, text: Text) -> None:
        super().__init__(text)
        self.rule = rule

    def to(self, lang: str) -> str:
        return f"{self.text.to(lang)} ({self.rule})"


class BadNotation(AstragalError):
    """A text that is no action of this game, legal or not."""


class BadPosition(AstragalError):
    """A text that is no position of this game: the column where it goes wrong (from 1), and in which part."""

    def __init__(self, column: int, part: str, text: Text) -> None:
        super().__init__(text)
        self.column = column
        self.part = part  # English, and a key of the catalogue; or a word of the notation itself

    @property
    def whole(self) -> Text:
        """The whole message: where, and what."""
        where = {"column": self.column, "part": say(self.part), "reason": self.text}
        return say("position, column {column} ({part}): {reason}", **where)

    def to(self, lang: str) -> str:
        return self.whole.to(lang)


class BadOptions(AstragalError):
    """Options a game cannot be played with; `field` is the one to change."""

    def __init__(self, field: str, text: Text) -> None:
        super().__init__(text)
        self.field = field

    def to(self, lang: str) -> str:
        return say("option {field}: {reason}", field=self.field, reason=self.text).to(lang)


class BadFile(AstragalError):
    """A file that cannot be used: where it goes wrong, and why."""

    def __init__(self, name: str, line: int | None, text: Text) -> None:
        super().__init__(text)
        self.name = name
        self.line = line

    def to(self, lang: str) -> str:
        if self.line is None:
            return say("{file}: {reason}", file=self.name, reason=self.text).to(lang)
        where = say("{file}, line {line}: {reason}", file=self.name, line=self.line, reason=self.text)
        return where.to(lang)


def check_begins(begins: Begins, players: int) -> None:
    """Refuses an option `begins` that names no seat of this table."""
    if isinstance(begins, int) and not 0 <= begins < players:
        raise BadOptions(
            "begins", say("there is no seat {seat} at a table of {players}", seat=begins + 1, players=players)
        )


def check_players(spec: Spec, players: int) -> None:
    """Refuses a number of players this game is not made for."""
    if players not in spec.players:
        allowed = ", ".join(map(str, spec.players))
        raise BadOptions(
            "players", say("{game} is for {allowed} players, not {n}", game=spec.id, allowed=allowed, n=players)
        )
