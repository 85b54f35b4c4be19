"""Wrong hits: wrong Full answers that are exactly the endpoint of a planned competitor.

Source: REALHOP, Appendix D and Table 7. An error is a Full answer that is not correct, with the
denominator of Full accuracy; exact matching leaves paraphrases out, so the rate is conservative.
"""

from __future__ import annotations

from realhop_kg.audit.estimand import Estimand, Ratio, Term
from realhop_kg.audit.panel import Panel
from realhop_kg.model.answers import normalize_answer
from realhop_kg.model.run import Condition

__all__ = ["hits", "share_of_errors", "wrong_hit"]


def hits(panel: Panel, item: str, trial: int) -> bool:
    """Return whether the Full answer is wrong and equals a planned endpoint (normalised)."""
    if panel.correct(item, trial, Condition.FULL):
        return False
    said = normalize_answer(panel.responses.get((item, trial, Condition.FULL, ""), ""))
    return bool(said) and said in map(normalize_answer, panel.endpoints[item])


def wrong_hit(panel: Panel) -> Estimand:
    """Return wrong hits over all questions of Full accuracy."""
    items = panel.population()
    terms = tuple(
        Term(
            1,
            Ratio(tuple(int(hits(panel, item, trial)) for item in items), (1,) * len(items)),
            f"trial {trial}",
        )
        for trial in panel.trials
    )
    return Estimand(items, terms, divisor=len(panel.trials))


def share_of_errors(panel: Panel) -> Estimand:
    """Return wrong hits over wrong Full answers."""
    items = panel.population()
    used: set[str] = set()
    terms = []
    for trial in panel.trials:
        wrong = [item for item in items if not panel.correct(item, trial, Condition.FULL)]
        used.update(wrong)
        lost = set(wrong)
        terms.append(
            Term(
                1,
                Ratio(
                    tuple(int(hits(panel, item, trial)) for item in items),
                    tuple(int(item in lost) for item in items),
                ),
                f"trial {trial}",
            )
        )
    return Estimand(items, tuple(terms), divisor=len(panel.trials), n=len(used))
