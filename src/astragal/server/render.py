"""Messages about a match for one viewer in one language: the events since some number, and how the match stands.

This is the only place where anything about a match becomes a message, and all it uses of a game are views and events
of that viewer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from astragal.core import fair
from astragal.core.fair import Why
from astragal.core.language import Text, say, say_count
from astragal.core.record import Seat, TimedOut, is_bot
from astragal.core.rules import Game
from astragal.play import sentences
from astragal.play.clock import face
from astragal.server import journal, lobby, wire
from astragal.server.journal import (
    Abandoned,
    Again,
    Away,
    Began,
    Body,
    Closed,
    Hinted,
    Identified,
    Interrupted,
    Left,
    Lengthened,
    Muted,
    NextMatch,
    Opened,
    Promised,
    Reseeded,
    Said,
    Sat,
    Shown,
)
from astragal.server.room import Room
from astragal.server.setup import OPEN, PHRASES

T = TypeVar("T")


class Alike(dict[tuple[str, Any], Any]):
    """Parts of messages that several viewers get alike, each made once while one change is told to all."""

    def once(self, part: str, which: Any, make: Callable[[], T]) -> T:
        """The part under this key: made for the first viewer, kept for the others."""
        key = (part, which)
        if key not in self:
            self[key] = make()
        kept: T = self[key]
        return kept


def news(
    room: Room,
    viewer: int | None,
    lang: str,
    since: int,
    views_since: int | None,
    now: int,
    alike: Alike | None = None,
    most: int | None = None,
) -> wire.News:
    """What follows event number `since`, at most so much of it, and the table; views from event `views_since` on."""
    alike = Alike() if alike is None else alike
    return wire.News(
        events=events(room, viewer, lang, since, views_since, alike, most),
        table=table(room, viewer, lang, now, alike),
        data=room.carried.data if since <= 0 else {},
    )


def events(
    room: Room, viewer: int | None, lang: str, since: int, views_since: int | None, alike: Alike, most: int | None
) -> tuple[wire.Event, ...]:
    """What this viewer may know of the entries after number `since`."""

    def event(index: int) -> wire.Event:
        with_view = views_since is not None and index >= views_since
        eyes = viewer if with_view or room.game.rules.spec.hidden else None  # else everybody sees the same
        return alike.once(
            "event", (index, eyes, lang, with_view), lambda: _event(room, index, eyes, lang, with_view, alike)
        )

    return tuple(
        event(index)
        for index in range(max(since, 0), room.last if most is None else min(room.last, since + most))
        if viewer not in room.unheard_by[index] and not _untold(room.log[index].body, viewer)
    )


def _untold(body: Body, viewer: int | None) -> bool:
    """Whether this viewer is told nothing of an entry: another seat's mutes, what clients say of their screens,
    and who sits at a rated table."""
    return isinstance(body, Shown | Identified) or (isinstance(body, Muted) and body.seat != viewer)


def _event(room: Room, index: int, viewer: int | None, lang: str, with_view: bool, alike: Alike) -> wire.Event:
    kept, happening = room.log[index], room.happenings[index]
    body = kept.body
    seen = None if happening is None else alike.once("seen", (index, viewer), lambda: happening.event(viewer))
    said = []
    if seen is None or isinstance(body, TimedOut):  # a clock fell: first that, then what it did
        said.append(sentence(room, body, lang).to(lang))
    if seen is not None and happening is not None:  # of the game itself only what this viewer sees of it
        said.append(room.game.presentation.say(seen, lang))
        seat, shown = happening.seat, None
    else:
        seat, shown = getattr(body, "seat", None), _shown(body)
    text = " ".join(said)
    return wire.Event(
        n=kept.n,
        at=kept.at,
        kind=journal.kind(body),
        text=text,
        seat=seat,
        ply=room.plies[index],
        notation="" if happening is None else happening.notation,
        event=seen,
        view=alike.once("view after", (index, viewer), lambda: _view_after(room, index, viewer)) if with_view else None,
        entry=shown,
    )


def _view_after(room: Room, index: int, viewer: int | None) -> Any:
    """What this viewer saw after an entry of the game, or when it began: a client shows that before the first throw."""
    if (happening := room.happenings[index]) is not None:
        return room.carried.view(happening.view(viewer))
    return room.carried.view(room.playing().opening(viewer)) if isinstance(room.log[index].body, Began) else None


def _shown(body: Body) -> Any:
    """An entry of the table without what nobody may see yet: hidden options, and the server's seed."""
    match body:
        case Began(header):
            return {"fair": header.fair}
        case Reseeded(seed):
            return {"server_commitment": fair.commit(bytes.fromhex(seed))}
        case Hinted(seat, ply, _):  # what it said is for that seat alone
            return {"seat": seat, "ply": ply}
        case _:
            return body


