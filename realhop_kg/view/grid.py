"""Where on a grid the entities of an item stand: hops are columns, paths are rows.

What the question names is the first column. A hop's column is as late as its consumers allow, so
that in a tree of hops every fact joins neighbouring columns. Competitors that break later stand
closer to gold: a path that leaves gold further right then crosses none that leaves further left.

Where a picture has to be narrow, its columns are laid out in decks one below the other, each a
grid of its own: the first column of a later deck repeats what its facts start from.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from itertools import pairwise

from realhop_kg.graph.dependency import topological
from realhop_kg.graph.schema import PathKind
from realhop_kg.model.entity import EntityRole
from realhop_kg.view.chains import Chains, Fact, Path
from realhop_kg.view.scene import SOURCE

__all__ = ["Cell", "Deck", "Grid", "box_id", "decks", "is_answer", "place"]

Deck = tuple[int, int]
"""The columns of a deck: that of its first box (0 for what the question names), and its last."""


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
    facts: tuple[str, ...]
    """Ids of the facts that lead to its boxes."""
    first: int = 0
    """Column of the whole item with which it begins."""


def box_id(path: str, entity: str) -> str:
    """Return the id of the box of an entity in the rows of a path."""
    return f"{path}|{entity}"


def decks(chains: Chains, most: int) -> tuple[Deck, ...]:
    """Return the columns of an item in decks of about the same width.

    Args:
        chains: the item.
        most: columns of facts that one deck may have.
    """
    last = max(_columns(chains).values())
    count = -(-last // most)
    ends = [round(last * at / count) for at in range(count + 1)]
    return tuple(pairwise(ends))


def place(
    chains: Chains,
    paths: Collection[str] | None = None,
    *,
    source: bool = True,
    deck: Deck | None = None,
) -> Grid:
    """Place the entities of an item, or of one deck of it, on a grid.

    Args:
        chains: the item.
        paths: names of the competitor paths to show; None for all of them.
        source: whether to show the source entities above the gold ones.
        deck: the columns to show; None for all of them.
    """
    whole = _columns(chains)
    first, last = deck or (0, max(whole.values()))
    column_of = {hop: at - first for hop, at in whole.items() if first < at <= last}
    shown = [
        fact
        for fact in chains.facts.values()
        if fact.hop in column_of
        and (paths is None or fact.kind is PathKind.GOLD or fact.path in paths)
    ]
    rank = _ranks(column_of)
    named = _first_cells(chains, shown, rank)
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
    for path in sorted(chains.paths[1:], key=lambda path: _order(path, whole)):
        lane = _lane(chains, path, [fact for fact in shown if fact.path == path.name], column_of)
        cells += [replace(cell, row=cell.row + len(rows)) for cell in lane]
        rows += [(path.name, str(path.kind))] * max((cell.row + 1 for cell in lane), default=0)
    hops: dict[int, list[int]] = {}
    for hop, column in column_of.items():
        hops.setdefault(column, []).append(hop)
    return Grid(
        cells=tuple(cells),
        columns=1 + last - first,
        hops={column: tuple(sorted(found)) for column, found in sorted(hops.items())},
        rows=tuple(rows),
        facts=tuple(fact.id for fact in shown),
        first=first,
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


def _first_cells(
    chains: Chains, shown: Collection[Fact], rank: dict[int, tuple[int, int]]
) -> dict[str, tuple[int, int]]:
    """Return (column, row among the gold rows) of what the question names, and of earlier gold.

    All of it stands in the first column, beside the fact that uses it first where there is room.
    """
    here = {fact.value for fact in shown}
    rivals = {fact.value for fact in chains.facts.values() if fact.kind is not PathKind.GOLD}
    users: dict[str, list[int]] = {}
    for fact in sorted(shown, key=lambda fact: fact.hop):
        for subject in fact.subjects:
            if subject not in here | rivals:
                users.setdefault(subject, []).append(fact.hop)
    taken: set[int] = set()
    found: dict[str, tuple[int, int]] = {}
    for entity, hops in sorted(users.items(), key=lambda each: min(rank[hop] for hop in each[1])):
        at = min(rank[hop] for hop in hops)[1]
        while at in taken:
            at += 1
        taken.add(at)
        found[entity] = (0, at)
    return found


def _gold_entities(
    chains: Chains, rank: dict[int, tuple[int, int]], named: dict[str, tuple[int, int]]
) -> list[tuple[str, str, int, int]]:
    """Return entity, fact, column and gold row of everything gold, left to right."""
    facts = [fact for each in chains.gold.own if (fact := chains.facts[each]).hop in rank]
    found = [(entity, "", column, at) for entity, (column, at) in named.items()]
    found += [(fact.value, fact.id, *rank[fact.hop]) for fact in facts if fact.value not in named]
    return sorted(found, key=lambda entry: (entry[2], entry[3]))


def _lane(
    chains: Chains, path: Path, facts: Collection[Fact], column_of: dict[int, int]
) -> list[Cell]:
    """Return the cells of a path in rows counted from its own first one."""
    filled: dict[int, int] = {}
    cells: list[Cell] = []

    def add(entity: str, fact: str, column: int) -> None:
        row = filled.get(column, 0)
        filled[column] = row + 1
        box = box_id(path.name, entity)
        cells.append(Cell(box, entity, fact, path.name, str(path.kind), row, column))

    earlier = {chains.facts[each].value for each in path.own} - {fact.value for fact in facts}
    starts = (subject for fact in facts for subject in fact.subjects if subject in earlier)
    for entity in dict.fromkeys(starts):
        add(entity, "", 0)
    for fact in facts:
        add(fact.value, fact.id, column_of[fact.hop])
    return cells


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
