"""Simulated panels with a known BNR: the 95 % interval covers it about 95 times in 100."""

from __future__ import annotations

import numpy as np
import pytest

from realhop_kg.audit.bootstrap import intervals
from realhop_kg.audit.estimand import Estimand, Ratio, Term

PANELS = 1000
RESAMPLES = 500
HOPS = (2, 3, 4)
SCALE = 12


def simulated(rng: np.random.Generator, truth: float, questions: int, trials: int) -> Estimand:
    """Return the BNR of a panel whose questions differ in how necessary their hops are.

    Full correctness does not depend on necessity, so the expectation of Equation 1 is `truth`.
    """
    hops = rng.choice(HOPS, questions)
    need = rng.beta(4 * truth, 4 * (1 - truth), questions)
    ease = rng.beta(3, 1.5, questions)
    terms = []
    for _ in range(trials):
        right = rng.random(questions) < ease
        lost = rng.binomial(hops, need) * (SCALE // hops)
        terms.append(
            Term(1, Ratio(tuple((lost * right).tolist()), tuple((SCALE * right).tolist())))
        )
    return Estimand(tuple(map(str, range(questions))), tuple(terms), divisor=trials)


@pytest.mark.slow
@pytest.mark.parametrize("trials", [1, 3])
def test_intervals_cover_the_known_rate(trials: int):
    rng = np.random.default_rng(5)
    covered = 0
    for number in range(PANELS):
        truth = rng.uniform(0.2, 0.9)
        estimand = simulated(rng, truth, int(rng.integers(300, 500)), trials)
        found = intervals({"bnr": estimand}, number, RESAMPLES)["bnr"]
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= truth <= found.high
    assert 0.93 <= covered / PANELS <= 0.97