def names(room: Room, lang: str) -> Callable[[int], str]:
    """What the players call each seat: always the same at one table."""
    return lambda seat: room.game.presentation.seat_name(seat, lang, room.first_view)


def sentence(room: Room, body: Body, lang: str) -> Text:
    """What happened at the table."""
    name, n = names(room, lang), sentences.number(room.game)
    match body:
        case Sat(seat, who):
            return say("{seat}: {player}", seat=name(seat), player=who or say("human"))
        case Promised(seat, None):
            return say_count(
                n, "{seat} brings no seed for the dice.", "{seat} bring no seed for the dice.", seat=name(seat)
            )
        case Promised(seat, _):
            return say_count(
                n,
                "{seat} has promised a seed for the dice.",
                "{seat} have promised a seed for the dice.",
                seat=name(seat),
            )
        case Opened(seat, _):
            return say_count(n, "{seat} has opened its seed.", "{seat} have opened their seed.", seat=name(seat))
        case Abandoned(seat, who, why, _, _):
            return _abandonment(name(seat), who, why, n)
        case Left(seat):
            return say_count(n, "{seat} is free again.", "{seat} are free again.", seat=name(seat))
        case Reseeded():
            return say("The server has promised a fresh seed, so the dice seen coming will not be thrown.")
        case Began():
            return say("The match begins.")
        case Said(seat, text, phrase):
            words = say(PHRASES[phrase]) if phrase in PHRASES else text or say("(deleted)")
            return say("{seat}: {words}", seat=room.lobby_seats[seat].name or name(seat), words=words)
        case Muted(_, whom, on):
            return (
                say("You do not hear {seat} any more.", seat=name(whom))
                if on
                else say("You hear {seat} again.", seat=name(whom))
            )
        case Lengthened(seat):
            return say("More time for {seat}.", seat=name(seat))
        case Hinted(seat, _, None):
            return say("A hint for {seat}.", seat=name(seat))
        case Hinted(seat, _, ()):
            return say("No hint for {seat}: this has to be known.", seat=name(seat))
        case Hinted(seat, _, _):
            return say("A hint for {seat}: two wrong answers are taken away.", seat=name(seat))
        case Interrupted(since, until):
            return say("The server was away for {time}; no clock ran.", time=face(until - since))
        case Away(seat):
            return say("Away for too long: {seat}.", seat=name(seat))
        case Again(seat, _):
            return say_count(n, "{seat} would like another match.", "{seat} would like another match.", seat=name(seat))
        case NextMatch(match):
            return say("The players go on in match {match}.", match=match)
        case Closed("time"):
            return say("Nobody came for too long, and this table is closed.")
        case Closed("length"):
            return say("This match has become too long, and its table is closed.")
        case Closed():
            return say("The host has closed this table.")
        case Shown() | Identified():
            raise AssertionError("nobody is told of that")
        case _:
            return sentences.table_event(body, name, room.game)


def _abandonment(seat: str, who: str, why: Why, n: int) -> Text:
    player = who or say("human")
    match why:
        case "left":
            return say_count(
                n,
                "{seat} ({player}) leaves after a seed was opened.",
                "{seat} ({player}) leave after a seed was opened.",
                seat=seat,
                player=player,
            )
        case "late":
            return say_count(
                n,
                "{seat} ({player}) has not opened the promised seed in time.",
                "{seat} ({player}) have not opened the promised seed in time.",
                seat=seat,
                player=player,
            )
        case "kicked":
            return say("The host has put out {seat} ({player}) after a seed was opened.", seat=seat, player=player)


def table(room: Room, viewer: int | None, lang: str, now: int, alike: Alike) -> wire.Table:
    """How the match stands for this viewer."""
    match, view = room.match, alike.once("view", viewer, lambda: room.view(viewer))
    mine, status = _may_act(room, viewer), room.status
    result = match.result if match is not None else None
    return wire.Table(
        match=room.id,
        game=room.game.id,
        status="paused" if status == "running" and match is not None and match.paused else status,
        n=room.last,
        you=viewer,
        ply=0 if match is None else match.ply,
        turn=None if match is None else match.turn,
        seats=_kept_places(room, lang),
        view=None if match is None else room.carried.view(view),
        actions=choices(room, view, view.legal, lang) if mine else (),
        claims=() if viewer is None else choices(room, view, room.claims(viewer), lang),
        open_actions=mine and room.game.rules.spec.open_actions,
        hints=viewer is not None and room.hints,
        away=room.away(viewer) if mine else (),
        times=alike.once("times", None, lambda: times(room, now)),
        offer=_pending(room, lang),
        can_count=match is not None and status == "running" and match.can_count and not room.uncounted,
        fair=alike.once("fair", None, lambda: room.fairness),
        result=result,
        outcome="" if result is None else sentences.outcome(result, names(room, lang), room.game).to(lang),
        rated=room.setup.rated,
        again=tuple(sorted(room.again)),
        chooser=match.rematch().chooser if match is not None and result is not None else None,
        next_match=room.next_match,
    )


