"""The software that froze a dataset: worth keeping, and outside the dataset digest."""

from __future__ import annotations

import platform
from importlib import metadata

from realhop_kg import __version__

__all__ = ["environment"]

_PACKAGES = ("litellm", "neo4j", "networkx", "pydantic", "pyyaml", "rdflib", "spacy", "typer")


def environment() -> dict[str, object]:
    """Return versions of Python, the platform and the packages that this package builds on.

    Nothing is imported for it.
    """
    packages = {"realhop-kg": __version__}
    for name in _PACKAGES:
        try:
            packages[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return {
        "implementation": platform.python_implementation(),
        "machine": platform.machine(),
        "packages": packages,
        "platform": platform.system(),
        "python": platform.python_version(),
    }
