"""A match at the terminal: asks players for actions, carries out commands, saves, and offers a rematch."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

from astragal.bots.levels import unfamiliar
from astragal.console.screen import Screen, TimeOver
from astragal.core import pages
from astragal.core.language import Text, say, say_count
from astragal.core.record import is_bot
from astragal.core.types import PASS, AstragalError
from astragal.play import sentences
from astragal.play.clock import Clock, Fall, Untimed, Watch, face
from astragal.play.match import Happening, Match
from astragal.terminal import words
from astragal.terminal.kept_display import KeptDisplay


def now() -> int:
    """The time in milliseconds, from some beginning."""
    return int(time.monotonic() * 1000)


class Session(KeptDisplay):
    """Plays one match to its end, or until the player leaves; and another if the players like."""

    def __init__(
        self,
        match: Match,
        screen: Screen,
        *,
        delay: float = 0.0,
        file: Path | None = None,
        clock: Clock = Untimed(),  # noqa: B008
    ) -> None:
        self.clock = clock
        super().__init__(match, screen)
        self.delay = delay
        if file is not None:
            self.take_up(file)

    def sit(self, match: Match) -> None:
        super().sit(match)
        self.left = False
        self.clocks = Watch.start(self.clock, match, now()).stop(now())
        self._seen_by: int | None = None  # whose secrets are on the screen

    # The loop -----------------------------------------------------------------------------------------------

    def play(self) -> None:
        """Until the end of the last match. Leaving, the end of the input, or Ctrl-C saves what was played."""
        try:
            again: Match | None = self.match
            while again is not None:
                with self.screen.patient():
                    self.play_one()
                again = self.rematch() if self.match.over else None
                if again is not None:
                    self.sit(again)
        finally:
            self.release()

    def play_one(self) -> None:
        """Until the end of this match."""
        self.greet()
        self.warn()
        if self.has_humans():
            self.screen.faint(say("What can be typed: {word}", word=say("help")))
        self.keep()
        try:
            while not self.match.over and not self.left:
                if self.match.paused:
                    self.wake()
                elif (happening := self.match.step()) is not None:
                    self.tell(happening)
                    time.sleep(self.delay)
                else:
                    self.decide(self.match.turn)
        except KeyboardInterrupt:
            self.leave(asked=False)
            raise
        if self.match.over:
            self.finish()

    def warn(self) -> None:
        """Where bots are at the table and no network knows its rules, what they go by instead."""
        if any(map(is_bot, self.match.seats)):
            note = unfamiliar(self.match.game, self.match.options, len(self.match.seats))
            if note is not None:
                self.screen.faint(note)

    def tell(self, happening: Happening) -> None:
        # Clocks run only while somebody is asked, not while the table is drawn or the keyboard changes hands.
        self.clocks = self.clocks.after(happening.entry, self.match, now()).stop(now())
        self.keep()
        super().tell(happening)

    def watch(self) -> None:
        """A match without humans, with the table drawn after every action."""
        self.greet()
        self.warn()
        with self.screen.patient():
            while (happening := self.match.step()) is not None:
                self.tell(happening)
                if happening.seat is not None and happening.seat >= 0:
                    if not self.screen.plain:
                        self.show(None)
                    time.sleep(self.delay)
                    self.screen.redraw()
        self.finish()

    def decide(self, seat: int) -> None:
        """Lets the human on this seat do one thing."""
        view = self.match.view(seat)
        if [self.match.game.rules.encode(action) for action in view.legal] == [PASS]:
            self.tell(self.match.act(seat, view.legal[0]))
            return
        if not self.hand_over(seat):
            self.leave(asked=False)
            return
        self.show(seat, with_moves=True)
        self.list_moves(seat)
        if self.match.seconds is not None:
            self.screen.write(say_count(self.match.seconds, "You have {n} second.", "You have {n} seconds."))
        self.screen.prepare()
        self.clocks = self.clocks.run(self.match, now())
        happened = self.match.count
        while self.match.count == happened and not self.left:
            answer = self.ask(seat)
            if (fall := self.clocks.fallen(now())) is not None:
                self.strike(fall)
            elif answer is None:
                self.leave(asked=False)
            else:
                try:
                    self.answer(seat, answer)
                except AstragalError as error:
                    self.screen.tell(error.to(self.screen.lang))
                    self.screen.faint(say("What can be typed: {word}", word=say("help")))

    def ask(self, seat: int) -> str | None:
        """What the seat to act types; nothing if its time is over first."""

        def question() -> Text:
            left = self.clocks.left_to(seat, now())
            if left is None:
                return say("{seat} to act:", seat=self.called(seat))
            return say("{seat} to act, {time} left:", seat=self.called(seat), time=face(left))

        fall = self.clocks.falls_at()
        seconds = None if fall is None else (fall.at - now()) / 1000
        try:
            return self.screen.ask(question, self.completions(seat), seconds=seconds)
        except TimeOver:
            return ""

    def strike(self, fall: Fall) -> None:
        """The time is over: that of an answer, or that of the match."""
        happening = fall.strike(self.match)
        if fall.cost == "answer":
            self.screen.write(say("The time is over."))
        self.tell(happening)

    def hand_over(self, seat: int) -> bool:
        """Where seats have secrets and several humans share the screen, the next one sits down first.

        False if nobody did, because the input ended.
        """
        shared = self.viewer() is None
        if self.match.game.rules.spec.private and shared and self._seen_by != seat:
            self.screen.clear()
            if self.screen.ask(say("Next at the keyboard: {seat}. Press Enter.", seat=self.called(seat))) is None:
                return False
        self._seen_by = seat
        return True

    # Answering ----------------------------------------------------------------------------------------------

    def answer(self, seat: int, typed: str) -> None:
        """Does what the player typed: a command, a question, a number or a move. Raises AstragalError."""
        moves = self.moves(seat)
        command = words.command(typed, self.screen.lang)
        if command is not None:
            self.do(seat, *command)
        elif re.fullmatch(r"[0-9]{1,4}", typed) and (
            1 <= int(typed) <= len(moves) or not self.match.game.rules.spec.open_actions  # where 1815 may be an answer
        ):
            if not 1 <= int(typed) <= len(moves):
                raise AstragalError(
                    say("there is no move {number}; the numbers are 1 to {most}", number=typed, most=len(moves))
                )
            self.make(seat, moves[int(typed) - 1])
        elif not typed:
            if len(moves) == 1 and not self.match.game.rules.spec.open_actions:  # an empty answer does not give up
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
        claimed = action in self.match.claims(seat)
        happening = self.match.claim(seat, action) if claimed else self.match.act(seat, action)
        self.screen.redraw()  # what follows, bots' turns too, stands where the last table stood
        self.tell(happening)
        if not claimed:
            self.offer(seat)

    def offer(self, seat: int) -> None:
        """Asks the seat about claims that its own action made possible: at its next turn they may be gone."""
        for claim in self.claims(seat):
            label = self.look.label(self.match.view(seat), claim, self.screen.lang)
            question = say_count(
                sentences.number(self.match.game),
                "{seat} may now do this: {what}. Do it? (y/n)",
                "{seat} may now do this: {what}. Do it? (y/n)",
                seat=self.name(seat),
                what=label,
            )
            if self.confirm(question):
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
                if self.all_agree(say("Do all players agree to take this back? (y/n)")):
                    self.tell(self.match.undo())
            case "count":
                if self.all_agree(say("Do all players agree that the refused answer counts? (y/n)")):
                    self.tell(self.match.count_answer())
            case "draw":
                self.claim_or_agree_draw(seat)
            case "resign":
                if self.confirm(say("Really resign? (y/n)")):
                    self.tell(self.match.resign(seat))
            case "pause":
                if self.all_agree(say("Do all players agree to pause? (y/n)")):
                    self.tell(self.match.pause())
            case "clock":
                self.tell_time()
            case "seat":
                self.tell(self.match.hand_over(seat, words.seat(rest)))
            case "save":
                self.save(Path(rest) if rest else self.default_file())
            case "rules":
                self.screen.page(pages.page(self.match.game, self.screen.lang))
            case "quit":
                self.leave(asked=True)

    def claim_or_agree_draw(self, seat: int) -> None:
        """Claims a draw if the seat may, or asks all players."""
        if claims := self.claims(seat):
            self.tell(self.match.claim(seat, claims[0]))
        elif any(is_bot(who) for who in self.match.seats):
            self.screen.write(say("Nobody may claim a draw now, and bots do not agree to one."))
        elif self.confirm(say("Do all players agree on a draw? (y/n)")):
            self.tell(self.match.agree_draw())

    def wake(self) -> None:
        """Waits until somebody wants to go on after a pause. Nothing secret is on the screen meanwhile."""
        if self.match.game.rules.spec.private:
            self.screen.clear()
        self._seen_by = None
        if self.screen.ask(say("Press Enter to go on.")) is None:
            self.leave(asked=False)
        else:
            self.tell(self.match.go_on())

    def tell_time(self) -> None:
        """How long everybody still has."""
        for seat in range(len(self.match.seats)):
            left = self.clocks.left_to(seat, now())
            if left is None:
                self.screen.write(say("No clock runs in this match."))
                return
            self.screen.write(say("{seat}: {time} left.", seat=self.name(seat), time=face(left)))

    def all_agree(self, question: Text) -> bool:
        """Whether all humans at the table agree. One who plays alone need not be asked: bots agree."""
        humans = [who for who in self.match.seats if not is_bot(who)]
        return len(humans) == 1 or self.confirm(question)

    def confirm(self, question: Text) -> bool:
        answer = self.screen.ask(question)
        return answer is not None and answer != "" and words.is_yes(answer, self.screen.lang)

    # Leaving ------------------------------------------------------------------------------------------------

    def leave(self, *, asked: bool) -> None:
        """Ends the sitting. Unasked (the input ended) it saves, so that nothing is lost."""
        if asked:
            answer = self.screen.ask(say("Save the match? (y/n)"))
            if answer is not None and not words.is_yes(answer, self.screen.lang):
                self.forget()
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
        self.screen.strong(sentences.outcome(result, self.called, self.match.game))
        self.screen.faint(say_count(self.match.ply, "{n} ply was played.", "{n} plies were played."))
        if self.file is not None or self.has_humans():
            self.save(self.default_file())

    def rematch(self) -> Match | None:
        """Another match of the same players, if they like and know who begins."""
        if all(map(is_bot, self.match.seats)) or not self.confirm(say("Play again? (y/n)")):
            return None
        rule, chosen = self.match.rematch(), None
        if rule.chooser is not None and not is_bot(self.match.seats[rule.chooser]):
            chosen = self.first(rule.chooser)
            if chosen is None:
                return None
        return Match.start(self.match.game, self.match.rematch_options(chosen), self.match.seats)

    def first(self, chooser: int) -> int | None:
        """The seat that shall begin, as this one chooses; None at the end of the input."""
        seats = range(len(self.match.seats))
        for seat in seats:
            self.screen.write(f"  {seat + 1}  {self.name(seat)}")
        question = say_count(
            sentences.number(self.match.game),
            "{seat} chooses who begins (1 to {most}):",
            "{seat} choose who begins (1 to {most}):",
            seat=self.name(chooser),
            most=len(seats),
        )
        while (typed := self.screen.ask(question)) is not None:
            if typed in {str(seat + 1) for seat in seats}:
                return int(typed) - 1
        return None
