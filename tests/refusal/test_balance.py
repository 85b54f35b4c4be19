"""No kind of relation and no single link takes more than its share of hops where others exist."""

from __future__ import annotations

from collections import Counter

from realhop_kg.model.refusal import Seed
from realhop_kg.model.refusal_item import RefusalItem
from realhop_kg.refusal.balance import CROWDED, Balance, relation_of
from realhop_kg.refusal.frames import frames
from realhop_kg.refusal.plan import Quotas, spread
from realhop_kg.refusal.voices import LinkVoices
from tests.refusal.conftest import builder_on


def relations(items: list[RefusalItem]) -> Counter[str]:
    return Counter(relation_of(step) for item in items for step in item.steps)


def test_frames_of_one_kind_are_one_relation() -> None:
    named = {name: frame.relation or frame.alike or name for name, frame in frames().items()}
    assert named["neighbour"] == named["wide-coast"] == "compass"
    assert named["contained"] == named["continent-of"] == "within"
    assert named["capital-of"] == named["part-named"] == "capital"
    assert named["teacher"] == "teacher"


def test_what_has_its_share_is_crowded(items: list[RefusalItem]) -> None:
    item = next(item for item in items if item.hops == 1)
    link = (*item.chain.prefix, *item.chain.suffix)[0]
    balance = Balance()
    assert balance.crowded() == (frozenset(), frozenset())
    assert balance.excess(item) == 0
    balance.take(item)
    assert balance.crowded() == (frozenset(), frozenset())
    balance.take(item)
    assert balance.crowded()[0] == {relation_of(item.steps[0])}
    assert balance.excess(item) == 1
    balance.take(item)
    balance.take(item)
    assert balance.crowded()[1] == {(link.source, link.target)}
    assert balance.excess(item) == 2


def test_a_hop_counts_once_beyond_a_share(items: list[RefusalItem]) -> None:
    deep = next(item for item in items if item.hops == 2)
    balance = Balance()
    for _ in range(30):
        balance.take(deep)
    counts = relations([deep])
    crowded, links = balance.crowded()
    expected = sum(count for relation, count in counts.items() if relation in crowded)
    assert balance.excess(deep) == expected + (deep.hops if links else 0)
    assert expected > 0


def test_no_relation_crowds_a_dataset(voices: LinkVoices, world_seeds: list[Seed]) -> None:
    builder = builder_on(voices, 1)
    built = list(builder.build(world_seeds, Quotas(spread(33))))
    counts = relations(built)
    assert len(built) > 25
    # The little world leaves some cells one way only.
    assert max(counts.values()) <= 0.4 * counts.total()
    assert builder.tally.draws["kept"] == len(built)
    assert builder.tally.draws[CROWDED] >= 0
    again = list(builder_on(voices, 1).build(world_seeds, Quotas(spread(33))))
    assert [item.question for item in again] == [item.question for item in built]
