"""The audit's rows: bootstrap beside a plain loop and scipy, deletions beside a plain copy."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Callable, Iterator

import numpy as np

from bench.rows import Row, fastest
from realhop_kg.audit.bootstrap import RESAMPLES, draws, intervals, resampled
from realhop_kg.audit.context import Context, closed, cut, render
from realhop_kg.audit.estimand import Estimand, Ratio, Term
from realhop_kg.model.item import TextRange
from realhop_kg.model.text import Passage

__all__ = ["increase", "loop", "panels", "rows"]

QUESTIONS, TRIALS = 790, 3
_SCALE = 12
_OFFSET = 1


Answers = list[tuple[bool, tuple[bool, ...]]]
"""By question: whether Full was right, and whether each Drop was."""


def panels(questions: int, trials: int) -> list[tuple[int, Answers]]:
    """Return made-up answers of both sides, trial by trial, each with its sign in the increase."""
    rng = random.Random(5)
    hops = [rng.choice((2, 2, 3, 4)) for _ in range(questions)]
    return [
        (
            sign,
            [
                (rng.random() < ease, tuple(rng.random() >= need for _ in range(count)))
                for count in hops
            ],
        )
        for sign, ease, need in ((1, 0.78, 0.94), (-1, 0.87, 0.28))
        for _ in range(trials)
    ]


def increase(answers: list[tuple[int, Answers]]) -> Estimand:
    """Return the increase in BNR, averaged over trials."""
    terms = []
    for sign, rows in answers:
        lost = tuple(
            full * (len(drops) - sum(drops)) * (_SCALE // len(drops)) for full, drops in rows
        )
        terms.append(Term(sign, Ratio(lost, tuple(_SCALE * full for full, _ in rows))))
    names = tuple(map(str, range(len(answers[0][1]))))
    return Estimand(names, tuple(terms), divisor=len(answers) // 2)


def loop(answers: list[tuple[int, Answers]], resamples: int, offset: int) -> list[float]:
    """Return the value in every resample as Equation 1 reads, without any array."""
    values = []
    for chunk in draws(len(answers[0][1]), resamples, offset):
        for drawn in chunk.tolist():
            total = 0.0
            for sign, rows in answers:
                lost = right = 0
                for at in drawn:
                    full, drops = rows[at]
                    if full:
                        right += _SCALE
                        lost += sum(not each for each in drops) * (_SCALE // len(drops))
                total += sign * (lost / right)
            values.append(total / (len(answers) // 2))
    return values


def _scipy(estimand: Estimand, resamples: int) -> Callable[[], object]:
    from scipy.stats import bootstrap

    columns = [np.array(column, float) for term in estimand.terms for column in term.ratio]
    weights = [term.weight for term in estimand.terms]

    def statistic(*data: np.ndarray, axis: int = -1) -> np.ndarray:
        ratios = [
            weight * data[2 * at].sum(axis) / data[2 * at + 1].sum(axis)
            for at, weight in enumerate(weights)
        ]
        return sum(ratios[1:], ratios[0]) / estimand.divisor

    return lambda: bootstrap(
        columns,
        statistic,
        paired=True,
        vectorized=True,
        method="percentile",
        n_resamples=resamples,
        batch=250,
        rng=np.random.default_rng(1),
    )


def rows(quick: bool) -> Iterator[Row]:
    """Yield the rows, after checking that ours and the loop agree to the last bit."""
    resamples = 500 if quick else RESAMPLES
    answers = panels(QUESTIONS, TRIALS)
    estimand = increase(answers)
    looped: list[list[float]] = []
    ours, scipy_ = fastest(
        lambda: intervals({"increase": estimand}, _OFFSET, resamples),
        _scipy(estimand, resamples),
        repeats=1 if quick else 7,
    )
    [plain] = fastest(lambda: looped.append(loop(answers, resamples, _OFFSET)), repeats=1)
    found = resampled({"increase": estimand}, resamples, _OFFSET)["increase"]
    if found.tolist() != looped[0]:
        raise RuntimeError("the bootstrap and the plain loop differ; neither time means anything")
    what = f"bootstrap, {QUESTIONS} questions x 2 x {TRIALS}"
    timed = f"{resamples} paired resamples, interval of the increase in BNR"
    yield Row(
        f"{what}, beside a loop",
        f"{1e3 * ours:.0f} ms",
        f"{1e3 * plain:.0f} ms",
        f"{plain / ours:.0f}x",
        f"peer: Equation 1 as a plain loop, same draws, equal bit for bit; {timed}",
    )
    yield Row(
        f"{what}, beside scipy",
        f"{1e3 * ours:.0f} ms",
        f"{1e3 * scipy_:.0f} ms",
        f"{scipy_ / ours:.1f}x",
        f"peer: scipy.stats.bootstrap, paired, vectorized, batches of 250; {timed}",
    )
    yield _memory(estimand, resamples)
    yield _deletion(quick)


def _memory(estimand: Estimand, resamples: int) -> Row:
    own = _peak(lambda: intervals({"increase": estimand}, _OFFSET, resamples))
    n = len(estimand.items)
    whole = _peak(lambda: np.random.default_rng(1).integers(0, n, size=(resamples, n)))
    return Row(
        "peak memory of the bootstrap",
        f"{own / 1e6:.1f} MB",
        f"{whole / 1e6:.1f} MB",
        f"{own / whole:.2f}x",
        "peer: drawing all resamples at once, nothing computed from them",
    )


def _peak(work: Callable[[], object]) -> int:
    work()  # imports and caches are not what is measured
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def _long_context() -> tuple[Context, list[TextRange]]:
    sentence = "Orm sold the mill on the river Mar. "
    count = 2 * 2**20 // len(sentence)
    context = render([Passage(index=0, title="Mill", text=(sentence * count).rstrip())])
    parts = []
    for number in range(50):
        start = count // 50 * number * len(sentence)
        parts.append(TextRange(passage=0, start=start, end=start + len(sentence) - 1))
    return context, parts


def _deletion(quick: bool) -> Row:
    context, parts = _long_context()
    ours, copy = fastest(
        lambda: cut(context.text, closed(context, context.ranges(parts))),
        lambda: "".join((context.text[:1], context.text[1:])),
        repeats=10 if quick else 60,
    )
    return Row(
        "Drop of 50 spans from 2 MB",
        f"{1e3 * ours:.2f} ms",
        f"{1e3 * copy:.2f} ms",
        f"{ours / copy:.1f}x",
        "peer: a plain copy of the text by slice and join; ours with the closing of gaps",
    )
