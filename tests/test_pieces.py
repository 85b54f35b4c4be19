from __future__ import annotations

import gzip
import hashlib
import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from realhop_kg.jsonl import BadLine, RawRecord, read_records

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
OBJECTS = [
    {"id": "a", "text": 'x "]}, [{" \\'},
    {"id": "b", "n": [1, {"k": [2]}]},
    {"id": "ü\u2028"},
]


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


# layouts

LAYOUTS = {
    "lines": "\n".join(json.dumps(entry) for entry in OBJECTS),
    "lines with CRLF and blanks": "\r\n\r\n".join(json.dumps(entry) for entry in OBJECTS) + "\r\n ",
    "list on one line": json.dumps(OBJECTS),
    "list, one element a line": "[" + ",\n".join(json.dumps(entry) for entry in OBJECTS) + "]\n",
    "list, brackets on their own": "[\n" + "\n,".join(map(json.dumps, OBJECTS)) + "\n]",
    "indented list": json.dumps(OBJECTS, indent=2, ensure_ascii=False),
    "wrapped": json.dumps({"data": OBJECTS, "version": [1]}),
    "wrapped, indented": json.dumps({"data": OBJECTS}, indent=1),
    "wrapped, one element a line": '{"data": [\n' + ",\n".join(map(json.dumps, OBJECTS)) + "\n]}",
    "wrapped late": json.dumps({"version": "1", "data": OBJECTS}),
    "wrapped late, indented": json.dumps({"version": "1", "data": OBJECTS}, indent=4),
}


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["", "BOM"])
@pytest.mark.parametrize("suffix", [".jsonl", ".json", ".ndjson", ".txt"])
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gz"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_content_decides_how_a_file_is_read(
    tmp_path: Path, layout: str, packed: bool, suffix: str, mark: bytes
):
    content = mark + LAYOUTS[layout].encode()
    path = put(tmp_path, gzip.compress(content) if packed else content, f"records{suffix}")
    assert list(read_records(path)) == [
        RawRecord(str(path), line, entry)
        for line, entry in zip([1, 3, 5] if "CRLF" in layout else [1, 2, 3], OBJECTS, strict=True)
    ]


@pytest.mark.parametrize("form", ["lines", "list", "wrapped", "indented"])
def test_the_layout_of_records_of_megabytes_is_told_too(tmp_path: Path, form: str):
    values = [{"id": number, "text": "x" * 5_000_000} for number in range(3)]
    texts = {
        "lines": "\n".join(map(json.dumps, values)),
        "list": json.dumps(values),
        "wrapped": json.dumps({"data": values}),
        "indented": json.dumps(values, indent=1),
    }
    assert data(put(tmp_path, texts[form])) == values


def test_a_record_of_megabytes_that_is_cut_off_is_one_bad_line(tmp_path: Path):
    path = put(tmp_path, '{"text": "' + "x:" * 3_000_000 + '\n{"id": 1}\n')
    assert data(path) == [{"id": 1}]
    assert [number for number, _ in bad(path)] == [1]


@pytest.mark.parametrize("indent", [None, 2])
def test_one_object_is_one_record(tmp_path: Path, indent: int | None):
    assert data(put(tmp_path, json.dumps(OBJECTS[1], indent=indent))) == [OBJECTS[1]]


def test_a_data_field_of_one_record_among_others_is_no_wrapper(tmp_path: Path):
    assert data(put(tmp_path, '{"data": [1]}\n{"data": [2]}\n')) == [{"data": [1]}, {"data": [2]}]


@pytest.mark.parametrize("text", ["[]", "[ \n ]", '{"data": []}'])
def test_an_empty_list_has_no_records(tmp_path: Path, text: str):
    assert list(read_records(put(tmp_path, text))) == []


@given(st.lists(st.dictionaries(ANY_TEXT, JSON_VALUES, max_size=3), max_size=4), st.booleans())
def test_lists_are_cut_where_json_cuts_them(
    tmp_path_factory: pytest.TempPathFactory, values: list[dict[str, Any]], indented: bool
):
    content = json.dumps(values, indent=1 if indented else None, ensure_ascii=False)
    path = put(tmp_path_factory.mktemp("list"), content.encode(errors="replace"))
    assert data(path) == json.loads(path.read_bytes())


def test_marks_at_the_edge_of_what_is_read_at_once_do_not_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("realhop_kg.unpacked._CHUNK", 1)
    values = [{"a": 'quote " and \\ and ]', "b": "\\"}, {"c": [{}, []]}]
    for content in (json.dumps(values), json.dumps({"data": values}), json.dumps(values, indent=1)):
        assert data(put(tmp_path, gzip.compress(content.encode()))) == values
        assert data(put(tmp_path, content)) == values


