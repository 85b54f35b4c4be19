"""Gives the grid of an item its coordinates: a `Scene`."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from realhop_kg.graph.schema import FactStatus
from realhop_kg.view.chains import Chains, Fact
from realhop_kg.view.grid import Cell, Deck, is_answer, place
from realhop_kg.view.scene import SOURCE, Band, Box, Key, Label, Line, Mark, Point, Scene
from realhop_kg.view.spacing import SCREEN, Sizes, Spacing

__all__ = ["lay_out"]


def lay_out(
    chains: Chains,
    sizes: Sizes = SCREEN,
    *,
    paths: Collection[str] | None = None,
    source: bool = True,
    premises: bool = True,
    deck: Deck | None = None,
) -> Scene:
    """Return the picture of an item.

    Args:
        chains: the item.
        sizes: its measures.
        paths: names of the competitor paths to show; None for all of them.
        source: whether to show the source entities.
        premises: whether to show the keys that join premises.
        deck: the columns to show; None for all of them.
    """
    grid = place(chains, paths, source=source, deck=deck)
    space = Spacing(chains, grid, sizes, premises)
    broken = [fact for fact in space.facts if fact.status is FactStatus.BREAK]
    return Scene(
        width=space.right + space.path_width + 2.5 * space.pad,
        height=space.height,
        font=sizes.font,
        lean=bool(space.bare),
        bands=tuple(_bands(space)),
        boxes=tuple(_box(space, cell) for cell in space.grid.cells),
        keys=tuple(key for fact in space.facts for key in _keys(space, fact)),
        lines=(
            *_rebinds(space),
            *_source_lines(space),
            *(line for fact in space.facts for line in _fact_lines(space, fact)),
        ),
        marks=tuple(_mark(space, fact) for fact in broken),
        labels=(
            *_column_labels(space),
            *_path_labels(space),
            *(label for fact in space.facts for label in _fact_labels(space, fact)),
        ),
    )


def _bands(space: Spacing) -> Iterator[Band]:
    for at in range(space.grid.columns):
        x, width = space.left[at] - space.pad / 2, space.width[at] + space.pad
        yield Band(x, 0, width, space.height)


def _box(space: Spacing, cell: Cell) -> Box:
    return Box(
        id=cell.box,
        entity=cell.entity,
        fact=cell.fact,
        path=cell.path,
        kind=cell.kind,
        x=space.centre(cell.column),
        y=space.middle[cell.row],
        width=space.width[cell.column],
        height=space.box_height(cell),
        lines=space.names[cell.box],
        is_answer=is_answer(space.chains, cell),
    )


def _column_labels(space: Spacing) -> Iterator[Label]:
    for column in range(space.grid.columns):
        lines, width = space.header(column), space.sizes.box * 1.25
        yield Label("column", lines, space.centre(column), space.top / 2, width)


def _path_labels(space: Spacing) -> Iterator[Label]:
    """Yield the name of each path, beside what it leads to."""
    x = space.right + space.pad * 1.5
    for path, kind in dict.fromkeys(space.grid.rows):
        cells = [cell for cell in space.grid.cells if cell.path == path]
        if cells:
            last = max(cells, key=lambda cell: (cell.column, -cell.row))
            y, lines = space.middle[last.row], space.path_lines(path)
            yield Label("path", lines, x, y, space.path_width, False, path=path, kind=kind)


def _rebinds(space: Spacing) -> Iterator[Line]:
    """Yield the lines from each source entity down to what was put in its place."""
    above = {cell.entity: cell for cell in space.grid.cells if cell.kind == SOURCE}
    for cell in space.grid.cells:
        start = above.get(space.chains.sources.get(cell.entity, ""))
        if start is None or cell.kind != "gold":
            continue
        x = space.centre(cell.column)
        top = space.middle[cell.row] - space.box_height(cell) / 2
        if space.sizes.stacked and cell.fact:
            small = space.sizes.small
            top -= space.block(space.words[cell.fact], small) + small * 0.6
        points = ((x, space.middle[start.row] + space.box_height(start) / 2), (x, top))
        name, ends = f"rebinds:{cell.entity}", (start.box, cell.box)
        yield Line(name, "", "", SOURCE, SOURCE, *ends, points, arrow=False, broken=False)


def _source_lines(space: Spacing) -> Iterator[Line]:
    for number, (start, end) in enumerate(space.source_edges()):
        points = (*_way(space, start, end), _entry(space, end))
        name, ends = f"{SOURCE}:{number}", (start.box, end.box)
        yield Line(name, "", "", SOURCE, SOURCE, *ends, points, arrow=True, broken=False)


def _entry(space: Spacing, cell: Cell) -> Point:
    """Return where a line enters a box."""
    return space.left[cell.column], space.middle[cell.row]


def _way(space: Spacing, start: Cell, end: Cell) -> tuple[Point, ...]:
    """Return the points of a line from a box up to where it runs along the row of its end."""
    here, there = space.middle[start.row], space.middle[end.row]
    origin = (space.left[start.column] + space.width[start.column], here)
    if start.column == end.column - 1:
        if start.row == end.row:
            return (origin,)
        turn = space.bus(end.column, start.box)
        return origin, (turn, here), (turn, there)
    # It passes the columns between in the gutter below its own row.
    first, last = space.bus(start.column + 1, start.box), space.bus(end.column, start.box)
    gutter = space.bottom[start.row] + space.sizes.font * 0.25
    return origin, (first, here), (first, gutter), (last, gutter), (last, there)


def _key_places(space: Spacing, fact: Fact) -> list[tuple[str, Point]]:
    """Return (id, place) of the keys of a fact, evenly along its line."""
    keys = [key for key in fact.keys if key in space.keys]
    end = space.targets[fact.id]
    start, width = space.label_from[end.column], space.label_width[end.column]
    step = width / (len(keys) + 1)
    return [(key, (start + step * at, space.middle[end.row])) for at, key in enumerate(keys, 1)]


def _keys(space: Spacing, fact: Fact) -> Iterator[Key]:
    for key, (x, y) in _key_places(space, fact):
        yield Key(f"{fact.path}|{key}", fact.id, fact.path, str(fact.kind), x, y)


def _fact_lines(space: Spacing, fact: Fact) -> Iterator[Line]:
    """Yield the lines of a fact: of each premise, from its subjects or the key before it."""
    end = space.targets[fact.id]
    joints = [(f"{fact.path}|{key}", place) for key, place in _key_places(space, fact)]
    stops = [*joints, (end.box, _entry(space, end))]
    stated = [(part.id, part.subjects) for part in fact.parts] if joints else []
    for at, (part, subjects) in enumerate(stated or [(fact.id, fact.subjects)]):
        target, place = stops[at]
        starts: list[tuple[str, tuple[Point, ...]]] = [
            (cell.box, _way(space, cell, end))
            for cell in (
                space.cell(fact.path, subject) for subject in subjects if subject not in fact.keys
            )
        ]
        # The one that comes first to the row of the fact goes on; the others end on it.
        led = min(starts, key=lambda start: start[1][-1][0], default=("", ()))[0]
        if at:
            led, joint = joints[at - 1]
            starts.insert(0, (led, (joint,)))
        for number, (source, way) in enumerate(starts):
            joins = source != led
            yield Line(
                id=f"{part}:{number}",
                fact=fact.id,
                part=part,
                path=fact.path,
                kind=str(fact.kind),
                source=source,
                target=target,
                points=way if joins else (*way, place),
                arrow=target == end.box,
                joins=joins,
                broken=fact.status is FactStatus.BREAK,
                shared=space.chains.sharing(fact.id),
            )


def _mark(space: Spacing, fact: Fact) -> Mark:
    end = space.targets[fact.id]
    x = space.label_from[end.column] - space.sizes.font * 0.7
    return Mark(fact.id, fact.path, str(fact.kind), x, space.middle[end.row])


def _fact_labels(space: Spacing, fact: Fact) -> Iterator[Label]:
    """Yield the relation above the line of a fact, and the keys below it."""
    end, small = space.targets[fact.id], space.sizes.small
    y, width = space.middle[end.row], space.label_width[end.column]
    words = space.words[fact.id]
    common = (fact.id, fact.path, str(fact.kind))
    above = y - small * 0.6 - space.block(words, small) / 2
    if space.sizes.stacked:
        yield from _stacked_labels(space, fact)
        return
    middle = space.label_from[end.column] + width / 2
    if words:
        yield Label("relation", words, middle, above, width, True, *common)
    for key, (x, _) in _key_places(space, fact):
        lines = space.keys[key]
        if not lines:
            continue
        below = y + small * 0.75 + space.block(lines, small) / 2
        yield Label("key", lines, x, below, width / len(fact.keys), True, *common)


def _stacked_labels(space: Spacing, fact: Fact) -> Iterator[Label]:
    """Yield the relation above the box of its value, and the keys below it."""
    end, small = space.targets[fact.id], space.sizes.small
    x, width = space.centre(end.column), space.width[end.column]
    common = (fact.id, fact.path, str(fact.kind))
    half, words = space.box_height(end) / 2, space.words[fact.id]
    above = space.middle[end.row] - half - small * 0.35 - space.block(words, small) / 2
    if words:
        yield Label("relation", words, x, above, width, True, *common)
    below = space.middle[end.row] + half + small * 0.2
    for key in (key for key in fact.keys if space.keys.get(key)):
        deep = space.block(space.keys[key], small)
        yield Label("key", space.keys[key], x, below + deep / 2, width, True, *common)
        below += deep
