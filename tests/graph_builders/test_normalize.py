from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from graph_builders.musique import BUILDER
from graph_builders.normalize import Unusable
from realhop_kg.model.item import SourceItem
from realhop_kg.model.text import Passage

Raw = dict[str, Any]
Put = Callable[[Raw, str, object], Raw]


def item(record: Raw) -> SourceItem:
    return BUILDER.item(record)


def broken(record: object) -> Unusable:
    with pytest.raises(Unusable) as raised:
        BUILDER.item(record)
    return raised.value


# what is tolerated


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("answerable", ...),
        ("answerable", None),
        ("paragraphs.1.idx", "1"),
        ("paragraphs.1.idx", 1.0),
        ("paragraphs.1.idx", ...),
        ("question_decomposition.1.paragraph_support_idx", "2"),
        ("question_decomposition.1.paragraph_support_idx", 2.0),
        ("question_decomposition.1.answer", 1967),
        ("answer", 1967),
        ("paragraphs.0.is_supporting", False),
        ("paragraphs.1.is_supporting", True),
        ("paragraphs.1.is_supporting", "no"),
        ("paragraphs.0.is_supporting", ...),
        ("question_decomposition.0.id", ...),
        ("difficulty", {"level": [1, None]}),
        ("answer_aliases", ["in 1967", "in 1967", None, " ", "1967"]),
    ],
)
def test_what_does_not_matter_changes_nothing(musique: Raw, place: str, value: object, put: Put):
    assert item(put(musique, place, value)) == item(musique)


@pytest.mark.parametrize("value", [None, [], ...])
def test_aliases_may_be_missing(musique: Raw, value: object, put: Put):
    assert item(put(musique, "answer_aliases", value)).aliases == ()


def test_a_number_among_the_aliases_is_text(musique: Raw, put: Put):
    assert item(put(musique, "answer_aliases", [67])).aliases == ("67",)


def test_a_whole_number_may_be_an_id_and_a_title(musique: Raw, put: Put):
    found = item(put(put(musique, "id", 12), "paragraphs.1.title", 1984))
    assert (found.id, found.passages[1].title) == ("12", "1984")


def test_a_distractor_may_be_untitled_and_empty(musique: Raw, put: Put):
    record = put(put(musique, "paragraphs.1.title", None), "paragraphs.1.paragraph_text", "")
    assert item(record).passages[1] == Passage(index=1, title="", text="")


def test_support_follows_idx_and_passages_are_counted_by_position(musique: Raw):
    record = copy.deepcopy(musique)
    for paragraph in record["paragraphs"]:
        paragraph["idx"] = 10 * paragraph["idx"] + 1
    for step in record["question_decomposition"]:
        step["paragraph_support_idx"] = 10 * step["paragraph_support_idx"] + 1
    record["paragraphs"].reverse()
    found = item(record)
    assert [hop.support for hop in found.hops] == [3, 1]
    assert [passage.index for passage in found.passages] == [0, 1, 2, 3]
    assert [passage.is_support for passage in found.passages] == [False, True, False, True]
    assert found.passages[3].title == "Corvane lamp"


def test_the_items_answer_wins_over_the_terminal_hops_which_becomes_an_alias(
    musique: Raw, put: Put
):
    found = item(put(musique, "question_decomposition.1.answer", "the year 1967"))
    assert found.answer == found.hops[1].answer == "1967"
    assert found.aliases == ("in 1967", "the year 1967")


@pytest.mark.parametrize("other", ["Brask", "1968"])
def test_an_item_whose_answer_contradicts_its_last_hop_is_b2(musique: Raw, put: Put, other: str):
    found = broken(put(musique, "question_decomposition.1.answer", other))
    assert (found.code, found.field) == ("B2", "question_decomposition[1].answer")
    assert "the answer is" in found.message


def test_a_last_hop_may_answer_by_an_alias(musique: Raw, put: Put):
    record = put(musique, "answer_aliases", ["the moon year"])
    assert item(put(record, "question_decomposition.1.answer", "The Moon Year!")).answer == "1967"


