"""What one would write without this package: one query per node and edge, and plain rdflib."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.stores.rdf import item_iri, item_triples
from realhop_kg.stores.rdf_terms import Iri
from realhop_kg.stores.rows import pack_graph
from realhop_kg.stores.store import Statement, Store

__all__ = ["autocommit", "load_by_single_queries", "rdflib_nquads"]

Run = Callable[[str, Mapping[str, Any]], object]
Graphs = list[tuple[str, ReasoningGraph]]


@contextmanager
def autocommit(store: Store) -> Iterator[Run]:
    """Give a function that runs one statement in a transaction of its own.

    On Neo4j that is `session.run` of the plain driver, in one session.
    """
    address = os.environ.get("REALHOP_NEO4J_URI", "")
    if not hasattr(store, "address"):
        yield lambda cypher, params: store.write([Statement(cypher, params)])
        return
    import neo4j

    with neo4j.GraphDatabase.driver(address) as driver, driver.session() as session:
        yield lambda cypher, params: session.run(cypher, dict(params)).consume()


def load_by_single_queries(run: Run, scope: str, graphs: Graphs) -> int:
    """Load graphs node by node and edge by edge; return the number of queries."""
    count = 0
    for item, graph in graphs:
        packed = pack_graph(scope, item, graph)
        for label, nodes in packed.nodes.items():
            cypher = f"CREATE (n:{label} {{id: $id}}) SET n += $properties"
            for node in nodes:
                run(cypher, node)
                count += 1
        for (source, kind, target), edges in packed.edges.items():
            cypher = (
                f"MATCH (a:{source} {{id: $source}}) MATCH (b:{target} {{id: $target}}) "
                f"CREATE (a)-[r:`{kind}`]->(b) SET r = $properties"
            )
            for edge in edges:
                run(cypher, edge)
                count += 1
    return count


def rdflib_nquads(scope: str, graphs: Graphs) -> int:
    """Build an rdflib dataset of the same triples and serialise it; return its length."""
    from rdflib import Dataset, Literal, URIRef

    dataset = Dataset()
    for item, graph in graphs:
        named = dataset.graph(URIRef(item_iri(scope, item)))
        for subject, predicate, value in item_triples(scope, item, graph):
            end = URIRef(value) if isinstance(value, Iri) else Literal(value.value)
            named.add((URIRef(subject), URIRef(predicate), end))
    return dataset.serialize(format="nquads").count("\n")
