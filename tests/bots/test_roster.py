"""Bots by name and settings, and what is said about wrong ones."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import astragal
from astragal.bots import LEVELS, UnknownBot, levels, make
from astragal.bots.levels import adviser, spec_of
from astragal.bots.roster import KINDS, parse
from astragal.core import language
from astragal.core.types import CHANCE, AstragalError
from tests.bots.positions import decisions
from tests.core import toy


@pytest.mark.parametrize("kind", sorted(KINDS.keys() - {"perfect"}))  # perfect needs a table: tests/solve
def test_every_kind_of_bot_chooses_a_legal_action(kind: str) -> None:
    game = astragal.game("ur")
    rules = game.rules
    state = rules.initial(rules.options_type(begins=0), 2)
    while rules.turn(state) == CHANCE:
        state = rules.apply(state, rules.chance(state)[2][0])
    choice = make(kind if kind in ("random", "greedy", "quick") else f"{kind}:nodes=50", game).choose(
        rules.observe(state, 0), Random(1)
    )
    assert choice.action in rules.legal(state)
    assert choice.fault is None


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("genius", "there is no bot 'genius'; the bots are: novice, casual, strong, master, random, greedy"),
        ("mastr", "there is no bot 'mastr'; did you mean 'master'?"),
        ("ismcts:nodes", "'nodes' is not a setting; write it like nodes=500"),
        ("ismcts:nodes=5,nodes=6", "'nodes=6' is not a setting"),
        ("ismcts:nodes=0", "nodes: Expected `int` >= 1"),
        ("ismcts:nodes=many", "nodes: Expected `int | null`"),
        ("ismcts:time=-1", "time: Expected `float` > 0"),
        ("ismcts:time=nan", "time: "),
        ("ismcts:colour=red", "Object contains unknown field `colour`"),
        ("random:nodes=5", "Object contains unknown field `nodes`"),
        ("greedy:mistakes=2", "mistakes: Expected `float` <= 1"),
        ("quick:overlooks=road", "overlooks: the heuristic of nile has no feature 'road'; it has: "),
        ("master:nodes=5", "master is a level and takes no settings; write just master"),
        ("expectimax", "expectimax plays games for two without secrets; for nile take ismcts"),
    ],
)
def test_a_wrong_name_or_setting_is_refused_in_one_line(spec: str, sentence: str) -> None:
    with pytest.raises(AstragalError) as caught:
        make(spec, astragal.game("nile"))
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_level_takes_no_settings_but_the_ladder() -> None:
    game = astragal.game("ur")
    for level in LEVELS:
        assert parse(level, game) == parse(spec_of(game, level), game)
        assert parse(f"{level}:ladder", game) == parse(spec_of(game, level, ladder=True), game)


def test_every_game_has_four_people_to_play_with_in_every_language() -> None:
    met: set[str] = set()
    for game in astragal.games().values():
        assert tuple(levels(game)) == LEVELS
        for level in levels(game).values():
            assert level.name not in met
            met.add(level.name)
            told = {language.say(level.character).to(lang) for lang in language.LANGUAGES}
            assert len(told) == len(language.LANGUAGES), f"{level.name} says the same in two languages"
            assert (make(level.spec, game).limit.time or 0) < 1


def test_a_game_nobody_knows_has_levels_too() -> None:
    assert tuple(levels(toy.GAME)) == LEVELS
    for level in LEVELS:
        assert make(level, toy.GAME).name == level


def test_an_unknown_bot_is_an_error_of_ours() -> None:
    with pytest.raises(UnknownBot):
        make("", astragal.game("ur"))


def test_a_choice_carries_a_value_for_every_action_or_none_at_all() -> None:
    for id, game in astragal.games().items():
        for state in decisions(game, 8):
            view = game.rules.observe(state, game.rules.turn(state))
            names = [
                "greedy",
                "quick",
                "ismcts:nodes=20",
                *([] if game.rules.spec.hidden else ["expectimax:nodes=200"]),
            ]
            for name in names:
                choice = make(name, game).choose(view, Random(1))
                assert choice.fault is None
                if name.startswith("ismcts") and len(view.legal) == 1:
                    assert (choice.value, choice.alternatives) == (None, ()), "there was nothing to search"
                    continue
                assert choice.alternatives[0] == (choice.action, choice.value), (id, name)
                assert len(choice.alternatives) == len(view.legal)
                assert {action for action, _ in choice.alternatives} == set(view.legal)
            for name in ("random", "greedy:mistakes=1"):
                choice = make(name, game).choose(view, Random(1))
                assert (choice.value, choice.alternatives) == (None, ()), "it cannot tell"


def test_the_search_before_there_were_networks_can_be_had_by_name() -> None:
    game = astragal.game("ur")
    view = next(
        view
        for state in decisions(game, 8)
        if len((view := game.rules.observe(state, game.rules.turn(state))).legal) > 1
    )
    old, same, new = (
        make(name, game).choose(view, Random(1))
        for name in ("ismcts-1:nodes=100", "ismcts:nodes=100,by=heuristic", "ismcts:nodes=100")
    )
    assert old == same
    assert old.value != new.value


@pytest.mark.parametrize(("id", "before"), [("egar", 0.03), ("nile", 0.1)])
def test_the_search_of_then_has_the_settings_of_then(id: str, before: float) -> None:
    """The masters of these games had them, so what is measured against that bot is measured against those masters."""
    game = astragal.game(id)
    view = next(
        view
        for state in decisions(game, 8)
        if len((view := game.rules.observe(state, game.rules.turn(state))).legal) > 3
    )
    old, same, other = (
        make(f"{name}:nodes=100{more}", game).choose(view, Random(1))
        for name, more in (
            ("ismcts-1", ""),
            ("ismcts", f",by=heuristic,dealer=false,c_puct=0.5,prior_temperature={before}"),
            ("ismcts", ",by=heuristic,dealer=false,c_puct=0.5,prior_temperature=0.06"),
        )
    )
    assert old == same
    assert old.alternatives != other.alternatives


@pytest.mark.parametrize("id", ["egar", "nile", "ur", "ur-modern"])
def test_whoever_gives_hints_does_not_err_on_purpose(id: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ASTRAGAL_TABLES", str(tmp_path))  # where there are none
    game = astragal.game(id)
    spec = spec_of(game, adviser(game, game.rules.options_type()))
    assert "noise" not in spec
    assert "mistakes" not in spec
    assert "overlooks" not in spec
