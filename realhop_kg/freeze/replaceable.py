"""Tells which datasets a command may replace by force: those that the same command wrote."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

from realhop_kg.folder import Replaceable, stranger
from realhop_kg.freeze.manifest import FILES, MANIFEST

__all__ = ["datasets_of"]

_FIELDS = frozenset({"canary", "counts", "dataset", "digest", "environment", "files", "seal"})
"""Fields of every manifest since the first version, so that an older dataset can be replaced."""

_REFUSAL = "refusal"
"""`dataset` of questions without an answer begins so; all others are written by one writer."""


def datasets_of(dataset: str) -> Replaceable:
    """Return what may be replaced by a dataset of a kind.

    Args:
        dataset: `dataset` of the new manifest: REALHOP datasets may replace each other, whatever
            their source; questions without an answer those of their own kind only.
    """
    return Replaceable("dataset", partial(_why_not, dataset))


def _why_not(dataset: str, folder: Path) -> str:
    path = folder / MANIFEST
    if not path.is_file():
        return f"it is not empty and has no {MANIFEST}"
    try:
        raw = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return f"its {MANIFEST} cannot be read"
    if not isinstance(raw, dict) or not raw.keys() >= _FIELDS:
        return f"its {MANIFEST} is not that of a dataset"
    if not str(raw.get("created_by")).startswith("realhop-kg "):
        return f"its {MANIFEST} was not written by realhop-kg"
    if _kind(str(raw["dataset"])) != _kind(dataset):
        return f"it holds {str(raw['dataset'])!r} items, which another command writes"
    return stranger(folder, FILES)


def _kind(dataset: str) -> str:
    return dataset if dataset.startswith(_REFUSAL) else ""
