"""All forms of free steps, the stricter first.

A form turns a cut step into a relation of its own, or does not apply: it knows the words around
the slots (`when did {x} ...`), states the fact in a sentence that the step's own words complete,
and brings near-misses that hold of the same subject and give a value of the same type.
"""

from __future__ import annotations

from collections.abc import Callable

from realhop_kg.construct.free.dates import when_did, when_was
from realhop_kg.construct.free.persons import who_did, who_is, who_was_it
from realhop_kg.construct.free.segments import Segmented
from realhop_kg.construct.free.shape import Subject
from realhop_kg.construct.free.things import how_many, what_did, what_is, what_kind, where_was
from realhop_kg.relations.catalogue import Relation

__all__ = ["FORMS", "Form"]

Form = Callable[[Segmented, Subject], Relation | None]
"""Makes a relation of a cut step, given the subject's type, or None if the form does not apply."""

FORMS: tuple[Form, ...] = (
    when_did,
    when_was,
    who_is,
    who_was_it,
    who_did,
    where_was,
    what_is,
    what_kind,
    what_did,
    how_many,
)
