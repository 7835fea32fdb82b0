"""Ur in words: what moves do, what happened, and answers about the table."""

from __future__ import annotations

from collections.abc import Sequence

from astragal.core.language import Text, noted, say
from astragal.core.rules import Presentation
from astragal.core.types import OVER
from astragal.games.ur import picture
from astragal.games.ur.actions import IN, OFF, Action, Move, Pass, Throw
from astragal.games.ur.board import LONGEST_THROW, track
from astragal.games.ur.view import Event, Moved, Passed, Threw, View

# A question, what follows it, and what it tells.
TOPICS = {
    noted("where"): (" b4", noted("what stands on a square")),
    noted("mine"): ("", noted("your own pieces")),
    noted("theirs"): ("", noted("the other side's pieces")),
    noted("threats"): ("", noted("which pieces the next throws could take")),
}


class UrPresentation(Presentation[View, Action, Event]):
    """How Ur looks and speaks."""

    topics = TOPICS

    def seat_name(self, seat: int, lang: str, v: View | None = None) -> str:
        return _side(seat).to(lang)

    def text(self, v: View, lang: str = "en", *, colour: bool = False, last: Event | None = None) -> str:
        return f"{picture.text(v, lang, colour=colour, last=last)}\n  {_now(v).to(lang)}"

    def plain(self, v: View, lang: str) -> str:
        lines = [sentence.to(lang) for seat in (0, 1) for sentence in _standing(v, seat)]
        return "\n".join([*lines, _now(v).to(lang)])

    def svg(self, v: View, lang: str = "en", *, last: Event | None = None) -> str:
        return picture.svg(v, lang, last=last, description=self.plain(v, lang))

    def label(self, v: View, a: Action, lang: str) -> str:
        if isinstance(a, Throw):
            return say("a throw of {pips}", pips=a.pips).to(lang)
        if isinstance(a, Pass):
            return say("no piece can move").to(lang)
        parts = [_way(a)]
        rosette, takes = a.end in track(v.options.path).rosettes, a.end in v.squares[1 - v.mover]
        if takes:
            again = v.options.capture_throws and not (rosette and v.options.rosette_throws)
            parts.append(say("takes a piece: throw again") if again else say("takes a piece"))
        if rosette:
            parts.append(say("rosette: throw again") if v.options.rosette_throws else say("rosette"))
        return ", ".join(part.to(lang) for part in parts)

    def say(self, event: Event, lang: str) -> str:
        return _sentence(event).to(lang)

    def answer(self, v: View, topic: str, rest: Sequence[str], lang: str) -> str | None:
        me = v.seat if v.seat is not None else v.mover
        match topic, rest:
            case "where", [square]:
                return _where(v, square.lower()).to(lang)
            case "mine", []:
                return " ".join(sentence.to(lang) for sentence in _standing(v, me))
            case "theirs", []:
                return " ".join(sentence.to(lang) for sentence in _standing(v, 1 - me))
            case "threats", []:
                return " ".join(sentence.to(lang) for sentence in _threats(v, me))
        return None


def _side(seat: int) -> Text:
    return say(picture.seat_text(seat))


def _way(a: Move) -> Text:
    if a.start == IN:
        return say("a new piece to {square}", square=a.end)
    if a.end == OFF:
        return say("from {square} home", square=a.start)
    return say("{start} to {end}", start=a.start, end=a.end)


def _now(v: View) -> Text:
    if v.turn == OVER and v.winner is not None:
        return say("{side} has won.", side=_side(v.winner))
    if v.opening is not None and len(v.opening) < 2:
        return say("{side} throws for the right to begin.", side=_side(v.mover))
    if v.throw is None:
        return say("{side} is to throw.", side=_side(v.mover))
    return say("{side} has thrown {pips}.", side=_side(v.mover), pips=v.throw)


def _standing(v: View, seat: int) -> list[Text]:
    side, squares = _side(seat), v.squares[seat]
    where = (
        say("{side} is on {squares}.", side=side, squares=", ".join(squares))
        if squares
        else say("{side} has no piece on the board.", side=side)
    )
    return [
        where,
        say("{side}: {pool} in the pool, {home} home.", side=side, pool=v.pools[seat], home=v.home(seat)),
    ]


def _where(v: View, square: str) -> Text:
    ways = track(v.options.path)
    if square not in ways.squares:
        return say("{square} is not a square of this board.", square=square)
    for seat in (0, 1):
        if square in v.squares[seat]:
            if square in ways.rosettes:
                return say("{square}, a rosette: a piece of {side}.", square=square, side=_side(seat))
            return say("{square}: a piece of {side}.", square=square, side=_side(seat))
    if square in ways.rosettes:
        return say("{square} is an empty rosette.", square=square)
    return say("{square} is empty.", square=square)


def _threats(v: View, seat: int) -> list[Text]:
    """For each of a side's pieces, the throws with which the enemy could take it."""
    ways, sides = track(v.options.path), v.squares
    hunters = [ways.step_of[1 - seat][square] for square in sides[1 - seat]] + ([0] if v.pools[1 - seat] else [])
    threats = []
    for square in sides[seat]:
        step = ways.meets[seat][ways.step_of[seat][square]]
        safe = v.options.safe_rosettes and square in ways.rosettes
        throws = sorted({step - hunter for hunter in hunters if 0 < step - hunter <= LONGEST_THROW})
        if step > 0 and throws and not safe:
            threats.append(
                say("{square} can be taken with {throws}.", square=square, throws=", ".join(map(str, throws)))
            )
    return threats or [say("No piece is threatened.")]


def _sentence(event: Event) -> Text:
    side = _side(event.seat)
    if isinstance(event, Passed):
        return say("{side} cannot move and passes.", side=side)
    if isinstance(event, Threw):
        if event.begins is not None:
            return say("{side} throws {pips}: {first} begins.", side=side, pips=event.pips, first=_side(event.begins))
        return say("{side} throws {pips}.", side=side, pips=event.pips)
    return _moved(event, side)


def _moved(event: Moved, side: Text) -> Text:
    way = _way(Move(event.start, event.end))
    if event.won:
        return say("{side}: {way}. {side} wins!", side=side, way=way)
    if event.taken and event.again:
        return say("{side}: {way}, takes a piece and throws again.", side=side, way=way)
    if event.taken:
        return say("{side}: {way} and takes a piece.", side=side, way=way)
    if event.again:
        return say("{side}: {way} and throws again.", side=side, way=way)
    return say("{side}: {way}.", side=side, way=way)
