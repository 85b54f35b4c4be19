"""Near-misses and word lists of the free forms, as `near_misses.yaml` has them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from pydantic import BaseModel, ConfigDict

from realhop_kg.construct.free.segments import Segmented
from realhop_kg.resources import load_yaml

__all__ = ["Bank", "Entry", "Near", "about", "bank"]

Near = tuple[str, str, str]
"""Id, role and reason of a near-miss."""


class Entry(BaseModel):
    """One near-miss: its words, and why it is one."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    text: str
    because: str


class Bank(BaseModel):
    """The lists of `near_misses.yaml`."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    willed_date: dict[str, Entry]
    other_date: dict[str, Entry]
    person: dict[str, Entry]
    around_role: dict[str, Entry]
    other_place: dict[str, Entry]
    other_kind: dict[str, Entry]
    other_count: dict[str, Entry]
    willed_subjects: frozenset[str]
    writing_verbs: frozenset[str]
    involuntary_verbs: frozenset[str]
    adverbs: frozenset[str]


@cache
def bank() -> Bank:
    """Return the bundled lists."""
    return Bank.model_validate(load_yaml("construct/free", "near_misses.yaml"))


def about(cut: Segmented, entries: Mapping[str, Entry], frame: str = "{}") -> list[Near]:
    """Return near-misses that hold of the step's subject, its further slots named alongside.

    Args:
        cut: the step.
        entries: the near-misses.
        frame: what stands around each, as in `on which {x} {}`; `{}` is its place.
    """
    others = " and ".join(f"{{{slot}}}" for slot, _ in cut.fillers[1:])
    found: list[Near] = []
    for name, entry in entries.items():
        text = entry.text
        if others:
            text += f" and {others}" if text.endswith("{x}") else f" together with {others}"
        found.append((name, frame.replace("{}", text), entry.because))
    return found
