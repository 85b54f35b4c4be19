"""Fictional worlds: multi-hop questions drawn from the relation catalogue, no source needed."""
