"""Verifying the files of a dataset as a whole: which there are, and what the manifest says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from realhop_kg.errors import InputError
from realhop_kg.freeze.freeze import DatasetWriter
from realhop_kg.freeze.manifest import (
    CROISSANT,
    FILES,
    GRAPHS,
    ITEMS,
    MANIFEST,
    QUALITY,
    README,
)
from realhop_kg.freeze.verify import verify
from realhop_kg.jsonl import canonical
from tests.freeze.damage import KEYS, edit, found, reseal
from tests.freeze.samples import PARENTS, PREDICATES, provenance, sample_graph


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    [discrepancy] = found(verify(folder), file=name, trouble="missing")
    assert discrepancy.message == "is missing; take it from a fresh copy"


def test_a_file_that_is_no_part_of_a_dataset_is_named(folder: Path) -> None:
    (folder / "notes.txt").write_text("mine")
    (folder / "more").mkdir()
    assert [d.file for d in found(verify(folder), trouble="unknown")] == ["more", "notes.txt"]


def test_a_dataset_without_quality_report_is_whole_and_none_may_be_added(tmp_path: Path) -> None:
    with DatasetWriter(tmp_path / "ds", provenance(), PREDICATES, PARENTS) as writer:
        writer.add(sample_graph(1))
    assert verify(tmp_path / "ds").ok
    (tmp_path / "ds" / QUALITY).write_text("{}\n")
    assert [d.file for d in found(verify(tmp_path / "ds"), trouble="unknown")] == [QUALITY]


def test_a_folder_in_place_of_a_file_is_named(folder: Path) -> None:
    (folder / GRAPHS).unlink()
    (folder / GRAPHS).mkdir()
    assert found(verify(folder), file=GRAPHS, trouble="missing")


# The manifest


def test_a_manifest_laid_out_otherwise_is_not_what_was_written(folder: Path) -> None:
    raw = json.loads((folder / MANIFEST).read_text())
    (folder / MANIFEST).write_text(json.dumps(raw, indent=2))
    [discrepancy] = verify(folder).discrepancies
    assert (discrepancy.file, discrepancy.trouble) == (MANIFEST, "seal")


def test_a_changed_setting_breaks_digest_and_seal(folder: Path) -> None:
    raw = json.loads((folder / MANIFEST).read_text())
    raw["seed"] = 8
    (folder / MANIFEST).write_text(canonical(raw) + "\n")
    fields = [d.field for d in found(verify(folder), file=MANIFEST, trouble="seal")]
    assert fields == ["seal", "digest"]


def test_figures_that_do_not_add_up_are_named(folder: Path) -> None:
    counts = json.loads((folder / MANIFEST).read_text())["counts"]
    counts["hops"] += 1
    counts["excluded_by_code"] = {"Q4": 1, "Q5": 1}
    reseal(folder, counts=counts)
    assert [(d.field, d.message) for d in verify(folder).discrepancies] == [
        ("counts.excluded_by_code.Q4", "records 1, the files give 2"),
        ("counts.excluded_by_code.Q5", "records 1, the files give nothing"),
        ("counts.hops", f"records {counts['hops']}, the files give {counts['hops'] - 1}"),
    ]


def test_an_unreadable_manifest_leaves_the_contracts_to_be_checked(folder: Path) -> None:
    (folder / MANIFEST).write_text("{")
    edit(folder / ITEMS, 1, lambda item: item.update(answer="Elsewhere"))
    report = verify(folder)
    assert found(report, file=MANIFEST, trouble="unreadable")
    assert found(report, file=ITEMS, line=1, item=KEYS[0], field="answer")
    assert report.digest == ""


def test_metadata_that_contradict_the_manifest_are_named(folder: Path) -> None:
    described = json.loads((folder / CROISSANT).read_text())
    described["distribution"][0]["sha256"] = "0" * 64
    (folder / CROISSANT).write_text(json.dumps(described))
    (folder / README).write_text("# No canary\n")
    reseal(folder)
    report = verify(folder)
    assert [(d.file, d.trouble) for d in report.discrepancies] == [
        (README, "differs"),
        (CROISSANT, "differs"),
    ]


def test_a_sound_manifest_of_a_newer_schema_is_refused(folder: Path) -> None:
    reseal(folder, schema_version=99)
    with pytest.raises(InputError, match="upgrade"):
        verify(folder)


def test_a_folder_that_is_no_dataset_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no frozen dataset"):
        verify(tmp_path)
    with pytest.raises(InputError, match="is no frozen dataset"):
        verify(tmp_path / "nowhere")
