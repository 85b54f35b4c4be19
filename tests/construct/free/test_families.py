"""The families: every phrase makes a sound relation whose near-misses are other deeds."""

from __future__ import annotations

import re
from functools import cache

import pytest

from realhop_kg.construct.definitions import define
from realhop_kg.construct.free.families import Spec, all_specs, bank, first_reading
from realhop_kg.construct.free.forms import relation_of
from realhop_kg.relations.catalogue import Catalogue
from realhop_kg.relations.relation import Relation
from realhop_kg.relations.templates import expand
from realhop_kg.relations.types import entity_types


@cache
def every() -> tuple[tuple[Spec, Relation], ...]:
    return tuple((spec, relation_of(spec)) for spec in all_specs())


def test_every_phrase_makes_a_relation_and_no_two_share_an_id() -> None:
    ids = [relation.id for _, relation in every()]
    assert len(ids) == len(set(ids))
    assert len(ids) > 900


def test_all_of_them_make_one_catalogue_and_no_near_miss_entails_its_relation() -> None:
    relations = [relation for _, relation in every()]
    assert len(Catalogue(relations, entity_types()).relations) == len(relations)


def test_every_voice_is_a_template() -> None:
    for _, relation in every():
        for voice in (*relation.questions, *relation.nouns, *relation.clauses):
            assert expand(voice.text)


@pytest.mark.parametrize("word", ["the the", "a a", "  ", "which {x} which", " an the"])
def test_no_statement_repeats_an_article(word: str) -> None:
    for _, relation in every():
        for miss in (None, *relation.near_misses):
            assert word not in relation.statement_of(miss)


def test_no_phrase_holds_a_negation_or_a_pronoun() -> None:
    banned = (
        r"\b(?:not|no|never|only|other|except|without|neither|also|the same|he|she|it|his|her|they"
    )
    pattern = re.compile(banned + r"|them|that|this|those|which|who)\b")
    for spec, relation in every():
        assert not pattern.search(first_reading(spec.phrase)), spec.phrase
        for miss in relation.near_misses:
            assert not pattern.search(miss.role), miss.role


def test_no_verb_of_a_deed_is_in_its_bank() -> None:
    for spec, relation in every():
        if spec.family.form == "who_did":
            first_words = {text.split()[0] for text, _ in bank(spec.family.near).values()}
            assert relation.role not in first_words


def test_a_template_is_read_by_its_first_alternatives() -> None:
    assert first_reading("(abolish|end) (the draft|conscription) [for good]") == "abolish the draft"


def test_names_are_typed_by_what_passages_say() -> None:
    assert define("Orle County", (), entity_types()).types == ("county",)
