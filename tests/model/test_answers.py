"""SQuAD normalisation."""

from __future__ import annotations

import pytest

from realhop_kg.model.answers import normalize_answer


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("The Orlen Bridge", "orlen bridge"),
        ("A-ha", "aha"),
        ("U.S.", "us"),
        ("  an   Ask\tRiver \n", "ask river"),
        ("Rémy’s Quay, 1814–15", "rémy’s quay 1814–15"),
        ("1,234", "1234"),
        ("theatre of an age", "theatre of age"),
        ("the", ""),
        ("", ""),
    ],
)
def test_case_ascii_punctuation_articles_and_blanks_go_and_nothing_else(
    text: str, normal: str
) -> None:
    assert normalize_answer(text) == normal
