from __future__ import annotations

from enum import StrEnum
from typing import Literal, get_args, get_origin

import pytest

from realhop_kg.graph.schema import EDGES, NODES, EdgeKind, EntityNode, Node, NodeKind
from realhop_kg.model.entity import EntityRole, Origin

RESERVED = {"name", "title", "type", "label"}
"""Property names that the embedded engine makes up and never leaves NULL."""


def is_storable(annotation: object) -> bool:
    """Say whether every store can hold values of a type as they are."""
    if get_origin(annotation) is Literal:
        return all(isinstance(value, str) for value in get_args(annotation))
    if isinstance(annotation, type) and issubclass(annotation, StrEnum):
        return True
    return annotation in (str, int, bool, list[str])


@pytest.mark.parametrize("model", NODES.values(), ids=lambda model: model.__name__)
def test_node_properties_are_scalars_or_lists_of_texts_with_safe_names(model: type[Node]) -> None:
    assert RESERVED.isdisjoint(model.model_fields)
    # The node-link form writes the kind beside the properties.
    assert "kind" not in model.model_fields
    for field, info in model.model_fields.items():
        assert is_storable(info.annotation), f"{model.__name__}.{field}"


def test_the_table_has_every_kind_of_node_and_edge() -> None:
    assert set(NODES) == set(NodeKind)
    assert set(EDGES) == set(EdgeKind)
    assert all(model.kind is kind for kind, model in NODES.items())
    assert set(NODES.values()) == set(get_args(Node))


@pytest.mark.parametrize("kind", EdgeKind)
def test_edge_properties_are_scalars_with_safe_names(kind: EdgeKind) -> None:
    spec = EDGES[kind]
    assert spec.sources
    assert spec.targets
    assert set(spec.properties.values()) <= {str, int, bool}
    # The node-link form writes these beside the properties.
    assert (RESERVED | {"source", "target", "key", "kind"}).isdisjoint(spec.properties)
    assert spec.parallel_by in ("", *spec.properties)


def entity(**fields: object) -> EntityNode:
    return EntityNode(
        id="e:1",
        surface="Ask River",
        entity_type="river",
        asked_kind="river",
        role=EntityRole.BRIDGE,
        origin=Origin.VIRTUAL,
        **fields,  # type: ignore[arg-type]
    )


def test_forms_of_a_name_come_once_each_and_the_longest_first() -> None:
    named = entity(short="Ask", possessive="Ask River's", aliases=["Ask", "River Ask", ""])
    assert named.forms == ("Ask River's", "Ask River", "River Ask", "Ask")
    assert entity().forms == ("Ask River",)


def test_a_name_is_written_with_its_article() -> None:
    assert entity(article="the").written == "the Ask River"
    assert entity().written == "Ask River"
