"""Walking through a record: step by step, by jumps, from any seat's side."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from astragal.console.screen import Screen
from astragal.core.language import Text, meant, noted, say
from astragal.core.line import Line
from astragal.core.record import Record
from astragal.core.types import AstragalError
from astragal.core.verify import abandoned
from astragal.play import sentences

KEYS = {
    noted("next"): noted("one ply on; Enter does the same"),
    noted("back"): noted("one ply back"),
    noted("start"): noted("to the beginning"),
    noted("end"): noted("to the end"),
    noted("side"): noted("and a number: the view of that seat; 0 is a spectator's"),
    noted("list"): noted("all moves with their numbers"),
    noted("quit"): noted("leave"),
}


class Replay:
    """The line of a record that stands, with everything taken back left out."""

    def __init__(self, record: Record, line: Line, screen: Screen, seat: int | None = None) -> None:
        self.record = record
        self.screen = screen
        self.seat = seat
        self.game = line.game
        self.look, self.rules = line.game.presentation, line.rules
        self.steps = line.steps
        self.states = [*(step.before for step in line.steps), line.state]
        self.ply = 0

    def event(self, ply: int) -> Any:
        """What the seat saw when ply number `ply` (from 1) was made."""
        step = self.steps[ply - 1]
        return step.event(self.rules, self.seat)

    def sentence(self, ply: int) -> str:
        step = self.steps[ply - 1]
        move = self.rules.encode(step.action)
        return f"{ply}. {move}: {self.look.say(self.event(ply), self.screen.lang)}"

    def show(self) -> None:
        """The position and what led to it."""
        view = self.rules.observe(self.states[self.ply], self.seat)
        head = say("Ply {ply} of {all}", ply=self.ply, all=len(self.steps))
        self.screen.strong(head)
        if self.ply:
            self.screen.tell(self.sentence(self.ply))
        else:
            self.tell_abandoned()
        if self.screen.plain:
            self.screen.write(self.look.plain(view, self.screen.lang))
        else:
            last = self.event(self.ply) if self.ply else None
            self.screen.write(self.look.text(view, self.screen.lang, colour=self.screen.colour, last=last))
        if self.ply == len(self.steps) and self.record.result is not None:
            self.screen.write(self.outcome(self.record.result))

    def outcome(self, result: Sequence[float]) -> Text:
        """How the match ended, where no move ended it."""
        return sentences.outcome(result, lambda seat: self.look.seat_name(seat, self.screen.lang), self.game)

    def list(self) -> None:
        """All moves, and the result."""
        self.tell_abandoned()
        for ply in range(1, len(self.steps) + 1):
            self.screen.tell(self.sentence(ply))
        if self.record.result is not None:
            self.screen.write(self.outcome(self.record.result))

    def tell_abandoned(self) -> None:
        """Who gave up a seat while the seeds of the dice were being opened."""
        for verdict in abandoned(self.record.header.fair):
            self.screen.write(verdict.what)

    def svg(self) -> str:
        """The position as a picture."""
        view = self.rules.observe(self.states[self.ply], self.seat)
        return self.look.svg(view, self.screen.lang, last=self.event(self.ply) if self.ply else None)

    def position(self) -> str:
        """The position as a line. In a game with secrets it tells them all, so the match must be over."""
        if self.rules.spec.hidden and self.record.result is None:
            raise AstragalError(say("this match is not over, and the line would tell its secrets"))
        return self.rules.position(self.states[self.ply])

    def jump(self, ply: int) -> None:
        """To a ply; one that does not exist is the nearest that does."""
        self.ply = max(0, min(ply, len(self.steps)))

    def run(self) -> None:
        """Asks for commands until the user leaves."""
        self.show()
        self.screen.faint(
            say("Enter for the next ply, a number to jump, {word!r} for more.", word=say("help").to(self.screen.lang))
        )
        known = [say(key).to(self.screen.lang) for key in KEYS]
        while (typed := self.screen.ask(say("replay:"), known)) is not None:
            if not self.obey(typed):
                return

    def obey(self, typed: str) -> bool:
        """One command; False to stop."""
        lang = self.screen.lang
        head, _, rest = typed.partition(" ")
        word = meant(head, KEYS, lang)
        ways: dict[str, Callable[[], int]] = {
            "": lambda: self.ply + 1,
            "next": lambda: self.ply + 1,
            "back": lambda: self.ply - 1,
            "start": lambda: 0,
            "end": lambda: len(self.steps),
        }
        if word == "quit" or typed == "q":
            return False
        if (word or typed) in ways:
            self.jump(ways[word or typed]())
            self.show()
        elif re.fullmatch(r"\d{1,6}", typed):
            self.jump(int(typed))
            self.show()
        elif word == "side" and re.fullmatch(r"\d", rest):
            if int(rest) > len(self.record.header.seats):
                self.screen.write(say("there is no seat {seat}", seat=rest))
                return True
            self.seat = int(rest) - 1 if rest != "0" else None
            self.show()
        elif word == "list":
            self.list()
        else:
            for key, meaning in KEYS.items():
                self.screen.write(f"  {say(key).to(lang):<10} {say(meaning).to(lang)}")
        return True
