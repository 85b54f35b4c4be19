"""Whole records with free steps: what is constructed is sound, what is not has its code."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from realhop_kg.construct.outcome import Constructed
from realhop_kg.construct.pipeline import construct_item
from realhop_kg.graph.schema import SpanNode
from realhop_kg.model.frozen import ExcludedItem
from realhop_kg.model.item import SourceItem
from realhop_kg.model.text import Passage
from realhop_kg.relations.catalogue import catalogue
from tests.construct.records import record

RECORDS: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "records.yaml").read_text(encoding="utf-8")
)
BUILT = [number for number, entry in enumerate(RECORDS) if "code" not in entry]
REFUSED = [number for number, entry in enumerate(RECORDS) if "code" in entry]


def source(number: int) -> SourceItem:
    entry = RECORDS[number]
    item = record(
        entry["question"],
        [(step, said) for step, said in entry["steps"]],
        source_id=f"own_{number}",
    )
    passages = list(item.passages)
    for name, kind in entry.get("defines", {}).items():
        article = "an" if kind[0] in "aeiou" else "a"
        text = (
            f"{name} is {article} {kind}. Many people know about it. Some write letters about it."
        )
        passages.append(Passage(index=len(passages), title=name, text=text))
    return item.model_copy(update={"passages": tuple(passages)})


@cache
def outcome(number: int) -> Constructed | ExcludedItem:
    return construct_item(source(number), catalogue(), 0)


@pytest.mark.parametrize("number", BUILT)
def test_a_record_of_allowed_steps_is_constructed(number: int) -> None:
    made = outcome(number)
    assert isinstance(made, Constructed), made


@pytest.mark.parametrize("number", REFUSED)
def test_a_record_outside_the_lists_is_refused(number: int) -> None:
    made = outcome(number)
    assert isinstance(made, ExcludedItem)
    assert made.code == RECORDS[number]["code"]


@pytest.mark.parametrize("number", BUILT)
def test_its_sentences_are_whole_and_repeat_no_article(number: int) -> None:
    made = outcome(number)
    assert isinstance(made, Constructed)
    for span in made.graph.nodes(SpanNode):
        assert re.fullmatch(r"[A-Z].*[^ .]\.", span.exact), span.exact
        assert not re.search(r"\b(?:the the|a a|a the|the a|an the)\b|[{}#]|  ", span.exact.lower())


def test_there_are_sixty_records_and_every_shape_is_among_them() -> None:
    shapes = {tuple(hop.depends_on for hop in source(number).hops) for number in BUILT}
    assert len(BUILT) >= 60
    assert {((), (1,)), ((), (1,), (2,)), ((), (), (1, 2)), ((), (1,), (2,), (3,))} <= shapes
