"""What readers and the parser need of the catalogue's entries on people, works and the screen."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from realhop_kg.construct.steps import read_step
from realhop_kg.construct.voicing import voice_question
from realhop_kg.model.item import REFERENCE, SourceHop
from realhop_kg.relations.catalogue import catalogue
from realhop_kg.relations.relation import Relation
from realhop_kg.relations.templates import Slot, expand

POINTING = re.compile(r"\b(?:he|she|it|they|them|this|these|those)\b", re.IGNORECASE)
RELATIONS = tuple(catalogue().relations.values())


def _wordings(relation: Relation) -> list[str]:
    found: list[str] = []
    for miss in (None, *relation.near_misses):
        found.append(relation.statement_of(miss))
        for frame in range(len(relation.frames)):
            found += relation.premises_of(miss, frame)
    return found


@pytest.mark.parametrize("relation", RELATIONS, ids=lambda relation: relation.id)
def test_no_wording_points_outside_its_sentence(relation: Relation) -> None:
    assert [text for text in _wordings(relation) if POINTING.search(text)] == []


@pytest.mark.parametrize("relation", RELATIONS, ids=lambda relation: relation.id)
def test_every_voice_names_every_slot(relation: Relation) -> None:
    for voice in (*relation.questions, *relation.nouns, *relation.clauses):
        for pattern in expand(voice.text):
            slots = {part.name for part in pattern if isinstance(part, Slot)}
            assert slots - {"kind"} == set(relation.arguments), voice.text


def test_no_two_relations_share_a_key_pattern() -> None:
    keys = Counter(
        re.sub(r"\{\w+\}", "#", frame.key) for relation in RELATIONS for frame in relation.frames
    )
    assert [key for key, times in keys.items() if times > 1] == []


@pytest.mark.parametrize("relation", RELATIONS, ids=lambda relation: relation.id)
def test_inverses_name_each_other(relation: Relation) -> None:
    if relation.inverse:
        assert catalogue().relations[relation.inverse].inverse == relation.id


def _read(question: str, *steps: str) -> list[str]:
    hops = [
        SourceHop(
            index=index,
            question=step,
            answer="",
            support=0,
            depends_on=tuple(dict.fromkeys(int(k) for k in REFERENCE.findall(step))),
        )
        for index, step in enumerate(steps, start=1)
    ]
    readings = {hop.index: read_step(hop, catalogue()) for hop in hops}
    voiced = voice_question(question, readings, len(hops), catalogue()).hops
    return [
        f"{hop.reading.relation.id} {hop.voice.weaker}".strip()
        for _, hop in sorted(voiced.items())
        if hop.voice is not None
    ]


@pytest.mark.parametrize(
    ("question", "steps", "relations"),
    [
        (
            "What label was the Blue Kettle performer signed to?",
            ("Blue Kettle >> performer", "#1 >> record label"),
            ["performer", "artist_label"],
        ),
        (
            "What year did the writer of Red Barn die?",
            ("who wrote red barn", "In what year did #1 die?"),
            ["author", "year_of_death"],
        ),
        (
            "In which county was the person who plays Zed in Red Barn born?",
            ("who plays zed in red barn", "#1 >> place of birth"),
            ["played_by", "place_of_birth"],
        ),
        (
            "Who is the child of the actor of Zed in Red Barn?",
            ("who plays old zed in red barn", "#1 >> child"),
            ["played_old_by played_by", "child"],
        ),
        (
            "Which country is the director of film Red Barn a citizen of?",
            ("Red Barn >> director", "what nationality is #1"),
            ["director", "country_of_citizenship"],
        ),
        (
            "What team does Jon Smythe's brother play for?",
            ("Jon Smythe >> sibling", "#1 >> member of sports team"),
            ["sibling", "member_of_team"],
        ),
    ],
)
def test_composed_questions_are_read(
    question: str, steps: tuple[str, ...], relations: list[str]
) -> None:
    assert _read(question, *steps) == relations


@pytest.mark.parametrize(
    ("stronger", "weaker"),
    [
        ("father", "parent"),
        ("author", "creator"),
        ("voiced_by", "played_by"),
        ("home_at_death", "place_of_death"),
    ],
)
def test_stronger_relations_entail_weaker_ones_and_not_the_reverse(
    stronger: str, weaker: str
) -> None:
    predicates = catalogue().predicates
    assert predicates.entails(stronger, weaker)
    assert not predicates.entails(weaker, stronger)
