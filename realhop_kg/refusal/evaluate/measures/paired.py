"""How search changes what a model does: overturn, rescue, and every change of state.

Source: HopRefusalBench, paired evaluations: TACH_search = TACH_none - overturned + rescued.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from realhop_kg.audit.estimand import Estimand, Ratio, Term
from realhop_kg.model.trajectory import State
from realhop_kg.refusal.evaluate.outcomes import Outcome

__all__ = ["Pairs", "overturn", "pair", "rescue", "tchr_change", "transitions"]

Pairs = Sequence[tuple[Outcome, Outcome]]
"""The same questions without and with search."""


def pair(plain: Sequence[Outcome], search: Sequence[Outcome]) -> list[tuple[Outcome, Outcome]]:
    """Return the questions that have an outcome in both modes, in the order of the first."""
    others = {each.item: each for each in search}
    return [(each, others[each.item]) for each in plain if each.item in others]


def overturn(pairs: Pairs) -> Estimand:
    """Return the share of target-aware refusals that search turns into something else."""
    return _changed(pairs, before=True)


def rescue(pairs: Pairs) -> Estimand:
    """Return the share of other outcomes that search turns into target-aware refusals."""
    return _changed(pairs, before=False)


def tchr_change(pairs: Pairs) -> Estimand:
    """Return TCHR with search minus TCHR without, over the paired questions."""
    every = (1,) * len(pairs)
    found = [tuple(int(each[at].state is State.TACH) for each in pairs) for at in (0, 1)]
    terms = (Term(1, Ratio(found[1], every)), Term(-1, Ratio(found[0], every)))
    return Estimand(tuple(plain.item for plain, _ in pairs), terms)


def transitions(pairs: Pairs) -> dict[tuple[State, State], int]:
    """Return how many questions went from each state to each other, in the order of states."""
    found = Counter((plain.state, search.state) for plain, search in pairs)
    return {(one, other): found[one, other] for one in State for other in State}


def _changed(pairs: Pairs, before: bool) -> Estimand:
    of = tuple(int((plain.state is State.TACH) is before) for plain, _ in pairs)
    turned = tuple(
        int(counts and (search.state is State.TACH) is not before)
        for (_, search), counts in zip(pairs, of, strict=True)
    )
    items = tuple(plain.item for plain, _ in pairs)
    return Estimand(items, (Term(1, Ratio(turned, of)),), n=sum(of))
