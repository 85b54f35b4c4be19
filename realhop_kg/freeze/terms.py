"""Licence and attribution of the text that a dataset retains from its source."""

from __future__ import annotations

from functools import cache

from pydantic import TypeAdapter

from realhop_kg.freeze.manifest import Terms
from realhop_kg.resources import load_yaml

__all__ = ["source_terms"]

_OWN = "jsonl"


@cache
def _declared() -> dict[str, Terms]:
    return TypeAdapter(dict[str, Terms]).validate_python(load_yaml("freeze", "licences.yaml"))


def source_terms(dataset: str) -> Terms:
    """Return the terms of a source dataset; of an unknown one, those of a user's own files.

    Examples:
        >>> source_terms("musique").licence
        'CC BY 4.0'
        >>> source_terms("jsonl").licence
        'as the source'
    """
    return _declared().get(dataset, _declared()[_OWN])
