"""Freezes the unanswerable Drops of a REALHOP dataset, and verifies them by derivation.

`graphs.jsonl` has the whole graph of each REALHOP item that gave a question, `relations.json` its
predicates, so that anyone can derive again that nothing follows without the dropped passage.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from realhop_kg.errors import InputError
from realhop_kg.folder import atomic_folder
from realhop_kg.freeze.counts import Totals
from realhop_kg.freeze.croissant import croissant
from realhop_kg.freeze.hashes import describe_input
from realhop_kg.freeze.manifest import (
    EXCLUDED,
    GRAPHS,
    ITEMS,
    MANIFEST,
    OWN_PREDICATES,
    RELATIONS,
    Manifest,
    Provenance,
)
from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.freeze.replaceable import datasets_of
from realhop_kg.freeze.verify import verify
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.jsonl import JsonlWriter, RawRecord, read_records
from realhop_kg.model.refusal_drop import DropRefusal, KeptDrop
from realhop_kg.refusal.card import opening, origin_lines, record_set, terms_lines
from realhop_kg.refusal.freeze import seal_folder
from realhop_kg.refusal.from_drops import drop_refusals
from realhop_kg.relations.predicates import Predicate, Predicates

__all__ = ["DROPS", "DropTally", "drops_card", "freeze_drops", "graph_line"]

DROPS = "refusal-drops"
"""`dataset` of the manifest, by which these folders are told from others."""

_FILES = {
    ITEMS: "the questions, one a line, with the passages that are left and why they do not do",
    EXCLUDED: "Drops that leave an answer derivable, with the reason",
    GRAPHS: "the whole graph of each item that gave a question, as node-link data",
    RELATIONS: "the predicates of the graphs and what each entails",
}


class DropTally(Totals):
    """Running counts, the same when a dataset is written and when it is verified."""

    def add(self, drop: DropRefusal) -> None:
        """Count a question."""
        self.include(str(drop.topology), drop.depth)


def graph_line(data: dict[str, Any], predicates: Predicates) -> tuple[ReasoningGraph, Predicates]:
    """Return the graph of a line of `graphs.jsonl`, and all predicates that it may use.

    Raises:
        InputError: if it is no graph.
        ValueError: if a predicate of its own is none.
    """
    rest = {key: value for key, value in data.items() if key not in ("id", OWN_PREDICATES)}
    own = [Predicate.model_validate(each) for each in data.get(OWN_PREDICATES, ())]
    return ReasoningGraph.from_node_link(rest), predicates.extended(own)


Progress = Callable[[int, int], None]
"""Told (steps done, steps in all)."""


def freeze_drops(
    source: Path,
    out: Path,
    *,
    force: bool = False,
    progress: Progress | None = None,
) -> Manifest:
    """Turn the Drops of a frozen REALHOP dataset into a dataset of refusal questions.

    Args:
        source: the REALHOP dataset.
        out: the folder to write.
        force: replace a dataset that stands there.
        progress: told of each item twice, when it is verified and when its Drops are derived.

    Raises:
        InputError: if the source is no such dataset or does not verify, or `out` cannot be
            written.
    """
    dataset = _verified(source, progress)
    predicates, tally = dataset.predicates, DropTally()
    lines = _graph_data(source)
    total = dataset.manifest.counts.constructed
    with atomic_folder(out, force, datasets_of(DROPS)) as folder:
        with ExitStack() as stack:
            items, excluded, graphs = (
                stack.enter_context(JsonlWriter(folder / name))
                for name in (ITEMS, EXCLUDED, GRAPHS)
            )
            for done, item in enumerate(dataset.items(), 1):
                data = next(lines, {})
                if data.get("id") != item.id:
                    raise InputError(
                        f"{source / GRAPHS}, line {done}, is not the graph of {item.id}; `realhop "
                        f"verify {source}` says what is wrong"
                    )
                graph, known = graph_line(data, predicates)
                gave = False
                for outcome in drop_refusals(item, graph, known):
                    if isinstance(outcome, KeptDrop):
                        excluded.write(outcome.model_dump(mode="json"))
                        tally.exclude(outcome.code)
                        continue
                    items.write(outcome.model_dump(mode="json"))
                    tally.add(outcome)
                    gave = True
                if gave:
                    graphs.write(data)
                if progress:
                    progress(total + done, 2 * total)
        return seal_folder(
            folder,
            (items, excluded, graphs),
            _provenance(dataset),
            tally.counts(),
            dataset.relations,
            (drops_card, _metadata),
        )


def _verified(source: Path, progress: Progress | None) -> FrozenDataset:
    dataset = FrozenDataset.open(source)
    report = verify(source, progress=lambda done, total: progress and progress(done, 2 * total))
    if not report.ok:
        first = report.discrepancies[0] if report.discrepancies else "unreadable"
        raise InputError(
            f"{source} does not verify, so no questions are made of it: {first}; `realhop verify "
            f"{source}` says everything"
        )
    return dataset


def _graph_data(source: Path) -> Iterator[dict[str, Any]]:
    for record in read_records(source / GRAPHS):
        yield record.data if isinstance(record, RawRecord) and isinstance(record.data, dict) else {}


def _provenance(dataset: FrozenDataset) -> Provenance:
    manifest = dataset.manifest
    return Provenance(
        name=f"{manifest.name}-drops",
        dataset=DROPS,
        seed=manifest.seed,
        config={"source": manifest.name, "source_digest": manifest.digest},
        inputs=(describe_input(dataset.folder / MANIFEST),),
        catalogue=manifest.catalogue,
        terms=manifest.terms,
    )


def drops_card(manifest: Manifest) -> str:
    """Return the `README.md` of a dataset of Drops."""
    said = (
        f"{manifest.counts.constructed} questions whose passages do not answer them: each is a "
        "question of a REALHOP dataset without the support passage of one step. That nothing is "
        "derivable from what is left was proved for each, and `realhop verify DIR` proves it "
        "again. Give a model question and passages; a good reply says what is missing "
        "(`rationale`)."
    )
    shapes = ", ".join(f"{name} {count}" for name, count in manifest.counts.topologies.items())
    figures = [
        "## Figures",
        "",
        f"By the place of the missing step: {shapes or 'none'}.",
        "",
        f"Drops that leave an answer derivable, and gave no question: {manifest.counts.excluded}.",
        "",
        "| file | holds |",
        "| --- | --- |",
        *(f"| `{name}` | {what} |" for name, what in _FILES.items()),
    ]
    parts = (opening(manifest, said), figures, terms_lines(manifest), origin_lines(manifest))
    return "\n".join(line for part in parts for line in (*part, "")).rstrip() + "\n"


def _metadata(manifest: Manifest) -> dict[str, Any]:
    description = (
        f"{manifest.counts.constructed} questions whose passages lack the evidence of one step, so "
        f"that nothing answers them. Benchmark data, not for training; canary GUID "
        f"{manifest.canary}."
    )
    return croissant(manifest, description, record_set(), _FILES)
