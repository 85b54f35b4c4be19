from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from realhop_kg.relations.wording import render


def test_names_stand_as_they_are_written_and_the_sentence_begins_with_a_capital() -> None:
    names = {"x": "the Ask River", "w": "Calder", "y": "Lake Orm"}
    text = render("{x} leaves {w} for {y}, a {kind}.", names, "lake")
    assert text == "The Ask River leaves Calder for Lake Orm, a lake."


def test_a_slot_may_stand_twice() -> None:
    assert render("{x} is {x}.", {"x": "Calder"}, "town") == "Calder is Calder."


@given(st.text(), st.text())
@settings(max_examples=200, deadline=None, derandomize=True)
def test_a_name_is_never_read_as_a_template(first: str, second: str) -> None:
    names = {"x": f"{{y}}{first}", "y": f"{second}{{x}}{{kind}}\\1"}
    assert render("A {x} B {y}.", names, "town") == f"A {names['x']} B {names['y']}."


def test_a_slot_without_a_name_is_an_error() -> None:
    with pytest.raises(KeyError, match="w"):
        render("{x} meets {w}.", {"x": "Calder"}, "town")


def test_only_the_first_letter_is_touched() -> None:
    assert render("{x} of A.", {"x": "ßorn"}, "") == "SSorn of A."
    assert render("{x} of A.", {"x": "48 men"}, "") == "48 men of A."
