"""What cannot be read as evidence is named, with its node."""

from __future__ import annotations

import pytest

from realhop_kg.errors import ContractError
from realhop_kg.graph.evidence import read_evidence
from realhop_kg.graph.schema import EdgeKind
from tests.graph.graphs import Sketch, county_item


@pytest.mark.parametrize("edge", [EdgeKind.OBJECT, EdgeKind.SUBJECT])
@pytest.mark.parametrize("node", ["g1", "g2.2"])
def test_statement_without_ends_is_named(node: str, edge: EdgeKind) -> None:
    sketch = county_item()
    sketch.graph.disconnect(node, edge)
    with pytest.raises(ContractError, match=f"G1: {node} has") as caught:
        read_evidence(sketch.graph)
    assert caught.value.code == "G1"
    assert caught.value.nodes == (node,)


def test_fact_with_two_values_is_named() -> None:
    sketch = county_item()
    sketch.graph.connect("g1", EdgeKind.OBJECT, "wexmoor")
    with pytest.raises(ContractError, match="G1: g1 has 1 subjects and 2 values"):
        read_evidence(sketch.graph)


def test_fact_that_fills_a_slot_twice_is_named() -> None:
    sketch = county_item()
    sketch.graph.connect("g1", EdgeKind.SUBJECT, "wexmoor", slot="x")
    with pytest.raises(ContractError, match="G1: g1 fills slot x twice"):
        read_evidence(sketch.graph)


def test_hop_without_gold_fact_is_named() -> None:
    sketch = county_item()
    sketch.graph.disconnect("g1", EdgeKind.REALIZES)
    with pytest.raises(ContractError, match="G1: h1 has 0 gold facts") as caught:
        read_evidence(sketch.graph)
    assert caught.value.nodes == ("h1",)


def test_hop_with_two_gold_facts_is_named() -> None:
    sketch = county_item()
    sketch.fact("again", "located_in", 1, "castor", x="brenholt")
    with pytest.raises(ContractError, match="G1: h1 has 2 gold facts"):
        read_evidence(sketch.graph)


def test_gold_fact_with_other_slots_than_its_hop_is_named() -> None:
    sketch = county_item()
    sketch.graph.connect("g1", EdgeKind.SUBJECT, "wexmoor", slot="z")
    with pytest.raises(ContractError, match="G1: g1 fills slots"):
        read_evidence(sketch.graph)


@pytest.mark.parametrize("slot", ["x", "z"])
def test_dependence_that_cannot_fill_a_slot_is_named(slot: str) -> None:
    sketch = Sketch()
    for index in (1, 2):
        sketch.hop(index, "r")
        sketch.fact(f"g{index}", "r", index, f"y{index}", x="a")
    sketch.hop(3, "r", {"x": 1}, terminal=True)
    sketch.fact("g3", "r", 3, "y3", x="y1")
    sketch.graph.connect("h3", EdgeKind.DEPENDS_ON, "h2", slot=slot)
    with pytest.raises(ContractError, match=f"G1: h3 takes slot {slot} from h2") as caught:
        read_evidence(sketch.graph)
    assert caught.value.nodes == ("h3",)


def test_two_hops_of_one_index_are_named() -> None:
    sketch = Sketch()
    sketch.hop(1, "r", terminal=True)
    sketch.fact("g1", "r", 1, "y", x="x")
    hop = sketch.graph["h1"].model_copy(update={"id": "h1b"})
    sketch.graph.add(hop)
    sketch.fact("g1b", "r", 1, "y", x="x")
    sketch.graph.disconnect("g1b", EdgeKind.REALIZES)
    sketch.graph.connect("g1b", EdgeKind.REALIZES, "h1b")
    with pytest.raises(ContractError, match="G1: h1b has index 1"):
        read_evidence(sketch.graph)


def test_cycle_of_hops_breaks_d1() -> None:
    sketch = county_item()
    sketch.graph.connect("h1", EdgeKind.DEPENDS_ON, "h2", slot="x")
    with pytest.raises(ContractError, match="D1"):
        read_evidence(sketch.graph)