# lists that are broken


@pytest.mark.parametrize(
    ("element", "reason"),
    [
        ('{"a": nope}', "not JSON"),
        ('{"a": 1}}', "not JSON"),
        ('{"a": 1, "a": 2}', 'key "a" stands twice'),
        ('{"a": "unclosed\n}', "not JSON"),
        ("", "not JSON"),
        (b'{"a": "\xff"}', "not UTF-8"),
    ],
)
def test_a_broken_element_of_a_list_is_reported_and_the_others_are_read(
    tmp_path: Path, element: bytes | str, reason: str
):
    middle = element if isinstance(element, bytes) else element.encode()
    path = put(tmp_path, b'[{"id": 1}, ' + middle + b', {"id": 3}]')
    assert data(path) == [{"id": 1}, {"id": 3}]
    [(number, said)] = bad(path)
    assert number == 2
    assert reason in said


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('[{"id": 1}, {"id": 2}', "the list is not closed"),
        ('[{"id": 1}, {"id": 2}, {"id"', "the list is not closed"),
        ('[{"id": 1}, {"id": 2}] and more', "what follows the end of the list"),
        ('{"data": [{"id": 1}, {"id": 2}]', "what follows the end of the list"),
        ('{"data": [{"id": 1}, {"id": 2}], "version": }', "what follows the end of the list"),
    ],
)
def test_a_list_that_ends_badly_gives_its_elements_and_one_report(
    tmp_path: Path, text: str, reason: str
):
    path = put(tmp_path, text)
    assert data(path) == [{"id": 1}, {"id": 2}]
    [(number, said)] = bad(path)
    assert number == 3
    assert reason in said


def test_a_trailing_comma_is_forgiven(tmp_path: Path):
    path = put(tmp_path, '[{"id": 1}, {"id": 2},\n]')
    assert data(path) == [{"id": 1}, {"id": 2}]
    assert bad(path) == []


# size


def noisy(number: int) -> dict[str, Any]:
    return {"id": number, "text": hashlib.sha256(str(number).encode()).hexdigest() * 3}


def test_a_line_that_is_too_long_is_reported_and_the_next_is_read(tmp_path: Path):
    path = put(tmp_path, b'{"id": 1}\n{"id": "' + b"x" * 300 + b'"}\n{"id": 3}\n')
    assert data(path, limit=200) == [{"id": 1}, {"id": 3}]
    [(number, said)] = bad(path, limit=200)
    assert number == 2
    assert "longer than" in said


def test_an_element_that_is_too_long_is_reported_and_the_next_is_read(tmp_path: Path):
    path = put(tmp_path, b'[{"id": 1}, {"id": "' + b"x" * 300 + b'"}, {"id": 3}]')
    assert data(path, limit=200) == [{"id": 1}, {"id": 3}]
    assert [number for number, _ in bad(path, limit=200)] == [2]


def test_an_object_that_is_too_long_is_reported(tmp_path: Path):
    assert [number for number, _ in bad(put(tmp_path, '{\n"a":"' + "x" * 99), limit=50)] == [1]


def test_a_line_of_more_than_64_mb_is_not_held(tmp_path: Path):
    path = tmp_path / "long.jsonl"
    with path.open("wb") as file:
        file.write(b'{"id": 1}\n{"id": "')
        for _ in range(150):
            file.write(b"x" * 1_000_000)
        file.write(b'"}\n{"id": 3}\n')
    peak = peak_of(path)
    assert data(path) == [{"id": 1}, {"id": 3}]
    assert "longer than 64 MB" in bad(path)[0][1]
    assert peak < 90_000_000


def peak_of(path: Path) -> int:
    tracemalloc.start()
    for _ in read_records(path):
        pass
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


@pytest.mark.parametrize("form", ["lines", "list"])
def test_memory_does_not_grow_with_the_number_of_records(tmp_path: Path, form: str):
    peaks = []
    for count in (5_000, 20_000):  # from 5 MB on, more than is used up to tell the layout
        lines = [json.dumps({**noisy(number), "more": "x" * 800}) for number in range(count)]
        text = "\n".join(lines) if form == "lines" else "[" + ",\n".join(lines) + "]"
        peaks.append(peak_of(put(tmp_path, text)))
    assert peaks[1] < peaks[0] * 1.2
