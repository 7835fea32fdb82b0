"""Finds words that the judge of typed answers would take for a slip of the pen, though they mean something else.

    python -m astragal.games.egar.lookalikes /usr/share/dict/american-english-large ... > lookalikes.txt

Each file holds words, one on a line; Debian's packages wamerican-large, wngerman and wspanish have such files. Every
word in them, and its plural, is compared with every word of the right answers of both shipped editions, and printed
where the judge would forgive it. Look over the result before it is kept: a word that is another spelling of the answer
does not belong in it. Run it again when cards or the judge were changed; words already known are left out, so add what
it prints to the file.
"""

from __future__ import annotations

import sys
from pathlib import Path

from rapidfuzz import process
from rapidfuzz.distance import OSA

from astragal.games.egar.answer_sheet import sheet, taken_apart
from astragal.games.egar.answer_slips import slips, slips_allowed
from astragal.games.egar.answer_words import sound, tokens
from astragal.games.egar.deck import default_deck, edition

HEADING = "# Words that look like an answer of the shipped cards and mean something else (see lookalikes.py)."


def main(files: list[str]) -> None:
    """Prints the words, in order."""
    words: set[str] = set()
    for file in files:
        for line in Path(file).read_text(encoding="utf-8").splitlines():
            parts = tokens(line.removesuffix("'s"))
            if len(parts) == 1 and len(parts[0]) >= 4 and parts[0].isalpha():
                words.add(parts[0])
    print(HEADING)  # noqa: T201
    print("\n".join(sorted(lookalikes(words))))  # noqa: T201


def lookalikes(words: set[str]) -> set[str]:
    """The words that would be forgiven: a slip, swapped letters, or the same sound.

    Of a plural that the dictionary does not have the singular is given; the judge then knows both.
    """
    plurals = {word + "s": word for word in words if word[-1] in "aeo"}
    by_letter: dict[str, list[str]] = {}
    by_sound: dict[str, list[str]] = {}
    by_letters: dict[str, list[str]] = {}
    by_tail: dict[str, list[str]] = {}
    for word in sorted(words | plurals.keys()):
        by_letter.setdefault(word[0], []).append(word)
        by_sound.setdefault(sound(word), []).append(word)
        by_letters.setdefault("".join(sorted(word)), []).append(word)
        by_tail.setdefault(word[1:], []).append(word)
    found: set[str] = set()
    for card in (*edition("default").cards, *default_deck().cards):
        own = sheet(card)
        for word in own.right | {taken_apart(word)[0] for word in own.right}:
            if len(word) < 4 or not word.isalpha():
                continue
            most = max(2, slips_allowed(word))
            near = process.extract(word, by_letter.get(word[0], []), scorer=OSA.distance, score_cutoff=most, limit=None)
            close = [match[0] for match in near] + by_sound.get(sound(word), [])
            close += by_tail.get(word[1:], []) + by_tail.get(word, []) + ([word[1:]] if word[1:] in words else [])
            swapped = by_letters.get("".join(sorted(word)), [])
            forgiven = {other for other in close if slips(own, other, word)}
            found |= (forgiven | {other for other in swapped if slips(own, other, word, 1)}) - own.right
    return {plurals.get(word, word) if word not in words else word for word in found}


if __name__ == "__main__":
    main(sys.argv[1:])
