"""What a match looks like at the terminal: the table, the moves, and what happens."""

from __future__ import annotations

from random import SystemRandom
from typing import Any

from astragal.bots import Choice
from astragal.bots.levels import adviser
from astragal.console.screen import Screen
from astragal.core.language import Text, listed, say, say_count
from astragal.core.levels import PERFECT
from astragal.core.record import (
    TimedOut,
    is_bot,
)
from astragal.core.types import COUNT, SILENCE, resignation
from astragal.play import hints, sentences
from astragal.play.match import Happening, Match
from astragal.terminal import words

SHOWN = 24  # actions listed at once


class Display:
    """Shows matches on a screen. It only shows; `Session` lets players act."""

    match: Match

    def __init__(self, match: Match, screen: Screen) -> None:
        self.screen = screen
        self.look = match.game.presentation
        self.sit(match)

    def sit(self, match: Match) -> None:
        """A match begins, or is taken up."""
        self.match = match
        self.last: Happening | None = None
        self._away: dict[tuple[int, int], tuple[Any, ...] | None] = {}  # what hints took away, by seat and ply

    def greet(self) -> None:
        for seat, who in enumerate(self.match.seats):
            sitting = sentences.player(who, self.match.game)
            self.screen.write(say("{seat}: {player}", seat=self.name(seat), player=sitting))

    def name(self, seat: int) -> str:
        return self.look.seat_name(seat, self.screen.lang, self.match.view(None))

    def called(self, seat: int) -> str:
        """The seat with the name of whoever plays it, if that one has a name."""
        who = self.match.seats[seat]
        return f"{who.name} ({self.name(seat)})" if who.name and not is_bot(who) else self.name(seat)

    def viewer(self) -> int | None:
        """Through whose eyes events are told: the only human's, or those of somebody who watches."""
        humans = [seat for seat, who in enumerate(self.match.seats) if not is_bot(who)]
        return humans[0] if len(humans) == 1 else None

    def tell(self, happening: Happening) -> None:
        """Says what happened."""
        if happening.seat is None:
            self.last = None
        elif happening.seat >= 0:  # dice leave no mark on the board
            self.last = happening
        if happening.fault is not None:
            self.screen.tell(say("{fault}; another bot moves for it.", fault=happening.fault).to(self.screen.lang))
        event = happening.event(self.viewer())
        if event is None or isinstance(happening.entry, TimedOut):  # a clock fell: first that, then what it did
            self.screen.write(sentences.table_event(happening.entry, self.name, self.match.game))
        if event is not None:
            self.screen.tell(self.look.say(event, self.screen.lang))

    def show(self, seat: int | None, *, with_moves: bool = False) -> None:
        """The table as this seat sees it; without what the list of moves says again, if that follows."""
        view = self.match.view(seat)
        last = self.last.event(seat) if self.last else None
        text = "" if self.screen.plain else self.look.text(view, self.screen.lang, colour=self.screen.colour, last=last)
        if not text or not self.screen.holds(text):
            for line in self.look.plain(view, self.screen.lang).split("\n"):
                self.screen.tell(line)
            return
        if with_moves:
            encode = self.match.game.rules.encode
            listed = {f"{encode(action)}  {self.look.label(view, action, self.screen.lang)}" for action in view.legal}
            text = "\n".join(line for line in text.split("\n") if line.strip() not in listed)
        self.screen.write()
        self.screen.write(text)

    def list_moves(self, seat: int, *, everything: bool = False) -> None:
        """What the seat may do, numbered."""
        moves = self.moves(seat)
        shown = moves if everything or len(moves) <= SHOWN else moves[:SHOWN]
        view = self.match.view(seat)
        encode = self.match.game.rules.encode
        width = max(len(encode(action)) for action in shown)
        for number, action in enumerate(shown, 1):
            label = self.look.label(view, action, self.screen.lang)
            if self.screen.plain:
                self.screen.write(f"{number}: {encode(action)}, {label}")
            else:
                self.screen.item(f"  {number:>3}  {encode(action):<{width}}  ", label)
        if len(shown) < len(moves):
            word = say("moves").to(self.screen.lang)
            hidden = len(moves) - len(shown)
            more = say_count(
                hidden, "... and {n} more move; see {word!r}", "... and {n} more moves; see {word!r}", word=word
            )
            self.screen.faint(more)

    def moves(self, seat: int) -> tuple[Any, ...]:
        """The legal actions, then what can be claimed."""
        return (*self.match.view(seat).legal, *self.claims(seat))

    def claims(self, seat: int) -> tuple[Any, ...]:
        """What the seat may claim; giving up, counting an answer and the clock have ways of their own."""
        encode = self.match.game.rules.encode
        others = (resignation(seat), SILENCE, COUNT)
        return tuple(action for action in self.match.claims(seat) if encode(action) not in others)

    def completions(self, seat: int) -> list[str]:
        encode = self.match.game.rules.encode
        questions = [form for form, _ in self.look.questions(self.screen.lang)]
        return [*(encode(action) for action in self.moves(seat)), *words.own_words(self.screen.lang), *questions]

    def help(self) -> None:
        lang = self.screen.lang
        lines = [(say(name).to(lang), say(meaning).to(lang)) for name, meaning in words.COMMANDS.items()]
        for form, meaning in (*lines, *self.look.questions(lang)):
            self.screen.write(f"{form}: {meaning}" if self.screen.plain else f"  {form:<12} {meaning}")
        self.screen.write(say("A move is typed by its number or as it is written in the list."))

    def hint(self, seat: int) -> None:
        match, encode = self.match, self.match.game.rules.encode
        if (seat, match.ply) not in self._away:  # asked twice, it must not tell more
            self._away[seat, match.ply] = match.narrowed(SystemRandom())
        away = self._away[seat, match.ply]
        if away is not None:
            taken = [encode(action) for action in away]
            self.screen.write(hints.knowledge(taken))
            if taken:
                self.screen.write(say("Wrong: {answers}.", answers=", ".join(taken)))
            return
        asked = adviser(match.game, match.options)
        choice = match.think(seat, asked)
        move = encode(choice.action)
        if choice.reasons:
            reasons = listed([say(reason) for reason in choice.reasons])
            self.screen.write(say("Hint: {move} ({reasons}).", move=move, reasons=reasons))
        else:
            self.screen.write(say("Hint: {move}.", move=move))
        if (other := hints.stand_in(choice, asked, match.game)) is not None:
            self.screen.tell(other.to(self.screen.lang))
        elif asked == PERFECT and choice.value is not None:
            self.screen.write(say("Its table says: {chances}.", chances=listed(self._chances(choice))))

    def _chances(self, choice: Choice) -> list[Text]:
        """What each action is worth, the best first."""
        encode = self.match.game.rules.encode
        return [
            say("{move} wins {percent} %", move=encode(action), percent=f"{100 * value:.2f}")
            for action, value in choice.alternatives
        ]
