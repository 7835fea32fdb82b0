"""A river checker that knows nothing of the rules' code: it reads the board file and walks from the start.

Every field is a square of side 2 in the plane, so the middle of a field, of a side, and a corner all have whole
coordinates. A line leaves a field at a point; the field it enters next is the mirror image of the field in that point,
which is the neighbour across a side and the diagonally opposite field at a corner.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent.parent.parent.parent / "src" / "astragal" / "games" / "nile" / "data"
OFFSETS = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]
VALUES = {
    "straight": 1, "curve": 2, "far-left": 3, "far-right": 3, "diagonal": 4, "near-left": 5, "near-right": 5, "bow": 6,
    "universal": 10,
}  # fmt: skip

Spot = tuple[int, int]


class Sheet:
    """A board file, read on its own."""

    def __init__(self, raw: Mapping[str, Any]) -> None:
        self.rows = {int(row.split()[0]): row.split()[1:] for row in raw["rows"]}
        self.height, self.width = len(self.rows), len(self.rows[1])
        self.penalty = {group["letter"]: group["penalty"] for group in raw.get("groups", ())}

    @classmethod
    def shipped(cls, name: str) -> Sheet:
        return cls(tomllib.loads((DATA / f"board-{name}.toml").read_text("utf-8")))

    def sign(self, spot: Spot) -> str:
        column, row = spot
        return str(self.rows[row + 1][column])

    def inside(self, spot: Spot) -> bool:
        return 0 <= spot[0] < self.width and 0 <= spot[1] < self.height

    def group(self, spot: Spot) -> frozenset[Spot]:
        """All fields of the U-group that this field belongs to."""
        sign, spots, edge = self.sign(spot), {spot}, [spot]
        while edge:
            column, row = edge.pop()
            for near in ((column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)):
                if self.inside(near) and near not in spots and self.sign(near) == sign:
                    spots.add(near)
                    edge.append(near)
        return frozenset(spots)


def spot_of(field: str) -> Spot:
    return ord(field[0]) - ord("A"), int(field[1:]) - 1


def kind_of(first: Spot, last: Spot) -> str:
    """The kind of a line between two of the points around a middle at (0, 0)."""
    sides = [point for point in (first, last) if 0 in point]
    across = first[0] == -last[0] and first[1] == -last[1]
    if len(sides) == 2:
        return "straight" if across else "curve"
    if not sides:
        return "diagonal" if across else "bow"
    (x, y), corner = sides[0], last if sides[0] == first else first
    dx, dy = corner[0] - x, corner[1] - y
    reach = "far" if dx * dx + dy * dy == 5 else "near"
    inward = (-x, -y)  # looking into the field from the side
    return f"{reach}-{'left' if inward[0] * dy - inward[1] * dx > 0 else 'right'}"


def walk(sheet: Sheet, river: Sequence[Any]) -> Spot | None:
    """Checks a river tile by tile; returns the empty field that it would enter next, or None if it has ended."""
    start = (sheet.rows[1].index("*"), 0)
    field, point = start, (2 * start[0] + 1, 0)
    covered: dict[Spot, tuple[str, set[Spot]]] = {}
    corners: set[Spot] = set()
    blue = ended = False
    for tile in river:
        assert not ended, "the river goes on after its end"
        spot = spot_of(tile.field)
        assert spot == field, f"{tile.field} does not continue the river"
        middle = (2 * spot[0] + 1, 2 * spot[1] + 1)
        enters = (middle[0] + OFFSETS[tile.entry][0], middle[1] + OFFSETS[tile.entry][1])
        leaves = (middle[0] + OFFSETS[tile.exit][0], middle[1] + OFFSETS[tile.exit][1])
        assert enters == point, "the line breaks off"
        assert leaves != enters
        lies = kind_of(OFFSETS[tile.entry], OFFSETS[tile.exit])
        if spot in covered:
            old, used = covered[spot]
            assert tile.replaced == old != "universal" == tile.tile, "only a universal crosses, and no universal"
            assert lies in ("straight", "diagonal"), "a crossing runs straight through"
            assert not {enters, leaves} & used, "a crossing keeps off the old line"
        else:
            assert tile.replaced is None
            used = set()
            assert lies == (tile.stands if tile.tile == "universal" else tile.tile), f"{tile.field} is no {tile.tile}"
        covered[spot] = (tile.tile, used | {enters, leaves})
        top = spot[1] == sheet.height - 1
        assert top or not blue, "the river left the blue fields"
        blue = blue or top
        if leaves[0] % 2 == 0 and leaves[1] % 2 == 0:
            assert leaves not in corners, "a corner is used twice"
            corners.add(leaves)
        edge = leaves[0] in (0, 2 * sheet.width) or leaves[1] in (0, 2 * sheet.height)
        if edge:
            assert leaves[1] == 2 * sheet.height, "the river touches the border"
            assert 0 < leaves[0] < 2 * sheet.width, "the river touches a corner of the board"
            ended = True
        point = leaves
        field = (leaves[0] - middle[0] + spot[0], leaves[1] - middle[1] + spot[1])  # mirrored, in whole fields
    if ended:
        return None
    assert sheet.inside(field)
    assert field not in covered, "the head is not empty"
    return field


def score(sheet: Sheet, turn: Sequence[Any], rack: int = 5, bonus: int = 20) -> int:
    """What the tiles of one turn count."""
    total = sum(VALUES[tile.tile] for tile in turn) + (bonus if len(turn) == rack else 0)
    charged: set[frozenset[Spot]] = set()
    for tile in turn:
        spot = spot_of(tile.field)
        sign = sheet.sign(spot)
        if tile.replaced is not None:
            continue
        if sign[0] in "+-":
            total += int(sign)
        elif sign.endswith("#") and sheet.group(spot) not in charged:
            charged.add(sheet.group(spot))
            total -= sheet.penalty[sign[0]]
        elif sign.isdecimal() and OFFSETS[tile.exit][1] == 1:
            total += int(sign)
    return total


def joined_to_goal(sheet: Sheet, river: Sequence[Any], head: Spot) -> bool:
    """Whether steps between empty fields lead from the head to an empty blue field; diagonally past unused corners."""
    covered = {spot_of(tile.field) for tile in river}
    corners = set()
    for tile in river:
        column, row = spot_of(tile.field)
        across, up = OFFSETS[tile.exit]
        if across and up:
            corners.add((2 * column + 1 + across, 2 * row + 1 + up))
    reached, edge = {head}, [head]
    while edge:
        column, row = edge.pop()
        if row == sheet.height - 1:
            return True
        for across, up in OFFSETS:
            near = (column + across, row + up)
            blocked = across and up and (2 * column + 1 + across, 2 * row + 1 + up) in corners
            if sheet.inside(near) and near not in covered | reached and not blocked:
                reached.add(near)
                edge.append(near)
    return False
