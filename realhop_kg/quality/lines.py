"""The quality report as lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from realhop_kg.quality.artifact import ArtifactReport, Contrast
from realhop_kg.quality.figures import Figure
from realhop_kg.quality.report import Lengths, QualityReport

__all__ = ["quality_lines"]

_SHOWN = 10
_WIDTH = 18


def quality_lines(report: QualityReport) -> Iterator[str]:
    """Yield the lines that show a quality report."""
    yield f"Yield: {report.constructed} of {report.read} constructed"
    for shape, made in report.shapes.items():
        yield _line(shape, f"{made.constructed} constructed, {made.excluded} excluded")
    yield _line("excluded by code", _listed(report.excluded_by_code))
    yield _line("steps they name", _listed(report.excluded_steps))
    yield _line("relations", _relations(report))
    yield ""
    yield (
        f"Sentences: {report.sentences} inserted, {report.distinct_wordings} distinct wordings, "
        f"{report.said_once} of them used once"
    )
    for name, lengths in report.lengths.items():
        yield _line(f"words, {name}", _lengths(lengths))
    for wording in report.wordings[:_SHOWN]:
        times = f"{wording.gold}+{wording.competitors}"
        yield _line(times, wording.skeleton)
    if report.wordings:
        yield _line("", "(gold + competitor sentences of the most repeated wordings)")
    yield ""
    yield f"Hosts: {report.passages} passages"
    yield _line("by insertions", _listed(report.insertions_per_host))
    for kind, hosts in report.hosts_per_path.items():
        yield _line(f"hosts, {kind} path", _listed(hosts))
    yield _line("V1", str(report.v1))
    yield _line("V2", str(report.v2))
    later = report.later_breaks
    yield _line("later breaks", f"{later.emitted}{': ' + later.why if later.why else ''}")
    yield ""
    yield from _artifact(report.a1)


def _line(label: str, text: str) -> str:
    return f"  {label:<{_WIDTH}} {text}".rstrip()


def _listed(counts: Mapping[str, int] | Mapping[int, int]) -> str:
    return ", ".join(f"{name}: {count}" for name, count in counts.items()) or "none"


def _relations(report: QualityReport) -> str:
    made = sum(each.hops for each in report.relations.values() if each.made_for_item)
    hops = {name: each.hops for name, each in list(report.relations.items())[:_SHOWN]}
    more = len(report.relations) - len(hops)
    tail = f" and {more} more" if more > 0 else ""
    return f"{_listed(hops)}{tail}; {made} hops by relations made for their item"


def _lengths(lengths: Lengths) -> str:
    return (
        f"{lengths.least} to {lengths.most}, median {lengths.median}, nine in ten up to "
        f"{lengths.p90} ({lengths.sentences} sentences)"
    )


def _artifact(a1: ArtifactReport) -> Iterator[str]:
    yield (
        f"A1: area under the ROC curve, gold against competitors, at most {a1.threshold}: "
        f"{_verdict(a1.holds)}; by what stands in the text: {_verdict(a1.holds_in_text)}"
    )
    for name, contrast in a1.contrasts.items():
        yield (
            f"  {name}: {contrast.gold} gold, {contrast.competitors} competitor sentences, "
            f"{contrast.items} items"
        )
        if contrast.problem:
            yield f"    no figures: {contrast.problem}"
        for group, figure in contrast.figures.items():
            yield f"    {group:<16} {_area(figure)}"
        if contrast.figures:
            yield f"    tells most       {'; '.join(_give_aways(contrast))}"


def _verdict(holds: bool | None) -> str:
    return {True: "holds", False: "does NOT hold", None: "not known"}[holds]


def _area(figure: Figure) -> str:
    overall = _interval(figure.auc, figure.low, figure.high)
    beside = _interval(figure.side_by_side, figure.side_by_side_low, figure.side_by_side_high)
    return f"{overall}   side by side {beside}"


def _interval(value: float | None, low: float | None, high: float | None) -> str:
    if value is None or low is None or high is None:
        return "none"
    return f"{value:.3f} [{low:.3f}, {high:.3f}]"


def _give_aways(contrast: Contrast) -> Iterable[str]:
    """Yield the strongest feature of each part."""
    parts: set[str] = set()
    for told in contrast.give_aways:
        if told.part not in parts:
            parts.add(told.part)
            yield (
                f"{told.feature} ({told.gold}/{contrast.gold} gold, "
                f"{told.competitors}/{contrast.competitors})"
            )
