"""The bundled questions: read whole, constructed whole, and reworded in their names alone."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache

import pytest

from graph_builders.base import Excluded, builder
from realhop_kg.construct.outcome import Constructed
from realhop_kg.construct.pipeline import construct_item
from realhop_kg.graph.build import CONSTRUCTED
from realhop_kg.graph.dependency import dependencies, topology
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import EdgeKind, EntityNode, ItemNode, PathKind, PathNode
from realhop_kg.model.entity import EntityRole
from realhop_kg.model.finding import Severity
from realhop_kg.model.item import SourceItem
from realhop_kg.relations.catalogue import catalogue
from realhop_kg.resources import resource_folder

QUESTIONS = resource_folder("data") / "questions.jsonl"
EXAMPLE = resource_folder("data") / "own_example.jsonl"

SHAPES = {
    "2hop": 7,
    "3hop1": 5,
    "3hop2": 3,
    "4hop1": 3,
    "4hop2": 2,
    "4hop3": 2,
    "diamond": 2,
}


@cache
def _items() -> dict[str, SourceItem]:
    outcomes = [*builder("musique").read(QUESTIONS), *builder("jsonl").read(EXAMPLE)]
    assert [o.sentence for o in outcomes if isinstance(o, Excluded)] == []
    return {o.key: o for o in outcomes if isinstance(o, SourceItem)}


@cache
def _constructed(key: str, seed: int = 0) -> Constructed:
    outcome = construct_item(_items()[key], catalogue(), seed)
    assert isinstance(outcome, Constructed), f"{outcome.code} {outcome.message}"
    return outcome


every_item = pytest.mark.parametrize("key", sorted(_items()))


def _records() -> list[dict[str, object]]:
    return [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]


def test_all_bundled_questions_are_read_in_seven_shapes() -> None:
    items = [item for item in _items().values() if item.dataset == "musique"]
    assert Counter(topology(item.dependencies) for item in items) == SHAPES
    assert sum(SHAPES.values()) == 24


def test_the_plain_example_is_read() -> None:
    items = [item for item in _items().values() if item.dataset == "jsonl"]
    assert [topology(item.dependencies) for item in items] == ["3hop1", "2hop"]


def test_bundled_ids_name_their_shape() -> None:
    items = [item for item in _items().values() if item.dataset == "musique"]
    named = {
        item.id: f"{topology(item.dependencies)}__fict_{n:03}" for n, item in enumerate(items, 1)
    }
    assert {identity: name for identity, name in named.items() if identity != name} == {}


def test_bundled_records_have_the_release_format() -> None:
    for record in _records():
        assert list(record) == [
            "id",
            "paragraphs",
            "question",
            "question_decomposition",
            "answer",
            "answer_aliases",
            "answerable",
        ]
        for paragraph in record["paragraphs"]:
            assert list(paragraph) == ["idx", "title", "paragraph_text", "is_supporting"]
        for step in record["question_decomposition"]:
            assert list(step) == ["id", "question", "answer", "paragraph_support_idx"]


def test_bundled_supports_are_marked_and_hold_their_answer() -> None:
    for record in _records():
        paragraphs = {paragraph["idx"]: paragraph for paragraph in record["paragraphs"]}
        steps = record["question_decomposition"]
        marked = {idx for idx, paragraph in paragraphs.items() if paragraph["is_supporting"]}
        assert marked == {step["paragraph_support_idx"] for step in steps}, record["id"]
        for step in steps:
            text = paragraphs[step["paragraph_support_idx"]]["paragraph_text"]
            assert step["answer"] in text, (record["id"], step["question"])


@pytest.mark.parametrize("quirk", ["repeated titles", "no full stop", "a list", "a pronoun"])
def test_bundled_passages_have_the_quirks_of_real_ones(quirk: str) -> None:
    def has(record: dict[str, object]) -> bool:
        texts = [paragraph["paragraph_text"] for paragraph in record["paragraphs"]]
        titles = [paragraph["title"] for paragraph in record["paragraphs"]]
        return {
            "repeated titles": len(set(titles)) < len(titles),
            "no full stop": any(text[-1].isalnum() for text in texts),
            "a list": any("\n- " in text for text in texts),
            "a pronoun": any(re.search(r"\. (?:He|She|It|They) ", text) for text in texts),
        }[quirk]

    assert sum(map(has, _records())) >= 4


def test_bundled_records_have_ten_to_fourteen_distinct_passages() -> None:
    for item in _items().values():
        if item.dataset == "musique":
            assert 10 <= len(item.passages) <= 14, item.id
            assert len({passage.text for passage in item.passages}) == len(item.passages), item.id


@every_item
def test_an_item_is_constructed_and_breaks_no_contract(key: str) -> None:
    outcome = _constructed(key)
    assert [f.message for f in outcome.diagnostics if f.severity is Severity.BLOCKING] == []


@every_item
def test_nothing_is_pruned_from_an_item(key: str) -> None:
    graph = _constructed(key).graph
    kinds = Counter(path.path_kind for path in graph.nodes(PathNode))
    hops = len(_items()[key].hops)
    assert kinds == {PathKind.GOLD: 1, PathKind.STRICT: 2 * hops, PathKind.FLEXIBLE: hops}


@every_item
def test_the_constructed_graph_keeps_the_shape_of_its_question(key: str) -> None:
    assert dependencies(_constructed(key).graph) == _items()[key].dependencies


@every_item
def test_a_question_differs_from_its_source_in_its_mentions_alone(key: str) -> None:
    graph = _constructed(key).graph
    old = _items()[key].question
    new = graph.get(CONSTRUCTED, ItemNode).question
    renamed = _renamed(graph)
    assert renamed
    for position, (source, virtual) in enumerate(renamed):
        assert new.count(virtual) == old.count(source) > 0
        old = old.replace(source, f"<{position}>")
        new = new.replace(virtual, f"<{position}>")
    assert new.replace("the <", "<") == old.replace("the <", "<")


def _renamed(graph: ReasoningGraph) -> list[tuple[str, str]]:
    """Return source and virtual name of every entity of the question, the longest source first."""
    pairs = [
        (graph.get(graph.targets(entity.id, EdgeKind.REBINDS)[0], EntityNode).surface, entity)
        for entity in graph.nodes(EntityNode)
        if entity.role is EntityRole.QUESTION and graph.targets(entity.id, EdgeKind.REBINDS)
    ]
    return sorted(((old, new.surface) for old, new in pairs), key=lambda pair: -len(pair[0]))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_all_items_are_constructed_under_other_seeds_too(seed: int) -> None:
    questions = {
        _constructed(key, seed).graph.get(CONSTRUCTED, ItemNode).question for key in _items()
    }
    assert len(questions) == len(_items())
