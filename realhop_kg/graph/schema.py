"""The one table of nodes and edges; stores, shapes and the viewer are derived from it.

Payload fields are scalars or lists of strings, so that every store can hold them as they are. No
property is called name, title, type or label: the embedded engine synthesises those.
"""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Literal

from pydantic import Field

from realhop_kg.model.entity import EntityRole, Origin, written
from realhop_kg.model.record import Record

__all__ = [
    "EDGES",
    "NODES",
    "EdgeKind",
    "EdgeSpec",
    "EntityNode",
    "EvidenceUnit",
    "FactNode",
    "FactStatus",
    "HopNode",
    "InsertionNode",
    "ItemNode",
    "Node",
    "NodeKind",
    "PassageNode",
    "PathKind",
    "PathNode",
    "Side",
    "SpanNode",
    "TrialNode",
]


class NodeKind(StrEnum):
    """Label of a node."""

    ITEM = "Item"
    HOP = "Hop"
    ENTITY = "Entity"
    FACT = "Fact"
    UNIT = "EvidenceUnit"
    PATH = "Path"
    PASSAGE = "Passage"
    INSERTION = "Insertion"
    SPAN = "Span"
    TRIAL = "Trial"


class EdgeKind(StrEnum):
    """Type of an edge."""

    HAS_HOP = "HAS_HOP"
    HAS_PATH = "HAS_PATH"
    HAS_PASSAGE = "HAS_PASSAGE"
    DEPENDS_ON = "DEPENDS_ON"
    SUBJECT = "SUBJECT"
    OBJECT = "OBJECT"
    REALIZES = "REALIZES"
    CONTAINS = "CONTAINS"
    PROTECTS = "PROTECTS"
    BREAKS_AT = "BREAKS_AT"
    COMPOSES = "COMPOSES"
    FORBIDS = "FORBIDS"
    ROUTED_TO = "ROUTED_TO"
    WRITTEN_AT = "WRITTEN_AT"
    IN = "IN"
    REBINDS = "REBINDS"
    RELATES = "RELATES"
    ANSWERS = "ANSWERS"
    HITS = "HITS"


class Side(StrEnum):
    """Which question an Item node holds."""

    SOURCE = "source"
    CONSTRUCTED = "constructed"


class PathKind(StrEnum):
    """Family of a path."""

    GOLD = "gold"
    STRICT = "strict"
    FLEXIBLE = "flexible"


class FactStatus(StrEnum):
    """Part of a fact in the path that brought it in; inherited facts are gold facts shared."""

    GOLD = "gold"
    BREAK = "break"
    CONTINUATION = "continuation"


class NodeBase(Record):
    """What every node has."""

    kind: ClassVar[NodeKind]
    id: str
    """Id within the item's graph; stores prefix it with dataset and item key."""


class ItemNode(NodeBase):
    """One side of one question."""

    kind: ClassVar[NodeKind] = NodeKind.ITEM
    item_key: str
    dataset: str
    source_id: str
    side: Side
    question: str
    answer: str
    aliases: list[str] = Field(default_factory=list)
    topology: str
    """2hop, 3hop1, ..., diamond or dag."""
    kept: list[str] = Field(default_factory=list)
    """Names of the question that were not rebound, each `surface: reason`."""
    pruned: list[str] = Field(default_factory=list)
    """What pruning removed and why, each `id: code message`."""
    marks: list[str] = Field(default_factory=list, exclude_if=lambda marks: not marks)
    """Marks of the semantic audit, each `name: 1 to 5`; they decide nothing."""
    replies: list[str] = Field(default_factory=list, exclude_if=lambda replies: not replies)
    """Key of each model reply that went into it, each `stage: key`, as the reply store has it."""


