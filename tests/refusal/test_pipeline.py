"""Whole builds: every cell is filled, nothing hidden is named, and the same draws come twice."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from graph_builders.kilt import build_index
from realhop_kg.errors import ContractError
from realhop_kg.graph.hyperlinks.index import PageGraph
from realhop_kg.model.refusal import Cause, Seed
from realhop_kg.model.refusal_item import RefusalItem, StepWording, Topology
from realhop_kg.refusal.balance import relation_of
from realhop_kg.refusal.fuse import RuleFuser
from realhop_kg.refusal.plan import Quotas, parse_plan, spread
from realhop_kg.refusal.quality import check_question
from realhop_kg.refusal.voices import LinkVoices
from tests.refusal.conftest import builder_on, seeds_of

OWN_SEEDS = Path(__file__).parent / "seeds_wikispeedia.jsonl"


def cells_of(items: list[RefusalItem]) -> Counter[tuple[Cause, Topology]]:
    return Counter((item.cause, item.topology) for item in items)


def sound(items: list[RefusalItem], graph: PageGraph) -> None:
    """What must hold of any build, looked at in another way than the checks do."""
    assert [finding for item in items for finding in check_question(item)] == []
    assert len({item.question for item in items}) == len({item.id for item in items}) == len(items)
    for item in items:
        for title in item.chain.hidden:
            assert not re.search(rf"\b{re.escape(title)}\b", item.question, re.IGNORECASE)
        assert item.starts_from.casefold() in item.question.casefold()
        assert item.depth == len(item.steps) + 1
        for link in (*item.chain.prefix, *item.chain.suffix):
            source, target = graph.page(link.source), graph.page(link.target)
            assert graph.link(source, target) == link
            assert link.lead


def test_the_bundled_world_fills_every_cell(items: list[RefusalItem], world: PageGraph) -> None:
    sound(items, world)
    assert len(cells_of(items)) == 9
    assert {item.depth for item in items} == {2, 3, 4, 5}


def test_the_same_seed_builds_the_same_and_another_others(
    voices: LinkVoices, world: PageGraph, world_seeds: list[Seed], items: list[RefusalItem]
) -> None:
    again = list(builder_on(LinkVoices(world)).build(world_seeds, Quotas(spread(33))))
    assert again == items
    other = list(builder_on(voices, seed=1).build(world_seeds, Quotas(spread(33))))
    assert other != items


def test_a_plan_is_kept_to_and_what_it_lacks_is_said(
    voices: LinkVoices, world_seeds: list[Seed]
) -> None:
    builder = builder_on(voices)
    quotas = Quotas(parse_plan("FP:middle:3=2 AU:terminal:2=1"))
    built = list(builder.build(world_seeds, quotas))
    assert cells_of(built) == {(Cause.FP, Topology.MIDDLE): 2, (Cause.AU, Topology.TERMINAL): 1}
    too_many = Quotas(parse_plan("UC:root:2=500"))
    short = list(builder_on(voices).build(world_seeds, too_many))
    row = too_many.table()["UC:root:2"]
    assert row == {"wanted": 500, "filled": len(short)}
    assert 0 < len(short) < 500


def test_a_suffix_takes_no_relation_that_always_leads_to_the_same(
    voices: LinkVoices, world: PageGraph
) -> None:
    town, region, country = (world.page(name) for name in ("Winsel", "Veldhaven", "Ardessa"))
    # Every town lies in the one country, so its name would answer without the town.
    assert voices.says(town, country)
    assert not voices.says_onward(town, country)
    assert voices.says_onward(town, region)


def test_seeds_that_give_nothing_are_listed(voices: LinkVoices, world_seeds: list[Seed]) -> None:
    lost = world_seeds[0].model_copy(update={"id": "plain/lost", "anchor": "Nowhere"})
    plain = world_seeds[0].model_copy(
        update={"id": "plain/plain", "question": "How old is Grevestone?", "bridge": ""}
    )
    builder = builder_on(voices)
    list(builder.build([lost, plain], Quotas(parse_plan("AU:*:2=1"))))
    listed = {(entry.id, str(entry.code)) for entry in builder.left_out}
    assert ("plain/lost", "L1") in listed
    assert ("plain/plain", "L2") in listed
    assert builder.tally.seeds == {("plain", "L1"): 1, ("plain", "linked"): 1}


def step(phrase: str) -> StepWording:
    return StepWording(
        frame="neighbour", phrase=phrase, ask=f"{phrase}?", noun="country", family="country",
        onward=True, clause="", source_family="country",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("question", "nominal", "phrases", "said"),
    [
        ("Who drained {A} in 1846?", "", ["the sea of {S}", "the sea that holds {S}"], "anchor"),
        ("Who fought {A}?", "", ["the eastern neighbour of {S}", "the western neighbour of {S}"],
         "goes back"),
        ("Who fought {A}?", "", ["the sea that holds {S}", "the sea beside {S}"], ""),
        ("Who drained {A} in 1846?", "", ["the sea beside {S}", "the sea of {S}"], ""),
    ],
)  # fmt: skip
def test_clauses_do_not_run_into_one_another_and_no_step_goes_back(
    items: list[RefusalItem], question: str, nominal: str, phrases: list[str], said: str
) -> None:
    [chain] = [i.chain for i in items if i.topology is Topology.TERMINAL and i.depth == 3][:1]
    voice = chain.defect.voice.model_copy(update={"question": question, "nominal": nominal})
    defect = chain.defect.model_copy(update={"voice": voice})
    changed = chain.model_copy(update={"defect": defect})
    steps = [step(phrase) for phrase in phrases]
    if not said:
        assert RuleFuser().fuse(changed, steps, "Orm").endswith("?")
        return
    with pytest.raises(ContractError, match=said):
        RuleFuser().fuse(changed, steps, "Orm")


class LeakingVoices(LinkVoices):
    """Says every hop first in words that hold the name that is hidden."""

    def wordings(self, source: int, target: int) -> tuple[StepWording, ...]:
        found = super().wordings(source, target)
        first = f"the place near {self.graph.titles[target]} that {{S}} is in"
        return tuple(w.model_copy(update={"phrase": first}) for w in found[:1]) + found


def test_a_leak_is_mended_by_saying_a_hop_otherwise(
    world: PageGraph, world_seeds: list[Seed]
) -> None:
    plan = parse_plan("FP:terminal:2=1")
    plain = list(builder_on(LinkVoices(world)).build(world_seeds, Quotas(plan)))
    hidden = plain[0].chain.hidden[0]
    builder = builder_on(LeakingVoices(world))
    built = list(builder.build(world_seeds, Quotas(plan)))
    assert [item.question for item in built] == [plain[0].question]
    assert hidden not in built[0].question
    assert builder.tally.repairs == {"adjusted": 1}


@pytest.mark.slow
def test_own_seeds_on_public_pages_give_120_questions_in_every_cell(
    shared_data: Path, tmp_path: Path
) -> None:
    build_index(
        [shared_data / "kilt" / "wikispeedia_kilt.jsonl"], tmp_path / "index", created_by="t"
    )
    with PageGraph.open(tmp_path / "index") as graph:
        seeds = seeds_of(OWN_SEEDS)
        assert Counter(seed.cause for seed in seeds) == dict.fromkeys(Cause, 20)
        items = list(builder_on(LinkVoices(graph)).build(seeds, Quotas(spread(132))))
        sound(items, graph)
    assert len(items) >= 120
    assert len(cells_of(items)) == 9
    assert {item.depth for item in items} == {2, 3, 4, 5}
    relations = Counter(relation_of(step) for item in items for step in item.steps)
    assert max(relations.values()) <= 0.35 * relations.total()
