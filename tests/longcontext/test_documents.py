from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from realhop_kg.audit.tokens import count_tokens
from realhop_kg.errors import InputError
from realhop_kg.longcontext.documents import BadDocument, Document, read_documents, read_pool


def test_a_text_file_is_one_document_whatever_its_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("\ufeffOne.\r\n\r\n \r\nTwo.\r\n".encode())
    [found] = read_documents(path)
    assert found == Document("a.txt", "", "One.\n\nTwo.", 4)


def test_a_folder_gives_its_files_by_name_and_tells_of_what_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_text("Second.", encoding="utf-8")
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "z.md").write_text("First.", encoding="utf-8")
    (tmp_path / "c.txt").write_bytes(b"\xff\xfe broken")
    (tmp_path / "d.txt").write_text("  \n", encoding="utf-8")
    (tmp_path / "e.txt").write_bytes(b"zero \x00 byte")
    (tmp_path / "f.jsonl").write_bytes(b"")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    (tmp_path / "links.tsv.gz").write_bytes(gzip.compress(b"a\tb\n" * 1000))
    (tmp_path / "g.jsonl.gz").write_bytes(gzip.compress(b'{"text": "Third."}\n'))
    pool, told = read_pool(tmp_path)
    assert [each.text for each in pool] == ["First.", "Second.", "Third."]
    assert [message.split(":")[0] for message in told[:3]] == ["c.txt", "d.txt", "e.txt"]
    assert "UTF-8" in told[0]
    assert "f.jsonl" in told[3]
    assert [message.split(":")[0] for message in told[4:]] == ["links.tsv.gz", "picture.png"]


def test_records_are_read_by_their_fields_and_bad_ones_told_by_line(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    rows = [
        {"wikipedia_title": "Orm", "text": ["Orm\n", "Orm is a lake.\n", "Section::::Depth.\n",
                                            "BULLET::::- Nine fathoms.\n"]},
        {"_id": "x", "context": "A long context.", "question": "Who?", "answer": "A"},
        {"title": "T", "text": "Plain."},
        {"text": 5},
        {"other": 1},
        ["no", "object"],
    ]  # fmt: skip
    lines = [json.dumps(row) for row in rows]
    path.write_text("\n".join([*lines, "{broken"]), encoding="utf-8")
    found = list(read_documents(path))
    assert [each.text for each in found if isinstance(each, Document)] == [
        "Orm is a lake.\n\nDepth\n\nNine fathoms.",
        "A long context.",
        "Plain.",
    ]
    bad = [each.message for each in found if isinstance(each, BadDocument)]
    assert [message.split(": ")[0] for message in bad] == [f"rows.jsonl:{n}" for n in (4, 5, 6, 7)]
    assert "Who" not in str(found)


def test_reading_stops_at_a_limit_and_says_so(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / f"{name}.txt").write_text("word " * 10, encoding="utf-8")
    pool, told = read_pool(tmp_path, largest=60)
    assert len(pool) == 1
    assert told == ["b.txt and what follows was not read: 60 characters are held at most; split "
                    "the text over several runs"]  # fmt: skip


@pytest.mark.parametrize("make", [lambda p: p.mkdir(), lambda p: p.write_text(""), lambda p: None])
def test_a_path_without_text_is_refused_in_one_sentence(tmp_path: Path, make: object) -> None:
    path = tmp_path / "here.txt"
    assert callable(make)
    make(path)
    with pytest.raises(InputError, match=r"here\.txt"):
        read_pool(path)


def test_every_kilt_page_of_the_sample_is_a_document_with_its_tokens_counted(
    shared_data: Path,
) -> None:
    pool, told = read_pool(shared_data / "kilt" / "enwiki2016_kilt.jsonl")
    assert len(pool) + len(told) == 59
    assert all(each.tokens == count_tokens(each.title) + count_tokens(each.text) for each in pool)
    assert not any("Section::::" in each.text for each in pool)


def test_every_longbench_row_of_the_sample_gives_its_context_alone(shared_data: Path) -> None:
    [rows] = (shared_data / "multihop" / "longbench_v2").glob("*.jsonl")
    pool, told = read_pool(rows)
    assert (len(pool), told) == (10, [])
    assert all("choice_A" not in each.text for each in pool)
