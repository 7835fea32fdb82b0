"""Judging a typed answer (EG-20): what people write around an answer does not matter, what they mean does.

The text may be in any of our languages. It is compared word by word with every text that the card knows to be right
or wrong. Case, accents, articles, prepositions, the order of the words, titles of persons, nouns of the card's kind
(battle, treaty, river) and the form of numerals do not matter; neither do words that repeat the question or name the
country. What is left must be the answer. A slip of the pen is forgiven where the word so made means nothing else:
never in numbers, never in words of up to four letters, in the first letter only of long words or where it sounds the
same, and never towards a wrong answer. The judgement says what it matched.
"""

from __future__ import annotations

from collections import Counter
from typing import Literal

from msgspec import Struct
from rapidfuzz.distance import OSA

from astragal.games.egar.answer_beside import (
    LONGEST_MONTH,
    LONGEST_WAR,
    asks_for_countries,
    is_contrary,
    little_words,
    may_be_added,
    may_be_numbered,
)
from astragal.games.egar.answer_numbers import year
from astragal.games.egar.answer_phrases import (
    alternatives,
    appositions,
    chosen,
    phrases,
    with_direction,
    without_date,
    without_doubts,
    without_span,
)
from astragal.games.egar.answer_sheet import Known, Sheet, parts, sheet
from astragal.games.egar.answer_slips import SLIP, has_digits, slips
from astragal.games.egar.answer_words import (
    country_of,
    folded,
    is_known,
    is_name,
    lists,
    sound_alike,
    tokens,
    with_tilde,
)
from astragal.games.egar.cards import Card, number

Match = Literal["exact", "alias", "near", "rejected", "nothing"]

LONGEST = 200  # characters that are looked at
MOST_WORDS = 25  # nobody needs more for an answer
MOST_SLIPS = 3 * SLIP  # in all words of an answer together
LAST_CENTURIES = 1900  # from here on a year may be given by two digits


class Judgement(Struct, frozen=True):
    """What became of a typed answer: how it was matched, and with which text of the card."""

    right: bool
    how: Match
    matched: str = ""


NOTHING = Judgement(False, "nothing")


def words_of(text: str) -> list[str]:
    """The words that count: no case, accents, punctuation or articles; numerals as digits."""
    words = tokens(text)
    return [word for word in words if word not in lists().articles] or list(words)


def normal(text: str) -> str:
    """The text as it is compared first."""
    return " ".join(words_of(text))


def judge(card: Card, text: str) -> Judgement:
    """Whether this typed text answers the card: as it stands, or without what is said around the answer."""
    text, own = text[:LONGEST], sheet(card)
    if _means_another_letter(own, text):
        return NOTHING
    judgement = _judge_text(own, with_direction(text) if own.kind == "place" else text)
    if judgement.how != "nothing":
        return judgement
    plain = without_doubts(text)
    if normal(plain) != normal(text):
        judgement = _judge_text(own, plain)
    if judgement.how != "nothing" or own.numeric:
        return judgement
    return _judge_sentence(own, plain)


def _judge_text(own: Sheet, text: str) -> Judgement:
    """A text without phrases around it. What is known to be wrong is looked at first."""
    if own.numeric:
        return _judge_number(own, text)
    given = normal(text)
    if not given:
        return NOTHING
    for right in (False, True):
        for entry in own.known:
            if entry.right is right and given == normal(entry.text):
                return _exact(entry)
    judgement = _judge_words(own, tokens(text))
    if judgement.how == "nothing":
        judgement = _judge_parts(own, text)
    spelled = tokens(text, digraphs=True)
    return _judge_words(own, spelled) if judgement.how == "nothing" and spelled != tokens(text) else judgement


def _judge_sentence(own: Sheet, text: str) -> Judgement:
    """A name with a date, two names for one thing (all must be right), or a name set against a wrong one."""
    undated = without_date(without_span(text, own.years, LONGEST_WAR) if own.kind == "war" else text)
    if normal(undated) != normal(text):
        judgement = _judge_text(own, undated)
        if judgement.how != "nothing":
            return judgement
    names = alternatives(undated)
    every = [_judge_text(own, part) for part in names] if len(names) > 1 else []
    if every and all(found.right for found in every):
        return every[0]
    if (pair := chosen(undated)) is not None:
        found = _judge_text(own, pair[0])
        return found if found.right and not _judge_text(own, pair[1]).right else NOTHING
    return NOTHING


