"""Where the terminal client writes and reads: a real terminal, a pipe, or a screen reader."""

from __future__ import annotations

import io
import os
import re
import select
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from astragal.core import pages, preparing
from astragal.core.language import Text, say
from astragal.core.picture import paint

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession
    from rich.status import Status

# Only a real terminal needs asyncio, prompt_toolkit and rich, and importing them takes longer than all the rest: so the
# methods that use them import them.

# What an old terminal, or one with another encoding, gets instead of our signs.
_ASCII = str.maketrans(
    {**dict.fromkeys("┌┬┐├┼┤└┴┘", "+"), "─": "-", "│": "|", "○": "o", "●": "x", "✻": "*", "›": ">", "‹": "<"}
)

COLUMNS = 79
_ANSI = re.compile(r"\x1b\[[0-9;]*m")


class TimeOver(Exception):
    """Nobody answered in time."""


class Screen:
    """Lines out, lines in. `plain` means sentences only: no colours, no drawings."""

    def __init__(self, lang: str, *, plain: bool = False, colour: bool | None = None) -> None:
        self.lang = lang
        self.plain = plain
        terminal = sys.stdout.isatty()
        wanted = colour if colour is not None else terminal and "NO_COLOR" not in os.environ
        self.colour = wanted and not plain
        self.interactive = sys.stdin.isatty() and terminal
        self._unicode = "utf" in (sys.stdout.encoding or "").lower()
        self._session: PromptSession[str] | None = None

    @property
    def columns(self) -> int:
        """How wide a line may be: a narrow terminal has fewer than usual."""
        return min(COLUMNS, max(20, shutil.get_terminal_size().columns - 1)) if self.interactive else COLUMNS

    def holds(self, picture: str) -> bool:
        """Whether a picture is narrow enough for this terminal; a file or a pipe has no width."""
        width = shutil.get_terminal_size().columns
        return not self.interactive or max(len(_ANSI.sub("", line)) for line in picture.split("\n")) <= width

    def write(self, text: Text | str = "") -> None:
        """One line or several, in the user's language."""
        line = text.to(self.lang) if isinstance(text, Text) else text
        if not self._unicode:
            line = line.translate(_ASCII)
        print(line, flush=True)  # noqa: T201

    def tell(self, sentence: str) -> None:
        """A sentence, in lines that fit; a screen reader gets it in one piece."""
        self.write(sentence if self.plain else textwrap.fill(sentence, self.columns, subsequent_indent="  "))

    def item(self, head: str, text: str) -> None:
        """An entry of a list: what does not fit on one line goes on below its text."""
        self.write(textwrap.fill(text, self.columns, initial_indent=head, subsequent_indent=" " * len(head)))

    def strong(self, text: Text | str) -> None:
        """A line in bold."""
        line = text.to(self.lang) if isinstance(text, Text) else text
        self.write(paint(line, bold=True) if self.colour else line)

    def faint(self, text: Text | str) -> None:
        """A line in a faint colour."""
        line = text.to(self.lang) if isinstance(text, Text) else text
        self.write(paint(line, ink=244) if self.colour else line)

    def ask(
        self, question: Callable[[], Text] | Text | str, words: Sequence[str] = (), *, seconds: float | None = None
    ) -> str | None:
        """What the user answers, or None at the end of the input. `words` complete what is typed.

        At a terminal TimeOver is raised after so many seconds, and a question that can be asked anew is kept up to
        date. Into a pipe nobody answers late, so that the time is not watched there.
        """
        try:
            if self.interactive and not self.plain:
                return self._completing(question, words, seconds)
            if self.interactive:
                return self._typed(f"{self._worded(question)} ", seconds)
        except EOFError:
            return None
        self.write(self._worded(question))
        line = sys.stdin.readline()
        return line.strip() if line else None

    def _worded(self, question: Callable[[], Text] | Text | str) -> str:
        asked = question() if callable(question) else question
        return asked.to(self.lang) if isinstance(asked, Text) else asked

    def _typed(self, prompt: str, seconds: float | None) -> str:
        """A line of a terminal, which is ready to be read once Enter was pressed."""
        if seconds is not None and os.name == "posix":  # elsewhere a late answer is noticed when it comes
            print(prompt, end="", flush=True)  # noqa: T201
            if not select.select([sys.stdin], [], [], max(seconds, 0))[0]:
                self.write()
                raise TimeOver
            prompt = ""
        return input(prompt).strip()

    def prepare(self) -> None:
        """Loads what a question needs, which takes a moment the first time: nobody's clock should run meanwhile."""
        if self.interactive and not self.plain:
            self._prompting()

    def _prompting(self) -> PromptSession[str]:
        from prompt_toolkit import PromptSession

        self._session = self._session or PromptSession()
        return self._session

    def _completing(
        self, question: Callable[[], Text] | Text | str, words: Sequence[str], seconds: float | None
    ) -> str:
        import asyncio

        from prompt_toolkit.application import get_app
        from prompt_toolkit.completion import WordCompleter

        async def wait(seconds: float) -> None:
            await asyncio.sleep(max(seconds, 0))
            get_app().exit(exception=TimeOver())

        def begin() -> None:
            if seconds is not None:
                get_app().create_background_task(wait(seconds))

        session = self._prompting()
        completer = WordCompleter(list(words), sentence=True, ignore_case=True)
        return session.prompt(
            lambda: f"{self._worded(question)} ",
            completer=completer,
            complete_while_typing=False,
            refresh_interval=0.5 if seconds is not None else 0,
            pre_run=begin,
        ).strip()

    def page(self, markdown: str) -> None:
        """A page of rules to leaf through, laid out for the terminal; as it is, but for pictures, into a pipe."""
        if self.plain:
            self.write(pages.without_drawings(markdown))
            return
        markdown = pages.without_pictures(markdown)
        if not self.interactive:
            self.write(markdown)
            return
        from rich.console import Console
        from rich.markdown import Markdown

        laid_out = Console(
            file=io.StringIO(), force_terminal=True, no_color=not self.colour, width=min(Console().width, 110)
        )
        with laid_out.capture() as captured:
            laid_out.print(Markdown(markdown))
        click.echo_via_pager(captured.get())

    @contextmanager
    def patient(self) -> Iterator[None]:
        """While this lasts, says so when bots have to be compiled: a spinner at a terminal, else one line."""
        spinner: list[Status] = []
        text = say("Getting the bots ready; this takes a while, but only the first time ...")
        announced = False

        def begin() -> None:
            nonlocal announced
            if self.interactive and not self.plain:
                from rich.console import Console

                spinner.append(Console(stderr=True).status(text.to(self.lang)))
                spinner[0].start()
            elif not announced:
                print(text.to(self.lang), file=sys.stderr, flush=True)  # noqa: T201
                announced = True

        def end() -> None:
            while spinner:
                spinner.pop().stop()

        with preparing.watch(begin, end):
            yield

    def redraw(self) -> None:
        """Begins the screen anew, so that the next picture stands where the last one stood."""
        if self.interactive and not self.plain:
            self.write("\x1b[H\x1b[J")

    def clear(self) -> None:
        """Empties the screen, so that the next player does not see what the last one saw."""
        if self.interactive:
            self.write("\x1b[2J\x1b[3J\x1b[H" if not self.plain else "\n" * 60)
