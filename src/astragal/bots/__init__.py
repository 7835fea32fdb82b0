"""Players that need no human: they see views, as everybody does."""
