"""Each frame words what it should; hedged, shared and longer targets are refused."""

from __future__ import annotations

import pytest

from realhop_kg.refusal.frames import frames, word_clause
from realhop_kg.refusal.kinds import Kind, nouns

CASES = [
    ("city", "country", "⟦S⟧ is the capital and largest city of ⟦T⟧.",
     "the N whose capital is {S}"),
    ("city", "country", "⟦S⟧ is the second largest city in ⟦T⟧, with a port.",
     "the N whose second largest city is {S}"),
    ("person", "country", "⟦S⟧ was the first President of ⟦T⟧ to be elected.",
     "the N that had {S} as its first president"),
    ("country", "city", "⟦S's⟧ capital city is ⟦T⟧.", "the capital city of {S}"),
    ("city", "country", "⟦S⟧ is a city in northern Kest, ⟦T⟧.", "the N that contains {S}"),
    ("country", "continent", "⟦S⟧ is a landlocked country in central ⟦T⟧.",
     "the N that contains {S}"),
    ("country", "country", "⟦S⟧ borders A to the south, ⟦T⟧ to the north-east, and B.",
     "the northeastern neighbour of {S}"),
    ("country", "country", "⟦S⟧ is bordered to the west by ⟦T⟧, to the east by B.",
     "the western neighbour of {S}"),
    ("country", "country", "⟦S⟧ is bounded by A on the north, by ⟦T⟧ on the west, by B.",
     "the western neighbour of {S}"),
    ("country", "ocean", "⟦S⟧ borders B to the west, and the ⟦T⟧ to the south.",
     "the N off the southern coast of {S}"),
    ("country", "country", "⟦S⟧ is bordered by A in the north, ⟦T⟧ to the east and south.",
     "the N to the east and south of {S}"),
    ("country", "country", "⟦S⟧ is bounded by A on the north, by ⟦T⟧ on the east and south.",
     "the N to the east and south of {S}"),
    ("person", "city", "⟦S⟧ was a poet born in ⟦T⟧, Kest.", "the birthplace of {S}"),
    ("person", "country", "⟦S⟧ was born in Trier, ⟦T⟧.", "the N where {S} was born"),
    ("person", "person", "⟦S⟧ studied at Mill under ⟦T⟧.", "the N who taught {S}"),
    ("person", "person", "⟦S⟧ was a painter and a pupil of ⟦T⟧.", "the N who taught {S}"),
    ("person", "person", "⟦S⟧ was the eldest son of King ⟦T⟧.", "the N who was a parent of {S}"),
    ("country", "city", "⟦S⟧ was a country with its capital at ⟦T⟧.", "the capital of {S}"),
    ("city", "country", "⟦S⟧ is the capital of Kest, and is the third largest city in ⟦T⟧.",
     "the N whose third largest city is {S}"),
    ("work", "person", "⟦S⟧ is a novel of 1858 by the poet ⟦T⟧.", "the N who created {S}"),
    ("building", "person", "⟦S⟧ was designed by ⟦T⟧ and finished in 1900.",
     "the N who designed {S}"),
    ("planet", "star", "⟦S⟧ is the fourth planet from the ⟦T⟧.", "the N orbited by {S}"),
    ("river", "sea", "⟦S⟧ ends in a delta that empties into the ⟦T⟧.",
     "the N at the mouth of {S}"),
    ("island", "sea", "⟦S⟧ is an island in the eastern ⟦T⟧.", "the N around {S}"),
    ("country", "ocean", "⟦S⟧ is a country in the southwestern ⟦T⟧ comprising two islands.",
     "the N around {S}"),
    ("country", "continent", "⟦S⟧ is a country on the northern coast of ⟦T⟧.",
     "the N that contains {S}"),
    ("country", "continent", "⟦S⟧ is the largest country by area in ⟦T⟧ and the oldest.",
     "the N whose largest country is {S}"),
    ("city", "country", "⟦S⟧ is ⟦T⟧'s third largest city and one of the richest.",
     "the N whose third largest city is {S}"),
    ("country", "region", "⟦S⟧ is a small country in the ⟦T⟧.", "the N that includes {S}"),
    ("island", "country", "⟦S⟧ is part of the ⟦T⟧.", "the N that includes {S}"),
    ("country", "country", "⟦S⟧ is a country, entirely surrounded by the Republic of ⟦T⟧.",
     "the N that surrounds {S}"),
    ("country", "river", "⟦S⟧ is a country in the west, named after the ⟦T⟧.",
     "the N that gave {S} its name"),
    ("country", "ocean", "⟦S⟧ is a country with a west coast along the ⟦T⟧.",
     "the N that washes the shores of {S}"),
    ("river", "sea", "⟦S⟧ runs east, passing three towns, before emptying into the ⟦T⟧ in Kest.",
     "the N at the mouth of {S}"),
    ("sea", "ocean", "⟦S⟧ is a sea in the west, part of the ⟦T⟧, by the gulf.",
     "the N that includes {S}"),
    ("lake", "continent", "⟦S⟧ is one of the Great Lakes of ⟦T⟧.", "the N that contains {S}"),
    ("city", "country", "⟦S⟧ is the capital, largest city, and chief port of ⟦T⟧.",
     "the N whose capital is {S}"),
    ("city", "country", "⟦S⟧ is the official capital of the ⟦T⟧ and with 20 people the least.",
     "the N whose capital is {S}"),
    ("city", "country", "⟦S⟧ is a city in South West ⟦T⟧ best known for its baths.",
     "the N that contains {S}"),
    ("city", "country", "⟦S⟧ is a city in the East Midlands of ⟦T⟧.", "the N that contains {S}"),
    ("region", "country", "⟦S⟧ is a county on the south coast of ⟦T⟧.",
     "the N that contains {S}"),
    ("country", "continent", "⟦S⟧ is a country in the Great Lakes region of central ⟦T⟧.",
     "the N that contains {S}"),
    ("country", "continent", "⟦S⟧ is a unitary republic of central ⟦T⟧.",
     "the N that contains {S}"),
    ("country", "continent", "⟦S⟧ is an island nation, off the south coast of ⟦T⟧.",
     "the N off whose coast {S} lies"),
    ("country", "country", "⟦S⟧ gained independence from the ⟦T⟧ in 1867.",
     "the N from which {S} became independent"),
    ("country", "country", "⟦S⟧ was colonized by ⟦T⟧.", "the N that colonized {S}"),
    ("island", "country", "⟦S⟧ is an island in the Mar belonging to ⟦T⟧.",
     "the N to which {S} belongs"),
    ("region", "country", "⟦S⟧ is an overseas territory of the ⟦T⟧.",
     "the N to which {S} belongs"),
    ("person", "country", "⟦S⟧ was an inventor who emigrated to ⟦T⟧.",
     "the N to which {S} emigrated"),
    ("person", "country", "⟦S⟧ was a poet, born in Mill, ⟦T⟧.", "the N where {S} was born"),
    ("taxon", "continent", "⟦S⟧ is a genus of lizard that lived in western ⟦T⟧ during an age.",
     "the N that was the home of {S}"),
    ("country", "continent", "⟦S⟧ is the northwesternmost country of ⟦T⟧.",
     "the N whose northwesternmost country is {S}"),
    ("river", "country", "⟦S⟧ originates in the Black Forest in ⟦T⟧ as two rivers.",
     "the N at the source of {S}"),
    ("sea", "ocean", "⟦S⟧ is a bay that forms the northern part of the ⟦T⟧.",
     "the N that includes {S}"),
    ("planet", "star", "⟦S⟧ is the second-closest planet to the ⟦T⟧, orbiting it.",
     "the N orbited by {S}"),
    ("firm", "city", "⟦S⟧ is a firm with headquarters in ⟦T⟧.", "the N that is home to {S}"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "target", "clause", "phrase"), CASES)
