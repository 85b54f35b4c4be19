"""Types of names by the item's own text: `Calder is a town in ...` makes Calder a town."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from realhop_kg.construct.names import shown_type
from realhop_kg.model.text import Passage
from realhop_kg.relations.types import Types
from realhop_kg.resources import load_yaml

__all__ = ["Definition", "define", "looks_like_person"]

_WINDOW = 14
"""Words after `is a` in which the defining noun is looked for."""

_WORD = re.compile(r"\w+(?:-\w+)*|,")
_PERSON = re.compile(r"[A-Z][\w.'’-]+(?: [A-Z][\w.'’-]*){1,3}")
_IS_A = r"\s+(?:is|was|are|were)\s+(?:an?|the|one of the)\s+(?P<kind>[^.!?]{3,200})"
_ASIDE = r"(?:\s*\([^()]*\))?(?:,[^,.!?]{0,120},)?"
_BRACKETS = re.compile(r"\([^()]*\)")
_OTHER_SUBJECT = re.compile(r"\b(?:whose|who|whom|where|which|that|when|and)\b|[;:]")
"""Between a name and `is a`, these make something else the subject."""

_BORN = re.compile(r"\s*\([^()]*\bborn\b|\s+was born\b")
_CUTS = frozenset(
    {
        "of", "in", "from", "by", "who", "that", "which", "for", "with", "on", "at", "near", "to",
        "located", "situated", "founded", "based", "born", "known", "best", "named", "about",
        "between", "along", "within", "where", "as", "directed", "written", "starring", "created",
        "produced", "owned", "operated", "serving", "licensed", "whose", "without", "beside",
        "behind", "under", "over", "above", "below", "across", "around", "through", "into", "off",
        "outside", "inside", "beyond", "after", "before", "during", "since", "until", "against",
        "than", "when", "whom", "but", "recorded", "released", "published", "made", "built", "set",
        "lying", "standing", "used", "held", "played", "called", "first", "now", "then", "also",
        "sung", "performed", "painted", "designed", "composed", "adopted", "consisting",
    }
)  # fmt: skip
_JOINS = frozenset({"and", "or", ","})
_AMBIGUOUS = frozenset(
    {
        "station", "model", "title", "record", "single", "track", "post", "office", "role",
        "division", "conference", "range", "show", "share", "peak", "group", "body", "position",
        "channel", "site", "series", "game", "party", "area", "job", "stream", "publisher",
        "maker", "supplier", "side", "chain", "court", "union", "house", "ground", "plain",
    }
)  # fmt: skip
"""Kind nouns that define nothing unless a word before them says which sense is meant."""


_UNCLEAR = "?"
"""What an ambiguous noun makes of a name."""


@cache
def _occupations() -> frozenset[str]:
    return frozenset(load_yaml("construct", "occupations.yaml"))


@dataclass(frozen=True, slots=True)
class Definition:
    """What an item's text makes of a name.

    Attributes:
        shown: the type that the name shows of itself, or an empty text; what a passage says of
            another kind wins over it.
        said: what stands after `is a` wherever a passage defines it.
        known: the types of what is said, an ambiguous noun among them as `_UNCLEAR`.
    """

    shown: str
    said: tuple[str, ...]
    known: tuple[str, ...]

    @property
    def types(self) -> tuple[str, ...]:
        """The types that name and text give, each once; several where things share the name."""
        found = (self.shown, *self.known)
        return tuple(dict.fromkeys(known for known in found if known and known != _UNCLEAR))

    def contradicts(self, type_id: str, types: Types) -> str:
        """Return what the name is where that cannot be of a type, or an empty text.

        Kinds of place and of organization are a closed set, so a noun outside it contradicts
        them; occupations are not.
        """
        if any(found == _UNCLEAR or types.narrower(found, type_id) for found in self.known):
            return ""
        if self.shown and not types.may_be(self.shown, type_id):
            return self.shown
        if any(types.agree(found, type_id) for found in self.known):
            return ""
        if self.known or self.shown:
            return self.known[0] if self.known else ""
        closed = types.is_a(type_id, "place") or types.is_a(type_id, "organization")
        return repr(self.said[0][:40]) if self.said and closed else ""


def define(name: str, passages: Sequence[Passage], types: Types) -> Definition:
    """Return what a name is, as it shows itself and as the passages say (`NAME is a KIND`).

    Args:
        name: a name of the item.
        passages: its context.
        types: the type tree.
    """
    said = _definitions(name, passages)
    known = tuple(kind for kind in (_kind_in(text, types) for text in said) if kind)
    return Definition(_shown(name, known, types), tuple(said), known)


def _shown(name: str, known: Sequence[str], types: Types) -> str:
    """Return the type that a name shows, or nothing where the passages say that it is another.

    `Orle Bridge is a village` makes it a village; `Orle Bridge is a structure` leaves it a bridge.
    """
    shown = shown_type(name) or ""
    stated = [kind for kind in known if kind != _UNCLEAR]
    if shown and stated and not any(types.narrower(shown, kind) for kind in stated):
        return ""
    return shown


def _definitions(name: str, passages: Sequence[Passage]) -> list[str]:
    """Return what stands after `is a` wherever a passage defines the name."""
    named = re.compile(rf"(?:^|[.!?]\s+|\n)(?:The )?{re.escape(name)}(?!\w)")
    defining = re.compile(rf"(?P<aside>{_ASIDE}){_IS_A}")
    found = []
    for passage in passages:
        for match in named.finditer(passage.text):
            said = defining.match(passage.text, match.end())
            if _BORN.match(passage.text, match.end()):
                found.append("person")
            elif said and _is_plain(said["aside"]):
                found.append(said["kind"])
        if _bare(passage.title).casefold() == _bare(name).casefold():
            opening = re.match(rf"(?P<aside>[^.!?]{{1,160}}?){_IS_A}", passage.text)
            if opening and _is_plain(opening["aside"]):
                found.append(opening["kind"])
    return found


def _bare(title: str) -> str:
    return re.split(r",| \(", title.strip().removeprefix("The "), maxsplit=1)[0]


def _is_plain(aside: str) -> bool:
    return _OTHER_SUBJECT.search(_BRACKETS.sub("", aside)) is None


def _kind_in(text: str, types: Types) -> str | None:
    """Return the type of the noun before the first preposition, or of one joined to it."""
    words = [word.casefold() for word in _WORD.findall(_BRACKETS.sub("", text))[:_WINDOW]]
    stops = [at for at, word in enumerate(words) if word in _CUTS]
    # "the first single from ...": what comes first cannot end the phrase.
    words = words[: next((at for at in stops if at), len(words))]
    heads = [len(words), *(at for at in reversed(range(len(words))) if words[at] in _JOINS)]
    for end in heads:
        pair = " ".join(words[end - 2 : end]) if end > 1 else ""
        head = words[end - 1] if end else ""
        if types.of_kind(pair):
            return types.of_kind(pair)
        if head in _occupations():
            return "person"
        if head not in _AMBIGUOUS and types.of_kind(head):
            return types.of_kind(head)
        if head in _AMBIGUOUS:
            return _UNCLEAR
    return None


def looks_like_person(name: str) -> bool:
    """Return whether a name has the shape of a person's: two to four capitalised words.

    Examples:
        >>> looks_like_person("Mirela Castane"), looks_like_person("five")
        (True, False)
    """
    return _PERSON.fullmatch(name) is not None
