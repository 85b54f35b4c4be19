"""Reads graphs back from RDF, by the parser of rdflib."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from realhop_kg.errors import InputError
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import EDGES, NODES, EdgeKind, NodeKind
from realhop_kg.stores.rdf import edge_iri, property_iri
from realhop_kg.stores.rdf_terms import RDF, RH

if TYPE_CHECKING:
    from rdflib import Dataset, Graph
    from rdflib.term import Node

__all__ = ["graph_of", "parse_dataset", "read_graphs"]

_PLANNED = "urn:realhop:data:"


def parse_dataset(content: str | Path, form: str = "nquads") -> Dataset:
    """Parse N-Quads or TriG into an rdflib dataset.

    Args:
        content: a file, or the text itself.
        form: name of the format, as rdflib calls it.

    Raises:
        InputError: if it does not parse.
    """
    from rdflib import Dataset

    dataset = Dataset()
    try:
        with warnings.catch_warnings():
            # The library's own parsers use what the library has deprecated.
            warnings.simplefilter("ignore", DeprecationWarning)
            if isinstance(content, Path):
                dataset.parse(content, format=form)
            else:
                dataset.parse(data=content, format=form)
    except Exception as error:  # rdflib raises whatever its parsers meet
        raise InputError(f"not {form}: {' '.join(str(error).split())[:300]}") from error
    return dataset


def read_graphs(dataset: Dataset) -> Iterator[tuple[str, ReasoningGraph]]:
    """Yield (item key, graph) of every named graph that holds an item, in order of their names.

    Raises:
        InputError: if a graph breaks the schema table.
    """
    from rdflib import RDF as RDF_TERMS
    from rdflib import URIRef

    named = sorted(dataset.graphs(), key=lambda graph: str(graph.identifier))
    for graph in named:
        items = list(graph.subjects(RDF_TERMS.type, URIRef(RH + NodeKind.ITEM)))
        if items and str(graph.identifier).startswith(_PLANNED):
            key = next(graph.objects(items[0], URIRef(property_iri("item_key"))))
            yield str(key), graph_of(graph)


def graph_of(graph: Graph) -> ReasoningGraph:
    """Return the typed graph of one named graph; derived edges and annotations are left out.

    Raises:
        InputError: if it breaks the schema table.
    """
    from rdflib import URIRef

    found = ReasoningGraph()
    ids: dict[Node, str] = {}
    try:
        for kind, model in NODES.items():
            for own in graph.subjects(URIRef(RDF + "type"), URIRef(RH + kind)):
                fields = {
                    name: _value(graph, own, name)
                    for name, field in model.model_fields.items()
                    if field.exclude_if is None or _has(graph, own, name)
                }
                found.add(model.model_validate(fields))
                ids[own] = fields["id"]
        for edge in EdgeKind:
            for source, target, properties in _edges(graph, edge):
                if source in ids and target in ids:
                    found.connect(ids[source], edge, ids[target], **properties)
    except (KeyError, ValueError, StopIteration) as error:
        raise InputError(f"not a reasoning graph: {error}") from error
    return found


def _has(graph: Graph, own: Node, name: str) -> bool:
    from rdflib import URIRef

    return (own, URIRef(property_iri(name)), None) in graph


def _value(graph: Graph, own: Node, name: str) -> Any:  # noqa: ANN401 - of the field's type
    from rdflib import Literal, URIRef

    values = list(graph.objects(own, URIRef(property_iri(name))))
    if len(values) != 1:
        raise ValueError(f"{own} has {len(values)} values of {name}, not one")
    if isinstance(values[0], Literal):
        return values[0].toPython() if values[0].datatype else str(values[0])
    return [str(text) for text in graph.items(values[0])]


def _edges(graph: Graph, kind: EdgeKind) -> Iterator[tuple[Node, Node, dict[str, Any]]]:
    """Yield the edges of one kind; those with properties are statements about themselves."""
    from rdflib import URIRef

    predicate = URIRef(edge_iri(kind))
    if kind is EdgeKind.RELATES:
        return
    if not EDGES[kind].properties:
        for source, target in graph.subject_objects(predicate):
            yield source, target, {}
        return
    for own in graph.subjects(URIRef(RDF + "predicate"), predicate):
        source = next(graph.objects(own, URIRef(RDF + "subject")))
        target = next(graph.objects(own, URIRef(RDF + "object")))
        yield source, target, {name: _value(graph, own, name) for name in EDGES[kind].properties}
