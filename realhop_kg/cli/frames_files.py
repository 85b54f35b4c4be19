"""Files between the `realhop frames` commands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from realhop_kg.frames.assemble import FramesQuestion

__all__ = ["questions_of"]


def questions_of(path: Path) -> dict[str, FramesQuestion]:
    """Return the assembled questions of a file by id.

    Raises:
        InputError: naming the line, if one is none.
    """
    from pydantic import ValidationError

    from realhop_kg.errors import InputError
    from realhop_kg.frames.assemble import FramesQuestion
    from realhop_kg.jsonl import BadLine, read_records

    found: dict[str, FramesQuestion] = {}
    for record in read_records(path):
        if isinstance(record, BadLine):
            raise InputError(f"{path}:{record.line}: {record.reason}")
        try:
            question = FramesQuestion.model_validate(record.data)
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(map(str, first["loc"]))
            raise InputError(f"{path}:{record.line}: {field}: {first['msg']}") from error
        found[question.id] = question
    return found
