"""Long text for tests: generated documents as chunks, and drawn questions."""

from __future__ import annotations

import random
from functools import cache

from realhop_kg.construct.worlds.settings import WorldSettings
from realhop_kg.construct.worlds.world import draw_world
from realhop_kg.longcontext.carriers import chunks_of, fit
from realhop_kg.longcontext.generated import generated_documents
from realhop_kg.model.item import SourceItem
from realhop_kg.model.text import Passage
from realhop_kg.relations.catalogue import catalogue


@cache
def chunks(tokens: int = 12_000) -> tuple[Passage, ...]:
    carrier = fit(generated_documents(2 * tokens, seed=4), tokens, random.Random(1))
    assert carrier is not None
    return chunks_of(carrier)


@cache
def question(number: int = 3) -> SourceItem:
    settings = WorldSettings(answers="names", passages=0, ambiguity=0, seed=2)
    return draw_world(settings, number, catalogue())
