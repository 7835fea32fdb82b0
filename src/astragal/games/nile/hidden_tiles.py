"""Which tiles a seat cannot see, and how they may be spread over the other racks and the bag.

The river and the score sheet tell the whole public past: who drew how many tiles when, what was laid, shown and put
back. `deal` lives through that past once more with other luck. Every unseen draw gets a kind that was in the bag at
that moment, such that each player held in time what was laid or shown later. So a tile that was seen somewhere is
never dealt to somebody who already held it unseen elsewhere, and all deals that agree with the view can come out.
Searches want hundreds of them, so `kernels_deal` is a second writing of `Luck`, over arrays.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Literal, get_args

from msgspec import Struct

from astragal.games.nile.course import course, plays
from astragal.games.nile.options import Options
from astragal.games.nile.score_sheet import Laid
from astragal.games.nile.tiles import KINDS, PLACE, UNIVERSAL, Kind, stock
from astragal.games.nile.view import View

ATTEMPTS = 10_000  # one rarely fails

UNI = PLACE[UNIVERSAL]


def lying(river: Sequence[Laid]) -> list[int]:
    """How many tiles of each kind lie on the board."""
    counts = [0] * len(KINDS)
    for placed in river:
        counts[PLACE[placed.tile]] += 1
        if placed.replaced is not None:
            counts[PLACE[placed.replaced]] -= 1
    return counts


What = Literal["draw", "laid", "shown", "crossed", "gave up"]
WHATS: tuple[What, ...] = get_args(What)


class ChainLink(Struct, frozen=True):
    """One thing that happened to racks and bag: a hidden draw, or a known kind (by its place in KINDS) that moved.

    `laid`: from a rack onto the board. `shown`: from a rack into the bag. `crossed`: from the board into the bag.
    `gave up`: a whole hidden rack went into the bag.
    """

    what: What
    seat: int
    kind: int = -1


class Need(Struct, frozen=True, order=True):
    """A kind that a seat drew among its first so many draws, the last of which was that step of the past."""

    draws: int
    step: int
    kind: int


Want = tuple[int, int]


class Past:
    """What everybody saw happen since the racks were dealt, and what follows from it for each seat's draws."""

    def __init__(self, v: View) -> None:
        self.view = v
        self.tiles = stock(v.options.tiles)
        self.steps: list[ChainLink] = []
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
        # For each seat, the draws by which it needs something, and how much by each.
        self.deadlines = [sorted({need.draws for need in needs}) for needs in self.needs]
        self.due = [
            [sum(need.draws == draws for need in needs) for draws in deadlines]
            for needs, deadlines in zip(self.needs, self.deadlines, strict=True)
        ]
        self.promised, self.slack, self.wants = self._promises()
        opens = openers(v.options)
        self.barred = [opens if seat in self.waited else (False,) * len(KINDS) for seat in range(players)]

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
                self.steps.append(ChainLink("gave up", seat))
                self.in_bag += self.held[seat]
                self.held[seat] = 0
            last = number == len(v.sheet) - 1
            gone = not last and v.sheet[number + 1].how == "resigned" and v.sheet[number + 1].seat == seat
            if line.how in ("laid", "passed") and not gone:
                full = v.sizes[seat] if last and v.phase == "refill" else self.tiles.rack
                self._draw(seat, full - self.held[seat])

    def _draw(self, seat: int, count: int) -> None:
        count = min(count, self.in_bag)
        self.steps += [ChainLink("draw", seat)] * count
        self.draws[seat] += count
        self.drew_at[seat] = len(self.steps) - 1 if count else self.drew_at[seat]
        self.held[seat] += count
        self.in_bag -= count

    def _need(self, seat: int, kind: int) -> Need:
        """That the seat has drawn this kind by now."""
        return Need(self.draws[seat], self.drew_at[seat], kind)

    def _leave(self, what: Literal["laid", "shown"], seat: int, kind: int) -> None:
        self.steps.append(ChainLink(what, seat, kind))
        self.needs[seat].append(self._need(seat, kind))
        self.held[seat] -= 1
        self.in_bag += what == "shown"

    def _laid(self, seat: int, placed: Laid) -> None:
        self._leave("laid", seat, PLACE[placed.tile])
        if placed.replaced is not None:
            self.steps.append(ChainLink("crossed", seat, PLACE[placed.replaced]))
            self.in_bag += 1
        if placed.shut and self.view.options.encircle == "universal":
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

    def _promises(self) -> tuple[list[list[int]], list[list[int]], list[list[list[Want]]]]:
        """For each kind, the steps by which one more must be out of the bag or has come back, and how many are left.

        With them, for each seat and kind, what the seat must draw: the place of that promise, and that of its deadline.
        """
        promises: list[list[tuple[int, int, int, int]]] = [[] for _ in KINDS]
        for number, step in enumerate(self.steps):
            if step.what in ("shown", "crossed"):
                promises[step.kind].append((number, 1, -1, 0))
        promises[UNI] += [(step, 1, -1, 0) for step in self.returned]
        for seat, needs in enumerate(self.needs):
            for need in needs:
                promises[need.kind].append((need.step, -1, seat, need.draws))
        wants: list[list[list[Want]]] = [[[] for _ in KINDS] for _ in self.needs]
        slack: list[list[int]] = [[] for _ in KINDS]
        for kind, left in enumerate(self.tiles.counts):
            promises[kind].sort()
            for place, (_, change, seat, draws) in enumerate(promises[kind]):
                left += change
                slack[kind].append(left)
                if seat >= 0:
                    # the first comes last, where it can be popped
                    wants[seat][kind].insert(0, (place, self.deadlines[seat].index(draws)))
        return [[step for step, *_ in promised] for promised in promises], slack, wants


