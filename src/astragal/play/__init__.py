"""A match in progress: the one mutable thing."""
