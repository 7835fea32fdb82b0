"""A guess at how a seat of Nile stands: its points, what its rack can still do, and what it leaves to the next player.

Points are counted in hundreds, and as differences to the best of the other seats. `kernels_features` has the features
over packed states.
"""

from __future__ import annotations

from astragal.core.heuristic import Feature
from astragal.core.language import noted

FEATURES = (
    Feature(
        "result",
        noted("winning the game"),
        "1 for a win alone, 0 for a shared one, -1 for a loss; then all others are 0",
    ),
    Feature(
        "points",
        noted("more points on the sheet"),
        "the lead over the best other seat in hundreds of points, the turn in progress included",
    ),
    Feature("late", noted("more points late in the game"), "the same by how far the river or the bag has gone"),
    Feature("turn", noted("tiles that still go well this turn"), "what the best way to play on this turn still earns"),
    Feature(
        "finish",
        noted("ending the river this turn"),
        "1 or -1 if that way ends the river, and so wins or loses the game",
    ),
    Feature(
        "next",
        noted("little left for the next player"),
        "what the field earns or costs that it leaves to the next player, as a loss",
    ),
    Feature(
        "goal",
        noted("keeping the goal away from the next player"),
        "what the goal is worth to the next player then, as a loss; nothing if it would not close the gap",
    ),
    Feature("universals", noted("a universal kept in hand"), "universals on the rack"),
    Feature(
        "shut",
        noted("a shut-in river that only a universal opens"),
        "1 with a universal on the rack where the river is shut in, -1 without",
    ),
    Feature("hand", noted("valuable tiles in hand"), "what the rack is worth"),
    Feature(
        "tempo",
        noted("being on turn again soon"),
        "1 if no other turn comes before this seat's next one, 0 if one of each other seat does",
    ),
)
