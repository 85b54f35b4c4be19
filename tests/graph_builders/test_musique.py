from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph_builders.base import Excluded
from graph_builders.musique import BUILDER
from realhop_kg.errors import InputError
from realhop_kg.jsonl import canonical
from realhop_kg.model.finding import Code
from realhop_kg.model.item import SourceHop, SourceItem
from realhop_kg.model.text import Passage

Raw = dict[str, Any]
Write = Callable[..., Path]
Put = Callable[[Raw, str, object], Raw]


def read(write_lines: Write, *records: object) -> list[SourceItem | Excluded]:
    return list(BUILDER.read(write_lines(*records)))


# a sound record


def test_a_record_becomes_an_item(write_lines: Write, musique: Raw):
    [found] = read(write_lines, musique)
    assert isinstance(found, SourceItem)
    assert found.file.endswith(".jsonl")
    assert found == SourceItem(
        dataset="musique",
        id="2hop__1_2",
        question="In which year did the maker of the Corvane lamp open a shop in Tolland?",
        answer="1967",
        aliases=("in 1967",),
        passages=tuple(
            Passage(
                index=at,
                title=paragraph["title"],
                text=paragraph["paragraph_text"],
                is_support=at in (0, 2),
            )
            for at, paragraph in enumerate(musique["paragraphs"])
        ),
        hops=(
            SourceHop(
                index=1, question="Corvane lamp >> manufacturer", answer="Halberg", support=0
            ),
            SourceHop(
                index=2,
                question="In which year did #1 open a shop in Tolland?",
                answer="1967",
                support=2,
                depends_on=(1,),
            ),
        ),
        file=found.file,
        line=1,
    )


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.json"])
def test_lines_and_packed_lines_are_read(write_lines: Write, musique: Raw, name: str, put: Put):
    path = write_lines(musique, put(musique, "id", "other"), name=name)
    assert [outcome.id for outcome in BUILDER.read(path)] == ["2hop__1_2", "other"]


def test_a_json_list_is_read(write_lines: Write, musique: Raw, put: Put):
    path = write_lines(json.dumps([musique, put(musique, "id", "other")], indent=1))
    assert [outcome.id for outcome in BUILDER.read(path)] == ["2hop__1_2", "other"]


# broken records


def test_an_exclusion_names_file_line_id_field_reason_and_what_to_do(
    write_lines: Write, musique: Raw, put: Put
):
    broken = put(put(musique, "id", "b"), "question_decomposition.1.answer", "")
    _, outcome = read(write_lines, musique, broken)
    assert outcome == Excluded(
        dataset="musique",
        file="records.jsonl",
        line=2,
        id="b",
        code=Code.B2,
        field="question_decomposition[1].answer",
        message="`question_decomposition[1].answer` is empty; fill it in",
    )
    assert outcome.sentence == f'records.jsonl:2 "b": B2 {outcome.message}'


@pytest.mark.parametrize("value", [None, 3, '"x"', [1], True])
def test_a_record_that_is_no_object_is_excluded(
    write_lines: Write, musique: Raw, value: object, put: Put
):
    first, second, third = read(write_lines, musique, value, put(musique, "id", "b"))
    assert isinstance(first, SourceItem)
    assert isinstance(third, SourceItem)
    assert isinstance(second, Excluded)
    assert (second.code, second.line, second.id) == ("B2", 2, "")
    assert "write an object" in second.message


def test_a_line_that_is_no_json_is_excluded_and_the_rest_read(
    write_lines: Write, musique: Raw, put: Put
):
    first, second, third = read(write_lines, musique, '{"id": ', put(musique, "id", "b"))
    assert isinstance(first, SourceItem)
    assert isinstance(third, SourceItem)
    assert isinstance(second, Excluded)
    assert (second.code, second.line) == ("B2", 2)
    assert second.message.startswith("not JSON")


def test_half_characters_in_an_id_can_be_written_out(write_lines: Write, musique: Raw, put: Put):
    [outcome] = read(write_lines, put(musique, "id", "half \ud83d"))
    assert isinstance(outcome, Excluded)
    assert outcome.id == "half \\ud83d"
    assert canonical(outcome.model_dump(mode="json")).encode()


# repeated ids


def test_of_an_answerable_question_and_its_twin_the_answerable_one_stays(
    write_lines: Write, musique: Raw, put: Put
):
    twin = put(musique, "answerable", False)
    for records in ([musique, twin], [twin, musique]):
        outcomes = read(write_lines, *records)
        assert [outcome.id for outcome in outcomes] == ["2hop__1_2"] * 2
        assert [isinstance(outcome, SourceItem) for outcome in outcomes] == [
            record["answerable"] for record in records
        ]


def test_the_later_of_two_answerable_records_of_one_id_is_excluded(
    write_lines: Write, musique: Raw, put: Put
):
    first, second = read(write_lines, musique, put(musique, "question", "Another one?"))
    assert isinstance(first, SourceItem)
    assert isinstance(second, Excluded)
    assert (second.code, second.field, second.line) == ("B2", "id", 2)
    assert "an earlier record" in second.message


def test_a_broken_record_does_not_take_an_id(write_lines: Write, musique: Raw, put: Put):
    first, second = read(write_lines, put(musique, "answer", ""), musique)
    assert isinstance(first, Excluded)
    assert isinstance(second, SourceItem)


def test_every_reading_begins_anew(write_lines: Write, musique: Raw):
    path = write_lines(musique)
    assert list(BUILDER.read(path)) == list(BUILDER.read(path))


# files of another kind, and limits


