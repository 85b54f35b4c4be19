"""The dataset card and the Croissant metadata: figures, terms, canary, and what readers load."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from realhop_kg.freeze.card import CANARY, card
from realhop_kg.freeze.croissant import croissant
from realhop_kg.freeze.hashes import describe_file, describe_input, folder_digest
from realhop_kg.freeze.manifest import (
    CROISSANT,
    ITEMS,
    README,
    CertificateCounts,
    CompetitorCounts,
    Counts,
    FileEntry,
    Manifest,
    Share,
    canary_of,
)
from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.freeze.terms import source_terms
from tests.freeze.samples import provenance, write_dataset

ENTRY = FileEntry(sha256="a" * 64, bytes=10, records=1)
COUNTS = Counts(
    read=65,
    constructed=20,
    excluded=45,
    excluded_by_code={"B1": 5, "Q4": 40},
    topologies={"2hop": 15, "3hop1": 5},
    hops=45,
    competitors=CompetitorCounts(strict=88, flexible=40, fragments=2),
    certificates=CertificateCounts(
        unique=Share(holds=20, of=20),
        hop_necessity=Share(holds=45, of=45),
        premise_necessity=Share(holds=60, of=60),
        v1=Share(holds=44, of=45),
        v2=Share(holds=20, of=25),
    ),
)


def manifest(**changes: Any) -> Manifest:
    files = dict.fromkeys((ITEMS, "excluded.jsonl", "graphs.jsonl", "relations.json"), ENTRY)
    fields = {"counts": COUNTS, "files": files, "canary": canary_of("a"), "environment": ENTRY}
    return Manifest(**{**dict(provenance()), **fields, **changes})


@pytest.mark.parametrize(
    "row",
    [
        "| source records read | 65 |",
        "| items constructed | 20 |",
        "| records excluded | 45 |",
        "| items by topology | 2hop 15, 3hop1 5 |",
        "| hops | 45 |",
        "| Strict competitor paths | 88 |",
        "| Flexible competitor paths | 40 (fragments: 2) |",
        "| items whose only derivable answer is gold | 20/20 (100.0%) |",
        "| hops without which it cannot be derived | 45/45 (100.0%) |",
        "| premises without which it cannot be derived | 60/60 (100.0%) |",
        "| hops whose Drop leaves a complete competitor (V1) | 44/45 (97.8%) |",
        "| non-terminal hops whose Drop leaves two continuations (V2) | 20/25 (80.0%) |",
        "| Q4 | 40 | every root hop names an entity that can be renamed |",
        "| V1 | after each Drop at least one competitor path is complete | diagnostic |",
        "| U1 | the only answer derivable from everything realized is the gold answer | yes |",
    ],
)
def test_the_card_gives_every_figure_with_its_denominator(row: str) -> None:
    assert row in card(manifest()).splitlines()


def test_the_card_lists_no_contract_that_only_a_run_can_break() -> None:
    codes = [line.split(" | ")[0] for line in card(manifest()).splitlines()]
    assert not {"| A1", "| S5a", "| Q1"} & set(codes)


def test_musique_text_is_attributed_under_its_licence() -> None:
    text = card(manifest())
    assert "license: cc-by-4.0" in text
    assert "[CC BY 4.0](https://creativecommons.org/licenses/by/4.0/)" in text
    assert "Trivedi" in text
    assert "Transactions of the Association for Computational Linguistics, 2022" in text


def test_the_terms_of_own_files_are_their_own() -> None:
    text = card(manifest(dataset="jsonl", terms=source_terms("jsonl")))
    assert "license: other" in text
    assert "Licence of the retained source text: as the source." in text
    assert "Trivedi" not in text


def test_an_unknown_source_is_treated_like_own_files() -> None:
    assert source_terms("something else") == source_terms("jsonl")


def test_the_canary_depends_on_the_items_and_on_nothing_else(tmp_path: Path) -> None:
    one = write_dataset(tmp_path / "one", items=1)
    two = write_dataset(tmp_path / "two", items=1, excluded=1, seed=8, name="other")
    more = write_dataset(tmp_path / "more", items=2)
    assert one.canary == two.canary != more.canary
    assert CANARY.format(guid=one.canary) in (tmp_path / "one" / README).read_text()


def test_a_dataset_without_items_or_inputs_has_a_card() -> None:
    text = card(manifest(counts=Counts()))
    assert "| items whose only derivable answer is gold | none |" in text
    assert "## Excluded records\n\nNone.\n" in text
    assert "### Inputs\n\nNone recorded.\n" in text


def test_inputs_are_listed_by_name_and_hash(tmp_path: Path) -> None:
    (tmp_path / "odd|name.jsonl").write_text("{}\n")
    source = describe_input(tmp_path / "odd|name.jsonl")
    text = card(manifest(inputs=(source,)))
    assert f"| odd\\|name.jsonl | 3 | {source.sha256} |" in text
    assert str(tmp_path) not in text


def test_the_snippet_of_the_card_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_dataset(tmp_path / "DIR")
    monkeypatch.chdir(tmp_path)
    snippet = (tmp_path / "DIR" / README).read_text().split("```python\n")[1].split("```")[0]
    exec(snippet, {})
    items = list(FrozenDataset.open("DIR").items())
    assert capsys.readouterr().out == "".join(f"{i.question} {i.answer}\n" for i in items)


# Croissant


def test_metadata_name_every_data_file_with_its_hash(tmp_path: Path) -> None:
    written = write_dataset(tmp_path / "ds")
    described = json.loads((tmp_path / "ds" / CROISSANT).read_text())
    assert described["conformsTo"] == "http://mlcommons.org/croissant/1.0"
    assert {entry["contentUrl"]: entry["sha256"] for entry in described["distribution"]} == {
        name: written.files[name].sha256
        for name in (ITEMS, "excluded.jsonl", "graphs.jsonl", "relations.json")
    }


def test_a_name_becomes_one_that_hubs_accept() -> None:
    assert croissant(manifest(name="my set | v1"))["name"] == "my-set-v1"
    assert croissant(manifest(name="|"))["name"] == "realhop"


@pytest.mark.filterwarnings("ignore")  # of the validator's own dependencies
def test_the_reference_reader_accepts_the_metadata_and_loads_the_items(tmp_path: Path) -> None:
    mlcroissant = pytest.importorskip("mlcroissant", reason="mlcroissant is not installed")
    write_dataset(tmp_path / "ds")
    dataset = mlcroissant.Dataset(jsonld=tmp_path / "ds" / CROISSANT)
    assert dataset.metadata.ctx.issues.errors == set()
    loaded = list(dataset.records("items"))
    items = list(FrozenDataset.open(tmp_path / "ds").items())
    assert [record["items/question"].decode() for record in loaded] == [i.question for i in items]
    for record, item in zip(loaded, items, strict=True):
        texts = [part["items/passages/text"].decode() for part in record["items/passages"]]
        assert texts == [passage.text for passage in item.passages]
        assert [hop["items/hops/support"] for hop in record["items/hops"]] == [
            hop.support for hop in item.hops
        ]


# Hashes


def test_a_file_is_described_by_hash_size_and_lines(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"{}\n{}")
    assert describe_file(path) == FileEntry(
        sha256=hashlib.sha256(b"{}\n{}").hexdigest(),
        bytes=5,
        records=2,
    )
    path.write_bytes(b"")
    assert (describe_file(path).bytes, describe_file(path).records) == (0, 0)


def test_the_digest_of_a_folder_depends_on_names_and_contents_only(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name / "in").mkdir(parents=True)
        (tmp_path / name / "in" / "a.yaml").write_text("a: 1\n")
        (tmp_path / name / f"{name}.txt").write_text("no resource")
    first = folder_digest(tmp_path / "one")
    assert folder_digest(tmp_path / "two") == first
    (tmp_path / "two" / "in" / "a.yaml").rename(tmp_path / "two" / "b.yaml")
    assert folder_digest(tmp_path / "two") != first
