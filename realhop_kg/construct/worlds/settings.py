"""Settings of fictional worlds: the file that `--dataset fictional` reads."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import yaml
from pydantic import Field, ValidationError, model_validator

from realhop_kg.construct.worlds.shapes import MOST_HOPS, parse_shape
from realhop_kg.errors import InputError
from realhop_kg.model.record import Record

__all__ = ["WorldSettings", "read_settings"]

_LARGEST = 1_000_000
"""Bytes of a settings file; a longer one is another file by mistake."""


class WorldSettings(Record):
    """What decides the items of a run of fictional worlds; item n depends on these and n alone."""

    items: int = Field(default=100, ge=1)
    """Number of items."""
    seed: int = 0
    hops: tuple[int, ...] = (2, 3, 4, 5, 6)
    """Numbers of hops, taken in turn; their shape is drawn."""
    shapes: tuple[str, ...] = ()
    """Shapes to take in turn instead, each as `1>3, 2>3`."""
    answers: Literal["any", "names"] = "any"
    """`names`: no hop asks for a date or a number. A large context may have them all already."""
    ambiguity: int = Field(default=1, ge=0, le=5)
    """Look-alikes per hop: passages that state the same relation of something else of its type."""
    passages: int = Field(default=12, ge=0, le=500)
    """Passages of a context at least; hops and look-alikes have one each in any case."""

    @model_validator(mode="after")
    def _sound(self) -> WorldSettings:
        if not self.shapes and not self.hops:
            raise ValueError("name `hops` or `shapes`")
        if any(not 2 <= hops <= MOST_HOPS for hops in self.hops):
            raise ValueError(f"`hops` are numbers from 2 to {MOST_HOPS}")
        for shape in self.shapes:
            try:
                parse_shape(shape)
            except InputError as error:
                raise ValueError(str(error)) from error
        return self


def read_settings(path: Path) -> WorldSettings:
    """Return the settings of a YAML or JSON file.

    Raises:
        InputError: naming file and field, if it cannot be read or a value is out of range.
    """
    try:
        content = path.read_bytes()[: _LARGEST + 1]
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    if len(content) > _LARGEST:
        raise InputError(f"{path} is no settings file of worlds: it has more than {_LARGEST} bytes")
    try:
        found = yaml.safe_load(content.decode("utf-8"))
    except (UnicodeDecodeError, yaml.YAMLError, RecursionError) as error:
        first = str(error).splitlines()[0]
        raise InputError(f"{path} is no YAML: {first}; write lines like `items: 100`") from error
    if not isinstance(found, dict):
        known = ", ".join(WorldSettings.model_fields)
        raise InputError(f"{path} has no settings of worlds; write one of {known} on each line")
    try:
        return WorldSettings.model_validate(found)
    except ValidationError as error:
        first_error = error.errors()[0]
        field = ".".join(map(str, first_error["loc"])) or "settings"
        raise InputError(f"{path}: {field}: {first_error['msg']}") from error
