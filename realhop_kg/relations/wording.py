"""Renders wordings: the one place where names become sentences."""

from __future__ import annotations

import re
from collections.abc import Mapping

__all__ = ["dated", "render"]

_SLOT = re.compile(r"\{(\w+)\}")


_ON_WHICH = re.compile(r"\bdate on which\b")
_DATE = re.compile(r"\bdate\b")


def dated(template: str, unit: str) -> str:
    """Return a wording that says `date` so that it says `year` or `month`.

    Examples:
        >>> dated("{k} states the date on which {x} became a state.", "year")
        '{k} states the year in which {x} became a state.'
    """
    if unit == "date":
        return template
    return _DATE.sub(unit, _ON_WHICH.sub(f"{unit} in which", template))


def render(template: str, names: Mapping[str, str], kind: str) -> str:
    """Return a sentence with its names in place, beginning with a capital.

    Args:
        template: a wording of a predicate, with `{slot}`, `{y}`, `{k}` and `{kind}`.
        names: how each name is written in the middle of a sentence, by slot.
        kind: kind noun of the value, put for `{kind}`.

    Raises:
        KeyError: if the template has a slot without a name.

    Examples:
        >>> render("{x} flows into {y}.", {"x": "the Ask River", "y": "Lake Orm"}, "lake")
        'The Ask River flows into Lake Orm.'
    """
    every = {**names, "kind": kind}
    sentence = _SLOT.sub(lambda slot: every[slot.group(1)], template)
    return sentence[:1].upper() + sentence[1:]
