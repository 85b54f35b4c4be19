from __future__ import annotations

import pytest

from realhop_kg.model.entity import written


@pytest.mark.parametrize(
    ("surface", "article", "expected"),
    [
        ("Ask River", "the", "the Ask River"),
        ("Calder", "", "Calder"),
    ],
)
def test_a_name_is_written_with_the_article_it_takes(
    surface: str, article: str, expected: str
) -> None:
    assert written(surface, article) == expected
