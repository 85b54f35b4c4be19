"""Puts the article of a page together: its body, capped, and the table rows that matter.

Source: REALHOP, Appendix I.4: bodies of at most 24,000 characters, plus up to 1,500 characters of
table rows that overlap the question or the reference answer, in source order.
"""

from __future__ import annotations

import re

from realhop_kg.frames.html import SavedPage
from realhop_kg.model.answers import normalize_answer
from realhop_kg.model.sentences import boundaries

__all__ = ["BODY", "ROWS", "article_text", "overlapping_rows"]

BODY = 24_000
"""Characters of a body at most."""

ROWS = 1_500
"""Characters of table rows at most, line ends counted."""

_WORD = re.compile(r"\w+")
_SMALL = frozenset(
    {
        "a", "an", "and", "are", "as", "at", "be", "been", "by", "did", "do", "does", "for", "from",
        "had", "has", "have", "how", "in", "is", "it", "its", "many", "much", "not", "of", "on",
        "or", "than", "that", "the", "their", "there", "they", "this", "to", "was", "were", "what",
        "when", "where", "which", "who", "whom", "whose", "why", "with", "would", "year", "years",
        "name", "named", "first", "last", "most",
    }
)  # fmt: skip
"""Words of questions that say nothing of what is asked for."""


def article_text(page: SavedPage, question: str, answer: str) -> str:
    """Return the text of an article, paragraphs apart by blank lines, table rows at its end.

    A body that is too long ends at its last whole sentence within the cap, or at the cap where
    there is none.
    """
    body = "\n\n".join(page.paragraphs)
    if len(body) > BODY:
        cut = body[:BODY]
        # The cut text's own end is no boundary of the body.
        stops = [stop for stop in boundaries(cut) if stop < len(cut.rstrip())]
        body = cut[: stops[-1]] if stops else cut
    rows = "\n".join(overlapping_rows(page, question, answer))
    return "\n\n".join(part for part in (body, rows) if part)


def overlapping_rows(page: SavedPage, question: str, answer: str) -> list[str]:
    """Return the rows that share a telling word with the question or hold the answer, as they come.

    Rows are whole: the first that would go beyond the cap is left out, and so is what follows it.
    """
    telling = {word for word in _words(question) if word not in _SMALL and len(word) > 2}
    wanted = normalize_answer(answer)
    found: list[str] = []
    length = 0
    for row in page.rows:
        holds = bool(wanted) and f" {wanted} " in f" {normalize_answer(row)} "
        if not holds and telling.isdisjoint(_words(row)):
            continue
        length += len(row) + (1 if found else 0)
        if length > ROWS:
            break
        found.append(row)
    return found


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))
