"""Positions of EGAR as a line of text, with the secrets of the cards: for authors, tests and finished matches.

`armies=E4,F4/E9,F9 phase=move:1 points=3 turns=12` says where the soldiers stand, what goes on and how far the game
has come; fights and questions add parts of their own. Cards are named by their ids, blank ones by `#` and a number.
The rules page has the whole notation, under "Writing down a position".
"""

from __future__ import annotations

import re
from typing import cast, get_args

from msgspec.structs import replace

from astragal.core.language import say
from astragal.core.position import NONE, Part, named_parts
from astragal.games.egar import quiz
from astragal.games.egar.actions import Order
from astragal.games.egar.board import Ground, ground
from astragal.games.egar.cards import LEVELS, Level, Order4, phrase
from astragal.games.egar.combat import PIPS, owner
from astragal.games.egar.deck import card_at, cards_of, sealed
from astragal.games.egar.options import Options
from astragal.games.egar.state import Fight, Phase, Question, State, flags, living, next_living

MOST_TURNS = 999_999

_PHASES: dict[str, Phase] = {phase: phase for phase in get_args(Phase)}
_ASKING: tuple[Phase, ...] = ("level", "card", "order", "answer", "pick")
_PARTS = {
    "armies": True,
    "phase": True,
    "points": False,
    "turns": False,
    "fight": False,
    "level": False,
    "card": False,
    "order": False,
    "used": False,
    "won": False,
}


# Writing ------------------------------------------------------------------------------------------------------


def write(s: State) -> str:
    """The position as a line."""
    names = s.ground.names
    armies = (",".join(names[square] for square in army) or NONE for army in s.armies)
    words = ["armies=" + "/".join(armies), f"phase={s.phase}:{s.mover + 1}"]
    if s.points:
        words.append(f"points={s.points}")
    if s.turns:
        words.append(f"turns={s.turns}")
    if s.fight is not None:
        words.append(f"fight={names[s.fight.target]}:{names[s.fight.risk]}:{s.fight.thrown}:{s.fight.best}")
    if s.question is not None:
        words += _question(s, s.question)
    if used := [text for level in LEVELS if (text := _used(s, level))]:
        words.append("used=" + ";".join(used))
    if s.won:
        words.append("won=" + ",".join(str(seat + 1) for seat in s.won))
    return " ".join(words)


def _question(s: State, question: Question) -> list[str]:
    words = []
    if question.level is not None and len(quiz.levels_of(s.options)) > 1:
        words.append(f"level={question.level}")
    if question.level is not None and question.card is not None:
        words.append(f"card={_card(s, question.level, question.card)}")
    if _order_was_drawn(s, question):
        words.append("order=" + str(Order(_shown(s, question))).removeprefix("order-"))
    return words


def _card(s: State, level: Level, number: int) -> str:
    card = card_at(s.deck, level, number)
    return f"#{number + 1}" if card is None else card.id


def _used(s: State, level: Level) -> str:
    """The cards of a level that were laid aside, without the open one."""
    question = s.question
    open_card = question.card if question is not None and question.level == level else None
    cards = [_card(s, level, number) for number in s.used[LEVELS.index(level)] if number != open_card]
    return f"{level}:{','.join(cards)}" if cards else ""


def _order_was_drawn(s: State, question: Question) -> bool:
    """Whether the options are in an order that chance drew, so that the line must say it."""
    if question.right is None or question.card is None:
        return False
    return quiz.drawn(replace(s, question=replace(question, face=None, right=None)), question.card).phase == "order"


def _shown(s: State, question: Question) -> Order4:
    """The order of the options: of a blank card all that can be told is where the right one is."""
    card, right = quiz.card_of(s), question.right
    assert right is not None
    if card is None or question.face is None:
        order = [1, 2, 3]
        order.insert(right, 0)
        return cast("Order4", tuple(order))
    texts = [phrase(card, option) for option in range(4)]
    return cast("Order4", tuple(texts.index(option) for option in question.face.options))