def test_text_is_kept_as_it_stands(musique: Raw, put: Put):
    text = "  Two\tspaces \u2028 and\r\na line\u00a0end. \n"
    assert item(put(musique, "paragraphs.0.paragraph_text", text)).passages[0].text == text


# references


def steps(put: Put, musique: Raw, *questions: str) -> Raw:
    """Return the record with other steps, each supported by the passage of its place."""
    decomposition = [
        {"question": question, "answer": f"answer {at}", "paragraph_support_idx": at}
        for at, question in enumerate(questions)
    ]
    record = put(musique, "question_decomposition", decomposition)
    return put(record, "answer", decomposition[-1]["answer"])


@pytest.mark.parametrize(
    ("questions", "expected"),
    [
        (["which song was a #1 hit", "who wrote #1"], [(), (1,)]),
        (["which song was a #2 hit", "who wrote #1"], [(), (1,)]),
        (["x >> y", "who had the first #10 hit of #1?"], [(), (1,)]),
        (["x >> y", "#1's #1 rival"], [(), (1,)]),
        (["x >> y", "who wrote #1, a #2 hit in #0?"], [(), (1,)]),
        (["x >> y", "#1 >> z", "what of #2 and #1 and #2?"], [(), (1,), (2, 1)]),
        (["x >> y", f"#1 and #{'9' * 5000}"], [(), (1,)]),
        (["a >> b", "c >> d", "#1 #2", "#3 >> e"], [(), (), (1, 2), (3,)]),
        (["a >> b", "#1 >> c", "#1 >> d", "#2 or #3"], [(), (1,), (1,), (2, 3)]),
        (["x of #1 >> y", "#1 >> z"], [(), (1,)]),
    ],
)
def test_only_earlier_steps_are_referred_to(
    musique: Raw, questions: list[str], expected: list[tuple[int, ...]], put: Put
):
    found = item(steps(put, musique, *questions))
    assert [hop.depends_on for hop in found.hops] == expected
    assert [hop.question for hop in found.hops] == questions


@pytest.mark.parametrize(
    ("questions", "field", "reason"),
    [
        (["x >> y", "z >> w"], "question_decomposition", "expected one terminal hop, found [1, 2]"),
        (["x >> y", "#1 >> z", "#1 >> w"], "question_decomposition", "found [2, 3]"),
        (["#2 >> y", "#1 >> z"], "question_decomposition[0].question", "refers to #2"),
        (["x >> y", "#2 >> z"], "question_decomposition[1].question", "refers to #2"),
        (["x >> y", "#10 >> z"], "question_decomposition[1].question", "refers to #10"),
        (["#1 >> y", "#1 >> z"], "question_decomposition[0].question", "refers to #1"),
        (["#0 >> y", "#1 >> z"], "question_decomposition[0].question", "refers to #0"),
        (["who wrote #2?", "x >> y"], "question_decomposition", "found [1, 2]"),
    ],
)
def test_references_that_make_no_single_way_to_the_answer_are_d1(
    musique: Raw, questions: list[str], field: str, reason: str, put: Put
):
    outcome = broken(steps(put, musique, *questions))
    assert (outcome.code, outcome.field) == ("D1", field)
    assert reason in outcome.message


# exclusions


