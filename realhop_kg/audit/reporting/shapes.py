"""Which measures stand in which table, and what each is called."""

from __future__ import annotations

from functools import cache

from pydantic import TypeAdapter

from realhop_kg.model.record import Record
from realhop_kg.resources import load_yaml

__all__ = ["BANDS", "Shape", "shapes", "told"]

BANDS = (
    ("band_full", "Full"),
    ("band_control", "Control"),
    ("band_drop", "Drop"),
    ("control_minus_drop", "C - D"),
    ("control_minus_full", "C - F"),
)


class Shape(Record):
    """A table with one figure per cell, as `tables.yaml` declares it."""

    name: str
    title: str
    measures: dict[str, str]
    """Head by measure, in order."""
    note: str = ""


@cache
def shapes() -> tuple[Shape, ...]:
    """Return the declared tables, in order."""
    declared = load_yaml("audit/reporting", "tables.yaml")
    return TypeAdapter(tuple[Shape, ...]).validate_python(declared)


@cache
def told() -> dict[str, str]:
    """Return what a measure is called outside of its table, by its key."""
    found = {
        key: f"{head}. {shape.title}" for shape in shapes() for key, head in shape.measures.items()
    }
    return found | {key: f"{head}. Matched length (Table 15)" for key, head in BANDS}
