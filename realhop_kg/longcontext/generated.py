"""Generates long text offline, for trying things without a corpus: invented names, plain sentences.

Names are made of syllables that the coiner of virtual names does not use, so that the two hardly
ever meet. Text says nothing of the relations that questions ask for.
"""

from __future__ import annotations

import random
from functools import cache

from pydantic import TypeAdapter

from realhop_kg.ids import rng
from realhop_kg.longcontext.documents import Document, document
from realhop_kg.relations.wording import render
from realhop_kg.resources import load_yaml

__all__ = ["generated_documents"]

_STARTS = ("Ba", "Chi", "Do", "Ga", "Ji", "Ko", "Lu", "Mu", "Ni", "Po", "Ri", "Sha", "Tsu", "Yu")
_MIDDLES = ("ba", "cho", "da", "ga", "ji", "ka", "lo", "mi", "nu", "po", "ru", "shi", "ta", "zu")
_ENDS = ("ba", "ji", "ko", "la", "mo", "na", "po", "ra", "shu", "ta", "wa", "yo", "za", "do")
_PARAGRAPHS = 8
_SENTENCES = 5


@cache
def _lines() -> dict[str, list[str]]:
    found = load_yaml("construct/worlds", "background.yaml")
    every = TypeAdapter(dict[str, list[str]]).validate_python(found)
    return {kind: lines for kind, lines in every.items() if kind != "professions"}


def generated_documents(tokens: int, seed: int) -> list[Document]:
    """Return documents of at least as many tokens together.

    Args:
        tokens: words and punctuation marks.
        seed: seeds names and sentences; document n depends on it and n alone.
    """
    found: list[Document] = []
    total = 0
    while total < tokens:
        each = _document(len(found) + 1, rng(seed, "generated", len(found) + 1))
        found.append(each)
        total += each.tokens
    return found


def _document(number: int, draw: random.Random) -> Document:
    kind = draw.choice(sorted(_lines()))
    title = _name(draw, 2)
    paragraphs = []
    for _ in range(_PARAGRAPHS):
        sentences = [
            render(
                draw.choice(_lines()[kind]),
                {
                    "x": title,
                    "person": _name(draw, 2),
                    "place": _name(draw, 1),
                    "year": str(draw.randint(1700, 1999)),
                },
                "",
            )
            for _ in range(_SENTENCES)
        ]
        paragraphs.append(" ".join(sentences))
    return document(f"generated {number}", title, "\n\n".join(paragraphs))


def _name(draw: random.Random, words: int) -> str:
    return " ".join(
        draw.choice(_STARTS)
        + "".join(draw.choice(_MIDDLES) for _ in range(draw.randint(1, 2)))
        + draw.choice(_ENDS)
        for _ in range(words)
    )
