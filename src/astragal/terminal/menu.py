"""What `astragal` opens in a terminal: a list of the games to choose from."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path

from astragal.bots.levels import offered
from astragal.console.screen import Screen
from astragal.core import options, pages, recordfile, registry
from astragal.core.language import LANGUAGES, Text, say
from astragal.core.levels import level_name
from astragal.core.record import Seat
from astragal.core.rules import Game
from astragal.core.types import AstragalError
from astragal.play.match import Match
from astragal.terminal import kept
from astragal.terminal.session import Session

TONGUES = {"en": "English", "de": "Deutsch", "es": "Español"}


def run(screen: Screen) -> None:
    """Shows the menu until the user leaves."""
    while True:
        games = list(registry.games().values())
        saved = list(islice(kept.unfinished(), 3))
        lines: list[Text | str] = [
            *(say("go on with {name}", name=match.about()) for match in saved),
            *(
                say("{title}. {summary}", title=say(g.rules.spec.title), summary=say(g.rules.spec.summary))
                for g in games
            ),
            " / ".join(name for lang, name in TONGUES.items() if lang != screen.lang),
            say("leave"),
        ]
        chosen = choose(screen, say("What would you like to play?"), lines)
        if chosen is None or chosen == len(lines) - 1:
            return
        if chosen == len(lines) - 2:
            rest = [lang for lang in LANGUAGES if lang != screen.lang]
            tongue = choose(screen, say("Which language?"), [TONGUES[lang] for lang in rest])
            screen.lang = rest[tongue] if tongue is not None else screen.lang
        elif chosen < len(saved):
            go_on(screen, saved[chosen].file)
        else:
            one_game(screen, games[chosen - len(saved)])


def one_game(screen: Screen, game: Game) -> None:
    """The menu of one game: against whom to play, or its rules."""
    fewest = min(game.rules.spec.players)
    lines = [
        say("play against a bot"),
        say("play with friends at this screen"),
        say("watch two bots"),
        say("read the rules"),
    ]
    chosen = choose(screen, say(game.rules.spec.title), lines)
    if chosen is None:
        return
    if chosen == 3:
        screen.page(pages.page(game, screen.lang))
        return
    players = how_many(screen, game) if chosen == 1 else fewest
    level = "casual" if chosen == 1 else how_strong(screen, game)
    if level is None:
        return
    bot, human = Seat(f"bot:{level}"), Seat()
    seats = ([human, *[bot] * (players - 1)], [human] * players, [bot] * players)[chosen]
    table = Session(Match.start(game, seats=seats), screen, delay=0.6 if screen.interactive else 0.0)
    if chosen == 2:
        table.watch()
    else:
        table.play()


def how_strong(screen: Screen, game: Game) -> str | None:
    """Asks which of the game's opponents shall play."""
    opponents = offered(game, options.build(game.rules))
    lines = [
        say("{name} ({level}): {character}", name=who.name, level=level_name(level), character=say(who.character))
        for level, who in opponents.items()
    ]
    chosen = choose(screen, say("Against whom?"), lines)
    return None if chosen is None else list(opponents)[chosen]


def how_many(screen: Screen, game: Game) -> int:
    """Asks for the number of players, where the game leaves a choice."""
    numbers = game.rules.spec.players
    if len(numbers) == 1:
        return numbers[0]
    chosen = choose(screen, say("How many players?"), [str(n) for n in numbers])
    return numbers[chosen or 0]


def go_on(screen: Screen, file: Path) -> None:
    """Takes up a saved match."""
    try:
        match = Match.resume(recordfile.read(file))
        table = Session(match, screen, delay=0.6 if screen.interactive else 0.0, file=file)
    except AstragalError as error:
        screen.write(error.to(screen.lang))
        return
    table.play()


def choose(screen: Screen, question: Text, lines: list[Text] | list[Text | str] | list[str]) -> int | None:
    """The index of the line the user picks by its number; None at the end of the input."""
    screen.write()
    screen.strong(question)
    for number, line in enumerate(lines, 1):
        text = line.to(screen.lang) if isinstance(line, Text) else line
        screen.item(f"  {number}  ", text)
    while (typed := screen.ask(say("Number:"))) is not None:
        if re.fullmatch(r"[0-9]{1,4}", typed) and 1 <= int(typed) <= len(lines):
            return int(typed) - 1
        screen.write(say("Please type a number from 1 to {most}.", most=len(lines)))
    return None
