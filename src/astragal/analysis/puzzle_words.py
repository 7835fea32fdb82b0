"""The answer of a puzzle in sentences, for the terminal and the browser."""

from __future__ import annotations

from collections.abc import Iterator

from astragal.analysis import puzzles
from astragal.core.language import Text, decimal, say
from astragal.core.levels import LEVELS, level_name
from astragal.core.puzzle import MASTER, Puzzle
from astragal.core.rules import Game


def explained(game: Game, puzzle: Puzzle, tried: str | None, lang: str) -> list[Text]:
    """What a try was worth, what was best and by how much, and who else fails; `tried` is None for who gave up."""
    return list(_sentences(game, puzzle, tried, lang))


def _sentences(game: Game, puzzle: Puzzle, tried: str | None, lang: str) -> Iterator[Text]:
    rules, state = game.rules, puzzles.state_of(game, puzzle)
    view = rules.observe(state, rules.turn(state))
    labels = {rules.encode(action): game.presentation.label(view, action, lang) for action in view.legal}
    best, (second, next_value) = puzzle.values[0][1], puzzle.values[1]
    if tried == puzzle.best:
        yield say("That is it: “{best}” wins with a chance of {value}.", best=labels[tried], value=percent(best))
        yield say("The next best, “{action}”, gives away {points} points.", action=labels[second],
                  points=points(best - next_value, lang))  # fmt: skip
    elif tried is not None:
        graded = puzzles.grade(puzzle, tried)
        yield say("“{action}” gives away {points} points: it leaves a chance of {value}.", action=labels[tried],
                  points=points(graded.loss, lang), value=percent(graded.value))  # fmt: skip
    if tried != puzzle.best:
        yield say("Best is “{best}”, with a chance of {value}.", best=labels[puzzle.best], value=percent(best))
    if puzzle.tempting not in (tried, puzzle.best):
        loss = best - (puzzle.value(puzzle.tempting) or 0.0)
        yield say("“{action}” looks better at first sight, and gives away {points} points.",
                  action=labels[puzzle.tempting], points=points(loss, lang))  # fmt: skip
    if puzzle.fails[MASTER]:
        yield say("Without a network the level {level} fails here {share} of the time.",
                  level=level_name(LEVELS[MASTER]), share=percent(puzzle.fails[MASTER]))  # fmt: skip
    judge = puzzles.set_of(game).rules[puzzle.rules].judge
    if judge.exact:
        yield say("These values are exact, from a table of all positions.")
    else:
        yield say("These values are estimates by a deep search; several of them differ by {points} points on average.",
                  points=points(judge.error, lang))  # fmt: skip


def percent(share: float) -> str:
    """A share as players read it."""
    return f"{100 * share:.0f} %"


def points(share: float, lang: str) -> str:
    """A difference of shares, in points of one per cent."""
    return decimal(100 * share, 1, lang)
