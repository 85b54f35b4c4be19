"""Sentence boundaries, and sentences that refer to what stands before them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from realhop_kg.model.sentences import (
    boundaries,
    ends_sentence,
    insertion_points,
    next_sentence,
    opens_reference,
    references,
    separator,
)


def _pieces(text: str) -> list[str]:
    stops = [0, *boundaries(text)]
    return [text[a:b].strip() for a, b in pairwise(stops)]


class TestBoundaries:
    @pytest.mark.parametrize(
        ("text", "pieces"),
        [
            ("Calder is a town. Orm is not.", ["Calder is a town.", "Orm is not."]),
            ("It closed in 1974. Trams stopped.", ["It closed in 1974.", "Trams stopped."]),
            ("One came. 40 stayed.", ["One came.", "40 stayed."]),
            ("One came.  \n Two stayed. \n", ["One came.", "Two stayed."]),
            ('He wrote "Yes." Then he left.', ['He wrote "Yes."', "Then he left."]),
            ("It shut (for good.) Orm fell.", ["It shut (for good.)", "Orm fell."]),
            ("It shut [3]. Orm fell.", ["It shut [3].", "Orm fell."]),
        ],
    )
    def test_sentences_end_at_full_stops(self, text: str, pieces: list[str]) -> None:
        assert _pieces(text) == pieces

    @pytest.mark.parametrize(
        "text",
        [
            "Mr. Vale met Dr. Orm near St. Calder.",
            "J. R. Orm lived in the U.S. Then he moved",
            "Vol. 3 of No. 5 is lost.",
            "Volume 3. Chapter one",
            "The firm was Orm Ltd. Its seat is Calder",
            "It ended ... Nobody knew.",
            "Is it Calder? Yes! Orm said so",
            "He said (It rained. Orm left) and went.",
            'He wrote "It rained. Orm left" and went.',
            "He wrote “It rained. Orm left” and went.",
            "He sang ``Rain. Orm ''and went.",
            "The site e.g. Calder is open.",
            "It costs 3. Orm pays.",
            "It is at orm.example. the rest is lost.",
        ],
    )
    def test_other_full_stops_end_none(self, text: str) -> None:
        assert boundaries(text) == [len(text)]

    def test_a_quote_that_never_closes_ends_with_its_line(self) -> None:
        text = 'It is 5" wide. Orm made it.\nCalder sold it. Brask paid.'
        assert _pieces(text) == [
            'It is 5" wide. Orm made it.\nCalder sold it.',
            "Brask paid.",
        ]

    @pytest.mark.parametrize("text", ["", "  ", "\n\t"])
    def test_a_blank_text_has_none(self, text: str) -> None:
        assert boundaries(text) == []

    def test_a_text_without_a_full_stop_has_its_end(self) -> None:
        assert boundaries("Lines: Calder to Orm \n") == [len("Lines: Calder to Orm")]

    @settings(max_examples=500, deadline=None, derandomize=True)
    @given(st.text(st.sampled_from("aA.!?\"()[]'’“”` \n1J—é"), max_size=80))
    def test_they_ascend_inside_the_text_and_end_with_its_last_character(self, text: str) -> None:
        stops = boundaries(text)
        assert stops == sorted(set(stops))
        assert all(0 < stop <= len(text) for stop in stops)
        assert stops[-1:] == ([len(text.rstrip())] if text.strip() else [])
        for stop in stops[:-1]:
            assert ends_sentence(text[:stop])
            assert text[stop].isspace()
            follows = next_sentence(text, stop, stops).lstrip("\"'“‘«([`")
            assert follows[0].isupper() or follows[0].isdigit()
        assert set(insertion_points(text)) <= set(stops)
        assert insertion_points(text)[-1:] == stops[-1:]


class TestSeparator:
    @pytest.mark.parametrize(
        ("before", "wanted"),
        [
            ("It rained.", " "),
            ("Did it rain?", " "),
            ('He said "rain!"', " "),
            ("(It rained.) ", " "),
            ("Lines: Calder", "\n"),
            ("rain, ", "\n"),
            ("", "\n"),
        ],
    )
    def test_a_newline_stands_where_the_text_before_has_no_end(
        self, before: str, wanted: str
    ) -> None:
        assert separator(before + "Rest", len(before)) == wanted


class TestReferences:
    @pytest.mark.parametrize(
        "sentence",
        [
            "He left in 1911.",
            "This was Calder.",
            "The town has a mill.",
            "However, Dorian Hask stayed.",
            "Its mill burnt.",
            "Both towns joined Calder.",
            "Another was Calder.",
            "there was Calder.",
            "12 mills stood in Calder.",
            "In 1911 he moved to Calder.",
            "In July it burnt.",
            "In July the town burnt.",
            "During the war Calder starved.",
            "Production moved to Calder.",
            "Owned by Brask, Calder Mill made cloth for them.",
            "With her brother, Mirela Castane left.",
            "“They left Calder.”",
            "...",
        ],
    )
    def test_a_sentence_that_leans_on_the_text_before_opens_one(self, sentence: str) -> None:
        assert opens_reference(sentence)

    @pytest.mark.parametrize(
        "sentence",
        [
            "",
            "Dorian Hask sold his mill.",
            "Calder Mill burnt in its third year.",
            "In 1911 Calder had a mill.",
            "A mill of Calder burnt.",
            "During the Calder War mills burnt.",
            '"Dorian Hask" is a song.',
        ],
    )
    def test_a_sentence_that_names_what_it_is_about_opens_none(self, sentence: str) -> None:
        assert not opens_reference(sentence)

    def test_a_single_first_word_must_be_known_as_a_name(self) -> None:
        assert opens_reference("Calder is a town.")
        assert not opens_reference("Calder is a town.", {"Calder"})
        assert not opens_reference("Calder's mill burnt.", {"Calder"})
        assert opens_reference("Calder sold its mill.", {"Calder"})

    def test_a_text_shows_which_words_are_names(self) -> None:
        text = "The mill stands near Calder. Calder is a town. Trade grew. Orm is a village."
        points = [text[:point].rsplit(". ", 1)[-1] for point in insertion_points(text)]
        assert points == ["The mill stands near Calder.", "Orm is a village."]

    @pytest.mark.parametrize(
        ("text", "found"),
        [
            ("The mill that Orm sold kept its name.", ["that", "its"]),
            ("Those are THESE.", ["Those", "THESE"]),
            ("Thistle and Hermann met Ithaca.", []),
            ("The former mayor and such men", ["former", "such"]),
        ],
    )
    def test_pronouns_and_demonstratives_are_found_as_words(
        self, text: str, found: list[str]
    ) -> None:
        assert references(text) == found
