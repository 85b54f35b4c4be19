"""A1: what gives gold away is found, what does not is not, and degenerate cases are named."""

from __future__ import annotations

import random
from collections.abc import Iterator

from realhop_kg.quality.artifact import ArtifactReport
from realhop_kg.quality.figures import Figure
from realhop_kg.quality.sentences import Sentence
from tests.quality.made import BREAK, CONTINUATION, GOLD, judged, sentence

ITEMS = 20


def figure(report: ArtifactReport, group: str, contrast: str = "all") -> Figure:
    return report.contrasts[contrast].figures[group]


def items_of(**gold: object) -> Iterator[Sentence]:
    """Yield items with one gold sentence and two competitors, which differ in what is given."""
    for item in range(ITEMS):
        yield sentence(item, GOLD, **gold)
        yield sentence(item, CONTINUATION)
        yield sentence(item, BREAK)


def test_sentences_without_any_difference_are_not_told_apart() -> None:
    report = judged(items_of())
    for group in ("wording", "position", "host", "all", "all in the text"):
        found = figure(report, group)
        assert (found.auc, found.low, found.high) == (0.5, 0.5, 0.5), group
        assert found.side_by_side == 0.5
    assert report.holds is report.holds_in_text is True


def test_a_wording_that_is_gold_alone_is_found() -> None:
    report = judged(items_of(skeleton="{x} is in {y}."))
    assert figure(report, "wording").auc == figure(report, "all").auc == 1.0
    assert figure(report, "position").auc == figure(report, "host").auc == 0.5
    assert report.holds is report.holds_in_text is False
    told = {t.feature: (t.gold, t.competitors, t.auc) for t in report.contrasts["all"].give_aways}
    assert told["words: is"] == (ITEMS, 0, 1.0)
    assert told["words: lies"] == (0, 2 * ITEMS, 1.0)


def test_a_place_that_is_gold_alone_is_found() -> None:
    for change in ({"place": 0.1}, {"rank": 1}):
        report = judged(items_of(insertions=2, **change))
        assert figure(report, "position").auc == 1.0, change


def test_the_support_label_counts_as_host_and_not_as_text() -> None:
    report = judged(items_of(support=True))
    assert figure(report, "host").auc == figure(report, "all").auc == 1.0
    assert figure(report, "all in the text").auc == 0.5
    assert (report.holds, report.holds_in_text) == (False, True)


def test_a_wording_that_each_item_has_for_itself_tells_nothing_about_others() -> None:
    sentences = []
    for item in range(ITEMS):
        sentences.append(sentence(item, GOLD, f"{{x}} gold{item} {{y}}."))
        sentences.append(sentence(item, BREAK, f"{{x}} miss{item} {{y}}."))
    assert figure(judged(sentences), "wording").auc == 0.5


def test_continuations_and_near_misses_are_judged_apart() -> None:
    sentences = []
    for item in range(ITEMS):
        sentences.append(sentence(item, GOLD, hop=1))
        sentences.append(sentence(item, BREAK, "{x} adjoins {y}.", hop=1))
        sentences.append(sentence(item, GOLD, "{x} was born in {y}.", hop=2))
        sentences.append(sentence(item, CONTINUATION, "{x} was born in {y}.", hop=2))
    report = judged(sentences)
    near, after = report.contrasts["near-misses"], report.contrasts["continuations"]
    # Gold stands only where its hop has something to compare it to.
    assert (near.gold, near.competitors) == (after.gold, after.competitors) == (ITEMS, ITEMS)
    assert near.figures["wording"].auc == 1.0
    assert after.figures["wording"].auc == 0.5
    assert (report.contrasts["all"].gold, report.contrasts["all"].competitors) == (40, 40)


def test_pairs_side_by_side_leave_out_which_hops_are_repeated() -> None:
    sentences = []
    for item in range(ITEMS):
        sentences.append(sentence(item, GOLD, "{x} lies in {y}.", hop=1))
        sentences.append(sentence(item, CONTINUATION, "{x} lies in {y}.", hop=1))
        sentences.append(sentence(item, GOLD, "{x} was born in {y}.", hop=2))
        sentences += [sentence(item, CONTINUATION, "{x} was born in {y}.", hop=2)] * 5
    found = figure(judged(sentences), "wording")
    assert found.auc is not None
    assert found.auc > 0.6
    assert found.side_by_side == 0.5


def test_an_interval_encloses_its_figure_and_comes_from_whole_items() -> None:
    draws = random.Random(4)
    sentences = []
    for item in range(40):
        for status in (GOLD, BREAK):
            early = draws.random() < (0.8 if status is GOLD else 0.3)
            sentences.append(sentence(item, status, place=0.1 if early else 1.0))
    found = figure(judged(sentences), "position")
    assert found.low is not None
    assert found.high is not None
    assert found.auc is not None
    assert 0.5 < found.low < found.auc < found.high < 1
    twice = [each for each in sentences for _ in range(2)]
    again = figure(judged(twice), "position")
    assert (again.auc, again.low, again.high) == (found.auc, found.low, found.high)


def test_too_few_items_and_a_single_class_are_named() -> None:
    few = judged(each for each in items_of() if int(each.item) < 4).contrasts["all"]
    assert few.problem.startswith("4 items can be compared")
    assert few.figures == {}
    alone = judged(each for each in items_of() if each.status is GOLD)
    assert "one class only" in alone.contrasts["all"].problem
    assert alone.holds is None
    assert judged([]).contrasts["all"].problem.startswith("0 items")


def test_the_order_of_items_does_not_matter() -> None:
    sentences = list(items_of(place=0.5, insertions=3))
    by_item = [sentences[at : at + 3] for at in range(0, len(sentences), 3)]
    random.Random(1).shuffle(by_item)
    shuffled = judged(each for some in by_item for each in some)
    areas = {g: f.auc for g, f in judged(sentences).contrasts["all"].figures.items()}
    assert {g: f.auc for g, f in shuffled.contrasts["all"].figures.items()} == areas
