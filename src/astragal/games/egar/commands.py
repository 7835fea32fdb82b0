"""`astragal cards`: checking, counting, reading and asking the cards of EGAR."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import click
import msgspec

from astragal.console import usage
from astragal.console.folders import own_folder
from astragal.console.screen import COLUMNS, Screen
from astragal.core.data import read_text
from astragal.core.language import Text, meant, say, say_count
from astragal.core.types import AstragalError
from astragal.games.egar import CARDS
from astragal.games.egar.actions import LETTERS, clean
from astragal.games.egar.answers import judge
from astragal.games.egar.balance import Aim, Balance, Imbalance, imbalances, weigh
from astragal.games.egar.cards import LEVELS, Card, ascending
from astragal.games.egar.check import CardFault, check
from astragal.games.egar.check_giveaways import Remark, remarks
from astragal.games.egar.commands_authoring import import_command, new_command
from astragal.games.egar.deck import Deck, default_deck, read
from astragal.games.egar.narration import judged

FAULTY = 1


def group(lang: str) -> click.Group:
    """The command with its sub-commands."""
    cards = usage.Group(
        "cards",
        lang=lang,
        text=say(CARDS),
        example="astragal cards quiz --level easy --lang es",
        params=[usage.lang_option(lang, shared=True)],
    )
    for command in (_check, _stats, _show, _quiz, new_command, import_command):
        cards.add_command(command(lang))
    return cards


def _deck(file: Path | None) -> Deck:
    return default_deck() if file is None else Deck.load(file)


def _deck_option(lang: str) -> click.Option:
    return usage.option(lang, "--deck", "deck", help=say("A deck file of your own"), type=Path, metavar="FILE")


# check and stats ------------------------------------------------------------------------------------------------


def _check(lang: str) -> click.Command:
    def run(file: Path | None, as_json: bool, lang: str) -> int:
        deck, faults = (default_deck(), check(default_deck())) if file is None else read(read_text(file), str(file))
        balance = weigh(deck) if file is None or not faults else None
        uneven = list(imbalances(deck, balance)) if balance is not None else []
        remarked = remarks(deck) if balance is not None else []
        # a host's few cards need not be balanced, and a remark is for its writer to judge; ours must be without
        wrong = bool(faults) or (file is None and bool(uneven or remarked))
        if as_json:
            click.echo(msgspec.json.encode({"good": not wrong, **_report(faults, remarked, uneven, balance)}))
            return FAULTY if wrong else 0
        for fault in faults:
            click.echo(fault.text().to(lang))
        for remark in remarked:
            click.echo(say("look at {remark}", remark=remark.text()).to(lang))
        for one in uneven:
            click.echo(_uneven(one, lang))
        if balance is not None:
            click.echo(_table(balance, lang))
        if not wrong:
            click.echo(say("nothing is wrong with these cards").to(lang))
        return FAULTY if wrong else 0

    return usage.Command(
        "check",
        lang=lang,
        text=say(
            "Check a deck: every card, options that give the answer away, and the balance (the last two of your own "
            "deck only as remarks). Exit code 1 if it is wrong."
        ),
        example="astragal cards check my-deck.toml",
        callback=run,
        params=[
            usage.file_argument(lang, say("A deck of your own; without one: the cards of the game"), required=False),
            usage.flag(lang, "--json", "as_json", help=say("As JSON")),
            usage.lang_option(lang),
        ],
    )


def _report(
    faults: Sequence[CardFault], remarked: Sequence[Remark], uneven: Sequence[Imbalance], balance: Balance | None
) -> dict[str, object]:
    return {
        "faults": [_plain(fault) for fault in faults],
        "remarks": [_plain(remark) for remark in remarked],
        "imbalances": [{"reason": one.reason.to("en"), "cards": one.cards} for one in uneven],
        "balance": None if balance is None else _figures(balance),
    }


def _plain(fault: CardFault | Remark) -> dict[str, str]:
    return {"card": fault.card, "lang": fault.lang, "kind": fault.kind, "reason": fault.reason.to("en")}


def _uneven(imbalance: Imbalance, lang: str) -> str:
    return textwrap.fill(f"{imbalance.reason.to(lang)}: {', '.join(imbalance.cards)}", COLUMNS, subsequent_indent="  ")


def _figures(balance: Balance) -> dict[str, object]:
    """The balance as plain data: shares as decimal fractions."""
    return {
        "cards": balance.cards,
        "levels": balance.levels,
        "eras": balance.eras,
        "regions": balance.regions,
        "actors": balance.actors,
        "kinds": balance.kinds,
        "reviews": balance.reviews,
        "answer_longest": {lang: len(cards) / max(balance.cards, 1) for lang, cards in balance.longest.items()},
        "answer_places": [float(share) for share in balance.places],
        "number_places": balance.numbers,
        "aims": [
            {"name": aim.name.to("en"), "cards": len(aim.cards), aim.bound: aim.wanted(balance.cards), "met": aim.met}
            for aim in balance.aims
        ],
    }


def _table(balance: Balance, lang: str) -> str:
    """The balance as lines of figures."""
    rows = [say_count(balance.cards, "{n} card", "{n} cards").to(lang)]
    parts = (
        (say("level"), balance.levels),
        (say("era"), balance.eras),
        (say("region"), balance.regions),
        (say("who acts"), balance.actors),
        (say("kind"), balance.kinds),
        (say("review"), balance.reviews),
        (say("answer is the longest option"), {one: len(cards) for one, cards in balance.longest.items()}),
    )
    for name, counts in parts:
        ordered = sorted(counts.items(), key=lambda item: -item[1])
        figures = ", ".join(f"{key} {count} ({count / max(balance.cards, 1):.0%})" for key, count in ordered)
        rows.append(textwrap.fill(f"{name.to(lang)}: {figures}", COLUMNS, subsequent_indent="  "))
    places = ", ".join(f"{letter} {float(share):.0%}" for letter, share in zip(LETTERS, balance.places, strict=True))
    where = say("place of the answer").to(lang)
    rows.append(f"{where}: {places}")
    numbers = ", ".join(f"{letter} {count}" for letter, count in zip(LETTERS, balance.numbers, strict=True))
    numbered = say("of cards with numbers").to(lang)
    rows.append(f"{numbered}: {numbers}")
    aims = ", ".join(_aim(aim, balance.cards).to(lang) for aim in balance.aims)
    wanted = say("aims").to(lang)
    if aims:
        rows.append(textwrap.fill(f"{wanted}: {aims}", COLUMNS, subsequent_indent="  "))
    return "\n".join(rows)


def _aim(aim: Aim, all_cards: int) -> Text:
    figures = {"name": aim.name, "n": len(aim.cards), "wanted": aim.wanted(all_cards)}
    if aim.bound == "least":
        return say("{name} {n} (at least {wanted})", **figures)
    return say("{name} {n} (at most {wanted})", **figures)


def _stats(lang: str) -> click.Command:
    def run(deck: Path | None, as_json: bool, lang: str) -> None:
        balance = weigh(_deck(deck))
        click.echo(msgspec.json.encode(_figures(balance)) if as_json else _table(balance, lang))

    return usage.Command(
        "stats",
        lang=lang,
        text=say("Count the cards by level, era, region and kind."),
        example="astragal cards stats --json",
        callback=run,
        params=[
            _deck_option(lang),
            usage.flag(lang, "--json", "as_json", help=say("As JSON")),
            usage.lang_option(lang),
        ],
    )


# show -----------------------------------------------------------------------------------------------------------


def _show(lang: str) -> click.Command:
    def run(id: str, deck: Path | None, as_json: bool, lang: str) -> None:
        found = next((card for card in _deck(deck).cards if card.id == id), None)
        if found is None:
            raise AstragalError(say("there is no card {id!r}; astragal cards stats counts those there are", id=id))
        if as_json:
            click.echo(msgspec.json.encode(found))
            return
        for line in _whole_card(found, lang):
            click.echo(textwrap.fill(line, COLUMNS, subsequent_indent="  "))

    return usage.Command(
        "show",
        lang=lang,
        text=say("Show a card with its answer."),
        example="astragal cards show hastings --lang es",
        callback=run,
        params=[
            usage.argument(lang, "id", say("The id of a card")),
            _deck_option(lang),
            usage.flag(lang, "--json", "as_json", help=say("As JSON")),
            usage.lang_option(lang),
        ],
    )


def _whole_card(card: Card, lang: str) -> list[str]:
    text = card.words[lang]
    lines = [f"{card.id} ({card.level}, {card.era}, {card.region}, {card.kind}, {card.review})", text.question]
    lines += [f"  {text.answer} *", *(f"  {wrong}" for wrong in text.wrong), text.note]
    if text.accept:
        lines.append(say("also accepted: {texts}", texts=", ".join(text.accept)).to(lang))
    if text.reject:
        lines.append(say("not accepted: {texts}", texts=", ".join(text.reject)).to(lang))
    return [*lines, *(f"{source.title}: {source.place}" for source in card.sources)]


# quiz -----------------------------------------------------------------------------------------------------------


def _quiz(lang: str) -> click.Command:
    def run(level: str | None, count: int, typed: bool, seed: str | None, deck: Path | None, **shown: Any) -> None:
        chosen = _deck(deck)
        cards = [card for card in chosen.cards if level in (None, card.level)]
        if not cards:
            raise AstragalError(say("this deck has no cards of that level"))
        Quiz(Screen(**shown), chosen.name, cards, Random(seed), typed=typed).run(count)

    return usage.Command(
        "quiz",
        lang=lang,
        text=say("Be asked the cards alone. Cards do not come again until all were asked."),
        example="astragal cards quiz --level hard --count 5",
        callback=run,
        params=[
            usage.option(lang, "--level", "level", help=say("Only cards of this level"), type=click.Choice(LEVELS)),
            usage.option(
                lang, "--count", "count", help=say("How many"), type=click.IntRange(1), default=10, metavar="1-..."
            ),
            usage.flag(lang, "--typed", "typed", help=say("Type the answers instead of choosing them")),
            usage.option(lang, "--seed", "seed", help=say("Cards in an order that can be repeated")),
            _deck_option(lang),
            *usage.screen_options(lang),
        ],
    )


class Quiz:
    """Questions and a score. What was asked is remembered beside the saved matches, for each deck."""

    def __init__(self, screen: Screen, deck: str, cards: Sequence[Card], rng: Random, *, typed: bool) -> None:
        self.screen, self.cards, self.rng, self.typed = screen, cards, rng, typed
        self.deck = deck
        self.file = own_folder() / "quiz-seen.json"
        self.right = self.asked = 0
        self.ids = self.seen().get(deck, [])  # asked so far, also where the file cannot be written

    def run(self, count: int) -> None:
        """Asks so many cards, or until the player has had enough."""
        for _ in range(count):
            card = self.next_card()
            if not self.ask(card):
                break
            self.remember(card)
        if self.asked:
            self.screen.strong(
                say_count(
                    self.asked, "{right} of {n} question right.", "{right} of {n} questions right.", right=self.right
                )
            )

    def ask(self, card: Card) -> bool:
        """One card; False if the player leaves."""
        lang = self.screen.lang
        text = card.words[lang]
        order = list(ascending(card) or self.rng.sample(range(4), 4))
        self.screen.write()
        self.screen.tell(text.question)
        if not self.typed:
            for letter, option in zip(LETTERS, order, strict=True):
                self.screen.write(f"  {letter}  {text.options[option]}")
        answer = self.screen.ask(say("Your answer:"))
        while answer is not None and not self.typed and not self.fits(answer):
            self.screen.write(say("Type A, B, C or D, or {word!r}.", word=say("quit").to(lang)))
            answer = self.screen.ask(say("Your answer:"))
        if answer is None or self.leaves(answer):
            return False
        judgement = judge(card, clean(answer)) if self.typed else None
        good = judgement.right if judgement else order[LETTERS.index(answer.upper())] == 0
        self.asked += 1
        self.right += good
        verdict = say("Right!") if good else say("No: {answer}.", answer=text.answer)
        self.screen.strong(verdict)
        if judgement and (taken := judged(judgement)):
            self.screen.tell(taken.to(lang))
        self.screen.tell(text.note)
        return True

    def fits(self, answer: str) -> bool:
        """Whether this is a letter, or the word that ends the quiz."""
        return (len(answer) == 1 and answer.upper() in LETTERS) or self.leaves(answer)

    def leaves(self, answer: str) -> bool:
        """Whether the player has had enough."""
        return meant(answer, ("quit",), self.screen.lang) is not None

    def seen(self) -> dict[str, list[str]]:
        """The ids of the cards asked so far, by deck; nothing if the file is damaged."""
        try:
            return msgspec.json.decode(self.file.read_bytes(), type=dict[str, list[str]])
        except (OSError, msgspec.DecodeError):
            return {}

    def next_card(self) -> Card:
        """A card not asked yet; when all were, the deck begins anew."""
        fresh = [card for card in self.cards if card.id not in self.ids]
        if not fresh:
            again = {card.id for card in self.cards}
            self.store([id for id in self.ids if id not in again])
            self.screen.faint(say("All cards were asked; they are shuffled anew."))
            fresh = list(self.cards)
        return self.rng.choice(fresh)

    def remember(self, card: Card) -> None:
        """Keeps the card from coming again soon."""
        self.store([*self.ids, card.id])

    def store(self, ids: list[str]) -> None:
        """Writes the list; a full disk does not end the quiz."""
        self.ids = ids
        content = json.dumps({**self.seen(), self.deck: ids})
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            self.file.write_text(content, "utf-8")
        except OSError as error:
            self.screen.faint(say("cannot be written: {reason}", reason=error.strerror or str(error)))
