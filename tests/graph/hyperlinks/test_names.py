"""Names of pages and addresses of links meet in one key."""

from __future__ import annotations

import pytest

from realhop_kg.graph.hyperlinks.names import RAISED, clean_href, clean_title, name_key


@pytest.mark.parametrize(
    ("href", "title"),
    [
        ("Vatican%20City", "Vatican City"),
        ("Vatican_City", "Vatican City"),
        ("AT%26T", "AT&T"),
        ("AT&amp;T", "AT&T"),
        ("O&#39;Hara#Youth", "O'Hara"),
        ("City%23History", "City"),
        ("#Top", ""),
        (":Category:Rivers", "Category:Rivers"),
        ("100%25", "100%"),
        ("Caf%C3%A9", "Café"),
        ("Cafe\u0301", "Café"),
        ("  A__b ", "A b"),
        ("%FF", "\ufffd"),
    ],
)
def test_an_address_is_read_as_a_title(href: str, title: str) -> None:
    assert clean_href(href) == title


def test_a_title_keeps_its_percent_sign_and_its_section_sign() -> None:
    assert clean_title("100%25 of C#\n") == "100%25 of C#"


def test_first_letters_differ_in_the_lowest_bit_only() -> None:
    assert name_key("ebay") == name_key("Ebay") | RAISED
    assert not name_key("Ebay") & RAISED


def test_other_letters_count() -> None:
    assert name_key("EBay") & ~RAISED != name_key("Ebay") & ~RAISED


def test_keys_are_the_same_on_every_machine() -> None:
    assert name_key("Ostra") == 4071026859264684008


def test_a_letter_that_would_become_two_is_left() -> None:
    assert not name_key("ßeta") & RAISED


def test_half_characters_have_a_key() -> None:
    assert isinstance(name_key("\ud800x"), int)
