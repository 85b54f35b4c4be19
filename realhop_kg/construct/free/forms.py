"""Forms of steps: each turns a cut step into a relation of its own, or does not apply.

A form knows the words around the slots (`when did {x} ...`), states the fact in a sentence that
the step's own words complete, splits it by a register of its kind, and brings near-misses that
hold of the same subject and give a value of the same type.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache

from pydantic import BaseModel, ConfigDict

from realhop_kg.construct.free.segments import Segmented
from realhop_kg.construct.free.verbs import inflect, is_form, lemma
from realhop_kg.ids import digest
from realhop_kg.relations.catalogue import Frame, NearMiss, Relation, Voice
from realhop_kg.relations.types import entity_types
from realhop_kg.resources import load_yaml

__all__ = ["FORMS", "Form", "Subject"]

Subject = str | None
"""Entity type of the first slot, where it is known."""

Form = Callable[[Segmented, Subject], Relation | None]
"""Makes a relation of a cut step, given the subject's type, or None if the form does not apply."""

_SLUG = re.compile(r"[^a-z0-9]+")


class _Entry(BaseModel):
    """One near-miss: its words, and why it is one."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    text: str
    because: str


class _Bank(BaseModel):
    """The lists of `near_misses.yaml`."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    willed_date: dict[str, _Entry]
    other_date: dict[str, _Entry]
    person: dict[str, _Entry]
    around_role: dict[str, _Entry]
    other_place: dict[str, _Entry]
    other_kind: dict[str, _Entry]
    willed_subjects: frozenset[str]
    writing_verbs: frozenset[str]
    involuntary_verbs: frozenset[str]
    adverbs: frozenset[str]


@cache
def _bank() -> _Bank:
    return _Bank.model_validate(load_yaml("construct/free", "near_misses.yaml"))


def _relation(
    form: str,
    cut: Segmented,
    value: str,
    sentence: str,
    link: str,
    records: tuple[tuple[str, str], ...],
    near: list[tuple[str, str, str]],
    questions: Iterable[str],
    nouns: Iterable[str] = (),
    clauses: Iterable[str] = (),
) -> Relation:
    """Build a free relation.

    Args:
        form: name of the form.
        cut: the step.
        value: type of the value.
        sentence: whole statement with `{role}`, the slots and `{y}`.
        link: the noun phrase that premises record, with `{role}` and the slots.
        records: for each frame, the key's pattern and the value premise.
        near: id, role and reason, of gold first and then of each near-miss.
        questions: question templates, the step's own first.
        nouns: noun phrases that name the value.
        clauses: clauses with a place gap.
    """
    own = " ".join(cut.parts)
    slug = "_".join(_SLUG.split(own))[:40].strip("_")
    return Relation(
        id=f"free.{form}.{slug}.{digest(form, own, sentence, length=6)}",
        arguments={slot: "thing" for slot, _ in cut.fillers},
        value=value,
        role=near[0][1],
        statement=sentence,
        frames=tuple(
            Frame(key=key, link=f"{{k}} records {link}.", value=premise) for key, premise in records
        ),
        near_misses=tuple(
            NearMiss(id=miss, role=role, because=because) for miss, role, because in near[1:]
        ),
        questions=tuple(Voice(text=text) for text in questions),
        nouns=tuple(Voice(text=text) for text in nouns),
        clauses=tuple(Voice(text=text) for text in clauses),
    )


_DATE_RECORDS = (
    ("almanac entry {nnn}-{L}", "The date recorded in {k} is {y}."),
    ("calendar sheet {nn}-{nn}", "The date recorded in {k} is {y}."),
)
_PERSON_RECORDS = (
    ("register note {nnn}-{L}", "The person recorded in {k} is {y}."),
    ("index card {nn}-{nnn}", "The person recorded in {k} is {y}."),
)
_PLACE_RECORDS = (
    ("gazetteer line {nnn}-{n}", "The place recorded in {k} is {y}."),
    ("map note {nn}-{LL}", "The place recorded in {k} is {y}."),
)

_WHEN = (
    ("when",),
    ("in", "what", "year"),
    ("in", "which", "year"),
    ("what", "year"),
    ("which", "year"),
    ("on", "what", "date"),
    ("what", "date"),
)
_WHERE = (("where",), ("in", "what", "place"), ("at", "what", "place"))


