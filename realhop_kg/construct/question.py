"""Substitutes mentions in a question and changes nothing else of its wording."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from realhop_kg.construct.mentions import Mention
from realhop_kg.model.plan import PlannedName
from realhop_kg.relations.templates import tokenize

__all__ = ["Substituted", "kept_names", "substitute"]

_ARTICLE = re.compile(r"\b(?:the|an?)\s+\Z", re.IGNORECASE)
_ENDING = re.compile(r"(['’])s?(?!\w)")
_QUOTES = frozenset("'‘’")


@dataclass(frozen=True, slots=True)
class _Edit:
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Substituted:
    """A question with virtual names, and how its offsets moved."""

    text: str
    edits: tuple[_Edit, ...]

    def part(self, start: int, end: int) -> str:
        """Return what the range `start..end` of the source question has become."""
        return self.text[self._moved(start, False) : self._moved(end, True)]

    def _moved(self, offset: int, closing: bool) -> int:
        shift = 0
        for edit in self.edits:
            if edit.end <= offset:
                shift += len(edit.text) - (edit.end - edit.start)
            elif edit.start < offset or (edit.start == offset and closing and edit.end == offset):
                return edit.start + shift + (len(edit.text) if closing else 0)
        return offset + shift


def substitute(question: str, replacements: Iterable[tuple[Mention, PlannedName]]) -> Substituted:
    """Return the question with each mention replaced by its virtual name.

    An article that belongs to the old name leaves with it; an article that the new name takes is
    written unless the question has one there already; a possessive ending is `'` after an s, and
    `'s` after any other letter.

    Args:
        question: the source question.
        replacements: mentions, which must not overlap, with their new names.
    """
    edits = sorted(
        {
            edit
            for mention, name in replacements
            for edit in (_edit(question, mention, name), *_ending(question, mention, name))
        },
        key=lambda edit: edit.start,
    )
    pieces: list[str] = []
    last = 0
    for edit in edits:
        pieces += (question[last : edit.start], edit.text)
        last = edit.end
    pieces.append(question[last:])
    return Substituted("".join(pieces), tuple(edits))


def _edit(question: str, mention: Mention, name: PlannedName) -> _Edit:
    before, old = question[: mention.start], question[mention.start : mention.end]
    has_article = _ARTICLE.search(before) is not None
    text = name.surface if has_article or not name.article else f"{name.article} {name.surface}"
    if has_article and text.casefold().startswith("the "):
        text = text[4:]
    if not before.strip() and old[:1].isupper():
        text = text[:1].upper() + text[1:]
    return _Edit(mention.start, mention.end, text)


def _ending(question: str, mention: Mention, name: PlannedName) -> Iterator[_Edit]:
    """Yield the change of the possessive ending after a mention, if there is one to change."""
    old = question[mention.start : mention.end]
    ending = _ENDING.match(question, mention.end)
    if ending is None or question[: mention.start][-1:] in _QUOTES:
        return
    if len(ending[0]) == 1 and not old.casefold().endswith("s"):
        return  # a closing quote
    fresh = ending[1] if name.surface.endswith("s") else f"{ending[1]}s"
    if fresh != ending[0]:
        yield _Edit(ending.start(), ending.end(), fresh)


def kept_names(question: str, mentions: Sequence[Mention]) -> tuple[str, ...]:
    """Return the names and numbers of a question that stay, each `surface: reason`.

    A parse covers every word, so what is no mention belongs to the wording of some relation.
    """
    kept: dict[str, None] = {}
    for token in tokenize(question)[1:]:
        word = question[token.start : token.end]
        inside = any(m.start <= token.start and token.end <= m.end for m in mentions)
        if not inside and (word[:1].isupper() or any(char.isdigit() for char in word)):
            kept[f"{word}: part of the relation's wording"] = None
    return tuple(kept)
