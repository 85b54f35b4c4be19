"""Model replies: the store that keeps them, the client that asks, batch files, prompts, parsing."""
