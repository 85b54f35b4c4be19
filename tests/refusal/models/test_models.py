"""Questions that models word pass the checks of the rules', or are mended, or are left out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from graph_builders.seeds import seed_builder
from realhop_kg.errors import InputError, ProviderError
from realhop_kg.freeze.manifest import EXCLUDED
from realhop_kg.graph.hyperlinks.index import PageGraph
from realhop_kg.model.refusal import Seed
from realhop_kg.model.refusal_item import RefusalItem, Topology
from realhop_kg.refusal.models.annotate import pages_named
from realhop_kg.refusal.quality import check_question
from realhop_kg.refusal.reader import RefusalDataset
from realhop_kg.refusal.verify import verify_refusal
from tests.llm.stub import Stub, stub
from tests.processes import realhop
from tests.refusal.models.runs import SCRIBE, bare_seeds, build, contents

PLAN = "*:root:3=1 *:middle:4=1 *:terminal:3=1"


@pytest.fixture
def seeds(tmp_path: Path) -> list[Seed]:
    path = bare_seeds(tmp_path / "bare.jsonl")
    return [seed for seed in seed_builder("plain").read(path) if isinstance(seed, Seed)]


@pytest.fixture(scope="module")
def scribe() -> Iterator[Stub]:
    with stub("--writer", f"{SCRIBE}:Scribe") as server:
        yield server


def items_of(folder: Path) -> list[RefusalItem]:
    return list(RefusalDataset.open(folder).items())


def test_models_fill_every_slot_and_the_questions_verify(
    scribe: Stub, world: PageGraph, seeds: list[Seed], tmp_path: Path
) -> None:
    manifest, models = build(scribe.url, world, seeds, tmp_path / "out", PLAN)
    items = items_of(tmp_path / "out")
    assert len(items) == manifest.counts.constructed == 9
    assert verify_refusal(tmp_path / "out").ok
    assert {item.topology for item in items} == set(Topology)
    for item in items:
        assert item.backend == "llm"
        assert item.audit is not None
        assert all(said.words.casefold() in item.question.casefold() for said in item.audit.said)
        assert len(item.audit.said) == item.depth == item.hops + 1
        assert not any(title in item.question for title in item.chain.hidden)
    assert set(models.counts) == {"annotate", "rank", "fuse", "review", "audit"}
    assert set(manifest.templates) >= {f"refusal/{name}.v1" for name in models.counts}
    config = manifest.config
    assert (config["backend"], config["annotator"], config["coherence"]) == ("llm",) * 3
    assert scribe.stats()["unscripted"] == []


def test_a_second_run_asks_nothing_and_writes_the_same(
    scribe: Stub, world: PageGraph, seeds: list[Seed], tmp_path: Path
) -> None:
    build(scribe.url, world, seeds, tmp_path / "out", PLAN)
    first, asked = contents(tmp_path / "out"), scribe.calls
    (tmp_path / "out").rename(tmp_path / "before")
    build(scribe.url, world, seeds, tmp_path / "out", PLAN)
    assert scribe.calls == asked
    assert contents(tmp_path / "out") == first


def test_a_hidden_name_is_sent_back_and_the_wording_adjusted(
    world: PageGraph, seeds: list[Seed], tmp_path: Path
) -> None:
    with stub("--writer", f"{SCRIBE}:Leaky") as server:
        manifest, models = build(server.url, world, seeds, tmp_path / "out", PLAN)
    assert len(items_of(tmp_path / "out")) == 9
    assert manifest.config["repairs"]["adjusted"] == 9  # type: ignore[index,call-overload]
    assert models.of("fuse").repairs >= 9
    assert verify_refusal(tmp_path / "out").ok


def test_a_corrected_premise_is_rejected_after_two_tries(
    world: PageGraph, seeds: list[Seed], tmp_path: Path
) -> None:
    with stub("--writer", f"{SCRIBE}:Correcting") as server:
        manifest, models = build(
            server.url, world, seeds, tmp_path / "out", "FP:terminal:3=1 FP:root:3=1"
        )
    assert items_of(tmp_path / "out") == []
    lines = (tmp_path / "out" / EXCLUDED).read_text(encoding="utf-8").splitlines()
    left_out = [json.loads(line) for line in lines]
    assert {row["code"] for row in left_out} == {"K4"}
    assert all("denies or hedges" in row["message"] for row in left_out)
    assert manifest.config["repairs"] == {"rejected": len(left_out)}
    # A wording, one adjusted, one of another chain; then no more.
    assert models.of("fuse").asked == 3 * len(left_out)


def test_a_link_that_the_wording_does_not_express_counts_no_more(
    world: PageGraph, seeds: list[Seed], tmp_path: Path
) -> None:
    with stub("--writer", f"{SCRIBE}:Skipping") as server:
        build(server.url, world, seeds, tmp_path / "out", "AU:terminal:3=1 AU:terminal:2=1")
    items = items_of(tmp_path / "out")
    shorter = [item for item in items if item.chain.depth == 3]
    assert [(item.depth, item.hops, item.broken_step) for item in shorter] == [(2, 1, 2)]
    assert {item.rationale for item in items} == {"Nobody knows it."}
    assert verify_refusal(tmp_path / "out").ok


def test_an_audit_that_quotes_other_words_is_asked_again(
    world: PageGraph, seeds: list[Seed], tmp_path: Path
) -> None:
    with stub("--writer", f"{SCRIBE}:Misquoting") as server:
        _, models = build(server.url, world, seeds, tmp_path / "out", "AU:root:3=2")
    assert len(items_of(tmp_path / "out")) == 2
    assert models.of("audit").repairs == 2


def test_a_chain_that_a_review_finds_incoherent_is_built_anew(
    world: PageGraph, seeds: list[Seed], tmp_path: Path
) -> None:
    with stub("--writer", f"{SCRIBE}:Objecting") as server:
        manifest, _ = build(server.url, world, seeds, tmp_path / "out", "UC:terminal:3=2")
    assert len(items_of(tmp_path / "out")) == 2
    assert manifest.config["repairs"]["rebuilt"] == 2  # type: ignore[index,call-overload]
    assert manifest.config["draws"]["K3"] >= 2  # type: ignore[index,call-overload,operator]


def test_a_model_reviews_what_rules_word(
    scribe: Stub, world: PageGraph, seeds: list[Seed], tmp_path: Path
) -> None:
    backend = "annotate=llm,rank=rules,fuse=rules,review=llm,audit=rules"
    build(scribe.url, world, seeds, tmp_path / "out", "FP:*:3=1", backend)
    items = items_of(tmp_path / "out")
    assert {item.topology for item in items} == set(Topology)
    assert all(item.steps and item.backend == "rules" for item in items)
    assert verify_refusal(tmp_path / "out").ok


def test_changed_annotations_of_a_models_question_are_found(
    scribe: Stub, world: PageGraph, seeds: list[Seed], tmp_path: Path
) -> None:
    build(scribe.url, world, seeds, tmp_path / "out", "AU:middle:4=1")
    [item] = items_of(tmp_path / "out")
    assert check_question(item) == []
    assert item.audit is not None
    said = item.audit.said
    other = said[0].model_copy(update={"words": "not there"})
    for code, changed in (
        ("K1", {"question": item.question.replace("?", f" of {item.chain.hidden[0]}?")}),
        ("K5", {"question": item.question.replace("?", " as well?")}),
        ("K5", {"depth": 2}),
        ("K5", {"rationale": " "}),
        ("K2", {"audit": item.audit.model_copy(update={"said": (other, *said[1:])})}),
        ("K2", {"audit": item.audit.model_copy(update={"said": said[:1]})}),
        ("K2", {"audit": None}),
        ("K4", {"question": item.question.replace("?", " in Denmark?")}),
        ("M1", {"question": item.question + " Really?"}),
    ):
        found = check_question(item.model_copy(update=changed))
        assert code in {finding.code for finding in found}, (code, changed)


def test_seeds_that_no_model_can_link_are_listed(
    scribe: Stub, world: PageGraph, seeds: list[Seed], tmp_path: Path
) -> None:
    odd = seeds[0].model_copy(update={"id": "plain/odd", "question": "What will be?"})
    build(scribe.url, world, [odd, *seeds], tmp_path / "out", "AU:terminal:2=6")
    lines = (tmp_path / "out" / EXCLUDED).read_text(encoding="utf-8").splitlines()
    listed = {row["id"]: row for row in map(json.loads, lines)}
    assert listed["plain/odd"]["code"] == "L1"
    assert listed["plain/odd"]["message"] == "the model finds no entity that has a page"


def test_no_dataset_is_written_when_no_model_answers(
    world: PageGraph, seeds: list[Seed], tmp_path: Path
) -> None:
    with (
        stub("--writer", f"{SCRIBE}:Scribe", "--faults", "bad") as server,
        pytest.raises(ProviderError, match="no usable reply came from any model"),
    ):
        build(server.url, world, seeds[:3], tmp_path / "out", "AU:*:3=1")
    assert not (tmp_path / "out").exists()


def test_pages_that_a_question_names_are_found_by_any_words(world: PageGraph) -> None:
    found = pages_named("who first saw the glass season at Ilsbury Academy?", world)
    assert [world.titles[page] for page in found] == ["Ilsbury Academy", "Ilsbury"]


def test_a_wording_of_a_model_needs_its_audit() -> None:
    from realhop_kg.cli.refusal_models import refusal_stages

    with pytest.raises(InputError, match="fuse=llm needs audit=llm"):
        refusal_stages("fuse=llm", "a/b", None, ["json=off"])


@pytest.mark.soak
@pytest.mark.slow
def test_the_command_stops_resumes_batches_and_replays_to_the_same_bytes(
    tmp_path: Path,
) -> None:
    source = tmp_path / "world"
    from realhop_kg.resources import resource_folder

    assert realhop("kilt", "index", resource_folder("data") / "kilt_world.jsonl",
                   "--out", source).returncode == 0  # fmt: skip
    seeds = bare_seeds(tmp_path / "bare.jsonl")
    words = ("refusal", "build", "--index", source, "--seeds", f"plain={seeds}", "--plan", PLAN,
             "--backend", "llm", "--model", "openai/scribe", "--param", "json=off")  # fmt: skip
    live, batched, faulty = (tmp_path / name for name in ("live", "batched", "faulty"))
    store = ("--replies", tmp_path / "r.sqlite")
    with stub("--writer", f"{SCRIBE}:Scribe") as server:
        base = ("--api-base", server.url)
        done = realhop(*words, *store, *base, "--out", live, "--max-calls", "7")
        assert done.returncode == 3
        assert "--max-calls 7 is reached" in done.stderr
        assert not live.exists()
        done = realhop(*words, *store, *base, "--out", live)
        assert done.returncode == 0, done.stderr
        assert max(server.stats()["calls"].values()) == 1
    replayed = realhop(*words, *store, "--out", tmp_path / "again", "--offline")
    assert replayed.returncode == 0, replayed.stderr
    assert contents(tmp_path / "again") == contents(live)
    missing = realhop(*words, "--replies", tmp_path / "none.sqlite", "--offline",
                      "--out", tmp_path / "no")  # fmt: skip
    assert missing.returncode == 3
    assert "run without --offline" in missing.stderr
    _batch(words, batched, tmp_path)
    assert contents(batched) == contents(live)
    faults = "limited,error,reset,empty,cut,broken,schema,filtered"
    with stub("--writer", f"{SCRIBE}:Scribe", "--faults", faults, "--fault-rate", "0.3",
              "--faulty-calls", "2", "--retry-after", "0.1") as server:  # fmt: skip
        done = realhop(*words, "--replies", tmp_path / "f.sqlite", "--api-base", server.url,
                       "--out", faulty, "--json")  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert verify_refusal(faulty).ok
    figures = json.loads(done.stdout)
    assert figures["constructed"] >= 6
    assert figures["calls"]["retries"] > 5


def _batch(words: tuple[str | Path, ...], out: Path, folder: Path) -> None:
    """Go from batch file to batch file until the dataset is there."""
    from tests.llm.stub_server import Script, answer_batch

    script = Script(None, f"{SCRIBE}:Scribe")
    store, batches = folder / "b.sqlite", folder / "batches"
    for _ in range(20):
        done = realhop(*words, "--replies", store, "--batch", batches, "--out", out)
        if done.returncode == 0:
            return
        assert done.returncode == 3, done.stderr
        assert "wait for replies" in done.stderr
        results = folder / "results.jsonl"
        lines = [row for path in sorted(batches.glob("*.jsonl"))
                 for row in answer_batch(path, script)]  # fmt: skip
        results.write_text("".join(json.dumps(row) + "\n" for row in lines), encoding="utf-8")
        assert realhop("replies", "import", results, "--replies", store).returncode == 0
    raise AssertionError("twenty batches were not enough")
