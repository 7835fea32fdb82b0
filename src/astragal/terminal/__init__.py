"""The text client: the menu, matches, replays, and the commands `arena`, `solve` and `verify`."""
