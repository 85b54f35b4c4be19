"""The realizer: a model words facts and premises, host by host; the passages stay as they are."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from realhop_kg.construct.models.recover import nearest_place, recovered_places
from realhop_kg.construct.models.replies import RealizeReply, SentenceSlot
from realhop_kg.construct.models.state import Draft
from realhop_kg.construct.realize import sentence_names, written_nodes
from realhop_kg.errors import ContractError
from realhop_kg.graph.operators import write
from realhop_kg.graph.schema import EdgeKind, EvidenceUnit, FactNode, PassageNode
from realhop_kg.llm.asking import (
    REPAIRS,
    Conversation,
    Models,
    RejectedError,
    problems_of,
)
from realhop_kg.model.finding import Code, Finding
from realhop_kg.model.plan import WrittenSentence
from realhop_kg.model.sentences import insertion_points
from realhop_kg.relations.predicates import Predicate
from realhop_kg.relations.wording import render

__all__ = ["Realization", "hosts_of", "realize_with_model"]

_CODES = frozenset((Code.T1, Code.T2, Code.T3, Code.T4, Code.T5, Code.N2))


@dataclass(frozen=True)
class _Written:
    """The sentences of one host."""

    sentences: tuple[WrittenSentence, ...]
    wordings: tuple[tuple[str, str], ...]
    """Predicate and wording of each sentence."""


@dataclass
class Realization:
    """The hosts of one item, each with its conversation and its latest sentences.

    Attributes:
        rebuilt: hosts whose passage came back altered and was rebuilt from the source.
    """

    draft: Draft
    """A routed draft without sentences."""
    models: Models
    hosts: dict[str, list[FactNode | EvidenceUnit]]
    conversations: dict[str, Conversation[RealizeReply]] = field(default_factory=dict)
    written: dict[str, _Written] = field(default_factory=dict)
    rebuilt: set[str] = field(default_factory=set)

    async def settle(self, problems: Mapping[str, Sequence[str]] | None = None) -> Draft:
        """Return the draft with sentences that keep the contracts of the text.

        Only the hosts with problems are asked again, so that what is good stays.

        Args:
            problems: what a reviewer objects to, by host; without it every host is asked.

        Raises:
            ContractError: with the code of what the model could not mend.
        """
        asked = list(self.hosts) if problems is None else sorted(problems)
        for host in asked if problems is not None else ():
            self.conversations[host].object_to(problems[host] if problems else ())
        for tries in range(REPAIRS + 1):
            last = tries == REPAIRS
            wrong = await self._ask(asked)
            if not wrong:
                draft = self._drafted()
                found = draft.findings(_CODES)
                wrong = self._by_host(found)
                if not found or last:
                    # What is wrong with single competitors is left to pruning.
                    return draft
                if not wrong:
                    raise RejectedError(found)
            if last:
                raise next(iter(wrong.values()))
            for host, error in wrong.items():
                self.conversations[host].object_to(problems_of(error))
            asked = list(wrong)
        raise AssertionError("the last try returns or raises")

    def hosts_of(self, node: str) -> list[str]:
        """Return the hosts in which a fact, premise or sentence is written."""
        return [
            host
            for host, nodes in self.hosts.items()
            if any(each.id == node or f"t:{each.id}" == node for each in nodes)
        ]

    async def _ask(self, hosts: Sequence[str]) -> dict[str, ContractError]:
        """Ask the hosts at once, and return what is wrong with the replies of some."""
        for host in hosts:
            if host not in self.conversations:
                self.conversations[host] = self.models.conversation(
                    "realize", self.draft.item.key, self.inputs(host), RealizeReply
                )
        replies = await asyncio.gather(
            *(self.conversations[host].reply() for host in hosts), return_exceptions=True
        )
        wrong: dict[str, ContractError] = {}
        for host, reply in zip(hosts, replies, strict=True):
            if isinstance(reply, BaseException):
                raise reply
            try:
                self.written[host] = self._read(host, reply)
            except ContractError as error:
                wrong[host] = error
        return wrong

    def inputs(self, host: str) -> dict[str, object]:
        """Return what the realizer's template is filled with for one host."""
        passage = self.draft.graph.get(host, PassageNode)
        places = insertion_points(passage.text)
        return {
            "title": passage.page_title,
            "text": _marked(passage.text, places),
            "places": len(places),
            "facts": [self._fact(node) for node in self.hosts[host]],
        }

    def _fact(self, node: FactNode | EvidenceUnit) -> dict[str, object]:
        names, kind = sentence_names(self.draft.graph, node.id)
        wording = self.draft.predicates[node.predicate].wordings[0]
        return {
            "id": node.id,
            "text": render(wording, names, kind),
            "names": [names[slot] for slot in names],
        }

    def _read(self, host: str, reply: RealizeReply) -> _Written:
        """Return the sentences of a reply with their places.

        Raises:
            ContractError: T2 if one is missing, T4 if one has not the names of its fact.
        """
        nodes = {node.id: node for node in self.hosts[host]}
        slots = {slot.id: slot for slot in reply.sentences if slot.id in nodes}
        missing = sorted(nodes.keys() - slots.keys())
        if missing:
            raise ContractError("T2", f"{missing[0]} is not written", (missing[0],))
        ordered = [slot for slot in reply.sentences if slots.get(slot.id) is slot]
        texts = [" ".join(slot.text.split()) for slot in ordered]
        offsets = self._offsets(host, ordered, texts, reply.passage)
        wordings = []
        for slot, text in zip(ordered, texts, strict=True):
            names, kind = sentence_names(self.draft.graph, slot.id)
            wordings.append((nodes[slot.id].predicate, _template(slot.id, text, names, kind)))
        ranked = sorted(range(len(ordered)), key=lambda at: (offsets[at], at))
        sentences = tuple(
            WrittenSentence(source=ordered[at].id, offset=offsets[at], order=order, text=texts[at])
            for order, at in enumerate(ranked)
        )
        return _Written(sentences, tuple(wordings))

    def _offsets(
        self, host: str, slots: Sequence[SentenceSlot], texts: Sequence[str], passage: str
    ) -> list[int]:
        text = self.draft.graph.get(host, PassageNode).text
        places = insertion_points(text)
        if passage.strip():
            offsets, untouched = recovered_places(text, passage, texts, places)
            if not untouched:
                self.rebuilt.add(host)
            return offsets
        for slot in slots:
            if slot.place is None or not 1 <= slot.place <= len(places):
                raise ContractError(
                    "T3", f"{slot.id} has place {slot.place}; give one from 1 to {len(places)}"
                )
        return [nearest_place(places[(slot.place or 1) - 1], places) for slot in slots]

    def _drafted(self) -> Draft:
        sentences = [each for host in self.hosts for each in self.written[host].sentences]
        pairs = [pair for host in self.hosts for pair in self.written[host].wordings]
        draft = self.draft.with_graph(self.draft.graph, _worded(self.draft, pairs))
        return draft.with_graph(write(draft.graph, sentences))

    def _by_host(self, found: Sequence[Finding]) -> dict[str, ContractError]:
        by_host: dict[str, list[Finding]] = {}
        for finding in found:
            for host in {host for node in finding.nodes for host in self.hosts_of(node)}:
                by_host.setdefault(host, []).append(finding)
        return {host: RejectedError(findings) for host, findings in sorted(by_host.items())}


