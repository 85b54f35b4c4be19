"""A place survives packing, and the least of several is the one to keep."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from realhop_kg.graph.hyperlinks.places import Place, pack, unpack


@given(
    st.booleans(),
    st.integers(0, 2**19 - 1),
    st.integers(0, 2**28 - 1),
    st.integers(0, 2**16 - 1),
)
def test_a_place_survives_packing(lead: bool, paragraph: int, start: int, length: int) -> None:
    packed = pack(lead, paragraph, start, start + length)
    assert packed is not None
    assert packed < 2**64
    assert unpack(packed) == Place(lead, paragraph, start, start + length)


def test_a_place_in_the_opening_comes_first_then_the_earlier() -> None:
    places = [
        pack(False, 0, 0, 1), pack(True, 2, 0, 1), pack(True, 1, 7, 8), pack(True, 1, 3, 9)
    ]  # fmt: skip
    assert min(filter(None, places)) == places[3]


def test_a_place_that_does_not_fit_is_none() -> None:
    assert pack(True, 2**19, 0, 1) is None
    assert pack(True, 1, 2**28, 2**28 + 1) is None
    assert pack(True, 1, 0, 2**16) is None