# Reading ------------------------------------------------------------------------------------------------------


def read(text: str, options: Options, players: int) -> State:
    """The position that this line means. Raises BadPosition."""
    parts = named_parts(text, _PARTS)
    said, who = parts["phase"].pieces(":", 2, say("phase:seat, as in {example}", example="move:2"))
    state = State(
        options=replace(options, deck=sealed(options.deck)),
        deck=options.deck,
        armies=_armies(parts["armies"], ground(options.board), players),
        phase=said.word(_PHASES),
        mover=who.number(1, players) - 1,
        turns=parts["turns"].number(0, MOST_TURNS) if "turns" in parts else 0,
    )
    _allow(parts, "points", state.phase == "move", needed=True)
    _allow(parts, "fight", state.phase == "fight", needed=True)
    _allow(parts, "won", state.phase == "over", needed=True)
    _check_who(state, parts)
    _check_flags(state, parts["armies"])
    state = replace(state, used=_laid_aside(state, parts["used"]) if "used" in parts else state.used)
    if state.phase == "over":
        seats = tuple(part.number(1, players) - 1 for part in parts["won"].split(","))
        if not seats or len(set(seats)) < len(seats):
            raise parts["won"].unlike(say("seats, as in {example}", example="1,3"))
        state = replace(state, won=tuple(sorted(seats)))
    if state.phase == "move":
        state = replace(state, points=parts["points"].number(1, PIPS))
    if state.phase == "fight":
        state = replace(state, fight=_fight(state, parts["fight"]))
    return _asked(state, parts)


def _allow(parts: dict[str, Part], name: str, fits: bool, *, needed: bool) -> None:
    """Refuses a part that does not belong to this phase, and the lack of one that does."""
    if name in parts and not fits:
        raise parts[name].error(say("this part does not belong to the phase {phase}", phase=parts["phase"].text))
    if name not in parts and fits and needed:
        raise parts["phase"].error(say("{name} is missing", name=f"{name}="))


def _armies(part: Part, board: Ground, players: int) -> tuple[tuple[int, ...], ...]:
    taken: set[int] = set()
    armies = []
    for seat, army in enumerate(part.pieces("/", players, say("{n} armies with a / between", n=players))):
        squares = []
        for square in army.split(","):
            number = board.number.get(square.text)
            if number is None:
                raise square.error(say("{square!r} is not a square of this board", square=square.text[:20]))
            if number in taken:
                raise square.error(say("two pieces stand on {square}", square=square.text))
            taken.add(number)
            squares.append(number)
        most = len(board.camps[players][seat])
        if len(squares) > most:
            raise army.error(say("an army has at most {n} soldiers", n=most))
        armies.append(tuple(sorted(squares)))
    return tuple(armies)


def _check_who(s: State, parts: dict[str, Part]) -> None:
    """Who is to act is still there, and so is an enemy."""
    part, alive = parts["phase"], living(s)
    if s.phase == "lots":
        if s.mover != 0 or s.turns:
            raise part.error(say("lots are drawn before the first turn, and written {form}", form="lots:1"))
    elif s.phase != "over" and s.mover not in alive:
        raise part.error(say("seat {seat} does not play any more", seat=s.mover + 1))
    if len(alive) < (1 if s.phase == "over" else 2):
        raise parts["armies"].error(say("a game that goes on needs two armies"))
    if s.phase != "over" and s.options.turn_limit and s.turns >= s.options.turn_limit:
        raise parts["turns"].error(say("the game ends after {n} turns", n=s.options.turn_limit))


def _check_flags(s: State, part: Part) -> None:
    """EG-7, EG-8: nobody stands on an enemy's flag in a game that goes on, nor on a closed flag of its own."""
    for square, seat in flags(s).items():
        holder = owner(s, square)
        shut = holder == seat and not s.options.own_flag_open
        if shut or (holder not in (None, seat) and s.phase != "over"):
            raise part.error(say("no soldier can stand on the flag {square}", square=s.ground.names[square]))


