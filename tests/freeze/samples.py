"""Small datasets that the tests of this folder write: valid items under as many keys as wanted."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from realhop_kg.freeze.freeze import DatasetWriter
from realhop_kg.freeze.manifest import Manifest, Provenance
from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.freeze.terms import source_terms
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import ItemNode
from realhop_kg.model.frozen import ExcludedItem
from realhop_kg.relations.predicates import Predicates
from tests.contracts.items import branches, chain
from tests.contracts.world import PARENTS

__all__ = [
    "PARENTS",
    "PREDICATES",
    "exclusion",
    "provenance",
    "questions",
    "rekeyed",
    "sample_graph",
    "write_dataset",
]

PREDICATES = Predicates({**chain().predicates, **branches().predicates}.values())


def sample_graph(number: int = 1) -> ReasoningGraph:
    """Return a valid item: a chain of two hops under odd numbers, else one of three hops."""
    return rekeyed(chain().build() if number % 2 else branches().build(), number)


def rekeyed(graph: ReasoningGraph, number: int) -> ReasoningGraph:
    """Put an item under the key `musique/2hop__{number}`."""
    for node in graph.nodes(ItemNode):
        key = f"2hop__{number}"
        fields = {"item_key": f"musique/{key}", "dataset": "musique", "source_id": key}
        graph.add(node.model_copy(update=fields))
    return graph


def exclusion(number: int, code: str = "Q4", **changes: Any) -> ExcludedItem:
    fields = {
        "id": f"musique/out__{number}",
        "dataset": "musique",
        "file": "questions.jsonl",
        "line": number,
        "stage": "plan",
        "code": code,
        "message": "step 1 names nothing that can be renamed; name an entity in it",
    }
    return ExcludedItem(**{**fields, **changes})


def provenance(**changes: Any) -> Provenance:
    fields = {
        "name": "sample",
        "dataset": "musique",
        "seed": 7,
        "config": {"backend": "rules", "limit": None},
        "catalogue": "0" * 64,
        "terms": source_terms("musique"),
    }
    return Provenance(**{**fields, **changes})


def questions(dataset: FrozenDataset) -> dict[str, object]:
    """Return a quality report of the simplest kind."""
    return {"name": dataset.manifest.name, "questions": [item.question for item in dataset.items()]}


def write_dataset(
    target: Path, items: int = 2, excluded: int = 2, *, force: bool = False, **changes: Any
) -> Manifest:
    """Write a dataset of sample items and return its manifest."""
    with DatasetWriter(
        target, provenance(**changes), PREDICATES, PARENTS, force=force, quality=questions
    ) as writer:
        for number in range(1, items + 1):
            writer.add(sample_graph(number))
        for number in range(1, excluded + 1):
            writer.exclude(exclusion(number))
        writer.expect(items + excluded)
    assert writer.manifest is not None
    return writer.manifest


if __name__ == "__main__":  # a run in a process of its own
    write_dataset(Path(sys.argv[1]))
