"""Nile by its rules. The ids (NI-1 ...) are those of docs/rules/*/nile.md.

Where the river may go is in `course`, what a turn scores in `table`, what a seat can know of hidden tiles in
`unseen`; here is who does what when.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from msgspec.structs import replace

from astragal.core.language import listed, noted, say
from astragal.core.rules import Rules, Thrown, keeps_last
from astragal.core.types import CHANCE, OVER, BadOptions, IllegalAction, Spec
from astragal.games.nile import hidden_tiles, notation, position
from astragal.games.nile.actions import PASSES, STOPS, Action, Draw, Lay, Resign, Stop
from astragal.games.nile.course import Course, Obstacle, course, plays, without
from astragal.games.nile.options import PRESETS, Options
from astragal.games.nile.score_sheet import Laid, ScoreLine, best, scores
from astragal.games.nile.state import (
    IDLE_ROUNDS,
    LOTS,
    Racks,
    State,
    active,
    ended_now,
    ending,
    left_of,
    line_now,
    put_back,
    with_rack,
)
from astragal.games.nile.tiles import (
    KINDS,
    NAMES,
    PLACE,
    POINT_NAMES,
    UNIVERSAL,
    Kind,
    exits,
    in_order,
    kind_between,
    opposite,
    stock,
)
from astragal.games.nile.view import Drew, Event, GaveUp, Led, Passed, Stopped, View, Waited


class NileRules(Rules[State, Action, Options, View, Event]):
    """Pure functions of a State; see `core.rules.Rules` for what each one means."""

    spec = Spec(
        id="nile",
        title=noted("Nile"),
        summary=noted("Lay one river together, from the start to the richest field of the blue goal."),
        version=2,
        earlier=(1,),
        players=(2, 3, 4),
        hidden=True,
        private=True,
        bound=noted("lots could tie again and again, and deals could hold no tile to open with, but hardly for long"),
    )
    state_type = State
    action_type = Action
    options_type = Options
    view_type = View
    event_type = Event
    presets = PRESETS

    def check_options(self, options: Options, players: int) -> None:
        super().check_options(options, players)
        tiles = stock(options.tiles)
        if not any(count and opens for count, opens in zip(tiles.counts, hidden_tiles.openers(options), strict=True)):
            raise BadOptions("tiles", say("no tile of this set can begin a river on this board"))
        by_lots = options.begins == "lots"
        needed = players * max(tiles.rack, LOTS if by_lots else 0)
        if tiles.total < needed:
            raise BadOptions(
                "tiles", say("{players} players need {needed} tiles or more", players=players, needed=needed)
            )
        # Those who lose the lots keep their tiles out of the bag: what is left must not be all alike.
        if by_lots and tiles.total - tiles.highest <= LOTS * (players - 2):
            raise BadOptions("begins", say("lots could tie for ever, since too many tiles have the highest value"))

    def earlier_options(self, version: int, plain: Mapping[str, Any]) -> dict[str, Any]:
        """In version 1 `nile` was what is now called `first`, both as a board and as tiles."""
        named = {"board": "nile", "tiles": "nile", **plain}
        return {**named, **{name: "first" for name in ("board", "tiles") if named[name] == "nile"}}

    def initial(self, options: Options, players: int) -> State:
        self.check_options(options, players)
        tiles = stock(options.tiles)
        empty: Racks = ((),) * players
        if options.begins == "lots":
            lots = (((),),) * players
            return State(options, "lots", 0, 0, empty, tiles.counts, lots=lots, rivals=tuple(range(players)))
        return State(options, "deal", options.begins, options.begins, empty, tiles.counts)

    def players(self, s: State) -> int:
        return len(s.racks)

    def turn(self, s: State) -> int:
        if s.phase == "turn":
            return s.seat
        return OVER if s.phase == "over" else CHANCE

    def legal(self, s: State) -> tuple[Action, ...]:
        if s.phase != "turn":
            return ()
        river = course(s.options.board, s.river)
        lays = plays(river, s.racks[s.seat], s.options)
        if not s.laid:
            return lays or (PASSES,)  # NI-8, NI-10, NI-11
        return lays if must_end(s, river) else (*lays, STOPS)

    def claims(self, s: State) -> tuple[tuple[int, Action], ...]:
        if s.phase != "turn" or len(s.racks) == 2:  # between two players the table itself knows who has won
            return ()
        return tuple((seat, Resign(seat)) for seat in active(s))

    def chance(self, s: State) -> tuple[tuple[Action, int], ...]:
        if s.phase in ("turn", "over"):
            return ()
        return tuple((Draw(kind), count) for kind, count in zip(KINDS, s.bag, strict=True) if count)

    def thrown(self, s: State, a: Action) -> Thrown | None:
        if not isinstance(a, Draw) or s.phase == "lots":
            return None
        value = stock(s.options.tiles).value[a.kind]
        return Thrown(s.seat, noted("Values of the tiles drawn"), str(value), value)

    @keeps_last
    def apply(self, s: State, a: Action) -> State:
        if isinstance(a, Draw):
            return _draw(s, a.kind)
        if isinstance(a, Resign):
            return _resign(s, a.seat)
        if s.phase != "turn":
            raise IllegalAction("NI-8", say("it is nobody's turn now"))
        if isinstance(a, Lay):
            return _lay(s, a)
        if isinstance(a, Stop):
            return _stop(s)
        return _pass(s)

    def returns(self, s: State) -> tuple[float, ...]:
        players = len(s.racks)
        if s.phase != "over":
            return (0.0,) * players
        winners = best(scores(s.sheet, players), s.gone)
        return tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(players))

    def observe(self, s: State, seat: int | None) -> View:
        turn = self.turn(s)
        rack = () if seat is None else s.racks[seat]
        lying = hidden_tiles.lying(s.river)
        hidden = [total - lying[k] for k, total in enumerate(stock(s.options.tiles).counts)]
        drawn = [kind for rounds in s.lots for kind in rounds[-1]] if s.phase == "lots" else []
        for kind in (*rack, *drawn):
            hidden[PLACE[kind]] -= 1
        return View(
            seat=seat,
            turn=turn,
            mover=s.seat,
            phase=s.phase,
            options=s.options,
            first=s.first,
            rack=rack,
            sizes=tuple([len(rack) for rack in s.racks]),
            bag=sum(s.bag),
            unseen=tuple(hidden),
            river=s.river,
            laid=s.laid,
            pending=line_now(s) if s.laid and s.phase == "turn" else None,
            sheet=s.sheet,
            scores=scores(s.sheet, len(s.racks)),
            idle=s.idle,
            gone=s.gone,
            lots=s.lots,
            rivals=s.rivals,
            ending=ending(s) if s.phase == "over" else None,
            legal=self.legal(s) if seat == turn else (),
        )

    def event(self, s: State, a: Action, seat: int | None) -> Event:
        after = self.apply(s, a)
        ended = ended_now(after)
        if isinstance(a, Draw):
            lots = s.phase == "lots"
            settled = after.first if lots and after.phase == "deal" else None
            again = lots and after.phase == "lots" and not any(after.lots[rival][-1] for rival in after.rivals)
            kind = a.kind if lots or seat == s.seat else None
            return Drew(s.seat, kind, lots, settled, after.rivals if again else (), ended)
        if isinstance(a, Lay):
            laid = after.river[len(s.river) :]
            return Led(s.seat, laid, after.sheet[len(s.sheet)] if ended else None, ended)
        if isinstance(a, Stop):
            return Stopped(s.seat, after.sheet[len(s.sheet)], ended)
        if isinstance(a, Resign):
            return GaveUp(a.seat, ended)
        if not s.river:
            return Waited(s.seat, again=after.phase == "deal")
        return Passed(s.seat, after.sheet[len(s.sheet)])

    def resample(self, v: View, rng: Random) -> State:
        racks = hidden_tiles.deal(v, rng)
        bag = list(v.unseen)
        for seat, rack in enumerate(racks):
            if seat != v.seat:
                for kind in rack:
                    bag[PLACE[kind]] -= 1
        return State(
            v.options, v.phase, v.mover, v.first, racks, tuple(bag), v.river, v.laid, v.sheet, v.idle, v.gone, v.lots,
            v.rivals,
        )  # fmt: skip

    def encode(self, a: Action) -> str:
        return str(a)

    def decode(self, s: State, text: str) -> Action:
        return notation.decode(self, s, text)

    def position(self, s: State) -> str:
        return position.write(s)

    def from_position(self, text: str, options: Options, players: int) -> State:
        self.check_options(options, players)
        return position.read(self, text, options, players)


# Drawing (NI-2, NI-8) -----------------------------------------------------------------------------------------


def _draw(s: State, kind: Kind) -> State:
    place = PLACE.get(kind, -1)
    if s.phase in ("turn", "over") or place < 0 or not s.bag[place]:
        raise IllegalAction("NI-2", say("no {kind} can be drawn now", kind=say(NAMES.get(kind, kind))))
    bag = (*s.bag[:place], s.bag[place] - 1, *s.bag[place + 1 :])
    if s.phase == "lots":
        *earlier, drawn = s.lots[s.seat]
        rounds = (*earlier, in_order((*drawn, kind)))
        return _lots(replace(s, bag=bag, lots=(*s.lots[: s.seat], rounds, *s.lots[s.seat + 1 :])))
    rack = in_order((*s.racks[s.seat], kind))
    return _drawn(replace(s, bag=bag, racks=with_rack(s.racks, s.seat, rack)))


def _lots(s: State) -> State:
    """NI-2: the highest total begins; those who tie for it put their tiles back and draw again."""
    if len(s.lots[s.seat][-1]) < LOTS:
        return s
    if s.seat != s.rivals[-1]:
        return replace(s, seat=s.rivals[s.rivals.index(s.seat) + 1])
    tiles = stock(s.options.tiles)
    totals = {rival: tiles.worth(s.lots[rival][-1]) for rival in s.rivals}
    tied = tuple(rival for rival in s.rivals if totals[rival] == max(totals.values()))
    if len(tied) == 1:
        return replace(s, phase="deal", seat=tied[0], first=tied[0], bag=tiles.counts, rivals=())
    bag = s.bag
    for rival in tied:
        bag = put_back(bag, s.lots[rival][-1])
    lots = tuple((*rounds, ()) if seat in tied else rounds for seat, rounds in enumerate(s.lots))
    return replace(s, seat=tied[0], rivals=tied, bag=bag, lots=lots)


def _drawn(s: State) -> State:
    """Goes on drawing until the rack is full or the bag empty; then the next rack is dealt, or play goes on."""
    if len(s.racks[s.seat]) < stock(s.options.tiles).rack and any(s.bag):
        return s
    if s.phase == "refill":
        return _next_turn(s)
    following = left_of(s, s.seat)
    return replace(s, phase="turn" if following == s.first else "deal", seat=following)


# Playing ------------------------------------------------------------------------------------------------------


def _lay(s: State, a: Lay) -> State:
    rack, river = s.racks[s.seat], course(s.options.board, s.river)
    head = river.grid.names[river.head]
    if a.field != head:
        rule = "NI-4" if river.entry % 2 else "NI-3"  # round a corner there is just one field without a sharp angle
        raise IllegalAction(rule, say("the river goes on at {head}, not at {field}", head=head, field=a.field))
    if a.tile not in rack:
        raise IllegalAction("NI-8", say("you have no {kind} on your rack", kind=say(NAMES[a.tile])))
    _check_line(a, river.entry)
    fault = river.play_fault(a, rack, s.options)
    if fault is not None:
        raise illegal(fault)
    rack, bag = without(rack, a.tile), s.bag
    led = river.led(a.tile, a.exit, a.crossing)
    tiles = [Laid(head, a.tile, river.entry, a.exit, a.stands)]
    if a.crossing:  # NI-15: the tile that was crossed goes back into the bag at once
        crossed = river.grid.beyond[river.head][a.exit]
        replaced, _ = river.tiles[crossed]
        entry = opposite(a.exit)
        tiles.append(Laid(river.grid.names[crossed], UNIVERSAL, entry, a.exit, replaced=replaced))
        rack, bag = without(rack, UNIVERSAL), put_back(bag, (replaced,))
    if led.head >= 0 and led.shut_in():
        tiles[-1] = replace(tiles[-1], shut=True)
    s = replace(
        s, racks=with_rack(s.racks, s.seat, rack), bag=bag, river=s.river + tuple(tiles), laid=s.laid + len(tiles)
    )
    return _finish(_scored(s)) if led.head < 0 else s  # NI-17 (a): scored, and nobody refills


def _check_line(a: Lay, entry: int) -> None:
    """NI-3, NI-13: the tile's line, or that of the kind a universal is named for, must join entry and exit."""
    kind = a.stands if a.tile == UNIVERSAL else a.tile
    if kind is None or kind == UNIVERSAL:
        raise IllegalAction("NI-13", say("say which kind the universal stands for"))
    if a.tile != UNIVERSAL and a.stands is not None:
        raise IllegalAction("NI-13", say("only a universal stands for another kind"))
    if a.exit == entry or kind_between(entry, a.exit) != kind:
        ways = listed([say(POINT_NAMES[exit]) for exit in exits(entry, kind)])
        raise IllegalAction(
            "NI-3",
            say(
                "entered from {entry}, a {kind} leads to {ways}",
                entry=say(POINT_NAMES[entry]),
                kind=say(NAMES[kind]),
                ways=ways,
            ),
        )


