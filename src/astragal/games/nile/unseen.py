"""Which tiles a seat cannot see, and how they may be spread over the other racks and the bag.

The river and the score sheet tell the whole public past: who drew how many tiles when, what was laid, shown and put
back. `deal` lives through that past once more with other luck. Every unseen draw gets a kind that was in the bag at
that moment, such that each player held in time what was laid or shown later. So a tile that was seen somewhere is
never dealt to somebody who already held it unseen elsewhere, and all deals that agree with the view can come out.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Literal

from msgspec import Struct

from astragal.games.nile.course import course, plays
from astragal.games.nile.options import Options
from astragal.games.nile.table import Laid
from astragal.games.nile.tiles import KINDS, PLACE, UNIVERSAL, Kind, stock
from astragal.games.nile.view import View

ATTEMPTS = 10_000  # luck that leads nowhere is rare, and a view that fits no past at all is a fault of its maker

UNI = PLACE[UNIVERSAL]


def lying(river: Sequence[Laid]) -> list[int]:
    """How many tiles of each kind lie on the board."""
    counts = [0] * len(KINDS)
    for one in river:
        counts[PLACE[one.tile]] += 1
        if one.replaced is not None:
            counts[PLACE[one.replaced]] -= 1
    return counts


class Step(Struct, frozen=True):
    """One thing that happened to racks and bag: a hidden draw, or a known kind (by its place in KINDS) that moved.

    `laid`: from a rack onto the board. `shown`: from a rack into the bag. `crossed`: from the board into the bag.
    `gave up`: a whole hidden rack went into the bag.
    """

    what: Literal["draw", "laid", "shown", "crossed", "gave up"]
    seat: int
    kind: int = -1


class Need(Struct, frozen=True, order=True):
    """A kind that a seat drew among its first so many draws, the last of which was that step of the past."""

    draws: int
    step: int
    kind: int


class Past:
    """What everybody saw happen since the racks were dealt, and what follows from it for each seat's draws."""

    def __init__(self, v: View) -> None:
        self.view = v
        self.tiles = stock(v.options.tiles)
        self.steps: list[Step] = []
        players = len(v.sizes)
        self.draws = [0] * players  # how many tiles each seat has drawn
        self.drew_at = [0] * players  # at which step it drew the last of them
        self.held = [0] * players
        self.in_bag = self.tiles.total
        self.needs: list[list[Need]] = [[] for _ in range(players)]
        # Who shut the river in, and so must have held a universal: the seat, and how many of its needs came before
        self.proved: list[tuple[int, Need, int]] = []
        self.gave_up: dict[int, int] = {}  # at which step a seat's hidden rack went back into the bag
        self.returned: list[int] = []  # at which steps a universal that was proved on such a rack went back with it
        self.waited = {line.seat for line in v.sheet if line.how == "waited"}
        self._deal()
        self._lines()
        for one in v.river[len(v.river) - v.laid :]:
            self._laid(v.mover, one)
        if v.seat is not None:
            self.needs[v.seat] += [self._need(v.seat, PLACE[kind]) for kind in v.rack]
        self._prove()
        for need in self.needs:
            need.sort()

    def _deal(self) -> None:
        """The first racks, from the first player to the left."""
        v, players = self.view, len(self.view.sizes)
        dealing = v.phase == "deal"
        played = next((n for n, line in enumerate(v.sheet) if line.how != "resigned"), len(v.sheet))
        # Whoever gave up before anybody acted had no rack, or one that nobody drew after: it left no trace.
        absent = {line.seat for line in v.sheet[:played]}
        for seat in [(v.first + n) % players for n in range(players)]:
            if seat not in absent:
                self._draw(seat, v.sizes[seat] if dealing else self.tiles.rack)

    def _lines(self) -> None:
        v, begin = self.view, 0
        for number, line in enumerate(v.sheet):
            seat = line.seat
            if line.how == "laid":
                end = begin + len(line.tiles)
                for one in v.river[begin:end]:
                    self._laid(seat, one)
                begin = end
            elif line.how == "passed":
                for kind in line.tiles:
                    self._leave("shown", seat, PLACE[kind])
            elif line.how == "resigned":
                self.gave_up[seat] = len(self.steps)
                self.steps.append(Step("gave up", seat))
                self.in_bag += self.held[seat]
                self.held[seat] = 0
            last = number == len(v.sheet) - 1
            gone = not last and v.sheet[number + 1].how == "resigned" and v.sheet[number + 1].seat == seat
            if line.how in ("laid", "passed") and not gone:
                full = v.sizes[seat] if last and v.phase == "refill" else self.tiles.rack
                self._draw(seat, full - self.held[seat])

    def _draw(self, seat: int, count: int) -> None:
        count = min(count, self.in_bag)
        self.steps += [Step("draw", seat)] * count
        self.draws[seat] += count
        self.drew_at[seat] = len(self.steps) - 1 if count else self.drew_at[seat]
        self.held[seat] += count
        self.in_bag -= count

    def _need(self, seat: int, kind: int) -> Need:
        """That the seat has drawn this kind by now."""
        return Need(self.draws[seat], self.drew_at[seat], kind)

    def _leave(self, what: Literal["laid", "shown"], seat: int, kind: int) -> None:
        self.steps.append(Step(what, seat, kind))
        self.needs[seat].append(self._need(seat, kind))
        self.held[seat] -= 1
        self.in_bag += what == "shown"

    def _laid(self, seat: int, one: Laid) -> None:
        self._leave("laid", seat, PLACE[one.tile])
        if one.replaced is not None:
            self.steps.append(Step("crossed", seat, PLACE[one.replaced]))
            self.in_bag += 1
        if one.shut and self.view.options.encircle == "universal":
            self.proved.append((seat, self._need(seat, UNI), len(self.needs[seat])))

    def _prove(self) -> None:
        """Whoever shut the river in held a universal: the next that leaves the rack, or one that is still there."""
        for seat, proof, before in self.proved:
            needs = self.needs[seat]
            later = [place for place in range(before, len(needs)) if needs[place].kind == UNI]
            if later:
                needs[later[0]] = min(proof, needs[later[0]])
            else:
                needs.append(proof)
                if seat in self.gave_up:
                    self.returned.append(self.gave_up[seat])

    def promises(self) -> list[list[tuple[int, int]]]:
        """For each kind, the steps by which one more must be out of the bag (-1) or has come back into it (+1)."""
        found: list[list[tuple[int, int]]] = [[] for _ in KINDS]
        for number, step in enumerate(self.steps):
            if step.what in ("shown", "crossed"):
                found[step.kind].append((number, 1))
        found[UNI] += [(step, 1) for step in self.returned]
        for needs in self.needs:
            for need in needs:
                found[need.kind].append((need.step, -1))
        for promised in found:
            promised.sort()
        return found


