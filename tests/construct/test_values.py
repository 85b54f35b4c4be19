from __future__ import annotations

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from realhop_kg.construct.values import MONTHS, coin_value, value_format
from realhop_kg.contracts.variants import surface_variants

DAYS, YEARS = st.integers(1, 31), st.integers(1000, 2099)
NUMBERS = st.integers(0, 99_999_999)
WORDS = ("two", "nine", "twelve", "thirty", "forty-one", "ninety-nine")
RANKS = ("second", "third", "fifth", "tenth")
CENTURIES = ("5th", "11th", "12th", "18th", "19th", "21st", "2nd", "3rd")

SOURCES: dict[str, st.SearchStrategy[str]] = {
    "date": st.one_of(
        st.builds("{} {} {}".format, DAYS, st.sampled_from(MONTHS), YEARS),
        st.builds("{} {}, {}".format, st.sampled_from(MONTHS), DAYS, YEARS),
    ),
    "month": st.builds("{} {}".format, st.sampled_from(MONTHS), YEARS),
    "year": st.integers(1000, 2029).map(str),
    "century": st.builds(
        "{}{}".format,
        st.sampled_from(CENTURIES),
        st.sampled_from(
            (
                "",
                " century",
                "-century",
            )
        ),
    ),
    "ordinal": st.builds(
        "{}{}".format, st.sampled_from(RANKS), st.sampled_from(("-largest", " largest"))
    ),
    "amount": st.builds(
        "{}{}".format,
        st.sampled_from("$€£"),
        st.one_of(
            NUMBERS.map("{:,}".format),
            NUMBERS.map(str),
            NUMBERS.map(lambda n: f"{n / 100:,.2f}"),
        ),
    ),
    "percentage": st.builds(
        "{}{}".format,
        st.one_of(
            st.integers(0, 99).map(str),
            st.integers(0, 999).map(lambda n: f"{n / 10:.1f}"),
        ),
        st.sampled_from(("%", " percent", " per cent")),
    ),
    "number": st.one_of(
        NUMBERS.map("{:,}".format),
        st.integers(0, 999).map(str),
        st.integers(2030, 10**8).map(str),
        NUMBERS.map(lambda n: f"{n / 100:.2f}"),
        st.sampled_from(WORDS),
    ),
}


def shape(value: str) -> str:
    """Return a value with its digits, month names and number words blotted out."""
    for month in MONTHS:
        value = value.replace(month, "M")
    value = re.sub(r"\d(?:st|nd|rd|th)\b", "9th", value)
    return re.sub(r"\d+", "9", re.sub(r"^[a-z]+(-[a-z]+)?(?=$|[ -]largest)", "w", value))


@pytest.mark.parametrize("type_id", SOURCES)
@given(data=st.data(), seed=st.integers(0, 10**6))
@settings(max_examples=120, deadline=None, derandomize=True)
def test_a_fresh_value_keeps_the_format_of_the_source(
    type_id: str, data: st.DataObject, seed: int
) -> None:
    source = data.draw(SOURCES[type_id])
    known = value_format(source)
    assert known is not None
    assert known.type_id == type_id
    fresh = coin_value(known, source, random.Random(seed), lambda form: True)
    assert fresh is not None
    assert fresh != source
    assert value_format(fresh) is known
    assert shape(fresh) == shape(source)


@pytest.mark.parametrize("type_id", SOURCES)
@given(data=st.data(), seed=st.integers(0, 10**6))
@settings(max_examples=40, deadline=None, derandomize=True)
def test_no_variant_of_a_fresh_value_is_one_that_was_refused(
    type_id: str, data: st.DataObject, seed: int
) -> None:
    source = data.draw(SOURCES[type_id])
    known = value_format(source)
    assert known is not None
    generator = random.Random(seed)
    first = coin_value(known, source, generator, lambda form: True)
    assert first is not None
    taken = set(surface_variants(first, type_id))
    second = coin_value(known, source, random.Random(seed), lambda form: form not in taken)
    assert second is None or taken.isdisjoint(surface_variants(second, type_id))


@given(st.sampled_from(sorted(SOURCES)), st.data(), st.integers())
@settings(max_examples=60, deadline=None, derandomize=True)
def test_the_same_generator_gives_the_same_value(
    type_id: str, data: st.DataObject, seed: int
) -> None:
    source = data.draw(SOURCES[type_id])
    known = value_format(source)
    assert known is not None
    drawn = [coin_value(known, source, random.Random(seed), lambda _: True) for _ in range(2)]
    assert drawn[0] == drawn[1]


@pytest.mark.parametrize(
    ("source", "type_id"),
    [
        ("11 February 1929", "date"),
        ("October 23, 1874", "date"),
        ("May 1868", "month"),
        ("1 March 2150", "date"),
        ("1874", "year"),
        ("2015", "year"),
        ("18th century", "century"),
        ("19th", "century"),
        ("third-largest", "ordinal"),
        ("$7,531", "amount"),
        ("48%", "percentage"),
        ("7,531", "number"),
        ("3.5", "number"),
        ("forty-two", "number"),
    ],
)
def test_formats_that_are_known(source: str, type_id: str) -> None:
    known = value_format(source)
    assert known is not None
    assert known.type_id == type_id


@pytest.mark.parametrize(
    "source",
    [
        "",
        "the dynasty regrouped",
        "1-800-555",
        "about 30",
        "23 Octember 1874",
        "100 AD",
        "1 May 0000",
    ],
)
def test_a_value_of_no_known_format_is_not_guessed(source: str) -> None:
    assert value_format(source) is None


def test_a_number_of_four_digits_never_becomes_a_year() -> None:
    known = value_format("7531")
    assert known is not None
    drawn = [coin_value(known, "7531", random.Random(seed), lambda _: True) for seed in range(200)]
    assert {value_format(fresh or "") for fresh in drawn} == {known}


def test_nothing_is_returned_where_every_draw_is_refused() -> None:
    known = value_format("1874")
    assert known is not None
    assert coin_value(known, "1874", random.Random(0), lambda _: False) is None
    assert coin_value(known, "no year", random.Random(0), lambda _: True) is None


@given(YEARS, st.integers())
@settings(max_examples=80, deadline=None, derandomize=True)
def test_a_fresh_year_is_near_the_old_one_and_not_of_our_days(year: int, seed: int) -> None:
    source = f"May {year}"
    known = value_format(source)
    assert known is not None
    fresh = coin_value(known, source, random.Random(seed), lambda _: True)
    assert fresh is not None
    found = int(fresh.split()[1])
    assert 1000 <= found < 2010
    assert found >= min(year, 2009) - 90
    assert found <= year + 90
