"""English verb forms, from a dictionary: no model, so the same on every machine."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

__all__ = ["inflect", "is_form", "lemma"]

Form = Literal["VB", "VBD", "VBZ", "VBN"]


@lru_cache(maxsize=4096)
def inflect(verb: str, form: Form) -> str | None:
    """Return a form of a base verb, or None if the dictionary does not know the verb.

    Examples:
        >>> inflect("reinstate", "VBD"), inflect("become", "VBD")
        ('reinstated', 'became')
    """
    from lemminflect import getAllInflections, getInflection

    if form not in getAllInflections(verb, upos="VERB"):
        return None
    found: tuple[str, ...] = getInflection(verb, form, inflect_oov=False)
    return found[0] if found else None


@lru_cache(maxsize=4096)
def lemma(word: str) -> str | None:
    """Return the base of a verb form, or None if the word is no verb form."""
    from lemminflect import getAllLemmas

    found = getAllLemmas(word, upos="VERB").get("VERB", ())
    return found[0] if found else None


def is_form(word: str, form: Form) -> bool:
    """Return whether a word is this form of some verb.

    Examples:
        >>> is_form("built", "VBN"), is_form("castle", "VBN")
        (True, False)
    """
    from lemminflect import getInflection

    base = lemma(word)
    return base is not None and word in getInflection(base, form, inflect_oov=False)
