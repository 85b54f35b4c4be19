from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from graph_builders.base import Excluded
from graph_builders.frames import FramesRow, read_frames
from realhop_kg.errors import InputError

HEAD = "id,Prompt,Answer,wikipedia_link_1,wikipedia_link_2,reasoning_types,wiki_links\n"
ORM = "https://en.wikipedia.org/wiki/Orm"


def table(folder: Path, text: str | bytes, name: str = "frames.csv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def rows(path: Path) -> list[FramesRow | Excluded]:
    return list(read_frames(path))


TITLES = {
    "33": ("Raw Hero", "Evening (magazine)", "Kodansha", "Seiji Noma"),
    "16": ("James Cameron", "Solomon Sea", "List of tallest buildings in San Francisco"),
    "26": ("Blue moon", "World War I", "World War II"),
    "44": ("List of postcode areas in the United Kingdom", "G postcode area", "Bridgeton, Glasgow",
           "Bridgeton railway station", "Calton, Glasgow", "Dalmarnock"),
    "58": ("Pokémon World Championships", "Barack Obama", "Contiguous United States"),
    "59": ("World War I", "1996 Summer Olympics", "Fall of the Berlin Wall", "The Beatles",
           "Great Depression"),
    "409": ("La bohème", "Rent (musical)", "Jonathan Larson", "Tick, Tick... Boom!"),
    "495": ("Lottie Alter", "Charley's Aunt"),
    "823": ("Video assistant referee", "2018 FIFA World Cup", "Diego Costa"),
}  # fmt: skip
"""Pages of the sample's rows with odd links, read by eye."""


@pytest.mark.parametrize("name", ["frames_sample.csv", "frames_sample.tsv"])
def test_all_rows_of_the_sample_are_read_to_their_titles(shared_data: Path, name: str) -> None:
    found = rows(shared_data / "multihop" / "frames" / name)
    assert len(found) == 40
    by_id = {row.id: row for row in found if isinstance(row, FramesRow)}
    assert len(by_id) == 40
    assert {key: by_id[key].titles for key in TITLES} == TITLES
    assert [(row.id, link.link) for row in by_id.values() for link in row.unresolved] == [
        ("495", "https://w.wiki/ASFv")
    ]
    stadiums = by_id["90"].titles
    assert stadiums[5:7] == ("American Family Field", "LoanDepot Park")
    assert not any(
        "," in title and "http" in title for row in by_id.values() for title in row.titles
    )
    assert not any("_" in title or "%" in title or "#" in title
                   for row in by_id.values() for title in row.titles)  # fmt: skip


def test_csv_and_tsv_of_the_sample_say_the_same(shared_data: Path) -> None:
    folder = shared_data / "multihop" / "frames"
    both = [rows(folder / f"frames_sample.{kind}") for kind in ("csv", "tsv")]
    assert both[0] == both[1]


def test_without_a_list_the_columns_are_read_gaps_and_all(tmp_path: Path) -> None:
    path = table(tmp_path, f"{HEAD}1,Who?,Ann,,{ORM}_Lake ,A | B,\n")
    [row] = rows(path)
    assert isinstance(row, FramesRow)
    assert row.titles == ("Orm Lake",)
    assert row.reasoning == ("A", "B")


def test_pages_of_list_and_columns_are_taken_once_each(tmp_path: Path) -> None:
    path = table(tmp_path, f"{HEAD}1,Who?,Ann,{ORM}#a,{ORM}_2,,\"['{ORM}', 5, '{ORM}_3']\"\n")
    [row] = rows(path)
    assert isinstance(row, FramesRow)
    assert row.titles == ("Orm", "Orm 3", "Orm 2")


def test_rows_without_a_number_are_counted_and_blank_ones_are_none(tmp_path: Path) -> None:
    path = table(
        tmp_path, f"Prompt\tAnswer\twiki_links\nA?\tx\t['{ORM}']\n\t\t\nB?\ty\t['{ORM}']\n"
    )
    assert [row.id for row in rows(path)] == ["0", "1"]


def test_what_cannot_be_used_is_told_by_line_and_the_rest_goes_on(tmp_path: Path) -> None:
    text = (
        (
            f"{HEAD}1,,Ann,{ORM},,,\n2,Who?, ,{ORM},,,\n3,Who?,Ann,,,,\n4,Who?,Ann,{ORM},,,\n"
            f"4,Again?,Ann,{ORM},,,\n5,Who?,Ann,https://w.wiki/x,,,\n6,a,b,c,d,e,f,g,h\n7,Who?,"
        ).encode()
        + b"\xff"
        + f",{ORM},,,\n8,Who?,Bo,{ORM},,,__import__('os')\n".encode()
    )
    found = rows(table(tmp_path, text))
    told = [(row.line, row.id, row.field) for row in found if isinstance(row, Excluded)]
    assert told == [(2, "1", "Prompt"), (3, "2", "Answer"), (4, "3", "wiki_links"), (6, "4", "id"),
                    (7, "5", "wiki_links"), (8, "", ""), (9, "7", "Answer")]  # fmt: skip
    assert [row.id for row in found if isinstance(row, FramesRow)] == ["4", "8"]


def test_a_question_over_several_lines_has_the_line_where_it_begins(tmp_path: Path) -> None:
    path = table(tmp_path, f'{HEAD}1,"Who\nis\nit?",Ann,{ORM},,,\n2,Who?,Bo,{ORM},,,\n')
    assert [(row.line, row.id) for row in rows(path)] == [(2, "1"), (5, "2")]


def test_a_gzipped_file_and_a_byte_order_mark_do_not_matter(tmp_path: Path) -> None:
    text = f"\ufeff{HEAD}1,Who?,Ann,{ORM},,,\n".encode()
    [row] = rows(table(tmp_path, gzip.compress(text), "frames.csv.gz"))
    assert isinstance(row, FramesRow)


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"a,b\n1,2\n", b"\x00\x01", b"\x1f\x8bbroken", b'{"Prompt": 1}\n']
)
def test_a_file_that_is_no_table_is_refused_in_one_sentence(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(InputError, match=r"frames\.csv"):
        rows(table(tmp_path, content))
    with pytest.raises(InputError, match="cannot be read"):
        rows(tmp_path / "none.csv")


def test_a_quote_that_never_closes_is_told_and_ends_the_reading(tmp_path: Path) -> None:
    path = table(tmp_path, HEAD + '1,"Who?,Ann,' + "x" * 2_000_000)
    found = rows(path)
    assert found
    assert all(isinstance(row, Excluded) for row in found)
    assert found[0].line == 2
