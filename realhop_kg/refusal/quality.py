"""Checks a fused question, from its record alone: leakage, hops, coherence, cause, annotations."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from realhop_kg.model.refusal_item import RefusalCode, RefusalFinding, RefusalItem, Topology
from realhop_kg.refusal.clauses import TARGET, plain_title
from realhop_kg.refusal.frames import word_clause
from realhop_kg.refusal.kinds import Kind, nouns
from realhop_kg.refusal.recount import Expressed, expressed
from realhop_kg.refusal.said import SAID_CHECKS
from realhop_kg.resources import load_yaml

__all__ = ["QUALITY_CHECKS", "check_question", "leaks"]

_WORD = re.compile(r"[^\W\d_][\w’'-]*")
_STEM = 4
_SHORTEST = 3


def leaks(question: str, titles: Sequence[str], names: Sequence[str] = ()) -> list[str]:
    """Return what a question gives away of hidden pages: names, and telling words of titles.

    Args:
        question: the question.
        titles: titles of the hidden pages.
        names: other names of them.
    """
    folded = question.casefold()
    found = [
        name
        for name in dict.fromkeys((*map(plain_title, titles), *names))
        if len(name) >= _SHORTEST
        and not _common(name)
        and re.search(rf"(?<!\w){re.escape(name.casefold())}(?!\w)", folded)
    ]
    words = _WORD.findall(question)
    small = {word.casefold() for word in words}
    # Germany is told by `German`, too: names alike in their first letters count.
    stems = {word.casefold()[:_STEM] for word in words[1:] if word[0].isupper()}
    for title in titles:
        for word in _WORD.findall(plain_title(title)):
            told = word.casefold()
            if len(told) < _STEM or _common(word):
                continue
            if told in small or (word[0].isupper() and told[:_STEM] in stems):
                found.append(word)
    return list(dict.fromkeys(found))


def _common(name: str) -> bool:
    """Return whether a name is but a common word, which tells nothing."""
    words = name.casefold().split()
    untelling = load_yaml("refusal", "words.yaml")["untelling"]
    return all(word in untelling or word in nouns() for word in words) or (
        len(words) == 1 and name.islower()
    )


def _check_leakage(item: RefusalItem) -> Iterator[str]:
    for name in leaks(item.question, item.chain.hidden, item.hidden_names):
        yield f"names {name!r}, which is hidden"


def _check_hops(item: RefusalItem) -> Iterator[str]:
    wanted = Expressed(len(item.chain.prefix), len(item.chain.suffix))
    found = expressed(item.question, item.chain.defect.voice, item.starts_from)
    if found != [wanted]:
        said = ", ".join(f"{one.before}+{one.after}" for one in found) or "no chain"
        yield f"voices {said} links around the seed, its chain has {wanted.before}+{wanted.after}"


def _check_coherence(item: RefusalItem) -> Iterator[str]:
    links = (*item.chain.prefix, *item.chain.suffix)
    if len(links) != len(item.steps):
        yield f"{len(links)} links have {len(item.steps)} wordings"
        return
    for link, step in zip(links, item.steps, strict=True):
        source = Kind("", step.source_family)
        if step not in word_clause(step.clause, source, Kind(step.noun, step.family)):
            yield f"the wording of {link.source} -> {link.target} is not what its clause gives"
        if link.anchor not in link.sentence or not _said(step.clause, link.sentence, link.anchor):
            yield f"the clause of {link.source} -> {link.target} is not in its sentence"
    for step in item.steps[len(item.chain.prefix) :]:
        if not step.onward:
            yield f"step {step.frame} does not make sense of an unknown thing"
    if item.chain.suffix and item.steps[len(item.chain.prefix)].source_family != (
        item.chain.defect.voice.family
    ):
        yield "the suffix starts from another kind of thing than the seed asks for"


def _said(clause: str, sentence: str, anchor: str) -> bool:
    """Return whether the words of a clause stand in a sentence, in its order."""
    words = re.findall(r"\w+", clause.replace(TARGET, f" {anchor} ").replace("⟦S's⟧", " "))
    held = iter(re.findall(r"\w+", sentence))
    # `was born` is said by a date and a place in brackets.
    extra = {"S", "was", "born", "in"}
    return all(word in held for word in words if word not in extra)


def _check_cause(item: RefusalItem) -> Iterator[str]:
    voice, seed = item.chain.defect.voice, item.chain.defect.question
    held = voice.question.replace("{A}", voice.mention)
    if held.casefold() != seed.casefold():
        yield "the seed's own words were changed before they were set in"
    template = voice.question if item.topology is Topology.TERMINAL else voice.nominal
    before, _, after = template.partition("{A}")
    at = item.question.casefold().find(before.casefold())
    if at < 0 or item.question.find(after, at + len(before)) < 0:
        yield "the seed's words do not stand in the question"
    known = {word.casefold() for word in _WORD.findall(seed)}
    added = [
        word
        for word in _WORD.findall(voice.nominal.replace("{A}", " "))
        if word.casefold() not in known and word not in ("the", "that", "who", "whom", "which")
    ]
    # One word may be new: the verb, which `did` left without its ending.
    if len(added) > 1:
        yield f"the seed was given words that it has not: {', '.join(added)}"


def _check_annotations(item: RefusalItem) -> Iterator[str]:
    found = expressed(item.question, item.chain.defect.voice, item.starts_from)
    if len(found) == 1:
        told = found[0]
        for field, value in (
            ("hops", told.before + told.after),
            ("depth", told.before + told.after + 1),
            ("broken_step", told.before + 1),
        ):
            if getattr(item, field) != value:
                yield f"field {field} is {getattr(item, field)}, the wording has {value}"
    if item.rationale != item.chain.defect.rationale or not item.rationale:
        yield "the rationale is not that of the seed"


def _check_record(item: RefusalItem) -> Iterator[str]:
    for field in ("cause", "topology"):
        own = item.chain.defect.cause if field == "cause" else item.chain.topology
        if getattr(item, field) != own:
            yield f"field {field} is {getattr(item, field)}, its chain has {own}"
    if item.starts_from not in item.question and (
        item.starts_from[:1].upper() + item.starts_from[1:] not in item.question
    ):
        yield f"does not name {item.starts_from!r}, from which its chain starts"


Check = Callable[[RefusalItem], Iterator[str]]

QUALITY_CHECKS: dict[RefusalCode, Check] = {
    RefusalCode.K1: _check_leakage,
    RefusalCode.K2: _check_hops,
    RefusalCode.K3: _check_coherence,
    RefusalCode.K4: _check_cause,
    RefusalCode.K5: _check_annotations,
}
"""Check by code of what rules worded; each yields what does not hold."""


def check_question(item: RefusalItem) -> list[RefusalFinding]:
    """Return everything that does not hold of a question, whoever worded it."""
    checks = QUALITY_CHECKS
    if item.audit is not None or not item.steps:
        checks = {RefusalCode.K1: _check_leakage, **SAID_CHECKS}
    return [
        RefusalFinding(code=code, item=item.id, message=message)
        for code, check in (*checks.items(), (RefusalCode.K5, _check_record))
        for message in check(item)
    ]
