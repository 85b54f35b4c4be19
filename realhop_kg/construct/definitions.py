"""Types of names by the item's own text: `Calder is a town in ...` makes Calder a town."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from realhop_kg.construct.names import shown_type
from realhop_kg.model.text import Passage
from realhop_kg.relations.types import Types
from realhop_kg.resources import load_yaml

__all__ = ["defined_type", "looks_like_person"]

_WINDOW = 14
"""Words after `is a` in which the defining noun is looked for."""

_WORD = re.compile(r"\w+(?:-\w+)*")
_PERSON = re.compile(r"[A-Z][\w.'’-]+(?: [A-Z][\w.'’-]*){1,3}")


@cache
def _occupations() -> frozenset[str]:
    return frozenset(load_yaml("construct", "occupations.yaml"))


def defined_type(name: str, passages: Sequence[Passage], types: Types) -> str | None:
    """Return the type of a name, as it shows itself or as the passages define it.

    Args:
        name: a name of the item.
        passages: its context.
        types: the type tree.

    Returns:
        The type, or None where no passage says `NAME is a KIND`.
    """
    shown = shown_type(name)
    if shown:
        return shown
    defining = re.compile(
        rf"(?:^|[.!?]\s+|\n)(?:The )?{re.escape(name)}\b[^.!?]{{0,160}}?\b"
        r"(?:is|was|are|were)\s+(?:an?|the|one of the)\s+([^.!?]{3,200})"
    )
    for passage in passages:
        match = defining.search(passage.text)
        if match:
            found = _kind_in(match.group(1), types)
            if found:
                return found
    return None


def _kind_in(text: str, types: Types) -> str | None:
    words = [word.casefold() for word in _WORD.findall(text)[:_WINDOW]]
    stops = [
        at for at, word in enumerate(words) if word in ("of", "in", "from", "by", "who", "that")
    ]
    for word in reversed(words[: stops[0] if stops else len(words)]):
        if word in _occupations():
            return "person"
        if types.of_kind(word):
            return types.of_kind(word)
    return None


def looks_like_person(name: str) -> bool:
    """Return whether a name has the shape of a person's: two to four capitalised words.

    Examples:
        >>> looks_like_person("Mirela Castane"), looks_like_person("five")
        (True, False)
    """
    return _PERSON.fullmatch(name) is not None
