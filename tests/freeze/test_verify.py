"""Verifying a dataset: whatever was changed is found, and named precisely."""

from __future__ import annotations

import gc
import random
import shutil
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from realhop_kg.freeze.freeze import DatasetWriter
from realhop_kg.freeze.manifest import (
    EXCLUDED,
    FILES,
    GRAPHS,
    ITEMS,
    MANIFEST,
    README,
    Manifest,
)
from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.freeze.report import Discrepancy, VerifyReport
from realhop_kg.freeze.verify import verify
from tests.contracts.items import chain
from tests.freeze.damage import KEYS, edit, found, lines_of
from tests.freeze.samples import PARENTS, PREDICATES, exclusion, provenance, rekeyed, write_dataset


def test_a_dataset_as_it_was_written_has_no_discrepancy(sound: Path) -> None:
    report = verify(sound)
    assert [str(discrepancy) for discrepancy in report.discrepancies] == []
    assert report.ok
    manifest = Manifest.model_validate_json((sound / MANIFEST).read_bytes())
    assert (report.digest, report.counts) == (manifest.digest, manifest.counts)


def test_an_empty_dataset_has_no_discrepancy(tmp_path: Path) -> None:
    write_dataset(tmp_path / "ds", items=0, excluded=0)
    assert verify(tmp_path / "ds").ok


def test_diagnostics_are_derived_again_from_the_graph(tmp_path: Path) -> None:
    world = chain()
    for path in ("path:s1b", "path:f1a"):  # what would be complete after the Drop of hop 1
        world.remove_path(path)
    graph, diagnostics = rekeyed(world.build(), 1), world.check()
    assert [finding.code for finding in diagnostics] == ["V1"]
    findings = [finding.model_copy(update={"item": KEYS[0]}) for finding in diagnostics]
    with DatasetWriter(tmp_path / "ds", provenance(), PREDICATES, PARENTS) as writer:
        writer.add(graph, findings)
    assert verify(tmp_path / "ds").ok
    edit(tmp_path / "ds" / ITEMS, 1, lambda item: item["diagnostics"].clear())
    [discrepancy] = found(verify(tmp_path / "ds"), file=ITEMS, item=KEYS[0])
    assert discrepancy.field == "diagnostics"
    assert discrepancy.message == "is 0 entries, its graph gives 1 entries"


def test_half_a_character_in_a_title_does_no_harm(tmp_path: Path) -> None:
    world = chain()
    world.passages[5] = ("Half \ud83d", world.passages[5][1])
    with DatasetWriter(tmp_path / "ds", provenance(), PREDICATES, PARENTS) as writer:
        item = writer.add(rekeyed(world.build(), 1))
        writer.exclude(exclusion(1, question="Half \ud83d"))
    assert verify(tmp_path / "ds").ok
    dataset = FrozenDataset.open(tmp_path / "ds")
    assert dataset.item("1") == item
    assert dataset.exclusions("1")[0].question == "Half \ud83d"


# Bytes


@pytest.mark.parametrize("name", FILES)
def test_one_flipped_bit_anywhere_is_found_and_its_file_is_named(folder: Path, name: str) -> None:
    path = folder / name
    content = path.read_bytes()
    draw = random.Random(name)
    places = {0, len(content) - 1, *(draw.randrange(len(content)) for _ in range(12))}
    for place in sorted(places):
        damaged = bytearray(content)
        damaged[place] ^= 1 << draw.randrange(8)
        path.write_bytes(damaged)
        report = verify(folder)
        assert found(report, file=name), f"byte {place} of {name}: {report.discrepancies}"
    path.write_bytes(content)
    assert verify(folder).ok


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    name=st.sampled_from(FILES),
    at=st.floats(0, 1),
    length=st.integers(0, 40),
    new=st.binary(max_size=20),
)
def test_any_damage_is_found_without_a_crash(
    sound: Path,
    tmp_path_factory: pytest.TempPathFactory,
    name: str,
    at: float,
    length: int,
    new: bytes,
) -> None:
    folder = tmp_path_factory.mktemp("damaged") / "ds"
    shutil.copytree(sound, folder)
    content = (folder / name).read_bytes()
    start = int(at * len(content))
    damaged = content[:start] + new + content[start + length :]
    (folder / name).write_bytes(damaged)
    report = verify(folder)
    assert bool(found(report, file=name)) == (damaged != content)


