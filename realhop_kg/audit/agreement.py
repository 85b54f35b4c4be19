"""Scores labels that two or more readers gave: how far they agree, and what is left to settle.

Labels come as JSONL: the filled rows of `realhop sample` or `realhop verdicts`, or any objects with
`id` and label fields. Source: REALHOP, Appendix J (accepted, rejected, disagreements settled by a
third reader); Cohen, Educational and Psychological Measurement 1960 (kappa).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from pathlib import Path

from realhop_kg.jsonl import BadLine, read_records
from realhop_kg.model.record import Record

__all__ = ["FIELDS", "Agreement", "Labels", "Pair", "agreement", "kappa", "read_labels"]

FIELDS = (
    "gold_supports",
    "competitors_fail",
    "natural",
    "resolvable",
    "depends",
    "cause_holds",
    "nothing_shown",
    "verdict",
)
"""Label fields of the sheets that this package writes."""

_ANSWERS = ("yes", "no", "unsure")
_KNOWN = dict.fromkeys(FIELDS, _ANSWERS) | {"verdict": ("correct", "partial", "incorrect")}
"""The labels of each field; a field of somebody's own takes any."""

_ACCEPT = frozenset(("yes", "correct"))


@dataclass(frozen=True)
class Labels:
    """What one reader gave.

    Attributes:
        reader: name of the file.
        given: label by item id and field; blank ones are left out.
        problems: lines and labels that cannot be used, in words.
    """

    reader: str
    given: Mapping[tuple[str, str], str]
    problems: tuple[str, ...]

    def of(self, field: str) -> dict[str, str]:
        """Return the labels of one field by item id."""
        return {item: label for (item, name), label in self.given.items() if name == field}


class Pair(Record):
    """Two readers on the items that both labelled."""

    first: str
    second: str
    n: int
    agree: int
    kappa: float | None
    """Cohen's kappa; None where chance alone would agree always."""


class Agreement(Record):
    """All readers on one field."""

    field: str
    readers: tuple[str, ...]
    n: int
    """Items that every reader labelled."""
    both_accept: int
    """Items that all accept (`yes`, `correct`)."""
    both_reject: int
    """Items that none accepts."""
    disagreements: tuple[str, ...]
    """Ids of the items on which labels differ, for another reader to settle."""
    unlabelled: tuple[str, ...]
    """Ids of the items that a reader left blank or does not have."""
    pairs: tuple[Pair, ...]
    settled: int = 0
    """Disagreements that the adjudicator labelled."""
    accepted: int | None = None
    """Items accepted after adjudication; None while a disagreement is open."""
    labels: dict[str, dict[str, int]]
    """By reader: how often each label was given."""


def read_labels(path: Path, fields: Sequence[str] = FIELDS) -> Labels:
    """Read the labels of one reader.

    Args:
        path: JSONL with `id` and label fields.
        fields: which fields are labels.

    Raises:
        InputError: if the file cannot be read.
    """
    given: dict[tuple[str, str], str] = {}
    problems: list[str] = []
    for record in read_records(path):
        place = f"{path.name}:{record.line}"
        if isinstance(record, BadLine):
            problems.append(f"{place}: {record.reason}")
            continue
        data = record.data if isinstance(record.data, dict) else {}
        item = data.get("id")
        if not isinstance(item, str) or not item:
            problems.append(f"{place}: `id` is missing; keep the rows of the sheet as they are")
            continue
        for field in fields:
            label = data.get(field, "")
            if not isinstance(label, str):
                problems.append(f"{place}: `{field}` is no text; write a label in quotes")
            elif label.strip():
                known = _KNOWN.get(field)
                if known and label.strip().lower() not in known:
                    problems.append(
                        f"{place}: {item}: `{field}` is {label.strip()!r}, which is no label and "
                        f"counts as blank; write {', '.join(known[:-1])} or {known[-1]}"
                    )
                    continue
                if (item, field) in given:
                    problems.append(f"{place}: {item} is labelled twice; the later label counts")
                given[item, field] = label.strip().lower()
    return Labels(path.name, given, tuple(problems))


def agreement(
    readers: Sequence[Labels], field: str, adjudicator: Labels | None = None
) -> Agreement:
    """Compare the labels of two or more readers on one field.

    Args:
        readers: who labelled.
        field: which label.
        adjudicator: who settled the disagreements; labels on other items are not read.

    Raises:
        ValueError: if there are fewer than two readers.
    """
    if len(readers) < 2:
        raise ValueError("agreement needs two readers or more")
    given = [reader.of(field) for reader in readers]
    every = list(dict.fromkeys(item for labels in given for item in labels))
    items = [item for item in every if all(item in labels for labels in given)]
    differing = [item for item in items if len({labels[item] for labels in given}) > 1]
    accepted = sum(all(labels[item] in _ACCEPT for labels in given) for item in items)
    rejected = sum(all(labels[item] not in _ACCEPT for labels in given) for item in items)
    ruled = adjudicator.of(field) if adjudicator else {}
    settled = [item for item in differing if item in ruled]
    agreed = sum(given[0][item] in _ACCEPT for item in items if item not in set(differing))
    final = agreed + sum(ruled[item] in _ACCEPT for item in settled)
    return Agreement(
        field=field,
        readers=tuple(reader.reader for reader in readers),
        n=len(items),
        both_accept=accepted,
        both_reject=rejected,
        disagreements=tuple(differing),
        unlabelled=tuple(item for item in every if item not in set(items)),
        pairs=tuple(_pairs(readers, field)),
        settled=len(settled),
        accepted=final if len(settled) == len(differing) else None,
        labels={
            reader.reader: dict(sorted(Counter(labels.values()).items()))
            for reader, labels in zip(readers, given, strict=True)
        },
    )


def _pairs(readers: Sequence[Labels], field: str) -> Iterator[Pair]:
    for one, other in combinations(readers, 2):
        first, second = one.of(field), other.of(field)
        shared = [item for item in first if item in second]
        pairs = [(first[item], second[item]) for item in shared]
        yield Pair(
            first=one.reader,
            second=other.reader,
            n=len(pairs),
            agree=sum(a == b for a, b in pairs),
            kappa=kappa(pairs),
        )


def kappa(pairs: Sequence[tuple[str, str]]) -> float | None:
    """Return Cohen's kappa of pairs of labels, or None where it is not defined.

    Examples:
        >>> kappa([("yes", "yes"), ("no", "no"), ("yes", "no"), ("no", "no")])
        0.5
    """
    n = len(pairs)
    if not n:
        return None
    seen = Fraction(sum(a == b for a, b in pairs), n)
    first, second = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    chance = sum((Fraction(first[label] * second[label], n * n) for label in first), Fraction())
    return None if chance == 1 else float((seen - chance) / (1 - chance))
