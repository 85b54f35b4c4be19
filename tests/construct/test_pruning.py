from __future__ import annotations

from typing import Any

from realhop_kg.construct.outcome import Constructed
from realhop_kg.construct.pipeline import construct_item
from realhop_kg.graph.schema import FactNode, ItemNode, PathNode
from realhop_kg.model.finding import Code
from realhop_kg.model.frozen import ExcludedItem
from realhop_kg.relations.catalogue import Catalogue
from tests.construct.outcomes import constructed, excluded
from tests.construct.records import record
from tests.construct.small import miss, relation, small_catalogue

TWINS = record(
    "What is the twin of the home of Ida Marrow?",
    [("Ida Marrow >> home", "Pennock"), ("#1 >> twin", "Stell")],
)


def twin_catalogue(*misses: dict[str, Any]) -> Catalogue:
    """Return a catalogue in which `kin` entails `twin` by way of its inverse.

    A near-miss of `twin` that entails `kin` is one that no single declaration gives away.
    """
    return small_catalogue(
        relation("twin", symmetric=True, near_misses=list(misses)),
        relation("kin", inverse="twin", labels=[], questions=["what kin has {x}"], nouns=[]),
    )


LIARS = [miss(name, entails=["kin"]) for name in ("liar", "cheat")]
HONEST = [miss(name) for name in ("guest", "rival", "debtor")]


def facts_named(outcome: Constructed, predicate: str) -> list[str]:
    return [f.id for f in outcome.graph.nodes(FactNode) if f.predicate == predicate]


def test_an_unsafe_competitor_is_pruned_and_the_item_says_so() -> None:
    relations = twin_catalogue(LIARS[0], *HONEST)
    whole, fragments, none = [], [], []
    for seed in range(24):
        outcome = constructed(TWINS, relations, seed)
        assert facts_named(outcome, "twin.liar") == []
        pruned = outcome.graph.get("item", ItemNode).pruned
        paths = {path.id for path in outcome.graph.nodes(PathNode)}
        assert "path:s2a" in paths or "path:s2b" in paths
        if not pruned:
            none.append(seed)
            continue
        (entry,) = pruned
        fact, _, reason = entry.rpartition(": S4 ")
        assert reason == "near-miss twin.liar entails twin, which hop 2 asks for"
        path = fact.replace("f:", "path:").removesuffix(".h2")
        assert path not in paths
        (fragments if path == "path:f2a" else whole).append(seed)
    assert whole
    assert fragments
    assert none


def test_an_item_that_loses_its_strict_paths_is_excluded_under_s6() -> None:
    relations = twin_catalogue(*LIARS, HONEST[0])
    outcomes = [construct_item(TWINS, relations, seed) for seed in range(24)]
    lost = [each for each in outcomes if isinstance(each, ExcludedItem)]
    kept = [each for each in outcomes if isinstance(each, Constructed)]
    assert lost
    assert kept
    for out in lost:
        assert (out.code, out.stage) == ("S6", "check")
        assert out.message.startswith("no complete Strict path is left for hop 2; ")
        reasons = {(f.code, f.message.partition(" entails ")[0]) for f in out.findings[1:]}
        assert {(Code.S4, "near-miss twin.liar"), (Code.S4, "near-miss twin.cheat")} <= reasons
    for outcome in kept:
        # One of the liars was drawn for a Flexible path, which leaves a Strict one.
        assert len(outcome.graph.get("item", ItemNode).pruned) == 2


def test_what_no_pruning_mends_is_the_reason_even_where_competitors_are_unsafe_too() -> None:
    # The answer of hop 1 is a word of the question, and of what competitors say.
    item = record(TWINS.question, [("Ida Marrow >> home", "Twin"), ("#1 >> twin", "Stell")])
    out = excluded(item, small_catalogue())
    assert (out.code, out.stage) == ("R4", "check")
    assert "the question shows 'Twin'" in out.message
    assert {Code.R4, Code.T4, Code.S6} <= {f.code for f in out.findings}


def test_a_relation_with_too_few_near_misses_for_the_types_is_refused() -> None:
    picky = [miss(name, only={"x": "village"}) for name in ("guest", "rival")]
    out = excluded(TWINS, small_catalogue(relation("twin", near_misses=[*picky, HONEST[2]])))
    assert (out.code, out.stage) == ("Q5", "plan")
    assert "relation twin has 1 near-misses for these types" in out.message
