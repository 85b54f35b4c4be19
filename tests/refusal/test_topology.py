"""The three topologies keep their contract, and refuse parts that do not fit."""

from __future__ import annotations

from itertools import pairwise

import pytest

from realhop_kg.errors import ContractError
from realhop_kg.model.refusal import Cause, Hyperlink, SeedTerms
from realhop_kg.model.refusal_item import Defect, RefusalChain, SeedVoice, Topology
from realhop_kg.refusal.topology import DEFECT, chain_graph, middle, root, terminal


def links(*titles: str) -> list[Hyperlink]:
    return [
        Hyperlink(
            source=one, target=other, lead=True, paragraph=1, start=0, end=1, anchor=other,
            sentence=f"{one} is by {other}.",
        )
        for one, other in pairwise(titles)
    ]  # fmt: skip


DEFECT_STEP = Defect(
    seed="plain/1", source="plain", cause=Cause.AU, question="Which river did A see?",
    rationale="Nobody knows.", anchor="A", bridge="B",
    voice=SeedVoice(question="Which river did {A} see?", nominal="the river that {A} saw",
                    noun="river", family="river", mention="A"),
    terms=SeedTerms(licence="CC0-1.0", redistributable=True),
)  # fmt: skip


def test_each_topology_has_its_parts() -> None:
    one = root(DEFECT_STEP, links("B", "C", "D"))
    assert (one.topology, one.depth, one.start) == (Topology.ROOT, 3, "A")
    assert one.hidden == ("B", "C", "D")
    two = middle(links("P", "Q", "A"), DEFECT_STEP, links("B", "C"))
    assert (two.topology, two.depth, two.start) == (Topology.MIDDLE, 4, "P")
    assert two.hidden == ("Q", "A", "B", "C")
    three = terminal(links("P", "A"), DEFECT_STEP)
    assert (three.topology, three.depth, three.hidden) == (Topology.TERMINAL, 2, ("A",))
    assert three.defect.bridge == ""


@pytest.mark.parametrize(
    ("make", "code", "message"),
    [
        (lambda: root(DEFECT_STEP, []), "P1", "parts"),
        (lambda: middle(links("P", "A"), DEFECT_STEP, []), "P1", "parts"),
        (lambda: middle([], DEFECT_STEP, links("B", "C")), "P1", "parts"),
        (lambda: terminal(links("P", "X"), DEFECT_STEP), "P1", "anchor"),
        (lambda: root(DEFECT_STEP, links("X", "C")), "P1", "bridge"),
        (lambda: root(DEFECT_STEP, links("B", "A")), "W2", "twice"),
        (lambda: terminal(links("P", "Q", "P", "A"), DEFECT_STEP), "W2", "twice"),
        (lambda: root(DEFECT_STEP, [*links("B", "C"), *links("D", "E")]), "P1", "follow"),
        (lambda: root(DEFECT_STEP, links("B", "C", "D", "E", "F", "G")), "P1", "depth"),
    ],
)
def test_parts_that_do_not_fit_are_refused(make: object, code: str, message: str) -> None:
    with pytest.raises(ContractError, match=message) as error:
        make()  # type: ignore[operator]
    assert error.value.code == code


def test_a_chain_is_a_typed_graph() -> None:
    graph = chain_graph(middle(links("P", "A"), DEFECT_STEP, links("B", "C")))
    assert graph.graph == {"topology": "middle", "depth": 3}
    assert graph.nodes[DEFECT]["cause"] == "AU"
    assert graph.nodes[DEFECT]["rationale"] == "Nobody knows."
    kinds = [(a, b, data["kind"], data["order"]) for a, b, data in graph.edges(data=True)]
    assert sorted(kinds, key=lambda edge: (edge[3], edge[2])) == [
        ("P", "A", "link", 1),
        ("A", DEFECT, "asks", 2),
        (DEFECT, "B", "continues", 2),
        ("B", "C", "link", 3),
    ]
    assert graph.edges["P", "A"]["sentence"] == "P is by A."


def test_a_chain_reads_back() -> None:
    chain = middle(links("P", "A"), DEFECT_STEP, links("B", "C"))
    assert RefusalChain.model_validate_json(chain.model_dump_json()) == chain
