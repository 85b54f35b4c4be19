"""Cues of questions small enough to see them, and of real items."""

from __future__ import annotations

from collections.abc import Sequence

from realhop_kg.audit.auditable import Auditable, constructed_side, from_source, source_side
from realhop_kg.audit.shortcuts import shortcut_means, shortcuts
from realhop_kg.model.frozen import FrozenItem
from realhop_kg.model.item import DeletionUnit, SourceItem, TextRange
from realhop_kg.model.text import Passage


def item(question: str, answer: str, texts: Sequence[str], gold: int = 0) -> Auditable:
    passages = tuple(Passage(index=at, title="", text=text) for at, text in enumerate(texts))
    unit = DeletionUnit(
        target="h1",
        kind="passage",
        parts=(TextRange(passage=gold, start=0, end=len(texts[gold])),),
    )
    return from_source(
        SourceItem(
            dataset="d",
            id="1",
            question=question,
            answer=answer,
            passages=passages,
            hops=(),
            units=(unit,),
        )
    )


def test_an_answer_that_is_the_only_one_of_its_kind_has_no_rivals():
    found = shortcuts(
        item("When did the mill burn?", "1861", ["The mill burnt in 1861.", "Orm Hask left."])
    )
    assert (found.answer_kind, found.rivals) == ("year", 0)
    more = shortcuts(
        item("When did the mill burn?", "1861", ["The mill burnt in 1861.", "In 1870 and 1871."])
    )
    assert more.rivals == 2


def test_overlap_is_of_the_question_s_words():
    found = shortcuts(
        item("Who sold the old mill?", "Orm", ["Orm sold the old mill.", "A mill burnt."])
    )
    assert found.support_overlap == 1
    assert found.other_overlap == 1 / 3
    assert found.support_first
    assert found.answer_position == 0
    assert not found.answer_in_question
    away = shortcuts(item("Who sold the old mill?", "Orm", ["Orm.", "She sold the old mill."]))
    assert not away.support_first


def test_an_answer_that_stands_nowhere_has_no_place():
    found = shortcuts(item("Is it Orm or Hask?", "Orm", ["Nobody knows."]))
    assert found.answer_position is None
    assert found.answer_in_question
    assert found.other_overlap is None


def test_means_are_by_side_and_count_every_item(frozen: list[FrozenItem]):
    both = [side(each) for each in frozen for side in (source_side, constructed_side)]
    source, constructed = shortcut_means(shortcuts(each) for each in both)
    assert (source.side, constructed.side) == ("source", "constructed")
    assert source.n == constructed.n == len(frozen)
    assert source.hosts_gold is None
    assert constructed.hosts_gold is not None
    assert 0 < constructed.hosts_gold < 1
    # Every constructed item holds competitor endpoints of the answer's kind.
    assert constructed.rivals >= source.rivals
    assert constructed.answer_in_question == 0
