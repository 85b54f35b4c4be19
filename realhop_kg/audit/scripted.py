"""Solvers that need no model and have known results, so that an audit can be checked end to end.

- `scripted/reader` answers by derivation from the facts that the context still states, and abstains
  where they do not give one answer: on constructed items its BNR is 100 %.
- `scripted/recaller` always gives the gold answer: its BNR is 0 %.
- `scripted/cue` reads the last step only, and answers from the sentence that voices it best.
- `scripted/lexical` answers from the sentences that share most with the question.

The reader and the recaller are told what the item knows; the other two see what a model sees.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from realhop_kg.audit.cues import (
    Sentence,
    answer_kind,
    candidates,
    options,
    polar,
    sentences_of,
    weights,
    words,
)
from realhop_kg.audit.solvers import ABSTAINED, Answer, Prompt, Solver
from realhop_kg.errors import InputError
from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.graph.dependency import dependencies, terminal
from realhop_kg.graph.derivation import Derivation
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import EdgeKind, EntityNode, EvidenceUnit, FactNode, SpanNode
from realhop_kg.relations.predicates import Predicates

__all__ = ["PREFIX", "CueTaker", "Lexical", "Reader", "Recaller", "scripted"]

PREFIX = "scripted/"

_REFERENCE = re.compile(r"#\d+|>>")


class Recaller:
    """Knows every answer by heart and reads nothing."""

    name = f"{PREFIX}recaller"

    def answer(self, prompt: Prompt) -> Answer:
        """Return the gold answer."""
        return Answer(text=prompt.item.answer)


class Reader:
    """Reads all that the context states of an item's facts, knows nothing else, never guesses."""

    name = f"{PREFIX}reader"

    def __init__(self, dataset: FrozenDataset) -> None:
        """Take a dataset.

        Args:
            dataset: the frozen dataset whose items will be asked about, in its order.
        """
        self._dataset = dataset
        self._graphs: Iterator[tuple[str, ReasoningGraph, Predicates]] = iter(())
        self._known: _Stated | None = None

    def answer(self, prompt: Prompt) -> Answer:
        """Return the one answer that follows from the facts in the context, or abstain."""
        if prompt.item.side != "constructed":
            return Answer(failure="the reader needs a constructed item: a source has no facts")
        return Answer(text=self._stated(prompt.item.item).answer(prompt.context))

    def _stated(self, item: str) -> _Stated:
        if self._known is None or self._known.item != item:
            self._known = self._find(item)
        return self._known

    def _find(self, item: str) -> _Stated:
        # Items are asked in their order, so the next graph is nearly always the one wanted.
        for _ in range(2):
            for key, graph, predicates in self._graphs:
                if key == item:
                    return _Stated(item, graph, predicates)
            self._graphs = self._dataset.reasoning()
        raise InputError(f"{self._dataset.folder} has no graph of {item}; verify the dataset")


class _Stated:
    """The facts of one item and the sentences that state them."""

    def __init__(self, item: str, graph: ReasoningGraph, predicates: Predicates) -> None:
        self.item = item
        self._graph = graph
        self._predicates = predicates
        hops = dependencies(graph)
        self._place = sorted(hops).index(terminal(hops))
        self._written = {
            node.id: [
                graph.get(span, SpanNode).exact
                for span in graph.targets(node.id, EdgeKind.WRITTEN_AT)
            ]
            for kind in (FactNode, EvidenceUnit)
            for node in graph.nodes(kind)
        }
        self._split = {
            fact
            for unit in graph.nodes(EvidenceUnit)
            for fact in graph.targets(unit.id, EdgeKind.COMPOSES)
        }

    def answer(self, context: str) -> str:
        gone = [
            node
            for node, spans in self._written.items()
            if node not in self._split and not any(span in context for span in spans)
        ]
        found = Derivation(self._graph, self._predicates, [gone]).answers(0)
        ends = {binding[self._place] for binding in found}
        if len(ends) != 1:
            return ABSTAINED
        return self._graph.get(ends.pop(), EntityNode).surface


class Lexical:
    """Takes the best candidate of the sentences that share most words with the question.

    A genuine shortcut probe: it sees question and context, chains nothing, and so shows how far
    word overlap and the form of the question lead. A question for yes or no gets `yes`; one that
    names two options gets the one that the context mentions more often.
    """

    name = f"{PREFIX}lexical"

    def answer(self, prompt: Prompt) -> Answer:
        """Return a candidate of the best sentence that has one."""
        question = prompt.item.question
        if not prompt.context:
            return Answer(text=ABSTAINED)
        if polar(question):
            return Answer(text="yes")
        named = options(question)
        if named:
            return Answer(text=max(named, key=prompt.context.count))
        return Answer(text=_best(sentences_of(prompt.context), question, words(question)))


class CueTaker:
    """Looks for the wording of the last step alone: the surface cue of the answer's sentence."""

    name = f"{PREFIX}cue"

    def answer(self, prompt: Prompt) -> Answer:
        """Return a candidate of the sentence that voices the last step best."""
        cue = words(_REFERENCE.sub(" ", prompt.item.last_step))
        sentences = sentences_of(prompt.context)
        return Answer(text=_best(sentences, prompt.item.question, cue, titles=False))


def _best(
    sentences: list[Sentence], question: str, cue: frozenset[str], *, titles: bool = True
) -> str:
    """Return the last fitting candidate of the best sentence that has any."""
    weight = weights(sentences)

    def score(sentence: Sentence) -> float:
        own = words(sentence.text)
        shared = sum(weight.get(word, 0.0) for word in cue & own)
        titled = words(sentence.title) - own if titles else frozenset()
        return shared + sum(weight.get(word, 0.0) for word in cue & titled) / 2

    ranked = sorted(sentences, key=lambda each: (-round(score(each), 9), each.position))
    for kind in (*answer_kind(question), None):
        for sentence in ranked[:20]:
            found = [
                each for each in candidates(sentence.text, question) if kind in (each.kind, None)
            ]
            if found:
                return found[-1].text
    return ABSTAINED


_MAKERS: dict[str, Callable[[], Solver]] = {
    "recaller": Recaller,
    "lexical": Lexical,
    "cue": CueTaker,
}


def scripted(name: str, dataset: FrozenDataset | None) -> Solver:
    """Return a scripted solver.

    Args:
        name: as `--model` calls it, `scripted/...`.
        dataset: the frozen dataset that is audited, which the reader needs.

    Raises:
        InputError: if there is none of that name, or the reader has no constructed items.
    """
    short = name.removeprefix(PREFIX)
    if short == "reader":
        if dataset is None:
            raise InputError(
                f"{name} derives from the facts of constructed items; audit a frozen dataset, or "
                "choose another model"
            )
        return Reader(dataset)
    if short not in _MAKERS:
        names = ", ".join(f"{PREFIX}{each}" for each in sorted((*_MAKERS, "reader")))
        raise InputError(f"no scripted solver {name!r}; there are {names}")
    return _MAKERS[short]()
