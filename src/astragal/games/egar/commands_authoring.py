"""`astragal cards new` and `astragal cards import`: cards of one's own, asked for one by one or from a spreadsheet."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any, cast

import click
import msgspec

from astragal.console import usage
from astragal.console.screen import Screen
from astragal.core.bounds import MOST_BYTES
from astragal.core.data import read_text
from astragal.core.language import Text, meant, say, say_count
from astragal.core.recordfile import check_free, put
from astragal.core.types import BadFile
from astragal.games.egar.authoring import Step, agreed, card_text, deck_text, write_card
from astragal.games.egar.cards import Card
from astragal.games.egar.check_giveaways import remarks
from astragal.games.egar.deck import Deck, read
from astragal.games.egar.spreadsheet import Imported, import_deck

FAULTY = 1


# import ---------------------------------------------------------------------------------------------------------


def import_command(lang: str) -> click.Command:
    """`astragal cards import`."""

    def run(file: Path, out: Path | None, name: str | None, as_json: bool, lang: str) -> int:
        made = import_deck(_bytes(file), name or file.stem, file.name)
        target = out or file.with_suffix(".toml")
        if not made.problems:
            check_free(target)
            put(target, made.toml())
        if as_json:
            click.echo(msgspec.json.encode(_report(made, target)))
        else:
            _tell(made, target, lang)
        return FAULTY if made.problems else 0

    return usage.Command(
        "import",
        lang=lang,
        text=say(
            "Make a deck of a spreadsheet saved as CSV, one card a row, in one language or in three. Exit code 1 if "
            "something is wrong; then nothing is written. docs/teachers.md tells which columns there are."
        ),
        example="astragal cards import my-class.csv --out my-class.toml",
        callback=run,
        params=[
            usage.file_argument(lang, say("A spreadsheet saved as CSV")),
            usage.option(lang, "--out", "out", help=say("The deck file to write"), type=Path, metavar="FILE"),
            usage.option(lang, "--name", "name", help=say("The name of the deck"), metavar="NAME"),
            usage.flag(lang, "--json", "as_json", help=say("As JSON")),
            usage.lang_option(lang),
        ],
    )


def _bytes(file: Path) -> bytes:
    try:
        if file.stat().st_size > MOST_BYTES:
            raise BadFile(str(file), None, say("is larger than {most} bytes", most=MOST_BYTES))
        return file.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BadFile(str(file), None, say("cannot be read: {reason}", reason=reason)) from None


def _report(made: Imported, target: Path) -> dict[str, object]:
    return {
        "good": not made.problems,
        "file": None if made.problems else str(target),
        "cards": len(made.deck.cards),
        "problems": [
            {"row": problem.row, "column": problem.column, "reason": problem.reason.to("en")}
            for problem in made.problems
        ],
        "remarks": [
            {"card": remark.card, "lang": remark.lang, "reason": remark.reason.to("en")} for remark in made.remarks
        ],
    }


def _tell(made: Imported, target: Path, lang: str) -> None:
    for problem in made.problems:
        click.echo(problem.text().to(lang))
    for remark in made.remarks:
        click.echo(say("look at {remark}", remark=remark.text()).to(lang))
    if made.problems:
        click.echo(say("nothing was written; mend the spreadsheet and import it again").to(lang))
    else:
        count = say_count(len(made.deck.cards), "{n} card in {file}", "{n} cards in {file}", file=str(target))
        click.echo(count.to(lang))


# new ------------------------------------------------------------------------------------------------------------


def new_command(lang: str) -> click.Command:
    """`astragal cards new`."""

    def run(file: Path, **shown: Any) -> int:
        return Author(Screen(**shown), file).run()

    return usage.Command(
        "new",
        lang=lang,
        text=say(
            "Write cards of your own: you are asked for one text after the other, each is checked at once, and the "
            "card is added to the end of the deck file, which is made if there is none."
        ),
        example="astragal cards new my-class.toml",
        callback=run,
        params=[usage.file_argument(lang, say("The file to write")), *usage.screen_options(lang)],
    )


class Author:
    """Asks for cards and adds them to a deck file, one after the other."""

    def __init__(self, screen: Screen, file: Path) -> None:
        self.screen, self.file = screen, file
        self.content, self.deck = self._begin()

    def _begin(self) -> tuple[str, Deck]:
        """The deck so far. A file with a fault is refused, for the new card could not be played."""
        if self.file.exists():
            deck = Deck.load(self.file)
            return read_text(self.file), deck
        check_free(self.file)
        return deck_text(self.file.stem, ()), Deck(self.file.stem)

    def run(self) -> int:
        """Cards until the author has had enough; 1 if the last one was not finished."""
        leave = say("Type {word!r} to leave; a card that is not finished is lost.", word=say("quit"))
        self.screen.tell(leave.to(self.screen.lang))
        while True:
            card = self._drive(write_card(self.screen.lang, [card.id for card in self.deck.cards]))
            if card is None:
                return FAULTY
            if self._keep(card):
                self.screen.strong(say("Card {id} is in {file}.", id=card.id, file=str(self.file)))
            again = self.screen.ask(say("Another card? (yes/no)"))
            if again is None or not agreed(again):
                return 0

    def _drive(self, steps: Generator[Step, str, Card]) -> Card | None:
        """Answers the steps from the screen; None if the author leaves."""
        step = next(steps)
        while True:
            if step.problem is not None:
                self.screen.strong(step.problem)
            typed = self.screen.ask(self._question(step), step.choices)
            if typed is None or meant(typed, ("quit",), self.screen.lang):
                return None
            try:
                step = steps.send(typed)
            except StopIteration as done:
                return cast("Card", done.value)

    def _question(self, step: Step) -> Text:
        choices = f" ({', '.join(step.choices)})" if step.choices else ""
        default = f" [{step.default}]" if step.default else ""
        return say("{ask}{choices}{default}:", ask=step.ask, choices=choices, default=default)

    def _keep(self, card: Card) -> bool:
        """Adds the card to the file, if the deck is still without fault."""
        content = f"{self.content.rstrip()}\n\n{card_text(card)}"
        deck, faults = read(content, str(self.file))
        for fault in faults:
            self.screen.strong(fault.text())
        if faults:
            self.screen.tell(say("This card was not added.").to(self.screen.lang))
            return False
        for remark in remarks(deck):
            if remark.card == card.id:
                self.screen.tell(say("look at {remark}", remark=remark.text()).to(self.screen.lang))
        put(self.file, content)
        self.content, self.deck = content, deck
        return True
