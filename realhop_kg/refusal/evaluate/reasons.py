"""Whether a refusal gives the gold reason in words of its own; the heart of the rule judge.

A sentence gives it if it says what its cause asks for - that something is recorded nowhere (AU),
that something is not or never was (FP), that something is left open (UC) - about the gold reason's
telling words, or about what the seed asks. That the speaker cannot tell is no reason.
"""

from __future__ import annotations

import re
from functools import cache

from realhop_kg.model.refusal import Cause
from realhop_kg.model.trajectory import AskedQuestion
from realhop_kg.resources import load_yaml
from realhop_kg.search.bm25 import tokens

__all__ = ["denies", "found", "gives_gold_reason", "plain", "stated", "stems"]

_NOT = re.compile(r"(?P<can>\bcan(?:not|'t)\b)|(?P<will>\bwon't\b)|n't\b")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_DENIED = re.compile(
    r"\b(?:(?:did|does|do|was|were|has|had|have|is|are|could|would|can) not|never) "
    r"(?:be |been |have )?(?:\w+ly |ever |been )?(?P<verb>\w+)"
)
_ENOUGH = {Cause.AU: 0.6, Cause.FP: 0.6, Cause.UC: 0.5}
"""Share of the telling words that a sentence must have."""
_LEFT_OPEN = 0.3
"""The same of the seed, where the gold reason says only that something is left open."""
_ENDINGS = ("ing", "ed", "es", "s")
_LEAST_STEM = 3


def plain(text: str) -> str:
    """Return a text in small letters, with `n't` and `cannot` written out as `not`."""
    return _NOT.sub(
        lambda each: "can not" if each["can"] else "will not" if each["will"] else " not",
        text.casefold().replace("’", "'"),
    )


@cache
def _stem(word: str) -> str:
    import lemminflect

    # Irregular forms first: sold, went, wrote.
    lemmas = lemminflect.getAllLemmas(word)
    word = min((lemmas.get("VERB") or lemmas.get("NOUN") or (word,)), key=len)
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST_STEM:
            return word.removesuffix(ending)
    return word.removesuffix("e") if len(word) > _LEAST_STEM else word


def stems(text: str) -> frozenset[str]:
    """Return the words of a text without their endings, common words left out."""
    return frozenset(_stem(word.removesuffix("'s")) for word in tokens(text))


def found(kind: str, text: str) -> re.Match[str] | None:
    """Return the first place of a text where a pattern of `cues.yaml` fits, or None."""
    return next(filter(None, (each.search(text) for each in _cues()[kind])), None)


@cache
def _cues() -> dict[str, tuple[re.Pattern[str], ...]]:
    patterns = load_yaml("refusal", "cues.yaml")
    return {
        kind: tuple(re.compile(each, re.DOTALL) for each in patterns[kind])
        for kind in patterns
        if kind != "generic"
    }


@cache
def _generic() -> frozenset[str]:
    words = load_yaml("refusal", "cues.yaml")["generic"]
    return frozenset(_stem(word) for word in words)


def _telling(text: str) -> frozenset[str]:
    return stems(text) - _generic()


def denies(question: AskedQuestion, text: str) -> bool:
    """Return whether a text says that something of the seed is not, or never was.

    Args:
        question: what was asked.
        text: a plain text.
    """
    if found("denies", text):
        return True
    known = _telling(f"{question.premise} {question.rationale}")
    return any(_stem(each["verb"]) in known for each in _DENIED.finditer(text))


def stated(question: AskedQuestion, text: str) -> str:
    """Return a plain text without the clauses that say only that the speaker cannot tell.

    What is left open is said so, too (`I cannot tell which guest you mean`): there nothing goes.
    """
    if question.cause is Cause.UC:
        return text
    for each in _cues()["unable"]:
        text = each.sub(" ", text)
    return text


def _says(question: AskedQuestion, sentence: str) -> bool:
    """Return whether a sentence says what the cause of a question asks a reason to say."""
    if question.cause is Cause.FP:
        return denies(question, sentence)
    if question.cause is Cause.UC:
        return found("open", sentence) is not None
    return found("unrecorded", sentence) is not None


def gives_gold_reason(question: AskedQuestion, text: str) -> bool:
    """Return whether a text gives the gold reason in words of its own.

    Args:
        question: what was asked, with its gold reason.
        text: a plain text.
    """
    gold = _telling(question.rationale)
    asked = _telling(question.premise)
    # What is underspecified is not named by repeating the question.
    sources = [gold] if question.cause is Cause.UC and gold else [gold, asked]
    least = _LEFT_OPEN if question.cause is Cause.UC and not gold else _ENOUGH[question.cause]
    for sentence in _SENTENCE.split(stated(question, text)):
        if not _says(question, sentence):
            continue
        said = stems(sentence)
        if any(words and len(words & said) >= least * len(words) for words in sources):
            return True
    return False
