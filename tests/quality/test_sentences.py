"""Reading the inserted sentences of a graph: skeletons, hosts and places."""

from __future__ import annotations

import pytest

from realhop_kg.graph.schema import FactStatus
from realhop_kg.quality.sentences import sentences_of, skeleton
from tests.freeze.samples import sample_graph


@pytest.mark.parametrize(
    ("text", "names", "expected"),
    [
        ("Calder is the seat of Marrin County.", {"x": "Marrin County", "y": "Calder"},
         "{y} is the seat of {x}."),
        ("The Ask flows into the Orm.", {"x": "the Ask", "y": "the Orm"}, "{x} flows into {y}."),
        ("Roster card 3-118 names Dorian.", {"k": "roster card 3-118"}, "{k} names Dorian."),
        ("The act took effect on 4 May 1861.", {"y": "4 May 1861"}, "The act took effect on {y}."),
        ("It had 1,204.5 acres in 1911.", {}, "It had {n} acres in {n}."),
        ("Orm lies near Ormfield.", {"x": "Orm"}, "{x} lies near Ormfield."),
        ("Orm Hill lies in Orm.", {"x": "Orm", "y": "Orm Hill"}, "{y} lies in {x}."),
        ("A. B. (Jr.) wrote it.", {"y": "A. B. (Jr.)"}, "{y} wrote it."),
        ("Nothing is named.", {"x": ""}, "Nothing is named."),
        ("Unit 7a serves Calder.", {"x": "Calder"}, "Unit {n}a serves {x}."),
    ],
)  # fmt: skip
def test_names_and_numbers_are_left_open(text: str, names: dict[str, str], expected: str) -> None:
    assert skeleton(text, names) == expected


def test_every_insertion_of_a_graph_is_one_sentence() -> None:
    for number in (1, 2):
        graph = sample_graph(number)
        found = list(sentences_of(graph))
        inserted = [node for _, node in graph.nx.nodes(data="payload") if node.kind == "Insertion"]
        assert sorted(s.text for s in found) == sorted(node.text[1:] for node in inserted)
        assert {s.item for s in found} == {f"musique/2hop__{number}"}


def test_a_chain_of_two_hops_has_the_sentences_that_were_planned() -> None:
    found = list(sentences_of(sample_graph(1)))
    gold = [s for s in found if s.status is FactStatus.GOLD]
    assert [(s.hop, s.part) for s in gold] == [(1, 0), (2, 1), (2, 2)]
    assert all(s.host.support for s in gold)
    # Three paths break at hop 1 and go on by two premises; three break at hop 2 by two premises.
    breaks = [s for s in found if s.status is FactStatus.BREAK]
    after = [s for s in found if s.status is FactStatus.CONTINUATION]
    assert (len(breaks), len(after)) == (3 + 6, 6)
    assert gold[0].skeleton == "{x} was designed by {y}."
    assert "{k}" in gold[1].skeleton
    assert "{k}" in gold[2].skeleton


def test_ranks_count_through_the_insertions_of_a_host() -> None:
    found = list(sentences_of(sample_graph(1)))
    by_host: dict[int, list[int]] = {}
    for s in found:
        by_host.setdefault(s.host.index, []).append(s.rank)
        assert 0 < s.place <= 1
        assert s.host.insertions == sum(other.host.index == s.host.index for other in found)
    assert all(sorted(ranks) == list(range(len(ranks))) for ranks in by_host.values())
