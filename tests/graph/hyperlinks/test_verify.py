"""An index is checked together with its pages; each fault is one line."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from graph_builders.kilt import build_index
from realhop_kg.graph.hyperlinks.manifest import IndexManifest
from realhop_kg.graph.hyperlinks.verify import broken_index
from tests.graph.hyperlinks.kilt_pages import page, write_pages

PAGES = [page(name, f"{name} is a town in Kest.") for name in ("Ostra", "Mill", "Vell_Bay")]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = write_pages(tmp_path / "pages.jsonl", PAGES)
    build_index([path], tmp_path / "index", created_by="test")
    return path


def faults(folder: Path) -> list[str]:
    return list(broken_index(folder, IndexManifest.read(folder)))


def test_a_whole_index_has_none_and_every_byte_is_read(source: Path, tmp_path: Path) -> None:
    folder = tmp_path / "index"
    manifest = IndexManifest.read(folder)
    seen: list[tuple[int, int]] = []
    assert list(broken_index(folder, manifest, lambda *told: seen.append(told))) == []
    total = source.stat().st_size + sum(each.bytes for each in manifest.files)
    assert seen[-1] == (total, total)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


def test_a_changed_letter_in_a_text_is_found(source: Path, tmp_path: Path) -> None:
    source.write_bytes(source.read_bytes().replace(b"town in Kest", b"town in Kost", 1))
    [fault] = faults(tmp_path / "index")
    assert fault == (
        "pages.jsonl has changed since it was indexed; put it back, or index the pages again"
    )


def test_pages_that_are_gone_are_named(source: Path, tmp_path: Path) -> None:
    content = source.read_bytes()
    source.write_bytes(content.replace(b"Mill", b"Mall").replace(b'{"', b"[{", 1))
    changed, *named = faults(tmp_path / "index")
    assert "has changed" in changed
    assert named == [
        "pages.jsonl: page 'Ostra' is not there",
        "pages.jsonl: page 'Mill' is not there",
    ]


def test_a_file_that_was_cut_is_told_by_its_size(source: Path, tmp_path: Path) -> None:
    size = source.stat().st_size
    source.write_bytes(source.read_bytes()[:-40])
    cut, named = faults(tmp_path / "index")
    assert cut.startswith(f"pages.jsonl has {size - 40:,} bytes, {size:,} when it was indexed")
    assert "page 'Vell_Bay'" in named or "page 'Vell Bay'" in named


def test_many_pages_are_counted(tmp_path: Path) -> None:
    path = write_pages(tmp_path / "p.jsonl", [page(f"P{n}", "Here.") for n in range(50)])
    build_index([path], tmp_path / "index", created_by="test")
    path.write_bytes(b"\n" * path.stat().st_size)
    found = faults(tmp_path / "index")
    assert len(found) == 22
    assert found[-1] == "p.jsonl: and 30 more pages"


@pytest.mark.parametrize("wrong", ["missing", "list", "none"])
def test_pages_that_cannot_be_read_are_one_fault(source: Path, tmp_path: Path, wrong: str) -> None:
    folder = tmp_path / "index"
    if wrong == "missing":
        source.unlink()
    else:
        (folder / "sources.json").write_text('{"a": 1}' if wrong == "list" else "[]")
    [fault] = faults(folder)
    why = "No such file" if wrong == "missing" else "the index does not say where it is"
    assert fault.startswith(f"pages.jsonl cannot be read: {why}")


def test_kept_texts_are_checked_in_the_index(tmp_path: Path) -> None:
    path = tmp_path / "pages.jsonl.gz"
    plain = write_pages(tmp_path / "plain.jsonl", PAGES)
    path.write_bytes(gzip.compress(plain.read_bytes()))
    folder = tmp_path / "index"
    build_index([path], folder, created_by="test")
    path.unlink()
    assert faults(folder) == []
    texts = folder / "texts.bin"
    content = bytearray(texts.read_bytes())
    content[3] ^= 255
    texts.write_bytes(content)
    changed, named = faults(folder)
    assert changed == "texts.bin has changed"
    assert named == "pages.jsonl.gz: page 'Ostra' is not there"


def test_a_damaged_column_says_nothing_of_pages(source: Path, tmp_path: Path) -> None:
    column = tmp_path / "index" / "text_offset.npy"
    column.write_bytes(column.read_bytes()[:-1] + b"\1")
    source.write_bytes(source.read_bytes() + b"\n")
    own, pages = faults(tmp_path / "index")
    assert own == "text_offset.npy has changed"
    assert pages.startswith("pages.jsonl has")
