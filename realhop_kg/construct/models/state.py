"""What an item has come to on its way through the stages, and the relations made for it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from string import Formatter

from realhop_kg.construct.coining import ItemCoiner
from realhop_kg.contracts.check import check_item
from realhop_kg.errors import ContractError
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.ids import digest
from realhop_kg.llm.asking import RejectedError
from realhop_kg.model.finding import Code, Finding, Severity
from realhop_kg.model.item import SourceItem
from realhop_kg.model.plan import RebindPlan, Split
from realhop_kg.model.sentences import ends_sentence, references
from realhop_kg.relations.catalogue import Catalogue
from realhop_kg.relations.predicates import Predicate, Predicates

__all__ = ["Draft", "check_template", "predicate_name", "reject_blocking"]

_SLUG = re.compile(r"[^\w]+")


@dataclass(frozen=True)
class Draft:
    """An item under construction; each stage returns a new one."""

    item: SourceItem
    catalogue: Catalogue
    coiner: ItemCoiner
    graph: ReasoningGraph
    own: Mapping[str, Predicate] = field(default_factory=dict)
    """Predicates that were made for this item."""
    splits: Mapping[int, Split] = field(default_factory=dict)
    """Frame and key of each split gold fact, by hop."""
    key_patterns: Mapping[int, str] = field(default_factory=dict)
    """Pattern of the keys of each split hop."""
    plan: RebindPlan | None = None
    """The plan, where rules made it."""

    @cached_property
    def predicates(self) -> Predicates:
        """The catalogue's predicates and the item's own."""
        return self.catalogue.predicates.extended(self.own.values())

    def with_graph(self, graph: ReasoningGraph, own: Iterable[Predicate] = ()) -> Draft:
        """Return the draft with another graph and more predicates."""
        return replace(self, graph=graph, own={**self.own, **{each.id: each for each in own}})

    def findings(self, codes: Collection[Code], plan_time: bool = False) -> list[Finding]:
        """Return what blocks the graph under some contracts."""
        found = check_item(
            self.graph,
            self.predicates,
            self.catalogue.types.parents,
            codes=codes,
            plan_time=plan_time,
        )
        return [each for each in found if each.severity is Severity.BLOCKING]


def reject_blocking(draft: Draft, codes: Collection[Code], plan_time: bool = False) -> Draft:
    """Return the draft if it keeps some contracts.

    Raises:
        RejectedError: with every broken one.
    """
    found = draft.findings(codes, plan_time)
    if found:
        raise RejectedError(found)
    return draft


def predicate_name(relation: str, *parts: object) -> str:
    """Return the id of a relation that a model worded, the same for the same wording and types."""
    slug = _SLUG.sub("_", relation.casefold()).strip("_")[:40] or "relation"
    return f"own.{slug}.{digest(*parts, length=8)}"


def check_template(template: str, slots: Collection[str], what: str, code: str = "G1") -> str:
    """Return a sentence template if it is one, and has the slots that it must have.

    Args:
        template: a sentence with `{slot}`.
        slots: the names that must stand in it, and no other.
        what: whose it is, for the message.
        code: the contract that it would break.

    Raises:
        ContractError: saying what is wrong with it.
    """
    text = " ".join(template.split())
    try:
        found = {name for _, name, _, _ in Formatter().parse(text) if name is not None}
    except ValueError as error:
        raise ContractError(code, f"{what}: {template!r} has an open brace ({error})") from error
    if found != set(slots):
        wanted = ", ".join(f"{{{slot}}}" for slot in sorted(slots))
        raise ContractError(code, f"{what}: {template!r} must hold {wanted} and no other braces")
    if not ends_sentence(text):
        raise ContractError("T3", f"{what}: {template!r} is no complete sentence")
    pronouns = references(text)
    if pronouns:
        raise ContractError("T5", f"{what}: {template!r} refers by {pronouns[0]!r}; repeat names")
    return text
