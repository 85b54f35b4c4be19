"""Says a voice template of the catalogue in one of its wordings, letters and marks as they stand.

The parser reads every wording of a template; questions that people read take the first word of a
group of small words (`is` of `(is|are)`) and leave out what is optional, so that they agree with
names in the singular, and vary in the rest (`built`, `erected`). A preposition at the end is kept
where the beginning has none (`the county {x} lies in`), and is followed by `whom`, never by `who`.
"""

from __future__ import annotations

import random
import re
from functools import cache

from realhop_kg.resources import load_yaml

__all__ = ["names_our_world", "said", "slots_in"]

_GROUP = re.compile(r"\(([^()\[\]]*)\)|\[([^()\[\]]*)\]")
_BESIDE = "in|on|at|of|from|for|by|with|to|during"
_LAST = re.compile(rf"\[({_BESIDE})\]$")
_LED = re.compile(rf"\b(?:{_BESIDE}) (?:which|what|whom)\b")
_TO_WHOM = re.compile(rf"\b({_BESIDE}) who\b")
_THERE = re.compile(r"\b(?:where|when)\b")
_SPACES = re.compile(r"\s+")
_SLOT = re.compile(r"\{(\w+)(:clause)?\}")
_SMALL = frozenset(
    {
        "is", "are", "was", "were", "be", "been", "has", "have", "do", "does", "did", "the", "a",
        "an", "he", "she", "they", "his", "her", "their", "its", "it", "in", "on", "at", "of", "to",
        "for", "by", "from", "with", "and", "or", "that", "which", "who", "whom", "whose", "where",
        "when", "what", "another", "other",
    }
)  # fmt: skip
"""Words that agree with what stands beside them: of these the first wording is the safe one."""


def said(template: str, rng: random.Random) -> str:
    """Return one wording of a template, its slots still in it.

    Examples:
        >>> said("the {kind} (where|in which) {x} (is|are) [now] (based|based)", random.Random(1))
        'the {kind} where {x} is based'
        >>> said("(which|what) country is {x} [in]", random.Random(1))
        'which country is {x} in'
        >>> said("with (who|whom) (does|did) {w} sing {x}", random.Random(1))
        'with whom does {w} sing {x}'
    """
    last = _LAST.search(template)
    text = template if last is None else template[: last.start()]
    while match := _GROUP.search(text):
        chosen = "" if match[1] is None else _chosen(match[1].split("|"), rng)
        text = text[: match.start()] + chosen + text[match.end() :]
    there = last and last[1] in ("in", "on", "at") and _THERE.search(text)
    if last and not there and not _LED.search(text):
        text = f"{text.rstrip()} {last[1]}"
    return _TO_WHOM.sub(r"\1 whom", _SPACES.sub(" ", text).replace(" ,", ",").strip())


def names_our_world(text: str) -> bool:
    """Return whether a wording names something of our world, where no fictional question is set.

    Examples:
        >>> names_our_world("when did {x} become a us state"), names_our_world("who wed {x}")
        (True, False)
    """
    return _ours().search(text) is not None


@cache
def _ours() -> re.Pattern[str]:
    names = sorted(load_yaml("construct/worlds", "our_world.yaml"), key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b")


def _chosen(options: list[str], rng: random.Random) -> str:
    plain = all(_SMALL.isdisjoint(option.split()) and option for option in options)
    same_form = len({option.endswith("s") for option in options}) == 1
    return rng.choice(options) if plain and same_form else options[0]


def slots_in(text: str) -> list[str]:
    """Return the slots of a wording, in order; one that needs a clause is named `x:clause`."""
    return [f"{name}{clause}" for name, clause in _SLOT.findall(text)]
