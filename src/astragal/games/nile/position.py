"""Positions of Nile as a line of text, with all racks: for authors, tests and finished matches.

`phase=turn:2 first=1 racks=SSCLU/CDrBB river=1:SN,CE` says whose turn it is, who opened, what everybody holds, and
turn by turn what was laid. What the line does not say follows from it: the bag is the rest of the tiles, and scores
are counted again. The rules page has the whole notation, under "Writing down a position".
"""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING, get_args

from astragal.core.language import say
from astragal.core.position import NONE, Part, named_parts
from astragal.games.nile import hidden_tiles
from astragal.games.nile.board import grid
from astragal.games.nile.course import Course, course
from astragal.games.nile.options import Options
from astragal.games.nile.score_sheet import Laid, ScoreLine, turn_line
from astragal.games.nile.state import IDLE_ROUNDS, LOTS, Bag, Racks, State, active
from astragal.games.nile.tiles import (
    KINDS,
    NAMES,
    PLACE,
    POINTS,
    UNIVERSAL,
    Kind,
    in_order,
    kind_between,
    opposite,
    stock,
)
from astragal.games.nile.view import Phase, View

if TYPE_CHECKING:
    from astragal.games.nile.rules import NileRules

LETTERS = "SCLRDlrBU"  # of KINDS, in their order; the near forms are the small ones
KIND = dict(zip(LETTERS, KINDS, strict=True))
LETTER = {kind: letter for letter, kind in KIND.items()}
PASSED, WAITED, RESIGNED, GOES_ON = "!", "?", "x", "~"

_PHASES: dict[str, Phase] = {phase: phase for phase in get_args(Phase)}
_PARTS = {"phase": True, "first": False, "racks": True, "river": False, "idle": False, "lots": False}
_TURN = re.compile(rf"([1-9])([:{PASSED}{WAITED}{RESIGNED}])(.*)")


# Writing ------------------------------------------------------------------------------------------------------


def write(s: State) -> str:
    """The position as a line."""
    words = [f"phase={s.phase}:{s.seat + 1}"]
    if s.phase != "lots":
        words.append(f"first={s.first + 1}")
    words.append("racks=" + "/".join(map(_letters, s.racks)))
    if turns := _turns(s):
        words.append("river=" + ";".join(turns))
    if s.idle:
        words.append(f"idle={s.idle}")
    if s.lots:
        words.append("lots=" + "/".join(",".join(map(_letters, rounds)) for rounds in s.lots))
    return " ".join(words)


def _letters(tiles: tuple[Kind, ...]) -> str:
    return "".join(LETTER[kind] for kind in tiles) or NONE


def _turns(s: State) -> list[str]:
    """The score sheet and the river together, turn by turn; what is left on racks at the end follows from these."""
    turns, begin = [], 0
    signs = {"passed": PASSED, "waited": WAITED, "resigned": RESIGNED}
    for line in s.sheet:
        if line.how == "laid":
            end = begin + len(line.tiles)
            turns.append(f"{line.seat + 1}:{_laid(s.river[begin:end])}")
            begin = end
        elif line.how != "left":
            shown = _letters(line.tiles) if line.how == "passed" else ""
            turns.append(f"{line.seat + 1}{signs[line.how]}{shown}")
    if s.laid:
        turns.append(f"{s.seat + 1}:{_laid(s.river[begin:])}{GOES_ON}")
    return turns


def _laid(tiles: tuple[Laid, ...]) -> str:
    """Tiles of a turn: a letter and the exit of each, and a plus for one that leads to a crossing."""
    written: list[str] = []
    for placed in tiles:
        if placed.replaced is not None:
            written[-1] += "+"
        else:
            written.append(LETTER[placed.tile] + POINTS[placed.exit])
    return ",".join(written)


# Reading ------------------------------------------------------------------------------------------------------


