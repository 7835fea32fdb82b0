"""Large decks: good ones, and ones made to take as long to check as the bounds allow."""

from __future__ import annotations

from itertools import product
from typing import Any

LETTERS = "bcdfghklmnprstvwz"
SYLLABLES = ["".join(pair) for pair in product(LETTERS, "aeiou")]


def word(number: int) -> str:
    """A word of its own for each number, none a slip of the pen away from another that is near."""
    base, parts = len(SYLLABLES), []
    for _ in range(4):
        number, rest = divmod(number * 31 + 7, base)
        parts.append(SYLLABLES[rest])
    return "".join(parts)


def plain_card(number: int, *, question: str = "", accept: tuple[str, ...] = (), note: str = "") -> dict[str, Any]:
    """A card as a request brings it, different from that of every other number."""
    words = {
        "question": question or f"{word(9 * number)} {word(9 * number + 1)} {word(9 * number + 2)} {number}?",
        "answer": f"{word(9 * number + 3)} {number}",
        "wrong": [f"{word(9 * number + 4 + n)} {number}" for n in range(3)],
        "accept": list(accept),
        "reject": [],
        "note": note or "Note.",
    }
    return {
        "id": f"card-{number}",
        "level": ("easy", "medium", "hard")[number % 3],
        "era": "ancient",
        "region": "world",
        "kind": "person",
        "fact_key": f"fact-{number}",
        "review": "draft",
        "sources": [{"title": "a", "place": "b", "seen": False}, {"title": "c", "place": "d", "seen": False}],
        "en": words,
        "de": words,
        "es": words,
    }


def large_deck(cards: int, name: str = "large", *, note: int = 390) -> dict[str, Any]:
    """A good deck of so many cards, as a request brings it; 1,200 of them are about two and a half megabytes."""
    return {"name": name, "cards": [plain_card(n, note="x" * note) for n in range(cards)], "blank": [0, 0, 0]}
