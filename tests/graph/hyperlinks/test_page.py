"""Pages of either form are read, and broken ones as far as they can be."""

from __future__ import annotations

import json

import pytest

from realhop_kg.graph.hyperlinks.page import (
    Anchor,
    body,
    decode_page,
    is_disambiguation,
    lead_end,
    lead_text,
)
from tests.graph.hyperlinks.kilt_pages import page

PLAIN = page("Ostra", "Ostra lies on the Vell.", links=[("Vell", "Vell")])


def columns(plain: dict) -> bytes:
    """The same page as the copy on a hub has it."""
    names = ("paragraph_id", "start", "end", "text", "href")
    anchors = {name: [anchor[name] for anchor in plain["anchors"]] for name in names}
    return json.dumps(
        {
            "kilt_id": plain["_id"],
            "wikipedia_id": plain["wikipedia_id"],
            "wikipedia_title": plain["wikipedia_title"],
            "text": {"paragraph": plain["text"]},
            "anchors": anchors | {"wikipedia_title": [""], "wikipedia_id": [""]},
            "categories": "",
        }
    ).encode()


def test_both_forms_give_the_same_page() -> None:
    one, other = decode_page(json.dumps(PLAIN).encode()), decode_page(columns(PLAIN))
    assert one.title == other.title == "Ostra"
    assert one.text == other.text == ["Ostra\n", "Ostra lies on the Vell.\n"]
    place = [(a.text, a.href, a.paragraph_id, a.start, a.end) for a in one.anchors]
    assert place == [(a.text, a.href, a.paragraph_id, a.start, a.end) for a in other.anchors]
    assert place == [("Vell", "Vell", 1, 18, 22)]


def test_columns_of_different_length_keep_their_common_rows() -> None:
    broken = json.loads(columns(PLAIN))
    broken["anchors"]["href"] = ["Vell", "Ostra"]
    found = decode_page(json.dumps(broken).encode())
    assert (len(found.anchors), found.broken) == (1, 1)


def test_numbers_written_as_texts_are_read() -> None:
    line = json.dumps(PLAIN | {"anchors": [PLAIN["anchors"][0] | {"start": "18"}]}).encode()
    assert decode_page(line).anchors[0].start == 18


def test_a_broken_link_costs_only_itself() -> None:
    anchors = [PLAIN["anchors"][0], {"start": "x"}, None, PLAIN["anchors"][0] | {"end": 10**30}]
    found = decode_page(json.dumps(PLAIN | {"anchors": anchors}).encode())
    assert (found.title, len(found.anchors), found.broken) == ("Ostra", 2, 2)


def test_a_broken_item_keeps_the_numbers_of_the_others() -> None:
    found = decode_page(json.dumps(PLAIN | {"text": ["Ostra\n", None, "x\n"]}).encode())
    assert found.text == ["Ostra\n", "", "x\n"]


def test_item_0_is_the_title_where_none_is_given() -> None:
    assert decode_page(json.dumps(PLAIN | {"wikipedia_title": ""}).encode()).title == "Ostra"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"[1]", "no JSON object"),
        (b'"x"', "no JSON object"),
        (b"{}", "no title"),
        (b'{"wikipedia_title": 7}', "no title"),
        (b'{"wikipedia_title": "a', "no JSON"),
        (b'{"wikipedia_title": "\xff"}', "not UTF-8"),
        (b'{"text": ' + b"[" * 100_000, "nested too deeply"),
    ],
)
def test_what_is_no_page_says_why(line: bytes, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        decode_page(line)


def test_the_lead_ends_at_the_first_heading() -> None:
    text = ["T\n", "One.\n", "BULLET::::- two\n", "Section::::A.\n", "Three.\n"]
    assert lead_end(text) == 3
    assert lead_text(text) == "One. two"
    assert lead_end(text[:3]) == 3
    assert body("BULLET::::- two\n") == "two"


@pytest.mark.parametrize(
    ("title", "items", "categories", "is_one"),
    [
        ("Ada (disambiguation)", ["Ada is a name."], "", True),
        ("Ada", ["Ada may refer to:", "BULLET::::- Ada, a town"], "", True),
        ("Ada", ["Ada is a town.", "Ada may also refer to:"], "", True),
        ("Ada", ["Ada is a name."], "All disambiguation pages,Names", True),
        ("Ada", ["Ada is a town. It may refer to its river as the Adda."], "", False),
        ("Ada", ["It may also be used of three things: a, b and c."], "", False),
        ("Ada", ["Section::::Uses.", "Ada may refer to:"], "", False),
    ],
)
def test_disambiguation_pages_are_told_by_what_they_say(
    title: str, items: list[str], categories: str, is_one: bool
) -> None:
    assert is_disambiguation(title, items[: lead_end(items)], categories) is is_one


def test_a_link_has_every_field_by_default() -> None:
    assert Anchor() == Anchor("", "", -1, -1, -1, None)
