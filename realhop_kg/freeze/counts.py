"""Counts a dataset item by item, the same way when it is written and when it is verified."""

from __future__ import annotations

from collections import Counter

from realhop_kg.freeze.manifest import CertificateCounts, CompetitorCounts, Counts, Share
from realhop_kg.graph.certificates import certify
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.model.frozen import FrozenItem
from realhop_kg.relations.predicates import Predicates

__all__ = ["Tally", "Totals", "certificate_counts"]


def certificate_counts(graph: ReasoningGraph, predicates: Predicates) -> CertificateCounts:
    """Return what is proved of one item.

    A hop whose gold fact has no host counts as failing V1 and V2.

    Raises:
        ContractError: as `certify`.
    """
    proved = certify(graph, predicates)
    hops, premises = proved.necessary_hops, proved.necessary_premises
    before_last = [hop for hop in hops if hop != proved.terminal]
    return CertificateCounts(
        unique=Share(holds=proved.unique.holds, of=1),
        hop_necessity=Share(holds=sum(hops.values()), of=len(hops)),
        premise_necessity=Share(holds=sum(premises.values()), of=len(premises)),
        v1=Share(holds=sum(proved.v1.values()), of=len(hops)),
        v2=Share(holds=sum(proved.v2.get(hop, False) for hop in before_last), of=len(before_last)),
    )


class Totals:
    """Running counts that every kind of dataset has; their size depends on codes and topologies."""

    def __init__(self) -> None:
        self._codes: Counter[str] = Counter()
        self._topologies: Counter[str] = Counter()
        self._hops = 0

    def include(self, topology: str, hops: int) -> None:
        """Count an item."""
        self._topologies[topology] += 1
        self._hops += hops

    def exclude(self, code: str) -> None:
        """Count an excluded record."""
        self._codes[code] += 1

    def counts(self) -> Counts:
        """Return the counts so far."""
        constructed, excluded = self._topologies.total(), self._codes.total()
        return Counts(
            read=constructed + excluded,
            constructed=constructed,
            excluded=excluded,
            excluded_by_code=dict(sorted(self._codes.items())),
            topologies=dict(sorted(self._topologies.items())),
            hops=self._hops,
        )


class Tally(Totals):
    """Running counts of constructed items, their paths and what is proved of them."""

    def __init__(self) -> None:
        super().__init__()
        self._paths: Counter[str] = Counter()
        self._holds: Counter[str] = Counter()
        self._of: Counter[str] = Counter()

    def add(self, item: FrozenItem, certificates: CertificateCounts) -> None:
        """Count a constructed item."""
        self.include(item.topology, len(item.hops))
        for path in item.competitors:
            self._paths[path.kind] += 1
            self._paths["fragments"] += path.kind == "flexible" and not path.complete
        for certificate, share in certificates:
            self._holds[certificate] += share.holds
            self._of[certificate] += share.of

    def counts(self) -> Counts:
        """Return the counts so far."""
        certificates = CertificateCounts(
            **{name: Share(holds=self._holds[name], of=of) for name, of in self._of.items()}
        )
        return (
            super()
            .counts()
            .model_copy(
                update={
                    "competitors": CompetitorCounts(**self._paths),
                    "certificates": certificates,
                }
            )
        )
