"""The quality report of a frozen dataset: yield, wordings, lengths, hosts, diagnostics, A1."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from realhop_kg.freeze.manifest import Share
from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import EdgeKind, FactStatus, HopNode, PassageNode, PathKind, PathNode
from realhop_kg.model.frozen import ExcludedItem
from realhop_kg.model.record import SCHEMA_VERSION, Record
from realhop_kg.quality.artifact import ArtifactReport, Sentences
from realhop_kg.quality.sentences import Sentence, sentences_of

__all__ = [
    "LaterBreaks",
    "Lengths",
    "QualityReport",
    "RelationYield",
    "ShapeYield",
    "Wording",
    "quality_report",
]

_SHOWN = 20
_SHAPE = re.compile(r"/(\dhop\d?|diamond|dag)__")
_STEP = re.compile(r"\bstep (['\"])(.+?)\1")
_WHY_NONE = (
    "a Flexible path may break after its hop only where the relation there is multi-valued and the "
    "question does not refer to it by a definite singular (F1); the rule backend cannot tell that "
    "safely, so it breaks every Flexible path at its own hop"
)


class ShapeYield(Record):
    """What became of the questions of one shape."""

    constructed: int = 0
    excluded: int = 0
    """By the shape that the id of the record names, as it is not read further."""


class RelationYield(Record):
    """How often a relation stands in constructed items."""

    items: int = 0
    hops: int = 0
    made_for_item: bool = False
    """Whether it is no relation of the catalogue but was worded after a step."""


class Wording(Record):
    """One wording, with names and numbers left open, and how often it is inserted."""

    skeleton: str
    gold: int
    competitors: int


class Lengths(Record):
    """Words per inserted sentence."""

    sentences: int = 0
    least: int = 0
    median: int = 0
    """The lower one of two in the middle."""
    p90: int = 0
    """The shortest length that nine in ten sentences do not exceed."""
    most: int = 0


class LaterBreaks(Record):
    """Flexible paths that break after the hop that they protect."""

    emitted: int
    why: str


class QualityReport(Record):
    """Figures of a frozen dataset that its contracts do not settle."""

    schema_version: int = SCHEMA_VERSION
    name: str
    read: int
    constructed: int
    shapes: dict[str, ShapeYield]
    """Yield by DAG shape; `not said` where the id of an excluded record names none."""
    excluded_by_code: dict[str, int]
    excluded_by_stage: dict[str, int]
    excluded_steps: dict[str, int]
    """Steps that reasons of exclusion quote: by label, or `in plain words`; `not said` else."""
    relations: dict[str, RelationYield]
    """Most frequent first."""
    sentences: int
    """Inserted sentences."""
    distinct_wordings: int
    said_once: int
    """Wordings that stand once only."""
    wordings: tuple[Wording, ...]
    """The most repeated ones."""
    lengths: dict[str, Lengths]
    """Of gold and of competitor sentences."""
    passages: int
    insertions_per_host: dict[int, int]
    """Number of passages by number of their insertions, none included."""
    hosts_per_path: dict[str, dict[int, int]]
    """By kind of path: number of paths by the number of passages that hold their own facts."""
    v1: Share
    """Hops whose Drop leaves a complete competitor path."""
    v2: Share
    """Hops before the terminal one whose Drop leaves two continuations without prefix."""
    later_breaks: LaterBreaks
    a1: ArtifactReport


_Graphs = Iterable[tuple[str, ReasoningGraph]]


def quality_report(
    dataset: FrozenDataset, watched: Callable[[_Graphs], _Graphs] = iter
) -> QualityReport:
    """Return the quality report of a dataset, in one pass over its files.

    What is kept of an item is counts, and a few numbers for each inserted sentence.

    Args:
        dataset: the dataset; of its manifest only name and counts are used.
        watched: gives the graphs on as they are read, for a progress bar.

    Raises:
        InputError: naming the line, if one cannot be read.
    """
    survey = _Survey(dataset.predicates)
    for key, graph in watched(dataset.graphs()):
        survey.add(key, graph)
    exclusions = _Exclusions()
    for record in dataset.excluded():
        exclusions.add(record)
    counts = dataset.manifest.counts
    shapes = {
        shape: ShapeYield(
            constructed=counts.topologies.get(shape, 0), excluded=exclusions.shapes[shape]
        )
        for shape in sorted({*counts.topologies, *exclusions.shapes})
    }
    return QualityReport(
        name=dataset.manifest.name,
        read=counts.read,
        constructed=counts.constructed,
        shapes=shapes,
        excluded_by_code=dict(sorted(exclusions.codes.items())),
        excluded_by_stage=dict(sorted(exclusions.stages.items())),
        excluded_steps=_by_count(exclusions.steps),
        v1=counts.certificates.v1,
        v2=counts.certificates.v2,
        **survey.figures(),
    )


class _Exclusions:
    """What the records of excluded questions say."""

    def __init__(self) -> None:
        self.codes: Counter[str] = Counter()
        self.stages: Counter[str] = Counter()
        self.shapes: Counter[str] = Counter()
        self.steps: Counter[str] = Counter()

    def add(self, record: ExcludedItem) -> None:
        """Count one record."""
        self.codes[record.code] += 1
        self.stages[record.stage] += 1
        shape = _SHAPE.search(record.id)
        self.shapes[shape[1] if shape else "not said"] += 1
        step = _STEP.search(record.message)
        if step is None:
            self.steps["not said"] += 1
        else:
            label = step[2].partition(">>")[2].strip()
            self.steps[label or "in plain words"] += 1


class _Survey:
    """Running figures of constructed items."""

    def __init__(self, catalogue: Mapping[str, object]) -> None:
        self._catalogue = catalogue
        self._sentences = Sentences()
        self._items: Counter[str] = Counter()
        self._hops: Counter[str] = Counter()
        self._wordings: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
        self._lengths: tuple[Counter[int], Counter[int]] = (Counter(), Counter())
        self._insertions: Counter[int] = Counter()
        self._hosts: dict[str, Counter[int]] = {str(kind): Counter() for kind in PathKind}
        self._later = 0

    def add(self, key: str, graph: ReasoningGraph) -> None:
        """Count one item."""
        relations = [hop.relation for hop in graph.nodes(HopNode)]
        self._hops.update(relations)
        self._items.update(set(relations))
        hosts = {page.index: 0 for page in graph.nodes(PassageNode)}
        for sentence in sentences_of(graph):
            self._count(sentence)
            hosts[sentence.host.index] = sentence.host.insertions
        self._insertions.update(hosts.values())
        for path in graph.nodes(PathNode):
            own = _own_hosts(graph, path)
            self._hosts[str(path.path_kind)][len(own)] += 1
            flexible = path.path_kind is PathKind.FLEXIBLE
            self._later += flexible and path.break_hop != path.protected_hop

    def _count(self, sentence: Sentence) -> None:
        side = 0 if sentence.status is FactStatus.GOLD else 1
        self._wordings[side][sentence.skeleton] += 1
        self._lengths[side][len(sentence.text.split())] += 1
        self._sentences.add(sentence)

    def figures(self) -> dict[str, Any]:
        """Return the fields of the report that constructed items decide."""
        gold, others = self._wordings
        every = gold + others
        return {
            "relations": {
                relation: RelationYield(
                    items=self._items[relation],
                    hops=hops,
                    made_for_item=relation not in self._catalogue,
                )
                for relation, hops in _by_count(self._hops).items()
            },
            "sentences": every.total(),
            "distinct_wordings": len(every),
            "said_once": sum(times == 1 for times in every.values()),
            "wordings": tuple(
                Wording(skeleton=text, gold=gold[text], competitors=others[text])
                for text in list(_by_count(every))[:_SHOWN]
            ),
            "lengths": {
                "gold": _lengths(self._lengths[0]),
                "competitors": _lengths(self._lengths[1]),
            },
            "passages": self._insertions.total(),
            "insertions_per_host": dict(sorted(self._insertions.items())),
            "hosts_per_path": {
                kind: dict(sorted(counts.items())) for kind, counts in self._hosts.items()
            },
            "later_breaks": LaterBreaks(emitted=self._later, why="" if self._later else _WHY_NONE),
            "a1": self._sentences.report(),
        }


def _own_hosts(graph: ReasoningGraph, path: PathNode) -> set[str]:
    """Return the passages that the facts of a path are routed to, inherited ones left out."""
    return {
        host
        for fact, held in graph.edges(path.id, EdgeKind.CONTAINS)
        if not held["inherited"]
        for host in graph.targets(fact, EdgeKind.ROUTED_TO)
    }


def _by_count(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])))


def _lengths(counts: Counter[int]) -> Lengths:
    if not counts:
        return Lengths()
    total = counts.total()
    return Lengths(
        sentences=total,
        least=min(counts),
        median=_quantile(counts, (total + 1) // 2),
        p90=_quantile(counts, -(-9 * total // 10)),
        most=max(counts),
    )


def _quantile(counts: Counter[int], rank: int) -> int:
    """Return the value of a rank, counted from 1."""
    for value in sorted(counts):
        rank -= counts[value]
        if rank <= 0:
            break
    return value
