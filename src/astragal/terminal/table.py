"""A match at the terminal. It knows rules, views and presentations, and not one word about any particular game."""

from __future__ import annotations

import os
import re
import shlex
import time
from itertools import chain, count
from pathlib import Path
from typing import Any

from astragal.core import pages, recordfile
from astragal.core.language import Text, listed, say, say_count
from astragal.core.record import DrawAgreed, HandedOver, Resigned, Seat, TimedOut, TookBack, is_bot
from astragal.core.types import PASS, SILENCE, AstragalError, resignation
from astragal.play.match import Happening, Match
from astragal.terminal import words
from astragal.terminal.screen import Screen

SHOWN = 24  # actions listed at once


def saves() -> Path:
    """The folder for matches that were left unfinished."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "astragal" / "matches"


def player(who: Seat) -> Text | str:
    """What to call whoever sits there."""
    return who.name or (who.player.removeprefix("bot:") if is_bot(who) else say("human"))


class Table:
    """Plays one match to its end, or until the player leaves."""

    def __init__(self, match: Match, screen: Screen, *, delay: float = 0.0, file: Path | None = None) -> None:
        self.match = match
        self.screen = screen
        self.delay = delay
        self.file = file  # where the match was saved last
        self.look = match.game.presentation
        self.last: Happening | None = None
        self.left = False
        self._seen_by: int | None = None  # whose secrets are on the screen

    # The loop -----------------------------------------------------------------------------------------------

    def play(self) -> None:
        """Until the end. Leaving, the end of the input, or Ctrl-C saves what was played."""
        self.greet()
        try:
            while not self.match.over and not self.left:
                happening = self.match.step()
                if happening is not None:
                    self.tell(happening)
                    time.sleep(self.delay)
                else:
                    self.decide(self.match.turn)
        except KeyboardInterrupt:
            self.leave(asked=False)
            raise
        if self.match.over:
            self.finish()

    def watch(self) -> None:
        """A match without humans, with the table drawn after every action."""
        self.greet()
        while (happening := self.match.step()) is not None:
            self.tell(happening)
            if happening.seat is not None and happening.seat >= 0:
                if not self.screen.plain:
                    self.show(None)
                time.sleep(self.delay)
        self.finish()

    def greet(self) -> None:
        for seat, who in enumerate(self.match.seats):
            self.screen.write(say("{seat}: {player}", seat=self.name(seat), player=player(who)))

    def decide(self, seat: int) -> None:
        """Lets the human on this seat do one thing."""
        view = self.match.view(seat)
        if [self.match.game.rules.encode(action) for action in view.legal] == [PASS]:
            self.tell(self.match.act(seat, view.legal[0]))
            return
        if not self.hand_over(seat):
            self.leave(asked=False)
            return
        self.show(seat)
        self.list_moves(seat)
        began, seconds = time.monotonic(), self.match.seconds
        if seconds is not None:
            self.screen.write(say_count(seconds, "You have {n} second.", "You have {n} seconds."))
        while self.match.turn == seat and not self.left:
            ply = self.match.ply
            answer = self.screen.ask(say("{seat} to act:", seat=self.name(seat)), self.completions(seat))
            if answer is None:
                self.leave(asked=False)
                return
            if seconds is not None and time.monotonic() - began > seconds:
                self.screen.write(say("The time is over."))
                self.tell(self.match.run_out(seat))
                return
            try:
                self.answer(seat, answer)
            except AstragalError as error:
                self.screen.tell(error.to(self.screen.lang))
            if self.match.ply != ply:
                return

    # Showing ------------------------------------------------------------------------------------------------

    def name(self, seat: int) -> str:
        return self.look.seat_name(seat, self.screen.lang, self.match.view(None))

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
        event = happening.event(self.viewer())
        if event is not None:
            self.screen.tell(self.look.say(event, self.screen.lang))
        else:
            self.screen.write(self.table_event(happening))

    def table_event(self, happening: Happening) -> Text:
        match happening.entry:
            case Resigned(seat):
                return say("{seat} resigns.", seat=self.name(seat))
            case TimedOut(seat):
                return say("{seat} has run out of time.", seat=self.name(seat))
            case DrawAgreed():
                return say("The players agree on a draw.")
            case TookBack(ply):
                return say("Taken back to ply {ply}.", ply=ply)
            case HandedOver(seat, to):
                return say("{seat} is played by {player} from now on.", seat=self.name(seat), player=player(to))
        raise AssertionError(happening.entry)

    def show(self, seat: int | None) -> None:
        """The table as this seat sees it."""
        view = self.match.view(seat)
        if self.screen.plain:
            self.screen.write(self.look.plain(view, self.screen.lang))
            return
        last = self.last.event(seat) if self.last else None
        self.screen.write()
        self.screen.write(self.look.text(view, self.screen.lang, colour=self.screen.colour, last=last))

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
        """What the seat may claim; giving up has a command of its own, and the clock makes its own claim."""
        encode = self.match.game.rules.encode
        others = (resignation(seat), SILENCE)
        return tuple(action for action in self.match.claims(seat) if encode(action) not in others)

    def hand_over(self, seat: int) -> bool:
        """Where seats have secrets and several humans share the screen, the next one sits down first.

        False if nobody did, because the input ended.
        """
        shared = self.viewer() is None
        if self.match.game.rules.spec.private and shared and self._seen_by != seat:
            self.screen.clear()
            if self.screen.ask(say("{seat}, take the keyboard and press Enter.", seat=self.name(seat))) is None:
                return False
        self._seen_by = seat
        return True

    def completions(self, seat: int) -> list[str]:
        encode = self.match.game.rules.encode
        questions = [form for form, _ in self.look.questions(self.screen.lang)]
        return [*(encode(action) for action in self.moves(seat)), *words.own_words(self.screen.lang), *questions]

    # Answering ----------------------------------------------------------------------------------------------

    def answer(self, seat: int, typed: str) -> None:
        """Does what the player typed: a command, a question, a number or a move. Raises AstragalError."""
        moves = self.moves(seat)
        found = words.command(typed, self.screen.lang)
        if found is not None:
            self.do(seat, *found)
        elif re.fullmatch(r"[0-9]{1,4}", typed) and (
            1 <= int(typed) <= len(moves) or not self.match.game.rules.spec.open_actions  # where 1815 may be an answer
        ):
            if not 1 <= int(typed) <= len(moves):
                raise AstragalError(
                    say("there is no move {number}; the numbers are 1 to {most}", number=typed, most=len(moves))
                )
            self.make(seat, moves[int(typed) - 1])
        elif not typed:
            if len(moves) == 1 and not self.match.game.rules.spec.open_actions:  # no answer is not giving up
                self.make(seat, moves[0])
            else:
                self.screen.write(say("Type a number, a move, or {word!r}.", word=say("help").to(self.screen.lang)))
        else:
            reply = self.look.ask(self.match.view(seat), typed, self.screen.lang)
            if reply is not None:
                for line in reply.split("\n"):
                    self.screen.tell(line)
            else:
                self.make(seat, self.match.read(typed))

    def make(self, seat: int, action: Any) -> None:
        if action in self.match.claims(seat):
            self.tell(self.match.claim(seat, action))
        else:
            self.tell(self.match.act(seat, action))
            self.offer(seat)

    def offer(self, seat: int) -> None:
        """What the seat may claim by its own action it is asked now: by its next turn others have acted."""
        for claim in self.claims(seat):
            what = self.look.label(self.match.view(seat), claim, self.screen.lang)
            if self.confirm(say("{seat} may now do this: {what}. Do it? (y/n)", seat=self.name(seat), what=what)):
                self.tell(self.match.claim(seat, claim))
                return

    def do(self, seat: int, name: str, rest: str) -> None:
        """One of the commands."""
        match name:
            case "help":
                self.help()
            case "moves":
                self.list_moves(seat, everything=True)
            case "board":
                self.show(seat)
            case "hint":
                self.hint(seat)
            case "undo":
                self.tell(self.match.undo())
            case "draw":
                self.draw(seat)
            case "resign":
                if self.confirm(say("Really resign? (y/n)")):
                    self.tell(self.match.resign(seat))
            case "save":
                self.save(Path(rest) if rest else self.default_file())
            case "rules":
                self.screen.page(pages.page(self.match.game, self.screen.lang))
            case "quit":
                self.leave(asked=True)

    def help(self) -> None:
        lang = self.screen.lang
        lines = [(say(name).to(lang), say(what).to(lang)) for name, what in words.COMMANDS.items()]
        for form, what in (*lines, *self.look.questions(lang)):
            self.screen.write(f"{form}: {what}" if self.screen.plain else f"  {form:<12} {what}")
        self.screen.write(say("A move is typed by its number or as it is written in the list."))

    def hint(self, seat: int) -> None:
        choice = self.match.think(seat, "greedy")
        move = self.match.game.rules.encode(choice.action)
        if choice.reasons:
            reasons = listed([say(reason) for reason in choice.reasons])
            self.screen.write(say("Hint: {move} ({reasons}).", move=move, reasons=reasons))
        else:
            self.screen.write(say("Hint: {move}.", move=move))

    def draw(self, seat: int) -> None:
        """Claims a draw if the seat may, or asks all players."""
        if claims := self.claims(seat):
            self.tell(self.match.claim(seat, claims[0]))
        elif any(is_bot(who) for who in self.match.seats):
            self.screen.write(say("Nobody may claim a draw now, and bots do not agree to one."))
        elif self.confirm(say("Do all players agree on a draw? (y/n)")):
            self.tell(self.match.agree_draw())

    def confirm(self, question: Text) -> bool:
        answer = self.screen.ask(question)
        return answer is not None and answer != "" and words.is_yes(answer, self.screen.lang)

    # Leaving ------------------------------------------------------------------------------------------------

    def default_file(self) -> Path:
        """Where the match was saved before, or a name that is still free."""
        if self.file is not None:
            return self.file
        name = f"{self.match.game.id}-{self.match.id}"
        names = chain([name], (f"{name}-{n}" for n in count(2)))
        return next(file for name in names if not (file := saves() / f"{name}.json").exists())

    def save(self, file: Path) -> None:
        """Writes the match; never over a file it did not write itself."""
        if file.parts[:1] == ("~",):
            file = file.expanduser()
        if file != self.file:
            recordfile.check_free(file, make_folder=True)
        self.match.save(file)
        self.file = file
        if self.match.over:
            self.screen.faint(
                say("The record is kept; see it with: astragal replay {file}", file=shlex.quote(str(file)))
            )
        else:
            self.screen.write(say("Saved. Go on with: astragal resume {file}", file=shlex.quote(str(file))))

    def leave(self, *, asked: bool) -> None:
        """Ends the sitting. Unasked (the input ended) it saves, so that nothing is lost."""
        if asked:
            answer = self.screen.ask(say("Save the match? (y/n)"))
            if answer is not None and not words.is_yes(answer, self.screen.lang):
                self.left = True
                return
        self.save(self.default_file())
        self.left = True

    def finish(self) -> None:
        """The final table and the result."""
        result = self.match.result
        assert result is not None
        if not self.screen.plain:
            self.show(self.viewer())
        self.screen.strong(words.outcome(result, self.name))
        self.screen.faint(say_count(self.match.ply, "{n} ply was played.", "{n} plies were played."))
        if self.file is not None or any(not is_bot(who) for who in self.match.seats):
            self.save(self.default_file())
