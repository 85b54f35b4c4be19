from __future__ import annotations

from collections import Counter
from itertools import product
from typing import NamedTuple

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from realhop_kg.construct.mentions import same_name
from realhop_kg.construct.steps import Anchor, Reading, Ref
from realhop_kg.construct.voicing import voice_question
from realhop_kg.errors import Refusal
from realhop_kg.relations.catalogue import catalogue
from realhop_kg.relations.relation import Relation, Voice
from realhop_kg.relations.templates import Pattern, Slot, expand, tokenize
from tests.construct.small import relation, small_catalogue

BUNDLED = catalogue()
TYPES = BUNDLED.types
ANCHOR = "Zarquon Vell"


class Composed(NamedTuple):
    """A question composed of the catalogue's own wordings, one inside the other."""

    question: str
    readings: dict[int, list[Reading]]


def single(entry: Relation) -> bool:
    return list(entry.arguments) == ["x"]


def drawn_pattern(draw: st.DrawFn, voices: tuple[Voice, ...]) -> Pattern:
    voice = draw(st.sampled_from([voice for voice in voices if not voice.step_only]))
    patterns = [
        pattern
        for pattern in expand(voice.text)
        if not any(isinstance(part, Slot) and part.clause for part in pattern)
    ]
    return draw(st.sampled_from(patterns)) if patterns else ()


def spelled(pattern: Pattern, inner: str, kind: str) -> str:
    fillers = {"x": inner, "kind": kind}
    parts = [fillers[part.name] if isinstance(part, Slot) else part for part in pattern]
    return " ".join(parts).replace(" 's", "'s")


def kind_of(draw: st.DrawFn, entry: Relation) -> str:
    odd = ("water", "facility") if entry.value == "place" else ()
    kinds = [
        kind
        for kind, of in TYPES.kinds.items()
        if TYPES.narrower(of, entry.value) and not any(TYPES.is_a(of, each) for each in odd)
    ]
    return draw(st.sampled_from(kinds or [TYPES[entry.value].noun]))


@st.composite
def composed(draw: st.DrawFn) -> Composed:
    """Draw a chain of one to three relations whose types fit, and word it from the inside."""
    every = [entry for entry in BUNDLED.relations.values() if single(entry)]
    length = draw(st.integers(1, 3))
    chain: list[Relation] = []
    while len(chain) < length:
        last = len(chain) == length - 1
        fitting = [
            entry
            for entry in every
            if (entry.questions if last else entry.nouns)
            and entry not in chain
            and (not chain or TYPES.narrower(chain[-1].value, entry.arguments["x"]))
        ]
        assume(fitting)
        chain.append(draw(st.sampled_from(fitting)))
    text = ANCHOR
    readings: dict[int, list[Reading]] = {}
    for hop, entry in enumerate(chain, start=1):
        voices = entry.questions if hop == length else entry.nouns
        pattern = drawn_pattern(draw, voices)
        assume(pattern)
        text = spelled(pattern, text, kind_of(draw, entry))
        filler = Anchor(ANCHOR) if hop == 1 else Ref(hop - 1)
        readings[hop] = [Reading(hop, entry, (("x", filler),), "", 3)]
    return Composed(f"{text}?", readings)


@given(composed())
@settings(max_examples=100, deadline=None, derandomize=True)
def test_a_question_of_the_catalogues_wordings_is_parsed_and_every_word_is_explained(
    case: Composed,
) -> None:
    voice = voice_question(case.question, case.readings, max(case.readings), BUNDLED)
    assert set(voice.hops) == set(case.readings)
    tokens = Counter(token.key for token in tokenize(case.question))
    named = Counter(token.key for token in tokenize(ANCHOR))
    assert [case.question[m.start : m.end] for m in voice.mentions] == [ANCHOR]
    # A kind noun is a word of the question, or comes from the step alone.
    kinds = [[[], [t.key for t in tokenize(hop.kind)]] for hop in voice.hops.values()]
    own = [word for hop in voice.hops.values() for word in hop.words]
    assert any(
        tokens == named + Counter(own) + Counter(word for kind in chosen for word in kind)
        for chosen in product(*kinds)
    )
    last = voice.hops[max(case.readings)]
    assert (last.start, last.end) == (0, len(case.question) - 1)
    for hop in voice.hops.values():
        assert ANCHOR in case.question[hop.start : hop.end]


