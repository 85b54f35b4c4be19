"""Two valid constructed items, made by plain code, that tests change in one place and check.

A `World` is the plan behind a graph. Change the plan and `build()` again where texts must follow,
or change the built graph where they must not.
"""

from __future__ import annotations

from collections import Counter, defaultdict

from realhop_kg.contracts.check import check_item
from realhop_kg.graph.dependency import dependencies, regenerated, terminal, topology
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import (
    EdgeKind,
    EntityNode,
    EvidenceUnit,
    FactNode,
    HopNode,
    InsertionNode,
    ItemNode,
    PassageNode,
    PathKind,
    Side,
    SpanNode,
)
from realhop_kg.model.entity import EntityRole
from realhop_kg.model.finding import Finding, Severity
from realhop_kg.model.sentences import separator
from realhop_kg.model.text import Insertion, insertion_starts
from realhop_kg.relations.predicates import Predicates, link_of, value_of
from realhop_kg.relations.wording import render
from tests.contracts.plan import Fact, Plan

PARENTS = {
    "thing": "",
    "person": "thing",
    "company": "thing",
    "product": "thing",
    "place": "thing",
    "bridge": "place",
    "town": "place",
    "value": "",
    "year": "value",
    "key": "",
}


class World(Plan):
    """A plan that builds its graph and checks it."""

    @property
    def closed(self) -> Predicates:
        return Predicates(self.predicates.values())

    def check(self, graph: ReasoningGraph | None = None, **options: object) -> list[Finding]:
        """Check a graph, or the one that the plan builds."""
        return check_item(graph or self.build(), self.closed, PARENTS, **options)  # type: ignore[arg-type]

    def build(self) -> ReasoningGraph:
        graph = ReasoningGraph()
        self._items(graph)
        for entity in self.entities.values():
            graph.add(entity)
        for virtual, source in self.rebinds.items():
            graph.connect(virtual, EdgeKind.REBINDS, source)
        self._paths(graph)
        for fact_id, fact in self.facts.items():
            self._fact(graph, fact_id, fact)
        self._contents(graph)
        self._texts(graph)
        return graph

    def _items(self, graph: ReasoningGraph) -> None:
        last = self.hops[terminal(self.deps)]
        shared = {
            "item_key": "world/1",
            "dataset": "world",
            "source_id": "1",
            "topology": topology(self.deps),
        }
        graph.add(
            ItemNode(
                id="item",
                side=Side.CONSTRUCTED,
                question=self.question,
                answer=self.answer or self.entities[f"e:h{last.index}"].surface,
                aliases=list(self.aliases),
                kept=list(self.kept),
                **shared,
            )
        )
        graph.add(
            ItemNode(
                id="source",
                side=Side.SOURCE,
                question=self.source_question,
                answer=last.source_answer,
                **shared,
            )
        )
        supports = {hop.support for hop in self.hops.values()}
        for index, (title, text) in enumerate(self.passages):
            origin = "support" if index in supports else "distractor"
            graph.add(
                PassageNode(id=f"p{index}", index=index, page_title=title, text=text, origin=origin)
            )
        for hop in self.hops.values():
            graph.add(hop)
        for side in ("item", "source"):
            for node in (*self.hops.values(), *graph.nodes(PassageNode)):
                kind = EdgeKind.HAS_HOP if isinstance(node, HopNode) else EdgeKind.HAS_PASSAGE
                graph.connect(side, kind, node.id)
        for hop_index, slots in self.depends.items():
            for slot, earlier in slots.items():
                graph.connect(f"h{hop_index}", EdgeKind.DEPENDS_ON, f"h{earlier}", slot=slot)

    def _paths(self, graph: ReasoningGraph) -> None:
        for path in self.paths.values():
            graph.add(path)
            graph.connect("item", EdgeKind.HAS_PATH, path.id)
            if path.path_kind is not PathKind.GOLD:
                graph.connect(path.id, EdgeKind.PROTECTS, f"h{path.protected_hop}")
                graph.connect(path.id, EdgeKind.BREAKS_AT, f"h{path.break_hop}")
            if path.path_kind is PathKind.FLEXIBLE:
                support = f"p{self.hops[path.protected_hop].support}"
                graph.connect(path.id, EdgeKind.FORBIDS, support)

    def _fact(self, graph: ReasoningGraph, fact_id: str, fact: Fact) -> None:
        graph.add(FactNode(id=fact_id, predicate=fact.predicate, hop=fact.hop, status=fact.status))
        self._statement(graph, fact_id, fact.subjects, fact.value, fact.host)
        graph.connect(fact_id, EdgeKind.REALIZES, f"h{fact.hop}")
        path = self.paths[fact.path]
        if path.path_kind is PathKind.FLEXIBLE:
            graph.connect(fact_id, EdgeKind.FORBIDS, f"p{self.hops[path.protected_hop].support}")
        if not fact.key:
            return
        stem = fact_id.removeprefix("f:")
        for order, (predicate, subjects, value) in enumerate(
            (
                (link_of(fact.predicate, 0), fact.subjects, fact.key),
                (value_of(fact.predicate, 0), {"k": fact.key}, fact.value),
            ),
            start=1,
        ):
            unit = f"u:{stem}.{order}"
            graph.add(EvidenceUnit(id=unit, predicate=predicate, hop=fact.hop, order=order))
            self._statement(graph, unit, subjects, value, fact.host)
            graph.connect(unit, EdgeKind.COMPOSES, fact_id, rule="join")

    @staticmethod
    def _statement(
        graph: ReasoningGraph, node: str, subjects: dict[str, str], value: str, host: int
    ) -> None:
        for slot, entity in subjects.items():
            graph.connect(node, EdgeKind.SUBJECT, entity, slot=slot)
        graph.connect(node, EdgeKind.OBJECT, value)
        graph.connect(node, EdgeKind.ROUTED_TO, f"p{host}")

    def _contents(self, graph: ReasoningGraph) -> None:
        deps = dependencies(graph)
        for path in self.paths.values():
            anew = regenerated(deps, path.protected_hop) if path.protected_hop else set(deps)
            for hop in deps:
                stem = path.id.removeprefix("path:") if hop in anew else "g"
                fact = f"f:{stem}.h{hop}"
                if fact in self.facts:
                    graph.connect(
                        path.id, EdgeKind.CONTAINS, fact, order=hop, inherited=hop not in anew
                    )

    def sentence(self, graph: ReasoningGraph, node: str) -> str:
        """Return the sentence that states a fact or premise."""
        names = {
            data["slot"]: graph.get(entity, EntityNode).written
            for entity, data in graph.edges(node, EdgeKind.SUBJECT)
        }
        value: EntityNode = graph.target(node, EdgeKind.OBJECT)
        names["k" if value.role is EntityRole.KEY else "y"] = value.written
        wording = self.predicates[graph[node].predicate].wordings[0]  # type: ignore[union-attr]
        return render(wording, names, value.asked_kind)

    def _texts(self, graph: ReasoningGraph) -> None:
        ranks: Counter[tuple[int, int]] = Counter()
        by_host: dict[int, list[tuple[str, Insertion]]] = defaultdict(list)
        for fact_id, fact in self.facts.items():
            stem = fact_id.removeprefix("f:")
            for node in (f"u:{stem}.1", f"u:{stem}.2") if fact.key else (fact_id,):
                text = self.passages[fact.host][1]
                offset = self.offsets.get(node, len(text.rstrip()))
                insertion = InsertionNode(
                    id=f"i:{node}",
                    passage=fact.host,
                    offset=offset,
                    order=ranks[fact.host, offset],
                    text=separator(text, offset) + self.sentence(graph, node),
                )
                ranks[fact.host, offset] += 1
                graph.add(insertion)
                graph.connect(insertion.id, EdgeKind.IN, f"p{fact.host}")
                by_host[fact.host].append((node, Insertion(**insertion.model_dump())))
        for host, added in by_host.items():
            starts = insertion_starts([insertion for _, insertion in added])
            for node, insertion in added:
                write_span(graph, node, host, starts[insertion.id] + 1, insertion.text[1:])


def write_span(graph: ReasoningGraph, node: str, host: int, start: int, exact: str) -> None:
    """Add the span of a sentence, for the premise and for its fact."""
    span = SpanNode(id=f"t:{node}", passage=host, start=start, end=start + len(exact), exact=exact)
    graph.add(span)
    graph.connect(span.id, EdgeKind.IN, f"i:{node}")
    for writer in (node, *graph.targets(node, EdgeKind.COMPOSES)):
        graph.connect(writer, EdgeKind.WRITTEN_AT, span.id)


def blocking(findings: list[Finding]) -> set[str]:
    """Return the codes of the findings that exclude an item."""
    return {str(f.code) for f in findings if f.severity is Severity.BLOCKING}
