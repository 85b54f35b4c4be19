"""The base of every record: frozen, closed, and written as canonical JSON."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

__all__ = ["SCHEMA_VERSION", "Record"]

SCHEMA_VERSION = 1
"""Version of every record written by this package; a reader refuses a higher one."""


class Record(BaseModel):
    """An immutable record that rejects fields it does not know."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)
