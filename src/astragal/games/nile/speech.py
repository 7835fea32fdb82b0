"""Nile in words: what plays do, what happened, and answers about the table."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from astragal.core.language import Text, noted, say, say_count
from astragal.core.rules import Presentation
from astragal.core.types import OVER
from astragal.games.nile import picture
from astragal.games.nile.actions import Action, Draw, Lay, Pass, Resign
from astragal.games.nile.board import Field, grid
from astragal.games.nile.course import course
from astragal.games.nile.score_sheet import Laid, ScoreLine, best, last_turn
from astragal.games.nile.tiles import KINDS, NAMES, POINT_NAMES, Kind
from astragal.games.nile.view import Drew, Ended, Event, GaveUp, Led, Passed, Stopped, View, Waited

# A question, what follows it, and what it tells.
TOPICS = {
    noted("where"): (" K5", noted("what lies on a field")),
    noted("head"): ("", noted("where the river goes on")),
    noted("rack"): ("", noted("your own tiles")),
    noted("unseen"): ("", noted("how many tiles of each kind you cannot see")),
    noted("sheet"): ("", noted("the score sheet")),
}


class NilePresentation(Presentation[View, Action, Event]):
    """How Nile looks and speaks. Pictures always mark the last turn, which the view knows."""

    topics = TOPICS

    def seat_name(self, seat: int, lang: str, v: View | None = None) -> str:
        return _side(seat).to(lang)

    def text(self, v: View, lang: str = "en", *, colour: bool = False, last: Event | None = None) -> str:
        now = wrap(_now(v, lang), 78, initial_indent="  ", subsequent_indent="  ")
        return "\n".join([picture.text(v, lang, colour=colour), *now])

    def plain(self, v: View, lang: str) -> str:
        lines = [_standing(v, seat).to(lang) for seat in range(len(v.sizes))]
        lines.append(say("{n} in the bag", n=v.bag).to(lang) + ".")
        turn = last_turn(v.river, v.sheet, v.laid)
        if turn:
            lines.append(say("Last turn: {tiles}.", tiles=_listed(turn, lang)).to(lang))
        if v.seat is not None and v.rack:
            lines.append(say("Your rack: {tiles}.", tiles=picture.rack_text(v, lang)).to(lang))
        return "\n".join([*lines, _now(v, lang)])

    def svg(self, v: View, lang: str = "en", *, last: Event | None = None) -> str:
        return picture.svg(v, lang, self.plain(v, lang))

    def label(self, v: View, a: Action, lang: str) -> str:
        if isinstance(a, Draw):
            return say("draws {kind}", kind=_kind(a.kind)).to(lang)
        if isinstance(a, Resign):
            return say("gives up").to(lang)
        if isinstance(a, Pass):
            return (say("no tile fits") if v.river else say("no tile to begin with")).to(lang)
        if isinstance(a, Lay):
            return ", ".join(part.to(lang) for part in _effects(v, a))
        points = v.pending.total if v.pending is not None else 0
        return say_count(points, "ends the turn with {n} point", "ends the turn with {n} points").to(lang)

    def say(self, event: Event, lang: str) -> str:
        sentence = _sentence(event, lang)
        ended = None if isinstance(event, Passed | Waited) else event.ended
        return sentence if ended is None else f"{sentence} {_end(ended, lang)}"

    def answer(self, v: View, topic: str, rest: Sequence[str], lang: str) -> str | None:
        match topic, rest:
            case "where", [field]:
                return _where(v, field.upper()).to(lang)
            case "head", []:
                return _head(v).to(lang)
            case "rack", [] if v.seat is not None:
                return say("Your rack: {tiles}.", tiles=picture.rack_text(v, lang) or "-").to(lang)
            case "unseen", []:
                counts = zip(KINDS, v.unseen, strict=True)
                tiles = ", ".join(f"{count} {_kind(kind).to(lang)}" for kind, count in counts if count)
                return say("In the bag or on other racks: {tiles}.", tiles=tiles or "-").to(lang)
            case "sheet", []:
                return "\n".join(sheet_line(line, lang) for line in v.sheet) or say("Nothing is scored yet.").to(lang)
        return None


def _side(seat: int) -> Text:
    return say(picture.SEAT_NAMES[seat])


def _kind(kind: Kind) -> Text:
    return say(NAMES[kind])


def _kinds(kinds: tuple[Kind, ...], lang: str) -> str:
    return ", ".join(_kind(kind).to(lang) for kind in kinds)


def _named(laid: Laid) -> Text:
    """A tile as it lies: its kind, for a universal also what it stands for or crosses."""
    if laid.replaced is not None:
        return say("a universal in place of {kind}", kind=_kind(laid.replaced))
    if laid.stands is not None:
        return say("a universal as {kind}", kind=_kind(laid.stands))
    return _kind(laid.tile)


def _listed(tiles: tuple[Laid, ...], lang: str) -> str:
    return ", ".join(f"{laid.field} {_named(laid).to(lang)}" for laid in tiles)


def _colour(field: Field) -> Text | None:
    """What a coloured field does."""
    if field.colour == "green":
        return say("green, earns {n}", n=field.number)
    if field.colour == "red":
        return say("red, costs {n}", n=field.number)
    if field.colour == "group":
        return say("red group, costs {n} once a turn", n=field.number)
    if field.colour == "blue":
        return say("blue, {n} for ending there", n=field.number)
    return None


def _effects(v: View, a: Lay) -> list[Text]:
    """What a play is and what it brings about."""
    ground, river = grid(v.options.board), course(v.options.board, v.river)
    parts = [say("{kind} to {exit}", kind=_kind(a.tile), exit=say(POINT_NAMES[a.exit]))]
    if a.stands is not None:
        parts = [say("universal as {kind} to {exit}", kind=_kind(a.stands), exit=say(POINT_NAMES[a.exit]))]
    field = ground.fields[river.head]
    led = river.led(a.tile, a.exit, a.crossing)
    if field.colour == "blue" and led.head < 0:
        parts.append(say("ends the river for {n}", n=field.number))
    elif field.colour != "blue" and (colour := _colour(field)):
        parts.append(colour)
    if a.crossing:
        parts.append(say("crosses {field}", field=ground.names[ground.beyond[river.head][a.exit]]))
    if led.head >= 0 and led.shut_in():
        parts.append(say("shuts the river in"))
    return parts


def _head(v: View) -> Text:
    if v.head is None:
        return say("The river has ended.")
    name, entry = v.head
    colour = _colour(grid(v.options.board).fields[grid(v.options.board).number[name]])
    if colour is not None:
        return say("The river goes on at {field}, entered from {point} ({colour}).", field=name,
                   point=say(POINT_NAMES[entry]), colour=colour)  # fmt: skip
    return say("The river goes on at {field}, entered from {point}.", field=name, point=say(POINT_NAMES[entry]))


def _now(v: View, lang: str) -> str:
    side = _side(v.mover)
    if v.turn == OVER:
        winners = best(v.scores, v.gone)
        assert v.ending is not None
        return _end(Ended(v.ending, v.scores, winners), lang)
    if v.phase == "lots":
        return say("{side} draws for the right to begin.", side=side).to(lang)
    if v.phase == "deal":
        return say("The racks are dealt.").to(lang)
    if v.phase == "refill":
        return say("{side} draws new tiles.", side=side).to(lang)
    head = say("{side} may go on or stop.", side=side) if v.laid else say("{side} is to play.", side=side)
    return f"{head.to(lang)} {_head(v).to(lang)}"


def _standing(v: View, seat: int) -> Text:
    if seat in v.gone:
        return say("{side} has given up.", side=_side(seat))
    return say("{side}: {standing}.", side=_side(seat), standing=picture.standing(v, seat))


def _where(v: View, name: str) -> Text:
    ground = grid(v.options.board)
    if name not in ground.number:
        return say("{field} is not a field of this board.", field=name)
    lying = [laid for laid in v.river if laid.field == name]
    if lying:
        laid = lying[-1]
        return say("{field}: {tile}, from {entry} to {exit}.", field=name, tile=_named(laid),
                   entry=say(POINT_NAMES[laid.entry]), exit=say(POINT_NAMES[laid.exit]))  # fmt: skip
    colour = _colour(ground.fields[ground.number[name]])
    if colour is None:
        return say("{field} is empty.", field=name)
    return say("{field} is empty: {colour}.", field=name, colour=colour)


def sheet_line(line: ScoreLine, lang: str) -> str:
    """A line of the score sheet in words."""
    side = _side(line.seat)
    if line.how == "waited":
        return say("{side}: no tile to begin with.", side=side).to(lang)
    if line.how == "resigned":
        return say("{side} has given up.", side=side).to(lang)
    tiles = _kinds(line.tiles, lang)
    if line.how == "passed":
        return say("{side}: nothing fitted ({tiles}): {total}.", side=side, tiles=tiles, total=line.total).to(lang)
    if line.how == "left":
        return say("{side}: left on the rack ({tiles}): {total}.", side=side, tiles=tiles, total=line.total).to(lang)
    parts = [tiles, *(f"{field} {points:+d}" for field, points in line.fields)]
    if line.bonus:
        parts.append(say("whole rack +{n}", n=line.bonus).to(lang))
    if line.goal:
        parts.append(say("goal +{n}", n=line.goal).to(lang))
    return say("{side}: {parts}: {total}.", side=side, parts="; ".join(parts), total=line.total).to(lang)


def _sentence(event: Event, lang: str) -> str:
    side = _side(event.seat)
    match event:
        case Drew():
            return _drew(event, lang)
        case Led(laid=laid):
            tiles = _listed(laid, lang)
            shut = laid[-1].shut
            sentence = (
                say("{side} lays {tiles} and shuts the river in.", side=side, tiles=tiles)
                if shut
                else say("{side} lays {tiles}.", side=side, tiles=tiles)
            )
            return sentence.to(lang) if event.line is None else f"{sentence.to(lang)} {sheet_line(event.line, lang)}"
        case Stopped(line=line):
            return say_count(
                line.total, "{side} stops and scores {n} point.", "{side} stops and scores {n} points.", side=side
            ).to(lang)
        case Passed(line=line):
            return say(
                "{side} cannot play, shows {tiles}, loses {n} and draws again.",
                side=side, tiles=_kinds(line.tiles, lang), n=-line.total,
            ).to(lang)  # fmt: skip
        case Waited(again=True):
            return say("Nobody can open the river: all racks go back and are drawn again.").to(lang)
        case Waited():
            return say("{side} has no tile to begin with.", side=side).to(lang)
        case GaveUp():
            return say("{side} gives up.", side=side).to(lang)


def _drew(event: Drew, lang: str) -> str:
    side = _side(event.seat)
    if event.kind is None:
        return say("{side} draws a tile.", side=side).to(lang)
    parts = [say("{side} draws {kind}.", side=side, kind=_kind(event.kind))]
    if event.begins is not None:
        parts.append(say("{side} begins.", side=_side(event.begins)))
    if event.tied:
        tied = ", ".join(_side(seat).to(lang) for seat in event.tied)
        parts.append(say("A tie: {sides} draw again.", sides=tied))
    return " ".join(part.to(lang) for part in parts)


def _end(ended: Ended, lang: str) -> str:
    why = {
        "goal": say("The river has reached its goal."),
        "tiles": say("All tiles are laid."),
        "idle": say("For two rounds nobody could lay a tile."),
        "alone": say("Only one player is left."),
    }[ended.why]
    points = ended.scores[ended.winners[0]]
    if len(ended.winners) == 1:
        side = _side(ended.winners[0])
        won = say_count(points, "{side} wins with {n} point.", "{side} wins with {n} points.", side=side)
    else:
        won = say_count(
            points,
            "{sides} share the win with {n} point each.",
            "{sides} share the win with {n} points each.",
            sides=", ".join(_side(seat).to(lang) for seat in ended.winners),
        )
    return f"{why.to(lang)} {won.to(lang)}"
