"""A fallback for bots: where one crashes, is too slow or chooses something illegal, another one chooses.

`WithFallback` lets a bot think in a thread of its own. If nothing legal comes of it in time, the fallback bot chooses,
and the choice says who made it and what was wrong. While a bot is compiled for the first time, the fallback can choose
as well, so that nobody waits for a compiler.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from random import Random
from threading import Thread
from typing import Any

from msgspec.structs import replace

from astragal.bots.choice import Bot, Choice
from astragal.core.language import Text, say
from astragal.core.rules import AnyView

LOG = logging.getLogger(__name__)
PATIENCE = 5.0  # seconds beyond a bot's own limit before its turn goes to the fallback
NO_LIMIT = 60.0  # seconds for a bot that was given no limit of time
SOON = 1.0  # seconds that people may wait for a bot to be prepared; longer is only the first time on a computer


class _Preparation:
    """A bot that is being prepared in a thread of its own, for matches under some options."""

    def __init__(self, prepare: Callable[[], None], name: str, options: Any) -> None:
        self.options = options
        self._prepare = prepare
        self._error: Exception | None = None
        self._thread = Thread(target=self._run, name=f"preparing {name}", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._prepare()
        except Exception as error:
            self._error = error

    def ended(self, seconds: float) -> bool:
        """Whether this is over, well or not, or will be within so many seconds."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def done(self, seconds: float) -> bool:
        """Whether it is prepared, or will be within so many seconds. Raises what went wrong."""
        ended = self.ended(seconds)
        if self._error is not None:
            raise self._error
        return ended


class WithFallback(Bot):
    """A bot, and the fallback bot that chooses where it fails."""

    def __init__(
        self, name: str, make: Callable[[], Bot], fallback: Bot, patience: float = PATIENCE, *, at_once: bool = False
    ) -> None:
        self.name = name
        self._make = make
        self._fallback = fallback
        self._patience = patience
        self._bot = make()
        self._prepared_for: Any = None  # the options of its last match; others may want other code compiled
        self._at_once = at_once  # whether the fallback bot chooses while this one is being compiled
        self._preparing: _Preparation | None = None
        self._busy: Thread | None = None
        self.limit = self._bot.limit

    def prepare(self, view: AnyView) -> None:
        self._bot.prepare(view)
        self._prepared_for = view.options

    def choose(self, view: AnyView, rng: Random) -> Choice:
        seed = rng.getrandbits(64)  # so that a bot that is late draws nothing from a stream that others use
        choice = self._ask(view, Random(seed))
        if isinstance(choice, Choice):
            return choice
        LOG.warning("%s", choice)
        return self._choose_instead(view, Random(seed), fault=choice)

    def _choose_instead(self, view: AnyView, rng: Random, fault: Text | None = None) -> Choice:
        return replace(self._fallback.choose(view, rng), by=self._fallback.name, fault=fault)

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
            if self._prepared_for != view.options and not self._prepare_for(view):
                return self._choose_instead(view, rng)
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

    def _prepare_for(self, view: AnyView) -> bool:
        """Has the bot prepared, which may mean to compile it; False if that goes on while somebody waits."""
        if not self._at_once:
            self.prepare(view)  # compiling does not count as thinking
            return True
        now = self._preparing
        if now is None or (now.options != view.options and now.ended(0)):
            now = self._preparing = _Preparation(lambda: self.prepare(view), self.name, view.options)
        return now.options == view.options and now.done(SOON)

    def _crash(self, error: Exception) -> Text:
        LOG.debug("a bot crashed", exc_info=error)
        return say("the bot {name} crashed: {reason}", name=self.name, reason=f"{type(error).__name__}: {error}")