def choices(room: Room, view: Any, actions: tuple[Any, ...], lang: str) -> tuple[wire.Choice, ...]:
    """Actions as they are sent, each with what it does."""
    encode, label = room.game.rules.encode, room.game.presentation.label
    return tuple(wire.Choice(encode(action), label(view, action, lang)) for action in actions)


def _called(who: Seat, game: Game, lang: str) -> str:
    """A player's own name, or that of a bot; a human without one has none."""
    called = sentences.player(who, game) if is_bot(who) else who.name
    return called.to(lang) if isinstance(called, Text) else called


def _kept_places(room: Room, lang: str) -> tuple[wire.Place, ...]:
    """`places`, made anew only when somebody has sat down, left or been replaced, or the match has begun or ended."""
    key, at = ("places", lang), (room.seated_at, room.status)
    if key not in room.rendered or room.rendered[key][0] != at:
        room.rendered[key] = (at, places(room, lang))
    kept: tuple[wire.Place, ...] = room.rendered[key][1]
    return kept


def places(room: Room, lang: str) -> tuple[wire.Place, ...]:
    """Who sits where."""
    name, opening = names(room, lang), lobby.openers(room.lobby_seats)
    return tuple(
        wire.Place(
            seat=seat,
            title=name(seat),
            player=OPEN if room.match is None and lobby_seat.free else who.player,
            name=_called(who, room.game, lang),
            face="" if is_bot(who) else lobby_seat.face,
            ready=lobby_seat.ready,
            promised=lobby_seat.commitment is not None,
            opens=room.status == "lobby" and seat in opening,
        )
        for seat, (who, lobby_seat) in enumerate(zip(room.seats, room.lobby_seats, strict=True))
    )


def times(room: Room, now: int) -> wire.Times:
    """The clocks."""
    watch = room.watch
    if watch is None or room.status != "running":
        return wire.Times(now=now, control=room.setup.clock)
    seats = range(len(room.lobby_seats))
    ticking, answering = watch.runs and bool(watch.left), watch.runs and watch.answer is not None
    return wire.Times(
        now=now,
        control=room.setup.clock,
        left=tuple(left for seat in seats if (left := watch.left_to(seat, now)) is not None),
        running=watch.mover if ticking else None,
        falls_at=watch.since + watch.left[watch.mover] if ticking and watch.mover is not None else None,
        answer_from=watch.since + watch.unseen if answering else None,
        answer_by=watch.since + watch.unseen + (watch.answer or 0) if answering else None,
        more=room.more_time,
    )


def _may_act(room: Room, viewer: int | None) -> bool:
    """Whether this viewer is the human whose turn it is."""
    match = room.match
    if viewer is None or match is None or match.paused or room.status != "running":
        return False
    return match.turn == viewer and not is_bot(match.seats[viewer])


def _pending(room: Room, lang: str) -> wire.Pending | None:
    """The offer that waits for answers."""
    offer = None if room.match is None else room.match.offered
    if offer is None or room.match is None or room.status != "running":
        return None
    text = sentences.offer(offer.what, names(room, lang)(offer.seat), room.game).to(lang)
    return wire.Pending(what=offer.what, seat=offer.seat, waits_for=room.match.waiting, text=text)


def summary(room: Room, lang: str) -> wire.Summary:
    """The match for a list that everybody may read."""
    match = room.match
    result = None if match is None else match.result
    return wire.Summary(
        match=room.id,
        game=room.game.id,
        title=say(room.game.rules.spec.title).to(lang),
        status=room.status,
        listed=room.row.listed,
        watchers=room.setup.watchers,
        clock=room.setup.clock,
        options=room.carried.options(room.first_view.options),
        players=places(room, lang),
        free=room.free,
        created_at=room.row.created_ms,
        changed_at=room.log[-1].at if room.log else room.row.created_ms,
        turn=None if match is None else match.turn,
        result=result,
        outcome="" if result is None else sentences.outcome(result, names(room, lang), room.game).to(lang),
        rated=room.setup.rated,
    )
