"""Every measure on a few questions worked out by hand, and the identities between them."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as some

from realhop_kg.model.refusal import Cause
from realhop_kg.model.refusal_item import Topology
from realhop_kg.model.trajectory import Mode, State
from realhop_kg.refusal.evaluate.figures import figures, flows, groups, paired_figures
from realhop_kg.refusal.evaluate.measures.paired import (
    overturn,
    pair,
    rescue,
    tchr_change,
    transitions,
)
from realhop_kg.refusal.evaluate.measures.process import eifr, evidence_coverage, ptos, pttw
from realhop_kg.refusal.evaluate.measures.states import RATES, conditional_tchr, state_rate
from realhop_kg.refusal.evaluate.outcomes import Outcome
from realhop_kg.refusal.evaluate.timeline import MeasureSettings
from tests.refusal.evaluate.runs import outcome, outcomes

TEN = [
    outcome("1", State.TACH, exposed=True, shown=True, calls_after=0, tokens_after=0),
    outcome("2", State.TACH, exposed=True, shown=False, calls_after=2, tokens_after=30),
    outcome("3", State.SHD, exposed=True, shown=True, calls_after=3, tokens_after=90),
    outcome("4", State.SHD, exposed=True, shown=False),
    outcome("5", State.SHD),
    outcome("6", State.PPH, cause=Cause.FP, topology=Topology.TERMINAL, depth=3),
    outcome("7", State.WRH, cause=Cause.FP, topology=Topology.TERMINAL, depth=3),
    outcome("8", State.URH, cause=Cause.UC, topology=Topology.MIDDLE, depth=4),
    outcome("9", State.SEH, cause=Cause.UC, topology=Topology.MIDDLE, depth=4),
    outcome("10", State.SEH, cause=Cause.UC, topology=Topology.MIDDLE, depth=5),
]


def test_rates_are_shares_of_all_questions_and_sum_to_one() -> None:
    rates = {name: state_rate(TEN, state).value() for name, state in RATES.items()}
    assert rates == {
        "tchr": 0.2, "shdr": 0.3, "sehr": 0.2, "pphr": 0.1, "wrhr": 0.1, "urhr": 0.1
    }  # fmt: skip


def test_the_conditional_rate_is_over_refusals_only() -> None:
    assert conditional_tchr(TEN).value() == 2 / 5
    assert conditional_tchr(outcomes([(State.SHD, 3), (State.SEH, 2)])).value() is None


def test_process_measures_have_their_own_denominators() -> None:
    assert evidence_coverage(TEN).value() == 4 / 8  # two SEH are left out
    assert ptos(TEN).value() == 2 / 4
    assert pttw(TEN).value() == (0 + 30 + 90 + 0) / 4
    assert eifr(TEN, MeasureSettings()).value() == 1 / 2
    assert eifr(TEN, MeasureSettings(eifr_over="exposed")).value() == 2 / 4


def test_nothing_exposed_leaves_process_measures_undefined() -> None:
    none = outcomes([(State.SHD, 2)])
    assert [ptos(none).value(), pttw(none).value(), eifr(none, MeasureSettings()).value()] == [
        None, None, None
    ]  # fmt: skip
    assert evidence_coverage(outcomes([(State.SEH, 2)])).value() is None


def test_changes_of_state_are_counted_both_ways() -> None:
    plain = outcomes([(State.TACH, 3), (State.SHD, 3)])
    after = [State.TACH, State.SEH, State.SHD, State.TACH, State.SHD, State.WRH]
    pairs = pair(plain, [outcome(f"q{at}", state) for at, state in enumerate(after)])
    assert overturn(pairs).value() == 2 / 3
    assert rescue(pairs).value() == 1 / 3
    assert tchr_change(pairs).value() == pytest.approx(2 / 6 - 3 / 6)
    table = transitions(pairs)
    assert table[State.TACH, State.SEH] == table[State.SHD, State.TACH] == 1
    assert sum(table.values()) == 6
    assert len(table) == 36


def test_a_question_that_one_mode_lacks_is_not_paired() -> None:
    plain, search = outcomes([(State.TACH, 3)]), outcomes([(State.SHD, 2)])
    assert [one.item for one, _ in pair(plain, search)] == ["q0", "q1"]


STATES = some.lists(
    some.tuples(some.sampled_from([each for each in State if each is not State.SEH]),
                some.sampled_from(list(State))),
    min_size=1, max_size=60,
)  # fmt: skip


@given(STATES)
def test_tach_with_search_is_tach_without_less_overturned_plus_rescued(
    states: list[tuple[State, State]],
) -> None:
    plain = [outcome(f"{at}", one) for at, (one, _) in enumerate(states)]
    search = [outcome(f"{at}", other) for at, (_, other) in enumerate(states)]
    pairs = pair(plain, search)
    counts = transitions(pairs)
    before = sum(each.state is State.TACH for each in plain)
    overturned = sum(counts[State.TACH, each] for each in State if each is not State.TACH)
    rescued = sum(counts[each, State.TACH] for each in State if each is not State.TACH)
    assert sum(each.state is State.TACH for each in search) == before - overturned + rescued
    lost, won = overturn(pairs).value(), rescue(pairs).value()
    assert (lost is None) == (before == 0)
    assert lost is None or round(lost * before) == overturned
    assert won is None or round(won * (len(pairs) - before)) == rescued


def test_figures_cover_every_group_and_do_not_depend_on_order() -> None:
    found = figures("m", Mode.SEARCH, TEN, MeasureSettings(), resamples=200)
    tchr = {(each.by, each.group): each.interval for each in found if each.measure == "tchr"}
    assert tchr["all", ""].value == 0.2
    assert tchr["cause", "AU"].value == 2 / 5
    assert tchr["topology", "terminal"].value == tchr["depth", "5"].value == 0
    assert tchr["all", ""].low == pytest.approx(0.0)
    assert tchr["all", ""].high is not None
    again = figures("m", Mode.SEARCH, TEN, MeasureSettings(), resamples=200)
    assert again == found


def test_no_search_has_no_search_measures() -> None:
    plain = [each for each in TEN if each.state is not State.SEH]
    names = {each.measure for each in figures("m", Mode.PLAIN, plain, MeasureSettings(), 0)}
    assert names == {"tchr", "shdr", "pphr", "wrhr", "urhr", "ctchr"}


def test_paired_figures_come_by_group_too() -> None:
    pairs = pair(TEN[:8], TEN[:8])
    found = {(each.by, each.group, each.measure): each for each in paired_figures("m", pairs, 0)}
    assert found["all", "", "overturn"].interval.value == 0
    assert found["cause", "FP", "overturn"].interval.value is None
    assert found["cause", "FP", "rescue"].interval.value == 0


def test_flows_say_how_each_topology_ends() -> None:
    found = flows(TEN)
    assert found[Topology.MIDDLE, State.SEH] == 2
    assert found[Topology.ROOT, State.TACH] == 2
    assert sum(found.values()) == 10


def test_groups_hold_every_question_once() -> None:
    rng = random.Random(1)
    mixed: list[Outcome] = rng.sample(TEN, len(TEN))
    by: dict[str, int] = {}
    for name, _, inside in groups(mixed):
        by[name] = by.get(name, 0) + len(inside)
    assert by == dict.fromkeys(("all", "cause", "topology", "depth"), 10)
