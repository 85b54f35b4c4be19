"""Writing a dataset: whole or not at all, the same bytes every time, in constant memory."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

from realhop_kg.errors import ContractError, InputError, OutputExistsError, VerificationError
from realhop_kg.freeze.freeze import DatasetWriter, pack
from realhop_kg.freeze.manifest import (
    ENVIRONMENT,
    FILES,
    GRAPHS,
    ITEMS,
    MANIFEST,
    QUALITY,
    dataset_digest,
    read_manifest,
    seal_of,
)
from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.relations.predicates import Predicates
from tests.freeze import samples
from tests.freeze.samples import PARENTS, PREDICATES, exclusion, provenance, sample_graph

ROOT = Path(__file__).resolve().parents[2]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def in_process(code: str, *arguments: str, hash_seed: str = "0") -> subprocess.Popen[bytes]:
    """Start Python code in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
    )


# What is written


def test_a_dataset_has_exactly_its_nine_files(tmp_path: Path) -> None:
    samples.write_dataset(tmp_path / "ds")
    assert sorted(contents(tmp_path / "ds")) == sorted(FILES)


def test_items_graphs_and_exclusions_are_read_back_as_they_were_given(tmp_path: Path) -> None:
    with DatasetWriter(tmp_path / "ds", provenance(), PREDICATES, PARENTS) as writer:
        items = [writer.add(sample_graph(number)) for number in (2, 1)]
        writer.exclude(exclusion(3))
    dataset = FrozenDataset.open(tmp_path / "ds")
    assert list(dataset.items()) == items
    assert list(dataset.graphs()) == [
        (item.id, sample_graph(at)) for item, at in zip(items, (2, 1), strict=True)
    ]
    assert list(dataset.excluded()) == [exclusion(3)]
    assert dataset.manifest == writer.manifest


def test_each_line_of_graphs_has_its_item_key_at_the_top(tmp_path: Path) -> None:
    samples.write_dataset(tmp_path / "ds")
    lines = (tmp_path / "ds" / GRAPHS).read_text().splitlines()
    data = [json.loads(line) for line in lines]
    assert [entry.pop("id") for entry in data] == [
        json.loads(line)["id"] for line in (tmp_path / "ds" / ITEMS).read_text().splitlines()
    ]
    assert ReasoningGraph.from_node_link(data[0]) == sample_graph(1)


def test_relations_hold_what_is_used_and_all_that_it_names(tmp_path: Path) -> None:
    samples.write_dataset(tmp_path / "ds")
    dataset = FrozenDataset.open(tmp_path / "ds")
    graph = sample_graph(1)
    used = pack(graph, PREDICATES).predicates
    written = dataset.predicates
    assert used <= written.keys() < PREDICATES.keys()
    for predicate in written.values():
        assert predicate == PREDICATES[predicate.id]
        assert list(predicate.arguments) == list(PREDICATES[predicate.id].arguments)
        assert {*predicate.entails, predicate.inverse, predicate.parent} - {""} <= written.keys()
    assert dataset.parents == PARENTS


def test_counts_account_for_every_record(tmp_path: Path) -> None:
    with DatasetWriter(tmp_path / "ds", provenance(), PREDICATES, PARENTS) as writer:
        items = [writer.add(sample_graph(number)) for number in (1, 2, 3)]
        for number, code in enumerate(("Q4", "B2", "Q4"), 1):
            writer.exclude(exclusion(number, code))
    assert writer.manifest is not None
    counts = writer.manifest.counts
    assert (counts.read, counts.constructed, counts.excluded) == (6, 3, 3)
    assert counts.excluded_by_code == {"B2": 1, "Q4": 2}
    assert counts.topologies == {"2hop": 2, "3hop2": 1}
    assert counts.hops == 2 + 3 + 2
    paths = [path.kind for item in items for path in item.competitors]
    assert counts.competitors.strict == paths.count("strict") == 4 + 6 + 4
    assert counts.competitors.flexible == paths.count("flexible") == 2 + 3 + 2
    assert counts.competitors.fragments == 0
    shares = {name: str(share) for name, share in counts.certificates}
    assert shares == {
        "unique": "3/3",
        "hop_necessity": "7/7",
        "premise_necessity": "8/8",
        "v1": "7/7",
        "v2": "4/4",
    }


def test_every_item_may_be_excluded(tmp_path: Path) -> None:
    manifest = samples.write_dataset(tmp_path / "ds", items=0)
    assert manifest.counts.constructed == 0
    assert list(FrozenDataset.open(tmp_path / "ds").items()) == []


def test_the_quality_report_sees_the_items_as_they_are_read_back(tmp_path: Path) -> None:
    samples.write_dataset(tmp_path / "ds")
    dataset = FrozenDataset.open(tmp_path / "ds")
    recorded = json.loads((tmp_path / "ds" / QUALITY).read_text())
    assert recorded == samples.questions(dataset)
    assert len(recorded["questions"]) == 2


