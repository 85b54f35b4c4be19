"""From a source item to a constructed graph with models: the stages of the rules, slots by models.

Every stage is either rules or a model; whoever proposes, the operators and contracts are the same.
"""

from __future__ import annotations

from collections.abc import Mapping

from realhop_kg.construct.coining import ItemCoiner
from realhop_kg.construct.compete import propose_branches
from realhop_kg.construct.hosts import propose_route
from realhop_kg.construct.models.audit import audit_with_model
from realhop_kg.construct.models.compete import compete_with_model
from realhop_kg.construct.models.plan import key_pattern, plan_with_model
from realhop_kg.construct.models.realize import Realization, realize_with_model
from realhop_kg.construct.models.route import route_with_model
from realhop_kg.construct.models.state import Draft
from realhop_kg.construct.outcome import Stage, excluded, rejected
from realhop_kg.construct.pipeline import PRUNING_ROUNDS, competitors_of
from realhop_kg.construct.plan import propose_plan
from realhop_kg.construct.premises import propose_splits
from realhop_kg.construct.realize import propose_sentences
from realhop_kg.contracts.check import check_item
from realhop_kg.errors import ContractError
from realhop_kg.freeze.freeze import Packed, pack
from realhop_kg.graph.build import CONSTRUCTED, source_graph
from realhop_kg.graph.operators import (
    branch_flexible,
    branch_strict,
    factorize,
    prune,
    rebind,
    route,
    write,
)
from realhop_kg.graph.schema import ItemNode
from realhop_kg.ids import rng
from realhop_kg.llm.asking import Models, RejectedError
from realhop_kg.model.finding import Finding, Severity
from realhop_kg.model.frozen import ExcludedItem
from realhop_kg.model.item import SourceItem
from realhop_kg.relations.catalogue import Catalogue
from realhop_kg.settings import Backend

__all__ = ["construct_item"]

_STAGES = ("plan", "compete", "route", "realize", "audit")


async def construct_item(
    item: SourceItem,
    catalogue: Catalogue,
    seed: int,
    backend: Mapping[str, Backend],
    models: Models,
) -> Packed | ExcludedItem:
    """Construct one item, or say why it is excluded.

    Args:
        item: the source item.
        catalogue: the relation catalogue.
        seed: the run's seed.
        backend: who fills each stage.
        models: the models.

    Raises:
        WaitingError: in batch mode, if a reply is not there yet.
        ProviderError: if the run has to stop.
    """
    stage: Stage = "plan"
    name = "plan"
    realization: Realization | None = None
    try:
        if backend["plan"] == "llm":
            draft = await plan_with_model(item, catalogue, ItemCoiner(seed, item), models)
        else:
            draft = _plan_by_rules(item, catalogue, seed)
        stage, name = "branch", "compete"
        if backend["compete"] == "llm":
            draft = await compete_with_model(draft, models)
        else:
            draft = _compete_by_rules(draft, seed)
        stage, name = "route", "route"
        if backend["route"] == "llm":
            draft = await route_with_model(draft, models)
        else:
            proposal = propose_route(draft.graph, rng(seed, item.key, "hosts"))
            draft = draft.with_graph(route(draft.graph, proposal))
        stage, name = "realize", "realize"
        if backend["realize"] == "llm":
            draft, realization = await realize_with_model(draft, models)
        else:
            sentences = propose_sentences(
                draft.graph, draft.predicates, rng(seed, item.key, "places")
            )
            draft = draft.with_graph(write(draft.graph, sentences))
        stage, name = "check", "audit"
        if backend["audit"] == "llm":
            draft = await audit_with_model(draft, models, realization)
        return _checked(_with_replies(draft, models))
    except ContractError as error:
        models.of(name).refused += 1
        return _excluded(item, stage, error)
    finally:
        models.used.pop(item.key, None)


def _with_replies(draft: Draft, models: Models) -> Draft:
    """Return the draft with the keys of the replies that went into it, in the order of stages."""
    used = models.used.get(draft.item.key, set())
    keys = sorted((_STAGES.index(stage), stage, key) for stage, key in used)
    graph = draft.graph.copy()
    item = graph.get(CONSTRUCTED, ItemNode)
    graph.add(item.model_copy(update={"replies": [f"{stage}: {key}" for _, stage, key in keys]}))
    return draft.with_graph(graph)


def _plan_by_rules(item: SourceItem, catalogue: Catalogue, seed: int) -> Draft:
    coiner = ItemCoiner(seed, item)
    plan = propose_plan(item, catalogue, coiner)
    graph = rebind(source_graph(item), plan)
    splits = propose_splits(graph, catalogue, coiner, rng(seed, item.key, "premises"))
    graph = factorize(graph, splits, catalogue.predicates)
    patterns = {hop: key_pattern(split.key, hop) for hop, split in splits.items()}
    return Draft(item, catalogue, coiner, graph, splits=splits, key_patterns=patterns, plan=plan)


def _compete_by_rules(draft: Draft, seed: int) -> Draft:
    """Return the draft with competitors of the catalogue.

    Raises:
        ContractError: Q5 if a model worded the relations: the catalogue has no near-misses of them.
    """
    if draft.plan is None:
        raise ContractError("Q5", "rules have no near-misses of relations that a model worded")
    registry = {entity.ref: entity for entity in draft.plan.entities}
    strict, flexible = propose_branches(
        draft.graph,
        registry,
        draft.splits,
        draft.catalogue,
        draft.coiner,
        rng(seed, draft.item.key, "competitors"),
    )
    graph = branch_strict(draft.graph, strict, draft.predicates)
    return draft.with_graph(branch_flexible(graph, flexible, draft.predicates))


def _checked(draft: Draft) -> Packed:
    """Return the item once nothing blocks it, after at most two rounds of pruning.

    Raises:
        ContractError: with every finding that pruning cannot mend.
    """
    parents = draft.catalogue.types.parents
    for rounds in range(PRUNING_ROUNDS + 1):
        findings = check_item(draft.graph, draft.predicates, parents)
        blocking = [f for f in findings if f.severity is Severity.BLOCKING]
        if not blocking:
            used = draft.own.values()
            return pack(draft.graph, draft.predicates, findings, used)
        unsafe = competitors_of(draft.graph, blocking)
        if rounds == PRUNING_ROUNDS or not unsafe:
            break
        draft = draft.with_graph(prune(draft.graph, unsafe))
    raise RejectedError(blocking)


def _excluded(item: SourceItem, stage: Stage, error: ContractError) -> ExcludedItem:
    if isinstance(error, RejectedError):
        found = [each for each in error.findings if isinstance(each, Finding)]
        return rejected(item, found).model_copy(update={"stage": stage})
    return excluded(item, stage, error)
