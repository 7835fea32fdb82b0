"""A lesson: a game told move by move on its real board, for somebody who has never played it.

A game writes its lesson in its own notation (`games/ur/lesson.py` is an example), and the rules play it. So a lesson
can only show what is possible, and a changed rule that spoils it is noticed by the tests.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from astragal.core.language import say

if TYPE_CHECKING:
    from astragal.core.rules import Game


class Task(Struct, frozen=True, kw_only=True):
    """One page: something happens, something is explained, and the learner acts or reads on.

    Texts are English, and keys of the catalogue.
    """

    text: str
    before: tuple[str, ...] = ()  # what happens first, in the notation of the game: draws, and moves of the others
    want: tuple[str, ...] = ()  # the actions to be done, one after the other; none: only to be read
    then: tuple[str, ...] = ()  # what follows at once: the dice of an attack, tiles that are drawn
    why: str = ""  # why that was good
    otherwise: str = ""  # what to say to any other action: what to look for
    quiz: bool = False  # the learner is to find the action: the board marks it only after another one was tried


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


class LessonStep(Struct, frozen=True, kw_only=True):
    """One action that the learner is to do."""

    actions: tuple[tuple[str, str], ...]  # all that may be done here: notation, and what it means
    want: str
    after: tuple[Shown, ...]  # what it leads to


class Page(Struct, frozen=True, kw_only=True):
    """A page in one language, with everything a client needs to show it."""

    text: str
    before: tuple[Shown, ...]  # the last of them is where the learner acts
    steps: tuple[LessonStep, ...]
    why: str
    otherwise: str
    quiz: bool


class _LessonPlayer:
    """A lesson being played, as the learner sees it."""

    def __init__(self, game: Game, lesson: Lesson, lang: str) -> None:
        self.game, self.lang = game, lang
        self.state = game.rules.initial(lesson.options, lesson.players)
        self.here = Shown(view=game.rules.observe(self.state, 0))

    def play(self, texts: Sequence[str]) -> tuple[Shown, ...]:
        """Raises what the rules object to."""
        return tuple([self._play(text) for text in texts])

    def _play(self, text: str) -> Shown:
        rules = self.game.rules
        action = rules.decode(self.state, text)
        event = rules.event(self.state, action, 0)
        self.state = rules.apply(self.state, action)
        self.here = Shown(view=rules.observe(self.state, 0))
        return Shown(view=self.here.view, event=event, text=self.game.presentation.say(event, self.lang))

    def step(self, text: str, then: Sequence[str]) -> LessonStep:
        """One action of the learner, and what follows from it at once."""
        view, rules, look = self.here.view, self.game.rules, self.game.presentation
        actions = tuple((rules.encode(action), look.label(view, action, self.lang)) for action in view.legal)
        return LessonStep(actions=actions, want=text, after=self.play((text, *then)))

    def page(self, task: Task) -> Page:
        before = self.play(task.before) or (self.here,)
        last = len(task.want) - 1
        return Page(
            text=say(task.text).to(self.lang),
            before=before,
            steps=tuple(self.step(text, task.then if n == last else ()) for n, text in enumerate(task.want)),
            why=say(task.why).to(self.lang) if task.why else "",
            otherwise=say(task.otherwise).to(self.lang) if task.otherwise else "",
            quiz=task.quiz,
        )


def pages(game: Game, lang: str) -> tuple[Page, ...]:
    """The whole lesson of a game; empty if it has none. Raises what the rules object to."""
    return tuple(_pages(game, lang))


def _pages(game: Game, lang: str) -> Iterator[Page]:
    if game.lesson is not None:
        table = _LessonPlayer(game, game.lesson, lang)
        for task in game.lesson.tasks:
            yield table.page(task)


def foresee(game: Game, page: int, step: int, texts: Sequence[str]) -> Any:
    """What the learner would see after these actions at this step of a page (both counted from 0).

    Raises IndexError where there is no such step, and what the rules object to. Nothing in a lesson is a secret.
    """
    tasks = game.lesson.tasks if game.lesson else ()
    task = tasks[page]
    if game.lesson is None or not 0 <= step < len(task.want):
        raise IndexError(step)
    table = _LessonPlayer(game, game.lesson, "en")
    for done in tasks[:page]:
        table.play((*done.before, *done.want, *done.then))
    table.play((*task.before, *task.want[:step], *texts))
    return table.here.view
