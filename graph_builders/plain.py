"""Reads the plain form (`--dataset jsonl`), in which to write questions of one's own.

One JSON object per question, on one line (here broken for reading):

    {"id": "lamps-1",
     "question": "In which year did the maker of the Corvane lamp open a shop in Tolland?",
     "answer": "1967",
     "aliases": ["in 1967"],
     "passages": [
       {"title": "Corvane lamp", "text": "The Corvane lamp is made by Halberg."},
       {"title": "Selby", "text": "Selby is a town on the river Mar."},
       {"title": "Halberg", "text": "Halberg opened a shop in Tolland in 1967."}],
     "hops": [
       {"question": "Corvane lamp >> manufacturer", "answer": "Halberg", "support": 0},
       {"question": "In which year did #1 open a shop in Tolland?", "answer": "1967",
        "support": 2}]}

- `id`: text or whole number, unique in the file.
- `hops`: two or more, each after those it refers to. `question` is a question or
  `subject >> relation`; `#k` stands for the answer of hop k. All hops lead to one last hop, whose
  answer is the question's.
- `support`: position of the passage that states the hop's answer, counted from 0; each hop has one
  of its own.
- `passages`: `title` may be left out; some passages should support nothing.
- `aliases` (other right answers) and `answerable` (true) may be left out; more fields may stand
  there and are not read.
"""

from __future__ import annotations

from graph_builders.decomposed import decomposed
from graph_builders.normalize import Fields

__all__ = ["BUILDER"]

BUILDER = decomposed(
    name="jsonl",
    form="plain question",
    other="use --dataset musique for the MuSiQue release format",
    fields=Fields(
        aliases="aliases", passages="passages", text="text", hops="hops", support="support"
    ),
)
"""The builder of `--dataset jsonl`."""
