"""Interventions on real frozen items and on source items."""

from __future__ import annotations

from collections import Counter

import pytest

from realhop_kg.audit.auditable import Auditable, constructed_side, from_source, source_side
from realhop_kg.audit.context import cut, merged
from realhop_kg.audit.control import background, control
from realhop_kg.audit.intervene import (
    MASKS,
    Removal,
    ablate,
    closed_book,
    drop,
    drop_premise,
    full,
    mask,
)
from realhop_kg.audit.measures.ablation import ABLATIONS
from realhop_kg.audit.tokens import count_tokens
from realhop_kg.model.frozen import FrozenItem
from realhop_kg.model.item import DeletionUnit, SourceItem, TextRange
from realhop_kg.model.run import Condition
from realhop_kg.model.text import Passage


def both_sides(item: FrozenItem) -> tuple[Auditable, Auditable]:
    return source_side(item), constructed_side(item)


def every(item: Auditable) -> list[Removal]:
    """Return each intervention on an item once."""
    drops = [drop(item, unit) for unit in item.units]
    found = background(item)
    return [
        full(item),
        closed_book(item),
        *drops,
        *(drop_premise(item, premise) for premise in item.premises),
        *(control(item, each, found) for each in drops),
        *(mask(item, number) for number in range(1, MASKS + 1)),
    ]


# records


def test_the_record_of_removed_ranges_gives_the_text_and_its_length(frozen: list[FrozenItem]):
    for item in frozen:
        for side in both_sides(item):
            for removal in every(side):
                text, record = removal.apply(side.context), removal.record(side)
                ranges = [(each.start, each.end) for each in record.removed]
                assert ranges == merged(ranges) == list(removal.ranges)
                assert cut(side.context.text, ranges) == text
                assert record.characters == len(side.context.text) - len(text)
                lost = Counter(side.context.text.split()) - Counter(text.split())
                assert bool(lost) == bool(record.tokens)


def test_full_removes_nothing_and_closed_book_everything(frozen: list[FrozenItem]):
    item = constructed_side(frozen[0])
    assert full(item).apply(item.context) == item.context.text
    assert closed_book(item).apply(item.context) == ""


# drops


def test_a_drop_removes_the_support_passage_with_all_that_stands_in_it(frozen: list[FrozenItem]):
    for item in frozen:
        for side in both_sides(item):
            passages = {passage.index: passage for passage in side.passages}
            for unit, hop in zip(side.units, item.hops, strict=True):
                gone = passages[hop.support]
                left = [passage for passage in side.passages if passage is not gone]
                expected = "\n\n".join(f"{each.title}\n{each.text}" for each in left)
                assert drop(side, unit).apply(side.context) == expected


def test_spans_remove_the_sentences_of_the_hop_and_nothing_else(frozen: list[FrozenItem]):
    for item in frozen:
        side = constructed_side(item, "spans")
        for unit, hop in zip(side.units, item.hops, strict=True):
            text = drop(side, unit).apply(side.context)
            for premise in hop.evidence:
                assert premise.span.exact not in text
            written = {premise.id for premise in hop.evidence}
            lost = len(side.context.text) - len(text)
            assert lost == sum(
                len(each.text)
                for each in item.insertions
                if any(p.span.exact in each.text for p in hop.evidence)
            )
            assert written


def test_a_premise_goes_alone(frozen: list[FrozenItem]):
    dropped = 0
    for item in frozen:
        side = constructed_side(item)
        spans = {
            f"h{hop.index}/{premise.id}": premise.span.exact
            for hop in item.hops
            for premise in hop.evidence
        }
        for premise in side.premises:
            text = drop_premise(side, premise).apply(side.context)
            assert spans[premise.target] not in text
            others = [exact for name, exact in spans.items() if name != premise.target]
            assert all(exact in text for exact in others)
            dropped += 1
    assert dropped > len(frozen)


