from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from realhop_kg.construct.worlds.shapes import MOST_INPUTS, draw_shape, parse_shape
from realhop_kg.errors import InputError
from realhop_kg.graph.dependency import check_dag, topology


@given(st.integers(2, 6), st.integers(0, 10_000))
def test_a_drawn_shape_is_a_dag_of_as_many_hops_with_one_terminal_hop(hops: int, seed: int) -> None:
    shape = draw_shape(hops, random.Random(seed))
    check_dag(shape)
    assert sorted(shape) == list(range(1, hops + 1))
    assert max(len(before) for before in shape.values()) <= MOST_INPUTS


def test_draws_hold_every_usual_shape_diamonds_too() -> None:
    drawn = {topology(draw_shape(4, random.Random(seed))) for seed in range(200)}
    assert {"4hop1", "4hop2", "4hop3", "diamond"} <= drawn


def test_a_written_shape_is_read_as_it_says() -> None:
    assert topology(parse_shape("1>2,1>3 , 2>4, 3 > 4")) == "diamond"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("1-2", "'1-2' is no edge"),
        ("1>3", "none left out"),
        ("1>2, 3>2, 2>1", "from a hop to a later one"),
        ("1>2, 1>2", "write each edge once"),
        ("1>2, 1>3", "one terminal hop"),
        ("1>2,2>3,3>4,4>5,5>6,6>7", "number 2 to 6 hops"),
        ("", "is no edge"),
    ],
)
def test_a_shape_that_is_none_is_told_in_one_sentence(text: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        parse_shape(text)