def test_a_hash_that_differs_does_not_stop_the_other_checks(folder: Path) -> None:
    edit(folder / GRAPHS, 2, lambda graph: graph["nodes"].pop())
    (folder / README).write_text("gone")
    report = verify(folder)
    assert found(report, trouble="hash", file=README)
    assert found(report, trouble="hash", file=GRAPHS)
    assert found(report, file=GRAPHS, line=2, item=KEYS[1])
    assert not found(report, item=KEYS[0])
    assert not found(report, item=KEYS[2])


def test_a_truncated_file_is_told_with_its_numbers(folder: Path) -> None:
    (folder / EXCLUDED).write_bytes(lines_of(folder / EXCLUDED)[0])
    [discrepancy] = found(verify(folder), file=EXCLUDED)
    assert "1 lines where manifest.json records 2" in discrepancy.message


# The report


def test_progress_is_told_after_each_item(sound: Path) -> None:
    told: list[tuple[int, int]] = []
    verify(sound, progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_discrepancies_beyond_the_limit_are_counted(folder: Path) -> None:
    (folder / ITEMS).write_bytes(b"{\n" * 50)
    report = verify(folder, limit=10)
    assert len(report.discrepancies) == 10
    assert report.omitted >= 43
    assert not report.ok


def test_a_report_is_one_line_each_and_json_whatever_the_files_hold(folder: Path) -> None:
    lines = lines_of(folder / ITEMS)
    odd = b'{"id":"a\\nb\\ud83d","answer":"' + b"x" * 5000 + b'"}\n'
    (folder / ITEMS).write_bytes(b"".join([*lines, odd]))
    edit(folder / GRAPHS, 1, lambda graph: graph["nodes"][0].update(id=7, surface=["x"] * 999))
    report = verify(folder)
    assert all(len(str(d).splitlines()) == 1 and len(str(d)) < 1000 for d in report.discrepancies)
    assert VerifyReport.model_validate_json(report.model_dump_json()) == report


def test_a_discrepancy_reads_as_one_line() -> None:
    whole = Discrepancy(trouble="hash", file=README, message="does not match")
    assert str(whole) == "README.md: does not match"
    precise = Discrepancy(
        trouble="differs",
        file=ITEMS,
        line=3,
        item="musique/2hop__1",
        field="hops.0.answer",
        message='is "a", its graph gives "b"',
    )
    assert str(precise) == (
        'items.jsonl:3: musique/2hop__1 hops.0.answer: is "a", its graph gives "b"'
    )


def collected(done: int, total: int) -> None:
    """Collect reference cycles, which graphs have, so that only what is kept counts."""
    if done % 4 == 0:
        gc.collect()


def peak_of_verifying(folder: Path) -> int:
    gc.freeze()  # what the tests hold needs no look at every step
    tracemalloc.start()
    try:
        assert verify(folder, progress=collected).ok
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        gc.unfreeze()


def test_memory_does_not_grow_with_the_number_of_items(tmp_path: Path) -> None:
    for number in (6, 18):
        write_dataset(tmp_path / str(number), items=number)
    peak_of_verifying(tmp_path / "6")
    small, large = (peak_of_verifying(tmp_path / str(number)) for number in (6, 18))
    # A file is hashed in pieces of 1 MiB, which the small one does not fill. Kept graphs would
    # be 5 MiB.
    assert large < small + (1 << 20) + 200_000
