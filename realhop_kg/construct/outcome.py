"""What becomes of an item: a constructed graph, or an exclusion with its code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from realhop_kg.errors import ContractError
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.model.finding import CONTRACTS, Code, Finding, Severity
from realhop_kg.model.frozen import ExcludedItem
from realhop_kg.model.item import SourceItem
from realhop_kg.relations.catalogue import Catalogue

__all__ = ["Constructed", "Stage", "excluded"]

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
    code = Code(error.code)
    finding = Finding(
        code=code,
        severity=Severity.BLOCKING,
        item=item.key,
        nodes=error.nodes,
        message=error.message,
    )
    return ExcludedItem(
        id=item.key,
        dataset=item.dataset,
        file=item.file,
        line=item.line,
        stage=stage,
        code=code,
        message=f"{error.message}; {CONTRACTS[code].fix}",
        question=item.question,
        findings=(finding,),
    )
