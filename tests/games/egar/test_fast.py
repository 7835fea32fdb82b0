"""EGAR over arrays is the same game: conform's law 7 under every option that changes play, and what it leaves open."""

from __future__ import annotations

import subprocess
import sys
from itertools import cycle
from random import Random
from statistics import mean, stdev
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from astragal.core import options
from astragal.core.agreement import agree, compare
from astragal.core.types import CHANCE, OVER
from astragal.games.egar import GAME
from astragal.games.egar import layout as place
from astragal.games.egar.actions import Draw, Resign
from astragal.games.egar.board import Board
from astragal.games.egar.cards import LEVELS, ascending, face
from astragal.games.egar.deck import Deck, default_deck
from astragal.games.egar.fast import EgarFast, fast
from astragal.games.egar.options import BOT_SKILL, Options, Skill
from astragal.games.egar.state import State
from tests.games.egar.table import BLANK, RULES, play, position
from tests.numbers import number_of, same

# Two soldiers a side, so near to each other that a game is over soon.
SMALL = Board("small", 4, 5, ("Fs", "s."), two=("A2", "C5"), three=("A2", "C2", "C5"), four=("A2", "C2", "C5", "A5"))
SKILLS: tuple[tuple[Skill, ...], ...] = ((), (BOT_SKILL, BOT_SKILL), ("own", (100, 0, 50)), ((0, 100, 0),))


def few_cards() -> Deck:
    """Two cards of each level, one of them with options in ascending order."""
    chosen = []
    for level in LEVELS:
        cards = default_deck().of(level)
        chosen += [next(card for card in cards if ascending(card)), next(card for card in cards if not ascending(card))]
    return Deck("few", tuple(chosen))


FEW = few_cards()


def sets(**changes: Any) -> list[Options]:
    """Every two values of two options, with skills, small decks and a short limit dealt among them."""
    decks = cycle([BLANK, FEW, FEW, replace(BLANK, blank=(1, 3, 0)), FEW])
    found = []
    for number, chosen in enumerate(options.pairwise(GAME.rules, Random(4))):
        deck = next(decks)
        level = "medium" if chosen.level == "hard" and deck.blank == (1, 3, 0) else chosen.level
        skill = SKILLS[number % len(SKILLS)]
        limit = 2 if chosen.turn_limit == 3000 else chosen.turn_limit  # so that it is reached
        found.append(replace(chosen, deck=deck, level=level, skill=skill, turn_limit=limit, **changes))
    return found


def test_hundreds_of_small_games_agree() -> None:
    chosen = sets(board=SMALL)
    for field in ("level", "own_flag_open", "dead_flags", "answering", "turn_limit", "answer_seconds", "deck", "skill"):
        assert len({str(getattr(o, field)) for o in chosen}) > 1, field
    report = agree(GAME, games=400, plies=24, seed=1, option_sets=chosen)
    assert report.ok, str(report)
    assert report.finished > 120


def test_games_on_shipped_boards_agree() -> None:
    report = agree(GAME, games=20, plies=80, seed=2, option_sets=sets())
    assert report.ok, str(report)


@pytest.mark.long
def test_thousands_of_games_agree() -> None:
    for chosen, games in ((sets(board=SMALL), 3000), (sets(), 300), ([Options(), Options(skill=(BOT_SKILL,))], 6)):
        report = agree(GAME, games=games, seed=3, option_sets=chosen)
        assert report.ok, str(report)
        assert report.finished > games / 2


def must(_law: int, holds: bool, what: str) -> None:
    assert holds, what


@pytest.mark.parametrize("players", [2, 3, 4])
def test_equal_positions_are_equal_arrays_and_every_number_names_its_action(players: int) -> None:
    """Also in the states a search begins with, whose deck is sealed and whose open card has lost its text."""
    for chosen in (
        Options(board=SMALL, deck=FEW),
        Options(board=SMALL, deck=FEW, level="free", skill=(BOT_SKILL,)),
        Options(board=SMALL, deck=FEW, answering="open"),
    ):
        rng, quick = Random(players), fast(chosen, players)
        for _ in range(6):
            s = RULES.initial(chosen, players)
            while (turn := RULES.turn(s)) != OVER:
                weighted = RULES.chance(s) or tuple((action, 1) for action in RULES.legal(s))
                guess = blanked(RULES.resample(RULES.observe(s, max(turn, 0)), rng))
                compare(GAME, quick, guess, must)
                compare(GAME, fast(guess.options, players), guess, must)
                action = rng.choices([a for a, _ in weighted], [w for _, w in weighted])[0]
                stepped = quick.step(quick.pack(s), number_of(quick, quick.pack(s), action))
                s = RULES.apply(s, action)
                assert same(quick.pack(s), stepped)


def blanked(s: State) -> State:
    """The state with nothing printed on its open card."""
    if s.question is None or s.question.face is None:
        return s
    return replace(s, question=replace(s.question, face=face(None, tuple(range(len(s.question.face.options))))))


