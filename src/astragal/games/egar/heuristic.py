"""A guess at how an army of EGAR stands: its soldiers, its road to a flag, its own flag, and whose turn it is.

Features compare a seat with the others that are left. Whoever enters any flag wins, so what others can do to each other
counts as well: in `strike`, `threat`, `breakthrough`, `approach` and `road` a seat is compared with the best of the
others, in everything else with their average. A fight is worth the average of how it can end, and so is
a favourable attack that the mover can still make. `kernels_features` has them over packed states.
"""

from __future__ import annotations

from astragal.core.heuristic import Feature
from astragal.core.language import noted

FEATURES = (
    Feature(
        "result", noted("the game is won"), "1 for a win, less for a shared one, -1 for a loss; then all others are 0"
    ),
    Feature("rivals", noted("fewer rivals"), "less the logarithm of how many others are left"),
    Feature("soldiers", noted("more soldiers"), "soldiers more than the others have on average"),
    Feature("balance", noted("the larger army"), "the same as a part of both armies together"),
    Feature("turn", noted("the next roll"), "1 if this seat rolls next, else less the share of the others in that"),
    Feature(
        "question",
        noted("the next question goes to another"),
        "how likely another loses a soldier by the next question, or less how likely this seat does",
    ),
    Feature(
        "strike",
        noted("a flag within the next roll"),
        "how likely the next roll leads into a flag, where it is this seat's, after all that the mover can still do "
        "against it",
    ),
    Feature("threat", noted("a flag within a later roll"), "how likely one later roll leads into a flag"),
    Feature(
        "breakthrough",
        noted("a raider that is hard to stop"),
        "the same after the flag's owner, with three points, has blocked the way or attacked the raider",
    ),
    Feature(
        "approach", noted("a flag within two rolls"), "how likely two rolls lead into a flag, around all in the way"
    ),
    Feature(
        "road",
        noted("closer to an enemy flag"),
        "by how many tens of steps the foremost soldier is closer to a flag than any other seat's",
    ),
    Feature(
        "second",
        noted("a second soldier on the way"),
        "the same of the second soldier, against the average of the others",
    ),
    Feature(
        "invaders",
        noted("soldiers around an enemy flag"),
        "soldiers by how likely one roll leads them to a flag, obstacles ignored",
    ),
    Feature("guards", noted("soldiers around the own flag"), "fours of soldiers within three steps of the own flag"),
    Feature(
        "gates",
        noted("the sides of the own flag are held"),
        "which part of the sides of the own flag own soldiers hold",
    ),
    Feature("closed", noted("the own flag is out of reach"), "1 if that is all of them"),
    Feature(
        "assault",
        noted("enemies to attack with several soldiers now"),
        "what the attacks of the seat that attacks next win on average, in soldiers",
    ),
    Feature("flanks", noted("enemies between several soldiers"), "the same of the seats that attack later"),
)
