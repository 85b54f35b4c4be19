"""Words that the sentences of the pages share."""

from __future__ import annotations

from typing import Any

__all__ = ["Facts", "Text", "an", "listed"]

Facts = dict[str, Any]
Text = list[str]


def an(word: str) -> str:
    """Return a noun with its article."""
    return f"{'an' if word[0] in 'aeio' else 'a'} {word}"


def listed(titles: list[str]) -> str:
    """Return links joined as in a sentence."""
    links = [f"[[{title}]]" for title in titles]
    return links[0] if len(links) == 1 else f"{', '.join(links[:-1])} and {links[-1]}"
