"""Which words may stand beside an answer without making another one of it (EG-20)."""

from __future__ import annotations

from functools import cache

from rapidfuzz.distance import OSA

from astragal.games.egar.answer_sheet import Known, Sheet
from astragal.games.egar.answer_slips import SHORT, has_digits
from astragal.games.egar.answer_words import country_of, is_known, is_name, lists, same_country

LONGEST_MONTH = 31  # days: a smaller number is no short form of a year
LONGEST_WAR = 10  # years by which a year beside a war may differ from one that the card names


def may_be_added(own: Sheet, word: str, entry: Known) -> bool:
    """Whether a word beside the answer leaves it the same answer."""
    words = lists()
    if is_contrary(own, word) or _is_of_another(own, word, entry):
        return False
    if word.isdecimal():
        return may_be_numbered(own, int(word), entry)
    if word in own.said or word in own.noted or word in own.nouns or word in little_words() or word in words.verbs:
        return True
    if word in words.directions:
        return own.kind != "place"
    if _is_swapped_little_word(word) or _ends_in(word, own.heads) or _is_short_for(word, entry):
        return True
    if any(word == prefix + noun for prefix in words.prefixes for noun in own.nouns if word.endswith(noun)):
        return True  # Kriegsbeil
    if country_of(word) & own.countries:
        return True
    if word in same_country() and own.kind in ("term", "weapon") and not asks_for_countries(own):
        return True  # British tea
    if len(word) > 4 and any(_begin_alike(word, said) for said in own.said):
        return True  # Numidia where the question says Numidian
    if len(word) > 5 and not is_known(word) and any(_nearly(word, said) for said in own.said if len(said) > 5):
        return True  # a slip in a word of the question
    if own.kind == "person":
        if word in words.saints:
            return bool(words.saints & own.said)
        if len(word) == 1:
            return any(name.startswith(word) for name in own.right)
        abroad = len([name for name in entry.core if not has_digits(name)]) > 1 and country_of(word)
        if word in words.titles or word in words.epithets or abroad:
            return True
        return any(_nearly(word, name) for name in own.right if len(name) > 4)
    return any(_nearly(word, noun) for noun in own.nouns if len(noun) > 6 or not is_known(word))


def may_be_numbered(own: Sheet, value: int, entry: Known) -> bool:
    """Whether a number beside the answer leaves it the same: a year of the card, how many there were."""
    if str(value) in own.said or str(value) in own.noted:
        return True
    if own.kind == "war" and (not own.years or any(abs(value - year) <= LONGEST_WAR for year in own.years)):
        return value >= 100  # the Seven Years' War, 1756
    if value > LONGEST_MONTH and any(year % 100 == value for year in own.years):
        return True  # Stalingrad 42/43
    return own.kind in ("term", "weapon") and not any(map(has_digits, entry.core))  # two horns


def is_contrary(own: Sheet, word: str) -> bool:
    """Whether a word turns the answer into another one; a mother or a son does not if the card speaks of one."""
    return word in lists().contrary or (word in lists().kin and word not in own.said)


def asks_for_countries(own: Sheet) -> bool:
    """Whether a country is part of an answer, right or wrong: then it matters which."""
    return any(country_of(word) for entry in own.known for word in entry.words)


@cache
def little_words() -> frozenset[str]:
    """Articles, prepositions and what else never decides."""
    return lists().articles | lists().links | lists().fillers


def _is_of_another(own: Sheet, word: str, entry: Known) -> bool:
    """Whether a word beside a right answer belongs to a wrong one, or the other way about."""
    if entry.right:
        return word in own.wrong
    return word in own.right and word not in entry.words


def _begin_alike(word: str, said: str) -> bool:
    """Whether two words have one stem: Numidia and Numidian, Karthago and karthagisch, but not horse and horseman."""
    return said.startswith(word[:SHORT]) and (len(word) > SHORT or len(said) <= SHORT + 2)


def _nearly(typed: str, noun: str) -> bool:
    """Whether a word beside the answer is a general noun, or another part of the name, with one letter wrong."""
    return len(typed) > 2 and typed[0] == noun[0] and OSA.distance(typed, noun, score_cutoff=1) <= 1


def _is_short_for(word: str, entry: Known) -> bool:
    """Whether a word is made of the first letters of this answer, typed beside it: GFA, Good Friday Agreement."""
    return len(word) > 2 and word == "".join(part[0] for part in entry.words)


def _is_swapped_little_word(word: str) -> bool:
    """Whether a word is an article or the like with two letters swapped: teh."""
    return 2 <= len(word) <= 4 and not is_known(word) and "".join(sorted(word)) in _swapped()


@cache
def _swapped() -> frozenset[str]:
    return frozenset("".join(sorted(word)) for word in lists().articles | lists().links if len(word) > 1)


def _ends_in(word: str, heads: frozenset[str]) -> bool:
    """Whether a word is a German compound that ends in one of these nouns: Inselstaat, Apachenhäuptling."""
    return not is_name(word) and any(word[cut:] in heads for cut in range(3, len(word) - 3))
