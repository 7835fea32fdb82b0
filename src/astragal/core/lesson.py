"""A lesson: a game told move by move on its real board, for somebody who has never played it.

A game writes its lesson in its own notation (`games/ur/lesson.py` is an example), and the rules play it. So a lesson
can only show what is possible, and a changed rule that spoils it is noticed by the tests.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from astragal.core.language import say

if TYPE_CHECKING:
    from astragal.core.rules import Game


class Task(Struct, frozen=True, kw_only=True):
    """One page: something happens, something is explained, and the learner does one action or reads on."""

    text: str  # English, and a key of the catalogue
    before: tuple[str, ...] = ()  # what happens first, in the notation of the game: draws, and moves of the others
    want: str = ""  # the action to be done; empty: only to be read
    why: str = ""  # why that was good: English, and a key of the catalogue


class Lesson(Struct, frozen=True, kw_only=True):
    """The pages, and the table they are played at. The learner has seat 0."""

    options: Any
    players: int = 2
    tasks: tuple[Task, ...]


class Shown(Struct, frozen=True, kw_only=True):
    """A position of a lesson as the learner sees it, and the event that led to it."""

    view: Any
    event: Any = None
    text: str = ""  # the event as a sentence


class Page(Struct, frozen=True, kw_only=True):
    """A page in one language, with everything a client needs to show it."""

    text: str
    before: tuple[Shown, ...]  # the last of them is where the learner acts
    actions: tuple[tuple[str, str], ...]  # what may be done there: notation, and what it means
    want: str
    why: str
    after: Shown | None  # what the wanted action leads to


def pages(game: Game, lang: str) -> tuple[Page, ...]:
    """The whole lesson of a game; empty if it has none. Raises what the rules object to."""
    return () if game.lesson is None else tuple(_pages(game, game.lesson, lang))


def _pages(game: Game, lesson: Lesson, lang: str) -> Iterator[Page]:
    rules, look = game.rules, game.presentation
    state = rules.initial(lesson.options, lesson.players)
    here = Shown(view=rules.observe(state, 0))

    def play(text: str) -> Shown:
        nonlocal state
        action = rules.decode(state, text)
        event = rules.event(state, action, 0)
        state = rules.apply(state, action)
        return Shown(view=rules.observe(state, 0), event=event, text=look.say(event, lang))

    for task in lesson.tasks:
        before = tuple(play(text) for text in task.before) or (here,)
        view = before[-1].view
        actions = tuple((rules.encode(action), look.label(view, action, lang)) for action in view.legal)
        after = play(task.want) if task.want else None
        here = Shown(view=(after or before[-1]).view)
        why = say(task.why).to(lang) if task.why else ""
        yield Page(text=say(task.text).to(lang), before=before, actions=actions, want=task.want, why=why, after=after)
