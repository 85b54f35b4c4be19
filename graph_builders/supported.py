"""Reads questions whose support is named by title and sentence: the HotpotQA schema.

Two public layouts hold the same: `context` as a list of [title, sentences] and `supporting_facts`
as a list of [title, sentence], or both as columns (`title`, `sentences`, `sent_id`). What real
files hold, and what becomes of it:

- HTML entities in titles (`Ben &amp; Jerry`) are read as what they stand for, on both sides.
- Sentences are joined as they stand; a blank is put in where neither side brings one. Empty ones
  keep their number.
- Any number of paragraphs. Where a paragraph that supports stands there twice word for word, a
  Drop removes the sentences from both.
- A supporting title that no paragraph has, or a sentence number beyond its paragraph, excludes
  the record (D2): its evidence cannot be removed.

Each supporting title is one deletion unit: its supporting sentences, `h1`, `h2`, ... in the order
in which the record names them.
"""

from __future__ import annotations

import html
from collections.abc import Iterable
from dataclasses import dataclass

from graph_builders.normalize import Unusable, called, list_of, number_of, text_of
from realhop_kg.model.finding import CONTRACTS, Code
from realhop_kg.model.item import DeletionUnit, SourceItem, TextRange
from realhop_kg.model.text import Passage

__all__ = ["Paragraph", "paragraphs_of", "supported", "units_of"]


@dataclass(frozen=True)
class Paragraph:
    """A paragraph with the place of each sentence in its joined text."""

    title: str
    text: str
    sentences: tuple[tuple[int, int], ...]
    """(start, end) in code points, the blank before a sentence left out."""


def supported(dataset: str, data: object) -> SourceItem:
    """Return the item of a record in the HotpotQA schema.

    Raises:
        Unusable: B2 if the record is malformed, D2 if its support is not there.
    """
    if not isinstance(data, dict):
        raise Unusable(Code.B2, "", f"the record is {called(data)}; write an object")
    name = "_id" if "_id" in data else "id"
    identity = text_of(data.get(name), name, numbers=True)
    question = text_of(data.get("question"), "question")
    answer = text_of(data.get("answer"), "answer", numbers=True)
    paragraphs = paragraphs_of(data.get("context"))
    units = units_of(data.get("supporting_facts"), paragraphs)
    supports = {part.passage for unit in units for part in unit.parts}
    return SourceItem(
        dataset=dataset,
        id=identity,
        question=question,
        answer=answer,
        passages=tuple(
            Passage(index=at, title=each.title, text=each.text, is_support=at in supports)
            for at, each in enumerate(paragraphs)
        ),
        hops=(),
        units=units,
    )


def paragraphs_of(value: object) -> list[Paragraph]:
    """Return the paragraphs of a `context` in either layout.

    Raises:
        Unusable: B2 if it is in neither.
    """
    found = []
    for at, (title, sentences) in enumerate(_pairs(value, "context", "title", "sentences")):
        field = f"context[{at}]"
        if not isinstance(sentences, list):
            message = f"`{field}` has {called(sentences)} for its sentences; give a list of texts"
            raise Unusable(Code.B2, field, message)
        texts = [
            text_of(sentence, f"{field}.sentences[{number}]", empty=True)
            for number, sentence in enumerate(sentences)
        ]
        name = text_of(title, f"{field}.title", numbers=True, empty=True)
        found.append(Paragraph(html.unescape(name), *_joined(texts)))
    return found


def _pairs(value: object, field: str, first: str, second: str) -> list[tuple[object, object]]:
    """Return the entries of a list of pairs, or of two columns."""
    if isinstance(value, dict):
        one, other = value.get(first), value.get(second)
        if not isinstance(one, list) or not isinstance(other, list) or len(one) != len(other):
            message = f"`{field}` has not two columns `{first}` and `{second}` of one length"
            raise Unusable(Code.B2, field, f"{message}; give both, or a list of pairs")
        columns = list(zip(one, other, strict=True))
        if not columns:
            list_of(columns, field, "pairs")
        return columns
    pairs: list[tuple[object, object]] = []
    for at, entry in enumerate(list_of(value, field, "pairs, or two columns")):
        if not isinstance(entry, list) or len(entry) != 2:
            place = f"{field}[{at}]"
            message = f"`{place}` is {called(entry)}; write [{first}, {second}]"
            raise Unusable(Code.B2, place, message)
        pairs.append((entry[0], entry[1]))
    return pairs


def _joined(sentences: Iterable[str]) -> tuple[str, tuple[tuple[int, int], ...]]:
    pieces: list[str] = []
    places: list[tuple[int, int]] = []
    at, blank = 0, True  # as if a blank stood before the text
    for given in sentences:
        sentence = given.lstrip() if not at else given
        if sentence and not blank and not sentence[0].isspace():
            pieces.append(" ")
            at += 1
        pieces.append(sentence)
        lead = len(sentence) - len(sentence.lstrip())
        places.append((at + lead, at + len(sentence)))
        at += len(sentence)
        blank = sentence[-1].isspace() if sentence else blank
    return "".join(pieces), tuple(places)


def units_of(value: object, paragraphs: list[Paragraph]) -> tuple[DeletionUnit, ...]:
    """Return one deletion unit per supporting title.

    Raises:
        Unusable: B2 if `supporting_facts` is malformed, D2 if what it names is not there.
    """
    named: dict[str, list[int]] = {}
    places: dict[str, list[int]] = {}
    for at, paragraph in enumerate(paragraphs):
        places.setdefault(paragraph.title, []).append(at)
    for at, (title, number) in enumerate(_pairs(value, "supporting_facts", "title", "sent_id")):
        field = f"supporting_facts[{at}]"
        name = html.unescape(text_of(title, field, numbers=True, empty=True))
        sentence = number_of(number)
        if sentence is None or sentence < 0:
            message = f"`{field}` names sentence {called(number)}; count them from 0 on"
            raise Unusable(Code.B2, field, message)
        _check_there(field, name, sentence, places, paragraphs)
        named.setdefault(name, []).append(sentence)
    return tuple(
        DeletionUnit(
            target=f"h{index}",
            kind="support_sentences",
            parts=_parts(sorted(set(sentences)), places[name], paragraphs),
        )
        for index, (name, sentences) in enumerate(named.items(), 1)
    )


def _check_there(
    field: str,
    title: str,
    sentence: int,
    places: dict[str, list[int]],
    paragraphs: list[Paragraph],
) -> None:
    if title not in places:
        message = (
            f"`{field}` names {called(title)}, the title of no paragraph; use the distractor file, "
            "whose context holds the support"
        )
        raise Unusable(Code.D2, field, message)
    first = paragraphs[places[title][0]].sentences
    if sentence >= len(first) or first[sentence][0] == first[sentence][1]:
        there = "is empty" if sentence < len(first) else f"is beyond its {len(first)} sentences"
        message = f"`{field}` names sentence {sentence} of {called(title)}, which {there}"
        raise Unusable(Code.D2, field, f"{message}; {CONTRACTS[Code.D2].fix}")


def _parts(
    sentences: list[int], places: list[int], paragraphs: list[Paragraph]
) -> tuple[TextRange, ...]:
    """Return where sentences stand, in the first paragraph of a title and in copies of it."""
    text = paragraphs[places[0]].text
    return tuple(
        TextRange(passage=at, start=start, end=end)
        for at in places
        if paragraphs[at].text == text
        for start, end in (paragraphs[at].sentences[number] for number in sentences)
    )
