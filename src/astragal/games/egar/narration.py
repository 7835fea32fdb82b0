"""What happens in a game of EGAR, told in sentences."""

from __future__ import annotations

from astragal.core.language import Text, say, say_count
from astragal.games.egar.actions import LETTERS
from astragal.games.egar.answers import Judgement
from astragal.games.egar.options import Army
from astragal.games.egar.picture import army_name, level_name
from astragal.games.egar.view import (
    Answered,
    Asked,
    Attacked,
    Began,
    Ended,
    Event,
    Fought,
    Levelled,
    Resigned,
    Result,
    Rolled,
    Stepped,
    Took,
)


def sentence(event: Event, lang: str) -> str:
    """What just happened, with what came of it."""
    sentences = [_told(event)] if not isinstance(event, Answered) else _answer(event, lang)
    if isinstance(event, Asked) and event.face is not None:
        sentences = [*sentences, _plain(event.face.question.to(lang))]
    result = getattr(event, "result", Result())
    sentences += _consequences(result, named=not isinstance(event, Resigned))
    return " ".join(text.to(lang) for text in sentences)


def victory(armies: tuple[Army, ...]) -> Text:
    """Who won."""
    if len(armies) == 1:
        return say("{army} have won the game.", army=army_name(armies[0]))
    return say_count(
        len(armies),
        "{n} army wins the game.",
        "The turns are over, and {n} armies share the win.",
    )


def shown(low: int, high: int) -> Text:
    """What a die shows: a number, or one of several that come to the same."""
    if low == high:
        return say("a {pips}", pips=low)
    return say("{low} to {high}", low=low, high=high)


def _plain(text: str) -> Text:
    return Text("{text}", {"text": text})


def _told(event: Event) -> Text:
    army = army_name(event.army)
    match event:
        case Began():
            return say("{army} begin.", army=army)
        case Rolled():
            return say_count(event.points, "{army} roll {n}: {n} step.", "{army} roll {n}: {n} steps.", army=army)
        case Stepped():
            return say("{army}: {start} to {end}.", army=army, start=event.start, end=event.end)
        case Attacked():
            return say_count(
                event.soldiers,
                "{army} attack {enemy} on {target} with {n} soldier; {risk} is at risk.",
                "{army} attack {enemy} on {target} with {n} soldiers; {risk} is at risk.",
                army=army,
                enemy=army_name(event.enemy),
                target=event.target,
                risk=event.risk,
            )
        case Fought():
            return _fought(event, army)
        case Ended():
            return say("{army} move and attack no more.", army=army)
        case Levelled():
            return say("{army} pick a question of the level {level}.", army=army, level=level_name(event.level))
        case Asked() if event.face is None:
            return say("A card of the level {level} is drawn.", level=level_name(event.level))
        case Asked():
            return say("Question for {army}:", army=army)
        case Took():
            return say("{army} pick a soldier of {enemy}.", army=army, enemy=army_name(event.enemy))
    return say("{army} give up.", army=army)


def _fought(event: Fought, army: Text) -> Text:
    if not event.defends:
        if event.low == event.high:
            return say("{army} attack with a {pips}.", army=army, pips=event.low)
        return say("Another die of {army} does not beat the {best}.", army=army, best=event.best)
    if event.tie:
        return say("{army} defend with a {pips} too: all dice are rolled again.", army=army, pips=event.best)
    if event.high < event.best:
        return say("{army} defend with less than {best} and lose the soldier.", army=army, best=event.best)
    return say("{army} defend with more than {best} and hold.", army=army, best=event.best)


def _answer(event: Answered, lang: str) -> list[Text]:
    army = army_name(event.army)
    sentences = [_given(event, army, lang)]
    if event.judged is not None and (taken := judged(event.judged)):
        sentences.append(taken)
    if event.answer is not None and not event.right:
        sentences.append(say("The right answer is: {answer}.", answer=event.answer.to(lang)))
    elif event.answer is None and event.letter is not None and not event.right:
        sentences.append(say("The right answer was {letter}.", letter=LETTERS[event.letter]))
    if event.note is not None:
        sentences.append(_plain(event.note.to(lang)))
    return sentences


def _given(event: Answered, army: Text, lang: str) -> Text:
    if event.silent:
        return say("{army} run out of time.", army=army)
    if event.counted:
        return say("The players agree that the answer of {army} counts.", army=army)
    answer = LETTERS[event.option] if event.option is not None else event.text
    if answer and event.right:
        return say("{army} answer {given}: right.", army=army, given=answer)
    if answer:
        return say("{army} answer {given}: wrong.", army=army, given=answer)
    if event.right and event.answer is not None:
        return say("{army} know the answer: {answer}.", army=army, answer=event.answer.to(lang))
    return (
        say("{army} know the answer.", army=army) if event.right else say("{army} do not know the answer.", army=army)
    )


def judged(judgement: Judgement) -> Text | None:
    """What a typed answer was taken for, where that is not plain."""
    match judgement.how:
        case "alias":
            return say("{matched!r} is another way to say it.", matched=judgement.matched)
        case "near":
            return say("It was read as {matched!r}.", matched=judgement.matched)
        case "rejected":
            return say("{matched!r} is something else.", matched=judgement.matched)
    return None


def _consequences(result: Result, *, named: bool) -> list[Text]:
    sentences = []
    if result.fell is not None:
        sentences.append(say("The soldier on {square} leaves the board.", square=result.fell))
    if result.left is not None and named:
        sentences.append(say("{army} have no soldiers left and are out of the game.", army=army_name(result.left)))
    if result.won:
        sentences.append(victory(result.won))
    return sentences
