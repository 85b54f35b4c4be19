"""What every measure is made of: weighted ratios of sums over whole questions, in integers.

A question contributes one integer to each numerator and denominator, so a resample of questions
is a weighting, sums are exact on any machine, and all measures share one bootstrap.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import lcm
from typing import NamedTuple

__all__ = ["LIMIT", "Estimand", "Ratio", "Term", "common_scale"]

LIMIT = 2**53
"""Sums stay below this, where floating point still counts every integer."""


class Ratio(NamedTuple):
    """Sum of numerators over sum of denominators, one of each per question."""

    numerators: tuple[int, ...]
    denominators: tuple[int, ...]


class Term(NamedTuple):
    """A ratio, the whole number it is multiplied with, and what it is of."""

    weight: int
    ratio: Ratio
    label: str = ""
    """Such as `trial 2`; empty where one term is all there is to it."""


@dataclass(frozen=True)
class Estimand:
    """A sum of weighted ratios, divided by a whole number.

    Attributes:
        items: the questions, in the order of every numerator and denominator.
        terms: the weighted ratios; trials, sides and populations each have their own.
        divisor: for means over trials.
        n: how many questions the value rests on, where that is fewer than are resampled.
        notes: what a reader must know of the population.
    """

    items: tuple[str, ...]
    terms: tuple[Term, ...]
    divisor: int = 1
    n: int | None = None
    notes: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        for term in self.terms:
            for column in term.ratio:
                if len(column) != len(self.items):
                    raise ValueError(f"{len(column)} values for {len(self.items)} questions")
                # A resample may draw the largest contribution every time.
                if column and max(map(abs, column)) * len(column) >= LIMIT:
                    raise ValueError(
                        "sums are too large to be exact; audit items with fewer different "
                        "numbers of targets together"
                    )

    @property
    def count(self) -> int:
        """Questions that the value rests on."""
        return len(self.items) if self.n is None else self.n

    def value(self, drawn: Sequence[int] | None = None) -> float | None:
        """Return the value, or None where a denominator is zero.

        Args:
            drawn: positions of the questions to take, with repeats, or None for each once.
        """
        positions = range(len(self.items)) if drawn is None else drawn
        total = 0.0
        for weight, (numerators, denominators), _ in self.terms:
            below = sum(denominators[at] for at in positions)
            if below == 0:
                return None
            total += weight * (sum(numerators[at] for at in positions) / below)
        return total / self.divisor

    def minus(self, other: Estimand) -> Estimand:
        """Return the difference to another estimand over the same questions.

        Raises:
            ValueError: if the questions differ, or the divisors do.
        """
        if self.items != other.items or self.divisor != other.divisor:
            raise ValueError("only estimands over the same questions and trials are subtracted")
        flipped = tuple(term._replace(weight=-term.weight) for term in other.terms)
        return Estimand(
            self.items,
            self.terms + flipped,
            self.divisor,
            notes=tuple(dict.fromkeys(self.notes + other.notes)),
        )

    def called(self, name: str) -> Estimand:
        """Return the same estimand whose terms say what they are of, before they are compared."""
        terms = tuple(term._replace(label=f"{name} {term.label}".rstrip()) for term in self.terms)
        return replace(self, terms=terms)

    def grouped(self, groups: Mapping[str, str]) -> Estimand:
        """Return the same value over groups, which are then resampled whole.

        Args:
            groups: by item, the item whose question it repeats; others stand alone.
        """
        place: dict[str, int] = {}
        at = [place.setdefault(groups.get(item, item), len(place)) for item in self.items]
        if len(place) == len(self.items):
            return self

        def summed(column: tuple[int, ...]) -> tuple[int, ...]:
            sums = [0] * len(place)
            for group, value in zip(at, column, strict=True):
                sums[group] += value
            return tuple(sums)

        terms = tuple(
            term._replace(
                ratio=Ratio(summed(term.ratio.numerators), summed(term.ratio.denominators))
            )
            for term in self.terms
        )
        said = f"{len(self.items)} records ask {len(place)} questions, which are resampled whole"
        return Estimand(tuple(place), terms, self.divisor, self.count, (*self.notes, said))


def common_scale(counts: Iterable[int]) -> int:
    """Return the least whole number that every count divides, at least 1.

    A mean over h targets times this scale is a whole number.
    """
    return lcm(*(count for count in counts if count))
