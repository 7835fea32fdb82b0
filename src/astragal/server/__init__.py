"""The table on a server: matches that cannot be lost, cheated or peeked into."""
