"""Speed, side by side with named peers."""
