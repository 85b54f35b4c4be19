"""The RDF vocabulary as Turtle, made from the schema table."""

from __future__ import annotations

from collections.abc import Iterator

from realhop_kg.graph.schema import EDGES, NODES
from realhop_kg.stores.rdf import edge_iri
from realhop_kg.stores.rdf_terms import OA, PROV, RDF, RH, XSD, Literal, term
from realhop_kg.stores.schema import LABELS

__all__ = ["vocabulary_turtle"]

_RDFS = "http://www.w3.org/2000/01/rdf-schema#"

_DATATYPES = {
    "STRING": "xsd:string",
    "INTEGER": "xsd:integer",
    "BOOLEAN": "xsd:boolean",
    "LIST<STRING>": "rdf:List",
}

_MORE_CLASSES = {
    "RealizedText": "Text of a passage with its insertions; spans point into it.",
    "Planning": "The activity that planned entities, facts, premises and paths of an item.",
    "Realization": "The activity that wrote them into passages.",
    "Construction": "The run that made a dataset.",
    "Freeze": "The activity that wrote the dataset down for good.",
    "Input": "A file that the run read.",
    "PromptTemplate": "A template by which a model was asked.",
    "ModelCalls": "The calls of one stage; the model is the agent, prompt templates were used.",
    "ModelCall": "One call whose reply went into an item; the reply store has it under its key.",
}

_MORE_PROPERTIES = {
    "id": "Id of a node within its item's graph.",
    "seed": "Seed of every draw of a run.",
    "setting": "A setting of a run, or a parameter of the calls of a stage.",
    "stage": "Stage of construction that a model filled.",
    "partOf": "The calls of a stage that a call is one of.",
    "scope": "Name of a dataset.",
    "key": "Name of a setting, an input, a prompt template, a model or a software; key of a call.",
    "sha256": "SHA-256 of a file or dataset, in hexadecimal digits.",
}


def _node_properties() -> dict[str, tuple[str, list[str]]]:
    """Return range and domain of every property of a node."""
    found: dict[str, tuple[str, list[str]]] = {}
    for kind in NODES:
        for name, prop in LABELS[kind].properties.items():
            if name in NODES[kind].model_fields:
                found.setdefault(name, (prop.cypher_type, []))[1].append(str(kind))
    return found


def _lines() -> Iterator[str]:
    spaces = {"rh": RH, "rdf": RDF, "rdfs": _RDFS, "xsd": XSD, "oa": OA, "prov": PROV}
    yield "# Made from the schema table by python -m realhop_kg.stores.pages."
    for prefix, space in spaces.items():
        yield f"@prefix {prefix}: <{space}> ."
    yield ""
    classes = {str(kind): LABELS[kind].says for kind in NODES} | _MORE_CLASSES
    for name, says in classes.items():
        yield f"rh:{name} a rdfs:Class ;\n  rdfs:comment {term(Literal(says))} ."
    yield ""
    for name, (kind, domain) in _node_properties().items():
        used = ", ".join(domain)
        yield (
            f"rh:{name} a rdf:Property ;\n  rdfs:range {_DATATYPES[kind]} ;\n"
            f"  rdfs:comment {term(Literal(f'Property of {used}.'))} ."
        )
    for name, says in _MORE_PROPERTIES.items():
        yield f"rh:{name} a rdf:Property ;\n  rdfs:comment {term(Literal(says))} ."
    yield ""
    for edge, spec in EDGES.items():
        ends = " to ".join(" or ".join(side) for side in (spec.sources, spec.targets))
        carried = f"; its statement has {', '.join(spec.properties)}" if spec.properties else ""
        says = f"Edge {edge}, from {ends}{carried}."
        yield f"<{edge_iri(edge)}> a rdf:Property ;\n  rdfs:comment {term(Literal(says))} ."


def vocabulary_turtle() -> str:
    """Return the content of `cypher/vocabulary.ttl`."""
    return "\n".join(_lines()) + "\n"
