"""What an audit needs of one question on one side: from a source item or from a frozen one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Literal

from realhop_kg.audit.context import Context, render
from realhop_kg.graph.dependency import Dependencies, topology
from realhop_kg.ids import item_key
from realhop_kg.model.finding import Code
from realhop_kg.model.frozen import FrozenHop, FrozenItem
from realhop_kg.model.item import DeletionUnit, SourceItem, TextRange
from realhop_kg.model.record import Record
from realhop_kg.model.run import AuditedItem, AuditedSide
from realhop_kg.model.text import Insertion, Passage, Span, insertion_starts, restore

__all__ = ["Auditable", "Competitor", "UnitKind", "constructed_side", "from_source", "source_side"]

UnitKind = Literal["passage", "spans"]
"""What a Drop of a constructed hop removes: its support passage, or its recorded spans."""


_QUOTED = "frames"
"""The dataset whose steps quote what states them; its Drops may close over their endpoints."""


class Competitor(Record):
    """What was inserted for competitors of one family, and for no other."""

    families: tuple[Literal["strict", "flexible"], ...]
    part: TextRange


class Auditable(Record):
    """One question on one side, ready for interventions."""

    item: str
    """Item key; both sides of a pair share it."""
    dataset: str
    side: AuditedSide
    question: str
    answer: str
    aliases: tuple[str, ...]
    topology: str
    passages: tuple[Passage, ...]
    """As they stand on this side."""
    original: tuple[Passage, ...]
    """The source passages, whose background sentences both sides share."""
    units: tuple[DeletionUnit, ...]
    """One per deletion target."""
    premises: tuple[DeletionUnit, ...] = ()
    """One per premise of a split fact: `h1/g1a`."""
    insertions: tuple[Insertion, ...] = ()
    competitors: tuple[Competitor, ...] = ()
    protected: tuple[int, ...]
    """Indices of passages that no control touches: gold supports and false chains."""
    endpoints: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    """Options of multiple choice in their frozen order; empty where they are drawn by the item."""
    last_step: str
    """How the question (or its annotation) words the terminal hop."""
    orphan_failures: int = 0
    """Findings of V2 that the item was frozen with."""

    @cached_property
    def context(self) -> Context:
        """The rendered Full context."""
        return render(self.passages)

    @cached_property
    def realized(self) -> dict[int, Passage]:
        """The passages of this side by index."""
        return {passage.index: passage for passage in self.passages}

    @property
    def answers(self) -> tuple[str, ...]:
        """The answer and its aliases."""
        return (self.answer, *self.aliases)

    def record(self) -> AuditedItem:
        """Return what a run stores of the question: everything but its context."""
        return AuditedItem(
            item=self.item,
            side=self.side,
            question=self.question,
            answer=self.answer,
            aliases=self.aliases,
            topology=self.topology,
            targets=tuple(unit.target for unit in self.units),
            endpoints=self.endpoints,
        )


def from_source(item: SourceItem) -> Auditable:
    """Return a source question ready for interventions.

    Its targets are the units that its builder names, or else the support passages of its hops.
    """
    texts = {passage.index: passage.text for passage in item.passages}
    units = item.units or tuple(
        DeletionUnit(target=f"h{hop.index}", kind="passage", parts=(_whole(hop.support, texts),))
        for hop in item.hops
        if hop.support is not None
    )
    gold = {part.passage for unit in units for part in unit.parts}
    supports = {passage.index for passage in item.passages if passage.is_support}
    return Auditable(
        item=item_key(item.dataset, item.id),
        dataset=item.dataset,
        side="source",
        question=item.question,
        answer=item.answer,
        aliases=item.aliases,
        topology=topology(item.dependencies) if item.hops else "",
        passages=item.passages,
        original=item.passages,
        units=units,
        protected=tuple(sorted(gold | supports | set(item.false_chain))),
        choices=item.choices,
        last_step=_last(item.dependencies, [(hop.index, hop.question) for hop in item.hops])
        or item.question,
    )


def constructed_side(item: FrozenItem, unit: UnitKind = "passage") -> Auditable:
    """Return the constructed question of a frozen item ready for interventions.

    Args:
        item: the frozen item.
        unit: what a Drop removes: the rewritten support passage with all that stands in it, or
            the recorded spans of the hop.
    """
    texts = {passage.index: passage.text for passage in item.passages}
    whole = _insertion_ranges(item)
    units, premises = [], []
    answers = {hop.index: hop.answer for hop in item.hops}
    for hop in item.hops:
        ends: tuple[str, ...] = ()
        if unit == "passage":
            parts: tuple[TextRange, ...] = (_whole(hop.support, texts),)
        else:
            parts = _parts((premise.span for premise in hop.evidence), whole)
            ends = (*(answers[earlier] for earlier in hop.depends_on), hop.answer)
        target = f"h{hop.index}"
        units.append(DeletionUnit(target=target, kind=unit, parts=parts, endpoints=ends))
        premises += _premises(hop, whole)
    return Auditable(
        item=item.id,
        dataset=item.dataset,
        side="constructed",
        question=item.question,
        answer=item.answer,
        aliases=item.aliases,
        topology=item.topology,
        passages=item.passages,
        original=_original(item),
        units=tuple(units),
        premises=tuple(premises),
        insertions=item.insertions,
        competitors=_competitors(item, whole),
        protected=tuple(sorted({hop.support for hop in item.hops})),
        endpoints=tuple(dict.fromkeys(path.endpoint for path in item.competitors)),
        orphan_failures=sum(found.code is Code.V2 for found in item.diagnostics),
        last_step=_last(
            {hop.index: hop.depends_on for hop in item.hops},
            [(hop.index, hop.wording) for hop in item.hops],
        ),
    )


def source_side(item: FrozenItem) -> Auditable:
    """Return the source question of a frozen item, its passages restored by deletion (T1).

    Raises:
        ValueError: if an insertion is not where the item says.
    """
    passages = _original(item)
    texts = {passage.index: passage.text for passage in passages}
    answers = {hop.index: hop.source_answer for hop in item.hops}
    return Auditable(
        item=item.id,
        dataset=item.dataset,
        side="source",
        question=item.source.question,
        answer=item.source.answer,
        aliases=item.source.aliases,
        topology=item.topology,
        passages=passages,
        original=passages,
        units=tuple(_source_unit(hop, item.dataset, texts, answers) for hop in item.hops),
        protected=tuple(sorted({hop.support for hop in item.hops})),
        last_step=_last(
            {hop.index: hop.depends_on for hop in item.hops},
            [(hop.index, hop.source_step) for hop in item.hops],
        ),
    )


def _source_unit(
    hop: FrozenHop, dataset: str, texts: dict[int, str], answers: dict[int, str]
) -> DeletionUnit:
    """Return what the source dataset names as a hop's evidence, or else its support passage."""
    target = f"h{hop.index}"
    if not hop.source_spans:
        return DeletionUnit(target=target, kind="passage", parts=(_whole(hop.support, texts),))
    if dataset != _QUOTED:
        return DeletionUnit(target=target, kind="support_sentences", parts=hop.source_spans)
    ends = (*(answers[earlier] for earlier in hop.depends_on), hop.source_answer)
    return DeletionUnit(target=target, kind="spans", parts=hop.source_spans, endpoints=ends)