def test_a_packed_guess_keeps_what_its_card_does() -> None:
    """The face of an open card cannot be packed with a sealed deck; which option is right is."""
    chosen = Options(board=SMALL, deck=FEW, begins=0)
    s = play(RULES.initial(chosen, 2), "roll-1", "done", "card-2", "order-3142")
    guess = RULES.resample(RULES.observe(s, 1), Random(5))
    assert guess.question is not None
    quick = fast(guess.options, 2)
    assert same(quick.pack(guess), quick.pack(blanked(guess)))
    packed = quick.pack(guess)
    right = guess.question.right or 0
    for option, action in enumerate(RULES.legal(guess)):
        after = quick.step(packed, number_of(quick, packed, action))
        kept = (after[: place.SQUARES] == packed[: place.SQUARES]).all() and after[place.PHASE] == place.ROLLING
        assert kept == (option == right)


def test_states_after_claims() -> None:
    """Resigned before the lots are drawn, in the own turn, when asked, and under attack."""
    chosen = Options(board=SMALL, deck=FEW)
    s = RULES.initial(chosen, 4)
    compare(GAME, fast(chosen, 4), RULES.apply(s, Resign(0)), must)
    for text in ("begins-1", "roll-3", "done", "card-1"):
        s = play(s, text)
        for seat in range(4):
            compare(GAME, fast(chosen, 4), RULES.apply(s, Resign(seat)), must)
    fight = play(position("E4 D5", "E5", "D6 A9", phase="attack"), "attack E5 with E4")
    for seat in range(3):
        after = RULES.apply(fight, Resign(seat))
        compare(GAME, fast(replace(after.options, deck=BLANK), 3), after, must)


def test_long_games_and_large_decks() -> None:
    for limit, left in ((3000, 2), (2999, 1)):  # no game may be longer
        begin = replace(position("B4", "L10", turn_limit=limit), turns=2998)
        s = play(begin, "done", "card-2", "order-1234")
        quick = fast(s.options, 2)
        compare(GAME, quick, s, must)
        packed = quick.pack(s)
        after = quick.step(packed, quick.legal(packed)[0])
        assert (quick.turn(after) == OVER) == (left == 1)
        assert same(after, quick.pack(RULES.apply(s, RULES.legal(s)[0])))
    for turns in (1, 2**15):  # without a limit they are not counted
        s = replace(position("B4", "L10", turn_limit=0), turns=turns)
        assert quick.key(fast(s.options, 2).pack(s)) == quick.key(fast(s.options, 2).pack(replace(s, turns=0)))
    large = Options(deck=Deck("large", (), (1000, 1000, 1000)), level="hard", begins=0)
    s = play(RULES.initial(large, 2), "roll-1", "done")
    quick = fast(large, 2)
    for used in ((), (0, 8, 999), tuple(range(999)), tuple(range(1000))):
        before = replace(s, used=((1, 2), (999,), used))
        packed, outcomes = quick.pack(before), RULES.chance(before)
        assert quick.chance(packed) == [(place.DRAW + a.card, 1) for a, _ in outcomes if isinstance(a, Draw)]
        assert all(number < quick.outcomes for number, _ in quick.chance(packed))
        last = outcomes[-1][0]
        assert same(quick.step(packed, number_of(quick, packed, last)), quick.pack(RULES.apply(before, last)))
    assert quick.action(packed, place.DRAW + 999) == Draw(999)


@pytest.mark.parametrize("players", [2, 3])
def test_random_games_are_distributed_as_those_of_the_rules(players: int) -> None:
    chosen = Options(board=SMALL, deck=FEW, begins=0, dead_flags="removed")
    rng, lengths, shares = Random(6), [], []
    for _ in range(600):
        s, plies = RULES.initial(chosen, players), 0
        while (turn := RULES.turn(s)) != OVER:
            if turn == CHANCE:
                outcomes, weights = zip(*RULES.chance(s), strict=True)
                action = rng.choices(outcomes, weights)[0]
            else:
                action = rng.choice(RULES.legal(s))
            s, plies = RULES.apply(s, action), plies + 1
        lengths.append(plies)
        shares.append(RULES.returns(s)[0])
    quick = fast(chosen, players)
    found, plies_of = quick.playouts(quick.pack(RULES.initial(chosen, players)), np.arange(60_000))
    for slow, swift in ((lengths, plies_of), (shares, found[:, 0])):
        error = stdev(slow) * (1 / len(slow) + 1 / len(swift)) ** 0.5
        assert abs(mean(slow) - float(np.mean(swift))) < 4 * error
    assert 0.8 < float(np.std(plies_of)) / stdev(lengths) < 1.25


def test_what_has_no_place_in_an_array_is_refused() -> None:
    quick = fast(Options(board=SMALL, deck=FEW), 2)
    with pytest.raises(ValueError, match="another deck"):
        quick.pack(RULES.initial(Options(board=SMALL), 2))


def test_a_table_is_made_once() -> None:
    made = GAME.fast(Options(), 2) if GAME.fast else None
    assert isinstance(made, EgarFast)
    assert made is fast(Options(), 2)
    assert made is not fast(Options(), 3)


def test_nothing_is_compiled_to_play() -> None:
    code = "import sys, astragal; astragal.game('egar'); assert 'numba' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
