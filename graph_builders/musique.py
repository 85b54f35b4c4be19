"""Reads the MuSiQue release format (MuSiQue-Ans and MuSiQue-Full, `*.jsonl`).

What real files hold, and what becomes of it:

- `#k` in a step is a reference where hop k comes before it, and text elsewhere ("a #1 hit" in the
  first hop); see `graph_builders.normalize.references`. `SourceHop.depends_on` lists the
  references, so a reader must not look for other `#k`.
- MuSiQue-Full gives an answerable question and its unanswerable twin one id. The twin is excluded
  (B1); a second answerable record of an id is, too (B2).
- Records without `answerable` count as answerable.
- `paragraph_support_idx` refers to a paragraph's `idx`, wherever it stands. Without one, in part
  or at all, the record is excluded (D2); so it is where two hops share one.
- `is_supporting` is not read: the decomposition says what supports a hop.
- Titles repeat; that is no defect.

Source: Trivedi et al., "MuSiQue: Multihop Questions via Single-hop Question Composition",
TACL 2022.
"""

from __future__ import annotations

from graph_builders.decomposed import decomposed
from graph_builders.normalize import Fields

__all__ = ["BUILDER"]

BUILDER = decomposed(
    name="musique",
    form="MuSiQue",
    other="use --dataset jsonl for the plain form with `passages` and `hops`",
    fields=Fields(
        aliases="answer_aliases",
        passages="paragraphs",
        text="paragraph_text",
        number="idx",
        hops="question_decomposition",
        support="paragraph_support_idx",
    ),
)
"""The builder of `--dataset musique`."""
