"""Makes a `SourceItem` of a raw record, or says which field is wrong and what to do about it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from graph_builders.base import printable
from realhop_kg.errors import ContractError
from realhop_kg.graph.dependency import check_dag, terminal
from realhop_kg.jsonl import canonical
from realhop_kg.model.answers import normalize_answer
from realhop_kg.model.finding import CONTRACTS, Code
from realhop_kg.model.item import REFERENCE, SourceHop, SourceItem
from realhop_kg.model.text import Passage

__all__ = [
    "Fields",
    "Unusable",
    "aliases_of",
    "called",
    "list_of",
    "normalize",
    "number_of",
    "record_id",
    "references",
    "text_of",
]

_MOST_DIGITS = 4
"""A longer `#k` is no reference, and need not be turned into a number."""

_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Fields:
    """What a source calls its fields; those not listed have the same name everywhere."""

    aliases: str
    passages: str
    text: str
    hops: str
    support: str
    number: str = ""
    """Field of a passage that supports refer to; empty: they refer to its position."""


class Unusable(Exception):
    """The record becomes no item; raised and caught within this package."""

    def __init__(self, code: Code, field: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.field = field
        self.message = message


def normalize(dataset: str, data: object, fields: Fields) -> SourceItem:
    """Return the item of a raw record.

    Fields of no meaning here are ignored. Passages keep their order and are counted by it,
    whatever numbers the source gives them. Support comes from the hops alone. Where the terminal
    hop's answer is the item's in other words, the item's wins and the other becomes an alias.

    Raises:
        Unusable: B1 if it is marked unanswerable, B2 if it is malformed, D1 if its references
            lead to no single terminal hop, D2 if hops do not have distinct support passages.
    """
    if not isinstance(data, dict):
        raise Unusable(Code.B2, "", f"the record is {called(data)}; write an object")
    identity = text_of(data.get("id"), "id", numbers=True)
    _check_answerable(data.get("answerable"))
    question = text_of(data.get("question"), "question")
    answer = text_of(data.get("answer"), "answer", numbers=True)
    aliases = aliases_of(data.get(fields.aliases), fields.aliases)
    passages, positions = _passages(data.get(fields.passages), fields)
    hops = _hops(data.get(fields.hops), fields, positions)
    last = _checked_terminal(hops, fields)
    supports = _checked_supports(hops, passages, fields)
    other = hops[last - 1].answer
    _check_agreement(answer, other, aliases, f"{fields.hops}[{last - 1}].answer")
    hops[last - 1] = hops[last - 1].model_copy(update={"answer": answer})
    return SourceItem(
        dataset=dataset,
        id=identity,
        question=question,
        answer=answer,
        aliases=tuple(text for text in dict.fromkeys((*aliases, other)) if text != answer),
        passages=tuple(
            Passage(index=position, title=title, text=text, is_support=position in supports)
            for position, (title, text) in enumerate(passages)
        ),
        hops=tuple(hops),
    )


def _check_agreement(answer: str, other: str, aliases: tuple[str, ...], field: str) -> None:
    """Raise where the last hop's answer is another one than the item's, not a form of it."""
    ours, theirs = normalize_answer(answer).split(), normalize_answer(other).split()
    known = {normalize_answer(alias) for alias in aliases}
    if set(ours) & set(theirs) or " ".join(theirs) in known or ours == theirs:
        return
    message = (
        f"`{field}` is {called(other)}, but the answer is {called(answer)}; give both one answer, "
        "or list the other as an alias"
    )
    raise Unusable(Code.B2, field, message)


def record_id(data: object) -> str:
    """Return the id of a raw record as far as it has one, fit for output."""
    found = data.get("id", data.get("_id")) if isinstance(data, dict) else None
    if type(found) is int:
        found = str(found)
    return printable(found) if isinstance(found, str) else ""


def references(step: str, index: int, field: str) -> tuple[int, ...]:
    """Return the earlier hops that a step refers to, in order of first mention.

    `#k` is a reference where hop k comes before the step, even if a rank may be meant ("#1 hit" in
    hop 2). Any other `#k` is text ("a #1 hit" in hop 1), except as the whole subject of
    `#k >> relation`, where nothing but a reference can be meant.

    Raises:
        Unusable: D1 if such a subject refers to no earlier hop.
    """
    found = [int(match[1]) for match in REFERENCE.finditer(step) if len(match[1]) <= _MOST_DIGITS]
    subject, separator, _ = step.partition(">>")
    whole = REFERENCE.fullmatch(subject.strip()) if separator else None
    if whole and (len(whole[1]) > _MOST_DIGITS or not 1 <= int(whole[1]) < index):
        message = (
            f"`{field}` refers to {whole[0][:20]}, which is no earlier step; put each step after "
            "those it refers to"
        )
        raise Unusable(Code.D1, field, message)
    return tuple(dict.fromkeys(number for number in found if 1 <= number < index))


def called(value: object) -> str:
    """Return how a value is called in a message: short, and on one line."""
    if value is None:
        return "missing or null"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, dict):
        return "an object"
    shown = canonical(value)
    return shown if len(shown) <= 40 else f"{shown[:40]}..."


def text_of(value: object, field: str, *, numbers: bool = False, empty: bool = False) -> str:
    """Return a text as it stands; a whole number counts where `numbers` says so.

    Raises:
        Unusable: B2 if it is no text, is empty where it must not be, or holds half a character.
    """
    if numbers and type(value) is int:
        value = str(value)
    if not isinstance(value, str):
        raise Unusable(Code.B2, field, f"`{field}` is {called(value)}; write a text in quotes")
    if not empty and not value.strip():
        raise Unusable(Code.B2, field, f"`{field}` is empty; fill it in")
    if _SURROGATE.search(value):
        raise Unusable(
            Code.B2, field, f"`{field}` holds half a character (a lone surrogate); mend it"
        )
    return value


def number_of(value: object) -> int | None:
    """Return a whole number however it is written: 3, 3.0 (as pandas does) or "3"."""
    if isinstance(value, str) and value.isascii() and value.strip().isdecimal():
        return int(value) if len(value) <= 2 * _MOST_DIGITS else None
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if type(value) is int else None


def list_of(value: object, field: str, what: str) -> list[object]:
    """Return a list that holds something.

    Raises:
        Unusable: B2 if it is none; `what` says what it should hold.
    """
    if not isinstance(value, list) or not value:
        shown = "an empty list" if value == [] else called(value)
        raise Unusable(Code.B2, field, f"`{field}` is {shown}; give a list of {what}")
    return value


def _check_answerable(value: object) -> None:
    if value is False:
        raise Unusable(Code.B1, "answerable", "`answerable` is false; leave such records out")
    if value is not None and value is not True:
        raise Unusable(
            Code.B2,
            "answerable",
            f"`answerable` is {called(value)}; write true or false, or leave it out",
        )


def aliases_of(value: object, field: str) -> tuple[str, ...]:
    """Return the aliases of an answer, none for null; blank and repeated ones are left out.

    Raises:
        Unusable: B2 if it is no list of texts.
    """
    if value is None:
        return ()
    if not isinstance(value, list):
        raise Unusable(Code.B2, field, f"`{field}` is {called(value)}; give a list of texts")
    texts = (
        text_of(alias, f"{field}[{at}]", numbers=True, empty=True)
        for at, alias in enumerate(value)
        if alias is not None
    )
    return tuple(dict.fromkeys(text for text in texts if text.strip()))


def _passages(value: object, fields: Fields) -> tuple[list[tuple[str, str]], dict[int | None, int]]:
    """Return title and text of each passage, and its position by the source's number."""
    passages: list[tuple[str, str]] = []
    positions: dict[int | None, int] = {}
    for position, entry in enumerate(list_of(value, fields.passages, "passages")):
        field = f"{fields.passages}[{position}]"
        if not isinstance(entry, dict):
            raise Unusable(Code.B2, field, f"`{field}` is {called(entry)}; write an object")
        given = entry.get(fields.number) if fields.number else None
        number = position if given is None else number_of(given)
        if number is None or number in positions:
            field = f"{field}.{fields.number}"
            wrong = "no whole number" if number is None else "the number of an earlier passage"
            shown = called(given if number is None else number)
            message = f"`{field}` is {shown}, {wrong}; count the passages from 0 on"
            raise Unusable(Code.B2, field, message)
        positions[number] = position
        title = "" if entry.get("title") is None else entry["title"]
        passages.append(
            (
                text_of(title, f"{field}.title", numbers=True, empty=True),
                text_of(entry.get(fields.text), f"{field}.{fields.text}", empty=True),
            )
        )
    return passages, positions


