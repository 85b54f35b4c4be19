"""Constructs items of our own and bundled ones, and insists on what comes of them."""

from __future__ import annotations

from functools import cache

from graph_builders.musique import BUILDER
from realhop_kg.construct.outcome import Constructed
from realhop_kg.construct.pipeline import construct_item
from realhop_kg.model.frozen import ExcludedItem
from realhop_kg.model.item import SourceItem
from realhop_kg.relations.catalogue import Catalogue, catalogue
from realhop_kg.resources import resource_folder

__all__ = ["bundled", "constructed", "excluded"]


@cache
def bundled() -> list[SourceItem]:
    path = resource_folder("data") / "questions.jsonl"
    return [each for each in BUILDER.read(path) if isinstance(each, SourceItem)]


def constructed(item: SourceItem, relations: Catalogue | None = None, seed: int = 0) -> Constructed:
    outcome = construct_item(item, relations or catalogue(), seed)
    assert isinstance(outcome, Constructed), outcome
    return outcome


def excluded(item: SourceItem, relations: Catalogue | None = None, seed: int = 0) -> ExcludedItem:
    outcome = construct_item(item, relations or catalogue(), seed)
    assert isinstance(outcome, ExcludedItem)
    return outcome