def _whole(passage: int, texts: dict[int, str]) -> TextRange:
    return TextRange(passage=passage, start=0, end=len(texts[passage]))


def _last(dependencies: Dependencies, steps: Sequence[tuple[int, str]]) -> str:
    """Return the step on which no other depends, the last of several."""
    needed = {earlier for before in dependencies.values() for earlier in before}
    ends = [text for index, text in steps if index not in needed]
    return ends[-1] if ends else ""


def _original(item: FrozenItem) -> tuple[Passage, ...]:
    added: dict[int, list[Insertion]] = {}
    for insertion in item.insertions:
        added.setdefault(insertion.passage, []).append(insertion)
    return tuple(
        passage.model_copy(update={"text": restore(passage.text, added.get(passage.index, []))})
        for passage in item.passages
    )


def _insertion_ranges(item: FrozenItem) -> list[TextRange]:
    """Return where each insertion stands in the realized text, separators included."""
    added: dict[int, list[Insertion]] = {}
    for insertion in item.insertions:
        added.setdefault(insertion.passage, []).append(insertion)
    found = []
    for passage, insertions in sorted(added.items()):
        starts = insertion_starts(insertions)
        found += [
            TextRange(passage=passage, start=starts[each.id], end=starts[each.id] + len(each.text))
            for each in insertions
        ]
    return found


def _parts(spans: Iterable[Span], whole: Sequence[TextRange]) -> tuple[TextRange, ...]:
    """Return the inserted sentences that hold some spans, or the spans where none does."""
    found = []
    for span in spans:
        holders = [
            part
            for part in whole
            if part.passage == span.passage and part.start <= span.start and span.end <= part.end
        ]
        found.append(
            holders[0]
            if holders
            else TextRange(passage=span.passage, start=span.start, end=span.end)
        )
    return tuple(dict.fromkeys(found))


def _premises(hop: FrozenHop, whole: Sequence[TextRange]) -> list[DeletionUnit]:
    """Return the premises of a hop whose fact is split."""
    spans: dict[str, list[Span]] = {}
    for premise in hop.evidence:
        spans.setdefault(premise.id, []).append(premise.span)
    if len(spans) < 2:
        return []
    return [
        DeletionUnit(target=f"h{hop.index}/{name}", kind="spans", parts=_parts(found, whole))
        for name, found in spans.items()
    ]


def _competitors(item: FrozenItem, whole: Sequence[TextRange]) -> tuple[Competitor, ...]:
    families: dict[TextRange, set[Literal["strict", "flexible"]]] = {}
    for path in item.competitors:
        for part in _parts(path.spans, whole):
            families.setdefault(part, set()).add(path.kind)
    return tuple(
        Competitor(families=tuple(sorted(kinds)), part=part)
        for part, kinds in sorted(
            families.items(), key=lambda entry: (entry[0].passage, entry[0].start)
        )
    )
