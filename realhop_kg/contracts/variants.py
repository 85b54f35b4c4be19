"""The ways in which one value may be written: five and 5, both date orders, 48% and 48 percent."""

from __future__ import annotations

import re
from functools import lru_cache

from realhop_kg.contracts.numerals import (
    WORDED_BELOW,
    cardinals,
    number_words,
    rank_words,
    ranked,
)

__all__ = ["surface_variants"]

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_CURRENCIES = {"$": "dollars", "€": "euros", "£": "pounds", "¥": "yen"}

_MONTH = "|".join(f"{month}|{month[:3]}\\.?|{month[:4]}\\.?" for month in _MONTHS)
_DAY_FIRST = re.compile(
    rf"(?:the )?(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({_MONTH})(?:,? (\d{{3,4}}))?", re.IGNORECASE
)
_MONTH_FIRST = re.compile(
    rf"({_MONTH}) (\d{{1,2}})(?:st|nd|rd|th)?(?:,? (\d{{3,4}}))?", re.IGNORECASE
)
_MONTH_ONLY = re.compile(rf"({_MONTH})(?: of|,)? (\d{{3,4}})", re.IGNORECASE)
_NUMERAL = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
_SCALED = re.compile(rf"({_NUMERAL.pattern}) ({'|'.join(_SCALES)})", re.IGNORECASE)
_RANK = re.compile(r"(\d+)(?:st|nd|rd|th)\b(.*)", re.IGNORECASE)
_PERCENT = re.compile(r"(.+?) ?(?:%|percent|per cent|pct\.?)", re.IGNORECASE)
_AMOUNT = re.compile(r"(?:US)?([$€£¥]) ?(.+)|(.+) (dollars|euros|pounds|yen)", re.IGNORECASE)

_VALUE_TYPES = frozenset(
    ("value", "time", "date", "year", "century", "number", "ordinal", "amount", "percentage")
)


@lru_cache(maxsize=256)
def surface_variants(surface: str, entity_type: str) -> tuple[str, ...]:
    """Return every way in which a value may be written, its own surface first.

    Case does not matter: words of numbers come in lower case. What is no value, or is written in a
    way not known here, has its surface alone.

    Args:
        surface: the value as it is written.
        entity_type: its type; only values have variants.

    Examples:
        >>> surface_variants("5", "number")
        ('5', 'five')
        >>> surface_variants("October 23, 1874", "date")[:4]
        ('October 23, 1874', '23 October 1874', 'October 23rd, 1874', '23rd October 1874')
        >>> surface_variants("48%", "percentage")[1:4]
        ('48 %', '48 percent', '48 per cent')
    """
    found = [surface]
    if entity_type in _VALUE_TYPES:
        text = surface.strip()
        for forms in (_dates, _percentages, _amounts, _ranks):
            found += forms(text)
        if entity_type != "year":
            found += _numbers(text)
    return tuple(dict.fromkeys(found))


def _month(text: str) -> str:
    return next(month for month in _MONTHS if month.casefold().startswith(text[:3].casefold()))


def _short(month: str) -> tuple[str, ...]:
    if month == "September":
        return ("Sept.", "Sept", "Sep.", "Sep")
    return () if month == "May" else (f"{month[:3]}.", month[:3])


def _dates(text: str) -> list[str]:
    if match := _DAY_FIRST.fullmatch(text):
        day, month, year = match[1], _month(match[2]), match[3] or ""
    elif match := _MONTH_FIRST.fullmatch(text):
        day, month, year = match[2], _month(match[1]), match[3] or ""
    elif match := _MONTH_ONLY.fullmatch(text):
        return [
            f"{month}{gap}{match[2]}"
            for month in (_month(match[1]), *_short(_month(match[1])))
            for gap in (" ", ", ", " of ")
        ]
    else:
        return []
    plain, rank = str(int(day)), ranked(int(day))
    found: list[str] = []
    for name in (month, *_short(month)):
        for number in (plain, rank):
            found += (f"{name} {number}, {year}", f"{number} {name} {year}")
        found += (f"{name} {plain} {year}", f"{name} {rank} {year}", f"{rank} of {name} {year}")
    if not year:
        return [form.strip().removesuffix(",") for form in found]
    place = _MONTHS.index(month) + 1
    return [*found, f"{year}-{place:02}-{int(day):02}"]


def _percentages(text: str) -> list[str]:
    match = _PERCENT.fullmatch(text)
    numbers = _numbers(match[1]) if match else []
    return [
        f"{number}{sign}" for number in numbers for sign in ("%", " %", " percent", " per cent")
    ]


def _amounts(text: str) -> list[str]:
    match = _AMOUNT.fullmatch(text)
    if match is None:
        return []
    noun = _CURRENCIES[match[1]] if match[1] else match[4].casefold()
    sign = next(sign for sign, name in _CURRENCIES.items() if name == noun)
    found: list[str] = []
    for number in _numbers(match[2] or match[3]):
        found += (f"{sign}{number}", f"{number} {noun}") if number[0].isdigit() else ()
        found += () if number[0].isdigit() else (f"{number} {noun}",)
    return found


def _ranks(text: str) -> list[str]:
    """Return the forms of an ordinal with what follows it: 18th century, second-largest."""
    if match := _RANK.fullmatch(text):
        number, rest = int(match[1]), match[2]
    else:
        words = text.casefold()
        known = next(
            (word for word in rank_words() if re.match(rf"{word}(?!\w)(?!-\w+th\b)", words)), None
        )
        if known is None:
            return []
        number, rest = rank_words()[known], text[len(known) :]
    rests = dict.fromkeys((rest, rest.replace("-", " "), rest.replace(" ", "-")))
    names = [ranked(number), *(w for w, value in rank_words().items() if value == number)]
    return [f"{name}{rest}" for name in names for rest in rests]


def _numbers(text: str) -> list[str]:
    if match := _SCALED.fullmatch(text):
        scale = match[2].casefold()
        whole = float(match[1].replace(",", "")) * _SCALES[scale]
        forms = [f"{form} {scale}" for form in _numbers(match[1])]
        return [*forms, *(_numbers(str(int(whole))) if whole.is_integer() else ())]
    if _NUMERAL.fullmatch(text):
        plain = text.replace(",", "")
        if not plain.isdigit():
            return [text, plain]
        forms = [plain, f"{int(plain):,}"] if int(plain) >= WORDED_BELOW else [plain]
        return forms + cardinals(int(plain)) if int(plain) < WORDED_BELOW else forms
    number = number_words().get(text.casefold().replace("-", " "))
    return [] if number is None else [str(number), *cardinals(number)]
