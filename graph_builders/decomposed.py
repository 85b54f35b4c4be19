"""Reads questions that come with passages and hops: what MuSiQue and the plain form share.

A source differs from another in what it calls its fields, and in nothing else; see `Fields`.
"""

from __future__ import annotations

from functools import partial

from graph_builders.form import FormBuilder
from graph_builders.normalize import Fields, normalize

__all__ = ["decomposed"]


def decomposed(name: str, form: str, other: str, fields: Fields) -> FormBuilder:
    """Return the builder of one spelling of the fields.

    Args:
        name: what `--dataset` calls it.
        form: what messages call the form.
        other: what to do with a file that is not of this form.
        fields: what the source calls its fields.
    """
    return FormBuilder(
        name=name,
        form=form,
        other=other,
        marks=(fields.hops, fields.passages),
        item=partial(normalize, name, fields=fields),
    )
