"""Percentile bootstrap over whole questions, seeded, exact, and the same on any machine.

Source: REALHOP, Appendices C and I.5 (10,000 whole-question resamples, percentile endpoints, base
seed 20260925 and fixed offsets).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from realhop_kg.audit.estimand import Estimand
from realhop_kg.ids import digest
from realhop_kg.model.record import Record

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["RESAMPLES", "SEED", "Interval", "draws", "intervals", "offset_of", "resampled"]

SEED = 20260925
RESAMPLES = 10_000
_LEVEL = 0.95
_CHUNK_CELLS = 200_000
"""Drawn positions held at once: a few megabytes, whatever the number of resamples."""

_ROUNDING = 1e-12
"""Far below any difference that questions can make, above what rounding makes."""

_SMALL_PRODUCT = 250_000
"""Multiplications up to which OpenBLAS works in one thread."""


class Interval(Record):
    """A point estimate with its percentile interval, all as fractions of 1."""

    value: float | None
    """None where it is not defined: no question in the denominator."""
    low: float | None = None
    high: float | None = None
    n: int
    """Questions that the value rests on."""
    resampled: int
    """Questions that were resampled."""
    level: float = _LEVEL
    resamples: int = 0
    seed: int = SEED
    offset: int = 0
    """Added to the seed: one per model and cohort."""
    undefined: int = 0
    """Resamples in which the value was not defined; they are left out of the interval."""
    notes: tuple[str, ...] = ()
    """Degenerate cases and what a reader must know."""


def offset_of(*cohort: object) -> int:
    """Return the offset of a model and cohort: below 2^32, equal in every process."""
    return int(digest("bootstrap", *cohort, length=8), 16)


def draws(n: int, resamples: int, offset: int) -> Iterator[NDArray[np.int32]]:
    """Yield the drawn positions of all resamples in chunks of (resamples, n).

    Args:
        n: number of questions.
        resamples: number of resamples.
        offset: added to the seed.
    """
    import numpy as np

    generator = np.random.default_rng(SEED + offset)
    chunk = max(1, _CHUNK_CELLS // max(n, 1))
    for start in range(0, resamples, chunk):
        yield generator.integers(0, n, size=(min(chunk, resamples - start), n), dtype=np.int32)


def resampled(
    estimands: Mapping[str, Estimand], resamples: int = RESAMPLES, offset: int = 0
) -> dict[str, NDArray[np.float64]]:
    """Return the value of each estimand in every resample, NaN where it is not defined.

    All are computed in the same resamples: what is compared stays paired.

    Args:
        estimands: by name, all over the same questions.
        resamples: number of resamples.
        offset: added to the seed.

    Raises:
        ValueError: if the estimands are over different questions.
    """
    import numpy as np

    populations = {estimand.items for estimand in estimands.values()}
    if len(populations) > 1:
        raise ValueError("estimands of one bootstrap are over the same questions")
    n = len(next(iter(populations), ()))
    found = {name: np.full(resamples, np.nan) for name in estimands}
    if n == 0:
        return found
    place, matrix = _columns(estimands, n)
    shift = np.arange(max(1, _CHUNK_CELLS // n))[:, None] * n
    done = 0
    for drawn in draws(n, resamples, offset):
        rows = len(drawn)
        weights = np.bincount((drawn + shift[:rows]).ravel(), minlength=rows * n)
        sums = _product(weights.reshape(rows, n).astype(np.float64), matrix)
        for name, estimand in estimands.items():
            found[name][done : done + rows] = _values(estimand, place, sums)
        done += rows
    return found


def _product(weights: NDArray[np.float64], matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weighted sums of every column.

    Whole numbers below 2^53: the product is exact in whatever order it is summed. It is taken in
    pieces that BLAS does not share between threads, whose waiting costs more than the work.
    """
    import numpy as np

    step = max(1, _SMALL_PRODUCT // matrix.size)
    pieces = [weights[at : at + step] @ matrix for at in range(0, len(weights), step)]
    return np.concatenate(pieces)


def _columns(
    estimands: Mapping[str, Estimand], n: int
) -> tuple[dict[tuple[int, ...], int], NDArray[np.float64]]:
    """Return every different column of contributions once, and where each stands."""
    import numpy as np

    place: dict[tuple[int, ...], int] = {}
    for estimand in estimands.values():
        for term in estimand.terms:
            for column in term.ratio:
                place.setdefault(column, len(place))
    matrix = np.array(list(place), dtype=np.float64).reshape(len(place), n).T
    return place, np.ascontiguousarray(matrix)


def _values(
    estimand: Estimand, place: Mapping[tuple[int, ...], int], sums: NDArray[np.float64]
) -> NDArray[np.float64]:
    import numpy as np

    total = np.zeros(len(sums))
    with np.errstate(divide="ignore", invalid="ignore"):
        for weight, (numerators, denominators), _ in estimand.terms:
            below = sums[:, place[denominators]]
            ratio = sums[:, place[numerators]] / below
            total += weight * np.where(below == 0, np.nan, ratio)
    values: NDArray[np.float64] = total / estimand.divisor
    return values


def intervals(
    estimands: Mapping[str, Estimand],
    offset: int,
    resamples: int = RESAMPLES,
    level: float = _LEVEL,
) -> dict[str, Interval]:
    """Return each estimand's value and percentile interval, from the same resamples.

    Args:
        estimands: by name, all over the same questions.
        offset: added to the seed; see `offset_of`.
        resamples: number of resamples; 0 gives the values alone.
        level: share of resamples inside the interval.

    Raises:
        ValueError: if the estimands are over different questions.
    """
    samples = resampled(estimands, resamples, offset) if resamples else {}
    return {
        name: _interval(estimand, samples.get(name), offset, resamples, level)
        for name, estimand in estimands.items()
    }


def _interval(
    estimand: Estimand,
    sample: NDArray[np.float64] | None,
    offset: int,
    resamples: int,
    level: float,
) -> Interval:
    import numpy as np

    found = estimand.value()
    value = None if found is None else _plain(found)
    low = high = None
    undefined, notes = 0, list(estimand.notes)
    if sample is not None and value is not None:
        defined = sample[~np.isnan(sample)]
        undefined = len(sample) - len(defined)
        if len(defined):
            tails = (100 * (1 - level) / 2, 100 * (1 + level) / 2)
            low, high = map(_plain, np.percentile(defined, tails, method="linear"))
        notes += _degenerate(estimand, low == high, undefined)
    elif value is None:
        notes.append("not defined: no question in the denominator")
    return Interval(
        value=value,
        low=low,
        high=high,
        n=estimand.count,
        resampled=len(estimand.items),
        level=level,
        resamples=resamples if low is not None else 0,
        offset=offset,
        undefined=undefined,
        notes=tuple(dict.fromkeys(notes)),
    )


def _plain(value: float) -> float:
    """Return a value as it is told: what rounding leaves of a difference of equals is zero."""
    return 0.0 if abs(value) < _ROUNDING else float(value)


def _degenerate(estimand: Estimand, equal: bool, undefined: int) -> Iterator[str]:
    if estimand.count == 1:
        yield "rests on one question: the interval says nothing"
    elif equal:
        yield "all resamples agree: the interval has no width, which is no proof of certainty"
    if undefined:
        yield f"not defined in {undefined} resamples, which the interval leaves out"
