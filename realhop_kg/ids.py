"""Stable ids and seeded draws: everything random depends on (seed, key), never on order."""

from __future__ import annotations

import hashlib
import random

__all__ = ["digest", "item_key", "rng"]


def digest(*parts: object, length: int = 16) -> str:
    """Return a hex digest of `parts`, equal on every machine and in every process.

    Args:
        parts: values whose `str` is stable (strings, integers).
        length: number of hex digits, at most 64.
    """
    joined = "\x1f".join(str(part) for part in parts)
    return hashlib.sha256(joined.encode()).hexdigest()[:length]


def rng(seed: int, *key: object) -> random.Random:
    """Return a generator seeded by (seed, key), independent of any other generator."""
    return random.Random(int(digest(seed, *key, length=32), 16))


def item_key(dataset: str, source_id: str) -> str:
    """Return the key of an item, unique over datasets: `musique/2hop__1_2`."""
    return f"{dataset}/{source_id}"
