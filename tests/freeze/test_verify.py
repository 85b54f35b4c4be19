"""Verifying a dataset: whatever was changed is found, and named precisely."""

from __future__ import annotations

import gc
import json
import random
import shutil
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from realhop_kg.errors import InputError
from realhop_kg.freeze.hashes import describe_file
from realhop_kg.freeze.manifest import (
    CROISSANT,
    DATA_FILES,
    ENVIRONMENT,
    EXCLUDED,
    FILES,
    GRAPHS,
    ITEMS,
    MANIFEST,
    README,
    RELATIONS,
    Manifest,
    sealed,
)
from realhop_kg.freeze.report import Discrepancy, VerifyReport
from realhop_kg.freeze.verify import verify
from realhop_kg.jsonl import canonical
from tests.freeze.samples import write_dataset

KEYS = [f"musique/2hop__{number}" for number in (1, 2, 3)]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset that no test may touch."""
    folder = tmp_path_factory.mktemp("verify") / "sound"
    write_dataset(folder, items=3, excluded=2)
    return folder


@pytest.fixture
def folder(sound: Path, tmp_path: Path) -> Path:
    """A copy of it to damage."""
    return Path(shutil.copytree(sound, tmp_path / "ds"))


def lines_of(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


def edit(path: Path, line: int, change: Callable[[Any], object]) -> None:
    """Change the JSON of one line in place, counted from 1."""
    lines = lines_of(path)
    data = json.loads(lines[line - 1])
    change(data)
    lines[line - 1] = canonical(data).encode() + b"\n"
    path.write_bytes(b"".join(lines))


def reseal(folder: Path, **changes: Any) -> None:
    """Make the manifest match changed files, as someone would who hides the change."""
    raw = json.loads((folder / MANIFEST).read_text())
    raw["files"] = {name: describe_file(folder / name).model_dump() for name in DATA_FILES}
    raw["environment"] = describe_file(folder / ENVIRONMENT).model_dump()
    manifest = sealed(Manifest.model_validate({**raw, **changes}))
    (folder / MANIFEST).write_text(canonical(manifest.model_dump(mode="json")) + "\n")


def found(report: VerifyReport, **wanted: object) -> list[Discrepancy]:
    """Return the discrepancies with these fields."""
    return [
        discrepancy
        for discrepancy in report.discrepancies
        if all(getattr(discrepancy, field) == value for field, value in wanted.items())
    ]


def test_a_dataset_as_it_was_written_has_no_discrepancy(sound: Path) -> None:
    report = verify(sound)
    assert [str(discrepancy) for discrepancy in report.discrepancies] == []
    assert report.ok
    manifest = Manifest.model_validate_json((sound / MANIFEST).read_bytes())
    assert (report.digest, report.counts) == (manifest.digest, manifest.counts)


def test_an_empty_dataset_has_no_discrepancy(tmp_path: Path) -> None:
    write_dataset(tmp_path / "ds", items=0, excluded=0)
    assert verify(tmp_path / "ds").ok


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


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    [discrepancy] = found(verify(folder), file=name, trouble="missing")
    assert discrepancy.message == "is missing; take it from a fresh copy"


def test_a_file_that_is_no_part_of_a_dataset_is_named(folder: Path) -> None:
    (folder / "notes.txt").write_text("mine")
    (folder / "more").mkdir()
    assert [d.file for d in found(verify(folder), trouble="unknown")] == ["more", "notes.txt"]


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


# Items and graphs, changed by someone who mends the hashes


def test_an_item_that_its_graph_does_not_give_is_named_with_the_field(folder: Path) -> None:
    edit(folder / ITEMS, 2, lambda item: item["hops"][0].update(answer="Elsewhere"))
    reseal(folder)
    [discrepancy] = found(verify(folder), file=ITEMS)
    assert (discrepancy.line, discrepancy.item) == (2, KEYS[1])
    assert (discrepancy.trouble, discrepancy.field) == ("differs", "hops.0.answer")
    assert discrepancy.message.startswith('is "Elsewhere", its graph gives "')


def test_an_item_laid_out_otherwise_is_named(folder: Path) -> None:
    lines = lines_of(folder / ITEMS)
    lines[0] = lines[0].replace(b'":', b'": ', 1)
    (folder / ITEMS).write_bytes(b"".join(lines))
    reseal(folder)
    [discrepancy] = found(verify(folder), file=ITEMS)
    assert discrepancy.message == "is not the canonical JSON that was written"


def test_a_contract_that_a_graph_breaks_is_named_with_its_code(folder: Path) -> None:
    def unroute(graph: dict[str, Any]) -> None:
        routed = [edge for edge in graph["edges"] if edge["kind"] == "ROUTED_TO"]
        graph["edges"].remove(routed[0])

    edit(folder / GRAPHS, 3, unroute)
    reseal(folder)
    codes = {
        d.code for d in found(verify(folder), trouble="contract", file=GRAPHS, line=3, item=KEYS[2])
    }
    assert "H1" in codes


def test_swapped_items_are_noticed(folder: Path) -> None:
    one, two, three = lines_of(folder / ITEMS)
    (folder / ITEMS).write_bytes(two + one + three)
    reseal(folder)
    report = verify(folder)
    assert [(d.file, d.line, d.item) for d in found(report, trouble="differs") if d.line] == [
        (GRAPHS, 1, KEYS[0]),
        (ITEMS, 2, KEYS[0]),
    ]


@pytest.mark.parametrize(("name", "other"), [(ITEMS, GRAPHS), (GRAPHS, ITEMS)])
def test_a_record_without_its_partner_is_named(folder: Path, name: str, other: str) -> None:
    lines = lines_of(folder / name)
    (folder / name).write_bytes(lines[0] + lines[2])
    reseal(folder)
    report = verify(folder)
    [discrepancy] = [d for d in report.discrepancies if d.line]
    assert (discrepancy.file, discrepancy.line, discrepancy.item) == (other, 2, KEYS[1])
    assert found(report, trouble="unchecked", file=MANIFEST)


def test_a_repeated_id_is_named(folder: Path) -> None:
    for name in (ITEMS, GRAPHS):
        lines = lines_of(folder / name)
        (folder / name).write_bytes(b"".join([*lines, lines[0]]))
    reseal(folder)
    [discrepancy] = [d for d in verify(folder).discrepancies if d.line]
    assert (discrepancy.line, discrepancy.item) == (4, KEYS[0])
    assert discrepancy.message == "the id is repeated"


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"",
        b"[]",
        b"7",
        b"{}",
        b'{"id":7}',
        b'{"id":"musique/2hop__2"}',
        b'{"id":"musique/2hop__2","graph":{"schema_version":1},"nodes":[7],"edges":[]}',
        b'{"id":"musique/2hop__2","graph":{"schema_version":1},"nodes":[],"edges":[]}',
        b"\xff\xfe",
        b"[" * 100_000,
    ],
)
def test_a_line_that_is_no_graph_is_a_finding(folder: Path, line: bytes) -> None:
    lines = lines_of(folder / GRAPHS)
    (folder / GRAPHS).write_bytes(lines[0] + line + b"\n" + lines[2])
    reseal(folder)
    report = verify(folder)
    assert found(report, file=GRAPHS, line=2)
    assert not found(report, item=KEYS[0])
    assert not found(report, item=KEYS[2])


def test_a_line_end_that_was_lost_costs_two_items_only(folder: Path) -> None:
    one, two, three = lines_of(folder / GRAPHS)
    (folder / GRAPHS).write_bytes(one.removesuffix(b"\n") + b" " + two + three)
    report = verify(folder)
    assert found(report, file=GRAPHS, line=1, trouble="unreadable")
    assert [d.item for d in found(report, file=ITEMS)] == KEYS[:2]


def test_a_predicate_that_is_not_declared_is_named(folder: Path) -> None:
    relations = json.loads((folder / RELATIONS).read_text())
    gone = relations["predicates"].pop()["id"]
    (folder / RELATIONS).write_text(json.dumps(relations))
    reseal(folder)
    report = verify(folder)
    named = [d for d in report.discrepancies if repr(gone) in d.message]
    assert {d.file for d in named} <= {GRAPHS, RELATIONS}
    assert named


def test_unreadable_relations_leave_the_records_to_be_compared(folder: Path) -> None:
    (folder / RELATIONS).write_text("[]")
    edit(folder / ITEMS, 1, lambda item: item.update(answer="Elsewhere"))
    report = verify(folder)
    assert found(report, file=RELATIONS, trouble="unreadable")
    assert found(report, file=ITEMS, field="answer")
    assert len(found(report, file=GRAPHS, trouble="unchecked")) == 3


# Excluded records


def test_an_excluded_record_under_no_code_is_named(folder: Path) -> None:
    edit(folder / EXCLUDED, 2, lambda record: record.update(code="Z9"))
    reseal(folder)
    report = verify(folder)
    [discrepancy] = found(report, file=EXCLUDED)
    assert (discrepancy.line, discrepancy.code, discrepancy.field) == (2, "Z9", "code")
    assert [d.field for d in found(report, trouble="counts")] == [
        "counts.excluded_by_code.Q4",
        "counts.excluded_by_code.Z9",
    ]


@pytest.mark.parametrize("line", [b"{", b"", b"[]", b"{}", b"\xff"])
def test_an_excluded_line_that_is_no_record_is_a_finding(folder: Path, line: bytes) -> None:
    lines = lines_of(folder / EXCLUDED)
    (folder / EXCLUDED).write_bytes(line + b"\n" + lines[1])
    reseal(folder)
    assert found(verify(folder), file=EXCLUDED, line=1, trouble="unreadable")


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
    gc.collect()


def peak_of_verifying(folder: Path) -> int:
    tracemalloc.start()
    try:
        assert verify(folder, progress=collected).ok
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_does_not_grow_with_the_number_of_items(tmp_path: Path) -> None:
    for number in (40, 120):  # both longer than the pieces in which files are hashed
        write_dataset(tmp_path / str(number), items=number)
    peak_of_verifying(tmp_path / "40")
    small, large = (peak_of_verifying(tmp_path / str(number)) for number in (40, 120))
    assert large < small + 200_000
