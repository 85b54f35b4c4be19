"""Every Drop of the bundled REALHOP set leaves nothing derivable, and that can be proved again."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from realhop_kg.cli.constructing import construct_to
from realhop_kg.errors import InputError
from realhop_kg.freeze.manifest import FILES, QUALITY, read_manifest
from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.graph.schema import EdgeKind, FactNode, FactStatus
from realhop_kg.jsonl import canonical
from realhop_kg.model.refusal_drop import DropRefusal, KeptDrop
from realhop_kg.model.refusal_item import Topology
from realhop_kg.refusal.drops_dataset import freeze_drops
from realhop_kg.refusal.drops_verify import verify_drops
from realhop_kg.refusal.from_drops import break_position, drop_refusals, still_answered
from realhop_kg.refusal.verify import verifier_of
from realhop_kg.resources import resource_folder
from realhop_kg.settings import ConstructConfig
from tests.freeze.samples import sample_graph


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("source") / "realhop"
    config = ConstructConfig(dataset="musique", limit=24)
    construct_to(resource_folder("data") / "questions.jsonl", config, out, 1, False, "bundled")
    return out


@pytest.fixture(scope="module")
def frozen(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("drops") / "set"
    freeze_drops(source, out)
    return out


@pytest.fixture
def copy(frozen: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(frozen, tmp_path / "copy"))


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def drops(source: Path) -> Iterator[tuple[Any, Any, DropRefusal | KeptDrop]]:
    dataset = FrozenDataset.open(source)
    for item, (key, graph) in zip(dataset.items(), dataset.graphs(), strict=True):
        for outcome in drop_refusals(item, graph, dataset.predicates_of(key)):
            yield item, graph, outcome


def test_every_drop_of_the_bundled_set_is_certified(source: Path) -> None:
    found = list(drops(source))
    assert len(found) == 74
    dataset = FrozenDataset.open(source)
    for item, graph, drop in found:
        assert isinstance(drop, DropRefusal)
        assert not still_answered(graph, dataset.predicates_of(item.id), drop.broken_step)
        hop = next(hop for hop in item.hops if hop.index == drop.broken_step)
        assert drop.removed == hop.support
        assert [p.index for p in drop.passages] == [
            p.index for p in item.passages if p.index != hop.support
        ]
        assert hop.wording.rstrip("?") in drop.rationale
        assert hop.answer not in drop.rationale
        if drop.topology is Topology.TERMINAL:
            assert all(item.answer not in passage.text for passage in drop.passages)


def test_the_break_is_where_the_hop_stands() -> None:
    graph = sample_graph(2)
    places = [break_position(graph, hop) for hop in (1, 2, 3)]
    assert places[0] is Topology.ROOT
    assert places[2] is Topology.TERMINAL
    assert {str(place) for place in places} <= {"root", "middle", "terminal"}


def test_a_drop_that_leaves_an_answer_gives_no_question(source: Path) -> None:
    dataset = FrozenDataset.open(source)
    item, (key, graph) = next(zip(dataset.items(), dataset.graphs(), strict=True))
    graph = graph.copy()
    # A second statement of the first hop, in no passage that its Drop removes.
    gold = graph.get("f:g.h1", FactNode)
    twin = gold.model_copy(update={"id": "f:twin", "status": FactStatus.CONTINUATION})
    graph.add(twin)
    for kind in (EdgeKind.SUBJECT, EdgeKind.OBJECT):
        for target, data in list(graph.edges("f:g.h1", kind)):
            graph.connect("f:twin", kind, target, **{k: v for k, v in data.items() if k != "kind"})
    outcome = next(drop_refusals(item, graph, dataset.predicates_of(key)))
    assert isinstance(outcome, KeptDrop)
    assert "derivable" in outcome.message


def test_a_set_of_drops_verifies_and_is_the_same_twice(
    frozen: Path, source: Path, tmp_path: Path
) -> None:
    report = verify_drops(frozen)
    assert report.ok, report.discrepancies
    assert verifier_of(frozen) is verify_drops
    manifest = read_manifest(frozen)
    assert manifest.counts.constructed == 74
    assert manifest.counts.topologies == {"middle": 19, "root": 31, "terminal": 24}
    assert manifest.config["source_digest"] == read_manifest(source).digest
    freeze_drops(source, tmp_path / "again")
    for name in set(FILES) - {QUALITY}:
        assert (tmp_path / "again" / name).read_bytes() == (frozen / name).read_bytes(), name


@pytest.mark.parametrize("field", ["rationale", "topology", "passages"])
def test_a_changed_question_is_found(copy: Path, field: str) -> None:
    records = lines(copy / "items.jsonl")
    records[0][field] = {"rationale": "x", "topology": "middle", "passages": []}[field]
    text = "".join(f"{canonical(record)}\n" for record in records)
    (copy / "items.jsonl").write_text(text, encoding="utf-8")
    found = verify_drops(copy).discrepancies
    assert "K4" in {one.code for one in found}


def test_hostile_files_are_reported_and_never_crash(copy: Path) -> None:
    whole = (copy / "graphs.jsonl").read_bytes().splitlines()
    (copy / "graphs.jsonl").write_bytes(b"\n".join([b"[]", b"{}", b"\xff", b"null", whole[0]]))
    (copy / "excluded.jsonl").write_bytes(b"[" * 100_000)
    report = verify_drops(copy)
    troubles = [one.trouble for one in report.discrepancies]
    assert troubles.count("unreadable") == 5
    assert "differs" in troubles


def test_a_source_that_does_not_fit_is_refused(source: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError):
        freeze_drops(tmp_path, tmp_path / "out")
    broken = Path(shutil.copytree(source, tmp_path / "broken"))
    (broken / "graphs.jsonl").write_bytes(b"{}\n")
    with pytest.raises(InputError, match="does not verify"):
        freeze_drops(broken, tmp_path / "out")
    changed = Path(shutil.copytree(source, tmp_path / "changed"))
    items = (changed / "items.jsonl").read_bytes()
    at = items.index(b'"question":"') + len(b'"question":"')
    (changed / "items.jsonl").write_bytes(items[:at] + b"#" + items[at + 1 :])
    with pytest.raises(InputError, match=r"does not verify, .* `realhop verify [^\n]*\Z"):
        freeze_drops(changed, tmp_path / "out")
    assert not (tmp_path / "out").exists()
