"""The parts of a picture of an item, placed: what every way of drawing it starts from.

Coordinates grow to the right and downwards, in the unit of the font size. A kind is `source`,
`gold`, `strict` or `flexible`; it decides colour, width and dash.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["SOURCE", "Band", "Box", "Key", "Label", "Line", "Mark", "Point", "Scene"]

SOURCE = "source"
"""Kind and path name of what the source question was about."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Box:
    """An entity."""

    id: str
    entity: str
    fact: str
    """Id of the fact whose value it is; empty for what the question names."""
    path: str
    kind: str
    x: float
    """Centre."""
    y: float
    width: float
    height: float
    lines: tuple[str, ...]
    is_answer: bool


@dataclass(frozen=True, slots=True)
class Key:
    """The entity that joins two premises, on the line of their fact."""

    id: str
    fact: str
    path: str
    kind: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Line:
    """A fact, or one premise of it, from a subject to its value."""

    id: str
    fact: str
    """Empty for the line from a source entity to the virtual one."""
    part: str
    """Id of the fact or premise."""
    path: str
    kind: str
    source: str
    """Id of the box or key where it starts."""
    target: str
    points: tuple[Point, ...]
    arrow: bool
    broken: bool
    """Whether the fact is the near-miss of its path."""
    shared: tuple[str, ...] = ()
    """Names of the paths that inherit the fact."""
    joins: bool = False
    """Whether it ends on another line of its fact, which goes on alone: two dashed lines on one
    another would look solid."""


@dataclass(frozen=True, slots=True)
class Mark:
    """The cross on the line of a near-miss."""

    fact: str
    path: str
    kind: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Label:
    """Text that belongs to a line, a column or a path."""

    role: str
    """`relation`, `key`, `path` or `column`."""
    lines: tuple[str, ...]
    x: float
    y: float
    """Centre of the block of lines."""
    width: float
    centred: bool = True
    """Whether `x` is the middle of it, not its left edge."""
    fact: str = ""
    path: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Band:
    """The background of a column."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture of an item."""

    width: float
    height: float
    font: float
    bands: tuple[Band, ...]
    boxes: tuple[Box, ...]
    keys: tuple[Key, ...]
    lines: tuple[Line, ...]
    marks: tuple[Mark, ...]
    labels: tuple[Label, ...]
    lean: bool = False
    """Whether a competing fact without words has those of the gold fact above it."""