def _exact(entry: Known) -> Judgement:
    return Judgement(entry.right, "rejected" if not entry.right else "alias" if entry.alias else "exact", entry.text)


def _means_another_letter(own: Sheet, text: str) -> bool:
    """Whether a typed ñ stands where the answer has an n."""
    meant = with_tilde(text) - {word for entry in own.known for word in with_tilde(entry.text)}
    return any(set(tokens(word)) & own.right for word in meant)


# Numbers -------------------------------------------------------------------------------------------------------


def _judge_number(own: Sheet, text: str) -> Judgement:
    """A year or another number: exact, in any form, `BC` left out or said, a day and a month beside it or not."""
    words = [word for word in folded(text).split() if not _is_said_in_short(own, word)]
    found = year(" ".join(words), own.beside_year)
    if found is None:
        return NOTHING
    value, era_said = found
    for right in (False, True):
        for entry in own.known:
            wanted = number(entry.text)
            if wanted is None or entry.right is not right:
                continue
            if value in ((wanted,) if era_said else (wanted, -wanted, _in_short(wanted))):
                if not era_said and wanted < 0 and not right:
                    continue  # a bare number is read as the right year first
                return _exact(entry)
    return NOTHING


def _is_said_in_short(own: Sheet, word: str) -> bool:
    """Whether a word is a short form of words of the question: WW1."""
    meant = tokens(word)
    return word[0].isalpha() and len(meant) > 1 and own.said.issuperset(meant)


def _in_short(value: int) -> int | None:
    """A year of the last two centuries by its last two digits: '89."""
    return value % 100 if LAST_CENTURIES <= value < LAST_CENTURIES + 200 and value % 100 > LONGEST_MONTH else None


# Words ---------------------------------------------------------------------------------------------------------


def _judge_parts(own: Sheet, text: str) -> Judgement:
    """A text of several parts, one of which is the answer while the others only explain it.

    Whatever explains a name in brackets or after a comma does no harm, and neither does what follows a preposition in
    the name of a place or an event. A part may not be another answer, though: see `_may_explain`.
    """
    cuts = [appositions(text)]
    if own.kind in ("place", "battle", "war", "treaty"):
        cuts.append(phrases(text))
    for cut in cuts:
        for part in cut if len(cut) > 1 else ():
            judgement = _judge_words(own, tokens(part))
            others = [other for other in cut if other is not part]
            entry = next((known for known in own.known if known.text == judgement.matched), None)
            if judgement.right and entry and all(_may_explain(own, other, entry) for other in others):
                return judgement
    return NOTHING


def _may_explain(own: Sheet, text: str, entry: Known) -> bool:
    """Whether a part of the text makes no other answer of it.

    It may hold no word of a wrong answer, no number that the card does not name and no country of another part of the
    world, and it may not be the name of something else.
    """
    words = tokens(text)
    where = own.kind in ("place", "battle", "war", "treaty") or asks_for_countries(own)
    for at, word in enumerate(words):
        country = where and country_of(word)
        other = is_contrary(own, word) or word in own.wrong or (country and not country & own.countries)
        ruler = at > 1 and word.isdecimal() and int(word) <= LONGEST_MONTH  # under Napoleon III
        if other or (word.isdecimal() and not ruler and not may_be_numbered(own, int(word), entry)):
            return False
    meant = [word for word in words if word not in little_words()]
    bare = len(meant) == len(words) == 1  # a name alone, as in a list; `in Jena` tells where
    return not (bare and is_name(meant[0]) and not country_of(meant[0]) and meant[0] not in own.said | own.noted)


class _Reading(Struct, frozen=True):
    """How well a typed text fits a text of the card; smaller is better."""

    slips: int
    added: int  # words beside the answer that it does not have
    loose: bool  # nouns of the kind were left out, exchanged or added


