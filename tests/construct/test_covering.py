"""Questions in free wording: which are read by their words, and which are not."""

from __future__ import annotations

import pytest

from realhop_kg.construct.steps import Reading, read_step
from realhop_kg.construct.voicing import voice_question
from realhop_kg.errors import Refusal
from realhop_kg.model.item import SourceHop
from realhop_kg.relations.catalogue import catalogue

BUNDLED = catalogue()

BIRTH = ("Hollow Bells >> author", "#1 >> place of birth")
COUNTY = (*BIRTH, "#2 >> located in the administrative territorial entity")
BORDER = (*COUNTY, "#3 >> shares border with")
FOUNDER = ("Hollow Bells >> publisher", "Who was the founder of #1?")


def readings(steps: tuple[str, ...]) -> dict[int, list[Reading]]:
    found = {}
    for index, step in enumerate(steps, 1):
        depends_on = (index - 1,) if index > 1 else ()
        hop = SourceHop(index=index, question=step, answer="a", support=0, depends_on=depends_on)
        found[index] = [each for each in read_step(hop, BUNDLED) if each.relation.id in CHOSEN]
    return found


CHOSEN = {"author", "place_of_birth", "located_in", "shares_border", "publisher", "founded_by"}


def voiced(question: str, steps: tuple[str, ...]) -> dict[int, tuple[str, str]]:
    """The words of the question from which each hop is voiced, and its kind noun."""
    voice = voice_question(question, readings(steps), len(steps), BUNDLED)
    return {hop: (question[each.start : each.end], each.kind) for hop, each in voice.hops.items()}


def test_words_around_the_steps_change_nothing() -> None:
    question = "Who is credited with the foundation of the company that published Hollow Bells?"
    hops = voiced(question, FOUNDER)
    assert hops[1] == ("company that published Hollow Bells", "company")
    assert hops[2] == (
        "foundation of the company that published Hollow Bells",
        "",
    )


def test_kind_nouns_ask_for_the_answer_of_the_step_they_stand_with() -> None:
    question = (
        "What county shares its border with the county of the city that the author of Hollow Bells"
        " was born?"
    )
    assert [kind for _, kind in voiced(question, BORDER).values()] == [
        "",
        "city",
        "county",
        "county",
    ]


def test_a_writer_is_what_a_step_says_and_a_man_is_not() -> None:
    assert voiced("In what city was the one writer of Hollow Bells born?", BIRTH)
    with pytest.raises(Refusal, match="Q2"):
        voiced("In what city was the one man of Hollow Bells born?", BIRTH)


def test_a_place_between_two_places_has_to_be_named() -> None:
    steps = (
        "Hollow Lake >> located in the administrative territorial entity",
        "#1 >> located in the administrative territorial entity",
        "When did #2 become a state?",
    )
    found = {}
    for index, step in enumerate(steps, 1):
        hop = SourceHop(
            index=index, question=step, answer="a", support=0,
            depends_on=(index - 1,) if index > 1 else (),
        )  # fmt: skip
        found[index] = [
            each for each in read_step(hop, BUNDLED)
            if each.relation.id in ("located_in", "statehood_date")
        ]  # fmt: skip
    for between in (
        "with the county where Hollow Lake is",
        "containing the county where Hollow Lake is",
    ):
        question = f"When did the state {between} located become a state?"
        assert len(voice_question(question, found, 3, BUNDLED).hops) == 3
    for left_out in ("where Hollow Lake is located", "with Hollow Lake", "of located Hollow Lake"):
        with pytest.raises(Refusal, match="Q2"):
            voice_question(f"When did the state {left_out} become a state?", found, 3, BUNDLED)


def test_the_kind_beside_the_name_is_not_renamed() -> None:
    question = "In what city was the author of the novel Hollow Bells born?"
    voice = voice_question(question, readings(BIRTH), 2, BUNDLED)
    (mention,) = voice.mentions
    assert question[mention.start : mention.end] == "Hollow Bells"


@pytest.mark.parametrize(
    ("question", "steps"),
    [
        # A word that no step has.
        ("In what city was the one author of Hollow Bells not born?", BIRTH),
        ("In what city was the second one author of Hollow Bells born?", BIRTH),
        ("In what city was one author other than that of Hollow Bells born?", BIRTH),
        ("In what city was the one author of Hollow Bells in Ulm born?", BIRTH),
        # A step that nothing says.
        ("In what city is Hollow Bells one?", BIRTH),
        ("What county borders the one author of Hollow Bells?", BORDER),
        # The steps in another order than the chain's.
        ("What county of the one border was the author of Hollow Bells born in?", BORDER),
        (
            "What city that shares a border was the county one author of Hollow Bells born?",
            COUNTY,
        ),
        # Any county is not the county.
        ("What county borders a called county where the author of Hollow Bells was born?", BORDER),
        # Another question word than the last step answers.
        ("When was the one author of Hollow Bells born?", BIRTH),
        ("Who was the one author of Hollow Bells born to?", BIRTH),
        # The name twice.
        ("In what city was the one author of Hollow Bells, Hollow Bells, born?", BIRTH),
    ],
)
def test_what_is_not_all_there_is_refused(question: str, steps: tuple[str, ...]) -> None:
    with pytest.raises(Refusal):
        voiced(question, steps)


def test_a_relation_that_has_a_reverse_of_its_own_kind_is_read_by_templates_alone() -> None:
    follows = "Hollow Bells >> follows", "#1 >> author"
    found = {}
    for index, step in enumerate(follows, 1):
        hop = SourceHop(
            index=index, question=step, answer="a", support=0, depends_on=(1,) if index > 1 else ()
        )
        found[index] = read_step(hop, BUNDLED)
    with pytest.raises(Refusal, match="Q2"):
        voice_question("Who is the one author of what follows Hollow Bells?", found, 2, BUNDLED)


@pytest.mark.parametrize(
    "question",
    [
        "In what city was the " + "writer " * 30 + "of Hollow Bells born bent?",
        "In what city was " + "the " * 3000 + "author of Hollow Bells not born?",
        "In what city " * 300 + "Hollow Bells",
        "In what county " + "located county city " * 15 + "of Hollow Bells born?",
    ],
)
def test_words_over_and_over_are_refused_in_no_time(question: str) -> None:
    with pytest.raises(Refusal):
        voiced(question, COUNTY)
