"""Reading a dataset: by key, source id or end of id, and clear words where that fails."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from realhop_kg.errors import InputError
from realhop_kg.freeze.freeze import DatasetWriter
from realhop_kg.freeze.manifest import EXCLUDED, GRAPHS, ITEMS, MANIFEST, RELATIONS, seal_of
from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.jsonl import canonical
from tests.freeze.samples import (
    PARENTS,
    PREDICATES,
    exclusion,
    provenance,
    sample_graph,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with DatasetWriter(tmp_path / "ds", provenance(), PREDICATES, PARENTS) as writer:
        for number in (11, 12, 21):
            writer.add(sample_graph(number))
        writer.exclude(exclusion(5))
        writer.exclude(exclusion(6))
        writer.exclude(exclusion(5, "B2", message="id is repeated; give it another"))
    return tmp_path / "ds"


@pytest.fixture
def dataset(folder: Path) -> FrozenDataset:
    return FrozenDataset.open(folder)


@pytest.mark.parametrize("name", ["musique/2hop__12", "2hop__12", "__12", "12"])
def test_an_item_and_its_graph_are_found_by_key_id_or_unique_end(
    dataset: FrozenDataset, name: str
) -> None:
    assert dataset.item(name).id == "musique/2hop__12"
    assert dataset.graph(name) == sample_graph(12)


def test_an_ambiguous_end_lists_what_it_may_mean(dataset: FrozenDataset) -> None:
    with pytest.raises(InputError, match=r"may mean musique/2hop__11, musique/2hop__21; name one"):
        dataset.item("1")


def test_an_exact_source_id_wins_over_ends_of_others(tmp_path: Path) -> None:
    with DatasetWriter(tmp_path / "ds", provenance(), PREDICATES, PARENTS) as writer:
        for number in (112, 12):
            graph = sample_graph(number)
            writer.add(graph)
    dataset = FrozenDataset.open(tmp_path / "ds")
    assert dataset.item("2hop__12").id == "musique/2hop__12"
    with pytest.raises(InputError, match="may mean"):
        dataset.item("12")


def test_an_unknown_name_is_answered_with_the_nearest(dataset: FrozenDataset) -> None:
    with pytest.raises(InputError, match=r"no record '2hop_12' .*nearest: musique/2hop__12"):
        dataset.item("2hop_12")


@pytest.mark.parametrize("name", ["", "zzz"])
def test_a_name_like_no_other_is_answered_with_some_names(
    dataset: FrozenDataset, name: str
) -> None:
    with pytest.raises(InputError, match=r"nearest: musique/2hop__11, musique/2hop__12"):
        dataset.item(name)


def test_an_excluded_record_asked_for_as_item_is_pointed_to(dataset: FrozenDataset) -> None:
    with pytest.raises(InputError, match=r"musique/out__6 was excluded: `realhop explain .*"):
        dataset.item("out__6")
    with pytest.raises(InputError, match=r"musique/2hop__12 was not excluded: `realhop show .*"):
        dataset.exclusions("2hop__12")


def test_all_exclusions_of_one_record_are_given(dataset: FrozenDataset) -> None:
    assert [record.code for record in dataset.exclusions("out__5")] == ["Q4", "B2"]
    assert [record.code for record in dataset.exclusions("musique/out__6")] == ["Q4"]


def test_iteration_is_lazy_and_repeatable(dataset: FrozenDataset) -> None:
    first = next(dataset.items())
    assert first == next(dataset.items())
    assert [item.id for item in dataset.items()] == [
        "musique/2hop__11",
        "musique/2hop__12",
        "musique/2hop__21",
    ]


def test_other_files_are_not_read_for_items(folder: Path) -> None:
    for name in (GRAPHS, RELATIONS, EXCLUDED):
        (folder / name).unlink()
    dataset = FrozenDataset.open(folder)
    assert dataset.item("12").id == "musique/2hop__12"
    with pytest.raises(InputError, match="realhop verify"):
        dataset.graph("12")
    with pytest.raises(InputError, match="realhop verify"):
        _ = dataset.predicates


def test_a_damaged_line_is_named(folder: Path) -> None:
    lines = (folder / ITEMS).read_bytes().splitlines(keepends=True)
    (folder / ITEMS).write_bytes(lines[0] + b"{" + lines[1])
    with pytest.raises(InputError, match=r"items\.jsonl, line 2, cannot be read"):
        list(FrozenDataset.open(folder).items())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "is no frozen dataset"),
        (b"{", "is damaged"),
        (b"[]", "is damaged"),
        (b"\xff", "is damaged"),
        (b'{"schema_version": 1}', "is damaged"),
    ],
)
def test_a_folder_without_a_sound_manifest_is_refused(
    folder: Path, content: bytes | None, message: str
) -> None:
    (folder / MANIFEST).unlink()
    if content is not None:
        (folder / MANIFEST).write_bytes(content)
    with pytest.raises(InputError, match=message):
        FrozenDataset.open(folder)


def test_a_path_that_is_no_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no folder"):
        FrozenDataset.open(tmp_path / "nowhere")


def test_a_dataset_of_a_newer_schema_is_refused(folder: Path) -> None:
    raw = json.loads((folder / MANIFEST).read_text())
    raw["schema_version"] = 99
    raw["seal"] = seal_of(raw)
    (folder / MANIFEST).write_text(canonical(raw) + "\n")
    with pytest.raises(InputError, match=r"schema version 99.*upgrade"):
        FrozenDataset.open(folder)


def test_items_come_with_their_graphs_and_predicates(folder: Path) -> None:
    dataset = FrozenDataset.open(folder)
    whole = list(dataset.whole())
    assert [item for item, _, _ in whole] == list(dataset.items())
    for item, graph, predicates in whole:
        assert graph == dataset.graph(item.id)
        assert dict(predicates) == dict(dataset.predicates_of(item.id))


def test_an_item_without_its_graph_is_damage(folder: Path) -> None:
    lines = (folder / GRAPHS).read_bytes().splitlines(keepends=True)
    (folder / GRAPHS).write_bytes(b"".join([lines[0], lines[2], lines[1]]))
    with pytest.raises(InputError, match=r"graphs\.jsonl, line 2, cannot be read"):
        list(FrozenDataset.open(folder).whole())
    (folder / GRAPHS).write_bytes(lines[0])
    with pytest.raises(InputError, match=r"graphs\.jsonl cannot be read"):
        list(FrozenDataset.open(folder).whole())
