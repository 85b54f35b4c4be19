"""One question in both forms, in words of our own; tests change one thing of it."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

PASSAGES = [
    ("Corvane lamp", "The Corvane lamp is made by Halberg."),
    ("Selby", "Selby is a town on the river Mar."),
    ("Halberg", "Halberg opened a shop in Tolland in 1967."),
    ("Halberg", "The Halberg is a hill near Selby."),
]
QUESTION = "In which year did the maker of the Corvane lamp open a shop in Tolland?"
STEPS = [
    ("Corvane lamp >> manufacturer", "Halberg", 0),
    ("In which year did #1 open a shop in Tolland?", "1967", 2),
]


@pytest.fixture
def put() -> Callable[[dict[str, Any], str, object], dict[str, Any]]:
    """Return a copy of a record with one place (`paragraphs.0.title`) changed; `...` removes it."""

    def changed(record: dict[str, Any], path: str, value: object) -> dict[str, Any]:
        twin = copy.deepcopy(record)
        *way, last = (int(key) if key.isdigit() else key for key in path.split("."))
        place: Any = twin
        for key in way:
            place = place[key]
        if value is ...:
            del place[last]
        else:
            place[last] = value
        return twin

    return changed


@pytest.fixture
def musique() -> dict[str, Any]:
    """A record in the MuSiQue release format."""
    return {
        "id": "2hop__1_2",
        "paragraphs": [
            {"idx": at, "title": title, "paragraph_text": text, "is_supporting": at in (0, 2)}
            for at, (title, text) in enumerate(PASSAGES)
        ],
        "question": QUESTION,
        "question_decomposition": [
            {"id": at, "question": question, "answer": answer, "paragraph_support_idx": support}
            for at, (question, answer, support) in enumerate(STEPS)
        ],
        "answer": "1967",
        "answer_aliases": ["in 1967"],
        "answerable": True,
    }


@pytest.fixture
def plain() -> dict[str, Any]:
    """The same record in the plain form."""
    return {
        "id": "2hop__1_2",
        "question": QUESTION,
        "answer": "1967",
        "aliases": ["in 1967"],
        "passages": [{"title": title, "text": text} for title, text in PASSAGES],
        "hops": [
            {"question": question, "answer": answer, "support": support}
            for question, answer, support in STEPS
        ],
    }
