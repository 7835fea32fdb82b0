"""Bots: players that see views, as humans do; their searches, levels and names."""

from astragal.bots.choice import Bot, Choice, Limit
from astragal.bots.levels import levels
from astragal.bots.own import BaseBot, UnknownBot
from astragal.bots.roster import make
from astragal.core.levels import LEVELS, Level

__all__ = ["LEVELS", "BaseBot", "Bot", "Choice", "Level", "Limit", "UnknownBot", "levels", "make"]
