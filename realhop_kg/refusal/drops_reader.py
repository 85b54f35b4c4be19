"""Reads a dataset of Drops, line by line, each question with the graph of its item."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from realhop_kg.errors import InputError
from realhop_kg.freeze.manifest import (
    EXCLUDED,
    GRAPHS,
    ITEMS,
    RELATIONS,
)
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.model.refusal_drop import DropRefusal, KeptDrop
from realhop_kg.refusal.drops_dataset import DROPS, graph_line
from realhop_kg.refusal.folder import RefusalFolder
from realhop_kg.relations.predicates import Predicates, RelationsFile

__all__ = ["DropsDataset"]

WholeDrop = tuple[DropRefusal, ReasoningGraph, Predicates]
"""A question, the whole graph of its item, and every predicate that the graph may use."""


class DropsDataset(RefusalFolder):
    """A folder that `realhop refusal from-drops` wrote."""

    KIND = DROPS
    HOLDS = "Drops"
    WRITER = "realhop refusal from-drops"

    def items(self) -> Iterator[DropRefusal]:
        """Yield the questions in their order.

        Raises:
            InputError: naming the line, if one cannot be read.
        """
        return self._records(ITEMS, DropRefusal)

    def kept(self) -> Iterator[KeptDrop]:
        """Yield the Drops that gave no question, in their order.

        Raises:
            InputError: naming the line, if one cannot be read.
        """
        return self._records(EXCLUDED, KeptDrop)

    def whole(self) -> Iterator[WholeDrop]:
        """Yield every question with the graph of its item, which some share, in order.

        Raises:
            InputError: naming the line, if one cannot be read, or a question has no graph.
        """
        lines = self._lines(GRAPHS)
        name, graph, predicates = "", ReasoningGraph(), self._predicates
        for drop in self.items():
            while name != drop.item:
                line = next(lines, None)
                if line is None:
                    raise self._damaged(GRAPHS, 0)
                name, graph, predicates = self._graph(*line)
            yield drop, graph, predicates

    def item(self, name: str) -> WholeDrop:
        """Return one question with its graph, by its key or its end: `2hop__1_2/drop-1`.

        Raises:
            InputError: if none, or more than one, is called so, or a line cannot be read.
        """
        found = [drop for drop in self.items() if name and f"/{drop.id}".endswith(f"/{name}")]
        if not found:
            raise InputError(
                f"no question {name!r} in {self.folder / ITEMS}; ids end with /drop-1, /drop-2 ..."
            )
        if len(found) > 1:
            names = ", ".join(drop.id for drop in found[:5])
            raise InputError(f"{name!r} may mean {names}; name one of them in full")
        for line in self._lines(GRAPHS):
            key, graph, predicates = self._graph(*line)
            if key == found[0].item:
                return found[0], graph, predicates
        raise self._damaged(GRAPHS, 0)

    @cached_property
    def _predicates(self) -> Predicates:
        path = self.folder / RELATIONS
        try:
            held = RelationsFile.model_validate_json(path.read_bytes())
        except (OSError, ValueError) as error:
            raise self._damaged(RELATIONS, 0) from error
        return Predicates(held.predicates, held.types)

    def _graph(self, number: int, content: bytes) -> tuple[str, ReasoningGraph, Predicates]:
        data = self._json(GRAPHS, number, content)
        try:
            return (str(data["id"]), *graph_line(data, self._predicates))
        except (KeyError, ValueError, InputError) as error:
            raise self._damaged(GRAPHS, number) from error
