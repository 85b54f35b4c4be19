"""Freezes constructed items, one by one, into a dataset folder that appears whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from realhop_kg.errors import ContractError, VerificationError
from realhop_kg.folder import atomic_folder
from realhop_kg.freeze.card import card
from realhop_kg.freeze.counts import Tally, certificate_counts
from realhop_kg.freeze.croissant import croissant
from realhop_kg.freeze.environment import environment
from realhop_kg.freeze.hashes import describe_file
from realhop_kg.freeze.items import frozen_item
from realhop_kg.freeze.manifest import (
    CROISSANT,
    ENVIRONMENT,
    EXCLUDED,
    GRAPHS,
    ITEMS,
    MANIFEST,
    OWN_PREDICATES,
    QUALITY,
    README,
    RELATIONS,
    CertificateCounts,
    FileEntry,
    Manifest,
    Provenance,
    canary_of,
    sealed,
)
from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.freeze.replaceable import datasets_of
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import EvidenceUnit, FactNode, HopNode
from realhop_kg.jsonl import JsonlWriter, canonical
from realhop_kg.model.finding import Finding
from realhop_kg.model.frozen import ExcludedItem, FrozenItem
from realhop_kg.model.record import SCHEMA_VERSION
from realhop_kg.relations.predicates import Predicate, Predicates, RelationsFile

__all__ = ["DatasetWriter", "Packed", "closure", "pack", "used_predicates"]


@dataclass(frozen=True, slots=True)
class Packed:
    """Everything that a dataset keeps of one item; workers may make it and send it on."""

    item: FrozenItem
    graph: dict[str, Any]
    """Node-link data."""
    certificates: CertificateCounts
    predicates: frozenset[str]
    """Ids of the predicates that the graph names."""
    own: tuple[Predicate, ...] = ()
    """Predicates that were made for this item, with their premises."""


def pack(
    graph: ReasoningGraph,
    predicates: Predicates,
    diagnostics: Iterable[Finding] = (),
    own: Iterable[Predicate] = (),
) -> Packed:
    """Return everything that a dataset keeps of one item.

    Args:
        graph: a constructed graph that breaks no blocking contract.
        predicates: what its predicates entail.
        diagnostics: the findings that `check_item` returned for it.
        own: predicates that were made for this item alone.

    Raises:
        ContractError: if the graph gives no record or no certificates.
    """
    return Packed(
        item=frozen_item(graph, diagnostics),
        graph=graph.to_node_link(),
        certificates=certificate_counts(graph, predicates),
        predicates=used_predicates(graph),
        own=tuple(own),
    )


def used_predicates(graph: ReasoningGraph) -> frozenset[str]:
    """Return the ids of the predicates that hops, facts and premises of a graph name."""
    used = {fact.predicate for fact in graph.nodes(FactNode)}
    used |= {unit.predicate for unit in graph.nodes(EvidenceUnit)}
    for hop in graph.nodes(HopNode):
        used |= {hop.relation, hop.required}
    return frozenset(used)


def closure(used: Iterable[str], predicates: Mapping[str, Predicate]) -> list[Predicate]:
    """Return the used predicates and whatever they name in turn, sorted by id.

    Raises:
        ContractError: S4 if one is not declared, since nothing could be checked about it.
    """
    found: dict[str, Predicate] = {}
    frontier = list(used)
    while frontier:
        predicate_id = frontier.pop()
        if predicate_id in found:
            continue
        if predicate_id not in predicates:
            raise ContractError("S4", f"predicate {predicate_id!r} is used and not declared")
        predicate = found[predicate_id] = predicates[predicate_id]
        named = (*predicate.entails, predicate.inverse, predicate.parent)
        frontier += (other for other in named if other)
    return [found[predicate_id] for predicate_id in sorted(found)]


class DatasetWriter:
    """Writes one dataset folder; use it in a `with` statement.

    Items stream through: what is kept of them is counts and the ids of their predicates. Any
    exception inside the `with` statement leaves nothing under the final name.

    Attributes:
        manifest: what was written, once the `with` statement has ended.
    """

    def __init__(
        self,
        target: Path,
        provenance: Provenance,
        predicates: Predicates,
        parents: Mapping[str, str],
        *,
        force: bool = False,
        quality: Callable[[FrozenDataset], object] | None = None,
    ) -> None:
        """Prepare to write; nothing is touched before the `with` statement.

        Args:
            target: the dataset folder.
            provenance: where the dataset comes from.
            predicates: all predicates that items may use.
            parents: parent by entity type.
            force: replace a dataset that stands there.
            quality: returns what the quality report holds, as JSON values. It is called once, when
                the data files are written; its manifest is complete but for the hashes of README
                and metadata.
        """
        self.manifest: Manifest | None = None
        self._target = target
        self._force = force
        self._provenance = provenance
        self._predicates = predicates
        self._parents = parents
        self._quality = quality
        self._tally = Tally()
        self._used: set[str] = set()
        self._expected: int | None = None

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            own = datasets_of(self._provenance.dataset)
            self._folder = stack.enter_context(atomic_folder(self._target, self._force, own))
            # Runs when the three files are closed and the folder does not bear its name yet.
            stack.push(self._finish)
            self._items, self._excluded, self._graphs = (
                stack.enter_context(JsonlWriter(self._folder / name))
                for name in (ITEMS, EXCLUDED, GRAPHS)
            )
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.__exit__(kind, error, trace)

    def add(self, graph: ReasoningGraph, diagnostics: Iterable[Finding] = ()) -> FrozenItem:
        """Freeze one item and return its record.

        Raises:
            ContractError: as `pack`; nothing of the item is written then.
        """
        packed = pack(graph, self._predicates, diagnostics)
        self.write(packed)
        return packed.item

    def write(self, packed: Packed) -> None:
        """Write an item that `pack` prepared.

        Raises:
            ContractError: S4 if it uses an undeclared predicate; nothing is written then.
        """
        known = self._predicates.extended(packed.own)
        used = {predicate.id: predicate for predicate in closure(packed.predicates, known)}
        own = {predicate.id for predicate in packed.own}
        self._used |= used.keys() - own
        self._items.write(packed.item.model_dump(mode="json"))
        # What was made for one item stands beside its graph, so that relations.json stays small.
        beside = [used[new].model_dump(mode="json") for new in sorted(used.keys() & own)]
        self._graphs.write({"id": packed.item.id, OWN_PREDICATES: beside, **packed.graph})
        self._tally.add(packed.item, packed.certificates)

    def exclude(self, excluded: ExcludedItem) -> None:
        """Record a record or item that is not in the dataset."""
        self._excluded.write(excluded.model_dump(mode="json"))
        self._tally.exclude(excluded.code)

    def expect(self, read: int) -> None:
        """Say how many records were read, so that none disappears silently.

        The folder is then written only if as many were constructed or excluded.
        """
        self._expected = read

    def _finish(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is not None:
            return
        counts = self._tally.counts()
        if self._expected is not None and counts.read != self._expected:
            raise VerificationError(
                f"{self._expected} records were read, {counts.constructed} constructed and "
                f"{counts.excluded} excluded: some are unaccounted for, so nothing was written; "
                "please report this"
            )
        files = dict(self._data_files())
        draft = Manifest(
            **dict(self._provenance),
            counts=counts,
            files=files,
            canary=canary_of(files[ITEMS].sha256),
            environment=self._text(ENVIRONMENT, _readable(environment())),
        )
        files[README] = self._text(README, card(draft))
        files[CROISSANT] = self._text(CROISSANT, _readable(croissant(draft)))
        draft = draft.model_copy(update={"files": files, "quality": self._report(draft)})
        self.manifest = sealed(draft)
        self._text(MANIFEST, canonical(self.manifest.model_dump(mode="json")) + "\n")

    def _data_files(self) -> Iterator[tuple[str, FileEntry]]:
        for lines in (self._items, self._excluded, self._graphs):
            entry = FileEntry(sha256=lines.sha256, bytes=lines.bytes, records=lines.count)
            yield lines.path.name, entry
        relations = RelationsFile(
            schema_version=SCHEMA_VERSION,
            predicates=tuple(closure(self._used, self._predicates)),
            types=dict(sorted(self._parents.items())),
        )
        yield RELATIONS, self._text(RELATIONS, _readable(relations.model_dump(mode="json")))

    def _report(self, draft: Manifest) -> FileEntry | None:
        if self._quality is None:
            return None
        # Read from the folder being written, so that it says the same as when computed again.
        return self._text(QUALITY, _readable(self._quality(FrozenDataset(self._folder, draft))))

    def _text(self, name: str, text: str) -> FileEntry:
        path = self._folder / name
        # What UTF-8 cannot hold becomes an escape, which is JSON's own in the JSON files.
        path.write_bytes(text.encode("utf-8", "backslashreplace"))
        return describe_file(path)


def _readable(value: object) -> str:
    # Keys stay in their order: that of a predicate's slots has a meaning.
    text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
    return text + "\n"
