"""Reads a frozen dataset, lazily: nothing is held that was not asked for."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from realhop_kg.errors import InputError
from realhop_kg.freeze.manifest import (
    EXCLUDED,
    GRAPHS,
    ITEMS,
    OWN_PREDICATES,
    RELATIONS,
    Manifest,
    read_manifest,
)
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.jsonl import canonical
from realhop_kg.model.frozen import ExcludedItem, FrozenItem
from realhop_kg.model.record import Record
from realhop_kg.relations.predicates import Predicate, Predicates, RelationsFile

__all__ = ["FrozenDataset"]

Item = TypeVar("Item", bound=Record)

_NEAREST = 5


class FrozenDataset:
    """A dataset folder, opened for reading.

    Reading trusts the files; `verify` is what checks them.

    Attributes:
        folder: where it lies.
        manifest: what it says of itself.
    """

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.folder = folder
        self.manifest = manifest

    @classmethod
    def open(cls, path: str | Path) -> FrozenDataset:
        """Open a dataset folder.

        Raises:
            InputError: if it is no frozen dataset, is damaged, or is of a newer schema.
        """
        folder = Path(path)
        if not folder.is_dir():
            raise InputError(f"{folder} is no folder; name a frozen dataset")
        manifest = read_manifest(folder)
        if manifest.dataset.startswith("refusal"):
            raise InputError(
                f"{folder} holds questions that have no answer; `realhop refusal` shows and "
                "samples them"
            )
        return cls(folder, manifest)

    def items(self) -> Iterator[FrozenItem]:
        """Yield the constructed items in their order.

        Raises:
            InputError: naming the line, if one cannot be read.
        """
        return self._records(ITEMS, FrozenItem)

    def excluded(self) -> Iterator[ExcludedItem]:
        """Yield the excluded records in their order.

        Raises:
            InputError: naming the line, if one cannot be read.
        """
        return self._records(EXCLUDED, ExcludedItem)

    def graphs(self) -> Iterator[tuple[str, ReasoningGraph]]:
        """Yield (item key, graph) in the order of the items.

        Raises:
            InputError: naming the line, if one cannot be read.
        """
        for number, line in self._lines(GRAPHS):
            yield self._graph(number, self._json(GRAPHS, number, line))

    def reasoning(self) -> Iterator[tuple[str, ReasoningGraph, Predicates]]:
        """Yield (item key, graph, every predicate that it may use), in the order of the items.

        Raises:
            InputError: naming the line, if one cannot be read.
        """
        for number, line in self._lines(GRAPHS):
            data = self._json(GRAPHS, number, line)
            predicates = self._with_own(number, data)
            yield (*self._graph(number, data), predicates)

    def whole(self) -> Iterator[tuple[FrozenItem, ReasoningGraph, Predicates]]:
        """Yield every item with its graph and all predicates that the graph may use, in order.

        Raises:
            InputError: naming the line, if one cannot be read, or an item has no graph.
        """
        lines = self._lines(GRAPHS)
        for item in self.items():
            number, line = next(lines, (0, b"{}"))
            data = self._json(GRAPHS, number, line)
            if data.get("id") != item.id:
                raise self._damaged(self.folder / GRAPHS, number)
            predicates = self._with_own(number, data)
            yield item, self._graph(number, data)[1], predicates

    def item(self, name: str) -> FrozenItem:
        """Return one item.

        Args:
            name: its key (`musique/2hop__1_2`), its source id, or the end of it if that is
                unique.

        Raises:
            InputError: if no item, or more than one, is called so; nearest names are given.
        """
        return self._record(ITEMS, *self._find(ITEMS, name), FrozenItem)

    def graph(self, name: str) -> ReasoningGraph:
        """Return the graph of one item, found like `item`.

        Raises:
            InputError: as `item`.
        """
        return self._graph(*self._found_graph(name))[1]

    def predicates_of(self, name: str) -> Predicates:
        """Return all predicates that the graph of one item may use, its own ones too.

        Raises:
            InputError: as `item`.
        """
        return self._with_own(*self._found_graph(name))

    def _with_own(self, number: int, data: dict[str, Any]) -> Predicates:
        own = data.get(OWN_PREDICATES, ())
        try:
            return self.predicates.extended(Predicate.model_validate(each) for each in own)
        except ValueError as error:
            raise self._damaged(self.folder / GRAPHS, number) from error

    def exclusions(self, name: str) -> tuple[ExcludedItem, ...]:
        """Return every exclusion of one record, found like `item`; an id may be excluded twice.

        Raises:
            InputError: as `item`.
        """
        number, line = self._find(EXCLUDED, name)
        key = self._record(EXCLUDED, number, line, ExcludedItem).id
        return tuple(
            self._record(EXCLUDED, number, line, ExcludedItem)
            for number, line in self._mentions(EXCLUDED, key)
            if self._id(EXCLUDED, number, line) == key
        )

    @cached_property
    def relations(self) -> RelationsFile:
        """The predicates and types that the checks rest on."""
        path = self.folder / RELATIONS
        try:
            return RelationsFile.model_validate_json(path.read_bytes())
        except (OSError, ValueError) as error:
            raise self._damaged(path) from error

    @cached_property
    def predicates(self) -> Predicates:
        """All predicates of the dataset, with what they entail."""
        return Predicates(self.relations.predicates, self.parents)

    @property
    def parents(self) -> Mapping[str, str]:
        """Parent type by entity type."""
        return self.relations.types

    def _lines(self, file: str) -> Iterator[tuple[int, bytes]]:
        path = self.folder / file
        try:
            with path.open("rb") as stream:
                yield from enumerate(stream, 1)
        except OSError as error:
            raise self._damaged(path) from error

    def _records(self, file: str, model: type[Item]) -> Iterator[Item]:
        for number, line in self._lines(file):
            yield self._record(file, number, line, model)

    def _record(self, file: str, number: int, line: bytes, model: type[Item]) -> Item:
        data = self._json(file, number, line)
        try:
            return model.model_validate(data)
        except ValueError as error:
            raise self._damaged(self.folder / file, number) from error

    def _found_graph(self, name: str) -> tuple[int, dict[str, Any]]:
        number, line = self._find(GRAPHS, name)
        return number, self._json(GRAPHS, number, line)

    def _graph(self, number: int, data: dict[str, Any]) -> tuple[str, ReasoningGraph]:
        try:
            data.pop(OWN_PREDICATES, None)
            return data.pop("id"), ReasoningGraph.from_node_link(data)
        except (KeyError, InputError) as error:
            raise self._damaged(self.folder / GRAPHS, number) from error

    def _json(self, file: str, number: int, line: bytes) -> dict[str, Any]:
        try:
            data = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise self._damaged(self.folder / file, number) from error
        if not isinstance(data, dict):
            raise self._damaged(self.folder / file, number)
        return data

    def _id(self, file: str, number: int, line: bytes) -> str:
        return str(self._json(file, number, line).get("id", ""))

    def _mentions(self, file: str, name: str) -> Iterator[tuple[int, bytes]]:
        """Yield the lines that hold a string ending in `name`: a search of bytes, no parsing."""
        needle = canonical(name)[1:].encode()
        for number, line in self._lines(file):
            if needle in line:
                yield number, line

    def _find(self, file: str, name: str) -> tuple[int, bytes]:
        """Return number and content of the line with this key, source id, or end of an id."""
        same: dict[str, tuple[int, bytes]] = {}
        ending: dict[str, tuple[int, bytes]] = {}
        for number, line in self._mentions(file, name) if name else ():
            key = self._id(file, number, line)
            if key == name:
                return number, line
            if key.partition("/")[2] == name:
                same.setdefault(key, (number, line))
            elif key.endswith(name):
                ending.setdefault(key, (number, line))
        found = same or ending
        if len(found) == 1:
            return next(iter(found.values()))
        if found:
            raise InputError(
                f"{name!r} may mean {_listed(sorted(found))}; name one of them in full"
            )
        raise InputError((name and self._elsewhere(file, name)) or self._unknown(file, name))

    def _unknown(self, file: str, name: str) -> str:
        keys = dict.fromkeys(self._id(file, *numbered) for numbered in self._lines(file))
        keys.pop("", None)
        if not keys:
            return f"no record {name!r} in {self.folder / file}, which names none"
        # Compared without the dataset, which a user seldom types.
        by_id = {key.partition("/")[2] or key: key for key in keys}
        close = difflib.get_close_matches(name.rpartition("/")[2], by_id, _NEAREST, cutoff=0.3)
        nearest = [by_id[source_id] for source_id in close] or list(keys)[:_NEAREST]
        return f"no record {name!r} in {self.folder / file}; nearest: {_listed(nearest)}"

    def _elsewhere(self, file: str, name: str) -> str:
        """Return what to say of a name that stands in the other part of the dataset, if it does."""
        other = ITEMS if file == EXCLUDED else EXCLUDED
        for number, line in self._mentions(other, name):
            key = self._id(other, number, line)
            if name in (key, key.partition("/")[2]):
                if other == ITEMS:
                    return f"{key} was not excluded: `realhop show {self.folder} {key}` shows it"
                return f"{key} was excluded: `realhop explain {self.folder} {key}` says why"
        return ""

    def _damaged(self, path: Path, line: int = 0) -> InputError:
        place = f"{path}, line {line}," if line else str(path)
        return InputError(
            f"{place} cannot be read; `realhop verify {self.folder}` says what is wrong"
        )


def _listed(names: list[str]) -> str:
    shown = ", ".join(names[:_NEAREST])
    return shown if len(names) <= _NEAREST else f"{shown} and {len(names) - _NEAREST} more"
