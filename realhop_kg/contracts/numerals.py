"""Numbers in words, cardinal and ordinal."""

from __future__ import annotations

from functools import cache

__all__ = ["WORDED_BELOW", "cardinals", "number_words", "rank_words", "ranked"]

WORDED_BELOW = 1000
"""Higher numbers are written in digits."""


def _words(*lines: str) -> tuple[str, ...]:
    return tuple(word for line in lines for word in line.split())


_UNITS = _words(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen",
    "fifteen sixteen seventeen eighteen nineteen",
)
_TENS = _words("twenty thirty forty fifty sixty seventy eighty ninety")
_IRREGULAR = dict(
    zip(
        _words("one two three five eight nine twelve"),
        _words("first second third fifth eighth ninth twelfth"),
        strict=True,
    )
)


def ranked(number: int) -> str:
    """Return a number as an ordinal in digits: `23rd`."""
    suffix = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10)
    return f"{number}{suffix or 'th'}"


def cardinals(number: int) -> list[str]:
    """Return the words of a number below 1000."""
    if number < 20:
        return [_UNITS[number]]
    if number < 100:
        tens, unit = divmod(number, 10)
        word = _TENS[tens - 2]
        return [f"{word}-{_UNITS[unit]}", f"{word} {_UNITS[unit]}"] if unit else [word]
    hundreds, rest = divmod(number, 100)
    head = f"{_UNITS[hundreds]} hundred"
    if not rest:
        return [head, *(["a hundred"] if hundreds == 1 else [])]
    return [f"{head}{gap}{tail}" for gap in (" and ", " ") for tail in cardinals(rest)]


@cache
def number_words() -> dict[str, int]:
    """Return the numbers that are worded by their words, without hyphens."""
    return {
        word.replace("-", " "): number
        for number in range(WORDED_BELOW)
        for word in cardinals(number)
    }


@cache
def rank_words() -> dict[str, int]:
    """Return the ordinals below 100 by their words, the longer first."""
    words: dict[str, int] = {}
    for number in range(1, 100):
        head, gap, last = cardinals(number)[0].rpartition("-")
        rank = _IRREGULAR.get(last) or (last[:-1] + "ieth" if last[-1] == "y" else f"{last}th")
        words[f"{head}{gap}{rank}"] = number
        if gap:
            words[f"{head} {rank}"] = number
    return dict(sorted(words.items(), key=lambda entry: -len(entry[0])))
