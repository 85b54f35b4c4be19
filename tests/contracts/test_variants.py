"""Values written in other ways, and names found in text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from realhop_kg.contracts.numerals import cardinals, number_words, rank_words, ranked
from realhop_kg.contracts.occurrence import Haystack
from realhop_kg.contracts.variants import surface_variants


class TestVariants:
    @pytest.mark.parametrize(
        ("surface", "entity_type", "others"),
        [
            ("five", "number", {"5"}),
            ("5", "number", {"five"}),
            ("Twenty-one", "number", {"21", "twenty one"}),
            ("412", "number", {"four hundred and twelve", "four hundred twelve"}),
            ("1,234", "number", {"1234"}),
            ("1234", "number", {"1,234"}),
            ("5.2 million", "number", {"5,200,000", "5200000"}),
            ("1,234.5", "number", {"1234.5"}),
            ("23 October 1874", "date", {"October 23, 1874", "23 Oct. 1874", "1874-10-23"}),
            ("October 23, 1874", "date", {"23 October 1874", "23rd of October 1874"}),
            ("Oct. 23rd, 1874", "date", {"23 October 1874", "October 23 1874"}),
            ("4 May 1861", "date", {"May 4, 1861", "May 4th, 1861"}),
            ("9 September", "date", {"September 9", "Sept. 9th"}),
            ("June 1874", "date", {"Jun. 1874", "June, 1874"}),
            ("18th century", "century", {"eighteenth century", "18th-century"}),
            ("eighteenth", "century", {"18th"}),
            ("21st", "ordinal", {"twenty-first", "twenty first"}),
            ("sixth-largest", "ordinal", {"6th largest", "sixth largest", "6th-largest"}),
            ("48%", "percentage", {"48 percent", "48 per cent", "forty-eight percent"}),
            ("48.5 per cent", "percentage", {"48.5%"}),
            ("$1,200", "amount", {"$1200", "1,200 dollars"}),
            ("5 million dollars", "amount", {"$5 million", "$5,000,000"}),
        ],
    )
    def test_a_value_has_the_forms_that_readers_know(
        self, surface: str, entity_type: str, others: set[str]
    ) -> None:
        variants = surface_variants(surface, entity_type)
        assert variants[0] == surface
        assert others <= set(variants)
        assert len(set(variants)) == len(variants)

    @pytest.mark.parametrize(
        ("surface", "entity_type"),
        [
            ("1967", "year"),
            ("Five Points", "place"),
            ("5", "person"),
            ("the dynasty regrouped", "value"),
            ("", "number"),
            ("percent", "percentage"),
            ("99 Marchtember 1874", "date"),
        ],
    )
    def test_what_is_no_known_value_has_its_surface_alone(
        self, surface: str, entity_type: str
    ) -> None:
        assert surface_variants(surface, entity_type) == (surface,)

    @settings(max_examples=300, deadline=None, derandomize=True)
    @given(st.integers(0, 10**7), st.sampled_from(["number", "percentage", "amount"]))
    def test_every_variant_of_a_number_has_the_number_among_its_own(
        self, number: int, entity_type: str
    ) -> None:
        shape = {"number": "{}", "percentage": "{}%", "amount": "${}"}[entity_type]
        surface = shape.format(number)
        for variant in surface_variants(surface, entity_type):
            assert surface in surface_variants(variant, entity_type)

    @settings(max_examples=200, deadline=None, derandomize=True)
    @given(st.dates())
    def test_every_variant_of_a_date_but_the_numeric_one_gives_it_back(self, day: object) -> None:
        surface = f"{day:%B} {day.day}, {day.year:04}"  # type: ignore[attr-defined,str-format]
        for variant in surface_variants(surface, "date"):
            if not variant[0].isdigit() or "-" not in variant:
                assert surface in surface_variants(variant, "date")

    @settings(max_examples=500, deadline=None, derandomize=True)
    @given(st.text(max_size=20), st.sampled_from(["number", "date", "ordinal", "amount", "value"]))
    def test_any_text_is_taken(self, surface: str, entity_type: str) -> None:
        assert surface_variants(surface, entity_type)[0] == surface


class TestNumerals:
    @pytest.mark.parametrize("number", [0, 7, 13, 20, 42, 100, 101, 219, 999])
    def test_words_of_a_number_read_as_that_number(self, number: int) -> None:
        for words in cardinals(number):
            assert number_words()[words.replace("-", " ")] == number

    def test_ordinals_have_their_endings(self) -> None:
        ranks = [ranked(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 112, 123)]
        assert ranks == [
            "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "112th", "123rd",
        ]  # fmt: skip
        words = rank_words()
        assert [words[w] for w in ("first", "twelfth", "twentieth", "ninety-ninth")] == [
            1, 12, 20, 99,
        ]  # fmt: skip


class TestHaystack:
    @pytest.mark.parametrize(
        "name", ["Ask River", "ask RIVER", "the Ask", "1,234", "Übersee", "J. Orm", "$5", "48%"]
    )
    def test_a_name_is_found_whatever_its_case(self, name: str) -> None:
        text = Haystack("Of the Ask River's 1,234 acres", "übersee, J. Orm paid $5 (48%)")
        assert text.holds(name)

    @pytest.mark.parametrize("name", ["Ask", "River", "234", "1", "Orm J", "", " ", "5.5"])
    def test_a_part_of_a_word_or_number_is_no_occurrence(self, name: str) -> None:
        assert not Haystack("Basks Riverside 1,234 J. Ormond 5.50").holds(name)

    def test_texts_do_not_run_into_each_other(self) -> None:
        assert not Haystack("the Ask", "River").holds("Ask River")

    def test_the_names_held_keep_their_order(self) -> None:
        assert Haystack("a b c").held(["c", "x", "a"]) == ["c", "a"]
