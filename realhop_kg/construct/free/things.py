"""Forms that ask for a place, a thing of a named kind, or a count."""

from __future__ import annotations

from collections.abc import Sequence

from realhop_kg.construct.free.bank import Near, about, bank
from realhop_kg.construct.free.segments import Segmented
from realhop_kg.construct.free.shape import Subject, opening, shaped
from realhop_kg.construct.free.verbs import inflect, is_form
from realhop_kg.relations.catalogue import Relation
from realhop_kg.relations.types import entity_types

__all__ = ["how_many", "what_did", "what_is", "what_kind", "where_was"]

_WHERE = (("where",), ("in", "what", "place"), ("at", "what", "place"))
_PREPOSITIONS = frozenset(("of", "in", "on", "at"))


def where_was(cut: Segmented, subject: Subject) -> Relation | None:
    """`where was {x} signed`, `where did {x} take place`."""
    start = opening(cut.parts, _WHERE)
    clause = _clause(cut, start) if start else ""
    if not clause:
        return None
    body, folded = " ".join(cut.parts[start:]), clause.casefold()
    return shaped(
        "where",
        cut,
        "place",
        "place where",
        "place",
        clause,
        about(cut, bank().other_place, "{x} {}"),
        [f"where {body}", f"in (what|which) {{kind}} {body}", f"(what|which) {{kind}} {body} in"],
        [f"the {{kind}} (where|in which) {folded}", f"where {folded}"],
        [folded],
    )


def _clause(cut: Segmented, start: int) -> str:
    """Return `{x} was signed` for `was {x} signed`, `{x} took place` for `did {x} take place`."""
    parts = cut.parts[start:]
    if len(parts) < 3 or parts[1] != "{x}":
        return ""
    rest = cut.text(start + 3)
    if parts[0] in ("was", "were") and is_form(parts[2], "VBN"):
        return f"{{x}} was {parts[2]} {rest}".strip()
    form = inflect(parts[2], "VBD" if parts[0] == "did" else "VBZ")
    return f"{{x}} {form} {rest}".strip() if parts[0] in ("did", "does") and form else ""


def _kind_at(parts: Sequence[str], at: int) -> tuple[str, int]:
    """Return the longest kind noun of an entity type at a position, and where it ends."""
    types = entity_types()
    for length in (3, 2, 1):
        kind = " ".join(parts[at : at + length])
        value = types.of_kind(kind)
        if value and not types.is_value(value):
            return kind, at + length
    return "", at


def what_kind(cut: Segmented, subject: Subject) -> Relation | None:
    """`which religion is widely practiced in {x}`, `what organization sponsors {x}`."""
    parts = cut.parts
    kind, at = _kind_at(parts, 1)
    if parts[0] not in ("what", "which") or not kind or at >= len(parts):
        return None
    verb = parts[at]
    passive = verb in ("is", "was") and any(is_form(word, "VBN") for word in parts[at + 1 :])
    active = verb not in ("is", "was", "does", "did", "has") and (
        is_form(verb, "VBD") or is_form(verb, "VBZ")
    )
    if not (passive or active):
        return None
    body = " ".join(parts[at:])
    return _of_kind(
        "what_kind",
        cut,
        kind,
        f"which {cut.text(at)}",
        [f"(what|which) {{kind}} {body}"],
        [f"the {{kind}} (that|which|who) {body}"],
    )


def what_did(cut: Segmented, subject: Subject) -> Relation | None:
    """`which country did {x} conquer`, `in which river was {x} found`."""
    inside = cut.parts[0] in ("in", "at", "on")
    kind, at = _kind_at(cut.parts, 1 + inside)
    clause = _clause(cut, at) if kind and cut.parts[inside] in ("what", "which") else ""
    if not clause:
        return None
    link = f"{cut.parts[0]} which" if inside else "which"
    body = " ".join(cut.parts[at:])
    first = f"{cut.parts[0]} " if inside else ""
    return _of_kind(
        "what_did",
        cut,
        kind,
        f"{link} {clause}",
        [f"{first}(what|which) {{kind}} {body}"],
        [f"the {{kind}} {link} {clause.casefold()}"]
        + ([] if inside else [f"the {{kind}} [that] {clause.casefold()}"]),
    )


def what_is(cut: Segmented, subject: Subject) -> Relation | None:
    """`what is the busiest airport in {x}`, `what is the name of the castle in {x}`."""
    parts = cut.parts
    start = opening(
        parts,
        [(w, b, *rest) for w in ("what", "which") for b in ("is", "was")
         for rest in (("the",), ("the", "name", "of", "the"))],
    )  # fmt: skip
    at = next((at for at in range(start, len(parts)) if parts[at] in _PREPOSITIONS), 0)
    if not start or not start < at <= start + 4 or parts[at + 1 :] != ("{x}",):
        return None
    kind = next((k for n in (3, 2, 1) if (k := _kind_at(parts[:at], at - n)[0])), "")
    noun = " ".join(parts[start:at])
    if not kind or any("{" in part for part in parts[start:at]):
        return None
    value = entity_types().of_kind(kind) or ""
    return shaped(
        "what_is",
        cut,
        value,
        "",
        kind,
        f"{noun} {parts[at]} {{x}}",
        [(name, f"{kind} {role}", why) for name, role, why in _kinds_near(cut)],
        [f"(what|which) (is|was) the [name of the] {noun} {parts[at]} {{x}}"],
        [f"the {noun} (in|of|{parts[at]}) {{x}}", f"{{x}}'s {noun}"],
    )


def how_many(cut: Segmented, subject: Subject) -> Relation | None:
    """`how many churches are in {x}`, `how many titles does {x} hold`."""
    parts = cut.parts
    at = next((at for at in range(2, len(parts)) if parts[at] in _COUNTED), 0)
    if parts[:2] != ("how", "many") or not 3 <= at <= 6 or "{x}" in parts[:at]:
        return None
    if parts[at] in ("does", "did"):
        clause = _clause(cut, at)
        role = f"which {clause}" if clause else ""
    else:
        role = cut.text(at + 1 + (parts[at + 1 : at + 2] == ("there",)))
        role = role if role.split(" ")[:1] and role.split(" ")[0] in _PREPOSITIONS else ""
    if not role:
        return None
    things = cut.text(2, at)
    return shaped(
        "how_many",
        cut,
        "number",
        f"number of {things}",
        "number",
        role,
        about(cut, bank().other_count),
        [" ".join(parts)],
        [f"the number of {' '.join(parts[2:at])} {role.casefold()}"],
    )


_COUNTED = frozenset(("are", "were", "does", "did"))


def _kinds_near(cut: Segmented) -> list[Near]:
    return about(cut, bank().other_kind)


def _of_kind(
    form: str,
    cut: Segmented,
    kind: str,
    role: str,
    questions: Sequence[str],
    nouns: Sequence[str],
) -> Relation:
    value = entity_types().of_kind(kind) or ""
    return shaped(form, cut, value, kind, kind, role, _kinds_near(cut), questions, nouns)
