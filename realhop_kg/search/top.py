"""The best of many scores, in an order that does not depend on how they were computed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["top"]


def top(scores: NDArray[np.float32], k: int, above: float | None = None) -> NDArray[np.int64]:
    """Return the places of the k greatest scores, greatest first; equal ones by place.

    Args:
        scores: one per passage.
        k: how many at most.
        above: only scores greater than this.
    """
    import numpy as np

    if k < len(scores):
        least = np.partition(scores, len(scores) - k)[len(scores) - k]
        # All that reach the k-th: among equals the first ones stay.
        places = np.flatnonzero(scores >= least)
    else:
        places = np.arange(len(scores))
    if above is not None:
        places = places[scores[places] > above]
    return places[np.lexsort((places, -scores[places]))][:k]
