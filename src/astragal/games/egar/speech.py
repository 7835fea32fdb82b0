"""EGAR in words: what actions do, what happened, and answers about the table."""

from __future__ import annotations

from collections.abc import Sequence

from astragal.core.language import Text, noted, say, say_count
from astragal.core.rules import Presentation
from astragal.core.types import OVER
from astragal.games.egar import narration, picture
from astragal.games.egar.actions import (
    LETTERS,
    Action,
    Ask,
    Attack,
    Begins,
    Choose,
    Count,
    Done,
    Draw,
    GiveUp,
    Know,
    Order,
    Resign,
    Roll,
    Silence,
    Step,
    Take,
)
from astragal.games.egar.board import ground, place
from astragal.games.egar.options import ARMIES
from astragal.games.egar.picture import army_name, level_name
from astragal.games.egar.view import Event, View

# A question, what follows it, and what it tells.
TOPICS = {
    noted("where"): (" E5", noted("what stands on a square")),
    noted("mine"): ("", noted("your own soldiers")),
    noted("theirs"): ("", noted("the enemies' soldiers")),
    noted("attacks"): ("", noted("who can be attacked now, and with what odds")),
    noted("question"): ("", noted("the open question once more")),
}


class EgarPresentation(Presentation[View, Action, Event]):
    """How EGAR looks and speaks."""

    topics = TOPICS
    plural = True

    def seat_name(self, seat: int, lang: str, v: View | None = None) -> str:
        return army_name(ARMIES[seat] if v is None else v.options.army(seat)).to(lang)

    def text(self, v: View, lang: str = "en", *, colour: bool = False, last: Event | None = None) -> str:
        return f"{picture.text(v, lang, colour=colour, last=last)}\n  {_now(v).to(lang)}"

    def plain(self, v: View, lang: str) -> str:
        sentences = [_standing(v, seat) for seat in range(len(v.armies))]
        sentences += _targets(v)
        question = [line.strip() for line in picture.question_lines(v, lang)]
        return "\n".join([*(sentence.to(lang) for sentence in sentences), *question, _now(v).to(lang)])

    def svg(self, v: View, lang: str = "en", *, last: Event | None = None) -> str:
        return picture.svg(v, lang, last=last, now=_now(v).to(lang), description=self.plain(v, lang))

    def label(self, v: View, a: Action, lang: str) -> str:
        return _label(v, a, lang).to(lang)

    def say(self, event: Event, lang: str) -> str:
        return narration.sentence(event, lang)

    def answer(self, v: View, topic: str, rest: Sequence[str], lang: str) -> str | None:
        me = v.seat if v.seat is not None else v.mover
        match topic, rest:
            case "where", [square]:
                return _where(v, square.upper()).to(lang)
            case "mine", []:
                return _standing(v, me).to(lang)
            case "theirs", []:
                return " ".join(_standing(v, seat).to(lang) for seat in range(len(v.armies)) if seat != me)
            case "attacks", []:
                return " ".join(sentence.to(lang) for sentence in _targets(v) or [say("Nobody can be attacked now.")])
            case "question", []:
                lines = [line.strip() for line in picture.question_lines(v, lang)]
                return "\n".join(lines) or say("There is no open question.").to(lang)
        return None


def _now(v: View) -> Text:
    """What the table waits for."""
    if v.turn == OVER:
        return narration.victory(tuple(v.army(seat) for seat in v.won))
    mover = army_name(v.army(v.mover))
    asked = army_name(v.army(v.question.seat)) if v.question else mover
    match v.phase:
        case "lots":
            return say("Lots decide who begins.")
        case "roll":
            return say("{army} are to roll the die.", army=mover)
        case "move":
            return say_count(
                v.points,
                "{army} move: {n} step left.",
                "{army} move: {n} steps left.",
                army=mover,
            )
        case "attack":
            return say("{army} may attack.", army=mover)
        case "fight":
            return _fighting(v)
        case "level":
            return say("{army} pick a level for the question to {asked}.", army=mover, asked=asked)
        case "card" | "order":
            return say("A card is drawn for {asked}.", asked=asked)
        case "pick":
            return say("{army} pick which soldier of {asked} leaves the board.", army=mover, asked=asked)
    return say("{asked} are to answer.", asked=asked)


