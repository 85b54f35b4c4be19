from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from realhop_kg.contracts.occurrence import Haystack
from realhop_kg.longcontext.absent import names_held

names = st.lists(st.text("abA .ß5,İ", min_size=1, max_size=5), max_size=12)
texts = st.lists(st.text("abAB .ß5,\nİ", max_size=40), max_size=4)


@given(names, texts)
def test_the_automaton_finds_what_a_search_for_each_name_finds(
    names: list[str], texts: list[str]
) -> None:
    alone = {name for name in names if any(Haystack(text).holds(name) for text in texts)}
    assert names_held(names, texts) == alone


def test_names_inside_longer_names_words_and_numbers_are_told_apart() -> None:
    text = "The Ask River drains 1,234 acres of Askham."
    held = names_held(["Ask", "ask river", "Askham", "ham", "234", "1,234", "Orm"], [text])
    assert held == {"Ask", "ask river", "Askham", "1,234"}
