"""Play-outs over worlds that fit a view: exact limits, the same answer for the same luck, and sound play."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import astragal
from astragal.bots import ismcts
from astragal.bots import kernels_ismcts as template
from astragal.bots.choice import Limit
from astragal.bots.evaluate import evaluator
from astragal.bots.expectimax import ExpectimaxBot
from astragal.bots.ismcts import PRIOR_TEMPERATURE, IsmctsBot, IsmctsSettings, Search
from astragal.bots.kernels_ismcts import judged
from astragal.bots.kernels_network import liked_by_network
from astragal.bots.own import UnknownBot
from astragal.bots.packed_view import PackedView
from astragal.bots.roster import make
from astragal.core.compiled import cpu
from astragal.core.fast import Array, Dealer
from astragal.core.types import OVER
from tests.bots.positions import decisions
from tests.core import toy
from tests.core.toy import BID, CALL, FOLD, Deal, Options

TEMPERATURE = PRIOR_TEMPERATURE
TABLES = [(id, players) for id, game in astragal.games().items() for players in game.rules.spec.players]


@pytest.mark.parametrize(("id", "players"), TABLES)
def test_a_limit_of_nodes_is_kept_exactly_and_the_same_luck_gives_the_same_choice(id: str, players: int) -> None:
    game = astragal.game(id)
    for number, state in enumerate(decisions(game, 6, players=players)):
        view = game.rules.observe(state, game.rules.turn(state))
        nodes = (1, 7, 63, 64, 65, 200)[number]
        first, again = (IsmctsBot(game, Limit(nodes=nodes)).choose(view, Random(number)) for _ in range(2))
        assert first.nodes == nodes
        assert first == again
        assert first.action in view.legal
        assert all(0 <= worth <= 1 for _, worth in first.alternatives)
        assert set(first.reasons) <= set(game.heuristic.names.values())


def view_of(*said: toy.Say, cards: tuple[int, int]) -> toy.View:
    rules = toy.RULES
    state = rules.initial(Options(cards=5, begins=0), 2)
    for card in cards:
        state = rules.apply(state, Deal(card))
    for word in said:
        state = rules.apply(state, word)
    return rules.observe(state, rules.turn(state))


def test_it_plays_its_own_card_and_not_the_hidden_one() -> None:
    """Before a call only chances count: a five bids, and after a bid a five calls; whatever the other holds."""
    bot = IsmctsBot(toy.GAME, Limit(nodes=400))
    for other in (1, 2, 3, 4):
        assert bot.choose(view_of(cards=(5, other)), Random(1)).action == BID
        assert bot.choose(view_of(BID, cards=(other, 5)), Random(1)).action == CALL
    values = {bot.choose(view_of(BID, cards=(other, 3)), Random(1)) for other in (1, 2, 4, 5)}
    assert len(values) == 1, "what the other holds made a difference"
    (choice,) = values
    assert choice.action == CALL, "folding loses for certain"
    assert choice.value == pytest.approx(0.5, abs=0.1)
    assert dict(choice.alternatives)[FOLD] == pytest.approx(0, abs=1e-3)


def test_it_finds_what_an_exact_search_finds() -> None:
    """In positions of Ur where one move is clearly best, many simulations agree with looking three moves ahead."""
    game = astragal.game("ur")
    clear = agreed = 0
    for state in decisions(game, 40, seed=4):
        view = game.rules.observe(state, game.rules.turn(state))
        exact = ExpectimaxBot(game, Limit(depth=3)).choose(view, Random(0))
        if exact.alternatives[0][1] - exact.alternatives[1][1] < 0.05:
            continue
        clear += 1
        agreed += IsmctsBot(game, Limit(nodes=2000)).choose(view, Random(0)).action == exact.action
    assert clear >= 5
    assert agreed >= 0.9 * clear


def test_priors_go_by_what_is_liked_beside_what_positions_are_worth() -> None:
    """Nile's networks have two outputs. Values come from the first alone."""
    game = astragal.game("nile")
    told_apart = 0
    for number, state in enumerate(decisions(game, 8, seed=6)):
        view = game.rules.observe(state, game.rules.turn(state))
        bot, packed = IsmctsBot(game, Limit(nodes=1)), PackedView(game, view, Random(number))
        bot.choose(view, Random(number))
        judge = evaluator(game, view.options, packed.fast.players)
        assert len(judge.knowledge.likes) > 0
        worth, like = cpu(judged, judge.kernels), cpu(liked_by_network)
        for action in packed.numbers:
            after = packed.fast.step(packed.first, action)
            child = template.child_of(bot._links, 0, action, packed.seat)
            if child < 0 or packed.fast.turn(after) == OVER:
                continue
            share = worth(after, packed.fast.tables, judge.knowledge, packed.seat, packed.values())
            likes = like(share, judge.knowledge)
            assert bot._worths[child, template.FIRST] == pytest.approx(share)
            assert bot._worths[child, template.PRIOR] == pytest.approx(np.exp(likes / TEMPERATURE))
            told_apart += abs(likes - share) > 0.01
    assert told_apart > 10


