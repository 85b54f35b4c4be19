"""Coins fresh dates, numbers and other values in the format of the source value.

Formats are recognised by pattern; a value of no known format is refused (Q6) rather than guessed.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass

from realhop_kg.contracts.variants import surface_variants

__all__ = ["ValueFormat", "coin_value", "leaves_years", "value_format", "year_in"]

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_UNITS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_RANKS = (
    "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
)  # fmt: skip
_MONTH = "|".join(MONTHS)
_MEASURES = (
    r"(?:square |sq\.? ?)?(?:km|kilomet(?:er|re)s?|mi|miles?|m|met(?:er|re)s?|ft|feet|yards?)"
    r"[²2]?|acres?|hectares?|ha|inches|cm|mm|nautical miles"
)
_SMALL = 19
"""Up to here a fresh number goes where the source has a small one: gold and its competitors need
seven that the text does not have."""
_SPAN = 40
"""Years between a source year and a fresh one, so that a league is older than its titles."""
_LEFT = 10
"""Years, or centuries, that gold leaves before the last one."""
_YEARS = range(1000, 2010)
"""Fresh years have four digits and are not of our days."""


def _number_word(number: int) -> str:
    if number < 20:
        return _UNITS[number]
    tens, unit = divmod(number, 10)
    return _TENS[tens - 2] + (f"-{_UNITS[unit]}" if unit else "")


def _ordinal(number: int) -> str:
    suffix = (
        "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    )
    return f"{number}{suffix}"


def _near_year(rng: random.Random, year: int) -> int:
    last = _YEARS[-1]
    return rng.randint(max(_YEARS[0], min(year, last) - _SPAN), min(last, year + _SPAN))


def _like_number(rng: random.Random, text: str) -> str:
    """Return a number with as many digits, decimals and separators as `text`."""
    digits = [char for char in text if char.isdigit()]
    fresh = [str(rng.randint(1, 9))] + [str(rng.randint(0, 9)) for _ in digits[1:]]
    if len(digits) == 1:
        fresh = [str(rng.randint(2, _SMALL if text.isdigit() else 9))]
    replacements = iter(fresh)
    return "".join(next(replacements) if char.isdigit() else char for char in text)


def _like_measure(rng: random.Random, text: str) -> str:
    """Return a figure in the unit of `text`; the digit of `km2` stays."""
    unit = re.search(r"[ -]?[a-z].*$", text)
    start = unit.start() if unit else len(text)
    return _like_number(rng, text[:start]) + text[start:]


Maker = Callable[[random.Random, re.Match[str]], str]


@dataclass(frozen=True, slots=True)
class ValueFormat:
    """One format of a value: what it looks like, its type, and how to make another."""

    pattern: re.Pattern[str]
    type_id: str
    make: Maker


def _format(pattern: str, type_id: str, make: Maker) -> ValueFormat:
    return ValueFormat(re.compile(pattern), type_id, make)


_WORDS = "|".join(sorted((_number_word(n) for n in range(1, 100)), key=len, reverse=True))

FORMATS: tuple[ValueFormat, ...] = (
    _format(
        rf"\d{{1,2}} (?:{_MONTH}) ([12]\d{{3}})",
        "date",
        lambda rng, m: f"{rng.randint(1, 28)} {rng.choice(MONTHS)} {_near_year(rng, int(m[1]))}",
    ),
    _format(
        rf"(?:{_MONTH}) \d{{1,2}}, ([12]\d{{3}})",
        "date",
        lambda rng, m: f"{rng.choice(MONTHS)} {rng.randint(1, 28)}, {_near_year(rng, int(m[1]))}",
    ),
    _format(
        rf"(?:{_MONTH}) ([12]\d{{3}})",
        "month",
        lambda rng, m: f"{rng.choice(MONTHS)} {_near_year(rng, int(m[1]))}",
    ),
    _format(r"1\d{3}|20[012]\d", "year", lambda rng, m: str(_near_year(rng, int(m[0])))),
    _format(
        r"(?:1?\d|2[01])(?:st|nd|rd|th)( century|-century)?",
        "century",
        lambda rng, m: _ordinal(rng.randint(3, 19)) + (m[1] or ""),
    ),
    _format(
        r"(?:" + "|".join(_RANKS) + r")(-largest| largest)",
        "ordinal",
        lambda rng, m: rng.choice(_RANKS) + m[1],
    ),
    _format(r"[$€£]\d[\d,]*(?:\.\d+)?", "amount", lambda rng, m: _like_number(rng, m[0])),
    _format(
        r"\d{1,2}(?:\.\d+)?(?:%| percent| per cent)",
        "percentage",
        lambda rng, m: _like_number(rng, m[0]),
    ),
    _format(
        rf"(?:\d{{1,3}}(?:,\d{{3}})+|\d+)(?:\.\d+)?(?: |-)?(?:{_MEASURES})",
        "measure",
        lambda rng, m: _like_measure(rng, m[0]),
    ),
    _format(r"\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?", "number", lambda rng, m: _like_number(rng, m[0])),
    _format(
        rf"({_WORDS})",
        "number",
        lambda rng, m: _number_word(rng.randint(2, _SMALL if len(m[0]) < 6 else 60)),
    ),
)
"""The known formats, the more special first."""


def value_format(surface: str) -> ValueFormat | None:
    """Return the format of a source value, or None if it is of no known format.

    Examples:
        >>> value_format("11 February 1929").type_id, value_format("48%").type_id
        ('date', 'percentage')
        >>> value_format("the dynasty regrouped") is None
        True
    """
    return next((known for known in FORMATS if known.pattern.fullmatch(surface)), None)


def coin_value(
    known: ValueFormat,
    source: str,
    rng: random.Random,
    accept: Callable[[str], bool],
    fits: Callable[[str], bool] = lambda _: True,
    tries: int = 400,
) -> str | None:
    """Return a fresh value in the source's format, or None if none was accepted.

    Args:
        known: the format of the source value.
        source: the source value.
        rng: seeded generator.
        accept: whether the text of the item is free of a surface form; asked for every variant.
        fits: whether a value itself will do.
        tries: how many draws to make.
    """
    match = known.pattern.fullmatch(source)
    if match is None:
        return None
    for _ in range(tries):
        fresh = known.make(rng, match)
        variants = surface_variants(fresh, known.type_id)
        kept = fresh != source and value_format(fresh) is known and fits(fresh)
        if kept and all(accept(variant) for variant in variants):
            return fresh
    return None


def year_in(value: str) -> int | None:
    """Return the year of a date, or the first one after a century; None if there is neither.

    Examples:
        >>> year_in("11 February 1929"), year_in("12th century"), year_in("12")
        (1929, 1200, None)
    """
    match = re.search(r"\b[12]\d{3}\b", value)
    if match:
        return int(match.group())
    century = re.match(r"(\d{1,2})(?:st|nd|rd|th)\b", value)
    return 100 * int(century.group(1)) if century else None


def leaves_years(value: str) -> bool:
    """Return whether fresh years after the year of a date are left, for what comes after it."""
    year = year_in(value)
    known = value_format(value)
    left = 100 * _LEFT if known is not None and known.type_id == "century" else _LEFT
    return year is None or year <= _YEARS[-1] - left
