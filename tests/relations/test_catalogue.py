from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from realhop_kg.construct.compete import STRICT_CANDIDATES
from realhop_kg.errors import InputError
from realhop_kg.relations.catalogue import Catalogue, catalogue
from realhop_kg.relations.predicates import Family, link_of, value_of
from realhop_kg.relations.relation import Relation, Voice
from realhop_kg.relations.templates import Slot, expand
from realhop_kg.relations.types import entity_types

BUNDLED = catalogue()


def relation(relation_id: str = "mayor", **changes: Any) -> Relation:
    """Return a small valid relation of our own, changed where a test wants it."""
    fields: dict[str, Any] = {
        "id": relation_id,
        "labels": ["Mayor"],
        "arguments": {"x": "settlement"},
        "value": "person",
        "role": "mayor",
        "statement": "The {role} of {x} is {y}.",
        "frames": [
            {
                "key": "chain {nn}",
                "link": "{k} is worn by the {role} of {x}.",
                "value": "{k} belongs to {y}.",
            }
        ],
        "near_misses": [
            {"id": role, "role": role, "because": f"a {role} heads no town"}
            for role in ("baker", "miller", "piper")
        ],
        "questions": ["who is the mayor of {x}"],
        "nouns": ["the mayor of {x}", {"text": "the head of {x}", "plain": True}],
    }
    return Relation.model_validate({**fields, **changes})


def closed(*relations: Relation) -> Catalogue:
    return Catalogue(relations, entity_types())


def voices(entry: Relation) -> list[Voice]:
    return [*entry.questions, *entry.nouns, *entry.clauses]


# --- what the repository ships


@pytest.mark.parametrize("entry", BUNDLED.relations.values(), ids=lambda entry: entry.id)
def test_every_bundled_wording_expands_and_names_each_slot_it_needs(entry: Relation) -> None:
    for voice in voices(entry):
        for pattern in expand(voice.text):
            slots = {part.name for part in pattern if isinstance(part, Slot)}
            assert slots - {"kind"} == set(entry.arguments), voice.text
            assert any(isinstance(part, str) for part in pattern), voice.text


@pytest.mark.parametrize("entry", BUNDLED.relations.values(), ids=lambda entry: entry.id)
def test_every_bundled_relation_has_near_misses_enough_for_any_of_its_types(
    entry: Relation,
) -> None:
    assert sum(not miss.only for miss in entry.near_misses) >= STRICT_CANDIDATES
    for miss in entry.near_misses:
        known = {**entry.arguments, "y": entry.value}
        for slot, type_id in miss.only.items():
            assert BUNDLED.types.narrower(type_id, known[slot]) == type_id


def test_no_two_bundled_wordings_of_a_relation_and_its_near_misses_are_the_same() -> None:
    for entry in BUNDLED.relations.values():
        told = [entry.statement_of(miss) for miss in (None, *entry.near_misses)]
        assert len(told) == len(set(told)), entry.id


def test_every_bundled_near_miss_says_why_it_is_one() -> None:
    misses = [p for p in BUNDLED.predicates.values() if p.family is Family.NEAR_MISS]
    assert len(misses) >= 3 * len(BUNDLED.relations)
    assert all(miss.audit.startswith("catalogue: ") and miss.audit[11:] for miss in misses)


# --- looking relations up


def test_a_label_is_found_in_any_case_and_may_name_several_relations() -> None:
    other = relation("chief", labels=["mayor ", "Chief"], role="chief")
    found = closed(relation(), other).labelled(" MAYOR")
    assert [entry.id for entry in found] == ["mayor"]
    shared = closed(relation(), relation("chief", labels=["mayor"], role="chief"))
    assert [entry.id for entry in shared.labelled("mayor")] == ["mayor", "chief"]
    assert shared.labelled("baker") == []


def test_question_patterns_are_offered_where_all_their_words_are_there() -> None:
    known = closed(relation(), relation("chief", labels=[], questions=["who rules {x}"], role="c"))
    words = {"who", "is", "the", "mayor", "of", "calder"}
    assert [entry.id for entry, _ in known.asked(words)] == ["mayor"]
    assert [entry.id for entry, _ in known.asked(words | {"rules"})] == ["mayor", "chief"]
    assert list(known.asked(words - {"of"})) == []


def test_every_bundled_question_is_offered_for_its_own_words() -> None:
    for entry in BUNDLED.relations.values():
        for voice in entry.questions:
            pattern = expand(voice.text)[0]
            words = {part for part in pattern if isinstance(part, str)}
            assert (entry, pattern) in list(BUNDLED.asked(words))


def test_a_catalogue_extended_for_an_item_leaves_the_first_alone() -> None:
    first = closed(relation())
    more = first.extended([relation("chief", role="chief")])
    assert list(first.relations) == ["mayor"]
    assert list(more.relations) == ["mayor", "chief"]
    assert "chief.baker" in more.predicates
    assert "chief.baker" not in first.predicates


# --- predicates


