"""The store schema follows the schema table, and the pages made from it are up to date."""

from __future__ import annotations

import pytest

from realhop_kg.graph.schema import EDGES, NODES
from realhop_kg.resources import resource_folder
from realhop_kg.stores.pages import pages
from realhop_kg.stores.rdf import edge_iri, property_iri
from realhop_kg.stores.schema import ADDED, LABELS, TRIPLES, quoted, schema_statements


@pytest.mark.parametrize("name", ["README.md", "schema.cypher", "vocabulary.ttl"])
def test_the_made_pages_are_up_to_date(name: str) -> None:
    written = (resource_folder("cypher") / name).read_text(encoding="utf-8")
    assert written == pages()[name], "run python -m realhop_kg.stores.pages"


def test_every_node_and_edge_of_the_table_is_there() -> None:
    for kind, model in NODES.items():
        names = LABELS[kind].properties.keys() | ADDED.keys()
        assert names >= model.model_fields.keys()
    kinds = {triple.kind for triple in TRIPLES}
    assert kinds >= {str(kind) for kind in EDGES}


def test_no_property_is_one_that_the_embedded_engine_makes_up() -> None:
    for label in LABELS.values():
        assert {"name", "title", "type", "label"}.isdisjoint(label.properties)


def test_every_label_has_a_unique_id_and_an_index() -> None:
    statements = "\n".join(schema_statements())
    for label in LABELS:
        assert f"FOR (n:`{label}`) REQUIRE n.id IS UNIQUE" in statements
        assert f"FOR (n:`{label}`) ON (n.`gid`)" in statements


@pytest.mark.parametrize("name", ["a b", "a`b", "", "1a", "ä", "a-b"])
def test_what_is_no_name_of_a_schema_is_not_quoted(name: str) -> None:
    with pytest.raises(ValueError, match="no name"):
        quoted(name)


def test_no_edge_and_property_share_an_iri() -> None:
    properties = {name for model in NODES.values() for name in model.model_fields}
    properties |= {name for spec in EDGES.values() for name in spec.properties}
    iris = {property_iri(name) for name in properties - {"predicate"}}
    assert iris.isdisjoint({edge_iri(kind) for kind in EDGES})
