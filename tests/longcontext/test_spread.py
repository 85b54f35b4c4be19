from __future__ import annotations

from realhop_kg.audit.tokens import count_tokens
from realhop_kg.longcontext.spread import spread_of, summarize
from realhop_kg.model.frozen import FrozenHop, FrozenItem, FrozenPremise, SourceSide
from realhop_kg.model.text import Passage, Span


def span(passage: int, text: str, exact: str) -> Span:
    start = text.index(exact)
    return Span(passage=passage, start=start, end=start + len(exact), exact=exact)


def hop(index: int, before: tuple[int, ...], *spans: Span) -> FrozenHop:
    return FrozenHop(
        index=index, wording="w", answer="a", support=0, depends_on=before, source_step="s",
        source_answer="a",
        evidence=tuple(FrozenPremise(id=f"u{at}", span=each) for at, each in enumerate(spans)),
    )  # fmt: skip


FIRST = "One two. Gold a. Three four five. Gold b. Six."
SECOND = "Seven. Eight. Gold c."


def item() -> FrozenItem:
    return FrozenItem(
        id="longbench/w1", dataset="longbench", topology="2hop", question="q", answer="a",
        aliases=(), insertions=(), competitors=(), substitutions=(), kept=(),
        source=SourceSide(id="w1", question="q", answer="a", aliases=()),
        passages=(Passage(index=0, title="A title", text=FIRST),
                  Passage(index=1, title="", text=SECOND)),
        hops=(hop(1, (), span(0, FIRST, "Gold a."), span(0, FIRST, "Gold b.")),
              hop(2, (1,), span(1, SECOND, "Gold c."))),
    )  # fmt: skip


def test_distances_and_depths_count_words_and_marks() -> None:
    found = spread_of(item())
    assert found.tokens == 2 + count_tokens(FIRST) + count_tokens(SECOND) == 24
    assert found.premise_distances == (4,)
    # `Six .` and `Seven . Eight .` stand between the second premise and the next hop.
    assert found.hop_distances == (6,)
    assert found.gold_depths == (5 / 24, 12 / 24, 21 / 24)


def test_a_summary_takes_all_items_together() -> None:
    summary = summarize([spread_of(item())] * 3)
    assert summary is not None
    assert (summary.items, summary.least_hop_distance, summary.median_hop_distance) == (3, 6, 6)
    assert summary.gold_quarters == (1 / 3, 0, 1 / 3, 1 / 3)
    assert summarize([]) is None