def _opening(parts: tuple[str, ...], openings: Iterable[tuple[str, ...]]) -> int:
    """Return the length of the opening that a step begins with, or 0."""
    return max((len(o) for o in openings if parts[: len(o)] == o), default=0)


def _asked_when(body: str, parts: tuple[str, ...]) -> list[str]:
    """Return question templates for a body such as `did {x} reinstate ...`."""
    if "year" in parts[:3]:
        return [f"[in] (what|which) year {body}", f"when {body}"]
    return [
        f"when {body}",
        f"[on] (what|which) (date|day) {body}",
        f"[in] (what|which) year {body}",
    ]


def when_did(cut: Segmented, subject: Subject) -> Relation | None:
    """`when did {x} reinstate the death penalty`."""
    start = _opening(cut.parts, _WHEN)
    if not start or cut.parts[start : start + 2] != ("did", "{x}"):
        return None
    at = start + 2
    adverb = (
        f"{cut.parts[at]} " if cut.parts[at : at + 1] and cut.parts[at] in _bank().adverbs else ""
    )
    at += bool(adverb)
    verb = cut.parts[at] if at < len(cut.parts) else ""
    past = inflect(verb, "VBD") if verb else None
    if past is None:
        return None
    rest = cut.text(at + 1)
    own = f"{adverb}{past} {rest}".strip()
    near = [("gold", own, "")]
    if subject in _bank().willed_subjects and verb not in _bank().involuntary_verbs and not adverb:
        base = f"{verb} {rest}".strip()
        near += [
            (name, entry.text.replace("{vp}", base), entry.because)
            for name, entry in _bank().willed_date.items()
        ]
    else:
        near += _about(cut, _bank().other_date)
    value = "year" if "year" in cut.parts[:start] else "time"
    return _relation(
        "when_did", cut, value, "The date on which {x} {role} is {y}.",
        "the date on which {x} {role}", _DATE_RECORDS, near,
        _asked_when(" ".join(cut.parts[start:]), cut.parts),
    )  # fmt: skip


def when_was(cut: Segmented, subject: Subject) -> Relation | None:
    """`when was {x} abolished`."""
    start = _opening(cut.parts, _WHEN)
    parts = cut.parts[start:]
    if not start or len(parts) < 3 or parts[0] not in ("was", "were") or parts[1] != "{x}":
        return None
    adverb = parts[2] in _bank().adverbs
    verb = parts[2 + adverb] if len(parts) > 2 + adverb else ""
    if not verb or not is_form(verb, "VBN") or verb == "born":
        return None
    own = f"{parts[0]} {cut.text(start + 2)}"
    value = "year" if "year" in cut.parts[:start] else "time"
    return _relation(
        "when_was", cut, value, "The date on which {x} {role} is {y}.",
        "the date on which {x} {role}", _DATE_RECORDS,
        [("gold", own, ""), *_about(cut, _bank().other_date)],
        _asked_when(" ".join(parts), cut.parts),
    )  # fmt: skip


def where_was(cut: Segmented, subject: Subject) -> Relation | None:
    """`where was {x} signed`, `where did {x} take place`."""
    start = _opening(cut.parts, _WHERE)
    parts = cut.parts[start:]
    if not start or len(parts) < 3 or parts[1] != "{x}":
        return None
    if parts[0] in ("was", "were") and is_form(parts[2], "VBN"):
        own = f"{parts[0]} {cut.text(start + 2)}"
    elif parts[0] == "did" and (past := inflect(parts[2], "VBD")):
        own = f"{past} {cut.text(start + 3)}".strip()
    else:
        return None
    body = " ".join(parts)
    folded = " ".join(part.casefold() for part in own.split())
    return _relation(
        "where", cut, "place", "The place where {x} {role} is {y}.",
        "the place where {x} {role}", _PLACE_RECORDS,
        [("gold", own, ""), *_about(cut, _bank().other_place)],
        [f"where {body}", f"in (what|which) {{kind}} {body}", f"(what|which) {{kind}} {body} in"],
        [f"the {{kind}} (where|in which) {{x}} {folded}", f"where {{x}} {folded}"],
        [f"{{x}} {folded}"],
    )  # fmt: skip


