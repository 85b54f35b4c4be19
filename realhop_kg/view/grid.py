"""Where on a grid the entities of an item stand: hops are columns, paths are rows.

A hop's column is as late as its consumers allow, so that in a tree of hops every fact joins
neighbouring columns. Competitors that break later stand closer to gold: a path that leaves gold
further right then crosses none that leaves further left.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from realhop_kg.graph.dependency import topological
from realhop_kg.model.entity import EntityRole
from realhop_kg.view.chains import Chains, Path
from realhop_kg.view.scene import SOURCE

__all__ = ["Cell", "Grid", "box_id", "is_answer", "place"]


@dataclass(frozen=True, slots=True)
class Cell:
    """One entity on the grid."""

    box: str
    """Id of its box: path and entity."""
    entity: str
    fact: str
    path: str
    kind: str
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class Grid:
    """All entities of a picture, and what its columns and rows are."""

    cells: tuple[Cell, ...]
    columns: int
    hops: dict[int, tuple[int, ...]]
    """Hops by column; column 0 has none."""
    rows: tuple[tuple[str, str], ...]
    """Path name and kind by row."""


def box_id(path: str, entity: str) -> str:
    """Return the id of the box of an entity in the rows of a path."""
    return f"{path}|{entity}"


def place(chains: Chains, paths: Collection[str] | None = None, *, source: bool = True) -> Grid:
    """Place the entities of an item on a grid.

    Args:
        chains: the item.
        paths: names of the competitor paths to show; None for all of them.
        source: whether to show the source entities above the gold ones.
    """
    column_of = _columns(chains)
    rank = _ranks(column_of)
    named = _question_cells(chains, column_of, rank)
    rows: list[tuple[str, str]] = []
    gold_row: dict[int, int] = {}
    for number in range(1 + max(at for _, at in [*rank.values(), *named.values()])):
        rows += [(SOURCE, SOURCE)] if source else []
        gold_row[number] = len(rows)
        rows.append((chains.gold.name, "gold"))
    cells = []
    for entity, fact, column, at in _gold_entities(chains, rank, named):
        gold = chains.gold.name
        cells.append(Cell(box_id(gold, entity), entity, fact, gold, "gold", gold_row[at], column))
        original = chains.sources.get(entity)
        if source and original is not None:
            above = gold_row[at] - 1
            cells.append(
                Cell(box_id(SOURCE, original), original, "", SOURCE, SOURCE, above, column)
            )
    for path in sorted(chains.paths[1:], key=lambda path: _order(path, column_of)):
        if paths is None or path.name in paths:
            cells += _lane(chains, path, column_of, len(rows))
            rows += [(path.name, str(path.kind))] * _height(chains, path, column_of)
    hops: dict[int, list[int]] = {}
    for hop, column in column_of.items():
        hops.setdefault(column, []).append(hop)
    return Grid(
        cells=tuple(cells),
        columns=1 + max(column_of.values()),
        hops={column: tuple(sorted(found)) for column, found in sorted(hops.items())},
        rows=tuple(rows),
    )


def _order(path: Path, column_of: dict[int, int]) -> tuple[int, int]:
    return -column_of.get(path.break_hop, 0), path.break_hop


def _columns(chains: Chains) -> dict[int, int]:
    order = topological(chains.depends_on)
    consumers: dict[int, list[int]] = {hop: [] for hop in order}
    depth: dict[int, int] = {}
    for hop in order:
        depth[hop] = 1 + max((depth[earlier] for earlier in chains.depends_on[hop]), default=0)
        for earlier in chains.depends_on[hop]:
            consumers[earlier].append(hop)
    last = max(depth.values())
    columns: dict[int, int] = {}
    for hop in reversed(order):
        columns[hop] = min((columns[later] for later in consumers[hop]), default=last + 1) - 1
    return dict(sorted(columns.items()))


def _ranks(column_of: dict[int, int]) -> dict[int, tuple[int, int]]:
    """Return (column, row among the gold rows) by hop."""
    filled: dict[int, int] = {}
    found = {}
    for hop, column in column_of.items():
        found[hop] = (column, filled.get(column, 0))
        filled[column] = filled.get(column, 0) + 1
    return found


def _question_cells(
    chains: Chains, column_of: dict[int, int], rank: dict[int, tuple[int, int]]
) -> dict[str, tuple[int, int]]:
    """Return (column, row among the gold rows) of what the question names, beside its first use."""
    values = {fact.value for fact in chains.facts.values()}
    users: dict[str, list[int]] = {}
    for fact in sorted(chains.facts.values(), key=lambda fact: fact.hop):
        for subject in fact.subjects:
            if subject not in values:
                users.setdefault(subject, []).append(fact.hop)
    taken = set(rank.values())
    found: dict[str, tuple[int, int]] = {}
    for entity, hops in users.items():
        first = min(hops, key=lambda hop: (column_of[hop], hop))
        column, at = column_of[first] - 1, rank[first][1]
        while (column, at) in taken:
            at += 1
        taken.add((column, at))
        found[entity] = (column, at)
    return found


def _gold_entities(
    chains: Chains, rank: dict[int, tuple[int, int]], named: dict[str, tuple[int, int]]
) -> list[tuple[str, str, int, int]]:
    """Return entity, fact, column and gold row of everything gold, left to right."""
    facts = [chains.facts[fact_id] for fact_id in chains.gold.own]
    found = [(entity, "", column, at) for entity, (column, at) in named.items()]
    found += [(fact.value, fact.id, *rank[fact.hop]) for fact in facts if fact.value not in named]
    return sorted(found, key=lambda entry: (entry[2], entry[3]))


def _lane(chains: Chains, path: Path, column_of: dict[int, int], top: int) -> list[Cell]:
    filled: dict[int, int] = {}
    cells = []
    for fact_id in path.own:
        fact = chains.facts[fact_id]
        column = column_of[fact.hop]
        row = top + filled.get(column, 0)
        filled[column] = filled.get(column, 0) + 1
        box = box_id(path.name, fact.value)
        cells.append(Cell(box, fact.value, fact_id, path.name, str(path.kind), row, column))
    return cells


def _height(chains: Chains, path: Path, column_of: dict[int, int]) -> int:
    columns = [column_of[chains.facts[fact].hop] for fact in path.own]
    return max((columns.count(column) for column in columns), default=0)


def is_answer(chains: Chains, cell: Cell) -> bool:
    """Return whether a cell holds what its path leads to."""
    if cell.kind == SOURCE:
        return any(
            chains.entities[virtual].role is EntityRole.ANSWER
            for virtual, source in chains.sources.items()
            if source == cell.entity
        )
    fact = chains.facts.get(cell.fact)
    return fact is not None and chains.hops[fact.hop].terminal
