"""The semantic audit: a model reviews meaning that no mechanical check can see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from realhop_kg.construct.models.realize import Realization
from realhop_kg.construct.models.replies import AuditReply
from realhop_kg.construct.models.state import Draft
from realhop_kg.errors import ContractError
from realhop_kg.graph.build import CONSTRUCTED
from realhop_kg.graph.operators import prune
from realhop_kg.graph.operators.rebind import gold_fact_id
from realhop_kg.graph.schema import EdgeKind, HopNode, ItemNode, PathKind, PathNode, SpanNode
from realhop_kg.llm.asking import REPAIRS, Models
from realhop_kg.model.finding import Code

__all__ = ["audit_inputs", "audit_with_model"]


@dataclass(frozen=True)
class _Objections:
    """What an audit objects to, sorted by what can be done about it."""

    gold: tuple[str, ...]
    """Against the question or its right path's relations: nothing here mends that."""
    sentences: dict[str, str]
    """Problem by fact or premise: its host is worded again."""
    paths: dict[str, str]
    """Problem by competitor path: it is pruned."""


async def audit_with_model(draft: Draft, models: Models, realization: Realization | None) -> Draft:
    """Return the draft that a review has nothing material to say against.

    Ambiguous sentences are worded again and competitors with a defensible answer pruned, twice at
    most; then what is left excludes the item. Marks are kept with the item and decide nothing.

    Args:
        draft: a realized draft.
        models: the models.
        realization: the conversations about its sentences, where a model wrote them.

    Raises:
        ContractError: M2 with the first objection; S6 if pruning takes the last path of a hop.

    Source: REALHOP, section 4.2 and Appendix I.3.
    """
    pruned: dict[str, str] = {}
    for tries in range(REPAIRS + 1):
        inputs = audit_inputs(draft)
        conversation = models.conversation("audit", draft.item.key, inputs, AuditReply)
        reply = await conversation.reply()
        found = _objections(draft, reply)
        if found.gold:
            raise ContractError(Code.M2, found.gold[0], (CONSTRUCTED,))
        if not found.sentences and not found.paths:
            return _marked(draft, models, reply)
        if tries == REPAIRS:
            node, problem = next(iter({**found.sentences, **found.paths}.items()))
            raise ContractError(Code.M2, f"{node}: {problem}", (node,))
        again = {
            host
            for node in found.sentences
            for host in (realization.hosts_of(node) if realization else ())
        }
        paths = dict(found.paths)
        if realization is not None and again:
            draft = await realization.settle(
                {
                    host: [
                        f"{node}: {problem}"
                        for node, problem in found.sentences.items()
                        if host in realization.hosts_of(node)
                    ]
                    for host in sorted(again)
                }
            )
            paths |= pruned  # the sentences of a pruned path came back with the rest
        else:
            paths |= _paths_of(draft, found.sentences)
        if paths:
            models.of("audit").repairs += 1
            pruned |= paths
            draft = draft.with_graph(prune(draft.graph, paths))
    raise AssertionError("the last try returns or raises")


def audit_inputs(draft: Draft) -> dict[str, object]:
    """Return what the auditor's template is filled with."""
    graph = draft.graph
    item = graph.get(CONSTRUCTED, ItemNode)
    hops = sorted(graph.nodes(HopNode), key=lambda hop: hop.index)
    return {
        "question": item.question,
        "answer": item.answer,
        "gold": [
            {
                "hop": hop.index,
                "wording": hop.wording,
                "sentences": _sentences(draft, [gold_fact_id(hop.index)]),
            }
            for hop in hops
        ],
        "paths": [
            {
                "id": path.id,
                "hop": path.protected_hop,
                "endpoint": path.endpoint,
                "sentences": _sentences(draft, _own(draft, path.id)),
            }
            for path in graph.nodes(PathNode)
            if path.path_kind is not PathKind.GOLD
        ],
    }


def _own(draft: Draft, path: str) -> list[str]:
    held = draft.graph.edges(path, EdgeKind.CONTAINS)
    return [fact for fact, data in held if not data["inherited"]]


def _sentences(draft: Draft, facts: Sequence[str]) -> list[dict[str, str]]:
    graph, found = draft.graph, []
    for fact in facts:
        units = graph.sources(fact, EdgeKind.COMPOSES)
        for node in sorted(units) or [fact]:
            for span in graph.targets(node, EdgeKind.WRITTEN_AT):
                found.append({"id": node, "text": graph.get(span, SpanNode).exact})
    return found


def _objections(draft: Draft, reply: AuditReply) -> _Objections:
    graph = draft.graph
    gold = tuple(f"step {each.hop}: {each.problem}" for each in reply.question_problems)
    sentences, paths = {}, {}
    for each in (*reply.ambiguous, *reply.other_answers):
        node = each.id.strip()
        if node not in graph:
            # A reviewer that names what is not there has said nothing that can be acted on.
            raise ContractError(Code.M1, f"the audit names {node!r}, which is not in the item")
        if isinstance(graph[node], PathNode):
            paths[node] = f"{Code.M2} {each.problem}"
        else:
            sentences[node] = each.problem
    return _Objections(gold, sentences, paths)


def _paths_of(draft: Draft, sentences: dict[str, str]) -> dict[str, str]:
    """Return the competitor facts behind some sentences, with the reason for each.

    Raises:
        ContractError: M2 if one belongs to gold, since rules wrote it and would again.
    """
    graph, unsafe = draft.graph, {}
    for node, problem in sentences.items():
        composed = graph.targets(node, EdgeKind.COMPOSES)
        fact = composed[0] if composed else node
        if fact.startswith("f:g."):
            raise ContractError(Code.M2, f"{node}: {problem}", (node,))
        unsafe[fact] = f"{Code.M2} {problem}"
    return unsafe


def _marked(draft: Draft, models: Models, reply: AuditReply) -> Draft:
    """Return the draft with the marks of its review, which decide nothing."""
    given = {mark: getattr(reply, mark) for mark in ("hardening", "salience")}
    marks = {mark: value for mark, value in given.items() if value is not None}
    for mark, value in marks.items():
        models.scores.setdefault(mark, Counter())[value] += 1
    graph = draft.graph.copy()
    item = graph.get(CONSTRUCTED, ItemNode)
    written = [f"{mark}: {value}" for mark, value in marks.items()]
    graph.add(item.model_copy(update={"marks": written}))
    return draft.with_graph(graph)