def who_did(cut: Segmented, subject: Subject) -> Relation | None:
    """`who discovered {x}`."""
    parts = cut.parts
    if (
        len(parts) < 3
        or parts[0] != "who"
        or parts[1] in ("is", "was", "are", "were", "has", "did")
    ):
        return None
    verb = parts[1]
    if not (is_form(verb, "VBD") or is_form(verb, "VBZ")) or lemma(verb) in _bank().writing_verbs:
        return None
    own = cut.text(1)
    body = " ".join(parts[1:])
    return _relation(
        "who_did", cut, "person", "The person who {role} is {y}.", "the person who {role}",
        _PERSON_RECORDS, [("gold", own, ""), *_about(cut, _bank().person)],
        [f"who {body}"],
        [f"the (person|one|man|woman|{{kind}}) (who|that) {body}"],
    )  # fmt: skip


def who_is(cut: Segmented, subject: Subject) -> Relation | None:
    """`who is the mayor of {x}`."""
    parts = cut.parts
    if len(parts) < 6 or parts[0] != "who" or parts[1] not in ("is", "was") or parts[2] != "the":
        return None
    of = next((at for at in range(3, len(parts)) if parts[at] in ("of", "for", "at")), 0)
    if not 4 <= of <= 7 or parts[of + 1 :] != ("{x}",) or len(cut.fillers) != 1:
        return None
    role = cut.text(3, of)
    tail = f"{parts[of]} {{x}}"
    if any(part.startswith("{") or part == "'s" for part in parts[3:of]) or role != role.lower():
        return None
    near = [("gold", f"{role} {tail}", "")] + [
        (name, f"{entry.text} of the {role} {tail}", entry.because)
        for name, entry in _bank().around_role.items()
    ]
    folded = " ".join(parts[3:of])
    return _relation(
        "who_is", cut, "person", "The {role} is {y}.", "the {role}", _PERSON_RECORDS, near,
        [f"who (is|was) the {folded} {tail}"],
        [f"the {folded} (of|{parts[of]}) {{x}}", f"{{x}}'s {folded}"],
    )  # fmt: skip


def what_kind(cut: Segmented, subject: Subject) -> Relation | None:
    """`which religion is widely practiced in {x}`, `what organization sold {x}`."""
    parts, types = cut.parts, entity_types()
    if len(parts) < 4 or parts[0] not in ("what", "which"):
        return None
    for length in (3, 2, 1):
        kind = " ".join(parts[1 : 1 + length])
        value = types.of_kind(kind)
        verb = parts[1 + length] if len(parts) > 1 + length else ""
        if value is None or types.is_value(value):
            continue
        past = is_form(verb, "VBD") or is_form(verb, "VBZ")
        passive = verb in ("is", "was") and any(
            is_form(word, "VBN") for word in parts[2 + length :]
        )
        if not (passive or (past and verb not in ("is", "was", "does", "did", "has"))):
            continue
        own = cut.text(1 + length)
        body = " ".join(parts[1 + length :])
        return _relation(
            "what_kind", cut, value, f"The {kind} which {{role}} is {{y}}.",
            f"the {kind} which {{role}}",
            tuple((key, f"The {kind} recorded in {{k}} is {{y}}.") for key, _ in _PLACE_RECORDS),
            [("gold", own, ""), *_about(cut, _bank().other_kind)],
            [f"(what|which) {{kind}} {body}"],
            [f"the {{kind}} (that|which|who) {body}"],
        )  # fmt: skip
    return None


def _about(cut: Segmented, bank: dict[str, _Entry]) -> list[tuple[str, str, str]]:
    """Return the near-misses of a bank, with further slots of the step named alongside."""
    others = [f"{{{slot}}}" for slot, _ in cut.fillers[1:]]
    return [
        (name, f"{entry.text}{_alongside(others, entry.text)}", entry.because)
        for name, entry in bank.items()
    ]


def _alongside(others: list[str], text: str) -> str:
    if not others:
        return ""
    joined = " and ".join(others)
    return f" and {joined}" if text.endswith("{x}") else f" together with {joined}"


FORMS: tuple[Form, ...] = (when_did, when_was, who_is, who_did, where_was, what_kind)
"""All forms, the stricter first."""
