"""Options of multiple choice for a whole dataset: frozen, and balanced over A to D.

Gold and three endpoints of complete competitor paths; an item with fewer than three distinct ones
is infeasible and listed. Gold takes each letter once in every four feasible items, in an order
drawn for those four, so that no letter pays.

Source: REALHOP, section 5 and Appendix K.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from pydantic import ValidationError

from realhop_kg.errors import InputError
from realhop_kg.ids import rng
from realhop_kg.jsonl import BadLine, read_records
from realhop_kg.model.answers import normalize_answer
from realhop_kg.model.frozen import FrozenItem
from realhop_kg.model.record import SCHEMA_VERSION, Record

__all__ = [
    "LETTERS",
    "Balance",
    "ItemChoices",
    "balance",
    "plan_choices",
    "read_choices",
]

LETTERS = "ABCD"


class ItemChoices(Record):
    """The options of one item."""

    schema_version: int = SCHEMA_VERSION
    id: str
    """Item key."""
    question: str
    options: tuple[str, ...] = ()
    """In the order A to D; empty where multiple choice is infeasible."""
    letter: str = ""
    """Letter of gold."""
    paths: tuple[str, ...] = ()
    """Id of the path behind each option; `path:g` is gold's."""
    infeasible: str = ""
    """`mcq-infeasible` and why, or empty."""


def plan_choices(items: Iterable[FrozenItem], seed: int) -> Iterator[ItemChoices]:
    """Yield the options of each item, in order.

    Args:
        items: the items of a dataset, in its order.
        seed: seeds the choice of endpoints and the order of options.
    """
    letters: list[str] = []
    blocks = 0
    for item in items:
        endpoints = _endpoints(item)
        if len(endpoints) < len(LETTERS) - 1:
            few = f"mcq-infeasible: {len(endpoints)} distinct endpoints of complete paths, not 3"
            yield ItemChoices(id=item.id, question=item.question, infeasible=few)
            continue
        if not letters:
            letters = list(LETTERS)
            rng(seed, "letters", blocks).shuffle(letters)
            blocks += 1
        yield _options(item, endpoints, letters.pop(), rng(seed, item.id, "options"))


def _endpoints(item: FrozenItem) -> dict[str, tuple[str, str]]:
    """Return endpoint and path by normalised endpoint, of complete paths that miss gold."""
    right = {normalize_answer(answer) for answer in (item.answer, *item.aliases)}
    found: dict[str, tuple[str, str]] = {}
    for path in item.competitors:
        key = normalize_answer(path.endpoint)
        if path.complete and key not in right:
            found.setdefault(key, (path.endpoint, path.id))
    return found


def _options(
    item: FrozenItem, endpoints: Mapping[str, tuple[str, str]], letter: str, draw: random.Random
) -> ItemChoices:
    drawn = draw.sample(sorted(endpoints.values()), len(LETTERS) - 1)
    drawn.insert(LETTERS.index(letter), (item.answer, "path:g"))
    return ItemChoices(
        id=item.id,
        question=item.question,
        options=tuple(text for text, _ in drawn),
        letter=letter,
        paths=tuple(path for _, path in drawn),
    )


class Balance(Record):
    """How gold is spread over the letters."""

    feasible: int
    infeasible: tuple[str, ...]
    """Ids of the items without four options."""
    letters: dict[str, int]
    chi_square: float
    """Of the letters against equal shares, three degrees of freedom."""
    p: float


def balance(choices: Iterable[ItemChoices]) -> Balance:
    """Return how gold is spread over the letters, with a chi-square test against equal shares."""
    from scipy.stats import chisquare

    counts: Counter[str] = Counter()
    infeasible: list[str] = []
    for each in choices:
        if each.infeasible:
            infeasible.append(each.id)
        else:
            counts[each.letter] += 1
    letters = {letter: counts[letter] for letter in LETTERS}
    tested = chisquare(list(letters.values())) if counts else None
    return Balance(
        feasible=counts.total(),
        infeasible=tuple(infeasible),
        letters=letters,
        chi_square=float(tested.statistic) if tested else 0.0,
        p=float(tested.pvalue) if tested else 1.0,
    )


def read_choices(path: Path) -> dict[str, ItemChoices]:
    """Return the options of a file that `realhop long choices` wrote, by item.

    Raises:
        InputError: naming the line, if one is no record of options.
    """
    found: dict[str, ItemChoices] = {}
    for record in read_records(path):
        place = f"{path}:{record.line}"
        if isinstance(record, BadLine):
            raise InputError(f"{place}: {record.reason}")
        try:
            each = ItemChoices.model_validate(record.data)
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(map(str, first["loc"]))
            raise InputError(f"{place}: {field}: {first['msg']}; write it anew") from error
        sound = len(set(each.options)) == len(LETTERS) and each.letter in set(LETTERS)
        if not each.infeasible and not sound:
            raise InputError(f"{place}: {each.id} has not four different options and a letter")
        if each.id in found:
            raise InputError(f"{place}: {each.id} stands there twice; keep one")
        found[each.id] = each
    return found