def _judge_words(own: Sheet, typed: tuple[str, ...]) -> Judgement:
    """The known answer that fits best; on equal terms a wrong one."""
    if len(typed) > MOST_WORDS:
        return NOTHING
    given = parts(typed)
    best: tuple[tuple[int, int, bool, bool], Known] | None = None
    for entry in own.known:
        reading = (
            _read_joined(own, typed, entry)
            or _read(own, given, entry, entry.core)
            or _read(own, typed, entry, entry.words)
        )
        if reading is None:
            continue
        rank = (reading.slips, reading.added, reading.loose, entry.right)
        if best is None or rank < best[0]:
            best = (rank, entry)
    if best is None:
        return NOTHING
    return Judgement(best[1].right, "near" if best[1].right else "rejected", best[1].text)


def _read(own: Sheet, given: tuple[str, ...], entry: Known, wanted: tuple[str, ...]) -> _Reading | None:
    """The typed words as this answer: each of its words among them, and nothing left over that would change it."""
    cost_of_all = 0
    left = list(given)
    same = (set(wanted) & set(given)) - lists().kinds.get(own.kind, frozenset())
    named = any(len(word) > 2 and word not in own.elsewhere for word in same)
    for word in wanted:
        beside = len(same) if same or own.kind in ("person", "war") else len(wanted) - 1
        found = _find(own, word, left, beside, named=named)
        if found is None:
            return None
        place, cost = found
        cost_of_all += cost
        del left[place]
    if own.kind == "person" and entry.right:
        left = [word for word in left if not _is_beside_a_name(own, word, given, wanted)]
    if cost_of_all > MOST_SLIPS or not all(may_be_added(own, word, entry) for word in left):
        return None
    kind = lists().kinds.get(own.kind, frozenset())
    nouns = Counter(word for word in parts(entry.words) if word not in wanted)
    loose = nouns != Counter(word for word in left if word in kind)
    added = sum(word not in kind and word not in little_words() for word in left)
    return _Reading(cost_of_all, added, loose)


def _is_beside_a_name(own: Sheet, word: str, given: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    """Whether a word does no harm beside a person's first and last names, both typed without a slip.

    Between the two any word is another name; elsewhere it may be anything but a name of its own.
    """
    other = lists().titles | lists().epithets | lists().saints
    names = [name for name in wanted if name.isalpha() and name not in other]
    if len(names) < 2 or not set(names) <= set(given) or not word.isalpha() or word in own.wrong:
        return False
    between = given[0] == wanted[0] and given[-1] == wanted[-1]
    return not is_contrary(own, word) and (between or not (is_name(word) or country_of(word)))


def _find(own: Sheet, word: str, left: list[str], beside: int, *, named: bool) -> tuple[int, int] | None:
    """Where a word of the answer stands among the typed ones, and how many slips it took."""
    if word in left:
        return left.index(word), 0
    every = [(slips(own, other, word, beside, named=named), place) for place, other in enumerate(left)]
    costs = [(cost, place) for cost, place in every if cost is not None]
    if not costs:
        return None
    cost, place = min(costs)
    return place, cost


def _read_joined(own: Sheet, given: tuple[str, ...], entry: Known) -> _Reading | None:
    """The typed words as this answer with spaces left out or put in, as in Dien Bien Phu."""
    titles = lists().titles if own.kind == "person" else frozenset()
    for typed in (given, tuple(word for word in given if word not in little_words() and word not in titles)):
        for words in (entry.words, entry.core):
            if len(typed) == len(words):
                continue
            one, other = "".join(typed), "".join(words)
            if one == other:
                return _Reading(0, int(not entry.right), words is entry.core)
            spaced = len(typed) != len(entry.words)  # not only a compound taken apart
            if (
                spaced
                and len(other) >= 8
                and not is_known(one)
                and one[:1] == other[:1]
                and not has_digits(one + other)
            ):
                cost = OSA.distance(one, other, score_cutoff=1)
                if cost <= 1 or sound_alike(one, other):
                    return _Reading(SLIP, int(not entry.right), words is entry.core)
    return None