def test_closure_removes_sentences_that_name_both_endpoints():
    passages = (
        Passage(index=0, title="A", text="Orm was born in Selby. Orm sold mills."),
        Passage(index=1, title="B", text="Selby is a town. In Selby lived ORM, a miller. Fine."),
    )
    unit = DeletionUnit(
        target="h1",
        kind="spans",
        parts=(TextRange(passage=0, start=0, end=22),),
        endpoints=("Orm", "Selby"),
    )
    item = from_source(
        SourceItem(
            dataset="d", id="1", question="?", answer="x", passages=passages, hops=(), units=(unit,)
        )
    )
    plain, wide = drop(item, unit), drop(item, unit, closure=True)
    assert plain.apply(item.context) == "A\nOrm sold mills.\n\nB\n" + passages[1].text
    assert wide.apply(item.context) == "A\nOrm sold mills.\n\nB\nSelby is a town. Fine."


# ablations


def test_ablations_keep_gold_and_the_families_they_name(frozen: list[FrozenItem]):
    for item in frozen:
        side = constructed_side(item)
        texts = {name: full(side, name).apply(side.context) for name in ABLATIONS}
        assert texts["both"] == side.context.text
        gold = [premise.span.exact for hop in item.hops for premise in hop.evidence]
        for path in item.competitors:
            for span in path.spans:
                held = {name for name, text in texts.items() if span.exact in text}
                assert held >= {"both", f"{path.kind}_only"}
                assert "gold_only" not in held
        assert all(exact in text for text in texts.values() for exact in gold)
        inserted = sum(len(each.text) for each in item.insertions)
        sentences = set(gold)
        kept = sum(
            len(each.text) for each in item.insertions if any(e in each.text for e in sentences)
        )
        assert len(side.context.text) - len(texts["gold_only"]) == inserted - kept


def test_a_drop_under_an_ablation_counts_its_own_text_alone(frozen: list[FrozenItem]):
    side = constructed_side(frozen[0])
    for unit in side.units:
        removal = drop(side, unit, "gold_only")
        before = cut(side.context.text, ablate(side, "gold_only"))
        record = removal.record(side)
        assert record.characters == len(before) - len(removal.apply(side.context))
        assert record.ablation == "gold_only"


# controls