def test_a_relation_brings_itself_its_near_misses_and_the_premises_of_all() -> None:
    predicates = closed(relation()).predicates
    assert set(predicates) == {
        premise
        for name in ("mayor", "mayor.baker", "mayor.miller", "mayor.piper")
        for premise in (name, link_of(name, 0), value_of(name, 0))
    }
    miss = predicates["mayor.baker"]
    assert miss.family is Family.NEAR_MISS
    assert miss.parent == "mayor"
    assert miss.wordings == ("The baker of {x} is {y}.",)
    assert miss.audit == "catalogue: a baker heads no town"
    link = predicates[link_of("mayor.baker", 0)]
    assert (link.arguments, link.value) == ({"x": "settlement"}, "key")
    assert link.wordings == ("{k} is worn by the baker of {x}.",)
    value = predicates[value_of("mayor.baker", 0)]
    assert (value.arguments, value.value) == ({"k": "key"}, "person")


def test_a_near_miss_may_have_wordings_of_its_own() -> None:
    miss = {
        "id": "rival",
        "role": "rival",
        "statement": "{x} quarrels with {y}.",
        "links": ["{k} names the {role} of {x}."],
        "values": ["{y} is named on {k}."],
        "because": "a rival heads another town",
    }
    entry = relation(near_misses=[miss, *relation().near_misses])
    assert entry.statement_of(entry.near_misses[0]) == "{x} quarrels with {y}."
    assert entry.premises_of(entry.near_misses[0], 0) == (
        "{k} names the rival of {x}.",
        "{y} is named on {k}.",
    )
    assert entry.miss_id(entry.near_misses[0]) == "mayor.rival"


def test_a_voice_may_be_a_plain_text() -> None:
    assert relation().nouns == (
        Voice(text="the mayor of {x}"),
        Voice(text="the head of {x}", plain=True),
    )


# --- what is refused


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"arguments": {"w": "settlement"}}, "first argument slot must be x"),
        ({"arguments": {}}, "first argument slot must be x"),
        (
            {"arguments": {"x": "settlement", "w": "year"}, "symmetric": True},
            "need a relation of one slot",
        ),
        ({"statement": "The {role} is {y}."}, "needs"),
        ({"statement": "The {role} of {x} is {y}"}, "no complete sentence"),
        ({"statement": "{x} is led by {y}."}, "near-miss baker is stated like the relation"),
        ({"frames": []}, "at least 1"),
        ({"near_misses": relation().near_misses[:2]}, "at least 3"),
        ({"near_misses": relation().near_misses[:1] * 3}, "near-miss ids repeat"),
        (
            {"frames": [{"key": "chain", "link": "{k} is of {x}.", "value": "{k} is of {y}."}]},
            "near-miss baker is split like the relation",
        ),
        (
            {"frames": [{"key": "chain", "link": "{k} is of {y}.", "value": "{k} is of {y}."}]},
            "needs",
        ),
        ({"nouns": [{"txt": "the mayor of {x}"}]}, "Field required|Extra inputs"),
    ],
)
def test_an_inconsistent_relation_is_refused(changes: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValidationError, match=complaint):
        relation(**changes)


@pytest.mark.parametrize(
    ("relations", "complaint"),
    [
        ([relation(), relation()], "'mayor' is declared twice"),
        ([relation(value="moon")], "mayor: y has unknown type 'moon'"),
        ([relation(arguments={"x": "moon"})], "mayor: x has unknown type 'moon'"),
        ([relation(inverse="town_of")], "mayor names unknown relation 'town_of'"),
        ([relation(entails=["chief"])], "mayor names unknown relation 'chief'"),
        (
            [relation(nouns=[{"text": "the chief of {x}", "weaker": "chief"}])],
            "mayor names unknown relation 'chief'",
        ),
    ],
)
def test_a_catalogue_that_does_not_hang_together_is_refused(
    relations: list[Relation], complaint: str
) -> None:
    with pytest.raises(InputError, match=complaint):
        closed(*relations)


def test_a_near_miss_that_entails_its_relation_in_two_steps_is_refused() -> None:
    liar = {"id": "liar", "role": "liar", "entails": ["deputy"], "because": "it says so"}
    mayor = relation(near_misses=[liar, *relation().near_misses])
    deputy = relation("deputy", role="deputy", labels=[], entails=["mayor"])
    with pytest.raises(InputError, match=r"near-miss mayor\.liar entails mayor"):
        closed(mayor, deputy)


def test_a_near_miss_that_entails_what_the_question_asks_for_is_refused() -> None:
    liar = {"id": "liar", "role": "liar", "entails": ["chief"], "because": "it says so"}
    chief = relation("chief", role="chief", labels=[])
    mayor = relation(
        near_misses=[liar, *relation().near_misses],
        nouns=[{"text": "the chief of {x}", "weaker": "chief"}],
    )
    with pytest.raises(InputError, match=r"near-miss mayor\.liar entails chief"):
        closed(mayor, chief)