@pytest.mark.parametrize("count", [1, 19, 20, 40])
def test_a_file_without_any_record_of_the_form_is_refused_in_one_line(
    write_lines: Write, plain: Raw, count: int
):
    path = write_lines(*[plain] * count)
    with pytest.raises(
        InputError, match=r"is no MuSiQue file[^\n]*--dataset jsonl[^\n]*$"
    ) as error:
        next(BUILDER.read(path))
    assert ("none of its first 20 records" in str(error.value)) == (count >= 20)


def test_a_file_that_is_not_json_is_refused_with_the_first_reason(write_lines: Write):
    with pytest.raises(InputError, match=r"is no MuSiQue file.*\(record 1: not JSON"):
        next(BUILDER.read(write_lines("a, b, c", "1, 2, 3")))


def test_an_empty_list_is_refused(write_lines: Write):
    with pytest.raises(InputError, match="no record has"):
        next(BUILDER.read(write_lines("[]")))


def test_a_file_that_mixes_forms_goes_on(write_lines: Write, musique: Raw, plain: Raw):
    outcomes = read(write_lines, *[plain] * 19, musique)
    assert [type(outcome) for outcome in outcomes] == [Excluded] * 19 + [SourceItem]


def test_a_limit_counts_records_read(write_lines: Write, musique: Raw, put: Put):
    path = write_lines(put(musique, "answer", ""), musique, put(musique, "id", "b"))
    assert [type(outcome) for outcome in BUILDER.read(path, 2)] == [Excluded, SourceItem]
    assert len(list(BUILDER.read(path, 99))) == 3
    with pytest.raises(InputError, match="at least one"):
        next(BUILDER.read(path, 0))


def test_a_limit_does_not_narrow_the_look_at_the_file(write_lines: Write, musique: Raw, plain: Raw):
    assert len(list(BUILDER.read(write_lines(plain, musique), 1))) == 1


# anything at all in place of a field

PLACES = [
    "id",
    "question",
    "answer",
    "answer_aliases",
    "answerable",
    "paragraphs",
    "paragraphs.0",
    "paragraphs.0.idx",
    "paragraphs.0.title",
    "paragraphs.0.paragraph_text",
    "paragraphs.0.is_supporting",
    "question_decomposition",
    "question_decomposition.0",
    "question_decomposition.1.question",
    "question_decomposition.1.answer",
    "question_decomposition.1.paragraph_support_idx",
]
ANY_TEXT = st.text(st.characters()) | st.from_regex(r"(#\d{1,6}|>>| |[a-z]){0,6}", fullmatch=True)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | ANY_TEXT,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(ANY_TEXT | st.sampled_from(["question", "answer", "idx"]), inner)
    ),
    max_leaves=6,
)


@settings(
    max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(st.dictionaries(st.sampled_from(PLACES), ANYTHING, min_size=1, max_size=3))
def test_whatever_stands_in_a_field_gives_an_item_or_an_exclusion(
    write_lines: Write, musique: Raw, put: Put, values: dict[str, Any]
):
    record = musique
    # Inner places first: they are gone once what holds them is replaced.
    for place in sorted(values, key=lambda place: -place.count(".")):
        record = put(record, place, values[place])
    # Another record tells the form of the file: NaN, say, makes this one no JSON.
    outcome, _ = read(write_lines, record, put(musique, "id", "the other"))
    written = canonical(outcome.model_dump(mode="json")).encode()
    assert type(outcome).model_validate_json(written) == outcome
    if isinstance(outcome, Excluded):
        assert outcome.code in ("B1", "B2", "D1", "D2")
        assert "\n" not in outcome.sentence


# real data


@pytest.mark.parametrize(
    ("name", "usable"),
    [("musique_ans_sample.jsonl", 60), ("musique_full_unanswerable_sample.jsonl", 0)],
)
def test_every_real_record_is_accounted_for(shared_data: Path, name: str, usable: int):
    path = shared_data / "multihop" / "musique" / name
    outcomes = list(BUILDER.read(path))
    items = [outcome for outcome in outcomes if isinstance(outcome, SourceItem)]
    gone = [outcome for outcome in outcomes if isinstance(outcome, Excluded)]
    with path.open(encoding="utf-8") as lines:
        raw = [json.loads(line) for line in lines]
    assert [outcome.id for outcome in outcomes] == [record["id"] for record in raw]
    assert (len(items), len(gone)) == (usable, len(raw) - usable)
    assert [outcome.line for outcome in gone] == list(range(1, len(raw) + 1))[usable:]
    assert {outcome.code for outcome in gone} <= {"B1"}
    for found, record in zip(items, raw, strict=False):
        assert [p.text for p in found.passages] == [
            p["paragraph_text"] for p in record["paragraphs"]
        ]
        assert [p.is_support for p in found.passages] == [
            p["is_supporting"] for p in record["paragraphs"]
        ]


def test_real_records_have_the_shapes_that_their_ids_name(shared_data: Path):
    edges = {
        "2hop": {(1, 2)},
        "3hop1": {(1, 2), (2, 3)},
        "3hop2": {(1, 3), (2, 3)},
        "4hop1": {(1, 2), (2, 3), (3, 4)},
        "4hop2": {(1, 3), (2, 3), (3, 4)},
        "4hop3": {(1, 2), (2, 4), (3, 4)},
    }
    shapes: Counter[str] = Counter()
    for found in BUILDER.read(shared_data / "multihop/musique/musique_ans_sample.jsonl"):
        assert isinstance(found, SourceItem)
        shape = found.id.partition("__")[0]
        shapes[shape] += 1
        found_edges = {(k, hop.index) for hop in found.hops for k in hop.depends_on}
        assert found_edges == edges[shape], found.id
        assert all(a.index + 1 == b.index for a, b in pairwise(found.hops))
    assert shapes == {"2hop": 25, "3hop1": 16, "3hop2": 3, "4hop1": 12, "4hop2": 1, "4hop3": 3}
