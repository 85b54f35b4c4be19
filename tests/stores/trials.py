"""Answers of an audit, and what the queries must say of them, computed without a store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import EntityNode, HopNode, PathKind, PathNode, TrialNode
from tests.stores.conftest import Graphs

Row = tuple[Any, ...]
Trials = dict[str, list[TrialNode]]

MODELS = ("m", "n")


def audit(key: str, graph: ReasoningGraph) -> list[TrialNode]:
    """Answers of two models in two trials, drawn by the item's key; a few Drops are missing."""
    random = Random(key)
    gold = graph["item"].answer
    lures = sorted({path.endpoint for path in _competitors(graph)})
    found = []
    for model in MODELS:
        for number in (1, 2):
            for target in ("", *(hop.id for hop in graph.nodes(HopNode))):
                if target and random.random() < 0.1:
                    continue
                lure = random.choice(lures)
                said, verdict = random.choice(
                    [
                        (gold, "correct"),
                        (f"{gold} and more", "partial"),
                        (f"The {lure.upper()}.", "incorrect"),
                        ("I cannot tell", "incorrect"),
                    ]
                    # Most know the answer while everything is there.
                    + [(gold, "correct")] * (0 if target else 6)
                )
                trial = TrialNode(
                    id=f"trial:{model}:{number}:{target}",
                    condition="drop" if target else "full",
                    target=target,
                    model=model,
                    trial=number,
                    response=said,
                    verdict=verdict,
                )
                found.append(trial)
    return found


def _competitors(graph: ReasoningGraph) -> list[PathNode]:
    return [path for path in graph.nodes(PathNode) if path.path_kind is not PathKind.GOLD]


def _plain(text: str) -> str:
    words = "".join(char for char in text.lower() if char.isalnum() or char.isspace()).split()
    return " ".join(word for word in words if word not in ("a", "an", "the"))


def _endpoint_hits(graphs: Graphs, trials: Trials) -> Iterator[Row]:
    for key, graph in graphs.items():
        names: dict[str, set[str]] = {}
        for entity in graph.nodes(EntityNode):
            names.setdefault(entity.surface, set()).update(map(_plain, entity.forms))
        for trial in trials[key]:
            for path in _competitors(graph):
                if trial.verdict != "correct" and _plain(trial.response) in names[path.endpoint]:
                    asked = (trial.model, trial.condition, trial.target, trial.trial)
                    led = (path.id, str(path.path_kind), path.protected_hop)
                    yield (key, *asked, trial.response, *led)


def _panel(
    graph: ReasoningGraph, trials: list[TrialNode]
) -> Iterator[tuple[str, int, dict[int, TrialNode]]]:
    """Yield (model, trial, Drop by hop) of each panel whose Full is right."""
    for model in MODELS:
        for number in (1, 2):
            own = {t.target: t for t in trials if (t.model, t.trial) == (model, number)}
            if own[""].verdict == "correct":
                hops = graph.nodes(HopNode)
                yield model, number, {h.index: own[h.id] for h in hops if h.id in own}


def _bnr_by_hop(graphs: Graphs, trials: Trials) -> Iterator[Row]:
    items: Counter[tuple[str, int, int]] = Counter()
    failed: Counter[tuple[str, int, int]] = Counter()
    for key, graph in graphs.items():
        for model, number, drops in _panel(graph, trials[key]):
            if len(drops) == len(graph.nodes(HopNode)):
                for hop, trial in drops.items():
                    items[model, number, hop] += 1
                    failed[model, number, hop] += trial.verdict != "correct"
    for cell, count in items.items():
        yield (*cell, count, failed[cell], failed[cell] / count)


def _drop_survivors(graphs: Graphs, trials: Trials) -> Iterator[Row]:
    for key, graph in graphs.items():
        for model, number, drops in _panel(graph, trials[key]):
            for hop, trial in drops.items():
                if trial.verdict == "correct":
                    yield key, model, number, hop, trial.response


OF_TRIALS: dict[str, Callable[[Graphs, Trials], Iterator[Row]]] = {
    "endpoint_hits": _endpoint_hits,
    "bnr_by_hop": _bnr_by_hop,
    "drop_survivors": _drop_survivors,
}
"""Rows of a dataset, without its scope, by query."""
