"""Near-misses in the words of other relations: what they say, what follows, what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from realhop_kg.construct.compete import STRICT_CANDIDATES
from realhop_kg.errors import InputError
from realhop_kg.relations.catalogue import Catalogue, catalogue
from realhop_kg.relations.predicates import Family
from realhop_kg.relations.relation import NearMiss, each_of
from tests.construct.small import miss, relation, small_catalogue

BUNDLED = catalogue()
OWN = [miss(name) for name in ("guest", "rival", "debtor")]


def borrowing(**changes: Any) -> tuple[Catalogue, NearMiss]:
    """Return a catalogue in which `twin` has a near-miss that borrows, and that near-miss."""
    declared = {"id": "lent", "like": "seat", "because": "a seat is no twin", **changes}
    known = small_catalogue(relation("twin", near_misses=[declared, *OWN]))
    return known, known.relations["twin"].near_misses[0]


def test_a_near_miss_of_the_same_things_says_what_its_lender_says_and_entails_it() -> None:
    known, lent = borrowing()
    twin, seat = known.relations["twin"], known.relations["seat"]
    assert twin.statement_of(lent) == seat.statement_of(None) == "The seat of {x} is {y}."
    for frame in (0, 1):
        assert twin.premises_of(lent, frame) == seat.premises_of(None, frame)
        assert twin.key_of(lent, frame) == seat.frames[frame].key
        assert twin.key_of(None, frame) == twin.frames[frame].key
    assert known.predicates.entails("twin.lent", "seat")
    assert lent.unsaid == {"seat"}


def test_a_near_miss_of_what_belongs_to_the_subject_entails_nothing() -> None:
    known, lent = borrowing(of="the founder of {x}", unless=["home"])
    twin = known.relations["twin"]
    assert twin.statement_of(lent) == "The seat of the founder of {x} is {y}."
    assert twin.premises_of(lent, 0)[0] == "{k} names the seat of the founder of {x}."
    assert known.predicates.entailed("twin.lent") == {"twin.lent"}
    assert lent.unsaid == {"home"}


def test_a_role_of_its_own_takes_the_place_of_the_lenders() -> None:
    known, lent = borrowing(role="second seat")
    assert known.relations["twin"].statement_of(lent) == "The second seat of {x} is {y}."
    assert not known.predicates.entails("twin.lent", "seat")


def test_texts_of_its_own_go_before_borrowed_ones() -> None:
    known, lent = borrowing(
        statement="{x} was lent to {y}.", links=["{k} lends {x}.", "{k} rents {x}."]
    )
    twin = known.relations["twin"]
    assert twin.statement_of(lent) == "{x} was lent to {y}."
    assert twin.premises_of(lent, 1) == ("{k} rents {x}.", "What {k} describes is {y}.")


def test_what_follows_from_a_borrowed_near_miss_is_known_to_the_catalogue() -> None:
    seat = relation("seat", entails=["twin"])
    declared = {"id": "lent", "like": "seat", "because": "no reason"}
    with pytest.raises(InputError, match=r"near-miss twin\.lent entails twin"):
        small_catalogue(seat, relation("twin", near_misses=[declared, *OWN]))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"like": "crest"}, "borrows from unknown 'crest'"),
        ({"like": "home"}, "takes .*settlement.*, but home, .* takes .*person"),
        ({"unless": ["crest"]}, "names unknown relation 'crest'"),
    ],
)
def test_what_cannot_be_borrowed_is_refused_by_name(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        borrowing(**changes)


def test_a_lender_is_split_in_as_many_ways() -> None:
    seat = relation("seat")
    short = seat.model_copy(update={"frames": seat.frames[:1]})
    declared = {"id": "lent", "like": "seat", "because": "a seat is no twin"}
    with pytest.raises(InputError, match="needs 2 frames, seat has 1"):
        small_catalogue(short, relation("twin", near_misses=[declared, *OWN]))


def test_each_word_of_a_list_makes_a_near_miss() -> None:
    declared = {
        "id": "site",
        "each": ["mint", "law school"],
        "of": "the {each} of {x}",
        "links": ["{k} shows the {each}."],
        "because": "a {each} may be anywhere",
    }
    first, second = each_of(declared)
    assert first["id"] == "site_mint"
    assert second == {
        "id": "site_law_school",
        "of": "the law school of {x}",
        "links": ["{k} shows the law school."],
        "because": "a law school may be anywhere",
    }
    assert each_of({"id": "site", "because": "alone"}) == [{"id": "site", "because": "alone"}]


# --- what the repository ships


@pytest.mark.parametrize("entry", BUNDLED.relations.values(), ids=lambda entry: entry.id)
def test_enough_near_misses_are_left_whatever_else_a_question_asks(entry: Any) -> None:
    always = [each for each in entry.near_misses if not each.only and not each.unsaid]
    assert len(always) > STRICT_CANDIDATES


def test_a_bundled_near_miss_about_a_relative_yields_to_a_step_that_asks_for_the_relative() -> None:
    kin = {"spouse": "spouse", "father": "father", "mother": "mother", "founder": "founded_by"}
    seen = 0
    for entry in BUNDLED.relations.values():
        for each in entry.near_misses:
            for noun, asked in kin.items():
                if f"the {noun} of {{x}}" in each.of:
                    assert asked in each.unless, (entry.id, each.id)
                    seen += 1
    assert seen > 20


def test_every_bundled_near_miss_in_plain_borrowed_words_entails_its_lender() -> None:
    plain = [
        (entry.miss_id(each), each.like)
        for entry in BUNDLED.relations.values()
        for each in entry.near_misses
        if each.like in each.entails
    ]
    assert len(plain) > 50
    for predicate, lender in plain:
        assert BUNDLED.predicates[predicate].family is Family.NEAR_MISS
        assert BUNDLED.predicates.entails(predicate, lender)