@given(composed(), st.data())
@settings(max_examples=120, deadline=None, derandomize=True)
def test_a_word_that_no_wording_explains_is_never_swallowed(
    case: Composed, data: st.DataObject
) -> None:
    words = case.question.removesuffix("?").split()
    at = data.draw(st.integers(0, len(words)))
    foreign = case._replace(question=" ".join((*words[:at], "merrily", *words[at:])) + "?")
    with pytest.raises(Refusal) as caught:
        voice_question(foreign.question, foreign.readings, max(foreign.readings), BUNDLED)
    assert caught.value.code in ("Q1", "Q2")


# --- by hand

SMALL = small_catalogue(
    relation(
        "home",
        arguments={"x": "person"},
        nouns=[
            "the home of {x}",
            "{x}'s home",
            "the {kind} where {x} lives",
            {"text": "the place {x} knows", "weaker": "twin"},
        ],
        clauses=["{x} lives"],
    ),
    relation(
        "seat",
        nouns=["the seat of {x}", "the {kind} where {x:clause}"],
        questions=["what is the seat of {x}", "what is the seat of the town where {x:clause}"],
        transitive=True,
    ),
    relation("near", entails=["seat"], labels=[]),
    relation(
        "meet",
        arguments={"x": "settlement", "w": "settlement"},
        statement="The {role} of {x} and {w} is {y}.",
        frames=[
            {
                "key": "meet {nn}",
                "link": "{k} is the {role} of {x} and {w}.",
                "value": "{k} is in {y}.",
            }
        ],
        questions=["where do {x} and {w} meet", "where does {x} meet others"],
    ),
)


def read(hop: int, relation_id: str, *fillers: str | int, kind: str = "") -> list[Reading]:
    """Return the one reading of a hop; a number is the hop that gives the name."""
    entry = SMALL.relations[relation_id]
    given = (Ref(f) if isinstance(f, int) else Anchor(f) for f in fillers)
    return [Reading(hop, entry, tuple(zip(entry.arguments, given, strict=True)), kind, 3)]


def parts(question: str, readings: dict[int, list[Reading]]) -> dict[int, str]:
    voice = voice_question(question, readings, max(readings), SMALL)
    return {hop: question[v.start : v.end] for hop, v in voice.hops.items()}


def test_each_hop_is_voiced_by_a_part_of_the_question() -> None:
    readings = {1: read(1, "home", "Ida Marrow"), 2: read(2, "seat", 1)}
    assert parts("What is the seat of Ida Marrow's home?", readings) == {
        1: "Ida Marrow's home",
        2: "What is the seat of Ida Marrow's home",
    }


def test_a_clause_voices_a_hop_without_naming_its_kind() -> None:
    readings = {1: read(1, "home", "Ida Marrow"), 2: read(2, "seat", 1)}
    assert parts("What is the seat of the town where Ida Marrow lives?", readings) == {
        1: "Ida Marrow lives",
        2: "What is the seat of the town where Ida Marrow lives",
    }


def test_two_branches_meet_and_a_hop_may_be_voiced_twice() -> None:
    readings = {
        1: read(1, "home", "Ida Marrow"),
        2: read(2, "twin", 1),
        3: read(3, "meet", 1, 2),
    }
    question = "Where do the home of Ida Marrow and the twin of Ida Marrow's home meet?"
    voice = voice_question(question, readings, 3, SMALL)
    named = sorted((m.hop, m.slot, m.start) for m in voice.mentions)
    assert named == [(1, "x", 21), (1, "x", 48)]
    assert set(voice.hops) == {1, 2, 3}


