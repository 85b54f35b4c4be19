"""Constructs one item in a carrier: draw a world, coin names that the carrier lacks, place, check.

The stages are those of any item; only names and places are chosen otherwise. Names are coined
without reading the carrier and then looked for in it, all at once: with megabytes of text nearly
every word of a name stands somewhere, but hardly ever the whole name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from realhop_kg.construct.coining import ItemCoiner
from realhop_kg.construct.hosts import propose_route
from realhop_kg.construct.outcome import Constructed, Stage, excluded
from realhop_kg.construct.pipeline import checked, evidence_of
from realhop_kg.construct.plan import propose_plan
from realhop_kg.contracts.variants import surface_variants
from realhop_kg.errors import ContractError, Refusal
from realhop_kg.graph.build import CONSTRUCTED, SOURCE, passage_id
from realhop_kg.graph.operators import route, write
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import EdgeKind, EntityNode, PassageNode
from realhop_kg.ids import rng
from realhop_kg.longcontext.absent import names_held
from realhop_kg.longcontext.place import (
    FACTS_PER_HOST,
    draw_hosts,
    hosts_wanted,
    propose_places,
)
from realhop_kg.model.entity import Origin
from realhop_kg.model.frozen import ExcludedItem
from realhop_kg.model.item import SourceItem
from realhop_kg.model.text import Passage
from realhop_kg.relations.catalogue import Catalogue

__all__ = ["construct_in", "in_carrier"]

_COININGS = 12
"""How often names are coined anew where the carrier holds one."""


def in_carrier(
    item: SourceItem, chunks: tuple[Passage, ...], seed: int
) -> tuple[SourceItem, list[int]]:
    """Return a question with a carrier as its context, and the chunks that may host its facts.

    Each hop has one of them for its support.

    Args:
        item: a question whose names are invented, so that the carrier does not answer it.
        chunks: the carrier.
        seed: the run's seed.

    Raises:
        Refusal: H1 if the carrier is too small, R3 if it holds a name of the question or an answer.
    """
    named = (item.answer, *(hop.answer for hop in item.hops))
    held = names_held(named, _texts(chunks))
    if held:
        raise Refusal("R3", f"the carrier holds {min(held)!r}, a name of the drawn question")
    draw = rng(seed, item.key, "chunks")
    hosts = draw_hosts(chunks, hosts_wanted(item.dependencies), draw)
    supports = draw.sample(hosts, len(item.hops))
    taken = set(supports)
    placed = item.model_copy(
        update={
            "passages": tuple(
                chunk.model_copy(update={"is_support": True}) if chunk.index in taken else chunk
                for chunk in chunks
            ),
            "hops": tuple(
                hop.model_copy(update={"support": support})
                for hop, support in zip(item.hops, supports, strict=True)
            ),
        }
    )
    return placed, hosts


def construct_in(
    question: SourceItem, chunks: tuple[Passage, ...], catalogue: Catalogue, seed: int
) -> Constructed | ExcludedItem:
    """Construct a question in a carrier, or say why it is excluded.

    Args:
        question: a drawn question; its own passages are not used.
        chunks: the carrier.
        catalogue: the relation catalogue.
        seed: the run's seed.
    """
    stage: Stage = "plan"
    item = question.model_copy(update={"passages": ()})
    try:
        item, drawn = in_carrier(item, chunks, seed)
        hosts = frozenset(drawn)
        graph = _with_fresh_names(item, hosts, catalogue, seed)
        stage = "realize"
        draw = rng(seed, item.key, "hosts")
        plan = propose_route(graph, draw, facts_per_host=FACTS_PER_HOST, among=hosts)
        graph = route(graph, plan)
        sentences = propose_places(graph, catalogue.predicates, rng(seed, item.key, "places"))
        graph = _with_rest(write(graph, sentences), item, hosts)
    except ContractError as error:
        return excluded(item, stage, error)
    return checked(item, graph, catalogue)


def _with_fresh_names(
    item: SourceItem, hosts: Collection[int], catalogue: Catalogue, seed: int
) -> ReasoningGraph:
    """Return the graph with all competitors, none of whose names the carrier holds.

    It has the hosting chunks alone: every operator copies its graph, and a carrier has hundreds.

    Raises:
        ContractError: R3 if every coining brought a name that it holds; or as `evidence_of`.
    """
    short = item.model_copy(update={"passages": ()})
    hosted = item.model_copy(
        update={"passages": tuple(each for each in item.passages if each.index in hosts)}
    )
    held: frozenset[str] = frozenset()
    for attempt in range(_COININGS):
        # The seed of a coiner is all that tells one coining from the next.
        coiner = ItemCoiner(seed + attempt * 1_000_003, short)
        plan = propose_plan(short, catalogue, coiner)
        graph = evidence_of(hosted, plan, catalogue, coiner, seed)
        held = names_held(_forms(graph, catalogue), _texts(item.passages))
        if not held:
            return graph
    raise Refusal("R3", f"the carrier holds {min(held)!r} and other names, whatever is coined")


def _with_rest(graph: ReasoningGraph, item: SourceItem, hosts: Collection[int]) -> ReasoningGraph:
    """Return the graph with the chunks that host nothing too."""
    whole = graph.copy()
    for chunk in item.passages:
        if chunk.index in hosts:
            continue
        node = PassageNode(
            id=passage_id(chunk.index),
            index=chunk.index,
            page_title=chunk.title,
            text=chunk.text,
            origin="distractor",
        )
        whole.add(node)
        for side in (SOURCE, CONSTRUCTED):
            whole.connect(side, EdgeKind.HAS_PASSAGE, node.id)
    return whole


def _forms(graph: ReasoningGraph, catalogue: Catalogue) -> Iterable[str]:
    for entity in graph.nodes(EntityNode):
        if entity.origin is Origin.VIRTUAL:
            yield from entity.forms
            if catalogue.types.is_value(entity.entity_type):
                for form in entity.forms:
                    yield from surface_variants(form, entity.entity_type)


def _texts(chunks: Iterable[Passage]) -> Iterable[str]:
    for chunk in chunks:
        if chunk.title:
            yield chunk.title
        yield chunk.text
