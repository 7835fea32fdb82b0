"""What seats offer each other and take back: whose consent it needs, and what may still be taken back.

An offer is an entry of the record, and so is every answer but the last yes, in whose place stands what was offered.
So a match with an open offer is rebuilt from its record like any other.

A take-back goes to the offerer's last decision. Between humans a plain one is refused once the offerer has *seen*
something since: anything that chance decided, or an action that told the offerer what its view did not. Then
`takeback-seen` must be offered, so that everybody knows what they agree to, and all humans at the table must agree,
those who are out of the game too. Bots agree to everything but a draw.

Where answers are typed and a program judges them, the players may count an answer that it refused, until the next
question is open. What came of the refusal is undone, dice included.
"""

from __future__ import annotations

from random import Random

from astragal.core.language import say
from astragal.core.line import Line, Ply
from astragal.core.record import (
    Answered,
    Counted,
    DrawAgreed,
    Entry,
    Offered,
    Paused,
    Resumed,
    TookBack,
    What,
    is_bot,
)
from astragal.core.rules import AnyRules
from astragal.core.types import CHANCE, OVER, PASS, SILENCE, AstragalError, IllegalAction

TABLES = 64  # resampled states that are tried to find out whether an action reveals something


class NotPossible(AstragalError):
    """Something the table does not allow now: an undo with nothing to undo, a move after the end."""


class NotYourTurn(NotPossible):
    """A seat would act, look ahead or be advised although another one is to act."""

    def __init__(self, seat: int) -> None:
        super().__init__(say("it is not the turn of seat {seat}", seat=seat + 1))


def make(line: Line, seat: int, what: What) -> Entry:
    """What happens when a seat offers this: the offer, or at once the thing itself if nobody need be asked."""
    _check_open(line)
    if seat not in line.playing:
        raise NotPossible(say("seat {seat} does not play any more", seat=seat + 1))
    if what == "draw" and any(is_bot(line.seats[other]) for other in line.playing):
        raise NotPossible(say("bots do not agree to a draw"))
    if what == "takeback" and asked(line, seat, "takeback-seen") and seen(line, seat, decision(line, seat)):
        raise NotPossible(
            say("a die or a secret was seen since; this can only be taken back if all agree to it knowing that")
        )
    if not asked(line, seat, what):
        return done(line, seat, what)
    if what == "count":
        to_count(line)
    if what in ("takeback", "takeback-seen"):
        decision(line, seat)
    return Offered(seat, what)


def reply(line: Line, seat: int, yes: bool) -> Entry:
    """What happens when a seat answers the open offer: the answer, or with the last yes the thing itself."""
    _check_open(line)
    offer = line.offer
    if offer is None:
        raise NotPossible(say("there is no offer to answer"))
    due = waiting(line)
    if seat not in due:
        raise NotPossible(say("seat {seat} is not asked", seat=seat + 1))
    return done(line, offer.seat, offer.what) if yes and due == (seat,) else Answered(seat, yes)


def withdraw(line: Line, seat: int) -> Entry:
    """What happens when a seat takes its own offer back."""
    if line.offer is None or line.offer.seat != seat:
        raise NotPossible(say("seat {seat} has no offer open", seat=seat + 1))
    return Answered(seat, yes=False)


def waiting(line: Line) -> tuple[int, ...]:
    """The seats whose answer to the open offer is still missing."""
    offer = line.offer
    if offer is None:
        return ()
    return tuple(seat for seat in asked(line, offer.seat, offer.what) if seat not in offer.agreed)


def asked(line: Line, seat: int, what: What) -> tuple[int, ...]:
    """The seats whose consent it needs: the other humans who play, or all humans if something was seen."""
    table = range(len(line.seats)) if what == "takeback-seen" else line.playing
    return tuple(other for other in table if other != seat and not is_bot(line.seats[other]))


def done(line: Line, seat: int, what: What) -> Entry:
    """The entry by which what was offered happens."""
    match what:
        case "draw":
            return DrawAgreed()
        case "pause":
            return Paused()
        case "resume":
            return Resumed()
        case "takeback" | "takeback-seen":
            return TookBack(decision(line, seat))
        case "count":
            return Counted(to_count(line))


def to_count(line: Line) -> int:
    """The ply of the refused answer that may be counted now."""
    ply = line.refused
    if ply is None:
        raise NotPossible(say("there is no refused answer to count"))
    return ply


def decision(line: Line, seat: int | None = None) -> int:
    """The ply of the last decision of this seat, or of any human. Passing and the clock's claims are none."""
    for ply in range(line.ply - 1, -1, -1):
        step = line.steps[ply]
        whose = step.seat == seat if seat is not None else step.seat >= 0 and not is_bot(line.seats[step.seat])
        if whose and line.rules.encode(step.action) not in (PASS, SILENCE):
            return ply
    raise NotPossible(say("there is nothing to take back"))


def seen(line: Line, seat: int, ply: int) -> bool:
    """Whether a seat has seen a die or a secret since so many plies were made."""
    steps = line.steps[ply:]
    if any(step.seat == CHANCE for step in steps):
        return True
    return line.rules.spec.hidden and any(_tells(line.rules, step, seat) for step in steps)


def _tells(rules: AnyRules, step: Ply, seat: int) -> bool:
    """Whether an action showed a seat more than it knew: at some table that looked the same to it, it looks different.

    Tables are drawn at random, but always the same ones, so that everybody who asks gets the same answer.
    """
    view = rules.observe(step.before, seat)
    rng = Random(rules.encode(step.action))
    shown = step.event(rules, seat), rules.observe(step.after, seat)
    for _ in range(TABLES):
        other = rules.resample(view, rng)
        try:
            after = rules.observe(rules.apply(other, step.action), seat)
        except IllegalAction:
            return True
        if (rules.event(other, step.action, seat), after) != shown:
            return True
    return False


def _check_open(line: Line) -> None:
    if line.turn == OVER:
        raise NotPossible(say("the match is over"))
