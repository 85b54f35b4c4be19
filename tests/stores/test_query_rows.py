"""Every query on both engines: the same rows, and those that the graphs themselves give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from realhop_kg.graph.schema import HopNode, PathNode, Side, TrialNode
from realhop_kg.stores.address import open_store
from realhop_kg.stores.load import load_graphs, remove_scope
from realhop_kg.stores.queries import bound, load_query, query_names, run_query
from realhop_kg.stores.store import Store
from realhop_kg.stores.trials import load_trials
from tests.stores.conftest import NEO4J, WORKER, Graphs, constructed
from tests.stores.expected import BY_ITEM
from tests.stores.trials import OF_TRIALS, audit

TRIALS = set(OF_TRIALS)
PAGES = {"refusal_chain", "refusal_cells", "walk_candidates"}


@pytest.fixture(scope="module", params=["bundled", "musique"])
def dataset(request: pytest.FixtureRequest) -> tuple[str, Graphs]:
    if request.param == "bundled":
        return "bundled", request.getfixturevalue("bundled")
    folder: Path = request.getfixturevalue("shared_data")
    path = folder / "multihop" / "musique" / "musique_ans_sample.jsonl"
    return "musique", constructed(path)


@pytest.fixture(scope="module")
def loaded(
    dataset: tuple[str, Graphs], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, list[Store]]]:
    """The dataset in every engine that is there."""
    name, graphs = dataset
    scope = f"{WORKER}-rows-{name}"
    addresses = [f"embedded:{tmp_path_factory.mktemp('rows') / 'graph.kgl'}"]
    addresses += [NEO4J] if NEO4J else []
    with ExitStack() as opened:
        stores = [opened.enter_context(open_store(address)) for address in addresses]
        if NEO4J:
            opened.callback(remove_scope, stores[-1], scope)
        for store in stores:
            assert load_graphs(store, scope, graphs.items()).loaded == len(graphs)
        yield scope, stores


def test_every_query_is_tested() -> None:
    assert {*BY_ITEM, *TRIALS, *PAGES, "items_by_topology"} == set(query_names())


@pytest.mark.parametrize("name", sorted(BY_ITEM))
def test_the_rows_are_those_of_the_graphs_in_every_engine(
    name: str, dataset: tuple[str, Graphs], loaded: tuple[str, list[Store]]
) -> None:
    scope, stores = loaded
    graphs = dataset[1]
    wanted = [(scope, key, *row) for key, graph in graphs.items() for row in BY_ITEM[name](graph)]
    for store in stores:
        table = run_query(store, name, {"scope": scope})
        assert table.columns == tuple(column.name for column in load_query(name).columns)
        assert sorted(map(repr, table.rows)) == sorted(map(repr, wanted))
    assert all(
        run_query(stores[0], name, {"scope": scope}).rows
        == run_query(store, name, {"scope": scope}).rows
        for store in stores
    )


@pytest.mark.parametrize("name", ["gold_chain", "post_drop_survivors"])
def test_a_query_for_one_item_and_hop_gives_its_part_of_the_rows(
    name: str, dataset: tuple[str, Graphs], loaded: tuple[str, list[Store]]
) -> None:
    scope, stores = loaded
    item = list(dataset[1])[-1]
    params: dict[str, Any] = {"scope": scope, "item": item}
    if name == "post_drop_survivors":
        params["hop"] = 2
    for store in stores:
        every = run_query(store, name, {"scope": scope}).dicts()
        part = [row for row in every if row["item"] == item and row["hop"] in (2, row["hop"])]
        if "hop" in params:
            part = [row for row in part if row["hop"] == 2]
        assert run_query(store, name, params).dicts() == part != []


@pytest.mark.parametrize("name", sorted(BY_ITEM))
def test_every_query_for_one_item_gives_its_part_with_and_without_a_scope(
    name: str, dataset: tuple[str, Graphs], loaded: tuple[str, list[Store]]
) -> None:
    """As the file is written, and as it is run: by the index of graphs."""
    scope, stores = loaded
    item = list(dataset[1])[len(dataset[1]) // 2]
    query = load_query(name)
    for store in stores:
        written = store.run(query.cypher, bound(query, {"scope": scope, "item": item})).rows
        assert run_query(store, name, {"scope": scope, "item": item}).rows == written
        anywhere = run_query(store, name, {"item": item}).rows
        as_written = store.run(query.cypher, bound(query, {"item": item})).rows
        # Other tests may fill a server's database meanwhile, under scopes of their own.
        for rows in (anywhere, as_written):
            assert [row for row in rows if row[0] == scope] == written
        assert run_query(store, name, {"scope": "nowhere", "item": item}).rows == []


def test_items_are_counted_by_topology(
    dataset: tuple[str, Graphs], loaded: tuple[str, list[Store]]
) -> None:
    scope, stores = loaded
    items: Counter[str] = Counter()
    hops: Counter[str] = Counter()
    for graph in dataset[1].values():
        items[graph["item"].topology] += 1
        hops[graph["item"].topology] += len(graph.nodes(HopNode))
    wanted = [(scope, shape, items[shape], hops[shape]) for shape in sorted(items)]
    for store in stores:
        assert run_query(store, "items_by_topology", {"scope": scope}).rows == wanted


@pytest.fixture(scope="module")
def audited(
    dataset: tuple[str, Graphs], loaded: tuple[str, list[Store]]
) -> dict[str, list[TrialNode]]:
    """Answers of two models to everything, in every engine that is there."""
    scope, stores = loaded
    trials = {key: audit(key, graph) for key, graph in dataset[1].items()}
    for key, graph in dataset[1].items():
        for store in stores:
            load_trials(store, scope, key, graph, trials[key])
    return trials


@pytest.mark.parametrize("name", sorted(TRIALS))
def test_the_rows_of_an_audit_are_those_of_its_answers_in_every_engine(
    name: str,
    dataset: tuple[str, Graphs],
    loaded: tuple[str, list[Store]],
    audited: dict[str, list[TrialNode]],
) -> None:
    scope, stores = loaded
    wanted = [(scope, *row) for row in OF_TRIALS[name](dataset[1], audited)]
    assert wanted
    first = run_query(stores[0], name, {"scope": scope})
    for store in stores:
        table = run_query(store, name, {"scope": scope})
        assert table.columns == tuple(column.name for column in load_query(name).columns)
        assert table.rows == first.rows
    assert sorted(map(repr, first.rows)) == sorted(map(repr, wanted))
    one = run_query(stores[-1], name, {"scope": scope, "model": "m"}).dicts()
    assert one == [row for row in first.dicts() if row["model"] == "m"]


def _trials(graphs: Graphs) -> dict[str, list[TrialNode]]:
    """A model that is right under full, falls for the first competitor on Drop of hop 1, and
    still knows the answer on Drop of the others; its second trial lacks the Drop of hop 1."""
    found: dict[str, list[TrialNode]] = {}
    for key, graph in graphs.items():
        answer = graph["item"].answer
        lure = next(p for p in graph.nodes(PathNode) if p.path_kind == "strict").endpoint
        rows = []
        for number in (1, 2):
            rows.append(("full", "", number, answer, "correct"))
            for hop in graph.nodes(HopNode):
                if (hop.index, number) == (1, 2):
                    continue
                said, verdict = (lure, "incorrect") if hop.index == 1 else (answer, "correct")
                rows.append(("drop", hop.id, number, said, verdict))
        found[key] = [
            TrialNode(
                id=f"trial:{place}",
                condition=condition,
                target=target,
                model="m",
                trial=number,
                response=said,
                verdict=verdict,
            )
            for place, (condition, target, number, said, verdict) in enumerate(rows)
        ]
    return found


def test_the_answers_of_an_audit_are_found_beside_the_items(
    store: Store, scope: str, some: Graphs
) -> None:
    load_graphs(store, scope, some.items())
    trials = _trials(some)
    for key, graph in some.items():
        for _ in range(2):  # loading them again changes nothing
            assert load_trials(store, scope, key, graph, trials[key]) == len(trials[key])
    hits = run_query(store, "endpoint_hits", {"scope": scope}).dicts()
    lures = {
        key: next(p for p in graph.nodes(PathNode) if p.path_kind == "strict")
        for key, graph in some.items()
    }
    assert {(row["item"], row["path"], row["target"], row["trial"]) for row in hits} == {
        (key, path.id, "h1", 1) for key, path in lures.items()
    }
    rates = run_query(store, "bnr_by_hop", {"scope": scope}).dicts()
    count = Counter(hop.index for graph in some.values() for hop in graph.nodes(HopNode))
    assert [(row["trial"], row["hop"], row["items"], row["rate"]) for row in rates] == [
        (1, hop, count[hop], 1.0 if hop == 1 else 0.0) for hop in sorted(count)
    ]
    kept = run_query(store, "drop_survivors", {"scope": scope}).dicts()
    hops = sum(len(graph.nodes(HopNode)) - 1 for graph in some.values())
    assert len(kept) == 2 * hops
    assert {row["hop"] for row in kept}.isdisjoint({1})


def test_trials_of_the_source_side_are_told_apart(store: Store, scope: str, some: Graphs) -> None:
    key, graph = next(iter(some.items()))
    load_graphs(store, scope, [(key, graph)])
    load_trials(store, scope, key, graph, _trials(some)[key], Side.SOURCE)
    assert run_query(store, "bnr_by_hop", {"scope": scope}).rows == []
    assert run_query(store, "bnr_by_hop", {"scope": scope, "side": "source"}).rows != []