def _fighting(v: View) -> Text:
    clash = v.clash
    assert clash is not None
    if clash.thrown == clash.dice:
        return say("The attackers of {target} rolled {best}; the defender rolls.", target=clash.target, best=clash.best)
    return say(
        "{army} attack {target}: die {n} of {dice}.",
        army=army_name(v.army(v.mover)),
        target=clash.target,
        n=clash.thrown + 1,
        dice=clash.dice,
    )


def _standing(v: View, seat: int) -> Text:
    army, squares = army_name(v.army(seat)), v.armies[seat]
    if not squares and v.flags[seat]:
        return say("{army} have left the game; their flag is still on {flag}.", army=army, flag=v.flags[seat])
    if not squares:
        return say("{army} have left the game.", army=army)
    return say_count(
        len(squares),
        "{army} have {n} soldier, on {squares}; their flag is on {flag}.",
        "{army} have {n} soldiers, on {squares}; their flag is on {flag}.",
        army=army,
        squares=", ".join(squares),
        flag=v.flags[seat],
    )


def _targets(v: View) -> list[Text]:
    return [
        say_count(
            soldiers,
            "{square} can be attacked by {n} soldier: {odds}.",
            "{square} can be attacked by {n} soldiers: {odds}.",
            square=square,
            odds=picture.percent(soldiers),
        )
        for square, soldiers in sorted(picture.attackable(v).items())
    ]


def _where(v: View, square: str) -> Text:
    if square not in ground(v.options.board).number:
        return say("{square} is not a square of this board.", square=square)
    for seat, army in enumerate(v.armies):
        if square in army:
            return say("{square}: a soldier of {army}.", square=square, army=army_name(v.army(seat)))
    for seat, flag in enumerate(v.flags):
        if square == flag:
            return say("{square}: the flag of {army}.", square=square, army=army_name(v.army(seat)))
    return say("{square} is empty.", square=square)


def _label(v: View, a: Action, lang: str) -> Text:
    match a:
        case Step():
            return _step(v, a)
        case Attack():
            soldiers = picture.attackable(v).get(a.target, 1)
            return say_count(
                soldiers,
                "attack {target} with {n} soldier, {odds}; {risk} is at risk",
                "attack {target} with {n} soldiers, {odds}; {risk} is at risk",
                target=a.target,
                odds=picture.percent(soldiers),
                risk=a.risk,
            )
        case Done():
            return say("end moving and attacking")
        case Ask():
            return say("a card of the level {level}", level=level_name(a.level))
        case Choose():
            face = v.question.face if v.question else None
            text = face.options[a.option].to(lang) if face and a.option < len(face.options) else LETTERS[a.option]
            return Text("{text}", {"text": text})
        case GiveUp():
            return say("no idea")
        case Take():
            return say("the soldier on {square} leaves", square=a.square)
        case Resign():
            return say("give up: all own soldiers leave the board")
    return _chance_label(v, a)


def _chance_label(v: View, a: Action) -> Text:
    """What only chance or the clock does."""
    match a:
        case Begins():
            return say("{army} begin", army=army_name(v.army(a.seat)))
        case Roll():
            return narration.shown(a.low, a.high)
        case Draw():
            return say("card number {n}", n=a.card + 1)
        case Order():
            return say("an order of the options")
        case Know():
            return say("the right answer") if a.right else say("a wrong answer")
        case Silence():
            return say("the time is up")
        case Count():
            return say("the answer counts")
    return Text("{text}", {"text": getattr(a, "text", "")})


def _step(v: View, a: Step) -> Text:
    if any(a.end == flag for seat, flag in enumerate(v.flags) if seat != v.mover):
        return say("{start} to {end}: takes the flag and wins", start=a.start, end=a.end)
    (x, y), (to_x, to_y) = place(a.start), place(a.end)
    if to_y != y:
        up = to_y > y
        return (
            say("{start} up to {end}", start=a.start, end=a.end)
            if up
            else say("{start} down to {end}", start=a.start, end=a.end)
        )
    right = to_x > x
    return (
        say("{start} right to {end}", start=a.start, end=a.end)
        if right
        else say("{start} left to {end}", start=a.start, end=a.end)
    )