async def realize_with_model(draft: Draft, models: Models) -> tuple[Draft, Realization]:
    """Return the draft with every fact written, and the conversations that led there.

    Source: REALHOP, section 4.2 and Appendix I.3.

    Raises:
        ContractError: with the code of what the model could not mend.
    """
    realization = Realization(draft, models, hosts_of(draft))
    return await realization.settle(), realization


def hosts_of(draft: Draft) -> dict[str, list[FactNode | EvidenceUnit]]:
    """Return what is to be written, by the passage that hosts it."""
    hosts: dict[str, list[FactNode | EvidenceUnit]] = {}
    for node in written_nodes(draft.graph):
        hosts.setdefault(draft.graph.targets(node.id, EdgeKind.ROUTED_TO)[0], []).append(node)
    return dict(sorted(hosts.items()))


def _worded(draft: Draft, wordings: Iterable[tuple[str, str]]) -> list[Predicate]:
    """Return the predicates with the new wordings beside those that they have."""
    predicates = draft.predicates
    more: dict[str, Predicate] = {}
    for predicate_id, wording in wordings:
        known = more.get(predicate_id, predicates[predicate_id])
        if wording not in known.wordings:
            known = known.model_copy(update={"wordings": (*known.wordings, wording)})
            more[predicate_id] = known
    return list(more.values())


def _template(source: str, text: str, names: Mapping[str, str], kind: str) -> str:
    """Return a sentence with slots where its names stand.

    Raises:
        ContractError: T4 if a name is missing, or braces stand in the sentence.
    """
    if "{" in text or "}" in text:
        raise ContractError("T4", f"{source}: the sentence holds braces", (source,))
    slots = {}
    for slot, name in names.items():
        slots[name] = slot
        if text.startswith(name[:1].upper() + name[1:]):
            slots[name[:1].upper() + name[1:]] = slot
    longest = sorted(slots, key=len, reverse=True)
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in longest))
    template = pattern.sub(lambda match: f"{{{slots[match[0]]}}}", text)
    missing = [name for name, slot in slots.items() if f"{{{slot}}}" not in template]
    if missing:
        raise ContractError(
            "T4", f"{source}: the sentence does not name {missing[0]!r} as it is written", (source,)
        )
    if render(template, names, kind) != text:
        raise ContractError("T4", f"{source}: write names as they are given: {text!r}", (source,))
    return template


def _marked(text: str, places: Sequence[int]) -> str:
    pieces: list[str] = []
    last = 0
    for number, place in enumerate(places, 1):
        pieces += (text[last:place], f" ⟦{number}⟧")
        last = place
    return "".join((*pieces, text[last:]))