def _hops(value: object, fields: Fields, positions: dict[int | None, int]) -> list[SourceHop]:
    entries = list_of(value, fields.hops, "two or more steps")
    if len(entries) < 2:
        message = f"`{fields.hops}` has one step, so nothing depends on another; give two or more"
        raise Unusable(Code.B2, fields.hops, message)
    return [
        _hop(entry, index, f"{fields.hops}[{index - 1}]", fields.support, positions)
        for index, entry in enumerate(entries, 1)
    ]


def _hop(
    entry: object, index: int, field: str, support_name: str, positions: dict[int | None, int]
) -> SourceHop:
    if not isinstance(entry, dict):
        raise Unusable(Code.B2, field, f"`{field}` is {called(entry)}; write an object")
    question = text_of(entry.get("question"), f"{field}.question")
    answer = text_of(entry.get("answer"), f"{field}.answer", numbers=True)
    named = entry.get(support_name)
    support = None if named is None else positions.get(number_of(named))  # never has None
    if named is not None and support is None:
        field = f"{field}.{support_name}"
        message = f"`{field}` is {called(named)}, the number of no passage; name one that is there"
        raise Unusable(Code.B2, field, message)
    return SourceHop(
        index=index,
        question=question,
        answer=answer,
        support=support,
        depends_on=references(question, index, f"{field}.question"),
    )


def _checked_terminal(hops: list[SourceHop], fields: Fields) -> int:
    """Return the index of the terminal hop after checking D1."""
    dependencies = {hop.index: hop.depends_on for hop in hops}
    try:
        check_dag(dependencies)
    except ContractError as error:
        message = f"`{fields.hops}`: {error.message}; {CONTRACTS[Code.D1].fix}"
        raise Unusable(Code.D1, fields.hops, message) from error
    return terminal(dependencies)


def _checked_supports(
    hops: list[SourceHop], passages: list[tuple[str, str]], fields: Fields
) -> dict[int, int]:
    """Return the hop by position of its support passage after checking D2."""
    supported: dict[int, int] = {}
    for hop in hops:
        field = f"{fields.hops}[{hop.index - 1}].{fields.support}"
        if hop.support is None:
            wrong = "names no passage"
        elif hop.support in supported:
            wrong = f"names the passage of step {supported[hop.support]} again"
        elif not passages[hop.support][1].strip():
            message = f"`{field}` names a passage without text; give its text"
            raise Unusable(Code.B2, field, message)
        else:
            supported[hop.support] = hop.index
            continue
        raise Unusable(Code.D2, field, f"`{field}` {wrong}; {CONTRACTS[Code.D2].fix}")
    return supported
