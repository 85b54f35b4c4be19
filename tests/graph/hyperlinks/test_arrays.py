"""Columns on disk are ordinary .npy files, written in parts and read by memory map."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from realhop_kg.errors import InputError
from realhop_kg.graph.hyperlinks.arrays import (
    ArrayWriter,
    TextColumn,
    TextWriter,
    open_array,
    write_array,
)


@pytest.mark.parametrize("kind", ["u1", "u2", "u4", "i4", "u8", "i8"])
def test_a_column_reads_back_in_numpy_and_without_it(tmp_path: Path, kind: str) -> None:
    values = np.array([0, 1, 127], kind)
    write_array(tmp_path / "a.npy", values)
    assert np.load(tmp_path / "a.npy").tolist() == open_array(tmp_path / "a.npy").tolist()
    assert np.load(tmp_path / "a.npy").dtype == values.dtype


def test_parts_are_joined(tmp_path: Path) -> None:
    with ArrayWriter(tmp_path / "a.npy", "<u4") as column:
        column.write(np.array([1, 2], "<u4"))
        column.write(np.array([3], "<u4"))
        assert column.count == 3
    assert open_array(tmp_path / "a.npy").tolist() == [1, 2, 3]


def test_an_empty_column_is_one(tmp_path: Path) -> None:
    write_array(tmp_path / "a.npy", np.empty(0, np.uint64))
    assert len(open_array(tmp_path / "a.npy")) == 0
    assert len(np.load(tmp_path / "a.npy")) == 0


@pytest.mark.parametrize("content", [b"", b"no column", None])
def test_what_is_no_column_is_refused(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "a.npy").write_bytes(content)
    with pytest.raises(InputError, match="build the index again"):
        open_array(tmp_path / "a.npy")


def test_a_column_that_is_cut_off_is_refused(tmp_path: Path) -> None:
    write_array(tmp_path / "a.npy", np.arange(10, dtype=np.uint32))
    whole = (tmp_path / "a.npy").read_bytes()
    (tmp_path / "a.npy").write_bytes(whole[:-1])
    with pytest.raises(InputError, match="167 bytes, not 168"):
        open_array(tmp_path / "a.npy")


def test_texts_read_back(tmp_path: Path) -> None:
    texts = ["", "Ostra", "Zürich €", "half \ud800"]
    writer = TextWriter()
    for text in texts:
        writer.append(text)
    writer.write(tmp_path, "titles")
    assert [writer[place] for place in range(len(writer))] == texts
    column = TextColumn(tmp_path, "titles")
    assert list(column) == texts
    assert column[1:3] == texts[1:3]
    with pytest.raises(IndexError):
        column[4]
