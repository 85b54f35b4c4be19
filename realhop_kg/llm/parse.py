"""Reads structured replies: JSON as models write it, checked against a schema."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel, ValidationError

__all__ = ["FormError", "Parsed", "parse_reply"]

Schema = TypeVar("Schema", bound=BaseModel)

_FENCE = re.compile(r"```[\w-]*\s*\n(.*?)```", re.DOTALL)
_ODD = re.compile("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\\ud800-\\udfff]")
"""Controls other than tab and line ends, and lone surrogates: no text of a dataset holds them."""

_TOLD = 6
"""Validation errors that one message quotes."""


class FormError(ValueError):
    """A reply that does not have the asked form; the message can be quoted to the model."""


@dataclass(frozen=True)
class Parsed(Generic[Schema]):
    """A reply in the asked form."""

    value: Schema
    repaired: bool
    """Whether it was not JSON as it came."""


def parse_reply(text: str, schema: type[Schema]) -> Parsed[Schema]:
    """Return the record that a reply holds.

    Code fences, prose around the JSON, trailing commas, smart quotes, comments, and a list of one
    where one object was asked are put up with. A text that breaks off is not: what it left out
    cannot be known. Nor are control characters and lone surrogates, which would go into a dataset.

    Raises:
        FormError: saying what is wrong, in words for whoever wrote it.
    """
    problem = "the reply holds no JSON object"
    for candidate, repaired in _candidates(text):
        value = _as_object(candidate, schema)
        problem = _odd(value)
        if not problem:
            try:
                return Parsed(schema.model_validate(value), repaired)
            except ValidationError as error:
                problem = _told(error)
        if not repaired:
            break  # it was JSON; nothing inside it will fit better
    raise FormError(problem)


def _candidates(text: str) -> Iterator[tuple[object, bool]]:
    """Yield what a text may mean, the most literal reading first."""
    body = text.strip().removeprefix("\ufeff")
    pieces = [body, *(piece.strip() for piece in _FENCE.findall(body)), _braced(body)]
    for piece in dict.fromkeys(filter(None, pieces)):
        try:
            yield json.loads(piece), piece != body
        except (ValueError, RecursionError):
            continue
    for piece in dict.fromkeys(filter(None, reversed(pieces))):
        if piece[:1] in "{[" and piece[-1:] in "}]" and _closed(piece):
            yield _mended(piece), True
    if "{" in body and not _closed(body[body.index("{") :]):
        raise FormError("the JSON breaks off before it is complete")


def _mended(piece: str) -> object:
    from json_repair import repair_json

    value: object = repair_json(piece, return_objects=True, skip_json_loads=True)
    return value


def _braced(text: str) -> str:
    """Return the part of a text from its first brace or bracket to the last one."""
    starts = [at for at in (text.find("{"), text.find("[")) if at >= 0]
    end = max(text.rfind("}"), text.rfind("]"))
    return text[min(starts) : end + 1] if starts and end > min(starts) else ""


def _closed(piece: str) -> bool:
    """Return whether every bracket outside quotes is closed; quotes may be smart ones."""
    depth, quoted, escaped = 0, False, False
    for char in piece:
        if escaped:
            escaped = False
        elif char == "\\":
            escaped = quoted
        elif char in '"“”':
            quoted = not quoted
        elif not quoted:
            depth += (char in "{[") - (char in "}]")
    return depth <= 0 and not quoted


def _as_object(value: object, schema: type[BaseModel]) -> object:
    """Return a list as the object that was meant, where that is plain."""
    if not isinstance(value, list):
        return value
    if len(value) == 1 and isinstance(value[0], dict) and set(value[0]) & set(schema.model_fields):
        return value[0]
    required = [name for name, field in schema.model_fields.items() if field.is_required()]
    return {required[0]: value} if len(required) == 1 else value


def _odd(value: object) -> str:
    """Return what is wrong with the characters of a reply, or nothing."""
    parts: list[tuple[str, object]] = [("reply", value)]
    while parts:
        place, part = parts.pop()
        if isinstance(part, list):
            parts += [(f"{place}.{at}", each) for at, each in enumerate(part)]
        elif isinstance(part, dict):
            for name, each in part.items():
                parts += [(f"{place}: a field name", name), (f"{place}.{name}", each)]
        elif isinstance(part, str) and (found := _ODD.search(part)):
            where = _ODD.sub("?", place.removeprefix("reply."))
            return f"{where} holds the character U+{ord(found[0]):04X}; write it without"
    return ""


def _told(error: ValidationError) -> str:
    lines = [
        f"{'.'.join(map(str, each['loc'])) or 'reply'}: {each['msg']}" for each in error.errors()
    ]
    more = len(lines) - _TOLD
    return "; ".join(lines[:_TOLD]) + (f"; and {more} more" if more > 0 else "")
