"""The sentence of a link always holds its words."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from realhop_kg.graph.hyperlinks.sentence import sentence_of

ITEM = "Ostra is a town. It lies near St. Orm on the Vell. The Vell is short.\n"


def sentence(words: str) -> str:
    start = ITEM.index(words)
    return sentence_of(ITEM, start, start + len(words))


def test_only_the_sentence_of_the_link_is_given() -> None:
    assert sentence("Ostra") == "Ostra is a town."
    assert sentence("St. Orm") == "It lies near St. Orm on the Vell."
    assert sentence("short") == "The Vell is short."


def test_a_link_across_two_sentences_keeps_both() -> None:
    assert sentence("town. It") == "Ostra is a town. It lies near St. Orm on the Vell."


def test_the_mark_of_a_list_item_is_left_out() -> None:
    assert sentence_of("BULLET::::- Ada, a town\n", 12, 15) == "Ada, a town"
    assert sentence_of("BULLET::::- Ada, a town\n", 0, 6) == "BULLET::::- Ada, a town"


@given(st.text('ab. BULLET:-\n"A(', max_size=40), st.data())
def test_every_sentence_holds_its_words(item: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(item)))
    end = data.draw(st.integers(start, len(item)))
    assert item[start:end] in sentence_of(item, start, end)
