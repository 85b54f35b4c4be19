"""One question in the HotpotQA schema, in words of our own."""

from __future__ import annotations

from typing import Any

CONTEXT = [
    ["Corvane &amp; Sons", ["The Corvane lamp is made by Halberg.", " It burns oil.", ""]],
    ["Selby", ["Selby is a town.", "It has a mill.", " Its river is the Mar."]],
    ["Halberg", ["Halberg is a firm.", " Halberg opened a shop in Tolland in 1967."]],
]


def hotpot(**changes: Any) -> dict[str, Any]:
    """Return a record as HotpotQA releases it."""
    record = {
        "_id": "5a1",
        "question": "In which year did the maker of the Corvane lamp open a shop in Tolland?",
        "answer": "1967",
        "type": "bridge",
        "level": "hard",
        "context": [[title, list(sentences)] for title, sentences in CONTEXT],
        "supporting_facts": [["Corvane & Sons", 0], ["Halberg", 0], ["Halberg", 1]],
    }
    return {key: value for key, value in {**record, **changes}.items() if value is not ...}


def columns(record: dict[str, Any]) -> dict[str, Any]:
    """Return the same record in the columns of dataset hubs."""
    titles, sentences = zip(*record["context"], strict=True)
    names, numbers = zip(*record["supporting_facts"], strict=True)
    return {
        **{key: value for key, value in record.items() if key != "_id"},
        "id": record["_id"],
        "context": {"title": list(titles), "sentences": list(sentences)},
        "supporting_facts": {"title": list(names), "sent_id": list(numbers)},
    }


def twowiki(**changes: Any) -> dict[str, Any]:
    """Return a record as 2WikiMultiHopQA releases it."""
    return hotpot(
        **{
            "evidences": [
                ["Corvane & Sons", "manufacturer", "Halberg"],
                ["Halberg", "inception", "1967"],
            ],
            "evidences_id": [["Q1", "manufacturer", "Q2"], ["Q2", "inception", "1967"]],
            "answer_id": None,
            "entity_ids": "Q1_Q2",
            **changes,
        }
    )
