from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from pydantic import ValidationError

import realhop_kg
from realhop_kg.model.record import Record
from realhop_kg.model.text import Passage

PACKAGE = Path(realhop_kg.__file__).parent


def records() -> Iterator[type[Record]]:
    for folder in ("model", "graph", "freeze", "relations"):
        for path in sorted((PACKAGE / folder).glob("*.py")):
            import_module(f"realhop_kg.{folder}.{path.stem}".removesuffix(".__init__"))
    waiting = [Record]
    while waiting:
        for record in waiting.pop().__subclasses__():
            waiting.append(record)
            yield record


@pytest.mark.parametrize("record", sorted(set(records()), key=lambda r: r.__qualname__))
def test_every_record_is_frozen_and_closed(record: type[Record]) -> None:
    assert record.model_config["frozen"] is True
    assert record.model_config["extra"] == "forbid"


def test_a_record_cannot_be_changed_in_place() -> None:
    passage = Passage(index=0, title="Calder", text="A town.")
    with pytest.raises(ValidationError, match="frozen"):
        passage.title = "Wexmoor"  # type: ignore[misc]


def test_a_record_rejects_an_unknown_field_and_names_it() -> None:
    with pytest.raises(ValidationError, match="titel"):
        Passage(index=0, title="", text="", titel="x")  # type: ignore[call-arg]


def test_a_record_survives_its_own_json() -> None:
    passage = Passage(index=3, title="Stężyca", text='A "quoted"\nline.', is_support=True)
    assert Passage.model_validate_json(passage.model_dump_json()) == passage


def test_the_comment_under_a_field_is_its_description() -> None:
    assert Passage.model_fields["is_support"].description == (
        "Whether the dataset marks it as supporting."
    )
