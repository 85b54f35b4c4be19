from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph_builders.base import Excluded
from graph_builders.hotpotqa import BUILDER
from graph_builders.normalize import Unusable
from graph_builders.supported import paragraphs_of, supported
from realhop_kg.errors import InputError
from realhop_kg.model.item import DeletionUnit, SourceItem, TextRange
from tests.graph_builders.supported_records import columns, hotpot

Write = Callable[..., Path]


def read(write_lines: Write, *records: object) -> list[SourceItem | Excluded]:
    return list(BUILDER.read(write_lines(*records)))


def quoted(item: SourceItem) -> dict[str, list[str]]:
    """Return what the Drop of each target removes."""
    return {
        unit.target: [item.passages[p.passage].text[p.start : p.end] for p in unit.parts]
        for unit in item.units
    }


def test_a_record_becomes_an_item_with_one_unit_per_supporting_title(write_lines: Write):
    [item] = read(write_lines, hotpot())
    assert isinstance(item, SourceItem)
    assert (item.id, item.answer, item.hops, item.line) == ("5a1", "1967", (), 1)
    assert [passage.title for passage in item.passages] == ["Corvane & Sons", "Selby", "Halberg"]
    assert [passage.is_support for passage in item.passages] == [True, False, True]
    assert item.units == (
        DeletionUnit(
            target="h1",
            kind="support_sentences",
            parts=(TextRange(passage=0, start=0, end=36),),
        ),
        DeletionUnit(
            target="h2",
            kind="support_sentences",
            parts=(
                TextRange(passage=2, start=0, end=18),
                TextRange(passage=2, start=19, end=60),
            ),
        ),
    )
    assert quoted(item)["h2"] == [
        "Halberg is a firm.",
        "Halberg opened a shop in Tolland in 1967.",
    ]


def test_columns_give_the_same_item(write_lines: Write):
    [plain] = read(write_lines, hotpot())
    [columnar] = read(write_lines, columns(hotpot()))
    assert plain == columnar


def test_sentences_are_joined_with_a_blank_only_where_none_is():
    [paragraph] = paragraphs_of([["T", [" A.", "B.", " C.", "", "D. ", "E.", ""]]])
    assert paragraph.text == "A. B. C. D. E."
    assert [paragraph.text[start:end].strip() for start, end in paragraph.sentences] == [
        "A.",
        "B.",
        "C.",
        "",
        "D.",
        "E.",
        "",
    ]


def test_support_that_stands_there_twice_goes_from_both_copies(write_lines: Write):
    record = hotpot()
    record["context"] += [record["context"][2], ["Halberg", ["The Halberg is a hill.", " Far."]]]
    [item] = read(write_lines, record)
    assert isinstance(item, SourceItem)
    assert [part.passage for part in item.units[1].parts] == [2, 2, 3, 3]


@pytest.mark.parametrize(
    ("changes", "code", "field", "said"),
    [
        ({"_id": ...}, "B2", "id", "missing or null"),
        ({"answer": None}, "B2", "answer", "missing or null"),
        ({"context": ...}, "B2", "context", "missing or null"),
        ({"context": []}, "B2", "context", "an empty list"),
        ({"context": [["T"]]}, "B2", "context[0]", "write [title, sentences]"),
        ({"context": [["T", "text"]]}, "B2", "context[0]", "give a list of texts"),
        ({"context": [["T", [3]]]}, "B2", "context[0].sentences[0]", "write a text"),
        ({"context": {"title": ["T"], "sentences": []}}, "B2", "context", "two columns"),
        ({"context": {"title": [], "sentences": []}}, "B2", "context", "an empty list"),
        ({"supporting_facts": []}, "B2", "supporting_facts", "an empty list"),
        ({"supporting_facts": [["Halberg", "x"]]}, "B2", "supporting_facts[0]", "count them"),
        ({"supporting_facts": [["Halberg", -1]]}, "B2", "supporting_facts[0]", "count them"),
        ({"supporting_facts": [["Halberg", 9]]}, "D2", "supporting_facts[0]", "beyond its 2"),
        ({"supporting_facts": [["Corvane & Sons", 2]]}, "D2", "supporting_facts[0]", "is empty"),
        ({"supporting_facts": [["Brask", 0]]}, "D2", "supporting_facts[0]", "distractor file"),
    ],
)
def test_a_record_that_cannot_be_used_is_excluded_by_field(
    write_lines: Write, changes: dict[str, Any], code: str, field: str, said: str
):
    broken, sound = read(write_lines, hotpot(**changes), hotpot(_id="other"))
    assert isinstance(sound, SourceItem)
    assert isinstance(broken, Excluded)
    assert (broken.code, broken.field) == (code, field)
    assert said in broken.message


def test_repeated_ids_are_excluded(write_lines: Write):
    _, second = read(write_lines, hotpot(), hotpot(question="Another?"))
    assert isinstance(second, Excluded)
    assert "earlier record" in second.message


def test_a_file_of_another_dataset_is_refused(write_lines: Write):
    with pytest.raises(InputError, match="no HotpotQA file: no record has `supporting_facts`"):
        read(write_lines, {"id": 1, "paragraphs": []})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(("title", "sentences", "sent_id")), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(
    st.fixed_dictionaries(
        {}, optional=dict.fromkeys(("_id", "question", "answer", "context"), JSON)
    ),
    JSON,
)
@settings(max_examples=200, deadline=None)
def test_no_record_breaks_the_reader(changes: dict[str, Any], facts: object):
    item = None
    with suppress(Unusable):
        item = supported("hotpotqa", {**hotpot(), **changes, "supporting_facts": facts})
    if item is not None:
        assert all(
            item.passages[p.passage].text[p.start : p.end] for u in item.units for p in u.parts
        )


@pytest.mark.parametrize(
    ("file", "count"),
    [("hotpot_dev_distractor_sample.json", 40), ("hotpot_hf_columnar_sample.jsonl", 6)],
)
def test_public_samples_are_read_whole(shared_data: Path, file: str, count: int):
    outcomes = list(BUILDER.read(shared_data / "multihop" / "hotpotqa" / file))
    items = [outcome for outcome in outcomes if isinstance(outcome, SourceItem)]
    assert len(items) == len(outcomes) == count
    assert {len(item.units) for item in items} == {2}
    assert all("&amp;" not in passage.title for item in items for passage in item.passages)
    for item in items:
        assert all(text.strip() for texts in quoted(item).values() for text in texts)
        assert all(text == text.strip() for texts in quoted(item).values() for text in texts)
