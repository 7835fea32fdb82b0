"""The Royal Game of Ur by its classic rules. The ids (UC-1 ...) are those of docs/rules/*/ur.md."""

from __future__ import annotations

from random import Random

from msgspec import Struct

from astragal.core.language import Text, noted, say
from astragal.core.rules import Rules, Thrown, keeps_last
from astragal.core.types import CHANCE, OVER, IllegalAction, Spec
from astragal.games.ur import notation, position
from astragal.games.ur.actions import IN, OFF, PASSES, THROWS, Action, Move, Pass, Throw
from astragal.games.ur.board import LONGEST_THROW, Track, track
from astragal.games.ur.options import LOWEST, PRESETS, Options
from astragal.games.ur.view import Event, Moved, Passed, Threw, View

LIGHT, DARK = 0, 1


# UC-2 and UC-13: how many of the equally likely falls of the dice show each number.
WEIGHTS = {
    "four": tuple(zip(THROWS, (1, 4, 6, 4, 1), strict=True)),
    "three": tuple(zip(THROWS[1:], (3, 3, 1, 1), strict=True)),
}


class State(Struct, frozen=True):
    """A position. Pieces stand on steps of their own side's way, counted from 1."""

    options: Options
    seat: int  # whose throw or move it is
    throw: int | None  # None: the dice are still to be thrown
    pools: tuple[int, int]
    on: tuple[tuple[int, ...], tuple[int, ...]]  # by seat, ascending
    opening: tuple[int, ...] | None = None  # throws for the right to begin; None once the game itself has begun
    winner: int | None = None  # the side that has brought everything home


