"""Resource files, found from a wheel and from an editable checkout alike."""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

__all__ = ["load_yaml", "resource_folder"]

_PACKAGE = Path(__file__).parent


def resource_folder(name: str) -> Path:
    """Return the folder of bundled resources called `name`.

    `cypher` and `prompts` lie beside the package in a checkout and inside it in a wheel;
    everything else lies inside the package.

    Raises:
        FileNotFoundError: if the installation lacks the folder.
    """
    inside = Path(str(resources.files("realhop_kg"))) / name
    beside = _PACKAGE.parent / name
    for folder in (inside, beside):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"this installation of realhop-kg lacks its resource folder {name!r}")


@cache
def load_yaml(folder: str, name: str) -> Any:  # noqa: ANN401 - the caller validates
    """Return the parsed YAML resource `folder/name`; the caller validates it."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    with (resource_folder(folder) / name).open(encoding="utf-8") as stream:
        return yaml.load(stream, Loader=loader)
