"""Players that need no human: they see views, as everybody does."""

from astragal.bots.choice import Bot, Choice, Limit
from astragal.bots.levels import levels
from astragal.bots.roster import UnknownBot, make
from astragal.core.levels import LEVELS, Level

__all__ = ["LEVELS", "Bot", "Choice", "Level", "Limit", "UnknownBot", "levels", "make"]