def read(rules: NileRules, text: str, options: Options, players: int) -> State:
    """The position that this line means. Raises BadPosition."""
    parts = named_parts(text, _PARTS)
    said, who = parts["phase"].pieces(":", 2, say("phase:seat, as in {example}", example="turn:2"))
    phase, seat = said.word(_PHASES), who.number(1, players) - 1
    first = parts["first"].number(1, players) - 1 if "first" in parts else 0
    racks = tuple(map(_rack, parts["racks"].pieces("/", players, say("{n} racks with a / between", n=players))))
    past = _Past(options, players)
    for turn in parts["river"].split(";") if "river" in parts else ():
        past.add(turn)
    lots = _lots(parts["lots"], players) if "lots" in parts else ()
    state = State(
        options=options,
        phase=phase,
        seat=seat,
        first=first,
        racks=racks,
        bag=_bag(parts, options, past.river, racks, lots if phase == "lots" else ()),
        river=tuple(past.river),
        laid=past.laid,
        sheet=tuple(past.sheet),
        idle=parts["idle"].number(0, IDLE_ROUNDS * players) if "idle" in parts else 0,
        gone=tuple(past.gone),
        lots=lots,
    )
    if phase == "lots":
        return _check_lots(state, parts)
    if phase == "over":
        return _ended(state, parts)
    return _check_play(rules, state, parts)


def _rack(part: Part) -> tuple[Kind, ...]:
    for n, letter in enumerate(part.text if part.text != NONE else ""):
        if letter not in KIND:
            raise part.error(say("{letter!r} is no tile; the tiles are {letters}", letter=letter, letters=LETTERS), n)
    if not part.text:
        raise part.unlike(say("tiles, or {none} for none", none=NONE))
    return in_order(tuple(KIND[letter] for letter in part.text)) if part.text != NONE else ()


class _Past:
    """The turns so far: the river they made and the score sheet they filled."""

    def __init__(self, options: Options, players: int) -> None:
        self.options, self.players = options, players
        self.river: list[Laid] = []
        self.sheet: list[ScoreLine] = []
        self.gone: list[int] = []
        self.laid = 0  # tiles of a turn that goes on

    def add(self, turn: Part) -> None:
        """One turn."""
        form = _TURN.fullmatch(turn.text)
        if form is None or int(form[1]) > self.players:
            raise turn.unlike(say("a turn such as {examples}", examples="1:SN,CE 2!SSCLU 3? 4x"))
        seat, sign, rest = int(form[1]) - 1, form[2], Part(turn.name, form[3], turn.column + 2)
        if self.laid:
            raise turn.error(say("only the last turn can still go on"))
        if seat in self.gone:
            raise turn.error(say("seat {seat} does not play any more", seat=seat + 1))
        if sign == ":":
            self._lay(seat, rest)
        elif sign == PASSED:
            self._pass(seat, rest)
        elif rest.text:
            raise rest.error(say("nothing more should follow"))
        elif sign == WAITED:
            if self.river:
                raise turn.error(say("nobody waits once the river is opened"))
            self.sheet.append(ScoreLine(seat, "waited"))
        else:
            if self.players == 2 or len(self.gone) == self.players - 1:
                raise turn.error(say("this seat cannot give up now"))
            self.gone.append(seat)
            self.sheet.append(ScoreLine(seat, "resigned"))

    def _lay(self, seat: int, tiles: Part) -> None:
        goes_on = tiles.text.endswith(GOES_ON)
        tiles = Part(tiles.name, tiles.text.removesuffix(GOES_ON), tiles.column)
        begin = len(self.river)
        for tile in tiles.split(",") or (tiles,):
            self.river += _tile(course(self.options.board, tuple(self.river)), tile)
        if goes_on:
            self.laid = len(self.river) - begin
        else:
            board, tile_set = grid(self.options.board), stock(self.options.tiles)
            self.sheet.append(turn_line(seat, self.river[begin:], board, tile_set))

    def _pass(self, seat: int, shown: Part) -> None:
        rack = _rack(shown)
        if not self.river:
            raise shown.error(say("nobody shows a rack before the river is opened"))
        self.sheet.append(ScoreLine(seat, "passed", rack, total=-stock(self.options.tiles).worth(rack)))


