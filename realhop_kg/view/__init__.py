"""Shows items to people."""
