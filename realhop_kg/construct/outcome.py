"""What becomes of an item: a constructed graph, or an exclusion with its code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from realhop_kg.errors import ContractError
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.model.finding import CONTRACTS, Code, Finding, Severity
from realhop_kg.model.frozen import ExcludedItem
from realhop_kg.model.item import SourceItem
from realhop_kg.relations.catalogue import Catalogue

__all__ = ["Constructed", "Stage", "as_finding", "excluded", "rejected"]

Stage = Literal["read", "plan", "rebind", "branch", "route", "realize", "check"]


@dataclass(frozen=True)
class Constructed:
    """A constructed item."""

    graph: ReasoningGraph
    diagnostics: tuple[Finding, ...]
    """Findings that do not exclude it."""
    catalogue: Catalogue
    """The relations it is made of: the catalogue, and what was made for this item."""


def excluded(item: SourceItem, stage: Stage, error: ContractError) -> ExcludedItem:
    """Return the exclusion record of an item that met an error at a stage."""
    return _record(item, stage, [as_finding(item, error)])


def rejected(item: SourceItem, findings: Sequence[Finding]) -> ExcludedItem:
    """Return the exclusion record of an item that the checks reject; its code is the first one."""
    return _record(item, "check", findings)


def as_finding(item: SourceItem, error: ContractError) -> Finding:
    """Return an error as the finding that it stands for."""
    return Finding(
        code=Code(error.code),
        severity=Severity.BLOCKING,
        item=item.key,
        nodes=error.nodes,
        message=error.message,
    )


def _record(item: SourceItem, stage: Stage, findings: Sequence[Finding]) -> ExcludedItem:
    first = findings[0]
    return ExcludedItem(
        id=item.key,
        dataset=item.dataset,
        file=item.file,
        line=item.line,
        stage=stage,
        code=first.code,
        message=f"{first.message}; {CONTRACTS[first.code].fix}",
        question=item.question,
        findings=tuple(findings),
    )
