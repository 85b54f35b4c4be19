"""Freezes refusal questions into a dataset folder that appears whole or not at all."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import networkx as nx

from realhop_kg.folder import atomic_folder
from realhop_kg.freeze.counts import Totals
from realhop_kg.freeze.environment import environment
from realhop_kg.freeze.hashes import describe_file
from realhop_kg.freeze.manifest import (
    CROISSANT,
    ENVIRONMENT,
    EXCLUDED,
    GRAPHS,
    ITEMS,
    MANIFEST,
    README,
    RELATIONS,
    Counts,
    FileEntry,
    Manifest,
    Provenance,
    canary_of,
    sealed,
)
from realhop_kg.freeze.replaceable import datasets_of
from realhop_kg.jsonl import JsonlWriter, canonical
from realhop_kg.model.record import SCHEMA_VERSION
from realhop_kg.model.refusal_item import LeftOutSeed, RefusalChain, RefusalItem
from realhop_kg.refusal.card import refusal_card, refusal_croissant
from realhop_kg.refusal.topology import chain_graph
from realhop_kg.relations.predicates import RelationsFile

__all__ = [
    "DATASET",
    "Described",
    "RefusalTally",
    "RefusalWriter",
    "chain_data",
    "refusal_writer",
    "seal_folder",
]

DATASET = "refusal"
"""`dataset` of the manifest, by which these folders are told from others."""


def chain_data(chain: RefusalChain) -> dict[str, Any]:
    """Return a chain as node-link data."""
    found: dict[str, Any] = nx.node_link_data(chain_graph(chain), edges="edges")
    return found


class RefusalTally(Totals):
    """Running counts, the same when a dataset is written and when it is verified."""

    def __init__(self) -> None:
        super().__init__()
        self.cells: Counter[str] = Counter()
        self.sources: Counter[str] = Counter()
        self.kinds: dict[str, str] = {}
        self.reasons: Counter[tuple[str, bool, str]] = Counter()

    def add(self, item: RefusalItem) -> None:
        """Count a question."""
        self.include(str(item.topology), item.hops)
        self.cells[f"{item.cause}:{item.topology}:{item.depth}"] += 1
        self.sources[item.chain.defect.source] += 1
        self.kinds |= {step.noun: step.family for step in item.steps}

    def leave_out(self, entry: LeftOutSeed) -> None:
        """Count a seed, or a use of one, that gave no question."""
        self.exclude(entry.code)
        self.reasons[entry.source, entry.topology == "", str(entry.code)] += 1

    def reasons_of(self, source: str, whole: bool) -> dict[str, int]:
        """Return how often seeds of a source gave no question, by code.

        Args:
            source: the source.
            whole: seeds as a whole, or uses of seeds.
        """
        found = self.reasons.items()
        return {code: n for (name, all_of_it, code), n in sorted(found)
                if (name, all_of_it) == (source, whole)}  # fmt: skip


class RefusalWriter:
    """Writes one folder; `refusal_writer` gives one.

    Attributes:
        manifest: what was written, once `finish` was called.
        tally: what was counted so far.
    """

    def __init__(self, folder: Path) -> None:
        self.manifest: Manifest | None = None
        self.tally = RefusalTally()
        self._folder = folder
        self._stack = ExitStack()
        self._lines = {
            name: self._stack.enter_context(JsonlWriter(folder / name))
            for name in (ITEMS, EXCLUDED, GRAPHS)
        }

    def add(self, item: RefusalItem) -> None:
        """Write a question and its chain."""
        self._lines[ITEMS].write(item.model_dump(mode="json"))
        self._lines[GRAPHS].write({"id": item.id, **chain_data(item.chain)})
        self.tally.add(item)

    def exclude(self, left_out: Iterable[LeftOutSeed]) -> None:
        """Write what gave no question."""
        for entry in left_out:
            self._lines[EXCLUDED].write(entry.model_dump(mode="json"))
            self.tally.leave_out(entry)

    def close(self) -> None:
        """Close the files."""
        self._stack.close()

    def finish(self, provenance: Provenance) -> Manifest:
        """Write everything else, the manifest last, and return it."""
        self.close()
        relations = RelationsFile(
            schema_version=SCHEMA_VERSION,
            predicates=(),
            types=dict(sorted(self.tally.kinds.items())),
        )
        self.manifest = seal_folder(
            self._folder,
            tuple(self._lines.values()),
            provenance,
            self.tally.counts(),
            relations,
            (refusal_card, refusal_croissant),
        )
        return self.manifest


Described = tuple[Callable[[Manifest], str], Callable[[Manifest], dict[str, Any]]]
"""What gives a folder's card, and its Croissant metadata."""


def seal_folder(
    folder: Path,
    lines: Sequence[JsonlWriter],
    provenance: Provenance,
    counts: Counts,
    relations: RelationsFile,
    described: Described,
) -> Manifest:
    """Write what a dataset folder has beside its lines, the manifest last, and return it.

    Args:
        folder: where the lines were written.
        lines: their writers, closed.
        provenance: where the dataset comes from.
        counts: its figures.
        relations: the predicates or nouns that its records rest on.
        described: give its card and its metadata.
    """
    card, metadata = described

    def write(name: str, text: str) -> FileEntry:
        path = folder / name
        # What UTF-8 cannot hold becomes an escape, which is JSON's own in the JSON files.
        path.write_bytes(text.encode("utf-8", "backslashreplace"))
        return describe_file(path)

    files = {
        one.path.name: FileEntry(sha256=one.sha256, bytes=one.bytes, records=one.count)
        for one in lines
    }
    files[RELATIONS] = write(RELATIONS, _readable(relations.model_dump(mode="json")))
    draft = Manifest(
        **dict(provenance),
        counts=counts,
        files=files,
        canary=canary_of(files[ITEMS].sha256),
        environment=write(ENVIRONMENT, _readable(environment())),
    )
    files[README] = write(README, card(draft))
    files[CROISSANT] = write(CROISSANT, _readable(metadata(draft)))
    manifest = sealed(draft.model_copy(update={"files": files}))
    write(MANIFEST, canonical(manifest.model_dump(mode="json")) + "\n")
    return manifest


def _readable(value: Mapping[str, object]) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


@contextmanager
def refusal_writer(target: Path, force: bool = False) -> Iterator[RefusalWriter]:
    """Give a writer for a new dataset; call its `finish`, or nothing bears the final name.

    Args:
        target: the dataset folder.
        force: replace a dataset that stands there.

    Raises:
        OutputExistsError: if the folder exists and `force` is not set.
        InputError: if it may not be replaced or cannot be written.
    """
    with atomic_folder(target, force, datasets_of(DATASET)) as folder:
        writer = RefusalWriter(folder)
        try:
            yield writer
        finally:
            writer.close()
        if writer.manifest is None:
            raise RuntimeError("a dataset was not finished")
