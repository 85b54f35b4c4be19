"""`check_item`: runs the contracts of the design, in its order, over one constructed graph."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping

from realhop_kg.contracts import (
    competitors,
    derived,
    flexible,
    gold,
    names,
    near_misses,
    realization,
    registry,
    routing,
    source,
    wordings,
)
from realhop_kg.contracts.subject import COMPETITORS, ItemView
from realhop_kg.errors import ContractError
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import ItemNode, PathKind
from realhop_kg.model.finding import CONTRACTS, Code, Finding
from realhop_kg.relations.predicates import Predicates

__all__ = ["CHECKS", "PLANNED", "ROUTED", "WRITTEN", "Check", "check_item"]

Check = Callable[[ItemView], Iterator[Finding]]
"""Judges one contract. It raises ContractError where another contract keeps it from running."""

CHECKS: dict[Code, Check] = {
    Code.B1: source.check_answerable,
    Code.B2: source.check_well_formed,
    Code.D1: source.check_dependencies,
    Code.D2: source.check_supports,
    Code.R1: registry.check_types,
    Code.R2: registry.check_substitution,
    Code.R3: names.check_fresh_names,
    Code.R4: names.check_question,
    Code.R5: names.check_anchors,
    Code.R6: names.check_fresh_answers,
    Code.G1: gold.check_gold_plan,
    Code.G2: gold.check_splits,
    Code.G3: gold.check_premises,
    Code.S1: competitors.check_breaks,
    Code.S2: competitors.check_regenerated,
    Code.S3: competitors.check_inherited,
    Code.S4: near_misses.check_near_misses,
    Code.S5A: competitors.check_candidates,
    Code.S5B: competitors.check_distinct,
    Code.S6: competitors.check_coverage,
    Code.F1: flexible.check_flexible_breaks,
    Code.F2: flexible.check_no_other_answer,
    Code.F3: flexible.check_forbidden,
    Code.U1: derived.check_unique,
    Code.N1: derived.check_necessary_hops,
    Code.N2: derived.check_no_trace,
    Code.V1: derived.check_survivors,
    Code.V2: derived.check_orphans,
    Code.H1: routing.check_hosts,
    Code.H2: routing.check_allowed_hosts,
    Code.H3: routing.check_strict_spread,
    Code.H4: routing.check_gold_spread,
    Code.H5: routing.check_gold_hosts,
    Code.T1: realization.check_restorable,
    Code.T2: realization.check_written,
    Code.T3: wordings.check_boundaries,
    Code.T4: wordings.check_wordings,
    Code.T5: wordings.check_references,
}
"""Every contract that one item can be checked against, in the order of the design.

A1 is judged over a whole dataset, and the Q codes while an item is planned.
"""

WRITTEN = frozenset((Code.T1, Code.T2, Code.T3, Code.T4, Code.T5, Code.N2))
"""Contracts of the realized text."""

ROUTED = frozenset((Code.H1, Code.H2, Code.H3, Code.H4, Code.H5, Code.V1, Code.V2))
"""Contracts of the hosts."""

PLANNED = frozenset(CHECKS) - ROUTED - WRITTEN
"""Contracts that hold before any fact has a host."""


def check_item(
    graph: ReasoningGraph,
    predicates: Predicates,
    parents: Mapping[str, str],
    *,
    codes: Collection[Code] | None = None,
    plan_time: bool = False,
    families: Collection[PathKind] = COMPETITORS,
) -> list[Finding]:
    """Return every broken contract of a constructed graph, in the order of the design.

    Where one broken contract keeps another from being checked, the first is reported and the
    other is left out; so an empty list means that all were checked and hold.

    Args:
        graph: the graph of one item.
        predicates: what each predicate entails and how it is worded.
        parents: parent type by entity type.
        codes: the contracts to check, all of them by default.
        plan_time: whether no competitor has been pruned yet, so that S5a can be checked and F1
            asks for complete continuations.
        families: the families of competitor paths that the item is to have; without Strict ones,
            as in an ablation, S5a and S6 ask for nothing.
    """
    findings: list[Finding] = []
    stopped: dict[str, ContractError] = {}
    try:
        view = ItemView(graph, predicates, parents, plan_time=plan_time, families=families)
    except ContractError as error:
        return [_blocked(graph, error)]
    for code, check in CHECKS.items():
        if codes is not None and code not in codes:
            continue
        try:
            findings.extend(check(view))
        except ContractError as error:
            stopped.setdefault(error.code, error)
    # What stopped a check is told by its own check, unless that was not asked for or stopped too.
    told = {finding.code for finding in findings}
    findings += (_blocked(graph, error) for code, error in stopped.items() if code not in told)
    place = {code: at for at, code in enumerate(CHECKS)}
    return sorted(findings, key=lambda finding: place[finding.code])


def _blocked(graph: ReasoningGraph, error: ContractError) -> Finding:
    code = Code(error.code)
    items = graph.nodes(ItemNode)
    return Finding(
        code=code,
        severity=CONTRACTS[code].severity,
        item=items[0].item_key if items else "",
        nodes=error.nodes,
        message=error.message,
    )
