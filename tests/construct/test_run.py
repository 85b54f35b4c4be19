from __future__ import annotations

from collections.abc import Iterator

import pytest

from realhop_kg.construct.run import construct_all
from realhop_kg.freeze.freeze import Packed
from realhop_kg.model.frozen import ExcludedItem
from realhop_kg.model.item import SourceItem
from tests.construct.records import record

BROKEN = ExcludedItem(
    id="", dataset="musique", file="own.jsonl", line=3, stage="read", code="B2", message="broken"
)


def outcomes(count: int) -> Iterator[SourceItem | ExcludedItem]:
    for number in range(count):
        if number % 3 == 1:
            yield BROKEN.model_copy(update={"line": number})
        elif number % 3 == 2:
            yield record("Who is the old mayor of Orm?", source_id=f"2hop__out_{number}")
        else:
            yield record(source_id=f"2hop__own_{number}")


def summary(outcome: Packed | ExcludedItem) -> tuple[str, str]:
    if isinstance(outcome, ExcludedItem):
        return f"{outcome.id}:{outcome.line}", outcome.code
    return outcome.item.id, "ok"


def test_every_record_has_one_outcome_in_the_order_of_the_records() -> None:
    found = [summary(outcome) for outcome in construct_all(outcomes(6), 0)]
    assert found == [
        ("musique/2hop__own_0", "ok"),
        (":1", "B2"),
        ("musique/2hop__out_2:1", "Q1"),
        ("musique/2hop__own_3", "ok"),
        (":4", "B2"),
        ("musique/2hop__out_5:1", "Q1"),
    ]


def test_workers_give_what_one_process_gives_and_read_only_a_little_ahead() -> None:
    taken = 0

    def counted() -> Iterator[SourceItem | ExcludedItem]:
        nonlocal taken
        for outcome in outcomes(24):
            taken += 1
            yield outcome

    run = construct_all(counted(), 7, workers=2)
    first = next(run)
    assert taken <= 17
    alone = list(construct_all(outcomes(24), 7))
    assert [first, *run] == alone
    assert list(construct_all(outcomes(6), 8)) != alone[:6]


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_while_reading_ends_the_run(workers: int) -> None:
    def failing() -> Iterator[SourceItem | ExcludedItem]:
        yield BROKEN
        raise OSError("disk gone")

    with pytest.raises(OSError, match="disk gone"):
        list(construct_all(failing(), 0, workers))
