"""A fallback for bots: where one crashes, is too slow or chooses something illegal, another one chooses.

`WithFallback` lets a bot think in a thread of its own. If nothing legal comes of it in time, the fallback bot chooses,
and the choice says what was wrong.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from random import Random
from threading import Thread

from msgspec.structs import replace

from astragal.bots.choice import Bot, Choice
from astragal.core.language import Text, say
from astragal.core.rules import AnyView

LOG = logging.getLogger(__name__)
PATIENCE = 5.0  # seconds beyond a bot's own limit before its turn goes to the fallback
NO_LIMIT = 60.0  # seconds for a bot that was given no limit of time


class WithFallback(Bot):
    """A bot, and the fallback bot that chooses where it fails."""

    def __init__(self, name: str, make: Callable[[], Bot], fallback: Bot, patience: float = PATIENCE) -> None:
        self.name = name
        self._make = make
        self._fallback = fallback
        self._patience = patience
        self._bot = make()
        self._prepared = False
        self._busy: Thread | None = None
        self.limit = self._bot.limit

    def prepare(self, view: AnyView) -> None:
        self._bot.prepare(view)
        self._prepared = True

    def choose(self, view: AnyView, rng: Random) -> Choice:
        seed = rng.getrandbits(64)  # so that a bot that is late draws nothing from a stream that others use
        choice = self._ask(view, Random(seed))
        if isinstance(choice, Choice):
            return choice
        LOG.warning("%s", choice)
        return replace(self._fallback.choose(view, Random(seed)), fault=choice)

    def _ask(self, view: AnyView, rng: Random) -> Choice | Text:
        """What the bot says, or what is wrong with it."""
        if self._busy is not None:
            if self._busy.is_alive():
                return say("the bot {name} is still busy with an earlier turn", name=self.name)
            self._busy, self._bot = None, self._make()
        answers: list[Choice | Exception] = []

        def think() -> None:
            try:
                answers.append(self._bot.choose(view, rng))
            except Exception as error:
                answers.append(error)

        try:
            if not self._prepared:
                self.prepare(view)  # compiling does not count as thinking
        except Exception as error:
            return self._crash(error)
        thread = Thread(target=think, name=f"bot {self.name}", daemon=True)
        thread.start()
        thread.join((self.limit.time or NO_LIMIT) + self._patience)
        if thread.is_alive():
            self._busy = thread
            return say("the bot {name} took too long", name=self.name)
        choice = answers[0]
        if isinstance(choice, Exception):
            return self._crash(choice)
        if choice.action not in view.legal:
            return say("the bot {name} chose something that is not possible", name=self.name)
        return choice

    def _crash(self, error: Exception) -> Text:
        LOG.debug("a bot crashed", exc_info=error)
        return say("the bot {name} crashed: {reason}", name=self.name, reason=f"{type(error).__name__}: {error}")
