"""Checks a question that a model worded, from its record alone, by the codes of the rules' own.

Where the rules read their wording back, the surface audit says which words express which step; that
these words stand in the question, and that depth, position and cause follow from them, is checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from realhop_kg.ids import digest
from realhop_kg.model.refusal_item import RefusalChain, RefusalCode, RefusalItem
from realhop_kg.resources import load_yaml

__all__ = ["SAID_CHECKS", "changed_cause", "malformed", "wording_digest"]

_WORD = re.compile(r"[^\W\d_][\w’'-]*")
_NAME_OR_NUMBER = re.compile(r"\b(?:[A-ZÀ-Ý][\w’'-]*|\d[\d.,]*\d|\d)")
_DENIALS = re.compile(
    r"\b(?:not|never|no|false|falsely|incorrect(?:ly)?|wrong(?:ly)?|mistaken(?:ly)?|myth|actually|"
    r"supposed(?:ly)?|alleged(?:ly)?|unknown|unanswerable|unclear|hypothetical(?:ly)?|if any|"
    r"if known)\b|n['’]t\b",
    re.IGNORECASE,
)
_STEM = 4
_ENOUGH = 4
"""Words of a long seed that have to be kept."""
_LONGEST = 80
"""Words of a question."""


def wording_digest(question: str) -> str:
    """Return what tells one wording from another."""
    return digest("wording", question)


def malformed(question: str) -> str:
    """Return why a text is not one question, or nothing."""
    if question.count("?") != 1 or not question.endswith("?"):
        return "it is not one question with one question mark at its end"
    if re.search(r"[.!:;]\s+[A-ZÀ-Ý]", re.sub(r"\b[A-ZÀ-Ý]\w{0,3}\.", "", question)):
        return "it is more than one sentence"
    words = len(question.split())
    return f"it has {words} words; use at most {_LONGEST}" if words > _LONGEST else ""


def changed_cause(question: str, chain: RefusalChain, start: str) -> Iterator[str]:
    """Yield what a wording adds or takes away, so that its cause may be another.

    Args:
        question: the wording.
        chain: what it was made of.
        start: the entity that it names.
    """
    seed = chain.defect.question
    links = (*chain.prefix, *chain.suffix)
    told = " ".join((seed, start, *(link.sentence for link in links)))
    known = {word.casefold() for word in re.findall(r"[\w’'.,-]*\w", told)}
    known |= {part for word in known for part in re.split(r"[’'.,-]", word)}
    openers = load_yaml("refusal", "words.yaml")["openers"]
    added = [
        name
        for name in _NAME_OR_NUMBER.findall(question)
        if name.casefold() not in known
        and name.casefold() not in openers
        and not (question.startswith(name) and name.isalpha())
        and re.split(r"[’']", name.casefold())[0] not in known
    ]
    if added:
        yield f"it names what neither the seed nor the links name: {', '.join(added)}"
    denied = [found.casefold() for found in _DENIALS.findall(question)]
    allowed = [found.casefold() for found in _DENIALS.findall(seed)]
    if len(denied) > len(allowed):
        yield f"it denies or hedges ({', '.join(denied)}) what its seed says plainly"
    held = {word.casefold()[:_STEM] for word in _WORD.findall(question)}
    telling = _telling(seed, chain.defect.voice.mention)
    kept = [word for word in telling if word[:_STEM] in held]
    if len(kept) < min((len(telling) + 1) // 2, _ENOUGH):
        lost = ", ".join(word for word in telling if word not in kept)
        yield f"it lacks most of the seed's own words: {lost}"


def _telling(seed: str, mention: str) -> list[str]:
    """Return the words of a seed that say what it asks, without the name of its anchor."""
    common = {*load_yaml("refusal", "words.yaml")["openers"], "that", "this", "with", "from"}
    rest = _WORD.findall(seed.replace(mention, " "))
    words = dict.fromkeys(word.casefold() for word in rest if len(word) >= _STEM)
    return [word for word in words if word not in common]


def _check_form(item: RefusalItem) -> Iterator[str]:
    """Yield why the question is no single question."""
    if problem := malformed(item.question):
        yield problem


def _check_hops(item: RefusalItem) -> Iterator[str]:
    """Yield where the words of the steps do not stand in the question, or a part has none."""
    audit, broken = item.audit, len(item.chain.prefix) + 1
    if audit is None:
        yield "nobody has counted the steps of its wording"
        return
    places = [each.step for each in audit.said]
    if places != sorted(set(places)) or not set(places) <= set(range(1, item.chain.depth + 1)):
        yield f"steps {places} are not those of a chain of {item.chain.depth}"
    if broken not in places:
        yield "the unanswerable step is not expressed"
    words = [each.words.casefold() for each in audit.said]
    if len(set(words)) != len(words):
        yield "two steps are said to be expressed by the same words"
    asked = item.question.casefold()
    yield from (
        f"{each.words!r} (step {each.step}) does not stand in the question"
        for each in audit.said
        if each.words.casefold() not in asked
    )
    before, after = audit.expressed(broken)
    if bool(before) != bool(item.chain.prefix) or bool(after) != bool(item.chain.suffix):
        yield f"its wording has {before} links before the seed and {after} behind it"


def _check_links(item: RefusalItem) -> Iterator[str]:
    """Yield which link is not in its sentence."""
    for link in (*item.chain.prefix, *item.chain.suffix):
        if link.anchor not in link.sentence:
            yield f"{link.anchor!r} is not in the sentence of {link.source} -> {link.target}"


def _check_cause(item: RefusalItem) -> Iterator[str]:
    """Yield what the wording adds to its seed, or takes from it."""
    voice, seed = item.chain.defect.voice, item.chain.defect.question
    if voice.question.replace("{A}", voice.mention).casefold() != seed.casefold():
        yield "the seed's own words were changed before they were set in"
    yield from changed_cause(item.question, item.chain, item.starts_from)


def _check_audit(item: RefusalItem) -> Iterator[str]:
    """Yield which annotation is not that of the wording which was audited."""
    if item.audit is None:
        return
    if item.audit.wording != wording_digest(item.question):
        yield "the surface audit is of another wording"
    before, after = item.audit.expressed(len(item.chain.prefix) + 1)
    for field, value in (
        ("hops", before + after),
        ("depth", before + after + 1),
        ("broken_step", before + 1),
    ):
        if getattr(item, field) != value:
            yield f"field {field} is {getattr(item, field)}, the wording has {value}"
    if not item.rationale.strip():
        yield "there is no rationale"


SAID_CHECKS = {
    RefusalCode.M1: _check_form,
    RefusalCode.K2: _check_hops,
    RefusalCode.K3: _check_links,
    RefusalCode.K4: _check_cause,
    RefusalCode.K5: _check_audit,
}
"""Check by code, beside those that do not depend on who worded a question."""
