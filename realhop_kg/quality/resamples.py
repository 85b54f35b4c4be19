"""Bootstrap over whole items, many resamples at a time, with nothing but Python integers.

How often an item was drawn in each of some resamples is packed into one long integer, a lane of 32
bits per resample. Adding two such integers adds all lanes at once, which is what makes a thousand
resamples of ten thousand sentences take a second and not minutes.
"""

from __future__ import annotations

import random
import sys
from array import array
from collections.abc import Iterator, Sequence

__all__ = ["ONCE", "drawn", "percentile", "unpacked"]

ONCE = 1
"""The lane of an item that is drawn once, in a single resample: the data themselves."""

_BATCH = 125
_WIDTH = 4


def drawn(items: int, resamples: int, seed: int) -> Iterator[tuple[int, list[int]]]:
    """Yield (number of resamples, lanes of each item) until all resamples are drawn.

    Lanes are no wider than a few hundred resamples, so that memory stays small.
    """
    draws = random.Random(seed)
    for start in range(0, resamples, _BATCH):
        count = min(_BATCH, resamples - start)
        times = [array("I", bytes(_WIDTH * count)) for _ in range(items)]
        for resample in range(count):
            for item in draws.choices(range(items), k=items):
                times[item][resample] += 1
        yield count, [int.from_bytes(lanes.tobytes(), sys.byteorder) for lanes in times]


def unpacked(lanes: int, count: int) -> list[int]:
    """Return the values of the lanes."""
    return memoryview(lanes.to_bytes(_WIDTH * count, sys.byteorder)).cast("I").tolist()


def percentile(values: Sequence[float], share: float) -> float:
    """Return a percentile of sorted values, linear between neighbours.

    Examples:
        >>> percentile([1.0, 2.0, 3.0], 0.25)
        1.5
    """
    at = share * (len(values) - 1)
    low = int(at)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (at - low)
