"""Forms that ask for a date: `when did {x} ...`, `when was {x} ...`, `in what year ...`."""

from __future__ import annotations

from realhop_kg.construct.free.bank import Near, about, bank
from realhop_kg.construct.free.segments import Segmented
from realhop_kg.construct.free.shape import Subject, opening, shaped
from realhop_kg.construct.free.verbs import inflect, is_form
from realhop_kg.relations.catalogue import Relation

__all__ = ["when_did", "when_was"]

_WHEN = (
    ("when",),
    ("in", "what", "year"),
    ("in", "which", "year"),
    ("what", "year"),
    ("which", "year"),
    ("on", "what", "date"),
    ("what", "date"),
    ("what", "was", "the", "date"),
)
_ON = "on which {x} {}"


def when_did(cut: Segmented, subject: Subject) -> Relation | None:
    """`when did {x} reinstate the death penalty`."""
    start = opening(cut.parts, _WHEN)
    if not start or cut.parts[start : start + 2] != ("did", "{x}"):
        return None
    at = start + 2
    adverb = cut.parts[at] if at < len(cut.parts) and cut.parts[at] in bank().adverbs else ""
    at += bool(adverb)
    verb = cut.parts[at] if at < len(cut.parts) else ""
    past = inflect(verb, "VBD") if verb else None
    if past is None:
        return None
    rest = cut.text(at + 1)
    role = " ".join(filter(None, (adverb, past, rest)))
    near = _dates_near(cut, subject, "" if adverb else verb, rest)
    return _dated("when_did", cut, start, role, near)


def when_was(cut: Segmented, subject: Subject) -> Relation | None:
    """`when was {x} abolished`."""
    start = opening(cut.parts, _WHEN)
    parts = cut.parts[start:]
    if not start or len(parts) < 3 or parts[0] not in ("was", "were") or parts[1] != "{x}":
        return None
    at = 2 + (parts[2] in bank().adverbs)
    if at >= len(parts) or not is_form(parts[at], "VBN") or parts[at] == "born":
        return None
    role = f"was {cut.text(start + 2)}"
    return _dated("when_was", cut, start, role, about(cut, bank().other_date, _ON))


def _dates_near(cut: Segmented, subject: Subject, verb: str, rest: str) -> list[Near]:
    """Return near-misses of a deed: its plans where its doer can plan, else other events."""
    if not verb or subject not in bank().willed_subjects or verb in bank().involuntary_verbs:
        return about(cut, bank().other_date, _ON)
    base = f"{verb} {rest}".strip()
    return [
        (name, _ON.replace("{}", entry.text.replace("{vp}", base)), entry.because)
        for name, entry in bank().willed_date.items()
    ]


def _dated(form: str, cut: Segmented, start: int, role: str, near: list[Near]) -> Relation:
    body = " ".join(cut.parts[start:])
    by_year = "year" in cut.parts[:start]
    questions = [f"when {body}", f"[in] (what|which) year {body}"]
    if not by_year:
        questions.append(f"[on] (what|which) (date|day) {body}")
    value = "year" if by_year else "time"
    return shaped(form, cut, value, "date", "date", _ON.replace("{}", role), near, questions)
