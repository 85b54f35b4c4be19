"""Five real questions of different shapes, end to end over HTTP, with hand-written replies."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.graph.build import CONSTRUCTED
from realhop_kg.graph.schema import ItemNode
from realhop_kg.llm.prompts import load_template
from realhop_kg.llm.replies import ReplyStore
from tests.construct.models.runs import SCRIBE, construct, contents, real_items
from tests.llm.stub import stub
from tests.llm.stub_server import Script, answer_batch
from tests.processes import realhop

TEMPLATES = ("plan", "compete", "route", "realize", "audit", "repair", "reask")


@pytest.fixture(scope="module")
def source(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return real_items(shared_data, tmp_path_factory.mktemp("source"))


@pytest.fixture(scope="module")
def live(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder constructed live: `dataset`, and the reply store `r.sqlite`."""
    folder = tmp_path_factory.mktemp("live")
    words = ("--out", folder / "dataset", "--replies", folder / "r.sqlite", "--json")
    with stub(*SCRIBE) as server:
        done = construct(source, *words, "--api-base", server.url)
        calls = server.calls
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    assert (figures["constructed"], figures["excluded"]) == (5, 0)
    assert figures["calls"]["calls"] == figures["calls"]["replies"] == calls
    assert figures["calls"]["unpriced"] == calls
    assert figures["marks"] == {"salience": {"2": 5}, "hardening": {"4": 5}}
    return folder


def test_all_are_constructed_and_keep_every_contract(live: Path) -> None:
    done = realhop("verify", live / "dataset")
    assert done.returncode == 0, done.stdout
    items = {item.topology: item for item in FrozenDataset.open(live / "dataset").items()}
    assert set(items) == {"2hop", "3hop1", "3hop2", "4hop1", "4hop3"}
    assert items["2hop"].question == "What team was Mirela Castane's husband on?"
    assert items["3hop2"].kept == ("US: a country used as an adjective",)
    for item in items.values():
        hops = len(item.hops)
        strict = [path for path in item.competitors if path.kind == "strict"]
        assert len(strict) == 2 * hops
        assert len(item.competitors) == 3 * hops
        assert item.pruned == item.diagnostics == ()
        assert item.marks == {"salience": 2, "hardening": 4}


def test_the_models_words_stand_in_the_passages(live: Path) -> None:
    text = (live / "dataset" / "items.jsonl").read_text(encoding="utf-8")
    assert "The marriage of Mirela Castane was to Dorian Hask." in text
    assert "In the club's books Dorian Hask played under roster card 3-118." in text


def test_the_manifest_names_models_and_templates(live: Path) -> None:
    manifest = FrozenDataset.open(live / "dataset").manifest
    assert manifest.templates == {
        f"construct/{name}.v1": load_template(f"construct/{name}").hash for name in TEMPLATES
    }
    stages = manifest.config["stages"]
    assert isinstance(stages, dict)
    assert set(stages) == {"plan", "compete", "route", "realize", "audit"}


def test_items_name_the_replies_that_they_are_made_of(live: Path) -> None:
    dataset = FrozenDataset.open(live / "dataset")
    named = [
        reply.split(": ")
        for _, graph in dataset.graphs()
        for reply in graph.get(CONSTRUCTED, ItemNode).replies
    ]
    assert list(dict.fromkeys(stage for stage, _ in named)) == [*TEMPLATES[:5]]
    with ReplyStore(live / "r.sqlite") as store:
        replies = [store.get(key) for _, key in named]
    assert all(reply is not None and reply.good for reply in replies)


def test_a_replay_needs_no_server_and_gives_the_same_bytes(
    live: Path, source: Path, tmp_path: Path
) -> None:
    out = tmp_path / "replayed"
    done = construct(source, "--out", out, "--replies", live / "r.sqlite", "--offline")
    assert done.returncode == 0, done.stderr
    assert contents(out) == contents(live / "dataset")


def test_batch_after_batch_gives_the_same_bytes_without_one_live_call(
    live: Path, source: Path, tmp_path: Path
) -> None:
    script = Script(None, SCRIBE[1])
    store, batch, out = tmp_path / "r.sqlite", tmp_path / "batch", tmp_path / "batched"
    waited = []
    for number in range(10):
        done = construct(source, "--out", out, "--replies", store, "--batch", batch)
        if done.returncode == 0:
            break
        assert done.returncode == 3
        assert not out.exists()
        (line,) = done.stderr.splitlines()
        assert line.startswith("realhop: 5 items wait for replies (")
        files = sorted(batch.glob("*.jsonl"))
        waited.append([path.stem for path in files])
        results = tmp_path / f"results{number}.jsonl"
        lines = [json.dumps(row) for path in files for row in answer_batch(path, script)]
        results.write_text("\n".join(reversed(lines)))
        assert realhop("replies", "import", results, "--replies", store).returncode == 0
    assert waited == [["plan"], ["compete"], ["route"], ["realize"], ["audit"]]
    assert contents(out) == contents(live / "dataset")
    assert list(batch.iterdir()) == []


@pytest.mark.parametrize(
    ("backend", "stages", "least"),
    [
        ("route=llm,realize=llm", {"route", "realize"}, 2),
        ("plan=llm,compete=llm,audit=llm", {"plan", "compete", "audit"}, 5),
    ],
)
def test_rules_and_models_mix(
    source: Path, tmp_path: Path, backend: str, stages: set[str], least: int
) -> None:
    out = tmp_path / "mixed"
    words = ("--out", out, "--replies", tmp_path / "r.sqlite", "--json")
    with stub(*SCRIBE) as server:
        done = construct(source, *words, "--api-base", server.url, "--backend", backend)
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    assert figures["read"] == 5
    assert figures["constructed"] >= least
    assert set(figures["calls"]["by_stage"]) == stages
    checked = realhop("verify", out)
    assert checked.returncode == 0, checked.stdout
