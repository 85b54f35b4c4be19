"""Verifies the records of a dataset line by line: items against graphs, and excluded records."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from realhop_kg.contracts.check import check_item
from realhop_kg.errors import RealHopError
from realhop_kg.freeze.counts import Tally, certificate_counts
from realhop_kg.freeze.differences import differences
from realhop_kg.freeze.freeze import used_predicates
from realhop_kg.freeze.items import frozen_item
from realhop_kg.freeze.manifest import EXCLUDED, GRAPHS, ITEMS, OWN_PREDICATES, RELATIONS
from realhop_kg.freeze.report import Discrepancies
from realhop_kg.freeze.verify_files import numbered_lines
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.ids import digest
from realhop_kg.jsonl import canonical
from realhop_kg.model.finding import Code, Finding, Severity
from realhop_kg.model.frozen import ExcludedItem, FrozenItem
from realhop_kg.relations.predicates import Predicate, Predicates, RelationsFile

__all__ = ["Progress", "check_excluded", "check_items"]

Progress = Callable[[int, int], None]
"""Called with (items checked, items in all)."""

_AHEAD = 16
"""How many lines are looked at to find a partner: a damaged line costs one or two."""

_SHOWN = 3
"""Differing fields that are named of one item."""


@dataclass(frozen=True, slots=True)
class _Line:
    """One record as it lies in a file."""

    number: int
    key: str
    text: bytes
    data: dict[str, Any]


def check_items(
    folder: Path,
    relations: RelationsFile | None,
    tally: Tally,
    found: Discrepancies,
    progress: Progress,
    total: int,
) -> bool:
    """Check each graph against the contracts, and each item against its graph.

    Returns:
        Whether every item could be counted.
    """
    check = _ItemCheck(relations, tally, found)
    seen: set[int] = set()
    items, graphs = _Lines(folder / ITEMS, found), _Lines(folder / GRAPHS, found)
    for done, (item, graph) in enumerate(_pairs(items, graphs), 1):
        if item and _repeats(item.key, seen):
            found.add("differs", ITEMS, "the id is repeated", line=item.number, item=item.key)
        if item and graph:
            check.pair(item, graph)
        elif item:
            check.alone(ITEMS, item, f"has no graph at its place in {GRAPHS}")
        elif graph:
            check.alone(GRAPHS, graph, f"has no record at its place in {ITEMS}")
        progress(done, total)
    return check.whole and items.whole and graphs.whole


def _repeats(key: str, seen: set[int]) -> bool:
    small = int(digest(canonical(key)), 16)  # 8 bytes in place of a key of any length
    known = small in seen
    seen.add(small)
    return known


class _Lines:
    """The readable records of a file, with a look ahead; unreadable lines are reported."""

    def __init__(self, path: Path, found: Discrepancies) -> None:
        self.whole = True
        self._path = path
        self._found = found
        self._read = self._parsed()
        self._waiting: deque[_Line] = deque()

    def peek(self) -> _Line | None:
        """Return the next record without taking it."""
        self._fill(1)
        return self._waiting[0] if self._waiting else None

    def take(self) -> _Line:
        """Take the next record, which `peek` returned."""
        return self._waiting.popleft()

    def soon(self, key: str) -> bool:
        """Return whether a record with this key is among the next ones."""
        self._fill(_AHEAD)
        return any(line.key == key for line in self._waiting)

    def _fill(self, number: int) -> None:
        self._waiting.extend(islice(self._read, max(0, number - len(self._waiting))))

    def _parsed(self) -> Iterator[_Line]:
        for number, text in numbered_lines(self._path):
            try:
                data = json.loads(text)
                yield _Line(number, _key(data), text, data)
            except (ValueError, TypeError, LookupError, RecursionError) as error:
                self.whole = False
                message = f"is no record: {error}"
                self._found.add("unreadable", self._path.name, message, line=number)


def _key(data: dict[str, Any]) -> str:
    key = data["id"]
    if not isinstance(key, str):
        raise TypeError("its id is no text")
    return key


def _pairs(items: _Lines, graphs: _Lines) -> Iterator[tuple[_Line | None, _Line | None]]:
    """Pair the records of two files by key in their order; one without partner stands alone."""
    while True:
        item, graph = items.peek(), graphs.peek()
        if item is None and graph is None:
            return
        if item and graph and item.key == graph.key:
            yield items.take(), graphs.take()
        elif item and (graph is None or not graphs.soon(item.key)):
            yield items.take(), None
        else:
            yield None, graphs.take()


class _ItemCheck:
    """Checks items one by one."""

    def __init__(self, relations: RelationsFile | None, tally: Tally, found: Discrepancies) -> None:
        self.whole = True
        self._found = found
        self._tally = tally
        self._declared = relations is not None
        self._predicates = (
            Predicates(relations.predicates, relations.types) if relations else Predicates(())
        )
        self._parents = relations.types if relations else {}

    def alone(self, file: str, line: _Line, message: str) -> None:
        """Report a record without its partner."""
        self.whole = False
        self._found.add("differs", file, message, line=line.number, item=line.key)

    def pair(self, item: _Line, line: _Line) -> None:
        """Check a graph, and the item that should follow from it."""
        data = dict(line.data)
        del data["id"]
        try:
            own = [Predicate.model_validate(each) for each in data.pop(OWN_PREDICATES, ())]
            graph = ReasoningGraph.from_node_link(data)
        except (RealHopError, ValueError, TypeError) as error:
            self.whole = False
            self._found.add("unreadable", GRAPHS, str(error), line=line.number, item=line.key)
            return
        # A damaged graph may break a check anywhere: that is one more thing found, no crash.
        try:
            predicates = self._predicates.extended(own)
            record = frozen_item(graph, self._findings(graph, predicates, line))
            self._compare(record, item)
            self._tally.add(record, certificate_counts(graph, predicates))
        except Exception as error:
            self.whole = False
            message = f"gives no record of the item: {error}"
            code = getattr(error, "code", "")
            self._found.add(
                "unchecked", GRAPHS, message, line=line.number, item=line.key, code=code
            )

    def _findings(
        self, graph: ReasoningGraph, predicates: Predicates, line: _Line
    ) -> list[Finding]:
        """Report what blocks the item, and return the diagnostics."""
        if not self._declared:
            message = f"contracts were not checked: {RELATIONS} cannot be read"
            self._found.add("unchecked", GRAPHS, message, line=line.number, item=line.key)
            return []
        for predicate in sorted(used_predicates(graph) - predicates.keys()):
            message = f"uses predicate {predicate!r}, which {RELATIONS} does not declare"
            self._found.add("differs", GRAPHS, message, line=line.number, item=line.key)
        try:
            findings = check_item(graph, predicates, self._parents)
        except Exception as error:
            message = f"contracts could not be checked: {type(error).__name__}: {error}"
            self._found.add("unchecked", GRAPHS, message, line=line.number, item=line.key)
            return []
        for finding in findings:
            if finding.severity is Severity.BLOCKING:
                self._found.add(
                    "contract",
                    GRAPHS,
                    finding.message,
                    line=line.number,
                    item=line.key,
                    code=finding.code,
                )
        return [finding for finding in findings if finding.severity is not Severity.BLOCKING]

    def _compare(self, record: FrozenItem, item: _Line) -> None:
        derived = record.model_dump(mode="json")
        if canonical(derived).encode() == item.text:
            return
        places = list(islice(differences(item.data, derived), _SHOWN + 1))
        for field, here, there in places[:_SHOWN]:
            message = f"is {here}, its graph gives {there}"
            self._found.add("differs", ITEMS, message, line=item.number, item=item.key, field=field)
        if len(places) > _SHOWN:
            message = "differs from its graph in more fields"
            self._found.add("differs", ITEMS, message, line=item.number, item=item.key)
        if not places:
            message = "is not the canonical JSON that was written"
            self._found.add("differs", ITEMS, message, line=item.number, item=item.key)


def check_excluded(folder: Path, tally: Tally, found: Discrepancies) -> bool:
    """Check the records of what is not in the dataset.

    Returns:
        Whether every record could be counted.
    """
    whole = True
    for number, text in numbered_lines(folder / EXCLUDED):
        try:
            record = ExcludedItem.model_validate(json.loads(text))
        except (ValueError, RecursionError) as error:
            whole = False
            found.add("unreadable", EXCLUDED, f"is no record: {error}", line=number)
            continue
        if canonical(record.model_dump(mode="json")).encode() != text:
            message = "is not the canonical JSON that was written"
            found.add("differs", EXCLUDED, message, line=number, item=record.id)
        if record.code not in set(Code):
            message = "is no code of a contract or refusal"
            found.add(
                "differs",
                EXCLUDED,
                message,
                line=number,
                item=record.id,
                field="code",
                code=record.code,
            )
        tally.exclude(record.code)
    return whole
