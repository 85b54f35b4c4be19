"""Every count that the paper's text allows, from its own percentages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from realhop_kg.audit.agreement import Labels, agreement
from realhop_kg.model.trajectory import State
from realhop_kg.refusal.evaluate.measures.paired import overturn, pair, rescue, tchr_change
from realhop_kg.refusal.evaluate.measures.process import eifr, evidence_coverage, ptos
from realhop_kg.refusal.evaluate.measures.states import conditional_tchr, state_rate
from realhop_kg.refusal.evaluate.timeline import MeasureSettings
from tests.refusal.evaluate.runs import outcome, outcomes


@pytest.fixture(scope="module")
def paper(shared_data: Path) -> dict[str, Any]:
    path = shared_data / "paper_tables" / "hoprefusal_text_figures.json"
    if not path.is_file():
        pytest.skip(f"no figures of the paper's text at {path}")
    return dict(json.loads(path.read_text(encoding="utf-8")))


def percent(value: float | None) -> float:
    assert value is not None
    return round(100 * value, 1)


def test_glm_5_1_123_of_889_and_123_of_125(paper: dict[str, Any]) -> None:
    figures, n = paper["glm-5.1"], paper["n"]
    aware, refusals = figures["refusal_like_target_aware"]
    counts = [(State.TACH, aware), (State.WRH, refusals - aware), (State.SHD, n - refusals)]
    found = outcomes(counts)
    assert len(found) == 889
    assert percent(state_rate(found, State.TACH).value()) == figures["tchr"]
    assert percent(conditional_tchr(found).value()) == paper["ctchr_range"][1]
    assert conditional_tchr(found).count == 125


def test_qwen3_6_27b_its_rates_fit_one_set_of_counts(paper: dict[str, Any]) -> None:
    figures, n = paper["qwen3.6-27b"], paper["n"]
    # 144 of 170 refusals; 232 answer; 487 use up their searches: 889 in all.
    counts = [(State.TACH, 144), (State.WRH, 26), (State.SHD, 232), (State.SEH, 487)]
    found = outcomes(counts)
    assert len(found) == n
    search = paper["tchr_no_search_to_search"]["Qwen3.6-27B"][1]
    assert percent(state_rate(found, State.TACH).value()) == search
    assert percent(state_rate(found, State.SHD).value()) == figures["shdr"]
    assert percent(state_rate(found, State.SEH).value()) == figures["sehr"]
    assert percent(conditional_tchr(found).value()) == paper["ctchr_range"][0]


def test_gpt_5_4_covers_361_of_888(paper: dict[str, Any]) -> None:
    figures = paper["gpt-5.4"]
    found = [
        *(outcome(f"e{at}", State.SHD, exposed=True) for at in range(361)),
        *(outcome(f"s{at}", State.SHD) for at in range(285)),
        *(outcome(f"t{at}", State.TACH) for at in range(242)),
        outcome("x", State.SEH),
    ]
    assert len(found) == paper["n"]
    assert percent(state_rate(found, State.SHD).value()) == figures["shdr"]
    assert percent(state_rate(found, State.SEH).value()) == figures["sehr"]
    assert evidence_coverage(found).count == 888
    assert percent(evidence_coverage(found).value()) == paper["evidence_coverage_range"][0]


@pytest.mark.parametrize(
    ("model", "before", "after", "overturned", "rescued"),
    [
        # The changes are ours: any pair of whole numbers that the stated ranges allow.
        ("Qwen3.6-27B", 306, 144, 206, 44),
        ("DeepSeek-V4-Pro", 281, 151, 180, 50),
    ],
)
def test_search_takes_overturned_and_gives_rescued(
    paper: dict[str, Any], model: str, before: int, after: int, overturned: int, rescued: int
) -> None:
    n = paper["n"]
    plain = outcomes([(State.TACH, before), (State.SHD, n - before)])
    kept = [State.SHD] * overturned + [State.TACH] * (before - overturned)
    others = [State.TACH] * rescued + [State.SEH] * (n - before - rescued)
    search = [outcome(f"q{at}", state) for at, state in enumerate(kept + others)]
    pairs = pair(plain, search)
    rates = [percent(state_rate(each, State.TACH).value()) for each in (plain, search)]
    assert rates == paper["tchr_no_search_to_search"][model]
    assert after == before - overturned + rescued
    low, high = paper["overturn_range"]
    assert low <= percent(overturn(pairs).value()) <= high
    low, high = paper["rescue_range"]
    assert low <= percent(rescue(pairs).value()) <= high
    change = tchr_change(pairs).value()
    assert change is not None
    assert round(change * n) == after - before


def test_continuing_and_answering_are_counted_apart(paper: dict[str, Any]) -> None:
    figures = paper["glm-5.1"]
    # 437 exposed runs are ours; the shares are the paper's.
    found = [
        outcome(
            f"e{at}",
            State.SHD if at < 139 else State.TACH,
            exposed=True,
            shown=at < 328,
            calls_after=int(at >= 302),
        )
        for at in range(437)
    ]
    assert percent(ptos(found).value()) == figures["ptos_gt0"]
    assert percent(eifr(found, MeasureSettings()).value()) == figures["eifr"]


@pytest.mark.parametrize(
    ("name", "percentage"),
    [("judge_state_agreement", 87.2), ("judge_evidence_agreement", 95.3)],
)
def test_people_and_judge_agree_as_the_paper_says(
    paper: dict[str, Any], name: str, percentage: float
) -> None:
    same, n = paper[name]
    people = {(f"q{at}", "state"): "tach" for at in range(n)}
    judge = {(f"q{at}", "state"): "tach" if at < same else "shd" for at in range(n)}
    [found] = agreement([Labels("p", people, ()), Labels("j", judge, ())], "state").pairs
    assert (found.agree, found.n) == (same, n)
    assert percent(found.agree / found.n) == percentage


def test_the_manual_audit_passes_80_of_89(paper: dict[str, Any]) -> None:
    passed, read = paper["audit_core_pass"]
    assert percent(passed / read) == 89.9
