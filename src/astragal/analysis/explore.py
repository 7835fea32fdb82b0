"""What every move of a position is worth, for every throw, by the best that there is: a table, a network, a search."""

from __future__ import annotations

from typing import Any

from astragal.analysis.explored import Explored, ExploredThrow, JudgedBy, NotExplorable, TriedAction, check_explorable
from astragal.analysis.judge import EXPECTIMAX_NODES, Judge
from astragal.core.language import say
from astragal.core.rules import Game
from astragal.core.types import CHANCE, OVER

_last: tuple[str, Any, Judge] | None = None


def explore(game: Game, state: Any) -> Explored:
    """Weighs everything that can happen next. Raises NotExplorable."""
    check_explorable(game)
    rules, judge = game.rules, _judge(game, state.options)
    about, turn, position = judge.about, rules.turn(state), rules.position(state)
    trust = about.trust
    if about.name == "heuristic":
        trust = say("an estimate, which looks at up to {nodes} positions a move", nodes=f"{EXPECTIMAX_NODES[1]:,}")
    judged_by = JudgedBy(source=about.name, version=about.version, exact=about.exact, trust=trust)
    if turn == OVER:
        return Explored(position=position, seat=OVER, value=max(rules.returns(state)), throws=(), judge=judged_by)
    outcomes = [("", 1, state)]
    if turn == CHANCE:
        outcomes = [(rules.encode(one), weight, rules.apply(state, one)) for one, weight in rules.chance(state)]
        if any(rules.turn(thrown) < 0 for _, _, thrown in outcomes):
            raise NotExplorable(say("in this position it is not settled yet who begins"))
    throws = tuple(_throw(judge, outcome, weight, thrown) for outcome, weight, thrown in outcomes)
    value = sum(one.weight * one.actions[0].value for one in throws) / sum(one.weight for one in throws)
    return Explored(position=position, seat=rules.turn(outcomes[0][2]), value=value, throws=throws, judge=judged_by)


def _throw(judge: Judge, outcome: str, weight: int, state: Any) -> ExploredThrow:
    rules = judge.rules
    actions = tuple(
        TriedAction(action=rules.encode(action), value=value, position=rules.position(rules.apply(state, action)))
        for action, value in judge.decision(state, rules.turn(state)).actions
    )
    return ExploredThrow(outcome=outcome, weight=weight, position=rules.position(state), actions=actions)


def _judge(game: Game, options: Any) -> Judge:
    """A judge for these options; the last one is kept, since moves along a line ask for the same."""
    global _last
    if _last is None or _last[:2] != (game.id, options):
        _last = game.id, options, Judge(game, options, 2)
    return _last[2]
