from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_builders.wikilinks import page_link, split_links


@pytest.mark.parametrize(
    ("link", "wiki", "title"),
    [
        ("https://en.wikipedia.org/wiki/Orm_Lake", "en", "Orm Lake"),
        ("  https://en.m.wikipedia.org/wiki/Orm_(lake)  ", "en", "Orm (lake)"),
        ("http://simple.wikipedia.org/wiki/orm#Depth", "simple", "Orm"),
        ("https://en.wikipedia.org/wiki/Fall_of_Orm#:~:text=The%20fall,of", "en", "Fall of Orm"),
        ("https://en.wikipedia.org/wiki/La_boh%C3%A8me", "en", "La bohème"),
        ("https://en.wikipedia.org/wiki/Tick,_Tick..._Boom!", "en", "Tick, Tick... Boom!"),
        ("https://en.wikipedia.org/w/index.php?title=Orm_Lake&oldid=5", "en", "Orm Lake"),
        ("https://en.wikipedia.org/wiki/Orm%27s__mill_?action=raw", "en", "Orm's mill"),
        ("https://EN.wikipedia.org/wiki/C%2B%2B", "en", "C++"),
    ],
)
def test_a_link_is_read_to_its_title(link: str, wiki: str, title: str) -> None:
    found = page_link(link)
    assert (found.wiki, found.title, found.problem) == (wiki, title, "")


@pytest.mark.parametrize(
    ("link", "told"),
    [
        ("https://w.wiki/ASFv", "names no page"),
        ("https://example.org/wiki/Orm", "leads to no Wikipedia"),
        ("https://en.wikipedia.org.evil.example/wiki/Orm", "leads to no Wikipedia"),
        ("en.wikipedia.org/wiki/Orm", "is no link"),
        ("https://[bad/wiki/Orm", "is no link that can be read"),
        ("https://en.wikipedia.org/wiki/", "names no article"),
        ("https://en.wikipedia.org/wiki/Special:Random", "names no article"),
    ],
)
def test_a_link_that_names_no_page_says_why(link: str, told: str) -> None:
    found = page_link(link)
    assert found.title == ""
    assert told in found.problem


def test_links_of_one_cell_part_where_the_next_begins() -> None:
    cell = " https://a.org/x,_y,https://b.org/z\nhttp://c.org/; https://d.org/ ,"
    assert split_links(cell) == ["https://a.org/x,_y", "https://b.org/z", "http://c.org/",
                                 "https://d.org/"]  # fmt: skip
    assert split_links("  ") == []


@given(st.text(max_size=60))
def test_any_text_is_read_or_told(text: str) -> None:
    for link in (text, f"https://en.wikipedia.org/{text}"):
        found = page_link(link)
        assert bool(found.title) != bool(found.problem)
