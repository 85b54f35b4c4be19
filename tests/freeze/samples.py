"""Small datasets that the tests of this folder write: copies of hand-made items under many keys."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from realhop_kg.freeze.freeze import DatasetWriter
from realhop_kg.freeze.manifest import Manifest, Provenance
from realhop_kg.freeze.terms import source_terms
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import *
from realhop_kg.model.frozen import ExcludedItem
from realhop_kg.relations.predicates import Predicates, Predicate, Family, link_of, value_of
from tests.graph.graphs import county_item, COUNTY_PREDICATES

base = list(COUNTY_PREDICATES.values())
PREDICATES = Predicates(
    base
    + [
        Predicate(
            id=f(p.id, 1), family=Family.LINK, parent=p.id, arguments={"x": "thing"}, value="thing"
        )
        for p in base
        for f in (link_of, value_of)
    ]
)
PARENTS = {"thing": ""}


def sample_graph(number: int = 1) -> ReasoningGraph:
    g = county_item().graph
    for side in ("constructed", "source"):
        g.add(
            ItemNode(
                id="item" if side == "constructed" else "source",
                item_key=f"musique/2hop__{number}",
                dataset="musique",
                source_id=f"2hop__{number}",
                side=side,
                question=f"Which town, {side}?",
                answer="Ellery",
                topology="2hop",
            )
        )
    parts = [f.id for f in g.nodes(FactNode) if not g.sources(f.id, EdgeKind.COMPOSES)] + [
        u.id for u in g.nodes(EvidenceUnit)
    ]
    starts = {}
    for p in parts:
        host = g.target(p, EdgeKind.ROUTED_TO)
        order = starts.setdefault(host.index, [len(host.text), 0])
        text = f" Statement {p} is written."
        g.add(
            InsertionNode(
                id=f"i:{p}", passage=host.index, offset=len(host.text), order=order[1], text=text
            )
        )
        g.connect(f"i:{p}", EdgeKind.IN, host.id)
        g.add(
            SpanNode(
                id=f"t:{p}",
                passage=host.index,
                start=order[0] + 1,
                end=order[0] + len(text),
                exact=text[1:],
            )
        )
        g.connect(f"t:{p}", EdgeKind.IN, f"i:{p}")
        g.connect(p, EdgeKind.WRITTEN_AT, f"t:{p}")
        order[0] += len(text)
        order[1] += 1
    return g


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


def write_dataset(
    target: Path, items: int = 2, excluded: int = 2, *, force: bool = False, **changes: Any
) -> Manifest:
    """Write a dataset of copies of the sample item and return its manifest."""
    with DatasetWriter(target, provenance(**changes), PREDICATES, PARENTS, force=force) as writer:
        for number in range(1, items + 1):
            writer.add(sample_graph(number))
        for number in range(1, excluded + 1):
            writer.exclude(exclusion(number))
        writer.expect(items + excluded)
    assert writer.manifest is not None
    return writer.manifest


if __name__ == "__main__":  # a run in a process of its own
    write_dataset(Path(sys.argv[1]))
