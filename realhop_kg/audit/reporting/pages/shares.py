"""What each question adds to a figure, and the lists of questions that add the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from math import gcd

from realhop_kg.audit.estimand import Estimand, Ratio, Term
from realhop_kg.audit.reporting.pages.frame import quoted, safe
from realhop_kg.audit.reporting.pages.places import Arm, Places
from realhop_kg.audit.reporting.words import counted

__all__ = ["section", "shares"]

_LAST = Fraction(-(2**60))
"""Sorts what does not count behind everything that does."""

Added = tuple[str, Fraction | None]
"""What a question adds to one term: in words, and as a number to sort by."""


def shares(estimand: Estimand) -> dict[str, list[str]]:
    """Return the questions of an estimand by what they add to it, largest first.

    A question adds a share of 1 where all that count weigh the same, and a numerator and
    denominator (`2 of 3`) where they do not.
    """
    several = len(estimand.terms) > 1
    columns = [_added(term.ratio) for term in estimand.terms]
    found: dict[str, tuple[tuple[Fraction, ...], list[str]]] = {}
    for at, item in enumerate(estimand.items):
        added = [column[at] for column in columns]
        words = "; ".join(
            f"{_name(term)}{text}" if several else text
            for term, (text, _) in zip(estimand.terms, added, strict=True)
        )
        if all(value is None for _, value in added):
            words = "not counted"
        order = tuple(
            _LAST if value is None else term.weight * value
            for term, (_, value) in zip(estimand.terms, added, strict=True)
        )
        found.setdefault(words, (order, []))[1].append(item)
    by_size = sorted(found.items(), key=lambda pair: (-sum(pair[1][0]), pair[0]))
    return {words: items for words, (_, items) in by_size}


def _name(term: Term) -> str:
    return f"{'minus ' if term.weight < 0 else ''}{term.label}: "


def _added(ratio: Ratio) -> list[Added]:
    weights = {below for below in ratio.denominators if below}
    stray = any(
        above and not below
        for above, below in zip(ratio.numerators, ratio.denominators, strict=True)
    )
    if len(weights) == 1 and not stray:
        [weight] = weights
        return [
            (str(Fraction(above, weight)), Fraction(above, weight))
            if below
            else ("not counted", None)
            for above, below in zip(ratio.numerators, ratio.denominators, strict=True)
        ]
    unit = gcd(*ratio.numerators, *ratio.denominators) or 1
    return [
        (f"{above // unit} of {below // unit}", Fraction(above, unit))
        if above or below
        else ("not counted", None)
        for above, below in zip(ratio.numerators, ratio.denominators, strict=True)
    ]


def section(
    anchor: str,
    name: str,
    found: Mapping[str, Iterable[str]],
    arms: Mapping[str, Arm],
    places: Places,
) -> Iterator[str]:
    """Yield a section that lists questions, each a link to its rows.

    Args:
        anchor: of its head.
        name: its head.
        found: questions by what is said of them.
        arms: the panels that have their rows, by what to call them.
        places: of the pages.
    """
    yield f"<h2 id={quoted(anchor)}>{safe(name)}</h2>\n"
    empty = True
    for words, items in found.items():
        links = [_links(item, arms, places) for item in items]
        if links:
            empty = False
            count = counted(len(links), "question")
            yield f"<p><b>{safe(words)}</b> ({count}): {', '.join(links)}</p>\n"
    if empty:
        yield "<p>No question.</p>\n"


def _links(item: str, arms: Mapping[str, Arm], places: Places) -> str:
    if len(arms) == 1:
        [arm] = arms.values()
        return f'<a href="{places.rows(arm, item)}">{places.number(arm, item)}</a>'
    number = places.number(next(iter(arms.values())), item)
    named = " ".join(f'<a href="{places.rows(arm, item)}">{name}</a>' for name, arm in arms.items())
    return f"{number} {named}"
