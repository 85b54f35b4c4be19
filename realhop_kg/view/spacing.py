"""Wraps the texts of a picture, and puts its columns and rows where they leave room for them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from realhop_kg.view.chains import Chains, Fact
from realhop_kg.view.grid import Cell, Grid, box_id
from realhop_kg.view.lettering import BOLD, LINE, text_width, wrap
from realhop_kg.view.scene import SOURCE

__all__ = ["COMPACT", "SCREEN", "Sizes", "Spacing"]


@dataclass(frozen=True, slots=True)
class Sizes:
    """Measures of a picture, all in one unit."""

    font: float
    box: float
    """Widest box."""
    label: float
    """Widest text on a line."""
    stacked: bool = False
    """Whether relations stand above the boxes they lead to, where a picture has to be narrow."""
    short: bool = False
    """Whether a path is called by its name alone (`s1a`)."""
    lean: bool = False
    """Whether competing facts that have the relation of the gold one go without its words."""

    @property
    def small(self) -> float:
        """Font size of what stands on lines."""
        return self.font * 0.85


SCREEN = Sizes(font=13, box=150, label=170)
"""Measures in pixels for a page."""

COMPACT = Sizes(font=13, box=140, label=140, stacked=True)
"""The same where a picture would be too wide."""

_LINES_OF_NAME, _LINES_OF_RELATION, _LINES_OF_KEY = 40, 8, 4
_EASY = 6
"""Lines of a name from which its box becomes wider, up to twice as wide, where there is room."""


_LONG = 1000
"""Characters of a name that its width is taken of."""


def _name_of(chains: Chains, entity: str) -> str:
    return chains.entities[entity].surface


class Spacing:
    """How texts wrap on the grid of an item, and where that puts its columns and rows."""

    def __init__(self, chains: Chains, grid: Grid, sizes: Sizes, premises: bool) -> None:
        self.chains, self.grid, self.sizes, self.premises = chains, grid, sizes, premises
        font = sizes.font
        self.pad = font * 0.6
        self._cells = {cell.box: cell for cell in grid.cells}
        self._anywhere = {cell.entity: cell for cell in reversed(grid.cells)}
        self.names = {
            cell.box: self._name(chains.entities[cell.entity].surface) for cell in grid.cells
        }
        self.facts = [chains.facts[fact] for fact in grid.facts]
        gold = {fact.hop: fact.words for fact in self.facts if fact.path == chains.gold.name}
        self.bare = {
            fact.id
            for fact in self.facts
            if sizes.lean and fact.path != chains.gold.name and fact.words == gold[fact.hop]
        }
        self.words = {
            fact.id: () if fact.id in self.bare else self._small(fact.words, _LINES_OF_RELATION)
            for fact in self.facts
        }
        self.keys = {
            key: () if fact.id in self.bare else self._small(_name_of(chains, key), _LINES_OF_KEY)
            for fact in self.facts
            for key in (fact.keys if premises else ())
        }
        self.targets = {fact.id: self.cell(fact.path, fact.value) for fact in self.facts}
        self.top = self._header_height()
        self.buses = self._buses()
        self._set_columns()
        self._set_rows()

    def _name(self, text: str) -> tuple[str, ...]:
        width, font = (self.sizes.box - 2 * self.pad) / BOLD, self.sizes.font
        if not self.sizes.stacked:
            width *= min(2.0, max(1.0, text_width(text[:_LONG], font) / width / _EASY))
        return wrap(text, width, font, _LINES_OF_NAME)

    def _small(self, text: str, most: int) -> tuple[str, ...]:
        width = self.sizes.box if self.sizes.stacked else self.sizes.label
        return wrap(text, width, self.sizes.small, most)

    def cell(self, path: str, entity: str) -> Cell:
        """Return where a path has an entity: in its own rows, else where it stands first.

        Raises:
            KeyError: if the grid lacks it.
        """
        cell = self._cells.get(box_id(path, entity)) or self._anywhere.get(entity)
        if cell is None:
            raise KeyError(f"path {path!r} has no place for {entity!r}")
        return cell

    def block(self, lines: tuple[str, ...], size: float) -> float:
        """Return the height of lines of text."""
        return len(lines) * size * LINE

    def header(self, column: int) -> tuple[str, ...]:
        """Return the heading of a column."""
        hops = self.grid.hops.get(column, ())
        if not hops:
            return self._first_header()
        asked = ", ".join(dict.fromkeys(self.chains.hops[hop].asked_kind for hop in hops))
        name = f"Hop{'s' if len(hops) > 1 else ''} {' and '.join(map(str, hops))}"
        end = " (answer)" if any(self.chains.hops[hop].terminal for hop in hops) else ""
        return wrap(f"{name}: {asked}{end}", self.sizes.box * 1.25 / BOLD, self.sizes.font, 3)

    def _first_header(self) -> tuple[str, ...]:
        if not self.grid.first:
            return ("Question",)
        values = {fact.value for fact in self.chains.facts.values()}
        first = [cell for cell in self.grid.cells if not cell.column and cell.kind != SOURCE]
        named = any(cell.entity not in values for cell in first)
        return ("Question,", "from above") if named else ("from above",)

    def _header_height(self) -> float:
        headers = [self.header(column) for column in range(self.grid.columns)]
        return max(self.block(lines, self.sizes.font) for lines in headers) + self.pad * 2

    def edges(self, fact: Fact) -> Iterator[tuple[Cell, Cell]]:
        """Yield subject and value of a fact, for each subject."""
        for subject in fact.subjects:
            yield self.cell(fact.path, subject), self.targets[fact.id]

    def source_edges(self) -> Iterator[tuple[Cell, Cell]]:
        """Yield the source entities that the gold facts join, where they are shown."""
        cells = {cell.entity: cell for cell in self.grid.cells if cell.kind == SOURCE}
        for fact in self.facts:
            if fact.path != self.chains.gold.name:
                continue
            target = cells.get(self.chains.sources.get(fact.value, ""))
            for subject in fact.subjects:
                start = cells.get(self.chains.sources.get(subject, ""))
                if start and target:
                    yield start, target

    def _buses(self) -> dict[int, list[str]]:
        """Return, by gap before a column, the boxes whose lines turn there, upper ones last.

        The line of an upper box then turns right of those below it, and crosses none of them.
        """
        turning: dict[int, dict[str, int]] = {}
        edges = [edge for fact in self.facts for edge in self.edges(fact)]
        for start, end in (*edges, *self.source_edges()):
            if start.row != end.row or start.column != end.column - 1:
                turning.setdefault(end.column, {})[start.box] = start.row
                turning.setdefault(start.column + 1, {})[start.box] = start.row
        return {
            gap: sorted(rows, key=lambda box: (-rows[box], box)) for gap, rows in turning.items()
        }

    def _set_columns(self) -> None:
        """Give every column its left edge and its width, and every gap what its labels take."""
        sizes, grid = self.sizes, self.grid
        self.step = sizes.font * 0.6
        self.left: dict[int, float] = {}
        self.width: dict[int, float] = {}
        self.label_from: dict[int, float] = {}
        self.label_width: dict[int, float] = {}
        x = self.pad
        for column in range(grid.columns):
            if column:
                x += self.step * (len(self.buses.get(column, ())) + 1)
                self.label_from[column] = x + sizes.font * 1.6
                self.label_width[column] = self._widest_label(column)
                x = self.label_from[column] + self.label_width[column] + sizes.font
            lines = [
                line for c in grid.cells if c.column == column for line in self.names[c.box]
            ] or [""]
            if sizes.stacked:
                here = [fact for fact in self.facts if self._ends_in(fact, column)]
                texts = [self.words[fact.id] for fact in here]
                texts += [self.keys[k] for fact in here for k in fact.keys if k in self.keys]
                narrow = max(map(self._widest, texts), default=0.0)
            else:
                narrow = 0.0
            header = max(text_width(line, sizes.font) for line in self.header(column)) * 0.75
            widest = max(text_width(line, sizes.font) for line in lines) * BOLD + 2 * self.pad
            self.left[column], self.width[column] = x, max(widest, header, narrow, sizes.font * 4)
            x += self.width[column]
        self.right = x
        shown = (self.path_lines(path) for path, _ in grid.rows)
        self.path_width = max(map(self._widest, shown)) * BOLD

    def _ends_in(self, fact: Fact, column: int) -> bool:
        return self.targets[fact.id].column == column

    def _widest_label(self, column: int) -> float:
        ends = [fact for fact in self.facts if self._ends_in(fact, column)]
        if self.sizes.stacked:
            return self.sizes.small * 1.6 * max((len(fact.keys) for fact in ends), default=0)
        wide = self.sizes.font * 3
        for fact in ends:
            keys = [self._widest(self.keys[key]) for key in fact.keys if key in self.keys]
            wide = max(wide, self._widest(self.words[fact.id]), sum(keys) + self.pad * len(keys))
        return wide + self.pad

    def _widest(self, lines: tuple[str, ...]) -> float:
        return max((text_width(line, self.sizes.small) for line in lines), default=0.0)

    def _set_rows(self) -> None:
        """Give every row the height that its boxes and labels take, and its line the middle."""
        count = len(self.grid.rows)
        above = [self.sizes.font] * count
        below = [self.sizes.font] * count
        for cell in self.grid.cells:
            half = self.box_height(cell) / 2
            above[cell.row] = max(above[cell.row], half)
            below[cell.row] = max(below[cell.row], half)
        small = self.sizes.small
        for fact in self.facts:
            row = self.targets[fact.id].row
            words = self.block(self.words[fact.id], small)
            words += small * 0.65 if words else 0
            keys = [self.block(self.keys[key], small) for key in fact.keys if key in self.keys]
            if self.sizes.stacked:
                half = self.box_height(self.targets[fact.id]) / 2
                above[row] = max(above[row], half + words)
                below[row] = max(below[row], half + sum(keys) + small * 0.2)
                continue
            above[row] = max(above[row], words)
            below[row] = max(below[row], max(keys, default=0.0) + small * 0.9)
        for row, (path, _) in enumerate(self.grid.rows):
            half = self.block(self.path_lines(path), small) / 2
            above[row], below[row] = max(above[row], half), max(below[row], half)
        self.middle: list[float] = []
        self.bottom: list[float] = []
        y = self.top
        for row in range(count):
            new_path = row and self.grid.rows[row] != self.grid.rows[row - 1]
            y += self.sizes.font * (0.9 if new_path and not self.sizes.lean else 0.5)
            self.middle.append(y + above[row])
            y += above[row] + below[row]
            self.bottom.append(y)
        self.height = y + self.pad

    def centre(self, column: int) -> float:
        """Return the middle of a column."""
        return self.left[column] + self.width[column] / 2

    def bus(self, gap: int, box: str) -> float:
        """Return where the lines of a box turn in the gap before a column."""
        before = self.left[gap - 1] + self.width[gap - 1]
        return before + self.step * (self.buses[gap].index(box) + 1)

    def box_height(self, cell: Cell) -> float:
        """Return the height of a box."""
        return self.block(self.names[cell.box], self.sizes.font) + self.pad

    def path_lines(self, name: str) -> tuple[str, ...]:
        """Return what is written beside a path."""
        if name == SOURCE:
            return ("source",)
        path = next(path for path in self.chains.paths if path.name == name)
        if name == self.chains.gold.name:
            return ("gold",)
        told = [name if self.sizes.short else f"{path.kind.capitalize()} {name}"]
        told += [] if self.sizes.stacked else [f"breaks at hop {path.break_hop}"]
        return tuple(told if path.hops == len(self.chains.hops) else [*told, "fragment"])
