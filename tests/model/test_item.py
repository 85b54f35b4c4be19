from __future__ import annotations

import pytest

from realhop_kg.model.item import REFERENCE, SourceHop, SourceItem


def hop(index: int, depends_on: tuple[int, ...] = ()) -> SourceHop:
    return SourceHop(index=index, question="q", answer="a", support=None, depends_on=depends_on)


@pytest.mark.parametrize(
    ("step", "found"),
    [
        ("#1 >> mayor", ["1"]),
        ("who met #2 and #10?", ["2", "10"]),
        ("#12", ["12"]),
        ("room # 3", []),
        ("number one", []),
    ],
)
def test_a_reference_is_a_hash_and_all_its_digits(step: str, found: list[str]) -> None:
    assert REFERENCE.findall(step) == found


def test_the_key_of_an_item_names_dataset_and_source_id() -> None:
    item = SourceItem(
        dataset="jsonl",
        id="a/b",
        question="q",
        answer="a",
        passages=(),
        hops=(hop(1), hop(2, (1,))),
    )
    assert item.key == "jsonl/a/b"
    assert item.dependencies == {1: (), 2: (1,)}
    assert item.answerable
