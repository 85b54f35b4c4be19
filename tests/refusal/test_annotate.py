"""Seeds find their pages by what their file names, by titles, redirects and linked words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from realhop_kg.model.refusal import Cause, Seed, SeedTerms
from realhop_kg.model.refusal_item import RefusalCode
from realhop_kg.refusal.annotate import Annotated, LinkedWords, RuleAnnotator, Unlinked
from realhop_kg.refusal.voices import LinkVoices
from tests.graph.hyperlinks.kilt_pages import opened, page

Ask = Callable[..., Annotated | Unlinked]


def seed(question: str, cause: Cause = Cause.AU, **fields: object) -> Seed:
    terms = SeedTerms(licence="CC0-1.0", redistributable=True)
    data = {"id": "plain/1", "source": "plain", "source_id": "1", "file": "s", "line": 1}
    return Seed.model_validate(
        {**data, "cause": cause, "question": question, "terms": terms, **fields}
    )


@pytest.fixture
def ask(voices: LinkVoices) -> Ask:
    annotator = RuleAnnotator(voices, LinkedWords.read(voices.graph, 1000))
    return lambda *args, **fields: annotator.annotate(seed(*args, **fields))


def test_a_named_anchor_and_bridge_are_taken(ask: Ask, voices: LinkVoices) -> None:
    found = ask("Which river did Petra Sundew like best?", anchor="Petra Sundew", bridge="Oume")
    assert isinstance(found, Annotated)
    titles = voices.graph.titles
    assert titles[found.anchor] == "Petra Sundew"
    assert found.bridge is not None
    assert titles[found.bridge] == "Oume"
    assert found.voice.nominal == "the river that {A} liked best"


def test_without_a_file_that_names_them_they_are_found(ask: Ask, voices: LinkVoices) -> None:
    found = ask("Which town did Petra Sundew dream of in 1840?")
    assert isinstance(found, Annotated)
    assert found.bridge is not None
    assert voices.graph.titles[found.anchor] == "Petra Sundew"
    # Of the towns beside its page, the one that it is most like.
    kind = voices.kind(found.bridge)
    assert kind is not None
    assert kind.family == "city"


@pytest.mark.parametrize(
    ("question", "fields", "code"),
    [
        ("Which town did Ada Nobody dream of?", {}, RefusalCode.L1),
        ("Which town did Winsel see?", {"anchor": "Nowhere"}, RefusalCode.L1),
        ("Which town did Korrum see?", {"anchor": "Winsel"}, RefusalCode.L1),
        ("Winsel is old. Which town is older?", {}, RefusalCode.L3),
        ("What is the capital of Ardessa?", {"cause": Cause.UC}, None),
        ("How old is Ardessa?", {"cause": Cause.UC}, RefusalCode.L1),
        ("How old is Lanthorn?", {}, RefusalCode.L1),
    ],
)
def test_a_seed_that_cannot_be_linked_says_why(
    ask: Ask, question: str, fields: dict[str, object], code: RefusalCode | None
) -> None:
    found = ask(question, **fields)
    if code is None:
        assert isinstance(found, Annotated)
    else:
        assert isinstance(found, Unlinked)
        assert found.code is code
        assert found.message


def test_a_question_without_capitals_is_read_too(ask: Ask, voices: LinkVoices) -> None:
    found = ask("which river did petra sundew like best?")
    assert isinstance(found, Annotated)
    assert voices.graph.titles[found.anchor] == "Petra Sundew"
    assert found.voice.mention == "petra sundew"


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ("How long was Petra Sundew's pen?", "'Petra Sundew' only as an owner"),
        ("Did Petra Sundew see Petra Sundew?", "'Petra Sundew' more than once"),
        ("How old is Lanthorn?", "the page of 'Lanthorn' does not say of what single thing"),
        ("How many lanthorns burn?", "'lanthorn' has a page (Lanthorn), but is no name"),
        ("How many wings has a dog?", "it names nothing that has a page in this index"),
        ("What did Adam Winsel eat?", "it names nothing that has a page in this index"),
        ("what did adam winsel eat?", "'winsel' is too little to tell"),
        ("WHO SAW PETRA SUNDEW FIRST?", "it is written in capitals"),
        ("Draw Petra Sundew.", "it is a request"),
        ("Who saw Petra Sundew? And when?", "it asks more than one question"),
        ("One thing: who saw Petra Sundew?", "it is more than one sentence"),
        ("Who saw {x} and Petra Sundew?", "it has braces"),
    ],
)
def test_the_reason_is_the_true_one(ask: Ask, question: str, why: str) -> None:
    found = ask(question)
    assert isinstance(found, Unlinked)
    assert why in found.message


@pytest.mark.parametrize(
    "question",
    [
        "who saw the oume first?",
        "Who saw PETRA SUNDEW first?",
        "Who saw petra sundew first?",
        "Was anybody in Petra Sundew, the painter?",
    ],
)
def test_a_name_is_known_in_any_case(ask: Ask, question: str) -> None:
    assert isinstance(ask(question), Annotated)


def test_a_town_is_called_by_its_name_before_the_comma(tmp_path: Path) -> None:
    pages = [
        page("Ostra, Kest", "Ostra is a town in Kest."),
        page("Mill, Kest", "Mill is a town in Kest."),
        page("Mill", "Mill is a river in Kest."),
    ]
    graph = opened(tmp_path, pages)
    annotator = RuleAnnotator(LinkVoices(graph), LinkedWords.read(graph, 10))
    for name, title in (("Ostra", "Ostra, Kest"), ("Mill", "Mill")):
        found = annotator.annotate(seed(f"Who was the first to swim in {name}?"))
        assert isinstance(found, Annotated)
        assert graph.titles[found.anchor] == title
    small = annotator.annotate(seed("who was the first to swim in the ostra?"))
    assert isinstance(small, Unlinked)


@pytest.mark.parametrize(
    ("question", "bridge", "why"),
    [
        ("How many steps did Petra Sundew take?", "", "cannot be named"),
        ("Which river did Petra Sundew like best?", "Winsel", "no page about a river"),
        ("Which planet did Petra Sundew like best?", "", "no page beside its anchor"),
    ],
)
def test_a_seed_without_a_bridge_says_why(ask: Ask, question: str, bridge: str, why: str) -> None:
    found = ask(question, anchor="Petra Sundew", bridge=bridge)
    assert isinstance(found, Annotated)
    assert found.bridge is None
    assert why in found.no_bridge


def test_reasons_come_from_the_source_or_the_cause(ask: Ask) -> None:
    asked = "Which river did Petra Sundew like best?"
    for fields, words in (
        ({"rationales": ("Nobody wrote it down.",)}, "Nobody wrote it down."),
        ({"rationales": ("It is not known.", "Nobody asked.")}, "Nobody asked."),
        ({"rationales": ("She never said it.",)}, f"Of \u201c{asked}\u201d: She never said it."),
        ({"premise": "she liked rivers"}, "The question takes for granted that she liked rivers"),
        ({}, "is not known"),
    ):
        found = ask(asked, anchor="Petra Sundew", **fields)
        assert isinstance(found, Annotated)
        assert words in found.rationale


def test_redirects_and_linked_words_name_pages(tmp_path: Path) -> None:
    table = tmp_path / "redirects.tsv"
    table.write_text("Vell Water\tVell\n")
    pages = [
        page("Vell", "The Vell is a river in Kest."),
        page("Ostra", "Ostra is a town on the Big Water.", links=[("Big Water", "Vell")]),
        page("Mill", "Mill is a town by the Big Water.", links=[("Big Water", "Ostra")]),
        page("Lamp", "Lamp is a town by the Big Water.", links=[("Big Water", "Vell")]),
    ]
    graph = opened(tmp_path, pages, redirects=table)
    voices = LinkVoices(graph)
    assert LinkedWords.read(graph, 10).page("Big Water") == 0
    assert LinkedWords.read(graph, 3).page("Big Water") is None
    assert set(voices.names(0)) == {"Vell", "Vell Water", "Big Water"}
    annotator = RuleAnnotator(voices, LinkedWords.read(graph, 10))
    for name in ("Vell Water", "Big Water"):
        found = annotator.annotate(seed(f"Who was the first to swim in {name}?"))
        assert isinstance(found, Annotated)
        assert found.anchor == 0
