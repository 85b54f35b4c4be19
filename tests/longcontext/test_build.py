from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from realhop_kg.construct.outcome import Constructed
from realhop_kg.contracts.check import check_item
from realhop_kg.errors import Refusal
from realhop_kg.freeze.items import frozen_item
from realhop_kg.graph.operators.write import insertions_of
from realhop_kg.graph.schema import EntityNode, InsertionNode
from realhop_kg.longcontext.absent import names_held
from realhop_kg.longcontext.build import construct_in
from realhop_kg.longcontext.place import draw_hosts, hosts_wanted
from realhop_kg.model.entity import Origin
from realhop_kg.model.finding import Severity
from realhop_kg.model.frozen import ExcludedItem, FrozenItem
from realhop_kg.model.text import Passage, restore
from realhop_kg.relations.catalogue import catalogue
from tests.longcontext.texts import chunks, question


def built(number: int, seed: int = 0, text: tuple[Passage, ...] | None = None) -> Constructed:
    outcome = construct_in(question(number), text or chunks(), catalogue(), seed)
    assert isinstance(outcome, Constructed), outcome
    return outcome


@pytest.mark.parametrize("number", range(1, 6))
def test_an_item_of_two_to_six_hops_breaks_no_blocking_contract(number: int) -> None:
    outcome, relations = built(number), catalogue()
    found = check_item(outcome.graph, relations.predicates, relations.types.parents, plan_time=True)
    assert [each for each in found if each.severity is Severity.BLOCKING] == []


def test_deleting_the_insertions_gives_the_carrier_back() -> None:
    outcome = built(3)
    item: FrozenItem = frozen_item(outcome.graph)
    added = insertions_of(outcome.graph)
    restored = [restore(p.text, added.get(p.index, [])) for p in item.passages]
    assert restored == [chunk.text for chunk in chunks()]
    assert [p.title for p in item.passages] == [chunk.title for chunk in chunks()]


def test_no_name_that_was_coined_stands_in_the_carrier() -> None:
    graph = built(4).graph
    coined = [e.surface for e in graph.nodes(EntityNode) if e.origin is Origin.VIRTUAL]
    assert coined
    assert names_held(coined, [chunk.text for chunk in chunks()]) == frozenset()


def test_names_that_the_carrier_holds_are_coined_anew() -> None:
    first = built(2)
    taken = [e.surface for e in first.graph.nodes(EntityNode) if e.origin is Origin.VIRTUAL]
    spoilt = (*chunks()[:-1], Passage(index=len(chunks()) - 1, title="", text=f"{taken[0]} came."))
    again = built(2, text=spoilt)
    fresh = {e.surface for e in again.graph.nodes(EntityNode) if e.origin is Origin.VIRTUAL}
    assert taken[0] not in fresh


def test_a_carrier_that_holds_a_name_of_the_drawn_question_is_refused() -> None:
    asked = question(1)
    spoilt = (Passage(index=0, title="", text=f"{asked.answer} came."), *chunks()[1:])
    outcome = construct_in(asked, spoilt, catalogue(), 0)
    assert isinstance(outcome, ExcludedItem)
    assert outcome.code == "R3"


def test_hosts_are_spread_and_sentences_stand_at_boundaries_of_their_own() -> None:
    outcome = built(5)
    places = [(i.passage, i.offset) for i in outcome.graph.nodes(InsertionNode)]
    assert len(set(places)) == len(places)
    hosts = {passage for passage, _ in places}
    quarters = {4 * host // len(chunks()) for host in hosts}
    assert quarters == {0, 1, 2, 3}
    assert len(hosts) >= hosts_wanted(question(5).dependencies) / 2


@pytest.mark.parametrize(
    "text",
    ["", "x" * 9_000, "no sentence ends here\n\n" * 400, "It was so. " * 900, "\u2028" * 500],
)
def test_text_that_cannot_host_is_refused_with_h1(text: str) -> None:
    few = tuple(Passage(index=at, title="", text=text) for at in range(60))
    outcome = construct_in(question(1), few, catalogue(), 0)
    assert isinstance(outcome, ExcludedItem)
    assert outcome.code == "H1"


@given(st.lists(st.integers(0, 9), max_size=30), st.integers(1, 12), st.integers(0, 99))
def test_as_many_hosts_as_wanted_are_drawn_wherever_they_are(
    points: list[int], wanted: int, seed: int
) -> None:
    text = tuple(
        Passage(index=at, title="", text="Dorian Hask met Una Orm. " * count)
        for at, count in enumerate(points)
    )
    enough = sum(count >= 4 for count in points) >= wanted
    if not enough:
        with pytest.raises(Refusal, match="H1"):
            draw_hosts(text, wanted, random.Random(seed))
        return
    hosts = draw_hosts(text, wanted, random.Random(seed))
    assert hosts == sorted(set(hosts))
    assert len(hosts) == wanted
    assert all(points[host] >= 4 for host in hosts)


def test_the_same_seed_gives_the_same_item_and_another_seed_another() -> None:
    assert built(2, seed=5).graph == built(2, seed=5).graph
    assert built(2, seed=5).graph != built(2, seed=6).graph