def test_a_hop_that_is_voiced_in_two_ways_is_refused() -> None:
    first = [*read(1, "home", "Ida Marrow"), *read(1, "home", "Bert Vane")]
    readings = {1: first, 2: read(2, "meet", 1, 1)}
    question = "Where do the home of Ida Marrow and the home of Bert Vane meet?"
    with pytest.raises(Refusal, match=r"^Q2: the question voices hop 1 in two ways"):
        voice_question(question, readings, 2, SMALL)


def test_words_that_leave_out_a_name_of_the_step_voice_it_not() -> None:
    readings = {1: read(1, "home", "Ida Marrow"), 2: read(2, "meet", 1, "Orm")}
    with pytest.raises(Refusal, match=r"^Q1: the question does not name 'Orm'"):
        voice_question("Where does the home of Ida Marrow meet others?", readings, 2, SMALL)


def test_the_kind_by_which_the_question_asks_must_fit_the_relation() -> None:
    readings = {
        1: read(1, "home", "Ida Marrow"),
        2: read(2, "twin", "Orm"),
        3: read(3, "meet", 1, 2),
    }
    asked = "Where do the {} where Ida Marrow lives and the twin of Orm meet?"
    voice = voice_question(asked.format("Village"), readings, 3, SMALL)
    assert voice.hops[1].kind == "village"
    for kind in ("river", "moon"):
        with pytest.raises(Refusal, match=r"^Q2"):
            voice_question(asked.format(kind), readings, 3, SMALL)


def test_the_kind_of_the_step_is_kept_where_the_question_names_none() -> None:
    readings = {1: read(1, "home", "Ida Marrow", kind="village"), 2: read(2, "seat", 1)}
    voice = voice_question("What is the seat of the home of Ida Marrow?", readings, 2, SMALL)
    assert voice.hops[1].kind == "village"


def test_words_that_ask_for_less_are_noted() -> None:
    readings = {1: read(1, "home", "Ida Marrow"), 2: read(2, "seat", 1)}
    voice = voice_question("What is the seat of the place Ida Marrow knows?", readings, 2, SMALL)
    assert voice.hops[1].voice == Voice(text="the place {x} knows", weaker="twin")


def test_a_step_between_the_ends_of_a_transitive_chain_may_not_be_left_out() -> None:
    readings = {
        1: read(1, "home", "Ida Marrow"),
        2: read(2, "near", 1),
        3: read(3, "seat", 2),
    }
    with pytest.raises(Refusal, match=r"^Q2"):
        voice_question("What is the seat of the home of Ida Marrow?", readings, 3, SMALL)


def test_a_name_keeps_the_bracket_that_it_opened() -> None:
    readings = {1: read(1, "home", "Ida Marrow (singer)"), 2: read(2, "seat", 1)}
    question = "What is the seat of the home of Ida Marrow (singer)?"
    (mention,) = voice_question(question, readings, 2, SMALL).mentions
    assert question[mention.start : mention.end] == "Ida Marrow (singer)"


@pytest.mark.parametrize(
    "name",
    ["Help!", "Ida++", "*Marrow", "…And Ida", "(500) Ida", "R.E.M.", "'Salem", "“Ida”", "M*A*S*H"],
)
def test_characters_that_belong_to_a_name_go_with_it(name: str) -> None:
    readings = {1: read(1, "home", name), 2: read(2, "seat", 1)}
    question = f"What is the seat of the home of {name}?"
    (mention,) = voice_question(question, readings, 2, SMALL).mentions
    assert question[mention.start : mention.end] == name
    (owned,) = voice_question(f"What is the seat of {name}'s home?", readings, 2, SMALL).mentions
    assert owned.end - owned.start == len(name)


@pytest.mark.parametrize(
    "written", ["Ida!", "Ida…", "*Ida", "<i>Ida</i>", "Ida++", "(Ida", "[[Ida]]"]
)
def test_a_character_that_would_be_left_over_is_refused(written: str) -> None:
    readings = {1: read(1, "home", "Ida"), 2: read(2, "seat", 1)}
    with pytest.raises(Refusal, match=r"^Q[12]: ") as refused:
        voice_question(f"What is the seat of {written}'s home?", readings, 2, SMALL)
    assert refused.value.code in ("Q1", "Q2")


