from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from realhop_kg.construct.coining import ItemCoiner
from realhop_kg.construct.values import value_format
from realhop_kg.contracts.variants import surface_variants
from realhop_kg.errors import Refusal
from realhop_kg.model.item import SourceItem
from tests.construct.records import record

VALUES = {
    "date": "11 February 1929",
    "year": "1874",
    "number": "7,531",
    "century": "18th century",
    "ordinal": "second-largest",
    "amount": "$48",
    "percentage": "48%",
}


def item(*texts: str, source_id: str = "one") -> SourceItem:
    base = record()
    passages = [
        passage.model_copy(update={"text": text})
        for passage, text in zip(base.passages, texts, strict=False)
    ]
    return base.model_copy(
        update={"id": source_id, "passages": (*passages, *base.passages[len(passages) :])}
    )


def test_names_depend_on_seed_and_item_and_on_nothing_else() -> None:
    def names(seed: int, key: str) -> list[str]:
        coiner = ItemCoiner(seed, item(source_id=key))
        return [coiner.coin("person", "", "Ida Marrow").surface for _ in range(3)]

    assert names(0, "one") == names(0, "one")
    assert names(0, "one") != names(1, "one")
    assert names(0, "one") != names(0, "two")


def test_no_name_uses_a_word_of_question_steps_answers_titles_or_passages() -> None:
    source = record()
    coiner = ItemCoiner(5, source)
    texts = [source.question, source.answer, *(hop.question for hop in source.hops)]
    texts += [hop.answer for hop in source.hops] + [p.text for p in source.passages]
    taken = set(
        re.findall(r"\w+", " ".join((*texts, *(p.title for p in source.passages))).casefold())
    )
    for _ in range(60):
        name = coiner.coin("person", "", "Ida Marrow").surface
        assert taken.isdisjoint(name.casefold().split())


@pytest.mark.parametrize("type_id", VALUES)
@given(seed=st.integers(0, 10**6), more=st.integers(0, 10**6))
@settings(max_examples=25, deadline=None, derandomize=True)
def test_a_value_has_the_old_format_and_no_variant_of_it_stands_in_the_text(
    type_id: str, seed: int, more: int
) -> None:
    source = VALUES[type_id]
    known = value_format(source)
    assert known is not None
    likely = ItemCoiner(seed, item()).coin(type_id, "", source).surface
    for variant in surface_variants(likely, type_id):
        text = f"It was {variant} then."
        fresh = ItemCoiner(seed, item(text, f"Or {more}.")).coin(type_id, "", source).surface
        assert fresh != likely
        assert value_format(fresh) is known
        for form in surface_variants(fresh, type_id):
            assert not re.search(rf"(?<!\w){re.escape(form)}(?!\w)", text, re.IGNORECASE)


def test_two_values_of_an_item_differ() -> None:
    coiner = ItemCoiner(0, item())
    drawn = [coiner.coin("number", "", "7").surface for _ in range(5)]
    assert len(set(drawn)) == 5


@pytest.mark.parametrize(
    ("type_id", "like", "message"),
    [
        ("number", "about thirty", "'about thirty' has no known format of a number"),
        ("year", "48%", "'48%' has no known format of a year"),
        ("year", "11 February 1929", "has no known format of a year"),
        ("key", "entry 1", "names of type key cannot be coined"),
    ],
)
def test_what_cannot_be_coined_is_refused(type_id: str, like: str, message: str) -> None:
    with pytest.raises(Refusal, match=f"^Q6: .*{re.escape(message)}"):
        ItemCoiner(0, item()).coin(type_id, "", like)


def test_a_wider_type_takes_whatever_format_the_source_has() -> None:
    coiner = ItemCoiner(0, item())
    assert re.fullmatch(r"\d{1,2} [A-Z]\w+ \d{4}", coiner.coin("time", "", "4 May 1861").surface)
    assert re.fullmatch(r"\d{4}", coiner.coin("time", "", "1861").surface)


def test_values_run_out_in_the_end() -> None:
    coiner = ItemCoiner(0, item())
    with pytest.raises(Refusal, match=r"^Q6: no fresh value like '7' could be found"):
        [coiner.coin("number", "", "7") for _ in range(20)]


@pytest.mark.parametrize(
    ("pattern", "shape"),
    [
        ("entry {nn}-{L} of the register", r"entry [1-9]\d-[A-Z] of the register"),
        ("sheet {n}/{nnn}", r"sheet [1-9]/[1-9]\d\d"),
        ("{LL} {nnnn}", r"[A-Z]{2} [1-9]\d{3}"),
    ],
)
def test_a_key_fills_the_pattern_of_its_frame(pattern: str, shape: str) -> None:
    coiner = ItemCoiner(0, item())
    keys = [coiner.key(pattern) for _ in range(5)]
    assert all(re.fullmatch(shape, key) for key in keys)
    assert len(set(keys)) == 5


def test_a_key_is_coined_once_and_not_where_the_text_has_it() -> None:
    coiner = ItemCoiner(0, item("See entry 3 and entry 4. See entry 5."))
    keys = {coiner.key("entry {n}") for _ in range(6)}
    assert keys == {f"entry {n}" for n in (1, 2, 6, 7, 8, 9)}
    with pytest.raises(Refusal, match=r"^Q6: no fresh key like 'entry {n}'"):
        coiner.key("entry {n}")
