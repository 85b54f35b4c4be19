"""Every figure of a run with its interval, computed from stored records alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from pydantic import Field

from realhop_kg.audit.bootstrap import Interval, intervals, offset_of
from realhop_kg.audit.estimand import Estimand
from realhop_kg.audit.measures.ablation import ABLATIONS, ablation
from realhop_kg.audit.measures.bands import BANDS, banded
from realhop_kg.audit.measures.bnr import bnr
from realhop_kg.audit.measures.closed_book import closed_book
from realhop_kg.audit.measures.common_full import common_full
from realhop_kg.audit.measures.drop_one import control, drop_one
from realhop_kg.audit.measures.full import full
from realhop_kg.audit.measures.masks import masks
from realhop_kg.audit.measures.mcnemar import McNemar, mcnemar
from realhop_kg.audit.measures.paired_accuracy import paired_accuracy
from realhop_kg.audit.measures.premises import premise_necessity
from realhop_kg.audit.measures.survival import survival
from realhop_kg.audit.measures.wrong_hit import share_of_errors, wrong_hit
from realhop_kg.audit.panel import Panel
from realhop_kg.model.record import Record
from realhop_kg.model.run import Ablation, Condition

__all__ = [
    "Figure",
    "PairedTest",
    "ablation_figures",
    "pair_figures",
    "paired_tests",
    "panel_figures",
]

PAIR = "pair"
"""What stands for the side of a figure that compares both."""


class Figure(Record):
    """One number of a report."""

    percent: ClassVar[bool] = True
    """Whether it is a fraction of 1, and shown in percent."""

    measure: str
    model: str
    side: str
    """`source`, `constructed`, or `pair` for what compares them."""
    ablation: Ablation = "both"
    cohort: str = ""
    """Length band, or trial, where a figure is of one alone."""
    pairs: int | None = None
    """Question-hop conditions, where those are counted too."""
    interval: Interval
    rests_on: Estimand | None = Field(default=None, exclude=True, repr=False)
    """What every question adds; not written with the figure."""

    @property
    def value(self) -> float | None:
        """The point estimate, as a fraction of 1."""
        return self.interval.value


class PairedTest(Record):
    """An exact McNemar test of Full correctness between two conditions of one model."""

    model: str
    trial: int
    first: str
    second: str
    n: int
    test: McNemar
    only: tuple[tuple[str, ...], tuple[str, ...]] = Field(default=((), ()), exclude=True)
    """The questions that only the first has right, and those that only the second has."""
    items: tuple[str, ...] = Field(default=(), exclude=True)
    """All questions of the test."""


def panel_figures(panel: Panel, resamples: int) -> Iterator[Figure]:
    """Yield the figures of one model on one side; those that were not asked are left out."""
    estimands: dict[str, Estimand] = {"full": full(panel)}
    if panel.asked(Condition.DROP):
        estimands |= {"bnr": bnr(panel), "drop_one": drop_one(panel)}
    if panel.asked(Condition.CONTROL):
        estimands |= {
            "control": _beside(control(panel), estimands["full"]),
            "drop_survival": survival(panel, Condition.DROP),
            "control_survival": survival(panel, Condition.CONTROL),
        }
    if any(panel.endpoints.values()):
        estimands |= {"wrong_hit": wrong_hit(panel), "share_of_errors": share_of_errors(panel)}
    for name, probe in (
        ("premise_necessity", premise_necessity(panel)),
        ("closed_book", closed_book(panel)),
    ):
        if probe is not None:
            estimands[name] = probe
    estimands |= masks(panel)
    place = (panel.model, panel.side, panel.ablation)
    yield from _figures(estimands, place, "", resamples, panel.repeats)
    yield from _by_trial(panel, place, resamples)
    if panel.asked(Condition.CONTROL) and panel.asked(Condition.DROP):
        for name, band in BANDS.items():
            found, pairs = banded(panel, band)
            yield from _figures(found, place, name, resamples, panel.repeats, pairs)


def _beside(controlled: Estimand, whole: Estimand) -> Estimand:
    """Say where Control rests on other questions than the Full that stands beside it."""
    if set(controlled.items) == set(whole.items):
        return controlled
    said = (
        f"rests on {len(controlled.items)} questions with a judged control, Full on "
        f"{len(whole.items)}; the table of bands compares the two on the same questions"
    )
    return replace(controlled, notes=(*controlled.notes, said))


def _by_trial(panel: Panel, place: tuple[str, str, Ablation], resamples: int) -> Iterator[Figure]:
    """Yield Full and BNR of each trial of a trial panel, over its complete questions (Table 13)."""
    if len(panel.trials) < 2:
        return
    items = panel.population()
    for trial in panel.trials:
        one = replace(panel, trials=(trial,))
        estimands = {"full": full(one, items)}
        if panel.asked(Condition.DROP):
            estimands["bnr"] = bnr(one, items)
        yield from _figures(estimands, place, f"trial {trial}", resamples, panel.repeats)


def pair_figures(source: Panel, constructed: Panel, resamples: int) -> Iterator[Figure]:
    """Yield what compares the two sides of one model, on paired questions."""
    place = (source.model, PAIR, constructed.ablation)
    accuracy = paired_accuracy(source, constructed)
    yield from _figures(accuracy, place, "", resamples, source.repeats)
    if source.asked(Condition.DROP) and constructed.asked(Condition.DROP):
        common = common_full(source, constructed)
        counts = "/".join(map(str, common.counts))
        said = f"common Full-correct questions by trial: {counts}"
        named = {
            name: replace(each, notes=tuple(dict.fromkeys((said, *each.notes))))
            for name, each in common.named().items()
        }
        yield from _figures(named, place, "", resamples, source.repeats)


def ablation_figures(
    original: Panel | None, variants: Mapping[Ablation, Panel], resamples: int
) -> Iterator[Figure]:
    """Yield the component ablation of one model, if every family was asked alone and together."""
    if all(name in variants for name in ABLATIONS):
        model = variants["both"].model
        place: tuple[str, str, Ablation] = (model, PAIR if original else "constructed", "both")
        repeats = variants["both"].repeats
        found = ablation(original, variants)
        yield from _figures(found, place, "ablation", resamples, repeats)


def paired_tests(named: Sequence[tuple[str, Panel]]) -> Iterator[PairedTest]:
    """Yield an exact test between the first panel and each other one, trial by trial.

    Args:
        named: panels of one model with what to call each.
    """
    if not named:
        return
    first_name, first = named[0]
    for name, panel in named[1:]:
        present = set(panel.items)
        for trial in first.trials:
            items = [
                item
                for item in first.items
                if item in present
                and first.verdict(item, trial, Condition.FULL) is not None
                and panel.verdict(item, trial, Condition.FULL) is not None
            ]
            one = [first.correct(item, trial, Condition.FULL) for item in items]
            other = [panel.correct(item, trial, Condition.FULL) for item in items]
            both = list(zip(items, one, other, strict=True))
            yield PairedTest(
                model=first.model,
                trial=trial,
                first=first_name,
                second=name,
                n=len(items),
                test=mcnemar(one, other),
                only=(
                    tuple(item for item, here, there in both if here and not there),
                    tuple(item for item, here, there in both if there and not here),
                ),
                items=tuple(items),
            )


def _figures(
    estimands: Mapping[str, Estimand],
    place: tuple[str, str, Ablation],
    cohort: str,
    resamples: int,
    repeats: Mapping[str, str],
    pairs: int | None = None,
) -> Iterator[Figure]:
    model, side, kept = place
    offset = offset_of(model, side, kept, cohort)
    found: dict[str, Interval] = {}
    grouped = {name: estimand.grouped(repeats) for name, estimand in estimands.items()}
    for group in _by_population(grouped):
        found |= intervals(group, offset, resamples)
    for name in estimands:
        yield Figure(
            measure=name,
            model=model,
            side=side,
            ablation=kept,
            cohort=cohort,
            pairs=pairs,
            interval=found[name],
            rests_on=estimands[name],
        )


def _by_population(estimands: Mapping[str, Estimand]) -> Iterable[dict[str, Estimand]]:
    """Group estimands over the same questions, so that they share resamples."""
    groups: dict[tuple[str, ...], dict[str, Estimand]] = {}
    for name, estimand in estimands.items():
        groups.setdefault(estimand.items, {})[name] = estimand
    return groups.values()