@pytest.mark.parametrize("written", ['"Ida"', "'Ida'", "“Ida”", "(Ida)", "Ida"])
@pytest.mark.parametrize("end", ["?", "", ".", " ?"])
def test_quotes_around_a_name_and_the_end_of_the_question_stay(written: str, end: str) -> None:
    readings = {1: read(1, "home", "Ida"), 2: read(2, "seat", 1)}
    question = f"What is the seat of the home of {written}{end}"
    (mention,) = voice_question(question, readings, 2, SMALL).mentions
    assert question[mention.start : mention.end] == "Ida"


def test_words_that_only_steps_use_voice_no_composed_question() -> None:
    home = SMALL.relations["home"]
    for step_only in (False, True):
        voice = Voice(text="the nest of {x}", step_only=step_only)
        entry = home.model_copy(update={"nouns": (voice,)})
        first = [Reading(1, entry, (("x", Anchor("Ida")),), "", 3)]
        readings = {1: first, 2: read(2, "seat", 1)}
        question = "What is the seat of the nest of Ida?"
        if step_only:
            with pytest.raises(Refusal, match=r"^Q2"):
                voice_question(question, readings, 2, SMALL)
        else:
            assert set(voice_question(question, readings, 2, SMALL).hops) == {1, 2}


def test_a_name_that_the_question_lacks_is_told_from_words_that_it_has_too_many() -> None:
    readings = {1: read(1, "home", "Ida Marrow"), 2: read(2, "seat", 1)}
    with pytest.raises(Refusal, match=r"^Q1: the question does not name 'Ida Marrow'"):
        voice_question("What is the seat of the home of Bert Vane?", readings, 2, SMALL)
    with pytest.raises(Refusal, match=r"^Q2: the catalogue's wordings do not cover"):
        voice_question("What is the old seat of the home of Ida Marrow?", readings, 2, SMALL)


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("the Handmaid's Tale", "handmaid's tale", True),
        ("Gmina Moss, Orm Voivodeship", "Gmina Moss", True),
        ("Ida Marrow (singer)", "Ida Marrow", True),
        ("St. Orm", "st orm", True),
        ("“Winter Ledger”", "Winter Ledger", True),
        ("Calder (town)", "Calder (river)", False),
        ("Calder Falls", "Calder", False),
        ("the", "", False),
        ("", "", False),
    ],
)
def test_when_two_texts_name_the_same(left: str, right: str, same: bool) -> None:
    assert same_name(left, right) == same
    assert same_name(right, left) == same


@given(st.text(alphabet="aB ,('\"", max_size=8), st.text(alphabet="aB ,('\"", max_size=8))
@settings(max_examples=100, deadline=None, derandomize=True)
def test_naming_the_same_is_mutual_and_ignores_case(left: str, right: str) -> None:
    assert same_name(left, right) == same_name(right, left)
    assert same_name(left.upper(), right) == same_name(left, right)
    assert same_name(left, left) or "b" not in left.casefold()


@pytest.mark.parametrize(
    "said", ["Ida Marrow, the poet,", "Ida Marrow, Bert Vane", "Ida Marrow (singer)"]
)
def test_a_name_does_not_swallow_what_the_step_does_not_say(said: str) -> None:
    readings = {1: read(1, "home", "Ida Marrow"), 2: read(2, "seat", 1)}
    with pytest.raises(Refusal):
        voice_question(f"What is the seat of the home of {said}?", readings, 2, SMALL)


def test_a_question_may_leave_a_qualifier_out() -> None:
    readings = {1: read(1, "home", "Ida Marrow (singer)"), 2: read(2, "seat", 1)}
    question = "What is the seat of the home of Ida Marrow?"
    (mention,) = voice_question(question, readings, 2, SMALL).mentions
    assert question[mention.start : mention.end] == "Ida Marrow"