class HopNode(NodeBase):
    """One required step, and the target of one deletion."""

    kind: ClassVar[NodeKind] = NodeKind.HOP
    index: int
    """Number of the step, from 1."""
    relation: str
    """Predicate id of the relation as annotated."""
    required: str
    """Predicate id of the relation as the question voices it; the annotated one entails it."""
    wording: str
    """The part of the constructed question that voices the step."""
    source_step: str
    """The step as the dataset words it."""
    source_answer: str
    support: int
    """Index of the passage that the dataset names as the step's support."""
    source_spans: list[str] = Field(default_factory=list, exclude_if=lambda spans: not spans)
    """What of that passage states the step, each `start-end` in code points of the source text."""
    asked_kind: str
    """The kind noun the question asks for (county, year), or the value type."""
    slots: list[str]
    """Names of the argument slots of the relation, in order."""
    terminal: bool
    multi_valued: bool
    """Whether a subject may have several values of this relation."""
    definite: bool
    """Whether the question refers to the answer by a definite singular."""


class EntityNode(NodeBase):
    """One registry entry."""

    kind: ClassVar[NodeKind] = NodeKind.ENTITY
    surface: str
    """Full form, without article."""
    article: str = ""
    """`the` where running text puts it before the name."""
    short: str = ""
    """Short form, if any."""
    demonym: str = ""
    possessive: str = ""
    aliases: list[str] = Field(default_factory=list)
    """Other forms that count as the same answer."""
    entity_type: str
    asked_kind: str
    role: EntityRole
    origin: Origin

    @property
    def written(self) -> str:
        """The name as it stands in the middle of a sentence."""
        return written(self.surface, self.article)

    @property
    def forms(self) -> tuple[str, ...]:
        """Every form, without repeats, longest first."""
        every = {self.surface, self.short, self.demonym, self.possessive, *self.aliases} - {""}
        return tuple(sorted(every, key=lambda form: (-len(form), form)))


class FactNode(NodeBase):
    """A predicate with argument slots and a value; slots and value are SUBJECT/OBJECT edges."""

    kind: ClassVar[NodeKind] = NodeKind.FACT
    predicate: str
    hop: int
    status: FactStatus
    """Gold, the near-miss of a path, or a required relation after it."""


class EvidenceUnit(NodeBase):
    """A premise: an atomic fact of its own that shares a key entity with its partner."""

    kind: ClassVar[NodeKind] = NodeKind.UNIT
    predicate: str
    hop: int
    order: int
    """Position among the premises of the fact, from 1."""


class PathNode(NodeBase):
    """The gold path or a competitor path."""

    kind: ClassVar[NodeKind] = NodeKind.PATH
    path_kind: PathKind
    protected_hop: int
    """0 for the gold path."""
    break_hop: int
    """0 for the gold path."""
    endpoint: str
    """Surface of the answer the path leads to."""
    candidate: int
    """Rank among the candidates of its kind and hop, from 1."""


class PassageNode(NodeBase):
    """A host."""

    kind: ClassVar[NodeKind] = NodeKind.PASSAGE
    index: int
    page_title: str
    text: str
    """Original text."""
    origin: Literal["support", "distractor", "chunk"]


class InsertionNode(NodeBase):
    """What was added to a host."""

    kind: ClassVar[NodeKind] = NodeKind.INSERTION
    passage: int
    offset: int
    """Position in the original text, in code points."""
    order: int
    text: str
    """Separator and sentence."""


class SpanNode(NodeBase):
    """Where a fact or a premise is written."""

    kind: ClassVar[NodeKind] = NodeKind.SPAN
    passage: int
    start: int
    """First code point in the realized text."""
    end: int
    exact: str


class TrialNode(NodeBase):
    """One model answer under one condition."""

    kind: ClassVar[NodeKind] = NodeKind.TRIAL
    condition: str
    target: str
    model: str
    trial: int
    response: str
    verdict: str


Node = (
    ItemNode
    | HopNode
    | EntityNode
    | FactNode
    | EvidenceUnit
    | PathNode
    | PassageNode
    | InsertionNode
    | SpanNode
    | TrialNode
)

