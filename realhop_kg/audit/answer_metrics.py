"""Answer, support and evidence scores exactly as the official scripts of each dataset give them.

Sources: Rajpurkar et al., EMNLP 2016 (normalisation); the evaluation scripts of HotpotQA, MuSiQue,
2WikiMultiHopQA and LongBench. Where a script is known to be wrong, the function says so.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Sequence
from typing import NamedTuple

from realhop_kg.model.answers import normalize_answer

__all__ = [
    "Score",
    "exact_match",
    "hotpot_answer",
    "longbench_choice",
    "longbench_f1",
    "musique_answer",
    "support_score",
    "token_f1",
    "twowiki_evidence",
]

_CLOSED = frozenset(("yes", "no", "noanswer"))
_PUNCTUATION = str.maketrans("", "", string.punctuation)
_PARENTHESISED = re.compile(r"The correct answer is \(([A-D])\)")
_BARE = re.compile(r"The correct answer is ([A-D])")


class Score(NamedTuple):
    """Fractions of 1."""

    em: float
    f1: float
    precision: float
    recall: float


def exact_match(prediction: str, references: Iterable[str]) -> bool:
    """Return whether the normalised prediction equals a normalised reference."""
    said = normalize_answer(prediction)
    return any(said == normalize_answer(reference) for reference in references)


def token_f1(prediction: str, reference: str, *, both_empty: float = 0.0) -> Score:
    """Return the multiset overlap of normalised tokens.

    Args:
        prediction: the answer.
        reference: a right answer.
        both_empty: F1 of two texts that normalise to nothing: 0 in HotpotQA, 1 in MuSiQue.
    """
    said, right = normalize_answer(prediction).split(), normalize_answer(reference).split()
    em = float(said == right)
    if not said and not right:
        return Score(em, both_empty, both_empty, both_empty)
    same = sum((Counter(said) & Counter(right)).values())
    if same == 0:
        return Score(em, 0.0, 0.0, 0.0)
    precision, recall = same / len(said), same / len(right)
    return Score(em, 2 * precision * recall / (precision + recall), precision, recall)


def hotpot_answer(prediction: str, reference: str) -> Score:
    """Return the answer score of HotpotQA: yes, no and noanswer match whole or not at all."""
    said, right = normalize_answer(prediction), normalize_answer(reference)
    if said != right and (said in _CLOSED or right in _CLOSED):
        return Score(0.0, 0.0, 0.0, 0.0)
    return token_f1(prediction, reference)


def musique_answer(prediction: str, references: Sequence[str]) -> Score:
    """Return the best score over answer and aliases, as MuSiQue takes it."""
    scores = [token_f1(prediction, reference, both_empty=1.0) for reference in references]
    return Score(*(max(values) for values in zip(*scores, strict=True)))


def support_score(
    prediction: Collection[Hashable], gold: Collection[Hashable], *, both_empty: float = 0.0
) -> Score:
    """Return the set score of supporting facts (HotpotQA) or paragraphs (MuSiQue).

    Args:
        prediction: what was named as support.
        gold: what supports.
        both_empty: F1 where nothing was named and nothing was to be: 0 in HotpotQA, 1 in MuSiQue.
    """
    said, right = set(prediction), set(gold)
    em = float(said == right)
    if not said and not right:
        return Score(em, both_empty, both_empty, both_empty)
    same = len(said & right)
    precision = same / len(said) if said else 0.0
    recall = same / len(right) if right else 0.0
    both = precision + recall
    return Score(em, 2 * precision * recall / both if both else 0.0, precision, recall)


def twowiki_evidence(
    prediction: Iterable[Sequence[str]], gold: Sequence[Sequence[Sequence[str]]]
) -> Score:
    """Return the evidence score of 2WikiMultiHopQA.

    The official script counts every predicted triple that any gold triple allows, so two spellings
    of one triple give a recall above 1; here recall is clamped to 1 (and F1 with it).

    Args:
        prediction: triples.
        gold: for each gold triple, its allowed spellings.
    """
    said = {_triple(triple) for triple in prediction}
    right = [{_triple(triple) for triple in spellings} for spellings in gold]
    matches = sum(any(triple in spellings for spellings in right) for triple in said)
    precision = matches / len(said) if said else 0.0
    recall = min(1.0, matches / len(right)) if right else 0.0
    both = precision + recall
    em = float(matches == len(said) == len(right))
    return Score(em, 2 * precision * recall / both if both else 0.0, precision, recall)


def _triple(triple: Sequence[str]) -> tuple[str, ...]:
    return tuple(" ".join(part.lower().translate(_PUNCTUATION).split()) for part in triple)


def longbench_f1(prediction: str, references: Sequence[str]) -> float:
    """Return the best token F1 over the references, as LongBench v1 scores QA."""
    return max((token_f1(prediction, reference).f1 for reference in references), default=0.0)


def longbench_choice(response: str) -> str | None:
    """Return the option letter that LongBench v2's own pattern finds, or None.

    The pattern is case-sensitive and its bare form has no word boundary ("... is Apple" gives A).
    A response without a letter counts as wrong and stays in the denominator.
    """
    bare = response.replace("*", "")
    found = _PARENTHESISED.search(bare) or _BARE.search(bare)
    return found[1] if found else None
