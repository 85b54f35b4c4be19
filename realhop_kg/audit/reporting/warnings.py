"""What a reader of a report must know of its records before the figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from realhop_kg.audit.choices import BY_OPTION
from realhop_kg.audit.judge import judges_itself
from realhop_kg.audit.plan import AuditSettings
from realhop_kg.audit.reporting.records import RunRecords
from realhop_kg.audit.reporting.words import counted, some
from realhop_kg.audit.solvers import answers_side
from realhop_kg.model.run import TrialRecord

__all__ = ["warnings_of"]


def warnings_of(settings: AuditSettings, records: RunRecords) -> Iterator[str]:
    """Yield them, a sentence each."""
    if records.unknown:
        yield (
            f"{counted(len(records.unknown), 'name')} of the exclusion list that this run does "
            f"not have: {some(records.unknown)}"
        )
    for model in settings.models:
        for side in settings.sides:
            if not answers_side(model, side):
                yield f"{model} derives from constructed items and was not asked on the {side} side"
    yield from _unread(records.trials)
    yield from _empty(records.trials)
    if records.strays:
        yield (
            f"{counted(records.strays, 'stored answer')} of no question, context, model or trial "
            "of this run: left out"
        )
    if records.changed:
        yield (
            f"{counted(records.changed, 'cell')} had two different verdicts; the later one counts"
        )
    own = judges_itself(settings.judge, settings.models)
    if own:
        yield f"{settings.judge} judged its own answers ({own})"
    yield (
        "prompts are in this package's own words or the user's; figures under other wordings, "
        "the papers' among them, are not comparable to the point"
    )


def _unread(trials: Iterable[TrialRecord]) -> Iterator[str]:
    """Say by model how many multiple-choice answers name no option."""
    asked: Counter[str] = Counter()
    unread: Counter[str] = Counter()
    for each in trials:
        if each.judged_by == BY_OPTION:
            asked[each.model] += 1
            unread[each.model] += not each.read_as
    for model, count in sorted(unread.items()):
        if count:
            yield (
                f"{count} of {asked[model]} multiple-choice answers of {model} name no option as "
                "asked and count as incorrect"
            )


def _empty(trials: Iterable[TrialRecord]) -> Iterator[str]:
    """Say by model how many answers are empty: they are wrong, but nothing was said."""
    asked: Counter[str] = Counter()
    empty: dict[str, Counter[str]] = {}
    for each in trials:
        if each.response is not None:
            asked[each.model] += 1
            if not each.response.strip():
                empty.setdefault(each.model, Counter())[each.condition.value] += 1
    for model, by_condition in sorted(empty.items()):
        said = ", ".join(f"{name} {count}" for name, count in sorted(by_condition.items()))
        yield (
            f"{by_condition.total()} of {asked[model]} answers of {model} are empty ({said}); they "
            "count as incorrect, so an empty answer to a Drop counts as necessity"
        )