NODES: dict[NodeKind, type[Node]] = {
    NodeKind.ITEM: ItemNode,
    NodeKind.HOP: HopNode,
    NodeKind.ENTITY: EntityNode,
    NodeKind.FACT: FactNode,
    NodeKind.UNIT: EvidenceUnit,
    NodeKind.PATH: PathNode,
    NodeKind.PASSAGE: PassageNode,
    NodeKind.INSERTION: InsertionNode,
    NodeKind.SPAN: SpanNode,
    NodeKind.TRIAL: TrialNode,
}
"""Payload model by node kind."""


class EdgeSpec(Record):
    """Which nodes an edge may join, and what it carries."""

    sources: tuple[NodeKind, ...]
    targets: tuple[NodeKind, ...]
    properties: dict[str, type] = Field(default_factory=dict)
    """Name and Python type of each property; all are required."""
    parallel_by: str = ""
    """The property that tells parallel edges of this kind between two nodes apart."""


_FACTS = (NodeKind.FACT, NodeKind.UNIT)


def _edge(
    sources: tuple[NodeKind, ...],
    targets: tuple[NodeKind, ...],
    parallel_by: str = "",
    **properties: type,
) -> EdgeSpec:
    return EdgeSpec(
        sources=sources, targets=targets, properties=properties, parallel_by=parallel_by
    )


EDGES: dict[EdgeKind, EdgeSpec] = {
    EdgeKind.HAS_HOP: _edge((NodeKind.ITEM,), (NodeKind.HOP,)),
    EdgeKind.HAS_PATH: _edge((NodeKind.ITEM,), (NodeKind.PATH,)),
    EdgeKind.HAS_PASSAGE: _edge((NodeKind.ITEM,), (NodeKind.PASSAGE,)),
    EdgeKind.DEPENDS_ON: _edge((NodeKind.HOP,), (NodeKind.HOP,), "slot", slot=str),
    EdgeKind.SUBJECT: _edge(_FACTS, (NodeKind.ENTITY,), "slot", slot=str),
    EdgeKind.OBJECT: _edge(_FACTS, (NodeKind.ENTITY,)),
    EdgeKind.REALIZES: _edge((NodeKind.FACT,), (NodeKind.HOP,)),
    EdgeKind.CONTAINS: _edge((NodeKind.PATH,), (NodeKind.FACT,), order=int, inherited=bool),
    EdgeKind.PROTECTS: _edge((NodeKind.PATH,), (NodeKind.HOP,)),
    EdgeKind.BREAKS_AT: _edge((NodeKind.PATH,), (NodeKind.HOP,)),
    EdgeKind.COMPOSES: _edge((NodeKind.UNIT,), (NodeKind.FACT,), rule=str),
    EdgeKind.FORBIDS: _edge((NodeKind.PATH, NodeKind.FACT), (NodeKind.PASSAGE,)),
    EdgeKind.ROUTED_TO: _edge(_FACTS, (NodeKind.PASSAGE,)),
    EdgeKind.WRITTEN_AT: _edge(_FACTS, (NodeKind.SPAN,)),
    EdgeKind.IN: _edge((NodeKind.SPAN, NodeKind.INSERTION), (NodeKind.INSERTION, NodeKind.PASSAGE)),
    EdgeKind.REBINDS: _edge((NodeKind.ENTITY,), (NodeKind.ENTITY,)),
    EdgeKind.RELATES: _edge(
        (NodeKind.ENTITY,), (NodeKind.ENTITY,), "fact", predicate=str, fact=str
    ),
    EdgeKind.ANSWERS: _edge((NodeKind.TRIAL,), (NodeKind.ITEM,)),
    EdgeKind.HITS: _edge((NodeKind.TRIAL,), (NodeKind.ENTITY,)),
}
"""Ends and properties by edge kind."""