def test_controls_match_the_drop_and_touch_no_gold_and_no_insertion(frozen: list[FrozenItem]):
    feasible = 0
    for item in frozen:
        for side in both_sides(item):
            found = background(side)
            texts = {passage.index: passage.text for passage in side.passages}
            for unit in side.units:
                dropped = drop(side, unit).record(side)
                removal = control(side, drop(side, unit), found)
                record = removal.record(side)
                assert record.budget == dropped.tokens
                if not record.feasible:
                    assert record.reason
                    continue
                feasible += 1
                assert abs(record.tokens - dropped.tokens) <= max(5, dropped.tokens * 5 // 100)
                text = removal.apply(side.context)
                for hop in item.hops:
                    assert texts[hop.support] in text
                assert all(each.text.strip() in text for each in side.insertions)
                assert all(passage.title in text for passage in side.passages)
    assert feasible > len(frozen)


def test_both_sides_draw_from_the_same_candidates(frozen: list[FrozenItem]):
    for item in frozen:
        source, constructed = both_sides(item)
        one, other = background(source), background(constructed)
        assert [(each.passage, each.text) for each in one.sentences] == [
            (each.passage, each.text) for each in other.sentences
        ]
        for each in other.sentences:
            assert constructed.realized[each.passage].text[each.start : each.end] == each.text


WORDS = ("lay", "grew", "rose", "fell", "sank")


def flat(count: int, support: str = "Orm sold the mill in Selby.") -> Auditable:
    """Return an item of one support passage and one long background passage."""
    text = " ".join(f"Line {number} says nothing new." for number in range(count))
    passages = (
        Passage(index=0, title="Mill", text=support),
        Passage(index=1, title="Lines", text=text),
    )
    unit = DeletionUnit(
        target="h1", kind="passage", parts=(TextRange(passage=0, start=0, end=len(support)),)
    )
    return from_source(
        SourceItem(
            dataset="d", id="1", question="?", answer="x", passages=passages, hops=(), units=(unit,)
        )
    )


def test_a_part_of_a_sentence_is_taken_only_where_no_whole_ones_fit_and_flagged():
    item = flat(2, "Orm of Selby sold it all.")
    [unit] = item.units
    candidates = background(item)
    whole = control(item, drop(item, unit), candidates)
    assert whole.whole_sentences
    long = flat(0, "Orm of Selby.")
    long = long.model_copy(
        update={
            "passages": (long.passages[0], Passage(index=1, title="L", text="word " * 40 + "end."))
        }
    )
    long = long.model_copy(update={"original": long.passages})
    part = control(long, drop(long, unit), background(long))
    assert not part.whole_sentences
    assert abs(part.record(long).tokens - part.budget) <= 5


def test_too_little_background_is_infeasible_with_a_reason():
    item = flat(1, "Orm sold the mill. " * 20)
    [unit] = item.units
    removal = control(item, drop(item, unit), background(item))
    assert not removal.feasible
    assert "too little background" in removal.reason
    assert removal.ranges == ()


def test_the_character_budget_protects_names_and_prefers_the_same_passage():
    text = "Orm sold it here. " + " ".join(f"Reed {w} by walls." for w in WORDS)
    passages = (
        Passage(index=0, title="Mill", text=text + " Selby bought it back."),
        Passage(index=1, title="Other", text=" ".join(f"Dust {w} on shelf." for w in WORDS)),
    )
    unit = DeletionUnit(target="h1", kind="spans", parts=(TextRange(passage=0, start=0, end=17),))
    item = from_source(
        SourceItem(
            dataset="d", id="1", question="?", answer="x", passages=passages, hops=(), units=(unit,)
        )
    )
    found = background(item, "characters", protect=("Selby",))
    assert all("Selby" not in each.text and "Orm" not in each.text for each in found.sentences)
    removal = control(item, drop(item, unit), found)
    record = removal.record(item)
    assert record.budget == 17
    assert abs(record.characters - 17) <= 17 // 4 + 1
    assert {each.passage for each in record.removed} == {0}


def test_false_chains_are_never_background():
    passages = tuple(
        Passage(index=at, title=f"T{at}", text=f"Orm sold mill {at}. It burnt in {at}.")
        for at in range(4)
    )
    unit = DeletionUnit(target="h1", kind="passage", parts=(TextRange(passage=0, start=0, end=9),))
    item = from_source(
        SourceItem(
            dataset="d",
            id="1",
            question="?",
            answer="x",
            passages=passages,
            hops=(),
            units=(unit,),
            false_chain=(2,),
        )
    )
    assert {each.passage for each in background(item).sentences} == {1, 3}


# masks


@pytest.mark.parametrize("circular", [True, False])
def test_a_window_removes_a_fifth_of_the_tokens(frozen: list[FrozenItem], circular: bool):
    for item in frozen:
        for side in both_sides(item):
            total = count_tokens(side.context.text)
            windows = [mask(side, number, circular=circular) for number in range(1, MASKS + 1)]
            for window in windows:
                assert window.record(side).tokens == window.budget == round(total * 0.2)
                assert len(window.ranges) <= (2 if circular else 1)
            assert len({window.ranges for window in windows}) > 1
            assert windows == [mask(side, n, circular=circular) for n in range(1, MASKS + 1)]


def test_a_circular_window_covers_every_token_about_equally_often():
    item = flat(40)
    starts = item.context.tokens.starts
    hit = Counter()
    runs = 600
    for number in range(runs):
        ranges = mask(item, number).ranges
        hit.update(at for at, s in enumerate(starts) if any(a <= s < b for a, b in ranges))
    shares = [hit[at] / runs for at in range(len(starts))]
    assert min(shares) > 0.13
    assert max(shares) < 0.27


def test_a_context_too_short_to_mask_is_infeasible():
    item = flat(0, "A.")
    item = item.model_copy(update={"passages": (Passage(index=0, title="", text="A."),)})
    window = mask(item, 1)
    assert not window.feasible
    assert window.record(item).condition is Condition.MASK
