"""Reads HotpotQA in its distractor setting, as released and in the columns of dataset hubs.

`graph_builders.supported` says what real files hold and what becomes of it. HotpotQA annotates no
steps, so an item has deletion units and no hops: it can be audited, not constructed from.

Source: Yang et al., "HotpotQA: A Dataset for Diverse, Explainable Multi-hop Question Answering",
EMNLP 2018.
"""

from __future__ import annotations

from functools import partial

from graph_builders.form import FormBuilder
from graph_builders.supported import supported

__all__ = ["BUILDER"]

BUILDER = FormBuilder(
    name="hotpotqa",
    form="HotpotQA",
    other="use --dataset twowiki for 2WikiMultiHopQA, musique for MuSiQue",
    marks=("supporting_facts",),
    item=partial(supported, "hotpotqa"),
)
"""The builder of `--dataset hotpotqa`."""
