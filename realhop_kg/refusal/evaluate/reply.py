"""Reads a judge's reply: one JSON object of a strict form, or what is wrong with it."""

from __future__ import annotations

import json
import re
from typing import TypeVar

from pydantic import ValidationError

from realhop_kg.model.record import Record

__all__ = ["read_reply"]

Form = TypeVar("Form", bound=Record)

_FENCE = re.compile(r"\A```(?:json)?\s*\n?(.*?)\n?```\Z", re.DOTALL)


def read_reply(text: str, form: type[Form]) -> Form | str:
    """Return the one JSON object that a reply must be, or what is wrong with it.

    A code fence around it is taken off; anything else beside it makes the reply ambiguous.

    Args:
        text: what the judge wrote.
        form: the record that it must be; other keys are refused.
    """
    body = text.strip()
    fenced = _FENCE.match(body)
    try:
        data = json.loads(fenced[1] if fenced else body, object_pairs_hook=_once)
        return form.model_validate(data, strict=True)
    except ValidationError as error:
        first = error.errors()[0]
        return f"the judge's reply: {'.'.join(map(str, first['loc'])) or 'it'}: {first['msg']}"
    except (ValueError, RecursionError):
        return "the judge's reply is not one JSON object"


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found