@pytest.mark.parametrize(
    ("id", "spec", "wanted"),
    [
        ("nile", "ismcts:candidates=0,", 64),
        ("nile", "ismcts:candidates=0,dealer=false,", 4),
        ("nile", "ismcts-1:", 4),
        ("egar", "ismcts:candidates=0,", 4),
    ],
)
def test_every_simulation_has_a_determinization_of_its_own_where_the_game_has_a_dealer(
    id: str, spec: str, wanted: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, asked = astragal.game(id), []
    make_them = PackedView.determinizations

    def noted(packed: PackedView, count: int, dealer: Dealer | None) -> Array:
        asked.append(count)
        assert (dealer is not None) == (wanted == 64)
        return make_them(packed, count, dealer)

    monkeypatch.setattr(PackedView, "determinizations", noted)
    (state,) = decisions(game, 1)
    make(f"{spec}nodes=193", game).choose(game.rules.observe(state, game.rules.turn(state)), Random(1))
    assert asked == [wanted, 1, *[wanted] * 3, 1], "of 65 simulations to get ready, and of these"


@pytest.mark.parametrize(("id", "spec"), [("nile", "ismcts:"), ("nile", "ismcts:dealer=false,"), ("egar", "ismcts:")])
def test_every_round_of_comparing_has_a_determinization_where_the_game_has_a_dealer(
    id: str, spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = astragal.game(id)
    compare, rounds, dealt = Search._compare, [], []

    def noted(search: Search, children: Array, count: int) -> None:
        compare(search, children, count)
        rounds.append(count)
        dealt.append(search._dealt)

    monkeypatch.setattr(Search, "_compare", noted)
    state = decisions(game, 2)[1]
    view = game.rules.observe(state, game.rules.turn(state))
    bot = make(f"{spec}nodes=400", game)
    bot.prepare(view)
    rounds.clear()
    dealt.clear()
    bot.choose(view, Random(1))
    with_dealer = id == "nile" and "dealer=false" not in spec
    assert dealt == (np.cumsum(rounds).tolist() if with_dealer else [4 * n for n in range(1, len(rounds) + 1)])
    assert sum(rounds) > 50


@pytest.mark.parametrize("players", [2, 4])
def test_the_worse_half_of_what_is_compared_is_left_out_again_and_again(players: int) -> None:
    game = astragal.game("egar")
    compared = 0
    for number, state in enumerate(decisions(game, 12, seed=2, players=players)):
        view = game.rules.observe(state, game.rules.turn(state))
        bot = IsmctsBot(game, Limit(nodes=480))
        choice = bot.choose(view, Random(number))
        visits = bot._links[1 : len(view.legal) + 1, template.VISITS]
        assert visits.sum() == choice.nodes
        if choice.nodes < 480 or len(view.legal) < 8:
            continue
        tried = sorted(visits[visits > 0].tolist())
        assert len(tried) == 8
        assert tried[0] > 15  # 160 simulations for eight,
        assert tried[4] >= tried[3] + 35  # as many for four of them,
        assert tried[6] >= tried[5] + 70  # and as many for two
        assert tried[7] <= tried[6] + 8
        packed = PackedView(game, view, Random(0))
        taken = template.child_of(bot._links, 0, packed.numbers[view.legal.index(choice.action)], packed.seat)
        assert bot._links[taken, template.VISITS] >= tried[6]
        compared += 1
    assert compared > 2


def test_what_ends_the_game_counts_for_what_it_comes_to_and_not_for_the_first_deal() -> None:
    """With a three of five a call wins half of the deals; the first one has either won or lost."""
    view = view_of(BID, cards=(1, 3))
    orders = []
    for seed in range(12):
        bot, packed = IsmctsBot(toy.GAME, Limit(nodes=2000)), PackedView(toy.GAME, view, Random(seed))
        order = dict(zip(view.legal, bot._halved(bot._search(packed, Random(seed), 0.0), 8), strict=True))
        orders.append(order[CALL])
    assert max(orders) - min(orders) < 0.4  # a first deal that counted would make it half a win more


def test_all_that_is_compared_has_the_same_luck() -> None:
    """What an action comes to does not depend on what it is compared with."""
    game = astragal.game("egar")
    different = 0
    for number, state in enumerate(decisions(game, 4, seed=3)):
        view = game.rules.observe(state, game.rules.turn(state))
        worths = []
        for company in (0, 3):
            bot, packed = IsmctsBot(game, Limit(nodes=1 << 30)), PackedView(game, view, Random(number))
            search = bot._search(packed, Random(number), 0.0)
            search.open_root()
            children = np.array([search.child(one) for one in packed.numbers[: 1 + company]])
            search._deals[:] = packed.first
            search._dealt = len(search._deals)
            for _ in range(5):
                search._compare(children, 10)
            assert (bot._links[children, template.VISITS] == 50).all()
            worths.append(bot._worth(search, packed.numbers[0]))
            different += len({bot._worth(search, one) for one in packed.numbers[: 1 + company]}) > 2
        assert worths[0] == worths[1]
    assert different > 1


def test_the_least_temperature_of_priors_searches_and_a_lower_one_is_refused() -> None:
    """Below it priors overflow, and nothing would be visited at all."""
    game = astragal.game("nile")
    for number, state in enumerate(decisions(game, 6)):
        bot = IsmctsBot(game, Limit(nodes=64), IsmctsSettings(prior_temperature=0.002))
        view = game.rules.observe(state, game.rules.turn(state))
        choice = bot.choose(view, Random(number))
        tried = bot._links[1 : len(view.legal) + 1, template.VISITS]
        assert tried.sum() == choice.nodes
    with pytest.raises(UnknownBot, match="prior_temperature"):
        make("ismcts:prior_temperature=0.001", game)


def test_a_full_tree_still_chooses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ismcts, "ROOM", 40)
    game = astragal.game("ur")
    state = decisions(game, 1)[0]
    view = game.rules.observe(state, game.rules.turn(state))
    choice = IsmctsBot(game, Limit(nodes=500)).choose(view, Random(0))
    assert choice.nodes == 500
    assert choice.action in view.legal


def test_rollouts_may_go_to_the_end_of_the_game() -> None:
    game = astragal.game("ur")
    state = decisions(game, 1)[0]
    view = game.rules.observe(state, game.rules.turn(state))
    choice = IsmctsBot(game, Limit(nodes=100), IsmctsSettings(rollout=2000, rollout_greedy=0.0)).choose(view, Random(0))
    assert choice.value is not None
    assert 0 < choice.value < 1
