from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graph_builders.base import Excluded
from graph_builders.twowiki import BUILDER
from realhop_kg.model.item import SourceHop, SourceItem
from tests.graph_builders.supported_records import twowiki

Write = Callable[..., Path]


def one(write_lines: Write, **changes: Any) -> SourceItem | Excluded:
    [outcome] = BUILDER.read(write_lines(twowiki(**changes)))
    return outcome


def hops(write_lines: Write, **changes: Any) -> list[tuple[str, int | None, tuple[int, ...]]]:
    item = one(write_lines, **changes)
    assert isinstance(item, SourceItem)
    return [(hop.question, hop.support, hop.depends_on) for hop in item.hops]


def test_triples_become_hops_and_titles_deletion_units(write_lines: Write):
    item = one(write_lines)
    assert isinstance(item, SourceItem)
    assert item.hops == (
        SourceHop(index=1, question="Corvane & Sons >> manufacturer", answer="Halberg", support=0),
        SourceHop(index=2, question="#1 >> inception", answer="1967", support=2, depends_on=(1,)),
    )
    assert [unit.target for unit in item.units] == ["h1", "h2"]


def test_hops_are_linked_by_wikidata_id_where_names_differ(write_lines: Write):
    renamed = [
        ["Corvane & Sons", "manufacturer", "Halberg & Co."],
        ["Halberg Company", "inception", "1967"],
    ]
    assert hops(write_lines, evidences=renamed) == [
        ("Corvane & Sons >> manufacturer", 0, ()),
        ("#1 >> inception", 2, (1,)),
    ]
    # Without ids for each triple nothing links them.
    for ids in ([], None, [["Q1", "manufacturer", "Q2"]]):
        assert hops(write_lines, evidences=renamed, evidences_id=ids)[1] == (
            "Halberg Company >> inception",
            2,
            (),
        )


def test_subjects_that_match_no_title_keep_no_support_unless_one_title_is_left(write_lines: Write):
    two = [["Corvan", "manufacturer", "x"], ["Halburg", "inception", "1967"]]
    assert [support for _, support, _ in hops(write_lines, evidences=two, evidences_id=[])] == [
        None,
        None,
    ]


def test_more_triples_than_facts_and_comparisons_are_kept(write_lines: Write):
    triples = [
        ["Corvane & Sons", "country", "Mar"],
        ["Halberg", "country", "Mar"],
        ["Halberg", "founder", "Orm"],
    ]
    assert hops(write_lines, evidences=triples, evidences_id=[]) == [
        ("Corvane & Sons >> country", 0, ()),
        ("Halberg >> country", 2, ()),
        ("Halberg >> founder", 2, ()),
    ]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"evidences": {}}, "evidences"),
        ({"evidences": [["a", "b"]]}, "evidences[0]"),
        ({"evidences": [["a", "b", None]]}, "evidences[0]"),
        ({"evidences_id": [None]}, "evidences_id[0]"),
    ],
)
def test_malformed_triples_exclude_the_record(
    write_lines: Write, changes: dict[str, Any], field: str
):
    outcome = one(write_lines, **changes)
    assert isinstance(outcome, Excluded)
    assert (outcome.code, outcome.field) == ("B2", field)


def test_the_public_sample_is_read_whole(shared_data: Path):
    outcomes = list(BUILDER.read(shared_data / "multihop/2wikimultihopqa/2wiki_sample.json"))
    items = [outcome for outcome in outcomes if isinstance(outcome, SourceItem)]
    assert len(items) == len(outcomes) == 40
    assert Counter(len(item.units) for item in items) == {2: 29, 4: 11}
    chains = [item for item in items if any(hop.depends_on for hop in item.hops)]
    # 12 compositional, 6 inference, 11 comparisons of bridges; the rest compare directly.
    assert len(chains) == 29
    # Of 103 triples, six name a subject otherwise than two or more titles that are left over.
    unplaced = [hop.support for item in items for hop in item.hops].count(None)
    assert unplaced == 6