@lru_cache(maxsize=64)
def openers(options: Options) -> tuple[bool, ...]:
    """For each kind, whether it can begin the river (NI-11)."""
    start = course(options.board, ())
    return tuple(bool(plays(start, (kind,), options)) for kind in KINDS)


class Luck:
    """One attempt to live through the past.

    For each kind and each of its promises, `slack` says how many tiles could still leave the bag before that promise
    without breaking it or a later one. A draw that keeps a promise uses up slack only until then.
    """

    def __init__(self, past: Past, rng: Random) -> None:
        v = past.view
        self.past, self.random = past, rng.random
        self.bag = list(past.tiles.counts)
        self.racks = [[0] * len(KINDS) for _ in v.sizes]
        self.drawn = [0] * len(v.sizes)
        self.due = [list(due) for due in past.due]
        self.wants = [[list(wants) for wants in seat] for seat in past.wants]
        self.slack = [list(slack) for slack in past.slack]
        self.begin = [0] * len(KINDS)  # the first promise of each kind that is not over yet
        self.spare = list(v.unseen)  # tiles that nobody has laid or shown since they were drawn are still hidden now

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
        """A tile of the bag, each as likely as the next, but only of a kind that is possible."""
        weights, all_wants = self._due(seat), self.wants[seat]
        total = sum(weights)
        while total:
            left = self.random() * total
            for kind, count in enumerate(weights):  # noqa: B007
                left -= count
                if left < 0:
                    break
            end = self._end(seat, kind, number)
            if end >= 0:
                break
            total -= weights[kind]
            weights[kind] = 0
        else:
            return False
        slack = self.slack[kind]
        for place in range(self.begin[kind], end):
            slack[place] -= 1
        self.bag[kind] -= 1
        self.racks[seat][kind] += 1
        self.drawn[seat] += 1
        if all_wants[kind]:
            self.due[seat][all_wants[kind].pop()[1]] -= 1
        elif seat not in self.past.gave_up:
            self.spare[kind] -= 1
        return True

    def _due(self, seat: int) -> list[int]:
        """How many of each kind may come out of the bag, as far as the seat's own needs go.

        By some deadline it may need something with every draw that is left: then one of those kinds must come now.
        """
        needed = self.drawn[seat]
        for place, (draws, due) in enumerate(zip(self.past.deadlines[seat], self.due[seat], strict=True)):
            needed += due
            if due and needed >= draws:
                pairs = zip(self.bag, self.wants[seat], strict=True)
                return [count if wants and wants[-1][1] <= place else 0 for count, wants in pairs]
        return self.bag[:]

    def _end(self, seat: int, kind: int, number: int) -> int:
        """The promise by which a tile that this seat draws now is accounted for: laid, shown, or back in the bag.

        -1 if it may not draw this kind, because of what is known of it or is promised to others.
        """
        past, wants, slack = self.past, self.wants[seat][kind], self.slack[kind]
        if past.barred[seat][kind] and self.drawn[seat] < past.tiles.rack:
            return -1
        begin, promised = self.begin[kind], past.promised[kind]
        while begin < len(promised) and promised[begin] < number:
            begin += 1
        self.begin[kind] = begin
        if wants:
            end = wants[-1][0]
        elif seat in past.gave_up:
            end = bisect_left(promised, past.gave_up[seat])
        elif self.spare[kind] > 0:
            end = len(slack)
        else:
            return -1
        return end if begin >= end or min(slack[begin:end]) > 0 else -1

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


class _Same:
    """A view that is equal only to itself, since comparing all of its past would take longer than going through it."""

    def __init__(self, v: View) -> None:
        self.view = v

    def __hash__(self) -> int:
        return id(self.view)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.view is other.view


@lru_cache(maxsize=8)
def _past(same: _Same) -> Past:
    return Past(same.view)


def past_of(v: View) -> Past:
    """The past of a view, kept for a while: bots ask again and again for another deal of the same view."""
    return _past(_Same(v))


def deal(v: View, rng: Random) -> tuple[tuple[Kind, ...], ...]:
    """Every seat's rack, one's own as it is and the others as they may be."""
    if v.phase in ("lots", "over"):  # nothing is dealt yet, or all racks lie open
        left = {line.seat: line.tiles for line in v.sheet if line.how == "left"}
        return tuple(left.get(seat, ()) for seat in range(len(v.sizes)))
    past = past_of(v)
    for _ in range(ATTEMPTS):
        luck = Luck(past, rng)
        if luck.succeeds():
            return tuple(luck.rack(seat) for seat in range(len(v.sizes)))
    raise no_deal()


def no_deal() -> ValueError:
    """What went wrong where no attempt succeeded: the view fits no possible past."""
    return ValueError("no deal of the unseen tiles agrees with this view")
