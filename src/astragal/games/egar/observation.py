"""What the table shows of a state, and of what happens in it: views and events, built from what all may know."""

from __future__ import annotations

from itertools import chain

from astragal.games.egar import quiz
from astragal.games.egar.actions import (
    Action,
    Ask,
    Attack,
    Begins,
    Choose,
    Count,
    Done,
    GiveUp,
    Know,
    Resign,
    Roll,
    Silence,
    Step,
    Take,
    Type,
)
from astragal.games.egar.answers import Judgement, judge
from astragal.games.egar.cards import Card, Phrase, phrase
from astragal.games.egar.combat import owner
from astragal.games.egar.options import Army
from astragal.games.egar.state import Question, State, flags
from astragal.games.egar.view import (
    Answered,
    Asked,
    Attacked,
    Began,
    Clash,
    Ended,
    Event,
    Fought,
    Levelled,
    Put,
    Resigned,
    Result,
    Rolled,
    Stepped,
    Took,
    View,
)


def view(s: State, seat: int | None, turn: int, legal: tuple[Action, ...]) -> View:
    """The table as this seat sees it."""
    names = s.ground.names
    fight, question = s.fight, s.question
    standing = {owner: square for square, owner in flags(s).items()}
    return View(
        seat=seat,
        turn=turn,
        options=s.options,
        armies=tuple([tuple([names[square] for square in army]) for army in s.armies]),
        flags=tuple([names[standing[seat]] if seat in standing else "" for seat in range(len(s.armies))]),
        phase=s.phase,
        mover=s.mover,
        points=s.points,
        turns=s.turns,
        clash=Clash(names[fight.target], names[fight.risk], fight.dice, fight.thrown, fight.best) if fight else None,
        question=Put(question.seat, question.level, question.card, question.face) if question else None,
        used=s.used,
        won=s.won,
        legal=legal,
    )


def event(s: State, a: Action, after: State) -> Event:
    """What everybody sees when `a` leads from `s` to `after`."""
    me = s.options.army(s.mover)
    match a:
        case Begins():
            return Began(s.options.army(a.seat))
        case Roll():
            return _fought(s, a, after) if s.fight else Rolled(me, a.low)
        case Step():
            return Stepped(me, a.start, a.end, _result(s, after))
        case Attack():
            return _attacked(s, a, after)
        case Done():
            return Ended(me)
        case Ask():
            return Levelled(me, a.level)
        case Take():
            return Took(me, s.options.army(s.asked.seat), _result(s, after))
        case Resign():
            return Resigned(s.options.army(a.seat), _result(s, after))
        case Choose() | Type() | GiveUp() | Silence() | Count() | Know():
            return _answered(s, a, _result(s, after))
    # A card, or the order of its options. A card whose order is still to be drawn is not shown.
    question = after.question or s.asked
    assert question.level is not None
    return Asked(s.options.army(question.seat), question.level, question.face)


def _result(s: State, after: State) -> Result:
    """The difference between two positions."""
    gone = sorted(set(chain(*s.armies)) - set(chain(*after.armies)))
    left = [seat for seat, army in enumerate(s.armies) if army and not after.armies[seat]]
    moved = len(list(chain(*s.armies))) == len(list(chain(*after.armies)))
    return Result(
        fell=s.ground.names[gone[0]] if len(gone) == 1 and not moved else None,
        left=s.options.army(left[0]) if left else None,
        won=tuple(s.options.army(seat) for seat in after.won),
    )


def _attacked(s: State, a: Attack, after: State) -> Attacked:
    fight = after.fight
    assert fight is not None
    enemy = owner(s, fight.target)
    assert enemy is not None
    return Attacked(s.options.army(s.mover), s.options.army(enemy), a.target, a.risk, fight.dice)


def _fought(s: State, a: Roll, after: State) -> Fought:
    fight = s.fight
    assert fight is not None
    defends = fight.thrown == fight.dice
    defender = owner(s, fight.target)
    assert defender is not None
    army: Army = s.options.army(defender if defends else s.mover)
    tie = defends and a.low == a.high == fight.best
    return Fought(army, a.low, a.high, fight.best, defends, tie, _result(s, after))


def _judged(a: Type, card: Card) -> Judgement:
    """How the answer was judged: as the record says where the judge has learned since."""
    now = judge(card, a.text)
    if a.right is None or a.right is now.right:
        return now
    return Judgement(a.right, "near" if a.right else "nothing")


def _answered(s: State, a: Choose | Type | GiveUp | Silence | Count | Know, result: Result) -> Answered:
    """Now, and not before, the right answer may be told."""
    question: Question = s.asked
    card = quiz.card_of(s)
    counted = isinstance(a, Count)
    right = counted or (isinstance(a, Know) and a.right)
    if isinstance(a, Choose | Type | GiveUp):
        right = quiz.is_right(s, a)
    return Answered(
        army=s.options.army(question.seat),
        right=right,
        option=a.option if isinstance(a, Choose) else None,
        text=a.text if isinstance(a, Type) else "",
        judged=_judged(a, card) if isinstance(a, Type) and card else None,
        silent=isinstance(a, Silence),
        counted=counted,
        letter=question.right,
        answer=phrase(card, 0) if card else None,
        note=Phrase(card.en.note, card.de.note, card.es.note) if card else None,
        result=result,
    )
