"""Finds words that the judge of typed answers would take for a slip of the pen, though they mean something else.

    python -m astragal.games.egar.lookalikes /usr/share/dict/american-english ... > lookalikes.txt

Each file holds words, one on a line. Every word in them is compared with every word of the shipped cards' right answers
and printed where the judge would forgive it. Look over the result before it is kept: a word that is another spelling
of the answer does not belong in it. Run it again when cards were changed; words already known are left out, so begin
with an empty file.
"""

from __future__ import annotations

import sys
from pathlib import Path

from rapidfuzz import process
from rapidfuzz.distance import OSA

from astragal.games.egar.answer_sheet import sheet
from astragal.games.egar.answer_words import sound, tokens
from astragal.games.egar.answers import slips
from astragal.games.egar.deck import default_deck

HEADING = "# Words that look like an answer of the shipped cards and mean something else (see lookalikes.py)."


def main(files: list[str]) -> None:
    """Prints the words, in order."""
    words: set[str] = set()
    for file in files:
        for line in Path(file).read_text(encoding="utf-8").splitlines():
            parts = tokens(line.removesuffix("'s"))
            if len(parts) == 1 and len(parts[0]) >= 4 and parts[0].isalpha():
                words.add(parts[0])
    every = sorted(words)
    by_sound: dict[str, list[str]] = {}
    for word in every:
        by_sound.setdefault(sound(word), []).append(word)
    print(HEADING)  # noqa: T201
    print("\n".join(sorted(lookalikes(every, by_sound))))  # noqa: T201


def lookalikes(words: list[str], by_sound: dict[str, list[str]]) -> set[str]:
    """The words that would be forgiven."""
    found: set[str] = set()
    for card in default_deck().cards:
        own = sheet(card)
        for word in own.right:
            near = process.extract(word, words, scorer=OSA.distance, score_cutoff=2, limit=None)
            close = [match[0] for match in near] + by_sound.get(sound(word), [])
            found.update(other for other in close if other not in own.right and slips(own, other, word))
    return found


if __name__ == "__main__":
    main(sys.argv[1:])