@pytest.mark.parametrize(
    ("place", "value", "code", "message"),
    [
        ("answerable", False, "B1", "`answerable` is false; leave such records out"),
        ("answerable", "false", "B2", '`answerable` is "false"; write true or false'),
        ("answerable", 0, "B2", "`answerable` is 0; write true or false"),
        ("id", ..., "B2", "`id` is missing or null; write a text in quotes"),
        ("id", "", "B2", "`id` is empty; fill it in"),
        ("id", True, "B2", "`id` is true; write a text in quotes"),
        ("question", ..., "B2", "`question` is missing or null"),
        ("question", " \n", "B2", "`question` is empty"),
        ("question", 7, "B2", "`question` is 7; write a text in quotes"),
        ("question", "half \ud83d", "B2", "`question` holds half a character"),
        ("answer", None, "B2", "`answer` is missing or null"),
        ("answer", "", "B2", "`answer` is empty"),
        ("answer", 19.5, "B2", "`answer` is 19.5; write a text in quotes"),
        ("answer_aliases", "x", "B2", '`answer_aliases` is "x"; give a list of texts'),
        ("answer_aliases", [["x"]], "B2", "`answer_aliases[0]` is a list"),
        ("paragraphs", ..., "B2", "`paragraphs` is missing or null; give a list of passages"),
        ("paragraphs", [], "B2", "`paragraphs` is an empty list"),
        ("paragraphs", {"0": {}}, "B2", "`paragraphs` is an object"),
        ("paragraphs.1", "Selby", "B2", '`paragraphs[1]` is "Selby"; write an object'),
        ("paragraphs.1.idx", 0, "B2", "`paragraphs[1].idx` is 0, the number of an earlier passage"),
        ("paragraphs.1.idx", True, "B2", "`paragraphs[1].idx` is true, no whole number"),
        ("paragraphs.1.idx", "one", "B2", '`paragraphs[1].idx` is "one", no whole number'),
        ("paragraphs.1.title", ["x"], "B2", "`paragraphs[1].title` is a list"),
        ("paragraphs.1.paragraph_text", None, "B2", "`paragraphs[1].paragraph_text` is missing"),
        ("paragraphs.1.paragraph_text", 5, "B2", "`paragraphs[1].paragraph_text` is 5"),
        ("paragraphs.1.paragraph_text", ["a"], "B2", "`paragraphs[1].paragraph_text` is a list"),
        ("paragraphs.2.paragraph_text", "", "B2", "names a passage without text; give its text"),
        ("question_decomposition", None, "B2", "`question_decomposition` is missing or null"),
        ("question_decomposition", [], "B2", "`question_decomposition` is an empty list"),
        ("question_decomposition.1", ..., "B2", "has one step"),
        ("question_decomposition.1", 3, "B2", "`question_decomposition[1]` is 3; write an object"),
        (
            "question_decomposition.0.question",
            "",
            "B2",
            "`question_decomposition[0].question` is e",
        ),
        (
            "question_decomposition.0.answer",
            "",
            "B2",
            "`question_decomposition[0].answer` is empty",
        ),
        (
            "question_decomposition.0.answer",
            None,
            "B2",
            "`question_decomposition[0].answer` is mis",
        ),
        (
            "question_decomposition.1.paragraph_support_idx",
            None,
            "D2",
            "names no passage; name one",
        ),
        ("question_decomposition.1.paragraph_support_idx", ..., "D2", "names no passage"),
        ("question_decomposition.1.paragraph_support_idx", 0, "D2", "the passage of step 1 again"),
        (
            "question_decomposition.1.paragraph_support_idx",
            4,
            "B2",
            "is 4, the number of no passage",
        ),
        ("question_decomposition.1.paragraph_support_idx", -1, "B2", "is -1, the number of no"),
        ("question_decomposition.1.paragraph_support_idx", True, "B2", "is true, the number of no"),
        (
            "question_decomposition.1.paragraph_support_idx",
            "two",
            "B2",
            'is "two", the number of no',
        ),
        ("question_decomposition.1.paragraph_support_idx", 2.5, "B2", "is 2.5, the number of no"),
        (
            "question_decomposition.1.paragraph_support_idx",
            [2],
            "B2",
            "is a list, the number of no",
        ),
    ],
)
def test_a_broken_field_gives_one_clear_message(
    musique: Raw, place: str, value: object, code: str, message: str, put: Put
):
    outcome = broken(put(musique, place, value))
    assert outcome.code == code
    assert message in outcome.message
    assert ";" in outcome.message  # what to do follows what is wrong
    way = "".join(f"[{key}]" if key.isdigit() else f".{key}" for key in place.split("."))[1:]
    assert outcome.field.startswith(("question_decomposition", way))


def test_supports_that_are_all_null_are_d2(musique: Raw, put: Put):
    record = put(musique, "question_decomposition.0.paragraph_support_idx", None)
    record = put(record, "question_decomposition.1.paragraph_support_idx", None)
    outcome = broken(record)
    assert (outcome.code, outcome.field) == (
        "D2",
        "question_decomposition[0].paragraph_support_idx",
    )
