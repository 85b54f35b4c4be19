"""Plans for a constructed item of any dependency graph, which tests change in one place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count

from realhop_kg.graph.build import source_graph
from realhop_kg.graph.dependency import regenerated, terminal
from realhop_kg.graph.operators import (
    branch_flexible,
    branch_strict,
    factorize,
    rebind,
    route,
    write,
)
from realhop_kg.graph.operators.factorize import required_splits
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import (
    EdgeKind,
    EntityNode,
    EvidenceUnit,
    FactNode,
    FactStatus,
    PassageNode,
    PathKind,
    PathNode,
)
from realhop_kg.model.entity import EntityRole
from realhop_kg.model.item import SourceItem
from realhop_kg.model.plan import (
    BranchPlan,
    PlannedEntity,
    PlannedHop,
    PlannedName,
    RebindPlan,
    RoutePlan,
    Split,
    WrittenSentence,
)
from realhop_kg.relations.predicates import Family, Predicate, Predicates, link_of, value_of
from realhop_kg.relations.wording import render
from tests.graph.source import source_item

__all__ = ["PARENTS", "Plans"]

PARENTS = {"thing": "", "key": ""}

SLOTS = ("x", "w", "z", "v", "u")

TEXT = "Page {0} is short. Ann Lee walks there. Bo Kim stays at home"


def words(stem: str) -> Iterator[str]:
    """Yield invented words, none of which is part of another."""
    for number in count():
        letters = "".join("abcdefghij"[int(digit)] for digit in f"{number:03}")
        yield f"{stem}{letters}o"


@dataclass
class Plans:
    """Everything that the operators are given for one item."""

    deps: dict[int, tuple[int, ...]]
    item: SourceItem = field(init=False)
    predicates: Predicates = field(init=False)
    gold: RebindPlan = field(init=False)
    splits: dict[int, Split] = field(init=False)
    strict: list[BranchPlan] = field(init=False)
    flexible: list[BranchPlan] = field(init=False)

    def __post_init__(self) -> None:
        self._names = words("V")
        self._keys = words("k")
        self.item = source_item(
            self.deps, {at: TEXT.format(at) for at in range(len(self.deps) + 4)}
        )
        self.predicates = Predicates(self._predicates(), PARENTS)
        self.gold = self._gold()
        others = [hop for hop in self.deps if hop != terminal(self.deps)]
        chosen = [terminal(self.deps), *others[: required_splits(len(self.deps)) - 1]]
        self.splits = {hop: self._split() for hop in chosen}
        self.strict = [self._branch(hop, at) for hop in self.deps for at in (1, 2)]
        self.flexible = [self._branch(hop, 3) for hop in self.deps]

    # --- the stages

    def rebound(self) -> ReasoningGraph:
        return rebind(source_graph(self.item), self.gold)

    def factorized(self) -> ReasoningGraph:
        return factorize(self.rebound(), self.splits, self.predicates)

    def branched(self) -> ReasoningGraph:
        graph = branch_strict(self.factorized(), self.strict, self.predicates)
        return branch_flexible(graph, self.flexible, self.predicates)

    def routed(self) -> ReasoningGraph:
        graph = self.branched()
        return route(graph, self.hosts(graph))

    def written(self) -> ReasoningGraph:
        graph = self.routed()
        return write(graph, self.sentences(graph))

    # --- plans that depend on a graph

    def hosts(self, graph: ReasoningGraph) -> RoutePlan:
        """Send gold to its supports, near-misses to two spare passages, the rest to the others."""
        size = len(self.deps)
        turns = {status: count() for status in FactStatus}
        hosts: dict[str, int] = {}
        for fact in graph.nodes(FactNode):
            turn = next(turns[fact.status]) % 2
            if fact.status is FactStatus.GOLD:
                hosts[fact.id] = fact.hop - 1
            else:
                hosts[fact.id] = size + turn + (2 if fact.status is FactStatus.BREAK else 0)
        return RoutePlan(hosts=hosts)

    def sentences(self, graph: ReasoningGraph) -> list[WrittenSentence]:
        """Write whole facts at the first sentence end of their host and premises at its end."""
        units = graph.nodes(EvidenceUnit)
        split = {fact for unit in units for fact in graph.targets(unit.id, EdgeKind.COMPOSES)}
        whole = [fact for fact in graph.nodes(FactNode) if fact.id not in split]
        sentences = []
        for order, node in enumerate((*whole, *units)):
            host: PassageNode = graph.target(node.id, EdgeKind.ROUTED_TO)
            offset = len(host.text) if node in units else host.text.index(".") + 1
            sentences.append(
                WrittenSentence(
                    source=node.id, offset=offset, order=order, text=self._sentence(graph, node)
                )
            )
        return sentences

    def _sentence(self, graph: ReasoningGraph, node: FactNode | EvidenceUnit) -> str:
        names = {
            data["slot"]: graph.get(entity, EntityNode).written
            for entity, data in graph.edges(node.id, EdgeKind.SUBJECT)
        }
        value: EntityNode = graph.target(node.id, EdgeKind.OBJECT)
        names["k" if value.role is EntityRole.KEY else "y"] = value.written
        return render(self.predicates[node.predicate].wordings[0], names, value.asked_kind)

    # --- making plans

    def _slots(self, hop: int) -> dict[str, str]:
        refs = [f"h{earlier}" for earlier in self.deps[hop]] or [f"q{hop}"]
        return dict(zip(SLOTS, refs, strict=False))

    def _predicates(self) -> Iterator[Predicate]:
        for hop in self.deps:
            arguments = dict.fromkeys(self._slots(hop), "thing")
            given = " and ".join(f"{{{slot}}}" for slot in arguments)
            for name in (f"r{hop}", *(f"r{hop}.m{at}" for at in (1, 2, 3, 4))):
                miss = "." in name
                word = f"mark {name.replace('.', ' ')}"
                yield Predicate(
                    id=name,
                    family=Family.NEAR_MISS if miss else Family.RELATION,
                    parent=f"r{hop}" if miss else "",
                    arguments=arguments,
                    value="thing",
                    wordings=(f"{given} has {word} of {{y}}.",),
                    audit="another mark" if miss else "",
                )
                yield Predicate(
                    id=link_of(name, 0),
                    family=Family.LINK,
                    parent=name,
                    arguments=arguments,
                    value="key",
                    wordings=(f"{given} has {word} in {{k}}.",),
                )
                yield Predicate(
                    id=value_of(name, 0),
                    family=Family.VALUE,
                    parent=name,
                    arguments={"k": "key"},
                    value="thing",
                    wordings=("Read {y} in {k}.",),
                )

    def _name(self) -> PlannedName:
        return PlannedName(surface=next(self._names))

    def _split(self) -> Split:
        return Split(frame=0, key=f"ledger {next(self._keys)}")

    def _entity(self, ref: str, source: str, role: EntityRole) -> PlannedEntity:
        return PlannedEntity(
            ref=ref,
            source=source,
            virtual=self._name(),
            entity_type="thing",
            asked_kind="thing",
            role=role,
        )

    def _gold(self) -> RebindPlan:
        last = terminal(self.deps)
        roots = [hop for hop, before in self.deps.items() if not before]
        entities = [self._entity(f"q{hop}", f"Root {hop}", EntityRole.QUESTION) for hop in roots]
        entities += [
            self._entity(
                f"h{hop}", f"Old {hop}", EntityRole.ANSWER if hop == last else EntityRole.BRIDGE
            )
            for hop in self.deps
        ]
        anchors = [entity.virtual.surface for entity in entities[: len(roots)]]
        return RebindPlan(
            question=f"What comes of {' and '.join(anchors)}?",
            entities=tuple(entities),
            hops=tuple(
                PlannedHop(
                    index=hop,
                    relation=f"r{hop}",
                    required=f"r{hop}",
                    wording="what comes",
                    asked_kind="thing",
                    slots=self._slots(hop),
                    multi_valued=False,
                    definite=True,
                )
                for hop in self.deps
            ),
        )

    def _branch(self, hop: int, turn: int) -> BranchPlan:
        anew = regenerated(self.deps, hop)
        return BranchPlan(
            hop=hop,
            candidate=1 if turn == 3 else turn,
            near_miss=f"r{hop}.m{turn}",
            values={later: self._name() for later in sorted(anew)},
            splits={later: self._split() for later in sorted(anew & self.splits.keys())},
        )

    # --- looking into graphs

    @staticmethod
    def own(graph: ReasoningGraph, path: str) -> list[str]:
        """Return the facts that a path brought in."""
        held = graph.edges(path, EdgeKind.CONTAINS)
        return [fact for fact, data in held if not data["inherited"]]

    @staticmethod
    def paths(graph: ReasoningGraph, kind: PathKind) -> list[PathNode]:
        return [path for path in graph.nodes(PathNode) if path.path_kind is kind]
