"""Files of seeds, as commands name them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graph_builders.seeds import NotSeed
    from realhop_kg.model.refusal import Seed

__all__ = ["named_file", "read_seeds"]


def read_seeds(files: list[str]) -> Iterator[Seed | NotSeed]:
    """Yield every record of some files of seeds.

    Args:
        files: paths, each with its source before it (`kuq=FILE`) where its form does not tell it.

    Raises:
        InputError: if a file cannot be read, or is of no known source.
    """
    from graph_builders.seeds import detect, seed_builder

    for text in files:
        name, path = named_file(text)
        yield from (seed_builder(name) if name else detect(path)).read(path)


def named_file(text: str) -> tuple[str, Path]:
    """Return source (empty where none is named) and path of `[SOURCE=]FILE`."""
    from graph_builders.seeds import seed_sources

    name, equals, path = text.partition("=")
    # A file may have `=` in its name.
    if equals and (name in seed_sources() or not Path(text).exists()):
        return name, Path(path)
    return "", Path(text)
