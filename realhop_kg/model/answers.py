"""Answer normalisation: when two answers count as the same string."""

from __future__ import annotations

import re
import string

__all__ = ["normalize_answer"]

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")


def normalize_answer(text: str) -> str:
    """Return an answer as the SQuAD metric compares it.

    Lower case; ASCII punctuation deleted without leaving a space, while accents and en dashes
    stay; articles removed; blanks squeezed.

    Source: Rajpurkar et al., EMNLP 2016, evaluation script.

    Examples:
        >>> normalize_answer("The  Treaty of St. Rémy, 1814–15")
        'treaty of st rémy 1814–15'
        >>> normalize_answer("A-ha"), normalize_answer("the")
        ('aha', '')
    """
    bare = text.lower().translate(_PUNCTUATION)
    return " ".join(_ARTICLES.sub(" ", bare).split())
