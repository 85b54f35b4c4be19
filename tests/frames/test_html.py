"""Ten pages written by hand, each with a table of another kind."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from realhop_kg.frames.articles import BODY, ROWS, article_text, overlapping_rows
from realhop_kg.frames.html import SavedPage, read_html


def page(content: str, heading: str = "Orm") -> SavedPage:
    return read_html(
        f"<html><head><title>{heading} - Wikipedia</title></head><body>"
        f"<h1 id=firstHeading>{heading}</h1><nav><p>Menu</p></nav>"
        f"<div id=mw-content-text><p>Orm is a lake.</p>{content}</div></body></html>"
    )


PAGES = {
    "plain": ("<table><tr><th>Year</th><th>Deep</th></tr><tr><td>1911</td><td>9 m</td></tr>"
              "</table>",
              ["Year | Deep", "1911 | 9 m"]),
    "rowspan": ("<table><tr><td rowspan=2>1911</td><td>Ann</td></tr><tr><td>Bo</td></tr>"
                "<tr><td>1912</td><td>Cy</td></tr></table>",
                ["1911 | Ann", "1911 | Bo", "1912 | Cy"]),
    "colspan": ("<table><tr><td colspan=2>Both</td><td>x</td></tr></table>", ["Both | x"]),
    "nested": ("<table><tr><td>Out <table><tr><td>In</td></tr></table></td></tr></table>",
               ["Out In", "In"]),
    "references": ("<table><tr><td>Ann<sup class=reference>[3]</sup> of Orm[4]</td></tr></table>",
                   ["Ann of Orm"]),
    "infobox": ("<table class=infobox><caption>Orm</caption><tbody><tr><th>Area</th><td>5 km<sup>2"
                "</sup></td></tr></tbody></table>", ["Area | 5 km2"]),
    "navbox": ("<table class=navbox><tr><td>Lakes</td></tr></table>"
               "<table><tr><td>Kept</td></tr></table>", ["Kept"]),
    "blank cells": ("<table><tr><td></td><td> \n </td></tr><tr><td>a</td><td></td><td>b</td></tr>"
                    "</table>", ["a | b"]),
    "broken spans": ("<table><tr><td rowspan=x colspan=-1>a</td><td rowspan=99999999999>b</td></tr>"
                     "<tr><td>c</td></tr></table>", ["a | b", "c | b"]),
    "unclosed": ("<table><tr><td>a<td>b<tr><td>c", ["a | b", "c"]),
}  # fmt: skip


@pytest.mark.parametrize("name", PAGES)
def test_rows_of_tables_are_flattened_in_source_order(name: str) -> None:
    markup, rows = PAGES[name]
    found = page(markup)
    assert found.title == "Orm"
    assert list(found.rows) == rows
    assert found.paragraphs == ("Orm is a lake.",)


def test_the_body_is_text_without_menus_marks_and_tables() -> None:
    found = page(
        "<h2>Depth<span class=mw-editsection>[edit]</span></h2><style>p{}</style><ul><li>Nine "
        "<b>fathoms</b><ul><li>deep</li></ul></li></ul><table><tr><td><p>Cell</p></td></tr></table>"
        "<div class=reflist><p>Source</p></div><script>x</script>"
    )
    assert found.paragraphs == ("Orm is a lake.", "Depth", "Nine fathoms deep")


def test_line_breaks_and_blocks_part_words() -> None:
    found = page(
        "<p>Orle lies in Kell.<br>Its river is long.</p><table>"
        "<tr><th>Capital<br>city</th><td>Tarn<br/>Penwick</td></tr>"
        "<tr><th>Seat</th><td><ul><li>One</li><li>Two</li></ul><div>A</div><div>B</div></td></tr>"
        "</table>"
    )
    assert found.paragraphs[-1] == "Orle lies in Kell. Its river is long."
    assert found.rows == ("Capital city | Tarn Penwick", "Seat | One Two A B")


def test_a_page_that_is_no_article_is_read_as_far_as_it_goes() -> None:
    assert read_html("") == SavedPage("", (), ())
    assert read_html("just text").paragraphs == ("just text",)
    assert read_html(b"\xff\xfe\x00").rows == ()


@given(st.text(max_size=200))
def test_any_text_is_read(markup: str) -> None:
    found = read_html(f"<table><tr><td>{markup}")
    assert isinstance(found, SavedPage)


def test_only_rows_that_share_a_telling_word_or_hold_the_answer_are_kept() -> None:
    rows = ("Year | Winner", "1911 | Ann Hask", "1912 | Bo Orm", "1913 | the mill race")
    found = SavedPage("Cup", ("Text.",), rows)
    question = "Who was the winner of the mill race in the year?"
    assert overlapping_rows(found, question, "Bo Orm") == [
        "Year | Winner", "1912 | Bo Orm", "1913 | the mill race"
    ]  # fmt: skip
    assert article_text(found, "Which?", "Ann Hask") == "Text.\n\n1911 | Ann Hask"
    assert overlapping_rows(found, "Which of these?", "") == []


def test_body_and_rows_are_capped_at_whole_sentences_and_rows() -> None:
    sentence = "Ann Hask sold the mill in Orm. "
    found = SavedPage("Cup", (sentence * 1_000,), tuple(f"mill {n} " + "x" * 90 for n in range(99)))
    text = article_text(found, "Which mill?", "")
    body, rows = text.split("\n\n")
    assert BODY - len(sentence) <= len(body) <= BODY
    assert body.endswith("Orm.")
    assert ROWS - 120 < len(rows) <= ROWS
    assert [row.split()[1] for row in rows.split("\n")] == [
        str(n) for n in range(rows.count("\n") + 1)
    ]
    assert len(article_text(SavedPage("Cup", ("y" * 99_999,), ()), "", "")) == BODY