class UrRules(Rules[State, Action, Options, View, Event]):
    """Pure functions of a State; see `core.rules.Rules` for what each one means."""

    spec = Spec(
        id="ur",
        title=noted("The Royal Game of Ur"),
        summary=noted("The oldest race: bring your seven pieces round the board before they are taken."),
        version=1,
        players=(2,),
        bound=noted("captures can go on for ever, but with every throw some chance of an end remains"),
    )
    state_type = State
    action_type = Action
    options_type = Options
    view_type = View
    event_type = Event
    presets = PRESETS

    def initial(self, options: Options, players: int) -> State:
        self.check_options(options, players)
        pools = (options.pieces, options.pieces)
        if options.begins == "lots":
            return State(options, LIGHT, None, pools, ((), ()), opening=())
        return State(options, options.begins, None, pools, ((), ()))

    def turn(self, s: State) -> int:
        if s.throw is not None:
            return s.seat
        return CHANCE if s.winner is None else OVER

    def legal(self, s: State) -> tuple[Action, ...]:
        throw = s.throw
        if throw is None:
            return ()
        if throw == 0:  # UC-7
            return (PASSES,)
        ways = track(s.options.path)
        starts = (0, *s.on[s.seat]) if s.pools[s.seat] else s.on[s.seat]
        moves, closed, furthest = ways.moves[s.seat], barred(s, ways), ways.home - throw
        actions = [moves[step][throw] for step in starts if step <= furthest and step + throw not in closed]
        return tuple(actions) or (PASSES,)

    def chance(self, s: State) -> tuple[tuple[Action, int], ...]:
        if s.throw is not None or s.winner is not None:
            return ()
        return WEIGHTS[s.options.dice]

    def thrown(self, s: State, a: Action) -> Thrown | None:
        return Thrown(s.seat, noted("Dice"), str(a.pips), a.pips) if isinstance(a, Throw) else None

    @keeps_last
    def apply(self, s: State, a: Action) -> State:
        if isinstance(a, Throw):
            return self._throw(s, a)
        if s.throw is None:
            raise IllegalAction("UC-5", say("no piece moves before the dice are thrown"))
        if isinstance(a, Move):
            return self._move(s, a)
        if not isinstance(self.legal(s)[0], Pass):
            raise IllegalAction("UC-7", say("a piece can move, so one must"))
        return State(s.options, 1 - s.seat, None, s.pools, s.on)

    def _throw(self, s: State, a: Throw) -> State:
        if s.throw is not None or not LOWEST[s.options.dice] <= a.pips <= LONGEST_THROW or s.winner is not None:
            raise IllegalAction("UC-2", say("the dice cannot show {pips} here", pips=a.pips))
        if s.opening is None or len(s.opening) == 2:
            return State(s.options, s.seat, a.pips, s.pools, s.on)
        # UC-3: both throw for the right to begin; a tie is thrown again.
        if not s.opening:
            return State(s.options, DARK, None, s.pools, s.on, opening=(a.pips,))
        if a.pips == s.opening[0]:
            return State(s.options, LIGHT, None, s.pools, s.on, opening=())
        first = LIGHT if s.opening[0] > a.pips else DARK
        return State(s.options, first, None, s.pools, s.on, opening=(*s.opening, a.pips))

    def _move(self, s: State, a: Move) -> State:
        seat, ways = s.seat, track(s.options.path)
        step, target = self._steps(s, ways, a)
        mine, theirs = s.on[seat], s.on[1 - seat]
        pools = s.pools
        if step:
            mine = tuple([other for other in mine if other != step])
        else:
            pools = (pools[0] - 1, pools[1]) if seat == LIGHT else (pools[0], pools[1] - 1)
        if target < ways.home:
            mine = tuple(sorted((*mine, target)))
        met = ways.meets[seat][target]
        captured = met in theirs
        if captured:  # UC-8
            theirs = tuple([other for other in theirs if other != met])
            pools = (pools[0], pools[1] + 1) if seat == LIGHT else (pools[0] + 1, pools[1])
        again = another_throw(s.options, ways.rosette_at[seat][target], captured)
        on = (mine, theirs) if seat == LIGHT else (theirs, mine)
        won = seat if not mine and not pools[seat] else None  # UC-12
        return State(s.options, seat if again else 1 - seat, None, pools, on, None, won)

    def _steps(self, s: State, ways: Track, a: Move) -> tuple[int, int]:
        """The steps a move joins. Raises IllegalAction if this is not a move of this position."""
        seat, throw = s.seat, s.throw or 0
        step = ways.step_of[seat].get(a.start)
        if step is None or not (step in s.on[seat] if step else s.pools[seat]):
            if a.start == IN:
                raise IllegalAction("UC-2", say("no piece is left in the pool"))
            raise IllegalAction("UC-5", say("you have no piece on {square}", square=a.start))
        if throw == 0:
            raise IllegalAction("UC-7", say("with a throw of 0 the turn passes"))
        target = step + throw
        if target > ways.home or (a.end == OFF and target != ways.home):
            raise IllegalAction(
                "UC-11",
                say("bearing off from {square} takes a throw of {exact}", square=a.start, exact=ways.home - step),
            )
        if ways.names[seat][target] != a.end:
            raise IllegalAction("UC-5", _leads(throw, a.start, ways.names[seat][target]))
        if target in s.on[seat]:
            raise IllegalAction("UC-6", say("your own piece is on {square}", square=a.end))
        if target in barred(s, ways):
            raise IllegalAction("UC-10", say("the piece on the rosette {square} is safe", square=a.end))
        return step, target

    def returns(self, s: State) -> tuple[float, ...]:
        won = s.winner
        return (0.0, 0.0) if won is None else (float(won == LIGHT), float(won == DARK))

    def observe(self, s: State, seat: int | None) -> View:
        names = track(s.options.path).names
        turn = self.turn(s)
        return View(
            seat=seat,
            turn=turn,
            mover=s.seat,
            options=s.options,
            throw=s.throw,
            pools=s.pools,
            squares=(
                tuple([names[LIGHT][step] for step in s.on[LIGHT]]),
                tuple([names[DARK][step] for step in s.on[DARK]]),
            ),
            opening=s.opening,
            winner=s.winner,
            legal=self.legal(s) if seat == turn else (),
        )

    def event(self, s: State, a: Action, seat: int | None) -> Event:
        after = self.apply(s, a)
        if isinstance(a, Throw):
            opening = after.opening is not None
            begins = after.seat if after.opening and len(after.opening) == 2 else None
            return Threw(s.seat, a.pips, opening=opening, begins=begins)
        if isinstance(a, Pass):
            return Passed(s.seat, s.throw or 0)
        won = after.winner is not None
        taken = after.pools[1 - s.seat] > s.pools[1 - s.seat]
        rosette = a.end in track(s.options.path).rosettes
        return Moved(
            s.seat, a.start, a.end, taken=taken, rosette=rosette, again=after.seat == s.seat and not won, won=won
        )

    def resample(self, v: View, rng: Random) -> State:
        steps = track(v.options.path).step_of
        on = (
            tuple([steps[LIGHT][square] for square in v.squares[LIGHT]]),
            tuple([steps[DARK][square] for square in v.squares[DARK]]),
        )
        return State(v.options, v.mover, v.throw, v.pools, on, v.opening, v.winner)

    def encode(self, a: Action) -> str:
        return str(a)

    def decode(self, s: State, text: str) -> Action:
        return notation.decode(self, s, text)

    def position(self, s: State) -> str:
        return position.write(s)

    def from_position(self, text: str, options: Options, players: int) -> State:
        self.check_options(options, players)
        return position.read(text, options)


def _leads(throw: int, start: str, end: str) -> Text:
    """Where a throw really leads."""
    if start == IN:
        return say("with a throw of {n} a new piece comes to {end}", n=throw, end=end)
    if end == OFF:
        return say("with a throw of {n} the piece on {start} goes home", n=throw, start=start)
    return say("a throw of {n} leads from {start} to {end}", n=throw, start=start, end=end)


def barred(s: State, ways: Track) -> tuple[int, ...]:
    """The steps the mover may not land on: own pieces (UC-6) and safe enemies (UC-10)."""
    mine, theirs = s.on[s.seat], s.on[1 - s.seat]
    if theirs and s.options.safe_rosettes:
        for step, met in ways.shared_rosettes[s.seat]:
            if met in theirs:
                mine = (*mine, step)
    return mine


def another_throw(options: Options, rosette: bool, captured: bool) -> bool:
    """UC-9: at most one more throw, whatever the move did."""
    return (rosette and options.rosette_throws) or (captured and options.capture_throws)