def _stop(s: State) -> State:
    if not s.laid:
        raise IllegalAction("NI-8", say("lay a tile first: one that fits must be laid"))
    if must_end(s, course(s.options.board, s.river)):
        raise IllegalAction("NI-12", say("the river is on blue, so this turn must end it"))
    return _refill(replace(_scored(s), idle=0))


def _pass(s: State) -> State:
    if s.laid:
        raise IllegalAction("NI-10", say("you have laid a tile; stop when you like"))
    seat, rack = s.seat, s.racks[s.seat]
    if plays(course(s.options.board, s.river), rack, s.options):
        raise IllegalAction("NI-8", say("a tile fits, so one must be laid"))
    if not s.river:
        return _wait(s)
    lost = ScoreLine(seat, "passed", rack, total=-stock(s.options.tiles).worth(rack))
    racks, bag = with_rack(s.racks, seat, ()), put_back(s.bag, rack)
    return _refill(replace(s, racks=racks, bag=bag, sheet=(*s.sheet, lost), idle=s.idle + 1))


def _wait(s: State) -> State:
    """NI-11: nobody loses anything before the river is opened."""
    return _open(replace(s, sheet=(*s.sheet, ScoreLine(s.seat, "waited")), seat=left_of(s, s.seat)))


def _open(s: State) -> State:
    """If every player has waited, all racks go back and are drawn again."""
    waited = {line.seat for line in s.sheet if line.how == "waited"}
    if not waited.issuperset(active(s)):
        return s
    sheet = tuple(line for line in s.sheet if line.how != "waited")
    bag = s.bag
    for rack in s.racks:
        bag = put_back(bag, rack)
    return replace(s, phase="deal", seat=s.first, racks=((),) * len(s.racks), bag=bag, sheet=sheet)


