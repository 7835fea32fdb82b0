"""The interface of bots: one gets a view and a limit, and returns a `Choice` with values and reasons."""

from __future__ import annotations

from random import Random
from typing import Annotated, Any, Protocol

from msgspec import Meta, Struct

from astragal.core.language import Text
from astragal.core.rules import AnyView


class Limit(Struct, frozen=True, forbid_unknown_fields=True):
    """How far a bot may think. Whichever comes first ends the search; a bot without any takes its own default.

    A node is one position searched (expectimax) or one simulation (ismcts).
    """

    time: Annotated[float, Meta(gt=0, le=600)] | None = None  # seconds
    nodes: Annotated[int, Meta(ge=1, le=1_000_000_000)] | None = None
    depth: Annotated[int, Meta(ge=1, le=60)] | None = None  # decisions looked ahead


class Choice(Struct, frozen=True):
    """What a bot would do, how good it thinks that is, and why."""

    action: Any
    value: float | None = None  # the share of the win it expects; None where it cannot tell
    alternatives: tuple[tuple[Any, float], ...] = ()  # every legal action with its value, the choice first; or none
    reasons: tuple[str, ...] = ()  # sentences of the heuristic, English, keys of the catalogue
    nodes: int = 0  # how many it searched
    depth: int = 0  # how many decisions it looked ahead in full
    claim: bool = False  # the action is none of `view.legal` but a claim (`Rules.claims`)
    by: str = ""  # the bot that chose, where it is not the one that was asked
    fault: Text | None = None  # what went wrong then; None: the bot that was asked is still being compiled


class Bot(Protocol):
    """A player that sees only what its seat may see."""

    name: str = ""  # as it is written behind `bot:`
    limit: Limit = Limit()

    def prepare(self, view: AnyView) -> None:
        """Whatever takes its time before the first choice under such options, such as compiling.

        Where people wait it runs in a thread of its own, maybe beside a choice in a match under other options.
        """
        return

    def choose(self, view: AnyView, rng: Random) -> Choice:
        """One of `view.legal`, or a claim of this seat."""
        ...