def test_a_quality_report_changes_no_other_file_and_no_digest(tmp_path: Path) -> None:
    samples.write_dataset(tmp_path / "with")
    with DatasetWriter(tmp_path / "without", provenance(), PREDICATES, PARENTS) as writer:
        for number in (1, 2):
            writer.add(sample_graph(number))
        for number in (1, 2):
            writer.exclude(exclusion(number))
    reported, plain = contents(tmp_path / "with"), contents(tmp_path / "without")
    assert reported.keys() - plain.keys() == {QUALITY}
    assert {name for name in plain if plain[name] != reported[name]} == {MANIFEST}
    digests = {read_manifest(tmp_path / name).digest for name in ("with", "without")}
    assert len(digests) == 1


def test_a_quality_report_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    def fails(dataset: FrozenDataset) -> object:
        raise RuntimeError(f"cannot judge {dataset.manifest.name}")

    writer = DatasetWriter(tmp_path / "ds", provenance(), PREDICATES, PARENTS, quality=fails)
    with pytest.raises(RuntimeError, match="cannot judge sample"), writer:
        writer.add(sample_graph(1))
    assert list(tmp_path.iterdir()) == []


def test_the_digest_covers_the_data_and_not_the_software_versions(tmp_path: Path) -> None:
    samples.write_dataset(tmp_path / "ds")
    raw = json.loads((tmp_path / "ds" / MANIFEST).read_text())
    assert raw["digest"] == dataset_digest(raw)
    assert raw["seal"] == seal_of(raw)
    raw["environment"]["sha256"] = "f" * 64
    assert raw["digest"] == dataset_digest(raw)
    assert raw["seal"] != seal_of(raw)
    raw["seed"] += 1
    assert raw["digest"] != dataset_digest(raw)


# The same bytes


def test_two_writes_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        samples.write_dataset(tmp_path / name)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_hash_seeds_do_not_change_a_byte(tmp_path: Path) -> None:
    code = "import sys; from pathlib import Path; from tests.freeze.samples import write_dataset; "
    runs = [
        in_process(f"{code} write_dataset(Path(sys.argv[1]))", str(tmp_path / seed), hash_seed=seed)
        for seed in ("1", "2")
    ]
    for run in runs:
        run.communicate(timeout=60)
    assert [run.returncode for run in runs] == [0, 0]
    assert contents(tmp_path / "1") == contents(tmp_path / "2")
    samples.write_dataset(tmp_path / "here")
    assert contents(tmp_path / "1") == contents(tmp_path / "here")


def test_the_item_does_not_depend_on_the_order_in_which_the_graph_was_built() -> None:
    graph = sample_graph(1)
    again = ReasoningGraph.from_node_link(graph.to_node_link())
    assert pack(again, PREDICATES) == pack(graph, PREDICATES)


# Whole or not at all


def test_a_folder_is_never_overwritten_without_force(tmp_path: Path) -> None:
    samples.write_dataset(tmp_path / "ds")
    before = contents(tmp_path / "ds")
    with pytest.raises(OutputExistsError, match="--force"):
        samples.write_dataset(tmp_path / "ds", items=1)
    assert contents(tmp_path / "ds") == before
    samples.write_dataset(tmp_path / "ds", items=1, force=True)
    assert read_manifest(tmp_path / "ds").counts.constructed == 1
    assert [path.name for path in tmp_path.iterdir()] == ["ds"]


def test_force_does_not_replace_what_is_no_dataset(tmp_path: Path) -> None:
    (tmp_path / "ds").mkdir()
    (tmp_path / "ds" / "thesis.txt").write_text("years of work")
    with pytest.raises(InputError, match="is no dataset"):
        samples.write_dataset(tmp_path / "ds", force=True)
    assert contents(tmp_path / "ds") == {"thesis.txt": b"years of work"}


FOREIGN = {
    "foreign": ({"name": "another project", "version": 3}, "not that of a dataset"),
    "index": ({"kind": "hyperlinks", "created_by": "realhop-kg 1"}, "not that of a dataset"),
}


@pytest.mark.parametrize(("manifest", "said"), FOREIGN.values(), ids=FOREIGN)
def test_force_does_not_replace_a_folder_with_another_manifest(
    tmp_path: Path, manifest: dict[str, object], said: str
) -> None:
    (tmp_path / "ds").mkdir()
    (tmp_path / "ds" / "manifest.json").write_text(json.dumps(manifest))
    before = contents(tmp_path / "ds")
    with pytest.raises(InputError, match=said):
        samples.write_dataset(tmp_path / "ds", force=True)
    assert contents(tmp_path / "ds") == before


