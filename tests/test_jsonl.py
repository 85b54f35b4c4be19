from __future__ import annotations

import hashlib
import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from realhop_kg.errors import InputError
from realhop_kg.jsonl import BadLine, JsonlWriter, RawRecord, canonical, read_records, write_records

ANY_TEXT = st.text(st.characters())  # halves of surrogate pairs included
JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY_TEXT, inner, max_size=3),
    max_leaves=8,
)


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


# canonical form


def test_canonical_sorts_keys_keeps_letters_and_spends_no_spaces():
    assert canonical({"b": [1, 2.5, None], "a": {"é": True}}) == '{"a":{"é":true},"b":[1,2.5,null]}'


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_canonical_refuses_what_json_does_not_know(number: float):
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical({"a": number})


def test_canonical_escapes_a_lone_surrogate_and_joins_a_pair():
    assert canonical("\ud83d!") == '"\\ud83d!"'
    assert canonical("\ud83d\ude00") == '"😀"'


@given(JSON_VALUES)
def test_canonical_is_utf8_and_a_fixed_point(value: object):
    text = canonical(value)
    again = json.loads(text.encode().decode())
    assert canonical(again) == text
    if not any("\ud800" <= char <= "\udbff" for char in str(value)):
        assert again == value


# what is broken costs one record


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{nope}", "not JSON: expecting property name"),
        ('{"a": 1', "not JSON: "),
        ('{"a": 1} {"b": 2}', "not JSON: extra data"),
        ('{"a": 1, "b": {"c": 1, "c": 2}}', 'key "c" stands twice'),
        ('{"a": NaN}', "NaN is no JSON"),
        ('{"a": [-Infinity]}', "-Infinity is no JSON"),
        ('{"a": 1e999}', "number 1e999 is out of range"),
        ('{"a": ' + "9" * 5000 + "}", "too many digits"),
        ('{"a": ' + "[" * 100_000 + "]" * 100_000 + "}", "nested too deeply"),
        ("b\xff".encode("latin-1"), "not UTF-8 at byte 2"),
        (b'{"a": "\xe9t\xe9"}', "not UTF-8 at byte 8"),
        (b"oo\x00\x00", "not JSON"),
    ],
)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_broken_line_is_reported_and_the_others_are_read(
    tmp_path: Path, line: bytes | str, reason: str, place: int
):
    lines: list[bytes] = [b'{"id": 1}', b'{"id": 2}']
    lines.insert(place, line if isinstance(line, bytes) else line.encode())
    path = put(tmp_path, b"\n".join(lines))
    assert data(path) == [{"id": 1}, {"id": 2}]
    [(number, said)] = bad(path)
    assert number == place + 1
    assert reason in said


@pytest.mark.parametrize("first", ["[log] started", '{"id": [', '{"paragraphs": [{"a":', "oops"])
def test_a_broken_first_line_does_not_turn_lines_into_a_document(tmp_path: Path, first: str):
    path = put(tmp_path, f'{first}\n{{"id": 1}}\n{{"id": 2}}\n')
    assert data(path) == [{"id": 1}, {"id": 2}]
    assert [number for number, _ in bad(path)] == [1]


def test_lines_that_hold_other_values_are_records_for_the_builder_to_judge(tmp_path: Path):
    assert data(put(tmp_path, '{"id": 1}\n[1]\nnull\n"x"\n')) == [{"id": 1}, [1], None, "x"]


# writing


def test_the_writer_counts_and_hashes_what_the_file_holds(tmp_path: Path):
    path = tmp_path / "out.jsonl"
    with JsonlWriter(path) as lines:
        for value in [{"b": "é", "a": 1}, {"half": "\ud83d"}]:
            lines.write(value)
    content = path.read_bytes()
    assert content == '{"a":1,"b":"é"}\n{"half":"\\ud83d"}\n'.encode()
    assert (lines.count, lines.bytes) == (2, len(content))
    assert lines.sha256 == hashlib.sha256(content).hexdigest()


def test_the_writer_writes_nothing_of_a_value_without_canonical_form(tmp_path: Path):
    path = tmp_path / "out.jsonl"
    with JsonlWriter(path) as lines:
        lines.write({"a": 1})
        with pytest.raises(ValueError, match="not JSON compliant"):
            lines.write({"a": math.nan})
    assert path.read_bytes() == b'{"a":1}\n'
    assert lines.count == 1


def test_a_closed_writer_says_so(tmp_path: Path):
    with JsonlWriter(tmp_path / "out.jsonl") as lines:
        pass
    with pytest.raises(ValueError, match="not open"):
        lines.write({})


@given(st.lists(st.dictionaries(ANY_TEXT, JSON_VALUES, max_size=3), min_size=1, max_size=4))
def test_what_was_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, values: list[dict[str, Any]]
):
    path = tmp_path_factory.mktemp("written") / "out.jsonl"
    with JsonlWriter(path) as lines:
        for value in values:
            lines.write(value)
    assert [canonical(entry) for entry in data(path)] == [canonical(value) for value in values]


def test_records_are_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    write_records(path, ({"n": n} for n in range(2)))
    assert path.read_text() == '{"n":0}\n{"n":1}\n'
    with pytest.raises(ZeroDivisionError):
        write_records(path, (1 // n for n in (1, 0)))
    assert path.read_text() == '{"n":0}\n{"n":1}\n'
    for there in (tmp_path / "none" / "c.jsonl", path / "c.jsonl"):
        with pytest.raises(InputError, match="cannot be written"):
            write_records(there, [1])
    assert list(tmp_path.iterdir()) == [path]