def _resign(s: State, seat: int) -> State:
    """With three or four players: the rack goes back, the seat is skipped and comes last."""
    if len(s.racks) == 2 or s.phase != "turn" or seat not in active(s):
        raise IllegalAction("NI-18", say("this seat cannot give up now"))
    acting = seat == s.seat
    if acting and s.laid:
        s = replace(_scored(s), idle=0)
    bag, racks = put_back(s.bag, s.racks[seat]), with_rack(s.racks, seat, ())
    following = left_of(s, seat)
    first = following if s.first == seat and not s.river else s.first
    s = replace(
        s, bag=bag, racks=racks, first=first, gone=(*s.gone, seat), sheet=(*s.sheet, ScoreLine(seat, "resigned"))
    )
    if len(active(s)) == 1:
        return _finish(_scored(s) if s.laid else s)
    if not s.river:
        return _open(replace(s, seat=following) if acting else s)
    return _next_turn(s) if acting else s


# Between turns, and the end (NI-17, NI-18) --------------------------------------------------------------------


def _scored(s: State) -> State:
    """The turn's tiles go onto the score sheet."""
    return replace(s, sheet=(*s.sheet, line_now(s)), laid=0)


def _refill(s: State) -> State:
    return _drawn(replace(s, phase="refill"))


def _next_turn(s: State) -> State:
    """The next player to the left who has or can get tiles. Being skipped counts as a turn without a tile."""
    if not any(s.bag) and not any(s.racks):
        return _finish(s)  # (b)
    s = replace(s, phase="turn", seat=left_of(s, s.seat))
    while s.idle < IDLE_ROUNDS * len(active(s)):
        if s.racks[s.seat] or any(s.bag):  # an empty rack with a full bag: somebody gave up, so it can be filled
            return s
        s = replace(s, seat=left_of(s, s.seat), idle=s.idle + 1)
    return _finish(s)  # (c)


def _finish(s: State) -> State:
    """The game is over, and each player loses what is left on the rack."""
    tiles = stock(s.options.tiles)
    left = tuple(ScoreLine(seat, "left", rack, total=-tiles.worth(rack)) for seat, rack in enumerate(s.racks) if rack)
    return replace(s, phase="over", sheet=s.sheet + left)


def must_end(s: State, river: Course) -> bool:
    """Whether this turn has taken the river onto blue and so must end it (NI-12, `blue_finish=same_turn`)."""
    return s.options.blue_finish == "same_turn" and river.committed


def illegal(fault: Obstacle) -> IllegalAction:
    """The error that tells a player what is wrong."""
    return IllegalAction(fault.rule, say(fault.why))
