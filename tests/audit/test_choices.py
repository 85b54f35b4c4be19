"""Multiple choice: frozen options, letters read as LongBench v2 reads them."""

from __future__ import annotations

from pathlib import Path

from realhop_kg.audit.auditable import constructed_side, source_side
from realhop_kg.audit.choices import OPTIONS, choices_of, read_choice
from realhop_kg.audit.folder import RunFolder
from realhop_kg.audit.judge import OfflineJudge
from realhop_kg.audit.reporting.records import read_run
from realhop_kg.audit.reporting.report import build_report
from realhop_kg.audit.run import run_audit
from realhop_kg.audit.solvers import Answer, Prompt
from realhop_kg.audit.sources import frozen_items
from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.llm.prompts import load_template
from realhop_kg.model.frozen import FrozenItem
from realhop_kg.model.run import Condition
from tests.audit.runs import TEMPLATES, settings


def test_options_are_gold_and_three_endpoints_in_an_order_of_the_item(frozen: list[FrozenItem]):
    places = []
    for each in frozen:
        item = constructed_side(each)
        options = choices_of(item)
        assert len(set(options)) == OPTIONS
        assert set(options) <= {item.answer, *item.endpoints}
        assert options == choices_of(item)
        places.append(options.index(item.answer))
    assert len(set(places)) == OPTIONS
    assert choices_of(source_side(frozen[0])) == ()


def test_a_response_without_a_letter_names_nothing():
    assert read_choice("I would say (B).", ("w", "x", "y", "z")) == ""
    assert read_choice("", ("w", "x", "y", "z")) == ""


class Letters:
    """Names the right letter on some items, and none on the others."""

    name = "letters"

    def answer(self, prompt: Prompt) -> Answer:
        options = choices_of(prompt.item)
        if prompt.item.item.endswith("1"):
            return Answer(
                text=f"The correct answer is ({'ABCD'[options.index(prompt.item.answer)]})"
            )
        if prompt.item.item.endswith("2"):
            wrong = next(each for each in options if each != prompt.item.answer)
            return Answer(text=f"The correct answer is ({'ABCD'[options.index(wrong)]})")
        return Answer(text="I cannot choose.")


def test_choices_are_judged_by_their_option_and_stay_in_the_denominator(
    dataset: Path, tmp_path: Path
):
    chosen = settings("letters", sides=("source", "constructed"), conditions=("full",), limit=3)
    opened = FrozenDataset.open(dataset)
    run = RunFolder.start(tmp_path / "run", chosen)
    templates = {**TEMPLATES, "solver": load_template("audit/choice")}

    def again() -> object:
        return run_audit(
            run,
            lambda: frozen_items(opened, chosen.sides, "passage", 3),
            [Letters()],
            OfflineJudge(),
            templates,
        )

    again()
    records = read_run(run)
    panel = next(each for each in records.panels if each.side == "constructed")
    first, second, third = panel.items
    assert [panel.correct(item, 1, Condition.FULL) for item in panel.items] == [True, False, False]
    assert panel.responses[second, 1, Condition.FULL, ""] in panel.endpoints[second]
    assert panel.full_judged([1]) == (first, second, third)
    assert {lack.reason for lack in records.missing} == {
        "too few planned endpoints for four options"
    }
    warnings = build_report(run, records, 0).warnings
    assert any("1 of 3 multiple-choice answers of letters name no" in each for each in warnings)
    stored = (tmp_path / "run" / "trials.jsonl").read_bytes()
    again()
    assert (tmp_path / "run" / "trials.jsonl").read_bytes() == stored