def test_force_does_not_replace_a_dataset_with_an_added_file(tmp_path: Path) -> None:
    samples.write_dataset(tmp_path / "ds")
    (tmp_path / "ds" / "replies.sqlite").write_bytes(b"paid replies")
    before = contents(tmp_path / "ds")
    with pytest.raises(InputError, match=r"it holds replies\.sqlite"):
        samples.write_dataset(tmp_path / "ds", force=True)
    assert contents(tmp_path / "ds") == before


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("dataset", "refusal", "another command"),
        ("created_by", "other 1.0", "not written by realhop-kg"),
    ],
)
def test_force_does_not_replace_what_another_command_wrote(
    tmp_path: Path, field: str, value: str, said: str
) -> None:
    samples.write_dataset(tmp_path / "ds")
    path = tmp_path / "ds" / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), field: value}))
    with pytest.raises(InputError, match=said):
        samples.write_dataset(tmp_path / "ds", force=True)


def write_one_and_raise(writer: DatasetWriter, error: BaseException) -> None:
    with writer:
        writer.add(sample_graph(1))
        raise error


def test_an_exception_leaves_nothing_behind(tmp_path: Path) -> None:
    writer = DatasetWriter(tmp_path / "ds", provenance(), PREDICATES, PARENTS)
    with pytest.raises(KeyboardInterrupt):
        write_one_and_raise(writer, KeyboardInterrupt())
    assert list(tmp_path.iterdir()) == []
    assert writer.manifest is None


def test_an_exception_leaves_the_former_dataset_as_it_was(tmp_path: Path) -> None:
    samples.write_dataset(tmp_path / "ds")
    before = contents(tmp_path / "ds")
    writer = DatasetWriter(tmp_path / "ds", provenance(), PREDICATES, PARENTS, force=True)
    with pytest.raises(RuntimeError, match="stop"):
        write_one_and_raise(writer, RuntimeError("stop"))
    assert contents(tmp_path / "ds") == before
    assert [path.name for path in tmp_path.iterdir()] == ["ds"]


def test_a_killed_run_leaves_nothing_under_the_final_name(tmp_path: Path) -> None:
    code = (
        "import sys, time; from pathlib import Path\n"
        "from realhop_kg.freeze.freeze import DatasetWriter\n"
        "from tests.freeze.samples import *\n"
        "with DatasetWriter(Path(sys.argv[1]), provenance(), PREDICATES, PARENTS) as writer:\n"
        "    writer.add(sample_graph(1)); print('started', flush=True); time.sleep(60)\n"
    )
    with in_process(code, str(tmp_path / "ds")) as run:
        assert run.stdout is not None
        started = run.stdout.readline()
        left = [path.name for path in tmp_path.iterdir()]
        run.send_signal(signal.SIGKILL)
    assert started == b"started\n"
    assert [name.startswith(".ds.partial-") for name in left] == [True]
    assert not (tmp_path / "ds").exists()
    samples.write_dataset(tmp_path / "ds")  # the next run clears away what is left
    assert [path.name for path in tmp_path.iterdir()] == ["ds"]


def write_one_of(writer: DatasetWriter, read: int) -> None:
    with writer:
        writer.expect(read)
        writer.add(sample_graph(1))


def test_a_record_that_disappeared_is_noticed(tmp_path: Path) -> None:
    write_one_of(DatasetWriter(tmp_path / "ds", provenance(), PREDICATES, PARENTS), read=1)
    short = DatasetWriter(tmp_path / "short", provenance(), PREDICATES, PARENTS)
    with pytest.raises(VerificationError, match="3 records were read, 1 constructed and 0"):
        write_one_of(short, read=3)
    assert [path.name for path in tmp_path.iterdir()] == ["ds"]


def test_an_undeclared_predicate_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    packed = pack(sample_graph(1), PREDICATES)
    gone = sorted(packed.predicates)[0]
    declared = Predicates(PREDICATES[name] for name in PREDICATES if name != gone)
    with DatasetWriter(tmp_path / "ds", provenance(), declared, PARENTS) as writer:
        with pytest.raises(ContractError, match="is used and not declared"):
            writer.write(packed)
        writer.exclude(exclusion(1))
    assert list(FrozenDataset.open(tmp_path / "ds").items()) == []


# Memory


def peak_of_writing(target: Path, number: int) -> int:
    packed = pack(sample_graph(1), PREDICATES)
    tracemalloc.start()
    try:
        with DatasetWriter(target, provenance(), PREDICATES, PARENTS) as writer:
            for at in range(number):
                writer.write(packed)
                writer.exclude(exclusion(at))
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_does_not_grow_with_the_number_of_items(tmp_path: Path) -> None:
    peak_of_writing(tmp_path / "warm", 5)
    small, large = (peak_of_writing(tmp_path / str(number), number) for number in (20, 120))
    assert large < small + 200_000
    assert (tmp_path / "120" / GRAPHS).stat().st_size > 3_000_000


def test_the_environment_names_versions_and_no_path(tmp_path: Path) -> None:
    samples.write_dataset(tmp_path / "ds")
    recorded = json.loads((tmp_path / "ds" / ENVIRONMENT).read_text())
    assert recorded["python"] == ".".join(str(part) for part in sys.version_info[:3])
    assert {"realhop-kg", "networkx", "pydantic"} <= recorded["packages"].keys()
    assert str(ROOT) not in json.dumps(recorded)
