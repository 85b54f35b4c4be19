"""Turns an allowed phrase into a relation: its statement, premises, near-misses and voices."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from realhop_kg.construct.free.families import Spec, bank, first_reading, passive_voices
from realhop_kg.construct.free.verbs import inflect
from realhop_kg.relations.relation import Frame, NearMiss, Relation, Voice
from realhop_kg.relations.types import entity_types

__all__ = ["relation_of"]

_SLUG = re.compile(r"[^a-z0-9]+")
_FIRST = re.compile(r"^(first|last|second|original|current|officially)\s+")
_KIND_PREPOSITION = "[(in|on)] (what|which) {kind}"


@dataclass(frozen=True, slots=True)
class _Shape:
    """How the facts of a form are stated."""

    statement: str
    link: str
    value: str
    keys: tuple[str, str]


_DATE = _Shape(
    "The date on which {x} {role} is {y}.",
    "{k} gives the date on which {x} {role}.",
    "The date given in {k} is {y}.",
    ("almanac entry {nnn}-{L}", "calendar sheet {nn}-{nn}"),
)
_PLACE = _Shape(
    "The place where {x} {role} is {y}.",
    "{k} names the place where {x} {role}.",
    "The place named in {k} is {y}.",
    ("gazetteer line {nnn}-{n}", "map note {nn}-{LL}"),
)
_DEED = _Shape(
    "{x} was {role} by {y}.",
    "{k} names the person by whom {x} was {role}.",
    "The person named in {k} is {y}.",
    ("register note {nnn}-{L}", "index card {nn}-{nnn}"),
)
_FIRST_DATE = _Shape(
    "The date on which {role} is {y}.",
    "{k} gives the date on which {role}.",
    "The date given in {k} is {y}.",
    ("chronicle line {nnn}-{L}", "annals sheet {nn}-{nn}"),
)
_WHOM = _Shape(
    "{x} {role} {y}.",
    "{k} names the person whom {x} {role}.",
    "The person named in {k} is {y}.",
    ("register note {nnn}-{L}", "index card {nn}-{nnn}"),
)
_NUMBER = _Shape(
    "The number of {role} is {y}.",
    "{k} gives the number of {role}.",
    "The number given in {k} is {y}.",
    ("table row {nnn}-{L}", "survey sheet {nn}-{nn}"),
)
_SHAPES = {
    "when_did": _DATE,
    "when_was": _DATE,
    "when_first": _FIRST_DATE,
    "where_did": _PLACE,
    "where_was": _PLACE,
    "who_did": _DEED,
    "whom_did": _WHOM,
    "how_many": _NUMBER,
}
_PREPARED = frozenset({"polity_acts", "polity_status", "group_joins"})
_FOLLOWED = frozenset({"battle_events", "work_events", "product_events"})
_STARTED = frozenset({"facility_events", "organization_events", "settlement_events"})
"""Banks of what comes before a deed, after it, or while its subject is there."""
_ENDS = frozenset(
    {
        "dissolved", "disbanded", "abolished", "closed", "close", "shut", "demolished", "destroyed",
        "burn", "collapse", "stop", "evacuated",
    }
)  # fmt: skip
"""Words of phrases by which a subject ends."""
_ROLE_KEYS = ("office card {nnn}-{L}", "register note {nn}-{nnn}")
_THING_KEYS = ("handbook entry {nnn}-{L}", "inventory line {nn}-{nnn}")


@lru_cache(maxsize=4096)
def relation_of(spec: Spec) -> Relation:
    """Return the relation that a phrase makes."""
    family = spec.family
    phrase = first_reading(spec.phrase.split("|")[0] if family.form == "who_did" else spec.phrase)
    role = _role(spec, phrase)
    shape = _shape(spec, phrase)
    questions, nouns, clauses = _voices(spec, role)
    return Relation(
        id=f"free.{family.id}.{_SLUG.sub('_', phrase.casefold()).strip('_')}",
        arguments={"x": entity_types().common(family.subjects)},
        value=_value(spec, phrase),
        role=role,
        statement=shape.statement,
        frames=tuple(Frame(key=key, link=shape.link, value=shape.value) for key in shape.keys),
        near_misses=tuple(
            NearMiss(id=name, role=_near(text, phrase), because=because, when=_when(spec, phrase))
            for name, (text, because) in bank(family.near).items()
        ),
        questions=questions,
        nouns=tuple(Voice(text=text) for text in nouns),
        clauses=tuple(Voice(text=text) for text in clauses),
    )


def _role(spec: Spec, phrase: str) -> str:
    form = spec.family.form
    if form in ("when_did", "where_did", "whom_did"):
        return _past(phrase)
    if form == "when_first":
        return f"the first {phrase} in {{x}} was built"
    if form in ("when_was", "where_was"):
        return f"was {phrase}"
    if form == "who_did":
        return _inflected(phrase, "VBN")
    return first_reading(spec.fill(spec.family.role)) if form == "how_many" else phrase


def _past(phrase: str) -> str:
    """Return a verb phrase in the past: `last win the cup` becomes `last won the cup`."""
    adverb = _FIRST.match(phrase)
    start = adverb.end() if adverb else 0
    verb, _, rest = phrase[start:].partition(" ")
    return f"{phrase[:start]}{_inflected(verb, 'VBD')} {rest}".strip()


def _inflected(verb: str, form: str) -> str:
    # The dictionary has a form of its own only where it differs from the past.
    found = (inflect(verb, "VBN") if form == "VBN" else None) or inflect(verb, "VBD")
    if found is None:
        raise ValueError(f"{verb!r} is no verb of the dictionary")
    return found


def _when(spec: Spec, phrase: str) -> Literal["", "before", "after"]:
    """Return when the deeds of a bank happen, where the phrase is an act, a beginning or an end."""
    if not spec.family.form.startswith("when"):
        return ""
    near = spec.family.near
    if near in _STARTED:
        return "before" if not _ENDS.isdisjoint(phrase.split()) else "after"
    return "before" if near in _PREPARED else "after" if near in _FOLLOWED else ""


def _near(text: str, phrase: str) -> str:
    order = _FIRST.match(phrase)
    words = text.replace("{vp}", phrase)
    if "{kind}" in text:
        words = words.replace("{kind}", _kind(phrase)[1])
    return " ".join(words.replace("{first}", order.group(1) if order else "").split())


def _kind(phrase: str) -> tuple[str, str]:
    """Return type and kind noun of a superlative: the longest kind noun at its end."""
    words = phrase.split()
    for start in range(1, len(words)):
        kind = " ".join(words[start:])
        type_id = entity_types().of_kind(kind)
        if type_id:
            return type_id, kind
    raise ValueError(f"{phrase!r} ends in no kind noun")


def _value(spec: Spec, phrase: str) -> str:
    form = spec.family.form
    if form == "superlative":
        return _kind(phrase)[0]
    if form.startswith("when"):
        return "time"
    if form.startswith("where"):
        return "place"
    return "number" if form == "how_many" else "person"


def _shape(spec: Spec, phrase: str) -> _Shape:
    form = spec.family.form
    if form == "superlative":
        noun = _kind(phrase)[1]
        return _Shape(
            "The {role} in {x} is {y}.",
            "{k} names the {role} in {x}.",
            f"The {noun} named in {{k}} is {{y}}.",
            _THING_KEYS,
        )
    if form == "who_role":
        be = "was" if phrase.startswith(("first ", "last ", "second ", "original ")) else "is"
        return _Shape(
            f"The {{role}} of {{x}} {be} {{y}}.",
            "{k} names the {role} of {x}.",
            f"The person named in {{k}} {be} {{y}}.",
            _ROLE_KEYS,
        )
    return _SHAPES[form]


Texts = list[str]


def _voices(spec: Spec, role: str) -> tuple[tuple[Voice, ...], Texts, Texts]:
    """Return the questions, noun phrases and clauses by which a phrase is voiced."""
    family, phrase = spec.family, spec.phrase
    nouns: Texts = []
    clauses: Texts = []
    if family.form == "when_did":
        questions = [f"when did {{x}} {phrase}", f"{_KIND_PREPOSITION} did {{x}} {phrase}"]
        nouns = [f"the {{kind}} (when|in which|on which|that) {{x}} {role}"]
    elif family.form == "when_was":
        questions = [f"when (was|were) {{x}} {phrase}"]
        questions += [f"{_KIND_PREPOSITION} (was|were) {{x}} {phrase}"]
        nouns = [f"the {{kind}} (when|in which|on which|that) {{x}} was {phrase}"]
    elif family.form in ("where_did", "where_was"):
        body = f"was {{x}} {phrase}" if family.form == "where_was" else f"did {{x}} {phrase}"
        said = f"was {phrase}" if family.form == "where_was" else role
        questions = [f"where {body}", f"in (what|which) {{kind}} {body}"]
        questions += [f"(what|which) {{kind}} {body} in"]
        nouns = [
            f"the {{kind}} (where|in which) {{x}} {said}",
            f"the {{kind}} (that|which) {{x}} {said} in",
        ]
        nouns += [f"where {{x}} {said}"]
        clauses = [f"{{x}} {said}"]
    elif family.form == "when_first":
        questions = [f"when was the first {phrase} (built|constructed) in {{x}}"]
        questions += [f"{_KIND_PREPOSITION} was the first {phrase} (built|constructed) in {{x}}"]
        questions += [f"when was {{x}}'s first {phrase} (built|constructed)"]
    elif family.form == "whom_did":
        questions = [f"(who|whom) did {{x}} {phrase}"]
        nouns = [f"the (person|man|woman) [(who|whom|that)] {{x}} {role}"]
    elif family.form == "who_did":
        questions, nouns = _deeds(spec)
    elif family.form == "who_role":
        questions = [
            f"who (is|was) [the] {phrase} (of|for|in|at) {{x}}",
            f"who (is|was) {{x}}'s {phrase}",
            f"who (became|becomes) [the] {phrase} of {{x}}",
            f"what (is|was) the name of the {phrase} (of|in) {{x}}",
            f"what (is|was) the name of {{x}}'s {phrase}",
        ]
        nouns = [f"the {phrase} (of|for|in|at) {{x}}", f"{{x}}'s {phrase}"]
    elif family.form == "superlative":
        questions = [
            f"(what|which) (is|was|are) [the name of] the {phrase} (in|of|on) {{x}}",
            f"what (is|was) [the name of] {{x}}'s {phrase}",
        ]
        nouns = [f"the {phrase} (in|of|on) {{x}}", f"{{x}}'s {phrase}"]
    else:
        questions = [spec.fill(text) for text in family.questions]
        nouns = [f"the number of {phrase} in {{x}}"] if role.endswith(" in {x}") else []
    questions += [spec.fill(text) for text in (*family.also, *passive_voices(spec))]
    return _with_article(questions), nouns, clauses


def _deeds(spec: Spec) -> tuple[Texts, Texts]:
    verbs = spec.phrase.split("|")
    past = "|".join(dict.fromkeys(_inflected(verb, "VBD") for verb in verbs))
    passive = "|".join(dict.fromkeys(_inflected(verb, "VBN") for verb in verbs))
    questions = [
        f"who ({past}) {{x}}",
        f"who (was|is) the (person|man|woman) (who|that) ({past}) {{x}}",
        f"who was {{x}} ({passive}) by",
        f"by whom was {{x}} ({passive})",
        f"{{x}} was ({passive}) by (who|whom)",
        f"(what|which) {{kind}} ({past}) {{x}}",
        f"what (is|was) the name of the {{kind}} (who|that) ({past}) {{x}}",
    ]
    nouns = [
        f"the (person|man|woman|one|{{kind}}) (who|that) ({past}) {{x}}",
        f"the (person|man|woman) {{x}} was ({passive}) by",
        f"the (person|man|woman|{{kind}}) by whom {{x}} was ({passive})",
    ]
    agent = spec.family.agents.get(spec.phrase)
    if agent:
        questions += [f"who (is|was) the {agent} of {{x}}", f"who (is|was) {{x}}'s {agent}"]
        nouns += [f"the {agent} of {{x}}", f"{{x}}'s {agent}", f"the {{x}} {agent}"]
    return questions, nouns


def _with_article(questions: Sequence[str]) -> tuple[Voice, ...]:
    """Return voices; steps may have an article before a reference, which questions have not."""
    plain = [Voice(text=text) for text in questions]
    steps = [
        Voice(text=text.replace("{x}", "the {x}"), step_only=True)
        for text in questions
        if "{x}'s" not in text
    ]
    return (*plain, *steps)
