"""Small source items in our own words, which tests change in one place."""

from __future__ import annotations

from collections.abc import Sequence

from realhop_kg.model.item import REFERENCE, SourceHop, SourceItem
from realhop_kg.model.text import Passage

__all__ = ["musique_line", "record"]

FILLERS = (
    ("Brine Street", "Brine Street has nine lamps. Walter Quill lights them. Ada Broom sweeps it."),
    ("Oakum Yard", "Oakum Yard keeps old rope. Walter Quill works there on Mondays."),
    ("Tin Whistle", "Tin Whistle is a tune for children. Ada Broom wrote it down."),
    ("Fern Court", "Fern Court has a well. Walter Quill drew water there. Ada Broom did too."),
    ("Low Bridge", "Low Bridge is made of wood. Ada Broom painted it green."),
)


def record(
    question: str = "Who is the mayor of the town where Ida Marrow was born?",
    steps: Sequence[tuple[str, str]] = (
        ("Ida Marrow >> place of birth", "Pennock"),
        ("Who is the mayor of #1?", "Jonas Thatch"),
    ),
    *,
    answer: str = "",
    texts: Sequence[str] = (),
    source_id: str = "2hop__own_1",
) -> SourceItem:
    """Return an item with one support passage per step, which says its answer, and five more."""
    hops = []
    passages = []
    for index, (step, said) in enumerate(steps, start=1):
        references = tuple(dict.fromkeys(int(k) for k in REFERENCE.findall(step) if int(k) < index))
        hops.append(
            SourceHop(
                index=index, question=step, answer=said, support=index - 1, depends_on=references
            )
        )
        text = texts[index - 1] if index <= len(texts) else f"{said} is what step {index} finds."
        passages.append((f"Notes {'ABCDEFGH'[index]}", text))
    return SourceItem(
        dataset="musique",
        id=source_id,
        question=question,
        answer=answer or steps[-1][1],
        passages=tuple(
            Passage(index=at, title=title, text=text, is_support=at < len(steps))
            for at, (title, text) in enumerate((*passages, *FILLERS))
        ),
        hops=tuple(hops),
        file="own.jsonl",
        line=1,
    )


def musique_line(item: SourceItem) -> dict[str, object]:
    """Return an item as a record of the MuSiQue release format."""
    return {
        "id": item.id,
        "paragraphs": [
            {
                "idx": p.index,
                "title": p.title,
                "paragraph_text": p.text,
                "is_supporting": p.is_support,
            }
            for p in item.passages
        ],
        "question": item.question,
        "question_decomposition": [
            {
                "id": hop.index,
                "question": hop.question,
                "answer": hop.answer,
                "paragraph_support_idx": hop.support,
            }
            for hop in item.hops
        ],
        "answer": item.answer,
        "answer_aliases": list(item.aliases),
        "answerable": item.answerable,
    }
