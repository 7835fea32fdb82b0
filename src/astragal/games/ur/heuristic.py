"""A guess at how a side of Ur stands: how far its pieces are, how safe, and what the next throws may do.

All features are differences, mine less the other side's, so that what one side gains the other loses. Of what throws
may do, those of the side to throw stand apart from those of the side that waits (`_later`). `kernels_features` has
them over packed states.
"""

from __future__ import annotations

from astragal.core.heuristic import Feature
from astragal.core.language import noted

FEATURES = (
    Feature("result", noted("winning the game"), "1 for a win, -1 for a loss; then all others are 0"),
    Feature("home", noted("more pieces home"), "pieces that are home"),
    Feature("progress", noted("pieces further along"), "what the pieces on the board have walked, in whole ways"),
    Feature("entered", noted("more pieces brought in"), "pieces no longer in the pool"),
    Feature("past", noted("more pieces past all danger"), "pieces beyond all squares that both sides walk on"),
    Feature("rosette", noted("a safe rosette on the common way"), "pieces on rosettes that the enemy walks on too"),
    Feature("lead", noted("a lead in the race"), "of all that is left to walk, how much more the other side has"),
    Feature(
        "capture",
        noted("more to take, less to lose with the next throw"),
        "what the next throw takes from the enemy at best, on average, in whole ways",
    ),
    Feature("capture_later", noted("more to take, less to lose with the throw after"), "the same of the other side"),
    Feature("again", noted("a better chance of another throw"), "how likely the next throw can give another one"),
    Feature("again_later", noted("a better chance of another throw later"), "the same of the other side"),
    Feature("free", noted("more throws that can be used"), "how likely the next throw moves any piece"),
    Feature("free_later", noted("more throws that can be used later"), "the same of the other side"),
    Feature("turn", noted("the next throw"), "whose throw it is; it counts more the less is left to walk"),
)
