from __future__ import annotations

import gzip
import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest

from realhop_kg.errors import InputError
from realhop_kg.jsonl import BadLine, RawRecord, read_records


def put(folder: Path, content: bytes | str, name: str = "records.jsonl") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def data(path: Path, **options: Any) -> list[Any]:
    return [record.data for record in read_records(path, **options) if good(record)]


def good(record: RawRecord | BadLine) -> bool:
    return isinstance(record, RawRecord)


def bad(path: Path, **options: Any) -> list[tuple[int, str]]:
    records = read_records(path, **options)
    return [(record.line, record.reason) for record in records if isinstance(record, BadLine)]


# compressed files


def noisy(number: int) -> dict[str, Any]:
    return {"id": number, "text": hashlib.sha256(str(number).encode()).hexdigest() * 3}


@pytest.mark.parametrize("as_list", [False, True], ids=["lines", "list"])
@pytest.mark.parametrize("share", [0.01, 0.3, 0.77, 0.999])
def test_a_cut_off_gz_gives_all_before_the_cut_and_one_report(
    tmp_path: Path, share: float, as_list: bool
):
    values = [noisy(number) for number in range(2000)]
    text = json.dumps(values) if as_list else "\n".join(map(json.dumps, values))
    packed = gzip.compress(text.encode())
    cut = packed[: int(len(packed) * share)]
    found = list(read_records(put(tmp_path, cut, "records.jsonl.gz")))
    kept = [record.data for record in found if isinstance(record, RawRecord)]
    assert kept == values[: len(kept)]
    assert abs(len(kept) - share * len(values)) < 60  # what the packer holds back, and no more
    assert isinstance(found[-1], BadLine)
    assert "cut off" in found[-1].reason
    assert found[-1].line == len(kept) + 1
    assert len(found) == len(kept) + 1


def test_a_gz_that_lost_its_trailer_gives_every_record_and_one_report(tmp_path: Path):
    packed = gzip.compress(b'{"id": 1}\n{"id": 2}')
    path = put(tmp_path, packed[:-8])
    assert data(path) == [{"id": 1}, {"id": 2}]
    assert [number for number, _ in bad(path)] == [3]


def test_a_gz_with_a_wrong_checksum_is_reported(tmp_path: Path):
    packed = bytearray(gzip.compress(b'{"id": 1}\n'))
    packed[-6] ^= 1
    path = put(tmp_path, bytes(packed))
    assert data(path) == [{"id": 1}]
    assert "damaged" in bad(path)[0][1]


def test_gz_members_one_after_another_are_read_as_one_file(tmp_path: Path):
    path = put(tmp_path, gzip.compress(b'{"id": 1}\n') + gzip.compress(b'{"id": 2}\n'))
    assert data(path) == [{"id": 1}, {"id": 2}]


# files that are none


@pytest.mark.parametrize("content", [b"", b"\n \r\n", b"\xef\xbb\xbf", gzip.compress(b"", mtime=0)])
def test_an_empty_file_is_refused(tmp_path: Path, content: bytes):
    with pytest.raises(InputError, match="is empty"):
        next(read_records(put(tmp_path, content)))


def test_a_missing_file_is_refused_in_one_line(tmp_path: Path):
    with pytest.raises(InputError, match=r"^[^\n]*none\.jsonl cannot be read: No such file[^\n]*$"):
        next(read_records(tmp_path / "none.jsonl"))


def test_a_folder_is_refused(tmp_path: Path):
    with pytest.raises(InputError, match="is a folder"):
        next(read_records(tmp_path))


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_refused(tmp_path: Path):
    path = put(tmp_path, "{}")
    path.chmod(0)
    with pytest.raises(InputError, match="Permission denied"):
        next(read_records(path))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_another_encoding_is_refused_at_once(tmp_path: Path, encoding: str):
    with pytest.raises(InputError, match="save it as UTF-8"):
        next(read_records(put(tmp_path, '{"id": 1}\n'.encode(encoding))))
