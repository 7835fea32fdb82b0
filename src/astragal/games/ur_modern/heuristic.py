"""A guess at how a side of the modern game stands: fortresses held and near, and what the next throw may bring.

Features are differences: mine less the other side's. Those that end in `_later` are about the side that does not throw
next, the ones of the same name about the other. `kernels_features` has them over packed states.
"""

from __future__ import annotations

from astragal.core.heuristic import Feature
from astragal.core.language import noted

FEATURES = (
    Feature("result", noted("the game is won or lost"), "1 for a win, -1 for a loss; then all others are 0"),
    Feature("turn", noted("the next throw"), "whose throw it is"),
    Feature("fortresses", noted("more fortresses held"), "fortresses held"),
    Feature("two", noted("two fortresses at once"), "1 with two fortresses or more"),
    Feature("three", noted("three fortresses, one short of the win"), "1 with three fortresses or more"),
    Feature("earth", noted("both fortresses of the Earth"), "1 with both fortresses of the Earth"),
    Feature("heaven", noted("both fortresses of Heaven"), "1 with both fortresses of Heaven"),
    Feature(
        "ishtar", noted("the Field of Ishtar, which guards your fortresses"), "1 with a piece on the Field of Ishtar"
    ),
    Feature(
        "guarded",
        noted("fortresses guarded from the Field of Ishtar"),
        "fortresses held while a piece is on the Field of Ishtar",
    ),
    Feature("pieces", noted("more pieces on the board"), "pieces on the board"),
    Feature(
        "near",
        noted("pieces nearer to fortresses you do not hold"),
        "for each fortress not held, 1 by the steps of the nearest piece that is on none, or of one from the pool",
    ),
    Feature(
        "win",
        noted("better chances to win with the next throw"),
        "where three fortresses are held, how likely the next throw can take the fourth",
    ),
    Feature("win_later", noted("better chances to win with the throw after it"), "the same of the other side"),
    Feature(
        "grab",
        noted("better chances to take a fortress with the next throw"),
        "else how likely the next throw can take a fortress",
    ),
    Feature(
        "grab_later", noted("better chances to take a fortress with the throw after it"), "the same of the other side"
    ),
    Feature(
        "storm",
        noted("better chances to capture in a fortress with the next throw"),
        "enemies on fortresses that the next throw can capture, on average",
    ),
    Feature(
        "storm_later",
        noted("better chances to capture in a fortress with the throw after it"),
        "the same of the other side",
    ),
    Feature(
        "hunt",
        noted("better chances to capture on the way with the next throw"),
        "enemies elsewhere that the next throw can capture, on average",
    ),
    Feature(
        "hunt_later",
        noted("better chances to capture on the way with the throw after it"),
        "the same of the other side",
    ),
)
