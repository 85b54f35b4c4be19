"""Corpora as they are, and as they should not be."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from realhop_kg.errors import InputError
from realhop_kg.resources import resource_folder
from realhop_kg.search.corpora import (
    BadPassage,
    Passage,
    detect_form,
    read_passages,
    titled,
)
from tests.search.small import PASSAGES, dpr_file, zipped


def test_a_dpr_file_is_read_plain_and_gzipped(tmp_path: Path) -> None:
    path = dpr_file(tmp_path)
    expected = [Passage(*row) for row in PASSAGES]
    assert list(read_passages(path, "dpr", 100)) == expected
    assert list(read_passages(zipped(path), "dpr", 100)) == expected
    assert detect_form(path) == detect_form(zipped(path)) == "dpr"


def test_quotes_of_a_dpr_file_are_those_of_csv(tmp_path: Path) -> None:
    path = tmp_path / "p.tsv"
    path.write_text('id\ttext\ttitle\n1\t"He said ""no"".\tOnce"\tOrm\n', encoding="utf-8")
    assert list(read_passages(path, "dpr", 100)) == [Passage("1", "Orm", 'He said "no".\tOnce')]


def test_rows_that_are_none_are_told_and_the_rest_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "p.tsv"
    path.write_bytes(b"id\ttext\ttitle\n1\tonly two\n2\t \tBlank\n3\t\xff text\tOdd\n")
    bad, blank, odd = read_passages(path, "dpr", 100)
    assert str(bad) == "p.tsv:2: 2 columns; a row is id, text and title between tabs"
    assert isinstance(blank, BadPassage)
    assert odd == Passage("3", "Odd", "\ufffd text")


def test_search_r1_lines_have_their_title_in_quotes(write_lines: Callable[..., Path]) -> None:
    path = write_lines(
        {"id": "7", "contents": '"Korrum"\nKorrum is a town.'},
        {"id": 8, "title": "Imbrel", "text": "A river."},
        {"contents": "No title at all."},
    )
    assert detect_form(path) == "jsonl"
    assert list(read_passages(path, "jsonl", 100)) == [
        Passage("7", "Korrum", "Korrum is a town."),
        Passage("8", "Imbrel", "A river."),
        Passage("2", "", "No title at all."),
    ]


def test_lines_without_a_text_are_told(write_lines: Callable[..., Path]) -> None:
    path = write_lines("{", {"id": 1}, [], {"id": [], "contents": "x"}, {"id": 1, "contents": "ok"})
    *bad, good = read_passages(path, "jsonl", 100)
    assert [each.line for each in bad if isinstance(each, BadPassage)] == [1, 2, 3, 4]
    assert good == Passage("1", "", "ok")


def test_kilt_pages_are_cut_without_headings(write_lines: Callable[..., Path]) -> None:
    text = ["Orm\n", "One two three.\n", "Section::::A.:\n", "BULLET::::- four five\n", "six " * 25]
    page = {"wikipedia_id": "5", "wikipedia_title": "Orm", "text": text, "anchors": []}
    path = write_lines(page, {"wikipedia_id": "6"}, {"wikipedia_title": "Bare", "text": ["Bare"]})
    assert detect_form(path) == "kilt"
    *found, bad = read_passages(path, "kilt", 10)
    assert next(each for each in found if isinstance(each, Passage)) == Passage(
        "5#0", "Orm", "One two three. four five"
    )
    assert [len(each.text.split()) for each in found if isinstance(each, Passage)] == [5, 10, 10, 5]
    assert isinstance(bad, BadPassage)


def test_every_page_of_the_bundled_world_gives_passages() -> None:
    path = resource_folder("data") / "kilt_world.jsonl"
    found = list(read_passages(path, "kilt", 100))
    titles = {json.loads(line)["wikipedia_title"] for line in path.read_text().splitlines()}
    assert {each.title for each in found if isinstance(each, Passage)} == titles
    assert max(len(each.text.split()) for each in found if isinstance(each, Passage)) <= 100


def test_an_unknown_form_is_told(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("just words\n", encoding="utf-8")
    with pytest.raises(InputError, match="no known form"):
        detect_form(path)


def test_contents_of_one_line_have_no_title() -> None:
    assert titled("Korrum") == ("", "Korrum")
