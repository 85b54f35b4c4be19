"""Checks an item's RDF against the SHACL shapes, by pySHACL; what breaks comes back as findings."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from realhop_kg.errors import InputError
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.model.finding import CONTRACTS, Code, Finding
from realhop_kg.stores.rdf import item_iri, item_triples
from realhop_kg.stores.rdf_terms import RH, quads

if TYPE_CHECKING:
    from rdflib import Graph
    from rdflib.term import Node

__all__ = ["SHAPES", "check_shapes", "shape_findings"]

SHAPES = Path(__file__).with_name("shapes.ttl")
"""The shapes; users may run any other SHACL engine over them and an export."""


@cache
def _shapes() -> Graph:
    from rdflib import Graph

    return Graph().parse(SHAPES, format="turtle")


def check_shapes(item: str, graph: ReasoningGraph, scope: str = "item") -> list[Finding]:
    """Return what of a graph breaks a shape.

    Raises:
        InputError: if pySHACL is not installed.
    """
    from realhop_kg.stores.prepared import PreparedGraph

    base = item_iri(scope, item)
    data = PreparedGraph().parse(
        data="\n".join(quads(item_triples(scope, item, graph))), format="nt"
    )
    return shape_findings(item, data, base)


def shape_findings(item: str, data: Graph, base: str) -> list[Finding]:
    """Return what of a parsed named graph breaks a shape, sorted.

    Args:
        item: key of the item, for the findings.
        data: the triples.
        base: IRI of the named graph, cut from the ids in the findings.

    Raises:
        InputError: if pySHACL is not installed.
    """
    try:
        from pyshacl import validate
    except ImportError as error:
        raise InputError(
            "shapes need pySHACL, which is not installed; pip install 'realhop-kg[rdf]'"
        ) from error
    from rdflib import RDF as TERMS
    from rdflib import SH, URIRef

    _, report, _ = validate(data, shacl_graph=_shapes(), advanced=False, inplace=True)
    found = set()
    for result in report.subjects(TERMS.type, SH.ValidationResult):
        shape = next(report.objects(result, SH.sourceShape))
        constraint = next(report.objects(result, SH.sourceConstraint), shape)
        code = _code(constraint, shape)
        focus = next(report.objects(result, SH.focusNode))
        value = next(report.objects(result, SH.value), None)
        nodes = [_node(focus, base)]
        if isinstance(value, URIRef) and value != focus and value.startswith(f"{base}#"):
            nodes.append(_node(value, base))
        found.add(
            Finding(
                code=code,
                severity=CONTRACTS[code].severity,
                item=item,
                nodes=tuple(nodes),
                message=_message(constraint, shape),
            )
        )
    return sorted(found, key=lambda one: (one.code, one.nodes, one.message))


def _node(iri: Node, base: str) -> str:
    return unquote(str(iri).removeprefix(f"{base}#"))


def _owners(constraint: Node, shape: Node) -> list[Node]:
    """Return where a result's code and message may stand, nearest first.

    A property shape is anonymous: its node shape carries them.
    """
    from rdflib import SH

    shapes = _shapes()
    return [constraint, shape, *shapes.subjects(SH.property, shape)]


def _code(constraint: Node, shape: Node) -> Code:
    from rdflib import URIRef

    for owner in _owners(constraint, shape):
        for code in _shapes().objects(owner, URIRef(f"{RH}code")):
            return Code(str(code))
    raise InputError(f"shape {shape} has no contract code; add rh:code to it")


def _message(constraint: Node, shape: Node) -> str:
    from rdflib import SH

    for owner in _owners(constraint, shape):
        for message in _shapes().objects(owner, SH.message):
            return str(message)
    return "breaks the shape"
