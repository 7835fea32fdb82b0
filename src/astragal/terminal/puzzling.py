"""The command `puzzle`: the puzzle of the day, and a trainer by difficulty."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from random import SystemRandom
from typing import Any

import click
import msgspec
from msgspec import Struct

from astragal.analysis import puzzles
from astragal.analysis.puzzle_sheet import PuzzleAnswer, PuzzleTask, answer, task
from astragal.analysis.puzzle_words import explained, percent, points
from astragal.analysis.puzzles import NoPuzzles
from astragal.console import usage
from astragal.console.folders import own_folder
from astragal.console.screen import Screen
from astragal.core import recordfile, registry
from astragal.core.language import Text, meant, noted, say
from astragal.core.puzzle import DIFFICULTIES, DIFFICULTY_NAMES, Difficulty, Puzzle
from astragal.core.rules import Game
from astragal.core.types import AstragalError

UNSOLVED = 1  # the exit code of a try that was not the best
WORDS = (noted("help"), noted("moves"), noted("board"), noted("answer"), noted("quit"))
GRADES = {
    "solved": noted("Solved"),
    "near": noted("Near, but not the best"),
    "mistake": noted("A mistake"),
    "blunder": noted("A blunder"),
}


class TriedPuzzle(Struct, frozen=True):
    """The first try at a puzzle."""

    grade: str
    loss: float
    at: int  # seconds since 1970


class Progress:
    """Which puzzles this user has tried; a small file in the data folder."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file or own_folder() / "puzzles.json"
        try:
            self._games = msgspec.json.decode(self._file.read_bytes(), type=dict[str, dict[str, TriedPuzzle]])
        except (OSError, msgspec.MsgspecError):  # none yet, or damaged: then it begins anew
            self._games = {}

    def of(self, game: str) -> dict[str, TriedPuzzle]:
        """All tries at puzzles of a game, by the ids of the puzzles."""
        return self._games.get(game, {})

    def keep(self, game: str, puzzle: str, given: PuzzleAnswer) -> None:
        """Only the first try counts."""
        tried = self._games.setdefault(game, {})
        if puzzle in tried:
            return
        tried[puzzle] = TriedPuzzle(given.grade, given.loss, int(time.time()))
        self._file.parent.mkdir(parents=True, exist_ok=True)
        recordfile.put(self._file, msgspec.json.encode(self._games).decode())

    def tally(self, game: str, all_puzzles: Sequence[Puzzle], lang: str) -> Text:
        """How it went so far."""
        tried = [self.of(game)[puzzle.id] for puzzle in all_puzzles if puzzle.id in self.of(game)]
        solved = sum(one.grade == "solved" for one in tried)
        lost = sum(one.loss for one in tried) / len(tried) if tried else 0.0
        return say("{solved} of {all} solved at the first try, {points} points lost per puzzle", solved=solved,
                   all=len(all_puzzles), points=points(lost, lang))  # fmt: skip


def command(lang: str) -> click.Command:
    """`astragal puzzle`."""

    def run(
        game: str | None, level: str | None, id: str | None, tried: str | None, as_json: bool, lang: str, plain: bool,
        colour: bool | None,
    ) -> int:  # fmt: skip
        chosen, progress = _game(game), Progress()
        puzzle = _puzzle(chosen, _difficulty(level), id, progress)
        if tried is not None:
            return _try(chosen, puzzle, tried, progress, Screen(lang, plain=plain, colour=colour), as_json)
        if as_json:
            click.echo(msgspec.json.encode(task(chosen, puzzle, lang)))
            return 0
        Trainer(chosen, Screen(lang, plain=plain, colour=colour), progress).run(puzzle, _difficulty(level))
        return 0

    return usage.Command(
        "puzzle",
        lang=lang,
        text=say(
            "Find the best move: the puzzle of the day, or with --level a trainer. With --try the exit code is 0 if it "
            "is the best, 1 if not, and 2 if it cannot be done."
        ),
        example="astragal puzzle {game} --level easy",
        callback=run,
        params=[
            usage.argument(lang, "game", say("The game: `astragal games` lists them; without one, that of the day"),
                           required=False, shell_complete=usage.completing(lambda: [*registry.games()])),
            usage.option(lang, "--level", "level", help=say("Puzzles of this difficulty, one after the other"),
                         type=click.Choice(DIFFICULTIES)),
            usage.option(lang, "--id", "id", help=say("A particular puzzle")),
            usage.option(lang, "--try", "tried", help=say("Try this move and leave"), metavar="MOVE"),
            usage.flag(lang, "--json", "as_json", help=say("As JSON; without --try there is no answer in it")),
            *usage.screen_options(lang),
        ],
    )  # fmt: skip