def _tile(river: Course, part: Part) -> list[Laid]:
    """A tile, or the two of a crossing, at the end of the river as it is."""
    form = re.fullmatch(rf"([{LETTERS}])({'|'.join(POINTS)})(\+?)", part.text)
    if form is None:
        raise part.unlike(say("a tile and its exit, as in {examples}", examples="SN, CSE, UN, SE+"))
    if river.head < 0:
        raise part.error(say("the river has ended before this tile"))
    kind, exit, crossing = KIND[form[1]], POINTS.index(form[2]), bool(form[3])
    if exit == river.entry:
        raise part.error(say("the river enters there, so it cannot leave there"))
    line = kind_between(river.entry, exit)
    if kind not in (line, UNIVERSAL):
        raise part.unlike(say("{letter}, the tile from {entry} to {exit}", letter=LETTER[line],
                              entry=POINTS[river.entry], exit=form[2]))  # fmt: skip
    fault = river.fault(exit, crossing)
    if fault is not None:
        raise part.error(say(fault.why))
    names, head = river.grid.names, river.head
    tiles = [Laid(names[head], kind, river.entry, exit, line if kind == UNIVERSAL else None)]
    if crossing:
        crossed = river.grid.beyond[head][exit]
        replaced, _ = river.tiles[crossed]
        tiles.append(Laid(names[crossed], UNIVERSAL, opposite(exit), exit, replaced=replaced))
    led = river.led(kind, exit, crossing)
    if led.head >= 0 and led.shut_in():
        last = tiles[-1]
        tiles[-1] = Laid(last.field, last.tile, last.entry, last.exit, last.stands, last.replaced, shut=True)
    return tiles


def _lots(part: Part, players: int) -> tuple[Racks, ...]:
    seats = part.pieces("/", players, say("the lots of {n} seats with a / between", n=players))
    return tuple(tuple(_rack(drawn) for drawn in (seat.split(",") or (seat,))) for seat in seats)


def _bag(parts: dict[str, Part], options: Options, river: list[Laid], racks: Racks, lots: tuple[Racks, ...]) -> Bag:
    """All tiles that are nowhere else."""
    counts = list(stock(options.tiles).counts)
    for place, lying in enumerate(hidden_tiles.lying(river)):
        counts[place] -= lying
    for kind in (*(kind for rack in racks for kind in rack), *(kind for rounds in lots for kind in rounds[-1])):
        counts[PLACE[kind]] -= 1
    for place, kind in enumerate(KINDS):
        if counts[place] < 0:
            total = stock(options.tiles).counts[place]
            text = say("there are only {n} tiles of the kind {kind}", n=total, kind=say(NAMES[kind]))
            raise parts["racks"].error(text)
    return tuple(counts)


# What must fit together ---------------------------------------------------------------------------------------


def _check_lots(s: State, parts: dict[str, Part]) -> State:
    """NI-2: everybody draws three tiles; those who tie draw again, and nothing else has happened."""
    if "first" in parts or "river" in parts or "idle" in parts or any(s.racks):
        raise parts["phase"].error(say("while lots are drawn there are no racks and no turns"))
    if "lots" not in parts:
        raise parts["phase"].error(say("the lots so far are missing, such as {example}", example="lots=SSC/-"))
    most = max(map(len, s.lots))
    rivals = tuple(seat for seat, rounds in enumerate(s.lots) if len(rounds) == most)
    earlier = [drawn for rounds in s.lots for drawn in (rounds if len(rounds) < most else rounds[:-1])]
    now = [len(s.lots[rival][-1]) for rival in rivals]
    place = next((n for n, count in enumerate(now) if count < LOTS), len(rivals))
    in_turn = place < len(rivals) and now[:place] == [LOTS] * place and not any(now[place + 1 :])
    if len(rivals) < 2 or not in_turn or any(len(drawn) != LOTS for drawn in earlier):
        raise parts["lots"].error(say("each seat draws {n} tiles, one seat after the other", n=LOTS))
    if rivals[place] != s.seat:
        raise parts["phase"].unlike(f"lots:{rivals[place] + 1}")
    return State(s.options, "lots", s.seat, 0, s.racks, s.bag, lots=s.lots, rivals=rivals)


