"""BNR on questions answered correctly on both sides, the increase, and what the restriction does.

Source: REALHOP, Appendix C (Table 6) and Appendix I.5 (Table 14).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from realhop_kg.audit.estimand import Estimand
from realhop_kg.audit.measures.bnr import bnr, bnr_where
from realhop_kg.audit.panel import Panel
from realhop_kg.model.run import Condition

__all__ = ["CommonFull", "common_full", "paired_complete"]


_BOTH = "Full-correct on both sides"


@dataclass(frozen=True)
class CommonFull:
    """Five estimands over the same paired questions, for one bootstrap.

    Attributes:
        source: BNR of the source side where both sides are Full-correct, per trial.
        constructed: BNR of the constructed side on the same questions.
        increase: constructed minus source on that common population.
        own_increase: constructed minus source, each side on its own Full-correct questions.
        change: what the restriction to common questions does to the increase.
        counts: common Full-correct questions by trial.
    """

    source: Estimand
    constructed: Estimand
    increase: Estimand
    own_increase: Estimand
    change: Estimand
    counts: tuple[int, ...]

    def named(self) -> dict[str, Estimand]:
        """Return the estimands by the keys that reports use."""
        return {
            "common_bnr_source": self.source,
            "common_bnr_constructed": self.constructed,
            "common_increase": self.increase,
            "increase": self.own_increase,
            "change": self.change,
        }


def common_full(source: Panel, constructed: Panel) -> CommonFull:
    """Return the common-Full comparison of one model's two sides.

    Args:
        source: scores on the source side.
        constructed: scores of the same model and trials on the constructed side.

    Raises:
        ValueError: if the trials differ.
    """
    if source.trials != constructed.trials:
        raise ValueError("compare sides over the same trials")
    items = paired_complete(source, constructed)

    def both(item: str, trial: int) -> bool:
        return all(side.correct(item, trial, Condition.FULL) for side in (source, constructed))

    on_source = bnr_where(source, both, items, _BOTH)
    on_constructed = bnr_where(constructed, both, items, _BOTH)
    increase = replace(
        on_constructed.called("constructed").minus(on_source.called("source")), n=on_source.n
    )
    own = _own_increase(source, constructed, items)
    change = replace(increase.called("common").minus(own.called("own")), n=own.n)
    counts = tuple(sum(both(item, trial) for item in items) for trial in source.trials)
    return CommonFull(on_source, on_constructed, increase, own, change, counts)


def _own_increase(source: Panel, constructed: Panel, items: tuple[str, ...]) -> Estimand:
    """Return the increase with each side on its own Full-correct questions.

    It rests on every question that is Full-correct on either side.
    """
    before, after = bnr(source, items), bnr(constructed, items)
    used = sum(
        any(
            side.correct(item, trial, Condition.FULL)
            for side in (source, constructed)
            for trial in side.trials
        )
        for item in items
    )
    said = f"rests on {before.count} source and {after.count} constructed questions of {len(items)}"
    increase = after.called("constructed").minus(before.called("source"))
    return replace(increase, n=used, notes=(said, *increase.notes))


def paired_complete(source: Panel, constructed: Panel) -> tuple[str, ...]:
    """Return the questions with complete panels on both sides, in the source's order."""
    there = set(constructed.complete(constructed.trials))
    return tuple(item for item in source.complete(source.trials) if item in there)