def _fight(s: State, part: Part) -> Fight:
    target, risk, thrown, best = part.pieces(
        ":", 4, say("target:soldier:dice:best, as in {example}", example="F5:E5:1:4")
    )
    number, near = s.ground.number, s.ground.near
    aim = number.get(target.text)
    if aim is None or owner(s, aim) in (None, s.mover):
        raise target.error(say("there is no enemy soldier on {square}", square=target.text[:20]))
    attackers = [square for square in near[aim] if square in s.armies[s.mover]]
    own = number.get(risk.text)
    if own is None or own not in attackers:
        raise risk.error(say("{own} is not next to {target}", own=risk.text[:20], target=target.text))
    fallen = thrown.number(0, len(attackers))
    return Fight(aim, own, len(attackers), fallen, best.number(min(1, fallen), PIPS if fallen else 0))


def _number_of(s: State, level: Level, part: Part) -> int:
    """A card by its id, or a blank one by its number."""
    if re.fullmatch(r"#[1-9][0-9]{0,3}", part.text) and int(part.text[1:]) <= quiz.deck_size(s.options, level):
        return int(part.text[1:]) - 1
    for number, card in enumerate(cards_of(s.deck, level)):
        if card.id == part.text:
            return number
    raise part.error(say("there is no card {card!r} of the level {level}", card=part.text[:60], level=level))


def _laid_aside(s: State, part: Part) -> tuple[tuple[int, ...], ...]:
    used: dict[Level, tuple[int, ...]] = dict.fromkeys(LEVELS, ())
    for group in part.split(";"):
        name, cards = group.pieces(":", 2, say("level:cards, as in {example}", example="easy:#1,#7"))
        level = name.word({level: level for level in LEVELS})
        numbers = [_number_of(s, level, card) for card in cards.split(",")]
        if used[level] or not numbers or len(set(numbers)) < len(numbers):
            raise group.error(say("a level or a card stands here twice"))
        used[level] = tuple(sorted(numbers))
    return tuple(used[level] for level in LEVELS)


def _asked(s: State, parts: dict[str, Part]) -> State:
    """The question on its way, if there is one, and what is known of it by now."""
    levels, asking = quiz.levels_of(s.options), s.phase in _ASKING
    known = asking and s.phase != "level"
    _allow(parts, "level", known and len(levels) > 1, needed=True)
    _allow(parts, "card", s.phase in ("order", "answer", "pick"), needed=True)
    if s.phase == "level" and len(levels) == 1:
        raise parts["phase"].error(say("the level cannot be picked here"))
    if not asking:
        _allow(parts, "order", False, needed=False)
        return s
    level = parts["level"].word({level: level for level in levels}) if "level" in parts else levels[0]
    question = Question(next_living(s, s.mover), level if known else None)
    s = replace(s, question=question)
    if "card" not in parts:
        _allow(parts, "order", False, needed=False)
        return s
    number = _number_of(s, level, parts["card"])
    if number in s.used[LEVELS.index(level)]:
        raise parts["card"].error(say("this card has been laid aside"))
    drawn = quiz.drawn(s, number)
    in_order = drawn.phase == "order" and s.phase != "order"
    _allow(parts, "order", in_order, needed=True)
    if s.phase == "order" and drawn.phase != "order":
        raise parts["phase"].error(say("the options of this card have their order already"))
    if in_order:
        orders = {str(order).removeprefix("order-"): order for order, _ in quiz.orders(drawn)}
        if parts["order"].text not in orders:
            words = ", ".join(list(orders)[:: max(1, len(orders) // 4)])
            raise parts["order"].unlike(say("an order such as {words}", words=words))
        drawn = quiz.order(drawn, orders[parts["order"].text])
    return replace(drawn, phase=s.phase)