def _ended(s: State, parts: dict[str, Part]) -> State:
    """NI-17, NI-18: the end needs a reason, and each rack counts against its owner."""
    _check_past(s, parts)
    ended = len(active(s)) == 1 or course(s.options.board, s.river).head < 0
    idle = s.idle >= IDLE_ROUNDS * len(active(s))
    if s.laid or not (ended or idle or (not any(s.bag) and not any(s.racks))):
        raise parts["phase"].error(say("nothing has ended the game yet"))
    tiles = stock(s.options.tiles)
    left = [ScoreLine(seat, "left", rack, total=-tiles.worth(rack)) for seat, rack in enumerate(s.racks) if rack]
    return State(
        s.options, "over", s.seat, s.first, s.racks, s.bag, s.river, 0, (*s.sheet, *left), s.idle, s.gone, s.lots
    )


def _check_past(s: State, parts: dict[str, Part]) -> None:
    for seat, rounds in enumerate(s.lots):
        if any(len(drawn) != LOTS for drawn in rounds):
            raise parts["lots"].error(say("seat {seat} has drawn {n} tiles in each round", seat=seat + 1, n=LOTS))
    if "first" not in parts:
        raise parts["phase"].error(say("{name} is missing", name="first="))
    for seat, rack in enumerate(s.racks):
        most = 0 if seat in s.gone else stock(s.options.tiles).rack
        if len(rack) > most:
            raise parts["racks"].error(say("the rack of seat {seat} holds at most {n} tiles", seat=seat + 1, n=most))


def _check_play(rules: NileRules, s: State, parts: dict[str, Part]) -> State:
    """While racks are dealt, filled and played from, they hold what the turns so far have left on them."""
    _check_past(s, parts)
    phase, full = parts["phase"], stock(s.options.tiles).rack
    if s.seat in s.gone or len(active(s)) < 2 or course(s.options.board, s.river).head < 0:
        raise phase.error(say("this seat has nothing to do any more"))
    if s.first in s.gone and not s.river:
        raise parts["first"].error(say("seat {seat} does not play any more", seat=s.first + 1))
    if s.phase != "turn" and (s.laid or not any(s.bag) or len(s.racks[s.seat]) >= full):
        raise phase.error(say("seat {seat} cannot draw now", seat=s.seat + 1))
    if (s.phase == "deal" and s.river) or (s.phase == "refill" and not s.river):
        raise phase.error(say("racks are dealt before the river is opened, and filled after that"))
    if s.laid and parts["river"].split(";")[-1].text[0] != str(s.seat + 1):
        raise phase.error(say("the turn that goes on is another seat's"))
    held = hidden_tiles.Past(rules.observe(s, None)).held
    if held != [len(rack) for rack in s.racks]:
        raise parts["racks"].error(
            say("after these turns the racks hold {sizes} tiles", sizes="/".join(map(str, held)))
        )
    if s.phase == "turn" and not (rules.legal(s) and (s.racks[s.seat] or any(s.bag) or s.laid)):
        raise phase.error(say("seat {seat} could not have come into this position", seat=s.seat + 1))
    if not all(_possible(rules, rules.observe(s, seat)) for seat in active(s)):
        raise parts["racks"].error(say("nobody could have drawn these tiles and played these turns"))
    return s


def _possible(rules: NileRules, view: View) -> bool:
    """Whether some past leads to what this seat sees."""
    try:
        return rules.observe(rules.resample(view, Random(0)), view.seat) == view
    except ValueError:
        return False
