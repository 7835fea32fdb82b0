"""Ur in its modern form, Heaven and Earth. The ids (UM-1 ...) are those of docs/rules/*/ur-modern.md.

`moves` finds what a side may do and what it leads to; this module takes turns, counts and decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from msgspec.structs import replace

from astragal.core.language import noted, say
from astragal.core.rules import Rematch, Rules, Thrown, keeps_last
from astragal.core.types import CHANCE, OVER, IllegalAction, Spec
from astragal.games.ur_modern import notation, position, refusal
from astragal.games.ur_modern.actions import (
    DICE_TEXTS,
    LOTS,
    THROWS,
    Action,
    ClaimDraw,
    Lots,
    Pass,
    Place,
    Throw,
)
from astragal.games.ur_modern.moves import After, Scene, actions
from astragal.games.ur_modern.options import PRESETS, Options
from astragal.games.ur_modern.state import State, scene_of, winner
from astragal.games.ur_modern.view import Claimed, Event, Habit, LotsFell, Moved, Passed, Placed, Threw, View

COLOURED = {"blank": 0, "one": 1}  # coloured tips of a throw; the others have two
REPEATS = 5  # UM-20: so many times in a row, and a draw may be claimed


class UrModernRules(Rules[State, Action, Options, View, Event]):
    """Pure functions of a State; see `core.rules.Rules` for what each one means."""

    spec = Spec(
        id="ur-modern",
        title=noted("Ur: Heaven and Earth"),
        summary=noted("A modern Ur: hold all four fortresses of Heaven and Earth at once."),
        version=1,
        players=(2,),
        bound=noted("players may shuffle for ever; a player who repeats lets either side claim a draw"),
    )
    state_type = State
    action_type = Action
    options_type = Options
    view_type = View
    event_type = Event
    presets = PRESETS
    position_leaves_out = ("habits", "claimable")  # who repeated what (UM-20)

    def initial(self, options: Options, players: int) -> State:
        self.check_options(options, players)
        seat = None if options.begins == "lots" else options.begins
        return State(options, seat, None, (options.pieces, options.pieces), ((), ()))

    def turn(self, s: State) -> int:
        if s.drawn or winner(s) is not None:
            return OVER
        return CHANCE if s.seat is None or s.tips is None else s.seat

    def legal(self, s: State) -> tuple[Action, ...]:
        scene = scene_of(s)
        return () if scene is None else tuple(actions(scene))

    def claims(self, s: State) -> tuple[tuple[int, Action], ...]:
        if not s.claimable or self.turn(s) == OVER:
            return ()
        return ((0, ClaimDraw()), (1, ClaimDraw()))

    def chance(self, s: State) -> tuple[tuple[Action, int], ...]:
        if self.turn(s) != CHANCE:
            return ()
        return LOTS if s.seat is None else THROWS

    def thrown(self, s: State, a: Action) -> Thrown | None:
        if not isinstance(a, Throw) or s.seat is None:
            return None
        return Thrown(s.seat, noted("Coloured tips"), DICE_TEXTS[a.tips], COLOURED.get(a.tips, 2))

    @keeps_last
    def apply(self, s: State, a: Action) -> State:
        if isinstance(a, Lots | Throw):
            return self._fall(s, a)
        if isinstance(a, ClaimDraw):
            if not self.claims(s):
                raise IllegalAction("UM-20", say("nobody has repeated an action five times in a row"))
            return replace(s, drawn=True)
        scene = scene_of(s)
        if scene is None:
            raise IllegalAction("UM-4", say("nothing can be done before the dice are thrown"))
        after = actions(scene).get(a)
        if after is None:
            raise refusal.why_not(scene, a)
        return self._done(s, scene, a, after)

    def _fall(self, s: State, a: Lots | Throw) -> State:
        if a not in [outcome for outcome, _ in self.chance(s)]:
            raise IllegalAction("UM-4", say("it is not the time to throw"))
        return replace(s, seat=a.seat) if isinstance(a, Lots) else replace(s, tips=a.tips)

    def _done(self, s: State, scene: Scene, a: Action, after: After) -> State:
        seat = scene.seat
        mine, theirs = tuple(sorted(after.mine)), tuple(sorted(after.theirs))
        pieces = s.options.pieces
        left = (pieces - len(mine), pieces - len(theirs))  # what is not on the board waits in the pool
        habit = Habit() if isinstance(a, Pass) else s.habits[seat].and_then(a)
        return State(
            s.options,
            seat if after.again else 1 - seat,
            None,
            left if seat == 0 else (left[1], left[0]),
            (mine, theirs) if seat == 0 else (theirs, mine),
            (habit, s.habits[1]) if seat == 0 else (s.habits[0], habit),
            claimable=s.claimable if isinstance(a, Pass) else habit.times >= REPEATS,
        )

    def returns(self, s: State) -> tuple[float, ...]:
        won = winner(s)
        if won is None:
            return (0.5, 0.5) if s.drawn else (0.0, 0.0)
        return (float(won == 0), float(won == 1))

    def observe(self, s: State, seat: int | None) -> View:
        turn = self.turn(s)
        return View(
            seat=seat,
            turn=turn,
            mover=s.seat,
            options=s.options,
            tips=s.tips,
            pools=s.pools,
            squares=s.squares,
            habits=s.habits,
            claimable=s.claimable,
            drawn=s.drawn,
            winner=winner(s),
            legal=self.legal(s) if seat == turn else (),
        )

    def event(self, s: State, a: Action, seat: int | None) -> Event:
        after = self.apply(s, a)
        if isinstance(a, Lots):
            return LotsFell(a.seat)
        if isinstance(a, ClaimDraw):
            return Claimed()
        assert s.seat is not None  # lots are the only thing that happens before a seat is to act
        if isinstance(a, Throw):
            return Threw(s.seat, a.tips)
        if isinstance(a, Pass):
            return Passed(s.seat)
        won = winner(after) is not None
        again = after.seat == s.seat and not won
        taken = tuple(square for square in s.squares[1 - s.seat] if square not in after.squares[1 - s.seat])
        if isinstance(a, Place):
            return Placed(s.seat, a.square, taken=taken, won=won)
        return Moved(s.seat, a.hops, taken=taken, again=again, won=won)

    def resample(self, v: View, rng: Random) -> State:
        return State(v.options, v.mover, v.tips, v.pools, v.squares, v.habits, v.claimable, v.drawn)

    def encode(self, a: Action) -> str:
        return str(a)

    def decode(self, s: State, text: str) -> Action:
        return notation.decode(self, s, text)

    def position(self, s: State) -> str:
        return position.write(s)

    def from_position(self, text: str, options: Options, players: int) -> State:
        self.check_options(options, players)
        return position.read(text, options)

    def rematch(self, began: int, returns: Sequence[float]) -> Rematch:
        """UM-3: the loser of the last game chooses; after a draw whoever did not begin it."""
        if returns[0] == returns[1]:
            return Rematch(chooser=1 - began)
        return Rematch(chooser=0 if returns[0] < returns[1] else 1)
