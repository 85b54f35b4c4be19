"""Who in a hop is a man or a woman by the question's own words: `the wife of`, `when he died`."""

from __future__ import annotations

import re

from realhop_kg.construct.names import gender_hint
from realhop_kg.construct.steps import Reading, Ref
from realhop_kg.construct.voicing import HopVoice

__all__ = ["OPPOSITE", "answer_gender", "other_parent", "subject_gender"]

OPPOSITE = {"man": "woman", "woman": "man"}
_PRONOUNS = {"he": "man", "his": "man", "him": "man", "she": "woman", "her": "woman"}
_RANKS = frozenset(
    {"king", "queen", "emperor", "empress", "prince", "princess", "duke", "duchess", "monk", "nun",
     "pope"}
)  # fmt: skip
"""What somebody becomes or is crowned: said of the subject where no person is asked for."""

_PARTNERS = {"wives": "man", "wife": "man", "husbands": "woman", "husband": "woman"}
_SAID_OF_SUBJECT = re.compile(r"\{x\} (?:\(the\|an?\)|the|an?) ")
"""`who is {x} the husband of`: the noun is said of x, not of the answer."""


def answer_gender(voiced: HopVoice) -> str:
    """Return `man` or `woman` where the question's words say which the answer is, else nothing."""
    if _says_of_subject(voiced) or voiced.reading.relation.value not in ("person", "agent"):
        return ""
    own = tuple(voiced.reading.relation.id.split("_"))
    words = tuple(word for word in voiced.words if word not in _PRONOUNS)
    return gender_hint((*words, voiced.kind, *own))


def subject_gender(voiced: HopVoice) -> str:
    """Return `man` or `woman` where the question's words say which the subject is, else nothing."""
    pronoun = next((word for word in voiced.words if word in _PRONOUNS), "")
    if pronoun:
        return _PRONOUNS[pronoun]
    if _says_of_subject(voiced):
        return gender_hint(voiced.words)
    relation = voiced.reading.relation
    if relation.id == "spouse":
        return OPPOSITE.get(answer_gender(voiced), "")
    if relation.value == "person" or relation.arguments.get("x") != "person":
        return ""
    partner = next((_PARTNERS[word] for word in voiced.words if word in _PARTNERS), "")
    return partner or gender_hint(word for word in voiced.words if word in _RANKS)


def other_parent(reading: Reading, readings: dict[int, Reading]) -> tuple[int, str]:
    """Return the hop whose subject is a child's one parent where this hop asks for the other.

    `The father of the son of Ulla Dunn`: Ulla Dunn is a woman.

    Returns:
        The index of the hop that names the child and the gender of its subject; (0, "") if there
        is none.
    """
    asked = {"father": "woman", "mother": "man"}.get(reading.relation.id, "")
    for _, filler in reading.fillers:
        if asked and isinstance(filler, Ref) and readings[filler.hop].relation.id == "child":
            return filler.hop, asked
    return 0, ""


def _says_of_subject(voiced: HopVoice) -> bool:
    return voiced.voice is not None and _SAID_OF_SUBJECT.search(voiced.voice.text) is not None
