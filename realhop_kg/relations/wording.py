"""Renders wordings: the one place where names become sentences."""

from __future__ import annotations

import re
from collections.abc import Mapping

__all__ = ["render"]

_SLOT = re.compile(r"\{(\w+)\}")


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