def _game(id: str | None) -> Game:
    if id is not None:
        return registry.game(id)
    able = [game for game in registry.games().values() if puzzles.has_puzzles(game)]
    if not able:
        raise NoPuzzles(say("no game here has puzzles"))
    return able[date.today().toordinal() % len(able)]


def _difficulty(level: str | None) -> Difficulty | None:
    return next((one for one in DIFFICULTIES if one == level), None)


def _puzzle(game: Game, difficulty: Difficulty | None, id: str | None, progress: Progress) -> Puzzle:
    if id is not None:
        return puzzles.named(game, id)
    if difficulty is None:
        return puzzles.of_the_day(game, date.today())
    return puzzles.next_of(game, difficulty, progress.of(game.id), start=SystemRandom().randrange(1 << 30))


def _try(game: Game, puzzle: Puzzle, tried: str, progress: Progress, screen: Screen, as_json: bool) -> int:
    given = answer(game, puzzle, tried, screen.lang)
    progress.keep(game.id, puzzle.id, given)
    if as_json:
        click.echo(msgspec.json.encode(given))
    else:
        _tell(given, screen)
    return 0 if given.grade == "solved" else UNSOLVED


def _tell(given: PuzzleAnswer, screen: Screen) -> None:
    """The answer, explained."""
    screen.strong(say(GRADES[given.grade]))
    for sentence in given.sentences:
        screen.tell(sentence)
    screen.tell(say("What it is about: {kind}", kind=given.kind).to(screen.lang))
    for one in given.values:
        screen.item(f"  {percent(one.value):>5}  ", one.label)
    levels = ", ".join(f"{one.level} {percent(one.share)}" for one in given.fails)
    screen.tell(say("How often the bots fail without a network: {levels}", levels=levels).to(screen.lang))


class Trainer:
    """Somebody at the terminal who solves puzzles."""

    def __init__(self, game: Game, screen: Screen, progress: Progress) -> None:
        self.game, self.screen, self.progress = game, screen, progress

    def run(self, puzzle: Puzzle, difficulty: Difficulty | None) -> None:
        """One puzzle, or with a difficulty one after the other until somebody leaves."""
        while self._solve(puzzle, task(self.game, puzzle, self.screen.lang)) and difficulty is not None:
            puzzle = _puzzle(self.game, difficulty, None, self.progress)
            self.screen.write("")
        every = puzzles.set_of(self.game).puzzles
        self.screen.faint(self.progress.tally(self.game.id, every, self.screen.lang))

    def _solve(self, puzzle: Puzzle, put: PuzzleTask) -> bool:
        """Asks until there is an answer; false if somebody leaves."""
        screen, lang = self.screen, self.screen.lang
        self._show(puzzle, put)
        words = [*(say(word).to(lang) for word in WORDS), *(action.text for action in put.actions)]
        while (typed := screen.ask(say("Your move?"), words)) is not None:
            word = meant(typed, WORDS, lang)
            if word == "quit":
                return False
            if word == "answer":
                for sentence in explained(self.game, puzzle, None, lang):
                    screen.tell(sentence.to(lang))
                return True
            if word == "board":
                self._show(puzzle, put)
            elif word is not None or not typed:
                self._moves(put)
            elif self._tried(puzzle, typed):
                return True
        return False

    def _tried(self, puzzle: Puzzle, typed: str) -> bool:
        try:
            given = answer(self.game, puzzle, typed, self.screen.lang)
        except AstragalError as error:
            self.screen.tell(error.to(self.screen.lang))
            return False
        self.progress.keep(self.game.id, puzzle.id, given)
        _tell(given, self.screen)
        return True

    def _show(self, puzzle: Puzzle, put: PuzzleTask) -> None:
        screen, lang = self.screen, self.screen.lang
        screen.strong(say("{game}: puzzle {id}, {difficulty}", game=say(self.game.rules.spec.title), id=puzzle.id,
                          difficulty=say(DIFFICULTY_NAMES[puzzle.difficulty])))  # fmt: skip
        drawn: Any = "" if screen.plain else self.game.presentation.text(put.view, lang, colour=screen.colour)
        screen.write(drawn if drawn and screen.holds(drawn) else put.plain)
        for rule in put.rules:
            screen.tell(rule)
        screen.write(say("{side} to move. What is best?", side=put.seats[put.seat]))

    def _moves(self, put: PuzzleTask) -> None:
        for action in put.actions:
            self.screen.item(f"  {action.text}  ", action.label)
        for word, text in ((noted("answer"), noted("show the answer")), (noted("quit"), noted("leave"))):
            self.screen.item(f"  {say(word).to(self.screen.lang)}  ", say(text).to(self.screen.lang))
