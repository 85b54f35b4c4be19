"""Loading: whole or not at all, the same twice, and nothing that data say becomes a statement."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

import pytest

from realhop_kg.errors import InputError
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import (
    EdgeKind,
    EntityNode,
    FactNode,
    FactStatus,
    HopNode,
    ItemNode,
    PassageNode,
    Side,
)
from realhop_kg.graph.views import relates
from realhop_kg.model.entity import EntityRole, Origin
from realhop_kg.stores.address import open_store
from realhop_kg.stores.load import LoadReport, load_graphs, remove_scope, scopes, stored_graph
from realhop_kg.stores.queries import run_query
from realhop_kg.stores.store import Statement, Store, StoreError
from tests.stores.conftest import NEO4J, Graphs, needs_neo4j

HOSTILE = [
    "it's \"quoted\" `ticked` \\ and \\' done",
    "'}) DETACH DELETE n //",
    "`) MATCH (n) DETACH DELETE n WITH 1 AS x MATCH (m:`Item",
    "$scope {{ row.id }} ${x} %s {0}",
    '" . <urn:x> <urn:y> <urn:z> . DROP ALL ; INSERT DATA { <a> <b> <c> } #',
    "<script>alert(1)</script>&amp;]]>",
    "line\nline\r\nline\u2028line\ttab",
    "null",
    "true",
    " ",
    "naïve 東京 😀 \u200f\u202e \x7f",
    "x" * 1_000_000,
]


def hostile_graph(text: str) -> ReasoningGraph:
    """A graph in which every id, name and property is the text."""
    graph = ReasoningGraph()
    graph.add(
        ItemNode(
            id=f"item{text}",
            item_key=text,
            dataset=text,
            source_id=text,
            side=Side.CONSTRUCTED,
            question=text,
            answer=text,
            aliases=[text, "", text],
            topology=text,
        )
    )
    graph.add(
        HopNode(
            id=f"hop{text}",
            index=1,
            relation=text,
            required=text,
            wording=text,
            source_step=text,
            source_answer=text,
            support=0,
            asked_kind=text,
            slots=[text],
            terminal=True,
            multi_valued=False,
            definite=True,
        )
    )
    for end in "ab":
        graph.add(
            EntityNode(
                id=f"{end}{text}",
                surface=text,
                entity_type=text,
                asked_kind=text,
                role=EntityRole.BRIDGE,
                origin=Origin.VIRTUAL,
            )
        )
    graph.add(FactNode(id=f"fact{text}", predicate=text, hop=1, status=FactStatus.GOLD))
    graph.add(PassageNode(id=f"p{text}", index=0, page_title=text, text=text, origin="support"))
    graph.connect(f"item{text}", EdgeKind.HAS_HOP, f"hop{text}")
    graph.connect(f"item{text}", EdgeKind.HAS_PASSAGE, f"p{text}")
    graph.connect(f"fact{text}", EdgeKind.REALIZES, f"hop{text}")
    graph.connect(f"fact{text}", EdgeKind.SUBJECT, f"a{text}", slot=text)
    graph.connect(f"fact{text}", EdgeKind.OBJECT, f"b{text}")
    return graph


def _count(store: Store, scope: str) -> int:
    query = "MATCH (n) WHERE n.scope = $scope RETURN count(n) AS n"
    return int(store.run(query, {"scope": scope}).rows[0][0])


def test_a_graph_comes_back_as_it_was(store: Store, scope: str, some: Graphs) -> None:
    assert load_graphs(store, scope, some.items()) == LoadReport(loaded=len(some))
    for key, graph in some.items():
        assert stored_graph(store, scope, key) == graph


def test_derived_edges_are_stored_once_per_subject(store: Store, scope: str, some: Graphs) -> None:
    key, graph = next(iter(some.items()))
    load_graphs(store, scope, [(key, graph)])
    rows = store.run(
        "MATCH (a:Entity)-[r:RELATES]->(b:Entity) WHERE a.scope = $scope "
        "RETURN a.node AS a, b.node AS b, r.predicate AS predicate, r.fact AS fact",
        {"scope": scope},
    ).rows
    assert sorted(rows) == sorted(tuple(edge) for edge in relates(graph))


def test_loading_twice_changes_nothing(store: Store, scope: str, some: Graphs) -> None:
    load_graphs(store, scope, some.items())
    before = _count(store, scope)
    assert load_graphs(store, scope, some.items()) == LoadReport(unchanged=len(some))
    assert _count(store, scope) == before


def test_a_changed_item_replaces_its_old_graph_whole(
    store: Store, scope: str, some: Graphs
) -> None:
    load_graphs(store, scope, some.items())
    key, graph = next(iter(some.items()))
    changed = graph.copy()
    changed.remove(changed.nodes(PassageNode)[-1].id)
    report = load_graphs(store, scope, (some | {key: changed}).items())
    assert report == LoadReport(replaced=1, unchanged=len(some) - 1)
    assert stored_graph(store, scope, key) == changed


def test_other_datasets_are_left_alone_and_items_that_are_gone_are_removed(
    store: Store, scope: str, some: Graphs
) -> None:
    other = f"{scope}-other"
    load_graphs(store, other, some.items())
    load_graphs(store, scope, some.items())
    keys = list(some)
    report = load_graphs(store, scope, [(keys[0], some[keys[0]])])
    assert report == LoadReport(unchanged=1, removed=len(some) - 1)
    assert stored_graph(store, other, keys[1]) == some[keys[1]]
    with pytest.raises(InputError, match="no item"):
        stored_graph(store, scope, keys[1])
    assert dict(scopes(store))[scope] == 1
    assert dict(scopes(store))[other] == len(some)


def test_a_load_that_was_stopped_goes_on_where_it_stopped(
    store: Store, scope: str, some: Graphs
) -> None:
    store.batch = 1

    def breaking() -> Iterator[tuple[str, ReasoningGraph]]:
        yield from list(some.items())[:3]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        load_graphs(store, scope, breaking())
    assert load_graphs(store, scope, some.items()) == LoadReport(loaded=1, unchanged=3)
    assert all(stored_graph(store, scope, key) == graph for key, graph in some.items())


def test_a_transaction_that_fails_leaves_nothing(store: Store, scope: str) -> None:
    store.prepare()
    good = Statement(
        "CREATE (n:Item {id: $id, scope: $scope})", {"id": f"{scope}1", "scope": scope}
    )
    with pytest.raises((InputError, StoreError)):
        store.write([good, Statement("THIS IS NO CYPHER", {})])
    with pytest.raises((InputError, StoreError)):
        store.write([good, good])
    assert _count(store, scope) == 0


def test_reading_does_not_write(store: Store, scope: str) -> None:
    for text in (
        "CREATE (n:Item {id: 'x', scope: $scope})",
        "MATCH (n) WHERE n.scope = $scope SET n.x = 1 RETURN n",
        "MATCH (n) WHERE n.scope = $scope DETACH DELETE n",
    ):
        with pytest.raises(InputError, match="--write allows it"):
            store.run(text, {"scope": scope})
    assert _count(store, scope) == 0


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_loads_and_comes_back_unchanged(store: Store, scope: str, text: str) -> None:
    graph = hostile_graph(text)
    load_graphs(store, scope, [(text, graph), ("sound", hostile_graph("sound"))])
    assert stored_graph(store, scope, text) == graph
    assert stored_graph(store, scope, "sound") == hostile_graph("sound")
    rows = run_query(store, "descendants", {"scope": scope, "item": text}).rows
    assert rows == [(scope, text, 1, [])]
    assert run_query(store, "gold_chain", {"scope": text, "item": text}).rows == []
    labels = store.run("MATCH (n) RETURN DISTINCT labels(n)[0] AS label ORDER BY label").rows
    assert {row[0] for row in labels} <= {
        "Item", "Hop", "Entity", "Fact", "EvidenceUnit", "Path", "Passage", "Insertion", "Span",
        "Trial", "Page", "Refusal",
    }  # fmt: skip
    kinds = store.run(
        "MATCH (n)-[r]->() WHERE n.scope = $scope RETURN DISTINCT type(r) AS kind ORDER BY kind",
        {"scope": scope},
    ).rows
    assert [row[0] for row in kinds] == [
        "HAS_HOP", "HAS_PASSAGE", "OBJECT", "REALIZES", "RELATES", "SUBJECT",
    ]  # fmt: skip


def test_a_scope_may_hold_anything_printable(store: Store, scope: str) -> None:
    hostile = f"{scope}-other"
    odd = "' OR 1=1 // `x` {$}"
    load_graphs(store, odd, [("a", hostile_graph("a"))])
    load_graphs(store, hostile, [("a", hostile_graph("a"))])
    load_graphs(store, odd, [])
    assert stored_graph(store, hostile, "a") == hostile_graph("a")
    for wrong in ("", "x" * 201, "a\nb"):
        with pytest.raises(InputError, match="scope"):
            load_graphs(store, wrong, [])


def test_items_that_no_store_can_keep_are_refused_by_name(store: Store, scope: str) -> None:
    with pytest.raises(InputError, match=r"bad: .*surrogate"):
        load_graphs(store, scope, [("bad", hostile_graph("half \ud83d"))])
    twice = [("a", hostile_graph("a"))] * 2
    with pytest.raises(InputError, match="'a' comes twice"):
        load_graphs(store, scope, twice)
    with pytest.raises(InputError, match="no constructed side"):
        load_graphs(store, scope, [("empty", ReasoningGraph())])


def test_an_embedded_store_survives_a_killed_process(tmp_path: Path, some: Graphs) -> None:
    """Committed items are in the log: the next to open finds them, reader or writer."""
    path = tmp_path / "graph.kgl"
    first = open_store(f"embedded:{path}")
    load_graphs(first, "a", some.items())
    copy = tmp_path / "copy.kgl"
    for suffix in ("", "-wal"):
        left = path.with_name(f"graph.kgl{suffix}")
        if left.exists():
            copy.with_name(f"copy.kgl{suffix}").write_bytes(left.read_bytes())
    with open_store(f"embedded:{copy}", writing=False) as store:
        assert scopes(store) == [("a", len(some))]
    first.close()


@pytest.mark.parametrize("read_first", [True, False])
def test_a_load_into_an_embedded_store_goes_on_after_a_kill(
    tmp_path: Path, bundled: Graphs, read_first: bool
) -> None:
    """What no stored node has is unknown to the engine once it has read its log back."""
    path = tmp_path / "graph.kgl"
    half = dict(islice(bundled.items(), len(bundled) // 2))
    script = (
        "import os, pickle, sys\n"
        "from realhop_kg.stores.address import open_store\n"
        "from realhop_kg.stores.load import load_graphs\n"
        "store = open_store(sys.argv[1])\n"
        "load_graphs(store, 'a', pickle.load(sys.stdin.buffer))\n"
        "os.kill(os.getpid(), 9)\n"
    )
    killed = subprocess.run(
        [sys.executable, "-c", script, f"embedded:{path}"],
        input=pickle.dumps(list(half.items())),
        check=False,
    )
    assert killed.returncode == -9
    if read_first:
        with open_store(f"embedded:{path}", writing=False) as store:
            assert scopes(store) == [("a", len(half))]
    with open_store(f"embedded:{path}") as store:
        report = load_graphs(store, "a", bundled.items())
        assert report == LoadReport(loaded=len(bundled) - len(half), unchanged=len(half))
        assert all(stored_graph(store, "a", key) == graph for key, graph in bundled.items())


@needs_neo4j
def test_two_loads_of_one_dataset_at_once_give_it_once(scope: str, bundled: Graphs) -> None:
    """What the other writes first is as good as loaded; neither fails, nothing is there twice."""
    with open_store(NEO4J) as one, open_store(NEO4J) as other, ThreadPoolExecutor(2) as pool:
        one.batch = other.batch = 2
        graphs = dict(islice(bundled.items(), 10))
        one.prepare()
        try:
            loads = [pool.submit(load_graphs, each, scope, graphs.items()) for each in (one, other)]
            reports = [load.result() for load in loads]
            assert sum(report.loaded for report in reports) == len(graphs)
            for report in reports:
                assert report.loaded + report.unchanged == len(graphs)
                assert report.replaced == report.removed == 0
            assert all(stored_graph(one, scope, key) == graph for key, graph in graphs.items())
            assert load_graphs(one, scope, graphs.items()) == LoadReport(unchanged=len(graphs))
        finally:
            remove_scope(one, scope)


def test_a_writer_killed_before_its_first_item_leaves_no_store(tmp_path: Path) -> None:
    (tmp_path / "graph.kgl-wal").write_bytes(b"KGWAL")
    with pytest.raises(InputError, match="realhop graph load"):
        open_store(f"embedded:{tmp_path / 'graph.kgl'}", writing=False)


def test_two_writers_of_one_embedded_store_are_told(tmp_path: Path) -> None:
    with (
        open_store(f"embedded:{tmp_path / 'graph.kgl'}"),
        pytest.raises(StoreError, match="another process"),
    ):
        open_store(f"embedded:{tmp_path / 'graph.kgl'}")


def test_a_reader_of_a_store_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="realhop graph load"):
        open_store(f"embedded:{tmp_path / 'graph.kgl'}", writing=False)
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_embedded_store_is_told(tmp_path: Path) -> None:
    path = tmp_path / "graph.kgl"
    path.write_bytes(b"no graph at all" * 10)
    for writing in (True, False):
        with pytest.raises(StoreError, match=r"graph\.kgl"):
            open_store(f"embedded:{path}", writing=writing)


@pytest.mark.parametrize("address", ["", "nonsense", "embedded:", "http://x", "neo4j://", "file:x"])
def test_an_address_of_no_store_is_refused(address: str) -> None:
    with pytest.raises(InputError, match="names no store"):
        open_store(address)
