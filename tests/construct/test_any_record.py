from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from realhop_kg.construct.pipeline import construct_item
from realhop_kg.contracts.check import check_item
from realhop_kg.model.finding import Code, Severity
from realhop_kg.model.frozen import ExcludedItem
from realhop_kg.model.item import SourceItem
from realhop_kg.relations.catalogue import catalogue
from tests.construct.outcomes import bundled

ODD = [
    *("{x}", "(a", "[b|c]", "%s", "\\1", "#1", "#9", "the", "ß", "İ", "'", "’s", "\u2028", "1,000"),
    *("0", "$0", "third-largest", "5 May 9999", "US", "County", "&", "?", "\U0001f600", "-"),
]


def spoiled(text: str, at: int, word: str, inserted: bool) -> str:
    words = text.split()
    at %= len(words)
    return " ".join((*words[:at], word, *words[at if inserted else at + 1 :]))


@given(
    st.sampled_from(bundled()),
    st.sampled_from(["question", "answer", "step", "said", "title", "text"]),
    st.tuples(st.integers(0, 40), st.sampled_from(ODD), st.booleans()),
    st.integers(0, 3),
)
@settings(max_examples=40, deadline=None, derandomize=True)
def test_no_record_stops_a_run(
    item: SourceItem, field: str, change: tuple[int, str, bool], at: int
) -> None:
    if field in ("question", "answer"):
        update: dict[str, object] = {field: spoiled(getattr(item, field), *change)}
    elif field in ("step", "said"):
        hops = list(item.hops)
        at %= len(hops)
        name = "question" if field == "step" else "answer"
        text = spoiled(getattr(hops[at], name), *change)
        hops[at] = hops[at].model_copy(update={name: text})
        update = {"hops": tuple(hops)}
    else:
        passages = list(item.passages)
        text = spoiled(getattr(passages[at], field), *change)
        passages[at] = passages[at].model_copy(update={field: text})
        update = {"passages": tuple(passages)}
    outcome = construct_item(item.model_copy(update=update), catalogue(), 0)
    if isinstance(outcome, ExcludedItem):
        assert outcome.code in set(Code)
        return
    findings = check_item(
        outcome.graph, outcome.catalogue.predicates, outcome.catalogue.types.parents
    )
    assert [f for f in findings if f.severity is Severity.BLOCKING] == []
