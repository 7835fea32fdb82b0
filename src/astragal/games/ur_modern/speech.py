"""The modern game in words: what actions do, what happened, and answers about the table."""

from __future__ import annotations

from collections.abc import Sequence

from astragal.core.language import Text, listed, noted, say
from astragal.core.rules import Presentation
from astragal.core.types import OVER
from astragal.games.ur.picture import seat_text
from astragal.games.ur.speech import TOPICS
from astragal.games.ur_modern import picture
from astragal.games.ur_modern.actions import THROWS, Action, ClaimDraw, Hop, Lots, Move, Pass, Place, Throw
from astragal.games.ur_modern.board import SQUARES, ground
from astragal.games.ur_modern.moves import Scene, actions
from astragal.games.ur_modern.view import Claimed, Event, LotsFell, Moved, Passed, Placed, Threw, View

PLACES = {
    "fortress": noted("a fortress"),
    "entrance": noted("the Entrance"),
    "kingdom": noted("a square of the Kingdom"),
    "marduk": noted("the Field of Marduk"),
    "ishtar": noted("the Field of Ishtar"),
}


class UrModernPresentation(Presentation[View, Action, Event]):
    """How the modern game looks and speaks."""

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
        if isinstance(a, Lots):
            return say("{side} begins", side=_side(a.seat)).to(lang)
        if isinstance(a, Throw):
            return picture.dice_text(a.tips).to(lang)
        if isinstance(a, Pass):
            return say("nothing else is possible").to(lang)
        if isinstance(a, ClaimDraw):
            return say("claim a draw").to(lang)
        return ", ".join(part.to(lang) for part in _effects(v, a))

    def say(self, event: Event, lang: str) -> str:
        return _sentence(event).to(lang)

    def answer(self, v: View, topic: str, rest: Sequence[str], lang: str) -> str | None:
        me = v.seat if v.seat is not None else v.mover or 0
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
    return say(seat_text(seat))


def _now(v: View) -> Text:
    if v.turn == OVER:
        return say("{side} has won.", side=_side(v.winner)) if v.winner is not None else say("The game is drawn.")
    if v.mover is None:
        return say("Lots decide who begins.")
    if v.tips is None:
        return say("{side} is to throw.", side=_side(v.mover))
    return say("{side} has thrown {dice}.", side=_side(v.mover), dice=picture.dice_text(v.tips))


def _standing(v: View, seat: int) -> list[Text]:
    side, squares = _side(seat), v.squares[seat]
    held = len(ground(v.options.layout).fortresses.intersection(squares))
    return [
        say("{side} is on {squares}.", side=side, squares=", ".join(squares))
        if squares
        else say("{side} has no piece on the board.", side=side),
        say("{side}: {pool} in the pool, {held} of 4 fortresses.", side=side, pool=v.pools[seat], held=held),
    ]


def _where(v: View, square: str) -> Text:
    if square not in SQUARES:
        return say("{square} is not a square of this board.", square=square)
    part = picture.role(ground(v.options.layout), square)
    for seat in (0, 1):
        if square in v.squares[seat] and part:
            return say("{square}, {part}: a piece of {side}.", square=square, part=say(PLACES[part]), side=_side(seat))
        if square in v.squares[seat]:
            return say("{square}: a piece of {side}.", square=square, side=_side(seat))
    if part:
        return say("{square}, {part}: empty.", square=square, part=say(PLACES[part]))
    return say("{square} is empty.", square=square)


def _threats(v: View, seat: int) -> list[Text]:
    """For each of a side's pieces, the throws with which the enemy could take it if it were to throw now."""
    mine, theirs = frozenset(v.squares[seat]), frozenset(v.squares[1 - seat])
    dangers: dict[str, list[Text]] = {}
    for throw, _ in THROWS:
        scene = Scene(
            v.options.layout, v.options.placing_captures, 1 - seat, throw.tips, theirs, mine, v.pools[1 - seat]
        )
        lost = {square for after in actions(scene).values() for square in mine - after.theirs}
        for square in sorted(lost):
            dangers.setdefault(square, []).append(picture.dice_text(throw.tips))
    return [
        say("{square} can be taken with {throws}.", square=square, throws=listed(throws))
        for square, throws in sorted(dangers.items())
    ] or [say("No piece is threatened.")]


def _effects(v: View, a: Place | Move) -> list[Text]:
    """What an action does, in parts."""
    assert v.mover is not None
    enemies, land = v.squares[1 - v.mover], ground(v.options.layout)
    if isinstance(a, Place):
        deeds, entered = [(say("a new piece to {square}", square=a.square), a.square)], [a.square]
    else:
        deeds = [(_hop_text(hop), hop.end) for hop in a.hops]
        entered = [square for hop in a.hops for square in (*hop.takes, hop.end)]
    parts = [_with_role(deed, picture.role(land, end)) for deed, end in deeds]
    lost = [square for square in entered if square in enemies]
    if lost:
        parts.append(say("takes {squares}", squares=", ".join(lost)))
    left = {hop.start for hop in a.hops} if isinstance(a, Move) else set()
    if land.fortresses <= {*v.squares[v.mover], *entered} - left:
        parts.append(say("wins"))
    elif isinstance(a, Move) and any(hop.end in land.fortresses for hop in a.hops):
        parts.append(say("another turn"))
    return parts


def _with_role(deed: Text, part: str | None) -> Text:
    """A deed, and what the square it ends on is."""
    return deed if part is None else say("{deed} ({part})", deed=deed, part=say(PLACES[part]))


def _hop_text(hop: Hop) -> Text:
    return say("{start} to {end}", start=hop.start, end=hop.end)


def _sentence(event: Event) -> Text:
    if isinstance(event, Claimed):
        return say("A draw is claimed: the game is drawn.")
    side = _side(event.seat)
    match event:
        case LotsFell():
            return say("By lot {side} begins.", side=side)
        case Threw(_, tips):
            return say("{side} throws {dice}.", side=side, dice=picture.dice_text(tips))
        case Passed():
            return say("{side} can do nothing and passes.", side=side)
        case Placed(_, square):
            way = say("a new piece to {square}", square=square)
        case Moved(_, hops):
            ways = [_hop_text(hop) for hop in hops]
            way = ways[0] if len(ways) == 1 else say("{one} and {other}", one=ways[0], other=ways[1])
    again = isinstance(event, Moved) and event.again
    return _deed(side, way, ", ".join(event.taken), again=again, won=event.won)


def _deed(side: Text, way: Text, taken: str, *, again: bool, won: bool) -> Text:
    if won:
        return say("{side}: {way}. {side} holds all four fortresses and wins!", side=side, way=way)
    if taken and again:
        return say("{side}: {way}, takes {squares} and has another turn.", side=side, way=way, squares=taken)
    if taken:
        return say("{side}: {way} and takes {squares}.", side=side, way=way, squares=taken)
    if again:
        return say("{side}: {way} and has another turn.", side=side, way=way)
    return say("{side}: {way}.", side=side, way=way)