@cache
def openers(options: Options) -> tuple[bool, ...]:
    """For each kind, whether it can begin the river (NI-11)."""
    start = course(options.board, ())
    return tuple(bool(plays(start, (kind,), options)) for kind in KINDS)


class _Luck:
    """One attempt to live through the past."""

    def __init__(self, past: Past, rng: Random) -> None:
        v = past.view
        self.past, self.rng = past, rng
        self.bag = list(past.tiles.counts)
        self.racks = [[0] * len(KINDS) for _ in v.sizes]
        self.drawn = [0] * len(v.sizes)
        self.open_needs = [list(needs) for needs in past.needs]
        self.promises = past.promises()
        self.owed = [sum(change < 0 for _, change in promised) for promised in self.promises]
        # Tiles that nobody has laid or shown since they were drawn are still hidden now.
        self.spare = list(v.unseen)

    def succeeds(self) -> bool:
        """Whether all of it could have happened so."""
        for number, step in enumerate(self.past.steps):
            rack = self.racks[step.seat]
            if step.what == "draw":
                if not self._draw(step.seat, number):
                    return False
            elif step.what == "gave up":
                self.bag = [here + back for here, back in zip(self.bag, rack, strict=True)]
                rack[:] = [0] * len(KINDS)
            else:
                if step.what != "crossed":
                    rack[step.kind] -= 1
                if step.what != "laid":
                    self.bag[step.kind] += 1
        return self._can_end()

    def _draw(self, seat: int, number: int) -> bool:
        needs = self.open_needs[seat]
        wanted = {need.kind: need for need in reversed(needs)}  # the first need of each kind
        due = self._due(seat)
        weights = [
            count if count and self._possible(seat, kind, wanted.get(kind), number) else 0
            for kind, count in enumerate(self.bag)
            if due is None or kind in due
        ]
        kinds = range(len(KINDS)) if due is None else sorted(due)
        if not any(weights):
            return False
        kind = self.rng.choices(kinds, weights)[0]
        self.bag[kind] -= 1
        self.racks[seat][kind] += 1
        self.drawn[seat] += 1
        if kind in wanted:
            needs.remove(wanted[kind])
            self.promises[kind].remove((wanted[kind].step, -1))
            self.owed[kind] -= 1
        elif seat in self.past.gave_up:
            insort(self.promises[kind], (self.past.gave_up[seat], 1))
        else:
            self.spare[kind] -= 1
        return True

    def _possible(self, seat: int, kind: int, need: Need | None, number: int) -> bool:
        """Whether this seat may draw this kind at this step without breaking what is known of others."""
        past = self.past
        if seat in past.waited and self.drawn[seat] < past.tiles.rack and openers(past.view.options)[kind]:
            return False
        if need is None and self.spare[kind] <= 0 and seat not in past.gave_up:
            return False
        left = self.bag[kind] - 1
        if left >= self.owed[kind] - (need is not None):
            return True  # enough for everybody, whatever comes back
        promised = [promise for promise in self.promises[kind] if promise[0] >= number]
        if need is not None:
            promised.remove((need.step, -1))  # this draw keeps it
        elif seat in past.gave_up:
            insort(promised, (past.gave_up[seat], 1))
        for _, change in promised:
            left += change
            if left < 0:
                return False
        return True

    def _due(self, seat: int) -> set[int] | None:
        """The kinds of which one must come now, since the next needs take all the draws that are left for them."""
        drawn, needs = self.drawn[seat], self.open_needs[seat]
        for place, need in enumerate(needs, 1):
            if need.draws - drawn <= place:
                return {other.kind for other in needs[:place]}
        return None

    def _can_end(self) -> bool:
        """Under `blue_finish=same_turn` whoever has just taken the river onto blue holds what will end it."""
        v = self.past.view
        if v.options.blue_finish == "anyone" or not v.laid:
            return True
        river = course(v.options.board, v.river)
        return not river.committed or river.can_end(self.rack(v.mover))

    def rack(self, seat: int) -> tuple[Kind, ...]:
        """What the seat holds in the end."""
        return tuple(kind for kind, count in zip(KINDS, self.racks[seat], strict=True) for _ in range(count))


def deal(v: View, rng: Random) -> tuple[tuple[Kind, ...], ...]:
    """Every seat's rack, one's own as it is and the others as they may be."""
    if v.phase in ("lots", "over"):  # nothing is dealt yet, or all racks lie open
        left = {line.seat: line.tiles for line in v.sheet if line.how == "left"}
        return tuple(left.get(seat, ()) for seat in range(len(v.sizes)))
    past = Past(v)
    for _ in range(ATTEMPTS):
        luck = _Luck(past, rng)
        if luck.succeeds():
            return tuple(luck.rack(seat) for seat in range(len(v.sizes)))
    raise ValueError("no deal of the unseen tiles agrees with this view")
