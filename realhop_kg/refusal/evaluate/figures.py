"""Computes every figure of refusal runs: overall, by cause, topology and depth, with intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from realhop_kg.audit.bootstrap import RESAMPLES, Interval, intervals, offset_of
from realhop_kg.audit.estimand import Estimand
from realhop_kg.model.refusal import Cause
from realhop_kg.model.refusal_item import Topology
from realhop_kg.model.trajectory import Mode, State
from realhop_kg.refusal.evaluate.measures.paired import (
    Pairs,
    overturn,
    rescue,
    tchr_change,
)
from realhop_kg.refusal.evaluate.measures.process import eifr, evidence_coverage, ptos, pttw
from realhop_kg.refusal.evaluate.measures.states import RATES, conditional_tchr, state_rate
from realhop_kg.refusal.evaluate.outcomes import Outcome
from realhop_kg.refusal.evaluate.timeline import MeasureSettings

__all__ = ["BY", "Figure", "figures", "flows", "groups", "paired_figures"]

BY = ("all", "cause", "topology", "depth")
"""How questions are grouped."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One measure of one group of questions.

    Attributes:
        model: who was asked.
        mode: `no_search`, `search`, or `paired` for changes between them.
        by: what the group is one of, see `BY`.
        group: the group; empty for all.
        measure: name of the measure.
        interval: value and interval.
        counted: the questions that it rests on, each with what it adds.
    """

    model: str
    mode: str
    by: str
    group: str
    measure: str
    interval: Interval
    counted: tuple[tuple[str, int], ...] = ()


def groups(outcomes: Sequence[Outcome]) -> Iterator[tuple[str, str, list[Outcome]]]:
    """Yield (by, group, its outcomes) for all questions and every group that has any."""
    yield "all", "", list(outcomes)
    names: dict[str, Sequence[str]] = {
        "cause": [str(each) for each in Cause],
        "topology": [str(each) for each in Topology],
        "depth": [str(each) for each in sorted({each.depth for each in outcomes})],
    }
    for by, values in names.items():
        for value in values:
            found = [each for each in outcomes if str(getattr(each, by)) == value]
            if found:
                yield by, value, found


def figures(
    model: str,
    mode: Mode,
    outcomes: Sequence[Outcome],
    settings: MeasureSettings,
    resamples: int = RESAMPLES,
) -> list[Figure]:
    """Return every figure of one model in one mode.

    Args:
        model: who was asked.
        mode: whether it could search.
        outcomes: one per question.
        settings: of the process measures.
        resamples: bootstrap resamples over whole questions; 0 for none.
    """
    found: list[Figure] = []
    for by, group, inside in groups(outcomes):
        named = _estimands(mode, inside, settings)
        found += _computed(model, str(mode), by, group, named, resamples)
    return found


def paired_figures(model: str, pairs: Pairs, resamples: int = RESAMPLES) -> list[Figure]:
    """Return how search changes what a model does, overall and by group."""
    place = {plain.item: at for at, (plain, _) in enumerate(pairs)}
    found: list[Figure] = []
    for by, group, inside in groups([plain for plain, _ in pairs]):
        some = [pairs[place[each.item]] for each in inside]
        named = {
            "overturn": overturn(some),
            "rescue": rescue(some),
            "tchr_change": tchr_change(some),
        }
        found += _computed(model, "paired", by, group, named, resamples)
    return found


def flows(outcomes: Sequence[Outcome]) -> dict[tuple[Topology, State], int]:
    """Return how many questions of each topology ended in each state."""
    found = Counter((each.topology, each.state) for each in outcomes)
    return {(shape, state): found[shape, state] for shape in Topology for state in State}


def _estimands(
    mode: Mode, outcomes: Sequence[Outcome], settings: MeasureSettings
) -> dict[str, Estimand]:
    named = {
        name: state_rate(outcomes, state)
        for name, state in RATES.items()
        if mode is Mode.SEARCH or state is not State.SEH
    }
    named["ctchr"] = conditional_tchr(outcomes)
    if mode is Mode.SEARCH:
        named["evidence_coverage"] = evidence_coverage(outcomes)
        named["ptos"] = ptos(outcomes)
        named["pttw"] = pttw(outcomes)
        named["eifr"] = eifr(outcomes, settings)
    return named


def _computed(
    model: str, mode: str, by: str, group: str, named: Mapping[str, Estimand], resamples: int
) -> Iterator[Figure]:
    offset = offset_of("refusal", model, mode, by, group)
    for name, interval in intervals(named, offset, resamples).items():
        yield Figure(model, mode, by, group, name, interval, _counted(named[name]))


def _counted(estimand: Estimand) -> tuple[tuple[str, int], ...]:
    found = []
    for at, item in enumerate(estimand.items):
        if any(term.ratio.denominators[at] for term in estimand.terms):
            adds = sum(term.weight * term.ratio.numerators[at] for term in estimand.terms)
            found.append((item, adds))
    return tuple(found)
