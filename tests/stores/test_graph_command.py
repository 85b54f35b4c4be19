"""`realhop graph`: what it prints, where it looks for a store, and how it fails."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from realhop_kg.audit.folder import RunFolder
from realhop_kg.cli.graph import graph_app
from realhop_kg.errors import InputError
from realhop_kg.freeze.manifest import Provenance, Terms
from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.graph.schema import PathKind, PathNode
from realhop_kg.model.answers import normalize_answer
from realhop_kg.model.refusal import WalkSettings
from realhop_kg.model.refusal_item import RefusalFigures
from realhop_kg.model.run import TrialRecord, Verdict
from realhop_kg.refusal.freeze import DATASET, refusal_writer
from realhop_kg.stores.rdf_read import parse_dataset, read_graphs
from realhop_kg.stores.store import StoreError
from tests.audit.runs import go, settings
from tests.freeze.samples import write_dataset
from tests.stores.test_refusal_rows import ITEMS

RUN = CliRunner()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("frozen") / "sample"
    write_dataset(target, items=3, excluded=0)
    return target


@pytest.fixture(scope="module")
def loaded(folder: Path) -> Path:
    assert _said("load", folder).startswith("embedded:")
    return folder


def _said(*words: object) -> str:
    done = RUN.invoke(graph_app, [str(word) for word in words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_a_dataset_is_loaded_beside_its_folder_and_again_without_change(
    loaded: Path, tmp_path: Path
) -> None:
    assert loaded.with_name("sample.kgl").is_file()
    counts = json.loads(_said("load", loaded, "--json"))
    assert counts["unchanged"] == 3
    assert counts["scope"] == "sample"
    other = json.loads(
        _said(
            "load", loaded, "--store", f"embedded:{tmp_path / 'x.kgl'}", "--scope", "a b", "--json"
        )
    )
    assert (other["scope"], other["loaded"]) == ("a b", 3)


def test_loading_leaves_the_frozen_folder_as_it_was(loaded: Path) -> None:
    assert not [path for path in loaded.iterdir() if "kgl" in path.name]


def test_rows_come_as_table_json_and_csv(loaded: Path) -> None:
    ask = ("query", "gold_chain", "--dataset", loaded, "-p", "item=musique/2hop__1")
    rows = json.loads(_said(*ask, "--json"))
    assert [row["hop"] for row in rows] == [1, 2]
    from_csv = list(csv.DictReader(io.StringIO(_said(*ask, "--csv"))))
    assert [row["answer"] for row in from_csv] == [row["answer"] for row in rows]
    assert json.loads(from_csv[0]["subjects"]) == rows[0]["subjects"]
    table = _said(*ask).splitlines()
    assert table[0].split() == list(rows[0])
    assert rows[1]["answer"] in table[2]
    assert table[-1] == "(2 rows)"


def test_the_only_store_here_is_used_and_more_than_one_is_not_guessed(
    loaded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(loaded.parent)
    assert "sample" in _said("query", "items_by_topology")
    assert "sample" in _said("scopes")
    loaded.with_name("other.kgl").write_bytes(b"")
    try:
        with pytest.raises(InputError, match=r"other\.kgl, sample\.kgl"):
            _said("query", "items_by_topology")
    finally:
        loaded.with_name("other.kgl").unlink()


def test_free_cypher_reads_and_writes_only_when_told(loaded: Path) -> None:
    there = ("--dataset", loaded, "--json")
    count = "MATCH (n:Item) WHERE n.scope = $scope RETURN count(n) AS n"
    assert json.loads(_said("cypher", count, "-p", "scope=sample", *there)) == [{"n": 6}]
    new = "CREATE (n:Item {id: 'mine', scope: 'mine'})"
    with pytest.raises(InputError, match="--write allows it"):
        _said("cypher", new, *there)
    _said("cypher", new, "--write", *there)
    assert json.loads(_said("cypher", count, "-p", "scope=mine", *there)) == [{"n": 1}]
    _said("cypher", "MATCH (n:Item {id: 'mine'}) DETACH DELETE n", "--write", *there)


def test_a_parameter_of_free_cypher_is_json_where_it_parses(loaded: Path) -> None:
    asked = ("cypher", "RETURN $a AS a, $b AS b, $c AS c", "--dataset", loaded, "--json")
    rows = json.loads(_said(*asked, "-p", "a=[1, 2]", "-p", "b=true", "-p", "c=x=y"))
    assert rows == [{"a": [1, 2], "b": True, "c": "x=y"}]


@pytest.mark.parametrize(
    ("params", "says"),
    [
        (["item=2hop__1"], "no item '2hop__1'; did you mean 'musique/2hop__1'"),
        (["item=__1", "scope=sample"], "no item '__1' under scope 'sample'; keys are"),
        (["item=x", "scope=sample"], "no item 'x' under scope 'sample'"),
        (["scope=smaple"], "no dataset 'smaple'; it holds sample"),
    ],
)
def test_a_dataset_or_item_that_is_not_there_is_no_clean_one(
    loaded: Path, params: list[str], says: str
) -> None:
    words = [word for param in params for word in ("-p", param)]
    with pytest.raises(InputError, match=says):
        _said("query", "strict_contract_violations", "--dataset", loaded, *words)
    clean = ("-p", "item=musique/2hop__1", "-p", "scope=sample", "--json")
    assert (
        json.loads(_said("query", "strict_contract_violations", "--dataset", loaded, *clean)) == []
    )


FIGURES = RefusalFigures(
    backend="rules",
    annotator="rules",
    coherence="text",
    language_model="",
    index="",
    walk=WalkSettings(),
    tries=1,
    cells={},
    draws={},
    sources={},
)


def test_refusal_questions_are_loaded_by_the_same_command(tmp_path: Path) -> None:
    """Which kind a folder holds is told from its manifest."""
    target = tmp_path / "questions"
    terms = Terms(licence="CC0-1.0", attribution="nobody")
    with refusal_writer(target) as writer:
        for item in ITEMS:
            writer.add(item)
        writer.finish(
            Provenance(
                name="questions",
                dataset=DATASET,
                seed=0,
                config=FIGURES.model_dump(mode="json"),
                catalogue="",
                terms=terms,
            )
        )
    counts = json.loads(_said("load", target, "--json"))
    assert counts["loaded"] == 3
    assert json.loads(_said("load", target, "--json"))["unchanged"] == 3
    there = ("--dataset", target, "--json")
    cells = json.loads(_said("query", "refusal_cells", *there))
    assert {(row["cause"], row["topology"], row["questions"]) for row in cells} == {
        ("AU", "middle", 2),
        ("FP", "root", 1),
    }
    chain = json.loads(_said("query", "refusal_chain", "-p", "item=refusal/2", *there))
    assert [row["page_title"] for row in chain] == ["b", "c", "d"]


def test_nothing_in_a_cell_moves_the_cursor(loaded: Path) -> None:
    shown = _said(
        "cypher", "RETURN $a AS a", "--dataset", loaded, "-p", "a=\x1b[2Jgone\r\nnew \u202e"
    )
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "\\x1b[2Jgone\\r\\nnew" in shown


def test_the_queries_are_listed_with_their_headers() -> None:
    listed = json.loads(_said("queries", "--json"))
    assert {"name", "answers", "params", "columns"} == listed[0].keys()
    text = _said("queries")
    assert "walk_candidates" in text
    assert "--param min_degree = 10 (integer): smallest degree" in text


def test_exports_go_to_a_file_or_to_standard_output(folder: Path, tmp_path: Path) -> None:
    graphs = dict(FrozenDataset.open(folder).graphs())
    assert dict(read_graphs(parse_dataset(_said("export", folder, "--format", "nquads")))) == graphs
    out = tmp_path / "one.nq"
    _said("export", folder, "--format", "nquads", "--item", "2hop__2", "--out", out)
    assert list(dict(read_graphs(parse_dataset(out)))) == ["musique/2hop__2"]
    _said("export", folder, "--format", "csv-neo4j-admin", "--out", tmp_path / "csv")
    assert (tmp_path / "csv" / "import.txt").is_file()
    for words in (("--format", "xls"), ("--format", "csv-neo4j-admin")):
        with pytest.raises(InputError):
            _said("export", folder, *words)


@pytest.mark.parametrize("form", ["json", "csv-neo4j-admin"])
def test_an_export_that_cannot_be_written_is_one_line(
    folder: Path, tmp_path: Path, form: str
) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written: Not a directory; name another --out"):
        _said("export", folder, "--format", form, "--out", tmp_path / "file" / "x")


def test_an_export_that_fails_leaves_what_stood_there(folder: Path, tmp_path: Path) -> None:
    copy, out = tmp_path / "odd", tmp_path / "g.graphml"
    write_dataset(copy, items=1, excluded=0)
    graphs = copy / "graphs.jsonl"
    graphs.write_text(graphs.read_text().replace('"question":"', '"question":"\\u0001', 1))
    out.write_text("mine")
    with pytest.raises(InputError, match="XML cannot"):
        _said("export", copy, "--format", "graphml", "--out", out)
    assert out.read_text() == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["g.graphml", "odd"]


def test_a_load_with_a_scope_that_cannot_be_makes_no_store(folder: Path, tmp_path: Path) -> None:
    for scope in ("", "a\nb"):
        with pytest.raises(InputError, match="scope"):
            _said("load", folder, "--scope", scope, "--store", f"embedded:{tmp_path / 'g.kgl'}")
    assert list(tmp_path.iterdir()) == []


def test_shapes_hold_and_a_broken_graph_is_named_with_exit_1(folder: Path, tmp_path: Path) -> None:
    assert "ok" in _said("shapes", folder, "--item", "2hop__1")
    copy = tmp_path / "broken"
    write_dataset(copy, items=1, excluded=0)
    key, graph = next(FrozenDataset.open(copy).graphs())
    path = next(p for p in graph.nodes(PathNode) if p.path_kind is PathKind.FLEXIBLE)
    data = {"id": key, **graph.to_node_link()}
    data["edges"] = [
        edge for edge in data["edges"] if (edge["source"], edge["kind"]) != (path.id, "FORBIDS")
    ]
    (copy / "graphs.jsonl").write_text(json.dumps(data) + "\n")
    done = RUN.invoke(graph_app, ["shapes", str(copy), "--json"])
    assert done.exit_code == 1
    assert {(one["code"], one["nodes"][0]) for one in json.loads(done.stdout)} == {("F3", path.id)}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["query", "gold_chian"], "did you mean gold_chain"),
        (["query", "gold_chain", "-p", "hop=1"], "no parameter 'hop'"),
        (["query", "gold_chain", "-p", "item"], "key=value"),
        (["query", "gold_chain", "--store", "nowhere"], "names no store"),
        (["query", "gold_chain", "--store", "memory", "--dataset", "x"], "not both"),
        (["cypher", "MATCH (n", "--store", "memory"], "Cypher"),
        (["query", "gold_chain", "--dataset", "nowhere"], "realhop graph load"),
    ],
)
def test_a_usage_error_says_what_to_do(words: list[str], says: str) -> None:
    with pytest.raises(InputError, match=says):
        _said(*words)


def test_an_unreachable_server_is_one_line_and_exit_3(folder: Path) -> None:
    words = ["graph", "load", str(folder), "--store", "bolt://127.0.0.1:1"]
    done = subprocess.run(
        [sys.executable, "-m", "realhop_kg.cli.app", *words],
        capture_output=True,
        text=True,
        env=os.environ,
        timeout=60,
    )
    assert done.returncode == StoreError.exit_code == 3
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("realhop: bolt://127.0.0.1:1 does not answer")


def test_help_needs_nothing_heavy() -> None:
    code = (
        "import sys, realhop_kg.cli.app; "
        "print(sorted({'kglite','neo4j','rdflib','pyshacl','networkx'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "[]"


def _audited(folder: Path, out: Path, **changes: object) -> Path:
    digest = FrozenDataset.open(folder).manifest.digest
    chosen = settings(
        "scripted/recaller",
        "scripted/cue",
        **{"source_digest": digest, "sides": ("source", "constructed"), "trials": 2, **changes},
    )
    go(out, folder, chosen)
    return out


def test_the_answers_of_a_run_are_loaded_and_asked_about(folder: Path, tmp_path: Path) -> None:
    run = _audited(folder, tmp_path / "run", ablations=("both", "gold_only"))
    store = f"embedded:{tmp_path / 'x.kgl'}"
    words = ("load", folder, "--store", store, "--run", run, "--json")
    counts = json.loads(_said(*words))
    records = [each for each in RunFolder.open(run).trials() if isinstance(each, TrialRecord)]
    kept = [each for each in records if each.ablation == "both"]
    assert counts["trials"] == len(kept) > 0
    assert counts["of_ablations"] == len(records) - len(kept) > 0
    again = json.loads(_said(*words))
    assert (again["unchanged"], again["trials"]) == (3, counts["trials"])

    def asked(name: str, side: str = "") -> list[dict[str, Any]]:
        param = ("-p", f"side={side}") if side else ()
        return list(json.loads(_said("query", name, *param, "--store", store, "--json")))

    for side in ("source", "constructed"):
        # Who recalls the answer is right under Full and after every Drop.
        rows = [r for r in asked("bnr_by_hop", side) if r["model"] == "scripted/recaller"]
        assert {(r["trial"], r["failed"], r["rate"]) for r in rows} == {(1, 0, 0), (2, 0, 0)}
        survivors = {
            (r["item"], r["trial"], r["hop"])
            for r in asked("drop_survivors", side)
            if r["model"] == "scripted/recaller"
        }
        drops = {
            (each.item, each.trial, int(each.target[1:]))
            for each in kept
            if each.condition == "drop" and each.side == side
        }
        assert survivors == drops
    endpoints = {
        item.item: {normalize_answer(each) for each in item.endpoints}
        for item in RunFolder.open(run).items()
        if item.side == "constructed"
    }
    hits = {
        (each.item, each.model, each.condition.value, each.target, each.trial)
        for each in kept
        if each.side == "constructed"
        and each.verdict is not Verdict.CORRECT
        and normalize_answer(each.response or "") in endpoints[each.item]
    }
    places = ("item", "model", "condition", "target", "trial")
    assert {tuple(row[each] for each in places) for row in asked("endpoint_hits")} == hits


def test_a_run_over_another_dataset_is_refused(folder: Path, tmp_path: Path) -> None:
    run = _audited(folder, tmp_path / "run", source_digest="1" * 64, trials=1)
    with pytest.raises(InputError, match="not this dataset"):
        _said("load", folder, "--store", f"embedded:{tmp_path / 'x.kgl'}", "--run", run)
    with pytest.raises(InputError, match="is no audit run"):
        _said("load", folder, "--store", f"embedded:{tmp_path / 'x.kgl'}", "--run", tmp_path)
