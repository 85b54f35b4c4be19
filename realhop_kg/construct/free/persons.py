"""Forms that ask for a person: `who discovered {x}`, `who is the ROLE of {x}`."""

from __future__ import annotations

from realhop_kg.construct.free.bank import about, bank
from realhop_kg.construct.free.segments import Segmented
from realhop_kg.construct.free.shape import Subject, shaped
from realhop_kg.construct.free.verbs import inflect, is_form, lemma
from realhop_kg.relations.catalogue import Relation

__all__ = ["who_did", "who_is", "who_was_it"]

_AUXILIARIES = frozenset(("is", "was", "are", "were", "has", "had", "did", "does", "do", "can"))


def who_did(cut: Segmented, subject: Subject) -> Relation | None:
    """`who discovered {x}`."""
    parts = cut.parts
    if len(parts) < 3 or parts[0] != "who" or parts[1] in _AUXILIARIES:
        return None
    verb = parts[1]
    if not (is_form(verb, "VBD") or is_form(verb, "VBZ")) or lemma(verb) in bank().writing_verbs:
        return None
    body = " ".join(parts[1:])
    return shaped(
        "who_did",
        cut,
        "person",
        "person who",
        "person",
        cut.text(1),
        about(cut, bank().person),
        [f"who {body}"],
        [f"the (person|one|man|woman|{{kind}}) (who|that) {body}"],
    )


def who_was_it(cut: Segmented, subject: Subject) -> Relation | None:
    """`who did {x} succeed`."""
    parts = cut.parts
    if len(parts) < 4 or parts[:3] not in (("who", "did", "{x}"), ("whom", "did", "{x}")):
        return None
    past = inflect(parts[3], "VBD")
    if past is None or parts[3] in bank().writing_verbs:
        return None
    role = f"whom {{x}} {past} {cut.text(4)}".strip()
    folded = f"{past} {' '.join(parts[4:])}".strip()
    return shaped(
        "who_was_it",
        cut,
        "person",
        "person",
        "person",
        role,
        about(cut, bank().person, "who {}"),
        [f"(who|whom) did {{x}} {' '.join(parts[3:])}"],
        [f"the (person|one|man|woman) [(who|whom|that)] {{x}} {folded}"],
    )


def who_is(cut: Segmented, subject: Subject) -> Relation | None:
    """`who is the mayor of {x}`, `who was {x}'s first manager`."""
    parts = cut.parts
    if len(parts) < 5 or parts[0] != "who" or parts[1] not in ("is", "was") or cut.fillers[1:]:
        return None
    role, link = _role(cut)
    if not role or role != role.lower() or any(part in role for part in ("{", "'")):
        return None
    own = f"{role} {link} {{x}}"
    near = [
        (name, f"{entry.text} of the {own}", entry.because)
        for name, entry in bank().around_role.items()
    ]
    return shaped(
        "who_is",
        cut,
        "person",
        "",
        "person",
        own,
        near,
        [f"who (is|was) the {own}", f"who (is|was) {{x}}'s {role}"],
        [f"the {role} (of|{link}) {{x}}", f"{{x}}'s {role}"],
    )


def _role(cut: Segmented) -> tuple[str, str]:
    """Return the role noun phrase and its preposition, or empty texts."""
    parts = cut.parts
    if parts[2:4] == ("{x}", "'s") and len(parts) <= 8:
        return " ".join(parts[4:]), "of"
    at = next((at for at in range(3, len(parts)) if parts[at] in ("of", "for", "at")), 0)
    if parts[2] == "the" and 4 <= at <= 7 and parts[at + 1 :] == ("{x}",):
        return " ".join(parts[3:at]), parts[at]
    return "", ""