def test_a_clause_is_worded(source: str, target: str, clause: str, phrase: str) -> None:
    found = next(word_clause(clause, Kind("thing", source), Kind("N", target)))
    assert found is not None
    assert found.phrase == phrase
    assert "{S}" in found.ask
    assert found.ask.endswith("?")
    assert found.clause == clause


@pytest.mark.parametrize(
    ("source", "target", "clause"),
    [
        ("city", "country", "⟦S⟧ is not the capital of ⟦T⟧."),
        ("city", "country", "⟦S⟧ is claimed to be a city in ⟦T⟧."),
        ("city", "country", "⟦S⟧ is a city in ⟦T⟧ and Kest."),
        ("city", "country", "⟦S⟧ is a city in ⟦T⟧, Kest and Mar."),
        ("city", "country", "⟦S⟧ is a city in the ⟦T⟧ Valley."),
        ("city", "country", "⟦S⟧ is a city in Kest, east of ⟦T⟧."),
        ("city", "country", "⟦S⟧ is the capital of the ⟦T⟧ of Kest."),
        ("country", "country", "⟦S⟧ borders A and ⟦T⟧ to the north, B to the south."),
        ("country", "country", "⟦S⟧ borders ⟦T⟧ and A to the north, B to the south."),
        ("country", "country", "⟦S⟧ borders ⟦T⟧ to the north, A to the west, B to the north."),
        ("country", "country", "⟦S⟧ borders A in the west and Kest and ⟦T⟧ in the southwest."),
        ("country", "country", "⟦S⟧ is bordered to the north by ⟦T⟧, A and B, to the east by C."),
        ("person", "person", "⟦S⟧ studied at Mill under ⟦T⟧ and Ada Orm."),
        ("person", "person", "⟦S⟧ was a poet whose wife was a pupil of ⟦T⟧."),
        ("person", "person", "⟦S⟧ was the adopted son of ⟦T⟧."),
        ("city", "country", "⟦S⟧ is the capital of Kest and the largest province of ⟦T⟧."),
        ("city", "country", "⟦S⟧ is the third city after Ost, the largest city in ⟦T⟧."),
        ("country", "city", "⟦S⟧ is a country by Ost, whose capital is ⟦T⟧."),
        ("river", "sea", "⟦S⟧ is a river by the Ost, which flows into the ⟦T⟧."),
        ("river", "country", "⟦S⟧ is a city in ⟦T⟧, and ⟦T⟧ is old."),
        ("animal", "country", "⟦S⟧ is a bird in ⟦T⟧."),
        ("taxon", "country", "⟦S⟧ is a grass native to Kest, with one species native to ⟦T⟧."),
        ("taxon", "continent", "⟦S⟧ is a genus of lizard that lived in ⟦T⟧ and Kest."),
        ("animal", "continent", "⟦S⟧ is a bird native to ⟦T⟧ and Kest."),
        ("country", "continent", "⟦S⟧ gained independence from South ⟦T⟧ in 1990."),
        ("country", "country", "⟦S⟧ is an island nation off the coasts of ⟦T⟧ and Kest."),
        ("country", "country", "⟦S⟧ was settled by ⟦T⟧ and Kest."),
        ("island", "country", "⟦S⟧ is a dependency of ⟦T⟧, Kest and Mar."),
        ("city", "country", "⟦S⟧ is the capital, largest city of Kest, and port of ⟦T⟧."),
    ],
)
def test_what_is_not_sure_is_not_worded(source: str, target: str, clause: str) -> None:
    assert list(word_clause(clause, Kind("thing", source), Kind("N", target))) == []


def test_every_frame_is_sound() -> None:
    families = {kind.family for kind in nouns().values()}
    for name, frame in frames().items():
        assert frame.phrase.count("{S}") == 1, name
        assert frame.ask.count("{S}") == 1, name
        assert frame.phrase.startswith("the "), name
        assert {*frame.source, *frame.target} <= families, name
        assert all(pattern.startswith("^⟦S") for pattern in frame.match), name
