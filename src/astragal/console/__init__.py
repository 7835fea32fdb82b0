"""What every command needs, whether it is ours or a game's own: click in three languages, and the screen."""
